//! Calls a subject; if it panics, the run goes on.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::{fs, ptr};

use crate::model::{Input, Outcome, Rule, Shown, Subject};

/// Runs an input on `subject`; a panic is an outcome.
pub fn ask(subject: &dyn Subject, input: &Input) -> Outcome {
    let operation = input.operation();
    if !subject.declaration().operations.contains(&operation) {
        return Outcome::unsupported(format!("no operation `{operation}`"));
    }
    outcome(|| subject.answer(input))
}

/// As [`ask`], of an input that is one of a row: see [`Subject::answer_in_turn`].
pub fn ask_in_turn(subject: &dyn Subject, input: &Input, next: &dyn Fn(usize) -> Option<Input>) -> Outcome {
    let operation = input.operation();
    if !subject.declaration().operations.contains(&operation) {
        return Outcome::unsupported(format!("no operation `{operation}`"));
    }
    outcome(|| subject.answer_in_turn(input, next))
}

/// Parses `input` as `rule` with `subject`, which must have the operation; a panic is an outcome.
pub fn parse(subject: &dyn Subject, rule: Rule, input: &str) -> Outcome {
    outcome(|| subject.parse(rule, input))
}

/// Returns whether `subject` accepts `input` as `rule`; `None` if it cannot say, or panics.
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
    slot: &'static Slot,
}

impl Guard {
    /// Calls into a subject. If it panics, so does this.
    #[inline]
    pub fn call<T>(&self, call: impl FnOnce() -> T) -> T {
        self.slot.turn();
        let answer = call();
        self.slot.turn();
        answer
    }

    /// Looks at what a subject shows in the midst of a [call](Guard::call): a panic of `look` is none of the subject's.
    #[inline]
    pub fn look<T>(&self, look: impl FnOnce() -> T) -> T {
        self.slot.turn();
        let seen = look();
        self.slot.turn();
        seen
    }

    /// Parses `input` as `rule` with `subject`, which must have the operation, and passes on what it shows. If it panics, so does this.
    #[inline]
    pub fn show<T>(&self, subject: &dyn Subject, rule: Rule, input: &str, mut see: impl FnMut(&Shown<'_>) -> T) -> T {
        let mut seen = None;
        self.call(|| subject.show(rule, input, &mut |shown| seen = Some(self.look(|| see(&shown)))));
        seen.unwrap_or_else(|| see(&Shown::Otherwise(&Outcome::unsupported("nothing is shown"))))
    }
}

/// Whether a thread is in a subject. A slot has a cache line of its own, so that threads do not wait for each other.
#[repr(align(128))]
struct Slot {
    /// Odd while a subject has control; changes with every call.
    turns: AtomicU64,
    /// The system's number of the thread; 0 if there is none.
    thread: AtomicU64,
}

impl Slot {
    /// Gives control to the subject, or takes it back. Only the thread itself writes here.
    #[inline]
    fn turn(&self) {
        self.turns.store(self.turns.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }

    #[inline]
    fn is_in_subject(&self) -> bool {
        self.turns.load(Ordering::Relaxed) % 2 == 1
    }

    /// Takes control back from a subject if it has it, and returns whether it had.
    #[inline]
    fn leave(&self) -> bool {
        let was_in_subject = self.is_in_subject();
        if was_in_subject {
            self.turn();
        }
        was_in_subject
    }
}

/// Every slot, and those that no thread has.
struct Slots {
    all: Vec<&'static Slot>,
    free: Vec<&'static Slot>,
}

static SLOTS: Mutex<Slots> = Mutex::new(Slots {
    all: Vec::new(),
    free: Vec::new(),
});

/// The slots are whole even if a thread panicked.
fn slots() -> MutexGuard<'static, Slots> {
    SLOTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The slot of a thread, which the next thread takes over.
struct OwnSlot(&'static Slot);

impl OwnSlot {
    fn new() -> OwnSlot {
        let mut slots = slots();
        let slot = slots.free.pop().unwrap_or_else(|| {
            let slot: &'static Slot = Box::leak(Box::new(Slot {
                turns: AtomicU64::new(0),
                thread: AtomicU64::new(0),
            }));
            slots.all.push(slot);
            slot
        });
        slot.thread.store(thread_number().unwrap_or(0), Ordering::Relaxed);
        OwnSlot(slot)
    }
}

impl Drop for OwnSlot {
    fn drop(&mut self) {
        self.0.leave();
        self.0.thread.store(0, Ordering::Relaxed);
        slots().free.push(self.0);
    }
}

/// The number by which the system knows this thread: Linux alone says it in a file.
fn thread_number() -> Option<u64> {
    let link = cfg!(target_os = "linux").then(|| fs::read_link("/proc/thread-self"))?.ok()?;
    link.file_name()?.to_str()?.parse().ok()
}

/// A call into a subject that has not returned yet.
#[derive(Clone, Copy)]
pub struct Call {
    slot: &'static Slot,
    turns: u64,
}

impl Call {
    /// Whether it still has not returned.
    pub fn lasts(&self) -> bool {
        self.slot.turns.load(Ordering::Relaxed) == self.turns
    }

    /// Whether both are the same call.
    pub fn is(&self, other: &Call) -> bool {
        ptr::eq(self.slot, other.slot) && self.turns == other.turns
    }

    /// The number by which the system knows the thread that calls; `None` if that cannot be known.
    pub fn thread(&self) -> Option<u64> {
        Some(self.slot.thread.load(Ordering::Relaxed)).filter(|&number| number != 0)
    }
}

/// The calls of all threads of this process that are in a subject at this moment.
pub fn calls() -> Vec<Call> {
    let slots = slots();
    let calls = slots.all.iter().map(|&slot| Call {
        slot,
        turns: slot.turns.load(Ordering::Relaxed),
    });
    calls.filter(|call| call.turns % 2 == 1).collect()
}

/// Waits for a subject that is not in this process: meanwhile no call lasts.
pub fn outside<T>(wait: impl FnOnce() -> T) -> T {
    let slot = OWN_SLOT.with(|own| own.0);
    let was_in_subject = slot.leave();
    let answer = wait();
    if was_in_subject {
        slot.turn();
    }
    answer
}

thread_local! {
    static OWN_SLOT: OwnSlot = OwnSlot::new();
    static LAST_PANIC: Cell<Option<String>> = const { Cell::new(None) };
}

/// Replaces the panic hook of the process, once, by one that passes on every panic except those of subjects. The first call of
/// a subject does it; set a hook of your own before that.
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
/// How the subject panicked. Many questions under one guard are cheaper: see [`each`].
#[inline]
pub fn guarded<T>(body: impl FnOnce(&Guard) -> T) -> Result<T, Crash> {
    survive_panics();
    let slot = OWN_SLOT.with(|own| own.0);
    let guard = Guard { slot };
    let was_in_subject = slot.leave();
    let result = panic::catch_unwind(AssertUnwindSafe(|| body(&guard)));
    let has_panicked_in_subject = slot.leave();
    if was_in_subject {
        slot.turn();
    }
    result.map_err(|payload| {
        if !has_panicked_in_subject {
            panic::resume_unwind(payload);
        }
        let reason = LAST_PANIC.take().unwrap_or_else(|| "a panic without a message".to_owned());
        Crash { reason }
    })
}

/// Calls `body` with one item after the other, under one guard. The first item at which a subject panics ends it and is returned: the
/// others are left in `items`. `None` if there are no more.
#[inline]
pub fn each<T: Copy>(items: &mut impl Iterator<Item = T>, mut body: impl FnMut(&Guard, T)) -> Option<(T, Crash)> {
    let mut at_hand = None;
    let done = guarded(|guard| {
        for item in items {
            at_hand = Some(item);
            body(guard, item);
        }
    });
    at_hand.zip(done.err())
}

fn replace_hook() {
    let previous = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if OWN_SLOT.try_with(|own| own.0.is_in_subject()).unwrap_or(false) {
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
