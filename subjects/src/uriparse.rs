//! `uriparse`: RFC 3986, with an equality that normalizes.

use std::cell::RefCell;
use std::fmt::{self, Write as _};
use std::ops::Range;

use uriparse::{Authority, Fragment, Host, Path, Query, Scheme, URIReferenceBuilder};
use uriproof::model::{
    Component, Components, Declaration, Fidelity, HostKind, Observed, Operation, Outcome, Reported, Rule, Rung, Scope,
    Shown, Subject,
};

use super::contracts::{of_eq, of_hash};
use super::other_rule;

const fn declaration(
    entry_point: &'static str,
    rules: &'static [Rule],
    operations: &'static [Operation],
) -> Declaration {
    Declaration::new("uriparse", "0.6.4", entry_point, operations).with_rules(rules).with_tells(&[
        // A registered scheme is a variant, in lower case.
        (Component::Scheme, Fidelity::IgnoringCase),
        (Component::Userinfo, Fidelity::Exact),
        // A reg-name is shown as it was given; an IPv6 address is a value, whose text is in lower case.
        (Component::Host, Fidelity::HostValue),
        (Component::HostKind, Fidelity::Exact),
        (Component::Port, Fidelity::Number),
        (Component::Path, Fidelity::Exact),
        (Component::Query, Fidelity::Exact),
        (Component::Fragment, Fidelity::Exact),
    ])
}

const WITHOUT_RESOLVE: &[Operation] = &[
    Operation::Parse,
    Operation::Normalize,
    Operation::Compose,
    Operation::Equivalent,
    Operation::Modify,
    Operation::RoundTrip,
    Operation::Contract,
];
const WITH_RESOLVE: &[Operation] = &[
    Operation::Parse,
    Operation::Resolve,
    Operation::Normalize,
    Operation::Compose,
    Operation::Equivalent,
    Operation::Modify,
    Operation::RoundTrip,
    Operation::Contract,
];

/// An entry point: its type, its rule, its operations, what of URIs it holds, and its `resolve`, if it has one.
macro_rules! entry_point {
    ($(#[$doc:meta])* $name:ident = $type:ident, $label:literal, $rule:ident, $operations:expr, $kind:ident $(, $resolve:item)?) => {
        $(#[$doc])*
        pub struct $name;

        impl $name {
            fn modify(uri: &str, component: Component, value: Option<&str>) -> Result<Outcome, Box<Outcome>> {
                let mut reference = uriparse::$type::try_from(uri).map_err(rejected)?;
                match (component, value) {
                    (Component::Scheme, scheme) => entry_point!(@set_scheme reference, scheme, $kind),
                    (Component::Userinfo | Component::Host | Component::Port, _) => {
                        let authority = modified(reference.authority().cloned(), component, value)?;
                        reference.set_authority(authority).map_err(rejected)?;
                    }
                    (Component::Path, Some(path)) => {
                        reference.set_path(path).map_err(rejected)?;
                    }
                    (Component::Path, None) => return Err(Outcome::unsupported("sets a path to a path").into()),
                    (Component::Query, query) => {
                        reference.set_query(query).map_err(rejected)?;
                    }
                    (Component::Fragment, fragment) => {
                        reference.set_fragment(fragment).map_err(rejected)?;
                    }
                    (Component::HostKind, _) => {
                        return Err(Outcome::unsupported("the kind of a host follows from it").into());
                    }
                }
                Ok(Outcome::uri(reference.to_string()))
            }
        }

        impl Subject for $name {
            fn declaration(&self) -> &Declaration {
                static DECLARATION: Declaration = declaration($label, &[Rule::$rule], $operations);
                &DECLARATION
            }

            fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
                (rule == Rule::$rule).then(|| uriparse::$type::try_from(input).is_ok())
            }

            fn parse(&self, rule: Rule, input: &str) -> Outcome {
                Outcome::shown(|see| self.show(rule, input, see))
            }

            fn show(&self, rule: Rule, input: &str, see: &mut dyn FnMut(Shown<'_>)) {
                if rule != Rule::$rule {
                    return see(Shown::Otherwise(&other_rule(Rule::$rule)));
                }
                match uriparse::$type::try_from(input) {
                    Ok(parsed) => show(&parsed.into(), see),
                    Err(error) => see(Shown::rejected(&error)),
                }
            }

            $($resolve)?

            /// Documentation: "A normalized URI reference will have all of its components normalized"; ports are not looked at.
            fn normalize(&self, uri: &str, scope: Scope) -> Outcome {
                if scope != Scope::Syntax {
                    return Outcome::unsupported("no scheme-based normalization");
                }
                match uriparse::$type::try_from(uri) {
                    Ok(mut parsed) => {
                        parsed.normalize();
                        Outcome::uri(parsed.to_string())
                    }
                    Err(error) => Outcome::rejected(error),
                }
            }

            fn compose(&self, components: &Components) -> Outcome {
                match build(components) {
                    Ok(reference) => match uriparse::$type::try_from(reference) {
                        Ok(built) => Outcome::uri(built.to_string()),
                        Err(error) => Outcome::rejected(error),
                    },
                    Err(outcome) => *outcome,
                }
            }

            fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
                if rung != Rung::Syntax {
                    return Outcome::unsupported("`==` ignores case and percent-encoding, by no scheme's rules");
                }
                match (uriparse::$type::try_from(left), uriparse::$type::try_from(right)) {
                    (Ok(left), Ok(right)) => Outcome::equivalent(left == right),
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }

            fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
                Self::modify(uri, component, value).unwrap_or_else(|outcome| *outcome)
            }

            fn round_trip(&self, uri: &str) -> Outcome {
                match uriparse::$type::try_from(uri) {
                    Ok(parsed) => Outcome::uri(parsed.to_string()),
                    Err(error) => Outcome::rejected(error),
                }
            }

            fn contract(&self, left: &str, right: &str) -> Outcome {
                match (uriparse::$type::try_from(left), uriparse::$type::try_from(right)) {
                    (Ok(left), Ok(right)) => Outcome::broken([of_eq(&left, &right), of_hash(&left, &right)].concat()),
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }
        }
    };
    (@set_scheme $reference:ident, $scheme:ident, reference) => {{
        $reference.set_scheme($scheme).map_err(rejected)?;
    }};
    (@set_scheme $reference:ident, $scheme:ident, absolute) => {
        match $scheme {
            Some(scheme) => {
                $reference.set_scheme(scheme).map_err(rejected)?;
            }
            None => return Err(Outcome::unsupported("no URI without a scheme").into()),
        }
    };
    (@set_scheme $reference:ident, $scheme:ident, relative) => {{
        let _ = $scheme;
        return Err(Outcome::unsupported("no relative reference with a scheme").into());
    }};
}

entry_point! {
    /// `URIReference::try_from`
    UriReference = URIReference, "URIReference::try_from", UriReference, WITHOUT_RESOLVE, reference
}
entry_point! {
    /// `URI::try_from`
    Uri = URI, "URI::try_from", Uri, WITH_RESOLVE, absolute,
    fn resolve(&self, base: &str, reference: &str, strict: bool) -> Outcome {
        if !strict {
            return Outcome::unsupported("no non-strict mode");
        }
        let base = match uriparse::URI::try_from(base) {
            Ok(base) => base,
            Err(error) => return Outcome::rejected(format!("base refused: {error}")),
        };
        match uriparse::URIReference::try_from(reference) {
            Ok(reference) => Outcome::uri(base.resolve(&reference).to_string()),
            Err(error) => Outcome::rejected(error),
        }
    }
}
entry_point! {
    /// `RelativeReference::try_from`
    RelativeReference = RelativeReference, "RelativeReference::try_from", RelativeRef, WITHOUT_RESOLVE, relative
}

/// A userinfo with a password, an address, a port and a path have no text but what they are printed as: they are printed one
/// behind the other into one string, which is there as long as the thread.
fn show(reference: &uriparse::URIReference<'_>, see: &mut dyn FnMut(Shown<'_>)) {
    thread_local! {
        static PRINTED: RefCell<String> = const { RefCell::new(String::new()) };
    }
    let host_kind = reference.host().map(|host| match host {
        Host::IPv4Address(_) => HostKind::Ipv4,
        Host::IPv6Address(_) => HostKind::Ipv6,
        Host::RegisteredName(_) => HostKind::RegName,
    });
    PRINTED.with_borrow_mut(|printed| {
        printed.clear();
        // A password implies a username, which holds no ":": nothing is lost.
        let userinfo = reference.username().map(|username| match reference.password() {
            Some(password) => print(printed, |printed| write!(printed, "{username}:{password}")),
            None => ComponentText::Own(username.as_str()),
        });
        let host = reference.host().map(|host| match host {
            Host::RegisteredName(name) => ComponentText::Own(name.as_str()),
            address => print(printed, |printed| write!(printed, "{address}")),
        });
        let port = reference.port().map(|port| print(printed, |printed| write!(printed, "{port}")));
        // As `Display` prints it.
        let path = print(printed, |printed| {
            let mut slash = if reference.path().is_absolute() { "/" } else { "" };
            for segment in reference.path().segments() {
                printed.push_str(slash);
                printed.push_str(segment.as_str());
                slash = "/";
            }
            Ok(())
        });
        see(Shown::Accepted(Observed {
            scheme: reference.scheme().map(Scheme::as_str).into(),
            userinfo: userinfo.map(|text| text.of(printed)).into(),
            host: host.map(|text| text.of(printed)).into(),
            host_kind: host_kind.into(),
            port: port.map(|text| text.of(printed)).into(),
            path: Reported::Defined(path.of(printed)),
            query: reference.query().map(Query::as_str).into(),
            fragment: reference.fragment().map(Fragment::as_str).into(),
        }));
    });
}

/// The text of a component.
enum ComponentText<'a> {
    /// Its own.
    Own(&'a str),
    /// This part of what was printed.
    Printed(Range<usize>),
}

impl<'a> ComponentText<'a> {
    fn of(self, printed: &'a str) -> &'a str {
        match self {
            ComponentText::Own(text) => text,
            ComponentText::Printed(range) => &printed[range],
        }
    }
}

fn print<'a>(printed: &mut String, print: impl FnOnce(&mut String) -> fmt::Result) -> ComponentText<'a> {
    let start = printed.len();
    print(printed).expect("writes to a string");
    ComponentText::Printed(start..printed.len())
}

fn build(components: &Components) -> Result<uriparse::URIReference<'_>, Box<Outcome>> {
    let Components {
        scheme,
        userinfo,
        host,
        host_kind: _,
        port,
        path,
        query,
        fragment,
    } = components;
    let scheme = scheme.as_deref().map(Scheme::try_from).transpose().map_err(rejected)?;
    let query = query.as_deref().map(Query::try_from).transpose().map_err(rejected)?;
    let fragment = fragment.as_deref().map(Fragment::try_from).transpose().map_err(rejected)?;
    let authority = match host {
        Some(host) => {
            let (username, password) = username_and_password(userinfo.as_deref());
            let port = port.as_deref().map(number).transpose()?;
            Some(Authority::from_parts(username, password, host.as_str(), port).map_err(rejected)?)
        }
        None if userinfo.is_none() && port.is_none() => None,
        None => return Err(Outcome::unsupported("builds no authority without a host").into()),
    };
    URIReferenceBuilder::new()
        .with_scheme(scheme)
        .with_authority(authority)
        .with_path(Path::try_from(path.as_str()).map_err(rejected)?)
        .with_query(query)
        .with_fragment(fragment)
        .build()
        .map_err(rejected)
}

/// The authority with another userinfo, host or port; `None` where there is to be none.
fn modified<'a>(
    authority: Option<Authority<'a>>,
    component: Component,
    value: Option<&'a str>,
) -> Result<Option<Authority<'a>>, Box<Outcome>> {
    let Some(mut authority) = authority else {
        return match (component, value) {
            (Component::Host, Some(host)) => {
                Authority::from_parts(None::<&str>, None::<&str>, host, None).map(Some).map_err(rejected)
            }
            (_, None) => Ok(None),
            (_, Some(_)) => Err(Outcome::unsupported("sets userinfo and port in an authority that there is").into()),
        };
    };
    match (component, value) {
        (Component::Host, Some(host)) => {
            authority.set_host(host).map_err(rejected)?;
        }
        (Component::Host, None) if authority.has_username() || authority.has_port() => {
            return Err(Outcome::unsupported("removes an authority as a whole").into());
        }
        (Component::Host, None) => return Ok(None),
        (Component::Port, port) => {
            authority.set_port(port.map(number).transpose()?);
        }
        (_, userinfo) => {
            let (username, password) = username_and_password(userinfo);
            authority.set_password(None::<&str>).map_err(rejected)?;
            authority.set_username(username).map_err(rejected)?;
            authority.set_password(password).map_err(rejected)?;
        }
    }
    Ok(Some(authority))
}

fn username_and_password(userinfo: Option<&str>) -> (Option<&str>, Option<&str>) {
    match userinfo {
        Some(userinfo) => match userinfo.split_once(':') {
            Some((username, password)) => (Some(username), Some(password)),
            None => (Some(userinfo), None),
        },
        None => (None, None),
    }
}

/// A port as the builder takes it, if that keeps its text.
fn number(port: &str) -> Result<u16, Box<Outcome>> {
    match port.parse::<u16>() {
        Ok(number) if number.to_string() == port => Ok(number),
        _ => Err(Outcome::unsupported("builds a port from a `u16`").into()),
    }
}

fn rejected(error: impl ToString) -> Box<Outcome> {
    Outcome::rejected(error).into()
}
