//! Inputs x subjects -> results: the one loop that everything goes through.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

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

/// Asks `subject` an input and compares it with what the reference expects under `reading`.
pub fn any(subject: &dyn Subject, asked: &Input, reading: Reading) -> Result {
    input(subject, asked, |asked| expect::expect(asked, reading))
}

fn input(subject: &dyn Subject, input: &Input, expected: impl Fn(&Input) -> Expected) -> Result {
    let profile = subject.profile();
    let asked = match (takes(profile, input), input) {
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
    let expected = narrow_result(profile, expected(&asked), &asked);
    let observed = ask(subject, &asked);
    let verdict = compare(profile, &asked, &expected, &observed);
    Result {
        input: asked,
        expected,
        observed,
        verdict,
    }
}

/// Asks `subject`; a panic is an outcome.
pub fn ask(subject: &dyn Subject, input: &Input) -> Outcome {
    let operation = input.operation();
    if !subject.profile().operations.contains(&operation) {
        return Outcome::unsupported(format!("no operation `{operation}`"));
    }
    guarded(|| match input {
        Input::Parse { rule, input } => subject.parse(*rule, input),
        Input::Resolve {
            base,
            reference,
            strict,
        } => subject.resolve(base, reference, *strict),
        Input::Normalize { uri, scope } => subject.normalize(uri, *scope),
        Input::Compose { components } => subject.compose(components),
        Input::Equivalent { left, right, rung } => subject.equivalent(left, right, *rung),
    })
}

thread_local! {
    static IN_SUBJECT: Cell<bool> = const { Cell::new(false) };
    static LAST_PANIC: Cell<Option<String>> = const { Cell::new(None) };
}

/// Calls into a subject. Its panics are caught, and not printed: the hook of the process is replaced once by one that
/// passes on every panic but those.
fn guarded(call: impl FnOnce() -> Outcome) -> Outcome {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if IN_SUBJECT.get() {
                let payload = info.payload();
                let message = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
                    (Some(message), _) => message,
                    (_, Some(message)) => message.as_str(),
                    (None, None) => "a panic without a message",
                };
                let file = info.location().map(panic::Location::file);
                let file = file.and_then(|file| file.rsplit(['/', '\\']).next()).unwrap_or_default();
                LAST_PANIC.set(Some(format!("{message} ({file})")));
            } else {
                previous(info);
            }
        }));
    });
    let outer = IN_SUBJECT.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(call));
    IN_SUBJECT.set(outer);
    result.unwrap_or_else(|_| Outcome::Crashed {
        reason: LAST_PANIC.take().unwrap_or_else(|| "a panic without a message".to_owned()),
    })
}
