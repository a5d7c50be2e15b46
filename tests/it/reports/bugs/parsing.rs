//! Bugs that reports show where a string is parsed.

use std::net::Ipv6Addr;

use rfc3986_reference::grammar;
use uriproof::model::{Component, Input, Operation, Reported};
use uriproof::split::{self, UserinfoEnd};

use super::{Bug, bug, has_small_triplet};
use crate::mutants::parse::{accepts, rejects, replaced};
use crate::mutants::{components, reference, with_components};

/// In the order of the reports.
pub(super) const BUGS: &[Bug] = &[
    bug(
        "takes an IP-literal with a port for userinfo",
        Operation::Parse,
        |input, outcome| {
            let mut imitated = String::new();
            let outcome = accepts(input, outcome, |text| {
                replaced(text, Component::Host, |authority| {
                    match split::authority(authority, UserinfoEnd::LastAt).userinfo {
                        Some(literal) if is_literal_with_port(literal) && literal.len() + 1 < authority.len() => {
                            imitated = literal.to_owned();
                            format!("u{}", &authority[literal.len()..])
                        }
                        _ => authority.to_owned(),
                    }
                })
            });
            match imitated.is_empty() {
                true => outcome,
                false => with_components(outcome, |observed| observed.userinfo = Reported::Defined(imitated)),
            }
        },
    ),
    bug(
        "accepts letters behind the port of an IP-literal",
        Operation::Parse,
        |input, outcome| {
            accepts(input, outcome, |text| {
                replaced(text, Component::Host, |authority| {
                    let without = authority.trim_end_matches(|character: char| character.is_ascii_alphabetic());
                    let is_port = is_literal_with_port(without) && !without.ends_with(':');
                    if is_port { without } else { authority }.to_owned()
                })
            })
        },
    ),
    bug(
        "accepts the character DEL in an IPvFuture",
        Operation::Parse,
        |input, outcome| {
            accepts(input, outcome, |text| {
                replaced(text, Component::Host, |authority| match authority.starts_with("[v") {
                    true => authority.replace('\u{7f}', "_"),
                    false => authority.to_owned(),
                })
            })
        },
    ),
    bug(
        "refuses an IPv6 address that maps an IPv4 address",
        Operation::Parse,
        |_, outcome| {
            rejects(outcome, |observed| {
                let address = observed.host.as_defined().and_then(|host| host.strip_prefix('[')?.strip_suffix(']'));
                let address = address.and_then(|address| address.parse::<Ipv6Addr>().ok());
                address.is_some_and(|address| address.to_ipv4_mapped().is_some())
            })
        },
    ),
    bug(
        "takes an empty authority without a scheme for a path",
        Operation::Parse,
        |_, outcome| {
            with_components(outcome, |observed| {
                let is_plain = observed.userinfo == Reported::Undefined && observed.port == Reported::Undefined;
                let path = observed.path.as_defined().filter(|path| path.starts_with('/')).cloned();
                let is_empty = observed.host == Reported::Defined(String::new());
                if let (Reported::Undefined, Some(path)) = (&observed.scheme, path)
                    && is_empty
                    && is_plain
                {
                    observed.path = Reported::Defined(format!("//{path}"));
                    (observed.host, observed.host_kind) = (Reported::Undefined, Reported::Undefined);
                }
            })
        },
    ),
    bug(
        "accepts the length of a prefix in an IPv6 address",
        Operation::Parse,
        |input, outcome| {
            accepts(input, outcome, |text| {
                let (before, rest) = text.split_once("//[")?;
                let (address, rest) = rest.split_once('/')?;
                let (length, rest) = rest.split_once(']')?;
                let is_length = (1..=3).contains(&length.len()) && length.bytes().all(|octet| octet.is_ascii_digit());
                (is_length && grammar::ipv6address(address).is_ok()).then(|| format!("{before}//[{address}]{rest}"))
            })
        },
    ),
    bug(
        "takes the first segment behind an empty authority for the authority",
        Operation::Parse,
        |input, outcome| match input {
            Input::Parse { rule, input } => match components(input) {
                Some(parsed)
                    if parsed.scheme.as_deref().is_some_and(|scheme| !scheme.eq_ignore_ascii_case("file"))
                        && (parsed.host.as_deref(), &parsed.userinfo, &parsed.port) == (Some(""), &None, &None)
                        && parsed.path.len() > 1 =>
                {
                    let input = input.replacen(":///", "://", 1);
                    reference(&Input::Parse { rule: *rule, input })
                }
                _ => outcome,
            },
            _ => outcome,
        },
    ),
    bug(
        "refuses small letters in a triplet of a path",
        Operation::Parse,
        |_, outcome| {
            rejects(outcome, |observed| {
                observed.path.as_defined().is_some_and(|path| has_small_triplet(path))
            })
        },
    ),
    bug(
        "panics on an IPv4 address behind a bracket that is not closed",
        Operation::Parse,
        |input, outcome| match input {
            Input::Parse { input, .. } if is_open_ipv4(input) => panic!("no closing bracket"),
            _ => outcome,
        },
    ),
    bug(
        "accepts a number sign in userinfo",
        Operation::Parse,
        |input, outcome| {
            let mut userinfo = String::new();
            let outcome = accepts(input, outcome, |text| {
                let (scheme, rest) = text.split_once("//")?;
                let (given, host) = rest.split_once('@')?;
                if !given.contains('#') || given.contains('/') {
                    return None;
                }
                userinfo = given.to_owned();
                Some(format!("{scheme}//{}@{host}", given.replace('#', "%23")))
            });
            match userinfo.is_empty() {
                true => outcome,
                false => with_components(outcome, |observed| observed.userinfo = Reported::Defined(userinfo)),
            }
        },
    ),
    bug("takes tabs and line ends away", Operation::Parse, |input, outcome| {
        accepts(input, outcome, |text| Some(text.replace(['\t', '\n', '\r'], "")))
    }),
    bug(
        "takes a tab away between the slashes of an authority",
        Operation::Parse,
        |input, outcome| {
            accepts(input, outcome, |text| {
                text.starts_with("/\t/").then(|| text.replacen('\t', "", 1))
            })
        },
    ),
];

fn is_literal_with_port(text: &str) -> bool {
    let parts = split::authority(text, UserinfoEnd::FirstAt);
    let has_port = parts.port.is_some_and(|port| port.bytes().all(|octet| octet.is_ascii_digit()));
    parts.userinfo.is_none() && grammar::ip_literal(parts.host).is_ok() && has_port
}

/// Whether a text has a bracket behind two slashes, then an IPv4 address, and no more.
fn is_open_ipv4(text: &str) -> bool {
    let behind = text.split_once("//[").map(|(_, behind)| behind);
    behind.is_some_and(|behind| grammar::ipv4address(behind).is_ok())
}
