//! Inputs x subjects -> results: the one loop that everything goes through.
mod brief;
mod counts;
mod sample;
mod text;

use std::borrow::Cow;

pub(crate) use brief::unless_agreeing_in_turn;
pub use brief::{
    Brief, Disagreeing, all_but_agreeing, expected, in_brief, literal, observed_in_brief, one_in_brief, unless_agreeing,
};
pub use counts::Counts;
pub use sample::Sample;

use crate::ask::ask;
use crate::compare::{Choice, Difference, DifferenceKind, Verdict, compare, narrow_result, takes};
use crate::expect::{self, Expected};
use crate::model::{Component, Declaration, Input, Outcome, Reading, Rule, Subject, Value, Values, Vector};
use crate::severity::Severity;

/// What a subject made of an input, beside what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Result {
    /// The input as it was run: narrowed to the rule that the subject takes; of a normal form that is none, the normal
    /// form.
    pub input: Input,
    /// What conforms.
    pub expected: Expected,
    /// What the subject did.
    pub observed: Outcome,
    /// What the comparison says.
    pub verdict: Verdict,
    /// The choice that the answer to a vector makes, if it conforms and several outcomes do.
    pub choice: Option<Choice>,
}

/// Runs a vector on `subject` and compares the outcome with the one that the vector expects under `reading`.
pub fn vector(subject: &dyn Subject, vector: &Vector, reading: Reading) -> Result {
    vector_observed(subject, vector, reading, None)
}

/// As [`vector`], where it may be known already what the subject did.
pub(crate) fn vector_observed(
    subject: &dyn Subject,
    vector: &Vector,
    reading: Reading,
    observed: Option<Outcome>,
) -> Result {
    let expectation = vector.expectation(reading);
    let answer = input(subject, &vector.input, observed, |asked| {
        Cow::Owned(expect::from_vector(asked, expectation))
    });
    let mut result = answer.into_result();
    if let Verdict::Agree { .. } = result.verdict {
        result.choice = Choice::of(subject.declaration(), &result.input, &result.expected, &result.observed);
    }
    result
}

/// Runs an input on a subject and compares the outcome with the one that the reference expects under `reading`.
pub fn one(subject: &dyn Subject, asked: &Input, reading: Reading) -> Result {
    one_observed(subject, asked, reading, None)
}

/// As [`one`], where it may be known already what the subject did.
pub(crate) fn one_observed(
    subject: &dyn Subject,
    asked: &Input,
    reading: Reading,
    observed: Option<Outcome>,
) -> Result {
    input(subject, asked, observed, |asked| {
        Cow::Owned(expect::expect(asked, reading))
    })
    .into_result()
}

/// Runs an input on every subject and compares with what the reference expects under `reading`; the results are in
/// the order of the subjects.
pub fn all(subjects: &[&dyn Subject], asked: &Input, reading: Reading) -> Vec<Result> {
    let mut known = ExpectedByRule::new(reading, |asked: &Input| expect::expect(asked, reading));
    subjects.iter().map(|subject| known.put(*subject, asked).into_result()).collect()
}

/// What is expected of one input, by the rule that subjects are asked for: those that are asked for the same rule are
/// expected to do the same.
struct ExpectedByRule<E> {
    reading: Reading,
    expect: E,
    expected: Vec<(Option<Rule>, Expected)>,
}

impl<E: Fn(&Input) -> Expected> ExpectedByRule<E> {
    /// As `expect` says, which is of this reading.
    fn new(reading: Reading, expect: E) -> ExpectedByRule<E> {
        let expected = Vec::new();
        ExpectedByRule {
            reading,
            expect,
            expected,
        }
    }

    fn put<'a>(&'a mut self, subject: &dyn Subject, asked: &'a Input) -> BorrowedResult<'a> {
        self.put_observed(subject, asked, None)
    }

    /// As [`put`](ExpectedByRule::put), where it may be known already what the subject did.
    fn put_observed<'a>(
        &'a mut self,
        subject: &dyn Subject,
        asked: &'a Input,
        observed: Option<Outcome>,
    ) -> BorrowedResult<'a> {
        input(subject, asked, observed, move |asked| {
            Cow::Borrowed(self.expected(asked))
        })
    }

    fn expected(&mut self, asked: &Input) -> &Expected {
        let rule = match asked {
            Input::Parse { rule, .. } => Some(*rule),
            _ => None,
        };
        let is_known = |(known, expected): &(Option<Rule>, Expected)| {
            *known == rule
                || self.reading == Reading::Rfc3986
                    && *known == Some(Rule::UriReference)
                    && rule.is_some_and(|rule| expected.holds_for(rule))
        };
        let place = self.expected.iter().position(is_known).unwrap_or_else(|| {
            self.expected.push((rule, (self.expect)(asked)));
            self.expected.len() - 1
        });
        &self.expected[place].1
    }
}

/// A [`Result`] before anything is copied for it.
#[derive(Clone)]
struct BorrowedResult<'a> {
    asked: Cow<'a, Input>,
    expected: Cow<'a, Expected>,
    observed: Outcome,
    verdict: Verdict,
}

impl BorrowedResult<'_> {
    fn into_result(self) -> Result {
        Result {
            input: self.asked.into_owned(),
            expected: self.expected.into_owned(),
            observed: self.observed,
            verdict: self.verdict,
            choice: None,
        }
    }
}

fn input<'a>(
    subject: &dyn Subject,
    input: &'a Input,
    observed: Option<Outcome>,
    expected: impl FnOnce(&Input) -> Cow<'a, Expected>,
) -> BorrowedResult<'a> {
    let declaration = subject.declaration();
    let asked = match put(declaration, input) {
        Err(reason) => {
            return BorrowedResult {
                asked: Cow::Borrowed(input),
                expected: expected(input),
                observed: Outcome::unsupported(reason.clone()),
                verdict: Verdict::NotComparable { reason },
            };
        }
        Ok(asked) => asked,
    };
    let expected = of_data(declaration, &asked).map_or_else(|| expected(&asked), Cow::Owned);
    let expected = narrow_result(declaration, expected, &asked);
    let expected = match declaration.claim {
        Some(claim) => claim.expected(declaration, &asked, expected),
        None => expected,
    };
    let observed = observed.unwrap_or_else(|| ask(subject, &asked));
    let verdict = compare(declaration, &asked, &expected, &observed);
    let by_claim = |observed: &Outcome, verdict: Verdict| match declaration.claim {
        Some(claim) => claim.verdict(&asked, observed, verdict),
        None => verdict,
    };
    if let Some(again) = not_idempotent(subject, &asked, &observed, &verdict) {
        let verdict = by_claim(&again.observed, again.verdict);
        return BorrowedResult { verdict, ..again };
    }
    let verdict = by_claim(&observed, verdict);
    let mut result = BorrowedResult {
        asked,
        expected,
        observed,
        verdict,
    };
    if !declaration.validates {
        let verdict = without_validation(&result.clone().into_result());
        result.verdict = verdict.unwrap_or(result.verdict);
    }
    if matches!(result.verdict, Verdict::Diverge(_)) && subject.knows(&result.asked, &result.observed) {
        result.verdict = Verdict::NotComparable {
            reason: KNOWN.to_owned(),
        };
    }
    result
}

/// Why a wrong answer that a baseline names is not compared.
pub const KNOWN: &str = "known by the baseline";

/// Why what is accepted though it is invalid is no failure of a subject that does not validate.
pub const UNVALIDATED: &str = "accepted, though invalid, as one that does not validate";

/// The verdict on a result of a subject that [does not validate](Declaration::validates), if that makes it another one: what it accepts
/// though it is invalid is not compared, unless its userinfo, host or port, or those of the URI that it returns, are others than the
/// input's.
pub fn without_validation(result: &Result) -> Option<Verdict> {
    let Verdict::Diverge(difference) = &result.verdict else {
        return None;
    };
    let is_unvalidated = difference.kind == DifferenceKind::AcceptedInvalid
        && Severity::of_difference(result, difference) == Severity::AcceptedInvalid;
    is_unvalidated.then(|| Verdict::NotComparable {
        reason: UNVALIDATED.to_owned(),
    })
}

/// What is expected of a subject that takes values for data where one has a "%", which it encodes too; `None` where that makes no
/// difference.
fn of_data(declaration: &Declaration, input: &Input) -> Option<Expected> {
    let encoded = |text: &str| text.replace('%', "%25");
    let input = match input {
        _ if declaration.values == Values::Text => return None,
        Input::Modify { uri, component, value } => Input::Modify {
            uri: uri.clone(),
            component: *component,
            value: Some(value.as_deref().filter(|value| value.contains('%')).map(encoded)?),
        },
        Input::Compose { components } => {
            let texts =
                Component::TEXTS.into_iter().filter_map(|component| Some((component, components.text(component)?)));
            let changed: Vec<(Component, String)> = texts
                .filter(|(_, text)| text.contains('%'))
                .map(|(component, text)| (component, encoded(text)))
                .collect();
            if changed.is_empty() {
                return None;
            }
            let components = changed.into_iter().fold(components.clone(), |components, (component, text)| {
                components.with(component, Some(&text))
            });
            Input::Compose { components }
        }
        Input::Parse { .. }
        | Input::Resolve { .. }
        | Input::Normalize { .. }
        | Input::Equivalent { .. }
        | Input::Relativize { .. }
        | Input::RoundTrip { .. }
        | Input::Contract { .. } => return None,
    };
    Some(expect::expect(&input, Reading::Rfc3986))
}

/// What is put to a subject of an input: it is parsed by the subject's own rule.
///
/// # Errors
///
/// Why nothing is put to it.
pub(crate) fn put<'a>(declaration: &Declaration, input: &'a Input) -> std::result::Result<Cow<'a, Input>, String> {
    Ok(match (takes(declaration, input)?, input) {
        (own, Input::Parse { rule, input }) if own != *rule => Cow::Owned(Input::Parse {
            rule: own,
            input: input.clone(),
        }),
        _ => Cow::Borrowed(input),
    })
}

/// What a subject is given of an input, as a [`Result`] has it; `None` if it has no such operation, or takes no such input.
pub fn given<'a>(declaration: &Declaration, input: &'a Input) -> Option<Cow<'a, Input>> {
    let has_operation = declaration.operations.contains(&input.operation());
    has_operation.then(|| put(declaration, input).ok()).flatten()
}

/// What comes of normalizing again what `asked` was normalized to, if it comes out otherwise: whatever normal form a
/// subject chooses, it has to be its own normal form.
fn not_idempotent(
    subject: &dyn Subject,
    asked: &Input,
    first: &Outcome,
    verdict: &Verdict,
) -> Option<BorrowedResult<'static>> {
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
    let is_known = || subject.knows(asked, first) && subject.knows(&again, &second);
    if second == *first || is_known() {
        return None;
    }
    let kind = match second {
        Outcome::Crashed { .. } => DifferenceKind::Crashed,
        Outcome::TimedOut { .. } => DifferenceKind::TimedOut,
        Outcome::Accepted { .. } | Outcome::Rejected { .. } | Outcome::Unsupported { .. } => {
            DifferenceKind::NotIdempotent
        }
    };
    Some(BorrowedResult {
        asked: Cow::Owned(asked.clone()),
        expected: Cow::Owned(Expected::literally(first.clone())),
        observed: second,
        verdict: Verdict::Diverge(Difference::of_kind(kind)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Components, Operation};

    /// Takes what it is given for data, or for text of a URI.
    struct Setter {
        declaration: Declaration,
        encodes: bool,
    }

    impl Setter {
        fn new(values: Values, encodes: bool) -> Setter {
            let operations = &[Operation::Modify, Operation::Compose];
            Setter {
                declaration: Declaration::new("setter", "1", "set", operations).with_values(values),
                encodes,
            }
        }

        fn value(&self, text: &str) -> String {
            if self.encodes {
                text.replace('%', "%25")
            } else {
                text.to_owned()
            }
        }

        fn diverges(&self, input: &Input) -> bool {
            matches!(one(self, input, Reading::Rfc3986).verdict, Verdict::Diverge(_))
        }
    }

    impl Subject for Setter {
        fn declaration(&self) -> &Declaration {
            &self.declaration
        }

        fn parse(&self, _: Rule, _: &str) -> Outcome {
            Outcome::unsupported("no operation `parse`")
        }

        fn compose(&self, components: &Components) -> Outcome {
            Outcome::uri(format!("x://h{}", self.value(&components.path)))
        }

        fn modify(&self, _: &str, _: Component, value: Option<&str>) -> Outcome {
            Outcome::uri(format!("x://h{}", self.value(value.unwrap_or_default())))
        }
    }

    #[test]
    fn data_is_encoded_and_text_is_not() {
        let modify = |path: &str| Input::Modify {
            uri: "x://h/p".to_owned(),
            component: Component::Path,
            value: Some(path.to_owned()),
        };
        let compose = |path: &str| Input::Compose {
            components: Components {
                scheme: Some("x".to_owned()),
                host: Some("h".to_owned()),
                path: path.to_owned(),
                ..Components::default()
            },
        };
        for input in [modify("/a%20b"), compose("/a%20b")] {
            assert!(Setter::new(Values::Text, true).diverges(&input), "{input}");
            assert!(!Setter::new(Values::Text, false).diverges(&input), "{input}");
            assert!(!Setter::new(Values::Data, true).diverges(&input), "{input}");
            assert!(Setter::new(Values::Data, false).diverges(&input), "{input}");
        }
        for input in [modify("/a"), compose("/a")] {
            assert!(!Setter::new(Values::Data, true).diverges(&input), "{input}");
        }
    }
}
