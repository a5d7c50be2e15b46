//! What makes a text no URI-reference.

use std::fmt;

use uriproof::iri::{is_iprivate, is_ucschar};
use uriproof::model::{Component, Quoted};

/// One reason for which the parts of a text are not those of a URI-reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where it is.
    pub component: Component,
    /// What is wrong.
    pub flaw: Flaw,
    /// The byte offset in the component.
    pub offset: usize,
}

impl Fault {
    pub(super) fn new(component: Component, flaw: Flaw, offset: usize) -> Fault {
        Fault {
            component,
            flaw,
            offset,
        }
    }

    /// The rule of RFC 3986 that the text does not match, by its name in Appendix A.
    pub fn rule(&self) -> &'static str {
        match (self.flaw, self.component) {
            (Flaw::Triplet, _) => "pct-encoded",
            (Flaw::ColonInFirstSegment, _) => "segment-nz-nc",
            (Flaw::UnclosedBracket | Flaw::BehindBracket, _) => "IP-literal",
            (Flaw::Ipv6, _) => "IPv6address",
            (Flaw::IpvFuture, _) => "IPvFuture",
            (Flaw::EmptyScheme | Flaw::FirstOfScheme(_), _) | (Flaw::Character(_), Component::Scheme) => "scheme",
            (Flaw::Character(_), Component::Userinfo) => "userinfo",
            (Flaw::Character(_), Component::Host | Component::HostKind) => "reg-name",
            (Flaw::Character(_), Component::Port) => "port",
            (Flaw::Character(_), Component::Path) => "pchar",
            (Flaw::Character(_), Component::Query) => "query",
            (Flaw::Character(_), Component::Fragment) => "fragment",
        }
    }

    /// Whether it is a character that RFC 3987 adds to the component.
    pub fn is_none_in_iri(&self) -> bool {
        match (self.flaw, self.component) {
            (Flaw::Character(_), Component::Scheme | Component::Port) => false,
            (Flaw::Character(character), Component::Query) => is_ucschar(character) || is_iprivate(character),
            (Flaw::Character(character), _) => is_ucschar(character),
            _ => false,
        }
    }
}

/// What can be wrong with a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A character that the rule of the component does not have.
    Character(char),
    /// A "%" that begins no `pct-encoded` (§2.1).
    Triplet,
    /// A scheme without a character, which can only be composed (§3.1).
    EmptyScheme,
    /// A scheme that begins with a character of a scheme that is no letter (§3.1).
    FirstOfScheme(char),
    /// A colon in the first segment of a relative-path reference (§3.3, `path-noscheme`).
    ColonInFirstSegment,
    /// No "]" behind a "[" (§3.2.2, `IP-literal`).
    UnclosedBracket,
    /// Text between the "]" of an IP-literal and the port (§3.2.2).
    BehindBracket,
    /// Brackets around what is no `IPv6address` (§3.2.2).
    Ipv6,
    /// Brackets around a "v" and no `IPvFuture` (§3.2.2).
    IpvFuture,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault {
            component,
            flaw,
            offset,
        } = self;
        match flaw {
            Flaw::Character(character) => write!(
                f,
                "{} at byte {offset} of the {component}",
                Quoted(&character.to_string())
            ),
            Flaw::Triplet => write!(
                f,
                "\"%\" without two hexadecimal digits at byte {offset} of the {component}"
            ),
            Flaw::EmptyScheme => f.write_str("an empty scheme"),
            Flaw::FirstOfScheme(first) => write!(f, "a scheme that begins with {}", Quoted(&first.to_string())),
            Flaw::ColonInFirstSegment => f.write_str("a colon in the first segment of a relative path"),
            Flaw::UnclosedBracket => f.write_str("no \"]\" after a \"[\" in the host"),
            Flaw::BehindBracket => f.write_str("text after the \"]\" of the host"),
            Flaw::Ipv6 => write!(f, "no IPv6 address in the brackets of the host: wrong at byte {offset}"),
            Flaw::IpvFuture => write!(f, "no IPvFuture in the brackets of the host: wrong at byte {offset}"),
        }
    }
}
