//! Text of inputs and of others, safe to print on one line: control and non-ASCII characters are escaped, and of a
//! long text its beginning and its end are shown, and how many bytes it has.

use std::fmt;

/// How many characters of a long text are shown, at its beginning and at its end.
const SHOWN: usize = 150;

/// Text in double quotes, quotes and backslashes escaped too.
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        shortened(f, self.0, |f, text| {
            f.write_str("\"")?;
            for character in text.chars() {
                match character {
                    '"' | '\\' => write!(f, "\\{character}")?,
                    _ => write_escaped(f, character)?,
                }
            }
            f.write_str("\"")
        })
    }
}

/// A message on one line: what quotes a file may hold any of its characters, and those that break a line, control a
/// terminal or turn the direction of the text are escaped. Nothing else is.
pub struct OneLine<'a>(pub &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|character| {
            let unsafe_to_show =
                matches!(character, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
            if character.is_control() || unsafe_to_show {
                write!(f, "{}", character.escape_default())
            } else {
                write!(f, "{character}")
            }
        })
    }
}

/// Text as it is.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        shortened(f, self.0, |f, text| {
            text.chars().try_for_each(|character| write_escaped(f, character))
        })
    }
}

fn shortened(
    f: &mut fmt::Formatter<'_>,
    text: &str,
    write: impl Fn(&mut fmt::Formatter<'_>, &str) -> fmt::Result,
) -> fmt::Result {
    let head = text.char_indices().nth(SHOWN).map(|(at, _)| &text[..at]);
    let tail = text.char_indices().nth_back(SHOWN - 1).map(|(at, _)| &text[at..]);
    match (head, tail) {
        (Some(head), Some(tail)) if head.len() + tail.len() < text.len() => {
            write(f, head)?;
            write!(f, "...{} bytes...", text.len())?;
            write(f, tail)
        }
        _ => write(f, text),
    }
}

fn write_escaped(f: &mut fmt::Formatter<'_>, character: char) -> fmt::Result {
    match character {
        ' '..='~' => write!(f, "{character}"),
        _ => write!(f, "{}", character.escape_default()),
    }
}
