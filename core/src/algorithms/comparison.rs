//! Pairs of URIs (§6.1, §6.2): what is to be equivalent on a rung, and what differs in one thing that counts.

use super::Size;
use super::words::{PLACES, SCHEMES, SEGMENTS, SEQUENCES, SYMBOLS, paths, triplets};
use crate::model::{Input, Rung};

pub(super) fn equivalent(size: Size) -> Vec<Input> {
    let mut inputs = Vec::new();
    let mut add = |pairs: Vec<(String, String)>, rungs: &[Rung]| {
        for (left, right) in pairs {
            inputs.extend(rungs.iter().map(|&rung| Input::Equivalent {
                left: left.clone(),
                right: right.clone(),
                rung,
            }));
        }
    };
    // Simple comparison looks at no text: what is of components and schemes shows its faults.
    let of_text = match size {
        Size::Core => &RUNGS[1..],
        Size::Standard => &RUNGS,
    };
    add(whole(), &RUNGS);
    add(characters(size), of_text);
    add(segments(), of_text);
    add(symbols(), if size == Size::Core { &[Rung::Syntax] } else { &RUNGS });
    inputs
}

const RUNGS: [Rung; 3] = [Rung::Simple, Rung::Syntax, Rung::Scheme];

pub(super) fn contract(size: Size) -> Vec<Input> {
    let pairs = [whole(), characters(size), segments(), symbols()];
    pairs.into_iter().flatten().map(|(left, right)| Input::Contract { left, right }).collect()
}

/// Pairs of which components and schemes decide.
fn whole() -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    components(&mut pairs);
    schemes(&mut pairs);
    pairs
}

/// Each pair of classes of symbols, in each component.
fn symbols() -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for place in &PLACES {
        for one in SYMBOLS {
            pairs.extend(SYMBOLS.iter().map(|other| (place.uri("x", one), place.uri("x", other))));
        }
    }
    pairs
}

/// A text beside each of its spellings, and beside what is not the same.
fn characters(size: Size) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for place in &PLACES {
        let mut add = |one: &str, other: &str| pairs.push((place.uri("x", one), place.uri("x", other)));
        for triplet in triplets() {
            add(&triplet, &triplet.to_ascii_uppercase());
            let octet = u8::from_str_radix(&triplet[1..], 16).unwrap_or_default();
            let literal = char::from(octet);
            if place.literals().any(|other| other == literal) {
                add(&triplet, &literal.to_string());
                add(&format!("a{triplet}"), &format!("a{literal}"));
            }
        }
        // Decoded, a delimiter would end the component.
        for delimiter in [":", "/", "?", "@"] {
            add(&format!("a%{:02X}", delimiter.as_bytes()[0]), &format!("a{delimiter}"));
        }
        let swapped = [
            ("ab", "ba"),
            ("Aa", "BB"),
            ("a", "A"),
            ("a", "aa"),
            ("a", ""),
            ("%2Fa", "%2FA"),
            ("%61a", "aA"),
            ("a.", "a"),
        ];
        swapped.iter().for_each(|(one, other)| add(one, other));
        for one in SEQUENCES {
            add(one, one);
            add(one, &one.to_ascii_lowercase());
        }
        // What folds or composes to the same text.
        let folding = if size == Size::Core { 12 } else { SEQUENCES.len() };
        if size == Size::Standard || matches!(place.name, "host" | "rootless path" | "query") {
            for one in &SEQUENCES[..folding] {
                SEQUENCES[..folding].iter().for_each(|other| add(one, other));
            }
        }
    }
    pairs
}

/// Each component undefined, empty, and of several values.
fn components(pairs: &mut Vec<(String, String)>) {
    let parts: [&[&str]; 5] = [
        &["x:", "X:", "y:", "xx:"],
        &[
            "", "//", "//h", "//H", "//g", "//u@h", "//U@h", "//@h", "//h:", "//h:1", "//h:01", "//h:2", "//:u@h",
            "//[::A]", "//[::a]",
        ],
        &["", "/", "/a", "/A", "/b", "/a/", "//a", "/a/b", "/a%2Fb"],
        &["", "?", "?q", "?Q", "?r", "?q&r", "?r&q"],
        &["", "#", "#f", "#F", "#g"],
    ];
    let join = |at: [usize; 5]| -> String { (0..5).map(|part| parts[part][at[part]]).collect() };
    for rest in [[0, 2, 2, 2, 2], [0, 0, 2, 0, 0], [0, 2, 1, 0, 2], [0, 2, 2, 2, 0]] {
        for part in 0..5 {
            for one in 0..parts[part].len() {
                for other in 0..parts[part].len() {
                    let (mut left, mut right) = (rest, rest);
                    left[part] = one;
                    right[part] = other;
                    pairs.push((join(left), join(right)));
                }
            }
        }
    }
    // The same octets, cut elsewhere.
    for (left, right) in [
        ("x:a", "x:/a"),
        ("x:a/b", "x:a//b"),
        ("x://a/b", "x:/a/b"),
        ("x://a/b", "x:a/b"),
        ("x:///a", "x:/a"),
        ("x://h?q", "x://h/?q"),
        ("x://h#f", "x://h/#f"),
        ("x://h?q#f", "x://h#f?q"),
        ("x://h/a?b", "x://h/a%3Fb"),
        ("x://h/a#b", "x://h/a%23b"),
        ("x://u#@h", "x://u%23@h"),
        ("x://a#b", "x://a%23b"),
        ("x:?a#b", "x:?a%23b"),
        ("x://h/%2f", "x://h/%2F"),
        ("x://u@h", "x://u%40h"),
        ("x://h:1", "x://h%3A1"),
        ("x://1.2.3.4", "x://%31.2.3.4"),
        ("x://1.2.3.4", "x://01.2.3.4"),
        ("x://[::1]", "x://[0:0:0:0:0:0:0:1]"),
        ("x://[::102:304]", "x://[::1.2.3.4]"),
        ("x://h.", "x://h"),
        ("http://a/Aa", "http://a/BB"),
    ] {
        pairs.push((left.to_owned(), right.to_owned()));
        pairs.push((right.to_owned(), left.to_owned()));
    }
}

/// A path beside the same without its dot-segments, and beside its neighbours.
fn segments() -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for prefix in ["x:", "x:/", "x://h/"] {
        for path in paths(&SEGMENTS, 2) {
            let uri = format!("{prefix}{path}");
            for (one, other) in [("/a/../", "/"), ("/./", "/"), ("//", "/"), ("/..", ""), ("/.", "")] {
                pairs.push((uri.clone(), uri.replacen(one, other, 1)));
            }
            for other in ["", "a", "a/", "./a", "../a", "a/.", "b", "b:c", "/a"] {
                pairs.push((uri.clone(), format!("{prefix}{other}")));
            }
        }
    }
    pairs
}

/// What the rules of a scheme make equivalent, and of others not.
fn schemes(pairs: &mut Vec<(String, String)>) {
    for name in SCHEMES {
        let upper = name.to_ascii_uppercase();
        for (left, right) in [
            ("//h", "//h/"),
            ("//h", "//h:80"),
            ("//h:80/", "//h/"),
            ("//h:443/", "//h/"),
            ("//h:21/", "//h/"),
            ("//h:/", "//h/"),
            ("//h:080/", "//h:80/"),
            ("//h/a", "//H/a"),
            ("//h/a", "//h/A"),
            ("//h/a", "//h/b"),
            ("//h?q", "//h/?q"),
            ("///a", "//localhost/a"),
            ("///a", "/a"),
            ("/a", "//localhost/a"),
            ("//localhost/a", "//127.0.0.1/a"),
            ("//u@h/a", "//h/a"),
            ("//@h/a", "//h/a"),
            ("a@B", "a@b"),
            ("A@b", "a@b"),
            ("A:b", "a:b"),
            ("a:B", "a:b"),
            ("a", "/a"),
            ("a#b", "a"),
            ("a#b", "a#B"),
            ("a?b", "a?B"),
            ("//h/index.html", "//h/"),
            ("//www.h/", "//h/"),
            ("//h/a/", "//h/a"),
            ("//h/?", "//h/"),
            ("//h/#", "//h/"),
            ("//h/a?b&c", "//h/a?c&b"),
        ] {
            pairs.push((format!("{name}:{left}"), format!("{name}:{right}")));
            pairs.push((format!("{upper}:{right}"), format!("{name}:{left}")));
        }
        SCHEMES.iter().for_each(|other| pairs.push((format!("{name}://h/a"), format!("{other}://h/a"))));
    }
}
