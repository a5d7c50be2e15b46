//! `iri-string`: RFC 3986 and RFC 3987, with the normalization of the RFC and a fallback to the WHATWG's serialization.

use iri_string::build::Builder;
use iri_string::spec::{IriSpec, Spec, UriSpec};
use iri_string::types::{RiFragmentStr, RiReferenceStr};
use uriproof::model::{
    Component, Components, Declaration, Observed, Operation, Outcome, Reported, Rule, Rung, Scope, Shown,
    Specification, Subject,
};

use super::contracts::{of_eq, of_hash, of_ord};
use super::other_rule;

const fn declaration(
    entry_point: &'static str,
    specification: Specification,
    rules: &'static [Rule],
    operations: &'static [Operation],
) -> Declaration {
    Declaration::new("iri-string", "0.7.14", entry_point, operations)
        .with_specification(specification)
        .with_rules(rules)
}

const WITH_NORMALIZE: &[Operation] = &[
    Operation::Parse,
    Operation::Normalize,
    Operation::Compose,
    Operation::Equivalent,
    Operation::RoundTrip,
    Operation::Contract,
    Operation::Modify,
];
/// An absolute-URI has no fragment to set.
const WITHOUT_FRAGMENT: &[Operation] = WITH_NORMALIZE.split_at(6).0;
const WITH_RESOLVE: &[Operation] = &[
    Operation::Parse,
    Operation::Resolve,
    Operation::Compose,
    Operation::Equivalent,
    Operation::Modify,
    Operation::RoundTrip,
    Operation::Contract,
];

/// An entry point: its type, its rule, and one of `normalizes`, `normalizes without fragment` and `resolves against` the type of the URI whose
/// `to_absolute` is the base.
macro_rules! entry_point {
    ($(#[$doc:meta])* $name:ident, $label:literal, $specification:ident, $rule:ident, $($kind:tt)+) => {
        $(#[$doc])*
        pub struct $name;

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
                (rule == Rule::$rule).then(|| iri_string::types::$name::new(input).is_ok())
            }

            fn parse(&self, rule: Rule, input: &str) -> Outcome {
                Outcome::shown(|see| self.show(rule, input, see))
            }

            fn show(&self, rule: Rule, input: &str, see: &mut dyn FnMut(Shown<'_>)) {
                if rule != Rule::$rule {
                    return see(Shown::Otherwise(&other_rule(Rule::$rule)));
                }
                match iri_string::types::$name::new(input) {
                    Ok(parsed) => see(Shown::Accepted(observed::<entry_point!(@spec $specification)>(parsed.as_ref()))),
                    Err(error) => see(Shown::rejected(&error)),
                }
            }

            entry_point!(@operation $name, $($kind)+);

            entry_point!(@modify $name, $specification, $($kind)+);

            fn compose(&self, components: &Components) -> Outcome {
                let builder = match builder(components) {
                    Ok(builder) => builder,
                    Err(outcome) => return *outcome,
                };
                match builder.build::<iri_string::types::$name>() {
                    Ok(built) => Outcome::uri(built.to_string()),
                    Err(error) => Outcome::rejected(error),
                }
            }

            fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
                if rung != Rung::Simple {
                    return Outcome::unsupported("`==` is simple string comparison");
                }
                match (iri_string::types::$name::new(left), iri_string::types::$name::new(right)) {
                    (Ok(left), Ok(right)) => Outcome::equivalent(left == right),
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }

            fn round_trip(&self, uri: &str) -> Outcome {
                match iri_string::types::$name::new(uri) {
                    Ok(parsed) => Outcome::uri(parsed.to_string()),
                    Err(error) => Outcome::rejected(error),
                }
            }

            fn contract(&self, left: &str, right: &str) -> Outcome {
                match (iri_string::types::$name::new(left), iri_string::types::$name::new(right)) {
                    (Ok(left), Ok(right)) => Outcome::broken([of_eq(left, right), of_hash(left, right), of_ord(left, right)].concat()),
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }
        }
    };
    (@spec Rfc3986) => { UriSpec };
    (@spec Rfc3987) => { IriSpec };
    (@operations normalizes) => { WITH_NORMALIZE };
    (@operations normalizes without fragment) => { WITHOUT_FRAGMENT };
    (@operations resolves against $base:ident) => { WITH_RESOLVE };
    (@modify $name:ident, $specification:ident, normalizes without fragment) => {};
    (@modify $name:ident, $specification:ident, $($kind:tt)+) => {
        fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
            if component != Component::Fragment {
                return Outcome::unsupported("sets the fragment only");
            }
            let parsed = match iri_string::types::$name::new(uri) {
                Ok(parsed) => parsed,
                Err(error) => return Outcome::rejected(error),
            };
            match value.map(RiFragmentStr::<entry_point!(@spec $specification)>::new).transpose() {
                Ok(fragment) => {
                    let mut buffer = parsed.to_owned();
                    buffer.set_fragment(fragment);
                    Outcome::uri(buffer.to_string())
                }
                Err(error) => Outcome::rejected(error),
            }
        }
    };
    (@operation $name:ident, normalizes $(without fragment)?) => {
        /// Documentation: "RFC 3986 normalization": §6.2.2, and an empty port goes.
        fn normalize(&self, uri: &str, scope: Scope) -> Outcome {
            if scope != Scope::Syntax {
                return Outcome::unsupported("no scheme-based normalization");
            }
            match iri_string::types::$name::new(uri) {
                Ok(parsed) => Outcome::uri(parsed.normalize().to_string()),
                Err(error) => Outcome::rejected(error),
            }
        }
    };
    (@operation $name:ident, resolves against $base:ident) => {
        /// The base is an absolute-URI; `to_absolute` is how the crate makes one of a URI, and drops its fragment.
        fn resolve(&self, base: &str, reference: &str, strict: bool) -> Outcome {
            if !strict {
                return Outcome::unsupported("no non-strict mode");
            }
            let base = match iri_string::types::$base::new(base) {
                Ok(base) => base.to_absolute(),
                Err(error) => return Outcome::rejected(format!("base refused: {error}")),
            };
            match iri_string::types::$name::new(reference) {
                Ok(reference) => Outcome::uri(reference.resolve_against(base).to_string()),
                Err(error) => Outcome::rejected(error),
            }
        }
    };
}

entry_point! {
    /// `UriReferenceStr::new`
    UriReferenceStr, "UriReferenceStr::new", Rfc3986, UriReference, resolves against UriStr
}
entry_point! {
    /// `UriStr::new`
    UriStr, "UriStr::new", Rfc3986, Uri, normalizes
}
entry_point! {
    /// `UriAbsoluteStr::new`
    UriAbsoluteStr, "UriAbsoluteStr::new", Rfc3986, AbsoluteUri, normalizes without fragment
}
entry_point! {
    /// `UriRelativeStr::new`
    UriRelativeStr, "UriRelativeStr::new", Rfc3986, RelativeRef, resolves against UriStr
}
entry_point! {
    /// `IriReferenceStr::new`
    IriReferenceStr, "IriReferenceStr::new", Rfc3987, UriReference, resolves against IriStr
}
entry_point! {
    /// `IriStr::new`
    IriStr, "IriStr::new", Rfc3987, Uri, normalizes
}

/// `AuthorityComponents` tells a reg-name from an address, but not one kind of address from another: no host kind.
fn observed<S: Spec>(reference: &RiReferenceStr<S>) -> Observed<&str> {
    let authority = reference.authority_components();
    Observed {
        scheme: reference.scheme_str().into(),
        userinfo: authority.and_then(|authority| authority.userinfo()).into(),
        host: authority.map(|authority| authority.host()).into(),
        host_kind: Reported::Nothing,
        port: authority.and_then(|authority| authority.port()).into(),
        path: Reported::Defined(reference.path_str()),
        query: reference.query_str().into(),
        fragment: reference.fragment_str().into(),
    }
}

fn builder(components: &Components) -> Result<Builder<'_>, Box<Outcome>> {
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
    if host.is_none() && (userinfo.is_some() || port.is_some()) {
        return Err(Outcome::unsupported("builds no authority without a host").into());
    }
    let mut builder = Builder::new();
    if let Some(scheme) = scheme {
        builder.scheme(scheme);
    }
    if let Some(userinfo) = userinfo {
        builder.userinfo(userinfo);
    }
    if let Some(host) = host {
        builder.host(host);
    }
    if let Some(port) = port {
        builder.port(port);
    }
    builder.path(path);
    if let Some(query) = query {
        builder.query(query);
    }
    if let Some(fragment) = fragment {
        builder.fragment(fragment);
    }
    Ok(builder)
}
