//! What is stored of an answer.

use uriproof::compare::{DifferenceKind, Verdict};
use uriproof::model::{Input, Outcome, Subject, Value};
use uriproof::run::{self, Result};
use uriproof_grammar::Fnv;

use super::without_words;

/// An answer, as far as it is stored: whole if it is one of few, else a hash of all that the subject reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// It agrees with what RFC 3986 says; which conforming outcome it is does not matter.
    Agrees,
    /// The subject does not take the input, or has no such operation.
    Unsupported,
    /// It refuses the input.
    Rejected,
    /// It says that the two are equivalent, or that they are not.
    Equivalent(bool),
    /// Anything else.
    Hash(u64),
}

impl Code {
    /// Of what a subject answers to an input, which need not be comparable.
    pub(super) fn of(subject: &dyn Subject, input: &Input) -> Code {
        run::unless_agreeing(subject, input).map_or(Code::Agrees, |result| Code::of_result(&result))
    }

    fn of_result(result: &Result) -> Code {
        match first_of(result) {
            Some(first) => Code::of_outcomes(&[&first, &result.observed]),
            None => Code::of_outcome(&result.observed),
        }
    }

    /// Of an answer that does not agree.
    pub(super) fn of_outcome(outcome: &Outcome) -> Code {
        match outcome {
            Outcome::Unsupported { .. } => Code::Unsupported,
            Outcome::Rejected { .. } => Code::Rejected,
            Outcome::Accepted {
                value: Value::Equivalent(is_equivalent),
            } => Code::Equivalent(*is_equivalent),
            _ => Code::of_outcomes(&[outcome]),
        }
    }

    /// FNV-1a of outcomes as JSON, without their words: it is the same on every platform and with every compiler.
    pub(super) fn of_outcomes(outcomes: &[&Outcome]) -> Code {
        let json = |outcome: &&Outcome| serde_json::to_vec(&without_words(outcome)).unwrap_or_default();
        Code::Hash(Fnv::of(outcomes.iter().flat_map(json)))
    }

    /// The number that the hash of a line is made of.
    pub(super) fn number(self) -> u64 {
        match self {
            Code::Agrees => 0,
            Code::Unsupported => 1,
            Code::Rejected => 2,
            Code::Equivalent(false) => 3,
            Code::Equivalent(true) => 4,
            Code::Hash(hash) => hash,
        }
    }
}

/// The first answer of a normalizer whose result differs if it is normalized again: then `observed` is the second.
pub(super) fn first_of(result: &Result) -> Option<Outcome> {
    match &result.verdict {
        Verdict::Diverge(difference) if difference.kind == DifferenceKind::NotIdempotent => {
            Some(result.expected.literal())
        }
        _ => None,
    }
}
