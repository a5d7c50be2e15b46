//! `uriproof explain --vector`: what a vector asks, what conforms and by which clauses, and why.

use rfc3986_reference::components::parse;
use serde::Serialize;

use super::{Against, BAD, FAINT, GOOD, against, human, human_against, put, shown, title};
use crate::cli::{Failure, Format, print, print_json};
use crate::compare::{Difference, Kind};
use crate::divergence::ledger::expected_text;
use crate::expect::from_vector;
use crate::explain::composition::{Composition, composition};
use crate::explain::{Detail, Explanation, UnknownClause, explain};
use crate::model::{Clause, Component, Components, Input, Quoted, Reading, Rule, Vector};
use crate::search::vectors::Library;

/// What there is to say of a vector.
#[derive(Serialize)]
struct Explained {
    vector: Vector,
    /// The clauses that it cites.
    clauses: Vec<Clause>,
    #[serde(flatten)]
    why: Why,
}

/// Why that conforms which does.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Why {
    /// Of one string and a rule; of several, each.
    Strings(Vec<Explanation>),
    /// Of a resolution.
    Resolution(Box<Against>),
    /// Of components.
    Composition(Box<Composition>),
}

pub(super) fn run(id: &str, format: Format, detail: Detail, library: &Library) -> Result<(), Failure> {
    let vector = library.vectors().find(|vector| vector.id == id).ok_or_else(|| {
        let nearest = library.nearest(id).map(|nearest| format!(", perhaps `{nearest}` is meant"));
        format!("no vector `{id}`{}", nearest.unwrap_or_default())
    })?;
    let why = why(&vector.input, detail, library).map_err(super::unknown)?;
    match format {
        Format::Human => print(&(human_vector(vector, library) + "\n" + &human_why(&why))),
        Format::Json => print_json(&Explained {
            vector: vector.clone(),
            clauses: cited(vector, library).cloned().collect(),
            why,
        }),
    }
}

fn cited<'a>(vector: &'a Vector, library: &'a Library) -> impl Iterator<Item = &'a Clause> {
    vector.clauses.iter().filter_map(|id| library.clause(id))
}

fn why(input: &Input, detail: Detail, library: &Library) -> Result<Why, UnknownClause> {
    let strings = |strings: &[(&str, Rule)]| {
        let explained = strings.iter().map(|(text, rule)| explain(text, *rule, detail, library));
        explained.collect::<Result<_, _>>().map(Why::Strings)
    };
    let composed = |components: &Components| composition(components, library).map(|it| Why::Composition(Box::new(it)));
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

fn human_vector(vector: &Vector, library: &Library) -> String {
    let mut text = String::new();
    let mut row = |name: &str, value: &str| put(&mut text, &format!("{FAINT}{name:9}{FAINT:#}  {value}"));
    row("vector", &vector.id);
    row("operation", &format!("{}, {}", vector.input.operation(), vector.level));
    row("input", &vector.input.to_string());
    for (reading, expectation) in &vector.expect {
        // Nothing is left out of it, whatever might differ.
        let whole = Difference {
            kind: Kind::AcceptedInvalid,
            components: Vec::new(),
        };
        row(
            reading.id(),
            &expected_text(&from_vector(&vector.input, expectation), &whole),
        );
    }
    for (name, value) in [("note", &vector.note), ("twin", &vector.twin)] {
        if let Some(value) = value {
            row(name, value);
        }
    }
    text += &title("cited");
    for clause in cited(vector, library) {
        put(&mut text, &format!("  {}  {}", clause.id, clause.quote));
    }
    text
}

fn human_why(why: &Why) -> String {
    match why {
        Why::Strings(explanations) => {
            let texts = explanations.iter().map(|one| match explanations.len() {
                1 => human(one),
                _ => format!("{}: {}", Quoted(&one.input), human(one)),
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        Why::Resolution(against) => human_against(against),
        Why::Composition(composition) => human_composition(composition),
    }
}

fn human_composition(composition: &Composition) -> String {
    let Composition {
        components,
        uri,
        unfit,
        together,
        also,
    } = composition;
    let mut text = match uri {
        Some(uri) => format!("{GOOD}composed{GOOD:#}: {}\n", Quoted(uri)),
        None => format!("{BAD}not composed{BAD:#}: no URI-reference has these components\n"),
    };
    text += &title("components");
    for component in Component::TEXTS {
        put(
            &mut text,
            &format!("  {component:8}  {}", shown(components.text(component))),
        );
    }
    if let Some(clause) = together {
        text += &title("decided by");
        put(&mut text, &format!("  {}  {}", clause.id, clause.quote));
    }
    if !also.is_empty() {
        text += &title("conforms too");
    }
    for also in also {
        put(&mut text, &format!("  {}  {}", also.name, also.outcome));
    }
    for unfit in unfit {
        text += &format!("\n{BAD}the {}{BAD:#}: {}", unfit.component, human(&unfit.explanation));
    }
    text
}
