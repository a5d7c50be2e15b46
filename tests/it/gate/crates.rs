//! The tests of a crate can run the gate as a function.

use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::TempDir;
use uriproof::gate::{Conclusion, Gate};
use uriproof::model::{Declaration, Level, Observed, Operation, Outcome, Reading, Rule, Subject};
use uriproof::vectors::Library;

/// Recognizes what is valid, every other time.
struct Flaky(AtomicUsize);

impl Subject for Flaky {
    fn declaration(&self) -> &Declaration {
        &SPLITS
    }

    fn parse(&self, _: Rule, input: &str) -> Outcome {
        let is_valid = rfc3986_reference::components::parse(input, Reading::Rfc3986).is_ok();
        match self.0.fetch_add(1, Ordering::Relaxed) % 2 {
            1 if is_valid => Outcome::components(Observed::default()),
            _ => Outcome::rejected("not yet"),
        }
    }
}

#[test]
fn a_crate_with_answers_that_do_not_repeat_has_no_baseline() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("uriproof.toml");
    let flaky = Flaky(AtomicUsize::new(0));
    let gate = Gate::of(&flaky).baseline(&file);
    let library = Library::embedded();
    let judgement = gate.run(&library).unwrap();
    assert_eq!(judgement.conclusion(), Conclusion::Fail);
    assert!(judgement.tally().unrepeated > 0);
    let refused = gate.write(&library).unwrap_err();
    assert!(
        refused.contains("is not written: answers do not repeat, which no baseline can excuse: "),
        "{refused}"
    );
    assert!(!file.exists());
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| gate.assert())).unwrap_err();
    let message = panicked.downcast_ref::<String>().unwrap();
    assert!(
        message.contains("  does not repeat\n  first     rejected: not yet\n  again     "),
        "{message}"
    );
}

/// Splits at the first colon, and refuses nothing.
struct Splits;

static SPLITS: Declaration = Declaration::new("splits", "1.0.0", "split", &[Operation::Parse]);

impl Subject for Splits {
    fn declaration(&self) -> &Declaration {
        &SPLITS
    }

    fn parse(&self, _: Rule, input: &str) -> Outcome {
        Outcome::components(Observed {
            scheme: input.split_once(':').map(|(scheme, _)| scheme).into(),
            ..Observed::default()
        })
    }
}

#[test]
fn a_crate_has_the_gate_in_one_line() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("uriproof.toml");
    let gate = || Gate::of(&Splits).baseline(&file);
    let panicked = std::panic::catch_unwind(|| gate().assert()).unwrap_err();
    let message = panicked.downcast_ref::<String>().unwrap();
    for expected in [
        "splits 1.0.0 split: ",
        "  severity  scheme-or-port\n  input     ",
        "  expected  scheme undefined\n  got       scheme ",
        "  clause    §",
        "\nand ",
        "`URIPROOF_BASELINE=write cargo test` records known failures in ",
    ] {
        assert!(message.contains(expected), "{expected} is not in {message}");
    }
    let library = Library::embedded();
    // A group of a suite that diverges again repeats.
    let judgement = gate().run(&library).unwrap();
    assert!(judgement.suites.iter().any(|suite| suite.groups > 0));
    assert_eq!(judgement.tally().unrepeated, 0);
    let said = gate().write(&library).unwrap();
    assert!(said.contains(" 0 changed, 0 deleted"), "{said}");
    gate().assert();
    assert_eq!(gate().run(&library).unwrap().conclusion(), Conclusion::Pass);
    // Of another level less is compared, and lines of the baseline were never asked.
    let judgement = gate().levels([Level::May]).run(&library).unwrap();
    assert_eq!(judgement.conclusion(), Conclusion::Fail);
    assert!(judgement.problems.iter().any(|problem| problem.message.contains("vectors were compared, and there were")));
    assert!(judgement.problems.iter().any(|problem| problem.message.contains("was not run (of level must)")));
    // A selection stands by itself, and writes nothing.
    let some = gate().only(&["syntax/port/*"]).unwrap();
    assert_eq!(some.run(&library).unwrap().conclusion(), Conclusion::Pass);
    assert!(some.write(&library).unwrap_err().contains("from all vectors"));
    assert!(gate().only(&["a{"]).is_err());
}
