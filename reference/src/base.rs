//! RFC 3986 §5.1: establishing a base URI.

use std::fmt;

use crate::components::{Components, parse};
use crate::grammar::Error;
use crate::readings::Reading;
use crate::recompose::{Unfit, compose, recompose};
use crate::resolve::{Strictness, resolve};

/// What is known of the four ways in which a base URI can be established, the innermost first (RFC 3986 §5.1).
///
/// "The order of precedence can be thought of in terms of layers, where the innermost defined base URI has the highest
/// precedence." Each is a URI-reference; `None` where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sources<'a> {
    /// §5.1.1: the base URI embedded in content.
    pub embedded: Option<&'a str>,
    /// §5.1.2: the base URI of the encapsulating entity (message, representation, or none).
    pub encapsulating: Option<&'a str>,
    /// §5.1.3: the URI used to retrieve the entity; after redirections "the last URI used".
    pub retrieval: Option<&'a str>,
    /// §5.1.4: the default base URI, which depends on the application.
    pub default: Option<&'a str>,
}

/// One of the four ways in which a base URI can be established (RFC 3986 §5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// §5.1.1: "Base URI Embedded in Content".
    Embedded,
    /// §5.1.2: "Base URI from the Encapsulating Entity".
    Encapsulating,
    /// §5.1.3: "Base URI from the Retrieval URI".
    Retrieval,
    /// §5.1.4: "Default Base URI".
    Default,
}

impl Source {
    /// The sources in order of precedence.
    pub const ALL: [Source; 4] = [
        Source::Embedded,
        Source::Encapsulating,
        Source::Retrieval,
        Source::Default,
    ];

    /// The section of RFC 3986 that describes the source.
    pub fn section(self) -> &'static str {
        match self {
            Source::Embedded => "5.1.1",
            Source::Encapsulating => "5.1.2",
            Source::Retrieval => "5.1.3",
            Source::Default => "5.1.4",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Embedded => "the base URI embedded in content",
            Source::Encapsulating => "the base URI of the encapsulating entity",
            Source::Retrieval => "the URI used to retrieve the entity",
            Source::Default => "the default base URI",
        })
    }
}

/// A base URI and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// The base URI; it matches `absolute-URI`.
    pub uri: String,
    /// The innermost source that is defined.
    pub source: Source,
}

/// Why there is no base URI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseError {
    /// No source is defined. "Aside from fragment-only references (Section 4.4), relative references are only usable
    /// when a base URI is known."
    Undefined,
    /// What a source gives does not match `URI-reference`.
    Invalid {
        /// The source.
        source: Source,
        /// The rule that could not go on, and the byte offset in what the source gives.
        error: Error,
    },
    /// What a source gives is a relative reference, and no outer source is defined.
    Relative {
        /// The source.
        source: Source,
    },
    /// What a source gives is a relative reference whose target has components that no URI has: recomposed, it is
    /// another URI or none (see [`reparses`](crate::resolve::reparses)).
    Unfit {
        /// The source.
        source: Source,
        /// The target, recomposed.
        target: String,
        /// What its components do not meet.
        unfit: Unfit,
    },
}

impl fmt::Display for BaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BaseError::Undefined => f.write_str("no base URI is defined by any of the four sources"),
            BaseError::Invalid { source, error } => write!(f, "{source} is not a URI-reference: it {error}"),
            BaseError::Relative { source } => {
                write!(f, "{source} is relative, and no outer source defines a base URI for it")
            }
            BaseError::Unfit { source, target, unfit } => {
                write!(
                    f,
                    "{source} has the target {target:?}, whose components are not those of a URI: {unfit}"
                )
            }
        }
    }
}

impl std::error::Error for BaseError {}

/// The base URI that `sources` establish (RFC 3986 §5.1).
///
/// A source outside the innermost defined one has a part in it only where that one is relative.
///
/// Not in RFC 3986: what a source gives is taken for a URI wherever it has a scheme, though a non-strict parser may
/// ignore one (§5.2.2). A target that does not reparse is no base URI.
///
/// # Errors
///
/// No source is defined, or which one is not usable and why.
pub fn establish(sources: &Sources<'_>, reading: Reading) -> Result<Base, BaseError> {
    let layers = [
        (Source::Embedded, sources.embedded),
        (Source::Encapsulating, sources.encapsulating),
        (Source::Retrieval, sources.retrieval),
        (Source::Default, sources.default),
    ];
    let (source, base) = establish_from(&layers, reading)?;
    let uri = recompose(&base);
    Ok(Base { uri, source })
}

fn establish_from<'a>(
    layers: &[(Source, Option<&'a str>)],
    reading: Reading,
) -> Result<(Source, Components<'a>), BaseError> {
    // "the innermost defined base URI has the highest precedence"
    let [(source, text), outer @ ..] = layers else {
        return Err(BaseError::Undefined);
    };
    let source = *source;
    let Some(text) = *text else {
        return establish_from(outer, reading);
    };
    let reference = parse(text, reading).map_err(|error| BaseError::Invalid { source, error })?.components;

    // "If the base URI is obtained from a URI reference, then that reference must be converted to absolute form and
    // stripped of any fragment component prior to its use as a base URI."
    let mut target = if reference.scheme.is_some() {
        reference
    } else {
        let (_, base) = establish_from(outer, reading).map_err(|error| match error {
            BaseError::Undefined => BaseError::Relative { source },
            error => error,
        })?;
        resolve(&base, &reference, Strictness::Strict, reading).target
    };
    target.fragment = None;

    // "A base URI must conform to the <absolute-URI> syntax rule (Section 4.3)."
    match compose(&target, reading) {
        Ok(_) => Ok((source, target)),
        Err(unfit) => Err(BaseError::Unfit {
            source,
            target: recompose(&target),
            unfit,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn established(sources: Sources<'_>) -> Result<Base, BaseError> {
        establish(&sources, Reading::Rfc3986)
    }

    fn base(uri: &str, source: Source) -> Result<Base, BaseError> {
        Ok(Base {
            uri: uri.to_owned(),
            source,
        })
    }

    #[test]
    fn the_innermost_defined_source_has_the_highest_precedence() {
        let mut sources = Sources {
            embedded: Some("e:1"),
            encapsulating: Some("e:2"),
            retrieval: Some("e:3"),
            default: Some("e:4"),
        };
        assert_eq!(established(sources), base("e:1", Source::Embedded));
        sources.embedded = None;
        assert_eq!(established(sources), base("e:2", Source::Encapsulating));
        sources.encapsulating = None;
        assert_eq!(established(sources), base("e:3", Source::Retrieval));
        sources.retrieval = None;
        assert_eq!(established(sources), base("e:4", Source::Default));
        sources.default = None;
        assert_eq!(established(sources), Err(BaseError::Undefined));
    }

    #[test]
    fn a_relative_one_is_converted_against_the_next_outer_one() {
        let sources = Sources {
            embedded: Some("../x?y#z"),
            encapsulating: None,
            retrieval: Some("//h/a/b/c#f"),
            default: Some("http://d/e"),
        };
        assert_eq!(established(sources), base("http://h/a/x?y", Source::Embedded));
    }

    #[test]
    fn one_in_absolute_form_only_loses_its_fragment() {
        let sources = Sources {
            embedded: Some("http://a/b/../c?q#f"),
            default: Some("%"),
            ..Sources::default()
        };
        assert_eq!(established(sources), base("http://a/b/../c?q", Source::Embedded));
    }

    #[test]
    fn an_error_names_its_source() {
        let relative = Sources {
            embedded: Some("a/b"),
            ..Sources::default()
        };
        assert_eq!(
            established(relative),
            Err(BaseError::Relative {
                source: Source::Embedded
            })
        );
        let invalid = Sources {
            embedded: Some("a/b"),
            retrieval: Some("http://a/[b"),
            ..Sources::default()
        };
        assert_eq!(
            established(invalid).unwrap_err().to_string(),
            "the URI used to retrieve the entity is not a URI-reference: it does not match segment at byte 9"
        );
        for (embedded, target) in [(".//b:c", "f://b:c"), (".//g#f", "f://g")] {
            let hole = Sources {
                embedded: Some(embedded),
                default: Some("f:/a"),
                ..Sources::default()
            };
            let error = established(hole).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!(
                    "the base URI embedded in content has the target {target:?}, whose components are not those of a \
                     URI: without an authority the path cannot begin with \"//\""
                )
            );
        }
    }
}
