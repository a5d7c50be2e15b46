//! Suites over one byte of each class, with other bytes of the same classes in their places: drawn, not exhaustive, and repeatable.
//!
//! A suite over [`Alphabet::Representatives`](crate::Alphabet) assumes that an implementation treats the bytes of a class
//! alike. Drawing keeps the suite's size, and every output that the machine gives, and lets each string try that
//! assumption with bytes of its own. It proves nothing more than the suite does: a byte that is drawn in one state may not
//! be drawn in another. Passing for several seeds makes faults of single bytes less likely, in a measure that
//! mutants of the grammar show.

use std::fmt;

use crate::complete::{Certificate, Suite};
use crate::machine::Machine;
use crate::random::Random;

/// The bytes that are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// Every byte of the class is as likely as the others.
    Bytes,
    /// Only ASCII where the class has any, so that strings of RFC 3986's machines are valid UTF-8: each of its classes
    /// has some, the one of the bytes that no URI holds too (controls, space, ``"<>\^`{|}`` and DEL).
    Ascii,
}

/// What a suite with bytes drawn was made from: equal for equal strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnCertificate {
    /// The suite before bytes were drawn.
    pub certificate: Certificate,
    /// The bytes that were drawn.
    pub draw: Draw,
    /// Where the generator began.
    pub seed: u64,
}

impl fmt::Display for DrawnCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Certificate { machine, method, .. } = self.certificate;
        let bytes = match self.draw {
            Draw::Bytes => "each byte",
            Draw::Ascii => "each byte, of ASCII where there is one,",
        };
        write!(
            f,
            "{method}, {bytes} drawn from its class with seed {:#018x}, from {machine}: every class is asked as the method \
             says, of its bytes a sample",
            self.seed
        )
    }
}

/// The strings of a suite, each byte replaced by one of its class; two of them may be equal where bytes are not asked in
/// turn.
#[derive(Clone, Debug)]
pub struct Drawn<'a> {
    suite: Suite<'a>,
    classes: Vec<Vec<u8>>,
    class_of: [u8; 256],
    certificate: DrawnCertificate,
    random: Random,
}

impl<'a> Drawn<'a> {
    /// Draws for a suite of `machine`, one number of the generator for each byte, from left to right.
    pub fn new(suite: Suite<'a>, machine: &Machine, draw: Draw, seed: u64) -> Drawn<'a> {
        let members = |class| -> Vec<u8> {
            let all: Vec<u8> = machine.members(class).collect();
            let ascii: Vec<u8> = all.iter().copied().filter(u8::is_ascii).collect();
            if draw == Draw::Ascii && !ascii.is_empty() {
                ascii
            } else {
                all
            }
        };
        Drawn {
            classes: (0..machine.classes()).map(members).collect(),
            class_of: std::array::from_fn(|byte| machine.class_of(byte as u8) as u8),
            certificate: DrawnCertificate {
                certificate: suite.certificate(),
                draw,
                seed,
            },
            random: Random(seed),
            suite,
        }
    }

    /// What the strings were made from, the seed included.
    pub fn certificate(&self) -> DrawnCertificate {
        self.certificate
    }
}

impl Iterator for Drawn<'_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut string = self.suite.next()?;
        for byte in &mut string {
            let class = &self.classes[usize::from(self.class_of[usize::from(*byte)])];
            *byte = class[self.random.below(class.len())];
        }
        Some(string)
    }
}
