//! How a reference is resolved: the branch of §5.2.2, the merge of §5.2.3, the steps of §5.2.4, the result of §5.3.

use rfc3986_reference::components::{ReferenceRule, parse, parse_rule};
use rfc3986_reference::dot_segments;
use rfc3986_reference::recompose::recompose;
use rfc3986_reference::resolve::{self, Branch, Resolution, Strictness};
use serde::Serialize;
use uriproof::clauses::{BASE, clause_of_branch};
use uriproof::expect::{Conforming, Expected, expect};
use uriproof::model::{Clause, Input, Outcome, Reading, Rule};
use uriproof::vectors::Library;

use super::answers::ReadingOutcomes;
use super::{Detail, InputExplanation, ParseExplanation, UnknownClause, explain, known};

/// How many rows are printed at the beginning and the end of a table that is too long; also for other lists.
pub(super) const SHOWN: (usize, usize) = (20, 10);

/// The most bytes in the rows of a table that is printed whole.
const LONGEST: usize = 1 << 22;

/// A reference, its base, and how the one is resolved against the other.
#[derive(Clone, Debug, Serialize)]
pub struct Against {
    /// The reference.
    #[serde(flatten)]
    pub reference: InputExplanation,
    /// The base.
    pub base: InputExplanation,
    /// By which clause the base must be a URI, where it is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_clause: Option<Clause>,
    /// None where either does not match its rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Resolved>,
    /// What comes of it in every reading, where it is not the same in all.
    #[serde(skip_serializing_if = "ReadingOutcomes::is_empty")]
    pub targets: ReadingOutcomes,
}

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
    pub steps: Vec<Buffers>,
    /// Where rows are left out of a table that is too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
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
pub struct Buffers {
    /// `1`, or `2A` to `2E`.
    pub step: String,
    /// The output buffer.
    pub output: String,
    /// The input buffer.
    pub input: String,
}

/// Rows that are left out of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// After how many of the printed rows.
    pub behind: usize,
    /// How many.
    pub rows: usize,
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

/// How `reference` is resolved against `base`, or why it cannot be; the clauses are those of `library`.
///
/// # Errors
///
/// A clause that the library does not have.
pub fn against(
    base: &str,
    reference: &str,
    strict: bool,
    detail: Detail,
    library: &Library,
) -> Result<Against, UnknownClause> {
    let of_base = explain(base, Rule::Uri, detail, library)?;
    let input = Input::Resolve {
        base: base.to_owned(),
        reference: reference.to_owned(),
        strict,
    };
    Ok(Against {
        base_clause: match of_base.parse {
            ParseExplanation::Accepted(_) => None,
            ParseExplanation::Rejected(_) => Some(known(library, BASE)?),
        },
        resolution: resolve(base, reference, strict, library)?,
        base: of_base,
        reference: explain(reference, Rule::UriReference, detail, library)?,
        targets: ReadingOutcomes::of(&input, library),
    })
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
    let clause = |id| known(library, id);
    let strictness = if strict {
        Strictness::Strict
    } else {
        Strictness::NonStrict
    };
    let Resolution { target, branch, merged } = resolve::resolve(&of_base, &r, strictness, reading);
    let Clause { id, quote, .. } = clause(clause_of_branch(branch))?;
    let ignored = r.scheme.is_some() && branch != Branch::Scheme;
    let ignored = ignored.then(|| clause("§5.2.2/non-strict")).transpose()?;
    let without = match branch {
        Branch::Scheme | Branch::Authority | Branch::AbsolutePath => Some(&*r.path),
        Branch::Merge => merged.as_deref(),
        Branch::EmptyPathWithQuery | Branch::EmptyPathWithoutQuery => None,
    };
    let (steps, left_out) = without.map(rows).unwrap_or_default();
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
    Ok(Some(Resolved {
        strict,
        ignored,
        branch: id,
        quote,
        merged: merged.transpose()?,
        steps,
        left_out,
        uri,
        reparses,
        reparsed,
        also: Also::of(expected),
    }))
}

/// How many bytes of a buffer are kept at its beginning and at its end in a table that is cut.
const KEPT: usize = 512;

/// The table of §5.2.4 for a path; of one that is too long its first rows and its last, with the middle of long buffers cut out.
fn rows(path: &str) -> (Vec<Buffers>, Option<LeftOut>) {
    let (mut count, mut bytes) = (0, 0);
    dot_segments::steps(path, |_, output, input| {
        count += 1;
        bytes += output.len() + input.len();
    });
    let (first, last) = SHOWN;
    let is_whole = bytes <= LONGEST || count <= first + last;
    let kept = |buffer: &str| match is_whole || buffer.len() <= 2 * KEPT {
        true => buffer.to_owned(),
        false => {
            let (end, start) = (
                buffer.floor_char_boundary(KEPT),
                buffer.ceil_char_boundary(buffer.len() - KEPT),
            );
            format!("{}...{}", &buffer[..end], &buffer[start..])
        }
    };
    let (mut rows, mut at) = (Vec::new(), 0);
    dot_segments::steps(path, |step, output, input| {
        if is_whole || at < first || at + last >= count {
            rows.push(Buffers {
                step: step.to_string(),
                output: kept(output),
                input: kept(input),
            });
        }
        at += 1;
    });
    let left_out = LeftOut {
        behind: first,
        rows: count - rows.len(),
    };
    (rows, (!is_whole).then_some(left_out))
}
