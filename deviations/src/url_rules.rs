//! Where RFC 3986 and the WHATWG URL Standard part: each rule by itself, and a parser that is RFC 3986 with some of these rules.
//!
//! [`by_rules`] splits a string as RFC 3986 does, and applies the rules of the URL Standard that it is given. It shares no code with the
//! standard's state machine but the host parser, the tables and the predicates of characters. With all rules its answer is that of the
//! standard, with none that of RFC 3986: a test compares them on every string up to a length. [`parting`] are the rules that make the
//! difference: RFC 3986 with these alone has the standard's answer, and without one of them another.
//!
//! ```
//! use uriproof_deviations::url_rules::{UrlRule, by_rules, by_whatwg, parting};
//!
//! assert_eq!(parting("http://a\\@b/"), [UrlRule::Backslash]);
//! assert_eq!(by_rules("http://a\\@b/", &[UrlRule::Backslash]), by_whatwg("http://a\\@b/"));
//! assert_eq!(parting("http://a/"), []);
//! ```

mod authority;
mod bases;
mod path;
mod rows;

pub use self::bases::{BaseRule, base_rules};
pub use self::rows::UrlRuleRow;

use rfc3986_reference::components::{ReferenceRule, parse_rule};
use serde::{Deserialize, Serialize};
use uriproof::expect::whatwg;
use uriproof::model::{Components, Input, Outcome, Reading, Rule};
use whatwg_url_reference::code_points::{is_ascii_tab_or_newline, is_c0_control_or_space};
use whatwg_url_reference::percent::{FRAGMENT, PercentEncodeSet, QUERY, SPECIAL_QUERY, utf8_percent_encode};
use whatwg_url_reference::record::is_special_scheme;

/// A rule in which the URL Standard differs from RFC 3986, in the order in which they act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum UrlRule {
    /// C0 controls and spaces at both ends are dropped.
    Trim,
    /// Tabs and line breaks are dropped, wherever they are.
    Tab,
    /// In a special scheme, `\` is `/`.
    Backslash,
    /// A special scheme has an authority after any number of slashes.
    Slashes,
    /// A `file` URL has no userinfo and no port.
    FileAuthority,
    /// A drive letter of Windows is no host, is written with `:`, and is not removed by `..`.
    DriveLetter,
    /// The userinfo ends at the last `@`.
    LastAt,
    /// An empty userinfo, or an empty password, is dropped.
    EmptyUserinfo,
    /// A host must not be empty in a special scheme, nor beside a userinfo or a port.
    EmptyHost,
    /// An address of a future version is refused.
    IpvFuture,
    /// The host of a special scheme is percent-decoded and mapped by IDNA, and refused if that fails.
    Domain,
    /// A host of a special scheme that ends in a number is an IPv4 address, or refused.
    Number,
    /// Outside the special schemes a host is opaque: four numbers are no address.
    OpaqueHost,
    /// The host `localhost` of a `file` URL is empty.
    Localhost,
    /// A port above 65535 is refused.
    PortRange,
    /// A port is a number, and the default one of the scheme, or an empty one, is dropped.
    PortNumber,
    /// Dot-segments are removed when the string is parsed.
    DotSegments,
    /// `%2e` is a dot in a dot-segment.
    EncodedDot,
    /// The empty path of a special scheme is `/`.
    EmptyPath,
    /// What no rule of the grammar allows is accepted, and percent-encoded or kept.
    Invalid,
    /// Some characters that are allowed are percent-encoded.
    Encoded,
    /// The scheme and a host are written in lower case, an IPv6 address in its shortest form.
    NormalForm,
}

/// The rules that are followed, and those of them that acted so far.
struct FollowedRules<'r> {
    rules: &'r [UrlRule],
    acting: Vec<UrlRule>,
}

impl FollowedRules<'_> {
    /// Whether a rule acts: it is followed, and there is something for it to do.
    fn acts(&mut self, rule: UrlRule, has_work: bool) -> bool {
        let acts = has_work && self.rules.contains(&rule);
        if acts && !self.acting.contains(&rule) {
            self.acting.push(rule);
        }
        acts
    }

    /// The text percent-encoded by a set, where the rules for that are followed; `None` if a character is refused.
    fn encode(&mut self, text: &str, set: PercentEncodeSet, is_allowed: impl Fn(char) -> bool) -> Option<String> {
        let whole = utf8_percent_encode(text, set);
        if whole == text && is_valid(text, &is_allowed) {
            return Some(whole);
        }
        let mut written = String::new();
        for (at, c) in text.char_indices() {
            let plain = &text[at..at + c.len_utf8()];
            let encoded = utf8_percent_encode(plain, set);
            let is_encoded = if c == '%' && begins_triplet(&text[at..]) || is_allowed(c) {
                self.acts(UrlRule::Encoded, encoded != plain)
            } else if self.acts(UrlRule::Invalid, true) {
                true
            } else {
                return None;
            };
            written.push_str(if is_encoded { &encoded } else { plain });
        }
        Some(written)
    }
}

/// What RFC 3986 makes of a string, as a URI; `None` if it is none.
pub fn by_rfc3986(text: &str) -> Option<Components> {
    parse_rule(ReferenceRule::Uri, text, Reading::Rfc3986).ok().map(|uri| Components::from(&uri))
}

/// What the URL Standard makes of a string without a base URL; `None` is failure.
pub fn by_whatwg(text: &str) -> Option<Components> {
    whatwg::parsed(text)
}

/// What RFC 3986 with these rules of the URL Standard makes of a string; `None` if it is refused.
pub fn by_rules(text: &str, rules: &[UrlRule]) -> Option<Components> {
    acting(text, rules).0
}

/// The rules by which the two standards differ on a string, in their order; empty if they do not differ. RFC 3986 with these has the
/// answer of the URL Standard, and each of them is needed for that.
pub fn parting(text: &str) -> Vec<UrlRule> {
    let (whole, mut rules) = acting(text, &UrlRule::ALL);
    if by_rfc3986(text) == whole {
        return Vec::new();
    }
    rules.sort();
    for rule in rules.clone() {
        let others: Vec<UrlRule> = rules.iter().copied().filter(|other| *other != rule).collect();
        if by_rules(text, &others) == whole {
            rules = others;
        }
    }
    rules
}

/// What a library answers that follows these rules where it parses a URI; `None` for all else.
pub(crate) fn outcome(rules: &[UrlRule], input: &Input) -> Option<Outcome> {
    match input {
        Input::Parse { rule: Rule::Uri, input } => Some(match by_rules(input, rules) {
            Some(components) => Outcome::components(components),
            None => Outcome::rejected("RFC 3986 or a rule of the URL Standard refuses it"),
        }),
        _ => None,
    }
}

/// What RFC 3986 with these rules makes of a string, and the rules that act.
fn acting(text: &str, rules: &[UrlRule]) -> (Option<Components>, Vec<UrlRule>) {
    let acting = Vec::new();
    let mut followed = FollowedRules { rules, acting };
    let components = components(text, &mut followed);
    (components, followed.acting)
}

fn components(text: &str, rules: &mut FollowedRules<'_>) -> Option<Components> {
    let mut text = text.to_owned();
    let trimmed = text.trim_matches(is_c0_control_or_space);
    if rules.acts(UrlRule::Trim, trimmed.len() < text.len()) {
        text = trimmed.to_owned();
    }
    if rules.acts(UrlRule::Tab, text.contains(is_ascii_tab_or_newline)) {
        text.retain(|c| !is_ascii_tab_or_newline(c));
    }

    // Appendix B, but for the authority.
    let (scheme, rest) = text.split_once(':').filter(|(scheme, _)| is_scheme(scheme))?;
    let (rest, fragment) = cut(rest, '#');
    let (rest, query) = cut(rest, '?');
    let has_more = query.is_some() || fragment.is_some();

    let lower = scheme.to_ascii_lowercase();
    let shown = match rules.acts(UrlRule::NormalForm, lower != scheme) {
        true => &lower,
        false => scheme,
    };
    let (authority, path) = path::divide(&lower, rest, rules);
    let authority = match authority {
        Some(text) => authority::read(&lower, &text, rules)?,
        None => authority::UrlAuthority::default(),
    };
    let path = path::read(&lower, &path, has_more, rules)?;
    let of_query = if is_special_scheme(&lower) {
        SPECIAL_QUERY
    } else {
        QUERY
    };
    let mut encode = |text: Option<&str>, set| match text {
        Some(text) => rules.encode(text, set, is_query).map(Some),
        None => Some(None),
    };
    Some(Components {
        scheme: Some(shown.to_owned()),
        userinfo: authority.userinfo,
        host: authority.host,
        host_kind: authority.kind,
        port: authority.port,
        path,
        query: encode(query, of_query)?,
        fragment: encode(fragment, FRAGMENT)?,
    })
}

/// The text before a delimiter, and that after it.
fn cut(text: &str, delimiter: char) -> (&str, Option<&str>) {
    text.split_once(delimiter).map_or((text, None), |(before, after)| (before, Some(after)))
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

/// Whether each character is allowed, or begins a triplet.
fn is_valid(text: &str, is_allowed: impl Fn(char) -> bool) -> bool {
    text.char_indices().all(|(at, c)| {
        if c == '%' {
            begins_triplet(&text[at..])
        } else {
            is_allowed(c)
        }
    })
}

fn begins_triplet(text: &str) -> bool {
    text.as_bytes().get(1..3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// `unreserved / sub-delims`
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=".contains(c)
}

/// The characters of a path.
fn is_path(c: char) -> bool {
    is_plain(c) || matches!(c, ':' | '@' | '/')
}

/// The characters of a query or a fragment.
fn is_query(c: char) -> bool {
    is_path(c) || c == '?'
}
