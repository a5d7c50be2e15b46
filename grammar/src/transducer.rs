//! Normalization of case and percent-encoding (RFC 3986 §6.2.2.1, §6.2.2.2) as finite transducers, which are made from the grammar's
//! rule `unreserved`: a derivation of its own, to hold the transcription against.

use crate::abnf::{Error, Grammar};
use crate::automaton::Dfa;
use crate::segments::{Divided, put_together, without_dot_segments};

/// A Mealy machine over bytes. State 0 is the start, and where a component ends.
#[derive(Clone, Debug)]
pub struct Transducer {
    /// By state and byte: the next state, and what is written.
    transitions: Vec<Vec<(usize, String)>>,
}

/// The state behind "%", and those behind "%" and a digit.
const BEHIND_PERCENT: usize = 1;
const BEHIND_DIGIT: usize = 2;

impl Transducer {
    /// Decodes triplets whose character is `unreserved`, and writes the others with upper-case digits. All else is written as `letter`
    /// has it.
    fn new(is_unreserved: impl Fn(u8) -> bool, letter: fn(char) -> char) -> Transducer {
        let byte = |byte: usize| char::from(byte as u8);
        let keep = |from: char| (0, from.to_string());
        let mut start: Vec<_> = (0..128).map(|at| (0, letter(byte(at)).to_string())).collect();
        start[usize::from(b'%')] = (BEHIND_PERCENT, String::new());
        let digit = |at: usize| byte(at).to_digit(16);
        let behind_percent = (0..128).map(|at| match digit(at) {
            Some(high) => (BEHIND_DIGIT + high as usize, String::new()),
            None => keep(byte(at)),
        });
        let mut transitions = vec![start, behind_percent.collect()];
        for high in 0..16_u8 {
            let behind_digit = (0..128).map(|at| match digit(at) {
                Some(low) => {
                    let octet = high * 16 + low as u8;
                    let written = match is_unreserved(octet) {
                        true => letter(char::from(octet)).to_string(),
                        false => format!("%{octet:02X}"),
                    };
                    (0, written)
                }
                None => keep(byte(at)),
            });
            transitions.push(behind_digit.collect());
        }
        Transducer { transitions }
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.transitions.len()
    }

    /// What is written for a component of a URI, which is US-ASCII.
    pub fn write(&self, text: &str) -> String {
        let mut state = 0;
        let mut written = String::with_capacity(text.len());
        for byte in text.bytes() {
            let (next, output) = &self.transitions[state][usize::from(byte & 0x7f)];
            written += output;
            state = *next;
        }
        written
    }
}

/// Syntax-based normalization (§6.2.2).
#[derive(Clone, Debug)]
pub struct Normalizer {
    /// For a host, whose letters have no case.
    pub host: Transducer,
    /// For the other components.
    pub text: Transducer,
}

impl Normalizer {
    /// That of a grammar's rule `unreserved`.
    ///
    /// # Errors
    ///
    /// A grammar without the rule, or one that does not compile.
    pub fn of(grammar: &Grammar) -> Result<Normalizer, Error> {
        let unreserved = Dfa::compile(grammar, "unreserved")?;
        let is_unreserved = |octet: u8| unreserved.accepts(&[octet]);
        Ok(Normalizer {
            host: Transducer::new(is_unreserved, |letter| letter.to_ascii_lowercase()),
            text: Transducer::new(is_unreserved, |letter| letter),
        })
    }

    /// The normal form of a URI. A path without an authority that would begin with "//" keeps its dot-segments, as the reference has it
    /// (§6.1).
    pub fn normalize(&self, uri: &str) -> String {
        put_together(&self.parts(uri))
    }

    /// The seven parts of the normal form.
    pub(crate) fn parts(&self, uri: &str) -> [Option<String>; 7] {
        let [scheme, userinfo, host, port, path, query, fragment] = Divided::of(uri).parts();
        let write = |part: Option<&str>| part.map(|part| self.text.write(part));
        let path = write(path).map(|path| {
            let without_dots = without_dot_segments(&path);
            match host {
                None if without_dots.starts_with("//") => path,
                _ => without_dots,
            }
        });
        [
            scheme.map(str::to_ascii_lowercase),
            write(userinfo),
            host.map(|host| self.host.write(host)),
            port.map(str::to_owned),
            path,
            write(query),
            write(fragment),
        ]
    }
}
