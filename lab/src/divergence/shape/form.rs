//! Of what form a component is in an outcome.

use uriproof::model::{Component, Input, Outcome, Reported, Value};
use uriproof::run::Result;
use uriproof::split::split;

use super::pieces;

/// Of what form a component is, as one side has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// The subject does not report it.
    NotReported,
    /// It is undefined.
    Undefined,
    /// It is defined.
    Defined,
    /// It is a port that should not be, and does not stand in the input.
    MadeUp,
    /// It is a path that came out empty.
    EmptyPath,
}

/// The forms of a component that was expected and that was reported; none where no components are reported. What can be rejected
/// too, or is not said, is expected to be defined.
pub(crate) fn forms(result: &Result, component: Component) -> [Option<Form>; 2] {
    let expected = match form(&result.expected.literal(), component) {
        None | Some(Form::EmptyPath) => Form::Defined,
        Some(other) => other,
    };
    let reported = form(&result.observed, component);
    let is_made_up = || match (&result.input, &result.observed) {
        (
            Input::Parse { input, .. },
            Outcome::Accepted {
                value: Value::Components(reported),
            },
        ) => matches!(reported.text(component), Reported::Defined(reported) if !input.contains(reported)),
        _ => false,
    };
    match (expected, reported) {
        (Form::Undefined, Some(Form::Defined)) if component == Component::Port && is_made_up() => {
            [Some(expected), Some(Form::MadeUp)]
        }
        _ => [Some(expected), reported],
    }
}

/// The text of a component of a URI, well-formed or not; the host for its kind.
pub(crate) fn piece(uri: &str, component: Component) -> Option<String> {
    let component = match component {
        Component::HostKind => Component::Host,
        component => component,
    };
    pieces(uri).text(component).map(str::to_owned)
}

/// Whether a text that is no URI-reference is taken with a scheme or an authority that it does not have by the split of
/// Appendix B, or without one that it has.
pub(crate) fn is_split_otherwise(result: &Result) -> bool {
    let (
        Input::Parse { input, .. },
        Outcome::Rejected { .. },
        Outcome::Accepted {
            value: Value::Components(reported),
        },
    ) = (&result.input, result.expected.literal(), &result.observed)
    else {
        return false;
    };
    let five = split(input);
    let differs = |reported: Reported<&str>, is_there: bool| match reported {
        Reported::Nothing => false,
        Reported::Undefined => is_there,
        Reported::Defined(_) => !is_there,
    };
    differs(reported.text(Component::Scheme), five.scheme.is_some())
        || differs(reported.text(Component::Host), five.authority.is_some())
}

fn form(outcome: &Outcome, component: Component) -> Option<Form> {
    let Outcome::Accepted { value } = outcome else {
        return None;
    };
    let of_text = |text: &str| match component {
        Component::Path if text.is_empty() => Form::EmptyPath,
        _ => Form::Defined,
    };
    match value {
        Value::Components(components) => Some(match components.text(component) {
            Reported::Nothing => Form::NotReported,
            Reported::Undefined => Form::Undefined,
            Reported::Defined(text) => of_text(text),
        }),
        Value::Uri(uri) => Some(piece(uri, component).map_or(Form::Undefined, |piece| of_text(&piece))),
        Value::Equivalent(_) | Value::Broken(_) => None,
    }
}
