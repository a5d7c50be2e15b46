//! Two outcomes -> a verdict. Knows no subject by name and never panics.

mod alike;
mod choice;
mod components;
mod narrow;
mod plainly;
mod policy;
mod property;
mod sameness;
mod verdict;

use std::borrow::Cow;

pub use self::alike::{SameBy, same_by};
pub use self::choice::Choice;
use self::components::{differing, differing_reported, unless_all_the_same};
pub(crate) use self::narrow::narrowed;
pub use self::narrow::{narrow, narrow_result, own_rule, takes};
use self::policy::{Policy, without_answer};
pub(crate) use self::policy::{acceptance, is_governed_otherwise};
use self::sameness::{Compared, Uris, delimiter_before, same_uri, uri_of_answer};
pub use self::sameness::{is_spelled_as_normal, same_normalized, uri_of_iri};
pub use self::verdict::{BriefVerdict, Difference, DifferenceKind, Verdict};
use crate::expect::Expected;
use crate::model::{ComponentSet, Declaration, Input, Observed, Outcome, Shown, Specification, Value};

/// Compares what a subject did with the outcomes that conform.
///
/// If several outcomes conform, the difference is reported against the closest one. On a tie the first wins: the literal one.
pub fn compare(declaration: &Declaration, input: &Input, expected: &Expected, observed: &Outcome) -> Verdict {
    // RFC 3986 rejects these characters; whether the rest would have been accepted is unknown.
    let rejects = matches!(
        expected,
        Expected::Outcomes(outcomes)
            if matches!(outcomes.first(), Some(one) if matches!(one.outcome, Outcome::Rejected { .. }))
    );
    let answers = matches!(observed, Outcome::Accepted { .. } | Outcome::Rejected { .. });
    if rejects && answers && is_governed_otherwise(declaration, is_ascii(input)) {
        return Verdict::NotComparable {
            reason: "RFC 3987 governs characters beyond US-ASCII".to_owned(),
        };
    }
    let policy = Policy::of(input);
    let verdict = compare_to(declaration, expected, observed, policy.spelled_freely);
    if policy.is_to_the_letter(declaration)
        && matches!(verdict, Verdict::Agree { .. })
        && !is_one_of(expected, observed)
    {
        return Verdict::NotComparable {
            reason: "it shows every URI in a normal form of its own, and whether this is that one is unknown"
                .to_owned(),
        };
    }
    verdict
}

/// Whether an outcome is one of these to the letter, or what is expected is no outcome.
fn is_one_of(expected: &Expected, observed: &Outcome) -> bool {
    match expected {
        Expected::Outcomes(outcomes) => outcomes.iter().any(|one| {
            one.outcome == *observed
                || matches!(
                    (&one.outcome, observed),
                    (Outcome::Rejected { .. }, Outcome::Rejected { .. })
                )
        }),
        Expected::Property(_) | Expected::NoAnswer { .. } => true,
    }
}

/// As [`compare`], whatever specification the subject follows: what is expected governs every character.
pub fn compare_exactly(declaration: &Declaration, expected: &Expected, observed: &Outcome) -> Verdict {
    compare_to(declaration, expected, observed, None)
}

/// As [`compare_exactly`]; where components are `given`, unreserved characters may be decoded and triplets written in capitals "at any
/// time" (§2.4, §6.2.2), one and not another: as one of the outcomes has it, or as normalization would. It is those components that may
/// be refused, or encoded in more than one way.
fn compare_to(
    declaration: &Declaration,
    expected: &Expected,
    observed: &Outcome,
    given: Option<ComponentSet>,
) -> Verdict {
    if let Some(BriefVerdict::Diverges(difference)) = without_answer(observed) {
        return Verdict::Diverge(difference);
    }
    let conforming = match (expected, observed) {
        (Expected::NoAnswer { reason }, _) | (_, Outcome::Unsupported { reason }) => {
            return Verdict::NotComparable { reason: reason.clone() };
        }
        (Expected::Property(property), _) => return property::verdict(declaration, property, observed),
        (Expected::Outcomes(conforming), _) => conforming,
    };
    let text = match observed {
        Outcome::Accepted { value: Value::Uri(uri) } => Some(as_uri(declaration, uri)),
        _ => None,
    };
    let mut uris = text.as_deref().map(|text| Uris::of(declaration.forms, text));
    // Of several outcomes the one that is closest is what the subject meant.
    let mut closest: Option<Difference> = None;
    for one in conforming {
        let difference = match (&one.outcome, &mut uris) {
            (Outcome::Accepted { value: Value::Uri(uri) }, Some(uris)) => uris.difference(uri),
            (outcome, _) => difference(declaration, outcome, observed),
        };
        let Some(difference) = difference else {
            let conforming = (conforming.len() > 1).then(|| one.name.to_string());
            return Verdict::Agree { conforming };
        };
        if closest.as_ref().is_none_or(|closest| is_closer(&difference, closest, uris.as_ref(), given)) {
            closest = Some(difference);
        }
    }
    let Some(mut difference) = closest else {
        return Verdict::NotComparable {
            reason: "no outcome is expected".to_owned(),
        };
    };
    if let (Some(text), Some(uris)) = (&text, uris) {
        // A mapped IRI is text that we made, not text that the subject returned: differences inside it are not reported.
        let is_own = matches!(text, Cow::Borrowed(_));
        match but_for_spelling(difference, &uris, is_own, given) {
            Some(left) => difference = left,
            None => {
                return Verdict::Agree {
                    conforming: Some("mixed".to_owned()),
                };
            }
        }
    }
    Verdict::Diverge(difference)
}

/// Whether a difference is closer to what is expected than another. What may be refused or encoded, and is encoded otherwise, is
/// another URI, not an invalid one.
fn is_closer(one: &Difference, other: &Difference, uris: Option<&Uris<'_>>, given: Option<ComponentSet>) -> bool {
    let distance = |difference: &Difference| difference.components.len();
    match (other.kind, one.kind) {
        (DifferenceKind::AcceptedInvalid, kind) => {
            kind == DifferenceKind::OtherUri
                && distance(one) == 1
                && !uris.is_some_and(|uris| begins_in_given(uris, one.components, given))
        }
        (other_kind, kind) => kind == other_kind && distance(one) < distance(other),
    }
}

/// Whether a delimiter that was given as data begins what follows, though what is left of it may have the same normal form.
fn begins_in_given(uris: &Uris<'_>, components: ComponentSet, given: Option<ComponentSet>) -> bool {
    let mut delimiters = components.iter().filter_map(delimiter_before);
    given.is_some_and(|given| {
        components.bits() > given.bits() && delimiters.any(|delimiter| uris.has_fewer_encoded(delimiter, given))
    })
}

/// What is left of a difference of a URI where each component may be as another outcome has it; none if nothing is. The components
/// are reported only for the subject's `own` text.
fn but_for_spelling(
    mut difference: Difference,
    uris: &Uris<'_>,
    is_own: bool,
    given: Option<ComponentSet>,
) -> Option<Difference> {
    let is_spelled_freely = given.is_some();
    let kind = DifferenceKind::OtherUri;
    if difference.kind != kind && !(is_spelled_freely && difference.kind == DifferenceKind::AcceptedInvalid) {
        return Some(difference);
    }
    match uris.foreign(is_spelled_freely) {
        Some((foreign, true)) if foreign.is_empty() => return None,
        Some((foreign, _)) if is_own && !foreign.is_empty() && difference.kind == kind => {
            difference.components = foreign;
        }
        // Where more is encoded otherwise, each component may stand for the same.
        Some((components, true))
            if is_own
                && (components.len() == 1 && !begins_in_given(uris, components, given)
                    || uris.is_encoded_otherwise()) =>
        {
            difference = Difference { kind, components };
        }
        Some(_) | None => {}
    }
    Some(difference)
}

/// What [`compare`] says of a parse that is [shown](crate::model::Subject::show); `expected` are the components of `text`, if it
/// matches the rule of the input. Nothing is copied.
pub fn compare_shown(
    declaration: &Declaration,
    text: &str,
    expected: Option<&Observed<&str>>,
    shown: &Shown<'_>,
) -> BriefVerdict {
    let observed = match shown {
        Shown::Otherwise(outcome) => {
            // An answer to another question, which no adapter of ours gives and the protocol refuses.
            let of_another = acceptance(expected.is_some(), true).unwrap_or(DifferenceKind::OtherComponents);
            return without_answer(outcome).unwrap_or(BriefVerdict::of_kind(of_another));
        }
        Shown::Accepted(observed) => Some(observed),
        Shown::Rejected { .. } => None,
    };
    if expected.is_none() && is_governed_otherwise(declaration, text.is_ascii()) {
        return BriefVerdict::NotComparable;
    }
    match (expected, observed) {
        (Some(expected), Some(observed)) => {
            let Some(other_letters) = unless_all_the_same(expected, observed) else {
                return BriefVerdict::Agrees;
            };
            // What was parsed parses to the same again: there is nothing to recompose.
            let normal = || Compared::normal_of(expected);
            let components = differing_reported(declaration, expected, observed, other_letters, normal);
            if components.is_empty() {
                BriefVerdict::Agrees
            } else {
                BriefVerdict::Diverges(Difference {
                    kind: DifferenceKind::OtherComponents,
                    components,
                })
            }
        }
        _ => acceptance(expected.is_some(), observed.is_some()).map_or(BriefVerdict::Agrees, BriefVerdict::of_kind),
    }
}

/// Whether an outcome is this URI to the letter.
pub fn is_uri_to_the_letter(declaration: &Declaration, uri: &str, observed: &Outcome) -> bool {
    uri_shown(declaration, observed).is_some_and(|observed| observed == uri)
}

/// Whether an outcome is this URI, as exactly as the subject shows one: where it conforms, there is nothing more to compare.
pub fn is_uri_literally(declaration: &Declaration, uri: &str, observed: &Outcome) -> bool {
    uri_shown(declaration, observed).is_some_and(|observed| same_uri(declaration.forms, uri, &observed))
}

fn uri_shown<'a>(declaration: &Declaration, observed: &'a Outcome) -> Option<Cow<'a, str>> {
    match observed {
        Outcome::Accepted { value: Value::Uri(uri) } => Some(as_uri(declaration, uri)),
        _ => None,
    }
}

/// What a subject shows as a URI: of an IRI, the URI that it maps to.
fn as_uri<'a>(declaration: &Declaration, observed: &'a str) -> Cow<'a, str> {
    match declaration.specification {
        Specification::Rfc3987 => uri_of_answer(observed),
        _ => Cow::Borrowed(observed),
    }
}

fn difference(declaration: &Declaration, expected: &Outcome, observed: &Outcome) -> Option<Difference> {
    let of_kind = |kind| Some(Difference::of_kind(kind));
    match (expected, observed) {
        (Outcome::Rejected { .. }, Outcome::Rejected { .. }) => None,
        (Outcome::Rejected { .. }, _) => of_kind(DifferenceKind::AcceptedInvalid),
        (_, Outcome::Rejected { .. }) => of_kind(DifferenceKind::RejectedValid),
        (Outcome::Accepted { value: expected }, Outcome::Accepted { value: observed }) => match (expected, observed) {
            (Value::Components(expected), Value::Components(observed)) => {
                let components = differing(declaration, expected, observed);
                (!components.is_empty()).then_some(Difference {
                    kind: DifferenceKind::OtherComponents,
                    components,
                })
            }
            (Value::Uri(expected), Value::Uri(observed)) => {
                Uris::of(declaration.forms, &as_uri(declaration, observed)).difference(expected)
            }
            (Value::Equivalent(expected), Value::Equivalent(observed)) if expected == observed => None,
            (Value::Broken(expected), Value::Broken(observed)) if expected == observed => None,
            // An answer to another question, which no adapter of ours gives and the protocol refuses.
            (Value::Components(_), _) => of_kind(DifferenceKind::OtherComponents),
            (Value::Uri(_), _) => of_kind(DifferenceKind::OtherUri),
            (Value::Equivalent(false), _) => of_kind(DifferenceKind::FalsePositive),
            (Value::Equivalent(true), _) => of_kind(DifferenceKind::FalseNegative),
            (Value::Broken(_), _) => of_kind(DifferenceKind::BrokenContract),
        },
        (Outcome::Unsupported { .. } | Outcome::Crashed { .. } | Outcome::TimedOut { .. }, _)
        | (_, Outcome::Unsupported { .. } | Outcome::Crashed { .. } | Outcome::TimedOut { .. }) => {
            of_kind(DifferenceKind::Crashed)
        }
    }
}

pub(crate) fn is_ascii(input: &Input) -> bool {
    match input {
        Input::Parse { input, .. } => input.is_ascii(),
        Input::Resolve { base, reference, .. } => base.is_ascii() && reference.is_ascii(),
        Input::Normalize { uri, .. } | Input::RoundTrip { uri } => uri.is_ascii(),
        Input::Compose { components } => components.recompose().is_ascii(),
        Input::Equivalent { left, right, .. } | Input::Contract { left, right } => left.is_ascii() && right.is_ascii(),
        Input::Relativize { base, target } => base.is_ascii() && target.is_ascii(),
        Input::Modify { uri, value, .. } => uri.is_ascii() && value.as_deref().is_none_or(str::is_ascii),
    }
}

#[cfg(test)]
mod tests;
