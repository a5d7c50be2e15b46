//! What a subject does with a component, where one thing explains the whole difference.

use std::fmt;

use rfc3986_reference::characters::percent_decode;
use rfc3986_reference::dot_segments::remove_dot_segments;

use crate::compare::Verdict;
use crate::gate::groups::feature::a;
use crate::gate::judgement::Case;
use crate::model::{Component, Components, Input, Observed, Outcome, Value};
use crate::split::{UserinfoEnd, components};

/// What a subject does with an input, as a verb and its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ComponentChange {
    /// The component is undefined, and was to be defined.
    Drops(Component),
    /// The component is undefined, and was to be empty.
    DropsEmpty(Component),
    /// The component is defined, and was to be undefined.
    Adds(Component),
    /// The component is empty, and was to be undefined.
    AddsEmpty(Component),
    /// A target has a component of its base that it is not to have.
    KeepsOfBase(Component),
    /// A path has dot-segments that were to be removed.
    KeepsDotSegments,
    /// The hexadecimal digits of triplets are in lower case, or were to be.
    CaseOfTriplets,
    /// Letters are in another case.
    CaseOfLetters,
    /// Triplets are characters.
    Decodes,
    /// Characters are triplets.
    Encodes,
    /// Triplets were to be decoded.
    KeepsTriplets,
}

impl ComponentChange {
    /// The change that explains all of a difference; `None` if several are needed.
    pub(super) fn of(case: &Case<'_>) -> Option<ComponentChange> {
        let result = case.result.as_ref()?;
        let Verdict::Diverge(difference) = &result.verdict else {
            return None;
        };
        let (expected, observed) = sides(&result.expected.literal(), &result.observed)?;
        // What is reported in another form is not different.
        let is_compared = |one: &Component| match &result.observed {
            Outcome::Accepted {
                value: Value::Components(_),
            } => difference.components.contains(*one),
            _ => true,
        };
        let differing = Component::TEXTS.into_iter().filter(is_compared);
        let differing = differing.filter(|one| expected.text(*one) != observed.text(*one));
        let differing: Vec<(Component, Option<&str>, Option<&str>)> =
            differing.map(|one| (one, expected.text(one), observed.text(one))).collect();
        let both: Option<Vec<(&str, &str)>> = differing.iter().map(|(_, one, other)| one.zip(*other)).collect();
        match both {
            _ if differing.is_empty() => None,
            Some(both) => of_texts(&case.vector.input, &both).or_else(|| of_one(&case.vector.input, &differing)),
            None => of_one(&case.vector.input, &differing),
        }
    }

    /// The same of a component that is empty or is not.
    pub(super) fn widened(self) -> ComponentChange {
        match self {
            ComponentChange::DropsEmpty(component) => ComponentChange::Drops(component),
            ComponentChange::AddsEmpty(component) => ComponentChange::Adds(component),
            other => other,
        }
    }

    /// Whether a component of the base is there.
    pub(super) fn is_of_base(self) -> bool {
        matches!(self, ComponentChange::KeepsOfBase(_))
    }

    /// The component with which it is concerned, if it is one.
    pub(super) fn component(self) -> Option<Component> {
        match self {
            ComponentChange::Drops(component)
            | ComponentChange::DropsEmpty(component)
            | ComponentChange::Adds(component)
            | ComponentChange::AddsEmpty(component)
            | ComponentChange::KeepsOfBase(component) => Some(component),
            ComponentChange::KeepsDotSegments => Some(Component::Path),
            ComponentChange::CaseOfTriplets
            | ComponentChange::CaseOfLetters
            | ComponentChange::Decodes
            | ComponentChange::Encodes
            | ComponentChange::KeepsTriplets => None,
        }
    }
}

impl fmt::Display for ComponentChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ComponentChange::Drops(component) => write!(f, "drops the {component}"),
            ComponentChange::DropsEmpty(component) => write!(f, "drops an empty {component}"),
            ComponentChange::Adds(component) => write!(f, "adds {}", a(*component)),
            ComponentChange::AddsEmpty(component) => write!(f, "adds an empty {component}"),
            ComponentChange::KeepsOfBase(component) => write!(f, "keeps the {component} of the base"),
            ComponentChange::KeepsDotSegments => f.write_str("keeps dot-segments"),
            ComponentChange::CaseOfTriplets => f.write_str("writes triplets in another case"),
            ComponentChange::CaseOfLetters => f.write_str("writes letters in another case"),
            ComponentChange::Decodes => f.write_str("decodes triplets"),
            ComponentChange::Encodes => f.write_str("encodes characters"),
            ComponentChange::KeepsTriplets => f.write_str("keeps triplets that are to be decoded"),
        }
    }
}

/// The components of what conforms and of what came out. What a subject does not report is as it is to be.
fn sides(expected: &Outcome, observed: &Outcome) -> Option<(Components, Components)> {
    let (Outcome::Accepted { value: expected }, Outcome::Accepted { value: observed }) = (expected, observed) else {
        return None;
    };
    match (expected, observed) {
        (Value::Uri(expected), Value::Uri(observed)) => {
            let of = |uri: &str| components(uri, UserinfoEnd::LastAt).map(str::to_owned);
            Some((of(expected), of(observed)))
        }
        (Value::Components(expected), Value::Components(observed)) => {
            let of = |one: &Observed| Components::from(&one.as_strs());
            let (expected, mut reported) = (of(expected), of(observed));
            let unreported = Component::TEXTS.into_iter().filter(|one| observed.text(*one).is_nothing());
            for component in unreported {
                reported = reported.with(component, expected.text(component));
            }
            Some((expected, reported))
        }
        _ => None,
    }
}

/// Of texts that are defined on both sides.
fn of_texts(input: &Input, texts: &[(&str, &str)]) -> Option<ComponentChange> {
    let all = |is_same: &dyn Fn(&str, &str) -> bool| texts.iter().all(|(one, other)| is_same(one, other));
    if all(&|one, other| upper_triplets(one) == upper_triplets(other)) {
        return Some(ComponentChange::CaseOfTriplets);
    }
    if all(&|one, other| one.eq_ignore_ascii_case(other)) {
        return Some(ComponentChange::CaseOfLetters);
    }
    let is_decoded = all(&|one, other| percent_decode(one) == percent_decode(other));
    let is_shorter = all(&|one, other| other.len() < one.len());
    let is_longer = all(&|one, other| other.len() > one.len());
    match (is_decoded, is_shorter, is_longer) {
        (true, true, _) => Some(ComponentChange::Decodes),
        (true, _, true) => {
            let input = input.to_string();
            Some(match texts.iter().all(|(_, other)| input.contains(*other)) {
                true => ComponentChange::KeepsTriplets,
                false => ComponentChange::Encodes,
            })
        }
        _ => None,
    }
}

/// Of one component; where there is an authority on one side only, of all of it.
fn of_one(input: &Input, differing: &[(Component, Option<&str>, Option<&str>)]) -> Option<ComponentChange> {
    let in_authority = |one: Component| matches!(one, Component::Userinfo | Component::Host | Component::Port);
    let (component, expected, observed) = match differing {
        [one] => *one,
        several if several.iter().all(|(one, ..)| in_authority(*one)) => {
            let host = several.iter().find(|(one, ..)| *one == Component::Host)?;
            *host.1.xor(host.2).and(Some(host))?
        }
        _ => return None,
    };
    let of_base = match input {
        Input::Resolve { base, .. } => components(base, UserinfoEnd::LastAt).text(component).map(str::to_owned),
        _ => None,
    };
    match (expected, observed) {
        (_, Some(observed)) if of_base.as_deref() == Some(observed) && component != Component::Path => {
            Some(ComponentChange::KeepsOfBase(component))
        }
        (Some(""), None) => Some(ComponentChange::DropsEmpty(component)),
        (Some(_), None) => Some(ComponentChange::Drops(component)),
        (None, Some("")) => Some(ComponentChange::AddsEmpty(component)),
        (None, Some(_)) => Some(ComponentChange::Adds(component)),
        (Some(expected), Some(observed)) => {
            let removed = remove_dot_segments(observed);
            (component == Component::Path && removed != observed && removed == expected)
                .then_some(ComponentChange::KeepsDotSegments)
        }
        (None, None) => None,
    }
}

/// With the hexadecimal digits of triplets in upper case.
fn upper_triplets(text: &str) -> Vec<u8> {
    let mut octets = text.as_bytes().to_vec();
    for at in 0..octets.len() {
        if octets[at] == b'%' {
            octets[at + 1..].iter_mut().take(2).for_each(u8::make_ascii_uppercase);
        }
    }
    octets
}
