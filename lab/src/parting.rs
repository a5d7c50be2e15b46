//! Where RFC 3986 and the WHATWG URL Standard part: each rule by itself, and a parser that is RFC 3986 with these rules.
//!
//! [`by_rules`] splits a string as RFC 3986 does, and then applies the rules in which the URL Standard differs, one after the other. It shares
//! no code with the standard's state machine but the host parser, the tables and the predicates of characters, and its answer is that of the
//! standard: a test compares the two on every string up to a length. If no rule acts on a string, the two standards agree on it.
//!
//! ```
//! use uriproof_lab::parting::{Parting, parting};
//!
//! assert_eq!(parting("http://a\\@b/"), [Parting::Backslash]);
//! assert_eq!(parting("http://a/"), []);
//! ```

mod authority;
mod path;
mod rows;

pub use self::rows::PartingRow;

use rfc3986_reference::components::{ReferenceRule, parse_rule};
use uriproof::expect::whatwg;
use uriproof::model::{Components, Reading};
use whatwg_url_reference::code_points::{is_ascii_tab_or_newline, is_c0_control_or_space};
use whatwg_url_reference::percent::{FRAGMENT, PercentEncodeSet, QUERY, SPECIAL_QUERY, utf8_percent_encode};
use whatwg_url_reference::record::is_special_scheme;

/// A rule in which the URL Standard differs from RFC 3986, in the order in which they act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Parting {
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

/// The rules that acted so far.
#[derive(Default)]
struct Acting(Vec<Parting>);

impl Acting {
    fn note(&mut self, parting: Parting, acts: bool) {
        if acts && !self.0.contains(&parting) {
            self.0.push(parting);
        }
    }

    /// The text percent-encoded by a set, and the rules by which that differs from RFC 3986.
    fn encode(&mut self, text: &str, set: PercentEncodeSet, is_allowed: impl Fn(char) -> bool) -> String {
        let encoded = utf8_percent_encode(text, set);
        let is_valid = is_valid(text, is_allowed);
        self.note(Parting::Invalid, !is_valid);
        self.note(Parting::Encoded, is_valid && encoded != text);
        encoded
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

/// The rules by which the two differ on a string; empty if they do not.
pub fn parting(text: &str) -> Vec<Parting> {
    match by_rfc3986(text) == by_whatwg(text) {
        true => Vec::new(),
        false => by_rules(text).1,
    }
}

/// What RFC 3986 with the rules of the URL Standard makes of a string, and the rules that act, in their order.
pub fn by_rules(text: &str) -> (Option<Components>, Vec<Parting>) {
    let mut acting = Acting::default();
    let components = components(text, &mut acting);
    let Acting(mut partings) = acting;
    partings.sort();
    (components, partings)
}

fn components(text: &str, acting: &mut Acting) -> Option<Components> {
    let trimmed = text.trim_matches(is_c0_control_or_space);
    acting.note(Parting::Trim, trimmed.len() < text.len());
    let plain: String = trimmed.chars().filter(|c| !is_ascii_tab_or_newline(*c)).collect();
    acting.note(Parting::Tab, plain.len() < trimmed.len());

    // Appendix B, but for the authority.
    let (scheme, rest) = plain.split_once(':').filter(|(scheme, _)| is_scheme(scheme))?;
    let (rest, fragment) = cut(rest, '#');
    let (rest, query) = cut(rest, '?');
    let has_more = query.is_some() || fragment.is_some();

    let lower = scheme.to_ascii_lowercase();
    acting.note(Parting::NormalForm, lower != scheme);
    let is_special = is_special_scheme(&lower);
    let (authority, path) = path::divide(&lower, rest, acting);
    let authority = match authority {
        Some(text) => authority::read(&lower, &text, acting)?,
        None => authority::Authority::default(),
    };
    let path = path::read(&lower, &path, has_more, acting);
    let of_query = if is_special { SPECIAL_QUERY } else { QUERY };
    Some(Components {
        scheme: Some(lower),
        userinfo: authority.userinfo,
        host: authority.host,
        host_kind: authority.kind,
        port: authority.port,
        path,
        query: query.map(|query| acting.encode(query, of_query, is_query)),
        fragment: fragment.map(|fragment| acting.encode(fragment, FRAGMENT, is_query)),
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
    text.char_indices().all(|(at, c)| match c {
        '%' => text.as_bytes().get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)),
        c => is_allowed(c),
    })
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
