//! Which state of a machine an implementation is in, as far as its answers tell.

use crate::complete::SplittingTree;
use crate::machine::State;
use crate::text::TextMachine;

/// A discrimination tree (Kearns and Vazirani, *An Introduction to Computational Learning Theory*, 1994, chapter 8): words that tell
/// the states of a machine apart, each chosen by the answers to those before it.
///
/// An implementation goes down the tree by its own answers, to the state of the machine that answers these words as it does. That it is
/// in this state is not said: another word might tell the two apart.
#[derive(Clone, Debug)]
pub struct Discrimination {
    /// The root first.
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
enum Node {
    /// What to ask, and where each output leads.
    Ask { word: String, next: Vec<(u32, usize)> },
    /// The state that is left.
    State(State),
}

impl Discrimination {
    /// The tree of a machine over characters; its words are text. The first is empty.
    pub fn of(text: &TextMachine) -> Discrimination {
        let machine = text.machine();
        let tree = SplittingTree::of(machine);
        let mut nodes: Vec<Node> = tree
            .nodes
            .iter()
            .map(|node| match &node.word {
                Some(word) => Node::Ask {
                    word: word.iter().map(|&symbol| text.character(symbol)).collect(),
                    next: Vec::new(),
                },
                None => Node::State(node.states[0]),
            })
            .collect();
        for (parent, output, child) in tree.edges(machine) {
            if let Node::Ask { next, .. } = &mut nodes[parent] {
                next.push((output, child));
            }
        }
        Discrimination { nodes }
    }

    /// The state that an implementation answers as, which `answer`s what its output is when a word comes now. None if it has no answer
    /// to a word, or one that no state of the machine gives that answered as it did before.
    pub fn state(&self, mut answer: impl FnMut(&str) -> Option<u32>) -> Option<State> {
        let mut at = 0;
        loop {
            match &self.nodes[at] {
                Node::State(state) => return Some(*state),
                Node::Ask { word, next } => {
                    let output = answer(word)?;
                    (_, at) = *next.iter().find(|(known, _)| *known == output)?;
                }
            }
        }
    }
}
