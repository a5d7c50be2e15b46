//! RFC 3986 §5.3: recomposing components.

use std::fmt;

use crate::components::Components;
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

/// Why components are not those of any URI-reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// A component does not match its rule; the offset is within the component.
    Component(Error),
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
            Unfit::Component(error) => error.fmt(f),
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

    if let Some(scheme) = scheme {
        grammar::scheme(scheme).map_err(Unfit::Component)?;
    }
    if let Some(authority) = authority {
        grammar::authority(authority, reading).map_err(Unfit::Component)?;
    }
    grammar::path(path).map_err(Unfit::Component)?;
    if let Some(query) = query {
        grammar::query(query).map_err(Unfit::Component)?;
    }
    if let Some(fragment) = fragment {
        grammar::fragment(fragment).map_err(Unfit::Component)?;
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
