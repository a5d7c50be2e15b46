//! `rocket_http`: RFC 7230 with liberties, which its documentation lists: "limited liberties for real-world deviations".

use rocket_http::RawStr;
use rocket_http::uri::{Authority, Path, Query};
use uriproof::model::{
    Component, Components, Declaration, Fidelity, Observed, Operation, Outcome, Reported, Rule, Rung, Specification,
    Subject,
};

use super::contracts::{of_eq, of_hash};
use super::one_text;

/// Its `normalize` takes empty segments and parameters away, which is no normalization of the RFC; its URIs are built
/// by a macro from what is known when the program is compiled.
const fn declaration(
    entry_point: &'static str,
    rules: &'static [Rule],
    operations: &'static [Operation],
    tells: &'static [(Component, Fidelity)],
) -> Declaration {
    Declaration::new("rocket_http", "0.5.2", entry_point, operations)
        .with_specification(Specification::Http)
        .with_rules(rules)
        .with_tells(tells)
}

const WITH_MODIFY: &[Operation] = &[
    Operation::Parse,
    Operation::Equivalent,
    Operation::Modify,
    Operation::RoundTrip,
    Operation::Contract,
];
const WITHOUT_MODIFY: &[Operation] = &[
    Operation::Parse,
    Operation::Equivalent,
    Operation::RoundTrip,
    Operation::Contract,
];

const OF_A_REFERENCE: &[(Component, Fidelity)] = &[
    (Component::Scheme, Fidelity::Exact),
    (Component::Userinfo, Fidelity::Exact),
    (Component::Host, Fidelity::Exact),
    (Component::Port, Fidelity::Number),
    (Component::Path, Fidelity::Exact),
    (Component::Query, Fidelity::Exact),
    (Component::Fragment, Fidelity::Exact),
];
const OF_AN_ABSOLUTE_URI: &[(Component, Fidelity)] = OF_A_REFERENCE.split_at(6).0;

/// An entry point: its type, its rule, its operations, what it tells, how it tells the fragment, and its `modify`, if
/// it has one.
macro_rules! entry_point {
    (
        $(#[$doc:meta])*
        $name:ident, $label:literal, $rule:ident, $operations:ident, $tells:ident, |$parsed:ident| $fragment:expr $(, $modify:item)?
    ) => {
        $(#[$doc])*
        pub struct $name;

        impl Subject for $name {
            fn declaration(&self) -> &Declaration {
                static DECLARATION: Declaration = declaration($label, &[Rule::$rule], $operations, $tells);
                &DECLARATION
            }

            fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
                (rule == Rule::$rule).then(|| rocket_http::uri::$name::parse(input).is_ok())
            }

            fn parse(&self, rule: Rule, input: &str) -> Outcome {
                if rule != Rule::$rule {
                    return Outcome::unsupported(format!("parses {} only", Rule::$rule));
                }
                match rocket_http::uri::$name::parse(input) {
                    Ok($parsed) => Outcome::components(Observed {
                        scheme: Reported::from(Option::<&str>::from($parsed.scheme())),
                        fragment: $fragment,
                        ..observed($parsed.authority(), $parsed.path(), $parsed.query())
                    }),
                    Err(error) => Outcome::rejected(error),
                }
            }

            fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
                if rung != Rung::Simple {
                    return Outcome::unsupported("`==` does not normalize");
                }
                match (rocket_http::uri::$name::parse(left), rocket_http::uri::$name::parse(right)) {
                    (Ok(left), Ok(right)) => Outcome::equivalent(left == right),
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }

            $($modify)?

            fn round_trip(&self, uri: &str) -> Outcome {
                match rocket_http::uri::$name::parse(uri) {
                    Ok(parsed) => Outcome::uri(parsed.to_string()),
                    Err(error) => Outcome::rejected(error),
                }
            }

            fn contract(&self, left: &str, right: &str) -> Outcome {
                match (rocket_http::uri::$name::parse(left), rocket_http::uri::$name::parse(right)) {
                    (Ok(left), Ok(right)) => Outcome::broken([of_eq(&left, &right), of_hash(&left, &right)].concat()),
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }
        }
    };
}

entry_point! {
    /// `Reference::parse`
    Reference, "Reference::parse", UriReference, WITHOUT_MODIFY, OF_A_REFERENCE,
    |parsed| parsed.fragment().map(RawStr::as_str).into()
}
entry_point! {
    /// `Absolute::parse`
    Absolute, "Absolute::parse", AbsoluteUri, WITH_MODIFY, OF_AN_ABSOLUTE_URI, |parsed| Reported::Nothing,
    fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
        match rocket_http::uri::Absolute::parse(uri) {
            Ok(parsed) => modified(parsed, component, value).unwrap_or_else(|outcome| *outcome),
            Err(error) => Outcome::rejected(error),
        }
    }
}

/// There are two changes: another authority, given as one text, and no query.
fn modified(
    mut uri: rocket_http::uri::Absolute<'_>,
    component: Component,
    value: Option<&str>,
) -> Result<Outcome, Box<Outcome>> {
    match (component, value) {
        (Component::Userinfo | Component::Host | Component::Port, value) => {
            let authority = uri.authority();
            let components = Components {
                userinfo: authority.and_then(Authority::user_info).map(str::to_owned),
                host: authority.map(|authority| authority.host().to_owned()),
                port: authority.and_then(Authority::port).map(|port| port.to_string()),
                ..Components::default()
            };
            let Some(authority) = one_text::authority(&components.with(component, value))? else {
                return Err(Outcome::unsupported("removes no authority").into());
            };
            match Authority::parse_owned(authority) {
                Ok(authority) => uri.set_authority(authority),
                Err(error) => return Err(Outcome::rejected(error).into()),
            }
        }
        (Component::Query, None) => uri.clear_query(),
        _ => return Err(Outcome::unsupported("changes the authority, and takes the query away").into()),
    }
    Ok(Outcome::uri(uri.to_string()))
}

fn observed(authority: Option<&Authority<'_>>, path: Path<'_>, query: Option<Query<'_>>) -> Observed {
    Observed {
        userinfo: authority.and_then(Authority::user_info).into(),
        host: authority.map(Authority::host).into(),
        port: authority.and_then(Authority::port).map(|port| port.to_string()).into(),
        path: Reported::Defined(path.as_str().to_owned()),
        query: query.map(|query| query.as_str().to_owned()).into(),
        ..Observed::default()
    }
}
