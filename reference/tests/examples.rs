//! The examples of RFC 3986 §5.4, §6.2.2 and §6.2.3, and the inputs on which implementations differ, with each result
//! that the RFC gives them.

#[path = "examples/normalization.rs"]
mod normalization;
#[path = "examples/readings.rs"]
mod readings;
#[path = "examples/resolution.rs"]
mod resolution;
#[path = "examples/sections.rs"]
mod sections;
#[path = "examples/syntax.rs"]
mod syntax;

use rfc3986_reference::components::{Reference, parse};
use rfc3986_reference::grammar::HostKind;
use rfc3986_reference::normalize::{Schemes, scheme_based, syntax_based};
use rfc3986_reference::readings::Reading;
use rfc3986_reference::resolve::{Strictness, resolve_reference};

const PLAIN: Reading = Reading::Rfc3986;

const B: &str = "http://a/b/c/d;p?q";

fn resolved(base: &str, reference: &str) -> String {
    resolve_reference(base, reference, Strictness::Strict, PLAIN).unwrap()
}

/// Lines of base, reference and target; `""` is empty, `+` the base of the line above.
fn assert_resolutions(table: &str) {
    let mut base = B;
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let [new_base, reference, target] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("{line:?} has not three columns")
        };
        if new_base != "+" {
            base = new_base;
        }
        let reference = if reference == "\"\"" { "" } else { reference };
        assert_eq!(resolved(base, reference), target, "{base:?} + {reference:?}");
        if reference != "http:g" {
            let non_strict = resolve_reference(base, reference, Strictness::NonStrict, PLAIN);
            assert_eq!(non_strict.as_deref(), Ok(target), "{base:?} + {reference:?}");
        }
    }
}

#[track_caller]
fn parsed(reference: &str) -> Reference<'_> {
    parse(reference, PLAIN).unwrap_or_else(|error| panic!("{reference:?} {error}"))
}

#[track_caller]
fn assert_valid(references: &[&str]) {
    for reference in references {
        parsed(reference);
    }
}

#[track_caller]
fn assert_invalid(references: &[&str]) {
    for reference in references {
        assert!(parse(reference, PLAIN).is_err(), "{reference:?} is invalid");
    }
}

#[track_caller]
fn assert_host(reference: &str, host: &str, kind: HostKind) {
    let authority = parsed(reference).authority.unwrap();
    assert_eq!((authority.host, authority.host_kind), (host, kind), "{reference:?}");
}

fn syntax(uri: &str) -> String {
    syntax_based(uri, PLAIN).unwrap()
}

fn scheme(uri: &str) -> String {
    scheme_based(uri, &Schemes::default(), PLAIN).unwrap()
}
