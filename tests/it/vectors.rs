//! The vectors: their form, their schema, and that the reference gives what they expect.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use jsonschema::Validator;
use rfc3986_reference::normalize::{SCHEME_FACTS, SchemeFact};
use serde_json::Value;
use uriproof::ask;
use uriproof::compare::{Difference, DifferenceKind, Verdict, compare, own_rule};
use uriproof::expect::{Expected, expect, from_vector};
use uriproof::model::{ComponentSet, Expectation, Input, Level, Outcome, Reading, Rule, Vector, VectorFile};
use uriproof::vectors::{Acceptances, DATA_VERSION, FUNCTION_NAMES, Library, WHATWG_FUNCTION_NAMES};
use uriproof_lab::ready::{NoVector, new_vector, ready_vector};
use uriproof_subjects::SUBJECTS;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn validator(schema: &str) -> Validator {
    jsonschema::validator_for(&json(&folder().join(schema))).unwrap()
}

#[test]
fn the_vectors_are_free_of_problems() {
    for library in [Library::embedded(), Library::from_path(&folder()).unwrap()] {
        let problems: Vec<String> = library.lint().iter().map(ToString::to_string).collect();
        assert_eq!(problems, Vec::<String>::new());
    }
}

#[test]
fn every_rejection_stands_beside_an_acceptance() {
    let problems: Vec<String> = Library::embedded().lint_twins().iter().map(ToString::to_string).collect();
    assert_eq!(problems, Vec::<String>::new());
}

#[test]
fn one_kind_of_fact_has_one_level() {
    let problems: Vec<String> = Library::embedded().lint_levels().iter().map(ToString::to_string).collect();
    assert_eq!(problems, Vec::<String>::new());
}

#[test]
fn a_level_that_the_words_of_the_rfc_do_not_give_is_named() {
    let vector = |name: &str, input: Value, level: &str, clause: &str| {
        serde_json::json!({
            "id": format!("own/{name}"), "input": input, "level": level, "clauses": [clause],
            "expect": { "rfc3986": { "outcome": "accepted", "equivalent": true } },
        })
    };
    let pair = |left: &str, rung: &str| serde_json::json!({ "operation": "equivalent", "left": left, "right": "http://h/", "rung": rung });
    let file = serde_json::json!({
        "uriproof": 1, "title": "Levels", "section": "6.2.3",
        "vectors": [
            vector("port", pair("http://h:80/", "scheme"), "must", "§6.2.3/port"),
            vector("case", pair("http://H/", "syntax"), "must", "§6.2.2.1/scheme-and-host"),
            vector("host", pair("http://%68/", "syntax"), "should", "§6.2.2.2/decode-unreserved"),
            vector("other-host", pair("http://%68/.", "syntax"), "may", "§6.2.2.2/decode-unreserved"),
        ],
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.json");
    fs::write(&path, file.to_string()).unwrap();
    let problems = Library::from_path(&path).unwrap().lint_levels();
    let messages: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "own/port: what scheme-specific rules decide is `should` or `may`, not `must`",
            "own/case: `§6.2.2.1/scheme-and-host` is `should`, so it decides no `must`; cite first the clause that does",
            "own/other-host: the level is `may`, and `should` in own/host, which `§6.2.2.2/decode-unreserved` decides too",
        ]
    );
}

/// `vectors/README.md` has the facts about schemes for implementations in other languages.
#[test]
fn the_readme_has_the_facts_about_schemes() {
    let readme = fs::read_to_string(folder().join("README.md")).unwrap();
    let rows: Vec<String> = SCHEME_FACTS
        .iter()
        .map(|(scheme, fact, source)| {
            let (fact, clause) = match fact {
                SchemeFact::DefaultPort(port) => (format!("default port {port}"), "§6.2.3/port"),
                SchemeFact::EmptyPathIsRoot => (
                    "an empty path behind an authority is `/`".to_owned(),
                    "§6.2.3/empty-path",
                ),
                SchemeFact::DefaultHost(host) => (format!("default host `{host}`"), "§6.2.3/default-authority"),
                SchemeFact::MailboxesInPath => ("the path is a list of mailboxes".to_owned(), "§6.2.3/mailto-host"),
            };
            format!("| `{scheme}` | {fact} | {source} | `{clause}` |")
        })
        .collect();
    let table = format!(
        "| scheme | fact | source | clause |\n|---|---|---|---|\n{}\n",
        rows.join("\n")
    );
    assert!(readme.contains(&table), "vectors/README.md lacks this table:\n{table}");
}

#[test]
fn the_embedded_vectors_are_those_of_the_folder() {
    assert_eq!(
        Library::embedded().version(),
        Library::from_path(&folder()).unwrap().version()
    );
}

#[test]
fn every_file_fits_its_schema() {
    let schema = validator("schema.json");
    for file in &Library::embedded().files {
        let content = json(&folder().join(&file.path));
        if let Err(error) = schema.validate(&content) {
            panic!("{}: {error} at {}", file.path, error.instance_path());
        }
    }
    for file in &Library::embedded().whatwg.files {
        let content = json(&folder().join(&file.path));
        if let Err(error) = schema.validate(&content) {
            panic!("{}: {error} at {}", file.path, error.instance_path());
        }
    }
    for (schema, file) in [
        ("clauses.schema.json", "clauses.json"),
        ("functions.schema.json", "functions.json"),
        ("clauses.schema.json", "whatwg/clauses.json"),
        ("whatwg/functions.schema.json", "whatwg/functions.json"),
    ] {
        let content = json(&folder().join(file));
        if let Err(error) = validator(schema).validate(&content) {
            panic!("{file}: {error} at {}", error.instance_path());
        }
    }
}

#[test]
fn every_function_has_a_form_and_a_case() {
    let library = Library::from_path(&folder()).unwrap();
    let readme = fs::read_to_string(folder().join("README.md")).unwrap();
    let of_rfc = ("functions.schema.json", FUNCTION_NAMES, &library.cases);
    let of_whatwg = (
        "whatwg/functions.schema.json",
        WHATWG_FUNCTION_NAMES,
        &library.whatwg.cases,
    );
    for (schema, names, cases) in [of_rfc, of_whatwg] {
        let schema = json(&folder().join(schema));
        let case = &schema["properties"]["cases"]["items"];
        assert_eq!(case["properties"]["function"]["enum"], serde_json::json!(names));
        let forms = case["allOf"].as_array().unwrap().iter();
        let forms: Vec<&Value> = forms.map(|form| &form["if"]["properties"]["function"]["const"]).collect();
        assert_eq!(forms, names);
        let cases: BTreeSet<&str> = cases.iter().map(|case| &*case.function).collect();
        assert!(cases.iter().eq(names), "{cases:?}");
        for name in names {
            assert!(
                readme.contains(&format!("| `{name}` |")),
                "vectors/README.md does not say what {name} is"
            );
        }
    }
}

#[test]
fn a_loaded_file_is_written_as_it_was_read() {
    for file in &Library::embedded().files {
        let (written, read) = (
            serde_json::to_value(&file.content).unwrap(),
            json(&folder().join(&file.path)),
        );
        assert!(written == read, "{} is written otherwise than it was read", file.path);
    }
    for file in &Library::embedded().whatwg.files {
        let (written, read) = (
            serde_json::to_value(&file.content).unwrap(),
            json(&folder().join(&file.path)),
        );
        assert!(written == read, "{} is written otherwise than it was read", file.path);
    }
}

/// What each vector asks and expects, hashed: FNV-1a with 64 bits, by id. The words of a licence may change.
fn outcomes_by_id(library: &Library) -> BTreeMap<String, String> {
    let hashed = library.vectors().map(|vector| {
        let mut expect = vector.expect.clone();
        for expectation in expect.values_mut() {
            if let Expectation::OneOf(outcomes) = expectation {
                outcomes.iter_mut().for_each(|one| one.licence.clear());
            }
        }
        let expect: Vec<_> = expect.iter().map(|(reading, expectation)| (reading.id(), expectation)).collect();
        let text = serde_json::to_string(&(&vector.input, vector.level, expect)).unwrap();
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        (vector.id.clone(), format!("{hash:016x}"))
    });
    hashed.collect()
}

/// `vectors/outcomes.txt` has what the vectors of the newest data version ask and expect. Those that came since may change.
#[test]
fn no_vector_changes_its_meaning_without_a_new_version() {
    const HOW: &str = "give the data a new version: DATA_VERSION in core/src/vectors.rs, and an entry in \
                       vectors/CHANGELOG.md; then `cargo run -- bless`";
    let path = folder().join("outcomes.txt");
    let present = outcomes_by_id(&Library::embedded());
    let version = format!("data version {DATA_VERSION}");
    // The record of a version stays: what came since is not in it, and what changed is found.
    let is_recorded = fs::read_to_string(&path).unwrap().lines().next() == Some(&*version);
    if env::var_os("BLESS").is_some() && !is_recorded {
        let lines: String = present.iter().map(|(id, hash)| format!("{hash} {id}\n")).collect();
        fs::write(&path, format!("{version}\n{lines}")).unwrap();
    }
    let text = fs::read_to_string(&path).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(&*version), "{HOW}");
    let recorded: Vec<(&str, &str)> = lines.map(|line| line.split_once(' ').unwrap()).collect();
    let changed: Vec<String> = recorded
        .iter()
        .filter_map(|(hash, id)| match present.get(*id) {
            None => Some(format!("{id} is not there any more")),
            Some(other) => (other != hash).then(|| format!("{id} asks or expects something else")),
        })
        .collect();
    assert!(changed.is_empty(), "{}\n{HOW}", changed.join("\n"));

    let changelog = fs::read_to_string(folder().join("CHANGELOG.md")).unwrap();
    let mut entries = changelog.split("\n## ").skip(1).filter(|entry| !entry.starts_with("Unreleased"));
    let newest = entries.next().unwrap();
    assert_eq!(
        newest.split(' ').next(),
        Some(DATA_VERSION),
        "vectors/CHANGELOG.md: {HOW}"
    );
    let count = format!("{},{:03} vectors", recorded.len() / 1000, recorded.len() % 1000);
    assert!(
        newest.contains(&count),
        "vectors/CHANGELOG.md: the entry of {DATA_VERSION} has to say \"{count}\""
    );
}

/// What conforms, whatever its name and whatever the words of a rejection.
fn outcomes(expected: &Expected) -> BTreeSet<Outcome> {
    match expected {
        Expected::NoAnswer { reason } => panic!("no answer: {reason}"),
        Expected::Property(property) => panic!("no list of outcomes: {property}"),
        Expected::Outcomes(outcomes) => outcomes
            .iter()
            .map(|one| match &one.outcome {
                Outcome::Rejected { .. } => Outcome::Rejected {
                    reason: None,
                    offset: None,
                },
                other => other.clone(),
            })
            .collect(),
    }
}

/// The readings that change an algorithm or the grammar; erratum 4547 changes two printed results only.
const EXECUTABLE: [Reading; 5] = [
    Reading::Rfc3986,
    Reading::Erratum4789,
    Reading::Erratum4942,
    Reading::Erratum5428,
    Reading::Elements,
];

#[test]
fn the_reference_expects_what_the_vectors_expect() {
    let mut wrong = Vec::new();
    for vector in Library::embedded().vectors() {
        for reading in EXECUTABLE {
            // What is not there agrees with the plain text; a reading may require one of several outcomes.
            let is_shown = matches!(vector.input, Input::Parse { .. } | Input::Resolve { .. })
                && !matches!(vector.expectation(Reading::Rfc3986), Expectation::OneOf(_));
            if !vector.expect.contains_key(&reading) && !is_shown {
                continue;
            }
            let of_vector = from_vector(&vector.input, vector.expectation(reading));
            let of_reference = expect(&vector.input, reading);
            if let Expected::Property(_) = of_vector {
                assert_eq!(of_vector, of_reference, "{}", vector.id);
                continue;
            }
            let (of_vector, of_reference) = (outcomes(&of_vector), outcomes(&of_reference));
            if of_vector != of_reference {
                let show = |outcomes: &BTreeSet<Outcome>| {
                    outcomes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ")
                };
                wrong.push(format!(
                    "{} under {reading}: {}\n  vector     {}\n  reference  {}",
                    vector.id,
                    vector.input,
                    show(&of_vector),
                    show(&of_reference)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Every witness of the ledger as a ready vector, in files by their ids: they load, nothing is wrong with them, and they expect
/// what the reference expects.
#[test]
#[expect(clippy::too_many_lines, reason = "every check is of one library")]
fn ready_vectors_can_be_pasted_into_files() {
    let library = Library::embedded();
    let ledger = uriproof_cli::known::ledger();
    let mut inputs: Vec<&Input> = ledger.witnesses().collect();
    inputs.sort();
    inputs.dedup();
    let differences = [ComponentSet::NONE, ComponentSet::ALL].map(|components| Difference {
        kind: DifferenceKind::OtherUri,
        components,
    });
    let (mut files, mut several, mut without) = (BTreeMap::<String, Vec<Vector>>::new(), 0, BTreeSet::new());
    for (at, input) in inputs.iter().enumerate() {
        match new_vector(input, &differences[at % 2], &library) {
            Ok(vector) => {
                several += usize::from(matches!(vector.expectation(Reading::Rfc3986), Expectation::OneOf(_)));
                let (file, _) = vector.id.rsplit_once('/').unwrap();
                files.entry(format!("{file}.json")).or_default().push(vector);
            }
            Err(none) => {
                without.insert(none.to_string());
            }
        }
    }
    assert!(several * 20 > inputs.len(), "{several} of {}", inputs.len());
    let reasons = [
        "none: a reference must be resolved before it can be normalized (§5.2.1)",
        "none: base and target are to be URIs (§5.2.1)",
        "none: relative references should be converted to their target URIs before comparison (§6.1)",
    ];
    assert!(without.iter().all(|none| reasons.contains(&&**none)), "{without:?}");

    let schema = validator("schema.json");
    let texts = files.into_iter().map(|(path, vectors)| {
        let file = VectorFile {
            uriproof: 1,
            title: "What was found".to_owned(),
            section: "3".to_owned(),
            vectors,
        };
        let text = serde_json::to_string_pretty(&file).unwrap();
        let content: Value = serde_json::from_str(&text).unwrap();
        let problem = schema.validate(&content).err().map(|error| format!("{error} at {}", error.instance_path()));
        assert_eq!(problem, None, "{path}");
        (path, text)
    });
    let pasted = Library::read(Path::new("vectors"), texts.collect()).unwrap();
    let problems: Vec<String> = pasted.lint().iter().map(ToString::to_string).collect();
    assert!(
        problems.is_empty(),
        "{} problems:\n{}",
        problems.len(),
        problems.join("\n")
    );
    // Each by itself: beside each other they are acceptances too.
    let acceptances = Acceptances::of(library.vectors());
    for vector in pasted.vectors() {
        let mut bare = vector.clone();
        bare.twin = None;
        let needs_twin =
            *vector.expectation(Reading::Rfc3986) == Expectation::Rejected && acceptances.twin(&bare).is_none();
        assert_eq!(vector.twin.is_some(), needs_twin, "{}", vector.input);
        assert_eq!(
            acceptances.twin(vector),
            vector.twin.as_deref().or(acceptances.twin(&bare))
        );
    }

    for vector in pasted.vectors() {
        for reading in EXECUTABLE {
            if reading == Reading::Elements && !matches!(vector.input, Input::Parse { .. } | Input::Resolve { .. }) {
                continue;
            }
            let of_vector = from_vector(&vector.input, vector.expectation(reading));
            match expect(&vector.input, reading) {
                of_reference @ Expected::Outcomes(_) => assert_eq!(
                    outcomes(&of_vector),
                    outcomes(&of_reference),
                    "{} under {reading}",
                    vector.input
                ),
                other => assert_eq!(of_vector, other, "{} under {reading}", vector.input),
            }
        }
    }
}

#[test]
fn a_ready_vector_names_the_vector_that_is_there() {
    let library = Library::embedded();
    let vector = library.vectors().next().unwrap();
    let difference = Difference::of_kind(DifferenceKind::AcceptedInvalid);
    let ready = ready_vector(&vector.input, &difference, &library);
    assert_eq!(ready, Err(NoVector::Known(vector.id.clone())));
    let input = Input::Parse {
        rule: Rule::UriReference,
        input: "//a:8o~".to_owned(),
    };
    let ready = ready_vector(&input, &difference, &library).unwrap();
    assert!(ready.id.starts_with("found/reading/accepted-invalid-"), "{}", ready.id);
    assert_eq!((&*ready.clauses[0], ready.level), ("§3.2/authority", Level::Must));
    assert_eq!(*ready.expectation(Reading::Rfc3986), Expectation::Rejected);
}

#[test]
fn the_answers_that_stand_for_many_are_among_them() {
    let reference = SUBJECTS.iter().find(|subject| subject.declaration().name == "reference").unwrap();
    for vector in Library::embedded().vectors() {
        let Expectation::Uri(answer) = vector.expectation(Reading::Rfc3986) else {
            continue;
        };
        let expected = from_vector(&vector.input, vector.expectation(Reading::Rfc3986));
        if let Expected::Property(_) = expected {
            let verdict = compare(reference.declaration(), &vector.input, &expected, &Outcome::uri(answer));
            assert_eq!(verdict, Verdict::Agree { conforming: None }, "{}", vector.id);
        }
    }
}

#[test]
fn acceptance_alone_is_that_of_parsing() {
    let library = Library::embedded();
    let inputs: Vec<&str> = library
        .vectors()
        .filter_map(|vector| match &vector.input {
            Input::Parse { input, .. } => Some(&**input),
            _ => None,
        })
        .collect();
    for subject in SUBJECTS {
        let rule = own_rule(subject.declaration());
        for input in &inputs {
            let parsed = match ask::parse(*subject, rule, input) {
                Outcome::Accepted { .. } => Some(true),
                Outcome::Rejected { .. } => Some(false),
                // It panics on the way to the components, or before.
                Outcome::Crashed { .. } => continue,
                other => panic!("{}: {input:?}: {other}", subject.declaration()),
            };
            assert_eq!(
                ask::accepts(*subject, rule, input),
                parsed,
                "{}: {input:?}",
                subject.declaration()
            );
        }
        assert_eq!(
            subject.accepts(Rule::Segment, "a").is_some(),
            subject.declaration().rules.contains(&Rule::Segment)
        );
    }
}
