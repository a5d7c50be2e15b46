//! Crates with the interface of `rhymuri`, which holds what is left after percent-decoding.

use rfc3986_reference::characters::{is_unreserved, leading_triplet, percent_decode, percent_encode};
use uriproof::model::{Outcome, Reading, Rule};

/// The subject of such a crate, by its name and version; its URI is in scope as `Parsed`, its authority as `Authority`.
macro_rules! subject {
    ($name:literal, $version:literal) => {
        use uriproof::model::{
            Component, Components, Declaration, Fidelity, Observed, Operation, Outcome, Reading, Reported, Rule, Rung,
            Scope, Subject,
        };
        use $crate::by_elements::{data, joined, no_authority, number, octets, segments};
        use $crate::contracts::of_eq;

        /// `Uri::parse`
        pub struct Uri;

        static DECLARATION: Declaration = Declaration::new(
            $name,
            $version,
            "Uri::parse",
            &[
                Operation::Parse,
                Operation::Resolve,
                Operation::Normalize,
                Operation::Compose,
                Operation::Equivalent,
                Operation::Modify,
                Operation::RoundTrip,
                Operation::Contract,
            ],
        )
        .with_tells(&[
            (Component::Scheme, Fidelity::IgnoringCase),
            (Component::Userinfo, Fidelity::Octets),
            (Component::Host, Fidelity::OctetsWithoutBrackets),
            (Component::Port, Fidelity::Number),
            (Component::Path, Fidelity::Octets),
            (Component::Query, Fidelity::Octets),
            (Component::Fragment, Fidelity::Octets),
        ]);

        impl Subject for Uri {
            fn declaration(&self) -> &Declaration {
                &DECLARATION
            }

            fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
                (rule == Rule::UriReference).then(|| Parsed::parse(input).is_ok())
            }

            fn parse(&self, rule: Rule, input: &str) -> Outcome {
                if rule != Rule::UriReference {
                    return Outcome::unsupported(format!("parses {} only", Rule::UriReference));
                }
                match Parsed::parse(input) {
                    Ok(parsed) => Outcome::components(Observed {
                        scheme: parsed.scheme().into(),
                        userinfo: parsed.userinfo().map(octets).into(),
                        host: parsed.host().map(octets).into(),
                        host_kind: Reported::Nothing,
                        port: parsed.port().map(|port| port.to_string()).into(),
                        path: Reported::Defined(joined(parsed.path())),
                        query: parsed.query().map(octets).into(),
                        fragment: parsed.fragment().map(octets).into(),
                    }),
                    Err(error) => Outcome::rejected(error),
                }
            }

            /// Any URI-reference is taken as a base.
            fn resolve(&self, base: &str, reference: &str, strict: bool) -> Outcome {
                if !strict {
                    return Outcome::unsupported("no non-strict mode");
                }
                let base = match Parsed::parse(base) {
                    Ok(base) => base,
                    Err(error) => return Outcome::rejected(format!("base refused: {error}")),
                };
                match Parsed::parse(reference) {
                    Ok(reference) => Outcome::uri(base.resolve(&reference).to_string()),
                    Err(error) => Outcome::rejected(error),
                }
            }

            /// The documentation of `normalize`: "the `remove_dot_segments` routine"; parsing and generating do the rest of §6.2.2.
            fn normalize(&self, uri: &str, scope: Scope) -> Outcome {
                if scope != Scope::Syntax {
                    return Outcome::unsupported("no scheme-based normalization");
                }
                match Parsed::parse(uri) {
                    Ok(mut parsed) => {
                        parsed.normalize();
                        Outcome::uri(parsed.to_string())
                    }
                    Err(error) => Outcome::rejected(error),
                }
            }

            fn compose(&self, components: &Components) -> Outcome {
                build(components).unwrap_or_else(|outcome| *outcome)
            }

            fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
                if rung != Rung::Syntax {
                    return Outcome::unsupported("`==` compares what is decoded, by no scheme's rules");
                }
                match (Parsed::parse(left), Parsed::parse(right)) {
                    (Ok(left), Ok(right)) => Outcome::equivalent(left == right),
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }

            fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
                match Parsed::parse(uri) {
                    Ok(mut parsed) => match modify(&mut parsed, component, value) {
                        Ok(()) => Outcome::uri(parsed.to_string()),
                        Err(outcome) => *outcome,
                    },
                    Err(error) => Outcome::rejected(error),
                }
            }

            fn round_trip(&self, uri: &str) -> Outcome {
                match Parsed::parse(uri) {
                    Ok(parsed) => Outcome::uri(parsed.to_string()),
                    Err(error) => Outcome::rejected(error),
                }
            }

            fn contract(&self, left: &str, right: &str) -> Outcome {
                match (Parsed::parse(left), Parsed::parse(right)) {
                    (Ok(left), Ok(right)) => Outcome::broken(of_eq(&left, &right)),
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }
        }

        fn build(components: &Components) -> Result<Outcome, Box<Outcome>> {
            let Components {
                scheme,
                path,
                query,
                fragment,
                ..
            } = components;
            let mut uri = Parsed::default();
            uri.set_scheme(scheme.clone()).map_err(|error| Box::new(Outcome::rejected(error)))?;
            uri.set_authority(authority(components)?);
            uri.set_path(segments(path)?);
            uri.set_query(query.as_deref().map(|query| data(Rule::Query, query)).transpose()?);
            uri.set_fragment(fragment.as_deref().map(|fragment| data(Rule::Fragment, fragment)).transpose()?);
            Ok(Outcome::uri(uri.to_string()))
        }

        fn modify(uri: &mut Parsed, component: Component, value: Option<&str>) -> Result<(), Box<Outcome>> {
            let octets_of = |rule| value.map(|text| data(rule, text)).transpose();
            match component {
                Component::Scheme => {
                    uri.set_scheme(value.map(str::to_owned)).map_err(|error| Outcome::rejected(error).into())
                }
                Component::Userinfo => {
                    let userinfo = octets_of(Rule::Userinfo)?;
                    let mut authority = uri.take_authority().ok_or_else(no_authority)?;
                    authority.set_userinfo(userinfo);
                    uri.set_authority(Some(authority));
                    Ok(())
                }
                Component::Host => match (value, uri.take_authority()) {
                    (Some(host), authority) => {
                        let mut authority = authority.unwrap_or_default();
                        set_host(&mut authority, host)?;
                        uri.set_authority(Some(authority));
                        Ok(())
                    }
                    (None, Some(authority)) if authority.userinfo().is_some() || authority.port().is_some() => {
                        Err(Outcome::unsupported("removes an authority as a whole").into())
                    }
                    (None, _) => Ok(()),
                },
                Component::Port => {
                    let port = value.map(number).transpose()?;
                    let mut authority = uri.take_authority().ok_or_else(no_authority)?;
                    authority.set_port(port);
                    uri.set_authority(Some(authority));
                    Ok(())
                }
                Component::Path => match value {
                    Some(path) => {
                        uri.set_path(segments(path)?);
                        Ok(())
                    }
                    None => Err(Outcome::unsupported("sets a path to a path").into()),
                },
                Component::Query => {
                    uri.set_query(octets_of(Rule::Query)?);
                    Ok(())
                }
                Component::Fragment => {
                    uri.set_fragment(octets_of(Rule::Fragment)?);
                    Ok(())
                }
                Component::HostKind => Err(Outcome::unsupported("the kind of a host follows from it").into()),
            }
        }

        fn authority(components: &Components) -> Result<Option<Authority>, Box<Outcome>> {
            let Components {
                userinfo, host, port, ..
            } = components;
            let Some(host) = host else {
                if userinfo.is_some() || port.is_some() {
                    return Err(Outcome::unsupported("builds no authority without a host").into());
                }
                return Ok(None);
            };
            let mut authority = Authority::default();
            set_host(&mut authority, host)?;
            authority.set_userinfo(userinfo.as_deref().map(|userinfo| data(Rule::Userinfo, userinfo)).transpose()?);
            authority.set_port(port.as_deref().map(number).transpose()?);
            Ok(Some(authority))
        }

        fn set_host(authority: &mut Authority, host: &str) -> Result<(), Box<Outcome>> {
            match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
                // What looks like an IPv6 address gets its brackets back; what does not is a reg-name.
                Some(address) if Rule::Ipv6Address.matches(address, Reading::Rfc3986).is_ok() => {
                    authority.set_host(address)
                }
                Some(_) => return Err(Outcome::unsupported("builds no IP-literal but of an IPv6 address").into()),
                None => authority.set_host(data(Rule::RegName, host)?),
            }
            Ok(())
        }
    };
}

pub(super) use subject;

pub(super) fn octets(data: &[u8]) -> String {
    percent_encode(data, is_unreserved)
}

/// The documented reading of a path: `[]` is empty, `[""]` is "/", and "/" stands between segments else.
pub(super) fn joined(path: &[Vec<u8>]) -> String {
    match path {
        [segment] if segment.is_empty() => "/".to_owned(),
        segments => segments.iter().map(|segment| octets(segment)).collect::<Vec<_>>().join("/"),
    }
}

pub(super) fn no_authority() -> Box<Outcome> {
    Outcome::unsupported("sets userinfo and port in an authority that there is").into()
}

pub(super) fn segments(path: &str) -> Result<Vec<Vec<u8>>, Box<Outcome>> {
    match path {
        "" => Ok(Vec::new()),
        "/" => Ok(vec![Vec::new()]),
        path => path.split('/').map(|segment| data(Rule::Segment, segment)).collect(),
    }
}

/// A port as the setter takes it, if that keeps its text.
pub(super) fn number(port: &str) -> Result<u16, Box<Outcome>> {
    match port.parse::<u16>() {
        Ok(number) if number.to_string() == port => Ok(number),
        _ => Err(Outcome::unsupported("builds a port from a `u16`").into()),
    }
}

/// The octets of a component, for a setter that takes what is to be encoded. Such a setter can be given nothing that
/// is badly encoded, nor told to encode what needs no encoding.
pub(super) fn data(rule: Rule, text: &str) -> Result<Vec<u8>, Box<Outcome>> {
    let needs_encoding = |octet: u8| {
        let character = char::from(octet).to_string();
        !octet.is_ascii() || rule.matches(&character, Reading::Rfc3986).is_err()
    };
    let well_encoded = text.match_indices('%').all(|(at, _)| {
        leading_triplet(&text.as_bytes()[at..])
            .is_some_and(|octet| needs_encoding(octet) && text[at..].starts_with(&percent_encode(&[octet], |_| false)))
    });
    if rule.matches(text, Reading::Rfc3986).is_err() || !well_encoded {
        return Err(Outcome::unsupported("builds from octets that it encodes itself").into());
    }
    Ok(percent_decode(text))
}
