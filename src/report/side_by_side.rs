//! Groups the results of one input: entry points that answer alike share a row, and the rows are sorted by what is expected of
//! them, since an entry point for URIs alone must refuse a relative reference that others accept.

mod remark;

use uriproof::compare::{DifferenceKind, Verdict, own_rule};
use uriproof::expect::Expected;
use uriproof::model::{Declaration, Input, Outcome, Rule};
use uriproof::run::Result;

use self::remark::remark;

/// The entry points of which the same is expected.
#[derive(Clone, Debug)]
pub struct SameExpectation<'r> {
    /// What sets them apart from the others, such as `as URI`; empty where what the input asks for is expected.
    pub of: String,
    /// What is expected.
    pub expected: &'r Expected,
    /// Their answers, those that diverge first.
    pub rows: Vec<SameAnswer<'r>>,
}

/// The entry points that give the same answer.
#[derive(Clone, Debug)]
pub struct SameAnswer<'r> {
    /// The verdict on the answer.
    pub verdict: &'r Verdict,
    /// The answer, in a line. Several refusals that do not diverge are one answer, without their words.
    pub answer: String,
    /// How it differs, which outcome it is of several, why it counts as one that has other letters, or why it was not compared.
    pub remark: Option<String>,
    /// The entry points, in their order.
    pub entry_points: Vec<&'r Declaration>,
}

/// Groups results of `input`. Those of subjects that do not answer are left out; of these alone there is a section without rows.
pub fn side_by_side<'r>(
    input: &Input,
    results: impl IntoIterator<Item = (&'r Declaration, &'r Result)>,
) -> Vec<SameExpectation<'r>> {
    let results: Vec<(String, &Declaration, &Result)> = results
        .into_iter()
        .map(|(declaration, result)| (apart(input, declaration, result), declaration, result))
        .collect();
    // What is expected of the input itself comes first.
    let general = results.iter().find(|(of, _, _)| of.is_empty());
    let general = general.map(|(of, _, result)| SameExpectation::new(of.clone(), &result.expected));
    let mut sections: Vec<SameExpectation<'_>> = general.into_iter().collect();
    for (of, declaration, result) in results {
        // What conforms is the same for most of those that parse another rule.
        let place = sections.iter().position(|section| {
            same_expected(section.expected, &result.expected) && (section.of.is_empty() || section.of == of)
        });
        let place = place.unwrap_or_else(|| {
            sections.push(SameExpectation::new(of, &result.expected));
            sections.len() - 1
        });
        if !matches!(result.observed, Outcome::Unsupported { .. }) {
            sections[place].add(declaration, result);
        }
    }
    // Nothing is said of an expectation that nobody had to meet.
    if sections.iter().any(|section| !section.rows.is_empty()) {
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

impl<'r> SameExpectation<'r> {
    fn new(of: String, expected: &'r Expected) -> SameExpectation<'r> {
        SameExpectation {
            of,
            expected,
            rows: Vec::new(),
        }
    }

    fn add(&mut self, declaration: &'r Declaration, result: &'r Result) {
        let verdict = &result.verdict;
        let answer = result.observed.to_string();
        let remark = remark(declaration, result);
        // Why a subject refuses what it should accept matters; why it refuses what it may does not.
        let may_refuse = |row: &SameAnswer<'_>| {
            let both = [&row.answer, &answer];
            !matches!(verdict, Verdict::Diverge(_)) && both.iter().all(|text| text.starts_with(REJECTED))
        };
        let same = |row: &&mut SameAnswer<'_>| {
            row.verdict == verdict && row.remark == remark && (row.answer == answer || may_refuse(row))
        };
        match self.rows.iter_mut().find(same) {
            Some(row) => {
                if row.answer != answer {
                    row.answer = REJECTED.to_owned();
                }
                row.entry_points.push(declaration);
            }
            None => self.rows.push(SameAnswer {
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

/// What sets a result apart, of which something else is expected than of others; nothing if what is expected is that of the input.
fn apart(input: &Input, declaration: &Declaration, result: &Result) -> String {
    match (&result.verdict, &result.input, input) {
        (_, Input::Parse { rule, .. }, Input::Parse { rule: asked, .. }) if rule == asked => String::new(),
        (Verdict::Diverge(difference), _, Input::Normalize { .. })
            if difference.kind == DifferenceKind::NotIdempotent =>
        {
            "of normalizing that again".to_owned()
        }
        (_, Input::Parse { rule, .. }, _) => format!("as {rule}"),
        _ if own_rule(declaration) == Rule::UriReference || matches!(result.observed, Outcome::Unsupported { .. }) => {
            String::new()
        }
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
