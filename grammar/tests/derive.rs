//! Derivations and continuations, against the machines, against the reference, and against a derivation that tries one
//! alternative after the other.

use std::time::{Duration, Instant};

use rfc3986_reference::components::parse;
use rfc3986_reference::grammar::HostKind;
use rfc3986_reference::readings::Reading;
use uriproof_grammar::abnf::{Element, LetterCase, NumVal};
use uriproof_grammar::derive::{Continuation, Derivation, DerivationPart};
use uriproof_grammar::{Deriver, Dfa, Grammar, State, rfc3986};

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

/// Checks a string: that it has a derivation exactly if the machine accepts it, that the derivation is the one that
/// trying finds first, that every part of it is accepted by the machine of its rule, and that the parts spell the string;
/// and how far it can go on.
struct Checker<'g> {
    grammar: &'g Grammar,
    rule: &'g str,
    deriver: Deriver<'g>,
    machines: &'g [(&'g str, Dfa)],
}

impl<'g> Checker<'g> {
    fn machine(&self, rule: &str) -> &'g Dfa {
        &self.machines.iter().find(|(name, _)| *name == rule).unwrap().1
    }

    fn check(&self, input: &[u8]) {
        let machine = self.machine(self.rule);
        let tree = self.deriver.derive(input);
        assert_eq!(tree.is_some(), machine.accepts(input), "{} {input:?}", self.rule);
        if let Some(tree) = tree {
            assert_eq!(tree.span, 0..input.len());
            self.check_tree(&tree, input);
            assert_eq!(
                Some(tree),
                tried(self.grammar, self.rule, input),
                "{} {input:?}",
                self.rule
            );
        }
        self.check_continuations(input);
    }

    fn check_tree(&self, tree: &Derivation<'_>, input: &[u8]) {
        assert!(
            self.machine(tree.rule).accepts(tree.text(input)),
            "{} {:?}",
            tree.rule,
            tree.text(input)
        );
        let mut at = tree.span.start;
        for part in tree.parts() {
            let span = match part {
                DerivationPart::Text(span) => span,
                DerivationPart::Rule(child) => {
                    self.check_tree(child, input);
                    child.span.clone()
                }
            };
            assert_eq!(span.start, at, "{} {input:?}", tree.rule);
            at = span.end;
        }
        assert_eq!(at, tree.span.end);
    }

    fn check_continuations(&self, input: &[u8]) {
        let machine = self.machine(self.rule);
        let continuations = self.deriver.continuations(input);
        let offset = machine.longest_viable_prefix(input);
        assert_eq!(continuations.offset, offset, "{} {input:?}", self.rule);
        let state = machine.machine().run(&input[..offset]);
        assert_eq!(
            continuations.may_end,
            machine.is_accepting(state),
            "{} {input:?}",
            self.rule
        );
        for byte in 0..=255 {
            let goes_on = continuations.next.iter().any(|next| next.bytes.contains(&byte));
            let dead = machine.is_dead(machine.step(state, byte));
            assert_eq!(goes_on, !dead, "{} {input:?} {byte}", self.rule);
        }
        for Continuation { rules, .. } in &continuations.next {
            assert_eq!(rules[0], self.rule);
        }
    }
}

/// The first derivation in the order of preference, found by trying; only for grammars whose repetitions take a character
/// in every turn, and for short strings.
#[expect(clippy::too_many_lines, reason = "one type, of this function alone")]
fn tried<'g>(grammar: &'g Grammar, rule: &str, input: &[u8]) -> Option<Derivation<'g>> {
    /// A rule begins, or the last one that has begun ends.
    type Events<'g> = Vec<(Option<&'g str>, usize)>;
    type Then<'t, 'g> = &'t mut dyn FnMut(&mut Events<'g>, usize) -> bool;

    struct Trial<'g, 'i> {
        grammar: &'g Grammar,
        input: &'i [u8],
    }
    impl<'g> Trial<'g, '_> {
        fn rule(&self, name: &str, events: &mut Events<'g>, at: usize, then: Then<'_, 'g>) -> bool {
            let rule = self.grammar.rule(name).unwrap();
            events.push((Some(&rule.name), at));
            let done = self.element(&rule.element, events, at, &mut |events, at| {
                events.push((None, at));
                let done = then(events, at);
                if !done {
                    events.pop();
                }
                done
            });
            if !done {
                events.pop();
            }
            done
        }

        fn element(&self, element: &'g Element, events: &mut Events<'g>, at: usize, then: Then<'_, 'g>) -> bool {
            match element {
                Element::Alternation(all) => all.iter().any(|one| self.element(one, events, at, then)),
                Element::Concatenation(all) => self.sequence(all, events, at, then),
                Element::Repetition { min, max, element } => self.turns(element, (*min, *max), events, at, then),
                Element::Option(element) => self.turns(element, (0, Some(1)), events, at, then),
                Element::Group(element) => self.element(element, events, at, then),
                Element::Reference { name, .. } => self.rule(name, events, at, then),
                Element::ProseVal { text, .. } => self.rule(text, events, at, then),
                Element::CharVal { text, case } => match self.input.get(at..at + text.len()) {
                    Some(found) if found == text.as_bytes() => then(events, at + text.len()),
                    Some(found) if *case == LetterCase::Insensitive && found.eq_ignore_ascii_case(text.as_bytes()) => {
                        then(events, at + text.len())
                    }
                    _ => false,
                },
                Element::NumVal { value, .. } => match (value, self.input.get(at)) {
                    (NumVal::Value(value), Some(&byte)) if u32::from(byte) == *value => then(events, at + 1),
                    (NumVal::Range(first, last), Some(&byte)) if (*first..=*last).contains(&byte.into()) => {
                        then(events, at + 1)
                    }
                    _ => false,
                },
            }
        }

        fn sequence(&self, all: &'g [Element], events: &mut Events<'g>, at: usize, then: Then<'_, 'g>) -> bool {
            match all {
                [] => then(events, at),
                [first, rest @ ..] => self.element(first, events, at, &mut |events, at| {
                    self.sequence(rest, events, at, then)
                }),
            }
        }

        fn turns(
            &self,
            element: &'g Element,
            (min, max): (u32, Option<u32>),
            events: &mut Events<'g>,
            at: usize,
            then: Then<'_, 'g>,
        ) -> bool {
            let fewer = (min.saturating_sub(1), max.map(|max| max.saturating_sub(1)));
            max != Some(0)
                && self.element(element, events, at, &mut |events, next| {
                    next > at && self.turns(element, fewer, events, next, then)
                })
                || min == 0 && then(events, at)
        }
    }

    let mut events = Vec::new();
    let whole = |_: &mut Events<'g>, at: usize| at == input.len();
    if !(Trial { grammar, input }).rule(rule, &mut events, 0, &mut { whole }) {
        return None;
    }
    let mut open: Vec<Derivation<'g>> = Vec::new();
    for (begun, at) in events {
        match begun {
            Some(rule) => open.push(Derivation {
                rule,
                span: at..at,
                children: Vec::new(),
            }),
            None => {
                let mut done = open.pop().unwrap();
                done.span.end = at;
                match open.last_mut() {
                    Some(outer) => outer.children.push(done),
                    None => return Some(done),
                }
            }
        }
    }
    None
}

/// Calls `check` with a checker for each of the 36 rules.
fn with_checkers(check: impl Fn(&Checker<'_>, &Dfa)) {
    let grammar = rfc3986::grammar();
    let own = grammar.rules().iter().map(|rule| &*rule.name);
    let machines: Vec<(&str, Dfa)> =
        own.chain(["ALPHA", "DIGIT", "HEXDIG"]).map(|name| (name, Dfa::compile(&grammar, name).unwrap())).collect();
    for rule in grammar.rules() {
        let deriver = Deriver::compile(&grammar, &rule.name).unwrap();
        let checker = Checker {
            grammar: &grammar,
            rule: &rule.name,
            deriver,
            machines: &machines,
        };
        check(&checker, checker.machine(&rule.name));
    }
}

#[test]
fn every_rule_on_every_short_string() {
    fn extend(checker: &Checker<'_>, machine: &Dfa, input: &mut Vec<u8>, state: State, length: usize) {
        checker.check(input);
        // One character behind a dead end is enough.
        if length > 0 && !machine.is_dead(state) {
            for &byte in machine.machine().representatives() {
                input.push(byte);
                extend(checker, machine, input, machine.step(state, byte), length - 1);
                input.pop();
            }
        }
    }
    with_checkers(|checker, machine| extend(checker, machine, &mut Vec::new(), machine.start(), 4));
}

#[test]
fn every_rule_on_random_walks() {
    let random = std::cell::RefCell::new(fastrand::Rng::with_seed(3986));
    with_checkers(|checker, machine| {
        let mut random = random.borrow_mut();
        let representatives = machine.machine().representatives();
        for _ in 0..2_000 {
            let mut input = Vec::new();
            let mut state = machine.start();
            for _ in 0..random.usize(0..28) {
                let mut byte = random.u8(..);
                for _ in 0..8 {
                    if !machine.is_dead(machine.step(state, byte)) {
                        break;
                    }
                    byte = representatives[random.usize(0..representatives.len())];
                }
                state = machine.step(state, byte);
                input.push(byte);
            }
            checker.check(&input);
        }
    });
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
fn samples_and_their_beginnings() {
    with_checkers(|checker, _| {
        if checker.rule != "URI-reference" {
            return;
        }
        for sample in SAMPLES {
            (0..=sample.len()).for_each(|length| checker.check(&sample.as_bytes()[..length]));
        }
    });
}

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
