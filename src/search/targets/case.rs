//! The cases of the targets, as text: a corpus file can be read, and written by hand.
//!
//! Bytes that are no UTF-8 are replaced, so that every byte string is a case.

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::model::Components;

/// The file is the string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseCase {
    /// The string to parse.
    pub text: String,
}

/// The first line is the base, the rest the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolveCase {
    /// The base URI.
    pub base: String,
    /// The URI-reference.
    pub reference: String,
}

/// The file is the URI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalizeCase {
    /// The URI.
    pub uri: String,
}

/// Seven lines: scheme, userinfo, host, port, path, query, fragment. "=" and the text if the component is defined,
/// anything else if it is not; a missing path is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComposeCase {
    /// The components.
    pub components: Components,
}

/// The file is the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DotSegmentsCase {
    /// The path.
    pub path: String,
}

fn text(u: Unstructured<'_>) -> String {
    String::from_utf8_lossy(u.take_rest()).into_owned()
}

/// Takes all that is left: a case is a whole file.
fn whole<'a>(u: &mut Unstructured<'a>) -> Result<Unstructured<'a>> {
    Ok(Unstructured::new(u.bytes(u.len())?))
}

impl From<String> for ParseCase {
    fn from(text: String) -> ParseCase {
        ParseCase { text }
    }
}

impl From<String> for ResolveCase {
    fn from(text: String) -> ResolveCase {
        let (base, reference) = text.split_once('\n').unwrap_or((&text, ""));
        ResolveCase {
            base: base.to_owned(),
            reference: reference.to_owned(),
        }
    }
}

impl From<String> for NormalizeCase {
    fn from(uri: String) -> NormalizeCase {
        NormalizeCase { uri }
    }
}

impl From<String> for ComposeCase {
    fn from(text: String) -> ComposeCase {
        let mut lines = text.split('\n');
        let mut next = || lines.next().and_then(|line| line.strip_prefix('=')).map(str::to_owned);
        ComposeCase {
            components: Components {
                scheme: next(),
                userinfo: next(),
                host: next(),
                host_kind: None,
                port: next(),
                path: next().unwrap_or_default(),
                query: next(),
                fragment: next(),
            },
        }
    }
}

impl From<String> for DotSegmentsCase {
    fn from(path: String) -> DotSegmentsCase {
        DotSegmentsCase { path }
    }
}

macro_rules! arbitrary_from_text {
    ($($case:ty),+) => {
        $(impl<'a> Arbitrary<'a> for $case {
            fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
                whole(u).map(|whole| text(whole).into())
            }

            fn arbitrary_take_rest(u: Unstructured<'a>) -> Result<Self> {
                Ok(text(u).into())
            }
        })+
    };
}

arbitrary_from_text!(ParseCase, ResolveCase, NormalizeCase, ComposeCase, DotSegmentsCase);
