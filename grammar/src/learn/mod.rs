//! Active learning: the machine of an implementation, and its exact difference from a rule's machine, by questions alone.
//!
//! **How.** The learner keeps a *hypothesis*, a machine that predicts the answers to all queries so far. Angluin
//! (*Learning regular sets from queries and counterexamples*, 1987) showed that two kinds of question are enough:
//! *membership* (what does the subject answer to this word?) and *equivalence* (is this the machine; if not, which word
//! shows it?). States are distinguished by a *discrimination tree* (Kearns and Vazirani, *An introduction to computational
//! learning theory*, 1994): a word is put before the words on its way down the tree, and the leaf is its state. A
//! counterexample is taken apart by the binary search of Rivest and Schapire (*Inference of finite automata using homing
//! sequences*, 1993): each yields a state more, with the word that tells it from the others.
//!
//! The tree begins as the target's own splitting tree, asked of the subject: a subject that conforms is known after little
//! more than the questions that prove it.
//!
//! **Characters.** Symbols are characters: at first one for each class of the target machine, and one more for
//! those beyond ASCII. Every character of ASCII, and a sample beyond, is tried in every state; one that is not
//! like its symbol becomes another symbol.
//!
//! **Why a learner that has stopped is no proof.** A parser cannot answer whether a machine is its own. What stands for
//! that question here is a test suite: the hypothesis' own HSI suite over all characters tried, which, as all
//! such suites, finds every subject of no more states than the hypothesis ([`crate::complete`]). A subject with one
//! state more may pass, and a large one always does: in a study of several parsers one learner stopped with its own suite of
//! k = 1 passed, seven states short, and showed differences that were not there. Suites that are k-*A*-complete (Vaandrager and
//! Melse, 2025; the learner of Vaandrager, Garhewal, Rot and Wißmann, *A new approach for active automata learning based on
//! apartness*, 2022, is built around such suites) promise somewhat more than m-completeness for the same questions, but a
//! promise about *all* subjects there is not. So there are other queries too: the target's suite, loops run through many times,
//! values around usual limits, random edits of valid words, given strings, and every witness of a difference that the
//! hypothesis claims. [`Learned::assumptions`] says what a result rests on.
//!
//! **Limits.** A counter multiplies states, and no suite finds it: a subject that takes 255 bytes at most has 43,300
//! states. Limits are looked for before the learning, found exactly by bisection and named ([`Limit`]). From then on
//! *words beyond a limit are left out*: no equivalence query has one, so that the machine that is learned, and each
//! difference, is that of the subject within its limits. What the subject does beyond a limit, apart from the limit
//! itself, is not known.

mod characters;
mod learned;
mod learner;
mod limits;
mod tree;
mod words;

use std::fmt;

use characters::Characters;
pub use characters::ranges;
pub use learned::{DifferenceGroup, Learned, LearnedDifference, OutputDifference, Symbol};
use learner::Learner;
use limits::FoundLimits;
pub use limits::{Limit, Measure};
use tree::{Hypothesis, Questions};
use words::RandomEdits;

use crate::machine::Machine;

/// What answers questions: an implementation, seen as a function from strings to outputs.
pub trait Oracle: Sync {
    /// The output for the whole of `input`: 0 if it is rejected, 1 or a mask of what is there if it is accepted. Always the
    /// same for the same input; otherwise the learner stops with [`Stop::NotDeterministic`]. An oracle that measures by something
    /// else than the target returns the target's output where all is as it should be, and else [`ACCEPTED_ALONE`] or
    /// [`REJECTED_ALONE`].
    ///
    /// # Errors
    ///
    /// Why there is no answer: what is unsupported is not rejected. The learner stops with [`Stop::Unanswered`].
    fn output(&self, input: &str) -> Result<u32, String>;

    /// Whether the learner is to stop, with [`Stop::Interrupted`].
    fn is_stopped(&self) -> bool {
        false
    }
}

impl<F: Fn(&str) -> u32 + Sync> Oracle for F {
    fn output(&self, input: &str) -> Result<u32, String> {
        Ok(self(input))
    }
}

/// The output of a subject that did not answer but crashed.
pub const CRASHED: u32 = 1 << 31;

/// The output of a subject that did not answer in time.
pub const TIMED_OUT: u32 = 1 << 30;

/// The output of a subject that accepts a string which its specification refuses, where the target is not that specification.
pub const ACCEPTED_ALONE: u32 = 1 << 29;

/// The output of a subject that rejects a string which its specification accepts, where the target is not that specification.
pub const REJECTED_ALONE: u32 = 1 << 28;

/// Whether an output says which components are there: it is that of a string which is accepted, and as it should be.
pub fn is_of_components(output: u32) -> bool {
    !matches!(output, 0 | CRASHED | TIMED_OUT | ACCEPTED_ALONE | REJECTED_ALONE)
}

/// Whether an output is that of a string which is rejected.
fn is_rejected(output: u32) -> bool {
    matches!(output, 0 | REJECTED_ALONE)
}

/// An output in a word.
fn in_a_word(output: u32) -> &'static str {
    match output {
        0 | REJECTED_ALONE => "rejected",
        CRASHED => "crashed",
        TIMED_OUT => "timed out",
        _ => "accepted",
    }
}

/// How many queries are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The seed of the random edits.
    pub seed: u64,
    /// How many random edits each round tries.
    pub random_edits: usize,
    /// The k of the hypothesis' own suite over its symbols, which is tried when nothing else finds anything.
    pub extra_states: usize,
    /// How many states are learned at most.
    pub state_limit: usize,
    /// The most queries, give or take some thousands.
    pub query_limit: u64,
    /// Strings to ask besides.
    pub given: Vec<String>,
    /// How many threads ask; the result does not depend on it.
    pub threads: usize,
    /// How many words are put to the oracle at a time.
    pub batch: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 3986,
            random_edits: 400_000,
            extra_states: 1,
            state_limit: 3_000,
            query_limit: 50_000_000,
            given: Vec::new(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            batch: 1 << 14,
        }
    }
}

/// What a question was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// To find a limit.
    Limits,
    /// To find the state of a word.
    Membership,
    /// To find what a counterexample shows.
    Analysis,
    /// To see whether the hypothesis predicts the words that it was made from.
    Consistency,
    /// Equivalence: the strings given.
    Given,
    /// Equivalence: the target's HSI suite without extra states.
    TargetSuite,
    /// Equivalence: the hypothesis' HSI suite.
    OwnSuite,
    /// Equivalence: every character in every state.
    Sweep,
    /// Equivalence: loops run through many times.
    Pumped,
    /// Equivalence: values around limits that are usual.
    Values,
    /// Equivalence: random edits of valid words.
    RandomEdits,
    /// Equivalence: the witnesses of the differences.
    Witnesses,
    /// To see whether the answer is the same a second time.
    Repeated,
}

impl Purpose {
    /// All of them.
    pub const ALL: [Purpose; 13] = [
        Purpose::Limits,
        Purpose::Membership,
        Purpose::Analysis,
        Purpose::Consistency,
        Purpose::Given,
        Purpose::TargetSuite,
        Purpose::OwnSuite,
        Purpose::Sweep,
        Purpose::Pumped,
        Purpose::Values,
        Purpose::RandomEdits,
        Purpose::Witnesses,
        Purpose::Repeated,
    ];
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Purpose::Limits => "limits",
            Purpose::Membership => "membership",
            Purpose::Analysis => "counterexamples",
            Purpose::Consistency => "consistency",
            Purpose::Given => "given strings",
            Purpose::TargetSuite => "target's suite",
            Purpose::OwnSuite => "own suite",
            Purpose::Sweep => "every character in every state",
            Purpose::Pumped => "loops",
            Purpose::Values => "limit values",
            Purpose::RandomEdits => "random edits",
            Purpose::Witnesses => "witnesses",
            Purpose::Repeated => "repeated",
        })
    }
}

/// Why a learner stopped before its hypothesis passed everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The subject has more states than may be learned.
    States {
        /// The limit.
        limit: usize,
    },
    /// More queries would be needed than are allowed.
    Queries {
        /// The limit.
        limit: u64,
    },
    /// The subject does not give the same answer each time: it is no machine.
    NotDeterministic {
        /// A string that was answered in two ways.
        witness: String,
        /// The two outputs, in this order.
        answers: [u32; 2],
    },
    /// The subject does not answer: nothing is known of it.
    Unanswered {
        /// The string.
        witness: String,
        /// Why.
        reason: String,
    },
    /// The learner was [stopped](Oracle::is_stopped). Its hypothesis is no machine of the subject, and no difference is shown.
    Interrupted {
        /// How many questions were answered until then, at least.
        asked: u64,
    },
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::States { limit } => write!(f, "it has more than {limit} states"),
            Stop::Queries { limit } => write!(f, "{limit} questions were not enough"),
            Stop::NotDeterministic {
                witness,
                answers: [first, again],
            } => match (in_a_word(*first), in_a_word(*again)) {
                (first, again) if first == again => {
                    write!(
                        f,
                        "does not repeat: {witness:?} is {first} with other components each time"
                    )
                }
                (first, again) => write!(f, "does not repeat: {witness:?} is {first}, and then {again}"),
            },
            Stop::Unanswered { witness, reason } => write!(f, "does not answer ({reason}) on {witness:?}"),
            Stop::Interrupted { asked } => write!(f, "interrupted after {asked} questions"),
        }
    }
}

/// Learns the machine of a subject, and where it differs from `target`, a machine over the bytes of UTF-8.
///
/// The same oracle, target and options give the same result.
pub fn learn(target: &Machine, oracle: &dyn Oracle, options: &Options) -> Learned {
    let mut characters = Characters::new();
    for text in &options.given {
        characters.add(text);
    }
    let target = characters.recode(target);
    let mut questions = Questions::new(oracle, characters, options.query_limit);
    let (limits, stopped) = match FoundLimits::find(&target, &mut questions) {
        Ok(limits) => (limits, None),
        Err(stop) => (FoundLimits::default(), Some(stop)),
    };
    let mut learner = Learner {
        hypothesis: Hypothesis::new(&target, options.state_limit),
        random: RandomEdits::new(&target, questions.characters.codes(), options.seed),
        target: &target,
        questions,
        limits,
        options,
        rounds: 0,
    };
    let mut stopped = stopped.or_else(|| learner.learn().err());
    // An oracle whose answers do not repeat looks as if it had many states. These questions are not part of the learning.
    if matches!(stopped, Some(Stop::States { .. } | Stop::Queries { .. })) {
        let counts = learner.questions.counts;
        stopped = learner.hypothesis.check_outputs(&mut learner.questions).err().or(stopped);
        learner.questions.counts = counts;
    }
    let machine = learner.hypothesis.machine();
    let differences = match learner.differences(&machine, stopped.as_ref()) {
        Ok(differences) => differences,
        Err(stop) => {
            stopped = Some(stop);
            Vec::new()
        }
    };
    if let Some(Stop::Interrupted { asked }) = &mut stopped {
        *asked = learner.questions.counts.iter().sum();
    }
    let Learner {
        questions,
        limits,
        rounds,
        ..
    } = learner;
    Learned {
        machine,
        differences,
        questions: Purpose::ALL.into_iter().zip(questions.counts).filter(|&(_, count)| count > 0).collect(),
        rounds,
        limits: limits.found,
        stopped,
        characters: questions.characters,
        extra_states: options.extra_states,
        target,
    }
}
