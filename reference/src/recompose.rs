//! RFC 3986 §5.3: recomposing components.

use std::fmt;

use crate::components::{Components, match_path};
use crate::grammar::{self, Error};
use crate::readings::Reading;

/// The URI-reference that the components make up (RFC 3986 §5.3).
///
/// The algorithm as printed: it checks nothing. Components that no URI-reference has (see [`check`]) give a string
/// that parses otherwise.
pub fn recompose(components: &Components<'_>) -> String {
    let Components {
        scheme,
        authority,
        path,
        query,
        fragment,
    } = components;

    // result = ""
    let mut result = String::new();

    // if defined(scheme) then
    //    append scheme to result;
    //    append ":" to result;
    // endif;
    if let Some(scheme) = scheme {
        result.push_str(scheme);
        result.push(':');
    }

    // if defined(authority) then
    //    append "//" to result;
    //    append authority to result;
    // endif;
    if let Some(authority) = authority {
        result.push_str("//");
        result.push_str(authority);
    }

    // append path to result;
    result.push_str(path);

    // if defined(query) then
    //    append "?" to result;
    //    append query to result;
    // endif;
    if let Some(query) = query {
        result.push('?');
        result.push_str(query);
    }

    // if defined(fragment) then
    //    append "#" to result;
    //    append fragment to result;
    // endif;
    if let Some(fragment) = fragment {
        result.push('#');
        result.push_str(fragment);
    }

    // return result;
    result
}

/// `[ userinfo "@" ] host [ ":" port ]` (RFC 3986 §3.2).
pub(crate) fn recompose_authority(userinfo: Option<&str>, host: &str, port: Option<&str>) -> String {
    let mut authority = String::new();
    if let Some(userinfo) = userinfo {
        authority.push_str(userinfo);
        authority.push('@');
    }
    authority.push_str(host);
    if let Some(port) = port {
        authority.push(':');
        authority.push_str(port);
    }
    authority
}

/// One of the five components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Component {
    /// `scheme`
    Scheme,
    /// `authority`
    Authority,
    /// `path`
    Path,
    /// `query`
    Query,
    /// `fragment`
    Fragment,
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Component::Scheme => "scheme",
            Component::Authority => "authority",
            Component::Path => "path",
            Component::Query => "query",
            Component::Fragment => "fragment",
        })
    }
}

/// Why components are not those of any URI-reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// A component does not match its rule.
    Component {
        /// Which one.
        component: Component,
        /// The rule that could not go on, and the byte offset in the component.
        error: Error,
    },
    /// "When authority is present, the path must either be empty or begin with a slash ("/") character" (§3).
    RootlessPathWithAuthority,
    /// "When authority is not present, the path cannot begin with two slash characters ("//")" (§3).
    DoubleSlashWithoutAuthority,
    /// "A path segment that contains a colon character […] cannot be used as the first segment of a relative-path
    /// reference, as it would be mistaken for a scheme name" (§4.2).
    ColonInFirstSegment,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Component { component, error } => write!(f, "the {component} {error}"),
            Unfit::RootlessPathWithAuthority => {
                f.write_str("with an authority the path must be empty or begin with \"/\"")
            }
            Unfit::DoubleSlashWithoutAuthority => f.write_str("without an authority the path cannot begin with \"//\""),
            Unfit::ColonInFirstSegment => {
                f.write_str("the first segment of a relative-path reference cannot contain \":\"")
            }
        }
    }
}

impl std::error::Error for Unfit {}

/// Whether some URI-reference has just these components: each matches its rule (Appendix A), and the path fits what
/// stands before it (§3, §3.3, §4.2).
///
/// # Errors
///
/// The first requirement that the components do not meet.
pub fn check(components: &Components<'_>, reading: Reading) -> Result<(), Unfit> {
    let Components {
        scheme,
        authority,
        path,
        query,
        fragment,
    } = components;

    let unfit = |component| move |error| Unfit::Component { component, error };

    if let Some(scheme) = scheme {
        grammar::scheme(scheme).map_err(unfit(Component::Scheme))?;
    }
    if let Some(authority) = authority {
        grammar::authority(authority, reading).map_err(unfit(Component::Authority))?;
    }

    let first_segment = path.split('/').next().unwrap_or_default();
    if authority.is_some() && !path.is_empty() && !path.starts_with('/') {
        return Err(Unfit::RootlessPathWithAuthority);
    }
    // (erratum 5428) relative-part gains path-abempty, which is what matches where no authority does.
    let path_abempty_alone = reading == Reading::Erratum5428
        && scheme.is_none()
        && path.starts_with("//")
        && grammar::authority(path[2..].split('/').next().unwrap_or_default(), reading).is_err();
    if authority.is_none() && path.starts_with("//") && !path_abempty_alone {
        return Err(Unfit::DoubleSlashWithoutAuthority);
    }
    if scheme.is_none() && authority.is_none() && first_segment.contains(':') {
        return Err(Unfit::ColonInFirstSegment);
    }
    let path = if path_abempty_alone {
        grammar::path_abempty(path)
    } else {
        match_path(components)
    };
    path.map_err(unfit(Component::Path))?;

    if let Some(query) = query {
        grammar::query(query).map_err(unfit(Component::Query))?;
    }
    if let Some(fragment) = fragment {
        grammar::fragment(fragment).map_err(unfit(Component::Fragment))?;
    }
    Ok(())
}

/// [`recompose`], if [`check`] has no objection.
///
/// # Errors
///
/// What [`check`] objects to.
pub fn compose(components: &Components<'_>, reading: Reading) -> Result<String, Unfit> {
    check(components, reading).map(|()| recompose(components))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::Rule;

    #[test]
    fn what_is_unfit_is_named_with_the_rule_that_fits_its_place() {
        let of = |scheme, authority, path: &'static str, query, fragment| {
            let path = path.into();
            let components = Components {
                scheme,
                authority,
                path,
                query,
                fragment,
            };
            check(&components, Reading::Rfc3986).unwrap_err()
        };
        let unfit = |component, rule, offset| Unfit::Component {
            component,
            error: Error { rule, offset },
        };
        for (error, expected) in [
            (
                of(Some("1"), None, "", None, None),
                unfit(Component::Scheme, Rule::Scheme, 0),
            ),
            (
                of(None, Some("a["), "", None, None),
                unfit(Component::Authority, Rule::RegName, 1),
            ),
            (
                of(None, Some("a"), "/b/[", None, None),
                unfit(Component::Path, Rule::Segment, 3),
            ),
            (
                of(Some("a"), None, "b:[", None, None),
                unfit(Component::Path, Rule::SegmentNz, 2),
            ),
            (
                of(Some("a"), None, "/[", None, None),
                unfit(Component::Path, Rule::SegmentNz, 1),
            ),
            (
                of(None, None, "b[", None, None),
                unfit(Component::Path, Rule::SegmentNzNc, 1),
            ),
            (
                of(None, None, "", Some("["), None),
                unfit(Component::Query, Rule::Query, 0),
            ),
            (
                of(None, None, "", None, Some("#")),
                unfit(Component::Fragment, Rule::Fragment, 0),
            ),
            (of(None, Some("a"), "b", None, None), Unfit::RootlessPathWithAuthority),
            (
                of(Some("a"), None, "//b", None, None),
                Unfit::DoubleSlashWithoutAuthority,
            ),
            (of(None, None, "a:b", None, None), Unfit::ColonInFirstSegment),
        ] {
            assert_eq!(error, expected);
        }
        let error = of(None, None, "", Some("["), None);
        assert_eq!(error.to_string(), "the query does not match query at byte 0");
    }
}
