//! The texts that an input is made of, so that all operations are made smaller by one procedure.

use std::borrow::Cow;

use uriproof::compare::uri_of_iri;
use uriproof::model::{Component, Components, Input};

use super::plain::TextKind;

/// The texts of an input, in order; none for a component that is undefined.
pub(super) type Texts = Vec<Option<String>>;

/// The texts that `input` is made of.
pub(super) fn texts(input: &Input) -> Texts {
    let some = |text: &String| Some(text.clone());
    match input {
        Input::Parse { input, .. } => vec![some(input)],
        Input::Resolve { base, reference, .. } => vec![some(base), some(reference)],
        Input::Normalize { uri, .. } | Input::RoundTrip { uri } => vec![some(uri)],
        Input::Compose { components } => {
            let Components {
                scheme,
                userinfo,
                host,
                host_kind: _,
                port,
                path,
                query,
                fragment,
            } = components;
            let [scheme, userinfo, host, port, query, fragment] =
                [scheme, userinfo, host, port, query, fragment].map(Clone::clone);
            vec![scheme, userinfo, host, port, some(path), query, fragment]
        }
        Input::Equivalent { left, right, .. } | Input::Contract { left, right } => vec![some(left), some(right)],
        Input::Relativize { base, target } => vec![some(base), some(target)],
        Input::Modify { uri, value, .. } => vec![some(uri), value.clone()],
    }
}

/// `input` with the URI that each IRI maps to.
pub(crate) fn with_uris_of_iris(input: &Input) -> Cow<'_, Input> {
    let texts = texts(input);
    if texts.iter().flatten().all(|text| text.is_ascii()) {
        return Cow::Borrowed(input);
    }
    let uris = texts.into_iter().map(|text| text.map(|text| uri_of_iri(&text).into_owned()));
    Cow::Owned(with_texts(input, &uris.collect::<Texts>()))
}

/// Whether the text at `at` can be undefined.
pub(super) fn is_optional(input: &Input, at: usize) -> bool {
    /// Of the components to compose, the path is the one that is always there.
    const PATH: usize = 4;
    match input {
        Input::Compose { .. } => at != PATH,
        Input::Modify { .. } => at == 1,
        Input::Parse { .. }
        | Input::Resolve { .. }
        | Input::Normalize { .. }
        | Input::Equivalent { .. }
        | Input::Relativize { .. }
        | Input::RoundTrip { .. }
        | Input::Contract { .. } => false,
    }
}

/// What of a URI the text at `at` is.
pub(super) fn part(input: &Input, at: usize) -> TextKind {
    match (input, at) {
        (Input::Compose { .. }, 0)
        | (
            Input::Modify {
                component: Component::Scheme,
                ..
            },
            1,
        ) => TextKind::Scheme,
        (Input::Compose { .. }, 2)
        | (
            Input::Modify {
                component: Component::Host,
                ..
            },
            1,
        ) => TextKind::Host,
        (Input::Compose { .. }, 3)
        | (
            Input::Modify {
                component: Component::Port,
                ..
            },
            1,
        ) => TextKind::Port,
        (Input::Compose { .. }, 5 | 6)
        | (
            Input::Modify {
                component: Component::Query | Component::Fragment,
                ..
            },
            1,
        ) => TextKind::Data,
        (Input::Compose { .. }, _) | (Input::Modify { .. }, 1) => TextKind::Other,
        _ => TextKind::Whole,
    }
}

/// `input` with other texts: as many as it has, and defined where they must be.
pub(super) fn with_texts(input: &Input, texts: &[Option<String>]) -> Input {
    let optional = |at: usize| texts.get(at).cloned().flatten();
    let text = |at: usize| optional(at).unwrap_or_default();
    match input {
        Input::Parse { rule, .. } => Input::Parse {
            rule: *rule,
            input: text(0),
        },
        Input::Resolve { strict, .. } => Input::Resolve {
            base: text(0),
            reference: text(1),
            strict: *strict,
        },
        Input::Normalize { scope, .. } => Input::Normalize {
            uri: text(0),
            scope: *scope,
        },
        Input::Compose { .. } => Input::Compose {
            components: Components {
                scheme: optional(0),
                userinfo: optional(1),
                host: optional(2),
                host_kind: None,
                port: optional(3),
                path: text(4),
                query: optional(5),
                fragment: optional(6),
            },
        },
        Input::Equivalent { rung, .. } => Input::Equivalent {
            left: text(0),
            right: text(1),
            rung: *rung,
        },
        Input::Relativize { .. } => Input::Relativize {
            base: text(0),
            target: text(1),
        },
        Input::Modify { component, .. } => Input::Modify {
            uri: text(0),
            component: *component,
            value: optional(1),
        },
        Input::RoundTrip { .. } => Input::RoundTrip { uri: text(0) },
        Input::Contract { .. } => Input::Contract {
            left: text(0),
            right: text(1),
        },
    }
}

/// The same question with its texts the other way round, where the shorter or earlier one is not the first yet: what holds
/// of two URIs holds of them in any order.
pub(super) fn in_order(input: &Input) -> Option<Input> {
    let is_out_of_order = |left: &String, right: &String| (right.len(), right) < (left.len(), left);
    match input {
        Input::Equivalent { left, right, rung } if is_out_of_order(left, right) => Some(Input::Equivalent {
            left: right.clone(),
            right: left.clone(),
            rung: *rung,
        }),
        Input::Contract { left, right } if is_out_of_order(left, right) => Some(Input::Contract {
            left: right.clone(),
            right: left.clone(),
        }),
        _ => None,
    }
}
