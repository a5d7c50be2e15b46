//! Inputs of resolution (§5.2) on which implementations differ.

use rfc3986_reference::components::{ReferenceRule, parse, parse_rule};
use rfc3986_reference::equivalence::{Comparison, same_document};
use rfc3986_reference::normalize::Schemes;
use rfc3986_reference::resolve::{ResolveError, Strictness, reparses, resolve, resolve_reference};

use super::{B, PLAIN, assert_resolutions, parsed, resolved, syntax};

#[test]
fn t_1_the_hole() {
    assert_resolutions(
        "
        f:/a   .//g    f://g
        +      /.//g   f://g
        +      /..//g  f://g
        +      .//b:c  f://b:c
        f:a    x/..//g f://g
        s:     /.//    s://
        s:/.// .       s://
        ",
    );
    for (base, reference) in [("f:/a", ".//g"), ("f:/a", ".//b:c"), ("f:a", "x/..//g"), ("s:", "/.//")] {
        let (base, r) = (parsed(base).components, parsed(reference).components);
        let target = resolve(&base, &r, Strictness::Strict, PLAIN).target;
        assert!(!reparses(&target, PLAIN));
        let r = parsed("./g").components;
        assert!(reparses(&resolve(&base, &r, Strictness::Strict, PLAIN).target, PLAIN));
    }
    assert!(parse("f://b:c", PLAIN).is_err());
}

#[test]
fn t_2_to_t_5_rootless_bases_and_merge() {
    assert_resolutions(
        "
        foo:a/b      ../c        foo:/c
        +            ..          foo:/
        zz:abc       foo/../bar  zz:/bar
        foo:a        ../b/c      foo:b/c
        mailto:a     b           mailto:b
        +            ?b          mailto:a?b
        urn:a:b      c           urn:c
        tag:example/foo  a       tag:example/a
        http://a     b           http://a/b
        http://a?x/y b           http://a/b
        x://         g           x:///g
        foo:         b           foo:b
        ",
    );
}

#[test]
fn t_6_and_t_7_dot_segments_of_the_base() {
    // literal
    assert_resolutions(
        r#"
        http://a/b/..    c   http://a/b/c
        http://a/b/../c  ?y  http://a/b/../c?y
        +                "" http://a/b/../c
        +                #f  http://a/b/../c#f
        "#,
    );
    // base-normalised, target-normalised
    let base_normalised = |base, reference| resolved(&syntax(base), reference);
    let target_normalised = |base, reference| syntax(&resolved(base, reference));
    for (base, reference, base_first, target_first) in [
        ("http://a/b/..", "c", "http://a/c", "http://a/b/c"),
        ("http://a/b/../c", "?y", "http://a/c?y", "http://a/c?y"),
        ("http://a/b/../c", "", "http://a/c", "http://a/c"),
        ("http://a/b/../c", "#f", "http://a/c#f", "http://a/c#f"),
    ] {
        assert_eq!(base_normalised(base, reference), base_first);
        assert_eq!(target_normalised(base, reference), target_first);
    }
}

#[test]
fn t_8_to_t_11_absolute_references_and_empty_components() {
    assert_resolutions(
        r#"
        http://a/b/c        x://g/../h  x://g/h
        +                   //g/..      http://g/
        +                   x:../h      x:h
        +                   x:.         x:
        http://a/b/c/d;p?q  ?y          http://a/b/c/d;p?y
        +                   ?           http://a/b/c/d;p?
        +                   #           http://a/b/c/d;p?q#
        http://a/b?x#f      ""          http://a/b?x
        "#,
    );
    // base-refused
    assert!(parse_rule(ReferenceRule::AbsoluteUri, "http://a/b?x#f", PLAIN).is_err());
}

#[test]
fn t_12_same_document() {
    let schemes = Schemes::default();
    let same = |base, reference| {
        [Comparison::Plain, Comparison::Normalized(&schemes)]
            .map(|comparison| same_document(base, reference, Strictness::Strict, comparison, PLAIN).unwrap())
    };
    assert_eq!(same(B, ""), [true, true]);
    assert_eq!(same(B, "#s"), [true, true]);
    assert_eq!(same("http://a/b#f", "#s"), [true, true]);
    assert_eq!(same(B, "d;p?q#s"), [true, true]);
    assert_eq!(same("http://a/b", "http://a/b#c"), [true, true]);
    assert_eq!(same("http://a/%7Eb", "~b"), [false, true]);
    assert_eq!(same("http://a", "/"), [false, true]);
    assert_eq!(same(B, "g"), [false, false]);
    assert_eq!(same("http://a/b", "?"), [false, false]);
    // One string, but a path against an authority.
    assert_eq!(same("f://g", "f:/.//g"), [false, false]);
    let error = same_document("a", "b", Strictness::Strict, Comparison::Plain, PLAIN).unwrap_err();
    assert!(matches!(error, ResolveError::Base(_)));
    let error = same_document("a:", "[", Strictness::Strict, Comparison::Plain, PLAIN).unwrap_err();
    assert!(matches!(error, ResolveError::Reference(error) if error.offset == 0));
}

#[test]
fn t_13_strict_and_non_strict() {
    for (reference, non_strict) in [
        ("http:g", "http://a/b/c/g"),
        ("http:", "http://a/b/c/d;p?q"),
        ("http:?x", "http://a/b/c/d;p?x"),
        ("http:#s", "http://a/b/c/d;p?q#s"),
        ("http:/g", "http://a/g"),
        ("HTTP:g", "http://a/b/c/g"),
    ] {
        assert_eq!(resolved(B, reference), reference);
        let result = resolve_reference(B, reference, Strictness::NonStrict, PLAIN);
        assert_eq!(result.as_deref(), Ok(non_strict), "{reference}");
    }
}

#[test]
fn t_14_to_t_17_opaque_parts_and_segments() {
    assert_resolutions(
        "
        http://a/b/c/d;p?q      g?y/../x   http://a/b/c/g?y/../x
        +                       g#s/../x   http://a/b/c/g#s/../x
        http://a/b/c/d;p?q=1/2  g          http://a/b/c/g
        +                       ../g       http://a/b/g
        +                       ?y         http://a/b/c/d;p?y
        http://a/b/c/d;p?q      ;x         http://a/b/c/;x
        +                       g;x=1/../y http://a/b/c/y
        +                       ..;/g      http://a/b/c/..;/g
        +                       .../g      http://a/b/c/.../g
        http://a//b/            ../c       http://a//c
        http://a/b//c           ../d       http://a/b/d
        http://a/b/c            ..//d      http://a//d
        f://h/a                 /..//g     f://h//g
        http://a/b/c/d;p?q      .          http://a/b/c/
        +                       ./g/.      http://a/b/c/g/
        +                       g/..       http://a/b/c/
        +                       /.         http://a/
        +                       /..        http://a/
        ",
    );
}

#[test]
fn t_18_percent_encoded_dots_in_resolution() {
    // literal
    assert_resolutions(
        "
        http://a/b/c/d  %2e%2e/g  http://a/b/c/%2e%2e/g
        +               .%2e/g    http://a/b/c/.%2e/g
        +               ..%2e/g   http://a/b/c/..%2e/g
        ",
    );
    // decoded
    for reference in ["%2e%2e/g", ".%2e/g", "%2E./g"] {
        assert_eq!(syntax(&resolved("http://a/b/c/d", reference)), "http://a/b/g");
    }
    assert_eq!(syntax(&resolved("http://a/b/c/d", "..%2e/g")), "http://a/b/c/.../g");
}
