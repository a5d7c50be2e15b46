//! Inputs of normalization (§6) on which implementations differ.

use rfc3986_reference::dot_segments::remove_dot_segments;
use rfc3986_reference::equivalence::{self, EquivalenceError, Side};
use rfc3986_reference::normalize::{
    NormalizeError, SchemeRules, Schemes, case_normalization, path_segment_normalization,
    percent_encoding_normalization, scheme_based, syntax_based,
};

use super::{PLAIN, scheme, syntax};

#[test]
fn t_40_and_t_41_the_order_of_the_steps() {
    assert_eq!(syntax("http://a/b/%2e%2e/c"), "http://a/c");
    assert_eq!(
        path_segment_normalization("http://a/b/%2e%2e/c", PLAIN).as_deref(),
        Ok("http://a/b/%2e%2e/c")
    );
    assert_eq!(syntax("http://%41/"), "http://a/");
    assert_eq!(syntax("http://EX%c3%a9/"), "http://ex%C3%A9/");
    assert_eq!(
        case_normalization("HTTP://EX%c3%a9%7e/", PLAIN).as_deref(),
        Ok("http://ex%C3%A9%7E/")
    );
    assert_eq!(
        percent_encoding_normalization("HTTP://EX%c3%a9%7e/", PLAIN).as_deref(),
        Ok("HTTP://EX%c3%a9~/")
    );
}

#[test]
fn t_42_and_t_43_what_dot_removal_creates() {
    for (path, removed) in [
        ("/b/..//c", "//c"),
        ("./a:b", "a:b"),
        ("a/..//b", "//b"),
        ("a/../b:c", "/b:c"),
        ("..", ""),
    ] {
        assert_eq!(remove_dot_segments(path), removed);
    }
    // unchanged; literal
    for uri in ["a:/b/..//c", "a:/.//c", "a:b/..//c"] {
        assert_eq!(syntax(uri), uri);
        assert_eq!(path_segment_normalization(uri, PLAIN).as_deref(), Ok("a://c"));
    }
    assert_eq!(syntax("A:/%62/%2e%2e//c"), "a:/b/..//c");
    assert_eq!(equivalence::syntax_based("a:/b/..//c", "a://c", PLAIN), Ok(false));
    assert_eq!(syntax("a://h/b/..//c"), "a://h//c");
    assert_eq!(syntax("a:b/../c"), "a:/c");
    assert_eq!(syntax("a:.."), "a:");
    assert_eq!(syntax("x:./a:b"), "x:a:b");
    for reference in ["./a:b", "a/..//b", "..", "", "//a/.."] {
        assert_eq!(syntax_based(reference, PLAIN), Err(NormalizeError::Relative));
    }
    assert!(matches!(syntax_based("a:[", PLAIN), Err(NormalizeError::Invalid(error)) if error.offset == 2));
}

#[test]
fn t_44_reserved_triplets_stay() {
    assert_eq!(syntax("x:/%2f%3a%21"), "x:/%2F%3A%21");
    assert_eq!(syntax("x:/b%2F../c"), "x:/b%2F../c");
    assert_eq!(syntax("x:/%2541"), "x:/%2541");
    assert_eq!(syntax("x:/%25%34%31"), "x:/%2541");
}

#[test]
fn t_45_and_t_46_empty_delimiters_and_ports() {
    for uri in ["http://a/?", "http://a/#", "http://@a/", "http://u:@a/"] {
        assert_eq!(scheme(uri), uri);
    }
    // kept; omitted
    for (uri, omitted) in [
        ("http://a:/", "http://a/"),
        ("x://a:/", "x://a/"),
        ("http://a:080/", "http://a/"),
        ("http://a:80/", "http://a/"),
    ] {
        assert_eq!(syntax(uri), uri);
        assert_eq!(scheme(uri), omitted);
    }
    for uri in [
        "x://a:080/",
        "x://a:80/",
        "https://a:80/",
        "http://a:0/",
        "http://a:8/",
        "http://a:800/",
        "http://a:65616/",
    ] {
        assert_eq!(scheme(uri), uri);
    }
    let mut schemes = Schemes::empty();
    assert_eq!(
        scheme_based("http://a:80", &schemes, PLAIN).as_deref(),
        Ok("http://a:80")
    );
    schemes.insert(SchemeRules {
        default_port: Some(0),
        empty_path_is_root: true,
        ..SchemeRules::new("X")
    });
    assert_eq!(scheme_based("x://a:00?q", &schemes, PLAIN).as_deref(), Ok("x://a/?q"));
    assert_eq!(scheme_based("x:?q", &schemes, PLAIN).as_deref(), Ok("x:?q"));
    schemes.insert(SchemeRules::new("x"));
    assert_eq!(scheme_based("X://a:0", &schemes, PLAIN).as_deref(), Ok("x://a:0"));
}

#[test]
fn t_47_ipv6_text() {
    assert_eq!(syntax("http://[2001:DB8::0:0:1]/"), "http://[2001:db8::0:0:1]/");
    assert_eq!(syntax("http://[::FFFF:1.2.3.4]/"), "http://[::ffff:1.2.3.4]/");
}

#[test]
fn t_48_scheme_based_steps_are_opt_in() {
    for (uri, normal) in [
        ("http://a", "http://a/"),
        ("http://a?q", "http://a/?q"),
        ("http://a:80/", "http://a/"),
        ("file://localhost/a", "file:///a"),
        ("file://LOCAL%48OST/a", "file:///a"),
        ("file://localhost:/a", "file:///a"),
        ("file://@localhost/a", "file:///a"),
        ("file:/a", "file:///a"),
        ("file:", "file://"),
        ("file:/a/..//b", "file:////b"),
        ("file://u@/a", "file://u@localhost/a"),
        ("file://:1/a", "file://localhost:1/a"),
        ("mailto:A@B.C,D%40E@%46%2f.G", "mailto:A@b.c,D%40E@f%2F.g"),
    ] {
        assert_ne!(syntax(uri), normal);
        assert_eq!(scheme(uri), normal, "{uri}");
        assert_eq!(scheme(normal), normal);
    }
    for uri in [
        "file:a",
        "file://u@localhost/a",
        "file://localhost:1/a",
        "file://a/b",
        "x://localhost/",
        "urn:ISBN:0",
        "mailto:A",
    ] {
        assert_eq!(scheme(uri), uri);
    }
}

#[test]
fn t_49_case() {
    assert_eq!(syntax("X://U%6a%fF@H/P?Q#F"), "x://Uj%FF@h/P?Q#F");
}

#[test]
fn t_50_the_ladder() {
    let schemes = Schemes::default();
    let rungs = |left, right| {
        [
            equivalence::simple(left, right, PLAIN).unwrap(),
            equivalence::syntax_based(left, right, PLAIN).unwrap(),
            equivalence::scheme_based(left, right, &schemes, PLAIN).unwrap(),
        ]
    };
    assert_eq!(rungs("http://a/", "http://a/"), [true, true, true]);
    assert_eq!(rungs("http://a/", "HTTP://a/"), [false, true, true]);
    assert_eq!(rungs("http://a/", "http://a:80/"), [false, false, true]);
    assert_eq!(rungs("http://a/", "http://a/?"), [false, false, false]);
    assert_eq!(rungs("http://a/data", "http://a/data/"), [false, false, false]);
    assert_eq!(rungs("http://a/~b", "http://a/%7Eb"), [false, true, true]);
    assert_eq!(rungs("http://a/x!y", "http://a/x%21y"), [false, false, false]);

    assert_eq!(equivalence::simple("a", "a", PLAIN), Ok(true));
    assert_eq!(
        equivalence::syntax_based("a:", "a", PLAIN),
        Err(EquivalenceError::Relative(Side::Right))
    );
    let error = equivalence::scheme_based("%", "a:", &schemes, PLAIN).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the left one is not a URI-reference: it does not match pct-encoded at byte 1"
    );
    assert!(equivalence::simple("a", "[", PLAIN).is_err());
}
