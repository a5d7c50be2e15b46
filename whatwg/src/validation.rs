//! The validation errors.
//!
//! <https://url.spec.whatwg.org/#validation-error>

use std::fmt;

macro_rules! validation_errors {
    ($($variant:ident $name:literal;)+) => {
        /// A mismatch between input and valid input (<https://url.spec.whatwg.org/#validation-error>).
        ///
        /// "A validation error does not mean that the parser terminates." A URL may be returned in spite of it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ValidationError {
            $(#[doc = concat!("`", $name, "`")] $variant,)+
        }

        impl ValidationError {
            /// The validation errors, in the order of the standard's table.
            pub const ALL: &'static [ValidationError] = &[$(ValidationError::$variant),+];

            /// The name that the standard's table has.
            pub fn name(self) -> &'static str {
                match self { $(ValidationError::$variant => $name,)+ }
            }
        }
    };
}

validation_errors! {
    DomainToAscii "domain-to-ASCII";
    DomainPercentEncoded "domain-percent-encoded";
    HostInvalidCodePoint "host-invalid-code-point";
    Ipv4EmptyPart "IPv4-empty-part";
    Ipv4TooFewParts "IPv4-too-few-parts";
    Ipv4TooManyParts "IPv4-too-many-parts";
    Ipv4NonNumericPart "IPv4-non-numeric-part";
    Ipv4NonDecimalPart "IPv4-non-decimal-part";
    Ipv4OutOfRangePart "IPv4-out-of-range-part";
    Ipv6Unclosed "IPv6-unclosed";
    Ipv6InvalidCompression "IPv6-invalid-compression";
    Ipv6TooManyPieces "IPv6-too-many-pieces";
    Ipv6MultipleCompression "IPv6-multiple-compression";
    Ipv6InvalidCodePoint "IPv6-invalid-code-point";
    Ipv6TooFewPieces "IPv6-too-few-pieces";
    Ipv6PieceLeadingZero "IPv6-piece-leading-zero";
    Ipv4InIpv6TooManyPieces "IPv4-in-IPv6-too-many-pieces";
    Ipv4InIpv6InvalidCodePoint "IPv4-in-IPv6-invalid-code-point";
    Ipv4InIpv6OutOfRangePart "IPv4-in-IPv6-out-of-range-part";
    Ipv4InIpv6TooFewParts "IPv4-in-IPv6-too-few-parts";
    InvalidUrlUnit "invalid-URL-unit";
    SpecialSchemeMissingFollowingSolidus "special-scheme-missing-following-solidus";
    MissingSchemeNonRelativeUrl "missing-scheme-non-relative-URL";
    InvalidReverseSolidus "invalid-reverse-solidus";
    InvalidCredentials "invalid-credentials";
    HostMissing "host-missing";
    PortOutOfRange "port-out-of-range";
    PortInvalid "port-invalid";
    FileInvalidWindowsDriveLetter "file-invalid-Windows-drive-letter";
    FileInvalidWindowsDriveLetterHost "file-invalid-Windows-drive-letter-host";
}

impl ValidationError {
    /// The anchor of the error in the standard, behind `https://url.spec.whatwg.org/`.
    pub fn anchor(self) -> String {
        let prefix = if self == ValidationError::DomainToAscii {
            "#validation-error-"
        } else {
            "#"
        };
        format!("{prefix}{}", self.name().to_ascii_lowercase())
    }
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A validation error, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordedError {
    /// Which one.
    pub error: ValidationError,
    /// The byte offset in the input of the code point at which the parser found it; the input's length at the end.
    ///
    /// An error of the domain parser has the offset of the host, as has one of the IPv4 parser if the host is not spelled as the
    /// domain that this parser reads.
    pub offset: usize,
}

impl fmt::Display for RecordedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.error, self.offset)
    }
}

/// The validation errors of an algorithm, in the order in which it finds them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ErrorRecorder {
    pub(crate) errors: Vec<RecordedError>,
}

impl ErrorRecorder {
    /// Records an error at a byte offset in the algorithm's input.
    pub(crate) fn record(&mut self, error: ValidationError, offset: usize) {
        self.errors.push(RecordedError { error, offset });
    }
}
