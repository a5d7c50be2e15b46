//! How a reference is resolved: the branch of §5.2.2, the merge of §5.2.3, the steps of §5.2.4, the result of §5.3.

use std::collections::BTreeMap;

use rfc3986_reference::components::{ReferenceRule, parse, parse_rule};
use rfc3986_reference::dot_segments;
use rfc3986_reference::recompose::recompose;
use rfc3986_reference::resolve::{self, Branch, Resolution, Strictness};
use serde::Serialize;

use super::{UnknownClause, by_id, same_outcome};
use crate::expect::{Conforming, Expected, expect};
use crate::model::{Clause, Input, Outcome, Reading};
use crate::search::vectors::Library;

/// The clause by which a base must be a URI.
pub const BASE: &str = "§5.1/absolute-base";

/// How a reference is resolved against a base, in the reading `rfc3986`.
#[derive(Clone, Debug, Serialize)]
pub struct Resolved {
    /// Whether a scheme in the reference counts though it is the base's own.
    pub strict: bool,
    /// The clause that lets a scheme in the reference be ignored, where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignored: Option<Clause>,
    /// The clause of the branch that is taken.
    pub branch: String,
    /// Its words.
    pub quote: String,
    /// What merge returns, where it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merged: Option<Merged>,
    /// The rows of the table of §5.2.4; none where the branch does not call remove_dot_segments.
    pub steps: Vec<Row>,
    /// The components of the target, recomposed.
    pub uri: String,
    /// Whether the result parses to the components that it was made from.
    pub reparses: bool,
    /// What it parses to otherwise: its authority and path, or that it is no URI-reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reparsed: Option<Reparsed>,
    /// What conforms besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Also>,
    /// What comes of it in those other readings in which it is not the same.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", serialize_with = "by_id")]
    pub readings: BTreeMap<Reading, Outcome>,
}

/// What merge returns, and why.
#[derive(Clone, Debug, Serialize)]
pub struct Merged {
    /// The path.
    pub path: String,
    /// The clause that decides.
    pub clause: String,
    /// Its words.
    pub quote: String,
}

/// A row of the table of §5.2.4: the buffers after a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// `1`, or `2A` to `2E`.
    pub step: String,
    /// The output buffer.
    pub output: String,
    /// The input buffer.
    pub input: String,
}

/// What a result parses to that does not parse to the components that it was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reparsed {
    /// The path that it was made from.
    pub path: String,
    /// What it is read as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authority: Option<String>,
}

/// An outcome that conforms besides the literal one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Also {
    /// Its name: `slash-dot`.
    pub name: String,
    /// The outcome.
    #[serde(flatten)]
    pub outcome: Outcome,
}

impl Also {
    /// What conforms besides the literal outcome.
    pub(super) fn of(expected: Expected) -> Vec<Also> {
        let outcomes = match expected {
            Expected::Outcomes(outcomes) => outcomes,
            Expected::Property(_) | Expected::NoAnswer { .. } => Vec::new(),
        };
        let also = outcomes.into_iter().skip(1).map(|Conforming { name, outcome }| {
            let name = name.into_owned();
            Also { name, outcome }
        });
        also.collect()
    }
}

/// How `reference` is resolved against `base`; none if the one is no URI-reference or the other no URI. The clauses are
/// those of `library`.
///
/// # Errors
///
/// A clause that the library does not have.
pub fn resolve(
    base: &str,
    reference: &str,
    strict: bool,
    library: &Library,
) -> Result<Option<Resolved>, UnknownClause> {
    let reading = Reading::Rfc3986;
    let (Ok(of_base), Ok(r)) = (parse_rule(ReferenceRule::Uri, base, reading), parse(reference, reading)) else {
        return Ok(None);
    };
    let (of_base, r) = (of_base.components, r.components);
    let clause = |id| library.clause(id).cloned().ok_or(UnknownClause(id));
    let strictness = if strict {
        Strictness::Strict
    } else {
        Strictness::NonStrict
    };
    let Resolution { target, branch, merged } = resolve::resolve(&of_base, &r, strictness, reading);
    let Clause { id, quote, .. } = clause(clause_of(branch))?;
    let ignored = r.scheme.is_some() && branch != Branch::Scheme;
    let ignored = ignored.then(|| clause("§5.2.2/non-strict")).transpose()?;
    let without = match branch {
        Branch::Scheme | Branch::Authority | Branch::AbsolutePath => Some(&*r.path),
        Branch::Merge => merged.as_deref(),
        Branch::EmptyPathWithQuery | Branch::EmptyPathWithoutQuery => None,
    };
    let mut steps = Vec::new();
    if let Some(path) = without {
        dot_segments::steps(path, |step, output, input| {
            steps.push(Row {
                step: step.to_string(),
                output: output.to_owned(),
                input: input.to_owned(),
            });
        });
    }
    let merged = merged.map(|path| -> Result<Merged, UnknownClause> {
        let decisive = match (of_base.authority, &*of_base.path) {
            (Some(_), "") => "§5.2.3/authority-and-empty-path",
            (_, path) if !path.contains('/') => "§5.2.3/no-slash-in-base",
            _ => "§5.2.3/all-but-last-segment",
        };
        let Clause { id, quote, .. } = clause(decisive)?;
        let clause = id;
        Ok(Merged { path, clause, quote })
    });
    let uri = recompose(&target);
    let reparses = resolve::reparses(&target, reading);
    let reparsed = (!reparses).then(|| Reparsed {
        path: target.path.clone().into_owned(),
        authority: parse(&uri, reading).ok().and_then(|again| again.components.authority.map(str::to_owned)),
    });
    let input = Input::Resolve {
        base: base.to_owned(),
        reference: reference.to_owned(),
        strict,
    };
    let expected = expect(&input, reading);
    let literal = expected.literal();
    let others = Reading::ALL.into_iter().map(|reading| (reading, expect(&input, reading).literal()));
    let readings = others.filter(|(_, other)| !same_outcome(other, &literal)).collect();
    Ok(Some(Resolved {
        strict,
        ignored,
        branch: id,
        quote,
        merged: merged.transpose()?,
        steps,
        uri,
        reparses,
        reparsed,
        also: Also::of(expected),
        readings,
    }))
}

/// The clause that has a branch.
fn clause_of(branch: Branch) -> &'static str {
    match branch {
        Branch::Scheme => "§5.2.2/scheme-defined",
        Branch::Authority => "§5.2.2/authority-defined",
        Branch::EmptyPathWithQuery => "§5.2.2/empty-path-with-query",
        Branch::EmptyPathWithoutQuery => "§5.2.2/empty-path-without-query",
        Branch::AbsolutePath => "§5.2.2/absolute-path",
        Branch::Merge => "§5.2.2/relative-path",
    }
}
