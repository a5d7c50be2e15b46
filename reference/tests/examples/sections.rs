//! The examples that RFC 3986 prints have the printed results.

use rfc3986_reference::equivalence;
use rfc3986_reference::resolve::{Strictness, resolve_reference};

use super::{B, PLAIN, assert_resolutions, scheme, syntax};

#[test]
fn section_5_4_1_normal_examples() {
    assert_resolutions(
        r#"
        http://a/b/c/d;p?q  g:h      g:h
        +                   g        http://a/b/c/g
        +                   ./g      http://a/b/c/g
        +                   g/       http://a/b/c/g/
        +                   /g       http://a/g
        +                   //g      http://g
        +                   ?y       http://a/b/c/d;p?y
        +                   g?y      http://a/b/c/g?y
        +                   #s       http://a/b/c/d;p?q#s
        +                   g#s      http://a/b/c/g#s
        +                   g?y#s    http://a/b/c/g?y#s
        +                   ;x       http://a/b/c/;x
        +                   g;x      http://a/b/c/g;x
        +                   g;x?y#s  http://a/b/c/g;x?y#s
        +                   ""       http://a/b/c/d;p?q
        +                   .        http://a/b/c/
        +                   ./       http://a/b/c/
        +                   ..       http://a/b/
        +                   ../      http://a/b/
        +                   ../g     http://a/b/g
        +                   ../..    http://a/
        +                   ../../   http://a/
        +                   ../../g  http://a/g
        "#,
    );
}

#[test]
fn section_5_4_2_abnormal_examples() {
    assert_resolutions(
        "
        http://a/b/c/d;p?q  ../../../g     http://a/g
        +                   ../../../../g  http://a/g
        +                   /./g           http://a/g
        +                   /../g          http://a/g
        +                   g.             http://a/b/c/g.
        +                   .g             http://a/b/c/.g
        +                   g..            http://a/b/c/g..
        +                   ..g            http://a/b/c/..g
        +                   ./../g         http://a/b/g
        +                   ./g/.          http://a/b/c/g/
        +                   g/./h          http://a/b/c/g/h
        +                   g/../h         http://a/b/c/h
        +                   g;x=1/./y      http://a/b/c/g;x=1/y
        +                   g;x=1/../y     http://a/b/c/y
        +                   g?y/./x        http://a/b/c/g?y/./x
        +                   g?y/../x       http://a/b/c/g?y/../x
        +                   g#s/./x        http://a/b/c/g#s/./x
        +                   g#s/../x       http://a/b/c/g#s/../x
        +                   http:g         http:g
        ",
    );
    let backward = resolve_reference(B, "http:g", Strictness::NonStrict, PLAIN);
    assert_eq!(backward.as_deref(), Ok("http://a/b/c/g"));
}

#[test]
fn sections_6_2_2_and_6_2_3_examples() {
    let (left, right) = ("example://a/b/c/%7Bfoo%7D", "eXAMPLE://a/./b/../b/%63/%7bfoo%7d");
    assert_eq!(equivalence::simple(left, right, PLAIN), Ok(false));
    assert_eq!(equivalence::syntax_based(left, right, PLAIN), Ok(true));
    assert_eq!(syntax("HTTP://www.EXAMPLE.com/"), "http://www.example.com/");
    for uri in [
        "http://example.com",
        "http://example.com/",
        "http://example.com:/",
        "http://example.com:80/",
    ] {
        assert_eq!(scheme(uri), "http://example.com/");
    }
    assert_eq!(scheme("mailto:Joe@Example.COM"), "mailto:Joe@example.com");
}
