//! Readings change the results that their errata concern.

use rfc3986_reference::components::parse;
use rfc3986_reference::elements;
use rfc3986_reference::readings::{Distinguishing, Reading};
use rfc3986_reference::resolve::{Strictness, resolve_reference};

use super::{PLAIN, resolved};

#[test]
fn erratum_4789_changes_the_bases_that_end_in_two_dots() {
    for (base, reference, plain, erratum) in [
        ("http://a/b/..", "c", "http://a/b/c", "http://a/c"),
        ("http://a/b/c/..", "d", "http://a/b/c/d", "http://a/b/d"),
        ("http://a/b/c/..", "../d", "http://a/b/d", "http://a/d"),
        ("http://a/b/c/..", ".", "http://a/b/c/", "http://a/b/"),
        ("http://a/b/c/..", "..", "http://a/b/", "http://a/"),
        ("http://a/b/..?q", "c", "http://a/b/c", "http://a/c"),
        ("foo:a/..", "g", "foo:a/g", "foo:/g"),
        ("http://a/..", "g", "http://a/g", "http://a/g"),
        ("foo:/..", "g", "foo:/g", "foo:/g"),
        ("foo:..", "g", "foo:g", "foo:g"),
        ("foo:/a/..", "g", "foo:/a/g", "foo:/g"),
        ("http://a/b/.", "g", "http://a/b/g", "http://a/b/g"),
        ("http://a/b/..", "", "http://a/b/..", "http://a/b/.."),
    ] {
        assert_eq!(resolved(base, reference), plain);
        let result = resolve_reference(base, reference, Strictness::Strict, Reading::Erratum4789);
        assert_eq!(result.as_deref(), Ok(erratum), "{base} + {reference}");
    }
}

#[test]
fn errata_4942_and_5428_change_the_language() {
    let is_valid = |reference: &str, reading| parse(reference, reading).is_ok();
    for reference in ["//a!b", "//a,b", "//a+b", "//a=b", "//$", "//a*b", "foo://a;b/"] {
        assert!(is_valid(reference, PLAIN) && !is_valid(reference, Reading::Erratum4942));
    }
    for reference in ["//a_b", "//a~b", "//a-b.c", "//%20", "//u!@h", "//[v1.!]"] {
        assert!(is_valid(reference, PLAIN) && is_valid(reference, Reading::Erratum4942));
    }
    for reference in ["//a:b", "//a@b@c", "//a:80:90", "//::1"] {
        assert!(!is_valid(reference, PLAIN));
        let components = parse(reference, Reading::Erratum5428).unwrap().components;
        assert_eq!((components.authority, &*components.path), (None, reference));
        assert!(!is_valid(&format!("x:{reference}"), Reading::Erratum5428));
    }
    for reference in ["//[::1", "//%zz"] {
        assert!(!is_valid(reference, PLAIN) && !is_valid(reference, Reading::Erratum5428));
    }
    assert_eq!(
        parse("//a", Reading::Erratum5428).unwrap().components.authority,
        Some("a")
    );
}

#[test]
fn the_inputs_that_tell_a_reading_do() {
    for reading in Reading::ALL {
        for input in reading.distinguishing_inputs() {
            let differs = match (*input, reading) {
                // The algorithm is the same; the printed result is another.
                (Distinguishing::Resolve { base, reference }, Reading::Erratum4547) => {
                    resolved(base, reference) == "http://a/g"
                }
                (Distinguishing::Parse(input), Reading::Elements) => {
                    elements::through_elements(input).as_deref() != Ok(input)
                }
                (Distinguishing::Resolve { base, reference }, Reading::Elements) => {
                    elements::resolve_through_elements(base, reference, Strictness::Strict)
                        != Ok(resolved(base, reference))
                }
                (Distinguishing::Parse(input), reading) => parse(input, PLAIN).is_ok() != parse(input, reading).is_ok(),
                (Distinguishing::Resolve { base, reference }, reading) => {
                    resolve_reference(base, reference, Strictness::Strict, reading) != Ok(resolved(base, reference))
                }
            };
            assert!(differs, "{reading}: {input:?}");
        }
    }
}

#[test]
fn an_error_of_a_resolution_says_whose_it_is() {
    let error =
        |base, reference| resolve_reference(base, reference, Strictness::Strict, PLAIN).unwrap_err().to_string();
    assert_eq!(
        error("a/b", "c"),
        "the base is not a URI: it does not match scheme at byte 1"
    );
    assert_eq!(
        error("a:b", "c d"),
        "the reference is not a URI-reference: it does not match segment-nz-nc at byte 1"
    );
}
