//! Complete suites, put to a subject, and what a pass proves.
//!
//! What conforms is what the reference expects (under profiles: what their machine accepts, and the components of RFC
//! 3986); that the reference accepts what the machine accepts is what `uriproof grammar --prove` proves.

use std::collections::HashSet;

use rayon::prelude::*;
use serde::Serialize;
use uriproof_grammar::complete::{Method, Suite, Suites};
use uriproof_grammar::draw::{Draw, Drawn};
use uriproof_grammar::standard::Standard;
use uriproof_grammar::{Alphabet, Machine, Text};

use super::machines::Machines;
use super::score::{Depth, Questioner, Score};
use crate::expect::Expected;
use crate::model::{Rule, Subject};

/// A suite made from the machine of a subject's own rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// HSI without extra states over one byte of each class, and the transition cover of the component machine.
    Core,
    /// The core suite, and what parsers get wrong, asked systematically (see [`Standard`]).
    Standard,
    /// HSI of the component machine with extra states, each character drawn from its class by a seed.
    Components(usize, u64),
    /// HSI with extra states over an alphabet, and how closely the subject is looked at.
    Hsi(usize, Alphabet, Depth),
}

/// What an implementation is proved to be that passes, and what not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Certificate {
    /// The rule that strings were parsed as.
    pub rule: &'static str,
    /// The language: RFC 3986, or a profile of it.
    pub language: String,
    /// How the strings were chosen, and what they are made of.
    pub method: String,
    /// How many strings were asked.
    pub strings: u64,
    /// The machine that the suite is made from.
    pub machine: MachineName,
    /// The characters that the suite takes to be treated alike, class by class.
    pub classes: Vec<String>,
    /// The conclusion.
    pub proves: String,
    /// What it rests on.
    pub assumes: Vec<String>,
    /// What does not follow.
    pub does_not_mean: Vec<String>,
}

/// A machine's identity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MachineName {
    /// The number of states, the sink included.
    pub states: usize,
    /// The number of byte classes.
    pub classes: usize,
    /// The hash, in sixteen hexadecimal digits.
    pub hash: String,
}

impl From<&Machine> for MachineName {
    fn from(machine: &Machine) -> MachineName {
        let identity = machine.identity();
        MachineName {
            states: identity.states,
            classes: identity.classes,
            hash: format!("{:016x}", identity.hash),
        }
    }
}

/// The characters of each class, spelled out.
pub(super) fn class_map(text: &Text) -> Vec<String> {
    (0..text.machine().classes()).map(|class| text.class_label(class)).collect()
}

/// What the symbols of an alphabet are as characters.
fn alphabet_of_text(alphabet: Alphabet) -> &'static str {
    match alphabet {
        Alphabet::Representatives => "one character of each class",
        Alphabet::Ascii => "the 128 characters of US-ASCII",
        Alphabet::Bytes => "256 characters, U+0000 to U+00FF and one of each class beyond",
    }
}

/// What every certificate rests on.
pub(super) fn assumptions(depth: Depth) -> Vec<String> {
    let components = match depth {
        Depth::Components => "components are compared on the strings that were asked, as far as they are told",
        Depth::Acceptance => "components were not looked at",
    };
    vec![
        "one answer a whole string, and the same one each time".to_owned(),
        components.to_owned(),
    ]
}

/// How many strings a thread takes at a time.
const BATCH: usize = 4096;

impl Choice {
    /// What a subject of which `rule` is the own rule is proved to be, if it passes with `score`: nothing, unless
    /// everything was compared and agreed.
    pub fn certificates(self, machines: &Machines, rule: Rule, score: &Score) -> Vec<Certificate> {
        if !score.is_clean() {
            return Vec::new();
        }
        match self {
            Choice::Core => vec![
                hsi(machines, rule, score, 0, Alphabet::Representatives, Depth::Components),
                transition_cover(machines, rule, score),
            ],
            Choice::Standard => {
                let mut certificates = Choice::Core.certificates(machines, rule, score);
                for certificate in &mut certificates {
                    certificate.method = format!("standard suite, of it {}", certificate.method);
                    certificate.does_not_mean.push(
                        "more on account of the strings beyond the core suite: no theorem says what they prove"
                            .to_owned(),
                    );
                }
                certificates
            }
            Choice::Components(extra, seed) => vec![components(machines, rule, score, extra, seed)],
            Choice::Hsi(extra, alphabet, depth) => vec![hsi(machines, rule, score, extra, alphabet, depth)],
        }
    }
}

fn hsi(machines: &Machines, rule: Rule, score: &Score, extra: usize, alphabet: Alphabet, depth: Depth) -> Certificate {
    let text = machines.text(rule);
    let states = text.machine().states();
    let mut assumes = assumptions(depth);
    assumes.push(
        match alphabet {
            Alphabet::Representatives => {
                "the characters of a class are treated alike in every state: one of each was asked"
            }
            Alphabet::Ascii => "characters beyond US-ASCII are treated like others of their class: they were not asked",
            Alphabet::Bytes => "characters that were not asked are treated like others of their class",
        }
        .to_owned(),
    );
    Certificate {
        rule: rule.name(),
        language: machines.language(),
        method: format!("{}, over {}", Method::Hsi(extra), alphabet_of_text(alphabet)),
        strings: score.asked(),
        machine: text.machine().into(),
        classes: class_map(text),
        proves: format!(
            "accepts every {rule} of {} and nothing else, if it is a machine of at most {} states (n = {states}, k = {extra})",
            machines.language(),
            states + extra,
        ),
        assumes,
        does_not_mean: vec![
            "that a parser with more states is right: one that counts, limits lengths or values, or remembers"
                .to_owned(),
        ],
    }
}

fn components(machines: &Machines, rule: Rule, score: &Score, extra: usize, seed: u64) -> Certificate {
    let text = machines.components_of_text();
    let states = text.machine().states();
    let mut assumes = assumptions(Depth::Components);
    assumes.push(
        "the characters of a class are treated alike in every state: of each a few were asked, drawn by the seed"
            .to_owned(),
    );
    Certificate {
        rule: rule.name(),
        language: machines.language(),
        method: format!(
            "{} of the component machine, each character drawn from its class by the seed {seed}",
            Method::Hsi(extra)
        ),
        strings: score.asked(),
        machine: text.machine().into(),
        classes: class_map(text),
        proves: format!(
            "tells of every {rule} of {} which components it has, as far as it tells them, if that is a machine of at most {} \
             states (n = {states}, k = {extra})",
            machines.language(),
            states + extra,
        ),
        assumes,
        does_not_mean: vec![
            "that a parser with more states is right: one that counts, limits lengths or values, or remembers"
                .to_owned(),
        ],
    }
}

fn transition_cover(machines: &Machines, rule: Rule, score: &Score) -> Certificate {
    let text = machines.components_of_text();
    Certificate {
        rule: rule.name(),
        language: machines.language(),
        method: format!(
            "{} of the component machine, over {}",
            Method::TransitionCover,
            alphabet_of_text(Alphabet::Representatives)
        ),
        strings: score.asked(),
        machine: text.machine().into(),
        classes: class_map(text),
        proves: "gives the right components after every transition of the component machine".to_owned(),
        assumes: assumptions(Depth::Components),
        does_not_mean: vec!["that the state behind the transition is the right one: it is not looked at".to_owned()],
    }
}

/// A suite of strings that are there, with what is expected of each: for many subjects with the same own rule.
pub struct Prepared<'a> {
    machines: &'a Machines,
    rule: Rule,
    cases: Vec<Case>,
}

struct Case {
    text: String,
    /// What is expected, if the string matches; the others are to be rejected.
    expected: Option<Expected>,
}

impl<'a> Prepared<'a> {
    /// The core suite of a rule.
    pub fn core(machines: &'a Machines, rule: Rule) -> Prepared<'a> {
        Prepared::of(machines, rule, core(machines, rule))
    }

    /// The standard suite of a rule: its core suite, and the standard suite of URI-reference.
    pub fn standard(machines: &'a Machines, rule: Rule) -> Prepared<'a> {
        let plain;
        let of_rfc3986 = if machines.profiles().is_empty() {
            machines
        } else {
            plain = Machines::of_rfc3986();
            &plain
        };
        let standard = Standard::new(of_rfc3986.of(Rule::UriReference), of_rfc3986.components());
        let mut texts = core(machines, rule);
        texts.extend(standard.strings().map(|string| String::from_utf8_lossy(string).into_owned()));
        Prepared::of(machines, rule, texts)
    }

    /// The suite of these strings, each once.
    fn of(machines: &'a Machines, rule: Rule, mut texts: Vec<String>) -> Prepared<'a> {
        let machine = machines.of(rule);
        let mut known = HashSet::with_capacity(texts.len());
        let first: Vec<bool> = texts.iter().map(|text| known.insert(&**text)).collect();
        let mut first = first.into_iter();
        texts.retain(|_| first.next() == Some(true));
        let cases = texts.into_par_iter().map(|text| Case {
            expected: machine.accepts(text.as_bytes()).then(|| machines.expected(rule, &text)),
            text,
        });
        Prepared {
            machines,
            rule,
            cases: cases.collect(),
        }
    }

    /// The strings, and of those that match what is expected.
    pub fn cases(&self) -> impl ExactSizeIterator<Item = (&str, Option<&Expected>)> {
        self.cases.iter().map(|case| (&*case.text, case.expected.as_ref()))
    }

    /// Puts the suite to a subject whose own rule is that of the suite, on all cores; `progress` is told how many strings
    /// were put since it was told last.
    pub fn put(&self, subject: &dyn Subject, progress: impl Fn(u64) + Sync) -> Score {
        let questioner = Questioner::new(subject, self.machines, Depth::Components);
        debug_assert_eq!(questioner.rule(), self.rule);
        self.cases
            .par_chunks(BATCH)
            .map(|cases| {
                let mut score = Score::default();
                for Case { text, expected } in cases {
                    questioner.put_expecting(text, expected.is_some(), expected.as_ref(), &mut score);
                }
                progress(cases.len() as u64);
                score
            })
            .reduce(Score::default, Score::merge)
    }
}

/// The strings of the core suite of a rule.
fn core(machines: &Machines, rule: Rule) -> Vec<String> {
    let acceptor = texts(machines.text(rule), Method::Hsi(0));
    acceptor.chain(texts(machines.components_of_text(), Method::TransitionCover)).collect()
}

/// The strings of a suite over one character of each class.
fn texts(text: &Text, method: Method) -> impl Iterator<Item = String> {
    let suites = Suites::new(text.machine());
    let suite = suites.suite(method, Alphabet::Representatives);
    let texts: Vec<String> = suite.map(|symbols| text.decode(&symbols)).collect();
    texts.into_iter()
}

/// Puts the HSI suite of the component machine to a subject, on all cores, each character drawn from its class; `progress`
/// is told how many strings were put since it was told last.
pub fn stream_components(
    machines: &Machines,
    (extra, seed): (usize, u64),
    subject: &dyn Subject,
    progress: impl Fn(u64) + Sync,
) -> Score {
    let questioner = Questioner::new(subject, machines, Depth::Components);
    let (text, machine) = (machines.components_of_text(), machines.of(questioner.rule()));
    let suites = Suites::new(text.machine());
    let suite = suites.suite(Method::Hsi(extra), Alphabet::Representatives);
    let mut drawn = Drawn::new(suite, text.machine(), Draw::Bytes, seed);
    let mut score = Score::default();
    loop {
        // What is drawn depends on what was drawn before, so that it is drawn by one thread.
        let strings: Vec<Vec<u8>> = drawn.by_ref().take(16 * BATCH).collect();
        if strings.is_empty() {
            return score;
        }
        score = strings
            .par_chunks(BATCH)
            .map(|strings| {
                let mut score = Score::default();
                for symbols in strings {
                    let string = text.decode(symbols);
                    questioner.put(&string, machine.accepts(string.as_bytes()), &mut score);
                }
                progress(strings.len() as u64);
                score
            })
            .reduce(Score::default, Score::merge)
            .merge(score);
    }
}

/// Puts a suite to a subject, on all cores, each string as it is made; `progress` is told how many strings were put since
/// it was told last.
pub fn stream(
    machines: &Machines,
    (extra, alphabet): (usize, Alphabet),
    depth: Depth,
    subject: &dyn Subject,
    progress: impl Fn(u64) + Sync,
) -> Score {
    let questioner = Questioner::new(subject, machines, depth);
    let text = machines.text(questioner.rule());
    let suites = Suites::new(text.machine());
    let parts: Vec<Suite<'_>> = suites.suite(Method::Hsi(extra), alphabet).parts().collect();
    parts
        .into_par_iter()
        .map(|mut part| {
            let mut score = Score::default();
            let mut string = String::new();
            let mut told = 0;
            while let Some((symbols, output)) = part.advance() {
                questioner.put(text.read(symbols, &mut string), output != 0, &mut score);
                told += 1;
                if told == BATCH as u64 {
                    progress(told);
                    told = 0;
                }
            }
            progress(told);
            score
        })
        .reduce(Score::default, Score::merge)
}
