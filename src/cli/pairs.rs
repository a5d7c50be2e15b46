//! `uriproof diff --pairs`: which two subjects send one input to different places.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use clap::Args;
use serde::Serialize;
use uriproof::ask::ask;
use uriproof::model::{Component, Input, Operation, Quoted, Reading, Reported};
use uriproof::run;
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::pairs::{DifferingSubjects, Inputs, PairCounts, Pairs, Witness, pairs};
use uriproof_lab::pairwise::{Account, PLACE};
use uriproof_lab::predict::{Prediction, Predictors};

use crate::cli::columns::listed;
use crate::cli::diff::{HostMachine, machines};
use crate::cli::select::SubjectSelection;
use crate::cli::{Finding, Format, RunError, WIDTH, print, print_json, registry};
use crate::report::model::is_reference;
use crate::report::shell;

const BAD: Style = AnsiColor::Red.on_default();
const FAINT: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();

/// Which inputs are put to the pairs, and how much of what they show is printed.
#[derive(Args)]
pub(crate) struct PairSelection {
    /// Instead of one input: for each pair of subjects (one could check a URI that the other fetches), find inputs that
    /// both accept with different schemes, hosts or ports
    #[arg(long, conflicts_with_all = ["input", "base", "other", "non_strict", "operation"])]
    pub(crate) pairs: bool,
    /// How many inputs to generate, in addition to the strings of the vectors and the ledger
    #[arg(long, value_name = "N", default_value_t = 200_000, requires = "pairs")]
    count: usize,
    /// The seed of the generated inputs
    #[arg(long, value_name = "N", default_value_t = 1, requires = "pairs")]
    seed: u64,
    /// Print every pair of entry points with all its inputs; of one input, every answer, and also the operations in which nothing is
    /// compared
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Serialize)]
struct PairRow {
    checker: String,
    fetcher: String,
    component: Component,
    input: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<String>,
    checker_tells: Reported<String>,
    fetcher_tells: Reported<String>,
    /// What the host that each sees means.
    #[serde(skip_serializing_if = "Option::is_none")]
    checker_machine: Option<HostMachine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fetcher_machine: Option<HostMachine>,
    /// Those of the two whose answer is not what their profile in the ledger predicts: it is news.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unpredicted: Vec<String>,
}

pub(crate) fn run(
    selection: &PairSelection,
    chosen: &SubjectSelection,
    ledger: &Ledger,
    format: Format,
) -> Result<Finding, RunError> {
    let chosen: BTreeSet<String> = chosen.subjects()?.iter().map(|subject| subject.declaration().label()).collect();
    let is_chosen: Vec<bool> =
        registry::subjects().iter().map(|subject| chosen.contains(&subject.declaration().label())).collect();
    let found: Pairs = pairs(
        registry::subjects(),
        &Inputs::new(ledger, selection.count, selection.seed),
    );
    let predictors = &Predictors::of(registry::subjects(), ledger);
    let differing: Vec<DifferingSubjects<'_>> =
        found.differing().filter(|differing| is_chosen[differing.left] || is_chosen[differing.right]).collect();
    match format {
        Format::Human => {
            let crates = Crates::new();
            let mut text = crates.matrix(&differing, &is_chosen);
            text.push('\n');
            text += &if selection.all {
                every_line(&differing, predictors)
            } else {
                crates.first_inputs(&differing, predictors)
            };
            text.push('\n');
            text += &crates.counts(&found.counts, &is_chosen);
            if let Some(next) = next(&differing) {
                text += &next;
            }
            print(&text)?;
        }
        Format::Json => print_json(&rows(&differing, predictors, selection.all))?,
    }
    Ok(if differing.is_empty() {
        Finding::Expected
    } else {
        Finding::Unexpected
    })
}

/// What to run next on the first witness of a host.
fn next(differing: &[DifferingSubjects<'_>]) -> Option<String> {
    let of_hosts = differing.iter().filter(|one| one.component == Component::Host && one.operation == Operation::Parse);
    // A request is sent over HTTP.
    let is_http = |witness: &Witness| witness.input.to_string().starts_with("\"http");
    let first = of_hosts.map(|one| &one.witnesses[0]).min_by_key(|witness| (!is_http(witness), witness.rank()))?;
    let Input::Parse { input, .. } = &first.input else {
        return None;
    };
    Some(format!(
        "next: `uriproof diff -- {}` shows who sends a request where\n",
        shell::quoted(input)
    ))
}

/// One subject of a pair, and what it makes of a witness.
struct PairSide {
    label: String,
    tells: Reported<String>,
    machine: Option<HostMachine>,
}

impl PairSide {
    fn both(one: &DifferingSubjects<'_>, witness: &Witness) -> [PairSide; 2] {
        [(one.left, &witness.left), (one.right, &witness.right)].map(|(place, tells)| PairSide {
            label: registry::subjects()[place].declaration().label(),
            tells: tells.clone(),
            machine: machine(place, &witness.input),
        })
    }
}

/// What the host means that a subject sees in an input.
fn machine(place: usize, input: &Input) -> Option<HostMachine> {
    let subject = registry::subjects()[place];
    let given = run::given(subject.declaration(), input)?;
    HostMachine::of(subject.declaration(), &ask(subject, &given))
}

/// Each pair in both orders.
fn rows(differing: &[DifferingSubjects<'_>], predictors: &Predictors, all: bool) -> Vec<PairRow> {
    let mut rows = Vec::new();
    for one in differing {
        let shown = if all { one.witnesses.len() } else { 1 };
        for witness in &one.witnesses[..shown] {
            let unpredicted = unpredicted(one, witness, predictors);
            let sides = PairSide::both(one, witness);
            for is_swapped in [false, true] {
                let (input, base) = match &witness.input {
                    Input::Resolve { base, reference, .. } => (reference.clone(), Some(base.clone())),
                    Input::Parse { input, .. } => (input.clone(), None),
                    other => (other.to_string(), None),
                };
                let [left, right] = &sides;
                let (checker, fetcher) = if is_swapped { (right, left) } else { (left, right) };
                rows.push(PairRow {
                    checker: checker.label.clone(),
                    fetcher: fetcher.label.clone(),
                    component: one.component,
                    input,
                    base,
                    checker_tells: checker.tells.clone(),
                    fetcher_tells: fetcher.tells.clone(),
                    checker_machine: checker.machine.clone(),
                    fetcher_machine: fetcher.machine.clone(),
                    unpredicted: unpredicted.clone(),
                });
            }
        }
    }
    rows
}

/// The entry points by crate and version, in the order of the subjects.
struct Crates {
    names: Vec<String>,
    /// The crate of each subject.
    of: Vec<usize>,
}

impl Crates {
    fn new() -> Crates {
        let mut crates = Crates {
            names: Vec::new(),
            of: Vec::new(),
        };
        for subject in registry::subjects() {
            let declaration = subject.declaration();
            let name = format!("{} {}", declaration.name, declaration.version);
            let known = crates.names.iter().position(|known| *known == name);
            crates.of.push(known.unwrap_or(crates.names.len()));
            if known.is_none() {
                crates.names.push(name);
            }
        }
        crates
    }

    /// A row for each crate that may check, a column for each that may fetch.
    fn matrix(&self, differing: &[DifferingSubjects<'_>], is_chosen: &[bool]) -> String {
        let mut cells: BTreeMap<(usize, usize), BTreeMap<Component, bool>> = BTreeMap::new();
        for one in differing {
            let (left, right) = (self.of[one.left], self.of[one.right]);
            for pair in [(left, right), (right, left)] {
                *cells.entry(pair).or_default().entry(one.component).or_default() |= one.operation == Operation::Parse;
            }
        }
        let width = self.names.iter().map(String::len).max().unwrap_or_default();
        let mut text = format!("{BOLD}{:width$}   ", "checks \\ fetches");
        for column in 1..=self.names.len() {
            write!(text, " {column:>3}").expect("writes to a string");
        }
        writeln!(text, "{BOLD:#}").expect("writes to a string");
        let rows: BTreeSet<usize> =
            self.of.iter().zip(is_chosen).filter(|(_, chosen)| **chosen).map(|(at, _)| *at).collect();
        for row in rows {
            write!(text, "{:width$} {BOLD}{:>2}{BOLD:#}", self.names[row], row + 1).expect("writes to a string");
            for column in 0..self.names.len() {
                let letters: String = cells.get(&(row, column)).map(letters).unwrap_or_default();
                let (style, letters) = if letters.is_empty() {
                    (FAINT, ".")
                } else {
                    (BAD, &*letters)
                };
                write!(text, " {style}{letters:>3}{style:#}").expect("writes to a string");
            }
            text.push('\n');
        }
        text + &format!(
            "{FAINT}small letters: another scheme (s), host (h) or port (p) of an input that both\n\
             parse; capital letters: only of a target that both resolve to{FAINT:#}\n"
        )
    }

    /// On how many inputs each crate was compared with others, and on how many not, and why: the sums of its entry points.
    fn counts(&self, counts: &[PairCounts], is_chosen: &[bool]) -> String {
        let title = "inputs, over all entry points";
        let width = self.names.iter().map(String::len).chain([title.len()]).max().unwrap_or_default();
        let mut text = format!(
            "{BOLD}{:width$}  {:>10}  {:>10}  {:>10}  {:>13}{BOLD:#}\n",
            title, "compared", "refused", "not for it", "beyond budget"
        );
        for (at, name) in self.names.iter().enumerate() {
            let mut sum = PairCounts::default();
            let own = self.of.iter().zip(counts).zip(is_chosen).filter(|((of, _), chosen)| **of == at && **chosen);
            for ((_, counts), _) in own {
                sum.add(*counts);
            }
            if sum != PairCounts::default() {
                writeln!(
                    text,
                    "{name:width$}  {:>10}  {:>10}  {:>10}  {:>13}",
                    sum.compared, sum.refused, sum.not_its_own, sum.beyond_budget
                )
                .expect("writes to a string");
            }
        }
        text
    }

    /// The first input for each pair of crates and each component, each once: what is right, then who sees what. What leads to another machine
    /// comes first, before all to one that is not public, then what most pairs see differently.
    fn first_inputs(&self, differing: &[DifferingSubjects<'_>], predictors: &Predictors) -> String {
        let mut by_pair: BTreeMap<(usize, usize, Component), Vec<&DifferingSubjects<'_>>> = BTreeMap::new();
        for one in differing {
            by_pair.entry((self.of[one.left], self.of[one.right], one.component)).or_default().push(one);
        }
        let mut inputs: BTreeMap<(Component, &Input), SeenInput<'_>> = BTreeMap::new();
        for one in by_pair.values().filter_map(|candidates| first(candidates)) {
            let key = (one.component, &one.witnesses[0].input);
            inputs.entry(key).or_insert_with(|| SeenInput::new(one)).add(self, one, predictors);
        }
        let mut inputs: Vec<SeenInput<'_>> = inputs.into_values().collect();
        let place = |one: Component| PLACE.iter().position(|component| *component == one);
        inputs.sort_by_key(|one| {
            (
                one.witness.machines,
                Reverse(one.pairs),
                place(one.component),
                one.witness.rank(),
            )
        });
        inputs.iter().map(SeenInput::text).collect()
    }
}

/// An input of which crates see a component differently.
struct SeenInput<'d> {
    component: Component,
    witness: &'d Witness,
    /// How many pairs of crates are shown by it.
    pairs: usize,
    /// By what is seen: the crates, and what it means.
    seen: BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)>,
    unpredicted: BTreeSet<String>,
}

impl<'d> SeenInput<'d> {
    fn new(one: &'d DifferingSubjects<'_>) -> SeenInput<'d> {
        SeenInput {
            component: one.component,
            witness: &one.witnesses[0],
            pairs: 0,
            seen: BTreeMap::new(),
            unpredicted: BTreeSet::new(),
        }
    }

    fn add(&mut self, crates: &Crates, one: &DifferingSubjects<'_>, predictors: &Predictors) {
        self.pairs += 1;
        let witness = &one.witnesses[0];
        for (at, (place, seen)) in [(one.left, &witness.left), (one.right, &witness.right)].into_iter().enumerate() {
            let (names, means) = self.seen.entry(reported(seen.as_defined().map(String::as_str))).or_default();
            if !is_reference(registry::subjects()[place].declaration()) {
                names.insert(crates.names[crates.of[place]].clone());
            }
            if let (Component::Host, Some(host)) = (one.component, seen.as_defined()) {
                means.extend(machines(host, witness.syntaxes[at]).into_iter().map(|machine| format!("is {machine}")));
                let origin = machine(place, &witness.input).and_then(|machine| machine.origin());
                means.extend(origin.map(|origin| format!("origin {origin}")));
            }
        }
        self.unpredicted.extend(unpredicted_lines(one, witness, predictors));
    }

    /// What is right, then who sees what.
    fn text(&self) -> String {
        let right = right(self.component, &self.witness.input);
        let mut text = format!(
            "{BOLD}{} of {}{BOLD:#}: by RFC 3986 {right}\n",
            self.component.name(),
            self.witness.input
        );
        let mut seen: Vec<_> = self.seen.iter().collect();
        seen.sort_by_key(|(value, _)| **value != right);
        for (value, (names, means)) in
            seen.into_iter().filter(|(_, (names, means))| !names.is_empty() || !means.is_empty())
        {
            let names: Vec<String> = match names.is_empty() {
                true => vec!["the reference".to_owned()],
                false => names.iter().cloned().collect(),
            };
            writeln!(text, "  {BAD}{value}{BAD:#}").expect("writes to a string");
            for line in listed(names, WIDTH - 4).into_iter().chain(means.iter().cloned()) {
                writeln!(text, "    {line}").expect("writes to a string");
            }
        }
        text + &self.unpredicted.iter().cloned().collect::<String>()
    }
}

/// What is right of a component, by the reference.
fn right(component: Component, input: &Input) -> String {
    let reference = registry::subjects().iter().find(|subject| is_reference(subject.declaration()));
    let seen = reference.and_then(|reference| {
        let declaration = reference.declaration();
        let given = run::given(declaration, input)?;
        let account = Account::of(declaration, ask(*reference, &given))?;
        Some(reported(account.text(component).as_defined().copied()))
    });
    seen.unwrap_or_else(|| "refused".to_owned())
}

/// What is seen of a component.
fn reported(seen: Option<&str>) -> String {
    seen.map_or_else(|| "undefined".to_owned(), |text| Quoted(text).to_string())
}

/// What is shown of a pair of crates and a component: another machine first, before all one that is not public, then what parsing shows.
fn first<'d>(candidates: &[&'d DifferingSubjects<'d>]) -> Option<&'d DifferingSubjects<'d>> {
    fn order<'d>(one: &'d DifferingSubjects<'_>) -> impl Ord + use<'d> {
        let witness = &one.witnesses[0];
        (witness.machines, one.operation, witness.rank(), one.left, one.right)
    }
    candidates.iter().copied().min_by(|one, other| order(one).cmp(&order(other)))
}

/// The first letters of the components: small where parsing tells them otherwise, else capital.
fn letters(components: &BTreeMap<Component, bool>) -> String {
    let letter = |(component, by_parsing): (&Component, &bool)| {
        let letter = component.name().chars().next()?;
        Some(if *by_parsing {
            letter
        } else {
            letter.to_ascii_uppercase()
        })
    };
    components.iter().filter_map(letter).collect()
}

/// Every input that is kept of every pair of entry points.
fn every_line(differing: &[DifferingSubjects<'_>], predictors: &Predictors) -> String {
    let mut text = String::new();
    let mut last = None;
    for one in differing {
        if last != Some((one.left, one.right)) {
            let [left, right] = [one.left, one.right].map(|at| registry::subjects()[at].declaration());
            writeln!(text, "{BOLD}{left} / {right}{BOLD:#}").expect("writes to a string");
            last = Some((one.left, one.right));
        }
        for witness in one.witnesses {
            writeln!(text, "{}", line(one.component, witness)).expect("writes to a string");
            text += &machine_lines(one, witness);
            text += &unpredicted_lines(one, witness, predictors).concat();
        }
    }
    text
}

/// The labels of those of the two whose answer diverges and is not what their profile predicts.
fn unpredicted(one: &DifferingSubjects<'_>, witness: &Witness, predictors: &Predictors) -> Vec<String> {
    let is_news = |&place: &usize| {
        let subject = registry::subjects()[place];
        let declaration = subject.declaration();
        let given = predictors.get(place).zip(run::given(declaration, &witness.input));
        given.is_some_and(|(predictor, input)| {
            let result = run::one(subject, &input, Reading::Rfc3986);
            matches!(predictor.of_divergence(declaration, &result), Prediction::Other(_))
        })
    };
    let labels = [one.left, one.right].into_iter().filter(is_news);
    labels.map(|place| registry::subjects()[place].declaration().label()).collect()
}

/// The machines that the two hosts stand for, a line each.
fn machine_lines(one: &DifferingSubjects<'_>, witness: &Witness) -> String {
    if one.component != Component::Host {
        return String::new();
    }
    let hosts = [&witness.left, &witness.right].map(Reported::as_defined);
    let lines = hosts.into_iter().zip(witness.syntaxes).flat_map(|(host, syntax)| {
        let of_host = host.into_iter().flat_map(move |host| {
            machines(host, syntax).into_iter().map(move |machine| format!("         {} is {machine}\n", Quoted(host)))
        });
        of_host.collect::<Vec<_>>()
    });
    let origins = [one.left, one.right].map(|place| machine(place, &witness.input)?.origin());
    let origin_line = match origins {
        [Some(left), Some(right)] if left != right => format!("         origin {left} / {right}\n"),
        _ => String::new(),
    };
    lines.collect::<String>() + &origin_line
}

/// A line for each of the two whose answer is news.
fn unpredicted_lines(one: &DifferingSubjects<'_>, witness: &Witness, predictors: &Predictors) -> Vec<String> {
    let line = |label| format!("         {BAD}not what the profile of {label} predicts{BAD:#}\n");
    unpredicted(one, witness, predictors).into_iter().map(line).collect()
}

/// An input, what is right of a component, and what the two see.
fn line(component: Component, witness: &Witness) -> String {
    format!(
        "  {:6} {}: by RFC 3986 {}; {BAD}{} / {}{BAD:#}",
        component.name(),
        witness.input,
        right(component, &witness.input),
        reported(witness.left.as_defined().map(String::as_str)),
        reported(witness.right.as_defined().map(String::as_str))
    )
}
