//! The examples of RFC 3986 §5.4, §6.2.2 and §6.2.3, and the inputs on which implementations differ, with each result
//! that the RFC gives them.

use rfc3986_reference::components::{Reference, ReferenceRule, RelativeForm, parse, parse_rule};
use rfc3986_reference::dot_segments::remove_dot_segments;
use rfc3986_reference::equivalence::{self, Comparison, EquivalenceError, Side, same_document};
use rfc3986_reference::grammar::HostKind;
use rfc3986_reference::normalize::{
    NormalizeError, SchemeRules, Schemes, case_normalization, path_segment_normalization,
    percent_encoding_normalization, scheme_based, syntax_based,
};
use rfc3986_reference::readings::{Distinguishing, Reading};
use rfc3986_reference::resolve::{ResolveError, Strictness, reparses, resolve, resolve_reference};
use rfc3986_reference::{elements, security};

const PLAIN: Reading = Reading::Rfc3986;
const B: &str = "http://a/b/c/d;p?q";

fn resolved(base: &str, reference: &str) -> String {
    resolve_reference(base, reference, Strictness::Strict, PLAIN).unwrap()
}

/// Lines of base, reference and target; `""` is empty, `+` the base of the line above.
fn assert_resolutions(table: &str) {
    let mut base = B;
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let [new_base, reference, target] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("{line:?} has not three columns")
        };
        if new_base != "+" {
            base = new_base;
        }
        let reference = if reference == "\"\"" { "" } else { reference };
        assert_eq!(resolved(base, reference), target, "{base:?} + {reference:?}");
        if reference != "http:g" {
            let non_strict = resolve_reference(base, reference, Strictness::NonStrict, PLAIN);
            assert_eq!(non_strict.as_deref(), Ok(target), "{base:?} + {reference:?}");
        }
    }
}

#[track_caller]
fn parsed(reference: &str) -> Reference<'_> {
    parse(reference, PLAIN).unwrap_or_else(|error| panic!("{reference:?} {error}"))
}

#[track_caller]
fn assert_valid(references: &[&str]) {
    for reference in references {
        parsed(reference);
    }
}

#[track_caller]
fn assert_invalid(references: &[&str]) {
    for reference in references {
        assert!(parse(reference, PLAIN).is_err(), "{reference:?} is invalid");
    }
}

#[track_caller]
fn assert_host(reference: &str, host: &str, kind: HostKind) {
    let authority = parsed(reference).authority.unwrap();
    assert_eq!((authority.host, authority.host_kind), (host, kind), "{reference:?}");
}

fn syntax(uri: &str) -> String {
    syntax_based(uri, PLAIN).unwrap()
}

fn scheme(uri: &str) -> String {
    scheme_based(uri, &Schemes::default(), PLAIN).unwrap()
}

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

#[test]
fn t_19_to_t_21_schemes_empty_authorities_and_hosts() {
    assert_resolutions(
        "
        http://a/b/c/d;p?q      g:h    g:h
        http://a/b/c            ./g:h  http://a/b/g:h
        foo:a                   ./b:c  foo:b:c
        http://a/b              //     http://
        +                       ///c   http:///c
        +                       ////c  http:////c
        x://a/b                 //     x://
        http://good.example/..  evil   http://good.example/evil
        ",
    );
}

#[test]
fn t_22_ipv6_elision() {
    for address in [
        "1::2:3:4:5:6:7",
        "::2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7::",
        "1:2:3:4:5::1.2.3.4",
        "::1:2:3:4:5:1.2.3.4",
        "::1.2.3.4",
        "1:2:3:4:5:6:1.2.3.4",
        "::",
    ] {
        assert_host(&format!("//[{address}]"), &format!("[{address}]"), HostKind::Ipv6);
    }
    for address in [
        "1::2:3:4:5:6:7:8",
        "1:2:3:4::5:6:7:8",
        "1:2:3:4:5:6:7:8::",
        "1:2:3:4:5:6::1.2.3.4",
        "::1:2:3:4:5:6:1.2.3.4",
        ":::",
        "::1::",
        "::00001",
        "1.2.3.4",
        "::1.2.3.4:5",
        "::1.2.3.256",
        "::01.2.3.4",
        "",
    ] {
        assert_invalid(&[&format!("//[{address}]")]);
    }
    assert_valid(&["//[::0001]", "//[0001::]", "//[1::8]"]);
    assert_invalid(&["//[1:::::::8]"]);
}

#[test]
fn t_23_and_t_24_ipv4_or_reg_name() {
    assert_host("//1.2.3.4", "1.2.3.4", HostKind::Ipv4);
    assert_host("//127.0.0.1", "127.0.0.1", HostKind::Ipv4);
    assert_host("//[1::]", "[1::]", HostKind::Ipv6);
    for name in [
        "256.1.1.1",
        "01.2.3.4",
        "1.2.3",
        "1.2.3.4.",
        "1.2.3.4.5",
        "0x7f.1",
        "1.2.3.%34",
        "192.168.0.1.example.com",
        "192.168.0.1test.example.com",
    ] {
        assert_host(&format!("//{name}/"), name, HostKind::RegName);
    }
    let normal = syntax("x://1.2.3.%34/");
    assert_host(&normal, "1.2.3.4", HostKind::Ipv4);
}

#[test]
fn t_25_and_t_26_zones_and_ipvfuture() {
    assert_invalid(&["//[fe80::1%25en0]", "//[fe80::1%en0]"]);
    assert_host("//[V1.a]", "[V1.a]", HostKind::IpvFuture);
    assert_host("//[vF.a:b]", "[vF.a:b]", HostKind::IpvFuture);
    assert_invalid(&["//[v.a]", "//[v1.]", "//[v1]", "//[vg.a]", "//[v1.%41]"]);
}

#[test]
fn t_27_to_t_29_ports_empty_subcomponents_and_nothing_else() {
    assert_valid(&["//a:", "//a:080", "//a:0", "//a:99999", "//a:4294967376"]);
    assert_invalid(&["//a:b", "//a:+80", "//a:8a", "//a:%38", "//a@b@c"]);
    for (reference, userinfo, host, port) in [
        ("//@h", Some(""), "h", None),
        ("//@:", Some(""), "", Some("")),
        ("//:80", None, "", Some("80")),
        ("//u@", Some("u"), "", None),
        ("//@", Some(""), "", None),
        ("http://:@:/", Some(":"), "", Some("")),
        ("//u:p:q@h", Some("u:p:q"), "h", None),
        ("x://a:1@b:2", Some("a:1"), "b", Some("2")),
        ("//[::1]:2", None, "[::1]", Some("2")),
    ] {
        let authority = parsed(reference).authority.unwrap();
        assert_eq!(
            (authority.userinfo, authority.host, authority.port),
            (userinfo, host, port)
        );
    }
    for uri in ["a:", "http:", "urn:"] {
        assert!(parsed(uri).matches(ReferenceRule::Uri));
    }
}

#[test]
fn t_30_and_t_31_colons() {
    assert_invalid(&[
        "1a:b",
        "a_b:c",
        "-:a",
        ":a",
        "a=b:c",
        "%61:b",
        "0:",
        "::1",
        "127.0.0.1:80/x",
        "@:a",
    ]);
    assert_eq!(parsed("localhost:8080/x").components.scheme, Some("localhost"));
    assert_eq!(parsed("C:/x").components.scheme, Some("C"));
    let suffix = parsed("www.w3.org/Addressing/");
    assert_eq!(suffix.relative_form(), Some(RelativeForm::RelativePath));
    for reference in ["./a:b", "a/b:c", "/a:b", "/:a", "?a:b", "#a:b", "a?b:c"] {
        assert!(parsed(reference).matches(ReferenceRule::RelativeRef));
    }
}

#[test]
fn t_32_to_t_35_characters() {
    assert_invalid(&["a/[", "/a[b]", "a?[", "a#[", "//x[::1]", "//[::1]x", "//[::1]]"]);
    assert_valid(&["??", "a?b?c", "#/?"]);
    assert_invalid(&["##", "a#b#c", "%", "a%2", "a%gg", "//a%", "//a%zz"]);
    assert_valid(&["%00", "%FF", "//%E2%82"]);
    let nowhere = (0..=0x20u8).chain(*b"\"<>\\^`{|}\x7F").map(char::from).chain(['\u{80}', '\u{e9}', '\u{1F600}']);
    for character in nowhere {
        for (before, after) in [
            ("", ""),
            ("a", ":"),
            ("//", ""),
            ("//", "@"),
            ("//a:", ""),
            ("/", ""),
            ("?", ""),
            ("#", ""),
        ] {
            assert_invalid(&[&format!("{before}{character}{after}")]);
        }
    }
    assert_invalid(&["http://a\\@b"]);
}

#[test]
fn t_36_to_t_39_splitting_and_paths() {
    assert_invalid(&["a#b\nc", "a\n", "a#b\n"]);
    let question = parsed("http://a?b@c/d");
    assert_eq!(
        (question.authority.unwrap().host, question.components.query),
        ("a", Some("b@c/d"))
    );
    let number = parsed("http://a#@b");
    assert_eq!(
        (number.authority.unwrap().host, number.components.fragment),
        ("a", Some("@b"))
    );
    assert_host("http://a%2Fb/", "a%2Fb", HostKind::RegName);
    let double = parsed("//a//b").components;
    assert_eq!((double.authority, &*double.path), (Some("a"), "//b"));
    assert_valid(&["/a//b"]);
    let authority = parsed("//b").components;
    assert_eq!((authority.authority, &*authority.path), (Some("b"), ""));
    assert_eq!(parsed("/").relative_form(), Some(RelativeForm::AbsolutePath));
    assert!(parsed("").matches(ReferenceRule::RelativeRef));
    assert!(!parsed("").matches(ReferenceRule::Uri));
    assert!(parsed("a:#").matches(ReferenceRule::Uri));
    assert!(!parsed("a:#").matches(ReferenceRule::AbsoluteUri));
    assert_valid(&["//a..b", "//.", "//-a", "//a_b", "//a!b", "//a%20b", "//"]);
}

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

#[test]
fn a_rare_ipv4_form_is_a_valid_reg_name() {
    for host in ["127.1", "0x7f.1", "2130706433", "127.0.0.1.", "1.2.3.%34"] {
        assert_host(&format!("http://{host}/"), host, HostKind::RegName);
        assert!(security::rare_ipv4(host).is_some());
    }
    assert_eq!(syntax("http://0x7F.1/"), "http://0x7f.1/");
}
