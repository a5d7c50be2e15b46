//! The choices of the grammar, and the transitions of its machine.

use std::collections::BTreeSet;

use uriproof::model::{Input, Rule};
use uriproof_grammar::choices::{RuleChoices, Takers};
use uriproof_grammar::{Dfa, State};

use super::{Caches, Probe, Reached, Seen};

/// The choices of the grammar.
pub(super) struct Alternatives<'p> {
    choices: &'p [RuleChoices],
    takers: Vec<Takers<'p>>,
    /// By rule and choice, its row, if that is not another's.
    rows: Vec<Vec<Option<usize>>>,
}

impl<'p> Alternatives<'p> {
    pub(super) fn of(choices: &'p [RuleChoices]) -> Alternatives<'p> {
        let mut known = BTreeSet::new();
        let mut count = 0;
        let rows = choices.iter().map(|choices| {
            let rules: BTreeSet<&str> = choices.all().iter().map(|choice| choice.rule.as_str()).collect();
            let rows = choices.all().iter().map(|choice| {
                let is_new = !known.contains(choice.rule.as_str());
                count += usize::from(is_new);
                is_new.then(|| count - 1)
            });
            let rows = rows.collect();
            known.extend(rules);
            rows
        });
        Alternatives {
            rows: rows.collect(),
            takers: choices
                .iter()
                .map(|choices| choices.takers().unwrap_or_else(|error| panic!("rfc3986.abnf: {error}")))
                .collect(),
            choices,
        }
    }
}

impl Probe for Alternatives<'_> {
    fn name(&self) -> &'static str {
        "ABNF alternatives"
    }

    fn rows(&self) -> Vec<String> {
        let with_rows = self.choices.iter().zip(&self.rows).flat_map(|(choices, rows)| choices.all().iter().zip(rows));
        with_rows.filter(|(_, row)| row.is_some()).map(|(choice, _)| choice.to_string()).collect()
    }

    fn ask(&self, seen: &Seen<'_>, known: &mut Caches, reached: &mut Reached) {
        let mut ask = |at: usize, text: &str| {
            let taken = self.takers[at].taken(text.as_bytes(), known.entry(at).or_default());
            reached.reach_all(taken.into_iter().flatten().filter_map(|choice| self.rows[at][choice]));
        };
        for text in &seen.strings {
            let Some(parsed) = &text.parsed else { continue };
            ask(0, text.text);
            if let Input::Parse { rule, .. } = seen.input {
                if *rule == Rule::AbsoluteUri {
                    ask(1, text.text);
                }
                ask(2, &parsed.components.path);
            }
            let mut met = 0_u128;
            for byte in text.text.bytes().filter(u8::is_ascii_punctuation) {
                if met >> byte & 1 == 0 {
                    met |= 1 << byte;
                    ask(3, char::from(byte).encode_utf8(&mut [0; 4]));
                }
            }
        }
    }
}

/// The transitions of the machine of `URI-reference`: those with which something can still match, or those with which
/// nothing can.
pub(super) struct TransitionProbe<'p> {
    dfa: &'p Dfa,
    goes_on: bool,
    /// By state and class the row, if it is one of these.
    rows: Vec<Option<usize>>,
}

impl<'p> TransitionProbe<'p> {
    pub(super) fn of(dfa: &'p Dfa, goes_on: bool) -> TransitionProbe<'p> {
        let machine = dfa.machine();
        let mut count = 0;
        let rows = (0..machine.states() as State)
            .flat_map(|state| machine.representatives().iter().map(move |&byte| (state, byte)));
        let rows = rows.map(|(state, byte)| {
            let is_row = !dfa.is_dead(state) && dfa.is_dead(machine.step(state, byte)) != goes_on;
            count += usize::from(is_row);
            is_row.then(|| count - 1)
        });
        TransitionProbe {
            rows: rows.collect(),
            dfa,
            goes_on,
        }
    }
}

impl Probe for TransitionProbe<'_> {
    fn name(&self) -> &'static str {
        if self.goes_on {
            "transitions that go on"
        } else {
            "transitions that end in rejection"
        }
    }

    fn rows(&self) -> Vec<String> {
        let machine = self.dfa.machine();
        let mut rows = Vec::new();
        for (state, word) in machine.access_words().iter().enumerate() {
            for class in 0..machine.classes() {
                if self.rows[state * machine.classes() + class].is_some() {
                    let word = String::from_utf8_lossy(word);
                    rows.push(format!(
                        "state {state}, as after \"{word}\": {}",
                        machine.class_label(class)
                    ));
                }
            }
        }
        rows
    }

    fn ask(&self, seen: &Seen<'_>, _: &mut Caches, reached: &mut Reached) {
        let machine = self.dfa.machine();
        for text in &seen.strings {
            let mut state = machine.start();
            for byte in text.text.bytes() {
                reached.reach_all(self.rows[state as usize * machine.classes() + machine.class_of(byte)]);
                state = machine.step(state, byte);
                if self.dfa.is_dead(state) {
                    break;
                }
            }
        }
    }
}
