//! The claim `http`: which inputs it covers, and those that it covers with another scheme.

use crate::model::{Input, Reading, Rule};
use crate::split::{UserinfoEnd, components};

/// Why an answer is not compared.
const NOT_HTTP: &str = "not an `http` or `https` URI with a host and without userinfo and fragment";

/// Why the answer to an input is not compared, if it is not.
pub(super) fn excludes(input: &Input) -> Option<String> {
    let is_covered = match input {
        // A string that is parsed as another rule is no URI of the input.
        Input::Parse { input, .. } => is_http_uri(input),
        Input::Resolve { base, reference, .. } => is_http_uri(base) && has_covered_target(reference),
        Input::Compose { components } => {
            components.scheme.as_deref().is_some_and(is_http)
                && components.host.as_deref().is_some_and(|host| !host.is_empty())
                && (&components.userinfo, &components.fragment) == (&None, &None)
        }
        _ => input.uris().into_iter().all(is_http_uri),
    };
    (!is_covered).then(|| NOT_HTTP.to_owned())
}

fn is_http(scheme: &str) -> bool {
    NAMES.iter().any(|http| scheme.eq_ignore_ascii_case(http))
}

fn is_http_uri(text: &str) -> bool {
    let parts = components(text, UserinfoEnd::FirstAt);
    let has_host = parts.host.is_some_and(|host| !host.is_empty());
    parts.scheme.is_some_and(is_http) && has_host && parts.userinfo.is_none() && parts.fragment.is_none()
}

/// Whether what a reference resolves to against a URI that is covered is one, too, but for a fragment, or has a scheme of its own that RFC
/// 9110 has nothing to say of. A recipient must reject a reference to an `http` URI without a host (RFC 9110 §4.2.1), and may treat
/// userinfo as an error (RFC 9110 §4.2.4).
fn has_covered_target(reference: &str) -> bool {
    let parts = components(reference, UserinfoEnd::FirstAt);
    match (parts.scheme, parts.host) {
        (Some(scheme), _) if !is_http(scheme) => true,
        (None, None) => true,
        (_, host) => host.is_some_and(|host| !host.is_empty()) && parts.userinfo.is_none(),
    }
}

/// The schemes that are covered.
const NAMES: [&str; 2] = ["http", "https"];

/// The input with schemes that are covered in the place of the others; `None` if it is not covered then either, or is as it is.
///
/// Schemes that are the same stay the same, and of two that differ the second becomes `https`. A reference keeps a scheme that the base
/// does not have if it is no reference to an `https` URI: it is the target itself (RFC 3986 §5.2.2).
pub(super) fn rewritten(input: &Input) -> Option<Input> {
    excludes(input)?;
    let mut rewritten = input.clone();
    let mut schemes = ReservedSchemes::default();
    let texts = rewritten.uris_mut();
    texts.iter().for_each(|text| schemes.reserve(text));
    texts.into_iter().for_each(|text| schemes.replace(text));
    if let (
        Input::Resolve { reference, .. },
        Input::Resolve {
            base, reference: given, ..
        },
    ) = (&mut rewritten, input)
        && !has_covered_target(reference)
        && !scheme(given).zip(scheme(base)).is_some_and(|(one, other)| one.eq_ignore_ascii_case(other))
    {
        reference.clone_from(given);
    }
    if let Input::Compose { components } = &mut rewritten {
        components.scheme.iter_mut().filter(|scheme| is_scheme(scheme)).for_each(|scheme| {
            *scheme = schemes.name(scheme);
        });
    }
    excludes(&rewritten).is_none().then_some(rewritten)
}

/// The schemes of an input in lowercase, each with what takes its place.
#[derive(Default)]
struct ReservedSchemes(Vec<(String, &'static str)>);

impl ReservedSchemes {
    /// Keeps a scheme that is covered.
    fn reserve(&mut self, text: &str) {
        let scheme = scheme(text).unwrap_or_default();
        if let Some(name) = NAMES.into_iter().find(|name| scheme.eq_ignore_ascii_case(name)) {
            self.0.push((name.to_owned(), name));
        }
    }

    /// What takes the place of a scheme, in capitals if it has one.
    fn name(&mut self, scheme: &str) -> String {
        let lowercase = scheme.to_ascii_lowercase();
        let known = self.0.iter().find(|(known, _)| *known == lowercase).map(|(_, name)| *name);
        let name = known.unwrap_or_else(|| {
            let is_free = |name: &&str| self.0.iter().all(|(_, taken)| taken != name);
            let name = NAMES.into_iter().find(is_free).unwrap_or("https");
            self.0.push((lowercase, name));
            name
        });
        match scheme {
            _ if is_http(scheme) => scheme.to_owned(),
            _ if scheme.bytes().any(|byte| byte.is_ascii_uppercase()) => name.to_ascii_uppercase(),
            _ => name.to_owned(),
        }
    }

    fn replace(&mut self, text: &mut String) {
        if let Some(scheme) = scheme(text) {
            let (length, name) = (scheme.len(), self.name(scheme));
            text.replace_range(..length, &name);
        }
    }
}

/// The scheme of a text, if it is one (RFC 3986 §3.1).
fn scheme(text: &str) -> Option<&str> {
    components(text, UserinfoEnd::FirstAt).scheme.filter(|scheme| is_scheme(scheme))
}

fn is_scheme(text: &str) -> bool {
    Rule::Scheme.matches(text, Reading::Rfc3986).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Components, Rung};

    #[test]
    fn http_is_asked_about_http_only() {
        for (input, asked) in [
            ("http://a/b?c", true),
            ("HTTPS://a:80", true),
            ("http://a/%", true),
            ("http://[::1/", true),
            ("http:///b", false),
            ("http://:80/", false),
            ("http://u@a/", false),
            ("http://a/#b", false),
            ("urn:a", false),
            ("/a", false),
        ] {
            let asked_for = Input::RoundTrip { uri: input.to_owned() };
            assert_eq!(excludes(&asked_for).is_none(), asked, "{input}");
        }
    }

    #[test]
    fn another_scheme_becomes_http() {
        let parse = |text: &str| Input::Parse {
            rule: Rule::UriReference,
            input: text.to_owned(),
        };
        for (text, expected) in [
            ("x://a b/", Some("http://a b/")),
            ("X+y://a/%", Some("HTTP://a/%")),
            ("ftp://[::1/", Some("http://[::1/")),
            ("http://a/", None),
            ("x://u@a/", None),
            ("x://a/#b", None),
            ("x:a", None),
            ("1x://a/", None),
            ("//a/", None),
        ] {
            assert_eq!(rewritten(&parse(text)), expected.map(parse), "{text}");
        }
        let of_host = Input::Parse {
            rule: Rule::Host,
            input: "x://a/".to_owned(),
        };
        assert_eq!(rewritten(&of_host), None);
    }

    #[test]
    fn two_schemes_stay_two() {
        let equivalent = |left: &str, right: &str| Input::Equivalent {
            left: left.to_owned(),
            right: right.to_owned(),
            rung: Rung::Syntax,
        };
        for (left, right, expected) in [
            ("x://a", "X://a", ("http://a", "HTTP://a")),
            ("x://a", "y://a", ("http://a", "https://a")),
            ("x://a", "http://a", ("https://a", "http://a")),
            ("HTTPS://a", "x://a", ("HTTPS://a", "http://a")),
        ] {
            let expected = equivalent(expected.0, expected.1);
            assert_eq!(rewritten(&equivalent(left, right)), Some(expected), "{left} {right}");
        }
    }

    #[test]
    fn a_reference_without_a_host_is_none_to_http() {
        let resolve = |base: &str, reference: &str| Input::Resolve {
            base: base.to_owned(),
            reference: reference.to_owned(),
            strict: true,
        };
        for (reference, rewritten_to) in [
            ("b", Some("b")),
            ("#b", Some("#b")),
            ("//b/c", Some("//b/c")),
            ("x://b/c", Some("http://b/c")),
            ("Y://b/c", Some("HTTPS://b/c")),
            ("y:b", Some("y:b")),
            ("y:///b", Some("y:///b")),
            ("y://u@b", Some("y://u@b")),
            ("x:b", None),
            ("http:b", None),
            ("///b", None),
            ("//u@b", None),
        ] {
            let expected = rewritten_to.map(|reference| resolve("http://a", reference));
            assert_eq!(rewritten(&resolve("x://a", reference)), expected, "{reference}");
        }
        assert!(excludes(&resolve("http://a", "http:b")).is_some());
        assert!(excludes(&resolve("http://a", "//:80/")).is_some());
        assert_eq!(excludes(&resolve("http://a", "urn:b")), None);
    }

    #[test]
    fn components_have_a_scheme_too() {
        let compose = |scheme: &str| Input::Compose {
            components: Components {
                scheme: Some(scheme.to_owned()),
                host: Some("a".to_owned()),
                ..Components::default()
            },
        };
        assert_eq!(rewritten(&compose("x")), Some(compose("http")));
        assert_eq!(rewritten(&compose("1")), None);
    }
}
