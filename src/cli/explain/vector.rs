//! `uriproof explain --vector`: the input of a vector, the conforming outcomes, their clauses, and why.

use anstyle::Style;
use serde::Serialize;
use uriproof::compare::{Difference, DifferenceKind};
use uriproof::expect::{Expected, from_vector, whatwg};
use uriproof::model::{Clause, Quoted, Vector};
use uriproof::vectors::Library;
use uriproof_lab::divergence::ledger::expected_text;

use crate::cli::columns::print_in_columns;
use crate::cli::{Format, RunError, print_json};
use crate::explain::Detail;
use crate::explain::human::{put, put_clause, title};
use crate::explain::whatwg::UrlExplanation;
use crate::explain::why::Why;

const FAINT: Style = Style::new().dimmed();

/// A vector of RFC 3986, explained.
#[derive(Serialize)]
struct ExplainedVector<'a> {
    vector: &'a Vector,
    /// The clauses that it cites.
    clauses: Vec<&'a Clause>,
    #[serde(flatten)]
    why: Why,
}

/// A vector explained by the WHATWG URL Standard: one of its own, or one of RFC 3986.
#[derive(Serialize)]
struct ExplainedWhatwgVector<'a, V> {
    vector: &'a V,
    /// The clauses that it cites.
    clauses: Vec<&'a Clause>,
    /// How the standard parses each string of the input, and what a setter leaves.
    urls: Vec<UrlExplanation>,
}

/// Explains a vector: one of RFC 3986 by RFC 3986, unless it is the standard by which it `is_by_whatwg`.
pub(super) fn run(
    id: &str,
    is_by_whatwg: bool,
    format: Format,
    detail: Detail,
    library: &Library,
) -> Result<(), RunError> {
    if let Some((_, vector)) = library.whatwg.find(id) {
        let errors = vector.errors.join(", ");
        return run_whatwg(vector, &vector.to_vector(), &errors, format, detail, library);
    }
    let vector = library.vectors().find(|vector| vector.id == id).ok_or_else(|| {
        let nearest = library.nearest(id).map(|nearest| format!(", perhaps `{nearest}` is meant"));
        format!("no vector `{id}`{}", nearest.unwrap_or_default())
    })?;
    if is_by_whatwg {
        return run_whatwg(vector, vector, "", format, detail, library);
    }
    let why = Why::of(&vector.input, detail, library).map_err(super::unknown)?;
    let clauses = cited(&vector.clauses, library);
    match format {
        Format::Human => {
            let expected = vector.expect.iter();
            let expected = expected.map(|(reading, outcome)| (reading.id(), from_vector(&vector.input, outcome)));
            let more = [("twin", library.twin(vector))];
            let head = human_vector(vector, &expected.collect::<Vec<_>>(), &more, &clauses);
            print_in_columns(&(head + "\n" + &why.human()))
        }
        Format::Json => print_json(&ExplainedVector { vector, clauses, why }),
    }
}

/// Explains a vector by the standard. `serialized` is how it stands in its file, and `errors` are the validation errors that it names.
fn run_whatwg<V: Serialize>(
    serialized: &V,
    vector: &Vector,
    errors: &str,
    format: Format,
    detail: Detail,
    library: &Library,
) -> Result<(), RunError> {
    if detail == Detail::Characters {
        return Err(format!(
            "--full is for the grammar of RFC 3986; `{}` is explained by the URL Standard",
            vector.id
        ));
    }
    let clauses = cited(&vector.clauses, library);
    let urls = UrlExplanation::of_input(&vector.input);
    match format {
        Format::Human => {
            let more = [("errors", Some(errors).filter(|errors| !errors.is_empty()))];
            let expected = [("whatwg", whatwg::expect(&vector.input))];
            let mut text = human_vector(vector, &expected, &more, &clauses);
            for one in &urls {
                let of = match urls.len() {
                    1 => String::new(),
                    _ => format!("{}: ", Quoted(&one.input)),
                };
                text += &format!("\n{of}{}", one.human());
            }
            print_in_columns(&text)
        }
        Format::Json => print_json(&ExplainedWhatwgVector {
            vector: serialized,
            clauses,
            urls,
        }),
    }
}

fn cited<'a>(ids: &[String], library: &'a Library) -> Vec<&'a Clause> {
    ids.iter().filter_map(|id| library.clause(id)).collect()
}

/// The vector with what is expected, by reading or specification, with more rows if they have a text, and with the clauses.
fn human_vector(
    vector: &Vector,
    expected: &[(&str, Expected)],
    more: &[(&str, Option<&str>)],
    clauses: &[&Clause],
) -> String {
    let mut text = String::new();
    let mut row = |name: &str, value: &str| put(&mut text, &format!("{FAINT}{name:12}{FAINT:#}  {value}"));
    row("vector", &vector.id);
    row("operation", &format!("{}, {}", vector.input.operation(), vector.level));
    row("input", &vector.input.to_string());
    for (name, expected) in expected {
        // Nothing is left out of it, whatever might differ.
        let whole = Difference::of_kind(DifferenceKind::AcceptedInvalid);
        row(name, &expected_text(expected, &whole));
    }
    for (name, value) in [("note", vector.note.as_deref())].iter().chain(more) {
        if let Some(value) = value {
            row(name, value);
        }
    }
    text += &title("cited");
    for clause in clauses {
        put_clause(&mut text, clause);
    }
    text
}
