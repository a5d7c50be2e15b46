//! Choices by seed.

/// Choices that are the same on every machine: no number is drawn whose width is the machine's.
#[derive(Clone, Debug)]
pub(super) struct Chance(fastrand::Rng);

impl Chance {
    pub(super) fn new(seed: u64) -> Chance {
        Chance(fastrand::Rng::with_seed(seed))
    }

    /// A number below `count`, which is not 0.
    pub(super) fn below(&mut self, count: usize) -> usize {
        self.0.u32(..count as u32) as usize
    }

    /// A number from 0 to `most`.
    pub(super) fn up_to(&mut self, most: usize) -> usize {
        self.below(most + 1)
    }

    /// Whether it is that one of `count` equal cases.
    pub(super) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// One of the choices, which are not none.
    pub(super) fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// One of the choices, each as often as its weight says.
    pub(super) fn by_weight<T: Copy>(&mut self, choices: &[(u32, T)]) -> T {
        let total: u32 = choices.iter().map(|(weight, _)| weight).sum();
        let mut left = self.0.u32(..total);
        for &(weight, choice) in choices {
            if left < weight {
                return choice;
            }
            left -= weight;
        }
        unreachable!("what is below the sum of the weights is within one of them")
    }

    /// An end of a character of `text`, or its beginning.
    pub(super) fn place(&mut self, text: &str) -> usize {
        let mut at = self.up_to(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// The place and the value of a character of `text`; `None` where there is none.
    pub(super) fn character(&mut self, text: &str) -> Option<(usize, char)> {
        if text.is_empty() {
            return None;
        }
        let mut at = self.below(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        text[at..].chars().next().map(|character| (at, character))
    }

    /// The place of one of those bytes of `text` that are US-ASCII and that `wanted` takes; `None` where there is none.
    pub(super) fn byte(&mut self, text: &str, wanted: impl Fn(u8) -> bool) -> Option<usize> {
        let places = || text.bytes().enumerate().filter(|&(_, byte)| byte.is_ascii() && wanted(byte)).map(|(at, _)| at);
        match places().count() {
            0 => None,
            count => places().nth(self.below(count)),
        }
    }
}
