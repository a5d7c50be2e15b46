//! `uriproof regress OLD NEW`: what changed between two results files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};
use uriproof::compare::Choice;
use uriproof::gate::{self, Choices};
use uriproof::model::{OneLine, Outcome};
use uriproof::vectors::Library;
use uriproof_deviations::Deviation;

use crate::cli::{Finding, Format, RunError, print, print_json};

#[derive(Args)]
#[command(after_help = "Examples:
  uriproof check --command 'python3 adapter.py' --format json >old.json
  uriproof regress old.json new.json

Both files are from `check --format json` or `report`. Subjects are matched by name and entry
point, so their versions may differ; of several versions of one, those that both files have are
matched first. Exit status: 1 if anything got worse, or if a divergence became
another; with --accept-changed, only if anything got worse.")]
pub(crate) struct Arguments {
    /// The results before
    #[arg(value_name = "OLD.json")]
    old: PathBuf,
    /// The results after
    #[arg(value_name = "NEW.json")]
    new: PathBuf,
    /// Do not fail if a divergence became another
    #[arg(long)]
    accept_changed: bool,
    /// How to print what changed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Deserialize)]
struct ResultsFile {
    uriproof: u64,
    reading: String,
    subjects: Vec<SubjectEntry>,
    vectors: Vec<VectorEntry>,
}

#[derive(Deserialize)]
struct SubjectEntry {
    subject: String,
    agreed: Vec<String>,
    /// Files of versions before choices were kept have none.
    #[serde(default)]
    choices: Vec<Choices>,
    /// Files of format 1 have none.
    #[serde(default)]
    deviations: Vec<DeviationEntry>,
}

#[derive(Deserialize)]
struct DeviationEntry {
    sentence: String,
}

#[derive(Deserialize)]
struct VectorEntry {
    id: String,
    subject: String,
    verdict: String,
    kind: Option<String>,
    class: Option<String>,
    /// Files of format 1 have none.
    #[serde(default)]
    deviations: Vec<Deviation>,
    outcome: Outcome,
}

/// How a vector stands with a subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "standing")]
enum VectorStanding {
    Agrees {
        /// The choice, where several outcomes conform.
        #[serde(skip_serializing_if = "Option::is_none")]
        choice: Option<Choice>,
    },
    Diverges {
        kind: String,
        class: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        deviations: Vec<String>,
        outcome: String,
    },
    /// Not compared or not run: the file does not know.
    Unknown,
}

impl VectorStanding {
    /// Crashes are worse than other divergences, and what is not known any more is worse than what agreed.
    fn badness(&self) -> u8 {
        match self {
            VectorStanding::Agrees { .. } => 0,
            VectorStanding::Unknown => 1,
            VectorStanding::Diverges { kind, .. } if kind == "crashed" || kind == "timed-out" => 3,
            VectorStanding::Diverges { .. } => 2,
        }
    }

    /// Whether the answer is the same. Choices are compared only where both files have one, from the same names; what explains an answer
    /// is not compared.
    fn is_like(&self, other: &VectorStanding) -> bool {
        match (self, other) {
            (VectorStanding::Agrees { choice: Some(old) }, VectorStanding::Agrees { choice: Some(new) }) => {
                old.offers != new.offers || old.is_like(new)
            }
            (VectorStanding::Agrees { .. }, VectorStanding::Agrees { .. }) => true,
            (
                VectorStanding::Diverges { kind, outcome, .. },
                VectorStanding::Diverges {
                    kind: new_kind,
                    outcome: new_outcome,
                    ..
                },
            ) => (kind, outcome) == (new_kind, new_outcome),
            (old, new) => old == new,
        }
    }

    fn text(&self) -> String {
        match self {
            VectorStanding::Agrees { choice: None } => "agrees".to_owned(),
            VectorStanding::Agrees { choice: Some(choice) } => format!("agrees: {}", gate::names(&choice.fits)),
            VectorStanding::Diverges { kind, outcome, .. } => format!("{kind}: {outcome}"),
            VectorStanding::Unknown => "not compared".to_owned(),
        }
    }
}

/// The ways in which a vector can change, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Change {
    Worse,
    Other,
    Better,
}

#[derive(Serialize)]
struct Changed {
    change: Change,
    subject: String,
    id: String,
    clause: Option<String>,
    input: Option<String>,
    old: VectorStanding,
    new: VectorStanding,
}

/// What a file says of a subject.
#[derive(Default)]
struct SubjectStanding {
    vectors: BTreeMap<String, VectorStanding>,
    /// Its deviations, in words.
    deviations: BTreeSet<String>,
}

/// What a file says, by the [name](MatchedNames) of the subject.
type StandingsBySubject = BTreeMap<String, SubjectStanding>;

/// The deviations of a subject that only one of the files has.
#[derive(Serialize)]
struct ChangedDeviations {
    subject: String,
    gone: Vec<String>,
    new: Vec<String>,
}

/// Whether some vector was compared in both.
fn shares(old: &SubjectStanding, new: &SubjectStanding) -> bool {
    let is_known = |standing: &VectorStanding| !matches!(standing, VectorStanding::Unknown);
    old.vectors.iter().any(|(id, standing)| is_known(standing) && new.vectors.get(id).is_some_and(is_known))
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    let (old, new) = (read(&arguments.old)?, read(&arguments.new)?);
    if old.reading != new.reading {
        return Err(format!(
            "the readings differ: {} has {}, {} has {}",
            arguments.old.display(),
            old.reading,
            arguments.new.display(),
            new.reading
        ));
    }
    let matched = MatchedNames::of(&old, &new);
    let (old, new) = (known(old, &matched), known(new, &matched));
    let gone: Vec<&String> = old.keys().filter(|subject| !new.contains_key(*subject)).collect();
    let come: Vec<&String> = new.keys().filter(|subject| !old.contains_key(*subject)).collect();
    if gone.len() == old.len() {
        return Err(format!(
            "the two have no subject in common: {} has {}, {} has {}",
            arguments.old.display(),
            names(&gone),
            arguments.new.display(),
            names(&come)
        ));
    }
    if !old.iter().any(|(subject, standing)| new.get(subject).is_some_and(|other| shares(standing, other))) {
        return Err("nothing was compared: the two have no vector in common that was compared in both".to_owned());
    }
    let changed = changed(&old, &new);
    let deviations = changed_deviations(&old, &new);
    match arguments.format {
        Format::Json => {
            print_json(&serde_json::json!({"gone": gone, "new": come, "deviations": deviations, "changed": changed}))?;
        }
        Format::Human => print(&human(&changed, &deviations, &gone, &come))?,
    }
    // A changed choice conforms as the one before did.
    let is_wrong = |standing: &VectorStanding| matches!(standing, VectorStanding::Diverges { .. });
    let fails = |one: &Changed| match one.change {
        Change::Worse => true,
        Change::Other => is_wrong(&one.new) && !arguments.accept_changed,
        Change::Better => false,
    };
    Ok(if !gone.is_empty() || changed.iter().any(fails) {
        Finding::Unexpected
    } else {
        Finding::Expected
    })
}

fn names(subjects: &[&String]) -> String {
    subjects.iter().map(|subject| subject.as_str()).collect::<Vec<_>>().join(", ")
}

fn read(path: &Path) -> Result<ResultsFile, RunError> {
    let text = fs::read_to_string(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let results: ResultsFile = serde_json::from_str(&text).map_err(|error| {
        format!(
            "{}:{}:{}: no results of this version of `check --format json` or `report`: {error}",
            path.display(),
            error.line(),
            error.column()
        )
    })?;
    match results.uriproof {
        1 | 2 => Ok(results),
        other => Err(format!(
            "{}: results of format {other}; this version reads 1 and 2",
            path.display()
        )),
    }
}

/// The label of a subject without its version, which is the word after its name.
fn without_version(label: &str) -> String {
    let mut words: Vec<&str> = label.split(' ').collect();
    if words.len() > 2 {
        words.remove(1);
    }
    words.join(" ")
}

/// The name by which a subject is matched, by its label: without the version, unless a file has several versions of it.
struct MatchedNames(BTreeMap<String, String>);

impl MatchedNames {
    fn of(old: &ResultsFile, new: &ResultsFile) -> MatchedNames {
        let mut versions: BTreeMap<String, [BTreeSet<&str>; 2]> = BTreeMap::new();
        for (side, file) in [old, new].into_iter().enumerate() {
            for label in file.subjects.iter().map(|subject| &*subject.subject) {
                versions.entry(without_version(label)).or_default()[side].insert(label);
            }
        }
        let mut names = BTreeMap::new();
        for (name, [old, new]) in versions {
            let is_alone = |of: &BTreeSet<&str>, others: &BTreeSet<&str>| of.difference(others).count() == 1;
            let is_moved = is_alone(&old, &new) && is_alone(&new, &old);
            let is_single = old.len() <= 1 && new.len() <= 1;
            for label in old.union(&new) {
                let is_in_both = old.contains(label) && new.contains(label);
                let is_versioned = !is_single && (is_in_both || !is_moved);
                names.insert(
                    (*label).to_owned(),
                    if is_versioned {
                        (*label).to_owned()
                    } else {
                        name.clone()
                    },
                );
            }
        }
        MatchedNames(names)
    }

    fn name(&self, label: &str) -> String {
        self.0.get(label).cloned().unwrap_or_else(|| without_version(label))
    }
}

fn known(results: ResultsFile, names: &MatchedNames) -> StandingsBySubject {
    let mut known = StandingsBySubject::new();
    for subject in results.subjects {
        let mut agreed: BTreeMap<String, VectorStanding> =
            subject.agreed.into_iter().map(|id| (id, VectorStanding::Agrees { choice: None })).collect();
        for Choices { offers, answers, .. } in subject.choices {
            for gate::SameChoice { fits, vectors } in answers {
                let choice = Choice {
                    offers: offers.clone(),
                    fits,
                };
                agreed.extend(vectors.into_iter().map(|id| {
                    let choice = Some(choice.clone());
                    (id, VectorStanding::Agrees { choice })
                }));
            }
        }
        let standing = SubjectStanding {
            vectors: agreed,
            deviations: subject.deviations.into_iter().map(|one| one.sentence).collect(),
        };
        known.insert(names.name(&subject.subject), standing);
    }
    for vector in results.vectors {
        let standing = match vector.verdict.as_str() {
            "diverge" => VectorStanding::Diverges {
                kind: vector.kind.unwrap_or_default(),
                class: vector.class,
                deviations: vector.deviations.iter().map(Deviation::sentence).collect(),
                outcome: without_words(&vector.outcome),
            },
            _ => VectorStanding::Unknown,
        };
        known.entry(names.name(&vector.subject)).or_default().vectors.insert(vector.id, standing);
    }
    known
}

/// An outcome without the words of an error, which change from version to version; a crash keeps them.
fn without_words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Accepted { .. } => outcome.to_string(),
        // The line changes from version to version.
        Outcome::Crashed { reason } => format!("crashed: {}", reason.replace(|one: char| one.is_ascii_digit(), "")),
        Outcome::Rejected { .. } | Outcome::Unsupported { .. } | Outcome::TimedOut { .. } => outcome.name().to_owned(),
    }
}

/// The deviations that came and went, of the subjects that both files have.
fn changed_deviations(old: &StandingsBySubject, new: &StandingsBySubject) -> Vec<ChangedDeviations> {
    let both = old.iter().filter_map(|(subject, old)| Some((subject, old, new.get(subject)?)));
    both.filter(|(_, old, new)| old.deviations != new.deviations)
        .map(|(subject, old, new)| ChangedDeviations {
            subject: subject.clone(),
            gone: old.deviations.difference(&new.deviations).cloned().collect(),
            new: new.deviations.difference(&old.deviations).cloned().collect(),
        })
        .collect()
}

fn changed(old: &StandingsBySubject, new: &StandingsBySubject) -> Vec<Changed> {
    let library = Library::embedded();
    let nothing = SubjectStanding::default();
    let mut changed = Vec::new();
    for (subject, old) in old {
        let new = new.get(subject).unwrap_or(&nothing);
        let ids: BTreeSet<&String> = old.vectors.keys().chain(new.vectors.keys()).collect();
        for id in ids {
            let of = |known: &SubjectStanding| known.vectors.get(id).cloned().unwrap_or(VectorStanding::Unknown);
            let (old, new) = (of(old), of(new));
            let change = match (old.badness(), new.badness()) {
                _ if old.is_like(&new) => continue,
                (before, after) if after > before => Change::Worse,
                (before, after) if after < before => Change::Better,
                _ => Change::Other,
            };
            let vector = library.vectors().find(|vector| vector.id == *id);
            changed.push(Changed {
                change,
                subject: subject.clone(),
                id: id.clone(),
                clause: vector.and_then(|vector| vector.clauses.first().cloned()),
                input: vector.map(|vector| vector.input.to_string()),
                old,
                new,
            });
        }
    }
    changed.sort_by(|one, other| {
        (one.change, &one.subject, &one.clause, &one.id).cmp(&(other.change, &other.subject, &other.clause, &other.id))
    });
    changed
}

fn human(changed: &[Changed], deviations: &[ChangedDeviations], gone: &[&String], come: &[&String]) -> String {
    let count = |wanted: Change| changed.iter().filter(|one| one.change == wanted).count();
    let mut text = format!(
        "{} worse, {} better, {} otherwise\n",
        count(Change::Worse),
        count(Change::Better),
        count(Change::Other)
    );
    for (names, what) in [(gone, "gone"), (come, "new, and compared with nothing")] {
        for name in names {
            writeln!(text, "{}: {what}", OneLine(name)).expect("writes to a string");
        }
    }
    for one in deviations {
        for (sentences, what) in [(&one.gone, "no longer"), (&one.new, "now")] {
            for sentence in sentences {
                writeln!(text, "{}: {what}: {}", OneLine(&one.subject), OneLine(sentence)).expect("writes to a string");
            }
        }
    }
    let mut last = None;
    for one in changed {
        let heading = match one.change {
            Change::Worse => "worse",
            Change::Other => "otherwise",
            Change::Better => "better",
        };
        let group = (one.change, &one.subject, &one.clause);
        if last != Some(group) {
            let clause = one.clause.as_deref().unwrap_or("no clause: this version has no such vector");
            write!(text, "\n{heading}: {}, {clause}\n", OneLine(&one.subject)).expect("writes to a string");
            last = Some(group);
        }
        writeln!(
            text,
            "  {}  {}",
            OneLine(&one.id),
            one.input.as_deref().unwrap_or_default()
        )
        .expect("writes to a string");
        for (name, standing) in [("old", &one.old), ("new", &one.new)] {
            writeln!(text, "    {name}  {}", OneLine(&standing.text())).expect("writes to a string");
            if let VectorStanding::Diverges { class, deviations, .. } = standing {
                for words in class.iter().chain(deviations) {
                    writeln!(text, "         {}", OneLine(words)).expect("writes to a string");
                }
            }
        }
    }
    text
}
