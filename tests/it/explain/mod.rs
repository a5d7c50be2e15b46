//! What `uriproof explain` prints, with the functions behind it.

mod long;
mod nearest;
mod parsing;
mod resolution;
mod vectors;

use rfc3986_reference::components::parse;
use serde_json::{Value, json};
use uriproof::expect::{expect, from_vector};
use uriproof::model::{Component, Components, Expectation, Input, Outcome, Reading, Rule};
use uriproof::split::{UserinfoEnd, components, split};
use uriproof::vectors::Library;
use uriproof_cli::explain::resolution::{Resolved, resolve};
use uriproof_cli::explain::why::Why;
use uriproof_cli::explain::{DerivationNode, Detail, ParseExplanation, explain};

use crate::process::{program, run};

/// What the command prints; it does not fail and warns of nothing.
fn explained(arguments: &[&str]) -> String {
    let done = run(program().arg("explain").args(arguments));
    assert_eq!((done.status, &*done.stderr), (0, ""), "{arguments:?}");
    done.stdout
}

fn json_of(arguments: &[&str]) -> Value {
    serde_json::from_str(&explained(&[arguments, &["--format", "json"]].concat())).unwrap()
}
