//! The parameters of deviations.

use serde::{Deserialize, Serialize};

/// A place where reading stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopPoint {
    /// Before a port without a digit.
    BeforeEmptyPort,
    /// Behind an IPv4 address with which a registered name begins.
    BehindIpv4Address,
    /// Before the second equals sign between two ampersands of a query.
    BeforeSecondEqualsSign,
}

/// A form of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostForm {
    /// It has no character.
    Empty,
    /// An IPvFuture whose version flag is a capital letter.
    CapitalVersionFlag,
    /// An IPv6 address with seven pieces before the elision at its end.
    SevenPiecesBeforeElision,
}

/// A form of a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BaseForm {
    /// It has no scheme. To refuse it conforms.
    Relative,
    /// It has a fragment. To refuse it conforms.
    WithFragment,
}

/// Whose dot-segments are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DotsOf {
    /// A path that does not begin with a slash.
    RootlessPaths,
    /// A target without scheme and authority whose path does not begin with a slash.
    RelativePaths,
    /// A reference with a scheme.
    ReferencesWithScheme,
    /// A reference without scheme, with an authority.
    ReferencesWithAuthority,
    /// A reference whose path begins with a slash.
    AbsolutePathReferences,
}

/// An argument of resolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Argument {
    /// The base.
    Base,
    /// The reference.
    Reference,
}

/// A form of a path that is read as another component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuardedForm {
    /// A colon in the first segment behind neither scheme nor authority: the text before it reads as a scheme (§4.2).
    Colon,
    /// Two slashes at the beginning behind no authority: what follows reads as one (§3.3).
    DoubleSlash,
    /// No slash at the beginning behind an authority: the path reads as its end (§3.3).
    RootlessPath,
}
