//! The suites that stand as files are those that the grammar makes, and the kill rates are those that the suites have.

use std::io::Read as _;
use std::path::Path;
use std::{fs, str};

use flate2::read::GzDecoder;
use serde_json::Value;
use uriproof::compare::own_rule;
use uriproof::model::{Declaration, Observed, Outcome, Rule, Subject};
use uriproof::vectors::Library;
use uriproof_grammar::Alphabet;
use uriproof_lab::complete::{Prepared, SuiteChoice, stream, stream_components};
use uriproof_lab::machines::Machines;
use uriproof_lab::mutants::Rate;
use uriproof_lab::mutants::grammar::{self, MutantFamily};
use uriproof_lab::score::{Depth, Questioner, Score};
use uriproof_lab::suites;
use uriproof_lab::sweep::{Sweep, SweepPlan};
use uriproof_subjects::SUBJECTS;
use uriproof_subjects::reference::Reference;

use crate::process::{program, run};

fn stored(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/syntax/complete");
    fs::read(folder.join(name)).unwrap()
}

fn unpacked(bytes: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
    text
}

#[test]
fn the_files_are_fresh() {
    for (name, made) in suites::files() {
        let stored = stored(name);
        // How it is packed may differ from one version of the packer to the next.
        let same = if name.ends_with(".gz") {
            unpacked(&stored) == unpacked(&made)
        } else {
            stored == made
        };
        assert!(same, "vectors/syntax/complete/{name} is stale: `cargo run -- bless`");
    }
}

#[test]
fn the_files_say_what_the_reference_says() {
    let core = stored("core.jsonl");
    let standard = unpacked(&stored("standard.jsonl.gz"));
    for text in [str::from_utf8(&core).unwrap(), &standard] {
        let mut lines = text.lines();
        let header: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
        let (mut strings, mut accepted) = (0, 0);
        for line in lines {
            strings += 1;
            match serde_json::from_str(line).unwrap() {
                Value::String(input) => {
                    assert!(
                        Rule::UriReference.matches(&input, Default::default()).is_err(),
                        "{input:?}"
                    );
                }
                Value::Object(case) => {
                    accepted += 1;
                    let input = case["input"].as_str().unwrap();
                    assert!(
                        Rule::UriReference.matches(input, Default::default()).is_ok(),
                        "{input:?}"
                    );
                    assert_eq!(recomposed(&case["components"]), input);
                }
                other => panic!("{other}"),
            }
        }
        assert_eq!(
            (&header["strings"], &header["accepted"]),
            (&strings.into(), &accepted.into())
        );
    }
}

fn recomposed(components: &Value) -> String {
    let part = |name: &str| components[name].as_str();
    let with = |before: &str, name: &str, after: &str| {
        part(name).map(|text| format!("{before}{text}{after}")).unwrap_or_default()
    };
    let authority = match part("host") {
        Some(host) => format!("//{}{host}{}", with("", "userinfo", "@"), with(":", "port", "")),
        None => String::new(),
    };
    [
        with("", "scheme", ":"),
        authority,
        with("", "path", ""),
        with("?", "query", ""),
        with("#", "fragment", ""),
    ]
    .concat()
}

/// The whole measurement takes a minute or two in a release build: `uriproof mutants --of grammar --write`, which
/// `.ci/run` does. Here what it was measured with is compared.
#[test]
fn the_kill_rates_are_of_these_suites() {
    let rates = uriproof_cli::measured::grammar_mutants();
    let size = |suite: &str| {
        let suite = rates.suites.iter().find(|rates| rates.suite == suite).unwrap();
        (suite.strings as u64, suite.bytes as u64)
    };
    let stale = "stale: `cargo run -- bless`";
    for entry in suites::entries().iter().filter(|entry| matches!(&*entry.suite, "core" | "standard")) {
        assert_eq!(size(&entry.suite), (entry.strings, entry.bytes), "{stale}");
    }
    let library = Library::embedded();
    for (name, strings) in grammar::of_vectors(&library) {
        let bytes: usize = strings.iter().map(|string| string.len()).sum();
        assert_eq!(size(name), (strings.len() as u64, bytes as u64), "{stale}");
    }
    let standard = rates.suites.iter().find(|rates| rates.suite == "standard").unwrap();
    assert!(standard.strings <= 400_000);
    let share = |rate: Rate| rate.killed as f64 / rate.total as f64;
    assert!(standard.operators.total >= 1_100 && share(standard.operators) >= 0.97);
    assert!(standard.realistic.total >= 400 && share(standard.realistic) >= 0.99);
    let killed_by = |suite: &str| {
        let rates = rates.suites.iter().find(|rates| rates.suite == suite).unwrap();
        rates.operators.killed + rates.realistic.killed
    };
    // The more a suite asks, the more it kills.
    for suites in ["state cover", "transition cover", "HSI", "core", "standard"].windows(2) {
        assert!(killed_by(suites[0]) < killed_by(suites[1]), "{suites:?}");
    }
    assert!(killed_by("HSI") < killed_by("HSI, 256 bytes"));
    let killed = standard.operators.killed + standard.realistic.killed;
    assert_eq!(
        standard.operators.total + standard.realistic.total - killed,
        rates.survivors.len()
    );
    assert!(rates.survivors.iter().all(|survivor| !survivor.reason.is_empty()));
}

/// What is equivalent to the grammar was left out when the mutants were made, by their machines; a few hundred kinds of
/// mistakes are each there, and none escapes the `syntax` vectors.
#[test]
fn the_syntax_vectors_kill_every_mutant_of_the_grammar() {
    let rates = uriproof_cli::measured::grammar_mutants();
    let (killed, by_examples) = rates.curated().unwrap();
    assert!(killed.total >= 3_000, "{killed:?}");
    assert_eq!(killed.killed, killed.total);
    assert_eq!(rates.curated_survivors, []);
    assert!(by_examples.killed < by_examples.total / 4, "{by_examples:?}");
    let syntax = rates.suites.iter().find(|suite| suite.suite == grammar::SYNTAX).unwrap();
    for family in grammar::families() {
        let rate = syntax.families[&family];
        assert!(rate.total >= 20 && rate.killed == rate.total, "{family}: {rate:?}");
    }
}

/// So are the numerals that a lenient reader takes, by the core suite of parsing, which every `check` runs.
#[test]
fn the_core_suite_of_parsing_kills_every_lenient_reader_of_numerals() {
    let rates = uriproof_cli::measured::grammar_mutants();
    let numerals = rates.of_family(grammar::PARSING, MutantFamily::Numeral);
    assert!(numerals.total > 60 && numerals.killed == numerals.total, "{numerals:?}");
}

/// A suite of which nothing failed proves something, and one that something fails proves nothing.
#[test]
fn what_is_proved() {
    let machines = Machines::of_rfc3986();
    for choice in [SuiteChoice::Core, SuiteChoice::Standard] {
        let suite = match choice {
            SuiteChoice::Core => Prepared::core(&machines, Rule::UriReference),
            _ => Prepared::standard(&machines, Rule::UriReference),
        };
        let put = |name: &str| -> (&Declaration, Score) {
            let subject = SUBJECTS.iter().find(|subject| subject.declaration().label().contains(name)).unwrap();
            (subject.declaration(), suite.put(*subject, |_| (), &|| false))
        };
        let (declaration, passed) = put("iri-string 0.7.14 UriReferenceStr");
        assert_eq!(passed.answers(), suite.cases().len() as u64);
        let certificates = choice.certificates(&machines, declaration, &passed);
        assert!(
            certificates[0].proves.contains("at most 183 states"),
            "{}",
            certificates[0].proves
        );
        let (declaration, failed) = put("rhymuri");
        assert!(failed.diverge() > 0);
        assert_eq!(choice.certificates(&machines, declaration, &failed), []);
        // What RFC 3987 governs was not asked, and nothing is said of it.
        if choice == SuiteChoice::Core {
            let (declaration, passed) = put("iri-string 0.7.14 IriReferenceStr");
            for certificate in choice.certificates(&machines, declaration, &passed) {
                assert!(certificate.proves.contains("of US-ASCII"), "{}", certificate.proves);
                assert!(certificate.classes.iter().all(|class| !class.contains("U+")));
            }
        }
    }
}

/// The reference, as if it were too slow for a suite.
struct Slow(Option<usize>);

impl Subject for Slow {
    fn declaration(&self) -> &Declaration {
        Reference.declaration()
    }

    fn budget(&self) -> Option<usize> {
        self.0
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        Reference.parse(rule, input)
    }
}

/// What is beyond a budget is counted as not compared, and nothing is proved; a budget that is large enough changes nothing.
#[test]
fn a_budget_is_kept() {
    let machines = Machines::of_rfc3986();
    let suite = Prepared::core(&machines, own_rule(Reference.declaration()));
    let core = |subject: &dyn Subject| suite.put(subject, |_| (), &|| false);
    let streamed = |subject: &dyn Subject| {
        let hsi = (0, Alphabet::Representatives);
        stream(&machines, hsi, Depth::Acceptance, subject, |_| (), &|| false)
    };
    let drawn = |subject: &dyn Subject| stream_components(&machines, (0, 3986), subject, |_| (), &|| false);
    let swept = |subject: &dyn Subject| {
        let mut sweep = Sweep::new(SweepPlan::of(subject, &machines, (4, Depth::Acceptance), None));
        while sweep.go_on(&machines, (subject, None), |_| (), &|| false) {}
        assert_eq!(sweep.check(&machines, subject), Ok(()));
        assert_eq!(
            sweep.certificate(&machines, subject).is_some(),
            sweep.score().is_clean()
        );
        sweep.score()
    };
    let check = |put: &dyn Fn(&dyn Subject) -> Score| {
        let whole = put(&Slow(None));
        assert!(whole.is_clean() && whole.budget().is_none());
        assert_eq!(put(&Slow(usize::try_from(whole.answers()).ok())), whole);

        let part = put(&Slow(Some(100)));
        assert!((51..=100).contains(&part.answers()), "{} were asked", part.answers());
        assert_eq!(part.answers() + part.left_out(), whole.answers());
        assert_eq!(part.valid.answers() + part.valid.left_out, whole.valid.answers());
        let reason = format!("budget: {} of {} strings", part.answers(), whole.answers());
        assert_eq!(part.not_compared[&reason], part.left_out());
        assert_eq!(part.budget(), Some(&*reason));
        assert!(!part.is_clean());
        assert_eq!(
            SuiteChoice::Core.certificates(&machines, Reference.declaration(), &part),
            []
        );
    };
    check(&core);
    check(&streamed);
    check(&drawn);
    check(&swept);
}

/// The reference, but "%" is as good as nothing.
struct Deaf;

impl Subject for Deaf {
    fn declaration(&self) -> &Declaration {
        Reference.declaration()
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        assert!(!input.starts_with("?%"), "a planted panic");
        Reference.parse(rule, &input.replace('%', ""))
    }
}

/// What differs is told apart by where the machine is and where the subject is.
#[test]
fn what_differs_is_clustered_by_pairs_of_states() {
    let machines = Machines::of_rfc3986();
    let rule = own_rule(Reference.declaration());
    let machine = machines.of(rule).machine();
    let state = |text: &str| machine.run(text.as_bytes());
    let mut sweep = Sweep::new(SweepPlan::of(&Deaf, &machines, (3, Depth::Acceptance), None));
    while sweep.go_on(&machines, (&Deaf, None), |_| (), &|| false) {}
    let score = sweep.score();
    let pair_of = |witness: &str| {
        let (key, _) = score.clusters.iter().find(|(_, cluster)| cluster.witness == witness)?;
        Some((key.0.machine, key.0.subject))
    };
    assert_eq!(pair_of("%"), Some((state("%"), Some(state("")))));
    assert_eq!(pair_of("#%"), Some((state("#%"), Some(state("#")))));
    assert_eq!(pair_of("%a:"), Some((state("%a:"), Some(state("a:")))));
    // It panics at whatever comes behind it.
    assert_eq!(pair_of("?%"), Some((state("?%"), None)));
    let states: Vec<_> = score.clusters.keys().map(|(pair, _)| pair.to_string()).collect();
    assert!(
        states.contains(&format!("state {}, answers as in state {}", state("%"), state(""))),
        "{states:?}"
    );
}

/// Accepts what the reference does, with other components, and cannot say so without them.
struct Mute;

impl Subject for Mute {
    fn declaration(&self) -> &Declaration {
        Reference.declaration()
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        match Reference.parse(rule, input) {
            Outcome::Accepted { .. } => Outcome::components(Observed {
                path: Some("other".to_owned()).into(),
                ..Observed::default()
            }),
            refused => refused,
        }
    }

    fn accepts(&self, _: Rule, _: &str) -> Option<bool> {
        None
    }
}

/// Where only acceptance is looked at, components are not, whichever way the subject says that it accepts.
#[test]
fn components_are_compared_only_where_they_are_looked_at() {
    let machines = Machines::of_rfc3986();
    for (depth, diverging) in [(Depth::Acceptance, 0), (Depth::Components, 1)] {
        let questioner = Questioner::new(&Mute, &machines, depth);
        let mut part = questioner.part(0);
        part.put("a:/b", true, None);
        part.put("a:[", false, None);
        assert_eq!(
            (part.score.answers(), part.score.valid.diverge),
            (2, diverging),
            "{depth:?}"
        );
        assert_eq!(part.score.invalid.agree, 1);
    }
}

/// `complete --operation` runs the suites of `check`, prints the groups of what diverges, and what a pass means.
#[test]
fn the_suite_of_an_operation_says_what_a_pass_means() {
    let complete = |subject: &str, more: &[&str]| {
        let arguments = [
            "complete",
            "--operation",
            "relativize",
            "--operation",
            "round-trip",
            "--subject",
            subject,
        ];
        run(program().args(arguments).args(more))
    };
    let passed = complete("oxiri*Iri::parse", &[]);
    assert_eq!(passed.status, 0, "{}", passed.stderr);
    assert!(
        passed.stdout.contains("What a pass of relativize means, for oxiri"),
        "{}",
        passed.stdout
    );
    assert!(passed.stdout.contains("It does not mean:"), "{}", passed.stdout);

    let failed = complete("urlparse 0.7.3*", &["--format", "json"]);
    assert_eq!(failed.status, 1, "{}", failed.stderr);
    let rows: Value = serde_json::from_str(&failed.stdout).unwrap();
    let row = rows.as_array().unwrap().iter().find(|row| row["operation"] == "round-trip").unwrap();
    assert!(
        row["diverge"].as_u64() > Some(0) && row.get("proves").is_none(),
        "{row}"
    );
    assert_eq!(row["groups"][0]["level"], "must");

    let none = complete("http*", &["--suite", "bytes"]);
    assert_eq!(none.status, 2);
    assert!(none.stderr.contains("`--suite core` and `standard`"), "{}", none.stderr);
}
