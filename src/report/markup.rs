//! Text of others in Markdown: what they wrote stands as they wrote it, and breaks no table.

/// Text as code in a table cell: no pipe ends the cell, no backtick the code, long text is shortened in its middle.
pub(super) fn cell(text: &str) -> String {
    /// The longest text that is shown whole, in characters.
    const LONGEST: usize = 90;
    let characters: Vec<char> = text.chars().collect();
    let text = if characters.len() > LONGEST {
        let head: String = characters[..LONGEST * 2 / 3].iter().collect();
        let tail: String = characters[characters.len() - LONGEST / 3..].iter().collect();
        format!("{head}…{tail}")
    } else {
        text.to_owned()
    };
    code(&text.replace('|', "\\|"))
}

/// Text as code, outside of tables.
pub(super) fn code(text: &str) -> String {
    if text.contains('`') {
        format!("`` {text} ``")
    } else {
        format!("`{text}`")
    }
}

/// Sentences in a table cell, which may have code between backticks: no pipe and no line break ends the cell, no angle
/// bracket begins a tag.
pub(super) fn prose(text: &str) -> String {
    let mut escaped = String::new();
    let mut is_code = false;
    for character in text.trim().chars() {
        is_code ^= character == '`';
        match character {
            '|' => escaped.push_str("\\|"),
            '\n' | '\r' => escaped.push(' '),
            '<' if !is_code => escaped.push_str("&lt;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// The anchor that a heading gets: letters, digits, `-` and `_` stay, a space becomes a hyphen.
pub(super) fn anchor(heading: &str) -> String {
    heading
        .chars()
        .filter_map(|character| match character {
            ' ' => Some('-'),
            '-' | '_' => Some(character),
            _ => character.is_alphanumeric().then(|| character.to_ascii_lowercase()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{anchor, cell, prose};

    #[test]
    fn nothing_breaks_a_table() {
        assert_eq!(cell("a|b"), "`a\\|b`");
        assert_eq!(cell("a`b"), "`` a`b ``");
        assert_eq!(prose("takes `<|>`\nand <b>"), "takes `<\\|>` and &lt;b>");
    }

    #[test]
    fn anchors_are_those_of_headings() {
        assert_eq!(anchor("sophia_iri 0.10.0"), "sophia_iri-0100");
    }
}
