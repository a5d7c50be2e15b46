//! Lines for a terminal of 80 columns: long ones are broken between words, and long strings are cut in their middle.

use uriproof::model::{Fitted, Quoted};

use super::{RunError, WIDTH, print, wrapped};

/// The widest string in quotes that is printed whole, in columns.
const WHOLE: usize = 60;

/// How many columns of a wider one are printed.
const CUT: usize = 40;

/// The column up to which the lines after a broken one begin below its second part.
const DEEPEST: usize = 20;

/// A string in quotes; of a long one its beginning and its end, and how many characters it has.
pub(super) fn short(text: &str) -> String {
    let whole = Quoted(text).to_string();
    match whole.len() <= WHOLE {
        true => whole,
        false => format!("{} ({} characters)", Fitted(text, CUT), text.chars().count()),
    }
}

/// Names in lines of so many columns, a semicolon between two; none is broken, so that a version stands beside its name.
pub(super) fn listed(mut names: Vec<String>, width: usize) -> Vec<String> {
    let last = names.len().saturating_sub(1);
    names[..last].iter_mut().for_each(|name| name.push(';'));
    wrapped(&names, width)
}

/// The same text with each line in 80 columns: a longer one is broken between words, but not within double quotes. What has no place to break
/// it stays as it is.
pub(super) fn in_columns(text: &str) -> String {
    text.split_inclusive('\n').map(line_in_columns).collect()
}

/// Prints a text, with each line [in 80 columns](in_columns).
pub(super) fn print_in_columns(text: &str) -> Result<(), RunError> {
    print(&in_columns(text))
}

fn line_in_columns(line: &str) -> String {
    let plain = anstream::adapter::strip_str(line).to_string();
    let plain = plain.trim_end_matches('\n');
    if width(plain) <= WIDTH {
        return line.to_owned();
    }
    let indent = " ".repeat(hanging(plain));
    let mut broken = String::new();
    let mut current = String::new();
    for word in words(line) {
        let is_first = current.trim().is_empty();
        let fits = indent.len() + width(word.trim()) <= WIDTH;
        if !is_first && fits && width(&format!("{current}{}", word.trim_end())) > WIDTH {
            broken += current.trim_end();
            broken.push('\n');
            current.clone_from(&indent);
            current += word.trim_start();
        } else {
            current += word;
        }
    }
    broken + &current
}

/// The words of a line, each with the spaces before it; what is in double quotes is one.
fn words(line: &str) -> Vec<&str> {
    let (mut words, mut start) = (Vec::new(), 0);
    let (mut is_quoted, mut is_escaped, mut before) = (false, false, ' ');
    for (at, character) in line.char_indices() {
        // A document stands beside its number.
        let is_number = line[start..at].ends_with(" RFC");
        if character == ' ' && before != ' ' && !is_quoted && !is_number {
            words.push(&line[start..at]);
            start = at;
        }
        let is_quote = character == '"' && !is_escaped;
        is_quoted = match is_quoted {
            true => !is_quote,
            // One alone begins nothing.
            false => is_quote && line[at + 1..].contains('"'),
        };
        is_escaped = is_quoted && character == '\\' && !is_escaped;
        before = character;
    }
    words.push(&line[start..]);
    words
}

/// Where the lines after a broken one begin: below what follows the first word and two spaces, as in a list, or two columns deeper.
fn hanging(line: &str) -> usize {
    let indent = line.len() - line.trim_start().len();
    let head = line[indent..].find("  ").map(|at| indent + at);
    let second = head.map(|head| line.len() - line[head..].trim_start().len());
    second.filter(|column| *column <= DEEPEST).unwrap_or(indent + 2)
}

/// How many columns a line has, styles not counted.
fn width(line: &str) -> usize {
    anstream::adapter::strip_str(line).to_string().chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_broken_between_words() {
        let long = "word ".repeat(30);
        for (head, indent) in [
            ("", 2),
            ("  ", 4),
            ("pass  ", 6),
            ("  assumes     ", 14),
            ("\u{1b}[1mFAIL\u{1b}[0m  ", 6),
        ] {
            let broken = in_columns(&format!("{head}{}\nnext\n", long.trim_end()));
            let lines: Vec<&str> = broken.lines().collect();
            assert!(
                lines.len() > 2 && lines.iter().all(|line| width(line) <= WIDTH),
                "{broken}"
            );
            assert!(lines[1].starts_with(&format!("{}word", " ".repeat(indent))), "{broken}");
            assert_eq!(
                broken.split_whitespace().filter(|word| word.ends_with("word")).count(),
                30
            );
            assert_eq!(lines.last(), Some(&"next"));
        }
        assert_eq!(in_columns("a  b\n\nc"), "a  b\n\nc");
    }

    #[test]
    fn what_is_quoted_stays_together() {
        let quoted = format!(r#""{} \" {}""#, "a b ".repeat(5), "c ".repeat(5));
        let broken = in_columns(&format!("{}{quoted} and {quoted}\n", "word ".repeat(9)));
        assert!(broken.lines().count() > 1, "{broken}");
        assert_eq!(broken.matches(&quoted).count(), 2, "{broken}");
        for unbroken in ["a".repeat(100), format!("vector  {}", "a".repeat(80))] {
            assert_eq!(in_columns(&unbroken), unbroken);
        }
        for length in 60..90 {
            let broken = in_columns(&format!("{} is of RFC 3986\n", "a".repeat(length)));
            assert!(broken.contains(" RFC 3986\n"), "{broken}");
        }
        let alone = in_columns(&format!("\" {}", "word ".repeat(30)));
        assert!(alone.lines().all(|line| width(line) <= WIDTH), "{alone}");
    }

    #[test]
    fn a_version_stands_beside_its_name() {
        let names = ["a 1.0", "b 2.0", "c 3.0"].map(str::to_owned);
        for width in 5..20 {
            let lines = listed(names.to_vec(), width);
            assert_eq!(lines.join(" "), "a 1.0; b 2.0; c 3.0");
            assert!(
                lines.iter().all(|line| line.split("; ").all(|name| name.contains(' '))),
                "{lines:?}"
            );
        }
        assert!(listed(Vec::new(), 9).is_empty());
    }

    #[test]
    fn a_long_string_is_cut_with_its_length() {
        assert_eq!(short("a'b"), "\"a'b\"");
        let cut = short(&"\u{e9}".repeat(99));
        assert!(cut.ends_with("\"...\"\\u{e9}\\u{e9}\" (99 characters)"), "{cut}");
        assert!(cut.len() <= CUT + " (99 characters)".len(), "{cut}");
    }
}
