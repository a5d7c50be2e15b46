//! What was expected and what came out, in words.

use super::Result;
use crate::compare::{Difference, DifferenceKind, Verdict};
use crate::expect::Expected;
use crate::model::{Contrasted, Input, Observed, Outcome, Value};
use crate::severity;
use crate::split::{self, UserinfoEnd};

impl Result {
    /// What was expected, as far as it matters: of components, those that differ. Of an invalid string, which is to be refused, also the
    /// parts of its authority by Appendix B's split that the subject reports otherwise.
    pub fn expected_text(&self) -> String {
        self.expected_texts().join(" or ")
    }

    /// As [`expected_text`](Result::expected_text), each outcome that conforms by itself.
    pub fn expected_texts(&self) -> Vec<String> {
        let outcomes = match &self.expected {
            Expected::NoAnswer { reason } => return vec![reason.clone()],
            Expected::Property(property) => return vec![property.to_string()],
            Expected::Outcomes(outcomes) => outcomes,
        };
        let mut texts: Vec<String> = Vec::new();
        for one in outcomes {
            let text = self.text_of(&one.outcome, &self.observed);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        if let (Some(last), Some(split)) = (texts.last_mut(), self.split_text()) {
            last.push_str(&split);
        }
        texts
    }

    fn split_text(&self) -> Option<String> {
        match (&self.verdict, &self.input, &self.observed) {
            (
                Verdict::Diverge(Difference {
                    kind: DifferenceKind::AcceptedInvalid,
                    ..
                }),
                Input::Parse { input, .. },
                Outcome::Accepted {
                    value: Value::Components(observed),
                },
            ) => {
                let misread = severity::misread(input, observed);
                let split = Observed::from(split::components(input, UserinfoEnd::FirstAt).map(str::to_owned));
                (!misread.is_empty())
                    .then(|| format!(" (Appendix B, §3.2: {})", split.describe_beside(misread, observed)))
            }
            _ => None,
        }
    }

    /// What the subject did, as far as it matters: of components, those that differ. Of what is long, the place where it begins to differ
    /// from the first outcome that conforms is shown too.
    pub fn observed_text(&self) -> String {
        let expected = match &self.expected {
            Expected::Outcomes(outcomes) => outcomes.first().map(|one| &one.outcome),
            Expected::NoAnswer { .. } | Expected::Property(_) => None,
        };
        self.text_of(&self.observed, expected.unwrap_or(&self.observed))
    }

    /// As [`observed_text`](Result::observed_text), whatever was expected.
    pub(crate) fn observed_alone(&self) -> String {
        self.text_of(&self.observed, &self.observed)
    }

    /// An outcome beside another one.
    fn text_of(&self, outcome: &Outcome, other: &Outcome) -> String {
        let (Outcome::Accepted { value }, other) = (outcome, value_of(other)) else {
            return outcome.to_string();
        };
        let components = match (value, other) {
            (Value::Components(components), _) => components,
            (Value::Uri(uri), Some(Value::Uri(other))) => return Contrasted(uri, other).to_string(),
            _ => return outcome.to_string(),
        };
        match &self.verdict {
            Verdict::Diverge(Difference {
                kind: DifferenceKind::OtherComponents,
                components: differing,
            }) => match other {
                Some(Value::Components(other)) => components.describe_beside(*differing, other),
                _ => components.describe(*differing),
            },
            Verdict::Diverge(Difference {
                kind: DifferenceKind::RejectedValid,
                ..
            }) => "accepted".to_owned(),
            _ => outcome.to_string(),
        }
    }
}

/// The value of an outcome that has one.
fn value_of(outcome: &Outcome) -> Option<&Value> {
    match outcome {
        Outcome::Accepted { value } => Some(value),
        _ => None,
    }
}
