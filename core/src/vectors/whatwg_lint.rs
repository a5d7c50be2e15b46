//! What is wrong with vectors of the WHATWG URL Standard beyond their form.

use std::collections::{BTreeMap, BTreeSet};

use super::line_of;
use super::lint::{is_kebab, misfits, misnamed, perhaps, quoted};
use super::twins::alike;
use super::whatwg::{WHATWG_FUNCTION_NAMES, WhatwgVectors};
use crate::model::{Input, Level, Problem, Rule, Rung, Scope, Vector, WhatwgVector};

impl WhatwgVectors {
    /// Everything that is wrong with them, in the order of the files.
    pub(super) fn lint(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut ids = BTreeMap::new();
        let mut inputs = BTreeMap::new();
        for file in &self.files {
            let mut report = |anchor: &str, message: String| problems.push(file.problem(anchor, message));
            for (field, is_empty) in [
                ("title", file.content.title.trim().is_empty()),
                ("section", file.content.section.trim().is_empty()),
                ("vectors", file.content.vectors.is_empty()),
            ] {
                if is_empty {
                    report(&quoted(field), format!("`{field}` is empty"));
                }
            }
            for vector in &file.content.vectors {
                let mut report = |message: String| report(&quoted(&vector.id), format!("{}: {message}", vector.id));
                let run = vector.to_vector();
                misnamed(&run, &file.path).into_iter().for_each(&mut report);
                if let Some(first) = ids.insert(&vector.id, &file.path) {
                    report(format!("the id stands in {first} already"));
                }
                if let Some(first) = inputs.insert(&vector.input, &vector.id) {
                    report(format!("the input stands in {first} already"));
                }
                self.uncited(&vector.clauses).into_iter().for_each(&mut report);
                misfits(&vector.input, &vector.expect.whatwg).into_iter().for_each(&mut report);
                wrong_input(vector).into_iter().for_each(&mut report);
                wrong_outcome(vector, &run).into_iter().for_each(&mut report);
            }
        }
        problems.extend(self.lint_cases());
        problems.extend(self.lint_clauses());
        problems
    }

    /// What is wrong with the clauses that a vector or a case cites.
    fn uncited(&self, clauses: &[String]) -> Vec<String> {
        if clauses.is_empty() {
            return vec!["no clause is cited".to_owned()];
        }
        let unknown = clauses.iter().filter(|id| self.clause(id).is_none());
        let nearest = |id: &str| self.clauses.iter().map(|clause| &*clause.id).max_by_key(|known| alike(known, id));
        unknown.map(|id| format!("the clause `{id}` is not in the register{}", perhaps(nearest(id)))).collect()
    }

    fn lint_cases(&self) -> Vec<Problem> {
        let Some((path, text)) = &self.functions else {
            return Vec::new();
        };
        let mut problems = Vec::new();
        let mut last = "";
        for case in &self.cases {
            let mut report = |message: String| {
                problems.push(Problem {
                    file: path.clone(),
                    line: line_of(text, &quoted(&case.id)),
                    message: format!("{}: {message}", case.id),
                });
            };
            if !WHATWG_FUNCTION_NAMES.contains(&&*case.function) {
                report(format!("`{}` is no function", case.function));
            }
            let stem = format!("whatwg/functions/{}/", case.function);
            if !case.id.strip_prefix(&stem).is_some_and(is_kebab) {
                report(format!("the id is not `{stem}` and a name in lower-kebab"));
            }
            if *case.id <= *last {
                report(format!("the id does not belong behind `{last}`; they are sorted"));
            }
            last = &case.id;
            self.uncited(&case.clauses).into_iter().for_each(report);
        }
        problems
    }

    fn lint_clauses(&self) -> Vec<Problem> {
        let Some((path, text)) = &self.register else {
            return Vec::new();
        };
        let of_vectors = self.vectors.iter().flat_map(|vector| &vector.clauses);
        let cited: BTreeSet<&String> = of_vectors.chain(self.cases.iter().flat_map(|case| &case.clauses)).collect();
        let mut known = BTreeSet::new();
        let mut problems = Vec::new();
        for clause in &self.clauses {
            let mut report = |message: &str| {
                problems.push(Problem {
                    file: path.clone(),
                    line: line_of(text, &quoted(&clause.id)),
                    message: format!("{}: {message}", clause.id),
                });
            };
            if !known.insert(&clause.id) {
                report("the id stands there twice");
            }
            if clause.id.split('/').next().and_then(|id| id.strip_prefix('#')) != Some(&clause.section) {
                report("the id does not begin with `#` and the section");
            }
            match (cited.contains(&clause.id), &clause.untested) {
                (false, None) => report("no vector cites it, and `untested` does not say why"),
                (true, Some(_)) => report("`untested` says why no vector cites it, but one does"),
                (true, None) | (false, Some(_)) => {}
            }
        }
        problems
    }
}

/// What the standard has no answer to, and what has no validation errors.
fn wrong_input(vector: &WhatwgVector) -> Option<String> {
    let is_answered = match &vector.input {
        Input::Parse { rule, .. } => *rule == Rule::Uri,
        Input::Normalize { scope, .. } => *scope == Scope::Scheme,
        Input::Equivalent { rung, .. } => *rung == Rung::Scheme,
        Input::Resolve { .. } | Input::RoundTrip { .. } | Input::Modify { .. } => true,
        Input::Compose { .. } | Input::Relativize { .. } | Input::Contract { .. } => false,
    };
    let has_errors = matches!(vector.input, Input::Parse { .. } | Input::Resolve { .. });
    if !is_answered {
        return Some(
            "the URL Standard has no answer; it parses as `URI`, and its scope and rung are `scheme`".to_owned(),
        );
    }
    if vector.level != Level::Must {
        return Some("the level is `must`: the standard has algorithms".to_owned());
    }
    (!has_errors && !vector.errors.is_empty()).then(|| "`errors` are those of `parse` and `resolve`".to_owned())
}

/// How the reference answers, if it differs from the vector.
#[cfg(feature = "whatwg")]
fn wrong_outcome(vector: &WhatwgVector, run: &Vector) -> Vec<String> {
    use crate::expect::{from_vector, whatwg};
    use crate::model::{Outcome, Reading};

    let plain = |outcome: Outcome| match outcome {
        Outcome::Rejected { .. } => Outcome::rejected(""),
        other => other,
    };
    let of_vector = from_vector(&run.input, run.expectation(Reading::Rfc3986)).literal();
    let of_standard = whatwg::expect(&run.input).literal();
    let mut messages = Vec::new();
    if plain(of_vector.clone()) != plain(of_standard.clone()) {
        messages.push(format!(
            "the vector expects {of_vector}, and the standard {of_standard}"
        ));
    }
    let errors = whatwg::errors(&vector.input);
    if errors != vector.errors {
        messages.push(format!("the standard has the validation errors {errors:?}"));
    }
    messages
}

/// Without the reference there is nothing to compare with.
#[cfg(not(feature = "whatwg"))]
fn wrong_outcome(_: &WhatwgVector, _: &Vector) -> Vec<String> {
    Vec::new()
}
