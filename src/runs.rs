//! Texts with long runs of one character, told shortly: embedded vectors have components of 65,536 characters.

#![allow(dead_code, reason = "the build script tells, the library writes out")]

/// Stands before a run, and behind it: `\u{1}a65536\u{1}`. No JSON and no TOML has it.
const MARK: char = '\u{1}';

/// From how many characters on a run is told by its length.
const LONG: usize = 6;

/// A text whose long runs are told by their lengths.
pub(crate) fn told(text: &str) -> String {
    let mut told = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let behind = rest.trim_start_matches(first);
        let run = &rest[..rest.len() - behind.len()];
        let length = run.len() / first.len_utf8();
        match length {
            LONG.. => told.push_str(&format!("{MARK}{first}{length}{MARK}")),
            _ => told.push_str(run),
        }
        rest = behind;
    }
    told
}

/// The text that was told so.
pub(crate) fn written_out(told: &str) -> String {
    let mut text = String::new();
    // Every other piece is a run.
    for (place, piece) in told.split(MARK).enumerate() {
        let mut characters = piece.chars();
        let run = (place % 2 == 1).then(|| characters.next().zip(characters.as_str().parse().ok())).flatten();
        match run {
            Some((character, length)) => text.extend(std::iter::repeat_n(character, length)),
            None => text.push_str(piece),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{LONG, told, written_out};

    #[test]
    fn a_long_run_is_told_by_its_length_and_written_out_again() {
        let long = "é".repeat(LONG);
        let text = format!("a{}b{long}11\n", "a".repeat(LONG - 2));
        let short = told(&text);
        assert_eq!(short, format!("{}b\u{1}é{LONG}\u{1}11\n", "a".repeat(LONG - 1)));
        assert_eq!(written_out(&short), text);
        assert_eq!(written_out(&told("")), "");
        assert_eq!(written_out(&told(&"1".repeat(1000))), "1".repeat(1000));
    }
}
