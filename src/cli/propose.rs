//! `uriproof propose`: the deviations that predict what a library does, as a draft of its baseline.

use std::collections::BTreeSet;
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;
use uriproof::compare::Verdict;
use uriproof::gate::{
    Claim, DeviationCatalogue, Fit, NO_VALIDATION, ProposedDeviation, draft, fit, is_the_same, proposals,
};
use uriproof::model::{Input, OneLine, Operation, Reading, Subject};
use uriproof::run::{self, without_validation};
use uriproof::vectors::Library;
use uriproof_deviations::CATALOGUE;
use uriproof_lab::generate::Generator;

use crate::cli::command::RunSelection;
use crate::cli::{Finding, RunError, interrupt, print};

/// How often the search begins anew with the inputs that its deviations predict wrongly.
const ROUNDS: usize = 5;

/// How many of them it takes each time, the smallest.
const MISFITS: usize = 500;

/// How many further inputs are generated, to find those that decide between deviations which explain the same.
const DECIDING: usize = 20_000;

/// How many of these are put to the subject, for two such deviations.
const PUT: usize = 3;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    selection: RunSelection,
    /// How many inputs to generate, beside the vectors
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    inputs: usize,
    /// The seed of the inputs: the same seed, the same inputs
    #[arg(long, value_name = "N", default_value_t = 3986)]
    seed: u64,
}

impl Arguments {
    /// Whether a built-in subject is run, in this process.
    pub(crate) fn asks_builtin(&self) -> bool {
        self.selection.asks_builtin()
    }
}

/// What is proposed for a subject, and how its answers stand to that.
struct Proposal {
    deviations: Vec<ProposedDeviation>,
    divergent: usize,
    predicted: usize,
    falsely: usize,
}

impl Proposal {
    /// The deviations, without that of a library which does not validate.
    fn named(&self) -> Vec<serde_json::Value> {
        let named = self.deviations.iter().map(|one| one.deviation.clone());
        named.filter(|one| *one != NO_VALIDATION).collect()
    }

    /// Inputs that decide between a proposed deviation and one that explains these results as well: they are predicted otherwise. Empty if
    /// there is no such deviation, or if the two predict the same of every generated input.
    fn deciding(&self, subject: &dyn Subject, results: &[run::Result], seed: u64) -> Result<BTreeSet<Input>, RunError> {
        let declaration = subject.declaration();
        let named = self.named();
        let proposed = CATALOGUE.profile(declaration, &named).map_err(|(_, problem)| problem)?;
        let results: Vec<&run::Result> = results.iter().collect();
        let rivals = CATALOGUE.rivals(declaration, &named, &results).map_err(|(_, problem)| problem)?;
        let mut left = vec![PUT; rivals.len()];
        let mut generator = Generator::of(seed, &Operation::ALL);
        let mut deciding = BTreeSet::new();
        for _ in 0..DECIDING {
            if left.iter().all(|left| *left == 0) {
                break;
            }
            let input = generator.next_input();
            let Some(given) = run::given(declaration, &input) else {
                continue;
            };
            let ours = proposed.outcome(&given, None);
            for (rival, left) in rivals.iter().zip(&mut left).filter(|(_, left)| **left > 0) {
                let is_same = match (&ours, &rival.answers.outcome(&given, None)) {
                    (Some(one), Some(other)) => is_the_same(declaration, one, other),
                    (one, other) => one.is_none() && other.is_none(),
                };
                if !is_same && deciding.insert(input.clone()) {
                    *left -= 1;
                }
            }
        }
        Ok(deciding)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    if arguments.selection.specification == Some(Claim::Whatwg) {
        return Err("the deviations are from RFC 3986, and not from the WHATWG URL Standard".to_owned());
    }
    let selected = arguments.selection.start_beside_rfc()?;
    let subjects = selected.subjects();
    let [subject] = subjects.as_slice() else {
        return Err(format!(
            "deviations are proposed for one subject, and {} are selected: name one by --subject or --command",
            subjects.len()
        ));
    };
    interrupt::note()?;
    let spinner = ProgressBar::new_spinner().with_message(format!("putting inputs to {}", subject.declaration()));
    spinner.enable_steady_tick(Duration::from_millis(200));
    let library = Library::embedded();
    let mut results: Vec<run::Result> = inputs(arguments, *subject, &library)
        .iter()
        .take_while(|_| interrupt::stopped().is_none())
        .map(|input| run::one(*subject, input, Reading::Rfc3986))
        .collect();
    selected.check_lost()?;
    if let Some(reason) = interrupt::stopped() {
        return Err(format!("not every input was put: {reason}"));
    }
    spinner.set_message("trying deviations");
    let mut proposal = propose(*subject, library.vectors().count(), &results)?;
    for round in 1..=ROUNDS {
        let deciding = proposal.deciding(*subject, &results, arguments.seed + round as u64)?;
        if deciding.is_empty() {
            break;
        }
        results.extend(deciding.iter().map(|input| run::one(*subject, input, Reading::Rfc3986)));
        selected.check_lost()?;
        proposal = propose(*subject, library.vectors().count(), &results)?;
    }
    spinner.finish_and_clear();
    print(&text(*subject, results.len(), &proposal))?;
    Ok(Finding::Expected)
}

/// The inputs of the vectors, and generated ones, each once, as far as the subject takes them.
fn inputs(arguments: &Arguments, subject: &dyn Subject, library: &Library) -> Vec<Input> {
    let mut generator = Generator::of(arguments.seed, &Operation::ALL);
    let generated = (0..arguments.inputs).map(|_| generator.next_input());
    let all = library.vectors().map(|vector| vector.input.clone()).chain(generated);
    let mut known = BTreeSet::new();
    let is_taken = |input: &Input| run::given(subject.declaration(), input).is_some();
    all.filter(|input| is_taken(input) && known.insert(input.clone())).collect()
}

/// The deviations that predict the most of these results and nothing wrongly. The search begins with the first `count`, among which the
/// vectors are. In each further round it has those results too that its deviations predict otherwise: they decide between deviations
/// that were alike before.
fn propose(subject: &dyn Subject, count: usize, results: &[run::Result]) -> Result<Proposal, RunError> {
    let declaration = subject.declaration();
    let mut evidence: BTreeSet<usize> = (0..count.min(results.len())).collect();
    let mut round = 0;
    loop {
        round += 1;
        let chosen: Vec<&run::Result> = evidence.iter().map(|at| &results[*at]).collect();
        let deviations = proposals(declaration, &chosen, Some(&CATALOGUE));
        let named = deviations.iter().map(|one| one.deviation.clone()).filter(|one| *one != NO_VALIDATION);
        let named: Vec<serde_json::Value> = named.collect();
        let is_unvalidated = named.len() < deviations.len();
        let profile = CATALOGUE.profile(declaration, &named).map_err(|(_, problem)| problem)?;
        let fit_of = |result: &run::Result| match is_unvalidated && without_validation(result).is_some() {
            true => Fit::Predicted,
            false => fit(declaration, &|input| profile.outcome(input, None), result),
        };
        let fits: Vec<Fit> = results.iter().map(fit_of).collect();
        let is_misfit =
            |at: &usize| matches!(fits[*at], Fit::False { .. } | Fit::Unpredicted { .. }) && !evidence.contains(at);
        let mut misfits: Vec<usize> = (0..results.len()).filter(is_misfit).collect();
        misfits.sort_by_key(|at| results[*at].input.size());
        misfits.truncate(MISFITS);
        if misfits.is_empty() || round == ROUNDS {
            let divergent = results.iter().filter(|result| matches!(result.verdict, Verdict::Diverge(_))).count();
            return Ok(Proposal {
                deviations,
                divergent,
                predicted: fits.iter().filter(|fit| **fit == Fit::Predicted).count(),
                falsely: fits.iter().filter(|fit| matches!(fit, Fit::False { .. })).count(),
            });
        }
        evidence.extend(misfits);
    }
}

fn text(subject: &dyn Subject, inputs: usize, proposal: &Proposal) -> String {
    let label = subject.declaration().label();
    let Proposal {
        divergent,
        predicted,
        falsely,
        ..
    } = proposal;
    let head = format!(
        "# A draft of the deviations of {}: read each, and give it a kind and a reason.\n\
         # {inputs} inputs: {divergent} answers diverge, {predicted} of them are predicted to the letter; {falsely} false \
         predictions.\n",
        OneLine(&label)
    );
    let next = match proposal.deviations.is_empty() && *divergent > 0 {
        true => {
            "# No deviation of the catalogue predicts an answer without predicting another falsely. Next: `uriproof check` with the\n\
             # same command and `--baseline FILE --write-baseline` lists the answers themselves.\n"
        }
        false => "",
    };
    head + &draft(&proposal.deviations) + next
}
