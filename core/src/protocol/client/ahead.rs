//! Requests that are sent before their turn, and what a process was given.
//!
//! The window grows while a process answers shortly, and falls back to one request when it dies: few requests are lost with it.

use std::collections::VecDeque;

use crate::model::Input;
use crate::model::Outcome;

/// How many requests are sent ahead at most, and how many bytes of inputs.
const MOST: (usize, usize) = (64, 1 << 16);

/// An answer that is longer is not waited for in a crowd, in bytes: answers may be kept until their turn.
const LONG: usize = 1 << 14;

/// A request that was sent before its turn.
pub(super) struct Sent {
    /// Its number.
    pub(super) id: u64,
    pub(super) place: CallPlace,
    pub(super) input: Input,
    /// The answer, if it was read before its turn.
    pub(super) answer: Option<Outcome>,
}

/// What was sent ahead, in the order of the requests: those that are answered stand before the others.
pub(super) struct Ahead {
    sent: VecDeque<Sent>,
    /// How many bytes their inputs have.
    size: usize,
    /// How many may be sent ahead.
    window: usize,
}

impl Default for Ahead {
    fn default() -> Ahead {
        Ahead {
            sent: VecDeque::new(),
            size: 0,
            window: 1,
        }
    }
}

impl Ahead {
    /// Takes the first request out, if it has this input.
    pub(super) fn take(&mut self, input: &Input) -> Option<Sent> {
        self.sent.front().filter(|sent| sent.input == *input)?;
        let sent = self.sent.pop_front()?;
        self.size -= sent.input.size();
        Some(sent)
    }

    /// How many inputs behind the one whose turn it is were sent already, if another one may be.
    pub(super) fn room(&self) -> Option<usize> {
        let (_, most) = MOST;
        (self.sent.len() < self.window && self.size < most).then_some(self.sent.len())
    }

    pub(super) fn push(&mut self, id: u64, place: CallPlace, input: Input) {
        self.size += input.size();
        self.sent.push_back(Sent {
            id,
            place,
            input,
            answer: None,
        });
    }

    /// Takes out the first request without an answer.
    pub(super) fn take_unanswered(&mut self) -> Option<Sent> {
        let sent = self.sent.remove(self.answered())?;
        self.size -= sent.input.size();
        Some(sent)
    }

    /// Puts back what was taken out, with its answer.
    pub(super) fn put_back(&mut self, sent: Sent) {
        self.size += sent.input.size();
        let at = self.sent.partition_point(|before| before.place.1 < sent.place.1);
        self.sent.insert(at, sent);
    }

    fn answered(&self) -> usize {
        self.sent.partition_point(|sent| sent.answer.is_some())
    }

    /// A line of so many bytes was read.
    pub(super) fn has_come(&mut self, length: usize) {
        let (most, _) = MOST;
        self.window = if length > LONG { 1 } else { most.min(2 * self.window) };
    }

    /// The process is gone: what it has not answered is to be sent again.
    pub(super) fn lose(&mut self) {
        self.sent.truncate(self.answered());
        self.size = self.sent.iter().map(|sent| sent.input.size()).sum();
        self.window = 1;
    }

    /// Other inputs come than those that were sent.
    pub(super) fn forget(&mut self) {
        self.sent.clear();
        self.size = 0;
    }
}

/// The place of an input among all that processes of a command were given: which process, and which input.
pub(super) type CallPlace = (u64, u64);

/// How many inputs are kept that a process was given, and how many bytes of them.
const RECENT: (usize, usize) = (4096, 1 << 20);

/// What processes were given, oldest first.
#[derive(Default)]
pub(super) struct RecentCalls {
    inputs: VecDeque<(CallPlace, Input)>,
    size: usize,
    process: u64,
    count: u64,
    /// The last input that was answered in its turn.
    place: CallPlace,
}

impl RecentCalls {
    /// Adds an input that the process is given, which is the last one.
    pub(super) fn add(&mut self, input: &Input) -> CallPlace {
        let (count, size) = RECENT;
        self.count += 1;
        self.place = (self.process, self.count);
        self.size += input.size();
        self.inputs.push_back((self.place, input.clone()));
        while self.inputs.len() > count || self.size > size {
            let Some((_, oldest)) = self.inputs.pop_front() else {
                break;
            };
            self.size -= oldest.size();
        }
        self.place
    }

    pub(super) fn place(&self) -> CallPlace {
        self.place
    }

    pub(super) fn set_place(&mut self, place: CallPlace) {
        self.place = place;
    }

    /// The next inputs go to another process. What this one was given is kept for answers that were read before their turn.
    pub(super) fn start_anew(&mut self) {
        self.process += 1;
        self.place = (self.process, self.count);
    }

    /// What the process of the last answered input was given before and with it, oldest first.
    pub(super) fn inputs(&self) -> Vec<Input> {
        let (process, last) = self.place;
        let is_before = |(of, count): &CallPlace| *of == process && *count <= last;
        self.inputs.iter().filter(|(place, _)| is_before(place)).map(|(_, input)| input.clone()).collect()
    }
}
