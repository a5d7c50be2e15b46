//! Words of a command line, to be copied.

use std::fmt::Write as _;

use uriproof::model::is_printed;

/// An argument for a shell; with escapes, which bash, zsh and ksh read, if it has characters that are not printed.
pub fn quoted(text: &str) -> String {
    if text.chars().all(is_printed) {
        return shell_words::quote(text).into_owned();
    }
    let mut quoted = String::from("$'");
    for character in text.chars() {
        match character {
            '\'' | '\\' => quoted.extend(['\\', character]),
            printed if is_printed(printed) => quoted.push(printed),
            // All the digits that there may be, so that a digit that follows is not one of them.
            ascii if ascii.is_ascii() => {
                write!(quoted, "\\{:03o}", u32::from(ascii)).expect("writes to a string");
            }
            other => write!(quoted, "\\U{:08x}", u32::from(other)).expect("writes to a string"),
        }
    }
    quoted.push('\'');
    quoted
}

/// As [`quoted`], in quotes even where none are needed.
pub fn always_quoted(text: &str) -> String {
    match quoted(text) {
        bare if bare == text => format!("'{text}'"),
        quoted => quoted,
    }
}
