//! Groups the results of one input: entry points that answer alike share a row, and the rows are sorted by what is expected of
//! them, since an entry point for URIs alone must refuse a relative reference that others accept.

use std::borrow::Cow;

use uriproof::compare::{Kind, Verdict, own_rule};
use uriproof::expect::Expected;
use uriproof::model::{Declaration, Input, Outcome};
use uriproof::run::Result;

use crate::report::model::describe;

/// The entry points of which the same is expected.
#[derive(Clone, Debug)]
pub struct Section<'r> {
    /// What sets them apart from the others, such as `as URI`; empty where what the input asks for is expected.
    pub of: String,
    /// What is expected.
    pub expected: Cow<'r, Expected>,
    /// Their answers, those that diverge first.
    pub rows: Vec<Row<'r>>,
}

/// The entry points that give the same answer.
#[derive(Clone, Debug)]
pub struct Row<'r> {
    /// The verdict on the answer.
    pub verdict: &'r Verdict,
    /// The answer, in a line. Several refusals that do not diverge are one answer, without their words.
    pub answer: String,
    /// How it differs, which outcome it is of several, or why it was not compared.
    pub remark: Option<String>,
    /// The entry points, in their order.
    pub entry_points: Vec<&'r Declaration>,
}

/// Groups results of `input`, of which `expected` is expected in general. Those that were not asked are left out.
pub fn side_by_side<'r>(
    input: &Input,
    expected: Expected,
    results: impl IntoIterator<Item = (&'r Declaration, &'r Result)>,
) -> Vec<Section<'r>> {
    let mut sections = vec![Section {
        of: String::new(),
        expected: Cow::Owned(expected),
        rows: Vec::new(),
    }];
    for (declaration, result) in results {
        if let Outcome::Unsupported { .. } = result.observed {
            continue;
        }
        let of = apart(input, declaration, result);
        // What conforms is the same for most of those that parse another rule.
        let place = sections.iter().position(|section| {
            same_expected(&section.expected, &result.expected) && (section.of.is_empty() || section.of == of)
        });
        let place = place.unwrap_or_else(|| {
            sections.push(Section {
                of,
                expected: Cow::Borrowed(&result.expected),
                rows: Vec::new(),
            });
            sections.len() - 1
        });
        sections[place].add(declaration, result);
    }
    // Nothing is said of an expectation that nobody had to meet.
    if sections.len() > 1 {
        sections.retain(|section| !section.rows.is_empty());
    }
    for section in &mut sections {
        section.rows.sort_by_key(|row| match row.verdict {
            Verdict::Diverge(_) => 0,
            Verdict::Agree { .. } => 1,
            Verdict::NotComparable { .. } => 2,
        });
    }
    sections
}

impl<'r> Section<'r> {
    fn add(&mut self, declaration: &'r Declaration, result: &'r Result) {
        let verdict = &result.verdict;
        let answer = result.observed.to_string();
        let remark = match verdict {
            Verdict::NotComparable { reason } => Some(reason.clone()),
            Verdict::Agree { conforming } => conforming.clone(),
            Verdict::Diverge(difference) => Some(describe(difference)),
        };
        // Why a subject refuses what it should accept matters; why it refuses what it may does not.
        let may_refuse = |row: &Row<'_>| {
            let both = [&row.answer, &answer];
            !matches!(verdict, Verdict::Diverge(_)) && both.iter().all(|text| text.starts_with(REJECTED))
        };
        let same = |row: &&mut Row<'_>| {
            row.verdict == verdict && row.remark == remark && (row.answer == answer || may_refuse(row))
        };
        match self.rows.iter_mut().find(same) {
            Some(row) => {
                if row.answer != answer {
                    row.answer = REJECTED.to_owned();
                }
                row.entry_points.push(declaration);
            }
            None => self.rows.push(Row {
                verdict,
                answer,
                remark,
                entry_points: vec![declaration],
            }),
        }
    }
}

/// How a rejection begins that is printed.
const REJECTED: &str = "rejected";

/// What sets a result apart, of which something else is expected than of others.
fn apart(input: &Input, declaration: &Declaration, result: &Result) -> String {
    match (&result.verdict, &result.input, input) {
        (Verdict::Diverge(difference), _, Input::Normalize { .. }) if difference.kind == Kind::NotIdempotent => {
            "of normalizing that again".to_owned()
        }
        (_, Input::Parse { rule, .. }, _) => format!("as {rule}"),
        _ => format!("as {}", own_rule(declaration)),
    }
}

/// Whether the same is expected, whatever the words of a rejection.
fn same_expected(one: &Expected, other: &Expected) -> bool {
    match (one, other) {
        (Expected::Outcomes(one), Expected::Outcomes(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| {
                    one.name == other.name
                        && match (&one.outcome, &other.outcome) {
                            (Outcome::Rejected { .. }, Outcome::Rejected { .. }) => true,
                            (one, other) => one == other,
                        }
                })
        }
        (one, other) => one == other,
    }
}
