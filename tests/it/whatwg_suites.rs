//! The suites of the WHATWG URL Standard: planted mistakes are found by them, and each command that takes the standard runs its strings.

use serde_json::{Value, json};
use uriproof::algorithms::{Size, whatwg};
use uriproof::compare::Verdict;
use uriproof::expect::whatwg::expect;
use uriproof::gate::{Claim, Claimed, Gate};
use uriproof::model::{Declaration, Input, Operation, Outcome, Rule, Subject};
use uriproof::run;
use uriproof::vectors::Library;
use uriproof_lab::sweep::whatwg::{BEGINNINGS, SYMBOLS};
use uriproof_subjects::whatwg::WhatwgReference;

use crate::process::{Done, on_one_line, program, run as run_program};

/// What follows the standard but for one text, which it takes for another: of its input, or of its answer.
struct DepartingUrl {
    mistake: Departure,
}

/// The place of a mistake, the text, and what it is taken for.
#[derive(Clone, Copy)]
enum Departure {
    Reads(&'static str, &'static str),
    Writes(&'static str, &'static str),
}

impl Subject for DepartingUrl {
    fn declaration(&self) -> &Declaration {
        WhatwgReference.declaration()
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        let input = match self.mistake {
            Departure::Reads(text, other) => input.replace(text, other),
            Departure::Writes(..) => input.to_owned(),
        };
        self.written(expect(&Input::Parse { rule, input }).literal())
    }

    fn answer(&self, input: &Input) -> Outcome {
        match input {
            Input::Parse { rule, input } => self.parse(*rule, input),
            other => self.written(expect(other).literal()),
        }
    }
}

impl DepartingUrl {
    fn written(&self, outcome: Outcome) -> Outcome {
        match self.mistake {
            Departure::Reads(..) => outcome,
            Departure::Writes(text, other) => {
                let written = serde_json::to_string(&outcome).unwrap().replace(text, other);
                serde_json::from_str(&written).unwrap()
            }
        }
    }
}

/// Whether one of these inputs shows a mistake.
fn is_found(inputs: &[Input], mistake: Departure) -> bool {
    let departing = DepartingUrl { mistake };
    let claimed = Claimed::new(&departing as &dyn Subject, Some(Claim::Whatwg));
    let diverges = |input: &Input| {
        let result = run::unless_agreeing(&claimed, input);
        result.is_some_and(|result| matches!(result.verdict, Verdict::Diverge(_)))
    };
    inputs.iter().any(diverges)
}

#[test]
fn each_planted_mistake_is_found() {
    use Departure::{Reads, Writes};
    let of_parsing = [
        // The IPv4 parser: limits by place, radixes, empty parts, the number of parts.
        Reads("1.256.1.1", "1.255.1.1"),
        Reads("1.1.65536/", "1.1.65535/"),
        Reads("1.16777216/", "1.16777215/"),
        Reads("//4294967296/", "//0/"),
        Reads("0377", "377"),
        Reads("0x/", "h/"),
        Reads("1.09/", "1.9/"),
        Reads("1.1.1.1./", "1.1.1.1../"),
        Reads("1.1.1.1.1/", "1.1.1.1/"),
        // The IPv6 parser: pieces, digits, compression, IPv4 addresses in it.
        Reads("00001", "0001"),
        Reads("[1:1:1:1:1:1:1]", "[1:1:1:1:1:1:1:1]"),
        Reads("[1:1:1:1:1:1:1:1::]", "[1:1:1:1:1:1:1:1]"),
        Reads("::1::", "::1:1"),
        Reads("[1:1:1:1:1:1:1:1.2.3.4]", "[1:1:1:1:1:1:1.2.3.4]"),
        Reads(".01.", ".1."),
        Reads(".256]", ".255]"),
        // The IPv6 serializer: a single zero piece, the first of two runs.
        Writes("[0:1:1:1:1:1:1:1]", "[::1:1:1:1:1:1:1]"),
        Writes("[1::1:1:0:0:1]", "[1:0:0:1:1::1]"),
        // Percent-encode sets.
        Writes("%5E", "^"),
        Writes("%27", "'"),
        Writes("%7C", "|"),
        Writes("%7F", "\u{7f}"),
        Writes("%C3%A9", "\u{e9}"),
        Writes("\"b|b\"", "\"b%7Cb\""),
    ];
    let inputs = whatwg::inputs(Operation::Parse);
    for (number, mistake) in of_parsing.into_iter().enumerate() {
        assert!(is_found(&inputs, mistake), "mistake {number}");
    }
    let inputs = whatwg::inputs(Operation::Modify);
    for mistake in [Writes("%7C", "|"), Writes("b%3Bb", "b;b"), Writes("[::1]", "[0::1]")] {
        assert!(is_found(&inputs, mistake));
    }
}

/// A group of the suite is a failure that cites the standard, and the standard itself has none.
#[test]
fn the_gate_runs_the_suites_under_the_claim() {
    let library = Library::embedded();
    let only = ["suite/parse", "suite/modify"];
    let gate = Gate::of(&WhatwgReference).claim(Claim::Whatwg).suite(Some(Size::Core)).only(&only).unwrap();
    let judgement = gate.run(&library).unwrap();
    assert_eq!(judgement.failures(), []);
    for suite in &judgement.suites {
        let own = whatwg::inputs(suite.operation).len() as u64;
        assert!(suite.counts.agree > own / 2, "{suite}");
    }
    let departing = DepartingUrl {
        mistake: Departure::Writes("%5E", "^"),
    };
    let gate = Gate::of(&departing).claim(Claim::Whatwg).suite(Some(Size::Core)).only(&["suite/parse"]).unwrap();
    let judgement = gate.run(&library).unwrap();
    let (vector, failure) = judgement.failures()[0];
    assert_eq!(vector.clauses, ["#concept-basic-url-parser/9"]);
    assert!(failure.expected.contains("%5E"), "{failure:?}");
}

fn uriproof(command: &str, arguments: &[&str]) -> Done {
    run_program(program().args([command, "--specification", "whatwg"]).args(arguments))
}

#[test]
fn complete_runs_the_suites_of_the_standard() {
    let done = uriproof("complete", &["--subject", "url", "--format", "json"]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    let rows: Vec<Value> = serde_json::from_str(&done.stdout).unwrap();
    let operations: Vec<&Value> = rows.iter().map(|row| &row["operation"]).collect();
    assert_eq!(operations, [&json!("parse"), &json!("modify")]);
    assert!(
        rows[0]["agree"].as_u64() > Some(whatwg::inputs(Operation::Parse).len() as u64),
        "{rows:?}"
    );
    for refused in [
        &["--suite", "bytes"][..],
        &["--extra-states", "1"],
        &["--profile", "http"],
    ] {
        let done = uriproof("complete", refused);
        assert_eq!(done.status, 2, "{refused:?}: {}", done.stdout);
    }
}

/// The reference through an adapter passes, and what that means is printed; RFC 3986 fails.
#[test]
fn sweep_compares_each_string_with_the_standard() {
    let serve = format!("{} serve --subject whatwg", env!("CARGO_BIN_EXE_uriproof"));
    let passed = uriproof("sweep", &["--max-length", "1", "--command", &serve]);
    assert_eq!(passed.status, 0, "{}{}", passed.stdout, passed.stderr);
    let strings = BEGINNINGS.len() * (1 + SYMBOLS.len());
    assert!(passed.stdout.contains(&format!("{strings} agree")), "{}", passed.stdout);
    assert!(
        passed.stdout.contains("It is right on each string of up to 1 of the 18 characters"),
        "{}",
        passed.stdout
    );
    assert!(
        passed.stdout.contains("It does not mean: that a longer string is right"),
        "{}",
        passed.stdout
    );

    let failed = uriproof(
        "sweep",
        &[
            "--max-length",
            "2",
            "--alphabet",
            "a.\\",
            "--subject",
            "reference",
            "--format",
            "json",
        ],
    );
    assert_eq!(failed.status, 1, "{}", failed.stderr);
    let rows: Vec<Value> = serde_json::from_str(&failed.stdout).unwrap();
    let total = rows[0]["agree"].as_u64().unwrap() + rows[0]["diverge"].as_u64().unwrap();
    assert_eq!(total, 12 * (1 + 3 + 9), "{rows:?}");
    assert!(
        rows[0]["groups"].as_array().is_some_and(|groups| !groups.is_empty()),
        "{rows:?}"
    );

    for (refused, why) in [
        (&["--state", "sweep.json"][..], "--state"),
        (&["--profile", "iri"], "--profile"),
    ] {
        let done = uriproof("sweep", refused);
        assert_eq!((done.status, done.stderr.contains(why)), (2, true), "{}", done.stderr);
    }
    let other = run_program(program().args(["sweep", "--specification", "URI", "--alphabet", "a"]));
    assert_eq!(other.status, 2, "{}", other.stdout);
}

/// Built-in subjects as adapters are: the standard measures those that follow it, unless something else is named or run too.
#[test]
fn a_named_subject_is_measured_by_the_standard_that_it_follows() {
    let run = |arguments: &[&str]| run_program(program().args(arguments).args(["--subject", "url 2.5.8 *"]));
    let said = "uriproof: url 2.5.8 Url::parse is compared with the WHATWG URL Standard, which it follows";
    let other = "uriproof: url 2.5.8 Url::parse follows the WHATWG URL Standard: --specification whatwg compares it";
    let swept = run(&["sweep", "--max-length", "1"]);
    assert!(swept.stderr.starts_with(said), "{}", swept.stderr);
    assert!(
        swept.stdout.contains("its profile in the ledger predicts 3 of 3 divergences"),
        "{}",
        swept.stdout
    );
    for (by_standard, shown) in [
        (
            &["hunt", "--batches", "1", "--processes", "1"][..],
            "nothing else was found",
        ),
        (&["complete", "--operation", "normalize"], "url 2.5.8 Url::parse"),
        (
            &["learn", "--budget", "2000"],
            "difference from the WHATWG URL Standard",
        ),
        (&["minimize", "http://a"], "parse"),
    ] {
        let done = run(by_standard);
        assert!(done.stderr.starts_with(said), "{by_standard:?}: {}", done.stderr);
        assert!(
            on_one_line(&done.stdout).contains(shown),
            "{by_standard:?}: {}",
            done.stdout
        );
    }
    for by_rfc in [
        &["sweep", "--max-length", "1", "--components"][..],
        &["sweep", "--max-length", "1", "--profile", "iri"],
        &["sweep", "--max-length", "1", "--subject", "http"],
        &["learn", "--budget", "2000", "--components"],
    ] {
        let done = run(by_rfc);
        assert!(done.stderr.starts_with(other), "{by_rfc:?}: {}", done.stderr);
        assert!(done.stdout.contains("RFC 3986"), "{by_rfc:?}: {}", done.stdout);
    }
    let named = run(&["sweep", "--max-length", "1", "--specification", "URI-reference"]);
    assert!(
        named.stderr.is_empty() && named.stdout.contains("RFC 3986"),
        "{}",
        named.stdout
    );
}

#[test]
fn vectors_lists_those_of_the_standard() {
    let vectors = |action: &str, more: &[&str]| {
        let done = run_program(program().args(["vectors", action, "--specification", "whatwg"]).args(more));
        assert_eq!(done.status, 0, "{}", done.stderr);
        done.stdout
    };
    let library = Library::embedded();
    assert_eq!(vectors("list", &[]).lines().count(), library.whatwg.vectors.len());
    let listed: Vec<Value> =
        serde_json::from_str(&vectors("list", &["--only", "whatwg/host/*", "--format", "json"])).unwrap();
    assert!(!listed.is_empty());
    for vector in &listed {
        assert_eq!(vector["file"], "whatwg/host.json");
        assert!(vector["expect"]["whatwg"].is_object(), "{vector}");
    }
    let coverage: Value = serde_json::from_str(&vectors("clauses", &["--format", "json"])).unwrap();
    assert_eq!(coverage["total"]["clauses"], library.whatwg.clauses.len());
    assert!(vectors("clauses", &[]).contains("concept-ipv6-parser"));
}
