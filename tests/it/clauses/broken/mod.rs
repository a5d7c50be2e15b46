//! Every clause that input and output can test is broken, and a vector that cites it fails.

mod table;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use Break::{Abnf, Encoded, Printed, Read, Rule};
use uriproof::compare::{Verdict, compare};
use uriproof::coverage::Coverage;
use uriproof::expect::{expect, from_vector};
use uriproof::model::{Expectation, Input, Observed, Outcome, Reading, Subject, Value, Vector};
use uriproof::vectors::Library;
use uriproof_grammar::{Grammar, rfc3986};
use uriproof_lab::mutants::algorithms::{Algorithms, Edit};
use uriproof_subjects::SUBJECTS;

use self::table::BREAKS;
use crate::clauses::grammar::{self, Fault};
use crate::clauses::normalization::{self, Slip as Normal};
use crate::clauses::resolution::{self, Slip as Resolved};

/// How a clause is broken: what is done instead of what it says.
#[derive(Clone, Copy)]
enum Break {
    /// A rule matches too little or too much.
    Rule(&'static str, Fault),
    /// Rules are others.
    Abnf(&'static str),
    /// An algorithm does one thing otherwise.
    Edit(Edit),
    /// A step of section 5.2 is done wrong.
    Resolved(Resolved),
    /// A step of section 6.2 is done wrong.
    Normal(Normal),
    /// The components are read otherwise.
    Read(fn(&mut Observed)),
    /// What is put into a component has these characters percent-encoded.
    Encoded(&'static str),
    /// What has been made is printed otherwise.
    Printed(fn(&str) -> String),
}

/// What follows from a clause's name, and what else the tables of slips and edits break it with.
fn by_name(clause: &str) -> Vec<Break> {
    let of_rules = grammar::faults(clause).into_iter().map(|(rule, fault)| Rule(rule, fault));
    let of_resolution = resolution::SLIPS.iter().filter(|(id, _)| *id == clause).flat_map(|(_, slips)| *slips);
    let of_normalization = normalization::SLIPS.iter().filter(|(id, _)| *id == clause).flat_map(|(_, slips)| *slips);
    let edits = Edit::ALL.iter().filter(|edit| edit.clause() == clause);
    of_rules
        .chain(of_resolution.map(|slip| Break::Resolved(*slip)))
        .chain(of_normalization.map(|slip| Break::Normal(*slip)))
        .chain(edits.map(|edit| Break::Edit(*edit)))
        .collect()
}

fn in_table(clause: &str) -> impl Iterator<Item = (usize, Break)> {
    let breaks = BREAKS.iter().filter(move |(id, _)| *id == clause).flat_map(|(_, breaks)| *breaks);
    breaks.copied().enumerate()
}

/// What an implementation answers that breaks a clause so; nothing where the break has no part in it.
fn answer(broken: Break, input: &Input) -> Option<Outcome> {
    match (broken, input) {
        (Break::Edit(edit), _) => Some(Algorithms::with(edit).answer(input)),
        (
            Break::Resolved(slip),
            Input::Resolve {
                base,
                reference,
                strict,
            },
        ) => Some(match resolution::resolve(base, reference, *strict, Some(slip)) {
            Some(uri) => Outcome::uri(uri),
            None => Outcome::rejected("broken"),
        }),
        (Break::Normal(slip), _) => match normalization::done(input, Some(slip))? {
            Expectation::Uri(uri) => Some(Outcome::uri(uri)),
            Expectation::Equivalent(equivalent) => Some(Outcome::equivalent(equivalent)),
            other => panic!("{input}: {other:?} is no normal form"),
        },
        (Read(change), Input::Parse { .. }) => match expect(input, Reading::Rfc3986).literal() {
            Outcome::Accepted {
                value: Value::Components(mut read),
            } => {
                change(&mut read);
                Some(Outcome::components(read))
            }
            _ => None,
        },
        (
            Encoded(characters),
            Input::Modify {
                uri,
                component,
                value: Some(value),
            },
        ) => {
            let encoded = value.chars().map(|character| match characters.contains(character) {
                true => format!("%{:02X}", u32::from(character)),
                false => character.to_string(),
            });
            let input = Input::Modify {
                uri: uri.clone(),
                component: *component,
                value: Some(encoded.collect()),
            };
            Some(expect(&input, Reading::Rfc3986).literal())
        }
        (Printed(print), _) => match expect(input, Reading::Rfc3986).literal() {
            Outcome::Accepted { value: Value::Uri(uri) } => Some(Outcome::uri(print(&uri))),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a vector fails with this answer.
fn fails(vector: &Vector, answer: &Outcome) -> bool {
    let expected = from_vector(&vector.input, vector.expectation(Reading::Rfc3986));
    let verdict = compare(reference().declaration(), &vector.input, &expected, answer);
    matches!(verdict, Verdict::Diverge(_))
}

/// Who can tell everything.
fn reference() -> &'static dyn Subject {
    *SUBJECTS.iter().find(|subject| subject.declaration().name == "reference").expect("the reference is a subject")
}

/// Whether one of the vectors fails where a clause is broken so.
fn is_noticed(grammar: &Grammar, broken: Break, vectors: &[&Vector]) -> bool {
    let fails = |vector: &Vector, answer: Option<Outcome>| answer.is_some_and(|answer| fails(vector, &answer));
    match broken {
        Rule(rule, fault) => [false, true].into_iter().any(|is_alone| {
            let faulty = grammar::broken(grammar, rule, fault, is_alone);
            let mut answers = grammar::Answers::of(&faulty);
            vectors.iter().any(|vector| {
                let asks_alone = matches!(&vector.input, Input::Parse { rule: of, .. } if of.name() == rule);
                asks_alone == is_alone && fails(vector, answers.answer(&vector.input))
            })
        }),
        Abnf(rules) => {
            let others = Grammar::read(&format!("{rules}\n")).unwrap_or_else(|error| panic!("{rules}: {error}"));
            let faulty = grammar.overridden(&others);
            let mut answers = grammar::Answers::of(&faulty);
            vectors.iter().any(|vector| fails(vector, answers.answer(&vector.input)))
        }
        _ => vectors.iter().any(|vector| fails(vector, answer(broken, &vector.input))),
    }
}

/// The vectors by the clauses that they cite, at any place.
fn cited(library: &Library) -> BTreeMap<&str, Vec<&Vector>> {
    let mut cited: BTreeMap<&str, Vec<&Vector>> = BTreeMap::new();
    for vector in library.vectors() {
        for clause in &vector.clauses {
            cited.entry(clause).or_default().push(vector);
        }
    }
    cited
}

#[test]
fn every_clause_that_can_be_tested_is_broken_and_a_vector_that_cites_it_fails() {
    let library = Library::embedded();
    let grammar = rfc3986::grammar();
    let cited = cited(&library);
    let mut wrong = Vec::new();
    for clause in library.clauses.iter().filter(|clause| clause.untested.is_none()) {
        let id = &*clause.id;
        let vectors = cited.get(id).map_or(&[][..], Vec::as_slice);
        let by_name = by_name(id);
        if by_name.is_empty() && in_table(id).next().is_none() {
            wrong.push(format!("{id}: nothing here breaks it"));
        }
        // Any of what breaks a rule or a step shows that the clause does; what the table has for the clause shows one by one.
        if !by_name.is_empty() && !by_name.iter().any(|broken| is_noticed(&grammar, *broken, vectors)) {
            wrong.push(format!("{id}: no vector that cites it notices that it is broken"));
        }
        for (at, broken) in in_table(id) {
            if !is_noticed(&grammar, broken, vectors) {
                wrong.push(format!("{id}: no vector that cites it notices break {}", at + 1));
            }
        }
    }
    let coverage = Coverage::of(&library);
    println!("{}", coverage.table());
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(coverage.total.covered, coverage.total.testable);
}

#[test]
fn the_report_shows_the_table_that_is_printed() {
    let report = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("REPORT.md")).expect("it is there");
    let table = Coverage::of(&Library::embedded()).table();
    assert!(
        report.contains(&format!("\n{table}\n")),
        "REPORT.md is stale: `cargo run -- bless`; the table is\n{table}"
    );
}

#[test]
fn what_breaks_nothing_is_noticed_by_no_vector() {
    let library = Library::embedded();
    let (grammar, vectors): (_, Vec<&Vector>) = (rfc3986::grammar(), library.vectors().collect());
    assert!(!is_noticed(&grammar, Printed(str::to_owned), &vectors));
    assert!(!is_noticed(&grammar, Read(|_| ()), &vectors));
    assert!(!is_noticed(&grammar, Encoded(""), &vectors));
    assert!(!is_noticed(&grammar, Abnf("no-rule-of-the-RFC = ALPHA"), &vectors));
}

#[test]
fn the_table_names_clauses_that_are_there_and_can_be_tested() {
    let library = Library::embedded();
    for (id, breaks) in BREAKS {
        let clause = library.clause(id).unwrap_or_else(|| panic!("{id} is not in the register"));
        assert_eq!(clause.untested, None, "{id}");
        assert!(!breaks.is_empty(), "{id}");
        let entries = BREAKS.iter().filter(|(other, _)| other == id).count();
        assert_eq!(entries, 1, "{id}");
    }
}
