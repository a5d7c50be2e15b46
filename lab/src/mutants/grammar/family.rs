//! The kinds of mutants of the grammar.

use std::fmt;

/// The kinds of mutants: the operators of edits, and the families of realistic faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Operator: an element of a concatenation is missing.
    Drop,
    /// Operator: an element of a concatenation stands there twice.
    Double,
    /// Operator: two neighbours of a concatenation change places.
    Swap,
    /// Operator: an alternative is missing.
    DropAlternative,
    /// Operator: a least or greatest number of times is one off.
    Bound,
    /// Operator: a class has a character more or less.
    Character,
    /// Operator: a reference to another rule of the kind.
    Reference,
    /// Operator: choices that are taken in order, as in a parsing expression grammar (PEG), with no way back.
    Order,
    /// Characters that are let through or refused in one component or everywhere.
    Characters,
    /// Triplets: `%` alone, half a triplet, values that are refused.
    PercentEncoding,
    /// The scheme's own characters, and what follows it.
    Scheme,
    /// Where the authority is, and its userinfo.
    Authority,
    /// Registered names and IPv4 addresses.
    Host,
    /// IPv6 addresses and IPvFuture: shapes, groups, tails, zones.
    IpLiteral,
    /// Ports: numbers, signs, empty ones.
    Port,
    /// The five rules of the path, and the segments.
    Path,
    /// Query and fragment.
    QueryFragment,
    /// Which of the forms of a URI-reference there are.
    Forms,
    /// Limits of length and number: up to 65,535 bytes, and up to 2^64 - 2 for the port's value.
    Limit,
    /// What is trimmed, cut off, folded or taken out before the string is read.
    Whitespace,
}

impl Family {
    /// All operators.
    pub const OPERATORS: &[Family] = &[
        Family::Drop,
        Family::Double,
        Family::Swap,
        Family::DropAlternative,
        Family::Bound,
        Family::Character,
        Family::Reference,
        Family::Order,
    ];

    /// The twelve families of realistic faults.
    pub const REALISTIC: &[Family] = &[
        Family::Characters,
        Family::PercentEncoding,
        Family::Scheme,
        Family::Authority,
        Family::Host,
        Family::IpLiteral,
        Family::Port,
        Family::Path,
        Family::QueryFragment,
        Family::Forms,
        Family::Limit,
        Family::Whitespace,
    ];

    /// Whether it is an operator of edits.
    pub fn is_operator(self) -> bool {
        Family::OPERATORS.contains(&self)
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Family::Drop => "drop an element",
            Family::Double => "double an element",
            Family::Swap => "swap two elements",
            Family::DropAlternative => "drop an alternative",
            Family::Bound => "bound one off",
            Family::Character => "character more or less",
            Family::Reference => "reference to another rule",
            Family::Order => "order taken as PEG order",
            Family::Characters => "characters",
            Family::PercentEncoding => "percent-encoding",
            Family::Scheme => "scheme",
            Family::Authority => "authority and userinfo",
            Family::Host => "host and IPv4",
            Family::IpLiteral => "IP literals",
            Family::Port => "port",
            Family::Path => "path",
            Family::QueryFragment => "query and fragment",
            Family::Forms => "forms of reference",
            Family::Limit => "limits",
            Family::Whitespace => "reading",
        })
    }
}
