//! `url-parse`: URLs of some schemes, by rules of its own; it adds the default port of a scheme while it parses.

use std::sync::LazyLock;

use uriproof::model::{
    Component, Components, Declaration, Fidelity, Forms, Observed, Operation, Outcome, Reported, Rule, Rung,
    Specification, Subject,
};
use url_parse::{core, url as output};

use super::contracts::of_eq;

/// `Parser::parse`, with the schemes that the crate knows.
pub struct Parser;

static DECLARATION: LazyLock<Declaration> = LazyLock::new(|| {
    Declaration::new(
        "url-parse",
        "1.0.10",
        "Parser::parse",
        &[
            Operation::Parse,
            Operation::Compose,
            Operation::Equivalent,
            Operation::Modify,
            Operation::RoundTrip,
            Operation::Contract,
        ],
    )
    .with_specification(Specification::Other("none named (URLs)".to_owned()))
    .with_rules(&[Rule::Uri])
    .with_tells(&[
        (Component::Scheme, Fidelity::Exact),
        (Component::Userinfo, Fidelity::Exact),
        (Component::Host, Fidelity::EmptyIsUndefined),
        (Component::Port, Fidelity::Number),
        (Component::Path, Fidelity::Exact),
        (Component::Query, Fidelity::Exact),
        (Component::Fragment, Fidelity::Exact),
    ])
    .with_forms(Forms::Normalized)
});

static PARSER: LazyLock<core::Parser> = LazyLock::new(|| core::Parser::new(None));

impl Subject for Parser {
    fn declaration(&self) -> &Declaration {
        &DECLARATION
    }

    fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
        (rule == Rule::Uri).then(|| PARSER.parse(input).is_ok())
    }

    fn budget(&self) -> Option<usize> {
        Some(200)
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        if rule != Rule::Uri {
            return Outcome::unsupported(format!("parses {} only", Rule::Uri));
        }
        match PARSER.parse(input) {
            Ok(parsed) => Outcome::components(observed(parsed)),
            Err(error) => Outcome::rejected(error),
        }
    }

    fn compose(&self, components: &Components) -> Outcome {
        match build(components) {
            Ok(built) => Outcome::uri(built.serialize()),
            Err(reason) => Outcome::unsupported(reason),
        }
    }

    fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
        if rung != Rung::Scheme {
            return Outcome::unsupported("`==` compares ports after adding those of the scheme");
        }
        match (PARSER.parse(left), PARSER.parse(right)) {
            (Ok(left), Ok(right)) => Outcome::equivalent(left == right),
            (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
        }
    }

    fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
        match PARSER.parse(uri) {
            Ok(mut parsed) => match modify(&mut parsed, component, value) {
                Ok(()) => Outcome::uri(parsed.serialize()),
                Err(reason) => Outcome::unsupported(reason),
            },
            Err(error) => Outcome::rejected(error),
        }
    }

    /// `Display` is for debugging: it shows the fields.
    fn round_trip(&self, uri: &str) -> Outcome {
        match PARSER.parse(uri) {
            Ok(parsed) => Outcome::uri(parsed.serialize()),
            Err(error) => Outcome::rejected(error),
        }
    }

    fn contract(&self, left: &str, right: &str) -> Outcome {
        match (PARSER.parse(left), PARSER.parse(right)) {
            (Ok(left), Ok(right)) => Outcome::broken(of_eq(&left, &right)),
            (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
        }
    }
}

fn observed(url: output::Url) -> Observed {
    let userinfo = match url.user_pass {
        (Some(user), Some(password)) => Some(format!("{user}:{password}")),
        (user, None) => user,
        (None, Some(password)) => Some(format!(":{password}")),
    };
    let host: Vec<String> = [url.subdomain, url.domain, url.top_level_domain].into_iter().flatten().collect();
    Observed {
        scheme: url.scheme.into(),
        userinfo: userinfo.into(),
        host: (!host.is_empty()).then(|| host.join(".")).into(),
        host_kind: Reported::Nothing,
        port: url.port.map(|port| port.to_string()).into(),
        // The segments behind the first "/", which is there or is not.
        path: Reported::Defined(url.path.map(|segments| format!("/{}", segments.join("/"))).unwrap_or_default()),
        query: url.query.into(),
        fragment: url.anchor.into(),
    }
}

fn build(components: &Components) -> Result<output::Url, &'static str> {
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
        return Err("builds no authority without a host");
    }
    let mut url = output::Url::empty();
    url.scheme.clone_from(scheme);
    url.user_pass = user_and_password(userinfo.as_deref());
    set_host(&mut url, host.as_deref())?;
    url.port = port.as_deref().map(number).transpose()?;
    url.path = segments(path)?;
    url.query.clone_from(query);
    url.anchor.clone_from(fragment);
    Ok(url)
}

/// The fields are public, and there is no setter.
fn modify(url: &mut output::Url, component: Component, value: Option<&str>) -> Result<(), &'static str> {
    let text = value.map(str::to_owned);
    match (component, value) {
        (Component::Scheme, _) => url.scheme = text,
        (Component::Userinfo, _) => url.user_pass = user_and_password(value),
        (Component::Host, _) => set_host(url, value)?,
        (Component::Port, _) => url.port = value.map(number).transpose()?,
        (Component::Path, Some(path)) => url.path = segments(path)?,
        (Component::Path, None) => return Err("sets a path to a path"),
        (Component::Query, _) => url.query = text,
        (Component::Fragment, _) => url.anchor = text,
        (Component::HostKind, _) => return Err("the kind of a host follows from it"),
    }
    Ok(())
}

fn user_and_password(userinfo: Option<&str>) -> (Option<String>, Option<String>) {
    match userinfo.map(|userinfo| (userinfo, userinfo.split_once(':'))) {
        Some((_, Some((user, password)))) => (Some(user.to_owned()), Some(password.to_owned())),
        Some((userinfo, None)) => (Some(userinfo.to_owned()), None),
        None => (None, None),
    }
}

/// By the crate's own division of a host, where that keeps all of it.
fn set_host(url: &mut output::Url, host: Option<&str>) -> Result<(), &'static str> {
    let domain = host.map_or_else(core::global::Domain::empty, |host| PARSER.domain(host));
    let parts = [domain.subdomain, domain.domain, domain.top_level_domain];
    if host.is_some_and(|host| parts.into_iter().flatten().collect::<Vec<_>>().join(".") != host || host.is_empty()) {
        return Err("divides hosts otherwise");
    }
    [url.subdomain, url.domain, url.top_level_domain] = parts.map(|part| part.map(str::to_owned));
    Ok(())
}

fn segments(path: &str) -> Result<Option<Vec<String>>, &'static str> {
    match path.strip_prefix('/') {
        Some(rest) => Ok(Some(rest.split('/').map(str::to_owned).collect())),
        None if path.is_empty() => Ok(None),
        None => Err("builds a path that begins with \"/\""),
    }
}

/// A port as the URL holds it, if that keeps its text.
fn number(port: &str) -> Result<u32, &'static str> {
    match port.parse::<u32>() {
        Ok(number) if number.to_string() == port => Ok(number),
        _ => Err("builds a port from a `u32`"),
    }
}
