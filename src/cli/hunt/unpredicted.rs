//! Answers of which the profile of their subject predicts another: news, whatever class they have.

use anstyle::{AnsiColor, Style};
use uriproof::model::{Outcome, Reading, Subject};
use uriproof::run::{self, Result};
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::hunt::Minimized;
use uriproof_lab::predict::{Prediction, Predictor, responsible_sentences};

const BAD: Style = AnsiColor::Red.on_default().bold();

/// An answer that is not predicted.
pub(super) struct UnpredictedAnswer {
    label: String,
    result: Result,
    predicted: Outcome,
    /// The deviations that act on the input, in words.
    sentences: Vec<String>,
    /// The combination of deviations that comes nearest.
    nearest: Option<String>,
}

impl UnpredictedAnswer {
    /// What a find of a worker shows here; `None` if it is as predicted here.
    pub(super) fn of(subject: &dyn Subject, find: &Minimized, ledger: &Ledger) -> Option<UnpredictedAnswer> {
        let declaration = subject.declaration();
        let result = run::one(subject, &find.input, Reading::Rfc3986);
        let predictor = Predictor::of(ledger, declaration)?;
        match predictor.of_divergence(declaration, &result) {
            Prediction::Other(predicted) => Some(UnpredictedAnswer {
                nearest: predictor.nearest_text(declaration, &result.input, &result.observed),
                label: find.subject.clone(),
                sentences: responsible_sentences(declaration, &ledger.profile(declaration)?, &result.input),
                result,
                predicted,
            }),
            Prediction::Exact | Prediction::None => None,
        }
    }

    /// As text, the important line first.
    pub(super) fn human(&self) -> String {
        let UnpredictedAnswer {
            label,
            result,
            predicted,
            sentences,
            nearest,
        } = self;
        let mut text = format!(
            "{BAD}{label}: not predicted{BAD:#}\n  {} {}\n  expected   {}\n  answer     {}\n  predicted  {predicted}\n",
            result.input.operation(),
            result.input,
            result.expected_text(),
            result.observed_text(),
        );
        for sentence in sentences {
            text += &format!("  known      {sentence}\n");
        }
        if let Some(nearest) = nearest {
            text += &format!("  nearest    {nearest}\n");
        }
        text.push('\n');
        text
    }

    /// As JSON.
    pub(super) fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "subject": self.label,
            "input": self.result.input,
            "observed": self.result.observed,
            "predicted": self.predicted,
            "deviations": self.sentences,
            "nearest": self.nearest,
        })
    }
}
