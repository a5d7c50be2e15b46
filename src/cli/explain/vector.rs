//! `uriproof explain --vector`: the input of a vector, the conforming outcomes, their clauses, and why.

use anstyle::Style;
use serde::Serialize;
use uriproof::compare::{Difference, DifferenceKind};
use uriproof::expect::from_vector;
use uriproof::model::{Clause, Vector};
use uriproof::vectors::Library;
use uriproof_lab::divergence::ledger::expected_text;

use crate::cli::{Format, RunError, print, print_json};
use crate::explain::Detail;
use crate::explain::human::{put, put_clause, title};
use crate::explain::why::Why;

const FAINT: Style = Style::new().dimmed();

/// What there is to say of a vector.
#[derive(Serialize)]
struct ExplainedVector {
    vector: Vector,
    /// The clauses that it cites.
    clauses: Vec<Clause>,
    #[serde(flatten)]
    why: Why,
}

pub(super) fn run(id: &str, format: Format, detail: Detail, library: &Library) -> Result<(), RunError> {
    let vector = library.vectors().find(|vector| vector.id == id).ok_or_else(|| {
        let nearest = library.nearest(id).map(|nearest| format!(", perhaps `{nearest}` is meant"));
        format!("no vector `{id}`{}", nearest.unwrap_or_default())
    })?;
    let why = Why::of(&vector.input, detail, library).map_err(super::unknown)?;
    match format {
        Format::Human => print(&(human_vector(vector, library) + "\n" + &why.human())),
        Format::Json => print_json(&ExplainedVector {
            vector: vector.clone(),
            clauses: cited(vector, library).cloned().collect(),
            why,
        }),
    }
}

fn cited<'a>(vector: &'a Vector, library: &'a Library) -> impl Iterator<Item = &'a Clause> {
    vector.clauses.iter().filter_map(|id| library.clause(id))
}

fn human_vector(vector: &Vector, library: &Library) -> String {
    let mut text = String::new();
    let mut row = |name: &str, value: &str| put(&mut text, &format!("{FAINT}{name:12}{FAINT:#}  {value}"));
    row("vector", &vector.id);
    row("operation", &format!("{}, {}", vector.input.operation(), vector.level));
    row("input", &vector.input.to_string());
    for (reading, expectation) in &vector.expect {
        // Nothing is left out of it, whatever might differ.
        let whole = Difference::of_kind(DifferenceKind::AcceptedInvalid);
        row(
            reading.id(),
            &expected_text(&from_vector(&vector.input, expectation), &whole),
        );
    }
    for (name, value) in [("note", vector.note.as_deref()), ("twin", library.twin(vector))] {
        if let Some(value) = value {
            row(name, value);
        }
    }
    text += &title("cited");
    for clause in cited(vector, library) {
        put_clause(&mut text, clause);
    }
    text
}
