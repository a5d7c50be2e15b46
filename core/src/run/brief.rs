//! What does not agree, and nothing of the rest: for loops over many inputs.

use std::borrow::Cow;

use rfc3986_reference::components::{self, ReferenceRule};
use rfc3986_reference::grammar;
use rfc3986_reference::resolve::Strictness;

use super::{BorrowedResult, Counts, ExpectedByRule, Result, given};
use crate::ask::{self, ask, ask_in_turn};
use crate::claim::Claim;
use crate::compare::{
    BriefVerdict, Difference, DifferenceKind, Verdict, acceptance, compare_shown, is_ascii, is_governed_otherwise,
    is_uri_literally, is_uri_to_the_letter, narrowed,
};
use crate::expect::{self, Expected, LiteralResolution};
use crate::model::{Components, Declaration, Input, Operation, Outcome, Reading, Rule, Shown, Subject};
use crate::screen;

/// What of an input did not agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreeing<T> {
    /// How the answers count.
    pub counts: Counts,
    /// What diverges, each with the place of its subject.
    pub diverging: Vec<(usize, T)>,
}

impl<T> Default for Disagreeing<T> {
    /// Nothing.
    fn default() -> Disagreeing<T> {
        Disagreeing {
            counts: Counts::default(),
            diverging: Vec::new(),
        }
    }
}

impl<T> Disagreeing<T> {
    fn add(&mut self, place: usize, seen: BriefVerdict, crash: Option<String>, keep: impl FnOnce(Brief) -> T) {
        self.counts.add(seen);
        if let BriefVerdict::Diverges(difference) = seen {
            self.diverging.push((place, keep(Brief { difference, crash })));
        }
    }

    fn add_answer(&mut self, place: usize, answer: BorrowedResult<'_>, keep: impl Fn(Brief, Rest<'_>) -> T) {
        let crash = match &answer.observed {
            Outcome::Crashed { reason } => Some(reason.clone()),
            _ => None,
        };
        self.add(place, BriefVerdict::from(&answer.verdict), crash, |brief| {
            let (observed, result) = (answer.observed.clone(), &mut || answer.clone().into_result());
            keep(
                brief,
                Rest {
                    observed: Some(observed),
                    result,
                },
            )
        });
    }
}

/// What else can be known of a divergence.
struct Rest<'a> {
    /// What the subject did, if that is kept.
    observed: Option<Outcome>,
    /// All of it, for what it costs to ask again.
    result: &'a mut dyn FnMut() -> Result,
}

/// How a subject diverges, in brief.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brief {
    /// How it differs.
    pub difference: Difference,
    /// What it said last, if it crashed.
    pub crash: Option<String>,
}

/// As [`all`](super::all), under RFC 3986 to the letter, but keeps of what diverges only how, and nothing of the rest: where a string is to
/// be parsed, nothing is copied. Each subject comes with its place.
pub fn in_brief<'s>(subjects: impl IntoIterator<Item = (usize, &'s dyn Subject)>, asked: &Input) -> Disagreeing<Brief> {
    disagreeing(subjects.into_iter(), asked, false, |brief, _| brief)
}

/// As [`in_brief`], but with what the subject did, too; why it refused a string is left out.
///
/// # Panics
///
/// Never: what a subject did is kept.
pub fn observed_in_brief<'s>(
    subjects: impl IntoIterator<Item = (usize, &'s dyn Subject)>,
    asked: &Input,
) -> Disagreeing<(Brief, Outcome)> {
    disagreeing(subjects.into_iter(), asked, true, |brief, rest| {
        (brief, rest.observed.expect("it is kept"))
    })
}

/// As [`in_brief`], but with all that is known of what diverges.
pub fn all_but_agreeing<'s>(
    subjects: impl IntoIterator<Item = (usize, &'s dyn Subject)>,
    asked: &Input,
) -> Disagreeing<Result> {
    disagreeing(subjects.into_iter(), asked, false, |_, rest| (rest.result)())
}

/// What is expected of an input under RFC 3986 to the letter, as loops over many inputs have it: where a string is more than parsed
/// as a rule, it and what comes of it are split by the [machine](screen).
pub fn expected(input: &Input) -> Expected {
    expect::expect_by(input, Reading::Rfc3986, screened)
}

/// As [`one`](super::one) under RFC 3986 to the letter, as loops over many inputs have it: by the [machine](screen), and why what is
/// invalid should be refused is not told.
pub fn one_in_brief(subject: &dyn Subject, asked: &Input) -> Result {
    super::input(subject, asked, None, |asked| Cow::Owned(expected_in_brief(asked))).into_result()
}

/// As [`expected`], but without the reasons for which something should be refused.
fn expected_in_brief(input: &Input) -> Expected {
    let parsed = match input {
        Input::Parse { rule, input } => ReferenceRule::try_from(*rule).ok().map(|rule| (rule, input)),
        _ => None,
    };
    if let Some((rule, input)) = parsed {
        let reference = screen::reference(input).filter(|reference| reference.matches(rule));
        return Expected::literally(match reference {
            Some(reference) => Outcome::components(Components::from(&reference)),
            None => Outcome::Rejected {
                reason: None,
                offset: None,
            },
        });
    }
    expect::expect_by(input, Reading::Rfc3986, screened_in_brief)
}

/// What an operation word for word comes to, which is all that loops over many inputs expect at first: the target of a resolution, or
/// what is printed. `None` if that is no URI-reference, or for another operation.
pub fn literal(input: &Input) -> Option<String> {
    match Literally::of(input)? {
        Literally::Printed(uri) => Some(uri.to_owned()),
        Literally::Target(resolution) => Some(resolution.uri().to_owned()),
        Literally::Refused | Literally::Unanswered => None,
    }
}

/// Splits by the machine; the reference gives the reason of a rejection.
fn screened(text: &str, reading: Reading) -> std::result::Result<components::Reference<'_>, grammar::Error> {
    screen::reference(text).map_or_else(|| components::parse(text, reading), Ok)
}

/// Splits by the machine, and says nothing of why a string is refused but that it is.
fn screened_in_brief(text: &str, _: Reading) -> std::result::Result<components::Reference<'_>, grammar::Error> {
    screen::reference(text).ok_or(grammar::Error {
        rule: Rule::UriReference,
        offset: 0,
    })
}

fn disagreeing<'s, T>(
    subjects: impl Iterator<Item = (usize, &'s dyn Subject)>,
    asked: &Input,
    keeps_observed: bool,
    keep: impl Fn(Brief, Rest<'_>) -> T,
) -> Disagreeing<T> {
    match asked {
        Input::Parse { rule, input } if ReferenceRule::try_from(*rule).is_ok() => {
            parse(subjects, asked, (*rule, input), keeps_observed, keep)
        }
        _ => answer(subjects, asked, keep),
    }
}

/// Of a string that is to be parsed as a rule of references.
fn parse<'s, T>(
    mut subjects: impl Iterator<Item = (usize, &'s dyn Subject)>,
    asked: &Input,
    (rule, text): (Rule, &str),
    keeps_observed: bool,
    keep: impl Fn(Brief, Rest<'_>) -> T,
) -> Disagreeing<T> {
    let mut disagreeing = Disagreeing::default();
    let mut known = ExpectedByRule::new(Reading::Rfc3986, expected);
    let components = screen::components(text);
    while let Some(((place, subject), crash)) = ask::each(&mut subjects, |guard, (place, subject)| {
        let declaration = subject.declaration();
        let Some(own) = parses(declaration, rule) else {
            return disagreeing.counts.add(BriefVerdict::NotComparable);
        };
        if has_verdicts_of_its_own(subject) {
            let answer = known.put(subject, asked);
            return disagreeing.add_answer(place, answer, &keep);
        }
        let expected = components.as_ref().filter(|components| components.are_of(own));
        let (mut crash, mut observed) = (None, None);
        let seen = guard.show(subject, own, text, |shown| {
            if let Shown::Otherwise(Outcome::Crashed { reason }) = shown {
                crash = Some(reason.clone());
            }
            let seen = compare_shown(declaration, text, expected, shown);
            if keeps_observed && matches!(seen, BriefVerdict::Diverges(_)) {
                observed = Some(without_reason(shown));
            }
            seen
        });
        let result = &mut || known.put(subject, asked).into_result();
        disagreeing.add(place, seen, crash, |brief| keep(brief, Rest { observed, result }));
    }) {
        let result = &mut || known.put(subject, asked).into_result();
        let observed = Some(Outcome::Crashed {
            reason: crash.reason.clone(),
        });
        let seen = BriefVerdict::of_kind(DifferenceKind::Crashed);
        disagreeing.add(place, seen, Some(crash.reason), |brief| {
            keep(brief, Rest { observed, result })
        });
    }
    disagreeing
}

/// What a subject shows, but for its words: to write them down costs as much as to parse.
fn without_reason(shown: &Shown<'_>) -> Outcome {
    match shown {
        Shown::Rejected { offset, .. } => Outcome::Rejected {
            reason: None,
            offset: *offset,
        },
        Shown::Accepted(_) | Shown::Otherwise(_) => Outcome::from(*shown),
    }
}

/// The rule that a subject parses for an input of `rule`.
#[inline]
fn parses(declaration: &Declaration, rule: Rule) -> Option<Rule> {
    declaration.operations.contains(&Operation::Parse).then(|| narrowed(declaration, rule)).flatten()
}

/// Whether a look at the answer is not enough for a verdict: the claim decides it, too, or that the subject does not validate, or a baseline.
#[inline]
fn has_verdicts_of_its_own(subject: &dyn Subject) -> bool {
    let declaration = subject.declaration();
    !declaration.validates || subject.has_known() || declaration.claim.is_some_and(Claim::has_verdicts_of_its_own)
}

fn answer<'s, T>(
    subjects: impl Iterator<Item = (usize, &'s dyn Subject)>,
    asked: &Input,
    keep: impl Fn(Brief, Rest<'_>) -> T,
) -> Disagreeing<T> {
    let mut disagreeing = Disagreeing::default();
    let literally = Literally::of(asked);
    let mut known = ExpectedByRule::new(Reading::Rfc3986, |asked: &Input| match &literally {
        Some(Literally::Target(resolution)) => resolution.conforming(),
        _ => expected(asked),
    });
    for (place, subject) in subjects {
        let declaration = subject.declaration();
        if given(declaration, asked).is_none() {
            disagreeing.counts.add(BriefVerdict::NotComparable);
            continue;
        }
        let observed = ask(subject, asked);
        let literally = literally.as_ref().filter(|_| !has_verdicts_of_its_own(subject));
        let verdict = literally.and_then(|literally| literally.verdict(declaration, asked, &observed));
        if let Some(seen) = verdict {
            let result = &mut || known.put(subject, asked).into_result();
            let observed = Some(observed);
            disagreeing.add(place, seen, None, |brief| keep(brief, Rest { observed, result }));
        } else {
            disagreeing.add_answer(place, known.put_observed(subject, asked, Some(observed)), &keep);
        }
    }
    disagreeing
}

/// As [`one_in_brief`]; `None` where the answer agrees.
pub fn unless_agreeing(subject: &dyn Subject, asked: &Input) -> Option<Result> {
    unless_agreeing_in_turn(subject, asked, &|_| None)
}

/// As [`unless_agreeing`], of an input that is one of a row: see [`Subject::answer_in_turn`].
pub(crate) fn unless_agreeing_in_turn(
    subject: &dyn Subject,
    asked: &Input,
    next: &dyn Fn(usize) -> Option<Input>,
) -> Option<Result> {
    let mut known = ExpectedByRule::new(Reading::Rfc3986, expected);
    let observed = given(subject.declaration(), asked).map(|asked| ask_in_turn(subject, &asked, next));
    let literally = Literally::of(asked).filter(|_| !has_verdicts_of_its_own(subject));
    if let (Some(observed), Some(literally)) = (&observed, literally) {
        if literally.verdict(subject.declaration(), asked, observed) == Some(BriefVerdict::Agrees) {
            return None;
        }
    }
    let answer = known.put_observed(subject, asked, observed);
    (!matches!(answer.verdict, Verdict::Agree { .. })).then(|| answer.into_result())
}

/// What an operation word for word comes to, which conforms whatever else does: a resolution (§5.2.2, §5.3), or printing.
enum Literally<'a> {
    /// This URI-reference, printed.
    Printed(&'a str),
    /// The target of this resolution.
    Target(Box<LiteralResolution<'a>>),
    /// Nothing: base and reference are no URI and URI-reference, and to refuse them is all that conforms.
    Refused,
    /// It is not said what to print of what should not have been parsed.
    Unanswered,
}

impl<'a> Literally<'a> {
    /// `None` for any other input.
    fn of(asked: &'a Input) -> Option<Literally<'a>> {
        let (base, reference, strict) = match asked {
            Input::RoundTrip { uri } => {
                return Some(match screen::reference(uri) {
                    Some(_) => Literally::Printed(uri),
                    None => Literally::Unanswered,
                });
            }
            Input::Resolve {
                base,
                reference,
                strict,
            } => (base, reference, strict),
            _ => return None,
        };
        let (base, reference) = match (screen::reference(base), screen::reference(reference)) {
            // To refuse a relative base conforms, too.
            (Some(split), Some(_)) if split.components.scheme.is_none() => return None,
            (Some(split), Some(reference_split)) => ((base.as_str(), split), (reference.as_str(), reference_split)),
            _ => return Some(Literally::Refused),
        };
        let strictness = if *strict {
            Strictness::Strict
        } else {
            Strictness::NonStrict
        };
        let resolution = LiteralResolution::of(base, reference, strictness, Reading::Rfc3986, screened);
        Some(Literally::Target(Box::new(resolution)))
    }

    /// The verdict on a subject, where nothing more need be known for it.
    fn verdict(&self, declaration: &Declaration, asked: &Input, observed: &Outcome) -> Option<BriefVerdict> {
        let is_accepted = match observed {
            Outcome::Accepted { .. } => true,
            Outcome::Rejected { .. } => false,
            Outcome::Unsupported { .. } | Outcome::Crashed { .. } | Outcome::TimedOut { .. } => return None,
        };
        let of_validity =
            |is_valid| acceptance(is_valid, is_accepted).map_or(BriefVerdict::Agrees, BriefVerdict::of_kind);
        match self {
            Literally::Unanswered => Some(BriefVerdict::NotComparable),
            Literally::Refused if is_governed_otherwise(declaration, is_ascii(asked)) => {
                Some(BriefVerdict::NotComparable)
            }
            Literally::Refused => Some(of_validity(false)),
            Literally::Printed(uri) if is_accepted => {
                is_uri_literally(declaration, uri, observed).then_some(BriefVerdict::Agrees)
            }
            Literally::Printed(_) => Some(of_validity(true)),
            Literally::Target(resolution) if is_accepted => {
                let is_to_the_letter = |uri: &str| is_uri_to_the_letter(declaration, uri, observed);
                let agrees = is_to_the_letter(resolution.uri())
                    || resolution.normal().is_some_and(is_to_the_letter)
                    // Of the target and its normal form a normal form is the same.
                    || is_uri_literally(declaration, resolution.uri(), observed);
                agrees.then_some(BriefVerdict::Agrees)
            }
            Literally::Target(resolution) => resolution.may_be_refused().map(|may_be| {
                if may_be {
                    BriefVerdict::Agrees
                } else {
                    of_validity(true)
                }
            }),
        }
    }
}
