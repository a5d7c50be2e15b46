//! Recent strings, and new ones from their parts.

use super::chance::Chance;

/// How many strings are kept.
const CAPACITY: usize = 32;

/// The longest string that is kept, in bytes: what is made of two must not grow for ever.
const LONGEST: usize = 120;

/// A ring of strings.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent {
    strings: Vec<String>,
    next: usize,
}

impl Recent {
    /// Keeps a string in place of the oldest.
    pub(super) fn keep(&mut self, text: &str) {
        if text.len() > LONGEST {
            return;
        }
        if self.strings.len() < CAPACITY {
            self.strings.push(text.to_owned());
            return;
        }
        text.clone_into(&mut self.strings[self.next]);
        self.next = (self.next + 1) % CAPACITY;
    }

    /// The beginning of one string and the end of another, most often cut at a delimiter; empty where none was kept.
    pub(super) fn splice(&self, chance: &mut Chance) -> String {
        if self.strings.is_empty() {
            return String::new();
        }
        let [one, other] = [(); 2].map(|()| &self.strings[chance.below(self.strings.len())]);
        [&one[..cut(chance, one)], &other[cut(chance, other)..]].concat()
    }
}

fn cut(chance: &mut Chance, text: &str) -> usize {
    match chance.below(3) {
        0 => chance.place(text),
        // Before the delimiter, or behind it.
        _ => chance.byte(text, |byte| b":/?#[]@".contains(&byte)).map_or(0, |at| at + chance.below(2)),
    }
}
