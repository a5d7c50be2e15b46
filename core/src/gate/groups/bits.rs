//! A set of places.

/// A set of numbers below a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// An empty set of numbers below `limit`.
    pub(super) fn of(limit: usize) -> Bits {
        Bits(vec![0; limit.div_ceil(64)])
    }

    pub(super) fn add(&mut self, place: usize) {
        self.0[place / 64] |= 1 << (place % 64);
    }

    /// What is in both.
    pub(super) fn and(&self, other: &Bits) -> Bits {
        self.with(other, |one, other| one & other)
    }

    /// What is in one of the two.
    pub(super) fn or(&self, other: &Bits) -> Bits {
        self.with(other, |one, other| one | other)
    }

    /// What is in this and not in the other.
    pub(super) fn without(&self, other: &Bits) -> Bits {
        self.with(other, |one, other| one & !other)
    }

    fn with(&self, other: &Bits, combine: fn(u64, u64) -> u64) -> Bits {
        Bits(self.0.iter().zip(&other.0).map(|(one, other)| combine(*one, *other)).collect())
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The numbers, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let is_in = |place: &usize| self.0[place / 64] >> (place % 64) & 1 == 1;
        (0..self.0.len() * 64).filter(is_in)
    }
}
