//! Inputs x subjects -> results: the one loop that everything goes through.

use std::cell::RefCell;

use crate::ask::ask;
use crate::compare::{Verdict, compare, narrow_result, takes};
use crate::expect::{self, Expected};
use crate::model::{Input, Outcome, Reading, Subject, Vector};

/// What a subject made of an input, beside what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Result {
    /// What was asked: the input, narrowed to the rule that the subject takes.
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
    input(subject, &vector.input, |asked| {
        let rule = match asked {
            Input::Parse { rule, .. } => Some(*rule),
            _ => None,
        };
        expect::from_vector(expectation, rule)
    })
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
    Result {
        input: asked,
        expected,
        observed,
        verdict,
    }
}
