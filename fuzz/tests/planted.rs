//! A target whose only subject does what `PLANTED` says with every string that has a "#" in it, and is right otherwise. What refuses
//! more than is known refuses those with a "?" too.
#![no_main]

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use libfuzzer_sys::fuzz_target;
use uriproof::model::{Declaration, Outcome, Rule, Subject};
use uriproof_lab::answers::{AnswerSample, StoredAnswers};
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::targets::ParseInput;
use uriproof_subjects::reference::Reference;

struct Planted;

static PLANTED: LazyLock<String> = LazyLock::new(|| std::env::var("PLANTED").unwrap_or_default());

static DECLARATION: LazyLock<Declaration> = LazyLock::new(|| {
    let mut declaration = Reference.declaration().clone();
    declaration.name = "planted".into();
    declaration
});

/// Whether the next question who the subject is fails: outside of the subject's own code, as far as the harness knows.
static IS_BROKEN: AtomicBool = AtomicBool::new(false);

/// The line of the panic, which is the class of the crash.
const LINE: u32 = line!() + 3;

fn panics() -> ! {
    panic!("planted");
}

#[expect(unconditional_recursion, reason = "it is to overflow the stack")]
fn overflows(depth: &mut u64) -> u64 {
    let mut frame = [*depth; 64];
    std::hint::black_box(&mut frame);
    *depth += 1;
    overflows(depth) + frame[1]
}

impl Subject for Planted {
    fn declaration(&self) -> &Declaration {
        assert!(!IS_BROKEN.load(Ordering::Relaxed), "the harness is broken");
        &DECLARATION
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        let refuses_more = *PLANTED == "refuses more than is known" && input.contains('?');
        if !input.contains('#') && !refuses_more {
            return Reference.parse(rule, input);
        }
        match PLANTED.as_str() {
            "differs" | "refuses as known" | "refuses more than is known" => Outcome::rejected("no fragments please"),
            "panics" | "panics as known" => panics(),
            "overflows" => Outcome::rejected(overflows(&mut 0)),
            "hangs" => loop {
                std::hint::black_box(());
            },
            "eats memory" => {
                let mut eaten: Vec<Vec<u8>> = Vec::new();
                loop {
                    eaten.push(vec![1; 16 << 20]);
                    std::thread::sleep(std::time::Duration::from_millis(5));
                }
            }
            "exits" => std::process::exit(0),
            "breaks us" => {
                IS_BROKEN.store(true, Ordering::Relaxed);
                Reference.parse(rule, input)
            }
            _ => Reference.parse(rule, input),
        }
    }
}

/// The subject as its stored answers know it.
struct KnownPlanted;

impl Subject for KnownPlanted {
    fn declaration(&self) -> &Declaration {
        &DECLARATION
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        if input.contains('#') {
            return Outcome::rejected("no fragments please");
        }
        Reference.parse(rule, input)
    }
}

fn ledger() -> Ledger {
    let (fingerprint, kind) = match PLANTED.as_str() {
        "panics as known" => (format!("parse crashed planted.rs:{LINE}"), "crashed"),
        "refuses as known" | "refuses more than is known" => ("parse rejected-valid".to_owned(), "rejected"),
        _ => return Ledger::default(),
    };
    let severity = if kind == "crashed" { "crash" } else { "rejected-valid" };
    let known = format!(
        "name = \"planted\"\nversion = \"{}\"\n[[entry]]\nid = \"fragments\"\ncause = \"bug\"\nclause = \"§3.5\"\n\
         explanation = \"It does not take fragments.\"\n[[entry.class]]\nfingerprint = \"{fingerprint}\"\n\
         entry-points = [\"{}\"]\ninput = {{ operation = \"parse\", rule = \"URI-reference\", input = \"#\" }}\n\
         reference = \"accepted\"\nsubject = \"{kind}\"\nseverity = \"{severity}\"\n",
        DECLARATION.version, DECLARATION.entry_point
    );
    Ledger::read(std::path::Path::new("planted"), [("planted.toml".to_owned(), known)]).expect("it is a ledger")
}

/// The answers of the planted subject before it did what it does now, where it is known for another wrong answer.
fn stored() -> StoredAnswers {
    match PLANTED.as_str() {
        "refuses as known" | "refuses more than is known" => {
            StoredAnswers::measure(&AnswerSample::default(), &[&KnownPlanted])
        }
        _ => StoredAnswers::default(),
    }
}

fuzz_target!(
    init: uriproof_fuzz::start_with::<ParseInput>(&[&Planted], &[&Planted], ledger(), &stored()),
    |input: ParseInput| uriproof_fuzz::run(&input)
);
uriproof_fuzz::mutators!();
