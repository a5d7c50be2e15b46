//! Inputs from a seed: URLs put together of parts that decide something in the standard, then edited.

use std::iter;

use fastrand::Rng;

/// Strings to parse and to set.
pub(crate) struct Generator {
    rng: Rng,
}

/// One input: a string, its base, and what a setter is called with on the URL.
#[derive(Clone, Debug)]
pub(crate) struct Generated {
    pub(crate) input: String,
    pub(crate) base: Option<String>,
    pub(crate) setter: &'static str,
    pub(crate) value: String,
}

const SCHEMES: &[&str] = &[
    "http:",
    "https:",
    "ws:",
    "wss:",
    "ftp:",
    "file:",
    "FILE:",
    "HtTp:",
    "a:",
    "non-special:",
    "data:",
    "blob:",
    "mailto:",
    "a+b-c.1:",
    "1a:",
    ":",
    "",
    "",
    "",
    "javascript:",
    "h\u{e9}:",
    "blob:https:",
    "about:",
];
const SLASHES: &[&str] = &[
    "//", "//", "//", "//", "//", "", "/", "///", "\\\\", "\\", "/\\", "////", "//\\", "/\t/", "?", "#",
];
const USERINFO: &[&str] = &[
    "",
    "",
    "",
    "",
    "",
    "u@",
    "u:p@",
    ":@",
    "@",
    "u:@",
    ":p@",
    "a@b@",
    "u:p:q@",
    "%40:%3a@",
    "é ^|@",
    "u\"<>`{}@",
    "u;=[\\]@",
    "u'p@",
];
const HOSTS: &[&str] = &[
    "example.org",
    "EXAMPLE.com",
    "a",
    "a.b",
    "localhost",
    "LocalHost",
    "loc%61lhost",
    "127.0.0.1",
    "0",
    "0x",
    "0X7f.1",
    "1.2.3",
    "256",
    "1.2.3.4.5",
    "1.2.3.256",
    "0300.0250.1",
    "4294967295",
    "4294967296",
    "1.2.3.4.",
    "1..2",
    "1.2.3.08",
    "09",
    "a.1",
    "a.0x",
    "0x.a",
    "0xffffffff",
    "0.0x100000000",
    "99999999999999999999999",
    "[::1]",
    "[::]",
    "[1:2:3:4:5:6:7:8]",
    "[1::8]",
    "[1:0:0:4:0:0:0:8]",
    "[::127.0.0.1]",
    "[::1.2.3]",
    "[::1.2.3.256]",
    "[::01.2.3.4]",
    "[1:2:3:4:5:6:7:1.2.3.4]",
    "[::1::2]",
    "[:1]",
    "[1:2:3:]",
    "[::1",
    "[g::]",
    "[00001::]",
    "[0001::a]",
    "[::1]x",
    "[::1%25eth0]",
    "[1:2:3:4:5:6:7::]",
    "[::2:3:4:5:6:7:8]",
    "[]",
    "xn--",
    "xn--a",
    "xn--zca",
    "XN--ZCA",
    "xn--a.ß",
    "faß.example",
    "☕.example",
    "日本語。com",
    "a%",
    "a%zz",
    "a%2e",
    "%41",
    "%30",
    "%00",
    "%20",
    "%e2%98%95",
    "%ff",
    "ex ample",
    "a^b",
    "a|b",
    "a<b",
    "a>b",
    "a_b",
    "a!b",
    "a~b",
    "-a-",
    "a--b",
    "a.-",
    ".",
    "..",
    "a..b",
    ".a",
    "a.",
    "\u{ad}",
    "\u{fffd}",
    "\u{200d}a",
    "ａ.com",
    "１２７.0.0.1",
    "0\u{ff0e}1",
    "c:",
    "c|",
    "C%7C",
    "a\u{7f}",
    "a\u{1}",
    "a\u{0}b",
    "a'b",
    "a\"b",
    "a`b",
    "a{b}",
    "a&b",
    "a*b",
    "",
    "",
    "מ.a",
    "a.מ1",
    "≠",
    "a\u{300}",
    "℀",
    "ẞ",
    "İ",
    "ſ",
    "\u{1f600}",
    "\u{10ffff}",
    "\u{fdd0}",
    "[::1]:",
    "xn--maana-pta",
    "ma\u{303}nana",
];
const PORTS: &[&str] = &[
    "",
    "",
    "",
    "",
    "",
    "",
    ":",
    ":80",
    ":443",
    ":21",
    ":0",
    ":00080",
    ":65535",
    ":65536",
    ":8080",
    ":99999999999",
    ":8a",
    ":-1",
    ":8 ",
    ":\t80",
    ":８",
    ":80:80",
];
const SEGMENTS: &[&str] = &[
    "a",
    "b",
    "",
    "",
    ".",
    "..",
    "%2e",
    "%2E%2e",
    ".%2e",
    "%2e.",
    "c:",
    "C|",
    "c|d",
    "a b",
    "a^b",
    "é",
    "%41",
    "%zz",
    "%",
    "a:b",
    "@",
    "\"<>`{}",
    "...",
    "'|[]",
    "\u{7f}",
    "\u{0}",
    "\u{80}",
    "\u{1f600}",
    "..a",
    "a..",
    "%2e%2e%2e",
    "c:..",
    "a\tb",
    "\u{fffe}",
    ";p",
    "=&+,",
    "C:",
    "%5c",
    "%2f",
    "~_-!$()*",
];
const SEPARATORS: &[&str] = &["/", "/", "/", "/", "\\", "//", "/\\"];
const QUERIES: &[&str] = &[
    "",
    "",
    "",
    "?",
    "?a=b",
    "?a b'\"<>`^{}|",
    "?é",
    "?%zz",
    "?a?b",
    "?\\/",
    "?\u{0}\u{7f}",
    "?a+b&c=%26",
    "??",
    "?\n",
    "? ",
];
const FRAGMENTS: &[&str] = &[
    "",
    "",
    "",
    "#",
    "#a",
    "#a b'\"<>`^{}|",
    "#é",
    "#%zz",
    "#a#b",
    "#\\/?",
    "#\u{0}\u{7f}",
    "##",
    "#\t",
    "# ",
];
const EDITS: &[&str] = &[
    "/", "\\", ":", "@", "?", "#", "[", "]", ".", "..", "%", "%2e", "|", " ", "\t", "\n", "\r", "\u{0}", "\u{1f}", "0",
    "x", "c:", "C|", "^", "-", "xn--", "é", "\u{fffd}", "<", "~", "+", "//", "a", "1", "%25", "\u{a0}",
];
const BASES: &[&str] = &[
    "http://example.org/a/b?q#f",
    "https://u:p@example.org:8080/a/",
    "file:///c:/a/b",
    "file:///a/b",
    "file://host/a/b",
    "file://host/D:/x/y?q",
    "file:///C:",
    "non-special://host:1/a/b?q#f",
    "non-special:/a/b",
    "non-special:opaque?q#f",
    "mailto:a ?q",
    "a:",
    "a:/",
    "a://",
    "a:/.//b",
    "ws://x",
    "file:",
    "blob:https://a/b",
    "http://1.2.3.4",
];
const SETTERS: &[&str] = &[
    "href", "protocol", "username", "password", "host", "host", "hostname", "port", "pathname", "pathname", "search",
    "hash",
];

impl Generator {
    pub(crate) fn new(seed: u64) -> Generator {
        Generator {
            rng: Rng::with_seed(seed),
        }
    }

    fn one_of(&mut self, parts: &'static [&'static str]) -> &'static str {
        parts[self.rng.usize(..parts.len())]
    }

    fn path(&mut self) -> String {
        let mut path = String::new();
        for _ in 0..self.rng.usize(..5) {
            path.push_str(self.one_of(SEPARATORS));
            path.push_str(self.one_of(SEGMENTS));
        }
        if self.rng.u8(..8) == 0 {
            path.trim_start_matches(['/', '\\']).to_owned()
        } else {
            path
        }
    }

    fn host(&mut self) -> String {
        match self.rng.u8(..12) {
            0 => self.ipv6(),
            1 => self.ipv4(),
            2 => format!("{}.{}", self.one_of(HOSTS), self.one_of(HOSTS)),
            _ => self.one_of(HOSTS).to_owned(),
        }
    }

    fn ipv4(&mut self) -> String {
        let mut number = || match self.rng.u8(..5) {
            0 => format!("0x{:x}", self.rng.u32(..) >> self.rng.u32(..32)),
            1 => format!("0{:o}", self.rng.u32(..) >> self.rng.u32(..32)),
            2 => self.rng.u8(..).to_string(),
            3 => self.rng.u64(..1 << 34).to_string(),
            _ => self.rng.u8(..3).to_string(),
        };
        let parts: Vec<String> = (0..4).map(|_| number()).collect();
        let count = self.rng.usize(1..=4);
        parts[..count].join(".")
    }

    fn ipv6(&mut self) -> String {
        let count = self.rng.usize(1..=9);
        let mut address: Vec<String> = iter::repeat_with(|| match self.rng.u8(..8) {
            0..=2 => "0".to_owned(),
            3 => String::new(),
            4 => format!("{:04x}", self.rng.u16(..256)),
            5 => format!("{:X}", self.rng.u16(..)),
            _ => format!("{:x}", self.rng.u16(..)),
        })
        .take(count)
        .collect();
        if self.rng.u8(..6) == 0 {
            address.push(self.ipv4());
        }
        format!("[{}]", address.join(":"))
    }

    fn url(&mut self) -> String {
        let scheme = self.one_of(SCHEMES);
        if self.rng.u8(..8) == 0 {
            let path = self.path();
            return [scheme, &path, self.one_of(QUERIES), self.one_of(FRAGMENTS)].concat();
        }
        let (slashes, userinfo, host, port) = (
            self.one_of(SLASHES),
            self.one_of(USERINFO),
            self.host(),
            self.one_of(PORTS),
        );
        let (path, query, fragment) = (self.path(), self.one_of(QUERIES), self.one_of(FRAGMENTS));
        [scheme, slashes, userinfo, &host, port, &path, query, fragment].concat()
    }

    /// A position in the text between two characters.
    fn position(&mut self, text: &str) -> usize {
        let count = text.chars().count();
        text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(self.rng.usize(..=count)).unwrap()
    }

    fn edit(&mut self, text: &mut String) {
        let at = self.position(text);
        match self.rng.u8(..4) {
            0 if at < text.len() => {
                text.remove(at);
            }
            1 => {
                let c = self.rng.char(..);
                text.insert(at, c);
            }
            _ => {
                let edit = self.one_of(EDITS);
                text.insert_str(at, edit);
            }
        }
    }

    fn edited(&mut self, mut text: String) -> String {
        if self.rng.u8(..3) == 0 {
            for _ in 0..self.rng.usize(1..4) {
                self.edit(&mut text);
            }
        }
        text
    }

    fn value(&mut self, setter: &str) -> String {
        let value = match setter {
            "href" => self.url(),
            "protocol" => self.one_of(SCHEMES).to_owned(),
            "username" | "password" => self.one_of(USERINFO).trim_end_matches('@').to_owned(),
            "host" | "hostname" => [&self.host(), self.one_of(PORTS)].concat(),
            "port" => self.one_of(PORTS).trim_start_matches(':').to_owned(),
            "pathname" => self.path(),
            "search" => self.one_of(QUERIES).to_owned(),
            _ => self.one_of(FRAGMENTS).to_owned(),
        };
        self.edited(value)
    }

    pub(crate) fn next(&mut self) -> Generated {
        let url = match self.rng.u8(..10) {
            0 => (0..self.rng.usize(..8)).map(|_| self.one_of(EDITS)).collect(),
            _ => self.url(),
        };
        let input = self.edited(url);
        let base = (self.rng.u8(..3) == 0).then(|| self.one_of(BASES).to_owned());
        let setter = self.one_of(SETTERS);
        let value = self.value(setter);
        Generated {
            input,
            base,
            setter,
            value,
        }
    }
}
