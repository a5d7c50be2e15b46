//! Edits of sample URIs: other characters, pieces left out or moved, text around them.

use super::builder::StandardBuilder;
use super::characters::characters;

/// URIs with every rule of the grammar in them, short enough to ask every character at every place.
const SAMPLES: &[&str] = &[
    "http://u:p@ex.am/a/b;c?d=e&/?f#g/?",
    "//h:80/p",
    "//192.0.2.255:1",
    "//[::1]:8/",
    "//[ab::192.0.2.1]x",
    "//[1:22:333:4444:5:6:7:8]",
    "//[1::19.123.234.255]",
    "ab://[::1]:8/",
    "//u@[vF.a:b]",
    "a+b-c.1:x:y@z",
    "a:/b//c/../",
    "a://%4a/%4B?%4c#%4D",
    "//u%20:@?#",
    "file:///e",
    "a/b:c",
    "./a:b",
    "../a",
    "/a",
    "?q",
    "#f",
];

pub(super) fn byte_confusion(strings: &mut StandardBuilder) {
    let characters = characters();
    for sample in SAMPLES {
        for at in 0..=sample.len() {
            for character in &characters {
                strings.add(&[&sample[..at], character, &sample[at..]]);
                if at < sample.len() {
                    strings.add(&[&sample[..at], character, &sample[at + 1..]]);
                }
            }
        }
    }
}

/// Delimiters alone, and what stands between them.
fn pieces(sample: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, character) in sample.char_indices() {
        if !character.is_ascii_alphanumeric() {
            if start < at {
                pieces.push(&sample[start..at]);
            }
            pieces.push(&sample[at..=at]);
            start = at + 1;
        }
    }
    if start < sample.len() {
        pieces.push(&sample[start..]);
    }
    pieces
}

pub(super) fn sample_edits(strings: &mut StandardBuilder) {
    for sample in SAMPLES {
        let pieces = pieces(sample);
        let count = pieces.len();
        for from in 0..count {
            strings.add(&pieces[from..]);
            for to in from + 1..=count {
                strings.add(&pieces[..to]);
                let (before, run, after) = (&pieces[..from], &pieces[from..to], &pieces[to..]);
                strings.add(&[before, after].concat());
                strings.add(&[before, run, run, after].concat());
                strings.add(&[before, run, run, run, after].concat());
                // Two neighbouring runs change places.
                for end in to + 1..=count.min(to + 3) {
                    strings.add(&[before, &pieces[to..end], run, &pieces[end..]].concat());
                }
            }
            // Two pieces are left out, as brackets are.
            for other in from + 1..count {
                strings.add(&[&pieces[..from], &pieces[from + 1..other], &pieces[other + 1..]].concat());
            }
            // One piece stands in for another.
            for to in 0..count {
                strings.add(&[&pieces[..from], &pieces[to..=to], &pieces[from + 1..]].concat());
            }
        }
    }
}

pub(super) fn wrappings(strings: &mut StandardBuilder) {
    let characters = characters();
    let pairs = [
        ("<", ">"),
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("\u{ab}", "\u{bb}"),
        ("\u{201c}", "\u{201d}"),
        ("<URL:", ">"),
    ];
    let ends = [
        "\r\n", "\n\n", "  ", " \t", "\0\0", "\0a", " a", "\na", "\ra", "\ta", "%00", "%0A", "%20", "\\n",
    ];
    let starts = [
        "URL:",
        "url:",
        "URL: ",
        "URI:",
        "  ",
        "\r\n",
        "\t ",
        "\u{FEFF} ",
        "view-source:",
        "./",
        "//",
        "http:",
    ];
    for sample in SAMPLES {
        for character in &characters {
            strings.add(&[character.as_str(), *sample, character]);
        }
        for (before, after) in pairs {
            strings.add(&[before, sample, after]);
        }
        for end in ends {
            strings.add(&[*sample, end]);
        }
        for start in starts {
            strings.add(&[start, *sample]);
        }
    }
}
