//! Complete suites, put to a subject, and what a pass proves.
//!
//! What conforms is what the reference expects (under profiles: what their machine accepts, and the components of RFC
//! 3986); that the reference accepts what the machine accepts is what `uriproof grammar --prove` proves.

use std::collections::HashSet;

use rayon::prelude::*;
use serde::Serialize;
use uriproof::compare::own_rule;
use uriproof::expect::Expected;
use uriproof::model::{Declaration, Rule, Subject};
use uriproof_grammar::complete::{Method, Suite, Suites};
use uriproof_grammar::draw::{Draw, Drawn};
use uriproof_grammar::standard::Standard;
use uriproof_grammar::{Alphabet, Machine, TextMachine};

use super::exposed::{exposed_names, presence};
use super::machines::Machines;
use super::score::{Depth, Questioner, Score, Stopped, is_ascii_only};

/// A suite made from the machine of a subject's own rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuiteChoice {
    /// HSI without extra states over one byte of each class, and the transition cover of the component machine.
    Core,
    /// The core suite, and what parsers get wrong, systematically (see [`Standard`]).
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
    /// How many strings were run in all, these among them.
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

/// Equal certificates once, each with the labels of those who earned it.
pub fn by_earners<'a>(
    earned: impl IntoIterator<Item = (&'a str, &'a [Certificate])>,
) -> Vec<(&'a [Certificate], Vec<&'a str>)> {
    let mut distinct: Vec<(&[Certificate], Vec<&str>)> = Vec::new();
    for (label, certificates) in earned.into_iter().filter(|(_, certificates)| !certificates.is_empty()) {
        match distinct.iter_mut().find(|(known, _)| *known == certificates) {
            Some((_, labels)) => labels.push(label),
            None => distinct.push((certificates, vec![label])),
        }
    }
    distinct
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
pub(super) fn class_map(text: &TextMachine, ascii_only: bool) -> Vec<String> {
    let labels = (0..text.machine().classes()).map(|class| match ascii_only {
        true => text.ascii_label(class),
        false => text.class_label(class),
    });
    labels.filter(|label| !label.is_empty()).collect()
}

/// What the symbols of an alphabet are as characters.
fn alphabet_of_text(alphabet: Alphabet) -> &'static str {
    match alphabet {
        Alphabet::Representatives => "one character of each class",
        Alphabet::Ascii => "the 128 characters of US-ASCII",
        Alphabet::Bytes => "256 characters, those of US-ASCII and of each class beyond some",
    }
}

/// What every certificate rests on.
pub(super) fn assumptions(declaration: &Declaration, depth: Depth) -> Vec<String> {
    let components = match depth.of(declaration) {
        Depth::Components => {
            format!(
                "components are compared on the strings that were asked: {}",
                exposed_names(declaration)
            )
        }
        Depth::Acceptance => "components were not looked at".to_owned(),
    };
    vec![
        "one answer a whole string, and the same one each time".to_owned(),
        components,
    ]
}

/// What a certificate of a subject that follows RFC 3987 says where it is measured by RFC 3986 alone.
const ASCII_ONLY: &str =
    "anything of strings beyond US-ASCII: RFC 3987 governs them, and `--profile claimed` measures by it";

/// How many strings a thread takes at a time.
const BATCH: usize = 4096;

impl SuiteChoice {
    /// What a subject is proved to be that passes with `score`: nothing, unless everything was compared and agreed.
    pub fn certificates(self, machines: &Machines, declaration: &Declaration, score: &Score) -> Vec<Certificate> {
        if !score.is_clean() {
            return Vec::new();
        }
        let passed = Passed {
            machines,
            declaration,
            rule: own_rule(declaration),
            strings: score.answers(),
            ascii_only: is_ascii_only(machines, declaration),
        };
        match self {
            SuiteChoice::Core => {
                let mut certificates = vec![passed.hsi(0, Alphabet::Representatives, Depth::Components)];
                // Of a subject that tells no component, no transition of the component machine shows.
                if Depth::Components.of(declaration) == Depth::Components {
                    certificates.push(passed.transition_cover());
                }
                certificates
            }
            SuiteChoice::Standard => {
                let mut certificates = SuiteChoice::Core.certificates(machines, declaration, score);
                for certificate in &mut certificates {
                    certificate.method = format!("standard suite, of it {}", certificate.method);
                    certificate.does_not_mean.push(
                        "more on account of the strings beyond the core suite: no theorem says what they prove"
                            .to_owned(),
                    );
                }
                certificates
            }
            SuiteChoice::Components(extra, seed) => vec![passed.components(extra, seed)],
            SuiteChoice::Hsi(extra, alphabet, depth) => vec![passed.hsi(extra, alphabet, depth)],
        }
    }
}

/// A subject that has passed.
struct Passed<'a> {
    machines: &'a Machines,
    declaration: &'a Declaration,
    rule: Rule,
    strings: u64,
    ascii_only: bool,
}

impl Passed<'_> {
    fn certificate(&self, text: &TextMachine, method: String, depth: Depth) -> Certificate {
        Certificate {
            rule: self.rule.name(),
            language: self.machines.language(),
            method,
            strings: self.strings,
            machine: text.machine().into(),
            classes: class_map(text, self.ascii_only),
            proves: String::new(),
            assumes: assumptions(self.declaration, depth),
            does_not_mean: if self.ascii_only {
                vec![ASCII_ONLY.to_owned()]
            } else {
                Vec::new()
            },
        }
    }

    /// Of which strings something is proved.
    fn scope(&self) -> &'static str {
        if self.ascii_only {
            ", of the strings of US-ASCII,"
        } else {
            ""
        }
    }

    fn hsi(&self, extra: usize, alphabet: Alphabet, depth: Depth) -> Certificate {
        let text = self.machines.text(self.rule);
        let states = text.machine().states();
        let method = format!("{}, over {}", Method::Hsi(extra), alphabet_of_text(alphabet));
        let mut certificate = self.certificate(text, method, depth);
        certificate.proves = format!(
            "accepts{} every {} of {} and nothing else, if it is a machine of at most {} states (n = {states}, k = {extra})",
            self.scope(),
            self.rule,
            self.machines.language(),
            states + extra,
        );
        certificate.assumes.push(
            match alphabet {
                Alphabet::Representatives => {
                    "the characters of a class are treated alike in every state: one of each was asked"
                }
                Alphabet::Ascii | Alphabet::Bytes => {
                    "characters that were not asked are treated like others of their class"
                }
            }
            .to_owned(),
        );
        certificate.does_not_mean.push(COUNTING.to_owned());
        certificate
    }

    fn components(&self, extra: usize, seed: u64) -> Certificate {
        let text = TextMachine::of(&presence(self.machines, self.declaration, self.rule));
        let states = text.machine().states();
        let method = format!(
            "{} of the machine that says which components there are, each character drawn from its class by the seed {seed}",
            Method::Hsi(extra)
        );
        let mut certificate = self.certificate(&text, method, Depth::Components);
        certificate.proves = format!(
            "accepts{} every {} of {} and nothing else, and tells which components it has, as far as it tells any, if that \
             is a machine of at most {} states (n = {states}, k = {extra})",
            self.scope(),
            self.rule,
            self.machines.language(),
            states + extra,
        );
        certificate.assumes.push(
            "the characters of a class are treated alike in every state: of each a few were asked, drawn by the seed"
                .to_owned(),
        );
        certificate.does_not_mean.push(COUNTING.to_owned());
        certificate
    }

    fn transition_cover(&self) -> Certificate {
        let text = self.machines.components_of_text();
        let method = format!(
            "{} of the machine that tells the components of a URI-reference apart, over {}",
            Method::TransitionCover,
            alphabet_of_text(Alphabet::Representatives)
        );
        let mut certificate = self.certificate(text, method, Depth::Components);
        certificate.proves = format!(
            "tells{} what is right after each transition of that machine, taken once",
            self.scope()
        );
        certificate
            .does_not_mean
            .push("that the state behind the transition is the right one: it is not looked at".to_owned());
        certificate
    }
}

/// What no suite with a bound on the states proves.
const COUNTING: &str =
    "that a parser with more states is right: one that counts, limits lengths or values, or remembers";

/// A suite of strings that are there, with what is expected of each: for many subjects with the same own rule.
pub struct Prepared<'a> {
    machines: &'a Machines,
    rule: Rule,
    cases: Vec<SuiteString>,
}

struct SuiteString {
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
        let cases = texts.into_par_iter().map(|text| SuiteString {
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

    /// Puts the suite to a subject whose own rule is that of the suite, on all cores, within its budget; `progress` is told
    /// how many strings were put since it was told last.
    pub fn put(&self, subject: &dyn Subject, progress: impl Fn(u64) + Sync, stopped: Stopped<'_>) -> Score {
        let questioner = Questioner::new(subject, self.machines, Depth::Components).until(stopped);
        debug_assert_eq!(questioner.rule(), self.rule);
        let questioner = questioner.within_budget(|| self.cases.len() as u128);
        let put = |(batch, cases): (usize, &[SuiteString])| {
            let mut part = questioner.part((batch * BATCH) as u128);
            for SuiteString { text, expected } in cases {
                if part.is_cut() {
                    break;
                }
                part.put(text, expected.is_some(), expected.as_ref());
            }
            progress(cases.len() as u64);
            part.score
        };
        let chunks = self.cases.par_chunks(BATCH).enumerate();
        let score = questioner.in_order(|| chunks.map(put).reduce(Score::default, Score::merge));
        questioner.explain(score)
    }
}

/// The strings of the core suite of a rule.
fn core(machines: &Machines, rule: Rule) -> Vec<String> {
    let acceptor = texts(machines.text(rule), Method::Hsi(0));
    acceptor.chain(texts(machines.components_of_text(), Method::TransitionCover)).collect()
}

/// The strings of a suite over one character of each class.
fn texts(text: &TextMachine, method: Method) -> impl Iterator<Item = String> {
    let suites = Suites::new(text.machine());
    let suite = suites.suite(method, Alphabet::Representatives);
    let texts: Vec<String> = suite.map(|symbols| text.decode(&symbols)).collect();
    texts.into_iter()
}

/// Puts the HSI suite of the component machine to a subject, on all cores, each character drawn from its class, within its
/// budget; `progress` is told how many strings were put since it was told last.
pub fn stream_components(
    machines: &Machines,
    (extra, seed): (usize, u64),
    subject: &dyn Subject,
    progress: impl Fn(u64) + Sync,
    stopped: Stopped<'_>,
) -> Score {
    let questioner = Questioner::new(subject, machines, Depth::Components).until(stopped);
    let text = TextMachine::of(&presence(machines, subject.declaration(), questioner.rule()));
    let machine = machines.of(questioner.rule());
    let suites = Suites::new(text.machine());
    let suite = suites.suite(Method::Hsi(extra), Alphabet::Representatives);
    let questioner =
        questioner.within_budget(|| suites.suite(Method::Hsi(extra), Alphabet::Representatives).count() as u128);
    let mut drawn = Drawn::new(suite, text.machine(), Draw::Bytes, seed);
    let mut score = Score::default();
    let mut before = 0;
    loop {
        // What is drawn depends on what was drawn before, so that it is drawn by one thread.
        let strings: Vec<Vec<u8>> = drawn.by_ref().take(16 * BATCH).collect();
        if strings.is_empty() || score.is_cut {
            return questioner.explain(score);
        }
        let put = |(batch, strings): (usize, &[Vec<u8>])| {
            let mut part = questioner.part(before + (batch * BATCH) as u128);
            for symbols in strings {
                if part.is_cut() {
                    break;
                }
                let string = text.decode(symbols);
                part.put(&string, machine.accepts(string.as_bytes()), None);
            }
            progress(strings.len() as u64);
            part.score
        };
        let chunks = strings.par_chunks(BATCH).enumerate();
        score = questioner.in_order(|| chunks.map(put).reduce(Score::default, Score::merge)).merge(score);
        before += strings.len() as u128;
    }
}

/// Puts a suite to a subject, on all cores, each string as it is made, within its budget; `progress` is told how many
/// strings were put since it was told last.
pub fn stream(
    machines: &Machines,
    (extra, alphabet): (usize, Alphabet),
    depth: Depth,
    subject: &dyn Subject,
    progress: impl Fn(u64) + Sync,
    stopped: Stopped<'_>,
) -> Score {
    let questioner = Questioner::new(subject, machines, depth).until(stopped);
    let text = machines.text(questioner.rule());
    let suites = Suites::new(text.machine());
    let parts: Vec<Suite<'_>> = suites.suite(Method::Hsi(extra), alphabet).parts().collect();
    // Where each part begins in the suite, and where the last ends: a subject without a budget need not know.
    let mut ends = vec![0; parts.len() + 1];
    let questioner = questioner.within_budget(|| {
        let counts: Vec<u128> = parts.par_iter().map(|part| part.clone().count() as u128).collect();
        for (at, count) in counts.into_iter().enumerate() {
            ends[at + 1] = ends[at] + count;
        }
        ends[parts.len()]
    });
    let put = |(mut strings, &begin): (Suite<'_>, &u128)| {
        let mut part = questioner.part(begin);
        let mut string = String::new();
        while let Some((symbols, output)) = strings.advance() {
            if part.is_cut() {
                break;
            }
            part.put(text.read(symbols, &mut string), output != 0, None);
            if part.done().is_multiple_of(BATCH as u64) {
                progress(BATCH as u64);
            }
        }
        progress(part.done() % BATCH as u64);
        part.score
    };
    let parts = parts.into_par_iter().zip(&ends);
    let score = questioner.in_order(|| parts.map(put).reduce(Score::default, Score::merge));
    questioner.explain(score)
}
