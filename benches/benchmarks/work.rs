//! What is counted: the same inputs put through more and more of the loop.

use std::hint::black_box;
use std::sync::LazyLock;

use uriproof::compare::Verdict;
use uriproof::expect::expect;
use uriproof::model::{Input, Operation, Outcome, Reading, Rule, Subject};
use uriproof::run;
use uriproof::screen;
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::generate::Generator;
use uriproof_lab::targets::{CharacterSignature, Mode, Signature, Watch};
use url::Url;
use whatwg_url_reference::parser::basic_url_parser;
use whatwg_url_reference::serializer::{UrlFragment, serialize};

use crate::bare::{self, RESOLVERS, SEVEN};
use crate::by_hand;

const READING: Reading = Reading::Rfc3986;

/// How many inputs a round has.
pub(crate) const INPUTS: usize = 400;

/// How far an input goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The crates alone.
    Bare,
    /// The subjects: the crates, and every component shown or URI told.
    Subjects,
    /// The reference alone: what is expected at first; as the loop has it, with strings split by the machine.
    Reference,
    /// Asked, expected, compared; what does not agree is kept.
    Compared,
    /// The same, and the class of what differs as integers: the whole loop.
    Classified,
    /// The same, and what differs held against the profile of its subject, as a fuzz target does that stops on news.
    Predicted,
    /// The crates, and what came out compared between them, as somebody writes it by hand.
    ByHand,
    /// The crate `url` alone.
    UrlCrate,
    /// The reference of the URL Standard alone.
    UrlStandard,
}

impl Stage {
    /// Those of the loop.
    pub(crate) const LOOP: [Stage; 7] = [
        Stage::Bare,
        Stage::Subjects,
        Stage::Reference,
        Stage::Compared,
        Stage::Classified,
        Stage::Predicted,
        Stage::ByHand,
    ];

    /// Returns the stage with a name.
    pub(crate) fn from_name(name: &str) -> Option<Stage> {
        Stage::LOOP.into_iter().chain([Stage::UrlCrate, Stage::UrlStandard]).find(|stage| stage.name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Stage::Bare => "bare",
            Stage::Subjects => "subjects",
            Stage::Reference => "reference",
            Stage::Compared => "compared",
            Stage::Classified => "classified",
            Stage::Predicted => "predicted",
            Stage::ByHand => "by-hand",
            Stage::UrlCrate => "url",
            Stage::UrlStandard => "url-standard",
        }
    }
}

/// Which inputs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputKind {
    /// Strings to parse.
    Parse,
    /// Bases and references to resolve, strictly, at which none panics: a panic costs as much as hundreds of answers.
    Resolve,
    /// Strings to parse on which all seven agree with the reference.
    Agreeing,
    /// Bases and references to resolve on which all six do.
    AgreeingResolve,
    /// Strings that `url` and the reference of the URL Standard parse to the same URL.
    Url,
}

impl InputKind {
    pub(crate) const ALL: [InputKind; 5] = [
        InputKind::Parse,
        InputKind::Resolve,
        InputKind::Agreeing,
        InputKind::AgreeingResolve,
        InputKind::Url,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            InputKind::Parse => "parse",
            InputKind::Resolve => "resolve",
            InputKind::Agreeing => "agreeing",
            InputKind::AgreeingResolve => "agreeing-resolve",
            InputKind::Url => "url",
        }
    }

    fn subjects(self) -> &'static [&'static dyn Subject] {
        match self {
            InputKind::Parse | InputKind::Agreeing => &SEVEN,
            InputKind::Resolve | InputKind::AgreeingResolve => &RESOLVERS,
            InputKind::Url => &[],
        }
    }
}

/// Inputs of a kind, as the hunt generates them.
pub(crate) fn inputs(kind: InputKind, count: usize) -> Vec<Input> {
    let operation = match kind {
        InputKind::Parse | InputKind::Agreeing | InputKind::Url => Operation::Parse,
        InputKind::Resolve | InputKind::AgreeingResolve => Operation::Resolve,
    };
    let mut generator = Generator::of(3986, &[operation]);
    let is_meant = |input: &Input| match (kind, input) {
        (InputKind::Parse, Input::Parse { rule, .. }) => *rule == Rule::UriReference,
        (InputKind::Resolve, Input::Resolve { strict, .. }) => *strict && none_panics(input),
        (InputKind::Agreeing, Input::Parse { rule, .. }) => *rule == Rule::UriReference && all_agree(kind, input),
        (InputKind::AgreeingResolve, Input::Resolve { strict, .. }) => *strict && all_agree(kind, input),
        (InputKind::Url, Input::Parse { input, .. }) => is_one_url(input),
        _ => false,
    };
    let has_it = |subject: &&dyn Subject| subject.declaration().operations.contains(&operation);
    assert!(
        kind.subjects().iter().all(has_it),
        "a subject that has no such operation is fast"
    );
    std::iter::repeat_with(|| generator.next_input()).filter(is_meant).take(count).collect()
}

/// How many answers there are to an input of a kind, and how many of them diverge, in the mean.
pub(crate) fn answers(kind: InputKind, count: usize) -> (f64, f64) {
    let (mut answers, mut diverging) = (0, 0);
    for input in inputs(kind, count) {
        let counts = run::in_brief(kind.subjects().iter().copied().enumerate(), &input).counts;
        answers += counts.answers();
        diverging += counts.diverge;
    }
    (answers as f64 / count as f64, diverging as f64 / count as f64)
}

fn none_panics(input: &Input) -> bool {
    let results = run::all(&RESOLVERS, input, READING);
    !results.iter().any(|result| matches!(result.observed, Outcome::Crashed { .. }))
}

fn all_agree(kind: InputKind, input: &Input) -> bool {
    run::all(kind.subjects(), input, READING).iter().all(|result| matches!(result.verdict, Verdict::Agree { .. }))
}

/// Whether `url` and the reference of the URL Standard have the same URL.
fn is_one_url(text: &str) -> bool {
    let standard = basic_url_parser(text, None).url.map(|url| serialize(&url, UrlFragment::Included));
    standard.is_some_and(|standard| Url::parse(text).is_ok_and(|url| url.as_str() == standard))
}

/// Puts every input through a stage, in each of so many rounds.
pub(crate) fn work(stage: Stage, kind: InputKind, inputs: &[Input], rounds: usize) {
    // It is compiled once, whoever asks first; and the expressions of the reference, which is run beside it now and then, build
    // their own machines from what they meet.
    screen::ready();
    for input in inputs {
        black_box(expect(input, READING));
    }
    if stage == Stage::Predicted {
        return watch(kind.subjects(), inputs, rounds);
    }
    for _ in 0..rounds {
        for input in inputs {
            put(stage, kind.subjects(), black_box(input));
        }
    }
}

/// It is read once, which is no part of an input's cost.
static LEDGER: LazyLock<Ledger> = LazyLock::new(uriproof_cli::known::ledger);

/// What is due to be looked at stays so: of the built-in subjects the ledger knows it.
fn watch(subjects: &[&dyn Subject], inputs: &[Input], rounds: usize) {
    let mut watch = Watch::new(subjects, LEDGER.clone(), Mode::Abort);
    for _ in 0..rounds {
        for input in inputs {
            watch.ask(b"", black_box(input));
        }
    }
    black_box(watch.figures());
}

fn put(stage: Stage, subjects: &[&dyn Subject], input: &Input) {
    match (stage, input) {
        (Stage::ByHand, Input::Parse { input, .. }) => {
            black_box(by_hand::parse(input));
        }
        (Stage::ByHand, Input::Resolve { base, reference, .. }) => {
            black_box(by_hand::resolve(base, reference));
        }
        (Stage::Bare, Input::Parse { input, .. }) => bare::parse(input),
        (Stage::Bare, Input::Resolve { base, reference, .. }) => bare::resolve(base, reference),
        (Stage::Subjects, Input::Parse { input, .. }) => {
            for subject in subjects {
                subject.show(subject.declaration().rules[0], input, &mut |shown| {
                    black_box(shown);
                });
            }
        }
        (
            Stage::Subjects,
            Input::Resolve {
                base,
                reference,
                strict,
            },
        ) => {
            for subject in subjects {
                black_box(subject.resolve(base, reference, *strict));
            }
        }
        (Stage::Reference, Input::Parse { input, .. }) => {
            black_box(screen::components(input));
        }
        (Stage::Reference, _) => drop(black_box(run::literal(input))),
        (Stage::Compared, _) => drop(black_box(run::in_brief(subjects.iter().copied().enumerate(), input))),
        (Stage::Classified, _) => {
            let diverging = run::in_brief(subjects.iter().copied().enumerate(), input).diverging;
            if !diverging.is_empty() {
                black_box(CharacterSignature::of(input));
            }
            for (subject, brief) in diverging {
                black_box(Signature::of(subject, input, &brief));
            }
        }
        (Stage::Predicted, _) => unreachable!("a watch has a state"),
        (Stage::UrlCrate, Input::Parse { input, .. }) => drop(black_box(Url::parse(input))),
        (Stage::UrlStandard, Input::Parse { input, .. }) => drop(black_box(basic_url_parser(input, None))),
        (Stage::Bare | Stage::Subjects | Stage::ByHand | Stage::UrlCrate | Stage::UrlStandard, _) => {
            unreachable!("inputs are to parse or to resolve")
        }
    }
}
