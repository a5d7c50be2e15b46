//! Asking a subject: it may panic, and the run goes on.

use std::any::Any;
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

/// Asks `subject`, which must have the operation, to parse `input` as `rule`, and looks at what it shows. A panic is an outcome; one
/// of `see` goes on.
pub fn show<T>(subject: &dyn Subject, rule: Rule, input: &str, mut see: impl FnMut(&Shown<'_>) -> T) -> T {
    let mut seen = None;
    let mut is_seeing = false;
    let shown = guarded(|| {
        subject.show(rule, input, &mut |shown| {
            IN_SUBJECT.set(false);
            is_seeing = true;
            seen = Some(see(&shown));
            is_seeing = false;
            IN_SUBJECT.set(true);
        });
    });
    match (shown, seen) {
        (Err(Panicked(payload)), _) if is_seeing => panic::resume_unwind(payload),
        (Ok(()), Some(seen)) => seen,
        (Ok(()), None) => see(&Shown::Otherwise(&Outcome::unsupported("nothing is shown"))),
        (Err(Panicked(_)), _) => see(&Shown::Otherwise(&crash())),
    }
}

fn outcome(call: impl FnOnce() -> Outcome) -> Outcome {
    guarded(call).unwrap_or_else(|Panicked(_)| crash())
}

fn crash() -> Outcome {
    Outcome::Crashed {
        reason: LAST_PANIC.take().unwrap_or_else(|| "a panic without a message".to_owned()),
    }
}

/// Asks `subject` whether it accepts `input` as `rule`; none where it cannot say, or panics.
pub fn accepts(subject: &dyn Subject, rule: Rule, input: &str) -> Option<bool> {
    guarded(|| subject.accepts(rule, input)).ok().flatten()
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

/// That a subject has panicked, with what; [`LAST_PANIC`] says how.
struct Panicked(Box<dyn Any + Send>);

/// Replaces the hook of the process, once, by one that passes on every panic but those of subjects. The first question that is
/// asked does it; whoever sets a hook of their own does so before.
#[inline]
pub fn survive_panics() {
    static HOOK: Once = Once::new();
    if !HOOK.is_completed() {
        HOOK.call_once(replace_hook);
    }
}

/// Calls into a subject. Its panics are caught, and not printed.
#[inline]
fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, Panicked> {
    survive_panics();
    let outer = IN_SUBJECT.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(call));
    IN_SUBJECT.set(outer);
    // One thread writes, for which no other has to wait.
    OWN_ANSWERS.with(|count| count.store(count.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed));
    result.map_err(Panicked)
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
