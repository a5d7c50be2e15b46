//! The examples of the RFC have the right derivations.

use uriproof_grammar::derive::DerivationPart;
use uriproof_grammar::{Deriver, Dfa, Grammar, rfc3986};

use super::outline;

const STOP: &[&str] = &[
    "scheme",
    "userinfo",
    "reg-name",
    "dec-octet",
    "h16",
    "port",
    "segment",
    "segment-nz",
    "segment-nz-nc",
    "query",
    "fragment",
];

fn outline_of(input: &str) -> String {
    let grammar = rfc3986::grammar();
    let deriver = Deriver::compile(&grammar, "URI-reference").unwrap();
    outline(&deriver.derive(input.as_bytes()).unwrap(), input, STOP)
}

#[test]
fn the_example_of_section_3() {
    assert_eq!(
        outline_of("foo://example.com:8042/over/there?name=ferret#nose"),
        "\
URI-reference foo://example.com:8042/over/there?name=ferret#nose
 URI foo://example.com:8042/over/there?name=ferret#nose
  scheme foo
  hier-part //example.com:8042/over/there
   authority example.com:8042
    host example.com
     reg-name example.com
    port 8042
   path-abempty /over/there
    segment over
    segment there
  query name=ferret
  fragment nose
"
    );
    assert_eq!(
        outline_of("urn:example:animal:ferret:nose"),
        "\
URI-reference urn:example:animal:ferret:nose
 URI urn:example:animal:ferret:nose
  scheme urn
  hier-part example:animal:ferret:nose
   path-rootless example:animal:ferret:nose
    segment-nz example:animal:ferret:nose
"
    );
}

#[test]
fn examples_of_section_1_1_2() {
    assert_eq!(
        outline_of("ldap://[2001:db8::7]/c=GB?objectClass?one"),
        "\
URI-reference ldap://[2001:db8::7]/c=GB?objectClass?one
 URI ldap://[2001:db8::7]/c=GB?objectClass?one
  scheme ldap
  hier-part //[2001:db8::7]/c=GB
   authority [2001:db8::7]
    host [2001:db8::7]
     IP-literal [2001:db8::7]
      IPv6address 2001:db8::7
       h16 2001
       h16 db8
       h16 7
   path-abempty /c=GB
    segment c=GB
  query objectClass?one
"
    );
    assert_eq!(
        outline_of("telnet://192.0.2.16:80/"),
        "\
URI-reference telnet://192.0.2.16:80/
 URI telnet://192.0.2.16:80/
  scheme telnet
  hier-part //192.0.2.16:80/
   authority 192.0.2.16:80
    host 192.0.2.16
     IPv4address 192.0.2.16
      dec-octet 192
      dec-octet 0
      dec-octet 2
      dec-octet 16
    port 80
   path-abempty /
    segment \n"
    );
    assert_eq!(
        outline_of("mailto:John.Doe@example.com"),
        "\
URI-reference mailto:John.Doe@example.com
 URI mailto:John.Doe@example.com
  scheme mailto
  hier-part John.Doe@example.com
   path-rootless John.Doe@example.com
    segment-nz John.Doe@example.com
"
    );
}

#[test]
fn examples_of_section_5_4() {
    for (reference, rules) in [
        ("g:h", "URI scheme hier-part path-rootless segment-nz"),
        ("g", "relative-ref relative-part path-noscheme segment-nz-nc"),
        ("./g", "relative-ref relative-part path-noscheme segment-nz-nc segment"),
        ("/g", "relative-ref relative-part path-absolute segment-nz"),
        ("//g", "relative-ref relative-part authority host reg-name path-abempty"),
        ("?y", "relative-ref relative-part path-empty query"),
        ("#s", "relative-ref relative-part path-empty fragment"),
        ("", "relative-ref relative-part path-empty"),
        ("/./g", "relative-ref relative-part path-absolute segment-nz segment"),
        (
            "g#s/../x",
            "relative-ref relative-part path-noscheme segment-nz-nc fragment",
        ),
        ("http:g", "URI scheme hier-part path-rootless segment-nz"),
    ] {
        let names: Vec<String> =
            outline_of(reference).lines().map(|line| line.split_whitespace().next().unwrap().to_owned()).collect();
        assert_eq!(names.join(" "), format!("URI-reference {rules}"), "{reference:?}");
    }
}

#[test]
fn the_core_rules_are_leaves() {
    let grammar = rfc3986::grammar();
    let deriver = Deriver::compile(&grammar, "pchar").unwrap();
    let tree = deriver.derive(b"%7e").unwrap();
    assert_eq!(
        outline(&tree, "%7e", &[]),
        "pchar %7e\n pct-encoded %7e\n  HEXDIG 7\n   DIGIT 7\n  HEXDIG e\n"
    );
    assert_eq!(tree.children[0].parts()[0], DerivationPart::Text(0..1));
    assert_eq!(tree.find("HEXDIG").unwrap().span, 1..2);
    assert_eq!(tree.find("ALPHA"), None);
}

#[test]
fn the_host_is_the_first_alternative_that_fits() {
    let grammar = rfc3986::grammar();
    let deriver = Deriver::compile(&grammar, "URI-reference").unwrap();
    for (input, rule) in [
        ("http://1.2.3.4", "IPv4address"),
        ("http://1.2.3.4.5", "reg-name"),
        ("http://1.2.3.256", "reg-name"),
        ("http://255.255.255.255:1", "IPv4address"),
        ("http://", "reg-name"),
        ("http://@1.2.3.4:", "IPv4address"),
        ("http://1.2.3.4@", "reg-name"),
        ("http://[v1.1.2.3.4]", "IP-literal"),
        ("http://[::1.2.3.4]", "IP-literal"),
    ] {
        let tree = deriver.derive(input.as_bytes()).unwrap();
        assert_eq!(tree.find("host").unwrap().children[0].rule, rule, "{input:?}");
    }
}

#[test]
fn grammars_of_other_kinds() {
    let outline_of = |abnf: &str, input: &str| {
        let grammar = Grammar::read(abnf).unwrap();
        let deriver = Deriver::compile(&grammar, "a").unwrap();
        deriver.derive(input.as_bytes()).map(|tree| outline(&tree, input, &[]).replace('\n', ";"))
    };
    let of = |abnf, input| outline_of(abnf, input).unwrap();
    // Prose: no pchar is the empty string, one is a character; and a rule that is another one.
    assert_eq!(of("a = 0<b>\nb = \"x\"", ""), "a ;");
    assert_eq!(of("a = <b>\nb = \"x\"", "x"), "a x; b x;");
    assert_eq!(of("a = b\nb = c\nc = \"x\"", "X"), "a X; b X;  c X;");
    // The first alternative counts, and the most turns.
    assert_eq!(of("a = c / b\nb = \"x\"\nc = %x78", "x"), "a x; c x;");
    assert_eq!(of("a = *b *c\nb = \"x\"\nc = \"x\"", "xx"), "a xx; b x; b x;");
    assert_eq!(of("a = *b 1*c\nb = \"x\"\nc = \"x\"", "xx"), "a xx; b x; c x;");
    assert_eq!(of("a = *1b [b] [c]\nb = \"x\"\nc = \"x\"", "xx"), "a xx; b x; b x;");
    // Turns that take nothing.
    assert_eq!(of("a = b\nb = \"\"", ""), "a ; b ;");
    assert_eq!(of("a = \"x\" b\nb = \"\"", "x"), "a x; b ;");
    assert_eq!(of("a = *b\nb = *\"x\"", ""), "a ; b ;");
    assert_eq!(of("a = *b\nb = *\"x\"", "xx"), "a xx; b xx;");
    assert_eq!(
        of("a = *b\nb = *c\nc = *d\nd = *\"x\" / \"y\"", "xy"),
        "a xy; b xy;  c xy;   d x;   d y;"
    );
    assert_eq!(of("a = 3b\nb = *\"x\"", "x"), "a x; b x; b ; b ;");
    assert_eq!(outline_of("a = 2b\nb = \"x\"", "x"), None);
    // A core rule of one's own is a rule like any other.
    assert_eq!(
        of("a = DIGIT CRLF\nDIGIT = \"x\"", "x\r\n"),
        "a x\r\n; DIGIT x; CRLF \r\n;  CR \r;  LF \n;".replace('\n', ";")
    );
    let grammar = Grammar::read("a = DIGIT\nDIGIT = \"x\"").unwrap();
    let next = Deriver::compile(&grammar, "a").unwrap().continuations(b"").next;
    assert_eq!((&*next[0].accepts, &*next[0].bytes), ("\"x\"", &b"Xx"[..]));
}

#[test]
fn compiling_fails_as_for_the_machine() {
    for (abnf, rule) in [
        ("a = b", "a"),
        ("a = \"x\"", "c"),
        ("a = [a]", "a"),
        ("a = <b>", "a"),
        ("a = %x100", "a"),
    ] {
        let grammar = Grammar::read(abnf).unwrap();
        assert_eq!(
            Deriver::compile(&grammar, rule).err(),
            Dfa::compile(&grammar, rule).err(),
            "{abnf}"
        );
        assert!(Deriver::compile(&grammar, rule).is_err());
    }
}
