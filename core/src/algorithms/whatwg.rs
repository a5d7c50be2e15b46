//! Inputs of the WHATWG URL Standard: its percent-encode sets, and its parsers of IPv4 and IPv6 addresses. They are finite, so that each
//! of their cases is an input.
//!
//! The outcomes are those of the claim `whatwg`: [`expect`](crate::expect::whatwg::expect).

mod ipv4;
mod ipv6;

use crate::model::{Component, Input, Operation, Rule};

/// The operations that have inputs of the standard.
pub const OPERATIONS: [Operation; 2] = [Operation::Parse, Operation::Modify];

/// The inputs that the suite of an operation has for what follows the standard, beside [`inputs`](super::inputs).
pub fn inputs(operation: Operation) -> Vec<Input> {
    match operation {
        Operation::Parse => texts().into_iter().map(parse).collect(),
        Operation::Modify => setters(),
        _ => Vec::new(),
    }
}

/// On which inputs an implementation of the standard is right that passes the suite of an operation.
pub fn claim(operation: Operation) -> &'static str {
    match operation {
        Operation::Parse => {
            "each code point of US-ASCII, 24 beyond it and each spelling of a triplet in each of 24 places of a URL, alone, after \
             and before others; IPv4: each number up to 260 in three notations at each of four parts, each border of a size in six \
             notations and each of 33 other forms at each of one to six parts, each pair of 11 forms at each two of these, each host \
             of up to five of six characters; IPv6: each string in brackets, if its parser has no more states than the minimal \
             automaton that treats the characters of a class alike; each number of pieces with each place of `::`, and of 22 forms \
             of a piece in it, each character of US-ASCII at each place of a piece, 20 forms of an IPv4 address after each number \
             of pieces, and each numeral of up to three digits at each part of one, each pattern of zero pieces"
        }
        Operation::Modify => {
            "each code point of US-ASCII and 24 beyond it, alone and between others, as a value of each setter of five URLs: two of \
             files, one with an opaque path, and one that is special and one that is not; forms of IPv4 numbers, and 16 hosts with \
             brackets, as hosts"
        }
        _ => "the inputs that the suite of RFC 3986 has for this operation",
    }
}

/// What does not follow from a pass.
pub const DOES_NOT_MEAN: &str = "that a code point beyond US-ASCII is right in a domain, where IDNA decides, a longer number, a \
                                 longer path, or what depends on two places; `sweep` and `hunt` look for these";

/// Where a text is a component or a part of one, or near one: each percent-encode set with each kind of URL that it is for.
const PLACES: [(&str, &str); 24] = [
    // The userinfo percent-encode set.
    ("http://", "@h/"),
    ("http://u:", "@h/"),
    ("a://", "@h/"),
    ("a://u:", "@h/"),
    // The forbidden domain code points; the forbidden host code points and the C0 control percent-encode set.
    ("http://", "/"),
    ("http://h.", ":1/"),
    ("file://", "/"),
    ("a://", ""),
    ("a://u@", ":1/"),
    // Ports and schemes have no set: few code points may stand there.
    ("http://h:", ""),
    ("a://h:1", "/"),
    ("", ":b"),
    ("a", "://h"),
    // The path percent-encode set, and that of C0 controls for an opaque path.
    ("http://h/", ""),
    ("file:///", "/b"),
    ("a://h/", "?q"),
    ("a:/", ""),
    ("a:b", ""),
    ("a:b", "?q#f"),
    // The special-query and query percent-encode sets.
    ("http://h/?", ""),
    ("a://h?", "#f"),
    ("a:b?", ""),
    // The fragment percent-encode set.
    ("http://h/#", ""),
    ("a:b#", ""),
];

/// Code points beyond US-ASCII: the borders of their lengths in UTF-8 and of the URL code points, and those that IDNA maps, drops,
/// keeps or refuses.
const BEYOND: [char; 24] = [
    '\u{80}',
    '\u{85}',
    '\u{9f}',
    '\u{a0}',
    '\u{ad}',
    '\u{df}',
    '\u{e9}',
    '\u{7ff}',
    '\u{800}',
    '\u{200b}',
    '\u{200d}',
    '\u{2028}',
    '\u{3002}',
    '\u{d7ff}',
    '\u{e000}',
    '\u{fdd0}',
    '\u{feff}',
    '\u{ff0f}',
    '\u{ff11}',
    '\u{fffd}',
    '\u{ffff}',
    '\u{10000}',
    '\u{1f600}',
    '\u{10ffff}',
];

fn code_points() -> impl Iterator<Item = char> {
    ('\0'..='\x7f').chain(BEYOND)
}

fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    for (before, after) in PLACES {
        let mut put = |text: &str| texts.push(format!("{before}{text}{after}"));
        for one in code_points() {
            for text in [
                format!("{one}"),
                format!("{one}b"),
                format!("b{one}"),
                format!("b{one}b"),
                format!("%{one}"),
                format!("%4{one}"),
            ] {
                put(&text);
            }
        }
        // Each byte, in both cases of its digits.
        for byte in 0..=u8::MAX {
            put(&format!("%{byte:02X}"));
            put(&format!("b%{byte:02x}b"));
        }
    }
    for host in ipv4::hosts() {
        texts.push(format!("http://{host}/"));
    }
    for host in ipv4::forms() {
        texts.extend(["a://H", "file://H/", "wss://u@H:1/"].map(|url| url.replace('H', &host)));
    }
    for address in ipv6::addresses() {
        texts.push(format!("http://[{address}]/"));
    }
    for host in ipv6::near_brackets() {
        texts.extend(["http://H/", "a://u@H:1", "file://H/"].map(|url| url.replace('H', host)));
    }
    texts
}

fn parse(input: String) -> Input {
    Input::Parse { rule: Rule::Uri, input }
}

/// Each setter that is an operation here, on each kind of URL.
fn setters() -> Vec<Input> {
    const URLS: [&str; 5] = [
        "http://u:p@h:1/p?q#f",
        "file://h/c:/p?q#f",
        "file:///p",
        "a://u:p@h:1/p?q#f",
        "a:b?q#f",
    ];
    let mut inputs = Vec::new();
    let mut put = |uri: &str, component: Component, value: String| {
        inputs.push(Input::Modify {
            uri: uri.to_owned(),
            component,
            value: Some(value),
        });
    };
    for uri in URLS {
        for component in Component::TEXTS {
            for one in code_points() {
                put(uri, component, one.to_string());
                put(uri, component, format!("b{one}b"));
            }
        }
        let hosts = ipv4::forms().into_iter().chain(ipv6::near_brackets().map(str::to_owned));
        hosts.for_each(|host| put(uri, Component::Host, host));
    }
    inputs
}
