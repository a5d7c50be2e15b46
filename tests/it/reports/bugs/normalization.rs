//! Bugs that reports show where a URI is normalized.

use rfc3986_reference::dot_segments::remove_dot_segments;
use rfc3986_reference::normalize::{case_normalization, percent_encoding_normalization};
use uriproof::model::{Component, Components, Input, Operation, Outcome, Reading, Scope, Value};

use super::{Bug, bug, has_small_triplet, normalized};
use crate::mutants::{components, reference, with_uri};

/// In the order of the reports.
pub(super) const BUGS: &[Bug] = &[
    bug("keeps encoded dot-segments", Operation::Normalize, |input, outcome| {
        let Input::Normalize { uri, scope } = input else {
            return outcome;
        };
        // Segments that nothing happens to stand for those that are kept.
        const KEPT: [(&str, &str); 2] = [("%2E%2E", "dot-dot-kept"), ("%2E", "dot-kept")];
        let Some(mut hidden) = components(uri) else {
            return outcome;
        };
        let segments: Vec<&str> = hidden
            .path
            .split('/')
            .map(|segment| {
                let kept = KEPT.iter().find(|(encoded, _)| segment.eq_ignore_ascii_case(encoded));
                kept.map_or(segment, |(_, name)| name)
            })
            .collect();
        hidden.path = segments.join("/");
        let uri = hidden.recompose();
        with_uri(reference(&Input::Normalize { uri, scope: *scope }), |normal| {
            for (encoded, name) in KEPT {
                normal.path = normal.path.replace(name, encoded);
            }
        })
    }),
    bug(
        "removes dot-segments before it decodes",
        Operation::Normalize,
        |input, outcome| {
            normalized(input, outcome, |given, normal| {
                let removed = remove_dot_segments(&given.path);
                let dots = ["%2E%2E", "%2E"].map(|dots| format!("/{dots}/"));
                if dots.iter().any(|dots| removed.to_ascii_uppercase().contains(dots)) {
                    let decoded = given.clone().with(Component::Path, Some(&removed)).recompose();
                    let decoded = percent_encoding_normalization(&decoded, Reading::Rfc3986);
                    normal.path = decoded.ok().and_then(|decoded| components(&decoded)).expect("a URI").path;
                }
            })
        },
    ),
    bug(
        "lowers the case of a host before it decodes it, by the scheme",
        Operation::Normalize,
        |input, outcome| {
            by_scheme(input, outcome, |given, normal| {
                let cased = case_normalization(given, Reading::Rfc3986).expect("a URI");
                let decoded = percent_encoding_normalization(&cased, Reading::Rfc3986).expect("a URI");
                if normal.host.as_deref() != Some("") {
                    normal.host = components(&decoded).expect("a URI").host;
                }
            })
        },
    ),
    bug(
        "decodes no host, by the scheme",
        Operation::Normalize,
        |input, outcome| {
            by_scheme(input, outcome, |given, normal| {
                let cased = case_normalization(given, Reading::Rfc3986).expect("a URI");
                if normal.host.as_deref() != Some("") {
                    normal.host = components(&cased).expect("a URI").host;
                }
            })
        },
    ),
    bug(
        "looks for the query where it was before the path was decoded",
        Operation::Normalize,
        |input, outcome| {
            normalized(input, outcome, |given, normal| {
                let Some(query) = &normal.query else {
                    return;
                };
                let (before, decoded) = (given.path.len(), decoded_only(given).path);
                if decoded.len() < before {
                    let file = format!("{decoded}?{query}");
                    normal.path = file[..before].to_owned();
                    normal.query = Some(file[before + 1..].to_owned());
                }
            })
        },
    ),
    bug(
        "decodes no path before a query",
        Operation::Normalize,
        |input, outcome| {
            normalized(input, outcome, |given, normal| {
                if given.query.is_some() && decoded_only(given).path != given.path {
                    let cased = case_normalization(&given.recompose(), Reading::Rfc3986).expect("a URI");
                    normal.path = remove_dot_segments(&components(&cased).expect("a URI").path);
                }
            })
        },
    ),
    bug(
        "uncovers an authority behind a leading dot-dot",
        Operation::Normalize,
        |input, outcome| uncovers(input, outcome, |path| path.starts_with("../")),
    ),
    bug(
        "uncovers an authority behind a leading dot",
        Operation::Normalize,
        |input, outcome| uncovers(input, outcome, |path| path.starts_with("./")),
    ),
    bug(
        "uncovers an authority where a dot-dot takes a segment",
        Operation::Normalize,
        |input, outcome| {
            uncovers(input, outcome, |path| {
                path.starts_with('/') && !path.starts_with("/.") && path.contains("/../")
            })
        },
    ),
    bug("encodes the tilde", Operation::Normalize, |input, outcome| {
        // A triplet that nothing happens to stands for that of the tilde.
        const TILDE: &str = "%F7";
        let Input::Normalize { uri, scope } = input else {
            return outcome;
        };
        if uri.to_ascii_uppercase().contains(TILDE) {
            return outcome;
        }
        let uri = uri.replace("%7E", TILDE).replace("%7e", TILDE);
        match reference(&Input::Normalize { uri, scope: *scope }) {
            Outcome::Accepted {
                value: Value::Uri(normal),
            } => Outcome::uri(normal.replace(TILDE, "%7E")),
            other => other,
        }
    }),
    bug(
        "encodes triplets of small letters again in a path",
        Operation::Normalize,
        |input, outcome| {
            normalized(input, outcome, |given, normal| {
                if has_small_triplet(&given.path) {
                    normal.path = normal.path.replace('%', "%25");
                }
            })
        },
    ),
    bug(
        "removes an empty segment at the beginning of a path",
        Operation::Normalize,
        |input, outcome| {
            normalized(input, outcome, |given, normal| {
                if normal.host.is_some() && normal.path.starts_with("//") && given.path.starts_with("//") {
                    normal.path.remove(0);
                }
            })
        },
    ),
];

/// Another normal form of §6.2.3, of a URI with an authority.
fn by_scheme(input: &Input, outcome: Outcome, change: impl FnOnce(&str, &mut Components)) -> Outcome {
    match input {
        Input::Normalize {
            uri,
            scope: Scope::Scheme,
        } if components(uri).is_some_and(|uri| uri.scheme.is_some() && uri.host.is_some()) => {
            with_uri(outcome, |normal| change(uri, normal))
        }
        _ => outcome,
    }
}

/// The normal form to the letter, where it shows an authority that was a path.
fn uncovers(input: &Input, outcome: Outcome, is_such: impl FnOnce(&str) -> bool) -> Outcome {
    normalized(input, outcome, |given, normal| {
        let removed = remove_dot_segments(&decoded_only(given).path);
        if given.host.is_none() && is_such(&given.path) && removed.starts_with("//") {
            normal.path = removed;
        }
    })
}

/// A URI with its unreserved triplets decoded, and nothing else.
fn decoded_only(given: &Components) -> Components {
    let decoded = percent_encoding_normalization(&given.recompose(), Reading::Rfc3986).expect("a URI");
    components(&decoded).expect("a URI")
}
