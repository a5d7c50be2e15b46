//! Differential tests of the seven fast crates as one writes them by hand for a fuzzer: what the crates answer is compared with each
//! other, and nothing more. Our loop is measured against them.
//!
//! Some of the crates disagree on most inputs, by design, so disagreements are counted, and no run stops at one.

use std::borrow::Cow;

/// A component of what a crate parsed.
#[derive(PartialEq)]
enum HandPart<'t> {
    /// The crate does not return it, or returns it changed by design.
    Hidden,
    /// There is none.
    Absent,
    /// Its text.
    Text(Cow<'t, str>),
}

impl<'t> HandPart<'t> {
    fn of(text: Option<&'t str>) -> HandPart<'t> {
        text.map_or(HandPart::Absent, |text| HandPart::Text(Cow::Borrowed(text)))
    }

    fn printed(text: Option<String>) -> HandPart<'t> {
        text.map_or(HandPart::Absent, |text| HandPart::Text(Cow::Owned(text)))
    }

    fn is_like(&self, other: &HandPart<'_>) -> bool {
        match (self, other) {
            (HandPart::Hidden, _) | (_, HandPart::Hidden) => true,
            (one, other) => one == other,
        }
    }

    /// For schemes and hosts.
    fn is_like_in_any_case(&self, other: &HandPart<'_>) -> bool {
        match (self, other) {
            (HandPart::Text(one), HandPart::Text(other)) => one.eq_ignore_ascii_case(other),
            (one, other) => one.is_like(other),
        }
    }
}

/// What a crate parsed.
struct HandParts<'t> {
    scheme: HandPart<'t>,
    userinfo: HandPart<'t>,
    host: HandPart<'t>,
    port: HandPart<'t>,
    path: HandPart<'t>,
    query: HandPart<'t>,
    fragment: HandPart<'t>,
}

impl HandParts<'_> {
    fn is_like(&self, other: &HandParts<'_>) -> bool {
        self.scheme.is_like_in_any_case(&other.scheme)
            && self.userinfo.is_like(&other.userinfo)
            && self.host.is_like_in_any_case(&other.host)
            && self.port.is_like(&other.port)
            && self.path.is_like(&other.path)
            && self.query.is_like(&other.query)
            && self.fragment.is_like(&other.fragment)
    }
}

/// Parses `text` by each; gives how many disagree with the first that accepts it. One that refuses it disagrees, whatever its reason is.
pub(crate) fn parse(text: &str) -> usize {
    let iri_string = iri_string::types::UriReferenceStr::new(text).ok();
    let oxiri = oxiri::IriRef::parse(text).ok();
    let uriparse = uriparse::URIReference::try_from(text).ok();
    let url = url::Url::parse(text).ok();
    let http = text.parse::<http::Uri>().ok();
    let parsed = [
        fluent_uri::UriRef::parse(text).ok().map(of_fluent_uri),
        iref::UriRef::new(text).ok().map(of_iref),
        iri_string.map(of_iri_string),
        oxiri.as_ref().map(of_oxiri),
        uriparse.as_ref().map(of_uriparse),
        url.as_ref().map(of_url),
        http.as_ref().map(of_http),
    ];
    disagreeing(&parsed, |one, other| one.is_like(other))
}

/// How many of these disagree with the first that accepts the input.
fn disagreeing<T>(answers: &[Option<T>], is_like: impl Fn(&T, &T) -> bool) -> usize {
    let Some(first) = answers.iter().flatten().next() else {
        return 0;
    };
    let agrees = |answer: &&Option<T>| answer.as_ref().is_some_and(|answer| is_like(first, answer));
    answers.len() - answers.iter().filter(agrees).count()
}

fn of_fluent_uri(uri: fluent_uri::UriRef<&str>) -> HandParts<'_> {
    let authority = uri.authority();
    HandParts {
        scheme: HandPart::of(uri.scheme().map(fluent_uri::component::Scheme::as_str)),
        userinfo: HandPart::of(
            authority.and_then(|authority| authority.userinfo()).map(fluent_uri::pct_enc::EStr::as_str),
        ),
        host: HandPart::of(authority.map(|authority| authority.host())),
        port: HandPart::of(authority.and_then(|authority| authority.port()).map(fluent_uri::pct_enc::EStr::as_str)),
        path: HandPart::of(Some(uri.path().as_str())),
        query: HandPart::of(uri.query().map(fluent_uri::pct_enc::EStr::as_str)),
        fragment: HandPart::of(uri.fragment().map(fluent_uri::pct_enc::EStr::as_str)),
    }
}

fn of_iref(uri: &iref::UriRef) -> HandParts<'_> {
    let parts = uri.parts();
    let authority = parts.authority.map(|authority| authority.parts());
    let host = authority.as_ref().map(|authority| authority.host);
    let (userinfo, port) = authority.map_or((None, None), |authority| (authority.user_info, authority.port));
    HandParts {
        scheme: HandPart::of(parts.scheme.map(iref::Scheme::as_str)),
        userinfo: HandPart::of(userinfo.map(iref::uri::UserInfo::as_str)),
        host: HandPart::of(host.map(iref::uri::Host::as_str)),
        port: HandPart::of(port.map(iref::Port::as_str)),
        path: HandPart::of(Some(parts.path.as_str())),
        query: HandPart::of(parts.query.map(iref::uri::Query::as_str)),
        fragment: HandPart::of(parts.fragment.map(iref::uri::Fragment::as_str)),
    }
}

fn of_iri_string(uri: &iri_string::types::UriReferenceStr) -> HandParts<'_> {
    let authority = uri.authority_components();
    HandParts {
        scheme: HandPart::of(uri.scheme_str()),
        userinfo: HandPart::of(authority.and_then(|authority| authority.userinfo())),
        host: HandPart::of(authority.map(|authority| authority.host())),
        port: HandPart::of(authority.and_then(|authority| authority.port())),
        path: HandPart::of(Some(uri.path_str())),
        query: HandPart::of(uri.query_str()),
        fragment: HandPart::of(uri.fragment_str()),
    }
}

/// An authority is one text.
fn of_oxiri<'t>(iri: &'t oxiri::IriRef<&str>) -> HandParts<'t> {
    HandParts {
        scheme: HandPart::of(iri.scheme()),
        userinfo: HandPart::Hidden,
        host: HandPart::Hidden,
        port: HandPart::Hidden,
        path: HandPart::of(Some(iri.path())),
        query: HandPart::of(iri.query()),
        fragment: HandPart::of(iri.fragment()),
    }
}

/// Addresses, ports and paths have no text but what they are printed as; an address is printed in its normal form.
fn of_uriparse<'t>(uri: &'t uriparse::URIReference<'_>) -> HandParts<'t> {
    let username = uri.username().map(uriparse::Username::as_str);
    HandParts {
        scheme: HandPart::of(uri.scheme().map(uriparse::Scheme::as_str)),
        userinfo: match uri.password() {
            Some(password) => HandPart::printed(username.map(|username| format!("{username}:{password}"))),
            None => HandPart::of(username),
        },
        host: match uri.host() {
            Some(uriparse::Host::RegisteredName(name)) => HandPart::of(Some(name.as_str())),
            Some(_) => HandPart::Hidden,
            None => HandPart::Absent,
        },
        port: HandPart::Hidden,
        path: HandPart::printed(Some(uri.path().to_string())),
        query: HandPart::of(uri.query().map(uriparse::Query::as_str)),
        fragment: HandPart::of(uri.fragment().map(uriparse::Fragment::as_str)),
    }
}

/// Ports and paths are normalized, and no username is an empty one.
fn of_url(url: &url::Url) -> HandParts<'_> {
    HandParts {
        scheme: HandPart::of(Some(url.scheme())),
        userinfo: HandPart::Hidden,
        host: HandPart::of(url.host_str()),
        port: HandPart::Hidden,
        path: HandPart::Hidden,
        query: HandPart::of(url.query()),
        fragment: HandPart::of(url.fragment()),
    }
}

/// There is no userinfo and no fragment, and an empty path is "/".
fn of_http(uri: &http::Uri) -> HandParts<'_> {
    HandParts {
        scheme: HandPart::of(uri.scheme_str()),
        userinfo: HandPart::Hidden,
        host: HandPart::of(uri.host()),
        port: HandPart::Hidden,
        path: HandPart::of(Some(uri.path())),
        query: HandPart::of(uri.query()),
        fragment: HandPart::Hidden,
    }
}

/// Resolves `reference` against `base` by each that can; gives how many disagree with the first that does.
pub(crate) fn resolve(base: &str, reference: &str) -> usize {
    let targets = [
        by_fluent_uri(base, reference),
        by_iref(base, reference),
        by_iri_string(base, reference),
        by_oxiri(base, reference),
        by_uriparse(base, reference),
        url::Url::parse(base).and_then(|base| base.join(reference)).ok().map(String::from),
    ];
    disagreeing(&targets, |one, other| one == other)
}

fn by_fluent_uri(base: &str, reference: &str) -> Option<String> {
    let (base, reference) = (
        fluent_uri::Uri::parse(base).ok()?,
        fluent_uri::UriRef::parse(reference).ok()?,
    );
    reference.resolve_against(&base.strip_fragment()).ok().map(String::from)
}

fn by_iref(base: &str, reference: &str) -> Option<String> {
    let (base, reference) = (iref::Uri::new(base).ok()?, iref::UriRef::new(reference).ok()?);
    Some(reference.resolved(base).to_string())
}

fn by_iri_string(base: &str, reference: &str) -> Option<String> {
    let base = iri_string::types::UriStr::new(base).ok()?.to_absolute();
    let reference = iri_string::types::UriReferenceStr::new(reference).ok()?;
    Some(reference.resolve_against(base).to_string())
}

fn by_oxiri(base: &str, reference: &str) -> Option<String> {
    let (base, reference) = (oxiri::IriRef::parse(base).ok()?, oxiri::IriRef::parse(reference).ok()?);
    base.resolve(&reference).ok().map(oxiri::IriRef::into_inner)
}

fn by_uriparse(base: &str, reference: &str) -> Option<String> {
    let base = uriparse::URI::try_from(base).ok()?;
    let reference = uriparse::URIReference::try_from(reference).ok()?;
    Some(base.resolve(&reference).to_string())
}
