//! RFC 3986 §6.2.2 and §6.2.3: syntax-based and scheme-based normalization.

use std::borrow::Cow;
use std::fmt;

use crate::characters::{decode_unreserved_triplets, uppercase_triplets};
use crate::components::{Authority, Components, Reference, parse};
use crate::dot_segments::remove_dot_segments;
use crate::grammar::Error;
use crate::readings::Reading;
use crate::recompose::{recompose, recompose_authority};

/// Why a string has no normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalizeError {
    /// It does not match `URI-reference`.
    Invalid(Error),
    /// It is a relative reference: "A URI reference must be transformed to its target URI before it can be
    /// normalized" (§5.2.1).
    Relative,
}

impl fmt::Display for NormalizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NormalizeError::Invalid(error) => write!(f, "not a URI-reference: it {error}"),
            NormalizeError::Relative => {
                f.write_str("a relative reference must be transformed to its target URI before it can be normalized")
            }
        }
    }
}

impl std::error::Error for NormalizeError {}

/// `uri` with its case normalized (RFC 3986 §6.2.2.1).
///
/// # Errors
///
/// `uri` does not match `URI`.
pub fn case_normalization(uri: &str, reading: Reading) -> Result<String, NormalizeError> {
    let mut parts = Parts::parse(uri, reading)?;
    parts.normalize_case();
    Ok(parts.recompose())
}

/// `uri` with its percent-encoding normalized (RFC 3986 §6.2.2.2); a triplet that stays is left as it is.
///
/// # Errors
///
/// `uri` does not match `URI`.
pub fn percent_encoding_normalization(uri: &str, reading: Reading) -> Result<String, NormalizeError> {
    let mut parts = Parts::parse(uri, reading)?;
    parts.normalize_percent_encoding();
    Ok(parts.recompose())
}

/// `uri` with the dot-segments of its path removed (RFC 3986 §6.2.2.3).
///
/// Word for word: where there is no authority and the path begins with "//" after it, the result is another URI
/// (`a:/b/..//c` gives `a://c`). [`syntax_based`] avoids that.
///
/// # Errors
///
/// `uri` does not match `URI`.
pub fn path_segment_normalization(uri: &str, reading: Reading) -> Result<String, NormalizeError> {
    let mut parts = Parts::parse(uri, reading)?;
    // "URI normalizers should remove dot-segments by applying the remove_dot_segments algorithm to the path, as
    // described in Section 5.2.4."
    parts.path = Cow::Owned(remove_dot_segments(&parts.path));
    Ok(parts.recompose())
}

/// The syntax-based normal form of `uri` (RFC 3986 §6.2.2): its unreserved characters decoded, its case normalized,
/// then its dot-segments removed.
///
/// Not in RFC 3986: the order of the steps. This one is idempotent: a decoded `%2e%2e` is a dot-segment, a decoded
/// "%41" in a host is a letter.
///
/// Not in RFC 3986: a path without an authority that would begin with "//" keeps its dot-segments. The result would
/// identify something else (§6.1: "strictly avoiding false positives"), and §6.2.2.3 is a "should".
///
/// The result has the same components as `uri`, defined and undefined alike, but a host may become another kind of
/// host: `1.2.3.%34` is a `reg-name` and `1.2.3.4` an `IPv4address`.
///
/// # Errors
///
/// `uri` does not match `URI`.
pub fn syntax_based(uri: &str, reading: Reading) -> Result<String, NormalizeError> {
    let mut parts = Parts::parse(uri, reading)?;
    parts.normalize_syntax();
    Ok(parts.recompose())
}

/// The scheme-based normal form of `uri` (RFC 3986 §6.2.3): the syntax-based one, then what `schemes` say of its
/// scheme.
///
/// Without rules for a scheme, only an empty port is removed. Not in RFC 3986: an empty path becomes "/" only where the
/// scheme's rules say so (§6.1 "strictly avoiding false positives"). A rootless path of a scheme with a default host
/// stays as it is: it cannot stand behind an authority (§3.3).
///
/// # Errors
///
/// `uri` does not match `URI`.
pub fn scheme_based(uri: &str, schemes: &Schemes, reading: Reading) -> Result<String, NormalizeError> {
    let mut parts = Parts::parse(uri, reading)?;
    parts.normalize_scheme(schemes);
    Ok(parts.recompose())
}

/// One fact about a scheme that scheme-based normalization uses (RFC 3986 §6.2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SchemeFact {
    /// "A scheme may define a default port." (§3.2.3)
    DefaultPort(u16),
    /// The scheme "defines an empty path to be equivalent to "/"" behind an authority (§6.2.3).
    EmptyPathIsRoot,
    /// "If the URI scheme defines a default for host, then that default applies when the host subcomponent is undefined
    /// or when the registered name is empty (zero length)." (§3.2.2)
    DefaultHost(&'static str),
    /// The path is a list of mailboxes, separated by ",", with "an Internet hostname" (§6.2.3) behind the last "@" of each.
    MailboxesInPath,
}

/// The facts about schemes: scheme, fact, and the document that states it. The table is the only place for them.
///
/// Not in RFC 3986, apart from the facts whose source it is: the others are what the schemes' own specifications say.
pub const SCHEME_FACTS: &[(&str, SchemeFact, &str)] = &[
    ("http", SchemeFact::DefaultPort(80), "RFC 3986 §6.2.3"),
    ("http", SchemeFact::EmptyPathIsRoot, "RFC 3986 §6.2.3"),
    ("https", SchemeFact::DefaultPort(443), "RFC 9110 §4.2.2"),
    ("https", SchemeFact::EmptyPathIsRoot, "RFC 9110 §4.2.3"),
    ("ws", SchemeFact::DefaultPort(80), "RFC 6455 §3"),
    ("ws", SchemeFact::EmptyPathIsRoot, "RFC 6455 §3"),
    ("wss", SchemeFact::DefaultPort(443), "RFC 6455 §3"),
    ("wss", SchemeFact::EmptyPathIsRoot, "RFC 6455 §3"),
    ("ftp", SchemeFact::DefaultPort(21), "RFC 1738 §3.2"),
    ("file", SchemeFact::DefaultHost("localhost"), "RFC 3986 §3.2.2"),
    ("mailto", SchemeFact::MailboxesInPath, "RFC 3986 §6.2.3"),
];

/// What is known of one scheme: its facts, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SchemeRules {
    /// The scheme, without the ":" behind it; its case does not matter.
    pub scheme: String,
    /// [`SchemeFact::DefaultPort`]
    pub default_port: Option<u16>,
    /// [`SchemeFact::EmptyPathIsRoot`]
    pub empty_path_is_root: bool,
    /// [`SchemeFact::DefaultHost`]; its case does not matter.
    pub default_host: Option<&'static str>,
    /// [`SchemeFact::MailboxesInPath`]
    pub mailboxes_in_path: bool,
}

impl SchemeRules {
    /// No rule for `scheme`.
    pub fn new(scheme: &str) -> SchemeRules {
        SchemeRules {
            scheme: scheme.to_ascii_lowercase(),
            ..SchemeRules::default()
        }
    }

    fn with(mut self, fact: SchemeFact) -> SchemeRules {
        match fact {
            SchemeFact::DefaultPort(port) => self.default_port = Some(port),
            SchemeFact::EmptyPathIsRoot => self.empty_path_is_root = true,
            SchemeFact::DefaultHost(host) => self.default_host = Some(host),
            SchemeFact::MailboxesInPath => self.mailboxes_in_path = true,
        }
        self
    }
}

/// The schemes whose rules are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schemes {
    rules: Vec<SchemeRules>,
}

impl Schemes {
    /// None at all.
    pub fn empty() -> Schemes {
        Schemes { rules: Vec::new() }
    }

    /// Adds the rules of a scheme, in place of any that it has.
    pub fn insert(&mut self, rules: SchemeRules) {
        self.rules.retain(|known| !known.scheme.eq_ignore_ascii_case(&rules.scheme));
        self.rules.push(rules);
    }

    /// The rules of `scheme`, if they are known.
    pub fn rules(&self, scheme: &str) -> Option<&SchemeRules> {
        self.rules.iter().find(|known| known.scheme.eq_ignore_ascii_case(scheme))
    }
}

impl Default for Schemes {
    /// The rules that [`SCHEME_FACTS`] state.
    fn default() -> Schemes {
        let mut schemes = Schemes::empty();
        for &(scheme, fact, _) in SCHEME_FACTS {
            let rules = schemes.rules(scheme).cloned().unwrap_or_else(|| SchemeRules::new(scheme));
            schemes.insert(rules.with(fact));
        }
        schemes
    }
}

/// The components and subcomponents of a URI on its way to a normal form; the authority is defined where the host is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts<'a> {
    /// Without the ":" behind it.
    pub scheme: Cow<'a, str>,
    /// Without the "@" behind it.
    pub userinfo: Option<Cow<'a, str>>,
    /// With the brackets of an IP-literal.
    pub host: Option<Cow<'a, str>>,
    /// Without the ":" before it.
    pub port: Option<&'a str>,
    /// Never undefined.
    pub path: Cow<'a, str>,
    /// Without the "?" before it.
    pub query: Option<Cow<'a, str>>,
    /// Without the "#" before it.
    pub fragment: Option<Cow<'a, str>>,
}

impl<'a> Parts<'a> {
    fn parse(uri: &'a str, reading: Reading) -> Result<Parts<'a>, NormalizeError> {
        let Reference { components, authority } = parse(uri, reading).map_err(NormalizeError::Invalid)?;
        Parts::of(components, authority).ok_or(NormalizeError::Relative)
    }

    /// The parts of a URI; `None` for a relative reference.
    pub fn of(components: Components<'a>, authority: Option<Authority<'a>>) -> Option<Parts<'a>> {
        Some(Parts {
            scheme: components.scheme?.into(),
            userinfo: authority.and_then(|authority| authority.userinfo).map(Cow::from),
            host: authority.map(|authority| authority.host.into()),
            port: authority.and_then(|authority| authority.port),
            path: components.path,
            query: components.query.map(Cow::from),
            fragment: components.fragment.map(Cow::from),
        })
    }

    fn recompose(&self) -> String {
        let authority = self.host.as_ref().map(|host| recompose_authority(self.userinfo.as_deref(), host, self.port));
        recompose(&Components {
            scheme: Some(&self.scheme),
            authority: authority.as_deref(),
            path: Cow::Borrowed(&self.path),
            query: self.query.as_deref(),
            fragment: self.fragment.as_deref(),
        })
    }

    /// Everything in which a triplet can stand.
    fn encoded(&mut self) -> impl Iterator<Item = &mut Cow<'a, str>> {
        [
            self.userinfo.as_mut(),
            self.host.as_mut(),
            Some(&mut self.path),
            self.query.as_mut(),
            self.fragment.as_mut(),
        ]
        .into_iter()
        .flatten()
    }

    /// §6.2.2.1
    fn normalize_case(&mut self) {
        // "the scheme and host are case-insensitive and therefore should be normalized to lowercase"
        self.scheme.to_mut().make_ascii_lowercase();
        if let Some(host) = &mut self.host {
            host.to_mut().make_ascii_lowercase();
        }
        // "For all URIs, the hexadecimal digits within a percent-encoding triplet (e.g., "%3a" versus "%3A") are
        // case-insensitive and therefore should be normalized to use uppercase letters for the digits A-F."
        for part in self.encoded() {
            rewrite(part, uppercase_triplets);
        }
    }

    /// §6.2.2.2
    fn normalize_percent_encoding(&mut self) {
        // "These URIs should be normalized by decoding any percent-encoded octet that corresponds to an unreserved
        // character, as described in Section 2.3."
        for part in self.encoded() {
            rewrite(part, decode_unreserved_triplets);
        }
    }

    /// §6.2.2, the three steps in the order of [`syntax_based`].
    pub fn normalize_syntax(&mut self) {
        self.normalize_percent_encoding();
        self.normalize_case();
        let removed = remove_dot_segments(&self.path);
        // "When authority is not present, the path cannot begin with two slash characters ("//")" (§3).
        if self.host.is_some() || !removed.starts_with("//") {
            self.path = Cow::Owned(removed);
        }
    }

    /// §6.2.3, on top of §6.2.2, as [`scheme_based`] does.
    pub fn normalize_scheme(&mut self, schemes: &Schemes) {
        self.normalize_syntax();
        let no_rules = SchemeRules::default();
        let rules = schemes.rules(&self.scheme).unwrap_or(&no_rules);

        // "In general, a URI that uses the generic syntax for authority with an empty path should be normalized to a
        // path of "/"." Not in RFC 3986: only where the scheme's rules say so (§6.1 "strictly avoiding false positives").
        if rules.empty_path_is_root && self.host.is_some() && self.path.is_empty() {
            self.path = Cow::Borrowed("/");
        }

        // "Likewise, an explicit ":port", for which the port is empty or the default for the scheme, is equivalent to
        // one where the port and its ":" delimiter are elided and thus should be removed by scheme-based
        // normalization."
        if self.port.is_some_and(|port| port.is_empty() || is_value(port, rules.default_port)) {
            self.port = None;
        }

        // "no authority, an empty host, and "localhost" all mean the end-user's machine" (§3.2.2).
        let is_default = |default: &&str| {
            self.host.as_ref().is_none_or(|host| host.is_empty() || host.eq_ignore_ascii_case(default))
        };
        if let Some(default) = rules.default_host.filter(is_default) {
            if self.userinfo.as_ref().is_some_and(|userinfo| !userinfo.is_empty()) || self.port.is_some() {
                // "If, however, either the userinfo or port subcomponents are non-empty, then the host should be given
                // explicitly even if it matches the default."
                self.host = Some(Cow::Borrowed(default));
            } else if self.host.is_some() || self.path.is_empty() || self.path.starts_with('/') {
                // "When a scheme defines a default for authority and a URI reference to that default is desired, the
                // reference should be normalized to an empty authority for the sake of uniformity, brevity, and
                // internationalization."
                self.userinfo = None;
                self.host = Some(Cow::Borrowed(""));
                // Behind an authority the path may begin with "//" (§3.3), so nothing keeps its dot-segments any more.
                self.path = Cow::Owned(remove_dot_segments(&self.path));
            }
        }

        // "URI schemes that define a subcomponent of path to contain an Internet hostname, such as the "mailto" URI
        // scheme, cause that subcomponent to be case-insensitive and thus subject to case normalization"
        if rules.mailboxes_in_path {
            let mailboxes: Vec<_> = self.path.split(',').map(lowercase_host_of_mailbox).collect();
            self.path = Cow::Owned(mailboxes.join(","));
        }

        // "Normalization should not remove delimiters when their associated component is empty unless licensed to do so
        // by the scheme specification." "The fragment component is not subject to any scheme-based normalization".
    }
}

/// Whether `port` "would be the same as that of the scheme's default" in "its value" (§3.2.3).
fn is_value(port: &str, default: Option<u16>) -> bool {
    default.is_some_and(|default| port.parse() == Ok(default))
}

fn lowercase_host_of_mailbox(mailbox: &str) -> Cow<'_, str> {
    match mailbox.rsplit_once('@') {
        Some((local, host)) => {
            let host = host.to_ascii_lowercase();
            Cow::Owned(format!("{local}@{}", uppercase_triplets(&host)))
        }
        None => Cow::Borrowed(mailbox),
    }
}

fn rewrite(part: &mut Cow<'_, str>, rewritten: for<'b> fn(&'b str) -> Cow<'b, str>) {
    if let Cow::Owned(text) = rewritten(part) {
        *part = Cow::Owned(text);
    }
}
