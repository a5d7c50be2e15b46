//! RFC 3986 as a part of a crate's tests: to be copied to `tests/rfc3986.rs` of a URI crate. Here the crate is fluent-uri.
//!
//! ```toml
//! [dev-dependencies]
//! uriproof = { git = "https://github.com/uriproof/uriproof", features = ["harness"] }
//!
//! [[test]]
//! name = "rfc3986"
//! harness = false
//! ```
//!
//! `cargo test --test rfc3986` asks every vector, `cargo test --test rfc3986 ipv6` those about IPv6, and
//! `URIPROOF_BASELINE=write cargo test --test rfc3986` writes `uriproof.toml`: what is known to differ, and why.

use fluent_uri::UriRef;
use fluent_uri::component::Scheme;
use fluent_uri::pct_enc::EStr;
use uriproof::gate::Gate;
use uriproof::model::{Declaration, Observed, Operation, Outcome, Reported, Rule, Scope, Subject};

/// The operations that the crate has. What is not here is not asked.
const OPERATIONS: &[Operation] = &[
    Operation::Parse,
    Operation::Resolve,
    Operation::Normalize,
    Operation::RoundTrip,
];

static DECLARATION: Declaration = Declaration::new("fluent-uri", "0.4.1", "UriRef::parse", OPERATIONS);

struct FluentUri;

impl Subject for FluentUri {
    fn declaration(&self) -> &Declaration {
        &DECLARATION
    }

    /// Every component that the crate can tell, as it stands in the input; undefined is not empty.
    fn parse(&self, _: Rule, input: &str) -> Outcome {
        UriRef::parse(input)
            .map(|uri| {
                let authority = uri.authority();
                Observed {
                    scheme: uri.scheme().map(Scheme::as_str).into(),
                    userinfo: authority.and_then(|authority| authority.userinfo()).map(EStr::as_str).into(),
                    host: authority.map(|authority| authority.host()).into(),
                    port: authority.and_then(|authority| authority.port()).map(EStr::as_str).into(),
                    path: Reported::Defined(uri.path().as_str().to_owned()),
                    query: uri.query().map(EStr::as_str).into(),
                    fragment: uri.fragment().map(EStr::as_str).into(),
                    ..Observed::default()
                }
            })
            .into()
    }

    fn resolve(&self, base: &str, reference: &str, strict: bool) -> Outcome {
        if !strict {
            return Outcome::unsupported("resolves strictly only");
        }
        let resolved = || {
            let base = fluent_uri::Uri::parse(base).map_err(|error| error.to_string())?;
            let reference = UriRef::parse(reference).map_err(|error| error.to_string())?;
            let target = reference.resolve_against(&base.strip_fragment());
            target.map(String::from).map_err(|error| error.to_string())
        };
        resolved().into()
    }

    fn normalize(&self, uri: &str, scope: Scope) -> Outcome {
        if scope != Scope::Syntax {
            return Outcome::unsupported("normalizes by syntax only");
        }
        UriRef::parse(uri).map(|uri| String::from(uri.normalize())).into()
    }

    fn round_trip(&self, uri: &str) -> Outcome {
        UriRef::parse(uri).map(|uri| uri.to_string()).into()
    }
}

// In a crate of your own: `.baseline("uriproof.toml")`.
uriproof::conformance_tests!(Gate::of(&FluentUri).baseline("examples/conformance/uriproof.toml"));
