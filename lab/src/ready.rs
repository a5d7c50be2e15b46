//! Ready vectors: what RFC 3986 expects of an input, in the form that `vectors/` has, with licences, level and clauses.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use uriproof::algorithms::ignores_scheme;
use uriproof::clauses::{clause_of, deciding};
use uriproof::compare::Difference;
use uriproof::expect::licences::licence;
use uriproof::expect::{Expected, Property, expect};
use uriproof::model::{
    Clause, Expectation, Input, Level, LicensedOutcome, Outcome, Reading, Rule, Rung, Value, Vector,
};
use uriproof::vectors::{Acceptances, Library, content_hash, has_components};

/// Why there is no vector for an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoVector {
    /// There is one already, with this id.
    Known(String),
    /// No vector can say what is expected, for this reason.
    Inexpressible(String),
}

impl fmt::Display for NoVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoVector::Known(id) => write!(f, "{id} has this input"),
            NoVector::Inexpressible(reason) => write!(f, "none: {reason}"),
        }
    }
}

impl std::error::Error for NoVector {}

/// Returns a vector for an input on which a subject differs so, ready to be put into a file below `vectors/found/`. `library`
/// has the clauses, and the acceptances that a rejection can stand beside.
///
/// # Errors
///
/// The id of the vector of `library` that has this input, or why no vector can say what is expected.
pub fn ready_vector(input: &Input, difference: &Difference, library: &Library) -> Result<Vector, NoVector> {
    match library.vectors().find(|vector| vector.input == *input) {
        Some(known) => Err(NoVector::Known(known.id.clone())),
        None => new_vector(input, difference, library),
    }
}

/// As [`ready_vector`], whether `library` has such a vector or not.
///
/// # Errors
///
/// Why no vector can say what is expected.
pub fn new_vector(input: &Input, difference: &Difference, library: &Library) -> Result<Vector, NoVector> {
    let known = |ids: &[&str]| -> Vec<&Clause> {
        let tested = |id: &&str| library.clause(id).filter(|clause| clause.untested.is_none());
        ids.iter().filter_map(tested).collect()
    };
    let mut clauses = known(&deciding(input, difference));
    if clauses.is_empty() {
        clauses = known(&[clause_of(Rule::UriReference)]);
    }
    let decisive = clauses.first().copied().ok_or_else(|| {
        let reason = "the register has no clause that decides it";
        NoVector::Inexpressible(reason.to_owned())
    })?;
    let plain = expect(input, Reading::Rfc3986);
    let mut expectations = BTreeMap::from([(Reading::Rfc3986, expectation(input, &plain, decisive)?)]);
    for reading in Reading::ALL {
        // The model of elements is about parsing and resolution.
        let is_read = reading != Reading::Elements || matches!(input, Input::Parse { .. } | Input::Resolve { .. });
        let other = expect(input, reading);
        if is_read && without_words(&other) != without_words(&plain) {
            expectations.insert(reading, expectation(input, &other, decisive)?);
        }
    }
    let mut ids: Vec<String> = Vec::new();
    for clause in clauses {
        if !ids.contains(&clause.id) {
            ids.push(clause.id.clone());
        }
    }
    let mut vector = Vector {
        id: id(input, difference),
        input: input.clone(),
        level: level(input, &plain),
        expect: expectations,
        clauses: ids,
        note: None,
        twin: None,
    };
    let acceptances = Acceptances::of(library.vectors());
    if acceptances.twin(&vector).is_none() {
        vector.twin = acceptances.nearest(&vector).map(str::to_owned);
    }
    Ok(vector)
}

/// The file of the operation below `vectors/found/`, and a name: what differs, and a hash of the input.
fn id(input: &Input, difference: &Difference) -> String {
    let file = match input {
        Input::Parse { .. } | Input::RoundTrip { .. } => "reading",
        Input::Resolve { .. } => "resolving",
        Input::Normalize { .. } => "normalizing",
        Input::Compose { .. } | Input::Modify { .. } => "changing",
        Input::Equivalent { .. } | Input::Contract { .. } => "comparing",
        Input::Relativize { .. } => "relativizing",
    };
    let components = difference.components.iter().map(|component| component.name().replace('_', "-"));
    let text = serde_json::to_string(input).unwrap_or_default();
    let hash = content_hash(&BTreeMap::from([(String::new(), text)]));
    let words = [difference.kind.name().to_owned()].into_iter().chain(components).chain([hash[..8].to_owned()]);
    format!("found/{file}/{}", words.collect::<Vec<_>>().join("-"))
}

/// Whether it follows from the grammar or an algorithm, is recommended, or is allowed.
fn level(input: &Input, expected: &Expected) -> Level {
    match input {
        Input::Normalize { .. } | Input::Contract { .. } => Level::Should,
        // §6.1: false positives are strictly avoided; false negatives above simple comparison are not.
        Input::Equivalent { rung, .. } if *rung != Rung::Simple && expected.literal() == Outcome::equivalent(true) => {
            Level::Should
        }
        _ if ignores_scheme(input) && matches!(expected.literal(), Outcome::Accepted { .. }) => Level::May,
        _ => Level::Must,
    }
}

/// What is expected, without the words of rejections and the names of outcomes.
fn without_words(expected: &Expected) -> Result<Vec<Outcome>, &Expected> {
    let Expected::Outcomes(outcomes) = expected else {
        return Err(expected);
    };
    Ok(outcomes
        .iter()
        .map(|one| match &one.outcome {
            Outcome::Rejected { .. } => Outcome::Rejected {
                reason: None,
                offset: None,
            },
            other => other.clone(),
        })
        .collect())
}

fn expectation(input: &Input, expected: &Expected, decisive: &Clause) -> Result<Expectation, NoVector> {
    let outcomes = match expected {
        Expected::Outcomes(outcomes) => outcomes,
        Expected::NoAnswer { reason } => return Err(NoVector::Inexpressible(reason.clone())),
        Expected::Property(property) => {
            return match (property, expected.literal()) {
                (_, Outcome::Accepted { value: Value::Uri(uri) }) => Ok(Expectation::Uri(uri)),
                (Property::KeepsContracts, _) => Ok(Expectation::Broken(Vec::new())),
                (
                    _,
                    Outcome::Rejected {
                        reason: Some(reason), ..
                    }
                    | Outcome::Unsupported { reason },
                ) => Err(NoVector::Inexpressible(reason)),
                (_, other) => Err(NoVector::Inexpressible(other.to_string())),
            };
        }
    };
    if let [one] = &outcomes[..] {
        return single(input, &one.outcome);
    }
    let mut names: BTreeSet<String> = BTreeSet::new();
    let conforming = outcomes.iter().map(|one| {
        let licence = match &*one.name {
            "literal" => format!("§{}: \"{}\"", decisive.section, decisive.quote),
            name => licence(name)
                .ok_or_else(|| NoVector::Inexpressible(format!("no sentence licenses the outcome `{name}`")))?
                .to_owned(),
        };
        // One way of working may have several outcomes; the names of a vector are unique.
        let numbered = (2..).map(|number| format!("{}-{number}", one.name));
        let name = [one.name.to_string()].into_iter().chain(numbered).find(|name| !names.contains(name));
        let name = name.unwrap_or_default();
        names.insert(name.clone());
        let outcome = single(input, &one.outcome)?;
        Ok(LicensedOutcome { name, licence, outcome })
    });
    conforming.collect::<Result<_, _>>().map(Expectation::OneOf)
}

fn single(input: &Input, outcome: &Outcome) -> Result<Expectation, NoVector> {
    Ok(match outcome {
        Outcome::Rejected { .. } => Expectation::Rejected,
        Outcome::Accepted { value } => match (value, input) {
            (Value::Components(components), Input::Parse { rule, .. }) if has_components(*rule) => {
                Expectation::Components((&components.as_strs()).into())
            }
            (Value::Components(_), _) => Expectation::Accepted,
            (Value::Uri(uri), _) => Expectation::Uri(uri.clone()),
            (Value::Equivalent(equivalent), _) => Expectation::Equivalent(*equivalent),
            (Value::Broken(broken), _) => Expectation::Broken(broken.clone()),
        },
        Outcome::Unsupported { reason } | Outcome::Crashed { reason } | Outcome::TimedOut { reason } => {
            return Err(NoVector::Inexpressible(reason.clone()));
        }
    })
}
