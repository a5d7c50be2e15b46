//! A learner reports parsers that contradict themselves or never answer.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use uriproof_grammar::learn::{Options, Oracle, Stop, TIMED_OUT, learn};

use super::{REFERENCE, acceptance, options, valid};

#[test]
fn oracles_that_are_no_machines_are_reported() {
    let asked = AtomicU64::new(0);
    let learned = acceptance(|input| valid(input) != (asked.fetch_add(1, Ordering::Relaxed) % 1_000 == 999));
    assert!(
        matches!(learned.stopped, Some(Stop::NotDeterministic { .. })),
        "{:?}",
        learned.stopped
    );
    assert!(!learned.is_equal());
}

/// Oracles whose answers do not repeat: by chance, from some question on, and by what was asked before.
#[test]
fn answers_that_contradict_each_other_are_reported_and_never_panic() {
    let budget = 30_000;
    let options = |random_edits| Options {
        random_edits,
        extra_states: 0,
        state_limit: 400,
        query_limit: budget,
        threads: 1,
        ..Options::default()
    };
    let check = |name: &str, oracle: &(dyn Fn(&str) -> u32 + Sync)| {
        let learned = learn(REFERENCE.machine(), &|input: &str| oracle(input), &options(1_000));
        assert!(!learned.is_equal() && learned.stopped.is_some(), "{name}");
        assert!(
            learned.questions() <= 2 * budget,
            "{name}: {} questions",
            learned.questions()
        );
        if let Some(Stop::NotDeterministic { answers, .. }) = learned.stopped {
            assert_ne!(answers[0], answers[1], "{name}");
            assert!(learned.differences.is_empty(), "{name}");
            return true;
        }
        false
    };
    for seed in 0..60 {
        let random = Mutex::new(fastrand::Rng::with_seed(seed));
        assert!(check(&format!("random {seed}"), &|_| random.lock().unwrap().u32(..4)));
        let random = Mutex::new(fastrand::Rng::with_seed(seed));
        assert!(check(&format!("half random {seed}"), &|input| match input.len() % 2 {
            0 => u32::from(valid(input)),
            _ => random.lock().unwrap().u32(..2),
        }));
    }
    // What changes before the first state is known is another machine, and what changes later contradicts itself.
    let asked = AtomicU64::new(0);
    let mut contradictions = 0;
    for seed in 0..60 {
        let flip = fastrand::Rng::with_seed(seed).u64(1..4_000);
        asked.store(0, Ordering::Relaxed);
        let oracle = |input: &str| u32::from(valid(input) != (asked.fetch_add(1, Ordering::Relaxed) >= flip));
        contradictions += u32::from(check(&format!("flips after {flip}"), &oracle));
    }
    assert!(contradictions >= 40, "{contradictions}");
    for (secret, leaks) in [("/", 1), ("//", 1), ("a:", 0), ("?", 2), ("", 1)] {
        let before = Mutex::new(String::new());
        let oracle = |input: &str| {
            let before = std::mem::replace(&mut *before.lock().unwrap(), input.to_owned());
            if before == secret {
                leaks
            } else {
                u32::from(valid(input))
            }
        };
        let learned = learn(REFERENCE.machine(), &oracle, &options(1_000));
        assert!(
            learned.questions() <= 2 * budget,
            "{secret:?}: {} questions",
            learned.questions()
        );
        assert!(!learned.is_equal(), "{secret:?}");
    }
}

/// What is unsupported is not rejected.
#[test]
fn what_does_not_answer_is_not_learned() {
    struct Silent(&'static str);
    impl Oracle for Silent {
        fn output(&self, input: &str) -> Result<u32, String> {
            match input.contains(self.0) {
                true => Err("no such thing".to_owned()),
                false => Ok(u32::from(valid(input))),
            }
        }
    }
    for needle in ["", "//", "[", "%", "é"] {
        let learned = learn(REFERENCE.machine(), &Silent(needle), &options());
        assert!(!learned.is_equal(), "{needle:?}");
        let Some(Stop::Unanswered { witness, reason }) = &learned.stopped else {
            panic!("{needle:?}: {:?}", learned.stopped);
        };
        assert!(witness.contains(needle) && reason == "no such thing", "{witness:?}");
    }
}

/// A learner that is stopped asks nothing more, shows no difference, and says no more than it was answered.
#[test]
fn a_learner_that_is_stopped_has_learned_nothing() {
    struct Stopping {
        answered: AtomicU64,
        at: u64,
    }
    impl Oracle for Stopping {
        fn output(&self, _: &str) -> Result<u32, String> {
            self.answered.fetch_add(1, Ordering::Relaxed);
            Ok(0)
        }
        fn is_stopped(&self) -> bool {
            self.answered.load(Ordering::Relaxed) >= self.at
        }
    }
    for at in [0, 1, 300, 3_000] {
        let oracle = Stopping {
            answered: AtomicU64::new(0),
            at,
        };
        let options = Options {
            threads: 1,
            ..options()
        };
        let learned = learn(REFERENCE.machine(), &oracle, &options);
        let Some(Stop::Interrupted { asked }) = learned.stopped else {
            panic!("{at}: {:?}", learned.stopped);
        };
        assert_eq!(oracle.answered.into_inner(), at);
        assert!(
            asked <= at && learned.differences.is_empty() && !learned.is_equal(),
            "{asked}"
        );
    }
}

/// What does not answer in time is no rejection either, but a difference.
#[test]
fn what_times_out_is_a_difference() {
    let hangs = |input: &str| match input.strip_prefix("?%") {
        Some(_) => TIMED_OUT,
        None => u32::from(valid(input)),
    };
    let learned = learn(REFERENCE.machine(), &hangs, &options());
    assert_eq!(learned.stopped, None);
    let mut kinds: Vec<String> = learned.groups().iter().map(|group| group.kind.to_string()).collect();
    kinds.dedup();
    assert_eq!(kinds, ["timed out"]);
    assert_eq!(learned.differences[0].witness, "?%");
}

#[test]
fn a_stopped_learner_does_not_claim_equality() {
    let counts = |input: &str| valid(input) && input.matches('a').count() % 3 != 2;
    let oracle = |input: &str| u32::from(counts(input));
    let learned = learn(
        REFERENCE.machine(),
        &oracle,
        &Options {
            state_limit: 250,
            ..options()
        },
    );
    assert_eq!(learned.stopped, Some(Stop::States { limit: 250 }));
    assert!(!learned.is_equal());
    assert!(learned.differences.iter().all(|difference| counts(&difference.witness) != valid(&difference.witness)));
    let learned = learn(
        REFERENCE.machine(),
        &oracle,
        &Options {
            query_limit: 50_000,
            ..options()
        },
    );
    assert_eq!(learned.stopped, Some(Stop::Queries { limit: 50_000 }));
}
