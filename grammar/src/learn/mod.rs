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
mod limits;
mod tree;
mod words;

use std::collections::BTreeMap;
use std::fmt;

pub use characters::ranges;
use characters::{Characters, OTHERS};
use limits::FoundLimits;
pub use limits::{Limit, Measure};
use tree::{Hypothesis, Questions};
use words::RandomEdits;

use crate::complete::{Method, Suites};
use crate::difference::output_differences;
use crate::machine::{Alphabet, Machine, State};

/// What answers questions: an implementation, seen as a function from strings to outputs.
pub trait Oracle: Sync {
    /// The output for the whole of `input`: 0 if it is rejected, 1 or a mask of what is there if it is accepted. Always the
    /// same for the same input; otherwise the learner stops with [`Stop::NotDeterministic`].
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

/// An output in a word.
fn in_a_word(output: u32) -> &'static str {
    match output {
        0 => "rejected",
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

/// How an answer differs from the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OutputDifference {
    /// Accepted, although the target rejects it.
    Accepted,
    /// Rejected, although the target accepts it.
    Rejected,
    /// Accepted by both, with different outputs.
    OtherOutput,
    /// Answered with [`CRASHED`].
    Crashed,
    /// Answered with [`TIMED_OUT`].
    TimedOut,
}

impl OutputDifference {
    /// How an output differs from the expected one; none if it does not.
    pub fn of(expected: u32, observed: u32) -> Option<OutputDifference> {
        match (expected, observed) {
            _ if expected == observed => None,
            (_, CRASHED) => Some(OutputDifference::Crashed),
            (_, TIMED_OUT) => Some(OutputDifference::TimedOut),
            (0, _) => Some(OutputDifference::Accepted),
            (_, 0) => Some(OutputDifference::Rejected),
            _ => Some(OutputDifference::OtherOutput),
        }
    }
}

impl fmt::Display for OutputDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            OutputDifference::Accepted => "accepted though invalid",
            OutputDifference::Rejected => "rejected though valid",
            OutputDifference::OtherOutput => "accepted with other components",
            OutputDifference::Crashed => "crashes",
            OutputDifference::TimedOut => "timed out",
        })
    }
}

/// A class of difference: a pair of states that some string leads to and that have different outputs. The witness was
/// asked: the subject does differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnedDifference {
    /// The target's state.
    pub target: State,
    /// The learned machine's state.
    pub learned: State,
    /// The target's output.
    pub expected: u32,
    /// The subject's output.
    pub observed: u32,
    /// A shortest string that leads to the pair.
    pub witness: String,
    /// The place in `witness`, in characters, of the step on which the two machines part: the first after which nothing
    /// that may follow is accepted by one of them, or else the last. None if the witness is empty.
    pub parting: Option<usize>,
}

impl LearnedDifference {
    /// Its direction.
    pub fn kind(&self) -> OutputDifference {
        OutputDifference::of(self.expected, self.observed).unwrap_or(OutputDifference::OtherOutput)
    }
}

/// Differences that are likely to have one cause: of one kind, and the machines part on the same symbol; or, where both
/// accept, the same bits of the output differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferenceGroup {
    /// Their direction.
    pub kind: OutputDifference,
    /// The characters of the symbol on which the machines part; none if they differ before any, or in bits.
    pub characters: Vec<char>,
    /// The differences, as places in [`Learned::differences`]; those with the shortest witnesses first.
    pub differences: Vec<usize>,
}

/// A symbol of the learned machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// A character of it.
    pub character: char,
    /// All tried characters that have the same answers in every state.
    pub stands_for: Vec<char>,
    /// Whether it also stands for the characters beyond ASCII that were not tried: an assumption.
    pub stands_for_others: bool,
}

/// What was learned.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The subject's machine, within its limits. It is over codes: the characters of ASCII are themselves, the bytes from 128
    /// on are characters beyond. Use [`Learned::output`] to run it and [`Learned::symbols`] to read it.
    machine: Machine,
    /// The target over the same codes.
    target: Machine,
    characters: Characters,
    extra_states: usize,
    /// How many queries were made for each purpose.
    pub questions: BTreeMap<Purpose, u64>,
    /// How many rounds of equivalence queries there were; the last one found nothing to learn.
    pub rounds: usize,
    /// What the subject answers otherwise from some size on. Words beyond are not in anything else that is said here.
    pub limits: Vec<Limit>,
    /// Why the learner stopped early, if it did. The machine is then the last hypothesis and not the subject's; but each of the
    /// differences is one.
    pub stopped: Option<Stop>,
    /// Every class of difference, those with the shortest witnesses first.
    pub differences: Vec<LearnedDifference>,
}

impl Learned {
    /// Whether the subject's machine is the target's, within the limits and under the [assumptions](Learned::assumptions).
    pub fn is_equal(&self) -> bool {
        self.stopped.is_none() && self.differences.is_empty()
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.machine.states()
    }

    /// The learned machine. Its bytes are codes: those of ASCII are characters, those from 128 on stand for characters beyond
    /// ASCII, which [`Learned::symbols`] shows.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The target machine over the same codes.
    pub fn target(&self) -> &Machine {
        &self.target
    }

    /// The output of the learned machine.
    pub fn output(&self, input: &str) -> u32 {
        self.machine.output(self.machine.run(&self.characters.encode(input)))
    }

    /// The symbols, in the order of the columns of [`Learned::table`].
    pub fn symbols(&self) -> Vec<Symbol> {
        (0..self.machine.classes())
            .map(|class| {
                let is_member = |&code: &u8| self.machine.class_of(code) == class;
                Symbol {
                    character: self.characters.character(self.machine.representatives()[class]),
                    stands_for: self.codes().filter(is_member).map(|code| self.characters.character(code)).collect(),
                    stands_for_others: is_member(&OTHERS),
                }
            })
            .collect()
    }

    /// The successors, by state and symbol.
    pub fn table(&self) -> Vec<Vec<State>> {
        let states = 0..self.machine.states() as State;
        let row =
            |state| self.machine.representatives().iter().map(move |&code| self.machine.step(state, code)).collect();
        states.map(row).collect()
    }

    /// The outputs, by state.
    pub fn outputs(&self) -> Vec<u32> {
        (0..self.machine.states() as State).map(|state| self.machine.output(state)).collect()
    }

    /// The differences by kind and by the symbol on which the machines part, or the bits in which they differ; the shortest
    /// witness of a group is that of its first difference.
    pub fn groups(&self) -> Vec<DifferenceGroup> {
        let mut groups: Vec<DifferenceGroup> = Vec::new();
        for (at, difference) in self.differences.iter().enumerate() {
            let kind = difference.kind();
            // A component that is reported wrongly is the same wherever it is reported.
            let bits = |difference: &LearnedDifference| {
                let LearnedDifference { expected, observed, .. } = *difference;
                (expected & !observed, observed & !expected)
            };
            let parting = difference.parting.filter(|_| kind != OutputDifference::OtherOutput);
            let character = parting.and_then(|parting| difference.witness.chars().nth(parting));
            let is_known = |group: &&mut DifferenceGroup| match character {
                _ if kind == OutputDifference::OtherOutput => {
                    bits(&self.differences[group.differences[0]]) == bits(difference)
                }
                Some(character) => group.characters.contains(&character),
                None => group.characters.is_empty(),
            };
            match groups.iter_mut().filter(|group| group.kind == kind).find(is_known) {
                Some(group) => group.differences.push(at),
                None => groups.push(DifferenceGroup {
                    kind,
                    characters: character.map(|character| self.characters_like(character)).unwrap_or_default(),
                    differences: vec![at],
                }),
            }
        }
        groups
    }

    /// The tried characters that both machines treat as they do `character`.
    pub fn characters_like(&self, character: char) -> Vec<char> {
        let classes = |code| (self.target.class_of(code), self.machine.class_of(code));
        let same = classes(self.characters.code(character));
        self.codes().filter(|&code| classes(code) == same).map(|code| self.characters.character(code)).collect()
    }

    /// The pairs of states that `input` leads through, of the target and of the learned machine, from the start on.
    pub fn states_on_the_way(&self, input: &str) -> Vec<(State, State)> {
        let mut pair = (self.target.start(), self.machine.start());
        let mut pairs = vec![pair];
        for code in self.characters.encode(input) {
            pair = (self.target.step(pair.0, code), self.machine.step(pair.1, code));
            pairs.push(pair);
        }
        pairs
    }

    /// What *equal for every string* rests on, each as half a sentence.
    pub fn assumptions(&self) -> Vec<String> {
        let extra = match self.extra_states {
            0 => String::new(),
            extra => format!(
                " (or {}, if it treats the characters of each symbol alike)",
                self.machine.states() + extra
            ),
        };
        let mut assumptions = vec![
            format!(
                "the subject{} has no more than {} states{extra}",
                if self.limits.is_empty() {
                    ""
                } else {
                    ", within its limits,"
                },
                self.machine.states()
            ),
            "it treats each character beyond ASCII that was not asked as one that was, and that the grammar treats alike"
                .to_owned(),
            "it answers every string the same way each time".to_owned(),
        ];
        if !self.limits.is_empty() {
            assumptions.push(
                "each limit is the same in every context, and holds between the sizes that were asked; of strings beyond, \
                 nothing is said"
                    .to_owned(),
            );
        }
        assumptions
    }

    /// How many queries were made.
    pub fn questions(&self) -> u64 {
        self.questions.values().sum()
    }

    /// The learned machine as a Graphviz digraph, without the states from which nothing is accepted.
    pub fn to_dot(&self) -> String {
        let alive = words::alive(&self.machine);
        let dead = alive.iter().position(|alive| !alive).map(|state| state as State);
        self.machine.to_dot(|state| self.machine.output(state) != 0, dead)
    }

    fn codes(&self) -> impl Iterator<Item = u8> + use<> {
        self.characters.codes()
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

/// How many codes the words of one batch have at most.
const BATCH_CODES: usize = 1 << 21;

/// One word of so many is queried twice.
const REPEATED: usize = 64;

struct Learner<'a> {
    target: &'a Machine,
    questions: Questions<'a>,
    hypothesis: Hypothesis,
    limits: FoundLimits,
    options: &'a Options,
    random: RandomEdits,
    rounds: usize,
}

impl Learner<'_> {
    fn learn(&mut self) -> Result<(), Stop> {
        self.hypothesis.seed(self.target, &mut self.questions)?;
        let target = self.target;
        let of_target = Suites::new(target);
        let given: Vec<Vec<u8>> =
            self.options.given.iter().map(|text| self.questions.characters.encode(text)).collect();
        let values: Vec<Vec<u8>> = limits::values().iter().map(|text| self.questions.characters.encode(text)).collect();
        let mut changed = true;
        while changed {
            self.rounds += 1;
            changed = false;
            changed |= self.consistency()?;
            changed |= self.put(Purpose::Given, given.iter().cloned())?;
            let suite = of_target.suite(Method::Hsi(0), Alphabet::Representatives);
            changed |= self.put(Purpose::TargetSuite, suite)?;
            changed |= self.put(Purpose::Values, values.iter().cloned())?;
            changed |= self.own_suite(0)?;
            changed |= self.sweep()?;
            let edits: Vec<_> = self.random.by_ref().take(self.options.random_edits).collect();
            changed |= self.put(Purpose::RandomEdits, edits.into_iter())?;
            changed |= self.consistency()?;
            changed |= self.witnesses()?;
            // The costliest comes when nothing else finds anything.
            if !changed && self.options.extra_states > 0 {
                changed = self.own_suite(self.options.extra_states)?;
            }
        }
        Ok(())
    }

    fn consistency(&mut self) -> Result<bool, Stop> {
        let mut changed = false;
        while self.put(Purpose::Consistency, self.hypothesis.words().into_iter())? {
            changed = true;
        }
        Ok(changed)
    }

    /// The hypothesis' own HSI suite.
    fn own_suite(&mut self, extra: usize) -> Result<bool, Stop> {
        let machine = self.hypothesis.machine();
        if extra == 0 && machine == *self.target {
            // It is the target's.
            return Ok(false);
        }
        let suites = Suites::new(&machine);
        self.put(
            Purpose::OwnSuite,
            suites.suite(Method::Hsi(extra), Alphabet::Representatives),
        )
    }

    fn sweep(&mut self) -> Result<bool, Stop> {
        let machine = self.hypothesis.machine();
        let suites = Suites::new(&machine);
        let codes = self.questions.characters.codes();
        let changed = self.put(Purpose::Sweep, words::sweep(&machine, &suites, codes))?;
        Ok(self.put(Purpose::Pumped, words::pumped(&machine, &suites, self.target))? || changed)
    }

    /// Queries the witness of every difference that the hypothesis claims.
    fn witnesses(&mut self) -> Result<bool, Stop> {
        let machine = self.hypothesis.machine();
        let witnesses = output_differences(self.target, &machine).map(|difference| difference.witness);
        self.put(Purpose::Witnesses, witnesses)
    }

    /// Equivalence queries: tries words, and learns from those that are not answered as predicted. Whether there were any.
    fn put(&mut self, purpose: Purpose, mut words: impl Iterator<Item = Vec<u8>>) -> Result<bool, Stop> {
        let mut changed = false;
        loop {
            let (mut batch, mut codes) = (Vec::new(), 0);
            while batch.len() < self.options.batch.max(1) && codes < BATCH_CODES {
                let Some(word) = words.next() else { break };
                if self.is_within(&word) {
                    codes += word.len();
                    batch.push(word);
                }
            }
            if batch.is_empty() {
                return Ok(changed);
            }
            self.questions.counts[purpose as usize] += batch.len() as u64;
            let taken = self.take(&batch);
            if matches!(taken, Err(Stop::Interrupted { .. })) {
                // Some of the words were not queried.
                self.questions.counts[purpose as usize] -= batch.len() as u64;
            }
            changed |= taken?;
            self.questions.within_budget()?;
        }
    }

    fn take(&mut self, batch: &[Vec<u8>]) -> Result<bool, Stop> {
        let answers = self.answers(batch)?;
        for (word, &(answer, _)) in batch.iter().zip(&answers).step_by(REPEATED) {
            let again = self.questions.ask(Purpose::Repeated, word)?;
            if again != answer {
                return Err(self.questions.inconsistent(word, answer, again));
            }
        }
        let mut changed = false;
        for (word, (answer, is_predicted)) in batch.iter().zip(answers) {
            // What was predicted may no longer be, once something has changed.
            if if changed {
                self.hypothesis.predict(word) == answer
            } else {
                is_predicted
            } {
                continue;
            }
            let Learner {
                hypothesis,
                questions,
                limits,
                ..
            } = self;
            let characters = questions.characters.clone();
            let within = |word: &[u8]| limits.found.is_empty() || limits.contain(&characters.decode(word));
            hypothesis.refine(word, answer, &within, questions)?;
            changed = true;
        }
        Ok(changed)
    }

    /// For every word its answer, and whether it is predicted.
    ///
    /// # Errors
    ///
    /// The oracle does not answer the first of the words that it does not answer.
    fn answers(&self, batch: &[Vec<u8>]) -> Result<Vec<(u32, bool)>, Stop> {
        let part = |words: &[Vec<u8>]| -> Result<Vec<(u32, bool)>, Stop> {
            let mut text = String::new();
            let answer = |word: &Vec<u8>| {
                self.questions.check_stopped()?;
                self.questions.characters.decode_into(word, &mut text);
                match self.questions.oracle.output(&text) {
                    Ok(answer) => Ok((answer, self.hypothesis.predict(word) == answer)),
                    Err(reason) => Err(Stop::Unanswered {
                        witness: text.clone(),
                        reason,
                    }),
                }
            };
            words.iter().map(answer).collect()
        };
        let size = batch.len().div_ceil(self.options.threads.max(1)).max(64);
        let (first, rest) = batch.split_at(size.min(batch.len()));
        std::thread::scope(|scope| {
            let threads: Vec<_> = rest.chunks(size).map(|words| scope.spawn(|| part(words))).collect();
            let mut parts = vec![part(first)];
            for thread in threads {
                parts.push(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            Ok(parts.into_iter().collect::<Result<Vec<_>, Stop>>()?.concat())
        })
    }

    fn is_within(&self, word: &[u8]) -> bool {
        self.limits.found.is_empty() || self.limits.contain(&self.questions.characters.decode(word))
    }

    /// The differences that the oracle confirms.
    ///
    /// # Errors
    ///
    /// The oracle does not answer, or it does not confirm what it has answered before.
    fn differences(&mut self, machine: &Machine, stopped: Option<&Stop>) -> Result<Vec<LearnedDifference>, Stop> {
        let mut differences = Vec::new();
        // Of a subject that does not answer, or not the same each time, no answer says anything.
        // An interrupted learner makes no more queries.
        if matches!(
            stopped,
            Some(Stop::NotDeterministic { .. } | Stop::Unanswered { .. } | Stop::Interrupted { .. })
        ) {
            return Ok(differences);
        }
        let alive = [words::alive(self.target), words::alive(machine)];
        for difference in output_differences(self.target, machine) {
            let word = difference.witness;
            let expected = self.target.output(difference.left);
            if !self.is_within(&word) {
                continue;
            }
            let observed = self.questions.ask(Purpose::Witnesses, &word)?;
            let predicted = machine.output(difference.right);
            // A machine that was learned to the end predicts what was answered.
            if stopped.is_none() && observed != predicted {
                return Err(self.questions.inconsistent(&word, predicted, observed));
            }
            if observed == expected {
                continue;
            }
            let (mut target, mut learned) = (0, 0);
            let parting = word.iter().position(|&code| {
                target = self.target.step(target, code);
                learned = machine.step(learned, code);
                alive[0][target as usize] != alive[1][learned as usize]
            });
            differences.push(LearnedDifference {
                target: difference.left,
                learned: difference.right,
                expected,
                observed,
                parting: parting.or(word.len().checked_sub(1)),
                witness: self.questions.characters.decode(&word),
            });
        }
        Ok(differences)
    }
}
