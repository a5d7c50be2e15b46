//! How many fail: vectors, and inputs of suites, which are never added up.

use std::fmt;
use std::iter::Sum;

use crate::gate::judgement::Failure;

/// How many vectors and inputs of suites fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FailureCount {
    /// The vectors; of several entry points, each as often as it fails.
    pub vectors: usize,
    /// The inputs of suites, which are in no vector; likewise.
    pub suite_inputs: u64,
    /// Of how many entry points this is the sum.
    pub entry_points: usize,
}

impl FailureCount {
    /// The count of one entry point.
    pub fn new(vectors: usize, suite_inputs: u64) -> FailureCount {
        FailureCount {
            vectors,
            suite_inputs,
            entry_points: 1,
        }
    }

    /// The same count as a part of what several entry points have.
    #[must_use]
    pub fn among(self, entry_points: usize) -> FailureCount {
        FailureCount { entry_points, ..self }
    }

    /// That of these failures.
    pub fn of<'j>(failures: impl Iterator<Item = &'j Failure>) -> FailureCount {
        let mut count = FailureCount::new(0, 0);
        for failure in failures {
            match failure.failing_inputs() {
                0 => count.vectors += 1,
                inputs => count.suite_inputs += inputs,
            }
        }
        count
    }

    /// Whether nothing fails.
    pub fn is_zero(self) -> bool {
        (self.vectors, self.suite_inputs) == (0, 0)
    }

    /// What is not zero, in words: `39 vectors`, `977 suite inputs`. An answer is that of one entry point.
    pub fn parts(self) -> Vec<String> {
        let noun = |is_one: bool, one: &'static str, several: &'static str| if is_one { one } else { several };
        let is_of_several = self.entry_points > 1;
        let vectors = match is_of_several {
            false => noun(self.vectors == 1, "vector", "vectors"),
            true => noun(self.vectors == 1, "answer", "answers"),
        };
        let suite_inputs = match (is_of_several, self.vectors) {
            (false, _) => noun(self.suite_inputs == 1, "suite input", "suite inputs"),
            (true, 0) => noun(self.suite_inputs == 1, "answer to suites", "answers to suites"),
            (true, _) => "to suites",
        };
        let vectors = (self.vectors > 0 || self.suite_inputs == 0).then(|| format!("{} {vectors}", self.vectors));
        let suite_inputs = (self.suite_inputs > 0).then(|| format!("{} {suite_inputs}", self.suite_inputs));
        vectors.into_iter().chain(suite_inputs).collect()
    }
}

impl Sum for FailureCount {
    fn sum<I: Iterator<Item = FailureCount>>(counts: I) -> FailureCount {
        counts.fold(FailureCount::new(0, 0), |sum, one| FailureCount {
            vectors: sum.vectors + one.vectors,
            suite_inputs: sum.suite_inputs + one.suite_inputs,
            entry_points: sum.entry_points.max(one.entry_points),
        })
    }
}

impl fmt::Display for FailureCount {
    /// `39 vectors and 977 suite inputs`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.parts().join(" and "))
    }
}

#[cfg(test)]
mod tests {
    use super::FailureCount;

    #[test]
    fn a_count_is_said_in_words() {
        let words = |vectors, suite_inputs| FailureCount::new(vectors, suite_inputs).to_string();
        assert_eq!(words(0, 0), "0 vectors");
        assert_eq!(words(1, 0), "1 vector");
        assert_eq!(words(0, 1), "1 suite input");
        assert_eq!(words(39, 977), "39 vectors and 977 suite inputs");
        let of_two = |vectors, suite_inputs| FailureCount::new(vectors, suite_inputs).among(2).to_string();
        assert_eq!(of_two(78, 1954), "78 answers and 1954 to suites");
        assert_eq!(of_two(0, 1954), "1954 answers to suites");
    }
}
