//! Without deviations, the stages give the answers of the reference, and their diagnosis is that of the reference.

use std::borrow::Cow;
use std::env;

use rfc3986_reference::components;
use uriproof::algorithms::{self, Size};
use uriproof::expect::expect;
use uriproof::model::{Component, Input, Operation, Outcome, Reading, Rule, Specification, Value};
use uriproof::vectors::Library;
use uriproof_deviations::stages::{Parts, faults, parts};
use uriproof_deviations::{Deviation, SubjectProfile};

/// Compares the two on an input; whether the stages reach it.
fn same(input: &Input, reading: Reading) -> bool {
    // Of the references to a target many are right, and the reference has none of its own.
    if input.operation() == Operation::Relativize {
        return false;
    }
    let Some(staged) = SubjectProfile::default().outcome(Rule::UriReference, input, reading) else {
        return false;
    };
    let expected = expect(input, reading).into_literal();
    match (&expected, &staged) {
        (Outcome::Rejected { .. }, Outcome::Rejected { .. }) => {}
        // Relative references are not compared by their normal forms.
        (Outcome::Unsupported { .. }, Outcome::Accepted { .. }) if input.operation() == Operation::Equivalent => {}
        // What is invalid is printed by nobody.
        (Outcome::Unsupported { .. }, Outcome::Rejected { .. }) if input.operation() == Operation::RoundTrip => {}
        _ => assert_eq!(staged, expected, "{input}, by {reading}"),
    }
    if let Input::Parse { input, .. } = input {
        first_fault(input, reading);
    }
    true
}

/// There are faults where the reference has an error, and none where it has none. The first is not after the place at which the reference
/// cannot go on: until there, another text may follow that makes the fault one of no component.
fn first_fault(text: &str, reading: Reading) {
    if reading != Reading::Erratum5428 {
        let parts = parts(text);
        let faults = faults(&parts, reading);
        let first = faults.iter().map(|fault| begin(&parts, fault.component) + fault.offset).min();
        if let (Some(first), Err(error)) = (first, components::parse(text, reading)) {
            assert!(
                first <= error.offset,
                "{text:?}, by {reading}: {faults:?} and {error:?}"
            );
        }
        let expected = components::parse(text, reading);
        assert_eq!(
            faults.is_empty(),
            expected.is_ok(),
            "{text:?}, by {reading}: {faults:?}"
        );
    }
}

/// Where a component begins in its text.
fn begin(parts: &Parts<'_>, wanted: Component) -> usize {
    let with = |part: &Option<Cow<'_, str>>, delimiter: usize| part.as_ref().map_or(0, |text| text.len() + delimiter);
    let scheme = with(&parts.scheme, ":".len());
    let userinfo = scheme + if parts.host.is_some() { "//".len() } else { 0 };
    let host = userinfo + with(&parts.userinfo, "@".len());
    let port = host + with(&parts.host, 0) + if parts.port.is_some() { ":".len() } else { 0 };
    let path = port + with(&parts.port, 0);
    let query = path + parts.path.len() + if parts.query.is_some() { "?".len() } else { 0 };
    match wanted {
        Component::Scheme => 0,
        Component::Userinfo => userinfo,
        Component::Host | Component::HostKind => host,
        Component::Port => port,
        Component::Path => path,
        Component::Query => query,
        Component::Fragment => query + with(&parts.query, 0) + "#".len(),
    }
}

#[test]
fn a_fault_names_its_rule_and_its_place() {
    for (text, rule, offset) in [
        ("1a:b", "scheme", 0),
        (":", "segment-nz-nc", 0),
        ("a\"b:c", "scheme", 1),
        ("//a[@b", "userinfo", 3),
        ("//a^", "reg-name", 3),
        ("//[::1", "IP-literal", 2),
        ("//[::1]a", "IP-literal", 7),
        ("//[::g]", "IPv6address", 5),
        ("//[v.a]", "IPvFuture", 4),
        ("//a:8b", "port", 5),
        ("a:b c", "pchar", 3),
        ("a:b?%4", "pct-encoded", 4),
        ("a:b?^", "query", 4),
        ("a:b?c##", "fragment", 6),
    ] {
        let parts = parts(text);
        let faults = faults(&parts, Reading::Rfc3986);
        let [fault] = &faults[..] else {
            panic!("{text:?}: {faults:?}")
        };
        let place = begin(&parts, fault.component) + fault.offset;
        assert_eq!((fault.rule(), place), (rule, offset), "{text:?}: {fault}");
    }
}

/// The core suites by two readings, or, where `URIPROOF_LONG` is set, as it is every night, the standard suites by every reading.
#[test]
fn they_are_the_reference_on_the_suites() {
    let is_long = env::var_os("URIPROOF_LONG").is_some();
    let size = if is_long { Size::Standard } else { Size::Core };
    for (operation, least) in [
        (Operation::Parse, 80_000),
        (Operation::Resolve, 59_000),
        (Operation::Normalize, 60_000),
        (Operation::Equivalent, 1_000),
    ] {
        let inputs = algorithms::inputs(operation, size);
        // The reading elements has no equivalence of its own.
        let readings: &[Reading] = match operation {
            Operation::Equivalent => &[Reading::Rfc3986],
            _ if is_long => &Reading::ALL,
            _ => &[Reading::Rfc3986, Reading::Elements],
        };
        for &reading in readings {
            let reached = inputs.iter().filter(|input| same(input, reading)).count();
            assert!(
                reached >= least,
                "{operation}, by {reading}: {reached} of {}",
                inputs.len()
            );
        }
    }
}

#[test]
fn they_are_the_reference_on_every_vector_under_every_reading() {
    let library = Library::embedded();
    for reading in Reading::ALL {
        let inputs = library.vectors().map(|vector| &vector.input);
        let reached = inputs.filter(|input| same(input, reading)).count();
        assert!(reached > 3_000, "{reading}: {reached}");
    }
}

/// What is written resolves to the target, with its dot-segments or without them.
#[test]
fn a_reference_leads_from_the_base_to_the_target() {
    let mut shorter = 0;
    for input in algorithms::inputs(Operation::Relativize, Size::Core) {
        let Input::Relativize { base, target } = &input else {
            panic!("{input}");
        };
        let outcome = SubjectProfile::default().outcome(Rule::UriReference, &input, Reading::Rfc3986);
        let Some(Outcome::Accepted {
            value: Value::Uri(reference),
        }) = outcome
        else {
            continue;
        };
        let resolved = |reference: &str| {
            let resolve = Input::Resolve {
                base: base.clone(),
                reference: reference.to_owned(),
                strict: true,
            };
            SubjectProfile::default().outcome(Rule::UriReference, &resolve, Reading::Rfc3986)
        };
        let wanted = [resolved(target), Some(Outcome::uri(target))];
        assert!(wanted.contains(&resolved(&reference)), "{input}: {reference}");
        shorter += usize::from(reference != *target);
    }
    assert!(shorter > 500, "{shorter}");
}

#[test]
fn every_fault_is_found() {
    let found = |text: &str| -> Vec<String> {
        faults(&parts(text), Reading::Rfc3986).iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        found("1a:b//[%2?\"#%zz"),
        [
            "a scheme that begins with \"1\"",
            "\"[\" at byte 3 of the path",
            "\"%\" without two hexadecimal digits at byte 4 of the path",
            "\"\\\"\" at byte 0 of the query",
            "\"%\" without two hexadecimal digits at byte 0 of the fragment",
        ]
    );
    assert_eq!(
        found("//a@b@c:8x"),
        ["\"@\" at byte 1 of the host", "\"x\" at byte 1 of the port",]
    );
    assert_eq!(found("//[::1"), ["no \"]\" after a \"[\" in the host"]);
    assert_eq!(
        found("//[::x]y"),
        [
            "no IPv6 address in the brackets of the host: wrong at byte 3",
            "text after the \"]\" of the host",
        ]
    );
    assert_eq!(found(":a"), ["a colon in the first segment of a relative path"]);
    assert!(found("http://u@h:80/p?q#f").is_empty());
}

#[test]
fn what_is_not_reached_has_no_answer() {
    let none = |input: &Input, reading| {
        assert_eq!(
            SubjectProfile::default().outcome(Rule::UriReference, input, reading),
            None,
            "{input}"
        );
    };
    let parse = |rule| Input::Parse {
        rule,
        input: "a".to_owned(),
    };
    none(&parse(Rule::Host), Reading::Rfc3986);
    let printed = Input::RoundTrip { uri: "a".to_owned() };
    none(&printed, Reading::Elements);
}

#[test]
fn a_profile_follows_its_specification() {
    let of = |specification: Specification, input: &str| {
        let input = Input::Parse {
            rule: Rule::UriReference,
            input: input.to_owned(),
        };
        let profile = SubjectProfile::new([Deviation::RefusesIpvfuture]).following(specification);
        let outcome = profile.outcome(Rule::UriReference, &input, Reading::Rfc3986);
        assert_eq!(profile.without(0).specification, profile.specification);
        matches!(outcome, Some(Outcome::Accepted { .. }))
    };
    for iri in ["//\u{e9}@\u{e9}/\u{e9}?\u{e9}#\u{e9}", "?\u{e000}"] {
        assert!(of(Specification::Rfc3987, iri), "{iri}");
        assert!(!of(Specification::Rfc3986, iri), "{iri}");
    }
    for other in ["\u{e9}:", "//a:\u{e9}", "\u{e000}", "#\u{e000}", "\u{80}", "//[v1.a]"] {
        assert!(!of(Specification::Rfc3987, other), "{other}");
    }
}
