//! What `uriproof explain` prints, with the functions behind it.

mod long;
mod nearest;
mod parsing;
mod resolution;
mod vectors;
mod whatwg_vectors;

use serde_json::Value;

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
