//! What the gate says, for machines and for people elsewhere: one module a format.

pub mod badge;
pub mod github;
pub mod issue;
pub mod junit;
pub mod markdown;
pub mod sarif;
pub mod tap;

use uriproof::gate::{Claim, Conclusion, Failure, FailureGroup, Judgement, SharedGroup};
use uriproof::model::{Level, OneLine, Vector};
use uriproof::vectors::Library;

use super::markup::{CELL, cell};
use crate::report::shell;

/// What is said of a run of the gate.
pub struct Sheet<'r, 'v> {
    /// The vectors' clauses.
    pub library: &'r Library,
    /// The subjects, in the order in which they are shown.
    pub subjects: Vec<Judged<'r, 'v>>,
}

/// The standard by which answers are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparedStandard {
    /// RFC 3986, or a profile of it: the clause of a vector decides.
    Rfc3986,
    /// The WHATWG URL Standard: a vector's clause says only what it was written for.
    Whatwg,
}

impl ComparedStandard {
    /// That of a claim.
    pub fn of(claim: Option<Claim>) -> ComparedStandard {
        match claim {
            Some(Claim::Whatwg) => ComparedStandard::Whatwg,
            _ => ComparedStandard::Rfc3986,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            ComparedStandard::Rfc3986 => "RFC 3986",
            ComparedStandard::Whatwg => "the WHATWG URL Standard",
        }
    }
}

/// What is said of a subject.
pub struct Judged<'r, 'v> {
    /// What the gate says.
    pub judgement: &'r Judgement<'v>,
    /// What it is compared with.
    pub standard: ComparedStandard,
    /// The command that asks it again, without the vector.
    pub again: String,
    /// The command that judges it again, so that `--group` has the numbers of these groups.
    pub group_command: String,
    /// Its failures in groups, the worst first.
    pub groups: Vec<FailureGroup<'r>>,
    /// The file to which failures belong: the baseline, else the adapter, else the manifest in the current folder.
    pub file: String,
}

impl<'r> Sheet<'r, '_> {
    /// The groups of all subjects, the worst first. What is wrong in several subjects is one group.
    pub fn groups(&self) -> Vec<SharedGroup<'r>> {
        let groups: Vec<&[FailureGroup<'r>]> = self.subjects.iter().map(|one| one.groups.as_slice()).collect();
        SharedGroup::of(&groups)
    }

    /// The clause of a vector in a line: its id and its words.
    fn clause(&self, vector: &Vector) -> String {
        self.words_of(
            vector.clauses.first().map(String::as_str).unwrap_or_default(),
            vector.level,
        )
    }

    /// The clause of a group in a line: its id and its words.
    fn clause_of(&self, group: &FailureGroup<'_>) -> String {
        self.words_of(&group.clause, group.level)
    }

    fn words_of(&self, id: &str, level: Level) -> String {
        let clause = match self.library.clause(id) {
            Some(clause) => format!("{id} ({level}): {}", clause.quote),
            None => format!("{id} ({level})"),
        };
        OneLine(&clause).to_string()
    }

    /// Whether every subject passes.
    fn passes(&self) -> bool {
        self.subjects.iter().all(|one| one.conclusion() == Conclusion::Pass)
    }
}

impl Judged<'_, '_> {
    /// The verdict.
    pub fn conclusion(&self) -> Conclusion {
        self.judgement.conclusion()
    }

    /// Why the run was not finished, where no vector says so.
    fn unfinished(&self) -> Option<&str> {
        self.judgement.lost.as_deref().filter(|_| self.judgement.tally().lost == 0)
    }

    /// The command that asks a vector again.
    pub fn again(&self, vector: &Vector) -> String {
        format!("{} --only {}", self.again, shell::always_quoted(&vector.id))
    }
}

/// What a failure says in a line: what differs from what.
fn in_a_line(vector: &Vector, failure: &Failure) -> String {
    let changed = failure.known_as.as_ref().map(|(place, said)| format!("; {place} says `{said}`"));
    let line = format!(
        "{}: expected {}, got {}{}",
        vector.input,
        failure.expected,
        got(failure),
        changed.unwrap_or_default()
    );
    OneLine(&line).to_string()
}

/// What conforms, as a table cell; of several outcomes, each is cut by itself.
fn expected_cell(failure: &Failure) -> String {
    cell(&failure.expected_in(CELL))
}

/// What the subject did, as a table cell. Where it is cut, the place where it begins to differ from what conforms is left.
fn got_cell(failure: &Failure) -> String {
    match &failure.unrepeated {
        Some(_) => cell(&got(failure)),
        None => cell(&failure.got_in(CELL)),
    }
}

/// What the subject did, in a line; of an answer that does not repeat, both times.
fn got(failure: &Failure) -> String {
    match &failure.unrepeated {
        Some(unrepeated) => format!("{}, and then {}: does not repeat", failure.got, unrepeated.again),
        None => failure.got.clone(),
    }
}

/// How an answer does not repeat, in lines that begin with their heads; empty if it does.
fn repeats(failure: &Failure) -> String {
    let lines = failure.unrepeated.iter().flat_map(|unrepeated| unrepeated.lines());
    lines.map(|(name, line)| format!("{name:8}  {line}\n")).collect()
}

/// The section of RFC 3986 that a clause stands in, as a link.
fn link(clause: &str) -> String {
    let section = clause.trim_start_matches('§').split('/').next().unwrap_or_default();
    if section.starts_with('#') {
        return format!("https://url.spec.whatwg.org/{section}");
    }
    let kind = if section.starts_with(|character: char| character.is_ascii_digit()) {
        "section"
    } else {
        "appendix"
    };
    format!("https://www.rfc-editor.org/rfc/rfc3986#{kind}-{section}")
}
