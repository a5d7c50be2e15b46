//! Inputs x subjects -> results: the one loop that everything goes through.

use std::borrow::Cow;

#[cfg(feature = "divergence")]
use rfc3986_reference::components::ReferenceRule;
#[cfg(feature = "divergence")]
use rfc3986_reference::recompose::recompose;
#[cfg(feature = "divergence")]
use rfc3986_reference::resolve::{Strictness, resolve};

use crate::ask::{self, ask};
use crate::compare::{Difference, Kind, Verdict, compare, narrow_result, takes};
#[cfg(feature = "divergence")]
use crate::compare::{Seen, compare_shown, is_ascii, is_uri_literally};
use crate::expect::{self, Expected};
#[cfg(feature = "divergence")]
use crate::model::{Declaration, Observed, Shown};
use crate::model::{Input, Outcome, Reading, Rule, Subject, Value, Vector};
#[cfg(feature = "divergence")]
use crate::screen;

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
    input(subject, &vector.input, None, |asked| {
        Cow::Owned(expect::from_vector(asked, expectation))
    })
    .into_result()
}

/// Asks a subject an input and compares it with what the reference expects under `reading`.
pub fn one(subject: &dyn Subject, asked: &Input, reading: Reading) -> Result {
    input(subject, asked, None, |asked| Cow::Owned(expect::expect(asked, reading))).into_result()
}

/// Asks every subject an input and compares it with what the reference expects under `reading`; the results stand in
/// the order of the subjects.
pub fn all(subjects: &[&dyn Subject], asked: &Input, reading: Reading) -> Vec<Result> {
    let mut known = Known::new(reading);
    subjects.iter().map(|subject| known.put(*subject, asked).into_result()).collect()
}

/// What of an input did not agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreeing<T> {
    /// How many answers could not be compared.
    pub not_compared: u64,
    /// What diverges, each with the place of its subject.
    pub diverging: Vec<(usize, T)>,
}

/// How a subject diverges, in brief.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brief {
    /// How it differs.
    pub difference: Difference,
    /// What it said last, if it crashed.
    pub crash: Option<String>,
}

/// As [`all`], under RFC 3986 to the letter, but keeps of what diverges only how, and nothing of the rest: where a string is to
/// be parsed, nothing is copied.
#[cfg(feature = "divergence")]
pub fn in_brief(subjects: &[&dyn Subject], asked: &Input) -> Disagreeing<Brief> {
    disagreeing(subjects, asked, |brief, _| brief)
}

/// As [`in_brief`], but with all that is known of what diverges.
#[cfg(feature = "divergence")]
pub fn all_but_agreeing(subjects: &[&dyn Subject], asked: &Input) -> Disagreeing<Result> {
    disagreeing(subjects, asked, |_, result| result())
}

#[cfg(feature = "divergence")]
fn disagreeing<T>(
    subjects: &[&dyn Subject],
    asked: &Input,
    keep: impl Fn(Brief, &mut dyn FnMut() -> Result) -> T,
) -> Disagreeing<T> {
    let mut known = Known::new(Reading::Rfc3986);
    let mut disagreeing = Disagreeing {
        not_compared: 0,
        diverging: Vec::new(),
    };
    let parsed = match asked {
        Input::Parse { rule, input } if ReferenceRule::try_from(*rule).is_ok() => {
            Some((input.as_str(), screen::components(input)))
        }
        _ => None,
    };
    let literally = Literally::of(asked);
    for (place, subject) in subjects.iter().enumerate() {
        let declaration = subject.declaration();
        if !declaration.operations.contains(&asked.operation()) {
            disagreeing.not_compared += 1;
            continue;
        }
        let Ok(own) = takes(declaration, asked) else {
            disagreeing.not_compared += 1;
            continue;
        };
        let (verdict, crash, answer) = if let Some((text, components)) = &parsed {
            let (verdict, crash) = shown(*subject, own, text, components.as_ref());
            (verdict, crash, None)
        } else {
            let observed = ask(*subject, asked);
            let verdict = literally.as_ref().and_then(|literally| literally.verdict(declaration, asked, &observed));
            match verdict {
                Some(Seen::Agrees) => continue,
                Some(verdict) => (verdict, None, None),
                None => {
                    let answer = known.put_observed(*subject, asked, Some(observed));
                    let crash = match &answer.observed {
                        Outcome::Crashed { reason } => Some(reason.clone()),
                        _ => None,
                    };
                    (Seen::from(&answer.verdict), crash, Some(answer.into_result()))
                }
            }
        };
        match verdict {
            Seen::Agrees => {}
            Seen::NotComparable => disagreeing.not_compared += 1,
            Seen::Diverges(difference) => {
                let brief = Brief { difference, crash };
                let mut answer = answer;
                let mut result = || answer.take().unwrap_or_else(|| known.put(*subject, asked).into_result());
                disagreeing.diverging.push((place, keep(brief, &mut result)));
            }
        }
    }
    disagreeing
}

/// What a resolution word for word comes to (§5.2.2, §5.3), which conforms whatever else does.
#[cfg(feature = "divergence")]
enum Literally {
    /// This target.
    Target {
        /// Its text.
        target: String,
        /// Whether there is a reason to refuse it that conforms too.
        may_be_refused: bool,
    },
    /// Nothing: base and reference are no URI and URI-reference, and to refuse them is all that conforms.
    Refused,
}

#[cfg(feature = "divergence")]
impl Literally {
    /// None where something else than a resolution is asked.
    fn of(asked: &Input) -> Option<Literally> {
        let Input::Resolve {
            base,
            reference,
            strict,
        } = asked
        else {
            return None;
        };
        let (base, reference) = match (screen::reference(base), screen::reference(reference)) {
            (Some(base), Some(reference)) if base.components.scheme.is_some() => (base, reference),
            _ => return Some(Literally::Refused),
        };
        let strictness = if *strict {
            Strictness::Strict
        } else {
            Strictness::NonStrict
        };
        let target = resolve(&base.components, &reference.components, strictness, Reading::Rfc3986).target;
        Some(Literally::Target {
            may_be_refused: expect::refusals(&base.components, &target).iter().any(Option::is_some),
            target: recompose(&target),
        })
    }

    /// The verdict on a subject, where nothing more need be known for it.
    fn verdict(&self, declaration: &Declaration, asked: &Input, observed: &Outcome) -> Option<Seen> {
        let of_kind = |kind| {
            let components = Vec::new();
            Some(Seen::Diverges(Difference { kind, components }))
        };
        match (self, observed) {
            (Literally::Target { target, .. }, Outcome::Accepted { .. }) => {
                is_uri_literally(declaration, target, observed).then_some(Seen::Agrees)
            }
            (Literally::Target { may_be_refused, .. }, Outcome::Rejected { .. }) if !may_be_refused => {
                of_kind(Kind::RejectedValid)
            }
            // What is beyond US-ASCII may be governed by another specification.
            (Literally::Refused, Outcome::Rejected { .. }) if is_ascii(asked) => Some(Seen::Agrees),
            (Literally::Refused, Outcome::Accepted { .. }) if is_ascii(asked) => of_kind(Kind::AcceptedInvalid),
            _ => None,
        }
    }
}

/// What a subject makes of a string that it is to parse as `own`; `components` are those that it has, if it is a URI-reference.
#[cfg(feature = "divergence")]
fn shown(subject: &dyn Subject, own: Rule, text: &str, components: Option<&Observed<&str>>) -> (Seen, Option<String>) {
    let declaration = subject.declaration();
    let expected = components.filter(|components| components.are_of(own));
    ask::show(subject, own, text, |shown| {
        let crash = match shown {
            Shown::Otherwise(Outcome::Crashed { reason }) => Some(reason.clone()),
            _ => None,
        };
        (compare_shown(declaration, text, expected, shown), crash)
    })
}

/// What is expected of one input, by the rule that subjects are asked for: those that are asked for the same rule are
/// expected to do the same.
struct Known {
    reading: Reading,
    expected: Vec<(Option<Rule>, Expected)>,
}

impl Known {
    fn new(reading: Reading) -> Known {
        let expected = Vec::new();
        Known { reading, expected }
    }

    fn put<'a>(&'a mut self, subject: &dyn Subject, asked: &'a Input) -> Answer<'a> {
        self.put_observed(subject, asked, None)
    }

    /// As [`put`](Known::put), where it may be known already what the subject did.
    fn put_observed<'a>(
        &'a mut self,
        subject: &dyn Subject,
        asked: &'a Input,
        observed: Option<Outcome>,
    ) -> Answer<'a> {
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
            self.expected.push((rule, expect::expect(asked, self.reading)));
            self.expected.len() - 1
        });
        &self.expected[place].1
    }
}

/// A [`Result`] before anything is copied for it.
struct Answer<'a> {
    asked: Cow<'a, Input>,
    expected: Cow<'a, Expected>,
    observed: Outcome,
    verdict: Verdict,
}

impl Answer<'_> {
    fn into_result(self) -> Result {
        Result {
            input: self.asked.into_owned(),
            expected: self.expected.into_owned(),
            observed: self.observed,
            verdict: self.verdict,
        }
    }
}

fn input<'a>(
    subject: &dyn Subject,
    input: &'a Input,
    observed: Option<Outcome>,
    expected: impl FnOnce(&Input) -> Cow<'a, Expected>,
) -> Answer<'a> {
    let declaration = subject.declaration();
    let asked = match (takes(declaration, input), input) {
        (Err(reason), _) => {
            return Answer {
                asked: Cow::Borrowed(input),
                expected: expected(input),
                observed: Outcome::unsupported(reason.clone()),
                verdict: Verdict::NotComparable { reason },
            };
        }
        (Ok(own), Input::Parse { rule, input }) if own != *rule => Cow::Owned(Input::Parse {
            rule: own,
            input: input.clone(),
        }),
        (Ok(_), _) => Cow::Borrowed(input),
    };
    let expected = narrow_result(declaration, expected(&asked), &asked);
    let observed = observed.unwrap_or_else(|| ask(subject, &asked));
    let verdict = compare(declaration, &asked, &expected, &observed);
    if let Some(again) = not_idempotent(subject, &asked, &observed, &verdict) {
        return again;
    }
    Answer {
        asked,
        expected,
        observed,
        verdict,
    }
}

/// What comes of normalizing again what `asked` was normalized to, if it comes out otherwise: whatever normal form a
/// subject chooses, it has to be its own normal form.
fn not_idempotent(subject: &dyn Subject, asked: &Input, first: &Outcome, verdict: &Verdict) -> Option<Answer<'static>> {
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
    Some(Answer {
        asked: Cow::Owned(asked.clone()),
        expected: Cow::Owned(Expected::literally(first.clone())),
        observed: second,
        verdict: Verdict::Diverge(Difference {
            kind,
            components: Vec::new(),
        }),
    })
}
