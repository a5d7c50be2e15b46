//! A class that shows a known cause in another input is a variant of it.

use std::path::Path;

use uriproof::model::{Component, Components, Input, Reading, Rule, Rung, Subject};
use uriproof::run;
use uriproof_deviations::Deviation;
use uriproof_lab::divergence::fingerprint::{Class, classes};
use uriproof_lab::divergence::ledger::{ExplainedClass, Ledger};
use uriproof_lab::predict::{Explanation, Predictor};
use uriproof_subjects::SUBJECTS;

use super::subject;

/// What the class of an input, which is not in the ledger, is a variant of.
fn variant<'a>(ledger: &'a Ledger, subject: &dyn Subject, input: &Input) -> ExplainedClass<'a> {
    let class = Class::of(run::one(subject, input, Reading::Rfc3986)).expect("it shows");
    assert!(ledger.find(&subject.declaration().label(), &class.fingerprint).is_none());
    ledger.variant_of(subject, &class, Reading::Rfc3986).expect("a variant")
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

/// A ledger in which a crate, whose profile predicts its comparisons, has a class of them.
fn ledger_with_a_class(name: &str, version: &str, entry_point: &str) -> Ledger {
    let text = format!(
        "name = \"{name}\"\nversion = \"{version}\"\n[claim]\nspecification = \"s\"\nwords = \"w\"\nsource = \"s\"\n\
         [[entry]]\nid = \"a\"\ncause = \"restriction\"\nclause = \"§2.2/not-equivalent\"\nexplanation = \"e\"\n[[entry.class]]\n\
         fingerprint = 'equivalent false-positive \"a:&\" and \"a:%26\", syntax rung'\nentry-points = [\"{entry_point}\"]\n\
         input = {{ left = \"a:&\", operation = \"equivalent\", right = \"a:%26\", rung = \"syntax\" }}\n\
         reference = \"not equivalent\"\nsubject = \"equivalent\"\nseverity = \"path\"\n"
    );
    Ledger::read(Path::new("ledger"), [(format!("{name}.toml"), text)]).unwrap()
}

#[test]
fn what_is_equal_by_a_step_that_should_not_be_taken_is_a_variant_of_what_is_so_too() {
    let decoded = Input::Equivalent {
        left: "a:%26&".to_owned(),
        right: "a:&%26".to_owned(),
        rung: Rung::Syntax,
    };
    for name in ["iref", "rhymuri"] {
        let declaration = subject(name).declaration();
        let ledger = ledger_with_a_class(name, &declaration.version, &declaration.entry_point);
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
    let subject =
        SUBJECTS.iter().find(|subject| subject.declaration().label() == "sophia_iri 0.10.0 BaseIri::new").unwrap();
    let known = variant(&ledger, *subject, &relativized);
    assert_eq!(known.entry.id, "relativize-rest-starts-with-slashes");
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
    let result = run::one(subject, &input, Reading::Rfc3986);
    let classes = classes(subject, &result, Reading::Rfc3986);
    let fingerprint = classes[0].fingerprint.as_str();
    assert!(fingerprint.starts_with("equivalent false-positive "), "{fingerprint}");
    let predictor = Predictor::of(&uriproof_cli::known::ledger(), subject.declaration()).expect("it has a profile");
    let Explanation::By { deviations, classes } = Explanation::of(subject, &result, Reading::Rfc3986, Some(&predictor))
    else {
        panic!("it is known");
    };
    assert_eq!(classes, []);
    let deviations: Vec<_> = deviations.iter().map(|&at| &predictor.profile().deviations[at]).collect();
    assert_eq!(deviations, [&Deviation::ComparesDecoded]);
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
