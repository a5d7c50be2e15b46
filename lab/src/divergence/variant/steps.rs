//! The steps of normalization that make two URIs alike, component by component.

use rfc3986_reference::characters::{leading_triplet, percent_decode};
use rfc3986_reference::components::parse;
use rfc3986_reference::dot_segments::remove_dot_segments;
use rfc3986_reference::normalize::percent_encoding_normalization;
use uriproof::model::{Component, Components, Input, Reading, Rung};

/// How a component of one URI becomes that of an equivalent one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum NormalizingStep {
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
    /// The same number, which ports are not compared by.
    Number,
}

/// By which steps the two URIs of a question on equivalence become alike, component by component, and on which rung; none if
/// there are others. Of what calls two equivalent URIs different (`is_right`), it says which step it does not take; of what calls
/// two others equivalent, which step it takes though it should not. Which scheme and which host stand beside says nothing.
pub(crate) fn steps(input: &Input, is_right: bool) -> Option<Steps> {
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
        let right_steps = steps_between(component, one.unwrap_or_default(), other.unwrap_or_default());
        match (&right_steps[..], one, other) {
            ([], ..) if is_right => return None,
            (right_steps, ..) if is_right => steps.extend(right_steps.iter().map(|step| (component, *step))),
            (_, None, Some("")) | (_, Some(""), None) => steps.push((component, NormalizingStep::Default)),
            ([NormalizingStep::Case], ..) if !matches!(component, Component::Scheme | Component::Host) => {
                steps.push((component, NormalizingStep::Case));
            }
            ([NormalizingStep::Default] | [], Some(one), Some(other)) => {
                let are_equal = |of: fn(&str) -> Option<Vec<u8>>| of(one).is_some_and(|one| of(other) == Some(one));
                let step = match component {
                    Component::Port if are_equal(number) => NormalizingStep::Number,
                    _ if are_equal(|text| Some(percent_decode(text))) => NormalizingStep::DecodingAll,
                    _ => return None,
                };
                steps.push((component, step));
            }
            ([NormalizingStep::Default] | [], ..) => return None,
            _ => {}
        }
    }
    (!steps.is_empty()).then_some((*rung, steps))
}

/// A rung, and the step that each component takes which differs.
pub(crate) type Steps = (Rung, Vec<(Component, NormalizingStep)>);

/// The steps that make two texts of a component alike: one, or two of which the other needs the first; none if there are none.
fn steps_between(component: Component, one: &str, other: &str) -> Vec<NormalizingStep> {
    // What cannot be normalized is alike by no step, and so is news.
    let decoded = |text: &str| percent_encoding_normalization(&format!("a:?{text}"), Reading::Rfc3986).ok();
    if one.is_empty() || other.is_empty() {
        return vec![NormalizingStep::Default];
    } else if upper_triplets(one) == upper_triplets(other) {
        return vec![NormalizingStep::CaseOfTriplets];
    } else if one.eq_ignore_ascii_case(other) {
        return vec![NormalizingStep::Case];
    } else if component == Component::Path && remove_dot_segments(one) == remove_dot_segments(other) {
        return vec![NormalizingStep::DotSegments];
    }
    match (decoded(one), decoded(other)) {
        (Some(one), Some(other)) if one == other => vec![NormalizingStep::Decoding],
        (Some(one), Some(other))
            if matches!(component, Component::Scheme | Component::Host) && one.eq_ignore_ascii_case(&other) =>
        {
            vec![NormalizingStep::Decoding, NormalizingStep::Case]
        }
        _ => Vec::new(),
    }
}

/// The digits of a port that count; none if it is no number.
fn number(port: &str) -> Option<Vec<u8>> {
    let is_number = !port.is_empty() && port.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| port.trim_start_matches('0').as_bytes().to_vec())
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
