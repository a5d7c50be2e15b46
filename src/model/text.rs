//! Text of inputs and of others, safe to print on one line.

use std::fmt;

/// Text in double quotes, with quotes, backslashes, control and non-ASCII characters escaped.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for character in self.0.chars() {
            match character {
                '"' | '\\' => write!(f, "\\{character}")?,
                _ => write_escaped(f, character)?,
            }
        }
        f.write_str("\"")
    }
}

/// Text with control and non-ASCII characters escaped.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|character| write_escaped(f, character))
    }
}

fn write_escaped(f: &mut fmt::Formatter<'_>, character: char) -> fmt::Result {
    match character {
        ' '..='~' => write!(f, "{character}"),
        _ => write!(f, "{}", character.escape_default()),
    }
}
