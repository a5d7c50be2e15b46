//! The rules of Appendix A as what a string is parsed as.

use uriproof::model::{Input, Reading, Rule};

use super::{Caches, Probe, Reached, Seen};

/// Every rule, with a string that matches it and one that does not.
pub(super) struct RuleProbe;

impl Probe for RuleProbe {
    fn name(&self) -> &'static str {
        "rules that are parsed"
    }

    fn rows(&self) -> Vec<String> {
        Rule::ALL.iter().flat_map(|rule| ["matches", "does not match"].map(|does| format!("{does} {rule}"))).collect()
    }

    fn ask(&self, seen: &Seen<'_>, _: &mut Caches, reached: &mut Reached) {
        if let Input::Parse { rule, input } = seen.input
            && let Some(at) = Rule::ALL.iter().position(|other| other == rule)
        {
            reached.reach(2 * at + usize::from(rule.matches(input, Reading::Rfc3986).is_err()));
        }
    }
}
