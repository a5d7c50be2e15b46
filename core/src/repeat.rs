//! Answers that do not repeat: a subject diverges on an input, and agrees when the same input is put to it again.
//!
//! The subject keeps something from one call to a later one, or decides by chance. [`examine`] finds the shortest sequence of
//! calls, in a process that has just been started, that shows the divergence again: of a value that leaks from one call into
//! the next there are two.

use std::cell::Cell;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ask::ask;
use crate::compare::{DifferenceKind, Verdict};
use crate::model::{Input, Outcome, Subject};
use crate::run;

/// How many times a process is started anew while a sequence is made shorter.
const STARTS: usize = 48;

/// An answer that did not repeat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unrepeated {
    /// The input.
    pub input: Input,
    /// The answer that diverges.
    pub first: Outcome,
    /// The answer when the input was put again: at once, or later in a new process. Where it diverges as well, `fresh` agrees.
    pub again: Outcome,
    /// The answer as the first of a new process; `None` if the subject has no process of its own.
    pub fresh: Option<Outcome>,
    /// The shortest sequence of calls, the last with the input, that shows the divergence in a new process; `None` if none was
    /// found.
    pub sequence: Option<Vec<Input>>,
}

impl Unrepeated {
    /// The answers and the sequence, each with its head, to be printed on lines of their own.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        /// How many calls of a sequence are shown at most; the last ones.
        const SHOWN: usize = 8;
        let mut lines = vec![("first", self.first.to_string()), ("again", self.again.to_string())];
        if let Some(fresh) = &self.fresh {
            lines.push(("anew", format!("{fresh}, as the first call of a new process")));
        }
        match &self.sequence {
            Some(sequence) => {
                let calls = match sequence.len() {
                    1 => "the call is enough in a new process".to_owned(),
                    count => format!("{count} calls in a new process show it"),
                };
                lines.push(("sequence", calls));
                let hidden = sequence.len().saturating_sub(SHOWN);
                if hidden > 0 {
                    lines.push(("", format!("{hidden} earlier calls")));
                }
                lines.extend(sequence[hidden..].iter().map(|input| ("", format!("{} {input}", input.operation()))));
            }
            None if self.fresh.is_some() => lines.push(("sequence", "none that shows it again was found".to_owned())),
            None => {}
        }
        lines
    }

    /// Shortens the texts of the answers to so many bytes.
    pub fn cut(&mut self, most: usize) {
        let outcomes = [&mut self.first, &mut self.again].into_iter().chain(&mut self.fresh);
        outcomes.for_each(|outcome| outcome.cut(most));
    }
}

impl fmt::Display for Unrepeated {
    /// On one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unrepeated { input, first, .. } = self;
        write!(f, "does not repeat: {} {input}: {first}, ", input.operation())?;
        match &self.fresh {
            Some(fresh) if self.again == *first => write!(f, "and {fresh} in a new process"),
            _ => write!(f, "and then {}", self.again),
        }
    }
}

/// The inputs that the process of a subject was given before it was given `input`, which it was given so many times `since`, oldest
/// first.
pub fn before(subject: &dyn Subject, input: &Input, since: usize) -> Vec<Input> {
    let mut recent = subject.recent();
    let place = (0..recent.len()).rev().filter(|&at| recent[at] == *input).nth(since);
    recent.truncate(place.unwrap_or_default());
    recent
}

/// Whether two answers are the same. Reasons are free text, and offsets are never compared.
pub fn is_same(one: &Outcome, other: &Outcome) -> bool {
    match (one, other) {
        (Outcome::Accepted { value: one }, Outcome::Accepted { value: other }) => one == other,
        (one, other) => one.name() == other.name(),
    }
}

/// What an answer is: what the subject did, and whether that diverges.
pub struct Put {
    /// What the subject did.
    pub outcome: Outcome,
    /// Whether it diverges.
    pub diverges: bool,
}

impl From<run::Result> for Put {
    fn from(result: run::Result) -> Put {
        Put {
            outcome: result.observed,
            diverges: matches!(result.verdict, Verdict::Diverge(_)),
        }
    }
}

/// For how many answers of a subject that do not repeat the calls are searched that show them; the others are named only.
const SEARCHED: usize = 3;

/// A subject on its way through many inputs: what diverges is put to it again.
pub struct Repeater<'a> {
    subject: &'a dyn Subject,
    stopped: &'a dyn Fn() -> bool,
    /// How many answers did not repeat.
    met: Cell<usize>,
}

impl<'a> Repeater<'a> {
    /// Searches no more calls once the run is `stopped`.
    pub fn new(subject: &'a dyn Subject, stopped: &'a dyn Fn() -> bool) -> Repeater<'a> {
        let met = Cell::new(0);
        Repeater { subject, stopped, met }
    }

    /// How the last answer, which differs in this kind, does not repeat; `None` if the subject diverges again.
    pub fn unrepeated(&self, first: &run::Result, kind: DifferenceKind, put: &dyn Fn() -> Put) -> Option<Unrepeated> {
        // A late answer was waited for twice already.
        if kind == DifferenceKind::TimedOut {
            return None;
        }
        let mut before = self.subject.recent();
        // A normal form was normalized again after the answer.
        let last = if kind == DifferenceKind::NotIdempotent { 2 } else { 1 };
        before.truncate(before.len().saturating_sub(last));
        let again = self.put(put);
        (!again.diverges).then(|| self.look_into(first, again.outcome, &before, put))
    }

    /// What is known of an answer that does not repeat: `again` is the second one, `before` what the process was given before.
    pub fn look_into(
        &self,
        first: &run::Result,
        again: Outcome,
        before: &[Input],
        put: &dyn Fn() -> Put,
    ) -> Unrepeated {
        let answers = (&first.input, &first.observed, again);
        let is_enough = || self.met.get() >= SEARCHED || (self.stopped)();
        let unrepeated = look_into(self.subject, answers, before, &|| self.put(put), &is_enough);
        self.met.set(self.met.get() + 1);
        unrepeated
    }

    /// What was put to a subject that is lost says nothing.
    fn put(&self, put: &dyn Fn() -> Put) -> Put {
        let put = put();
        Put {
            diverges: put.diverges || self.subject.lost().is_some(),
            ..put
        }
    }
}

/// Puts an input again on which a subject diverged; `None` if it diverges again.
///
/// `before` are the inputs that its process was given before, oldest first. `put` puts the input, and says whether the answer
/// diverges. `stopped` is called before each new process: once it returns true, the sequence is not shortened any more.
pub fn examine(
    subject: &dyn Subject,
    input: &Input,
    first: &Outcome,
    before: &[Input],
    put: &dyn Fn() -> Put,
    stopped: &dyn Fn() -> bool,
) -> Option<Unrepeated> {
    let again = put();
    match again.diverges {
        true => None,
        false => Some(look_into(subject, (input, first, again.outcome), before, put, stopped)),
    }
}

/// As [`examine`], but the input is put to a new process too where it diverges again: what was left behind by an earlier call may
/// stay. `None` if it diverges there as well.
pub fn examine_anew(
    subject: &dyn Subject,
    input: &Input,
    first: &Outcome,
    before: &[Input],
    put: &dyn Fn() -> Put,
    stopped: &dyn Fn() -> bool,
) -> Option<Unrepeated> {
    let again = put();
    if again.diverges && (stopped() || !subject.start_anew() || put().diverges) {
        return None;
    }
    Some(look_into(subject, (input, first, again.outcome), before, put, stopped))
}

/// As [`examine`], where it is known that the answer does not repeat: `again` is the second answer.
fn look_into(
    subject: &dyn Subject,
    (input, first, again): (&Input, &Outcome, Outcome),
    before: &[Input],
    put: &dyn Fn() -> Put,
    stopped: &dyn Fn() -> bool,
) -> Unrepeated {
    let mut unrepeated = Unrepeated {
        input: input.clone(),
        first: first.clone(),
        again,
        fresh: None,
        sequence: None,
    };
    if stopped() || !subject.start_anew() {
        return unrepeated;
    }
    let fresh = put();
    let shows_alone = fresh.diverges;
    unrepeated.fresh = Some(fresh.outcome);
    let search = Search {
        subject,
        put,
        stopped,
        starts: Cell::new(1),
    };
    let shortest = if shows_alone {
        Some(Vec::new())
    } else {
        search.shortest(before)
    };
    unrepeated.sequence = shortest.map(|mut sequence| {
        sequence.push(input.clone());
        sequence
    });
    unrepeated
}

/// The search for the calls before the last that are needed.
struct Search<'a> {
    subject: &'a dyn Subject,
    put: &'a dyn Fn() -> Put,
    stopped: &'a dyn Fn() -> bool,
    starts: Cell<usize>,
}

impl Search<'_> {
    /// Whether the input diverges behind these calls in a new process. Without a start left it does not.
    fn shows(&self, calls: &[Input]) -> bool {
        if self.is_over() || !self.subject.start_anew() {
            return false;
        }
        self.starts.set(self.starts.get() + 1);
        for call in calls {
            ask(self.subject, call);
        }
        (self.put)().diverges
    }

    fn is_over(&self) -> bool {
        self.starts.get() >= STARTS || (self.stopped)()
    }

    /// The shortest of the calls `before`, in their order, behind which the input diverges.
    fn shortest(&self, before: &[Input]) -> Option<Vec<Input>> {
        let last = |count: usize| &before[before.len() - count..];
        // The end of what was called is enough most of the time: twice as much until it shows.
        let mut short = 0;
        let mut long = 1.min(before.len());
        while long > 0 && !self.shows(last(long)) {
            if long == before.len() || self.is_over() {
                return None;
            }
            (short, long) = (long, (2 * long).min(before.len()));
        }
        while short + 1 < long && !self.is_over() {
            let middle = usize::midpoint(short, long);
            match self.shows(last(middle)) {
                true => long = middle,
                false => short = middle,
            }
        }
        let (needed, rest) = last(long).split_first()?;
        // A call leaves behind what a later one shows: the two are all that is needed.
        if !rest.is_empty() && self.shows(std::slice::from_ref(needed)) {
            return Some(vec![needed.clone()]);
        }
        Some(self.without_parts(last(long).to_vec()))
    }

    /// Leaves out parts of the calls, smaller and smaller ones, as long as the input diverges behind the others.
    fn without_parts(&self, mut calls: Vec<Input>) -> Vec<Input> {
        let mut size = calls.len() / 2;
        while size > 0 {
            let mut at = 0;
            while at < calls.len() && !self.is_over() {
                let mut others = calls.clone();
                others.drain(at..(at + size).min(calls.len()));
                match self.shows(&others) {
                    true => calls = others,
                    false => at += size,
                }
            }
            size /= 2;
        }
        calls
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::model::{Declaration, Scope};

    /// Answers wrongly where it was given some strings before, in this order; what it was given is forgotten by a new process.
    struct Leaky {
        declaration: Declaration,
        needs: &'static [&'static str],
        stays: bool,
        calls: Mutex<Vec<String>>,
    }

    impl Subject for Leaky {
        fn declaration(&self) -> &Declaration {
            &self.declaration
        }

        fn start_anew(&self) -> bool {
            self.calls.lock().unwrap().clear();
            true
        }

        fn normalize(&self, uri: &str, _: Scope) -> Outcome {
            let mut calls = self.calls.lock().unwrap();
            let mut needs = self.needs.iter();
            let mut needed = needs.next();
            for call in calls.iter() {
                if needed == Some(&call.as_str()) {
                    needed = needs.next();
                }
            }
            let is_again = calls.last().is_some_and(|call| call == "last");
            let leaks = uri == "last" && needed.is_none() && (self.stays || !is_again);
            calls.push(uri.to_owned());
            Outcome::uri(if leaks { "leak" } else { uri }.to_owned())
        }
    }

    fn normalize(uri: &str) -> Input {
        Input::Normalize {
            uri: uri.to_owned(),
            scope: Scope::Syntax,
        }
    }

    fn leaky(needs: &'static [&'static str]) -> Leaky {
        let operations = &[crate::model::Operation::Normalize];
        Leaky {
            declaration: Declaration::new("leaky", "1", "normalize", operations),
            needs,
            stays: false,
            calls: Mutex::default(),
        }
    }

    fn examined(subject: &Leaky, before: &[Input]) -> Option<Unrepeated> {
        for input in before {
            ask(subject, input);
        }
        let put = || {
            let outcome = ask(subject, &normalize("last"));
            let diverges = outcome != Outcome::uri("last".to_owned());
            Put { outcome, diverges }
        };
        let first = put();
        assert!(first.diverges);
        examine_anew(subject, &normalize("last"), &first.outcome, before, &put, &|| false)
    }

    #[test]
    fn what_stays_is_found_in_a_new_process() {
        let subject = Leaky {
            stays: true,
            ..leaky(&["secret"])
        };
        let before = ["a", "secret", "b"].map(normalize);
        let unrepeated = examined(&subject, &before).unwrap();
        assert_eq!(unrepeated.again, Outcome::uri("leak".to_owned()));
        assert_eq!(unrepeated.fresh, Some(Outcome::uri("last".to_owned())));
        assert_eq!(unrepeated.sequence, Some(vec![normalize("secret"), normalize("last")]));
    }

    #[test]
    fn a_leak_has_two_calls() {
        let subject = leaky(&["secret"]);
        for (at, count) in [(0, 1), (0, 1000), (700, 1000), (999, 1000)] {
            let mut before: Vec<Input> = (0..count).map(|number| normalize(&number.to_string())).collect();
            before[at] = normalize("secret");
            subject.start_anew();
            let unrepeated = examined(&subject, &before).unwrap();
            assert_eq!(unrepeated.sequence, Some(vec![normalize("secret"), normalize("last")]));
            assert_eq!(unrepeated.again, Outcome::uri("last".to_owned()));
        }
    }

    #[test]
    fn what_needs_more_calls_has_them() {
        let subject = leaky(&["one", "two"]);
        let mut before: Vec<Input> = (0..100).map(|number| normalize(&number.to_string())).collect();
        before[10] = normalize("one");
        before[90] = normalize("two");
        let sequence = examined(&subject, &before).unwrap().sequence.unwrap();
        assert_eq!(sequence, ["one", "two", "last"].map(normalize));
        let unrepeated = examined(&subject, &before).unwrap();
        assert!(unrepeated.lines().iter().any(|(_, line)| line == "3 calls in a new process show it"));
    }

    #[test]
    fn what_repeats_is_none() {
        let subject = leaky(&[]);
        let put = || Put {
            outcome: ask(&subject, &normalize("a")),
            diverges: true,
        };
        let first = Outcome::rejected("no");
        assert_eq!(examine(&subject, &normalize("a"), &first, &[], &put, &|| false), None);
    }
}
