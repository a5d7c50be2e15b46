//! Asking a subject: it may panic, and the run goes on.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::model::{Input, Outcome, Rule, Shown, Subject};

/// Asks `subject`; a panic is an outcome.
pub fn ask(subject: &dyn Subject, input: &Input) -> Outcome {
    let operation = input.operation();
    if !subject.declaration().operations.contains(&operation) {
        return Outcome::unsupported(format!("no operation `{operation}`"));
    }
    outcome(|| match input {
        Input::Parse { rule, input } => subject.parse(*rule, input),
        Input::Resolve {
            base,
            reference,
            strict,
        } => subject.resolve(base, reference, *strict),
        Input::Normalize { uri, scope } => subject.normalize(uri, *scope),
        Input::Compose { components } => subject.compose(components),
        Input::Equivalent { left, right, rung } => subject.equivalent(left, right, *rung),
        Input::Relativize { base, target } => subject.relativize(base, target),
        Input::Modify { uri, component, value } => subject.modify(uri, *component, value.as_deref()),
        Input::RoundTrip { uri } => subject.round_trip(uri),
        Input::Contract { left, right } => subject.contract(left, right),
    })
}

/// Asks `subject`, which must have the operation, to parse `input` as `rule`; a panic is an outcome.
pub fn parse(subject: &dyn Subject, rule: Rule, input: &str) -> Outcome {
    outcome(|| subject.parse(rule, input))
}

/// Asks `subject` whether it accepts `input` as `rule`; none where it cannot say, or panics.
pub fn accepts(subject: &dyn Subject, rule: Rule, input: &str) -> Option<bool> {
    guarded(|guard| guard.call(|| subject.accepts(rule, input))).ok().flatten()
}

fn outcome(call: impl FnOnce() -> Outcome) -> Outcome {
    guarded(|guard| guard.call(call)).unwrap_or_else(Crash::into_outcome)
}

/// That a subject has panicked: what it said last, and where.
pub struct Crash {
    /// Its words.
    pub reason: String,
}

impl Crash {
    /// What the subject did.
    pub fn into_outcome(self) -> Outcome {
        Outcome::Crashed { reason: self.reason }
    }
}

/// What calls into subjects where their panics are caught: see [`guarded`].
pub struct Guard {
    calls: Cell<u64>,
}

impl Guard {
    /// Calls into a subject. If it panics, so does this.
    #[inline]
    pub fn call<T>(&self, call: impl FnOnce() -> T) -> T {
        self.calls.set(self.calls.get() + 1);
        IN_SUBJECT.set(true);
        let answer = call();
        IN_SUBJECT.set(false);
        answer
    }

    /// Looks at what a subject shows in the midst of a [call](Guard::call): a panic of `look` is none of the subject's.
    #[inline]
    pub fn look<T>(&self, look: impl FnOnce() -> T) -> T {
        IN_SUBJECT.set(false);
        let seen = look();
        IN_SUBJECT.set(true);
        seen
    }

    /// Asks `subject`, which must have the operation, to parse `input` as `rule`, and looks at what it shows. If it panics, so does this.
    #[inline]
    pub fn show<T>(&self, subject: &dyn Subject, rule: Rule, input: &str, mut see: impl FnMut(&Shown<'_>) -> T) -> T {
        let mut seen = None;
        self.call(|| subject.show(rule, input, &mut |shown| seen = Some(self.look(|| see(&shown)))));
        seen.unwrap_or_else(|| see(&Shown::Otherwise(&Outcome::unsupported("nothing is shown"))))
    }
}

/// How many questions were answered by a thread. Each has a line of the cache to itself: threads that write to the same one wait
/// for each other.
#[repr(align(128))]
struct Answers(AtomicU64);

/// More than there are threads, most of the time. Two that share one may lose counts.
static ANSWERS: [Answers; 64] = [const { Answers(AtomicU64::new(0)) }; 64];

/// About how many questions subjects have answered in this process, or panicked at: whether they still answer can be told from it.
pub fn answers() -> u64 {
    ANSWERS.iter().fold(0, |sum, Answers(count)| sum.wrapping_add(count.load(Ordering::Relaxed)))
}

/// The count of a new thread.
fn own_answers() -> &'static AtomicU64 {
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    let Answers(count) = &ANSWERS[THREADS.fetch_add(1, Ordering::Relaxed) % ANSWERS.len()];
    count
}

thread_local! {
    static OWN_ANSWERS: &'static AtomicU64 = own_answers();
    static IN_SUBJECT: Cell<bool> = const { Cell::new(false) };
    static LAST_PANIC: Cell<Option<String>> = const { Cell::new(None) };
}

/// Replaces the hook of the process, once, by one that passes on every panic but those of subjects. The first question that is
/// asked does it; whoever sets a hook of their own does so before.
#[inline]
pub fn survive_panics() {
    static HOOK: Once = Once::new();
    if !HOOK.is_completed() {
        HOOK.call_once(replace_hook);
    }
}

/// Does what calls into subjects by the guard that it is lent. The first panic of one of them ends it, and is caught and not printed;
/// any other goes on.
///
/// # Errors
///
/// How the subject panicked. Whoever asks many questions under one guard, which is cheaper, keeps in mind which one was asked.
#[inline]
pub fn guarded<T>(body: impl FnOnce(&Guard) -> T) -> Result<T, Crash> {
    survive_panics();
    let guard = Guard { calls: Cell::new(0) };
    let outer = IN_SUBJECT.replace(false);
    let result = panic::catch_unwind(AssertUnwindSafe(|| body(&guard)));
    let has_panicked_in_subject = IN_SUBJECT.replace(outer);
    // One thread writes, for which no other has to wait.
    let calls = guard.calls.get();
    OWN_ANSWERS.with(|count| count.store(count.load(Ordering::Relaxed).wrapping_add(calls), Ordering::Relaxed));
    result.map_err(|payload| {
        if !has_panicked_in_subject {
            panic::resume_unwind(payload);
        }
        let reason = LAST_PANIC.take().unwrap_or_else(|| "a panic without a message".to_owned());
        Crash { reason }
    })
}

fn replace_hook() {
    let previous = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if IN_SUBJECT.get() {
            let payload = info.payload();
            let message = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
                (Some(message), _) => message,
                (_, Some(message)) => message.as_str(),
                (None, None) => "a panic without a message",
            };
            let place = info.location().map(|location| {
                let file = location.file().rsplit(['/', '\\']).next().unwrap_or_default();
                format!("{file}:{}", location.line())
            });
            LAST_PANIC.set(Some(format!("{message} ({})", place.unwrap_or_default())));
        } else {
            previous(info);
        }
    }));
}
