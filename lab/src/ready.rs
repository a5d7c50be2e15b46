//! Ready vectors: what RFC 3986 expects of an input, in the form that `vectors/` has, with licences, level and clauses.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use rfc3986_reference::components::{self, ReferenceRule};
use rfc3986_reference::grammar::Error;
use rfc3986_reference::normalize::{
    case_normalization, path_segment_normalization, percent_encoding_normalization, scheme_based, syntax_based,
};
use rfc3986_reference::resolve::{Branch, Strictness, resolve};
use uriproof::clauses::{BASE, Mismatch, clash, clause_of, clause_of_branch};
use uriproof::compare::Difference;
use uriproof::expect::licences::licence;
use uriproof::expect::{Expected, Property, SCHEMES, expect};
use uriproof::model::{
    Clause, Component, Components, Expectation, Input, Level, LicensedOutcome, Outcome, Reading, Rule, Rung, Scope,
    Value, Vector,
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

/// Whether it follows from the grammar or an algorithm, or is recommended.
fn level(input: &Input, expected: &Expected) -> Level {
    match input {
        Input::Normalize { .. } | Input::Contract { .. } => Level::Should,
        // §6.1: false positives are strictly avoided; false negatives above simple comparison are not.
        Input::Equivalent { rung, .. } if *rung != Rung::Simple && expected.literal() == Outcome::equivalent(true) => {
            Level::Should
        }
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

/// The ids of the clauses that decide what is expected, where a subject differs so, the decisive one first.
fn deciding(input: &Input, difference: &Difference) -> Vec<&'static str> {
    let as_reference = |text: &str| of_error(text, Rule::UriReference);
    match input {
        Input::Parse { rule, input } => of_error(input, *rule).unwrap_or_else(|| {
            let differing = difference.components.iter().map(|component| clause_of(component.rule()));
            differing.chain([clause_of(*rule)]).take(difference.components.len().max(1)).collect()
        }),
        Input::Resolve {
            base,
            reference,
            strict,
        } => of_resolution(base, reference, *strict),
        Input::Normalize { uri, scope } => as_reference(uri).unwrap_or_else(|| of_normalization(uri, *scope)),
        Input::Compose { components } => of_composition(components, difference),
        Input::Modify { uri, component, value } => match components::parse(uri, Reading::Rfc3986) {
            Err(_) => as_reference(uri).unwrap_or_default(),
            Ok(parsed) => of_composition(
                &Components::from(&parsed).with(*component, value.as_deref()),
                difference,
            ),
        },
        Input::RoundTrip { uri } => as_reference(uri).unwrap_or_else(|| of_recomposition(difference)),
        Input::Equivalent { left, right, rung } => {
            let invalid = as_reference(left).or_else(|| as_reference(right));
            invalid.unwrap_or_else(|| of_comparison(left, right, *rung))
        }
        Input::Contract { left, right } => {
            let invalid = as_reference(left).or_else(|| as_reference(right));
            invalid.unwrap_or_else(|| of_comparison(left, right, Rung::Syntax))
        }
        Input::Relativize { base, target } => {
            let invalid = as_reference(base).or_else(|| as_reference(target));
            invalid.unwrap_or_else(|| vec!["§5.2/definitive-results"])
        }
    }
}

/// Those by which a text does not match a rule; `None` if it does.
fn of_error(input: &str, rule: Rule) -> Option<Vec<&'static str>> {
    let Error { rule: failed, offset } = rule.matches(input, Reading::Rfc3986).err()?;
    let stop = Mismatch {
        input,
        rule,
        failed,
        offset,
    };
    Some([clause_of(stop.deciding())].into_iter().chain(stop.prose()).collect())
}

fn of_resolution(base: &str, reference: &str, strict: bool) -> Vec<&'static str> {
    let reading = Reading::Rfc3986;
    if components::parse_rule(ReferenceRule::Uri, base, reading).is_err() {
        let of_error = of_error(base, Rule::UriReference).unwrap_or_default();
        return [BASE].into_iter().chain(of_error).collect();
    }
    let (Ok(base), Ok(r)) = (components::parse(base, reading), components::parse(reference, reading)) else {
        return of_error(reference, Rule::UriReference).unwrap_or_default();
    };
    let strictness = match strict {
        true => Strictness::Strict,
        false => Strictness::NonStrict,
    };
    let branch = resolve(&base.components, &r.components, strictness, reading).branch;
    let is_ignored = r.components.scheme.is_some() && branch != Branch::Scheme;
    let non_strict = is_ignored.then_some("§5.2.2/non-strict");
    non_strict.into_iter().chain([clause_of_branch(branch)]).collect()
}

/// Those of the steps that change a URI.
fn of_normalization(uri: &str, scope: Scope) -> Vec<&'static str> {
    let reading = Reading::Rfc3986;
    let changes = |normal: Result<String, _>| normal.is_ok_and(|normal| normal != uri);
    let Ok(parsed) = components::parse(uri, reading) else {
        return Vec::new();
    };
    let authority = parsed.authority;
    let has_capital =
        |text: Option<&str>| text.is_some_and(|text| text.bytes().any(|octet| octet.is_ascii_uppercase()));
    let has_capitals = has_capital(parsed.components.scheme) || has_capital(authority.map(|authority| authority.host));
    let by_scheme = || scheme_based(uri, &SCHEMES, reading) != syntax_based(uri, reading);
    let is_of_scheme = scope == Scope::Scheme && by_scheme();
    let has_port = authority.is_some_and(|authority| authority.port.is_some());
    let steps = [
        (is_of_scheme && has_port, "§6.2.3/port"),
        (is_of_scheme && parsed.components.path.is_empty(), "§6.2.3/empty-path"),
        (is_of_scheme, "§6.2.3/scheme-specific-rules"),
        (has_capitals, "§6.2.2.1/scheme-and-host"),
        (
            !has_capitals && changes(case_normalization(uri, reading)),
            "§6.2.2.1/hex-digits",
        ),
        (
            changes(percent_encoding_normalization(uri, reading)),
            "§6.2.2.2/decode-unreserved",
        ),
        (
            changes(path_segment_normalization(uri, reading)),
            "§6.2.2.3/remove-dot-segments",
        ),
    ];
    let mut clauses: Vec<&str> = steps.into_iter().filter(|(is, _)| *is).map(|(_, clause)| clause).collect();
    if clauses.is_empty() {
        clauses.push("§6.2.1/normal-form");
    }
    clauses
}

fn of_composition(components: &Components, difference: &Difference) -> Vec<&'static str> {
    let unfit =
        Component::TEXTS.into_iter().find_map(|component| of_error(components.text(component)?, component.rule()));
    unfit.or_else(|| clash(components).map(|clause| vec![clause])).unwrap_or_else(|| of_recomposition(difference))
}

/// Those of the lines of §5.3 that append what differs.
fn of_recomposition(difference: &Difference) -> Vec<&'static str> {
    let lines: Vec<&str> = difference
        .components
        .iter()
        .map(|component| match component {
            Component::Scheme => "§5.3/scheme",
            Component::Userinfo | Component::Host | Component::HostKind | Component::Port => "§5.3/authority",
            Component::Path => "§5.3/path",
            Component::Query => "§5.3/query",
            Component::Fragment => "§5.3/fragment",
        })
        .collect();
    if lines.is_empty() {
        vec!["§5.3/recomposed"]
    } else {
        lines
    }
}

fn of_comparison(left: &str, right: &str, rung: Rung) -> Vec<&'static str> {
    let scope = match rung {
        _ if left == right => return vec!["§6.2.1/identical"],
        Rung::Simple => return vec!["§6.2.1/pair-comparison", "§6.2.1/character-by-character"],
        Rung::Syntax => Scope::Syntax,
        Rung::Scheme => Scope::Scheme,
    };
    let normal = |uri: &str| match scope {
        Scope::Syntax => syntax_based(uri, Reading::Rfc3986).ok(),
        Scope::Scheme => scheme_based(uri, &SCHEMES, Reading::Rfc3986).ok(),
    };
    match (normal(left), normal(right)) {
        (Some(one), Some(other)) if one == other => {
            let changed = [left, right].into_iter().find(|uri| normal(uri).is_some_and(|normal| normal != **uri));
            of_normalization(changed.unwrap_or(left), scope)
        }
        _ => vec!["§6.1/no-false-positives"],
    }
}
