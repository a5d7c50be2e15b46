//! What the gate says, for machines and for people elsewhere: one module a format.

pub mod badge;
pub mod github;
pub mod junit;
pub mod markdown;
pub mod sarif;
pub mod tap;

use uriproof::gate::{Conclusion, Failure, Judgement};
use uriproof::model::{OneLine, Vector};
use uriproof::vectors::Library;

use crate::report::model::Core;
use crate::report::shell;

/// What is said of a run of the gate.
pub struct Sheet<'r, 'v> {
    /// The vectors' clauses.
    pub library: &'r Library,
    /// The subjects, in the order in which they are shown.
    pub subjects: Vec<Judged<'r, 'v>>,
}

/// What is said of a subject.
pub struct Judged<'r, 'v> {
    /// What the gate says.
    pub judgement: &'r Judgement<'v>,
    /// The command that asks it again, without the vector.
    pub again: String,
    /// What came of the core suites, where they were put to it.
    pub cores: &'r [Core],
}

impl Sheet<'_, '_> {
    /// The clause of a vector in a line: its id and its words.
    fn clause(&self, vector: &Vector) -> String {
        let id = vector.clauses.first().map(String::as_str).unwrap_or_default();
        let clause = match self.library.clause(id) {
            Some(clause) => format!("{id} ({}): {}", vector.level, clause.quote),
            None => format!("{id} ({})", vector.level),
        };
        OneLine(&clause).to_string()
    }

    /// Whether every subject passes.
    fn passes(&self) -> bool {
        self.subjects.iter().all(|one| one.conclusion() == Conclusion::Pass)
    }
}

impl Judged<'_, '_> {
    /// The verdict on the vectors and the core suites.
    pub fn conclusion(&self) -> Conclusion {
        match self.judgement.conclusion() {
            Conclusion::Broken => Conclusion::Broken,
            _ if self.failed_suites().next().is_some() => Conclusion::Fail,
            verdict => verdict,
        }
    }

    /// The core suites that the subject fails.
    fn failed_suites(&self) -> impl Iterator<Item = &Core> {
        self.cores.iter().filter(|core| core.has_failed())
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

/// The name of a core suite: its rule and its language.
fn suite_name(core: &Core) -> String {
    OneLine(&format!("core suite, {} of {}", core.rule, core.language)).to_string()
}

/// What differs of a core suite, in a line.
fn suite_in_a_line(core: &Core) -> String {
    let score = &core.score;
    let mut line = format!("{} of {} strings diverge", score.diverge(), score.answers());
    if let Some(shortest) = score.shortest() {
        let witness = shortest.witness.escape_default();
        line += &format!(
            ", in {} clusters; the shortest string is \"{witness}\": {}",
            score.clusters.len(),
            shortest.observed
        );
    }
    OneLine(&line).to_string()
}

/// What sort of failure it is: its severity, and the kind of difference where that says more.
fn sort_of(failure: &Failure) -> String {
    let (severity, kind) = (failure.severity.name(), failure.kind_name());
    match severity == kind {
        true => severity.to_owned(),
        false => format!("{severity}, {kind}"),
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
    let kind = if section.starts_with(|character: char| character.is_ascii_digit()) {
        "section"
    } else {
        "appendix"
    };
    format!("https://www.rfc-editor.org/rfc/rfc3986#{kind}-{section}")
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use uriproof::compare::{Difference, DifferenceKind};
    use uriproof::gate::{Case, Status};
    use uriproof::model::{Outcome, Rule};
    use uriproof_lab::score::{Cluster, Score, StatePair};

    use super::*;

    /// Every vector agrees, and a string of the core suite does not.
    #[test]
    #[expect(clippy::too_many_lines, reason = "one assertion for each format")]
    fn a_core_suite_that_fails_is_red_in_every_format() {
        let library = Library::embedded();
        let case = Case {
            vector: Cow::Borrowed(library.vectors().next().unwrap()),
            status: Status::Agrees,
            result: None,
        };
        let judgement = Judgement {
            subject: "planted 1 parse".to_owned(),
            name: "planted".to_owned(),
            cases: vec![case],
            suites: Vec::new(),
            problems: Vec::new(),
            unexplained: 0,
            lost: None,
        };
        let core = |diverge: u64| {
            let mut score = Score::default();
            score.valid.agree = 9;
            score.invalid.diverge = diverge;
            if diverge > 0 {
                let pair = StatePair {
                    machine: 0,
                    subject: None,
                };
                let cluster = Cluster {
                    count: diverge,
                    witness: "%".to_owned(),
                    observed: Outcome::uri("%".to_owned()),
                };
                score.clusters.insert((pair, Difference::of_kind(DifferenceKind::AcceptedInvalid)), cluster);
            }
            Core {
                rule: Rule::UriReference,
                profile: None,
                language: "RFC 3986".to_owned(),
                score,
                certificates: Vec::new(),
            }
        };
        let texts = |cores: &[Core]| {
            let again = "uriproof check --subject planted".to_owned();
            let subjects = vec![Judged {
                judgement: &judgement,
                again,
                cores,
            }];
            let sheet = Sheet {
                library: &library,
                subjects,
            };
            [
                junit::junit(&sheet).unwrap(),
                tap::tap(&sheet),
                sarif::sarif(&sheet),
                github::github(&sheet),
                markdown::markdown(&sheet),
                badge::badge(&sheet),
            ]
        };
        let red = [
            r#"<failure message="1 of 10 strings diverge, in 1 clusters; the shortest string is &quot;%&quot;: &quot;%&quot;""#,
            "not ok 2 - planted 1 parse: core suite, URI-reference of RFC 3986\n",
            r#""ruleId": "core-suite""#,
            "::error title=planted 1 parse%3A core suite%2C URI-reference of RFC 3986::1 of 10 strings diverge, in 1 clusters; ",
            "| **FAIL** | planted 1 parse | 1 | 0 |",
            r#""color":"red""#,
        ];
        for (text, expected) in texts(&[core(1)]).iter().zip(red) {
            assert!(text.contains(expected), "{expected} is not in {text}");
        }
        let green = [
            r#"failures="0""#,
            "ok 2 - planted 1 parse: core suite, URI-reference of RFC 3986\n",
            r#""results": []"#,
            "",
            "| pass | planted 1 parse | 1 | 0 |",
            r#""color":"brightgreen""#,
        ];
        for ((text, expected), unexpected) in texts(&[core(0)]).iter().zip(green).zip(red) {
            assert!(text.contains(expected), "{expected} is not in {text}");
            assert!(!text.contains(unexpected), "{unexpected} is in {text}");
        }
    }
}
