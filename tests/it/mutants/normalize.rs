//! What goes wrong where a URI is normalized.

use rfc3986_reference::dot_segments::remove_dot_segments;
use uriproof::model::{Input, Operation, Outcome};

use super::{Mutant, components, with_uri};

const fn normalize(
    name: &'static str,
    witness: &'static str,
    classes: &'static [&'static str],
    twist: fn(&Input, Outcome) -> Outcome,
) -> Mutant {
    Mutant {
        name,
        operation: Operation::Normalize,
        witness,
        classes,
        twist,
    }
}

pub(super) const MUTANTS: &[Mutant] = &[
    normalize(
        "lowers the case of a path",
        "normalization/case/path",
        &["normalize other-uri path \"a:A\", syntax-based"],
        |_, outcome| {
            with_uri(outcome, |uri| {
                // Triplets keep their capitals: that they get them is another matter.
                if !uri.path.contains('%') {
                    uri.path.make_ascii_lowercase();
                }
            })
        },
    ),
    normalize(
        "decodes a slash",
        "normalization/dot-segments/encoded-slash-before-dots",
        &["normalize other-uri path \"a:%2f\", syntax-based"],
        |_, outcome| {
            with_uri(outcome, |uri| {
                let decoded = uri.path.replace("%2F", "/");
                // Two slashes in front would be an authority.
                if !decoded.starts_with("//") {
                    uri.path = decoded;
                }
            })
        },
    ),
    normalize(
        "forgets the triplets of a fragment",
        "normalization/case/hex-digits-in-each-component",
        &["normalize other-uri fragment \"a:#%aa\", syntax-based"],
        |input, outcome| match input {
            Input::Normalize { uri: given, .. } => with_uri(outcome, |uri| {
                uri.fragment = components(given).and_then(|given| given.fragment);
            }),
            _ => outcome,
        },
    ),
    normalize(
        "lowers the case of the triplets of a host",
        "normalization/case/hex-digits-in-each-component",
        &["normalize other-uri host \"a://%aa\", syntax-based"],
        |_, outcome| {
            with_uri(outcome, |uri| {
                if let Some(host) = &mut uri.host {
                    host.make_ascii_lowercase();
                }
            })
        },
    ),
    normalize(
        "removes any port",
        "normalization/scheme-based/default-port-syntax",
        &["normalize other-uri port \"a://:1\", syntax-based"],
        |_, outcome| with_uri(outcome, |uri| uri.port = None),
    ),
    normalize(
        "keeps dot-segments",
        "normalization/dot-segments/both-dot-segments",
        &["normalize other-uri path \"a:/.\", syntax-based"],
        |input, outcome| match input {
            Input::Normalize { uri: given, .. } => with_uri(outcome, |uri| {
                if let Some(given) = components(given)
                    && !given.path.contains('%')
                    && remove_dot_segments(&given.path) == uri.path
                {
                    uri.path = given.path;
                }
            }),
            _ => outcome,
        },
    ),
    normalize(
        "keeps the case of a scheme",
        "normalization/case/scheme",
        &["normalize other-uri scheme \"A:\", syntax-based"],
        |input, outcome| match input {
            Input::Normalize { uri: given, .. } => with_uri(outcome, |uri| {
                uri.scheme = components(given).and_then(|given| given.scheme);
            }),
            _ => outcome,
        },
    ),
    normalize(
        "refuses userinfo",
        "normalization/case/userinfo",
        &["normalize rejected-valid \"a://@\", syntax-based"],
        |input, outcome| match input {
            Input::Normalize { uri, .. }
                if components(uri).is_some_and(|uri| uri.userinfo.is_some() && uri.scheme.is_some()) =>
            {
                Outcome::rejected("userinfo")
            }
            _ => outcome,
        },
    ),
    normalize(
        "panics on a trailing dot-dot",
        "normalization/dot-segments/trailing-dot-segment",
        &["normalize crashed normalize.rs"],
        |input, outcome| match input {
            Input::Normalize { uri, .. } if uri.ends_with("/..") => panic!("no segment is left"),
            _ => outcome,
        },
    ),
];
