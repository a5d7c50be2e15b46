//! Derivations and continuations, against the machines, against the reference, and against a derivation that tries one
//! alternative after the other.

mod checked;
mod examples;

use std::time::{Duration, Instant};

use rfc3986_reference::components::parse;
use rfc3986_reference::grammar::HostKind;
use rfc3986_reference::readings::Reading;
use uriproof_grammar::derive::Derivation;
use uriproof_grammar::{Deriver, Grammar, rfc3986};

/// The tree without what stands below `stop`, a line for each rule.
fn outline(tree: &Derivation<'_>, input: &str, stop: &[&str]) -> String {
    fn write(tree: &Derivation<'_>, input: &str, stop: &[&str], depth: usize, outline: &mut String) {
        let text = std::str::from_utf8(tree.text(input.as_bytes())).unwrap();
        outline.push_str(&format!("{:depth$}{} {text}\n", "", tree.rule));
        if !stop.contains(&tree.rule) {
            tree.children.iter().for_each(|child| write(child, input, stop, depth + 1, outline));
        }
    }
    let mut outline = String::new();
    write(tree, input, stop, 0, &mut outline);
    outline
}

/// The strings that the RFC and its vectors are about, and their beginnings.
const SAMPLES: &[&str] = &[
    "ftp://ftp.is.co.za/rfc/rfc1808.txt",
    "ldap://[2001:db8::7]/c=GB?objectClass?one",
    "news:comp.infosystems.www.servers.unix",
    "tel:+1-816-555-1212",
    "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
    "foo://user:pass@[1:2:3:4:5:6:7.8.9.10]:8042/over/there?name=ferret#nose",
    "http://[v7.fe:ed]:/a//b/%7e;x=1,2?a/b?c#d/e?f",
    "//1.2.3.4:80",
    "//1.2.3.4@[1:2::3:4:5]",
    "a:b:c/../d",
    "../a:b@c/./",
    "http://[::ffff:1.2.3.4]%zz",
    "http://a b",
    "[",
];

#[test]
fn the_parts_of_a_reference_are_those_that_the_reference_implementation_finds() {
    let grammar = rfc3986::grammar();
    let deriver = Deriver::compile(&grammar, "URI-reference").unwrap();
    let beginnings = SAMPLES.iter().flat_map(|sample| (0..=sample.len()).map(|length| &sample[..length]));
    let mut accepted = 0;
    for input in beginnings {
        let Ok(reference) = parse(input, Reading::Rfc3986) else {
            continue;
        };
        accepted += 1;
        let tree = deriver.derive(input.as_bytes()).unwrap();
        let text = |rule: &str| tree.find(rule).map(|part| &input[part.span.clone()]);
        let components = &reference.components;
        let authority = reference.authority.as_ref();
        assert_eq!(text("scheme"), components.scheme);
        assert_eq!(text("authority"), components.authority);
        assert_eq!(text("userinfo"), authority.and_then(|authority| authority.userinfo));
        assert_eq!(text("host"), authority.map(|authority| authority.host));
        assert_eq!(text("port"), authority.and_then(|authority| authority.port));
        assert_eq!(text("query"), components.query);
        assert_eq!(text("fragment"), components.fragment);
        let path = [
            "path-abempty",
            "path-absolute",
            "path-noscheme",
            "path-rootless",
            "path-empty",
        ];
        assert_eq!(path.into_iter().find_map(text), Some(&*components.path));
        if let Some(authority) = authority {
            let rule = match authority.host_kind {
                HostKind::Ipv6 | HostKind::IpvFuture => "IP-literal",
                HostKind::Ipv4 => "IPv4address",
                HostKind::RegName => "reg-name",
            };
            assert_eq!(tree.find("host").unwrap().children[0].rule, rule, "{input:?}");
        }
    }
    assert!(accepted > 200, "{accepted}");
}

#[test]
fn continuations_name_the_rules_from_the_start_inwards() {
    let grammar = rfc3986::grammar();
    let deriver = Deriver::compile(&grammar, "URI-reference").unwrap();
    let list = |input: &str| {
        let continuations = deriver.continuations(input.as_bytes());
        let next = continuations.next.iter().map(|next| format!("{} {}", next.rules.join(">"), next.accepts));
        (continuations.offset, continuations.may_end, next.collect::<Vec<_>>())
    };
    let literal = "URI-reference>URI>hier-part>authority>host>IP-literal";
    let (offset, may_end, next) = list("http://[1:2:3:4:5::");
    assert_eq!((offset, may_end), (19, false));
    assert_eq!(
        next,
        [
            format!("{literal}>IPv6address>ls32>h16>HEXDIG HEXDIG"),
            format!("{literal}>IPv6address>ls32>IPv4address>dec-octet>DIGIT DIGIT"),
            format!("{literal}>IPv6address>ls32>IPv4address>dec-octet 1-9"),
            format!("{literal}>IPv6address>h16>HEXDIG HEXDIG"),
            format!("{literal} \"]\""),
        ]
    );
    let (offset, may_end, next) = list("http://[v");
    assert_eq!(
        (offset, may_end, next),
        (9, false, vec![format!("{literal}>IPvFuture>HEXDIG HEXDIG")])
    );
    let (offset, may_end, next) = list("http://[::1]]");
    assert_eq!((offset, may_end), (12, true));
    assert_eq!(
        next,
        [
            "URI-reference>URI>hier-part>authority \":\"",
            "URI-reference>URI>hier-part>path-abempty \"/\"",
            "URI-reference>URI \"#\" \"?\"",
        ]
    );
    let (offset, may_end, next) = list("%4");
    assert_eq!((offset, may_end), (2, false));
    assert_eq!(
        next,
        ["URI-reference>relative-ref>relative-part>path-noscheme>segment-nz-nc>pct-encoded>HEXDIG HEXDIG"]
    );
}

#[test]
fn labels_of_bytes() {
    let label = |abnf: &str| {
        let grammar = Grammar::read(&format!("a = {abnf}")).unwrap();
        Deriver::compile(&grammar, "a").unwrap().continuations(b"").next.pop().unwrap().accepts
    };
    assert_eq!(label("\"]\""), "\"]\"");
    assert_eq!(label("\"v\""), "\"v\"");
    assert_eq!(label("%s\"V\""), "\"V\"");
    assert_eq!(label("%x30-34 / \"+\" / \"-\""), "\"+\" \"-\" 0-4");
    assert_eq!(label("%x22 / SP / %x7F"), "SP");
    assert_eq!(
        label("%x22 / %x20 / %x7F / %x00-1F / %x80-FF / %x5C"),
        "%x00-20 %x22 \"\\\" %x7F-FF"
    );
}

#[test]
fn long_inputs_take_linear_time() {
    let grammar = rfc3986::grammar();
    let deriver = Deriver::compile(&grammar, "URI-reference").unwrap();
    let long = |text: &str| text.repeat((1 << 16) / text.len());
    for (name, input) in [
        ("path of one segment", format!("http://a/{}", long("a"))),
        ("path of empty segments", format!("http://a{}", long("/"))),
        ("triplets", long("%7e")),
        ("userinfo that is none", format!("//{}", long("a"))),
        ("userinfo", format!("//{}@", long("a:"))),
        ("scheme that is none", long("a")),
        ("digits in a host", format!("//{}", long("1."))),
        ("query", format!("?{}", long("?/a"))),
        ("broken at the end", format!("//{}%", long("a"))),
    ] {
        let begun = Instant::now();
        let derived = deriver.derive(input.as_bytes()).is_some();
        let (derivation, begun) = (begun.elapsed(), Instant::now());
        let continuations = deriver.continuations(input.as_bytes());
        println!(
            "{name}: {} bytes, derived in {derivation:?}, continued in {:?}",
            input.len(),
            begun.elapsed()
        );
        assert_eq!(derived, !input.ends_with('%'));
        assert_eq!(continuations.offset, input.len());
        // A thousand times what it takes; an exponential or quadratic way would not come to an end.
        assert!(derivation + begun.elapsed() < Duration::from_secs(20), "{name}");
    }
}
