//! The ledger says nothing that is not so. That it explains all that there is, the tests of the report say.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use uriproof::compare::Verdict;
use uriproof::expect::Expected;
use uriproof::model::{Component, Components, Input, Reading, Rule, Rung, Subject};
use uriproof::run;
use uriproof::severity::Severity;
use uriproof::vectors::Library;
use uriproof_cli::report::side_by_side::side_by_side;
use uriproof_lab::classes::stale;
use uriproof_lab::divergence::fingerprint::{Class, Mark, classes, likeness};
use uriproof_lab::divergence::ledger::{Cause, ExplainedClass, Ledger, expected_text, observed_text};
use uriproof_lab::divergence::minimize::without_one_character;
use uriproof_lab::divergence::shape::Shape;
use uriproof_subjects::SUBJECTS;

/// The longest witness that is no run of one character, in bytes.
const LONGEST: usize = 400;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ledger")
}

/// Where a class stands, for messages.
fn place(known: &ExplainedClass<'_>) -> String {
    format!(
        "ledger/{} entry `{}`: {}",
        known.file.file, known.entry.id, known.class.fingerprint
    )
}

/// The subjects that show a class, each with the class as the ledger has it.
fn shown(ledger: &Ledger) -> Vec<(ExplainedClass<'_>, &'static dyn Subject)> {
    ledger
        .classes()
        .flat_map(|known| {
            known.class.entry_points.iter().filter_map(move |entry_point| {
                let label = format!("{} {} {entry_point}", known.file.name, known.file.version);
                // Those of nobody are stale, which another test says.
                let subject = SUBJECTS.iter().find(|subject| subject.declaration().label() == label)?;
                Some((known, *subject))
            })
        })
        .collect()
}

fn assert_none(problems: &[String], what: &str) {
    assert!(
        problems.is_empty(),
        "{} {what}:\n{}",
        problems.len(),
        problems.join("\n")
    );
}

#[test]
fn every_entry_has_a_cause_a_clause_and_secure_links() {
    let library = Library::embedded();
    let mut problems = Vec::new();
    for file in &uriproof_cli::known::ledger().files {
        for entry in &file.entries {
            let mut problem = |what: &str| problems.push(format!("ledger/{} entry `{}`: {what}", file.file, entry.id));
            if entry.cause == Cause::Unexplained {
                problem("nobody has said why; give it a cause, or move its classes to the entry that explains them");
                continue;
            }
            if library.clause(&entry.clause).is_none() {
                problem(&format!("vectors/clauses.json has no clause `{}`", entry.clause));
            }
            if let Some(upstream) = entry.upstream.as_ref().filter(|upstream| !upstream.link.starts_with("https://")) {
                problem(&format!("`{}` does not begin with https://", upstream.link));
            }
        }
    }
    assert_none(&problems, "entries are not complete");
}

/// The texts between double quotation marks, with a placeholder for each code span; `None` if a mark has no partner.
fn quotations(text: &str) -> Option<Vec<String>> {
    let spans: Vec<&str> = text.split('`').collect();
    let without_code: String =
        spans.iter().enumerate().map(|(at, span)| if at % 2 == 0 { *span } else { "code" }).collect();
    let pieces: Vec<&str> = without_code.split('"').collect();
    let is_paired = spans.len() % 2 == 1 && pieces.len() % 2 == 1;
    is_paired.then(|| pieces.into_iter().skip(1).step_by(2).map(str::to_owned).collect())
}

/// Whether a text quotes at least three words in a row.
fn quotes_words(text: &str) -> bool {
    let quotations = quotations(text).unwrap_or_default();
    quotations.iter().any(|quotation| quotation.split_whitespace().count() >= 3)
}

#[test]
fn characters_and_code_are_no_words() {
    assert!(quotes_words(r#"It is documented to "Extract the port from the url"."#));
    assert!(quotes_words(r#"RFC 3986 has "port = *DIGIT"."#));
    assert!(quotes_words(
        r#"Its documentation says: "This is the inverse of `join`.""#
    ));
    for text in [
        "Nothing is quoted.",
        r#"A "/" and what follows a "?" are written."#,
        r#"`set_path("a b c d")` gives `"a b c"`."#,
        r#"A mark has no partner, "as here it has."#,
        r#"A code span has no end, ` as "here it has none"."#,
    ] {
        assert!(!quotes_words(text), "{text}");
    }
}

#[test]
fn a_bug_quotes_the_words_by_which_it_is_one() {
    let ledger = uriproof_cli::known::ledger();
    let entries = ledger.files.iter().flat_map(|file| file.entries.iter().map(move |entry| (file, entry)));
    let bugs: Vec<_> = entries.filter(|(_, entry)| entry.cause == Cause::Bug).collect();
    assert!(bugs.len() > 100, "{} bugs", bugs.len());
    let problems: Vec<String> = bugs
        .iter()
        .filter(|(_, entry)| !quotes_words(&entry.explanation))
        .map(|(file, entry)| format!("ledger/{} entry `{}`", file.file, entry.id))
        .collect();
    assert_none(
        &problems,
        "bugs quote no words of the crate, or of the specification that it claims; quote them in \"\", or give another cause",
    );
}

#[test]
fn every_file_has_the_words_of_its_crates_claim() {
    let ledger = uriproof_cli::known::ledger();
    let mut problems = Vec::new();
    for subject in SUBJECTS.iter().filter(|subject| subject.declaration().name != "reference") {
        let declaration = subject.declaration();
        let Some(file) = ledger.file_of(declaration) else {
            problems.push(format!(
                "{declaration}: no file of the ledger says what the crate claims"
            ));
            continue;
        };
        let claim = &file.claim;
        for (field, text) in [
            ("specification", &claim.specification),
            ("words", &claim.words),
            ("source", &claim.source),
        ] {
            if text.trim().is_empty() {
                problems.push(format!("ledger/{}: `claim.{field}` is empty", file.file));
            }
        }
        if claim.words.split_whitespace().count() < 3 {
            problems.push(format!("ledger/{}: `claim.words` is no quotation of words", file.file));
        }
        let compared_by = declaration.specification.to_string();
        let says_how = claim.measured.as_ref().is_some_and(|measured| measured.contains(' '));
        if !claim.specification.contains(&compared_by) && !says_how {
            problems.push(format!(
                "ledger/{}: {declaration} is compared by {compared_by}, which `{}` does not name; `claim.measured` has to \
                 say how it is measured",
                file.file, claim.specification
            ));
        }
    }
    assert_none(&problems, "claims are not complete");
}

#[test]
fn no_claim_names_what_the_crate_does_not() {
    let ledger = uriproof_cli::known::ledger();
    let claim = |name: &str| ledger.files.iter().find(|file| file.name == name).expect("has a file").claim.clone();
    assert_eq!(claim("rocket_http").specification, "RFC 7230");
    assert!(claim("http").specification.starts_with("none named"));
    for name in ["http", "rocket_http"] {
        let declaration = subject(name).declaration();
        assert_eq!(declaration.specification.to_string(), "HTTP", "{declaration}");
    }
    for file in &ledger.files {
        for rfc in file.claim.specification.split(", ").filter_map(|name| name.strip_prefix("RFC ")) {
            assert!(
                file.claim.words.contains(rfc),
                "ledger/{}: the words do not name RFC {rfc}",
                file.file
            );
        }
    }
}

#[test]
fn every_class_is_shown_by_its_witness() {
    let stale: Vec<String> = stale(
        &uriproof_cli::known::ledger(),
        SUBJECTS,
        &uriproof_cli::measured::growth(),
        true,
    )
    .iter()
    .map(|stale| {
        format!(
            "ledger/{} entry `{}`: {}: {} ({})",
            stale.file, stale.entry, stale.subject, stale.fingerprint, stale.reason
        )
    })
    .collect();
    assert_none(&stale, "classes are stale: `cargo run -- bless`");
}

#[test]
fn no_witness_has_a_character_too_many() {
    let ledger = uriproof_cli::known::ledger();
    let problems: Vec<String> = shown(&ledger)
        .par_iter()
        .filter_map(|(known, subject)| {
            let input = &known.class.input;
            // Where a part goes with its last character, the difference is another.
            let shape = Shape::of(input);
            let smaller: Vec<_> = without_one_character(input).filter(|smaller| Shape::of(smaller) == shape).collect();
            // The class is about one of the components that differ: that one needs every character.
            let needed = |mark: &Mark| {
                let mut is_alike = likeness(*subject, input, mark, Reading::Rfc3986);
                smaller.iter().find(|smaller| is_alike(smaller))
            };
            let smallest: Vec<_> = Mark::all(&run::one(*subject, input, Reading::Rfc3986)).iter().map(needed).collect();
            match smallest.first() {
                Some(Some(smaller)) if smallest.iter().all(Option::is_some) => Some(format!(
                    "{}: {}: {smaller} shows it too",
                    place(known),
                    subject.declaration().entry_point
                )),
                _ => None,
            }
        })
        .collect();
    assert_none(
        &problems,
        "witnesses are not minimal; run `uriproof ledger --write ledger`",
    );
}

#[test]
fn long_witnesses_are_runs() {
    let ledger = uriproof_cli::known::ledger();
    let problems: Vec<String> = ledger
        .classes()
        .filter(|known| known.class.input.size() > LONGEST)
        .filter(|known| {
            let text = serde_json::to_string(&known.class.input).unwrap();
            without_runs(&text) > LONGEST
        })
        .map(|known| place(&known))
        .collect();
    assert_none(&problems, "witnesses are long, and not by runs of one character");
}

/// How many characters a text has beside runs of one.
fn without_runs(text: &str) -> usize {
    /// From how many equal characters on the ledger writes a run.
    const RUN: usize = 64;
    let characters: Vec<char> = text.chars().collect();
    let runs = characters.chunk_by(|one, other| one == other);
    runs.map(|run| if run.len() < RUN { run.len() } else { 0 }).sum()
}

#[test]
fn severities_and_outcomes_are_what_is_computed() {
    let ledger = uriproof_cli::known::ledger();
    let problems: Vec<String> = shown(&ledger)
        .par_iter()
        .filter_map(|(known, subject)| {
            let stored = known.class;
            let result = run::one(*subject, &stored.input, Reading::Rfc3986);
            let class = classes(*subject, &result, Reading::Rfc3986)
                .into_iter()
                .find(|class| class.fingerprint == stored.fingerprint)?;
            let computed = (
                expected_text(&class.witness.expected, &class.difference),
                observed_text(&class.witness, &class.difference),
                Severity::of(&class.witness),
            );
            let is_same =
                (&computed.0, &computed.1, computed.2) == (&stored.reference, &stored.subject, Some(stored.severity));
            (!is_same).then(|| {
                format!(
                    "{}: {}: expected {}, got {}, severity {}",
                    place(known),
                    subject.declaration().entry_point,
                    computed.0,
                    computed.1,
                    computed.2.map_or("none", Severity::name)
                )
            })
        })
        .collect();
    assert_none(
        &problems,
        "classes are told otherwise than they are; take them out, and run `uriproof ledger --write ledger`",
    );
}

#[test]
fn no_divergent_row_shows_what_is_expected_without_saying_what_differs() {
    let ledger = uriproof_cli::known::ledger();
    let divergent = AtomicUsize::new(0);
    let of_witness = |(known, subject): &(ExplainedClass<'_>, &'static dyn Subject)| {
        let input = &known.class.input;
        let result = run::one(*subject, input, Reading::Rfc3986);
        // What takes too long shows in longer inputs only.
        let Verdict::Diverge(difference) = &result.verdict else {
            return None;
        };
        divergent.fetch_add(1, Ordering::Relaxed);
        let sections = side_by_side(input, [(subject.declaration(), &result)]);
        let [section] = &sections[..] else {
            return Some(format!("{}: {} sections", place(known), sections.len()));
        };
        let [row] = &section.rows[..] else {
            return Some(format!("{}: {} rows", place(known), section.rows.len()));
        };
        let expected: Vec<String> = match section.expected {
            Expected::Outcomes(outcomes) => outcomes.iter().map(|one| one.outcome.to_string()).collect(),
            Expected::Property(property) => vec![property.to_string()],
            Expected::NoAnswer { .. } => Vec::new(),
        };
        let names_components = !difference.components.is_empty() && row.remark.is_some();
        let is_plain = !expected.contains(&row.answer) || names_components;
        (!is_plain).then(|| format!("{}: {} and {expected:?}", place(known), row.answer))
    };
    let problems: Vec<String> = shown(&ledger).par_iter().filter_map(of_witness).collect();
    assert_none(&problems, "divergent rows do not say what differs");
    let divergent = divergent.into_inner();
    assert!(divergent > 1000, "{divergent}");
}

#[test]
fn every_file_is_written_as_the_command_writes_it() {
    let ledger = Ledger::from_folder(&folder()).unwrap();
    let problems: Vec<String> = ledger
        .files
        .iter()
        .filter_map(|file| {
            let (stored, written) = (fs::read_to_string(folder().join(&file.file)).unwrap(), file.to_toml());
            let at = stored.lines().zip(written.lines()).position(|(stored, written)| stored != written);
            let at = at.unwrap_or_else(|| stored.lines().count().min(written.lines().count()));
            (stored != written).then(|| {
                format!(
                    "ledger/{}:{}: would be {:?}",
                    file.file,
                    at + 1,
                    written.lines().nth(at).unwrap_or_default()
                )
            })
        })
        .collect();
    assert_none(
        &problems,
        "files are not as `uriproof ledger --write ledger` writes them",
    );
}

#[test]
fn a_panic_is_known_by_its_line_whatever_is_asked() {
    let ledger = uriproof_cli::known::ledger();
    let panic = "parse crashed port.rs:28";
    let known = ledger.classes().find(|known| known.class.fingerprint.as_str() == panic).expect(panic);
    let is_of =
        |subject: &&&dyn Subject| ledger.find(&subject.declaration().label(), &known.class.fingerprint).is_some();
    let subject = SUBJECTS.iter().find(is_of).unwrap();
    let label = subject.declaration().label();
    let Input::Parse { input: uri, .. } = &known.class.input else {
        panic!("{}", known.class.input)
    };
    let both = Input::Equivalent {
        left: uri.clone(),
        right: uri.clone(),
        rung: Rung::Scheme,
    };
    let class = Class::of(run::one(*subject, &both, Reading::Rfc3986)).expect("it panics here too");
    assert!(ledger.find(&label, &class.fingerprint).is_none());
    let of = ledger.variant_of(*subject, &class, Reading::Rfc3986).expect("a variant");
    assert!(of.class.fingerprint.as_str().ends_with("crashed port.rs:28"));
}

/// What the class of an input, which is not in the ledger, is a variant of.
fn variant<'a>(ledger: &'a Ledger, subject: &dyn Subject, input: &Input) -> ExplainedClass<'a> {
    let class = Class::of(run::one(subject, input, Reading::Rfc3986)).expect("it shows");
    assert!(ledger.find(&subject.declaration().label(), &class.fingerprint).is_none());
    ledger.variant_of(subject, &class, Reading::Rfc3986).expect("a variant")
}

fn subject(name: &str) -> &'static dyn Subject {
    *SUBJECTS.iter().find(|subject| subject.declaration().name == name).unwrap()
}

#[test]
fn what_follows_in_another_order_is_a_variant() {
    let ledger = uriproof_cli::known::ledger();
    let witness = Input::Parse {
        rule: Rule::Uri,
        input: "a://#:#".to_owned(),
    };
    let known = variant(&ledger, subject("url-parse"), &witness);
    assert_eq!(
        known.class.fingerprint.as_str(),
        "parse accepted-invalid \"a://##:\" as URI"
    );
}

#[test]
fn a_component_that_is_wrong_by_another_character_is_a_variant() {
    let ledger = uriproof_cli::known::ledger();
    let components = Components {
        scheme: Some("a".to_owned()),
        userinfo: Some("?".to_owned()),
        host: Some("a".to_owned()),
        ..Components::default()
    };
    let known = variant(&ledger, subject("url-parse"), &Input::Compose { components });
    assert_eq!(
        known.class.fingerprint.as_str(),
        r#"compose accepted-invalid scheme "a" userinfo "\"" host "a" path """#
    );
}

#[test]
fn what_is_equal_by_a_step_that_should_not_be_taken_is_a_variant_of_what_is_so_too() {
    let ledger = uriproof_cli::known::ledger();
    let decoded = Input::Equivalent {
        left: "a:%26&".to_owned(),
        right: "a:&%26".to_owned(),
        rung: Rung::Syntax,
    };
    for name in ["iref", "rhymuri"] {
        let known = variant(&ledger, subject(name), &decoded);
        assert_eq!(
            known.class.fingerprint.as_str(),
            r#"equivalent false-positive "a:&" and "a:%26", syntax rung"#
        );
    }
}

#[test]
fn a_component_that_is_printed_wrong_in_the_same_way_is_a_variant_in_whatever_uri() {
    let ledger = uriproof_cli::known::ledger();
    let setter = Input::Modify {
        uri: "a://a:1/?#".to_owned(),
        component: Component::Query,
        value: None,
    };
    let known = variant(&ledger, subject("url-parse"), &setter);
    assert_eq!(
        known.class.fingerprint.as_str(),
        r#"compose other-uri host scheme "a" host "a" path """#
    );
}

#[test]
fn a_value_that_is_taken_though_it_is_wrong_is_a_variant_in_whatever_uri() {
    let ledger = uriproof_cli::known::ledger();
    let setter = Input::Modify {
        uri: "a://:1/".to_owned(),
        component: Component::Path,
        value: Some("/?".to_owned()),
    };
    let known = variant(&ledger, subject("url-parse"), &setter);
    assert_eq!(
        known.class.fingerprint.as_str(),
        r#"modify accepted-invalid "a:///:", path "/?""#
    );
}

#[test]
fn a_wrong_part_is_a_variant_where_no_such_part_is_looked_at() {
    let ledger = uriproof_cli::known::ledger();
    let composed = Input::Compose {
        components: Components {
            scheme: Some("a\t".to_owned()),
            host: Some(String::new()),
            port: Some("65536".to_owned()),
            ..Components::default()
        },
    };
    let known = variant(&ledger, subject("urlparse-rs"), &composed);
    assert!(
        known.class.fingerprint.as_str().starts_with("compose accepted-invalid scheme "),
        "{}",
        known.class.fingerprint
    );
}

#[test]
fn a_piece_of_a_path_that_reads_as_something_else_is_a_variant_whatever_stands_in_it() {
    let ledger = uriproof_cli::known::ledger();
    let relativized = Input::Relativize {
        base: "a://:1".to_owned(),
        target: "a://:1//:".to_owned(),
    };
    let subject = SUBJECTS.iter().find(|subject| subject.declaration().label() == "iri-rs 3.4.1 Uri::parse").unwrap();
    let known = variant(&ledger, *subject, &relativized);
    assert_eq!(known.entry.id, "relativize-writes-the-path-verbatim");
}

#[test]
fn a_relative_reference_that_a_type_of_uris_makes_is_a_variant_whatever_it_is() {
    let ledger = uriproof_cli::known::ledger();
    let composed = Input::Compose {
        components: Components {
            path: "/://".to_owned(),
            ..Components::default()
        },
    };
    let known = variant(&ledger, subject("url-parse"), &composed);
    assert!(
        known.class.fingerprint.as_str().starts_with("compose accepted-invalid "),
        "{}",
        known.class.fingerprint
    );
}

#[test]
fn what_a_network_path_reference_is_taken_for_is_told_of_the_uri_that_it_makes() {
    let fingerprints = |input: &Input| {
        let result = run::one(subject("url"), input, Reading::Rfc3986);
        let classes = classes(subject("url"), &result, Reading::Rfc3986);
        classes.into_iter().map(|class| class.fingerprint.to_string()).collect::<Vec<_>>()
    };
    let resolved = fingerprints(&Input::Resolve {
        base: "ws:a".to_owned(),
        reference: "//a:\\".to_owned(),
        strict: true,
    });
    let parsed = fingerprints(&Input::Parse {
        rule: Rule::Uri,
        input: "ws://a:\\".to_owned(),
    });
    assert!(resolved[0].starts_with("parse accepted-invalid "), "{resolved:?}");
    assert_eq!(resolved, parsed);
}

#[test]
fn an_authority_that_is_taken_for_that_of_the_base_is_told_of_the_comparison() {
    let input = Input::Relativize {
        base: "a://b&@c".to_owned(),
        target: "a://b%26@c/d".to_owned(),
    };
    let subject = subject("iref");
    let classes = classes(subject, &run::one(subject, &input, Reading::Rfc3986), Reading::Rfc3986);
    let fingerprint = classes[0].fingerprint.as_str();
    assert!(fingerprint.starts_with("equivalent false-positive "), "{fingerprint}");
    let ledger = uriproof_cli::known::ledger();
    let known = ledger.find(&subject.declaration().label(), &classes[0].fingerprint);
    let known = known.or_else(|| ledger.variant_of(subject, &classes[0], Reading::Rfc3986)).expect("it is known");
    assert_eq!(known.entry.id, "reserved-characters-decoded-in-comparison");
}

#[test]
fn a_path_that_is_read_as_an_authority_is_a_variant_whichever_part_of_one_it_gives() {
    let ledger = uriproof_cli::known::ledger();
    let relativized = Input::Relativize {
        base: "a:a".to_owned(),
        target: "a:/.///:".to_owned(),
    };
    let known = variant(&ledger, subject("iref"), &relativized);
    assert_eq!(known.entry.id, "relativize-ignores-the-leading-slash");
}
