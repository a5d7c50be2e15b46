//! Text of inputs and of others, safe to print. [`is_printed`] is the one rule for which characters are printed as they are; each
//! type here escapes the others, line breaks among them, as `\n` or `\u{1b}`. Of a long text the beginning and the end are printed,
//! and how many bytes it has.
//!
//! - [`Quoted`], [`Fitted`] and [`Escaped`]: inputs, values and reasons in ASCII;
//! - [`OneLine`]: words of others in a line: names of vectors, notes, quotations, messages;
//! - [`name`]: what a subject in another process calls itself, which is made safe where it is read;
//! - [`Lines`] and [`Json`]: whole outputs, before they are printed.

use std::fmt::{self, Write as _};
use std::ops::Range;

/// How many characters of a long text are shown, at its beginning and at its end.
const SHOWN: usize = 150;

/// Text in double quotes, quotes and backslashes escaped too.
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        shortened(f, self.0, SHOWN, |f, text| {
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

/// Whether a character is printed as it is: neither a control character nor a line break, a format character (which turns the
/// direction of text, or takes no width), a combining mark, a blank other than the space, nor one that is unassigned or private.
pub fn is_printed(character: char) -> bool {
    match character {
        '\'' | '"' | '\\' => true,
        // Letters by their category, but nothing is to be seen of them.
        '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' => false,
        _ => character.escape_debug().len() == 1,
    }
}

/// The longest message in a line: twice as many characters.
const LINE: usize = 2000;

/// Words of others on one line: every character that is not printed is escaped.
pub struct OneLine<'a>(pub &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        shortened(f, self.0, LINE, |f, text| write_line(f, text, Styles::Escaped))
    }
}

/// Text of ours on many lines, with styles, in which words of others may be: no character is left but line breaks, styles, and
/// what is printed, and no line is a command to the runner of a workflow.
pub struct Lines<'a>(pub &'a str);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.split_inclusive('\n').try_for_each(|line| {
            let (text, end) = line.strip_suffix('\n').map_or((line, ""), |text| (text, "\n"));
            let mut start = text.trim_start();
            while let Some(length) = style_of(start) {
                start = start[length..].trim_start();
            }
            if start.starts_with("::") {
                f.write_str("\\")?;
            }
            write_line(f, text, Styles::Kept)?;
            f.write_str(end)
        })
    }
}

/// The text of JSON, of the same value: every character that is not printed is written as `\u001b`.
pub struct Json<'a>(pub &'a str);

impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.char_indices().try_for_each(|(at, character)| match character {
            '\n' => f.write_char(character),
            '#' if is_command(&self.0[at..]) => f.write_str("\\u0023"),
            _ if is_printed(character) => f.write_char(character),
            _ => character.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(f, "\\u{unit:04x}")),
        })
    }
}

/// The longest name, in characters as they are printed.
pub const LONGEST_NAME: usize = 100;

/// A name that a subject in another process gives itself, as it is printed and selected: on one line, and cut behind
/// [`LONGEST_NAME`] characters, which `…` marks. Names that differ before that stay different.
pub fn name(given: &str) -> String {
    let mut name = String::new();
    let mut length = 0;
    for character in given.chars() {
        let printed = match is_printed(character) {
            true => character.to_string(),
            false => character.escape_default().to_string(),
        };
        length += printed.chars().count();
        if length > LONGEST_NAME {
            name.push('…');
            break;
        }
        name += &printed;
    }
    name
}

/// What becomes of styles, the sequences of a terminal for colour and weight.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Styles {
    Kept,
    Escaped,
}

fn write_line(f: &mut fmt::Formatter<'_>, text: &str, styles: Styles) -> fmt::Result {
    let mut behind_style = 0;
    text.char_indices().try_for_each(|(at, character)| {
        if at < behind_style {
            return f.write_char(character);
        }
        let rest = &text[at..];
        match character {
            '#' if is_command(rest) => f.write_str("#\\"),
            _ if is_printed(character) => f.write_char(character),
            _ => match style_of(rest).filter(|_| styles == Styles::Kept) {
                Some(length) => {
                    behind_style = at + length;
                    f.write_char(character)
                }
                None => write!(f, "{}", character.escape_default()),
            },
        }
    })
}

/// The length of the style that a text begins with, if it does.
fn style_of(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("\u{1b}[")?;
    let end = rest.find(|character: char| !character.is_ascii_digit() && character != ';')?;
    rest[end..].starts_with('m').then_some("\u{1b}[m".len() + end)
}

/// Whether a text begins with a command that runners of workflows read anywhere in a line: `##[error]`, `##vso[`.
fn is_command(text: &str) -> bool {
    let name = text.strip_prefix("##").map(|rest| rest.trim_start_matches(|letter: char| letter.is_ascii_alphabetic()));
    name.is_some_and(|rest| rest.starts_with('['))
}

/// A reason without quotes. A subject's words are escaped like an input; the `§` that our own reasons cite sections with is
/// printed as it is.
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        shortened(f, self.0, SHOWN, |f, text| {
            text.chars().try_for_each(|character| match character {
                '§' => f.write_str("§"),
                _ => write_escaped(f, character),
            })
        })
    }
}

/// Shortens a text longer than `most` bytes to its beginning and its end, and says between them how many bytes were left out.
pub(crate) fn cut(text: &mut String, most: usize) {
    if text.len() <= most {
        return;
    }
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    let head = (0..=most / 2).rev().find(is_boundary).unwrap_or(0);
    let tail = (text.len() - most / 2..text.len()).find(is_boundary).unwrap_or(text.len());
    *text = format!("{}...{} bytes left out...{}", &text[..head], tail - head, &text[tail..]);
}

/// A text in so many columns, words of others on one line as they are. Of a longer one its beginning and its end, and between them the place
/// where it begins to differ from `other`, if neither has it: two texts that are cut beside each other show how they differ.
pub fn excerpt(text: &str, other: &str, columns: usize) -> String {
    /// How many characters behind a difference are shown too.
    const BEHIND: usize = 6;
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= columns {
        return text.to_owned();
    }
    let part = |range: Range<usize>| characters[range].iter().collect::<String>();
    let length = characters.len();
    let room = columns.saturating_sub(GAP.len());
    let (head, tail) = (room.div_ceil(2), room / 2);
    let differing = common(text, other);
    let is_shown = differing + BEHIND <= head || differing >= length - tail;
    let room = columns.saturating_sub(2 * GAP.len());
    if is_shown || room < 3 * BEHIND {
        return format!("{}{GAP}{}", part(0..head), part(length - tail..length));
    }
    let (head, tail) = (room / 4, room / 4);
    let middle = room - head - tail;
    let start = differing.saturating_sub(middle / 2).clamp(head, length - tail - middle);
    format!(
        "{}{GAP}{}{GAP}{}",
        part(0..head),
        part(start..start + middle),
        part(length - tail..length)
    )
}

/// What is shown in the place of characters that are left out.
const GAP: &str = "...";

/// How many characters two texts have in common at their beginning.
fn common(text: &str, other: &str) -> usize {
    text.chars().zip(other.chars()).take_while(|(one, other)| one == other).count()
}

/// Text in double quotes as [`Quoted`] has it, beside another text: where that would leave out the place where the two begin to differ,
/// this has it too.
pub(crate) struct Contrasted<'a>(pub(crate) &'a str, pub(crate) &'a str);

impl fmt::Display for Contrasted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// How many characters before a difference are shown, and how many behind.
        const AROUND: usize = 20;
        let Contrasted(text, other) = *self;
        let (length, differing) = (text.chars().count(), common(text, other));
        let is_left_out = length > 2 * SHOWN && differing + AROUND > SHOWN && differing < length - SHOWN;
        if !is_left_out {
            return write!(f, "{}", Quoted(text));
        }
        let part = |from: usize, count: usize| {
            let quoted = Quoted(&text.chars().skip(from).take(count).collect::<String>()).to_string();
            quoted[1..quoted.len() - 1].to_owned()
        };
        write!(
            f,
            "\"{}{GAP}{}{GAP}{} bytes{GAP}{}\"",
            part(0, SHOWN - 2 * AROUND),
            part(differing - AROUND, 2 * AROUND),
            text.len(),
            part(length - SHOWN, SHOWN)
        )
    }
}

fn shortened(
    f: &mut fmt::Formatter<'_>,
    text: &str,
    shown: usize,
    write: impl Fn(&mut fmt::Formatter<'_>, &str) -> fmt::Result,
) -> fmt::Result {
    let head = text.char_indices().nth(shown).map(|(at, _)| &text[..at]);
    let tail = text.char_indices().nth_back(shown - 1).map(|(at, _)| &text[at..]);
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
    use super::{
        Contrasted, Escaped, Fitted, Json, LONGEST_NAME, Lines, OneLine, Quoted, cut, excerpt, is_printed, name,
    };

    /// What is never printed, a character of each kind.
    const UNPRINTED: &str = "\0\t\n\r\u{1b}\u{7f}\u{80}\u{85}\u{9b}\u{9f}\u{a0}\u{ad}\u{34f}\u{61c}\u{115f}\u{180e}\u{200b}\u{200d}\
        \u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\u{3164}\u{fe0f}\u{feff}\u{fff9}\u{ffff}\u{e000}\
        \u{e0001}\u{e0041}\u{e0100}\u{10ffff}\u{378}";

    #[test]
    fn what_is_not_printed_is_escaped_everywhere() {
        for character in UNPRINTED.chars() {
            assert!(!is_printed(character), "{character:?}");
            let text = format!("a{character}b");
            let escaped = format!("a{}b", character.escape_default());
            assert_eq!(OneLine(&text).to_string(), escaped);
            assert_eq!(name(&text), escaped);
            assert_eq!(Escaped(&text).to_string(), escaped);
            assert_eq!(Quoted(&text).to_string(), format!("\"{escaped}\""));
            let json = serde_json::to_string(&text).unwrap();
            let printed = Json(&json).to_string();
            assert!(printed.chars().all(is_printed), "{printed:?}");
            assert_eq!(serde_json::from_str::<String>(&printed).unwrap(), text);
            if character != '\n' {
                assert_eq!(Lines(&text).to_string(), escaped);
            }
        }
        for character in " '\"\\aé§…├中😀\u{fffd}".chars() {
            assert!(is_printed(character), "{character:?}");
        }
    }

    #[test]
    fn no_line_is_a_command_of_a_workflow() {
        let style = "\u{1b}[1;31m";
        for (text, printed) in [
            ("::error::x", "\\::error::x".to_owned()),
            ("a\n  ::error::x\n", "a\n\\  ::error::x\n".to_owned()),
            (
                &format!("{style}::error::x\u{1b}[0m"),
                format!("\\{style}::error::x\u{1b}[0m"),
            ),
            ("a ::b", "a ::b".to_owned()),
            (
                "a##[error]b ##vso[x] ###[",
                "a#\\#[error]b #\\#vso[x] ##\\#[".to_owned(),
            ),
            ("a##b[", "a#\\#b[".to_owned()),
            ("a##b", "a##b".to_owned()),
            (
                "\u{1b}[2J\u{1b}]0;x\u{7}\u{1b}[1",
                "\\u{1b}[2J\\u{1b}]0;x\\u{7}\\u{1b}[1".to_owned(),
            ),
        ] {
            assert_eq!(Lines(text).to_string(), printed, "{text:?}");
        }
        assert_eq!(OneLine("\u{1b}[1mx##[y").to_string(), "\\u{1b}[1mx#\\#[y");
        assert_eq!(Json("\"##[error]\"").to_string(), "\"\\u0023#[error]\"");
    }

    #[test]
    fn a_name_is_cut_and_names_that_differ_stay_different() {
        let longest = "é".repeat(LONGEST_NAME);
        assert_eq!(name(&longest), longest);
        let cut = name(&"a".repeat(10_000_000));
        assert_eq!(cut, "a".repeat(LONGEST_NAME) + "…");
        assert_eq!(name(&cut), cut);
        let differing = |last: char| name(&format!("{}{last}{}", "a".repeat(LONGEST_NAME - 1), "b".repeat(100)));
        assert_ne!(differing('x'), differing('y'));
        assert!(name(&"\u{202e}".repeat(1000)).chars().count() <= LONGEST_NAME + 1);
    }

    #[test]
    fn a_long_line_is_cut() {
        assert!(OneLine(&"a".repeat(10_000_000)).to_string().len() < 5_000);
    }

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
    fn a_cut_leaves_the_difference() {
        assert_eq!(excerpt("0123456789", "x", 10), "0123456789");
        assert_eq!(excerpt("0123456789abcdef", "0x", 11), "0123...cdef");
        let of = |at: usize, length: usize| {
            let mut text = vec!['a'; length];
            text[at] = 'X';
            text.into_iter().collect::<String>()
        };
        for columns in 30..90 {
            for at in 0..200 {
                let (text, other) = (of(at, 200), "a".repeat(200));
                let [one, beside] = [excerpt(&text, &other, columns), excerpt(&other, &text, columns)];
                assert!(
                    one.contains('X') && one.chars().count() <= columns,
                    "{at} in {columns}: {one}"
                );
                assert_ne!(one, beside, "{at} in {columns}");
            }
        }
        for at in 0..1000 {
            let (text, other) = (of(at, 1000), "a".repeat(1000));
            let [one, beside] = [Contrasted(&text, &other), Contrasted(&other, &text)].map(|one| one.to_string());
            assert!(one.contains('X'), "{at}: {one}");
            assert_ne!(one, beside, "{at}");
            assert!(one.starts_with("\"") && one.ends_with('"') && one.len() < 400, "{one}");
        }
        assert_eq!(Contrasted("a\"", "b").to_string(), Quoted("a\"").to_string());
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
