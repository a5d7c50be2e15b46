//! Machines that tell more of a string than whether it matches: one bit for each of several languages ("views").

use crate::abnf::{Error, ErrorKind, Grammar};
use crate::automaton::Dfa;
use crate::machine::{Identity, Machine};

/// The minimal machine whose output after any input is a mask: bit i is set if the input matches the i-th view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moore {
    machine: Machine,
    views: Vec<String>,
}

impl Moore {
    /// The machine of some rules of a grammar, at most 32: each compiled alone, then run side by side.
    ///
    /// # Errors
    ///
    /// Those of [`Dfa::compile`] for each of the rules, and more than 32 views.
    pub fn compile(grammar: &Grammar, views: &[&str]) -> Result<Moore, Error> {
        if views.len() > 32 {
            return Err(Error {
                position: None,
                problem: ErrorKind::TooManyViews { count: views.len() },
            });
        }
        let acceptors = views.iter().map(|view| Dfa::compile(grammar, view)).collect::<Result<Vec<_>, _>>()?;
        let machines: Vec<_> = acceptors.iter().map(Dfa::machine).collect();
        let mask = |outputs: &[u32]| outputs.iter().enumerate().fold(0, |mask, (bit, &output)| mask | output << bit);
        Ok(Moore {
            machine: Machine::product(&machines, mask),
            views: views.iter().map(|&view| view.to_owned()).collect(),
        })
    }

    /// The machine, with the mask as output.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The machine's name.
    pub fn identity(&self) -> Identity {
        self.machine.identity()
    }

    /// The rules, that of bit 0 first.
    pub fn views(&self) -> &[String] {
        &self.views
    }

    /// The mask of the whole of `input`.
    pub fn output(&self, input: &[u8]) -> u32 {
        self.machine.output(self.machine.run(input))
    }

    /// The different masks that inputs have, in ascending order.
    pub fn outputs(&self) -> Vec<u32> {
        let mut outputs: Vec<u32> = (0..self.machine.states()).map(|state| self.machine.output(state as u32)).collect();
        outputs.sort_unstable();
        outputs.dedup();
        outputs
    }

    /// The machine as a Graphviz digraph, without states in which no view matches now or later; the output of a state is
    /// not shown beyond whether any view matches.
    pub fn to_dot(&self) -> String {
        let machine = &self.machine;
        let sink = (0..machine.states() as u32).find(|&state| {
            machine.output(state) == 0
                && machine.representatives().iter().all(|&byte| machine.step(state, byte) == state)
        });
        machine.to_dot(|state| machine.output(state) != 0, sink)
    }
}
