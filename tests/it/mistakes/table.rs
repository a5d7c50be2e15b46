//! The mistakes, each as a change to an outcome of the reference.

use rfc3986_reference::dot_segments::remove_dot_segments;
use uriproof::model::{Component, Components, Input, Operation, Outcome, Reported};

use super::Mistake;
use crate::mutants::{Twist, components, with_components, with_uri};

/// A normal form made otherwise; `change` gets the URI as given and its normal form.
fn normal(input: &Input, outcome: Outcome, change: impl FnOnce(&Components, &mut Components)) -> Outcome {
    match input {
        Input::Normalize { uri, .. } => match components(uri).filter(|uri| uri.scheme.is_some()) {
            Some(given) => with_uri(outcome, |normal| change(&given, normal)),
            None => outcome,
        },
        _ => outcome,
    }
}

/// A target made otherwise; `change` gets base and reference.
fn target(input: &Input, outcome: Outcome, change: impl FnOnce(&Components, &Components, &mut Components)) -> Outcome {
    match input {
        Input::Resolve { base, reference, .. } => match components(base).zip(components(reference)) {
            Some((base, reference)) => with_uri(outcome, |target| change(&base, &reference, target)),
            None => outcome,
        },
        _ => outcome,
    }
}

/// A normal form of which one component is written otherwise.
fn replaced(input: &Input, outcome: Outcome, component: Component, from: &str, to: &str) -> Outcome {
    normal(input, outcome, |_, normal| {
        if let Some(text) = normal.text(component).map(|text| text.replace(from, to)) {
            *normal = normal.clone().with(component, Some(&text));
        }
    })
}

/// What is equal by a rule that should not count.
fn equal_if(input: &Input, outcome: Outcome, are_equal: impl FnOnce(&str, &str) -> bool) -> Outcome {
    match input {
        Input::Equivalent { left, right, .. } if are_equal(left, right) => Outcome::equivalent(true),
        _ => outcome,
    }
}

/// A string accepted or rejected by what it is, whatever the reference says of it.
fn parsed(input: &Input, outcome: Outcome, is_accepted: impl FnOnce(&str) -> Option<bool>) -> Outcome {
    let Input::Parse { input, rule } = input else {
        return outcome;
    };
    match is_accepted(input) {
        Some(true) if matches!(outcome, Outcome::Rejected { .. }) => {
            // The components of the nearest reference.
            let plain: String = input.chars().filter(|c| c.is_ascii_graphic() && !matches!(c, '+' | '%')).collect();
            match crate::mutants::reference(&Input::Parse {
                rule: *rule,
                input: plain,
            }) {
                accepted @ Outcome::Accepted { .. } => accepted,
                _ => Outcome::components(Components::default()),
            }
        }
        Some(false) => Outcome::rejected("planted"),
        _ => outcome,
    }
}

fn is_file(scheme: Option<&str>) -> bool {
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("file"))
}

/// Mistakes of a normalizer, which are planted in one with the scheme scope alone, too.
pub(super) const NORMALIZERS: &[(&str, Twist)] = &[
    ("decodes %40 in a host", |input, outcome| {
        replaced(input, outcome, Component::Host, "%40", "@")
    }),
    ("decodes %3A in a userinfo", |input, outcome| {
        replaced(input, outcome, Component::Userinfo, "%3A", ":")
    }),
    ("decodes %2C in a query", |input, outcome| {
        replaced(input, outcome, Component::Query, "%2C", ",")
    }),
    ("drops a triplet that is no UTF-8", |input, outcome| {
        replaced(input, outcome, Component::Path, "%F6", "%EF%BF%BD")
    }),
    ("drops a triplet that is no UTF-8 from a host", |input, outcome| {
        replaced(input, outcome, Component::Host, "%F6", "%EF%BF%BD")
    }),
    ("composes triplets under NFC", |input, outcome| {
        replaced(input, outcome, Component::Path, "e%CC%81", "%C3%A9")
    }),
    ("folds a sharp s in a host", |input, outcome| {
        replaced(input, outcome, Component::Host, "%C3%9F", "ss")
    }),
    ("leaves %7e in a fragment", |input, outcome| {
        normal(input, outcome, |given, normal| {
            if given.fragment.as_deref().is_some_and(|fragment| fragment.contains("%7e")) {
                normal.fragment.clone_from(&given.fragment);
            }
        })
    }),
    ("makes an address of localhost", |input, outcome| {
        replaced(input, outcome, Component::Host, "localhost", "127.0.0.1")
    }),
    ("rewrites an address that IPv4 is mapped to", |input, outcome| {
        replaced(input, outcome, Component::Host, "[::ffff:1.2.3.4]", "[::ffff:102:304]")
    }),
    ("removes dots by replacing text", |input, outcome| {
        normal(input, outcome, |given, normal| {
            if given.path.contains("..../") {
                normal.path = remove_dot_segments(&given.path.replace("../", ""));
            }
        })
    }),
    ("loses empty segments behind a dot-dot", |input, outcome| {
        normal(input, outcome, |given, normal| {
            if given.path.contains("..//") && given.host.is_none() {
                normal.path = normal.path.replace("//", "/");
            }
        })
    }),
    ("takes a dot before two slashes away", |input, outcome| {
        normal(input, outcome, |given, normal| {
            if given.host.is_none() && given.path.starts_with("/.//") {
                normal.path = normal.path.trim_start_matches("/.").to_owned();
                normal.path = format!("/{}", normal.path.trim_start_matches('/'));
            }
        })
    }),
    ("leaves dots in a rootless path", |input, outcome| {
        normal(input, outcome, |given, normal| {
            if given.path.starts_with("a/./") {
                normal.path = format!("{}/..", given.path);
            }
        })
    }),
    ("prints a relative path of file with an authority", |input, outcome| {
        normal(input, outcome, |given, normal| {
            if is_file(given.scheme.as_deref()) && given.host.is_none() && !given.path.starts_with('/') {
                normal.path = format!("/{}", normal.path);
                normal.host = Some(String::new());
            }
        })
    }),
];

pub(super) const MISTAKES: &[Mistake] = &[
    (
        "keeps the fragment of the base before a query",
        Operation::Resolve,
        |input, outcome| {
            target(input, outcome, |base, reference, target| {
                if reference.fragment.is_none() && reference.path.is_empty() && reference.query.is_some() {
                    target.fragment.clone_from(&base.fragment);
                }
            })
        },
    ),
    (
        "keeps the fragment of the base instead of the reference's",
        Operation::Resolve,
        |input, outcome| {
            target(input, outcome, |base, reference, target| {
                if reference.fragment.is_some() && base.fragment.is_some() && reference.path.is_empty() {
                    target.fragment.clone_from(&base.fragment);
                }
            })
        },
    ),
    (
        "keeps the fragment of the base before an absolute path",
        Operation::Resolve,
        |input, outcome| {
            target(input, outcome, |base, reference, target| {
                if reference.fragment.is_none() && reference.host.is_none() && reference.path.starts_with("/c") {
                    target.fragment.clone_from(&base.fragment);
                }
            })
        },
    ),
    (
        "keeps the fragment of the base before an authority",
        Operation::Resolve,
        |input, outcome| {
            target(input, outcome, |base, reference, target| {
                if reference.scheme.is_none() && reference.host.is_some() && reference.fragment.is_none() {
                    target.fragment.clone_from(&base.fragment);
                }
            })
        },
    ),
    (
        "takes a dot of the base for a directory",
        Operation::Resolve,
        |input, outcome| {
            target(input, outcome, |base, reference, target| {
                if base.path.contains("/./") && reference.path == ".." {
                    let up = base.path.rfind("/./").unwrap_or_default();
                    target.path = base.path[..=up].to_owned();
                }
            })
        },
    ),
    ("goes nowhere from the root", Operation::Resolve, |input, outcome| {
        target(input, outcome, |base, reference, target| {
            if base.host.is_none() && base.path == "/" && reference.path == "../" {
                target.path = String::new();
            }
        })
    }),
    (
        "loses a slash behind a host without a path",
        Operation::Resolve,
        |input, outcome| {
            target(input, outcome, |base, reference, target| {
                if base.host.is_some() && base.path.is_empty() && reference.path == "..//" {
                    target.path = "/".to_owned();
                }
            })
        },
    ),
    (
        "takes a dot with a query for a file",
        Operation::Resolve,
        |input, outcome| {
            target(input, outcome, |_, reference, target| {
                if reference.path == "." && reference.query.is_some() {
                    target.path.push('.');
                }
            })
        },
    ),
    (
        "takes a query with a scheme for an absolute reference",
        Operation::Resolve,
        |input, outcome| match input {
            Input::Resolve { reference, .. } if reference.starts_with('?') && reference.contains("://") => {
                Outcome::uri(reference)
            }
            _ => outcome,
        },
    ),
    (
        "gives a file the host of the base",
        Operation::Resolve,
        |input, outcome| {
            target(input, outcome, |base, reference, target| {
                if is_file(reference.scheme.as_deref()) && reference.host.as_deref() == Some("") && base.host.is_some()
                {
                    target.host.clone_from(&base.host);
                }
            })
        },
    ),
    (
        "refuses a base with triplets of UTF-8",
        Operation::Resolve,
        |input, outcome| match input {
            Input::Resolve { base, .. } if base.contains("%c3%a9") => Outcome::rejected("planted"),
            _ => outcome,
        },
    ),
    (
        "cuts the base of a file at the last slash of its query",
        Operation::Resolve,
        |input, outcome| {
            target(input, outcome, |base, reference, target| {
                let slash = base.query.as_deref().and_then(|query| query.rfind('/'));
                if let (Some(at), true, "c") = (slash, is_file(base.scheme.as_deref()), &*reference.path) {
                    let query = base.query.as_deref().unwrap_or_default();
                    target.path = format!("{}?{}/c", base.path, &query[..at]);
                }
            })
        },
    ),
    (
        "merges the path of http alone otherwise",
        Operation::Resolve,
        |input, outcome| {
            target(input, outcome, |base, reference, target| {
                if base.scheme.as_deref() == Some("http") && reference.path == "c" {
                    target.path = format!("{}/c", base.path);
                }
            })
        },
    ),
    (
        "merges the path of ws alone otherwise",
        Operation::Resolve,
        |input, outcome| {
            target(input, outcome, |base, reference, target| {
                if base.scheme.as_deref() == Some("ws") && reference.path == "c" {
                    target.path = format!("{}/c", base.path);
                }
            })
        },
    ),
    (
        "loses the fragment of data",
        Operation::Parse,
        |input, outcome| match input {
            Input::Parse { input, .. } if input.starts_with("data:") => with_components(outcome, |components| {
                components.fragment = Reported::Undefined;
            }),
            _ => outcome,
        },
    ),
    (
        "prints a relative path of file with an authority",
        Operation::RoundTrip,
        |input, outcome| match input {
            Input::RoundTrip { uri } if uri.starts_with("file:") && !uri.starts_with("file:/") => {
                Outcome::uri(uri.replacen("file:", "file:///", 1))
            }
            _ => outcome,
        },
    ),
    ("compares by a hash", Operation::Equivalent, |input, outcome| {
        let hash =
            |text: &str| text.bytes().fold(0_u32, |hash, octet| hash.wrapping_mul(31).wrapping_add(octet.into()));
        equal_if(input, outcome, |left, right| hash(left) == hash(right))
    }),
    (
        "compares without a leading slash",
        Operation::Equivalent,
        |input, outcome| {
            equal_if(input, outcome, |left, right| {
                let rootless = |text: &str| {
                    components(text).map(|uri| Components {
                        path: uri.path.trim_start_matches('/').to_owned(),
                        ..uri
                    })
                };
                rootless(left) == rootless(right)
            })
        },
    ),
    ("takes an @ in a userinfo", Operation::Compose, |input, outcome| {
        composed(input, outcome, Component::Userinfo, "@")
    }),
    ("takes CR and LF in a path", Operation::Compose, |input, outcome| {
        composed(input, outcome, Component::Path, "\r\n")
    }),
    (
        "takes a zero off a port",
        Operation::Compose,
        |input, outcome| match input {
            Input::Compose { components } if components.port.as_deref() == Some("080") => {
                with_uri(outcome, |uri| uri.port = Some("80".to_owned()))
            }
            _ => outcome,
        },
    ),
    ("encodes a dollar in a path", Operation::Compose, |_, outcome| {
        with_uri(outcome, |uri| uri.path = uri.path.replace('$', "%24"))
    }),
    (
        "sets a host with a space",
        Operation::Modify,
        |input, outcome| match input {
            Input::Modify {
                uri,
                component: Component::Host,
                value: Some(value),
            } if value.contains(' ') => match components(uri) {
                Some(given) => Outcome::uri(given.with(Component::Host, Some(value)).recompose()),
                None => outcome,
            },
            _ => outcome,
        },
    ),
    (
        "makes a path relative by characters",
        Operation::Relativize,
        |input, outcome| match input {
            Input::Relativize { base, target } => match components(base).zip(components(target)) {
                Some((base, target))
                    if base.path == "/foo/x" && target.path == "/foobar/x" && base.host == target.host =>
                {
                    Outcome::uri("bar/x")
                }
                _ => outcome,
            },
            _ => outcome,
        },
    ),
    ("takes a plus in a group of IPv6", Operation::Parse, |input, outcome| {
        parsed(input, outcome, |text| (text.contains("[::+1]")).then_some(true))
    }),
    (
        "takes a plus in the version of IPvFuture",
        Operation::Parse,
        |input, outcome| parsed(input, outcome, |text| text.contains("[v+1.a]").then_some(true)),
    ),
    (
        "takes a userinfo behind a port of IPv6",
        Operation::Parse,
        |input, outcome| parsed(input, outcome, |text| text.contains("[::1]:80@").then_some(true)),
    ),
    (
        "refuses an address that IPv4 is mapped to",
        Operation::Parse,
        |input, outcome| {
            parsed(input, outcome, |text| {
                (text.contains("[::") && text.contains("1.2.3.")).then_some(false)
            })
        },
    ),
    ("cuts a port at a space", Operation::Parse, |input, outcome| {
        parsed(input, outcome, |text| {
            (text.contains(":1 /") || text.contains(":80 /")).then_some(true)
        })
    }),
    ("takes a full-width percent sign", Operation::Parse, |input, outcome| {
        parsed(input, outcome, |text| text.contains('\u{ff05}').then_some(true))
    }),
    (
        "takes digits beyond US-ASCII in a triplet",
        Operation::Parse,
        |input, outcome| {
            parsed(input, outcome, |text| {
                (text.contains("%\u{ff11}") || text.contains("%0\u{ff11}")).then_some(true)
            })
        },
    ),
    ("takes %0x", Operation::Parse, |input, outcome| {
        parsed(input, outcome, |text| text.contains("%0x").then_some(true))
    }),
    ("takes a space at the end", Operation::Parse, |input, outcome| {
        parsed(input, outcome, |text| text.ends_with("#f ").then_some(true))
    }),
    ("takes a space behind a path", Operation::Parse, |input, outcome| {
        parsed(input, outcome, |text| {
            (text.ends_with(' ') && text.contains('/') && !text.contains(['?', '#'])).then_some(true)
        })
    }),
    ("takes a space behind a query", Operation::Parse, |input, outcome| {
        parsed(input, outcome, |text| {
            (text.ends_with(' ') && text.contains('?') && !text.contains('#')).then_some(true)
        })
    }),
    ("takes a fragment 0 for undefined", Operation::Parse, |_, outcome| {
        with_components(outcome, |components| {
            if components.fragment.as_defined().is_some_and(|fragment| fragment == "0") {
                components.fragment = Reported::Undefined;
            }
        })
    }),
    ("takes a userinfo 0 for undefined", Operation::Parse, |_, outcome| {
        with_components(outcome, |components| {
            if components.userinfo.as_defined().is_some_and(|userinfo| userinfo == "0") {
                components.userinfo = Reported::Undefined;
            }
        })
    }),
    ("takes a port 0 for undefined", Operation::Parse, |_, outcome| {
        with_components(outcome, |components| {
            if components.port.as_defined().is_some_and(|port| port == "0") {
                components.port = Reported::Undefined;
            }
        })
    }),
    ("takes a query 0 for undefined", Operation::Parse, |_, outcome| {
        with_components(outcome, |components| {
            if components.query.as_defined().is_some_and(|query| query == "0") {
                components.query = Reported::Undefined;
            }
        })
    }),
    ("takes two colons", Operation::Parse, |input, outcome| {
        parsed(input, outcome, |text| (text == "::").then_some(true))
    }),
];

/// A component that holds such a text is composed as it is.
fn composed(input: &Input, outcome: Outcome, component: Component, text: &str) -> Outcome {
    match input {
        Input::Compose { components } if components.text(component).is_some_and(|value| value.contains(text)) => {
            Outcome::uri(components.recompose())
        }
        _ => outcome,
    }
}
