//! `iref`: RFC 3986 and RFC 3987, with erratum 4547 and an equality that normalizes.

use uriproof::model::{
    Component, Components, Declaration, EVERYTHING, HostKind, Observed, Operation, Outcome, Reported, Rule, Rung,
    Shown, Specification, Subject,
};

use super::contracts::{of_eq, of_hash, of_ord};
use super::other_rule;

/// The crate normalizes paths (§6.2.2.3), as an operation on a path: no normalization of a URI.
const fn declaration(entry_point: &'static str, specification: Specification, rules: &'static [Rule]) -> Declaration {
    Declaration::new(
        "iref",
        "5.0.0",
        entry_point,
        &[
            Operation::Parse,
            Operation::Resolve,
            Operation::Compose,
            Operation::Equivalent,
            Operation::Relativize,
            Operation::Modify,
            Operation::RoundTrip,
            Operation::Contract,
        ],
    )
    .with_specification(specification)
    .with_rules(rules)
    .with_tells(EVERYTHING)
}

/// An entry point: its type, its rule, the module of its components, the types of its references and bases, and
/// either `absolute` or `reference`, each with its buffer.
macro_rules! entry_point {
    (
        $(#[$doc:meta])*
        $name:ident, $label:literal, $specification:ident, $rule:ident,
        $module:ident, $reference:ident, $base:ident, $kind:ident $buffer:ident
    ) => {
        $(#[$doc])*
        pub struct $name;

        impl $name {
            fn compose(components: &Components) -> Result<Outcome, Box<Outcome>> {
                use iref::$module::{AuthorityBuf, Fragment, Host, Path, Port, Query, Scheme, UserInfo};

                let scheme = components.scheme.as_deref().map(Scheme::new).transpose().map_err(rejected)?;
                let userinfo = components.userinfo.as_deref().map(UserInfo::new).transpose();
                let userinfo = userinfo.map_err(rejected)?;
                let port = components.port.as_deref().map(Port::new).transpose().map_err(rejected)?;
                let query = components.query.as_deref().map(Query::new).transpose().map_err(rejected)?;
                let fragment = components.fragment.as_deref().map(Fragment::new).transpose();
                let fragment = fragment.map_err(rejected)?;
                let authority = match components.host.as_deref() {
                    Some(host) => {
                        let mut authority = AuthorityBuf::default();
                        authority.set_host(Host::new(host).map_err(rejected)?);
                        authority.set_user_info(userinfo);
                        authority.set_port(port);
                        Some(authority)
                    }
                    None if userinfo.is_none() && port.is_none() => None,
                    None => return Err(Outcome::unsupported("builds no authority without a host").into()),
                };
                let mut buffer = entry_point!(@buffer $buffer, scheme, $kind);
                buffer.set_authority(authority.as_deref());
                buffer.set_path(Path::new(&components.path).map_err(rejected)?);
                buffer.set_query(query);
                buffer.set_fragment(fragment);
                Ok(Outcome::uri(buffer.as_str()))
            }

            fn modify(uri: &str, component: Component, value: Option<&str>) -> Result<Outcome, Box<Outcome>> {
                use iref::$module::{AuthorityBuf, Fragment, Host, Path, Port, Query, UserInfo};

                let mut buffer = iref::$buffer::new(uri.to_owned()).map_err(|error| rejected(error.0))?;
                match (component, value) {
                    (Component::Scheme, scheme) => {
                        let scheme = scheme.map(iref::Scheme::new).transpose().map_err(rejected)?;
                        entry_point!(@set_scheme buffer, scheme, $kind);
                    }
                    (Component::Userinfo, userinfo) => {
                        let userinfo = userinfo.map(UserInfo::new).transpose().map_err(rejected)?;
                        let mut authority = buffer.authority_mut().ok_or_else(no_authority)?;
                        authority.set_user_info(userinfo);
                    }
                    (Component::Host, Some(host)) => {
                        let host = Host::new(host).map_err(rejected)?;
                        if let Some(mut authority) = buffer.authority_mut() {
                            authority.set_host(host);
                        } else {
                            let mut authority = AuthorityBuf::default();
                            authority.set_host(host);
                            buffer.set_authority(Some(&authority));
                        }
                    }
                    (Component::Host, None) if buffer.user_info().is_none() && buffer.port().is_none() => {
                        buffer.set_authority(None);
                    }
                    (Component::Host, None) => {
                        return Err(Outcome::unsupported("removes an authority as a whole").into());
                    }
                    (Component::Port, port) => {
                        let port = port.map(Port::new).transpose().map_err(rejected)?;
                        let mut authority = buffer.authority_mut().ok_or_else(no_authority)?;
                        authority.set_port(port);
                    }
                    (Component::Path, Some(path)) => buffer.set_path(Path::new(path).map_err(rejected)?),
                    (Component::Path, None) => return Err(Outcome::unsupported("sets a path to a path").into()),
                    (Component::Query, query) => {
                        buffer.set_query(query.map(Query::new).transpose().map_err(rejected)?);
                    }
                    (Component::Fragment, fragment) => {
                        buffer.set_fragment(fragment.map(Fragment::new).transpose().map_err(rejected)?);
                    }
                    (Component::HostKind, _) => {
                        return Err(Outcome::unsupported("the kind of a host follows from it").into());
                    }
                }
                Ok(Outcome::uri(buffer.as_str()))
            }
        }

        impl Subject for $name {
            fn declaration(&self) -> &Declaration {
                static DECLARATION: Declaration = declaration($label, Specification::$specification, &[Rule::$rule]);
                &DECLARATION
            }

            fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
                (rule == Rule::$rule).then(|| iref::$name::new(input).is_ok())
            }

            fn parse(&self, rule: Rule, input: &str) -> Outcome {
                Outcome::shown(|see| self.show(rule, input, see))
            }

            fn show(&self, rule: Rule, input: &str, see: &mut dyn FnMut(Shown<'_>)) {
                if rule != Rule::$rule {
                    return see(Shown::Otherwise(&other_rule(Rule::$rule)));
                }
                let parsed = match iref::$name::new(input) {
                    Ok(parsed) => parsed,
                    Err(error) => return see(Shown::rejected(&error)),
                };
                // What the methods of each component find, found at once.
                let parts = parsed.parts();
                let scheme: Option<&iref::Scheme> = parts.scheme.into();
                let authority = parts.authority.map(|authority| authority.parts());
                let host = authority.as_ref().map(|authority| authority.host);
                let host_kind = host.map(|host| {
                    if host.is_ipv4() {
                        HostKind::Ipv4
                    } else if host.is_ipv6() {
                        HostKind::Ipv6
                    } else if host.is_ip_literal() {
                        HostKind::Ipvfuture
                    } else {
                        HostKind::RegName
                    }
                });
                see(Shown::Accepted(Observed {
                    scheme: scheme.map(|scheme| scheme.as_str()).into(),
                    userinfo: authority.as_ref().and_then(|authority| authority.user_info).map(|text| text.as_str()).into(),
                    host: host.map(|host| host.as_str()).into(),
                    host_kind: host_kind.into(),
                    port: authority.as_ref().and_then(|authority| authority.port).map(|port| port.as_str()).into(),
                    path: Reported::Defined(parts.path.as_str()),
                    query: parts.query.map(|query| query.as_str()).into(),
                    fragment: parts.fragment.map(|fragment| fragment.as_str()).into(),
                }));
            }

            fn resolve(&self, base: &str, reference: &str, strict: bool) -> Outcome {
                if !strict {
                    return Outcome::unsupported("no non-strict mode");
                }
                let base = match iref::$base::new(base) {
                    Ok(base) => base,
                    Err(error) => return Outcome::rejected(format!("base refused: {error}")),
                };
                match iref::$reference::new(reference) {
                    Ok(reference) => Outcome::uri(entry_point!(@resolve base, reference, $kind).as_str()),
                    Err(error) => Outcome::rejected(error),
                }
            }

            fn compose(&self, components: &Components) -> Outcome {
                Self::compose(components).unwrap_or_else(|outcome| *outcome)
            }

            fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
                if rung != Rung::Syntax {
                    return Outcome::unsupported("`==` normalizes paths and percent-encodings, by no scheme's rules");
                }
                match (iref::$name::new(left), iref::$name::new(right)) {
                    (Ok(left), Ok(right)) => Outcome::equivalent(left == right),
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }

            fn relativize(&self, base: &str, target: &str) -> Outcome {
                match (iref::$reference::new(base), iref::$reference::new(target)) {
                    (Ok(base), Ok(target)) => Outcome::uri(target.relative_to(base).as_str()),
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }

            fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
                Self::modify(uri, component, value).unwrap_or_else(|outcome| *outcome)
            }

            fn round_trip(&self, uri: &str) -> Outcome {
                match iref::$name::new(uri) {
                    Ok(parsed) => Outcome::uri(parsed.to_string()),
                    Err(error) => Outcome::rejected(error),
                }
            }

            fn contract(&self, left: &str, right: &str) -> Outcome {
                match (iref::$name::new(left), iref::$name::new(right)) {
                    (Ok(left), Ok(right)) => Outcome::broken([of_eq(left, right), of_hash(left, right), of_ord(left, right)].concat()),
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }
        }
    };
    (@buffer $buffer:ident, $scheme:ident, absolute) => {
        match $scheme {
            Some(scheme) => iref::$buffer::from_scheme(scheme.to_owned()),
            None => return Err(Outcome::unsupported("builds nothing without a scheme").into()),
        }
    };
    (@buffer $buffer:ident, $scheme:ident, reference) => {{
        let mut buffer = iref::$buffer::default();
        buffer.set_scheme($scheme);
        buffer
    }};
    (@set_scheme $buffer:ident, $scheme:ident, absolute) => {
        match $scheme {
            Some(scheme) => $buffer.set_scheme(scheme),
            None => return Err(Outcome::unsupported("no URI without a scheme").into()),
        }
    };
    (@set_scheme $buffer:ident, $scheme:ident, reference) => { $buffer.set_scheme($scheme) };
    // Two implementations of one algorithm.
    (@resolve $base:ident, $reference:ident, absolute) => { $base.joined($reference) };
    (@resolve $base:ident, $reference:ident, reference) => { $reference.resolved($base) };
}

entry_point! {
    /// `UriRef::new`, with `UriRef::resolved`
    UriRef, "UriRef::new", Rfc3986, UriReference, uri, UriRef, Uri, reference UriRefBuf
}
entry_point! {
    /// `Uri::new`, with `Uri::joined`
    Uri, "Uri::new", Rfc3986, Uri, uri, UriRef, Uri, absolute UriBuf
}
entry_point! {
    /// `IriRef::new`, with `IriRef::resolved`
    IriRef, "IriRef::new", Rfc3987, UriReference, iri, IriRef, Iri, reference IriRefBuf
}

fn no_authority() -> Box<Outcome> {
    Outcome::unsupported("sets userinfo and port in an authority that there is").into()
}

fn rejected(error: impl ToString) -> Box<Outcome> {
    Outcome::rejected(error).into()
}

#[cfg(test)]
mod tests {
    use iref::UriRef;
    use iref::uri::{Authority, Fragment, Host, Port, Query, Scheme, UserInfo};

    /// `show` tells the one, whose users ask the other as often.
    #[test]
    fn parts_are_what_the_methods_of_each_component_find() {
        fn check(text: &mut String, more: usize) {
            if let Ok(parsed) = UriRef::new(text.as_str()) {
                let parts = parsed.parts();
                let authority = parts.authority.map(Authority::parts);
                let userinfo = authority.as_ref().and_then(|authority| authority.user_info);
                let host = authority.as_ref().map(|authority| authority.host);
                let port = authority.as_ref().and_then(|authority| authority.port);
                // Their own equality normalizes.
                let found = [
                    parsed.scheme().map(Scheme::as_str),
                    parsed.user_info().map(UserInfo::as_str),
                    parsed.host().map(Host::as_str),
                    parsed.port().map(Port::as_str),
                    Some(parsed.path().as_str()),
                    parsed.query().map(Query::as_str),
                    parsed.fragment().map(Fragment::as_str),
                ];
                let reported = [
                    parts.scheme.map(Scheme::as_str),
                    userinfo.map(UserInfo::as_str),
                    host.map(Host::as_str),
                    port.map(Port::as_str),
                    Some(parts.path.as_str()),
                    parts.query.map(Query::as_str),
                    parts.fragment.map(Fragment::as_str),
                ];
                assert_eq!(reported, found, "{text}");
            }
            if more > 0 {
                for next in "a:/?#@[]".chars() {
                    text.push(next);
                    check(text, more - 1);
                    text.pop();
                }
            }
        }
        for (text, more) in [
            ("", 5),
            ("//", 5),
            ("a://", 5),
            ("//[::1", 4),
            ("//[v1.a", 4),
            ("a://a@b:1/c/d?e/f:g@h?i#j/k:l@m?n", 0),
        ] {
            check(&mut text.to_owned(), more);
        }
    }
}
