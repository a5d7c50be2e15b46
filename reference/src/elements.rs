//! The Elements page's data model, beside the five components of RFC 3986 §3: what it loses.
//!
//! Not in RFC 3986: the whole module, which is the reading [`Reading::Elements`]. Elements: "An empty string property
//! indicates that it isn't included in the reference." RFC 3986 §5.3: "Note that we are careful to preserve the distinction
//! between a component that is undefined, meaning that its separator was not present in the reference, and a component
//! that is empty, meaning that the separator was present and was immediately followed by the next component separator
//! or the end of the reference."

use std::borrow::Cow;
use std::fmt;

use crate::components::{Components, Reference, parse};
use crate::grammar::Error;
use crate::readings::Reading;
use crate::recompose::{recompose, recompose_authority};
use crate::resolve::{Strictness, resolve};

/// The elements of a URI-reference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Elements {
    /// Elements: "flag indicating whether or not the reference is `relative reference` (as opposed to a `URI`)"
    pub is_relative: bool,
    /// Elements: "scheme name, if reference isn't relative"
    pub scheme: String,
    /// Elements: "user information (user name, potentially with authorization information), if any is included"
    pub user_info: String,
    /// Elements: "host name or IP address, if included"
    pub host: String,
    /// Elements: "port number, if included". Not in the Elements page: that 16 bits hold it, as they hold the ports of TCP
    /// and UDP.
    pub port: u16,
    /// Elements: "flag indicating whether or not to include port number"
    pub has_port: bool,
    /// Elements: "sequence of strings": the segments. Elements: "If the first element of `Path` is an empty string, it
    /// indicates that the path is absolute."
    pub path: Vec<String>,
    /// Elements: "query string, if included"
    pub query: String,
    /// Elements: "fragment string, if included"
    pub fragment: String,
}

/// Why there are no elements for a string, or no string for elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementsError {
    /// The string does not match `URI-reference`.
    Invalid(Error),
    /// The base of a resolution is a relative reference: RFC 3986 §5.2.1, "only the scheme component is required to be
    /// present in a base URI".
    RelativeBase,
    /// The port is more than a number of 16 bits holds. Not in the Elements page, which names no greatest number; RFC 3986
    /// §3.2.3 has `port = *DIGIT`.
    PortOverflow,
    /// Elements: "For a `URI` with an `authority` component, the path must be either empty or absolute (first element
    /// empty); otherwise, it wouldn't possible to distinguish which characters belong to `host` and which belong to the
    /// path's first segment."
    RootlessPathWithAuthority,
    /// Elements: "A `relative reference` cannot have a path whose first segment contains a colon (`:`) character;
    /// otherwise, its string representation would be ambiguous".
    ColonInFirstSegment,
}

impl fmt::Display for ElementsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ElementsError::Invalid(error) => write!(f, "not a URI-reference: it {error}"),
            ElementsError::RelativeBase => f.write_str("the base is a relative reference"),
            ElementsError::PortOverflow => f.write_str("the port is more than 65535"),
            ElementsError::RootlessPathWithAuthority => {
                f.write_str("with an authority the path must be empty or absolute")
            }
            ElementsError::ColonInFirstSegment => {
                f.write_str("the first segment of a relative reference's path cannot contain \":\"")
            }
        }
    }
}

impl std::error::Error for ElementsError {}

impl Elements {
    /// The elements of `reference`.
    ///
    /// An undefined component and an empty one give the same elements, an authority with an empty host none at all, a
    /// port its number.
    ///
    /// # Errors
    ///
    /// [`ElementsError::PortOverflow`].
    pub fn from_reference(reference: &Reference<'_>) -> Result<Elements, ElementsError> {
        let Reference { components, authority } = reference;
        let own = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let mut elements = Elements {
            is_relative: components.scheme.is_none(),
            scheme: own(components.scheme),
            path: segments(&components.path),
            query: own(components.query),
            fragment: own(components.fragment),
            ..Elements::default()
        };
        if let Some(authority) = authority {
            elements.user_info = own(authority.userinfo);
            authority.host.clone_into(&mut elements.host);
            // Elements: "A zero port number is still valid syntactically, so we need the separate `HasPort` property".
            if let Some(port) = authority.port.filter(|port| !port.is_empty()) {
                elements.port = port.parse().map_err(|_| ElementsError::PortOverflow)?;
                elements.has_port = true;
            }
        }
        Ok(elements)
    }

    /// The URI-reference that the elements make up.
    ///
    /// # Errors
    ///
    /// One of the two special disambiguation rules is broken. A third is missing from them, RFC 3986 §3: "When authority
    /// is not present, the path cannot begin with two slash characters ("//")." Such elements give a string whose path is
    /// read as an authority.
    pub fn to_reference_string(&self) -> Result<String, ElementsError> {
        let first_segment = self.path.first();
        if !self.host.is_empty() && first_segment.is_some_and(|first| !first.is_empty()) {
            return Err(ElementsError::RootlessPathWithAuthority);
        }
        if self.is_relative && self.host.is_empty() && first_segment.is_some_and(|first| first.contains(':')) {
            return Err(ElementsError::ColonInFirstSegment);
        }

        let (authority, path) = (self.authority(), self.joined_path());
        Ok(recompose(&self.components(authority.as_deref(), &path)))
    }

    /// Elements: "The `authority` component is only included if `Host` is not empty, regardless of whether or not
    /// `UserInfo` is empty, and regardless of `HasPort`."
    fn authority(&self) -> Option<String> {
        if self.host.is_empty() {
            return None;
        }
        let port = self.has_port.then(|| self.port.to_string());
        Some(recompose_authority(
            included(&self.user_info),
            &self.host,
            port.as_deref(),
        ))
    }

    /// Elements: "If the first element of `Path` is an empty string, it indicates that the path is absolute": one such
    /// element alone is "/", though joining the elements by "/" would give nothing.
    fn joined_path(&self) -> String {
        match self.path.split_first() {
            Some((first, rest)) if first.is_empty() => format!("/{}", rest.join("/")),
            _ => self.path.join("/"),
        }
    }

    /// The five components. Elements: "An empty string property indicates that it isn't included in the reference."
    fn components<'a>(&'a self, authority: Option<&'a str>, path: &'a str) -> Components<'a> {
        Components {
            scheme: included(&self.scheme).filter(|_| !self.is_relative),
            authority,
            path: Cow::Borrowed(path),
            query: included(&self.query),
            fragment: included(&self.fragment),
        }
    }
}

fn included(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// What is left of `reference` once it has gone through the model and back.
///
/// # Errors
///
/// It does not match `URI-reference`, or the model cannot hold it.
pub fn through_elements(reference: &str) -> Result<String, ElementsError> {
    let parsed = parse(reference, Reading::Elements).map_err(ElementsError::Invalid)?;
    Elements::from_reference(&parsed)?.to_reference_string()
}

/// The target of `reference` against `base` by RFC 3986 §5.2.2 and §5.3, with the components that the model has: what is
/// empty is undefined.
///
/// # Errors
///
/// One of them does not match `URI-reference`, the base does not match `URI`, or the model cannot hold one of them.
pub fn resolve_through_elements(base: &str, reference: &str, strictness: Strictness) -> Result<String, ElementsError> {
    let elements = |text| {
        let parsed = parse(text, Reading::Elements).map_err(ElementsError::Invalid)?;
        Elements::from_reference(&parsed)
    };
    let (base, reference) = (elements(base)?, elements(reference)?);
    if base.is_relative {
        return Err(ElementsError::RelativeBase);
    }
    let (base_authority, base_path) = (base.authority(), base.joined_path());
    let (authority, path) = (reference.authority(), reference.joined_path());
    let base = base.components(base_authority.as_deref(), &base_path);
    let r = reference.components(authority.as_deref(), &path);
    Ok(recompose(&resolve(&base, &r, strictness, Reading::Elements).target))
}

fn segments(path: &str) -> Vec<String> {
    let (first, rest) = match path.strip_prefix('/') {
        Some(rest) => (Some(""), rest),
        None => (None, path),
    };
    let rest = (!rest.is_empty()).then(|| rest.split('/'));
    first.into_iter().chain(rest.into_iter().flatten()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsing_and_composing_loses_what_is_empty() {
        for (reference, composed) in [
            ("http://a/?", "http://a/"),
            ("http://a/#", "http://a/"),
            ("file:///etc/hosts", "file:/etc/hosts"),
            ("//", ""),
            ("//:80/x", "/x"),
            ("//u@/x", "/x"),
            ("http://@a/", "http://a/"),
            ("http://a:/", "http://a/"),
            ("http://a:080/", "http://a:80/"),
        ] {
            assert_eq!(through_elements(reference).as_deref(), Ok(composed), "{reference}");
        }
        assert_eq!(through_elements("http://a:65536/"), Err(ElementsError::PortOverflow));
    }

    #[test]
    fn nothing_else_is_lost() {
        for reference in [
            "foo://example.com:8042/over/there?name=ferret#nose",
            "urn:example:animal:ferret:nose",
            "http://u:@a:0//b//c/?q?#f?",
            "http://a:65535/",
            "//[::1]:1",
            "",
            "/",
            "a",
            "a/",
            "./a:b",
            "?q",
            "#f",
        ] {
            assert_eq!(through_elements(reference).as_deref(), Ok(reference));
        }
    }

    #[test]
    fn the_root_path_is_one_empty_element() {
        let path = |reference| {
            let parsed = parse(reference, Reading::Elements).unwrap();
            Elements::from_reference(&parsed).unwrap().path
        };
        for (root, empty) in [("a:/", "a:"), ("//a/", "//a")] {
            assert_eq!(path(root), [""]);
            assert_eq!(path(root).join("/"), "", "joined, the root path is lost");
            assert!(path(empty).is_empty());
            assert_eq!(through_elements(root).as_deref(), Ok(root));
            assert_eq!(through_elements(empty).as_deref(), Ok(empty));
        }
        assert_eq!(path("//h//"), ["", "", ""]);
        assert_eq!(path("/a"), ["", "a"]);
        assert_eq!(path("a"), ["a"]);
    }

    #[test]
    fn resolution_takes_empty_for_absent() {
        for (base, reference, target) in [
            ("http://a/b?q", "?", "http://a/b?q"),
            ("http://a/b?x", "#", "http://a/b?x"),
            ("http://a/b", "//", "http://a/b"),
            ("file:///a/b", "c", "file:/a/c"),
            ("x://", "g", "x:g"),
            ("http://a/b", "////c", "http://a//c"),
            ("x://u@a:080", "?y", "x://u@a:80?y"),
        ] {
            let resolved = resolve_through_elements(base, reference, Strictness::Strict);
            assert_eq!(resolved.as_deref(), Ok(target), "{base} + {reference}");
        }
        for base in ["//h/a", "/a", "a", ""] {
            let resolved = resolve_through_elements(base, "g", Strictness::Strict);
            assert_eq!(resolved, Err(ElementsError::RelativeBase), "{base}");
        }
        let plain = resolve_through_elements("http://a/b/c/d;p?q", "../g?y#s", Strictness::Strict);
        assert_eq!(plain.as_deref(), Ok("http://a/b/g?y#s"));
    }

    #[test]
    fn the_two_disambiguation_rules_are_errors_and_the_third_is_missing() {
        let path = |segments: &[&str]| segments.iter().map(|&segment| segment.to_owned()).collect();
        let rootless = Elements {
            scheme: "x".to_owned(),
            host: "h".to_owned(),
            path: path(&["a"]),
            ..Elements::default()
        };
        assert_eq!(
            rootless.to_reference_string(),
            Err(ElementsError::RootlessPathWithAuthority)
        );
        let colon = Elements {
            is_relative: true,
            path: path(&["a:b", "c"]),
            ..Elements::default()
        };
        assert_eq!(colon.to_reference_string(), Err(ElementsError::ColonInFirstSegment));
        let double_slash = Elements {
            is_relative: true,
            path: path(&["", "", "a"]),
            ..Elements::default()
        };
        let string = double_slash.to_reference_string().unwrap();
        assert_eq!(string, "//a");
        assert_eq!(
            parse(&string, Reading::Elements).unwrap().components.authority,
            Some("a")
        );
    }
}
