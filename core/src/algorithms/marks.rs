//! Which answers a group had, so that one which has changed can be named.
//!
//! A digest of all answers says that one has changed, and not which. Six bits for each answer more, as a Bloom filter has them, say of most
//! others that they were not there: one of about sixteen is taken for one that was.

use std::fmt;
use std::str::FromStr;

/// A mark for each answer of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerMarks(Vec<u8>);

/// The digits, six bits each: those of base64 for URLs (RFC 4648, section 5).
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

impl AnswerMarks {
    /// The marks of answers with these digests; `None` for so many that a line of a baseline would be too long.
    pub fn of(digests: &[u64]) -> Option<AnswerMarks> {
        /// Of how many answers there are marks at most.
        const MOST: usize = 2048;
        if digests.len() > MOST {
            return None;
        }
        let mut marks = AnswerMarks(vec![0; digests.len()]);
        for place in digests.iter().flat_map(|digest| marks.places(*digest)).collect::<Vec<_>>() {
            marks.0[place / 6] |= 1 << (place % 6);
        }
        Some(marks)
    }

    /// Whether an answer with this digest may be one of them; if not, it was none.
    pub fn may_have(&self, digest: u64) -> bool {
        self.places(digest)
            .iter()
            .all(|place| self.0.get(place / 6).is_some_and(|digit| digit >> (place % 6) & 1 == 1))
    }

    /// The places of an answer's bits, from four parts of its digest.
    fn places(&self, digest: u64) -> [usize; 4] {
        let bits = 6 * self.0.len().max(1);
        [0, 16, 32, 48].map(|shift| usize::from((digest >> shift) as u16) % bits)
    }
}

impl fmt::Display for AnswerMarks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|digit| write!(f, "{}", char::from(DIGITS[usize::from(*digit)])))
    }
}

impl FromStr for AnswerMarks {
    type Err = ();

    fn from_str(text: &str) -> Result<AnswerMarks, ()> {
        let digit = |byte: u8| DIGITS.iter().position(|own| *own == byte).map(|place| place as u8);
        text.bytes().map(digit).collect::<Option<Vec<u8>>>().map(AnswerMarks).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use uriproof_grammar::Fnv;

    use super::*;

    fn digests(name: &str, count: usize) -> Vec<u64> {
        (0..count).map(|at| Fnv::of(format!("{name} {at}").bytes())).collect()
    }

    #[test]
    fn they_have_every_answer_and_few_others() {
        for count in [1, 2, 3, 10, 100, 2048] {
            let own = digests("own", count);
            let marks = AnswerMarks::of(&own).expect("not too many");
            assert!(own.iter().all(|digest| marks.may_have(*digest)), "{count}");
            let taken = digests("other", 4096).iter().filter(|digest| marks.may_have(**digest)).count();
            // 1 - e^(-4/6) of the bits are set, of which an answer has four; few answers are no average.
            assert!(taken < if count < 100 { 1200 } else { 400 }, "{count}: {taken}");
            let written = marks.to_string();
            assert_eq!(written.len(), count);
            assert_eq!(written.parse(), Ok(marks));
        }
        assert_eq!(AnswerMarks::of(&digests("own", 2049)), None);
        assert_eq!("A.".parse::<AnswerMarks>(), Err(()));
    }
}
