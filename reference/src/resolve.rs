//! RFC 3986 §5.2.1 to §5.2.3: resolving a reference against a base URI.

use std::borrow::Cow;
use std::fmt;

use crate::components::{Components, ReferenceRule, parse, parse_rule};
use crate::dot_segments::remove_dot_segments;
use crate::grammar::Error;
use crate::readings::Reading;
use crate::recompose::recompose;

/// Whether a scheme in the reference that is the base's own is ignored (RFC 3986 §5.2.2, §5.4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strictness {
    /// It is not.
    #[default]
    Strict,
    /// "A non-strict parser may ignore a scheme in the reference […] if it is identical to the base URI's scheme."
    NonStrict,
}

/// The branch of §5.2.2 that a reference takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Branch {
    /// `if defined(R.scheme) then`
    Scheme,
    /// `if defined(R.authority) then`
    Authority,
    /// `if (R.path == "") then` … `if defined(R.query) then`
    EmptyPathWithQuery,
    /// `if (R.path == "") then` … `else T.query = Base.query`
    EmptyPathWithoutQuery,
    /// `if (R.path starts-with "/") then`
    AbsolutePath,
    /// `else T.path = merge(Base.path, R.path)`
    Merge,
}

/// The target components and how they came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolution<'a> {
    /// T, the components of the target URI.
    pub target: Components<'a>,
    /// The branch taken.
    pub branch: Branch,
    /// What merge returned, where it was called.
    pub merged: Option<String>,
}

/// That an argument of a resolution is not what it has to be, and which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResolveError {
    /// The base does not match `URI`.
    Base(Error),
    /// The reference does not match `URI-reference`.
    Reference(Error),
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResolveError::Base(error) => write!(f, "the base is not a URI: it {error}"),
            ResolveError::Reference(error) => write!(f, "the reference is not a URI-reference: it {error}"),
        }
    }
}

impl std::error::Error for ResolveError {}

/// The target URI of `reference` against `base`: parsed (§5.2.1), transformed (§5.2.2), recomposed (§5.3).
///
/// A fragment of `base` has no part in it (§5.1: "stripped of any fragment component prior to its use as a base
/// URI"). The result is the literal one even where it is another URI's string, or none's, because the target has a
/// path that begins with "//" and no authority; [`reparses`] tells.
///
/// # Errors
///
/// Which of the two does not match its rule, with the rule that could not go on and the byte offset in it.
pub fn resolve_reference(
    base: &str,
    reference: &str,
    strictness: Strictness,
    reading: Reading,
) -> Result<String, ResolveError> {
    let base = parse_rule(ReferenceRule::Uri, base, reading).map_err(ResolveError::Base)?;
    let r = parse(reference, reading).map_err(ResolveError::Reference)?;
    Ok(recompose(
        &resolve(&base.components, &r.components, strictness, reading).target,
    ))
}

/// Whether `components`, recomposed (§5.3), parse to the same components again.
///
/// Those of a parsed URI-reference do, those that §5.2.2 makes do not always: §5 promises "a string matching the
/// \<URI> syntax rule", but a target without authority may have a path that begins with "//" (§3, §3.3).
pub fn reparses(components: &Components<'_>, reading: Reading) -> bool {
    parse(&recompose(components), reading).is_ok_and(|reference| reference.components == *components)
}

/// The target T of the reference R against the base URI (RFC 3986 §5.2.2).
///
/// `base` is a URI, parsed (§5.2.1: "only the scheme component is required to be present in a base URI"); its
/// fragment has no part in the algorithm. Schemes are compared case-insensitively (§3.1).
pub fn resolve<'a>(
    base: &Components<'a>,
    r: &Components<'a>,
    strictness: Strictness,
    reading: Reading,
) -> Resolution<'a> {
    let mut r = r.clone();
    let mut t = Components::default();
    let branch;
    let mut merged = None;

    // -- A non-strict parser may ignore a scheme in the reference
    // -- if it is identical to the base URI's scheme.
    // --
    // if ((not strict) and (R.scheme == Base.scheme)) then
    //    undefine(R.scheme);
    // endif;
    if strictness == Strictness::NonStrict && same_scheme(r.scheme, base.scheme) {
        r.scheme = None;
    }

    // if defined(R.scheme) then
    if r.scheme.is_some() {
        branch = Branch::Scheme;
        t.scheme = r.scheme;
        t.authority = r.authority;
        t.path = Cow::Owned(remove_dot_segments(&r.path));
        t.query = r.query;
    }
    // else
    else {
        // if defined(R.authority) then
        if r.authority.is_some() {
            branch = Branch::Authority;
            t.authority = r.authority;
            t.path = Cow::Owned(remove_dot_segments(&r.path));
            t.query = r.query;
        }
        // else
        else {
            // if (R.path == "") then
            if r.path.is_empty() {
                t.path = base.path.clone();
                // if defined(R.query) then
                if r.query.is_some() {
                    branch = Branch::EmptyPathWithQuery;
                    t.query = r.query;
                }
                // else
                else {
                    branch = Branch::EmptyPathWithoutQuery;
                    t.query = base.query;
                }
                // endif;
            }
            // else
            else {
                // if (R.path starts-with "/") then
                if r.path.starts_with('/') {
                    branch = Branch::AbsolutePath;
                    t.path = Cow::Owned(remove_dot_segments(&r.path));
                }
                // else
                else {
                    branch = Branch::Merge;
                    let path = merge(base, &r.path, reading);
                    t.path = Cow::Owned(remove_dot_segments(&path));
                    merged = Some(path);
                }
                // endif;
                t.query = r.query;
            }
            // endif;
            t.authority = base.authority;
        }
        // endif;
        t.scheme = base.scheme;
    }
    // endif;

    t.fragment = r.fragment;
    Resolution {
        target: t,
        branch,
        merged,
    }
}

/// The path of a relative-path reference merged with that of the base URI (RFC 3986 §5.2.3).
///
/// Erratum 4789: "If the base URI has a defined authority component and an empty path, or if the base URI's path is
/// ending with "/.."". Not in RFC 3986: of the two readings of that, the one in which the authority governs the first
/// half alone, so that `foo:/a/..` and `g` give `foo:/g`.
pub fn merge(base: &Components<'_>, reference_path: &str, reading: Reading) -> String {
    // If the base URI has a defined authority component and an empty path, then return a string consisting of "/"
    // concatenated with the reference's path; otherwise,
    if base.authority.is_some() && base.path.is_empty() {
        format!("/{reference_path}")
    }
    // (erratum 4789) or if the base URI's path is ending with "/..", then return a string consisting of base's path
    // concatenated with "/" and then concatenated with the reference's path; otherwise,
    else if reading == Reading::Erratum4789 && base.path.ends_with("/..") {
        format!("{}/{reference_path}", base.path)
    }
    // return a string consisting of the reference's path component appended to all but the last segment of the base
    // URI's path (i.e., excluding any characters after the right-most "/" in the base URI path, or excluding the
    // entire base URI path if it does not contain any "/" characters).
    else {
        let kept = base.path.rfind('/').map_or(0, |slash| slash + 1);
        format!("{}{reference_path}", &base.path[..kept])
    }
}

fn same_scheme(reference: Option<&str>, base: Option<&str>) -> bool {
    matches!((reference, base), (Some(reference), Some(base)) if reference.eq_ignore_ascii_case(base))
}
