//! The product of two machines: whether they accept the same strings, and shortest strings that show where not.

use std::collections::HashMap;

use crate::automaton::Dfa;
use crate::machine::{Machine, State, common_classes};

/// A pair of states, one of each machine, that some input leads to and that differ in their outputs: of two acceptors, only one
/// accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferingStates {
    /// The state of the left machine.
    pub left: State,
    /// The state of the right machine.
    pub right: State,
    /// A shortest input that leads to the pair, of printable bytes wherever neither machine requires others.
    pub witness: Vec<u8>,
}

/// A shortest string that exactly one of the machines accepts; none if they accept the same strings.
pub fn difference(left: &Dfa, right: &Dfa) -> Option<Vec<u8>> {
    differences(left, right).next().map(|difference| difference.witness)
}

/// Whether the machines accept the same strings.
pub fn equivalent(left: &Dfa, right: &Dfa) -> bool {
    // Minimal machines in canonical numbering.
    left == right
}

/// Every pair of states that tells the machines apart, those with the shortest witnesses first.
///
/// Shortest witnesses of one pair share their cause more often than witnesses that a minimiser would shrink to one
/// string: report one string a pair.
pub fn differences(left: &Dfa, right: &Dfa) -> impl Iterator<Item = DifferingStates> {
    output_differences(left.machine(), right.machine())
}

/// Every pair of states with different outputs, those with the shortest witnesses first.
pub fn output_differences(left: &Machine, right: &Machine) -> impl Iterator<Item = DifferingStates> {
    let bytes = common_classes(&[left, right]).representatives();
    let start = (left.start(), right.start());
    // How each pair is reached first: from which pair, by which byte.
    let mut known: HashMap<(State, State), Option<(usize, u8)>> = HashMap::from([(start, None)]);
    let mut order = vec![start];
    let mut done = 0;
    while done < order.len() {
        let (l, r) = order[done];
        for &byte in &bytes {
            let next = (left.step(l, byte), right.step(r, byte));
            known.entry(next).or_insert_with(|| {
                order.push(next);
                Some((done, byte))
            });
        }
        done += 1;
    }
    let differ: Vec<usize> =
        (0..order.len()).filter(|&at| left.output(order[at].0) != right.output(order[at].1)).collect();
    differ.into_iter().map(move |at| {
        let mut witness = Vec::new();
        let mut pair = at;
        while let Some((from, byte)) = known[&order[pair]] {
            witness.push(byte);
            pair = from;
        }
        witness.reverse();
        let (left, right) = order[at];
        DifferingStates { left, right, witness }
    })
}
