//! A fault in a rule shows in every vector that the rule decides.

use std::collections::BTreeMap;

use uriproof::model::{Components, Expectation, HostKind, Input, Observed, Outcome, Reading, Rule, Vector};
use uriproof::vectors::Library;
use uriproof_grammar::abnf::Element;
use uriproof_grammar::derive::Derivation;
use uriproof_grammar::{Deriver, Grammar, rfc3986};

use crate::clauses::decided;

/// How a rule is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It matches nothing.
    Never,
    /// It matches anything.
    Anything,
    /// Its alternative with this number, from 1, is lost.
    Without(usize),
}

/// Clauses in prose, and the rules in which they show.
pub(crate) const PROSE: &[(&str, &[&str])] = &[
    (
        "§2/limited-set",
        &[
            "userinfo",
            "reg-name",
            "pchar",
            "segment-nz-nc",
            "query",
            "fragment",
            "scheme",
            "port",
            "IPv6address",
            "IPvFuture",
        ],
    ),
    ("§2.1/triplet", &["pct-encoded"]),
    ("§3.1/begins-with-letter", &["scheme"]),
    ("§3.1/accept-uppercase", &["scheme"]),
    ("§3.2/terminated", &["authority"]),
    ("§3.2/preceded-by-double-slash", &["authority"]),
    ("§3.2.1/at-sign", &["userinfo"]),
    ("§3.2.2/first-match-wins", &["IPv4address"]),
    (
        "§3.2.2/square-brackets",
        &[
            "userinfo",
            "reg-name",
            "pchar",
            "segment-nz-nc",
            "query",
            "fragment",
            "IP-literal",
            "authority",
        ],
    ),
    ("§3.2.2/ipv6-leading-zeroes", &["h16"]),
    ("§3.2.2/ipv6-trailing-ipv4", &["ls32"]),
    ("§3.2.2/ipv6-elision", &["IPv6address"]),
    ("§3.2.3/single-colon", &["port"]),
    ("§3.3/always-defined", &["path-abempty"]),
    ("§3.3/dot-segments", &["path-abempty"]),
    ("§3.3/first-segment-colon", &["scheme", "segment-nz-nc", "query"]),
    ("§3.3/no-double-slash", &["authority"]),
    ("§3.3/opaque-segment", &["sub-delims"]),
    ("§3.3/path-after-authority", &["path-abempty"]),
    ("§3.3/terminated", &["query", "fragment"]),
    ("§3.4/indicated", &["query"]),
    ("§3.5/indicated", &["fragment"]),
    (
        "§4.2/colon-in-first-segment",
        &["scheme", "segment-nz-nc", "relative-ref"],
    ),
    ("§4.2/dot-segment-guard", &["path-noscheme"]),
    ("§4.5/suffix-reference", &["path-noscheme"]),
    (
        "§5.3/undefined-and-empty",
        &["query", "fragment", "authority", "userinfo", "port"],
    ),
    ("§7.3/split-before-decoding", &["pct-encoded", "userinfo"]),
    ("§7.4/common-form-only", &["IPv4address"]),
    ("§7.4/number-bases", &["IPv4address"]),
    ("§7.4/one-number", &["IPv4address"]),
    ("§7.4/rare-formats", &["IPv4address"]),
    ("§7.4/three-numbers", &["IPv4address"]),
    ("§7.4/two-numbers", &["IPv4address"]),
    ("§B/regular-expression", &["URI"]),
    ("§C/wrappers", &["scheme", "pchar", "relative-ref"]),
    ("§D.2/nothing-after-the-scheme", &["path-empty"]),
];

/// What breaks a clause of the grammar; nothing for a clause of another kind.
pub(crate) fn faults(clause: &str) -> Vec<(&'static str, Fault)> {
    let name = clause.split_once('/').expect("an id has a slash").1;
    let whole = |rule: &'static str| [(rule, Fault::Never), (rule, Fault::Anything)];
    if let Some(rule) = Rule::from_name(name) {
        return whole(rule.name()).into();
    }
    if let Some((rule, number)) = name.rsplit_once('-')
        && let (Some(rule), Ok(number)) = (Rule::from_name(rule), number.parse())
    {
        return vec![(rule.name(), Fault::Without(number))];
    }
    let prose = PROSE.iter().filter(|(id, _)| *id == clause).flat_map(|(_, rules)| *rules);
    prose.flat_map(|rule| whole(rule)).collect()
}

/// A string that no vector has, for a rule that matches nothing.
const NEVER: &str = "%x00.01.00.01.00.01.00.01";

/// What a rule that matches too much matches: anything, but where the rule is one of many that follow each other, not
/// what ends it there.
fn too_much(rule: &str, is_alone: bool) -> String {
    // The delimiters are in ascending order.
    let but = |text: &str, delimiters: &str| {
        let mut ranges = Vec::new();
        let mut first = 0;
        for delimiter in delimiters.bytes() {
            ranges.push(format!("%x{first:02X}-{:02X}", delimiter - 1));
            first = delimiter + 1;
        }
        ranges.push(format!("%x{first:02X}-FF"));
        text.replace("BYTE", &format!("( {} )", ranges.join(" / ")))
    };
    match rule {
        _ if is_alone => "*%x00-FF".to_owned(),
        "pct-encoded" => "( \"%\" / %xE2.84.96 ) *4( ALPHA / DIGIT / %x80-FF )".to_owned(),
        "unreserved" | "reserved" | "gen-delims" | "sub-delims" | "pchar" => but("BYTE", "#/?"),
        "dec-octet" => "*( ALPHA / DIGIT )".to_owned(),
        "h16" => "1*5( ALPHA / DIGIT )".to_owned(),
        "ls32" => "*( ALPHA / DIGIT / \":\" / \".\" )".to_owned(),
        "scheme" => but("*BYTE", "#/:?"),
        "userinfo" | "host" | "reg-name" | "port" | "authority" | "IPv4address" => but("*BYTE", "#/?"),
        "segment" | "segment-nz" | "segment-nz-nc" => but("*BYTE", "#/?"),
        "IP-literal" | "path-abempty" | "path-absolute" | "path-noscheme" | "path-rootless" | "path-empty" => {
            but("*BYTE", "#?")
        }
        "query" => but("*BYTE", "#"),
        _ => "*%x00-FF".to_owned(),
    }
}

/// The grammar with a fault; `is_alone` says that the rule is parsed by itself.
pub(crate) fn broken(grammar: &Grammar, rule: &str, fault: Fault, is_alone: bool) -> Grammar {
    let other = |text: &str| Grammar::read(&format!("{rule} = {text}\n")).expect("it is ABNF");
    match fault {
        Fault::Never => grammar.overridden(&other(NEVER)),
        Fault::Anything => grammar.overridden(&other(&too_much(rule, is_alone))),
        Fault::Without(number) => {
            let mut element = grammar.rule(rule).expect("it is defined").element.clone();
            let alternatives = alternation(&mut element).unwrap_or_else(|| panic!("{rule} has no alternatives"));
            assert!(
                (1..=alternatives.len()).contains(&number),
                "{rule} has no alternative {number}"
            );
            alternatives.remove(number - 1);
            grammar.with_rule(rule, element)
        }
    }
}

/// The alternatives of a rule: its outermost ones.
fn alternation(element: &mut Element) -> Option<&mut Vec<Element>> {
    match element {
        Element::Alternation(alternatives) => Some(alternatives),
        Element::Concatenation(parts) => parts.iter_mut().find_map(alternation),
        Element::Repetition { element, .. } | Element::Option(element) | Element::Group(element) => {
            alternation(element)
        }
        _ => None,
    }
}

/// What a vector of `rule` can say of an input: nothing but that it matches, or the components.
fn parse(deriver: &Deriver<'_>, rule: Rule, input: &str) -> Expectation {
    let Some(tree) = deriver.derive(input.as_bytes()) else {
        return Expectation::Rejected;
    };
    if !matches!(
        rule,
        Rule::UriReference | Rule::Uri | Rule::AbsoluteUri | Rule::RelativeRef
    ) {
        return Expectation::Accepted;
    }
    let text = |part: &Derivation<'_>| String::from_utf8_lossy(part.text(input.as_bytes())).into_owned();
    let of = |name: &str| tree.find(name).map(text);
    let host = tree.find("host");
    let is = |kind: &str| host.is_some_and(|host| host.find(kind).is_some());
    let kinds = [
        ("IPv6address", HostKind::Ipv6),
        ("IPvFuture", HostKind::Ipvfuture),
        ("IPv4address", HostKind::Ipv4),
    ];
    let paths = ["path-abempty", "path-absolute", "path-noscheme", "path-rootless"];
    Expectation::Components(Components {
        scheme: of("scheme"),
        userinfo: of("userinfo"),
        host: host.map(text),
        host_kind: host
            .map(|_| kinds.into_iter().find(|(kind, _)| is(kind)).map_or(HostKind::RegName, |(_, kind)| kind)),
        port: of("port"),
        path: paths.into_iter().find_map(of).unwrap_or_default(),
        query: of("query"),
        fragment: of("fragment"),
    })
}

/// What comes of inputs by a grammar, one deriver a rule.
pub(crate) struct Answers<'g> {
    grammar: &'g Grammar,
    derivers: BTreeMap<Rule, Deriver<'g>>,
}

impl<'g> Answers<'g> {
    /// Those by `grammar`.
    pub(crate) fn of(grammar: &'g Grammar) -> Answers<'g> {
        Answers {
            grammar,
            derivers: BTreeMap::new(),
        }
    }

    fn deriver(&mut self, rule: Rule) -> &Deriver<'g> {
        let grammar = self.grammar;
        self.derivers
            .entry(rule)
            .or_insert_with(|| Deriver::compile(grammar, rule.name()).unwrap_or_else(|error| panic!("{rule}: {error}")))
    }

    /// What a parse gives; of another operation, the refusal of what does not match. Nothing where the grammar has no part.
    pub(crate) fn answer(&mut self, input: &Input) -> Option<Outcome> {
        let references = match input {
            Input::Parse { rule, input: text } => {
                return Some(match parse(self.deriver(*rule), *rule, text) {
                    Expectation::Components(components) => Outcome::components(components),
                    Expectation::Accepted => Outcome::components(Observed::default()),
                    _ => Outcome::rejected("does not match"),
                });
            }
            Input::Compose { .. } => return None,
            other => other.uris(),
        };
        let deriver = self.deriver(Rule::UriReference);
        let matches = references.into_iter().all(|text| deriver.derive(text.as_bytes()).is_some());
        (!matches).then(|| Outcome::rejected("does not match"))
    }
}

fn is_parse(vector: &Vector) -> bool {
    matches!(vector.input, Input::Parse { .. })
}

/// Does to every vector that `clause` decides what `faults` do to the grammar, and tells the vectors that do not notice.
fn unnoticed<'v>(grammar: &Grammar, clause: &str, vectors: &[&'v Vector]) -> Vec<&'v str> {
    let mut open: Vec<&Vector> = vectors.to_vec();
    for (name, fault) in faults(clause) {
        for is_alone in [false, true] {
            let faulty = broken(grammar, name, fault, is_alone);
            let mut derivers: BTreeMap<Rule, Deriver<'_>> = BTreeMap::new();
            open.retain(|vector| match &vector.input {
                Input::Parse { rule, input } if (rule.name() == name) == is_alone => {
                    let deriver = derivers.entry(*rule).or_insert_with(|| {
                        Deriver::compile(&faulty, rule.name()).unwrap_or_else(|error| panic!("{clause}: {error}"))
                    });
                    parse(deriver, *rule, input) == *vector.expectation(Reading::Rfc3986)
                }
                _ => true,
            });
        }
    }
    open.into_iter().filter(|vector| is_parse(vector)).map(|vector| vector.id.as_str()).collect()
}

#[test]
fn a_broken_clause_of_the_grammar_shows_in_every_vector_that_it_decides() {
    let library = Library::embedded();
    let grammar = rfc3986::grammar();
    let missed: Vec<&str> =
        decided(&library).iter().flat_map(|(clause, vectors)| unnoticed(&grammar, clause, vectors)).collect();
    assert_eq!(missed, Vec::<&str>::new());
}

#[test]
fn every_alternative_of_the_grammar_is_there_and_has_its_number() {
    let library = Library::embedded();
    let grammar = rfc3986::grammar();
    for clause in &library.clauses {
        for (rule, fault) in faults(&clause.id) {
            broken(&grammar, rule, fault, false);
        }
    }
    for rule in Rule::ALL {
        let element = grammar.rule(rule.name()).map(|rule| rule.element.clone());
        let mut element = element.unwrap_or_else(|| panic!("{rule} is not in the grammar"));
        // Those with one definition have no alternatives; an option is none.
        let count = alternation(&mut element).map_or(0, |alternatives| alternatives.len());
        let registered = |number: usize| {
            let name = format!("/{rule}-{number}");
            library.clauses.iter().any(|clause| clause.id.ends_with(&name))
        };
        assert!(
            (1..=count).all(registered),
            "not every alternative of {rule} is in the register"
        );
        assert!(
            !registered(count + 1),
            "{rule} has {count} alternatives, and more in the register"
        );
    }
}

#[test]
fn the_grammar_as_it_is_derives_what_the_vectors_expect() {
    let library = Library::embedded();
    let grammar = rfc3986::grammar();
    let mut derivers: BTreeMap<Rule, Deriver<'_>> = BTreeMap::new();
    for vector in library.vectors() {
        if let Input::Parse { rule, input } = &vector.input {
            let deriver = derivers.entry(*rule).or_insert_with(|| {
                Deriver::compile(&grammar, rule.name()).unwrap_or_else(|error| panic!("{rule}: {error}"))
            });
            assert_eq!(
                parse(deriver, *rule, input),
                *vector.expectation(Reading::Rfc3986),
                "{}",
                vector.id
            );
        }
    }
}
