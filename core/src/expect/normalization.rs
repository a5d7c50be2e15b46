//! What RFC 3986 expects of a normalization: the normal form, and every other that the RFC leaves open.

use std::borrow::Cow;

use rfc3986_reference::dot_segments::remove_dot_segments;
use rfc3986_reference::normalize;
use rfc3986_reference::recompose::recompose;

use super::{Expected, ParseFn, Property, SCHEMES, rejected_by, scheme_rules};
use crate::model::{Outcome, Reading, Scope, authority_of};

pub(super) fn expect_normalize(uri: &str, scope: Scope, reading: Reading, parse: ParseFn) -> Expected {
    let parsed = match parse(uri, reading) {
        Ok(parsed) => parsed,
        Err(error) => return Expected::literally(rejected_by(&error)),
    };
    if parsed.components.scheme.is_none() {
        return Expected::Property(Property::MeansTheSame {
            reference: uri.to_owned(),
            scope,
        });
    }
    let literal = match normal(uri, scope, reading) {
        Ok(literal) => literal,
        Err(error) => return Expected::literally(Outcome::rejected(error)),
    };
    let mut expected = Expected::literally(Outcome::uri(&*literal));
    // Every choice that the RFC leaves open, on its own and together with the others.
    let mut forms = vec![("literal", literal)];
    if let (Scope::Scheme, Some(scheme)) = (scope, parsed.components.scheme) {
        for form in scheme_rules::forms(uri, scheme, reading) {
            expected = expected.and("scheme-rule", Outcome::uri(&*form));
            forms.push(("scheme-rule", form));
        }
        if parsed.components.authority.is_some() && scheme_rules::excludes_authority(scheme) {
            expected = expected.and(
                "scheme-refused",
                Outcome::rejected("a URI of this scheme has no authority"),
            );
        }
    }
    for choice in [other_path, other_root, other_port, other_authority] {
        for at in 0..forms.len() {
            let (name, form) = forms[at].clone();
            for (other_name, other) in choice(uri, &form, scope, reading, parse) {
                let name = if name == "literal" { other_name } else { name };
                expected = expected.and(name, Outcome::uri(&*other));
                forms.push((name, other));
            }
        }
    }
    expected
}

fn normal(uri: &str, scope: Scope, reading: Reading) -> Result<String, normalize::NormalizeError> {
    match scope {
        Scope::Syntax => normalize::syntax_based(uri, reading),
        Scope::Scheme => normalize::scheme_based(uri, &SCHEMES, reading),
    }
}

/// §6.2.2.3 is a should, and 5.2.4 on a path without authority can do more than remove segments: it makes a rootless
/// path absolute, and it can leave a path that begins with "//".
fn other_path(uri: &str, form: &str, scope: Scope, reading: Reading, parse: ParseFn) -> Vec<(&'static str, String)> {
    if !parse(uri, reading).is_ok_and(|parsed| parsed.components.authority.is_none()) {
        return Vec::new();
    }
    let Ok(before) = normalize::percent_encoding_normalization(uri, reading)
        .and_then(|decoded| normalize::case_normalization(&decoded, reading))
    else {
        return Vec::new();
    };
    let (Ok(before), Ok(after)) = (parse(&before, reading), parse(form, reading)) else {
        return Vec::new();
    };
    let path = &before.components.path;
    let removed = remove_dot_segments(path);
    let with_path = |path: String| {
        let mut components = after.components.clone();
        // A rootless path cannot stand behind the authority that a scheme's default becomes (§3.3).
        components.authority.take_if(|_| !path.starts_with('/'));
        components.path = Cow::Owned(path);
        recompose(&components)
    };
    if removed.starts_with("//") && after.components.authority.is_some() {
        Vec::new()
    } else if removed.starts_with("//") {
        vec![("slash-dot", with_path(format!("/.{removed}")))]
    } else if !path.starts_with('/') && removed != **path {
        let unchanged = with_path(path.clone().into_owned());
        // That no dot-segment is removed does not exclude the rules of the scheme.
        let has_mailboxes = scope == Scope::Scheme
            && after
                .components
                .scheme
                .and_then(|scheme| SCHEMES.rules(scheme))
                .is_some_and(|rules| rules.mailboxes_in_path);
        let cased = has_mailboxes.then(|| ("scheme-rule", with_path(with_lowercase_hosts(path, reading))));
        std::iter::once(("unchanged", unchanged)).chain(cased).collect()
    } else {
        Vec::new()
    }
}

/// Mailboxes, separated by ",", each with its host in lowercase. `normalize::scheme_based` removes the dot-segments as well, which are to
/// stay here.
fn with_lowercase_hosts(mailboxes: &str, reading: Reading) -> String {
    let lowercase = |mailbox: &str| match mailbox.rsplit_once('@') {
        Some((local, host)) => format!("{local}@{}", host.to_ascii_lowercase()),
        None => mailbox.to_owned(),
    };
    let cased = format!(
        "x:{}",
        mailboxes.split(',').map(lowercase).collect::<Vec<_>>().join(",")
    );
    // The digits of its triplets are in uppercase again.
    let cased = normalize::case_normalization(&cased, reading).unwrap_or(cased);
    cased["x:".len()..].to_owned()
}

/// §6.2.3: "In general, a URI that uses the generic syntax for authority with an empty path should be normalized to a
/// path of "/"", whatever its scheme; where the scheme does not say so, keeping the path avoids a false positive (§6.1).
fn other_root(_: &str, form: &str, scope: Scope, reading: Reading, parse: ParseFn) -> Vec<(&'static str, String)> {
    match (scope, parse(form, reading)) {
        (Scope::Scheme, Ok(parsed)) if parsed.authority.is_some() && parsed.components.path.is_empty() => {
            let mut components = parsed.components.clone();
            components.path = Cow::Borrowed("/");
            vec![("root", recompose(&components))]
        }
        _ => Vec::new(),
    }
}

/// §3.2.3: normalizers "should omit the port component and its ":" delimiter if port is empty or if its value would
/// be the same as that of the scheme's default"; §6.2.3 counts both as scheme-based.
fn other_port(uri: &str, form: &str, scope: Scope, reading: Reading, parse: ParseFn) -> Vec<(&'static str, String)> {
    let port = |text: &str| {
        let parsed = parse(text, reading).ok()?;
        parsed.authority?.port.map(str::to_owned)
    };
    let with_port = |port: Option<&str>| {
        let parsed = parse(form, reading).ok()?;
        let authority = parsed.authority?;
        let userinfo = authority.userinfo.map(|text| format!("{text}@")).unwrap_or_default();
        let port = port.map(|text| format!(":{text}")).unwrap_or_default();
        let authority = format!("{userinfo}{}{port}", authority.host);
        let mut components = parsed.components.clone();
        components.authority = Some(&authority);
        Some(recompose(&components))
    };
    let other = match (scope, port(uri).as_deref(), port(form).as_deref()) {
        (Scope::Syntax, Some(""), Some("")) => with_port(None).map(|form| ("omitted", form)),
        (Scope::Syntax, Some(""), None) => with_port(Some("")).map(|form| ("kept", form)),
        (Scope::Scheme, Some(given), None) if given.starts_with('0') => {
            with_port(Some(given)).map(|form| ("by-text", form))
        }
        _ => None,
    };
    other.into_iter().collect()
}

/// §6.2.3 on a default for authority. "@" alone is no empty authority: it may be removed with the default host, and it may stay, since
/// "Normalization should not remove delimiters when their associated component is empty". An empty host "should be given explicitly"
/// beside a userinfo or a port, which is no step that 6.2.3 wants of every normalizer.
fn other_authority(
    uri: &str,
    form: &str,
    scope: Scope,
    reading: Reading,
    parse: ParseFn,
) -> Vec<(&'static str, String)> {
    let (Scope::Scheme, Ok(given), Ok(normal)) = (scope, parse(uri, reading), parse(form, reading)) else {
        return Vec::new();
    };
    let default = given.components.scheme.and_then(|scheme| SCHEMES.rules(scheme)?.default_host);
    let (Some(default), Some(given), Some(authority)) = (default, given.authority, normal.authority) else {
        return Vec::new();
    };
    let with = |userinfo: Option<&str>, host: &str| {
        let authority = authority_of(userinfo, host, authority.port);
        let mut components = normal.components.clone();
        components.authority = Some(&authority);
        recompose(&components)
    };
    let kept_host = if given.host.is_empty() { "" } else { default };
    match given.userinfo {
        Some("") if authority.host.is_empty() => {
            vec![
                ("host-emptied", with(Some(""), "")),
                ("authority-kept", with(Some(""), kept_host)),
            ]
        }
        _ if authority.host == default && given.host.is_empty() => {
            vec![("authority-kept", with(authority.userinfo, ""))]
        }
        _ => Vec::new(),
    }
}
