//! The record of the RFC's text: a hash for each word, in order, section by section.
//!
//! A word is a run of ASCII letters and digits; every other character except white space is a word of its own. So white
//! space, line breaks, page breaks and a hyphen at the end of a line make no difference, and every other character does.

use std::fmt;

/// The top 24 bits of a word's hash, as four digits of base 64.
type Code = [u8; 4];

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// How many codes a line of the file has.
const CODES_PER_LINE: usize = 24;

/// What separates the parts of a quotation that leaves something out.
pub(crate) const ELISION: &str = "[…]";

/// The text as hashes. The text before and after the numbered sections belongs to a section without a name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    sections: Vec<(String, Vec<Code>)>,
}

impl Record {
    /// Makes the record of the text as the RFC Editor publishes it, without page headers, page footers and the table of
    /// contents.
    ///
    /// # Panics
    ///
    /// Two words have one hash: one could take the place of the other in a quotation.
    pub(crate) fn of(text: &str) -> Record {
        let mut record = Record::default();
        let mut words = std::collections::BTreeMap::new();
        let mut in_contents = false;
        record.sections.push((String::new(), Vec::new()));
        for line in text.lines().map(|line| line.trim_start_matches('\u{c}').trim_end()) {
            let is_header = line.starts_with("RFC 3986 ") && line.ends_with(" January 2005");
            let is_footer = line.ends_with(']') && line.contains("[Page ") && !line.starts_with(' ');
            if line.is_empty() || is_header || is_footer {
                continue;
            }
            if !line.starts_with(' ') {
                in_contents = line == "Table of Contents";
                record.sections.push((section_of_heading(line).to_owned(), Vec::new()));
            }
            if in_contents {
                continue;
            }
            let (_, codes) = record.sections.last_mut().expect("there is one from the start");
            for word in words_of(line) {
                let code = code(word);
                codes.push(code);
                let other = words.insert(code, word.to_owned()).filter(|other| other != word);
                assert_eq!(other, None, "{word:?} has the same hash");
            }
        }
        record.sections.retain(|(_, codes)| !codes.is_empty());
        record
    }

    /// Reads what [`Record`] displays.
    pub(crate) fn read(file: &str) -> Record {
        let mut record = Record::default();
        for line in file.lines().filter(|line| !line.starts_with('#')) {
            if let Some(section) = line.strip_prefix('§') {
                record.sections.push((section.to_owned(), Vec::new()));
                continue;
            }
            let (codes, rest) = line.as_bytes().as_chunks::<4>();
            assert!(rest.is_empty(), "a line of the record is cut off: {line}");
            let (_, section) = record.sections.last_mut().expect("a section comes first");
            section.extend(codes);
        }
        record
    }

    /// The numbers of the sections, in order.
    pub(crate) fn sections(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(|(section, _)| section.as_str()).filter(|section| !section.is_empty())
    }

    /// The sections that have the words of a quotation, one behind the other; the parts around `[…]` follow each other.
    pub(crate) fn sections_with(&self, quotation: &str) -> Vec<&str> {
        let quotation = quotation.replace("[...]", ELISION);
        let parts: Vec<Vec<Code>> = quotation.split(ELISION).map(|part| words_of(part).map(code).collect()).collect();
        let has = |codes: &[Code]| {
            let mut rest = codes;
            parts.iter().all(|part| {
                !part.is_empty()
                    && rest.windows(part.len()).position(|window| window == part).is_some_and(|at| {
                        rest = &rest[at + part.len()..];
                        true
                    })
            })
        };
        let sections = self.sections.iter().filter(|(_, codes)| has(codes));
        sections.map(|(section, _)| section.as_str()).collect()
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (section, codes) in &self.sections {
            writeln!(f, "§{section}")?;
            for line in codes.chunks(CODES_PER_LINE) {
                writeln!(f, "{}", String::from_utf8_lossy(line.as_flattened()))?;
            }
        }
        Ok(())
    }
}

/// The number in a heading, such as `5.2.2`, `A` or `D.1`; empty for another line that is not indented.
fn section_of_heading(line: &str) -> &str {
    let heading = line.strip_prefix("Appendix ").unwrap_or(line);
    let Some((number, _)) = heading.split_once(".  ") else {
        return "";
    };
    let is_number = number.split('.').all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    let is_appendix = number.starts_with(|first: char| first.is_ascii_uppercase())
        && number[1..].chars().all(|c| c.is_ascii_digit() || c == '.');
    if is_number || is_appendix { number } else { "" }
}

/// The words of a text.
pub(crate) fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let length = match rest.find(|c: char| !c.is_ascii_alphanumeric()) {
            Some(0) => first.len_utf8(),
            Some(end) => end,
            None => rest.len(),
        };
        let (word, behind) = rest.split_at(length);
        rest = behind;
        Some(word)
    })
}

/// FNV-1a with 64 bits, folded to 24.
fn code(word: &str) -> Code {
    let hash = word.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let folded = hash ^ hash >> 24 ^ hash >> 48;
    [18, 12, 6, 0].map(|shift| DIGITS[(folded >> shift & 0x3F) as usize])
}

const TEXT: &str = "\
Front matter

Table of Contents

   1.  Heading  . . . . 4

Berners-Lee, et al.         Standards Track                     [Page 1]
\u{c}
RFC 3986                   URI Generic Syntax               January 2005

1.  Heading

   The components of a pre-
   existing URI are

Berners-Lee, et al.         Standards Track                     [Page 2]
\u{c}
RFC 3986                   URI Generic Syntax               January 2005

   never undefined (\"if any\").

1.2.  Another Heading

   They may be empty.

Appendix B.  Parsing

   scheme    = $2

Index
";

#[test]
fn the_text_is_recorded_without_its_pages() {
    let record = Record::of(TEXT);
    assert_eq!(record.sections().collect::<Vec<_>>(), ["1", "1.2", "B"]);
    for (quotation, sections) in [
        ("a pre-existing URI are never undefined", vec!["1"]),
        ("(\"if any\").", vec!["1"]),
        ("Heading", vec!["1", "1.2"]),
        ("empty", vec!["1.2"]),
        ("scheme = $2", vec!["B"]),
        ("Index", vec![""]),
        ("Front", vec![""]),
        ("components […] existing […] never", vec!["1"]),
        ("components [...] never", vec!["1"]),
        // The page, the table of contents.
        ("Page 2", vec![]),
        ("Generic Syntax", vec![]),
        (". . . .", vec![]),
        // A word that is not there, in another case, cut off, joined; punctuation left out and put in.
        ("fragment", vec![]),
        ("heading", vec![]),
        ("undefine", vec![]),
        ("preexisting", vec![]),
        ("if any", vec!["1"]),
        ("undefined if any", vec![]),
        ("a URI", vec![]),
        ("a pre-existing, URI", vec![]),
        // Across sections, and parts in another order.
        ("any\"). 1.2", vec![]),
        ("any […] empty", vec![]),
        ("never […] components", vec![]),
        // Nothing.
        ("", vec![]),
        ("never […]", vec![]),
    ] {
        assert_eq!(record.sections_with(quotation), sections, "{quotation}");
    }
    assert_eq!(Record::read(&format!("# About it.\n{record}")), record);
}
