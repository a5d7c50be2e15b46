//! `fluent-uri`: RFC 3986 and RFC 3987, with a resolver that documents where it leaves the RFC.

use std::fmt;

use fluent_uri::ParseError;
use fluent_uri::build::Builder;
use fluent_uri::component::{Authority, Host, Scheme};
use fluent_uri::normalize::Normalizer;
use fluent_uri::pct_enc::encoder::{Fragment, IFragment, IRegName, RegName};
use fluent_uri::pct_enc::{EStr, Encoder};
use uriproof::model::{
    Component, Components, Declaration, EVERYTHING, HostKind, Observed, Operation, Outcome, Reported, Rule, Rung,
    Scope, Shown, Specification, Subject,
};

use super::contracts::{of_eq, of_hash, of_ord};
use super::other_rule;

const fn declaration(
    entry_point: &'static str,
    specification: Specification,
    rules: &'static [Rule],
    operations: &'static [Operation],
) -> Declaration {
    Declaration::new("fluent-uri", "0.4.1", entry_point, operations)
        .with_specification(specification)
        .with_rules(rules)
        .with_tells(EVERYTHING)
}

const OF_A_URI: &[Operation] = &[
    Operation::Parse,
    Operation::Normalize,
    Operation::Compose,
    Operation::Equivalent,
    Operation::Modify,
    Operation::RoundTrip,
    Operation::Contract,
];
const OF_A_REFERENCE: &[Operation] = &[
    Operation::Parse,
    Operation::Resolve,
    Operation::Normalize,
    Operation::Compose,
    Operation::Equivalent,
    Operation::Modify,
    Operation::RoundTrip,
    Operation::Contract,
];

/// An entry point: its type, its rule, the types of its reg-names and fragments, and either `absolute` or `reference to` the type of
/// its base.
macro_rules! entry_point {
    ($(#[$doc:meta])* $name:ident, $label:literal, $specification:ident, $rule:ident, $reg_name:ty, $fragment:ty, $($kind:tt)+) => {
        $(#[$doc])*
        pub struct $name;

        impl $name {
            fn compose(components: &Components) -> Result<Outcome, Box<Outcome>> {
                let scheme = match &components.scheme {
                    None => None,
                    Some(text) => Some(Scheme::new(text).ok_or_else(|| invalid(Component::Scheme))?),
                };
                let userinfo = encoded(Component::Userinfo, components.userinfo.as_deref())?;
                let host = match components.host.as_deref() {
                    Some(text) if text.starts_with('[') => {
                        return Err(Outcome::unsupported("builds an IP-literal with its feature `net` only").into());
                    }
                    text => encoded::<$reg_name>(Component::Host, text)?,
                };
                let port = encoded(Component::Port, components.port.as_deref())?;
                let authority = match (host, userinfo.is_some() || port.is_some()) {
                    (Some(host), _) => Some((userinfo, host, port)),
                    (None, false) => None,
                    (None, true) => return Err(Outcome::unsupported("builds no authority without a host").into()),
                };
                let path = EStr::new(&components.path).ok_or_else(|| invalid(Component::Path))?;
                let built = entry_point!(@builder $name, scheme, $($kind)+)
                    .optional(
                        |builder, (userinfo, host, port)| {
                            builder.authority_with(|builder| {
                                builder.optional(Builder::userinfo, userinfo).host(host).optional(Builder::port, port)
                            })
                        },
                        authority,
                    )
                    .path(path)
                    .optional(Builder::query, encoded(Component::Query, components.query.as_deref())?)
                    .optional(Builder::fragment, encoded(Component::Fragment, components.fragment.as_deref())?)
                    .build();
                built.map(|built| Outcome::uri(built.into_string())).map_err(rejected)
            }
        }

        impl Subject for $name {
            fn declaration(&self) -> &Declaration {
                static DECLARATION: Declaration = declaration(
                    $label,
                    Specification::$specification,
                    &[Rule::$rule],
                    entry_point!(@operations $($kind)+),
                );
                &DECLARATION
            }

            fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
                (rule == Rule::$rule).then(|| fluent_uri::$name::parse(input).is_ok())
            }

            fn parse(&self, rule: Rule, input: &str) -> Outcome {
                Outcome::shown(|see| self.show(rule, input, see))
            }

            fn show(&self, rule: Rule, input: &str, see: &mut dyn FnMut(Shown<'_>)) {
                if rule != Rule::$rule {
                    return see(Shown::Otherwise(&other_rule(Rule::$rule)));
                }
                let parsed = match fluent_uri::$name::parse(input) {
                    Ok(parsed) => parsed,
                    Err(error) => {
                        let (reason, offset): (&dyn fmt::Display, _) = (&error, Some(error.index()));
                        return see(Shown::Rejected { reason, offset });
                    }
                };
                let scheme: Option<&Scheme> = parsed.scheme().into();
                see(Shown::Accepted(Observed {
                    scheme: scheme.map(Scheme::as_str).into(),
                    path: Reported::Defined(parsed.path().as_str()),
                    query: parsed.query().map(EStr::as_str).into(),
                    fragment: parsed.fragment().map(EStr::as_str).into(),
                    ..of_authority(parsed.authority().as_ref())
                }));
            }

            entry_point!(@resolve $name, $($kind)+);

            /// `normalize` does §6.2.2, and by its documentation: "along with IPv6 address and default port normalization";
            /// without a default port to look up, what is left of §6.2.3 is that an empty port goes.
            fn normalize(&self, uri: &str, scope: Scope) -> Outcome {
                let normalizer = match scope {
                    Scope::Syntax => Normalizer::new().default_port_with(|_| None),
                    Scope::Scheme => Normalizer::new(),
                };
                match fluent_uri::$name::parse(uri) {
                    Ok(parsed) => match normalizer.normalize(&parsed) {
                        Ok(normalized) => Outcome::uri(normalized.into_string()),
                        Err(error) => Outcome::rejected(error),
                    },
                    Err(error) => refused(error),
                }
            }

            fn compose(&self, components: &Components) -> Outcome {
                Self::compose(components).unwrap_or_else(|outcome| *outcome)
            }

            fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
                if rung != Rung::Simple {
                    return Outcome::unsupported("`==` does not normalize");
                }
                match (fluent_uri::$name::parse(left), fluent_uri::$name::parse(right)) {
                    (Ok(left), Ok(right)) => Outcome::equivalent(left == right),
                    (Err(error), _) | (_, Err(error)) => refused(error),
                }
            }

            fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
                if component != Component::Fragment {
                    return Outcome::unsupported("sets the fragment only");
                }
                match fluent_uri::$name::parse(uri.to_owned()) {
                    Ok(mut parsed) => match encoded::<$fragment>(component, value) {
                        Ok(fragment) => {
                            parsed.set_fragment(fragment);
                            Outcome::uri(parsed.into_string())
                        }
                        Err(outcome) => *outcome,
                    },
                    Err((error, _)) => refused(error),
                }
            }

            fn round_trip(&self, uri: &str) -> Outcome {
                match fluent_uri::$name::parse(uri) {
                    Ok(parsed) => Outcome::uri(parsed.to_string()),
                    Err(error) => refused(error),
                }
            }

            fn contract(&self, left: &str, right: &str) -> Outcome {
                match (fluent_uri::$name::parse(left), fluent_uri::$name::parse(right)) {
                    (Ok(left), Ok(right)) => Outcome::broken([of_eq(&left, &right), of_hash(&left, &right), of_ord(&left, &right)].concat()),
                    (Err(error), _) | (_, Err(error)) => refused(error),
                }
            }
        }
    };
    (@operations absolute) => { OF_A_URI };
    (@operations reference to $base:ident) => { OF_A_REFERENCE };
    (@builder $name:ident, $scheme:ident, absolute) => {
        match $scheme {
            Some(scheme) => fluent_uri::$name::builder().scheme(scheme),
            None => return Err(Outcome::unsupported("builds nothing without a scheme").into()),
        }
    };
    (@builder $name:ident, $scheme:ident, reference to $base:ident) => {
        fluent_uri::$name::builder().optional(Builder::scheme, $scheme)
    };
    (@resolve $name:ident, absolute) => {};
    (@resolve $name:ident, reference to $base:ident) => {
        fn resolve(&self, base: &str, reference: &str, strict: bool) -> Outcome {
            if !strict {
                return Outcome::unsupported("no non-strict mode");
            }
            let base = match fluent_uri::$base::parse(base) {
                Ok(base) => base,
                Err(error) => return Outcome::rejected(format!("base refused: {error}")),
            };
            match fluent_uri::$name::parse(reference) {
                Ok(reference) => match reference.resolve_against(&base) {
                    Ok(target) => Outcome::uri(target.into_string()),
                    Err(error) => Outcome::rejected(error),
                },
                Err(error) => refused(error),
            }
        }
    };
}

entry_point! {
    /// `UriRef::parse`
    UriRef, "UriRef::parse", Rfc3986, UriReference, RegName, Fragment, reference to Uri
}
entry_point! {
    /// `Uri::parse`
    Uri, "Uri::parse", Rfc3986, Uri, RegName, Fragment, absolute
}
entry_point! {
    /// `IriRef::parse`
    IriRef, "IriRef::parse", Rfc3987, UriReference, IRegName, IFragment, reference to Iri
}
entry_point! {
    /// `Iri::parse`
    Iri, "Iri::parse", Rfc3987, Uri, IRegName, IFragment, absolute
}

fn refused(error: ParseError) -> Outcome {
    Outcome::Rejected {
        reason: Some(error.to_string()),
        offset: Some(error.index()),
    }
}

fn of_authority<'a, U: Encoder, R: Encoder>(authority: Option<&'a Authority<'a, U, R>>) -> Observed<&'a str> {
    let host_kind = authority.map(|authority| match authority.host_parsed() {
        Host::Ipv4 { .. } => HostKind::Ipv4,
        Host::Ipv6 { .. } => HostKind::Ipv6,
        Host::IpvFuture { .. } => HostKind::Ipvfuture,
        Host::RegName(_) => HostKind::RegName,
    });
    Observed {
        userinfo: authority.and_then(Authority::userinfo).map(EStr::as_str).into(),
        host: authority.map(Authority::host).into(),
        host_kind: host_kind.into(),
        port: authority.and_then(Authority::port).map(EStr::as_str).into(),
        ..Observed::default()
    }
}

fn encoded<E: Encoder>(component: Component, text: Option<&str>) -> Result<Option<&EStr<E>>, Box<Outcome>> {
    text.map(|text| EStr::new(text).ok_or_else(|| invalid(component))).transpose()
}

/// What a constructor that answers `None` says.
fn invalid(component: Component) -> Box<Outcome> {
    rejected(format!("invalid {component}"))
}

fn rejected(error: impl ToString) -> Box<Outcome> {
    Outcome::rejected(error).into()
}
