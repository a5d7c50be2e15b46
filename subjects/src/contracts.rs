//! The contracts of `Eq`, `Hash` and `Ord`, put to the test on two values of a type.
//!
//! One function a trait, because not every type has all three; an adapter concatenates what they return.

use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};

use uriproof::model::Contract;

/// What `==` breaks.
pub fn of_eq<T: PartialEq + ?Sized>(left: &T, right: &T) -> Vec<Contract> {
    let (forth, back) = (left == right, right == left);
    broken([
        (Contract::Reflexive, is_reflexive(left) && is_reflexive(right)),
        (Contract::Symmetric, forth == back),
    ])
}

/// What `Hash` breaks beside `==`.
pub fn of_hash<T: Eq + Hash + ?Sized>(left: &T, right: &T) -> Vec<Contract> {
    broken([(Contract::Hash, left != right || hash(left) == hash(right))])
}

/// What `Ord` breaks beside `==`.
pub fn of_ord<T: Ord + ?Sized>(left: &T, right: &T) -> Vec<Contract> {
    let pairs = [(left, right), (right, left), (left, left), (right, right)];
    broken([
        (
            Contract::Order,
            pairs.iter().all(|(one, other)| (one.cmp(other) == Ordering::Equal) == (one == other)),
        ),
        (Contract::Antisymmetric, left.cmp(right) == right.cmp(left).reverse()),
        (
            Contract::PartialOrder,
            pairs.iter().all(|(one, other)| one.partial_cmp(other) == Some(one.cmp(other))),
        ),
    ])
}

#[expect(clippy::eq_op, reason = "whether a value equals itself is the question")]
fn is_reflexive<T: PartialEq + ?Sized>(value: &T) -> bool {
    value == value
}

/// The standard hasher with its fixed keys: the same in every run.
fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn broken<const N: usize>(held: [(Contract, bool); N]) -> Vec<Contract> {
    held.into_iter().filter(|(_, holds)| !holds).map(|(contract, _)| contract).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equal to all but itself, hashes and orders by value.
    #[derive(Clone, Copy)]
    struct Contrary(u8);

    impl PartialEq for Contrary {
        fn eq(&self, other: &Contrary) -> bool {
            self.0 != other.0
        }
    }

    impl Eq for Contrary {}

    impl Hash for Contrary {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.0.hash(state);
        }
    }

    #[expect(clippy::non_canonical_partial_ord_impl, reason = "it is to disagree")]
    impl PartialOrd for Contrary {
        fn partial_cmp(&self, _: &Contrary) -> Option<Ordering> {
            None
        }
    }

    impl Ord for Contrary {
        fn cmp(&self, _: &Contrary) -> Ordering {
            Ordering::Less
        }
    }

    #[test]
    fn what_is_broken_is_named() {
        let (left, right) = (&Contrary(1), &Contrary(2));
        assert_eq!(of_eq(left, right), [Contract::Reflexive]);
        assert_eq!(of_hash(left, right), [Contract::Hash]);
        assert_eq!(
            of_ord(left, right),
            [Contract::Order, Contract::Antisymmetric, Contract::PartialOrder]
        );
    }

    #[test]
    fn strings_keep_every_contract() {
        for (left, right) in [("a", "a"), ("a", "b"), ("", "a")] {
            assert_eq!(
                [of_eq(left, right), of_hash(left, right), of_ord(left, right)].concat(),
                []
            );
        }
    }
}
