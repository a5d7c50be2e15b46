//! Every string up to a length after some beginnings of URLs, compared with the WHATWG URL Standard. It has no grammar whose classes
//! and counts a [`Sweep`](super::Sweep) could use.

use rayon::prelude::*;
use uriproof::algorithms::SuiteScore;
use uriproof::compare::Verdict;
use uriproof::model::{Input, Rule, Subject};
use uriproof::run::{self, Sample};

use crate::score::Stopped;

/// What decides somewhere: delimiters, digits, what is encoded or dropped.
pub const SYMBOLS: [char; 18] = [
    'a', 'B', '1', '0', '.', ':', '/', '\\', '?', '#', '@', '[', ']', '%', ' ', '\t', '|', '=',
];

/// What a string begins with: so many characters would be needed to come to a state of the standard's parser.
pub const BEGINNINGS: [&str; 12] = [
    "",
    "x:",
    "x://",
    "ws:",
    "ws://",
    "ws://a",
    "http://a:",
    "file:",
    "file://",
    "file:///",
    "x:/%2e",
    "ws://[::",
];

/// How many strings are put before the run can be stopped.
const WAVE: u64 = 1 << 15;

/// Each string of up to `longest` of these characters, after each of [`BEGINNINGS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlStrings {
    /// The characters, each once.
    pub alphabet: Vec<char>,
    /// The most of them in a string.
    pub longest: u32,
}

impl UrlStrings {
    /// How many strings there are.
    pub fn count(&self) -> u64 {
        self.after_each().saturating_mul(BEGINNINGS.len() as u64)
    }

    /// How many there are after each beginning.
    fn after_each(&self) -> u64 {
        let of_length = |length| (self.alphabet.len() as u64).saturating_pow(length);
        (0..=self.longest).fold(0, |sum: u64, length| sum.saturating_add(of_length(length)))
    }

    /// The string at a place below [`count`](UrlStrings::count); the shortest are first.
    fn string(&self, place: u64) -> String {
        let beginnings = BEGINNINGS.len() as u64;
        let mut string = BEGINNINGS[(place % beginnings) as usize].to_owned();
        // The digits of a number without zero: one number for each string.
        let (mut rest, size) = (place / beginnings, self.alphabet.len() as u64);
        while rest > 0 {
            rest -= 1;
            string.push(self.alphabet[(rest % size) as usize]);
            rest /= size;
        }
        string
    }

    /// Puts every string to a subject that is measured by the claim `whatwg`, within its budget; on all cores, but to a process in order.
    /// The score says what was left out once the run is `stopped`, or the subject lost. `progress` gets the number of strings since its last
    /// call, and `diverges` each divergence, that of the shortest string first.
    pub fn put(
        &self,
        subject: &dyn Subject,
        progress: impl Fn(u64),
        mut diverges: impl FnMut(&run::Result),
        stopped: Stopped<'_>,
    ) -> SuiteScore {
        let sample = Sample::of(subject, || self.count().into());
        let mut score = SuiteScore::default();
        let mut begin = 0;
        while begin < self.count() {
            let rest = self.count() - begin;
            if let Some(reason) = subject.lost().or_else(|| stopped().then(|| "the run was stopped".to_owned())) {
                score.leave_out(rest, reason.clone());
                score.cut = Some(format!("{rest} strings were not put to it: {reason}"));
                break;
            }
            let end = begin + rest.min(WAVE);
            let put = |place: u64| {
                let input = Input::Parse {
                    rule: Rule::Uri,
                    input: self.string(place),
                };
                sample.takes(place.into()).then(|| run::unless_agreeing(subject, &input))
            };
            let wave: Vec<Option<Option<run::Result>>> = match subject.digest() {
                Some(_) => (begin..end).map(put).collect(),
                None => (begin..end).into_par_iter().map(put).collect(),
            };
            for answer in wave {
                match answer {
                    None => score.leave_out(1, "beyond the budget of the subject".to_owned()),
                    Some(None) => score.agree(),
                    Some(Some(result)) => {
                        if let Verdict::Diverge(_) = result.verdict {
                            diverges(&result);
                        }
                        score.add(result);
                    }
                }
            }
            progress(end - begin);
            begin = end;
        }
        score
    }
}

/// The divergences that do not show when the shortest input of their group is put again.
pub fn unrepeated(subject: &dyn Subject, score: &SuiteScore) -> Vec<Input> {
    let inputs = score.groups.values().map(|group| &group.witness.input);
    let diverges = |input: &&Input| {
        let again = run::unless_agreeing(subject, input);
        again.is_some_and(|result| matches!(result.verdict, Verdict::Diverge(_)))
    };
    inputs.filter(|input| !diverges(input)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_string_has_one_place() {
        let strings = UrlStrings {
            alphabet: vec!['a', '/', '.'],
            longest: 3,
        };
        assert_eq!(strings.count(), 12 * (1 + 3 + 9 + 27));
        // Two beginnings can lead to one string.
        let beginnings = BEGINNINGS.len() as u64;
        let all: HashSet<(u64, String)> =
            (0..strings.count()).map(|place| (place % beginnings, strings.string(place))).collect();
        assert_eq!(all.len() as u64, strings.count());
        let has = |text: &str| all.iter().any(|(_, string)| string == text);
        assert!(has("ws://a/..") && has("x:") && !has("x://////"));
    }
}
