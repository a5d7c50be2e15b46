//! The proof of the reference: the rule functions, Appendix B with the component rules, and the components, against the
//! machines compiled from Appendix A; and Appendix A against a regular expression written by hand.
//!
//! Where both sides are machines, their product decides. A function is a black box: the evidence for it is a complete
//! suite over every character up to U+00FF (complete for every function that is a machine of at most as many states over
//! these characters), every string up to a length over one character of each class, and random walks.

use std::collections::HashSet;

use rayon::prelude::*;
use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::{start, syntax};
use regex_automata::{Anchored, util::primitives::StateID};
use rfc3986_reference::components::{Reference, parse};
use rfc3986_reference::grammar::HostKind;
use rfc3986_reference::recompose::recompose;
use rfc3986_reference::split::split;
use serde::Serialize;
use uriproof::model::{Reading, Rule};
use uriproof_grammar::complete::{Method, Suites};
use uriproof_grammar::{Alphabet, Dfa, Moore, State};

use super::complete::MachineName;
use super::machines::Machines;

const PLAIN: Reading = Reading::Rfc3986;

/// The seed of the random walks.
pub const SEED: u64 = 3986;

/// How much evidence is gathered for functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The longest strings of the exhaustive check.
    pub longest: usize,
    /// How many random walks are checked for each rule.
    pub walks: u64,
    /// The suite that the components are compared on.
    pub components: (Method, Alphabet),
}

impl Extent {
    /// What continuous integration checks.
    pub const FAST: Extent = Extent {
        longest: 3,
        walks: 10_000,
        components: (Method::Hsi(0), Alphabet::Representatives),
    };

    /// Everything.
    pub const FULL: Extent = Extent {
        longest: 5,
        walks: 1_000_000,
        components: (Method::Hsi(0), Alphabet::Bytes),
    };
}

/// A claim, the evidence for it, and whether it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProofClaim {
    /// What is claimed.
    pub claim: String,
    /// The machine that the claim is about.
    pub machine: MachineName,
    /// Whether the evidence decides, as a product of machines does; else it is as complete as `evidence` says.
    pub exact: bool,
    /// What was done.
    pub evidence: String,
    /// How many strings, or pairs of states, were compared.
    pub compared: u64,
    /// A string that shows the claim to be wrong.
    pub counterexample: Option<String>,
}

/// Proves the reference, on all cores; `progress` gets every claim that is done, and how many there are.
pub fn prove(machines: &Machines, extent: Extent, progress: impl Fn(&ProofClaim, usize) + Sync) -> Vec<ProofClaim> {
    let mut works: Vec<Box<dyn Fn() -> ProofClaim + Sync + '_>> = Vec::new();
    // Those that take longest begin first.
    works.push(Box::new(move || the_components(machines, extent)));
    works.push(Box::new(move || appendix_b(machines, extent)));
    for rule in [
        Rule::UriReference,
        Rule::Uri,
        Rule::AbsoluteUri,
        Rule::RelativeRef,
        Rule::Ipv6Address,
    ] {
        works.push(Box::new(move || by_hand(machines, rule)));
    }
    for &rule in Rule::ALL {
        works.push(Box::new(move || the_function(machines, rule, extent)));
    }
    let count = works.len();
    let mut claims: Vec<(bool, ProofClaim)> = works
        .par_iter()
        .with_max_len(1)
        .map(|work| {
            let claim = work();
            progress(&claim, count);
            (claim.exact, claim)
        })
        .collect();
    claims.sort_by_key(|(exact, _)| !exact);
    claims.into_iter().map(|(_, claim)| claim).collect()
}

/// Strings that were compared, until one shows a difference.
struct StringComparison<'a> {
    machine: &'a Dfa,
    holds: &'a dyn Fn(&str, State) -> bool,
    compared: u64,
    counterexample: Option<String>,
}

impl StringComparison<'_> {
    fn compare(&mut self, text: &str) {
        self.compare_in_state(text, self.machine.machine().run(text.as_bytes()));
    }

    fn compare_in_state(&mut self, text: &str, state: State) {
        self.compared += 1;
        if self.counterexample.is_none() && !(self.holds)(text, state) {
            self.counterexample = Some(text.to_owned());
        }
    }

    fn every_string(&mut self, string: &mut String, state: State, longest: usize) {
        self.compare_in_state(string, state);
        if string.len() < longest {
            for &byte in self.machine.machine().representatives() {
                string.push(char::from(byte));
                self.every_string(string, self.machine.step(state, byte), longest);
                string.pop();
            }
        }
    }
}

/// A function against a machine: `holds` is given a string and the machine's state after it.
fn function(claim: String, machine: &Dfa, extent: Extent, holds: impl Fn(&str, State) -> bool) -> ProofClaim {
    let mut comparison = StringComparison {
        machine,
        holds: &holds,
        compared: 0,
        counterexample: None,
    };
    let suites = Suites::new(machine.machine());
    let mut suite = suites.suite(Method::Hsi(0), Alphabet::Bytes);
    while let Some((string, _)) = suite.advance() {
        // A function takes characters: those with the numbers of the bytes.
        comparison.compare(string);
    }
    let of_the_suite = comparison.compared;
    comparison.every_string(&mut String::new(), machine.start(), extent.longest);
    let mut random = fastrand::Rng::with_seed(SEED);
    for _ in 0..extent.walks {
        comparison.compare(&walk(machine, &mut random));
    }
    ProofClaim {
        claim,
        machine: machine.machine().into(),
        exact: false,
        evidence: format!(
            "{of_the_suite} strings of {} over the characters U+0000 to U+00FF; every string of up to {} characters over \
             one of each class; {} random walks, seed {SEED}",
            Method::Hsi(0),
            extent.longest,
            extent.walks
        ),
        compared: comparison.compared,
        counterexample: comparison.counterexample,
    }
}

/// A walk through a machine that mostly avoids the state from which nothing can match, with the odd character of its own.
fn walk(machine: &Dfa, random: &mut fastrand::Rng) -> String {
    let representatives = machine.machine().representatives();
    let mut string = String::new();
    let mut state = machine.start();
    for _ in 0..random.usize(0..24) {
        let mut byte = random.u8(..128);
        let mut next = machine.step(state, byte);
        for _ in 0..8 {
            if !machine.is_dead(next) {
                break;
            }
            byte = representatives[random.usize(0..representatives.len())];
            next = machine.step(state, byte);
        }
        string.push(if random.u8(..) == 0 { '\u{e9}' } else { char::from(byte) });
        state = next;
    }
    string
}

fn the_function(machines: &Machines, rule: Rule, extent: Extent) -> ProofClaim {
    let machine = machines.of(rule);
    let (claim, offsets) = match rule {
        Rule::UriReference => (
            format!(
                "the function of {rule} accepts what its machine accepts, and its errors stand behind the longest viable prefix"
            ),
            true,
        ),
        _ => (
            format!("the function of {rule} accepts what its machine accepts"),
            false,
        ),
    };
    function(claim, machine, extent, |text, state| match rule.matches(text, PLAIN) {
        Ok(()) => machine.is_accepting(state),
        Err(error) => {
            !machine.is_accepting(state) && (!offsets || error.offset == machine.longest_viable_prefix(text.as_bytes()))
        }
    })
}

/// Appendix B, then each component by its rule.
fn appendix_b(machines: &Machines, extent: Extent) -> ProofClaim {
    let machine = machines.of(Rule::UriReference);
    let matches = |rule: Rule, text: &str| rule.matches(text, PLAIN).is_ok();
    let accepts = |text: &str| {
        let parts = split(text);
        let paths: &[Rule] = match (parts.scheme, parts.authority) {
            (_, Some(_)) => &[Rule::PathAbempty],
            (Some(_), None) => &[Rule::PathAbsolute, Rule::PathRootless, Rule::PathEmpty],
            (None, None) => &[Rule::PathAbsolute, Rule::PathNoscheme, Rule::PathEmpty],
        };
        parts.scheme.is_none_or(|scheme| matches(Rule::Scheme, scheme))
            && parts.authority.is_none_or(|authority| matches(Rule::Authority, authority))
            && paths.iter().any(|&path| matches(path, &parts.path))
            && parts.query.is_none_or(|query| matches(Rule::Query, query))
            && parts.fragment.is_none_or(|fragment| matches(Rule::Fragment, fragment))
    };
    function(
        "the expression of Appendix B, and each component by its rule, accept what the machine of URI-reference accepts"
            .to_owned(),
        machine,
        extent,
        |text, state| accepts(text) == machine.is_accepting(state),
    )
}

fn the_components(machines: &Machines, extent: Extent) -> ProofClaim {
    let moore = machines.extended();
    let reference = machines.of(Rule::UriReference);
    let (mut compared, mut counterexample) = (0_u64, None);
    let mut compare = |text: &str| {
        compared += 1;
        let holds = match parse(text, PLAIN) {
            Ok(reference) => {
                moore.output(text.as_bytes()) == mask(&moore, &reference) && recompose(&reference.components) == text
            }
            Err(_) => moore.output(text.as_bytes()) == 0,
        };
        if !holds {
            counterexample.get_or_insert_with(|| text.to_owned());
        }
    };
    let suites = Suites::new(moore.machine());
    let mut suite = suites.suite(extent.components.0, extent.components.1);
    let mut of_the_suite = 0_u64;
    while let Some((text, _)) = suite.advance() {
        of_the_suite += 1;
        compare(text);
    }
    every_string(
        moore.machine().representatives(),
        extent.longest,
        &mut String::new(),
        &mut compare,
    );
    let mut random = fastrand::Rng::with_seed(SEED);
    for _ in 0..extent.walks {
        compare(&walk(reference, &mut random));
    }
    ProofClaim {
        claim: "the components of the reference, and which of them are empty, are those of the extended component machine, \
                and put together they are the string"
            .to_owned(),
        machine: moore.machine().into(),
        exact: false,
        evidence: format!(
            "{of_the_suite} strings of {} over {}; every string of up to {} characters over one of each class; {} random \
             walks, seed {SEED}",
            extent.components.0,
            match extent.components.1 {
                Alphabet::Bytes => "the characters U+0000 to U+00FF",
                _ => "one character of each class",
            },
            extent.longest,
            extent.walks
        ),
        compared,
        counterexample,
    }
}

fn every_string(characters: &[u8], longest: usize, string: &mut String, compare: &mut impl FnMut(&str)) {
    compare(string);
    if string.len() < longest {
        for &character in characters {
            string.push(char::from(character));
            every_string(characters, longest, string, compare);
            string.pop();
        }
    }
}

/// The mask that the components of a reference make, by the names of the views.
fn mask(moore: &Moore, reference: &Reference<'_>) -> u32 {
    let components = &reference.components;
    let authority = reference.authority.as_ref();
    let kind = authority.map(|authority| authority.host_kind);
    let path = &*components.path;
    let userinfo = authority.and_then(|authority| authority.userinfo);
    let port = authority.and_then(|authority| authority.port);
    let has = |view: &str| match view {
        "has-scheme" => components.scheme.is_some(),
        "is-relative" => components.scheme.is_none(),
        "has-authority" => authority.is_some(),
        "has-userinfo" => userinfo.is_some(),
        "has-port" => port.is_some(),
        "has-query" => components.query.is_some(),
        "has-fragment" => components.fragment.is_some(),
        "host-ipv6" => kind == Some(HostKind::Ipv6),
        "host-ipvfuture" => kind == Some(HostKind::IpvFuture),
        "host-ipv4" => kind == Some(HostKind::Ipv4),
        // Every IPv4address is a reg-name, too.
        "host-reg-name" => matches!(kind, Some(HostKind::RegName | HostKind::Ipv4)),
        "uses-path-absolute" => authority.is_none() && path.starts_with('/'),
        "uses-path-noscheme" => components.scheme.is_none() && !path.is_empty() && !path.starts_with('/'),
        "uses-path-rootless" => components.scheme.is_some() && !path.is_empty() && !path.starts_with('/'),
        "uses-path-empty" => authority.is_none() && path.is_empty(),
        "empty-userinfo" => userinfo == Some(""),
        "empty-host" => authority.is_some_and(|authority| authority.host.is_empty()),
        "empty-port" => port == Some(""),
        "empty-path-abempty" => authority.is_some() && path.is_empty(),
        "empty-query" => components.query == Some(""),
        "empty-fragment" => components.fragment == Some(""),
        other => panic!("view {other} is not compared"),
    };
    moore.views().iter().enumerate().fold(0, |mask, (bit, view)| mask | u32::from(has(view)) << bit)
}

/// RFC 3986's syntax once more, written by hand as a regular expression: authority and path by what may follow, IPv6 by
/// the number of groups before and behind the elision.
fn expression(rule: Rule) -> String {
    let pct = "%[0-9A-Fa-f]{2}";
    let plain = "[A-Za-z0-9._~!$&'()*+,;=-]";
    let pchar = format!("(?:{plain}|[:@]|{pct})");
    let h = "[0-9A-Fa-f]{1,4}";
    let octet = "(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])";
    let v4 = format!(r"{octet}(?:\.{octet}){{3}}");
    let elided = [
        format!("::(?:{h}(?::{h}){{0,6}}|(?:{h}:){{0,5}}{v4})?"),
        format!("{h}::(?:{h}(?::{h}){{0,5}}|(?:{h}:){{0,4}}{v4})?"),
        format!("{h}:{h}::(?:{h}(?::{h}){{0,4}}|(?:{h}:){{0,3}}{v4})?"),
        format!("(?:{h}:){{2}}{h}::(?:{h}(?::{h}){{0,3}}|(?:{h}:){{0,2}}{v4})?"),
        format!("(?:{h}:){{3}}{h}::(?:{h}(?::{h}){{0,2}}|(?:{h}:)?{v4})?"),
        format!("(?:{h}:){{4}}{h}::(?:{h}(?::{h})?|{v4})?"),
        format!("(?:{h}:){{5}}{h}::(?:{h})?"),
        format!("(?:{h}:){{6}}{h}::"),
    ]
    .join("|");
    let v6 = format!("(?:(?:{h}:){{7}}{h}|(?:{h}:){{6}}{v4}|{elided})");
    let future = r"[vV][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+";
    let name = format!("(?:{plain}|{pct})*");
    let authority = format!(r"(?:(?:{plain}|:|{pct})*@)?(?:\[(?:{v6}|{future})\]|{name})(?::[0-9]*)?");
    let scheme = "[A-Za-z][A-Za-z0-9+.-]*:";
    // Behind an authority a path is empty or absolute; without one it does not begin with "//".
    let with_authority = format!("//{authority}(?:/{pchar}*)*");
    let absolute = format!("/(?:{pchar}+(?:/{pchar}*)*)?");
    let rootless = format!("{pchar}+(?:/{pchar}*)*");
    let no_colon = format!("(?:{plain}|@|{pct})+(?:/{pchar}*)*");
    let query = format!(r"(?:\?(?:{pchar}|[/?])*)?");
    let tail = format!("{query}(?:#(?:{pchar}|[/?])*)?");
    let hier = format!("{scheme}(?:{with_authority}|{absolute}|{rootless}|)");
    let relative = format!("(?:{with_authority}|{absolute}|{no_colon}|)");
    match rule {
        Rule::Ipv6Address => v6,
        Rule::Uri => format!("{hier}{tail}"),
        Rule::AbsoluteUri => format!("{hier}{query}"),
        Rule::RelativeRef => format!("{relative}{tail}"),
        _ => format!("(?:{hier}|{relative}){tail}"),
    }
}

/// The product of a rule's machine with the automaton of the expression written by hand, over all 256 bytes.
fn by_hand(machines: &Machines, rule: Rule) -> ProofClaim {
    let machine = machines.of(rule);
    let regex = dense::Builder::new()
        .configure(dense::Config::new().start_kind(StartKind::Anchored).minimize(false))
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .thompson(thompson::Config::new().utf8(false))
        .build(&format!(r"\A(?:{})\z", expression(rule)))
        .unwrap_or_else(|error| panic!("the expression of {rule}: {error}"));
    let anchored = start::Config::new().anchored(Anchored::Yes);
    let theirs = regex.start_state(&anchored).unwrap_or_else(|error| panic!("the expression of {rule}: {error}"));
    let mut known: HashSet<(StateID, State)> = HashSet::from([(theirs, machine.start())]);
    let mut open = vec![((theirs, machine.start()), Vec::new())];
    let mut counterexample: Option<Vec<u8>> = None;
    while let Some(((theirs, ours), input)) = open.pop() {
        // This crate reports a match one byte late, and here at the end of the input.
        if regex.is_match_state(regex.next_eoi_state(theirs)) != machine.is_accepting(ours) {
            counterexample.get_or_insert_with(|| input.clone());
        }
        for byte in 0..=255 {
            let next = (regex.next_state(theirs, byte), machine.step(ours, byte));
            if known.insert(next) {
                open.push((next, [&input[..], &[byte]].concat()));
            }
        }
    }
    ProofClaim {
        claim: format!("the machine of {rule} accepts what a regular expression written by hand matches"),
        machine: machine.machine().into(),
        exact: true,
        evidence: format!(
            "the product of both machines, {} pairs of states over all 256 bytes",
            known.len()
        ),
        compared: known.len() as u64,
        counterexample: counterexample.map(|input| input.escape_ascii().to_string()),
    }
}
