//! Inputs of the syntax (§2, §3) on which implementations differ.

use rfc3986_reference::components::{ReferenceRule, RelativeForm};
use rfc3986_reference::grammar::HostKind;
use rfc3986_reference::security;

use super::{assert_host, assert_invalid, assert_resolutions, assert_valid, parsed, syntax};

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
fn a_rare_ipv4_form_is_a_valid_reg_name() {
    for host in ["127.1", "0x7f.1", "2130706433", "127.0.0.1.", "1.2.3.%34"] {
        assert_host(&format!("http://{host}/"), host, HostKind::RegName);
        assert!(security::rare_ipv4(host).is_some());
    }
    assert_eq!(syntax("http://0x7F.1/"), "http://0x7f.1/");
}
