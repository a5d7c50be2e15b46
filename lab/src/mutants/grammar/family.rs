//! The kinds of mutants of the grammar.

use std::fmt;

/// The kinds of mutants: the operators of edits, and the families of realistic faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MutantFamily {
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
    /// Numerals that a lenient reader of numbers reads: by rule, each numeral with each leniency.
    Numeral,
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

impl MutantFamily {
    /// All operators.
    pub const OPERATORS: &[MutantFamily] = &[
        MutantFamily::Drop,
        MutantFamily::Double,
        MutantFamily::Swap,
        MutantFamily::DropAlternative,
        MutantFamily::Bound,
        MutantFamily::Character,
        MutantFamily::Reference,
        MutantFamily::Order,
    ];

    /// The thirteen families of realistic faults.
    pub const REALISTIC: &[MutantFamily] = &[
        MutantFamily::Characters,
        MutantFamily::PercentEncoding,
        MutantFamily::Scheme,
        MutantFamily::Authority,
        MutantFamily::Host,
        MutantFamily::IpLiteral,
        MutantFamily::Numeral,
        MutantFamily::Port,
        MutantFamily::Path,
        MutantFamily::QueryFragment,
        MutantFamily::Forms,
        MutantFamily::Limit,
        MutantFamily::Whitespace,
    ];

    /// Whether it is an operator of edits.
    pub fn is_operator(self) -> bool {
        MutantFamily::OPERATORS.contains(&self)
    }
}

impl fmt::Display for MutantFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            MutantFamily::Drop => "drop an element",
            MutantFamily::Double => "double an element",
            MutantFamily::Swap => "swap two elements",
            MutantFamily::DropAlternative => "drop an alternative",
            MutantFamily::Bound => "bound one off",
            MutantFamily::Character => "character more or less",
            MutantFamily::Reference => "reference to another rule",
            MutantFamily::Order => "order taken as PEG order",
            MutantFamily::Characters => "characters",
            MutantFamily::PercentEncoding => "percent-encoding",
            MutantFamily::Scheme => "scheme",
            MutantFamily::Authority => "authority and userinfo",
            MutantFamily::Host => "host and IPv4",
            MutantFamily::IpLiteral => "IP literals",
            MutantFamily::Numeral => "numerals",
            MutantFamily::Port => "port",
            MutantFamily::Path => "path",
            MutantFamily::QueryFragment => "query and fragment",
            MutantFamily::Forms => "forms of reference",
            MutantFamily::Limit => "limits",
            MutantFamily::Whitespace => "reading",
        })
    }
}
