//! The standard suite for RFC 3986's URI-reference: what parsers get wrong, systematically.
//!
//! Its first two parts are the core suite. `hsi` is complete in the sense of [`complete`](crate::complete): an
//! implementation that passes it and differs has more states than the machine, or treats two bytes of a class differently.
//! Real faults do both: they forget one character, count, trim, or look ahead. The other parts ask for that, part by part,
//! and **no theorem says that they are enough**; how much they find is counted with mutants of the grammar.
//!
//! The parts were designed while looking at the mutants that earlier versions let pass: as kinds (a delimiter in place of a
//! colon of an IPv6 address, a string in quotation marks), never as single strings; and who wrote the realistic mutants
//! wrote the suite. So the counts flatter it. The sets themselves were not cut to fit: of what the suite let pass nothing
//! was taken out. A check with 2,792 operator mutants that nobody had looked at (other characters, other references) gave
//! 89.7 %, against 97.9 % of those at hand. All 288 that passed it let another character stand for a ":" of IPv6address
//! (275) or for a "/" of path-absolute (13), in one place each: mostly letters, digits and controls, of which the suite has
//! a sample there.
//!
//! Every string is valid UTF-8, because most parsers take text, and is in the suite once, in the first part that has it.
//! The order never changes; nothing is random.

mod addresses;
mod builder;
mod characters;
mod components;
mod samples;
mod transitions;

use std::ops::Range;

use self::addresses::{dec_octets, ipv6_shapes};
use self::builder::StandardBuilder;
use self::components::{combinations, component_words, lengths, ports, schemes, triplets};
use self::samples::{byte_confusion, sample_edits, wrappings};
use self::transitions::{component_transitions, every_state, pumped};
use crate::abnf::Error;
use crate::automaton::Dfa;
use crate::complete::{Certificate, Method, Suites};
use crate::machine::Alphabet;
use crate::moore::Moore;
use crate::rfc3986;

/// How many strings the suite may have: a whole run over every implementation must stay a matter of seconds.
pub const MOST_STRINGS: usize = 400_000;

/// How many bytes the strings may have together.
pub const MOST_BYTES: usize = 12_000_000;

/// The standard suite, in memory.
#[derive(Clone, Debug)]
pub struct Standard {
    text: Vec<u8>,
    /// Where each string ends in `text`.
    ends: Vec<usize>,
    parts: Vec<StandardPart>,
    certificate: Certificate,
}

/// A named part of the suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandardPart {
    /// The name, in lower-kebab case.
    pub name: &'static str,
    /// What the part tests.
    pub description: &'static str,
    /// Its strings, as numbers in [`Standard::strings`].
    pub strings: Range<usize>,
}

impl Standard {
    /// Compiles RFC 3986's machines and makes the suite of them.
    ///
    /// # Errors
    ///
    /// None: the grammar compiles.
    pub fn of_rfc3986() -> Result<Standard, Error> {
        let reference = Dfa::compile(&rfc3986::grammar(), "URI-reference")?;
        Ok(Standard::new(&reference, &rfc3986::component_machine()?))
    }

    /// The suite, made of the machine of URI-reference and of [`rfc3986::component_machine`].
    #[expect(clippy::too_many_lines, reason = "one call for each part of the suite")]
    pub fn new(reference: &Dfa, components: &Moore) -> Standard {
        let mut builder = StandardBuilder::new();
        let suites = Suites::new(reference.machine());
        let hsi = suites.suite(Method::Hsi(0), Alphabet::Representatives);
        let certificate = hsi.certificate();
        builder.part(
            "hsi",
            "complete for implementations of at most as many states as the machine that treat the bytes of a class alike",
            |strings| hsi.for_each(|string| strings.add(&[&string])),
        );
        builder.part(
            "component-transitions",
            "every transition of the machine that tells the components apart, class by class",
            |strings| component_transitions(strings, components.machine()),
        );
        builder.part(
            "byte-confusion",
            "every ASCII character and characters beyond ASCII, put in and in place of each character of sample URIs, and \
             in every state of the machine",
            |strings| {
                byte_confusion(strings);
                every_state(strings, reference, &suites);
            },
        );
        builder.part(
            "sample-edits",
            "the pieces of sample URIs left out, doubled, swapped and cut off",
            sample_edits,
        );
        builder.part(
            "wrappings",
            "sample URIs in spaces, line ends, brackets, quotation marks and other text that a reader may take off",
            wrappings,
        );
        builder.part(
            "schemes",
            "registered schemes, for which an implementation may have rules of its own",
            schemes,
        );
        builder.part(
            "combinations",
            "every choice of forms of the components, side by side",
            combinations,
        );
        builder.part(
            "component-words",
            "short words over the characters that matter, in every component",
            component_words,
        );
        builder.part(
            "ipv6-shapes",
            "numbers of groups on either side of \"::\", digits of a group, IPv4 tails, stray colons, zones",
            ipv6_shapes,
        );
        builder.part(
            "ports",
            "numbers at the ends of integer types, leading zeros, signs, after each kind of host",
            ports,
        );
        builder.part(
            "dec-octets",
            "0 to 300 and leading zeros at each place of an IPv4 address, alone and behind an IPv6 address",
            dec_octets,
        );
        builder.part(
            "triplets",
            "all 256 percent-encoded octets in either case, and broken ones, in each component",
            triplets,
        );
        builder.part(
            "pumped",
            "the loops of the machine that tells the components apart, several times over",
            |strings| pumped(strings, components.machine()),
        );
        builder.part(
            "lengths",
            "components around the sizes of buffers and counters, in bytes and in pieces",
            lengths,
        );
        Standard {
            text: builder.text,
            ends: builder.ends,
            parts: builder.parts,
            certificate,
        }
    }

    /// The parts, in order; together they are all strings.
    pub fn parts(&self) -> &[StandardPart] {
        &self.parts
    }

    /// How many strings there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no strings: never.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many bytes the strings have together.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    /// A string by its number.
    ///
    /// # Panics
    ///
    /// If there are not that many.
    pub fn string(&self, number: usize) -> &[u8] {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.text[start..self.ends[number]]
    }

    /// All strings, each once, in the order of the parts.
    pub fn strings(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.len()).map(|number| self.string(number))
    }

    /// The strings of one part.
    pub fn strings_of(&self, part: &StandardPart) -> impl ExactSizeIterator<Item = &[u8]> {
        part.strings.clone().map(|number| self.string(number))
    }

    /// How many of the strings are the core suite: the parts `hsi` and `component-transitions`.
    pub fn core(&self) -> usize {
        self.parts[1].strings.end
    }

    /// What the part `hsi` proves; the others prove nothing.
    pub fn certificate(&self) -> Certificate {
        self.certificate
    }
}
