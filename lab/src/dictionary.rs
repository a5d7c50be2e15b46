//! Dictionaries: words of a library's own that go into generated inputs, in the format of libFuzzer and AFL.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Words that go into generated inputs, each once and in ascending order: the order of the files makes no difference.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub struct Dictionary(Arc<[String]>);

/// The most bytes that a word has: what is generated must stay small.
const LONGEST: usize = 1024;

/// What a line of a dictionary may be.
const LINES: &str = r#"a line is "word", name="word" or a # comment"#;

/// Why a dictionary cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it, and what would be right.
    pub problem: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for Broken {}

impl Dictionary {
    /// Returns the words of a text in libFuzzer's format: a word in quotes on each line, with or without a name and `=` before
    /// it, in which `\\`, `\"` and `\xNN` are escapes; empty lines and lines that begin with `#` have no word.
    ///
    /// # Errors
    ///
    /// A line that is not of the format, and a word that is empty, too long or not UTF-8, since inputs are text.
    pub fn parse(text: &[u8]) -> Result<Dictionary, Broken> {
        let lines = text.split(|&byte| byte == b'\n').enumerate();
        let words = lines.filter_map(|(at, line)| match word(line.trim_ascii()) {
            Ok(None) => None,
            Ok(Some(word)) => Some(Ok(word)),
            Err(problem) => Some(Err(Broken { line: at + 1, problem })),
        });
        words.collect::<Result<Vec<String>, Broken>>().map(Dictionary::from)
    }

    /// Returns the words.
    pub fn words(&self) -> &[String] {
        &self.0
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<Vec<String>> for Dictionary {
    fn from(mut words: Vec<String>) -> Dictionary {
        words.sort_unstable();
        words.dedup();
        Dictionary(words.into())
    }
}

impl From<Dictionary> for Vec<String> {
    fn from(dictionary: Dictionary) -> Vec<String> {
        dictionary.words().to_vec()
    }
}

/// The word of a line, if it has one.
fn word(line: &[u8]) -> Result<Option<String>, String> {
    if line.is_empty() || line.starts_with(b"#") {
        return Ok(None);
    }
    let Some(open) = line.iter().position(|&byte| byte == b'"') else {
        return Err(format!("there is no word in quotes; {LINES}"));
    };
    let name = line[..open].trim_ascii();
    if !name.is_empty() && !name.ends_with(b"=") {
        return Err(format!("there is no \"=\" between the name and the word; {LINES}"));
    }
    let Some(inside) = line[open + 1..].strip_suffix(b"\"") else {
        return Err(format!("the line does not end with the word's closing quote; {LINES}"));
    };
    let bytes = unescaped(inside)?;
    match bytes.len() {
        0 => return Err("the word is empty; remove the line".to_owned()),
        1..=LONGEST => {}
        length => return Err(format!("the word has {length} bytes; {LONGEST} are the most")),
    }
    let word = String::from_utf8(bytes);
    word.map(Some).map_err(|_| "the word is not UTF-8, and inputs are text; remove the line".to_owned())
}

fn unescaped(mut text: &[u8]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len());
    while let [first, rest @ ..] = text {
        text = rest;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let (byte, length) = match rest {
            [byte @ (b'\\' | b'"'), ..] => (Some(*byte), 1),
            [b'x', high, low, ..] => (hexadecimal(*high, *low), 3),
            _ => (None, 0),
        };
        bytes.push(byte.ok_or(r#"a "\" begins none of the escapes \\, \" and \xNN; write \\ for a backslash"#)?);
        text = &rest[length..];
    }
    Ok(bytes)
}

fn hexadecimal(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    Some(digit(high)? << 4 | digit(low)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_words_comments_or_empty() {
        let text = b"# a comment\n\n\"b\"\r\n  kw1 = \"a\\x41\\\\\\\"\" \nkw@2=\"\\xc3\\x9F\"\n\"b\"\n\"a \"b\"";
        let words = Dictionary::parse(text).map(|dictionary| dictionary.words().to_vec());
        assert_eq!(
            words,
            Ok(["a \"b", "aA\\\"", "b", "\u{df}"].map(str::to_owned).to_vec())
        );
    }

    #[test]
    fn a_broken_line_is_named() {
        for (line, problem) in [
            ("word", "there is no word in quotes"),
            ("name \"word\"", "there is no \"=\" between"),
            ("\"word", "does not end with the word's closing quote"),
            ("\"", "does not end with the word's closing quote"),
            ("\"a\" b", "does not end with the word's closing quote"),
            ("\"a\\n\"", "begins none of the escapes"),
            ("\"a\\x4\"", "begins none of the escapes"),
            ("\"a\\\"", "begins none of the escapes"),
            ("\"\"", "the word is empty"),
            ("\"\\xff\"", "the word is not UTF-8"),
        ] {
            let broken = Dictionary::parse(format!("\"a\"\n{line}\n").as_bytes()).expect_err(line);
            assert_eq!(broken.line, 2, "{line}");
            assert!(broken.problem.contains(problem), "{line}: {broken}");
        }
        let long = format!("\"{}\"", "a".repeat(LONGEST + 1));
        assert!(Dictionary::parse(long.as_bytes()).is_err());
        assert!(Dictionary::parse(&long.as_bytes()[1..]).is_err());
    }
}
