//! Every failure of a subject, by clause: what `--all` and `--group` show.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use uriproof::gate::{Failure, FailureGroup};
use uriproof::model::{OneLine, Vector};
use uriproof_lab::divergence::ledger::Cause;

use super::{BAD, FAINT, PrintedRun};
use crate::report::causes;
use crate::report::gate::Judged;
use crate::report::model::{AnsweredVector, SubjectRun, Way};

impl PrintedRun<'_, '_> {
    /// Those of a group, else all, by clause.
    pub(super) fn failures(
        &self,
        subject: &SubjectRun<'_>,
        judged: &Judged<'_, '_>,
        group: Option<&FailureGroup<'_>>,
    ) -> String {
        let answers: BTreeMap<&str, &AnsweredVector<'_>> =
            subject.answers.iter().map(|answer| (&*answer.vector.id, answer)).collect();
        let failures = group.map_or_else(|| judged.judgement.failures(), |group| group.failures.clone());
        let (unrepeated, repeated): (Vec<_>, Vec<_>) =
            failures.into_iter().partition(|(_, failure)| failure.unrepeated.is_some());
        let mut text = String::new();
        if !unrepeated.is_empty() {
            text += &format!(
                "\n  does not repeat  {FAINT}it diverges, and agrees when the same input is put to it again, at once or in a \
                 new process{FAINT:#}\n"
            );
        }
        let mut explained = BTreeSet::new();
        for (vector, failure) in unrepeated {
            text += &self.failure(subject, judged, (answers[&*vector.id], failure), &mut explained);
        }
        let mut by_clause: Vec<(&str, Vec<(&Vector, &Failure)>)> = Vec::new();
        for (vector, failure) in repeated {
            let clause = &*vector.clauses[0];
            match by_clause.iter_mut().find(|(known, _)| *known == clause) {
                Some((_, failures)) => failures.push((vector, failure)),
                None => by_clause.push((clause, vec![(vector, failure)])),
            }
        }
        for (clause, failures) in by_clause {
            let quote = self.sheet.library.clause(clause).map(|clause| clause.quote.as_str()).unwrap_or_default();
            writeln!(text, "\n  {}  {FAINT}{}{FAINT:#}", OneLine(clause), OneLine(quote)).expect("writes to a string");
            for (vector, failure) in failures {
                text += &self.failure(subject, judged, (answers[&*vector.id], failure), &mut explained);
            }
        }
        text
    }

    /// A failure with its causes. The paragraph of a cause is printed where it first acts; `explained` has those that were.
    fn failure<'e>(
        &self,
        subject: &'e SubjectRun<'_>,
        judged: &Judged<'_, '_>,
        (answer, failure): (&'e AnsweredVector<'e>, &Failure),
        explained: &mut BTreeSet<&'e Way>,
    ) -> String {
        let vector = answer.vector;
        let mut text = format!(
            "    {BAD}{}:{BAD:#} {}  {FAINT}{} ({}){FAINT:#}\n      expected  {}\n      got       {}\n",
            failure.severity,
            vector.input,
            OneLine(&vector.id),
            vector.level,
            OneLine(&failure.expected),
            OneLine(&failure.got)
        );
        for (name, line) in failure.unrepeated.iter().flat_map(|unrepeated| unrepeated.lines()) {
            writeln!(text, "      {name:8}  {line}").expect("writes to a string");
        }
        if let Some(line) = failure.stale_line() {
            text += &format!("      baseline  {line}\n");
        }
        for shown in subject.ways_of(answer) {
            let causes = causes::known(self.run, subject, shown);
            let causes = causes.iter().filter(|entry| entry.cause != Cause::Unexplained);
            let causes: Vec<String> =
                causes.map(|entry| format!("{}: {}", entry.cause, OneLine(&entry.explanation))).collect();
            let cause = match &causes[..] {
                [] => "; not explained".to_owned(),
                _ if !explained.insert(&shown.way) => String::new(),
                several => format!("; {}", several.join("; or ")),
            };
            let head = if shown.class().is_some() { "class" } else { "deviation" };
            text += &format!(
                "      {head:9} {}  {FAINT}{}{cause}{FAINT:#}\n",
                shown.name, shown.severity
            );
        }
        if let Some(note) = &vector.note {
            writeln!(text, "      note      {}", OneLine(note)).expect("writes to a string");
        }
        writeln!(text, "      {FAINT}again     {}{FAINT:#}", judged.again(vector)).expect("writes to a string");
        text
    }
}
