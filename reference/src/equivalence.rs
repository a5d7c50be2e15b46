//! RFC 3986 §6.1, §6.2 and §4.4: whether two URIs are equivalent, rung by rung, and same-document references.
//!
//! There is no single equivalence: "Even though it is possible to determine that two URIs are equivalent, URI comparison
//! is not sufficient to determine whether two URIs identify different resources" (§6.1). Each rung finds all that the
//! one below it finds of two URIs; of two relative references, only the lowest finds anything.

use std::fmt;

use crate::components::{Components, ReferenceRule, parse, parse_authority, parse_rule};
use crate::grammar::Error;
use crate::normalize::{self, NormalizeError, Parts, Schemes};
use crate::readings::Reading;
use crate::resolve::{ResolveError, Strictness, resolve};

/// One of the two that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first argument.
    Left,
    /// The second argument.
    Right,
}

/// Why two strings cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EquivalenceError {
    /// One does not match `URI-reference`.
    Invalid(Side, Error),
    /// One is a relative reference: "In testing for equivalence, applications should not directly compare relative
    /// references; the references should be converted to their respective target URIs before comparison" (§6.1).
    Relative(Side),
}

impl fmt::Display for EquivalenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (EquivalenceError::Invalid(side, _) | EquivalenceError::Relative(side)) = self;
        f.write_str(match side {
            Side::Left => "the left one is ",
            Side::Right => "the right one is ",
        })?;
        match self {
            EquivalenceError::Invalid(_, error) => write!(f, "not a URI-reference: it {error}"),
            EquivalenceError::Relative(_) => {
                f.write_str("a relative reference, to be converted to its target URI before comparison")
            }
        }
    }
}

impl std::error::Error for EquivalenceError {}

/// Simple string comparison (RFC 3986 §6.2.1): "If two URIs, when considered as character strings, are identical, then
/// it is safe to conclude that they are equivalent."
///
/// Two relative references may be compared so too; that they are identical says that they are equivalent only against
/// one base.
///
/// # Errors
///
/// One of the two does not match `URI-reference`.
pub fn simple(left: &str, right: &str, reading: Reading) -> Result<bool, EquivalenceError> {
    for (side, text) in [(Side::Left, left), (Side::Right, right)] {
        parse(text, reading).map_err(|error| EquivalenceError::Invalid(side, error))?;
    }
    Ok(left == right)
}

/// Comparison of the syntax-based normal forms (RFC 3986 §6.2.2).
///
/// # Errors
///
/// One of the two does not match `URI`.
pub fn syntax_based(left: &str, right: &str, reading: Reading) -> Result<bool, EquivalenceError> {
    compare(left, right, |uri| normalize::syntax_based(uri, reading))
}

/// Comparison of the scheme-based normal forms (RFC 3986 §6.2.3).
///
/// # Errors
///
/// One of the two does not match `URI`.
pub fn scheme_based(left: &str, right: &str, schemes: &Schemes, reading: Reading) -> Result<bool, EquivalenceError> {
    compare(left, right, |uri| normalize::scheme_based(uri, schemes, reading))
}

/// How the target of a reference is compared with the base (RFC 3986 §4.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison<'a> {
    /// As they are.
    Plain,
    /// "Normalization of the base and target URIs prior to their comparison, as described in Sections 6.2.2 and 6.2.3,
    /// is allowed but rarely performed in practice."
    Normalized(&'a Schemes),
}

/// Whether `reference` is a same-document reference against `base` (RFC 3986 §4.4): "When a URI reference refers to a
/// URI that is, aside from its fragment component (if any), identical to the base URI (Section 5.1), that reference is
/// called a "same-document" reference."
///
/// Not in RFC 3986: the target and the base are compared by their components; two that differ are not identical even
/// where they recompose to one string.
///
/// # Errors
///
/// `base` does not match `URI`, or `reference` does not match `URI-reference`.
pub fn same_document(
    base: &str,
    reference: &str,
    strictness: Strictness,
    comparison: Comparison<'_>,
    reading: Reading,
) -> Result<bool, ResolveError> {
    let mut base = parse_rule(ReferenceRule::Uri, base, reading).map_err(ResolveError::Base)?.components;
    let r = parse(reference, reading).map_err(ResolveError::Reference)?.components;
    let mut target = resolve(&base, &r, strictness, reading).target;
    base.fragment = None;
    target.fragment = None;
    Ok(match comparison {
        Comparison::Plain => base == target,
        Comparison::Normalized(schemes) => normalized(base, schemes, reading) == normalized(target, schemes, reading),
    })
}

fn normalized<'a>(components: Components<'a>, schemes: &Schemes, reading: Reading) -> Option<Parts<'a>> {
    // The authority is that of the base or of the reference, each of which has been parsed.
    let authority = components.authority.and_then(|authority| parse_authority(authority, reading).ok());
    let mut parts = Parts::of(components, authority)?;
    parts.normalize_scheme(schemes);
    Some(parts)
}

fn compare(
    left: &str,
    right: &str,
    normal_form: impl Fn(&str) -> Result<String, NormalizeError>,
) -> Result<bool, EquivalenceError> {
    let normal_form_of = |side, uri| {
        normal_form(uri).map_err(|error| match error {
            NormalizeError::Invalid(error) => EquivalenceError::Invalid(side, error),
            NormalizeError::Relative => EquivalenceError::Relative(side),
        })
    };
    Ok(normal_form_of(Side::Left, left)? == normal_form_of(Side::Right, right)?)
}
