//! The URI crates that are compared with RFC 3986: one file per crate, and [`SUBJECTS`], the only list of their entry points.
//!
//! A module has the name of its crate, and a type for each entry point. The type implements [`Subject`], the trait of `uriproof`.
//!
//! One entry point parses a string:
//!
//! ```
//! use uriproof::model::{Component, Outcome, Reported, Rule, Subject, Value};
//! use uriproof_subjects::iri_string::UriReferenceStr;
//!
//! let outcome = UriReferenceStr.parse(Rule::UriReference, "//user@example.com:80/a?b");
//! let Outcome::Accepted { value: Value::Components(observed) } = outcome else { panic!("it is valid") };
//! assert_eq!(observed.text(Component::Host), Reported::Defined("example.com"));
//! assert_eq!(observed.text(Component::Fragment), Reported::Undefined);
//! ```
//!
//! [`SUBJECTS`] has every entry point. Here it shows which crates accept a port above 65535, as RFC 3986 does:
//!
//! ```
//! use std::collections::BTreeSet;
//!
//! use uriproof::model::Rule;
//! use uriproof_subjects::SUBJECTS;
//!
//! let accepting = SUBJECTS.iter().filter(|subject| subject.accepts(Rule::UriReference, "//a:65536") == Some(true));
//! let names: BTreeSet<&str> = accepting.map(|subject| &*subject.declaration().name).collect();
//! assert!(names.contains("fluent-uri") && !names.contains("uriparse"), "{names:?}");
//! ```
//!
//! A declaration states what an entry point follows, which operations it has, and what it reports. It selects the entry points for a
//! task, such as those that resolve references and report the kind of a host:
//!
//! ```
//! use std::collections::BTreeSet;
//!
//! use uriproof::model::{Component, Operation};
//! use uriproof_subjects::SUBJECTS;
//!
//! let resolving = SUBJECTS.iter().map(|subject| subject.declaration()).filter(|declaration| {
//!     declaration.operations.contains(&Operation::Resolve) && declaration.fidelity(Component::HostKind).is_some()
//! });
//! let names: BTreeSet<&str> = resolving.map(|declaration| &*declaration.name).collect();
//! assert!(names.contains("fluent-uri") && !names.contains("oxiri"), "{names:?}");
//! ```
//!
//! [`run::one`](uriproof::run::one) compares an answer with RFC 3986, and [`run::all`](uriproof::run::all) those of many entry points:
//!
//! ```
//! use std::collections::BTreeSet;
//!
//! use uriproof::compare::Verdict;
//! use uriproof::model::{Input, Reading, Rule};
//! use uriproof::run;
//! use uriproof_subjects::FAST;
//!
//! let input = Input::Parse { rule: Rule::UriReference, input: "http://[v1.a]/".to_owned() };
//! let results = run::all(FAST, &input, Reading::Rfc3986);
//! let pairs = FAST.iter().zip(&results);
//! let diverging = pairs.filter(|(_, result)| matches!(result.verdict, Verdict::Diverge(_)));
//! let names: BTreeSet<&str> = diverging.map(|(subject, _)| &*subject.declaration().name).collect();
//! assert_eq!(names, BTreeSet::from(["uriparse", "url"]));
//! ```
//!
//! Some crates panic. [`ask`](uriproof::ask::ask) returns a panic as an outcome:
//!
//! ```
//! use uriproof::ask::ask;
//! use uriproof::model::{Input, Outcome};
//! use uriproof_subjects::iref::Uri;
//!
//! let (base, reference) = ("a:%aa".to_owned(), "a".to_owned());
//! let outcome = ask(&Uri, &Input::Resolve { base, reference, strict: true });
//! assert!(matches!(outcome, Outcome::Crashed { .. }));
//! ```
//!
//! A [`Gate`](uriproof::gate::Gate) runs vectors on an entry point, such as those of a section of the RFC:
//!
//! ```
//! use uriproof::gate::Gate;
//! use uriproof::vectors::Library;
//! use uriproof_subjects::oxiri::IriRef;
//!
//! let library = Library::embedded();
//! let judgement = Gate::of(&IriRef).only(&["rfc/5.4.1/*"])?.run(&library)?;
//! assert!(judgement.failures().is_empty());
//! # Ok::<(), String>(())
//! ```

pub mod async_coap_uri;
mod by_elements;
pub mod contracts;
pub mod fluent_uri;
pub mod fluent_uri_0_1;
pub mod http;
pub mod iref;
pub mod iri_rs;
pub mod iri_string;
pub mod one_text;
pub mod oni_comb_uri_rs;
pub mod oxiri;
pub mod reference;
pub mod rfc2396;
pub mod rhymuri;
pub mod rocket_http;
pub mod sophia_iri;
pub mod uriparse;
pub mod uris;
pub mod url;
pub mod url_parse;
pub mod urlparse;
pub mod urlparse_rs;
pub mod web_url;
pub mod whatwg;
pub mod winnow_rfc3986;

use uriproof::model::{Outcome, Rule, Subject};

/// What an entry point says that parses this rule only.
fn other_rule(own: Rule) -> Outcome {
    Outcome::unsupported(format!("parses {own} only"))
}

/// Every built-in subject.
pub const SUBJECTS: &[&dyn Subject] = &[
    &reference::Reference,
    &async_coap_uri::UriRef,
    &async_coap_uri::Uri,
    &async_coap_uri::RelRef,
    &fluent_uri::UriRef,
    &fluent_uri::Uri,
    &fluent_uri::IriRef,
    &fluent_uri::Iri,
    &fluent_uri_0_1::Uri,
    &http::Uri,
    &iref::UriRef,
    &iref::Uri,
    &iref::IriRef,
    &iri_rs::UriRef,
    &iri_rs::Uri,
    &iri_rs::IriRef,
    &iri_rs::Iri,
    &iri_string::UriReferenceStr,
    &iri_string::UriStr,
    &iri_string::UriAbsoluteStr,
    &iri_string::UriRelativeStr,
    &iri_string::IriReferenceStr,
    &iri_string::IriStr,
    &oni_comb_uri_rs::Uri,
    &oxiri::IriRef,
    &oxiri::Iri,
    &rfc2396::Validate,
    &rhymuri::Uri,
    &rocket_http::Reference,
    &rocket_http::Absolute,
    &sophia_iri::IriRef,
    &sophia_iri::Iri,
    &sophia_iri::BaseIriRef,
    &sophia_iri::BaseIri,
    &uriparse::UriReference,
    &uriparse::Uri,
    &uriparse::RelativeReference,
    &uris::Uri,
    &url::Url,
    &url_parse::Parser,
    &urlparse::Urlparse,
    &urlparse_rs::Urlsplit,
    &urlparse_rs::Urlparse,
    &web_url::Url,
    &winnow_rfc3986::Parsers,
];

/// The entry points of the seven crates that answer in less than a microsecond: what fuzz targets ask on every input.
pub const FAST: &[&dyn Subject] = &[
    &fluent_uri::UriRef,
    &http::Uri,
    &iref::UriRef,
    &iri_string::UriReferenceStr,
    &oxiri::IriRef,
    &uriparse::UriReference,
    &uriparse::Uri,
    &url::Url,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use uriproof::model::{Component, Components, Operation, Outcome, Reported, Rule, Rung, Scope, Subject, Value};

    use super::SUBJECTS;

    /// Plain inputs; every entry point takes some of them.
    const INPUTS: [&str; 7] = [
        "http://user@example.com:8080/a/b?c#d",
        "http://example.com:8080/a/b?c",
        "http://127.0.0.1",
        "urn:a:b",
        "//example.com/a",
        "/a/b?c",
        "",
    ];

    fn run(subject: &dyn Subject, operation: Operation) -> Vec<Outcome> {
        match operation {
            Operation::Parse => {
                let rule = subject.declaration().rules[0];
                INPUTS.iter().map(|input| subject.parse(rule, input)).collect()
            }
            Operation::Resolve => [true, false].map(|strict| subject.resolve("http://a/b", "/c", strict)).to_vec(),
            Operation::Normalize => [Scope::Syntax, Scope::Scheme]
                .into_iter()
                .flat_map(|scope| INPUTS.map(|uri| subject.normalize(uri, scope)))
                .collect(),
            Operation::Compose => [Some("http"), None]
                .map(|scheme| {
                    subject.compose(&Components {
                        scheme: scheme.map(str::to_owned),
                        host: scheme.map(|_| "example.com".to_owned()),
                        path: "/a".to_owned(),
                        ..Components::default()
                    })
                })
                .to_vec(),
            Operation::Equivalent => [Rung::Simple, Rung::Syntax, Rung::Scheme]
                .into_iter()
                .flat_map(|rung| INPUTS.map(|uri| subject.equivalent(uri, uri, rung)))
                .collect(),
            Operation::Relativize => vec![subject.relativize("http://a/b/c", "http://a/b/d")],
            Operation::Modify => [
                (Component::Scheme, "ftp"),
                (Component::Userinfo, "u"),
                (Component::Host, "h"),
                (Component::Port, "1"),
                (Component::Path, "/p"),
                (Component::Query, "q"),
                (Component::Fragment, "f"),
            ]
            .into_iter()
            .flat_map(|(component, value)| INPUTS.map(|uri| subject.modify(uri, component, Some(value))))
            .collect(),
            Operation::RoundTrip => INPUTS.map(|uri| subject.round_trip(uri)).to_vec(),
            Operation::Contract => INPUTS.map(|uri| subject.contract(uri, uri)).to_vec(),
        }
    }

    #[test]
    fn labels_are_unique() {
        let labels: BTreeSet<String> = SUBJECTS.iter().map(|subject| subject.declaration().label()).collect();
        assert_eq!(labels.len(), SUBJECTS.len());
    }

    #[test]
    fn exactly_the_operations_of_the_declaration_are_there() {
        for subject in SUBJECTS {
            let declaration = subject.declaration();
            for operation in Operation::ALL {
                let outcomes = run(*subject, operation);
                let unsupported = outcomes.iter().all(|outcome| matches!(outcome, Outcome::Unsupported { .. }));
                assert_eq!(
                    !unsupported,
                    declaration.operations.contains(&operation),
                    "{declaration}: {operation}"
                );
                if !unsupported {
                    let accepted = outcomes.iter().any(|outcome| matches!(outcome, Outcome::Accepted { .. }));
                    assert!(accepted, "{declaration}: {operation}: {outcomes:?}");
                }
            }
        }
    }

    #[test]
    fn exactly_the_rules_of_the_declaration_are_parsed() {
        for subject in SUBJECTS {
            let declaration = subject.declaration();
            assert!(!declaration.rules.is_empty(), "{declaration}");
            for &rule in Rule::ALL {
                let outcome = subject.parse(rule, "http://a");
                let unsupported = matches!(outcome, Outcome::Unsupported { .. });
                assert_eq!(!unsupported, declaration.rules.contains(&rule), "{declaration}: {rule}");
            }
        }
    }

    #[test]
    fn exactly_the_components_of_the_declaration_are_told() {
        for subject in SUBJECTS {
            let declaration = subject.declaration();
            let mut accepted = 0;
            for outcome in run(*subject, Operation::Parse) {
                let Outcome::Accepted {
                    value: Value::Components(observed),
                } = outcome
                else {
                    continue;
                };
                accepted += 1;
                for component in Component::ALL {
                    let reported = observed.text(component) != Reported::Nothing;
                    assert_eq!(
                        reported,
                        declaration.fidelity(component).is_some(),
                        "{declaration}: {component}"
                    );
                }
            }
            assert!(accepted > 0, "{declaration}");
        }
    }

    #[test]
    fn versions_are_those_of_the_lock_file() {
        let lock = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.lock")).unwrap();
        let lock: toml::Table = lock.parse().unwrap();
        let packages = lock["package"].as_array().unwrap();
        for subject in SUBJECTS {
            let declaration = subject.declaration();
            if declaration.name == "reference" {
                continue;
            }
            let locked = packages.iter().any(|package| {
                package["name"].as_str() == Some(&declaration.name)
                    && package["version"].as_str() == Some(&declaration.version)
            });
            assert!(locked, "{declaration}");
        }
    }
}
