//! Properties that RFC 3986 gives every input, on all inputs of a small size.

use rfc3986_reference::components::{Components, Reference, ReferenceRule, parse};
use rfc3986_reference::dot_segments::remove_dot_segments;
use rfc3986_reference::equivalence;
use rfc3986_reference::grammar;
use rfc3986_reference::normalize::{Schemes, scheme_based, syntax_based};
use rfc3986_reference::readings::Reading;
use rfc3986_reference::recompose::{check, recompose};
use rfc3986_reference::resolve::{Strictness, reparses, resolve, resolve_reference};
use strings::each_string;

mod strings;

const PLAIN: Reading = Reading::Rfc3986;

/// Every path of at most `length` of `segments`, rootless and absolute, and the empty one.
fn paths(segments: &[&str], length: usize) -> Vec<String> {
    let with_slash: Vec<_> = segments.iter().map(|segment| format!("/{segment}")).collect();
    let with_slash: Vec<_> = with_slash.iter().map(String::as_str).collect();
    let mut all = Vec::new();
    each_string(&with_slash, length, &mut |absolute| {
        all.extend(absolute.strip_prefix('/').map(str::to_owned));
        all.push(absolute.to_owned());
    });
    all.sort();
    all.dedup();
    all
}

/// Every valid combination of the parts.
fn references(
    schemes: &[&str],
    authorities: &[&str],
    paths: &[String],
    queries: &[&str],
    fragments: &[&str],
    reading: Reading,
) -> Vec<String> {
    let mut all = Vec::new();
    for scheme in schemes {
        for authority in authorities {
            for path in paths {
                for query in queries {
                    for fragment in fragments {
                        all.push(format!("{scheme}{authority}{path}{query}{fragment}"));
                    }
                }
            }
        }
    }
    all.retain(|reference| parse(reference, reading).is_ok());
    all.sort();
    all.dedup();
    all
}

fn components(reference: &str) -> Components<'_> {
    parse(reference, PLAIN).unwrap().components
}

#[test]
fn property_1_recomposing_what_is_parsed_gives_it_back() {
    for reading in [PLAIN, Reading::Erratum4942, Reading::Erratum5428] {
        each_string(&["a", ":", "/", "?", "#", "@", "."], 5, &mut |input| {
            if let Ok(reference) = parse(input, reading) {
                assert_eq!(recompose(&reference.components), input);
                assert_eq!(check(&reference.components, reading), Ok(()), "{input:?} {reading}");
            }
        });
    }
}

#[test]
fn the_components_that_have_a_reference_are_those_that_reparse() {
    let mut texts = Vec::new();
    each_string(&["a", ":", "/", "?", "@", "%"], 2, &mut |text| {
        texts.push(text.to_owned());
    });
    let some =
        |texts: &[&'static str]| -> Vec<_> { [None].into_iter().chain(texts.iter().map(|&text| Some(text))).collect() };
    let mut paths: Vec<_> = texts.iter().map(|text| format!("//{text}")).collect();
    paths.extend(["//a/b:c", "//a:/b", "//[", "//[/b", "//a:0", "//::/%", "///:", "/:/"].map(str::to_owned));
    paths.extend(texts);
    let (mut fit, mut unfit) = (0, 0);
    for reading in [PLAIN, Reading::Erratum4942, Reading::Erratum5428] {
        for scheme in some(&["", "a", ":", "1"]) {
            for authority in some(&["", "a", "a:1", "a:b", "[::1]", "[", "/", "?", "#", "a!"]) {
                for path in &paths {
                    for query in some(&["", "/?", "#", "["]) {
                        for fragment in some(&["", "#"]) {
                            let path = path.as_str().into();
                            let components = Components {
                                scheme,
                                authority,
                                path,
                                query,
                                fragment,
                            };
                            let is_fit = check(&components, reading).is_ok();
                            assert_eq!(is_fit, reparses(&components, reading), "{components:?} {reading}");
                            *if is_fit { &mut fit } else { &mut unfit } += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(fit > 1_000 && unfit > 1_000, "{fit} {unfit}");
}

#[test]
fn property_2_the_kinds_are_disjoint() {
    each_string(&["a", ":", "/", "?", "#", "@", "["], 5, &mut |input| {
        let is_uri = grammar::uri(input, PLAIN).is_ok();
        let is_relative = grammar::relative_ref(input, PLAIN).is_ok();
        let is_absolute = grammar::absolute_uri(input, PLAIN).is_ok();
        assert!(!(is_uri && is_relative), "{input:?}");
        assert_eq!(
            grammar::uri_reference(input, PLAIN).is_ok(),
            is_uri || is_relative,
            "{input:?}"
        );
        assert_eq!(is_absolute, is_uri && !input.contains('#'), "{input:?}");
    });
}

#[test]
fn properties_3_4_6_and_8_of_every_resolution() {
    let segments = ["", ".", "..", "a", "b:c"];
    let bases = references(
        &["f:"],
        &["", "//", "//h"],
        &paths(&segments, 2),
        &["", "?q"],
        &[""],
        PLAIN,
    );
    let relative = references(
        &["", "F:"],
        &["", "//", "//g"],
        &paths(&segments, 3),
        &[""],
        &[""],
        PLAIN,
    );
    for base_text in &bases {
        assert_eq!(
            resolve_reference(base_text, "", Strictness::Strict, PLAIN).as_ref(),
            Ok(base_text)
        );
        assert_eq!(
            resolve_reference(base_text, "#f", Strictness::Strict, PLAIN),
            Ok(format!("{base_text}#f"))
        );
    }
    let parsed: Vec<_> = relative.iter().map(|reference| components(reference)).collect();
    let mut holes = 0;
    // A query of the base takes no part in the path.
    for base_text in bases.iter().filter(|base| !base.contains('?')) {
        let base = components(base_text);
        for r in &parsed {
            let target = resolve(&base, r, Strictness::Strict, PLAIN).target;
            let is_hole = target.authority.is_none() && target.path.starts_with("//");
            if r.scheme.is_none() {
                assert_eq!(resolve(&base, r, Strictness::NonStrict, PLAIN).target, target);
            }
            if r.scheme.is_none() && r.authority.is_none() {
                assert_eq!(target.authority, base.authority, "{base_text:?} + {r:?}");
                assert_eq!(reparses(&target, PLAIN), !is_hole, "{base_text:?} + {r:?}");
                assert_eq!(check(&target, PLAIN).is_ok(), !is_hole, "{base_text:?} + {r:?}");
            }
            holes += u32::from(is_hole);
        }
    }
    assert!(holes > 0);
}

#[test]
fn property_8_needs_the_same_scheme() {
    for (reference, differs) in [
        ("f:g", true),
        ("F:g", true),
        ("g:g", false),
        ("ff:g", false),
        ("g", false),
    ] {
        let result = |strictness| resolve_reference("f://h/a", reference, strictness, PLAIN);
        assert_eq!(
            result(Strictness::Strict) != result(Strictness::NonStrict),
            differs,
            "{reference}"
        );
    }
}

#[test]
fn property_5_of_every_removal() {
    let paths = paths(&["", ".", "..", "a", "...", "%2e"], 5);
    assert!(paths.len() > 10_000);
    for path in paths {
        let removed = remove_dot_segments(&path);
        assert_eq!(remove_dot_segments(&removed), removed, "{path:?}");
        assert!(removed.len() <= path.len(), "{path:?}");
        assert!(!path.starts_with('/') || removed.starts_with('/'), "{path:?}");
        assert!(
            !removed.split('/').any(|segment| matches!(segment, "." | "..")),
            "{path:?}"
        );
    }
    assert_eq!(remove_dot_segments("a/.."), "/", "a rootless path does not stay one");
}

#[test]
fn property_7_of_every_normal_form() {
    let schemes = Schemes::default();
    let uris = references(
        &["a:", "hTTp:", "FILE:", "mailto:"],
        &["", "//", "//%41@LocalHost:80", "//[V1.A]:", "//%31.2.3.%34:080"],
        &paths(&["", ".", "..", "b", "%2e%2E", "%2fC@D", "e:f"], 2),
        &["", "?%7e"],
        &["", "#%aa"],
        PLAIN,
    );
    assert!(uris.len() > 2_000);
    for uri in uris {
        let before = parse(&uri, PLAIN).unwrap();

        let syntax = syntax_based(&uri, PLAIN).unwrap();
        assert_eq!(syntax_based(&syntax, PLAIN).as_ref(), Ok(&syntax), "{uri}");
        let after = parse(&syntax, PLAIN).unwrap();
        assert!(after.matches(ReferenceRule::Uri), "{uri}");
        let defined = |components: &Components<'_>| {
            [components.authority, components.query, components.fragment].map(|component| component.is_some())
        };
        assert_eq!(defined(&before.components), defined(&after.components), "{uri}");
        let subcomponents = |reference: &Reference<'_>| {
            reference.authority.map(|authority| (authority.userinfo.is_some(), authority.port.map(str::to_owned)))
        };
        assert_eq!(subcomponents(&before), subcomponents(&after), "{uri}");

        let scheme = scheme_based(&uri, &schemes, PLAIN).unwrap();
        assert_eq!(scheme_based(&scheme, &schemes, PLAIN).as_ref(), Ok(&scheme), "{uri}");
        assert_eq!(syntax_based(&scheme, PLAIN).as_ref(), Ok(&scheme), "{uri}");
        let after = parse(&scheme, PLAIN).unwrap();
        assert_eq!(
            equivalence::scheme_based(&uri, &syntax, &schemes, PLAIN),
            Ok(true),
            "{uri}"
        );
        let mut expected = defined(&before.components);
        // "the reference should be normalized to an empty authority" (§6.2.3), where the path may stand behind one.
        let syntax = parse(&syntax, PLAIN).unwrap();
        let path = &syntax.components.path;
        let has_default = uri.starts_with("FILE:") && (path.is_empty() || path.starts_with('/'));
        expected[0] |= has_default;
        assert_eq!(expected, defined(&after.components), "{uri}");
    }
}
