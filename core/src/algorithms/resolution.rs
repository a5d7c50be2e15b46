//! Inputs of resolution (§5.2).

use super::Size;
use super::words::{FEW_SEGMENTS, PLACES, SCHEMES, SEGMENTS, SEQUENCES, paths};
use crate::model::Input;

/// What stands before a path.
const AUTHORITIES: [&str; 4] = ["", "//", "//h", "//u@h:1"];

const BASE_PATHS: [&str; 9] = ["", "/", "a", "a/b", "/a", "/a/b", "/a/b/", "/a/./b", "/a/../b"];

const REFERENCE_PATHS: [&str; 11] = ["", "/", "c", "c/d", "/c", ".", "..", "./c", "../c", "./", "../"];

/// Query and fragment, each undefined, empty or not: all nine.
const ENDS: [&str; 9] = ["", "?", "?q", "#", "#f", "?#", "?q#f", "?#f", "?q#"];

/// Those of the core: each of the two in each state.
const FEW_ENDS: [&str; 5] = ["", "?q", "#f", "?#", "?q#f"];

pub(super) fn inputs(size: Size) -> Vec<Input> {
    let mut inputs = Vec::new();
    shapes(size, &mut inputs);
    segments(size, &mut inputs);
    between(&mut inputs);
    not_strictly(&mut inputs);
    characters(&mut inputs);
    schemes(&mut inputs);
    relative_bases(&mut inputs);
    inputs
}

fn add(inputs: &mut Vec<Input>, base: &str, reference: &str) {
    inputs.push(Input::Resolve {
        base: base.to_owned(),
        reference: reference.to_owned(),
        strict: true,
    });
}

/// Strictly and not: a reference's scheme that is the base's own may be ignored (§5.2.2).
fn add_both(inputs: &mut Vec<Input>, base: &str, reference: &str) {
    let scheme =
        |uri: &str| uri.split(['/', '?', '#']).next()?.split_once(':').map(|(scheme, _)| scheme.to_lowercase());
    let is_own = scheme(reference).is_some_and(|own| scheme(base) == Some(own));
    for strict in [true, false] {
        if strict || is_own {
            inputs.push(Input::Resolve {
                base: base.to_owned(),
                reference: reference.to_owned(),
                strict,
            });
        }
    }
}

/// Whether a path can stand behind an authority, or where there is none.
fn fits(authority: &str, path: &str) -> bool {
    authority.is_empty() || path.is_empty() || path.starts_with('/')
}

/// Each component of base and reference undefined, empty and present.
fn shapes(size: Size, inputs: &mut Vec<Input>) {
    let (ends, schemes): (&[&str], &[&str]) = match size {
        Size::Core => (&FEW_ENDS, &["", "x:", "y:"]),
        Size::Standard => (&ENDS, &["", "x:", "X:", "y:"]),
    };
    let mut references = Vec::new();
    for scheme in schemes {
        for authority in ["", "//", "//g"] {
            for path in REFERENCE_PATHS {
                if fits(authority, path) {
                    references.extend(ends.iter().map(|end| format!("{scheme}{authority}{path}{end}")));
                }
            }
        }
    }
    for authority in AUTHORITIES {
        for path in BASE_PATHS {
            if !fits(authority, path) {
                continue;
            }
            let few: &[&str] = &["", "?q#f"];
            for end in if size == Size::Core { few } else { ends } {
                let base = format!("x:{authority}{path}{end}");
                references.iter().for_each(|reference| add_both(inputs, &base, reference));
            }
        }
    }
}

/// A base that is no URI may be refused (§5.1); what resolves against it leaves its scheme and authority undefined.
fn relative_bases(inputs: &mut Vec<Input>) {
    for base in [
        "", "a", "a/b", "./a", "../a", "a:b/c", "/", "/a", "/a/b", "//h", "//h/a/b", "?q", "#f",
    ] {
        for reference in [
            "", "c", "c/d", "/c", "//g/c", "..", "../c", "../../c", "./c", "?y", "#g", "c?y#g", "y:/c", "x:c",
        ] {
            add(inputs, base, reference);
        }
    }
}

/// Lists of segments: in the reference, in the base, and merged.
fn segments(size: Size, inputs: &mut Vec<Input>) {
    let more = usize::from(size == Size::Standard);
    let bases = [
        "x://h/a/b/c",
        "x://h/a//b",
        "x://h",
        "x://h//",
        "x:a/b/c",
        "x:a",
        "x:/a/b",
        "x:",
        "x://h/a/./b/../c",
    ];
    for path in paths(&SEGMENTS, 2 + more) {
        for base in bases {
            add(inputs, base, &path);
        }
        for prefix in ["/", "//g/", "x:", "y:/", "y://g/"] {
            add(inputs, "x://h/a/b/c?q#f", &format!("{prefix}{path}"));
        }
    }
    for path in paths(&SEGMENTS, 3) {
        add(inputs, "x://h/a/b/c", &path);
    }
    for path in paths(&FEW_SEGMENTS, 4 + more) {
        for base in ["x://h/a/b/c", "x:a/b/c", "x:/a/b/c"] {
            add(inputs, base, &path);
        }
    }
    let references = [
        "c",
        "..",
        "../c",
        "../../c",
        "../../../c",
        ".",
        "./c",
        "",
        "?y",
        "#s",
        "c/../d",
        "..//",
        ".?y=/../z",
        "..#s",
    ];
    let bases = paths(&["", ".", "..", "a", "b:c", "%2e%2e"], 3 + more);
    for path in &bases {
        for prefix in ["x:", "x:/", "x://h/"] {
            references.iter().for_each(|reference| add(inputs, &format!("{prefix}{path}"), reference));
        }
    }
    if size == Size::Standard {
        let references = paths(&FEW_SEGMENTS, 3);
        for path in paths(&FEW_SEGMENTS, 2) {
            for prefix in ["x:", "x:/", "x://h/"] {
                references.iter().for_each(|reference| add(inputs, &format!("{prefix}{path}"), reference));
            }
        }
    }
}

/// A segment of each class between others, in each branch.
fn between(inputs: &mut Vec<Input>) {
    for segment in SEGMENTS.into_iter().chain(["..;a", ".;a"]) {
        for prefix in ["/", "//g/", "y:", "y:/", "y://g/"] {
            for path in [
                format!("a/{segment}/b"),
                format!("{segment}/{segment}/b"),
                format!("a/{segment}/.."),
            ] {
                add(inputs, "x://h/a/b/c?q#f", &format!("{prefix}{path}"));
            }
        }
    }
}

/// Without strictness, schemes that are not the same; and a base with an empty query.
fn not_strictly(inputs: &mut Vec<Input>) {
    for (one, other) in [
        ("x", "y"),
        ("x", "xy"),
        ("xy", "x"),
        ("http", "https"),
        ("https", "http"),
    ] {
        for rest in ["c", "/c", "", "?y", "#s"] {
            inputs.push(Input::Resolve {
                base: format!("{one}://h/a/b?q"),
                reference: format!("{other}:{rest}"),
                strict: false,
            });
        }
    }
    for base in ["x://h/a?", "x:a?", "x:/a?"] {
        for reference in ["", "#s", "#", "?", "c", "/c", "//g"] {
            add(inputs, base, reference);
        }
    }
}

/// Octets and triplets in each component of each side: nothing of them is to be changed, or taken for a delimiter.
fn characters(inputs: &mut Vec<Input>) {
    for place in &PLACES {
        let literals =
            place.literals().filter(|literal| !literal.is_ascii_alphanumeric()).map(|literal| literal.to_string());
        let others = [
            "A",
            "%7E",
            "%7e",
            "%2F",
            "%2f",
            "%41",
            "://",
            "a://b/c",
            "http://a/b",
            "//",
            "/..",
            "/../",
            "%2e%2e",
        ];
        let texts = literals.chain(others.into_iter().map(str::to_owned));
        for text in texts.chain(SEQUENCES.into_iter().map(str::to_owned)) {
            let uri = place.uri("x", &text);
            // A base with a fragment may be refused (§5.1).
            let base = uri.strip_suffix("#f").unwrap_or(&uri);
            for reference in ["c", "", "?y", "#s", "../c", "/c", "//g", "//g/c"] {
                add(inputs, base, reference);
            }
            let reference = format!("{}{text}{}", place.before, place.behind);
            let alone = match place.name {
                "query" => format!("?{text}"),
                "fragment" => format!("#{text}"),
                _ => format!("{}{text}", place.before),
            };
            for base in ["x://h/a/b", "x:a/b", "x:/a"] {
                add(inputs, base, &reference);
                add(inputs, base, &alone);
            }
            add(inputs, "x://h/a/b", &uri);
        }
    }
}

/// What is tied to the name of a scheme.
fn schemes(inputs: &mut Vec<Input>) {
    let references = [
        "",
        "c",
        "c:d",
        "./c:d",
        "/c",
        "//g",
        "//g/a/../c?y",
        "///c",
        "//",
        "?y",
        "#s",
        ".",
        "..",
        "../../c?y",
        "/C:/c",
        "C:/c",
        "/../c?y",
        "?y/../z",
    ];
    for name in SCHEMES {
        for scheme in [name.to_owned(), name.to_ascii_uppercase()] {
            let bases = [
                "//h/a/b?q#f",
                "//h",
                "///a/b?x/y",
                "//h:80/a;p/b",
                "/a/b",
                "a/b",
                "a",
                ",a",
                ",a/b",
                "",
                "//u@h/a/",
                "///C:/a/b",
                "//localhost/a",
                "a@b.example",
                "a:b:c",
            ];
            for base in bases {
                for reference in references {
                    add(inputs, &format!("{scheme}:{base}"), reference);
                }
            }
            for other in SCHEMES {
                for rest in ["//g/a/../c?y", "///etc/c", "c", "/c", "", "?y", "#s", "//g", ",a#b"] {
                    add_both(inputs, &format!("{scheme}://h/a/b?q"), &format!("{other}:{rest}"));
                }
            }
        }
    }
}
