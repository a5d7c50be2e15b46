//! Variants: classes that another class explains, though their witnesses cannot be made smaller than they are.
//!
//! A class is named by a witness of which no whole part can be left out. A part may have to stay for a reason that has nothing
//! to do with the difference: without it the subject crashes, reads the rest otherwise, or shows the same in another operation.
//! What such a witness comes to when that does not count says which class it is a variant of.

use std::collections::BTreeSet;

use rfc3986_reference::characters::{leading_triplet, percent_decode};
use rfc3986_reference::components::parse;
use rfc3986_reference::dot_segments::remove_dot_segments;
use rfc3986_reference::normalize::percent_encoding_normalization;
use rfc3986_reference::split::split;

use super::fingerprint::{Class, Mark, classes, classes_of, is_no_heavier, likeness, origin};
use super::minimize::minimize;
use super::parts::{texts, with_texts};
use super::severity::Severity;
use super::shape::drop_parts;
use crate::compare::{Kind, Verdict};
use crate::model::{Component, Components, Input, Outcome, Reading, Rule, Rung, Subject, Value};
use crate::run::{self, Result};

/// What does not count while a witness is made smaller still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leave {
    /// The shape of the input: its parts may go a character at a time.
    Shape,
    /// That the difference shows in its own right: it may be inherited from parsing or printing.
    Origin,
    /// The forms of the component that differs.
    Forms,
    /// What sort of wrong string comes out: another URI, one that means something else, or none at all. Nothing that weighs more is
    /// made less of.
    Kind,
}

/// The classes that the witness of a class comes to, for each thing that is left out of account; none for what makes no
/// smaller one.
pub fn looser(subject: &dyn Subject, class: &Class, reading: Reading) -> Vec<Class> {
    let Some(mark) = Mark::all(&class.witness).into_iter().next() else {
        return Vec::new();
    };
    let leaves = [Leave::Shape, Leave::Origin, Leave::Forms, Leave::Kind];
    let classes = leaves.into_iter().filter(|leave| *leave != Leave::Kind || answers_wrongly(&class.witness));
    let classes = classes.flat_map(|leave| {
        let smaller = smaller(subject, &class.witness.input, &mark, leave, reading)?;
        let result = run::one(subject, &smaller, reading);
        // Its own mark, where that is not quite the one that was looked for.
        let mut own = Mark::all(&result).into_iter();
        let own = match leave {
            Leave::Kind => own.next(),
            _ => own.find(|own| own.component == mark.component),
        };
        let mut found = classes_of(subject, &smaller, &own?, reading);
        if leave == Leave::Kind {
            found.retain(|found| Severity::of(&found.witness) <= Severity::of(&class.witness));
        }
        Some(found)
    });
    let reordered = otherwise_ordered(&class.witness.input).into_iter();
    let mut same = likeness(subject, &class.witness.input, &mark, reading);
    let reordered = reordered.filter(|input| same(input)).flat_map(|input| classes_of(subject, &input, &mark, reading));
    let put_together = put_together(subject, &class.witness, reading);
    let mut classes: Vec<Class> = classes.flatten().chain(reordered).chain(put_together).collect();
    let mut seen = BTreeSet::new();
    classes.retain(|class| seen.insert(class.fingerprint.clone()));
    classes
}

/// The classes of the string that components make up, where that is what a subject makes of them: where it prints of the
/// string what it composed, it took the string for the components, and fails as it does when it parses.
fn put_together(subject: &dyn Subject, witness: &Result, reading: Reading) -> Vec<Class> {
    let components = match &witness.input {
        Input::Compose { components } => components.clone(),
        Input::Modify { uri, component, value } => match parse(uri, reading) {
            Ok(reference) => Components::from(&reference).with(*component, value.as_deref()),
            Err(_) => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    let uri = components.recompose();
    let printed = run::one(subject, &Input::RoundTrip { uri: uri.clone() }, reading);
    let is_accepted = matches!(printed.observed, Outcome::Accepted { .. });
    if !is_accepted || printed.observed != witness.observed {
        return Vec::new();
    }
    let rule = Rule::UriReference;
    classes(
        subject,
        &run::one(subject, &Input::Parse { rule, input: uri }, reading),
        reading,
    )
}

/// The inputs that have the same characters behind an authority, or a scheme, in another order.
///
/// A subject that looks for the first or the last delimiter in the whole text, not in its component, shows the same in every
/// order of those that follow, as long as it finds the one before the other: each order is a witness that no step makes smaller.
fn otherwise_ordered(input: &Input) -> Vec<Input> {
    /// Of more characters there are too many orders.
    const MOST: usize = 5;
    let texts = texts(input);
    let mut inputs = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let Some(text) = text else { continue };
        let parts = split(text);
        let ahead = parts.scheme.map_or(0, |scheme| scheme.len() + 1)
            + parts.authority.map_or(0, |authority| authority.len() + 2);
        let (ahead, behind) = text.split_at(ahead);
        let behind: Vec<char> = behind.chars().collect();
        if ahead.is_empty() || behind.len() > MOST {
            continue;
        }
        let orders: BTreeSet<Vec<char>> = orders(&behind).into_iter().filter(|order| *order != behind).collect();
        inputs.extend(orders.into_iter().map(|order| {
            let mut texts = texts.clone();
            texts[at] = Some(ahead.chars().chain(order).collect());
            with_texts(input, &texts)
        }));
    }
    inputs
}

/// Every order of some characters.
fn orders(characters: &[char]) -> Vec<Vec<char>> {
    let Some((first, rest)) = characters.split_first() else {
        return vec![Vec::new()];
    };
    let with_first = |order: Vec<char>| {
        (0..=order.len()).map(move |at| {
            let mut order = order.clone();
            order.insert(at, *first);
            order
        })
    };
    orders(rest).into_iter().flat_map(with_first).collect()
}

/// Whether the answer is a URI, and the wrong one.
fn answers_wrongly(result: &Result) -> bool {
    let is_uri = matches!(result.observed, Outcome::Accepted { value: Value::Uri(_) });
    let is_wrong = |kind| {
        matches!(
            kind,
            Kind::OtherUri | Kind::OtherMeaning | Kind::InvalidUri | Kind::AcceptedInvalid
        )
    };
    is_uri && matches!(&result.verdict, Verdict::Diverge(difference) if is_wrong(difference.kind))
}

fn smaller(subject: &dyn Subject, input: &Input, mark: &Mark, leave: Leave, reading: Reading) -> Option<Input> {
    let heaviest = Mark::all(&run::one(subject, input, reading)).into_iter().next();
    let smaller = match leave {
        Leave::Shape => minimize(input, &mut likeness(subject, input, mark, reading)),
        Leave::Kind => {
            let weight = Severity::of(&run::one(subject, input, reading));
            let mut same = |input: &Input| {
                let result = run::one(subject, input, reading);
                let mark = Mark::all(&result).into_iter().next();
                answers_wrongly(&result)
                    && Severity::of(&result) <= weight
                    && mark.is_some_and(|mark| origin(subject, &result, &mark, reading).is_none())
            };
            let dropped = drop_parts(input, &mut same);
            minimize(&dropped, &mut same)
        }
        Leave::Origin | Leave::Forms => {
            let mut same = |input: &Input| {
                let result = run::one(subject, input, reading);
                let is_alike = match leave {
                    Leave::Origin => mark.is_of(&result),
                    _ => mark.is_nearly_of(&result) && origin(subject, &result, mark, reading).is_none(),
                };
                is_alike && is_no_heavier(&result, heaviest.as_ref())
            };
            let dropped = drop_parts(input, &mut same);
            minimize(&dropped, &mut same)
        }
    };
    (smaller != *input).then_some(smaller)
}

/// How a component of one URI becomes that of an equivalent one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Step {
    /// §6.2.2.1, the digits of triplets.
    CaseOfTriplets,
    /// §6.2.2.1, scheme and host.
    Case,
    /// §6.2.2.2.
    Decoding,
    /// Reserved characters decoded too, which no step of §6.2.2 does.
    DecodingAll,
    /// §6.2.2.3.
    DotSegments,
    /// §6.2.3: one of the two is undefined or empty.
    Default,
}

/// By which steps the two URIs of a question on equivalence become alike, component by component, and on which rung; none if
/// there are others. Of what calls two equivalent URIs different (`is_right`), it says which step it does not take; of what calls
/// two others equivalent, which step it takes though it should not. Which scheme and which host stand beside says nothing.
pub(super) fn steps(input: &Input, is_right: bool) -> Option<Steps> {
    let Input::Equivalent { left, right, rung } = input else {
        return None;
    };
    let components = |uri: &str| parse(uri, Reading::Rfc3986).ok().map(|reference| Components::from(&reference));
    let (left, right) = (components(left)?, components(right)?);
    let mut steps = Vec::new();
    for component in Component::TEXTS {
        let (one, other) = (left.text(component), right.text(component));
        if one == other {
            continue;
        }
        let right_step = step(component, one.unwrap_or_default(), other.unwrap_or_default());
        match (right_step, one, other) {
            (Some(step), ..) if is_right => steps.push((component, step)),
            (None, ..) if is_right => return None,
            (_, None, Some("")) | (_, Some(""), None) => steps.push((component, Step::Default)),
            (Some(Step::Case), ..) if !matches!(component, Component::Scheme | Component::Host) => {
                steps.push((component, Step::Case));
            }
            (Some(Step::CaseOfTriplets | Step::Case | Step::Decoding | Step::DotSegments), ..) => {}
            (_, Some(one), Some(other)) if percent_decode(one) == percent_decode(other) => {
                steps.push((component, Step::DecodingAll));
            }
            _ => return None,
        }
    }
    (!steps.is_empty()).then_some((*rung, steps))
}

/// A rung, and the step that each component takes which differs.
pub(super) type Steps = (Rung, Vec<(Component, Step)>);

fn step(component: Component, one: &str, other: &str) -> Option<Step> {
    // What cannot be normalized is alike by no step, and so is news.
    let decoded = |text: &str| percent_encoding_normalization(&format!("a:?{text}"), Reading::Rfc3986).ok();
    if one.is_empty() || other.is_empty() {
        Some(Step::Default)
    } else if upper_triplets(one) == upper_triplets(other) {
        Some(Step::CaseOfTriplets)
    } else if one.eq_ignore_ascii_case(other) {
        Some(Step::Case)
    } else if decoded(one).is_some_and(|one| decoded(other) == Some(one)) {
        Some(Step::Decoding)
    } else if component == Component::Path && remove_dot_segments(one) == remove_dot_segments(other) {
        Some(Step::DotSegments)
    } else {
        None
    }
}

/// With the digits of all triplets in upper case.
fn upper_triplets(text: &str) -> String {
    let mut upper = text.to_owned();
    for (at, _) in text.match_indices('%') {
        if leading_triplet(&text.as_bytes()[at..]).is_some() {
            upper[at..at + 3].make_ascii_uppercase();
        }
    }
    upper
}

#[cfg(test)]
mod tests {
    use super::{Step, otherwise_ordered, steps};
    use crate::model::{Component, Input, Rule, Rung};

    fn of(left: &str, right: &str) -> Option<Vec<(Component, Step)>> {
        let [left, right] = [left, right].map(ToOwned::to_owned);
        let rung = Rung::Scheme;
        steps(&Input::Equivalent { left, right, rung }, true).map(|(_, steps)| steps)
    }

    #[test]
    fn what_stands_beside_a_step_says_nothing() {
        let host = Some(vec![(Component::Host, Step::Decoding)]);
        assert_eq!(of("ftp://a/", "ftp://%61/"), host);
        assert_eq!(of("http://b:1/?#", "http://%62:1/?#"), host);
        assert_eq!(of("a:/.", "a:/"), Some(vec![(Component::Path, Step::DotSegments)]));
        assert_eq!(
            of("a:?%aa", "a:?%aA"),
            Some(vec![(Component::Query, Step::CaseOfTriplets)])
        );
        assert_eq!(
            of("http://a:80/", "http://a/"),
            Some(vec![(Component::Port, Step::Default)])
        );
        let two = vec![(Component::Scheme, Step::Case), (Component::Path, Step::Decoding)];
        assert_eq!(of("A:b", "a:%62"), Some(two));
    }

    #[test]
    fn what_makes_others_alike_is_the_step_that_should_not_be_taken() {
        let of = |left: &str, right: &str| {
            let [left, right] = [left, right].map(ToOwned::to_owned);
            let rung = Rung::Syntax;
            steps(&Input::Equivalent { left, right, rung }, false).map(|(_, steps)| steps)
        };
        let path = |step| Some(vec![(Component::Path, step)]);
        assert_eq!(of("a:%26&", "a:&%26"), path(Step::DecodingAll));
        assert_eq!(
            of("A:%26", "a:&"),
            path(Step::DecodingAll),
            "the case of a scheme is none"
        );
        assert_eq!(of("a:b", "a:B"), path(Step::Case));
        assert_eq!(of("a:?", "a:"), Some(vec![(Component::Query, Step::Default)]));
        assert_eq!(of("a:b", "A:%62"), None, "they are equivalent");
        assert_eq!(of("a:b", "a:c"), None);
        assert_eq!(of("a:?b#%2f", "a:?c#/"), None, "one component has no step");
    }

    #[test]
    fn what_follows_an_authority_comes_in_every_order() {
        let parse = |input: &str| Input::Parse {
            rule: Rule::Uri,
            input: input.to_owned(),
        };
        let orders = ["a://b?:/", "a://b/?:", "a://b/:?", "a://b:/?", "a://b:?/"];
        let mut expected = orders.map(parse).to_vec();
        expected.sort();
        let mut found = otherwise_ordered(&parse("a://b?/:"));
        found.sort();
        assert_eq!(found, expected);
        assert_eq!(otherwise_ordered(&parse("a:aa")), []);
        assert_eq!(otherwise_ordered(&parse("/?:")), [], "no authority, no scheme");
    }

    #[test]
    fn what_no_step_makes_alike_is_no_variant_by_steps() {
        assert_eq!(of("a://a:1/", "a://a:01/"), None);
        assert_eq!(of("a:b", "a:c"), None);
        assert_eq!(of("a:b", "a:["), None);
    }
}
