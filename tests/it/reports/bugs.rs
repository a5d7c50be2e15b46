//! The bugs of the reports, each as a kind of behaviour of a library that has no other bug.
//!
//! If a report shows how narrow its bug is, the bug here is no wider. A suite catches wide bugs by accident.

use std::net::Ipv6Addr;

use rfc3986_reference::dot_segments::remove_dot_segments;
use rfc3986_reference::grammar;
use rfc3986_reference::normalize::{case_normalization, percent_encoding_normalization};
use rfc3986_reference::recompose::recompose;
use rfc3986_reference::resolve::{Strictness, resolve};
use uriproof::model::{
    Component, Components, Contract, Input, Operation, Outcome, Reading, Reported, Rung, Scope, Value,
};
use uriproof::split::{self, UserinfoEnd};

use crate::mutants::library::{bare, breaks};
use crate::mutants::parse::{accepts, rejects, replaced};
use crate::mutants::{Twist, components, reference, with_components, with_uri};

/// A bug that a report is about, or a variant of it.
pub(crate) struct Bug {
    /// What it does, as `reports.json` names it.
    pub(crate) name: &'static str,
    /// The operation in which it shows.
    pub(crate) operation: Operation,
    /// What it makes of an outcome of the reference.
    pub(crate) twist: Twist,
}

const fn bug(name: &'static str, operation: Operation, twist: Twist) -> Bug {
    Bug { name, operation, twist }
}

/// Every bug, in the order of the reports.
pub(crate) const BUGS: &[Bug] = &[
    bug(
        "loses a slash of two at the end of a path",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |_, reference, target| {
                if !reference.path.is_empty() && target.path.ends_with("//") {
                    target.path.pop();
                }
            })
        },
    ),
    bug(
        "loses a slash of two at the end of a path that it normalizes",
        Operation::Normalize,
        |input, outcome| {
            normalized(input, outcome, |_, normal| {
                if normal.path.ends_with("//") {
                    normal.path.pop();
                }
            })
        },
    ),
    bug(
        "loses the empty segment behind a dot-dot above the root",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |_, reference, target| {
                if reference.path.starts_with("/..//") && target.host.is_some() && target.path.starts_with("//") {
                    target.path.remove(0);
                }
            })
        },
    ),
    bug(
        "loses an opaque base before a fragment",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |base, reference, target| {
                if is_opaque(base) && is_fragment_only(reference) {
                    target.path.clear();
                }
            })
        },
    ),
    bug(
        "refuses a relative path where the base has an authority and no path",
        Operation::Resolve,
        |input, outcome| match resolution(input) {
            Some((base, reference)) if base.host.is_some() && base.path.is_empty() && is_relative_path(&reference) => {
                Outcome::rejected("the base has no path")
            }
            _ => outcome,
        },
    ),
    bug(
        "puts no slash behind an authority without a path where the reference goes up",
        Operation::Resolve,
        |input, outcome| match (resolution(input), &outcome) {
            (Some((base, reference)), Outcome::Accepted { .. })
                if base.host.is_some() && base.path.is_empty() && reference.path.starts_with("../") =>
            {
                let up = reference.path.trim_start_matches("../");
                let authority = base.clone().with(Component::Query, None).with(Component::Fragment, None);
                let rest = reference.clone().with(Component::Path, Some(up));
                Outcome::uri(format!("{}{}", authority.recompose(), rest.recompose()))
            }
            _ => outcome,
        },
    ),
    bug(
        "puts a slash before the target of a rootless base",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |base, reference, target| {
                let is_rooted = target.path.starts_with('/');
                if is_opaque(base) && base.path.contains('/') && is_relative_path(reference) && !is_rooted {
                    target.path.insert(0, '/');
                }
            })
        },
    ),
    bug(
        "drops a fragment that is alone",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |_, reference, target| {
                if is_fragment_only(reference) {
                    target.fragment = None;
                }
            })
        },
    ),
    bug(
        "drops a fragment that is alone where the base has no query",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |base, reference, target| {
                if is_fragment_only(reference) && base.query.is_none() {
                    target.fragment = None;
                }
            })
        },
    ),
    bug(
        "takes a dot of the base for a directory",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |base, reference, target| {
                let directory = base.path.rfind('/').map_or("", |end| &base.path[..=end]);
                let Some(above) = directory.strip_suffix("/./") else {
                    return;
                };
                let rest = match reference.path.strip_prefix("..") {
                    Some("") => String::new(),
                    Some(rest) if rest.starts_with('/') => rest.to_owned(),
                    _ => return,
                };
                target.path = remove_dot_segments(&format!("{above}{rest}"));
            })
        },
    ),
    bug(
        "appends to a relative base that has no slash",
        Operation::Resolve,
        |input, outcome| relative(input, outcome, |base, target| format!("{}{target}", base.path)),
    ),
    bug(
        "appends to a relative base that has no slash, behind one",
        Operation::Resolve,
        |input, outcome| relative(input, outcome, |base, target| format!("{}/{target}", base.path)),
    ),
    bug(
        "makes up an authority where the base is relative",
        Operation::Resolve,
        |input, outcome| match resolution(input) {
            Some((base, reference))
                if base.scheme.is_none()
                    && base.host.is_none()
                    && !base.path.starts_with('/')
                    && is_relative_path(&reference) =>
            {
                Outcome::uri(format!("///{}", by_the_algorithm(&base, &reference)))
            }
            _ => outcome,
        },
    ),
    bug(
        "keeps the dot-segments of a reference with scheme and authority",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |_, reference, target| {
                if reference.scheme.is_some() && target.scheme == reference.scheme && reference.host.is_some() {
                    target.path.clone_from(&reference.path);
                }
            })
        },
    ),
    bug(
        "panics where a target would begin with two slashes",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |base, reference, target| {
                if base.host.is_none() && reference.host.is_none() && target.host.is_some() {
                    panic!("the path begins with two slashes");
                }
            })
        },
    ),
    bug(
        "makes an empty path behind an authority of the reference a slash",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |_, reference, target| {
                if reference.scheme.is_none() && reference.host.is_some() && target.path.is_empty() {
                    target.path.push('/');
                }
            })
        },
    ),
    bug(
        "takes a base of colons and no slash for a directory",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |base, reference, target| {
                if is_opaque(base) && base.path.contains(':') && !base.path.contains('/') && is_relative_path(reference)
                {
                    target.path = remove_dot_segments(&format!("{}/{}", base.path, reference.path));
                }
            })
        },
    ),
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
    bug(
        "ignores the case of a path, by the scheme",
        Operation::Equivalent,
        |input, outcome| match input {
            Input::Equivalent {
                left,
                right,
                rung: Rung::Scheme,
            } if outcome == Outcome::equivalent(false) => match (components(left), components(right)) {
                (Some(mut left), Some(mut right)) => {
                    left.path.make_ascii_lowercase();
                    right.path.make_ascii_lowercase();
                    let (left, right) = (left.recompose(), right.recompose());
                    reference(&Input::Equivalent {
                        left,
                        right,
                        rung: Rung::Scheme,
                    })
                }
                _ => outcome,
            },
            _ => outcome,
        },
    ),
    bug(
        "hashes the host that it compares without case",
        Operation::Contract,
        |input, outcome| {
            breaks(input, outcome, Contract::Hash, |left, right| {
                differ_in_case(left, right, Component::Host)
            })
        },
    ),
    bug(
        "orders the scheme that it compares without case",
        Operation::Contract,
        |input, outcome| {
            breaks(input, outcome, Contract::Order, |left, right| {
                differ_in_case(left, right, Component::Scheme)
            })
        },
    ),
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
    bug(
        "prints no slashes before an authority without a scheme",
        Operation::RoundTrip,
        |input, outcome| match input {
            Input::RoundTrip { uri } => match (components(uri), uri.strip_prefix("//")) {
                (Some(parsed), Some(rest)) if parsed.scheme.is_none() && parsed.host.as_deref() != Some("") => {
                    Outcome::uri(rest)
                }
                _ => outcome,
            },
            _ => outcome,
        },
    ),
    bug(
        "prints no slash where it is the whole path",
        Operation::RoundTrip,
        |_, outcome| {
            with_uri(outcome, |uri| {
                if uri.host.is_some() && uri.path == "/" && uri.query.is_none() && uri.fragment.is_none() {
                    uri.path.clear();
                }
            })
        },
    ),
    bug(
        "sets a path that begins with two slashes without an authority",
        Operation::Modify,
        |input, outcome| {
            set_unchecked(input, outcome, |uri, component, value| {
                component == Component::Path && uri.host.is_none() && value.starts_with("//")
            })
        },
    ),
    bug("sets a host with an at sign", Operation::Modify, |input, outcome| {
        set_unchecked(input, outcome, |_, component, value| {
            component == Component::Host && value.contains('@')
        })
    }),
    bug(
        "composes a path that begins with two slashes alone",
        Operation::Compose,
        |input, outcome| match input {
            Input::Compose { components: given }
                if matches!(outcome, Outcome::Rejected { .. })
                    && given.scheme.is_none()
                    && given.authority().is_none()
                    && given.path.starts_with("//")
                    && grammar::path(&given.path).is_ok() =>
            {
                Outcome::uri(given.recompose())
            }
            _ => outcome,
        },
    ),
    bug(
        "takes a host for the same that the other begins with",
        Operation::Relativize,
        |input, outcome| match relativization(input) {
            Some((base, target))
                if base.scheme == target.scheme
                    && (&base.userinfo, &base.port) == (&target.userinfo, &target.port)
                    && base.host != target.host
                    && base
                        .host
                        .as_deref()
                        .zip(target.host.as_deref())
                        .is_some_and(|(base, target)| !target.is_empty() && base.starts_with(target)) =>
            {
                Outcome::uri(relative_path(&base, &target))
            }
            _ => outcome,
        },
    ),
    bug(
        "takes the last segment of the base for a directory",
        Operation::Relativize,
        |input, outcome| match relativization(input) {
            Some((base, target))
                if base.scheme == target.scheme
                    && base.authority() == target.authority()
                    && !base.path.ends_with('/')
                    && target.path.starts_with(&format!("{}/", base.path)) =>
            {
                let below = &target.path[base.path.len() + 1..];
                let reference = Components {
                    path: below.to_owned(),
                    query: target.query.clone(),
                    fragment: target.fragment.clone(),
                    ..Components::default()
                };
                Outcome::uri(reference.recompose())
            }
            _ => outcome,
        },
    ),
    bug(
        "makes nothing of a target that lacks the query of the base",
        Operation::Relativize,
        |input, outcome| match input {
            Input::Relativize { base, target } if bare(base).is_some() && bare(base) == bare(target) => {
                match relativization(input) {
                    Some((base, target))
                        if base.query.is_some() && target.query.is_none() && target.fragment.is_none() =>
                    {
                        Outcome::uri("")
                    }
                    _ => outcome,
                }
            }
            _ => outcome,
        },
    ),
    bug(
        "writes triplets of what is given in small letters",
        Operation::Modify,
        |input, outcome| match (input, &outcome) {
            (Input::Modify { uri, component, value }, Outcome::Rejected { .. }) => {
                let Some(given) = components(uri) else {
                    return outcome;
                };
                let encoded = given.with(*component, value.as_deref()).percent_encoded();
                match reference(&Input::Compose { components: encoded }) {
                    Outcome::Accepted { .. } => small_triplets(uri, *component, value.as_deref()),
                    _ => outcome,
                }
            }
            _ => outcome,
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

/// A base and a reference that are valid, but perhaps relative.
fn resolution(input: &Input) -> Option<(Components, Components)> {
    match input {
        Input::Resolve { base, reference, .. } => components(base).zip(components(reference)),
        _ => None,
    }
}

/// Another target; `change` gets the base and the reference.
fn resolved(
    input: &Input,
    outcome: Outcome,
    change: impl FnOnce(&Components, &Components, &mut Components),
) -> Outcome {
    match resolution(input) {
        Some((base, reference)) => with_uri(outcome, |target| change(&base, &reference, target)),
        None => outcome,
    }
}

/// Takes a relative base without a slash, and makes the path of what the algorithm has.
fn relative(input: &Input, outcome: Outcome, path: impl FnOnce(&Components, String) -> String) -> Outcome {
    match resolution(input) {
        Some((base, reference))
            if base.scheme.is_none()
                && base.host.is_none()
                && !base.path.is_empty()
                && !base.path.contains('/')
                && is_relative_path(&reference) =>
        {
            Outcome::uri(path(&base, by_the_algorithm(&base, &reference)))
        }
        _ => outcome,
    }
}

/// The target of §5.2.2 word for word, of a base that may lack a scheme.
fn by_the_algorithm(base: &Components, reference: &Components) -> String {
    let (of_base, of_reference) = (base.authority(), reference.authority());
    let (base, reference) = (base.five(of_base.as_deref()), reference.five(of_reference.as_deref()));
    recompose(&resolve(&base, &reference, Strictness::Strict, Reading::Rfc3986).target)
}

fn is_relative_path(reference: &Components) -> bool {
    reference.scheme.is_none()
        && reference.host.is_none()
        && !reference.path.is_empty()
        && !reference.path.starts_with('/')
}

fn is_fragment_only(reference: &Components) -> bool {
    let fragment = Components {
        fragment: reference.fragment.clone(),
        ..Components::default()
    };
    reference.fragment.is_some() && *reference == fragment
}

/// Whether all behind the scheme, up to a query, is a path that begins with no slash.
fn is_opaque(base: &Components) -> bool {
    base.scheme.is_some() && base.host.is_none() && !base.path.is_empty() && !base.path.starts_with('/')
}

/// Another normal form; `change` gets the URI.
fn normalized(input: &Input, outcome: Outcome, change: impl FnOnce(&Components, &mut Components)) -> Outcome {
    match input {
        Input::Normalize { uri, .. } => match components(uri).filter(|uri| uri.scheme.is_some()) {
            Some(given) => with_uri(outcome, |normal| change(&given, normal)),
            None => outcome,
        },
        _ => outcome,
    }
}

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

fn has_small_triplet(text: &str) -> bool {
    let triplets = text.match_indices('%').filter_map(|(at, _)| text.get(at + 1..at + 3));
    triplets.map(str::as_bytes).any(|digits| digits.iter().any(u8::is_ascii_lowercase))
}

/// Whether two URIs differ in the case of one component, and in nothing else.
fn differ_in_case(left: &Components, right: &Components, component: Component) -> bool {
    let without = |uri: &Components| uri.clone().with(component, None);
    match (left.text(component), right.text(component)) {
        (Some(one), Some(other)) => one != other && one.eq_ignore_ascii_case(other) && without(left) == without(right),
        _ => false,
    }
}

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

/// Sets a component unchecked, where the reference refuses it.
fn set_unchecked(
    input: &Input,
    outcome: Outcome,
    is_such: impl FnOnce(&Components, Component, &str) -> bool,
) -> Outcome {
    match (input, &outcome) {
        (
            Input::Modify {
                uri,
                component,
                value: Some(value),
            },
            Outcome::Rejected { .. },
        ) => match components(uri) {
            Some(given) if is_such(&given, *component, value) => {
                Outcome::uri(given.with(*component, Some(value)).recompose())
            }
            _ => outcome,
        },
        _ => outcome,
    }
}

/// A base and a target that are URIs.
fn relativization(input: &Input) -> Option<(Components, Components)> {
    let Input::Relativize { base, target } = input else {
        return None;
    };
    let (base, target) = components(base).zip(components(target))?;
    (base.scheme.is_some() && target.scheme.is_some()).then_some((base, target))
}

/// The path of a target as seen from that of a base, with query and fragment.
fn relative_path(base: &Components, target: &Components) -> String {
    let directories: Vec<&str> = base.path.split('/').collect();
    let segments: Vec<&str> = target.path.split('/').collect();
    let most = (directories.len() - 1).min(segments.len() - 1);
    let common = (0..most).take_while(|at| directories[*at] == segments[*at]).count();
    let up = "../".repeat(directories.len() - 1 - common);
    let reference = Components {
        path: format!("{up}{}", segments[common..].join("/")),
        query: target.query.clone(),
        fragment: target.fragment.clone(),
        ..Components::default()
    };
    reference.recompose()
}

/// A component set to what is given as data, its triplets in small letters.
fn small_triplets(uri: &str, component: Component, value: Option<&str>) -> Outcome {
    let given = components(uri).expect("a URI-reference").with(component, value);
    let mut encoded = given.percent_encoded();
    if let Some(text) = encoded.text(component).map(str::to_owned) {
        let triplets = text.match_indices('%').filter_map(|(at, _)| text.get(at..at + 3));
        let small = triplets.fold(text.clone(), |small, triplet| {
            small.replace(triplet, &triplet.to_ascii_lowercase())
        });
        encoded = encoded.with(component, Some(&small));
    }
    Outcome::uri(encoded.recompose())
}
