//! The texts about each rule.

use super::UrlRule;

/// The texts about a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UrlRuleRow {
    /// What the URL Standard does, in a few words.
    pub rule: &'static str,
    /// A short string on which the two differ by this rule alone.
    pub example: &'static str,
    /// The clause of RFC 3986, as the register of clauses has it.
    pub clause: &'static str,
    /// The anchor in the URL Standard, after `https://url.spec.whatwg.org/#`.
    pub anchor: &'static str,
    /// What becomes possible where one program follows the one and the next the other.
    pub allows: &'static str,
}

impl UrlRule {
    /// Every rule.
    pub const ALL: [UrlRule; 22] = [
        UrlRule::Trim,
        UrlRule::Tab,
        UrlRule::Backslash,
        UrlRule::Slashes,
        UrlRule::FileAuthority,
        UrlRule::DriveLetter,
        UrlRule::LastAt,
        UrlRule::EmptyUserinfo,
        UrlRule::EmptyHost,
        UrlRule::IpvFuture,
        UrlRule::Domain,
        UrlRule::Number,
        UrlRule::OpaqueHost,
        UrlRule::Localhost,
        UrlRule::PortRange,
        UrlRule::PortNumber,
        UrlRule::DotSegments,
        UrlRule::EncodedDot,
        UrlRule::EmptyPath,
        UrlRule::Invalid,
        UrlRule::Encoded,
        UrlRule::NormalForm,
    ];

    /// The texts about the rule.
    pub fn row(self) -> UrlRuleRow {
        let [rule, example, clause, anchor, allows] = match self {
            UrlRule::Trim | UrlRule::Tab | UrlRule::Backslash | UrlRule::Slashes => self.of_beginning(),
            UrlRule::FileAuthority | UrlRule::DriveLetter | UrlRule::Localhost => self.of_file(),
            UrlRule::IpvFuture | UrlRule::Domain | UrlRule::Number | UrlRule::OpaqueHost => self.of_host(),
            UrlRule::LastAt
            | UrlRule::EmptyUserinfo
            | UrlRule::EmptyHost
            | UrlRule::PortRange
            | UrlRule::PortNumber => self.of_authority(),
            _ => self.of_rest(),
        };
        UrlRuleRow {
            rule,
            example,
            clause,
            anchor,
            allows,
        }
    }

    fn of_beginning(self) -> [&'static str; 5] {
        match self {
            UrlRule::Trim => [
                "controls and spaces at the ends are dropped",
                " a:",
                "§2/limited-set",
                "concept-basic-url-parser",
                "a filter on the first characters is bypassed",
            ],
            UrlRule::Tab => [
                "tabs and line breaks are dropped",
                "a\t:",
                "§2/limited-set",
                "concept-basic-url-parser",
                "`java\\tscript:` is a script; a header is split in a log",
            ],
            UrlRule::Backslash => [
                "`\\` is `/` in a special scheme",
                "ws://a\\",
                "§2/limited-set",
                "authority-state",
                "`http://good\\@evil/`: two hosts, a request goes elsewhere",
            ],
            _ => [
                "a special scheme takes any number of slashes for `//`",
                "ws:a/",
                "§3/hier-part",
                "special-authority-ignore-slashes-state",
                "`http:evil` and `http:///evil` have a host that a filter misses",
            ],
        }
    }

    fn of_file(self) -> [&'static str; 5] {
        match self {
            UrlRule::FileAuthority => [
                "a `file` URL has no userinfo and no port",
                "file://:",
                "§3.2/authority",
                "file-host-state",
                "only one of two programs opens the file",
            ],
            UrlRule::DriveLetter => [
                "a drive letter is the root of a `file` URL",
                "file://a:/",
                "§3.3/path",
                "path-state",
                "`file://c:/x` is a local file to one, on the host `c` to the other",
            ],
            _ => [
                "`localhost` of a `file` URL is the empty host",
                "file://localhost/",
                "§3.2.2/host",
                "file-host-state",
                "no known attack",
            ],
        }
    }

    fn of_authority(self) -> [&'static str; 5] {
        match self {
            UrlRule::LastAt => [
                "the userinfo ends at the last `@`",
                "a://@@b",
                "§3.2.1/userinfo",
                "authority-state",
                "a lenient split at the first `@` sees another host",
            ],
            UrlRule::EmptyUserinfo => [
                "an empty userinfo or password is dropped",
                "a://@b",
                "§3.2.1/userinfo",
                "authority-state",
                "no known attack",
            ],
            UrlRule::EmptyHost => [
                "special schemes but `file`, userinfo and port need a host",
                "a://:",
                "§3.2.2/reg-name",
                "host-state",
                "only one of two programs accepts it",
            ],
            UrlRule::PortRange => [
                "a port is at most 65535",
                "a://b:65536",
                "§3.2.3/port",
                "port-state",
                "a port that wraps around is another one",
            ],
            _ => [
                "a port is a number; a default or empty one is dropped",
                "a://b:",
                "§3.2.3/port",
                "port-state",
                "two strings of one origin differ",
            ],
        }
    }

    fn of_host(self) -> [&'static str; 5] {
        match self {
            UrlRule::IpvFuture => [
                "an IPvFuture address is refused",
                "a://[v1.a]",
                "§3.2.2/IPvFuture",
                "concept-host-parser",
                "only one of two programs accepts it",
            ],
            UrlRule::Domain => [
                "a special host is decoded and mapped by IDNA",
                "ws://%61/",
                "§3.2.2/reg-name",
                "concept-host-parser",
                "a list of forbidden hosts is bypassed by `%65vil`, `ｅvil`",
            ],
            UrlRule::Number => [
                "a special host that ends in a number is IPv4, or refused",
                "ws://0/",
                "§3.2.2/IPv4address",
                "concept-ipv4-parser",
                "`0x7f.1` and `2130706433` are 127.0.0.1: a filter is bypassed",
            ],
            _ => [
                "only a special scheme has IPv4 addresses",
                "a://1.2.3.4",
                "§3.2.2/IPv4address",
                "concept-opaque-host-parser",
                "no known attack",
            ],
        }
    }

    fn of_rest(self) -> [&'static str; 5] {
        match self {
            UrlRule::DotSegments => [
                "dot-segments are removed by the parser",
                "a:/.",
                "§5.2.4/2C",
                "path-state",
                "a filter on the path as it is written is bypassed by `/a/../b`",
            ],
            UrlRule::EncodedDot => [
                "`%2e` is a dot of a dot-segment",
                "a:/%2e",
                "§2.3/unreserved",
                "double-dot-path-segment",
                "`/a/%2e%2e/b` is `/b` to one program only",
            ],
            UrlRule::EmptyPath => [
                "the empty path of a special scheme is `/`",
                "ws://a",
                "§6.2.3/empty-path",
                "path-start-state",
                "no known attack",
            ],
            UrlRule::Invalid => [
                "a character that RFC 3986 forbids is encoded or kept",
                "a:^",
                "§2/limited-set",
                "path-state",
                "one program refuses what the next one sends",
            ],
            UrlRule::Encoded => [
                "some characters that RFC 3986 allows are encoded",
                "a://=@b",
                "§2.2/reserved",
                "userinfo-percent-encode-set",
                "a signature over the string does not fit",
            ],
            _ => [
                "scheme and host are written in one form",
                "A:",
                "§6.2.2.1/scheme-and-host",
                "scheme-state",
                "no known attack",
            ],
        }
    }
}
