//! Inputs of parsing (§3, §4.1): the core suite of the grammar, whole references in which a rule decides, numerals as lenient
//! readers take them, and every reference that is one edit from a valid one.

use serde_json::Value;
use uriproof_grammar::complete::{Method, Suites};
use uriproof_grammar::{Alphabet, Dfa, Profile, TextMachine, profile};

use super::words::SCHEMES;
use crate::model::{Input, Rule, Vector};

/// Where a string that matches a rule, or should not, decides whether a reference is valid, or what its components are.
fn places(rule: Rule) -> &'static [(&'static str, &'static str)] {
    match rule {
        Rule::Scheme => &[("", ":"), ("", "://h/p"), ("", ":p?q#f")],
        Rule::Authority => &[("//", ""), ("x://", "/p?q#f")],
        Rule::Userinfo => &[("//", "@h"), ("x://", "@h:1/p")],
        Rule::Host => &[("//", ""), ("x://u@", ":1/p"), ("//", ":")],
        Rule::IpLiteral => &[("//", ""), ("x://u@", ":1/p")],
        Rule::Ipv6Address | Rule::IpvFuture => &[("//[", "]"), ("x://[", "]:1/p"), ("//u@[", "]?q")],
        Rule::H16 => &[("//[::", "]"), ("//[", "::]"), ("//[1:2:3:4:5:6:7:", "]")],
        Rule::Ls32 => &[("//[::", "]"), ("//[1:2:3:4:5:6:", "]")],
        Rule::Ipv4Address => &[("//", ""), ("x://u@", ":1/p"), ("//[::", "]")],
        Rule::DecOctet => &[
            ("//", ".1.1.1"),
            ("//1.1.1.", ""),
            ("//1.", ".1.1:1/p"),
            ("//[::1.2.3.", "]"),
        ],
        Rule::RegName => &[("//", ""), ("x://u@", ":1/p")],
        Rule::Port => &[("//h:", ""), ("x://u@h:", "/p"), ("//[::1]:", "?q")],
        Rule::PathAbempty => &[("//h", ""), ("x://u@h:1", "?q#f")],
        Rule::PathAbsolute | Rule::PathRootless => &[("x:", ""), ("x:", "?q#f")],
        Rule::PathNoscheme => &[("", ""), ("", "?q#f")],
        Rule::PathEmpty => &[("x:", ""), ("", "?q")],
        Rule::Path => &[("x:", "?q#f")],
        Rule::Segment | Rule::SegmentNz => &[("x:/a/", ""), ("//h/", "?q"), ("x:/a/", "/b")],
        Rule::SegmentNzNc => &[("", ""), ("", "/b")],
        Rule::Pchar => &[("x:/a", ""), ("//h/", "?q"), ("x:", "b")],
        Rule::Query => &[("?", ""), ("x://h?", "#f")],
        Rule::Fragment => &[("#", ""), ("x://h/p?q#", "")],
        Rule::PctEncoded => &[("x:", ""), ("//", ""), ("//", "@h"), ("?", ""), ("#a", "b")],
        Rule::Unreserved | Rule::SubDelims => &[("//", ""), ("//", "@h"), ("//h/", ""), ("?", ""), ("#", "")],
        Rule::Reserved | Rule::GenDelims => &[("x:a", "b"), ("?", ""), ("#", "")],
        Rule::HierPart => &[("x:", ""), ("x:", "?q#f")],
        Rule::RelativePart => &[("", ""), ("", "?q#f")],
        // Whole strings already.
        Rule::Uri | Rule::UriReference | Rule::AbsoluteUri | Rule::RelativeRef => &[],
    }
}

/// The strings of vectors that ask a rule by itself, each in whole references: few libraries have an entry point for the rule.
pub fn lifted<'v>(vectors: impl IntoIterator<Item = &'v Vector>) -> Vec<Input> {
    let mut inputs = Vec::new();
    for vector in vectors {
        if let Input::Parse { rule, input } = &vector.input {
            inputs.extend(places(*rule).iter().map(|(before, behind)| parse(format!("{before}{input}{behind}"))));
        }
    }
    inputs
}

/// The core suite of a profile's grammar. Of URIs of `http` also each character of US-ASCII in host, path and query, which vectors
/// have in relative references; of request-targets hosts that are longer than a scheme is.
pub fn of_profile(profile: Profile) -> Vec<Input> {
    // The grammar is ours, and the tests of `grammar/` compile every profile alone.
    let grammar = profile::grammar(&[profile]).unwrap_or_else(|error| panic!("{profile}.abnf: {error}"));
    let machine = Dfa::compile(&grammar, Rule::UriReference.name());
    let text = TextMachine::of(machine.unwrap_or_else(|error| panic!("{profile}.abnf: {error}")).machine());
    let suites = Suites::new(text.machine());
    let strings = suites.suite(Method::Hsi(0), Alphabet::Representatives).map(|symbols| text.decode(&symbols));
    let more: Vec<String> = match profile {
        Profile::Http => ('\0'..='\x7f')
            .flat_map(|character| ["", "h/a", "h?a"].map(|before| format!("http://{before}{character}b")))
            .collect(),
        Profile::RequestTarget => [64, 65, 128, 255].map(|length| format!("{}:80", "a".repeat(length))).into(),
        _ => Vec::new(),
    };
    strings.chain(more).map(parse).collect()
}

fn parse(input: String) -> Input {
    Input::Parse {
        rule: Rule::UriReference,
        input,
    }
}

pub(super) fn inputs() -> Vec<Input> {
    let mut texts = of_grammar();
    numerals(&mut texts);
    edits(&mut texts);
    addresses(&mut texts);
    zeros(&mut texts);
    schemes(&mut texts);
    texts.into_iter().map(parse).collect()
}

/// The core suite of the grammar: complete for parsers with as many states as the minimal automaton of URI-reference, and for
/// components on each of its transitions.
///
/// # Panics
///
/// If the embedded text is none of its format, which a test excludes.
fn of_grammar() -> Vec<String> {
    let text = uriproof_vectors::core_suite();
    // The first line describes the suite. A string is rejected, an object accepted.
    let inputs = text.lines().skip(1).map(|line| match serde_json::from_str(line).expect("a line is JSON") {
        Value::String(input) => input,
        Value::Object(mut accepted) => match accepted.remove("input") {
            Some(Value::String(input)) => input,
            _ => panic!("no input in {line}"),
        },
        _ => panic!("no string in {line}"),
    });
    inputs.collect()
}

/// What lenient readers take for a number.
const LENIENT: [fn(&str) -> String; 25] = [
    |number| format!("+{number}"),
    |number| format!("-{number}"),
    |number| format!("-0{number}"),
    |number| format!(" {number}"),
    |number| format!("{number} "),
    |number| format!("\t{number}"),
    |number| format!("\n{number}"),
    |number| format!("\u{a0}{number}"),
    |number| format!("{number}\n"),
    |number| format!("{number}\0"),
    |number| format!("0{number}"),
    |number| format!("00000{number}"),
    |number| format!("0x{number}"),
    |number| format!("0X{number}"),
    |number| format!("0o{number}"),
    |number| format!("{number}_0"),
    |number| format!("{number}.0"),
    |number| format!("{number}e0"),
    |number| format!("{number}e+0"),
    |number| format!("{number}h"),
    |number| format!("{number},0"),
    |number| format!("{number}%30"),
    |number| format!("{number}\u{661}"),
    |number| format!("\u{ff11}{number}"),
    |number| format!("{number}\u{b2}"),
];

/// What `strtol`, `int()`, `from_str_radix` and their kind take for a number, or for one with something behind it.
fn numerals(texts: &mut Vec<String>) {
    let places = [
        ("//1.2.3.", ""),
        ("//", ".2.3.4"),
        ("//1.", ".3.4:1/p"),
        ("//h:", ""),
        ("//h:", "/p"),
        ("x://u@h:", "?q"),
        ("//[::1]:", ""),
        ("//[::", "]"),
        ("//[", "::]"),
        ("//[1:2:3:4:5:6:7:", "]"),
        ("//[::", ":1]:1/p"),
        ("//[::1.2.3.", "]"),
        ("//[::", ".2.3.4]"),
        ("//[v", ".a]"),
        ("//[V", ".a:b]:1"),
        ("x:%", ""),
        ("x:%0", ""),
        ("//%", "h"),
        ("?%", ""),
        ("#%0", "a"),
    ];
    for (before, behind) in places {
        for number in [
            "1",
            "12",
            "0",
            "255",
            "256",
            "65535",
            "65536",
            "99999999999999999999",
            "f",
            "",
            "٣",
            "１",
        ] {
            texts.push(format!("{before}{number}{behind}"));
            texts.extend(LENIENT.iter().map(|reading| format!("{before}{}{behind}", reading(number))));
        }
    }
}

/// Characters that are cut off, folded or taken for a delimiter, beside those of US-ASCII.
const BEYOND: [&str; 14] = [
    "\u{85}",
    "\u{a0}",
    "\u{e9}",
    "\u{131}",
    "\u{212a}",
    "\u{2028}",
    "\u{200b}",
    "\u{3000}",
    "\u{3002}",
    "\u{feff}",
    "\u{ff05}",
    "\u{ff0f}",
    "\u{ff20}",
    "\u{1f600}",
];

/// Each reference with one character put in, replaced or taken out, and the rest cut off.
fn edits(texts: &mut Vec<String>) {
    // Of letters and digits the first and the last of each rule: the grammar treats the others alike.
    let is_tried = |octet: &u8| !octet.is_ascii_alphanumeric() || b"019AFGVZafgvz".contains(octet);
    let ascii = (0..128_u8).filter(is_tried).map(|octet| char::from(octet).to_string());
    let characters: Vec<String> = ascii.chain(BEYOND.map(str::to_owned)).collect();
    for valid in ["x://u:p@h:1/p/q?r#f", "//[::1]:80/a", "a%41/b:c", "x:a:b", "//1.2.3.4"] {
        for at in 0..=valid.len() {
            let (before, behind) = valid.split_at(at);
            let rest = behind.get(1..).unwrap_or_default();
            texts.push(before.to_owned());
            texts.push(behind.to_owned());
            texts.push(format!("{before}{rest}"));
            for character in &characters {
                texts.push(format!("{before}{character}{behind}"));
                texts.push(format!("{before}{character}{rest}"));
            }
        }
    }
    // Delimiters that stand twice, or where another one is looked for.
    let delimiters = ["", ":", "/", "?", "#", "[", "]", "@", "%", "a", "1", "[::1]", "//"];
    for one in delimiters {
        for two in delimiters {
            for three in delimiters {
                texts.push(format!("{one}{two}{three}"));
                texts.push(format!("//{one}{two}{three}h"));
                texts.push(format!("x://h{one}{two}{three}"));
            }
        }
    }
}

/// Addresses that stand for something, and each character in an address of a later version.
fn addresses(texts: &mut Vec<String>) {
    let special = [
        "[::]",
        "[::1]",
        "[::ffff:1.2.3.4]",
        "[::FFFF:1.2.3.4]",
        "[::ffff:102:304]",
        "[::ffff:0:1.2.3.4]",
        "[::1.2.3.4]",
        "[64:ff9b::1.2.3.4]",
        "[2002:102:304::]",
        "[2001:db8::1]",
        "[fe80::1]",
        "[fe80::1%25eth0]",
        "[fe80::1%eth0]",
        "[ff02::1]",
        "[ff02::1%1]",
        "0.0.0.0",
        "10.0.0.1",
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.1",
        "169.254.169.254",
        "192.168.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "localhost",
        "LOCALHOST",
        "localhost.",
    ];
    for host in special {
        texts.extend(["//H", "x://u@H:1/p", "http://H/"].map(|uri| uri.replace('H', host)));
    }
    for octet in 0..128_u8 {
        let character = char::from(octet);
        texts.push(format!("//[v1.a{character}b]"));
        texts.push(format!("//[v{character}.a]"));
    }
}

/// Components whose text is "0", or another that a condition can take for nothing.
fn zeros(texts: &mut Vec<String>) {
    let values = ["0", "00", "false", "null", "undefined", "NaN", "-", "."];
    for value in values {
        for uri in [
            "//V",
            "//V@h",
            "//h/V",
            "//h?V",
            "//h#V",
            "x:V",
            "V",
            "?V",
            "#V",
            "//V@V/V?V#V",
        ] {
            texts.push(uri.replace('V', value));
        }
    }
    texts.extend(["//h:0", "//0:0", "x://0@0:0/0?0#0"].map(str::to_owned));
}

/// What libraries do otherwise under some names of schemes.
fn schemes(texts: &mut Vec<String>) {
    let rests = [
        "",
        "a",
        "/a",
        "//",
        "///",
        "//h",
        "///a",
        "////h/a",
        "//h:80/",
        "//h:",
        "//localhost/a",
        "a/b",
        ",a#b",
        "a?b",
        "#b",
        "?b",
        "///C:/a",
        "/C:/a",
        "//C:/a",
        "C:/a",
        "//u:p@h/",
        "//u@h",
        "a@B",
        "a:b:c",
        "+1",
        "//h\\a",
        "\\\\h\\a",
        "/\\h",
        "//h/\\..",
        "//[::1]/",
        "//1.2.3.4/",
        "//256.1/",
        "//h_a/",
        "//%68/",
        "//a b/",
        "alert(1)",
        "text/html,<b>",
        "//h/<b>",
        "a|b",
        "///C|/a",
        "//h/a//b",
        "//@h",
        "//:@h",
        "//h?#",
    ];
    for name in SCHEMES {
        texts.extend(
            rests
                .iter()
                .flat_map(|rest| [name.to_owned(), name.to_ascii_uppercase()].map(|scheme| format!("{scheme}:{rest}"))),
        );
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use uriproof_grammar::Fnv;

    use super::of_grammar;

    #[test]
    fn the_core_suite_of_the_grammar_is_all_there() {
        let text = uriproof_vectors::core_suite();
        let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        let strings = of_grammar();
        assert_eq!(header["strings"], strings.len());
        let hash = Fnv::of(strings.iter().flat_map(|text| text.bytes().chain([0xff])));
        assert_eq!(header["hash"], format!("{hash:016x}"));
    }
}
