//! Strings of TOML with an escape for every character that is not printed everywhere, which the crates for TOML write as it is.

use toml_writer::{ToTomlValue, TomlStringBuilder};

/// How a string is spelled, where it can be either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quotes {
    /// `"a"`, with escapes.
    Double,
    /// `'a'`, without.
    Single,
}

/// A text as a string of TOML, which is a key, too, in double quotes; characters for which `is_shown` does not hold are escapes.
pub fn spelled(text: &str, quotes: Quotes, is_shown: impl Fn(char) -> bool) -> String {
    let is_single = quotes == Quotes::Single && text.chars().all(&is_shown);
    if let Some(literal) = is_single.then(|| TomlStringBuilder::new(text).as_literal()).flatten() {
        return literal.to_toml_value();
    }
    let mut spelling = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => spelling.extend(['\\', character]),
            shown if is_shown(shown) => spelling.push(shown),
            other => spelling += &format!("\\U{:08X}", u32::from(other)),
        }
    }
    spelling.push('"');
    spelling
}
