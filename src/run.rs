//! Inputs x subjects -> results: the one loop that everything goes through.

use std::cell::RefCell;

use crate::ask::ask;
use crate::compare::{Difference, Kind, Verdict, compare, narrow_result, takes};
use crate::expect::{self, Expected};
use crate::model::{Input, Outcome, Reading, Subject, Value, Vector};

/// What a subject made of an input, beside what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Result {
    /// What was asked: the input, narrowed to the rule that the subject takes; of a normal form that is none, the normal
    /// form.
    pub input: Input,
    /// What conforms.
    pub expected: Expected,
    /// What the subject did.
    pub observed: Outcome,
    /// What the comparison says.
    pub verdict: Verdict,
}

/// Asks `subject` what a vector asks and compares it with what the vector expects under `reading`.
pub fn vector(subject: &dyn Subject, vector: &Vector, reading: Reading) -> Result {
    let expectation = vector.expectation(reading);
    input(subject, &vector.input, |asked| expect::from_vector(asked, expectation))
}

/// Asks a subject an input and compares it with what the reference expects under `reading`.
pub fn one(subject: &dyn Subject, asked: &Input, reading: Reading) -> Result {
    input(subject, asked, |asked| expect::expect(asked, reading))
}

/// Asks every subject an input and compares it with what the reference expects under `reading`; the results stand in
/// the order of the subjects.
pub fn all(subjects: &[&dyn Subject], asked: &Input, reading: Reading) -> Vec<Result> {
    // Subjects that are asked for the same rule are expected to do the same.
    let known: RefCell<Vec<(Input, Expected)>> = RefCell::default();
    let expected = |asked: &Input| {
        let mut known = known.borrow_mut();
        match known.iter().find(|(input, _)| input == asked) {
            Some((_, expected)) => expected.clone(),
            None => {
                let expected = expect::expect(asked, reading);
                known.push((asked.clone(), expected.clone()));
                expected
            }
        }
    };
    subjects.iter().map(|subject| input(*subject, asked, expected)).collect()
}

fn input(subject: &dyn Subject, input: &Input, expected: impl Fn(&Input) -> Expected) -> Result {
    let declaration = subject.declaration();
    let asked = match (takes(declaration, input), input) {
        (Err(reason), _) => {
            return Result {
                input: input.clone(),
                expected: expected(input),
                observed: Outcome::unsupported(reason.clone()),
                verdict: Verdict::NotComparable { reason },
            };
        }
        (Ok(rule), Input::Parse { input, .. }) => Input::Parse {
            rule,
            input: input.clone(),
        },
        (Ok(_), other) => other.clone(),
    };
    let expected = narrow_result(declaration, expected(&asked), &asked);
    let observed = ask(subject, &asked);
    let verdict = compare(declaration, &asked, &expected, &observed);
    if let Some(result) = not_idempotent(subject, &asked, &observed, &verdict) {
        return result;
    }
    Result {
        input: asked,
        expected,
        observed,
        verdict,
    }
}

/// What comes of normalizing again what `asked` was normalized to, if it comes out otherwise: whatever normal form a
/// subject chooses, it has to be its own normal form.
fn not_idempotent(subject: &dyn Subject, asked: &Input, first: &Outcome, verdict: &Verdict) -> Option<Result> {
    let Input::Normalize { scope, .. } = asked else {
        return None;
    };
    let Outcome::Accepted {
        value: Value::Uri(normal),
    } = first
    else {
        return None;
    };
    if matches!(verdict, Verdict::Diverge(_)) {
        return None;
    }
    let again = Input::Normalize {
        uri: normal.clone(),
        scope: *scope,
    };
    let second = ask(subject, &again);
    if second == *first {
        return None;
    }
    let kind = match second {
        Outcome::Crashed { .. } => Kind::Crashed,
        Outcome::TimedOut { .. } => Kind::TimedOut,
        Outcome::Accepted { .. } | Outcome::Rejected { .. } | Outcome::Unsupported { .. } => Kind::NotIdempotent,
    };
    Some(Result {
        input: asked.clone(),
        expected: Expected::literally(first.clone()),
        observed: second,
        verdict: Verdict::Diverge(Difference {
            kind,
            components: Vec::new(),
        }),
    })
}
