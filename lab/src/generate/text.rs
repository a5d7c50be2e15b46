//! Texts of components.

use super::chance::Chance;
use super::folding::encoded_folding;
use super::weights::{WORDINGS, Wording};

/// What the texts of one component are made of.
pub(super) struct ComponentTexts {
    /// Short texts that are known for trouble, or that say something to somebody.
    pub(super) listed: &'static [&'static str],
    /// What it allows besides letters, digits and triplets.
    pub(super) marks: &'static [u8],
    /// Whether it allows triplets.
    pub(super) triplets: bool,
}

pub(super) const SCHEMES: &[&str] = &[
    "http",
    "http",
    "a",
    "HTTP",
    "HTTPS",
    "https",
    "file",
    "mailto",
    "urn",
    "x",
    "a+b-c.1",
    "Z",
    "ftp",
    "ws",
    "wss",
    "data",
    "g",
    "a1",
    "A-",
    "hTTp",
    "javascript",
    "C",
    "c",
    "tel",
    "blob",
    "about",
    "jar",
    "jdbc",
    "DATA",
    "JavaScript",
];

/// What the port may be, besides empty.
pub(super) const PORTS: &[&str] = &[
    "80",
    "80",
    "443",
    "21",
    "0",
    "00",
    "1",
    "080",
    "0080",
    "00080",
    "8080",
    "65535",
    "65536",
    "99999",
    "4294967296",
    "18446744073709551616",
    "00000000000000000000000000000080",
    "340282366920938463463374607431768211456",
];

pub(super) const USERINFO: ComponentTexts = ComponentTexts {
    listed: &[
        ":",
        "a",
        "a:b",
        "user:",
        ":pw",
        "a:b:c",
        "%40",
        "a%40b",
        "user%3Apw",
        "1",
        "example.com",
        "example.com:80",
        "%5B::1%5D",
        "a;b",
        "%2F",
        "%00",
        "%2541",
        "a%253Ab",
    ],
    marks: b"-._~!$&'()*+,;=:",
    triplets: true,
};

pub(super) const REG_NAME: ComponentTexts = ComponentTexts {
    listed: &[
        "a",
        "example.com",
        "EXAMPLE.com",
        "h",
        "localhost",
        "LocalHost",
        "localhost.",
        "a.b",
        ".",
        "..",
        "a.",
        ".a",
        "-",
        "_",
        "x-y",
        "~",
        "%41",
        "%c3%a9",
        "%C3%A9.example",
        "%2F",
        "%5B%3A%3A1%5D",
        "a%00b",
        "%FF",
        "!$&'()*+,;=",
        "1a",
        "v1.a",
        "xn--bcher-kva.example",
        "%2e",
        "a%2Eb",
        "A%3a80",
        "%40",
        "a%3Ab",
        "%2541",
        "a%252Eb",
    ],
    marks: b"-._~!$&'()*+,;=",
    triplets: true,
};

/// Names that are close to an IPv4address, or that some take for one.
pub(super) const NEARLY_IPV4: &[&str] = &[
    "1.2.3",
    "256.1.1.1",
    "1.1.1.256",
    "01.2.3.4",
    "1.2.3.04",
    "0x7f.1",
    "0x7f",
    "017.1",
    "017",
    "0x7F000001",
    "1.2.3.4.",
    "4294967295",
    "4294967296",
    "1e2",
    "1.2.3.4.5",
    "1.2.3.%34",
    "127.1",
    "0177.0.0.1",
    "1..2.3",
    ".1.2.3.4",
    "1.2.3.-4",
    "999.999.999.999",
    "1.2.3.4a",
    "00.0.0.0",
    "1.2.3.260",
    "1.2.3.1000",
    "001.2.3.4",
    "1.00.3.4",
    "1.2.300.4",
    "0",
    "1.2.3.",
];

/// What may follow the "." of an IPvFuture.
pub(super) const FUTURE: ComponentTexts = ComponentTexts {
    listed: &[
        "a",
        "::1",
        ":",
        "1.2.3.4",
        "fe80::a+en1",
        "!$&'()*+,;=",
        "~",
        "v1.a",
        "0",
    ],
    marks: b"-._~!$&'()*+,;=:",
    triplets: false,
};

pub(super) const SEGMENT: ComponentTexts = ComponentTexts {
    listed: &[
        ".",
        "..",
        ".",
        "..",
        "",
        "",
        "a",
        "b",
        "c",
        "a:b",
        "b:c",
        ":",
        "a:",
        ":a",
        "1:",
        "http:",
        "...",
        ".a",
        "a.",
        "..a",
        "a..",
        "%2e",
        "%2E",
        "%2E%2e",
        ".%2e",
        "%2e.",
        "%2E.",
        ";",
        "g;p",
        ";x=1",
        "..;",
        "..;a",
        ".;a",
        "%2e%2e;",
        "..%2f",
        "..%5c",
        "%2e%2e%5C",
        "@",
        "a@b",
        "%2F",
        "%5C",
        "%2f..",
        "%7E",
        "~",
        "%41",
        "%00",
        "%C3%A9",
        "%25",
        "%2541",
        "%252F",
        "%252e%252e",
        "%7e%7e",
        "%7e%7E",
        "%7Ea%7e",
        "%61%62",
        "%5a",
        "c:",
        "C%7C",
        "Joe@Example.COM",
        "index.html",
        "index.php",
        "default.aspx",
        "a@B,c@D",
        "=",
        "*",
        "'",
    ],
    marks: b"-._~!$&'()*+,;=:@",
    triplets: true,
};

pub(super) const QUERY: ComponentTexts = ComponentTexts {
    listed: &[
        "/",
        "?",
        "a",
        "q",
        "a=b",
        "a=b&c=d",
        "../a",
        "/./",
        "/..",
        "a?b",
        "??",
        "'",
        "a'b",
        ":",
        "@",
        "//",
        "x:y@z/",
        "%23",
        "%3f",
        "%2F",
        "%00",
        "%7e",
        "%C3%A9",
        "%c3%a9",
        "%FF",
        "+",
        "%20",
        "a+b",
        "a%26b",
        "a=%26&b=%3D",
        "a%2Bb",
        "a%3bb",
        "%2541",
        "%2526",
        "%7e%7E",
        "http://a/b",
        "%41",
        ".",
        "..",
    ],
    marks: b"-._~!$&'()*+,;=:@/?",
    triplets: true,
};

/// Triplets: of unreserved characters, of delimiters, of what is no text, in either case; and what they stand for encoded
/// once more.
pub(super) const TRIPLETS: &[&str] = &[
    "%00",
    "%2F",
    "%2f",
    "%41",
    "%61",
    "%7E",
    "%7e",
    "%2D",
    "%5f",
    "%C3%A9",
    "%c3%a9",
    "%FF",
    "%ff",
    "%20",
    "%25",
    "%2e",
    "%2E",
    "%3A",
    "%3a",
    "%40",
    "%5B",
    "%5d",
    "%23",
    "%3F",
    "%26",
    "%3D",
    "%2B",
    "%2b",
    "%3b",
    "%24",
    "%21",
    "%27",
    "%28",
    "%29",
    "%2A",
    "%2C",
    "%2541",
    "%252F",
    "%257e",
    "%0A",
    "%0d",
    "%80",
    "%C0%AF",
    "%ED%A0%80",
    "%5C",
    "%30",
    "%7F",
    "%F4%8F%BF%BF",
    "%E2%80%AE",
];

const LETTERS_AND_DIGITS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

const HEXADECIMAL: &[u8] = b"0123456789ABCDEFabcdef";

/// The most characters that a long text has.
const LONG: usize = 80;

impl ComponentTexts {
    /// Appends a text that the component allows; it may be empty where one of those listed is.
    pub(super) fn write(&self, chance: &mut Chance, text: &mut String) {
        match chance.by_weight(WORDINGS) {
            Wording::Listed => text.push_str(chance.of(self.listed)),
            Wording::Drawn => self.draw(chance, text, 3),
            Wording::Encoded if !self.triplets => self.draw(chance, text, 3),
            Wording::Encoded => {
                for _ in 0..=chance.below(3) {
                    if chance.one_in(3) {
                        self.draw(chance, text, 2);
                    }
                    triplet(chance, text);
                }
            }
            Wording::Long => self.draw(chance, text, LONG),
            Wording::Folding if !self.triplets => self.draw(chance, text, 3),
            Wording::Folding => {
                if chance.one_in(2) {
                    self.draw(chance, text, 2);
                }
                encoded_folding(chance, text);
                if chance.one_in(3) {
                    self.draw(chance, text, 2);
                }
            }
        }
    }

    /// Appends 1 to `most` characters, half of them marks.
    fn draw(&self, chance: &mut Chance, text: &mut String, most: usize) {
        for _ in 0..=chance.below(most) {
            let bytes = if chance.one_in(2) {
                self.marks
            } else {
                LETTERS_AND_DIGITS
            };
            text.push(char::from(chance.of(bytes)));
        }
    }
}

/// Appends a triplet or some that belong together.
pub(super) fn triplet(chance: &mut Chance, text: &mut String) {
    if chance.one_in(4) {
        text.push('%');
        hexadecimal(chance, text);
        hexadecimal(chance, text);
    } else {
        text.push_str(chance.of(TRIPLETS));
    }
}

/// Appends a hexadecimal digit.
pub(super) fn hexadecimal(chance: &mut Chance, text: &mut String) {
    text.push(char::from(chance.of(HEXADECIMAL)));
}
