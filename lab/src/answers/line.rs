//! The answers of a subject to one operation, as a line of text.
//!
//! A line is a hash of all answers, a space, and a token for each input. A decimal number behind a token says how often it is
//! repeated.

use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use uriproof_grammar::Fnv;

use super::code::Code;

/// How many letters there are, of which two are a short hash.
const LETTERS: u64 = 52;

/// What a line has of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `.`
    Agrees,
    /// `-`
    Unsupported,
    /// `!`
    Rejected,
    /// `=` or `~`
    Equivalent(bool),
    /// Two letters: a short hash of the answer.
    Hash(char, char),
}

impl Token {
    /// What a line has of an answer.
    pub(super) fn of(code: Code) -> Token {
        match code {
            Code::Agrees => Token::Agrees,
            Code::Unsupported => Token::Unsupported,
            Code::Rejected => Token::Rejected,
            Code::Equivalent(is_equivalent) => Token::Equivalent(is_equivalent),
            Code::Hash(hash) => Token::shortened(hash),
        }
    }

    /// A hash as two letters.
    fn shortened(hash: u64) -> Token {
        let letter = |number: u64| {
            let number = u8::try_from(number % LETTERS).unwrap_or_default();
            char::from(if number < 26 { b'a' + number } else { b'A' + number - 26 })
        };
        // The high half of FNV-1a is the better mixed one.
        let mixed = hash ^ (hash >> 32);
        Token::Hash(letter(mixed / LETTERS), letter(mixed))
    }

    fn write(self, text: &mut String) {
        match self {
            Token::Agrees => text.push('.'),
            Token::Unsupported => text.push('-'),
            Token::Rejected => text.push('!'),
            Token::Equivalent(true) => text.push('='),
            Token::Equivalent(false) => text.push('~'),
            Token::Hash(first, second) => text.extend([first, second]),
        }
    }

    fn read(characters: &mut impl Iterator<Item = char>) -> Option<Token> {
        Some(match characters.next()? {
            '.' => Token::Agrees,
            '-' => Token::Unsupported,
            '!' => Token::Rejected,
            '=' => Token::Equivalent(true),
            '~' => Token::Equivalent(false),
            first if first.is_ascii_alphabetic() => {
                Token::Hash(first, characters.next().filter(char::is_ascii_alphabetic)?)
            }
            _ => return None,
        })
    }
}

/// The answers of a subject to the inputs of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AnswerLine(String);

impl AnswerLine {
    pub(super) fn of(codes: &[Code]) -> AnswerLine {
        let whole = Fnv::of(codes.iter().flat_map(|code| code.number().to_le_bytes()));
        let mut text = format!("{whole:016x} ");
        let tokens: Vec<Token> = codes.iter().map(|code| Token::of(*code)).collect();
        for run in tokens.chunk_by(|one, other| one == other) {
            run[0].write(&mut text);
            if run.len() > 1 {
                write!(text, "{}", run.len()).expect("writes to a string");
            }
        }
        AnswerLine(text)
    }

    /// The tokens of the line; `None` if it is no such line.
    pub(super) fn tokens(&self) -> Option<Vec<Token>> {
        let (_, answers) = self.0.split_once(' ')?;
        let mut characters = answers.chars().peekable();
        let mut tokens = Vec::new();
        while characters.peek().is_some() {
            let token = Token::read(&mut characters)?;
            let mut count = String::new();
            while let Some(digit) = characters.next_if(char::is_ascii_digit) {
                count.push(digit);
            }
            let count: usize = if count.is_empty() { 1 } else { count.parse().ok()? };
            // No operation has more inputs: a damaged line takes no memory.
            if count > 1_000_000 {
                return None;
            }
            tokens.extend(std::iter::repeat_n(token, count));
        }
        Some(tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_tokens_again() {
        let codes = [
            Code::Agrees,
            Code::Agrees,
            Code::Agrees,
            Code::Hash(1),
            Code::Hash(u64::MAX),
            Code::Hash(u64::MAX),
            Code::Unsupported,
            Code::Rejected,
            Code::Equivalent(true),
            Code::Equivalent(false),
        ];
        let line = AnswerLine::of(&codes);
        let tokens: Vec<Token> = codes.iter().map(|code| Token::of(*code)).collect();
        assert_eq!(line.tokens(), Some(tokens), "{line:?}");
        assert!(line.0.contains(" .3"), "{line:?}");
    }

    #[test]
    fn answers_with_the_same_short_hash_are_different_lines() {
        let short = |hash| Token::of(Code::Hash(hash));
        let other = (2..).find(|&hash| short(hash) == short(1)).unwrap();
        let lines = [1, other].map(|hash| AnswerLine::of(&[Code::Hash(hash)]));
        assert_eq!(lines[0].tokens(), lines[1].tokens());
        assert_ne!(lines[0], lines[1]);
    }

    #[test]
    fn what_is_no_line_has_no_tokens() {
        for text in ["", "abc", "0 a", "0 a1", "0 ?", "0 .99999999999", "0 5"] {
            assert_eq!(AnswerLine(text.to_owned()).tokens(), None, "{text}");
        }
    }
}
