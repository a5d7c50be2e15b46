//! What goes wrong where components are put together.

use uriproof::model::{Components, Input, Operation, Outcome};

use super::{Mutant, reference, with_uri};

const fn compose(
    name: &'static str,
    witness: &'static str,
    classes: &'static [&'static str],
    twist: fn(&Input, Outcome) -> Outcome,
) -> Mutant {
    Mutant {
        name,
        operation: Operation::Compose,
        witness,
        classes,
        twist,
    }
}

pub(super) const MUTANTS: &[Mutant] = &[
    compose(
        "composes a rootless path behind an authority",
        "resolution/recompose/rootless-path-with-authority",
        &["compose accepted-invalid host \"\" path \"a\""],
        |input, outcome| {
            unchecked(input, outcome, |fixed| {
                if fixed.host.is_some() {
                    fixed.path.insert(0, '/');
                }
            })
        },
    ),
    compose(
        "composes an empty first segment without an authority",
        "resolution/recompose/double-slash-path-with-scheme",
        &["compose accepted-invalid path \"//\""],
        |input, outcome| {
            unchecked(input, outcome, |fixed| {
                if fixed.host.is_none() && fixed.path.starts_with("//") {
                    fixed.path.insert_str(0, "/.");
                }
            })
        },
    ),
    compose(
        "composes a colon in the first segment",
        "resolution/recompose/colon-in-first-segment",
        &["compose accepted-invalid path \":\""],
        |input, outcome| {
            unchecked(input, outcome, |fixed| {
                if fixed.scheme.is_none() && fixed.host.is_none() && !fixed.path.starts_with('/') {
                    fixed.path.insert_str(0, "./");
                }
            })
        },
    ),
    compose(
        "drops a userinfo without a host",
        "resolution/recompose/userinfo-without-host",
        &["compose accepted-invalid userinfo \"\" path \"\""],
        |input, outcome| dropping(input, outcome, |components| components.userinfo = None),
    ),
    compose(
        "drops a port without a host",
        "resolution/recompose/port-without-host",
        &["compose accepted-invalid port \"a\" path \"\""],
        |input, outcome| dropping(input, outcome, |components| components.port = None),
    ),
    compose(
        "encodes the question mark of a query",
        "resolution/recompose/question-mark-in-query",
        &["compose other-uri query path \"\" query \"?\""],
        |_, outcome| {
            with_uri(outcome, |uri| {
                uri.query = uri.query.as_ref().map(|query| query.replace('?', "%3F"));
            })
        },
    ),
    compose(
        "leaves out an empty query",
        "resolution/recompose/empty-query",
        &["compose other-uri query path \"\" query \"\""],
        |_, outcome| {
            with_uri(outcome, |uri| {
                uri.query = uri.query.take().filter(|query| !query.is_empty());
            })
        },
    ),
    compose(
        "puts the query behind the fragment",
        "resolution/recompose/all-components",
        &["compose other-uri query+fragment path \"\" query \"\" fragment \"\""],
        |_, outcome| {
            with_uri(outcome, |uri| {
                if let (Some(query), Some(fragment)) = (&uri.query, &mut uri.fragment) {
                    *fragment += &format!("?{query}");
                    uri.query = None;
                }
            })
        },
    ),
];

/// Composes as they are the components that the reference rejects, if it accepts them as `fix` leaves them.
fn unchecked(input: &Input, outcome: Outcome, fix: impl FnOnce(&mut Components)) -> Outcome {
    match (input, &outcome) {
        (Input::Compose { components: given }, Outcome::Rejected { .. }) => {
            let mut components = given.clone();
            fix(&mut components);
            match reference(&Input::Compose { components }) {
                Outcome::Accepted { .. } => Outcome::uri(given.recompose()),
                _ => outcome,
            }
        }
        _ => outcome,
    }
}

/// Composes components that the reference rejects as if there was less of them.
fn dropping(input: &Input, outcome: Outcome, drop: impl FnOnce(&mut Components)) -> Outcome {
    match (input, &outcome) {
        (Input::Compose { components }, Outcome::Rejected { .. }) if components.host.is_none() => {
            let mut components = components.clone();
            drop(&mut components);
            reference(&Input::Compose { components })
        }
        _ => outcome,
    }
}
