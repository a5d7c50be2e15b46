//! Which answers a group had, so that one which has changed can be named.
//!
//! A digest of all answers says that one has changed, and not which. Six bits for an answer, as a Bloom filter has them, say of most others
//! that they were not there: one of about sixteen is taken for one that was. Of many answers a part is marked, those to every n-th input by
//! its digest.

use std::fmt;
use std::str::FromStr;

use uriproof_grammar::Fnv;

use crate::model::Outcome;
use crate::run;

/// An answer as it is marked: hashes of the input, and of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerDigest {
    input: u64,
    /// Of the input, and of the answer without its words, which change from version to version.
    pub whole: u64,
}

impl AnswerDigest {
    /// That of a result.
    pub fn of(result: &run::Result) -> AnswerDigest {
        let answer = match &result.observed {
            Outcome::Accepted { .. } => result.observed.to_string(),
            other => other.name().to_owned(),
        };
        let texts = [
            result.input.operation().name().to_owned(),
            result.input.to_string(),
            answer,
        ];
        let digest = |texts: &[String]| Fnv::of(texts.iter().flat_map(|text| text.bytes().chain([0xff])));
        AnswerDigest {
            input: digest(&texts[..2]),
            whole: digest(&texts),
        }
    }

    /// Whether it is of the part of the inputs that is marked, every n-th.
    fn is_of_part(self, step: u64) -> bool {
        self.input % step == 0
    }
}

/// Marks of the answers of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerMarks {
    /// The answer to every n-th input by its digest is marked.
    step: u64,
    digits: Vec<u8>,
}

/// The digits, six bits each: those of base64 for URLs (RFC 4648, section 5).
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

impl AnswerMarks {
    /// The marks of answers with these digests, or of a part of them.
    pub fn of(digests: &[AnswerDigest]) -> AnswerMarks {
        /// About how many answers are marked at most.
        const MOST: usize = 2048;
        let step = digests.len().div_ceil(MOST).max(1) as u64;
        let part: Vec<&AnswerDigest> = digests.iter().filter(|digest| digest.is_of_part(step)).collect();
        let mut marks = AnswerMarks {
            step,
            digits: vec![0; part.len()],
        };
        for place in part.iter().flat_map(|digest| marks.places(digest.whole)).collect::<Vec<_>>() {
            marks.digits[place / 6] |= 1 << (place % 6);
        }
        marks
    }

    /// Whether an answer may be one of them; if not, it was none. `None` if it is to an input that is not marked.
    pub fn may_have(&self, digest: AnswerDigest) -> Option<bool> {
        let is_set = |place: &usize| self.digits.get(place / 6).is_some_and(|digit| digit >> (place % 6) & 1 == 1);
        digest.is_of_part(self.step).then(|| self.places(digest.whole).iter().all(is_set))
    }

    /// The places of an answer's bits, from four parts of its digest.
    fn places(&self, digest: u64) -> [usize; 4] {
        let bits = 6 * self.digits.len().max(1);
        [0, 16, 32, 48].map(|shift| usize::from((digest >> shift) as u16) % bits)
    }
}

impl fmt::Display for AnswerMarks {
    /// The digits; before them, where every n-th input is marked, n and a slash.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.step > 1 {
            write!(f, "{}/", self.step)?;
        }
        self.digits.iter().try_for_each(|digit| write!(f, "{}", char::from(DIGITS[usize::from(*digit)])))
    }
}

impl FromStr for AnswerMarks {
    type Err = ();

    fn from_str(text: &str) -> Result<AnswerMarks, ()> {
        let (step, digits) = text.split_once('/').unwrap_or(("1", text));
        let step = step.parse().ok().filter(|step| *step > 0).ok_or(())?;
        let digit = |byte: u8| DIGITS.iter().position(|own| *own == byte).map(|place| place as u8);
        let digits = digits.bytes().map(digit).collect::<Option<Vec<u8>>>().ok_or(())?;
        Ok(AnswerMarks { step, digits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digests(name: &str, count: usize) -> Vec<AnswerDigest> {
        let digest = |at: usize| AnswerDigest {
            input: Fnv::of(format!("{at}").bytes()),
            whole: Fnv::of(format!("{name} {at}").bytes()),
        };
        (0..count).map(digest).collect()
    }

    #[test]
    fn they_have_every_answer_and_few_others() {
        for count in [1, 2, 3, 10, 100, 2048, 20_000] {
            let own = digests("own", count);
            let marks = AnswerMarks::of(&own);
            assert!(
                own.iter().all(|digest| marks.may_have(*digest) != Some(false)),
                "{count}"
            );
            let others = digests("other", 4096);
            let asked: Vec<bool> = others.iter().filter_map(|digest| marks.may_have(*digest)).collect();
            assert!(asked.len() > 300, "{count}: {} of the others are marked", asked.len());
            // 1 - e^(-4/6) of the bits are set, of which an answer has four; few answers are no average.
            let taken = asked.iter().filter(|taken| **taken).count();
            let most = if count < 100 { asked.len() / 3 } else { asked.len() / 10 };
            assert!(taken < most, "{count}: {taken} of {}", asked.len());
            let written = marks.to_string();
            assert!(written.len() < 2300, "{count}: {}", written.len());
            assert_eq!(written.parse(), Ok(marks));
        }
        for wrong in ["A.", "0/A", "x/A"] {
            assert_eq!(wrong.parse::<AnswerMarks>(), Err(()), "{wrong}");
        }
    }
}
