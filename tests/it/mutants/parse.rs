//! What goes wrong where a string is parsed.

use std::borrow::Cow;

use rfc3986_reference::characters::leading_triplet;
use rfc3986_reference::recompose::recompose;
use uriproof::model::{Component, HostKind, Input, Observed, Operation, Outcome, Reported, Rule, Value};
use uriproof::split::{self, UserinfoEnd};

use super::{Mutant, reference, with_components};

const fn parse(
    name: &'static str,
    witness: &'static str,
    classes: &'static [&'static str],
    twist: fn(&Input, Outcome) -> Outcome,
) -> Mutant {
    Mutant {
        name,
        operation: Operation::Parse,
        witness,
        classes,
        twist,
    }
}

pub(super) const MUTANTS: &[Mutant] = &[
    parse(
        "accepts brackets in a path",
        "syntax/brackets/in-absolute-path",
        &["parse accepted-invalid \"[\""],
        |input, outcome| {
            accepts(input, outcome, |text| {
                replaced(text, Component::Path, |path| path.replace(['[', ']'], "a"))
            })
        },
    ),
    parse(
        "accepts a space in a query",
        "syntax/characters/space-in-query",
        &["parse accepted-invalid \"? \""],
        |input, outcome| {
            accepts(input, outcome, |text| {
                replaced(text, Component::Query, |query| query.replace(' ', "+"))
            })
        },
    ),
    parse(
        "accepts letters beyond US-ASCII in a path",
        "syntax/characters/non-ascii-in-path",
        &["parse accepted-invalid \"\\u{e9}\""],
        |input, outcome| {
            accepts(input, outcome, |text| {
                replaced(text, Component::Path, |path| {
                    path.replace(
                        |character: char| !character.is_ascii() && character.is_alphabetic(),
                        "a",
                    )
                })
            })
        },
    ),
    parse(
        "accepts a percent sign without digits in a path",
        "syntax/percent-encoding/alone",
        &["parse accepted-invalid \"%\""],
        |input, outcome| {
            accepts(input, outcome, |text| {
                replaced(text, Component::Path, |path| {
                    let escaped = path.char_indices().map(|(at, character)| match character {
                        '%' if leading_triplet(&path.as_bytes()[at..]).is_none() => "%25".to_owned(),
                        other => other.to_string(),
                    });
                    escaped.collect()
                })
            })
        },
    ),
    parse(
        "takes a backslash for a slash",
        "syntax/characters/backslash-in-path",
        // In the path, and where the path would be an authority.
        &[
            "parse accepted-invalid \"\\\\\"",
            "parse accepted-invalid \"/\\\\[::]\"",
        ],
        |input, outcome| {
            accepts(input, outcome, |text| {
                replaced(text, Component::Path, |path| path.replace('\\', "/"))
            })
        },
    ),
    parse(
        "accepts a zone",
        "syntax/ipv6/piece-percent-encoded",
        // It does not look which alternative of IP-literal the zone stands in.
        &[
            "parse accepted-invalid \"//[::%a]\"",
            "parse accepted-invalid \"//[va.a%a]\"",
        ],
        |input, outcome| {
            accepts(input, outcome, |text| {
                replaced(text, Component::Host, |authority| {
                    match authority.split_once('%').and_then(|(address, rest)| Some((address, rest.split_once(']')?))) {
                        Some((address, (zone, rest)))
                            if zone.chars().all(char::is_alphanumeric) && !zone.is_empty() =>
                        {
                            format!("{address}]{rest}")
                        }
                        _ => authority.to_owned(),
                    }
                })
            })
        },
    ),
    parse(
        "accepts an address that is elided twice",
        "syntax/ipv6/elision-twice",
        &["parse accepted-invalid \"//[::a::]\""],
        |input, outcome| {
            accepts(input, outcome, |text| {
                replaced(text, Component::Host, |authority| {
                    let is_elided_twice = authority.matches("::").count() == 2
                        && !authority.contains(":::")
                        && !authority.contains('.')
                        && authority.trim_start_matches('[').trim_end_matches(']').len() + 2 == authority.len();
                    match authority.rsplit_once("::") {
                        Some((head, tail)) if is_elided_twice && tail.starts_with(']') => format!("{head}{tail}"),
                        Some((head, tail)) if is_elided_twice => format!("{head}:{tail}"),
                        _ => authority.to_owned(),
                    }
                })
            })
        },
    ),
    parse(
        "skips leading zeros of an IPv4 address",
        "security/rare-ip-formats/octal-octets",
        &["parse other-components host_kind \"//01.1.1.1\""],
        |_, outcome| {
            with_components(outcome, |observed| {
                let trimmed = observed.host.as_defined().map(|host| host.trim_start_matches('0').to_owned());
                let as_address = trimmed.map(|input| Input::Parse {
                    rule: Rule::Ipv4Address,
                    input,
                });
                if as_address.is_some_and(|address| matches!(reference(&address), Outcome::Accepted { .. })) {
                    observed.host_kind = Reported::Defined(HostKind::Ipv4);
                }
            })
        },
    ),
    parse(
        "refuses addresses of the future",
        "syntax/characters/no-space-in-ipvfuture",
        &["parse rejected-valid \"//[va.a]\""],
        |_, outcome| {
            rejects(outcome, |observed| {
                observed.host_kind == Reported::Defined(HostKind::Ipvfuture)
            })
        },
    ),
    parse(
        "refuses a capital V",
        "syntax/ipvfuture/upper-case-v",
        &["parse rejected-valid \"//[Va.a]\""],
        |_, outcome| {
            rejects(outcome, |observed| {
                observed.host.as_defined().is_some_and(|host| host.starts_with("[V"))
            })
        },
    ),
    parse(
        "refuses a capital in an IPv6 address",
        "syntax/ipv6/piece-of-four-digits",
        &["parse rejected-valid \"//[::A]\""],
        |_, outcome| {
            rejects(outcome, |observed| {
                observed.host_kind == Reported::Defined(HostKind::Ipv6)
                    && observed.host.as_defined().is_some_and(|host| host.contains(|c: char| c.is_ascii_uppercase()))
            })
        },
    ),
    parse(
        "refuses an IPv4 address in an IPv6 address",
        "syntax/ipv6/six-pieces-and-ipv4",
        &["parse rejected-valid \"//[::1.1.1.1]\""],
        |_, outcome| {
            rejects(outcome, |observed| {
                observed.host_kind == Reported::Defined(HostKind::Ipv6)
                    && observed.host.as_defined().is_some_and(|host| host.contains('.'))
            })
        },
    ),
    parse(
        "refuses a dot in a scheme",
        "syntax/scheme/every-kind-of-character",
        &["parse rejected-valid \"a.:\""],
        |_, outcome| {
            rejects(outcome, |observed| {
                observed.scheme.as_defined().is_some_and(|scheme| scheme.contains('.'))
            })
        },
    ),
    parse(
        "accepts a scheme that begins with a digit",
        "syntax/scheme/digit-first",
        &["parse accepted-invalid \"1:\""],
        |input, outcome| {
            accepts(input, outcome, |text| {
                text.starts_with(|first: char| first.is_ascii_digit()).then(|| format!("a{text}"))
            })
        },
    ),
    parse(
        "refuses a triplet that begins with a capital",
        "rfc/2/laguna-beach-in-ebcdic",
        &["parse rejected-valid \"%Aa\""],
        |input, outcome| match input {
            Input::Parse { input, .. } => {
                let mut digits = input.split('%').skip(1);
                if digits.any(|digits| digits.starts_with(|digit: char| digit.is_ascii_uppercase())) {
                    Outcome::rejected("a triplet")
                } else {
                    outcome
                }
            }
            _ => outcome,
        },
    ),
    parse(
        "refuses an empty port",
        "syntax/port/empty",
        &["parse rejected-valid \"//:\""],
        |_, outcome| rejects(outcome, |observed| observed.port == Reported::Defined(String::new())),
    ),
    parse(
        "refuses an empty host",
        "syntax/path/triple-slash",
        &["parse rejected-valid \"//\""],
        |_, outcome| rejects(outcome, |observed| observed.host == Reported::Defined(String::new())),
    ),
    parse(
        "refuses a port above 65535",
        "syntax/port/above-65535",
        &["parse rejected-valid \"//:65536\""],
        |_, outcome| {
            rejects(outcome, |observed| {
                observed.port.as_defined().is_some_and(|port| port.parse::<u16>().is_err() && !port.is_empty())
            })
        },
    ),
    parse(
        "takes an IPv4 address for a registered name",
        "syntax/ipv4/loopback",
        &["parse other-components host_kind \"//1.1.1.1\""],
        |_, outcome| {
            with_components(outcome, |observed| {
                if observed.host_kind == Reported::Defined(HostKind::Ipv4) {
                    observed.host_kind = Reported::Defined(HostKind::RegName);
                }
            })
        },
    ),
    parse(
        "loses the brackets of an IP-literal",
        "syntax/ipv6/elision-of-all",
        &["parse other-components host \"//[::]\""],
        |_, outcome| {
            with_components(outcome, |observed| {
                if let Reported::Defined(host) = &mut observed.host {
                    *host = host.trim_matches(['[', ']']).to_owned();
                }
            })
        },
    ),
    parse(
        "drops an empty query",
        "syntax/query-and-fragment/empty-query-and-fragment",
        &["parse other-components query \"?\""],
        |_, outcome| with_components(outcome, |observed| drop_empty(&mut observed.query)),
    ),
    parse(
        "drops an empty userinfo",
        "syntax/userinfo/empty",
        &["parse other-components userinfo \"//@\""],
        |_, outcome| with_components(outcome, |observed| drop_empty(&mut observed.userinfo)),
    ),
    parse(
        "ends the userinfo at the last at sign",
        "syntax/userinfo/two-at-signs",
        &["parse accepted-invalid \"//@@\""],
        |input, outcome| {
            accepts(input, outcome, |text| {
                let mut parts = split::components(text, UserinfoEnd::LastAt).map(str::to_owned);
                parts.userinfo = Some(parts.userinfo?.replace('@', ":"));
                Some(parts.recompose())
            })
        },
    ),
    parse(
        "takes a password for a port",
        "security/userinfo/host-and-port-imitated",
        &["parse rejected-valid \"//:@\""],
        |_, outcome| {
            rejects(outcome, |observed| {
                observed.userinfo.as_defined().is_some_and(|userinfo| userinfo.contains(':'))
            })
        },
    ),
    parse(
        "begins a query in a fragment",
        "syntax/query-and-fragment/slash-and-question-mark-in-fragment",
        &["parse other-components query+fragment \"#?\""],
        |_, outcome| {
            with_components(outcome, |observed| {
                if let (Reported::Undefined, Reported::Defined(fragment)) = (&observed.query, &observed.fragment)
                    && let Some((head, query)) = fragment.split_once('?')
                {
                    (observed.query, observed.fragment) =
                        (Reported::Defined(query.to_owned()), Reported::Defined(head.to_owned()));
                }
            })
        },
    ),
    parse(
        "knows no query",
        "rfc/1.1.2/ldap",
        &["parse other-components path+query \"?\""],
        |_, outcome| {
            with_components(outcome, |observed| {
                if let (Reported::Defined(path), Reported::Defined(query)) = (&mut observed.path, &observed.query) {
                    *path += &format!("?{query}");
                    observed.query = Reported::Undefined;
                }
            })
        },
    ),
    parse(
        "decodes a space in a path",
        "rfc/2/percent-20",
        &["parse other-components path \"%20\""],
        |_, outcome| {
            with_components(outcome, |observed| {
                if let Reported::Defined(path) = &mut observed.path {
                    *path = path.replace("%20", " ");
                }
            })
        },
    ),
    parse(
        "lowers the case of a scheme",
        "rfc/appendix-c/url-prefix",
        &["parse other-components scheme \"A:\""],
        |_, outcome| {
            with_components(outcome, |observed| {
                if let Reported::Defined(scheme) = &mut observed.scheme {
                    scheme.make_ascii_lowercase();
                }
            })
        },
    ),
    parse(
        "panics on a fragment",
        "rfc/appendix-b/ietf-uri",
        &["parse crashed parse.rs"],
        |input, outcome| match input {
            Input::Parse { input, .. } if input.contains('#') => panic!("no fragments please"),
            _ => outcome,
        },
    ),
];

/// Takes what the reference rejects, if it accepts what `repair` makes of it.
pub(crate) fn accepts(input: &Input, outcome: Outcome, repair: impl FnOnce(&str) -> Option<String>) -> Outcome {
    match (input, &outcome) {
        (Input::Parse { rule, input }, Outcome::Rejected { .. }) => match repair(input) {
            Some(input) => reference(&Input::Parse { rule: *rule, input }),
            None => outcome,
        },
        _ => outcome,
    }
}

/// Rejects what the reference accepts with such components.
pub(crate) fn rejects(outcome: Outcome, is_refused: impl FnOnce(&Observed) -> bool) -> Outcome {
    match &outcome {
        Outcome::Accepted {
            value: Value::Components(observed),
        } if is_refused(observed) => Outcome::rejected("refused"),
        _ => outcome,
    }
}

fn drop_empty(component: &mut Reported<String>) {
    if *component == Reported::Defined(String::new()) {
        *component = Reported::Undefined;
    }
}

/// `text`, as Appendix B splits it, with another path, query or authority; `None` where it has none.
pub(crate) fn replaced(text: &str, component: Component, replace: impl FnOnce(&str) -> String) -> Option<String> {
    let mut five = split::split(text);
    let replacement = match component {
        Component::Host => replace(five.authority?),
        Component::Query => replace(five.query?),
        _ => replace(&five.path),
    };
    match component {
        Component::Host => five.authority = Some(&replacement),
        Component::Query => five.query = Some(&replacement),
        _ => five.path = Cow::Borrowed(&replacement),
    }
    Some(recompose(&five))
}
