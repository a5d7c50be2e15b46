//! The subset construction: the deterministic automaton of a nondeterministic one.

use std::collections::HashSet;
use std::hash::Hash;

use super::byte_set::ByteSet;
use super::nfa::Nfa;
use super::{MEMBER_LIMIT, STATE_LIMIT, within};
use crate::abnf::Error;
use crate::hash::FastMap;
use crate::machine::{Classes, Raw, State};

/// What the subset construction makes of an NFA.
pub(crate) struct Subsets {
    /// The complete DFA.
    pub(crate) raw: Raw,
    /// For every state of it the nodes that it stands for, in ascending order: those that take a byte, and the last one.
    pub(crate) sets: Vec<Vec<u32>>,
    /// For every node that an edge leads to, such nodes as it reaches without input, in ascending order.
    pub(crate) closures: Vec<Option<Vec<u32>>>,
}

impl Nfa<'_> {
    /// The complete DFA whose states are the sets of states that an input leads to.
    pub(crate) fn subsets(&self) -> Result<Subsets, Error> {
        let sets: HashSet<ByteSet> = self.nodes.iter().filter_map(|node| node.edge).map(|(set, _)| set).collect();
        let classes = Classes::by_key(|byte| sets.iter().map(|set| set.contains(byte)).collect::<Vec<_>>());
        let symbols = classes.representatives();
        let mut closures = Closures::new(self);

        let start = closures.of(self.entry).to_vec();
        let (sets, table) = explored(start, &symbols, |set, byte| {
            let mut next = Vec::new();
            for &node in set {
                let edge = self.nodes[node as usize].edge;
                if let Some((_, to)) = edge.filter(|(bytes, _)| bytes.contains(byte)) {
                    next.extend_from_slice(closures.of(to));
                }
            }
            within(MEMBER_LIMIT, closures.members + next.len())?;
            next.sort_unstable();
            next.dedup();
            Ok(next)
        })?;
        let accepts = |set: &Vec<u32>| u32::from(set.binary_search(&self.exit).is_ok());
        let raw = Raw {
            classes,
            table,
            outputs: sets.iter().map(accepts).collect(),
        };
        Ok(Subsets {
            raw,
            sets,
            closures: closures.known,
        })
    }
}

/// The subset construction: every set of members that an input leads to from `start`, in the order in which they are met, and
/// the transitions of each for all symbols, one set after the other. What a set becomes by a byte `after` says, in a form that
/// is the same for the same set.
pub(crate) fn explored<Member: Clone + Eq + Hash>(
    start: Vec<Member>,
    symbols: &[u8],
    mut after: impl FnMut(&[Member], u8) -> Result<Vec<Member>, Error>,
) -> Result<(Vec<Vec<Member>>, Vec<State>), Error> {
    let mut known = FastMap::from_iter([(start.clone(), 0)]);
    let mut sets = vec![start];
    let mut table = Vec::new();
    let (mut done, mut members) = (0, 0);
    while done < sets.len() {
        for &byte in symbols {
            let next = after(&sets[done], byte)?;
            members += next.len();
            within(MEMBER_LIMIT, members)?;
            let number = match known.get(&next) {
                Some(&number) => number,
                None => {
                    within(STATE_LIMIT, sets.len())?;
                    let number = sets.len() as State;
                    sets.push(next.clone());
                    known.insert(next, number);
                    number
                }
            };
            table.push(number);
        }
        done += 1;
    }
    Ok((sets, table))
}

/// For every node the nodes that it reaches without input and that matter: those that take a byte, and the last one.
struct Closures<'a> {
    nfa: &'a Nfa<'a>,
    known: Vec<Option<Vec<u32>>>,
    /// Of all closures known.
    members: usize,
}

impl<'a> Closures<'a> {
    fn new(nfa: &'a Nfa<'a>) -> Closures<'a> {
        Closures {
            nfa,
            known: vec![None; nfa.nodes.len()],
            members: 0,
        }
    }

    fn of(&mut self, node: u32) -> &[u32] {
        self.known[node as usize].get_or_insert_with(|| {
            let mut seen = HashSet::from([node]);
            let mut open = vec![node];
            let mut closure = Vec::new();
            while let Some(node) = open.pop() {
                if self.nfa.nodes[node as usize].edge.is_some() || node == self.nfa.exit {
                    closure.push(node);
                }
                open.extend(self.nfa.nodes[node as usize].silent.iter().copied().filter(|&next| seen.insert(next)));
            }
            closure.sort_unstable();
            self.members += closure.len();
            closure
        })
    }
}
