//! RFC 3986 as tests of this crate. Fill in `parse`; then the other operations that the crate has.

use uriproof::gate::Gate;
use uriproof::model::{Declaration, Operation, Outcome, Rule, Subject};

/// The crate, its version, the entry point, and the operations that it has. This means RFC 3986, the rule URI-reference, and every
/// component reported exactly; `.with_specification(…)`, `.with_rules(…)` and `.with_tells(…)` change that.
static DECLARATION: Declaration = Declaration::new("my-uri", "0", "Uri::parse", &[Operation::Parse]);

struct MyUri;

impl Subject for MyUri {
    fn declaration(&self) -> &Declaration {
        &DECLARATION
    }

    /// The components of `input`. `None` is a component that is not there, `Some("")` one that is empty.
    fn parse(&self, _: Rule, input: &str) -> Outcome {
        // match my_uri::Uri::parse(input) {
        //     Ok(uri) => Outcome::components(uriproof::model::Observed {
        //         scheme: uri.scheme().into(),
        //         ..Default::default()
        //     }),
        //     Err(error) => Outcome::rejected(error.to_string()),
        // }
        let _ = input;
        Outcome::unsupported("fill in `parse` in tests/rfc3986.rs")
    }
}

uriproof::conformance_tests!(Gate::of(&MyUri).baseline("uriproof.toml"));
