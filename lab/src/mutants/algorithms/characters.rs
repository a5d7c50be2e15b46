//! Mutants of producers that are made by rule: every octet of US-ASCII in every component of what is composed, modified or printed.

use rfc3986_reference::characters::is_unreserved;
use uriproof::expect::expect;
use uriproof::model::{Component, Components, Input, Outcome, Reading};

use super::Algorithms;
use super::faults::{AlgorithmFault, COMPONENTS, CharacterFault};

/// Whether the component takes the octet: whether it can be set to a text that ends with it.
fn takes(component: Component, octet: u8) -> bool {
    let before = match component {
        Component::Port => "1",
        Component::Path => "/a",
        _ => "a",
    };
    let set = Input::Modify {
        uri: "x://u@h:1/p?q#f".to_owned(),
        component,
        value: Some(format!("{before}{}", char::from(octet))),
    };
    matches!(expect(&set, Reading::Rfc3986).literal(), Outcome::Accepted { .. })
}

/// Every octet of US-ASCII in every component where the fault is a mistake. To encode an unreserved character is none that shows: the
/// URI stays equivalent (§2.3). A scheme and a port have no triplets.
pub(super) fn of_characters(fault: CharacterFault) -> Vec<AlgorithmFault> {
    let concerns = |component: Component, octet: u8| match fault {
        CharacterFault::Refused => takes(component, octet),
        CharacterFault::Encoded => COMPONENTS.contains(&component) && !is_unreserved(octet) && takes(component, octet),
        CharacterFault::Taken => !takes(component, octet),
    };
    let octets = |component: Component| (0..128_u8).map(move |octet| (component, octet));
    Component::TEXTS
        .into_iter()
        .flat_map(octets)
        .filter(|&(component, octet)| concerns(component, octet))
        .map(|(component, octet)| AlgorithmFault::Character(component, octet, fault))
        .collect()
}

/// Whether the input has the octet where a producer with the fault looks at it; in a URI that is printed, wherever it is.
pub(super) fn has_octet(input: &Input, component: Component, octet: u8) -> bool {
    let text = match input {
        Input::Compose { components } => components.text(component),
        Input::Modify {
            component: set, value, ..
        } if *set == component => value.as_deref(),
        Input::RoundTrip { uri } => Some(uri.as_str()),
        _ => None,
    };
    text.is_some_and(|text| text.contains(char::from(octet)))
}

/// The URI-reference that a producer with the fault makes of the components; `None` if it refuses them.
pub(super) fn compose(
    components: &Components,
    component: Component,
    octet: u8,
    fault: CharacterFault,
) -> Option<String> {
    let composed = |components: &Components| Algorithms::default().compose(components);
    let character = char::from(octet);
    let Some(text) = components.text(component).filter(|text| text.contains(character)) else {
        return composed(components);
    };
    let with = |other: &str| components.clone().with(component, Some(&text.replace(character, other)));
    match fault {
        CharacterFault::Refused => None,
        CharacterFault::Encoded => composed(&with(&format!("%{octet:02X}"))),
        // Nothing else is wrong if a character that fits there makes it right.
        CharacterFault::Taken => {
            let fits = if component == Component::Scheme { "a" } else { "1" };
            composed(components).or_else(|| composed(&with(fits)).map(|_| components.recompose()))
        }
    }
}
