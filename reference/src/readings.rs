//! The readings of contested clauses: `rfc3986`, the text of 2005, and the named deviations from it.
//!
//! Every function that a reading changes takes a [`Reading`]; nothing but [`Reading::Rfc3986`] is ever a default.

use std::fmt;

/// A named way to read a contested clause of RFC 3986.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reading {
    /// The text of 2005, without errata.
    #[default]
    Rfc3986,
    /// Erratum 4547 (§5.4.2, held): two printed results keep an excess ".."; no algorithm changes.
    Erratum4547,
    /// Erratum 4789 (§5.2.3, held): a base path that ends in "/.." is merged as if it ended in "/../".
    Erratum4789,
    /// Erratum 4942 (§3.2.2, held): `reg-name` without `sub-delims`.
    Erratum4942,
    /// Erratum 5428 (§4.2, held), taken literally: `relative-part` gains the alternative `path-abempty`.
    Erratum5428,
    /// The Elements page's data model, in which empty means absent ([`crate::elements`]).
    Elements,
}

impl Reading {
    /// Every reading, the plain text first.
    pub const ALL: [Reading; 6] = [
        Reading::Rfc3986,
        Reading::Erratum4547,
        Reading::Erratum4789,
        Reading::Erratum4942,
        Reading::Erratum5428,
        Reading::Elements,
    ];

    /// The id under which vectors and the command line know the reading, such as `erratum-4789`.
    pub fn id(self) -> &'static str {
        match self {
            Reading::Rfc3986 => "rfc3986",
            Reading::Erratum4547 => "erratum-4547",
            Reading::Erratum4789 => "erratum-4789",
            Reading::Erratum4942 => "erratum-4942",
            Reading::Erratum5428 => "erratum-5428",
            Reading::Elements => "elements",
        }
    }

    /// The reading with this id, if there is one.
    pub fn from_id(id: &str) -> Option<Reading> {
        Reading::ALL.into_iter().find(|reading| reading.id() == id)
    }

    /// The section of RFC 3986 whose text the reading changes; `None` for the plain text.
    pub fn section(self) -> Option<&'static str> {
        match self {
            Reading::Rfc3986 => None,
            Reading::Erratum4547 => Some("5.4.2"),
            Reading::Erratum4789 => Some("5.2.3"),
            Reading::Erratum4942 => Some("3.2.2"),
            Reading::Erratum5428 => Some("4.2"),
            Reading::Elements => Some("5.3"),
        }
    }

    /// What the reading says, in one sentence.
    pub fn summary(self) -> &'static str {
        match self {
            Reading::Rfc3986 => "the text of 2005, without errata",
            Reading::Erratum4547 => "the printed results of two examples keep an excess \"..\"",
            Reading::Erratum4789 => "merge appends \"/\" and the reference to a base path that ends in \"/..\"",
            Reading::Erratum4942 => "reg-name loses the sub-delims",
            Reading::Erratum5428 => "relative-part gains the alternative path-abempty",
            Reading::Elements => "an empty component is the same as an undefined one",
        }
    }

    /// The smallest inputs on which the reading and the plain text differ; of erratum 4547, those of the two printed
    /// results that it changes, which every function computes as the plain text has them.
    pub fn distinguishing_inputs(self) -> &'static [Distinguishing] {
        use Distinguishing::{Parse, Resolve};
        match self {
            Reading::Rfc3986 => &[],
            Reading::Erratum4547 => &[
                Resolve {
                    base: "http://a/b/c/d;p?q",
                    reference: "../../../g",
                },
                Resolve {
                    base: "http://a/b/c/d;p?q",
                    reference: "../../../../g",
                },
            ],
            Reading::Erratum4789 => &[
                Resolve {
                    base: "http://a/b/..",
                    reference: "c",
                },
                Resolve {
                    base: "foo:a/..",
                    reference: "g",
                },
            ],
            Reading::Erratum4942 => &[Parse("//a!b"), Parse("foo://a;b/")],
            Reading::Erratum5428 => &[Parse("//a:b"), Parse("//::1")],
            Reading::Elements => &[
                Parse("http://a/?"),
                Resolve {
                    base: "x://",
                    reference: "g",
                },
            ],
        }
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// An input that tells a reading from the plain text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distinguishing {
    /// A URI-reference to parse.
    Parse(&'static str),
    /// A reference to resolve, strictly.
    Resolve {
        /// The base URI.
        base: &'static str,
        /// The URI-reference.
        reference: &'static str,
    },
}
