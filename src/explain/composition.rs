//! Why components are those of no URI-reference: each held against its rule, and all of them together.

use serde::Serialize;
use uriproof::clauses::clash;
use uriproof::expect::expect;
use uriproof::model::{Clause, Component, Components, Input, Outcome, Reading, Value};
use uriproof::vectors::Library;

use super::answers::ReadingOutcomes;
use super::resolution::Also;
use super::{Detail, InputExplanation, UnknownClause, explain, known};

/// What comes of composing components, in the reading `rfc3986`.
#[derive(Clone, Debug, Serialize)]
pub struct Composition {
    /// The components.
    pub components: Components,
    /// The URI-reference that has just these components; none if none has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// Those that do not match their rules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unfit: Vec<UnfitComponent>,
    /// Why they do not go together, where each by itself matches its rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<Clause>,
    /// What conforms besides refusing them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Also>,
    /// What comes of it in every reading, where it is not the same in all.
    #[serde(skip_serializing_if = "ReadingOutcomes::is_empty")]
    pub readings: ReadingOutcomes,
}

/// A component that does not match its rule.
#[derive(Clone, Debug, Serialize)]
pub struct UnfitComponent {
    /// Which one.
    pub component: Component,
    /// Why.
    #[serde(flatten)]
    pub explanation: InputExplanation,
}

/// What comes of composing `components`; the clauses are those of `library`.
///
/// # Errors
///
/// A clause that the library does not have.
pub fn composition(components: &Components, library: &Library) -> Result<Composition, UnknownClause> {
    let mut unfit = Vec::new();
    for component in Component::TEXTS {
        let rule = component.rule();
        if let Some(text) = components.text(component)
            && rule.matches(text, Reading::Rfc3986).is_err()
        {
            let explanation = explain(text, rule, Detail::Parts, library)?;
            unfit.push(UnfitComponent { component, explanation });
        }
    }
    let together = clash(components).filter(|_| unfit.is_empty());
    let together = together.map(|id| known(library, id)).transpose()?;
    let components = components.clone();
    let input = Input::Compose { components };
    let expected = expect(&input, Reading::Rfc3986);
    let readings = ReadingOutcomes::of(&input, library);
    let uri = match expected.literal() {
        Outcome::Accepted { value: Value::Uri(uri) } => Some(uri),
        _ => None,
    };
    let Input::Compose { components } = input else {
        unreachable!("it is one")
    };
    Ok(Composition {
        components,
        uri,
        unfit,
        together,
        also: Also::of(expected),
        readings,
    })
}
