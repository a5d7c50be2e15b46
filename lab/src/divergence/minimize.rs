//! Making an input smaller while what it shows stays.

mod canonicalize;
mod drop;

use std::ops::Range;

use uriproof::model::Input;

use super::parts::{Texts, part, texts, with_texts};
use super::plain::{STANDARDS, plainer_tokens};

/// From how many characters on parts are dropped before single characters are. A short input is made smaller by the
/// smallest steps only: the larger a step, the likelier it ends in another difference that looks the same.
const LONG: usize = 40;

/// From how many characters on every step that is tried once for each place costs too much: such a text is long because
/// its length matters, and becomes one of few runs of equal characters first.
const VERY_LONG: usize = 10 * LONG;

/// A local minimum of `input`: the smallest that was found for which `same` holds, as it must for `input` itself.
///
/// Parts first (of a long input: components, segments, halves and smaller stretches), then single characters, then the
/// groups, triplets and segments that no single step can drop; then every character is replaced by the plainest of its
/// kind. Removing any one character of the result ends in an input for which `same` does not hold. Deterministic.
pub fn minimize(input: &Input, same: &mut dyn FnMut(&Input) -> bool) -> Input {
    let mut search = TextSearch {
        input: input.clone(),
        texts: texts(input),
        same,
    };
    search.settle();
    search.standardize();
    with_texts(&search.input, &search.texts)
}

/// Every input that is `input` without one of its characters; those that come of a run of equal characters once.
pub fn without_one_character(input: &Input) -> impl Iterator<Item = Input> {
    let texts = texts(input);
    let mut smaller = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let Some(text) = text else { continue };
        for range in characters_of_runs(text) {
            let mut texts = texts.clone();
            texts[at] = Some(without(text, range));
            smaller.push(texts);
        }
    }
    let input = input.clone();
    smaller.into_iter().map(move |texts| with_texts(&input, &texts))
}

struct TextSearch<'a> {
    /// What stays of the input: all but its texts.
    input: Input,
    texts: Texts,
    same: &'a mut dyn FnMut(&Input) -> bool,
}

impl TextSearch<'_> {
    /// Goes on until nothing makes the input lighter.
    fn settle(&mut self) {
        loop {
            let before = (self.input.clone(), self.texts.clone());
            if self.length() > LONG {
                self.drop_components();
                self.drop_stretches();
            }
            if self.length() > VERY_LONG {
                self.replace_everywhere();
                self.drop_everywhere();
                self.drop_stretches();
            }
            self.drop_characters();
            self.drop_units();
            self.canonicalize();
            if (&self.input, &self.texts) == (&before.0, &before.1) {
                return;
            }
        }
    }

    /// Puts standard schemes and ports in the place of others, where that is a minimum too.
    fn standardize(&mut self) {
        for at in 0..self.texts.len() {
            for token in 0.. {
                let Some((range, known)) = self.tokens(at).into_iter().nth(token) else {
                    break;
                };
                let here = self.text(at).to_owned();
                let own = &here[range.clone()];
                let standards = STANDARDS.iter().filter(|standard| {
                    let is_of_kind = known.iter().any(|known| known.eq_ignore_ascii_case(standard));
                    is_of_kind && own.len() > 1 && **standard != own
                });
                for standard in standards {
                    let settled = (self.input.clone(), self.texts.clone());
                    let wanted = with(&here, range.clone(), standard);
                    if self.takes_at(at, Some(wanted.clone())) {
                        self.settle();
                        if self.text(at) == wanted {
                            break;
                        }
                        (self.input, self.texts) = settled;
                    }
                }
            }
        }
    }

    /// The tokens of a text, each with what may be plainer.
    fn tokens(&self, at: usize) -> Vec<(Range<usize>, &'static [&'static str])> {
        plainer_tokens(self.text(at), part(&self.input, at))
    }

    /// Takes `texts` if what is shown stays; says whether it did.
    fn takes(&mut self, texts: Texts) -> bool {
        if texts == self.texts || !(self.same)(&with_texts(&self.input, &texts)) {
            return false;
        }
        self.texts = texts;
        true
    }

    /// As [`TextSearch::takes`], with another text at one place.
    fn takes_at(&mut self, at: usize, text: Option<String>) -> bool {
        let mut texts = self.texts.clone();
        texts[at] = text;
        self.takes(texts)
    }

    fn length(&self) -> usize {
        self.texts.iter().flatten().map(String::len).sum()
    }

    fn text(&self, at: usize) -> &str {
        self.texts[at].as_deref().unwrap_or_default()
    }

    fn characters_used(&self) -> Vec<char> {
        let mut used: Vec<char> = self.texts.iter().flatten().flat_map(|text| text.chars()).collect();
        used.sort_unstable();
        used.dedup();
        used
    }
}

fn without(text: &str, range: Range<usize>) -> String {
    with(text, range, "")
}

fn with(text: &str, range: Range<usize>, other: &str) -> String {
    let mut changed = String::with_capacity(text.len() + other.len());
    changed.push_str(&text[..range.start]);
    changed.push_str(other);
    changed.push_str(&text[range.end..]);
    changed
}

fn character_at(text: &str, place: usize, from_the_back: bool) -> Option<Range<usize>> {
    let (at, character) = if from_the_back {
        text.char_indices().nth_back(place)?
    } else {
        text.char_indices().nth(place)?
    };
    Some(at..at + character.len_utf8())
}

/// The first character of each run of equal ones: to drop another of the run gives the same text.
fn characters_of_runs(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut previous = None;
    text.char_indices()
        .filter(move |&(_, character)| previous.replace(character) != Some(character))
        .map(|(at, character)| at..at + character.len_utf8())
}

#[cfg(test)]
mod tests;
