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

/// Text in double quotes as [`Quoted`] has it, in no more than so many columns: of a longer one its beginning and its end.
pub struct Fitted<'a>(pub &'a str, pub usize);

impl fmt::Display for Fitted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fitted(text, columns) = *self;
        // No character takes fewer columns than it has bytes.
        if text.len() <= columns {
            let whole = Quoted(text).to_string();
            if whole.len() <= columns {
                return f.pad(&whole);
            }
        }
        let room = columns.saturating_sub("\"\"...\"\"".len());
        let head_room = room.div_ceil(2);
        let head: usize = within(text.chars(), head_room).map(char::len_utf8).sum();
        let tail: usize = within(text[head..].chars().rev(), room - head_room).map(char::len_utf8).sum();
        let (head, tail) = (&text[..head], &text[text.len() - tail..]);
        f.pad(&format!("{}...{}", Quoted(head), Quoted(tail)))
    }
}

/// Of these characters as many as can be shown in so many columns.
fn within(characters: impl Iterator<Item = char>, mut columns: usize) -> impl Iterator<Item = char> {
    characters.take_while(move |&character| {
        let width = Quoted(character.encode_utf8(&mut [0; 4])).to_string().len() - 2;
        let fits = width <= columns;
        columns = columns.saturating_sub(width);
        fits
    })
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

/// A reason without quotes. A subject's words are escaped like an input; the `§` that our own reasons cite sections with is
/// printed as it is.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        shortened(f, self.0, |f, text| {
            text.chars().try_for_each(|character| match character {
                '§' => f.write_str("§"),
                _ => write_escaped(f, character),
            })
        })
    }
}

/// Shortens a text longer than `most` bytes to its beginning and its end, and says between them how many bytes were left out.
pub(super) fn cut(text: &mut String, most: usize) {
    if text.len() <= most {
        return;
    }
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    let head = (0..=most / 2).rev().find(is_boundary).unwrap_or(0);
    let tail = (text.len() - most / 2..text.len()).find(is_boundary).unwrap_or(text.len());
    *text = format!("{}...{} bytes left out...{}", &text[..head], tail - head, &text[tail..]);
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

#[cfg(test)]
mod tests {
    use super::{Escaped, Fitted, Quoted, cut};

    #[test]
    fn a_reason_cites_sections_and_the_rest_is_escaped() {
        assert_eq!(
            Escaped("é\n\u{202e} (§5.2.1)").to_string(),
            r"\u{e9}\n\u{202e} (§5.2.1)"
        );
        assert_eq!(Quoted("§").to_string(), r#""\u{a7}""#);
    }

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        let mut text = format!("{}b", "é".repeat(10));
        cut(&mut text, 21);
        assert_eq!(text, format!("{}b", "é".repeat(10)));
        cut(&mut text, 7);
        assert_eq!(text, "é...16 bytes left out...éb");
    }

    #[test]
    fn text_is_made_to_fit() {
        assert_eq!(Fitted("", 10).to_string(), "\"\"");
        assert_eq!(Fitted("12345678", 10).to_string(), "\"12345678\"");
        assert_eq!(Fitted("123456789abcdef", 15).to_string(), "\"1234\"...\"cdef\"");
        assert_eq!(
            Fitted("\n\n\n\n\n\"\"\"\"\"", 15).to_string(),
            "\"\\n\\n\"...\"\\\"\\\"\""
        );
        // A character that does not fit is left out whole.
        assert_eq!(Fitted("ééééé", 20).to_string(), "\"\\u{e9}\"...\"\\u{e9}\"");
        for width in 7..60 {
            for text in ["é\u{202e}\"a".repeat(9), "a".repeat(1 << 20), "\u{10ffff}".repeat(70)] {
                let fitted = Fitted(&text, width).to_string();
                assert!(fitted.len() <= width, "{fitted} in {width}");
                assert_eq!(
                    fitted == Quoted(&text).to_string(),
                    !fitted.contains("\"...\""),
                    "{fitted}"
                );
            }
        }
    }
}
