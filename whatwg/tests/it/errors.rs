//! The validation errors: the standard's examples of each, and where the parser finds them.

use whatwg_url_reference::parser::basic_url_parser;
use whatwg_url_reference::validation::ValidationError;

use crate::data::shared;

/// The standard's examples for each validation error, with the byte offset of the error; `None` for a base is no base.
const EXAMPLES: &[(&str, &str, Option<&str>, usize)] = &[
    ("domain-to-ASCII", "https://exa%23mple.org", None, 8),
    ("domain-percent-encoded", "https://exam%70le.org", None, 12),
    ("host-invalid-code-point", "foo://exa[mple.org", None, 9),
    ("IPv4-empty-part", "https://127.0.0.1./", None, 18),
    ("IPv4-too-few-parts", "https://1.2.3/", None, 8),
    ("IPv4-too-many-parts", "https://1.2.3.4.5/", None, 8),
    ("IPv4-non-numeric-part", "https://test.42", None, 8),
    ("IPv4-non-decimal-part", "https://127.0.0x0.1", None, 14),
    ("IPv4-out-of-range-part", "https://255.255.4000.1", None, 16),
    ("IPv6-unclosed", "https://[::1", None, 12),
    ("IPv6-invalid-compression", "https://[:1]", None, 9),
    ("IPv6-too-many-pieces", "https://[1:2:3:4:5:6:7:8:9]", None, 25),
    ("IPv6-multiple-compression", "https://[1::1::1]", None, 14),
    ("IPv6-invalid-code-point", "https://[1:2:3!:4]", None, 14),
    ("IPv6-invalid-code-point", "https://[1:2:3:]", None, 15),
    ("IPv6-too-few-pieces", "https://[1:2:3]", None, 14),
    ("IPv6-piece-leading-zero", "https://[::01]", None, 11),
    (
        "IPv4-in-IPv6-too-many-pieces",
        "https://[1:1:1:1:1:1:1:127.0.0.1]",
        None,
        23,
    ),
    ("IPv4-in-IPv6-invalid-code-point", "https://[ffff::.0.0.1]", None, 15),
    (
        "IPv4-in-IPv6-invalid-code-point",
        "https://[ffff::127.0.xyz.1]",
        None,
        21,
    ),
    ("IPv4-in-IPv6-invalid-code-point", "https://[ffff::127.0xyz]", None, 20),
    (
        "IPv4-in-IPv6-invalid-code-point",
        "https://[ffff::127.00.0.1]",
        None,
        20,
    ),
    (
        "IPv4-in-IPv6-invalid-code-point",
        "https://[ffff::127.0.0.1.2]",
        None,
        24,
    ),
    (
        "IPv4-in-IPv6-out-of-range-part",
        "https://[ffff::127.0.0.4000]",
        None,
        25,
    ),
    ("IPv4-in-IPv6-too-few-parts", "https://[ffff::127.0.0]", None, 22),
    ("invalid-URL-unit", "https://example.org/>", None, 20),
    ("invalid-URL-unit", " https://example.org ", None, 0),
    ("invalid-URL-unit", "ht\ntps://example.org", None, 2),
    ("invalid-URL-unit", "https://example.org/%s", None, 20),
    (
        "special-scheme-missing-following-solidus",
        "file:c:/my-secret-folder",
        None,
        4,
    ),
    ("special-scheme-missing-following-solidus", "https:example.org", None, 6),
    (
        "special-scheme-missing-following-solidus",
        "https:foo.html",
        Some("https://example.org/"),
        6,
    ),
    ("missing-scheme-non-relative-URL", "💩", None, 0),
    (
        "missing-scheme-non-relative-URL",
        "💩",
        Some("mailto:user@example.org"),
        0,
    ),
    (
        "invalid-reverse-solidus",
        "https://example.org\\path\\to\\file",
        None,
        19,
    ),
    ("invalid-credentials", "https://user@example.org", None, 12),
    ("invalid-credentials", "ssh://user@example.org", None, 10),
    ("host-missing", "https://#fragment", None, 8),
    ("host-missing", "https://:443", None, 8),
    ("host-missing", "https://user:pass@", None, 18),
    ("port-out-of-range", "https://example.org:70000", None, 25),
    ("port-invalid", "https://example.org:7z", None, 21),
    (
        "file-invalid-Windows-drive-letter",
        "c|/path/to/file",
        Some("file:///c:/"),
        0,
    ),
    ("file-invalid-Windows-drive-letter-host", "file://c:", None, 7),
];

/// The errors after which there is no URL.
const FAILURES: &[&str] = &[
    "host-invalid-code-point",
    "IPv4-too-many-parts",
    "IPv4-non-numeric-part",
    "IPv6-unclosed",
    "IPv6-invalid-compression",
    "IPv6-too-many-pieces",
    "IPv6-multiple-compression",
    "IPv6-invalid-code-point",
    "IPv6-too-few-pieces",
    "IPv4-in-IPv6-too-many-pieces",
    "IPv4-in-IPv6-invalid-code-point",
    "IPv4-in-IPv6-out-of-range-part",
    "IPv4-in-IPv6-too-few-parts",
    "missing-scheme-non-relative-URL",
    "host-missing",
    "port-out-of-range",
    "port-invalid",
];

#[test]
fn the_examples_of_the_standard_have_their_errors() {
    for &(name, input, base, offset) in EXAMPLES {
        let base = base.map(|base| basic_url_parser(base, None).url.unwrap());
        let parse = basic_url_parser(input, base.as_ref());
        let offsets: Vec<usize> =
            parse.errors.iter().filter(|found| found.error.name() == name).map(|found| found.offset).collect();
        assert!(
            offsets.first() == Some(&offset),
            "{name} in {input:?} is at {offset}: {:?}",
            parse.errors
        );
        let always_fails = FAILURES.contains(&name);
        assert!(!always_fails || parse.url.is_none(), "{name} in {input:?} is a failure");
    }
}

#[test]
fn every_error_has_an_example() {
    for error in ValidationError::ALL {
        assert!(EXAMPLES.iter().any(|(name, ..)| *name == error.name()), "{error}");
    }
}

#[test]
fn the_examples_are_the_standards() {
    let Some(source) = shared("url.bs") else { return };
    let source = source.replace("\\[", "[").replace("<br>", "\n");
    for (name, input, ..) in EXAMPLES {
        // The standard has `/c:/path/to/file` for it, which the file slash state reads, without an error.
        if *name != "file-invalid-Windows-drive-letter" {
            assert!(source.contains(input), "{input}");
        }
    }
}

#[test]
fn a_valid_url_has_no_error() {
    for (input, base) in [
        ("https://example.com/././foo", None),
        ("hello:world", None),
        ("file://localhost/", None),
        ("file://host/a", Some("file:///c:/")),
        ("https://EXAMPLE.com/../x", None),
        ("https://example.org//", None),
        ("https://example/%25?%25#%25", None),
        ("https://[2001:db8::1]:8080/?a=b#c", None),
        ("https://[::ffff:192.0.2.255]/", None),
        ("https://[0:1::2:0]/", None),
        ("https://192.0.2.255/", None),
        ("https://0.0.0.0/", None),
        ("urn:isbn:9780307476463", None),
        ("foo://opaque%20host/", None),
        ("foo:/a/%20?%20#%20", None),
        ("https://example.com/", Some("https://example.org/")),
        ("//example.com/", Some("https://example.org/")),
        ("/a", Some("https://example.org/")),
        ("a:b", Some("mailto:c")),
        ("#a", Some("mailto:c")),
        ("", Some("file:///a")),
        ("/a", Some("file:///c:/")),
        ("https://é.example/é?é#é", None),
    ] {
        let base = base.map(|base| basic_url_parser(base, None).url.unwrap());
        assert_eq!(basic_url_parser(input, base.as_ref()).errors, [], "{input}");
    }
}

/// The name of an error, and where it is.
type Found = (&'static str, usize);

/// Inputs and their bases, with all of their errors.
const WHOLE: &[(&str, Option<&str>, &[Found])] = &[
    (
        "http:\\\\a",
        None,
        &[
            ("special-scheme-missing-following-solidus", 5),
            ("special-scheme-missing-following-solidus", 5),
            ("special-scheme-missing-following-solidus", 6),
        ],
    ),
    (
        "http://a\\b\\c",
        None,
        &[("invalid-reverse-solidus", 8), ("invalid-reverse-solidus", 10)],
    ),
    ("http:///a", None, &[("special-scheme-missing-following-solidus", 7)]),
    (
        "\\\\a",
        Some("http://b"),
        &[("invalid-reverse-solidus", 0), ("invalid-reverse-solidus", 1)],
    ),
    ("/\\a", Some("http://b"), &[("invalid-reverse-solidus", 1)]),
    (
        "\\a\\b",
        Some("http://b"),
        &[("invalid-reverse-solidus", 0), ("invalid-reverse-solidus", 2)],
    ),
    ("\\a", Some("b://c"), &[("invalid-URL-unit", 0)]),
    (
        "file:\\\\a\\b",
        None,
        &[
            ("special-scheme-missing-following-solidus", 4),
            ("invalid-reverse-solidus", 5),
            ("invalid-reverse-solidus", 6),
            ("invalid-reverse-solidus", 8),
        ],
    ),
    (
        "file:\\a",
        None,
        &[
            ("special-scheme-missing-following-solidus", 4),
            ("invalid-reverse-solidus", 5),
        ],
    ),
    ("file:a", None, &[("special-scheme-missing-following-solidus", 4)]),
    (
        "http://a:b@c@d/",
        None,
        &[("invalid-credentials", 10), ("invalid-credentials", 12)],
    ),
    ("http://%41/", None, &[("domain-percent-encoded", 7)]),
    ("http://a%/", None, &[("domain-to-ASCII", 7)]),
    ("http://a_b/", None, &[("domain-to-ASCII", 7)]),
    (
        "http://1.2.3.4./",
        None,
        &[("domain-to-ASCII", 7), ("IPv4-empty-part", 15)],
    ),
    (
        "http://0x1.02.3.256/",
        None,
        &[
            ("IPv4-non-decimal-part", 7),
            ("IPv4-non-decimal-part", 11),
            ("IPv4-out-of-range-part", 16),
        ],
    ),
    (
        "http://%31.2/",
        None,
        &[("domain-percent-encoded", 7), ("IPv4-too-few-parts", 7)],
    ),
    (
        "http://[0001::00]/",
        None,
        &[("IPv6-piece-leading-zero", 8), ("IPv6-piece-leading-zero", 14)],
    ),
    ("a://b<c/", None, &[("host-invalid-code-point", 5)]),
    (
        "a://b\"%zc\"%/",
        None,
        &[("invalid-URL-unit", 5), ("invalid-URL-unit", 6)],
    ),
    ("a://b:c/", None, &[("port-invalid", 6)]),
    ("a: b ?c", None, &[("invalid-URL-unit", 2), ("invalid-URL-unit", 4)]),
    (
        "a:\"%z?\"%z#\"%z",
        None,
        &[
            ("invalid-URL-unit", 2),
            ("invalid-URL-unit", 3),
            ("invalid-URL-unit", 6),
            ("invalid-URL-unit", 7),
            ("invalid-URL-unit", 10),
            ("invalid-URL-unit", 11),
        ],
    ),
    ("a:/\"%4z", None, &[("invalid-URL-unit", 3), ("invalid-URL-unit", 4)]),
    ("a b", Some("http://c"), &[("invalid-URL-unit", 1)]),
    ("a ", Some("http://c"), &[("invalid-URL-unit", 1)]),
    (
        "C|",
        Some("file:///d:/"),
        &[("file-invalid-Windows-drive-letter", 0), ("invalid-URL-unit", 1)],
    ),
    ("file://C|/a", None, &[("file-invalid-Windows-drive-letter-host", 7)]),
];

#[test]
fn an_input_has_these_errors_and_no_others() {
    for &(input, base, expected) in WHOLE {
        let base = base.map(|base| basic_url_parser(base, None).url.unwrap());
        let errors = basic_url_parser(input, base.as_ref()).errors;
        let found: Vec<(&str, usize)> = errors.iter().map(|found| (found.error.name(), found.offset)).collect();
        assert_eq!(found, expected, "{input}");
    }
}

#[test]
fn an_offset_is_that_of_the_input_with_all_that_is_removed() {
    let offsets = |input: &str| -> Vec<(&str, usize)> {
        let errors = basic_url_parser(input, None).errors;
        errors.iter().map(|found| (found.error.name(), found.offset)).collect()
    };
    assert_eq!(
        offsets(" \u{1}http://a/\t<\n"),
        [
            ("invalid-URL-unit", 0),
            ("invalid-URL-unit", 11),
            ("invalid-URL-unit", 12)
        ]
    );
    assert_eq!(offsets("http://a/é<"), [("invalid-URL-unit", 11)]);
    assert_eq!(offsets("http://a\n.\t0x1/"), offsets("http://a\n.\t0x1/"));
    assert_eq!(
        offsets("http://\n1.\t0x1/"),
        [
            ("invalid-URL-unit", 7),
            ("IPv4-too-few-parts", 8),
            ("IPv4-non-decimal-part", 11)
        ]
    );
    assert_eq!(offsets("http://a/ "), [("invalid-URL-unit", 9)]);
}
