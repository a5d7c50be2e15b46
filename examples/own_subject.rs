//! The command line with a subject of one's own beside the built-in ones: `cargo run --example own_subject -- check
//! --subject 'careless*'`.
//!
//! The first parses by the expression of RFC 3986, Appendix B, takes the authority for the host, and checks nothing. It also does what no subject should, and
//! some do: an IPvFuture address makes it recurse without an end, a zone identifier makes it wait for one, and another makes it look for one.

use std::hint::black_box;
use std::process::ExitCode;
use std::thread;

use rfc3986_reference::split::split;
use uriproof::model::{
    Component, Components, Declaration, Fidelity, Observed, Operation, Outcome, Rule, Subject, Value,
};
use uriproof_subjects::SUBJECTS;

struct Careless;

static DECLARATION: Declaration = Declaration::new("careless", "0.1.0", "parse", &[Operation::Parse]).with_tells(&[
    (Component::Scheme, Fidelity::Exact),
    (Component::Host, Fidelity::Exact),
    (Component::Path, Fidelity::Exact),
    (Component::Query, Fidelity::Exact),
    (Component::Fragment, Fidelity::Exact),
]);

impl Subject for Careless {
    fn declaration(&self) -> &Declaration {
        &DECLARATION
    }

    fn parse(&self, _: Rule, input: &str) -> Outcome {
        if input.contains("[v") {
            black_box(endless(input.len()));
        }
        while input.contains("[fe80::1%25") {
            thread::park();
        }
        while input.contains("[fe80::2%25") {
            black_box(input);
        }
        let five = split(input);
        Outcome::Accepted {
            value: Value::Components(Observed::from(Components {
                scheme: five.scheme.map(str::to_owned),
                host: five.authority.map(str::to_owned),
                path: five.path.into_owned(),
                query: five.query.map(str::to_owned),
                fragment: five.fragment.map(str::to_owned),
                ..Components::default()
            })),
        }
    }
}

/// The reference with one mistake: it refuses an IPvFuture address.
struct NoFuture;

static NO_FUTURE: Declaration = Declaration::new("no-future", "0.1.0", "parse", &[Operation::Parse]);

impl Subject for NoFuture {
    fn declaration(&self) -> &Declaration {
        &NO_FUTURE
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        match input.contains("[v") || input.contains("[V") {
            true => Outcome::rejected("no such address"),
            false => SUBJECTS[0].parse(rule, input),
        }
    }
}

#[expect(unconditional_recursion, reason = "this is what the example is there to show")]
fn endless(depth: usize) -> usize {
    black_box([depth; 64])[0] + endless(depth + 1)
}

fn main() -> ExitCode {
    uriproof_cli::cli::main(&[&Careless, &NoFuture])
}
