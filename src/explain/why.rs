//! Explains, for any input, why the conforming outcomes conform.

use rfc3986_reference::components::parse;
use serde::Serialize;
use uriproof::model::{Components, Input, Reading, Rule};
use uriproof::vectors::Library;

use super::composition::{Composition, composition};
use super::resolution::{Against, against};
use super::{Detail, InputExplanation, UnknownClause, explain};

/// Why that conforms which does.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Why {
    /// Of one string and a rule; of several, each.
    Strings(Vec<InputExplanation>),
    /// Of a resolution.
    Resolution(Box<Against>),
    /// Of components.
    Composition(Box<Composition>),
}

impl Why {
    /// Of `input`; the clauses are those of `library`.
    ///
    /// # Errors
    ///
    /// A clause that the library does not have.
    pub fn of(input: &Input, detail: Detail, library: &Library) -> Result<Why, UnknownClause> {
        let strings = |strings: &[(&str, Rule)]| {
            let explained = strings.iter().map(|(text, rule)| explain(text, *rule, detail, library));
            explained.collect::<Result<_, _>>().map(Why::Strings)
        };
        let composed =
            |components: &Components| composition(components, library).map(|it| Why::Composition(Box::new(it)));
        match input {
            Input::Parse { rule, input } => strings(&[(input, *rule)]),
            Input::Resolve {
                base,
                reference,
                strict,
            } => against(base, reference, *strict, detail, library).map(|it| Why::Resolution(Box::new(it))),
            Input::Normalize { uri, .. } | Input::RoundTrip { uri } => strings(&[(uri, Rule::UriReference)]),
            Input::Equivalent { left, right, .. } | Input::Contract { left, right } => {
                strings(&[(left, Rule::UriReference), (right, Rule::UriReference)])
            }
            Input::Relativize { base, target } => strings(&[(base, Rule::Uri), (target, Rule::Uri)]),
            Input::Compose { components } => composed(components),
            Input::Modify { uri, component, value } => match parse(uri, Reading::Rfc3986) {
                Ok(reference) => composed(&Components::from(&reference).with(*component, value.as_deref())),
                Err(_) => strings(&[(uri, Rule::UriReference)]),
            },
        }
    }
}
