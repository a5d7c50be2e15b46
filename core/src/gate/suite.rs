//! The suites for the algorithms at the gate: each group of divergences counts as a vector of its own.

use std::collections::BTreeMap;
use std::fmt;

use uriproof_grammar::Profile;

use crate::algorithms::{self, GroupKey, PREFIX, Size, SuiteScore, ignores_scheme};
use crate::claim::{Claim, is_whatwg};
use crate::clauses::{clause_of, deciding};
use crate::compare::{Difference, DifferenceKind};
use crate::expect::{Conforming, Expected, Property, licences::licence};
use crate::gate::glob::Glob;
use crate::model::{
    Components, Expectation, Input, Level, LicensedOutcome, OneLine, Operation, Outcome, Reading, Rule, Value, Vector,
};
use crate::run::{self, Counts};

/// What came of a suite. What diverges of it is among the vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SuiteRun {
    /// The operation.
    pub operation: Operation,
    /// What the subject claims, which decides what conforms.
    pub claim: Option<Claim>,
    /// The suite's size.
    pub size: Size,
    /// How the answers count.
    pub counts: Counts,
    /// Why answers were not compared, or inputs left out, and how many for each reason.
    pub not_compared: BTreeMap<String, u64>,
    /// How many groups of divergences there are.
    pub groups: usize,
    /// How many divergences are in no group, since deviations of the baseline predict them; by the place of one that is responsible.
    pub predicted: BTreeMap<usize, u64>,
    /// How many these are in all.
    pub all_predicted: u64,
    /// Why not all of it was run, if the run ended before.
    pub lost: Option<String>,
    /// Why the rest was left out, if the subject's process has died too often.
    pub cut: Option<String>,
}

impl SuiteRun {
    /// On which inputs the subject is right: [`algorithms::claim`], or that of the standard, if every input was compared and every answer
    /// agrees.
    pub fn proves(&self) -> Option<&'static str> {
        let is_whole = self.not_compared.is_empty() && self.lost.is_none() && self.cut.is_none();
        let passes = is_whole && self.counts.diverge == 0 && self.counts.agree > 0;
        passes.then(|| match self.claim {
            #[cfg(feature = "whatwg")]
            Some(Claim::Whatwg) => algorithms::whatwg::claim(self.operation),
            _ => algorithms::claim(self.operation, self.size),
        })
    }

    /// What does not follow from a pass.
    pub fn does_not_mean(&self) -> &'static str {
        match self.claim {
            #[cfg(feature = "whatwg")]
            Some(Claim::Whatwg) => algorithms::whatwg::DOES_NOT_MEAN,
            _ => algorithms::DOES_NOT_MEAN,
        }
    }

    /// Its id: `suite/normalize`.
    pub fn id(&self) -> String {
        id(self.operation)
    }
}

impl fmt::Display for SuiteRun {
    /// On one line: `suite normalize: 86,386 agree, 977 fail in 5 groups, 10 not compared (no non-strict mode)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "suite {}: {} agree", self.operation, self.counts.agree)?;
        if self.groups > 0 {
            let noun = if self.groups == 1 { "group" } else { "groups" };
            let failing = self.counts.diverge - self.all_predicted;
            write!(f, ", {failing} fail in {} {noun}", self.groups)?;
        }
        if self.all_predicted > 0 {
            write!(f, ", {} known by deviations", self.all_predicted)?;
        }
        for (reason, count) in &self.not_compared {
            write!(f, ", {count} not compared ({})", OneLine(reason))?;
        }
        Ok(())
    }
}

/// The id of the suite of an operation.
pub(super) fn id(operation: Operation) -> String {
    format!("{PREFIX}{operation}")
}

/// Whether an id is that of a suite, or of a group of its divergences.
pub(super) fn is_of_suite(id: &str) -> bool {
    id.starts_with(PREFIX)
}

/// Whether patterns for ids select the suite of an operation.
pub(super) fn is_selected(only: &[Glob], operation: Operation) -> bool {
    let id = id(operation);
    // A pattern for groups selects the suite that shows them.
    only.is_empty() || only.iter().any(|glob| glob.matches(&id) || glob.to_string().starts_with(&id))
}

/// Whether patterns for ids select a group, by its own id or by that of its suite.
pub(super) fn selects(only: &[Glob], key: &GroupKey) -> bool {
    let ids = [key.to_string(), id(key.operation)];
    only.is_empty() || only.iter().any(|glob| ids.iter().any(|id| glob.matches(id)))
}

/// The inputs of a suite for a subject with this claim, each once: with schemes that the claim covers, and what is parsed with the core
/// suite of its grammar, or with the inputs of the WHATWG URL Standard. The suite of IRIs is left out: of what is beyond US-ASCII nothing
/// is expected here.
pub(super) fn under(claim: Option<Claim>, operation: Operation, inputs: Vec<Input>) -> Vec<Input> {
    let covered = |input: Input| claim.and_then(|claim| claim.rewritten(&input)).unwrap_or(input);
    let mut inputs: Vec<Input> = inputs.into_iter().map(covered).collect();
    match claim.and_then(Claim::profile) {
        Some(profile) if operation == Operation::Parse && profile != Profile::Iri => {
            inputs.extend(algorithms::of_profile(profile));
        }
        _ => {}
    }
    #[cfg(feature = "whatwg")]
    if claim == Some(Claim::Whatwg) {
        inputs.extend(algorithms::whatwg::inputs(operation));
    }
    algorithms::keep_first(&mut inputs);
    inputs
}

/// How strongly the specification requires what a suite expects of an input on which a subject differs so.
pub(super) fn level(claim: Option<Claim>, input: &Input, kind: DifferenceKind) -> Level {
    match (input.operation(), kind) {
        // What the standard's algorithms return is one outcome.
        _ if is_whatwg(claim) => Level::Must,
        // "URI normalizers should remove dot-segments" (§6.2.2.3), and so with case and triplets.
        (Operation::Normalize | Operation::Contract, _) | (_, DifferenceKind::FalseNegative) => Level::Should,
        (_, DifferenceKind::OtherUri | DifferenceKind::OtherMeaning | DifferenceKind::RejectedValid)
            if ignores_scheme(input) =>
        {
            Level::May
        }
        _ => Level::Must,
    }
}

/// The clause that decides an input on which a subject differs so.
fn clause(claim: Option<Claim>, input: &Input, difference: &Difference) -> &'static str {
    match input {
        Input::Equivalent { .. } | Input::Contract { .. } if is_whatwg(claim) => "#concept-url-equals/3",
        _ if is_whatwg(claim) => "#concept-basic-url-parser/9",
        _ => deciding(input, difference).first().copied().unwrap_or_else(|| clause_of(Rule::UriReference)),
    }
}

/// What the specification expects of an input.
fn expected(claim: Option<Claim>, input: &Input) -> Expected {
    match claim {
        #[cfg(feature = "whatwg")]
        Some(Claim::Whatwg) => crate::expect::whatwg::expect(input),
        _ => run::expected(input),
    }
}

/// A group of so many inputs as a vector: that of its witness.
pub(super) fn vector(
    claim: Option<Claim>,
    (key, level): (&GroupKey, Level),
    witness: &run::Result,
    count: u64,
) -> Vector {
    let input = witness.input.clone();
    // That of what is not idempotent is the first answer.
    let expected = expected(claim, &input);
    let clause = clause(claim, &input, &key.difference);
    Vector {
        id: key.to_string(),
        expect: BTreeMap::from([(Reading::Rfc3986, expectation(&expected))]),
        level,
        clauses: vec![clause.to_owned()],
        note: Some(format!("one of {count} inputs of the suite")),
        twin: None,
        input,
    }
}

/// An input of a suite as a vector with this id, for programs in other languages.
///
/// # Errors
///
/// Many answers conform, or none is comparable: the property of an answer that decides, or why there is none.
pub fn exported(id: String, input: &Input) -> Result<Vector, String> {
    let expected = run::expected(input);
    let kind = match &expected {
        // A false negative is a should.
        Expected::Outcomes(outcomes) => match &outcomes[0].outcome {
            Outcome::Accepted {
                value: Value::Equivalent(true),
            } => DifferenceKind::FalseNegative,
            Outcome::Rejected { .. } => DifferenceKind::AcceptedInvalid,
            _ => DifferenceKind::OtherUri,
        },
        Expected::Property(property) => return Err(property.to_string()),
        Expected::NoAnswer { reason } => return Err(reason.clone()),
    };
    let clause = clause(None, input, &Difference::of_kind(kind));
    Ok(Vector {
        id,
        expect: BTreeMap::from([(Reading::Rfc3986, expectation(&expected))]),
        level: level(None, input, kind),
        clauses: vec![clause.to_owned()],
        note: None,
        twin: None,
        input: input.clone(),
    })
}

pub(super) fn expectation(expected: &Expected) -> Expectation {
    match expected {
        Expected::Outcomes(outcomes) => match outcomes.as_slice() {
            [one] => of_outcome(&one.outcome),
            several => Expectation::OneOf(several.iter().map(licensed).collect()),
        },
        Expected::Property(Property::ResolvesTo { target, .. }) => Expectation::Uri(target.clone()),
        Expected::Property(Property::KeepsContracts) => Expectation::Broken(Vec::new()),
        Expected::Property(Property::MeansTheSame { .. }) | Expected::NoAnswer { .. } => Expectation::Accepted,
    }
}

fn licensed(one: &Conforming) -> LicensedOutcome {
    LicensedOutcome {
        name: one.name.to_string(),
        licence: licence(&one.name).unwrap_or_default().to_owned(),
        outcome: of_outcome(&one.outcome),
    }
}

fn of_outcome(outcome: &Outcome) -> Expectation {
    match outcome {
        Outcome::Accepted { value } => match value {
            Value::Uri(uri) => Expectation::Uri(uri.clone()),
            Value::Equivalent(equivalent) => Expectation::Equivalent(*equivalent),
            Value::Broken(broken) => Expectation::Broken(broken.clone()),
            Value::Components(observed) => Expectation::Components(Components::from(&observed.as_strs())),
        },
        Outcome::Rejected { .. } | Outcome::Unsupported { .. } | Outcome::Crashed { .. } | Outcome::TimedOut { .. } => {
            Expectation::Rejected
        }
    }
}

/// The run of a suite, without its groups.
pub(super) fn run(
    claim: Option<Claim>,
    (operation, size): (Operation, Size),
    score: &SuiteScore,
    lost: Option<String>,
) -> SuiteRun {
    SuiteRun {
        operation,
        claim,
        size,
        counts: score.counts,
        not_compared: score.not_compared.clone(),
        groups: score.groups.len(),
        predicted: score.predicted.clone(),
        all_predicted: score.all_predicted,
        lost,
        cut: score.cut.clone(),
    }
}
