//! Text of others in Markdown: it breaks no table, and becomes no HTML, image, link or mention.

use uriproof::model::{OneLine, excerpt};

/// Text as code in a table cell: no pipe ends the cell, no backtick the code. Long text is cut in its middle, and its length in
/// characters follows; the page of a crate shows witnesses whole.
pub(super) fn cell(text: &str) -> String {
    cut(text, CELL)
}

/// As [`cell`], beside another: where it is cut, the place at which it begins to differ from `other` is left.
pub(super) fn contrasted(text: &str, other: &str) -> String {
    let (text, other) = (OneLine(text).to_string(), OneLine(other).to_string());
    match text.chars().count() {
        count if count <= CELL => in_cell(&code(&text)),
        count => {
            // The length stands beside it.
            let shown = in_cell(&code(&excerpt(&text, &other, CELL - 10)));
            format!("{shown} ({count} characters)")
        }
    }
}

/// How many characters of a text a table cell shows.
pub(super) const CELL: usize = 60;

/// Text as code outside of tables, whole but for what is so long that nobody reads it.
pub(super) fn whole(text: &str) -> String {
    cut(text, 1000)
}

fn cut(text: &str, longest: usize) -> String {
    let text = OneLine(text).to_string();
    let count = text.chars().count();
    if count <= longest {
        return in_cell(&code(&text));
    }
    let head: String = text.chars().take(longest * 2 / 3).collect();
    let tail: String = text.chars().skip(count - longest / 4).collect();
    format!("{} ({count} characters)", in_cell(&code(&format!("{head}…{tail}"))))
}

/// A count with its noun: `1 bug`, `2 bugs`.
pub(super) fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// Text as code, outside of tables: its fence is longer than any run of backticks in it.
pub(super) fn code(text: &str) -> String {
    let text = OneLine(text).to_string();
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    // A space at each end is taken away again.
    let is_stripped = text.starts_with(' ') && text.ends_with(' ') && !text.trim().is_empty();
    match text.is_empty() {
        true => "` `".to_owned(),
        false if longest > 0 || is_stripped => format!("{fence} {text} {fence}"),
        false => format!("{fence}{text}{fence}"),
    }
}

/// Code that no pipe ends in a table cell. A pipe behind a backslash cannot be escaped there, and is written by its number.
fn in_cell(code: &str) -> String {
    let mut escaped = String::with_capacity(code.len());
    let mut backslashes = 0;
    for character in code.chars() {
        match character {
            '|' if backslashes % 2 == 1 => escaped.push_str("\\u{7c}"),
            '|' => escaped.push_str("\\|"),
            other => escaped.push(other),
        }
        backslashes = if character == '\\' { backslashes + 1 } else { 0 };
    }
    escaped
}

/// Sentences on one line, in a table cell or elsewhere, which may have code between backticks. A word that would become a link to a
/// page or a person becomes code.
pub(super) fn prose(text: &str) -> String {
    let text = OneLine(&text.trim().replace(['\n', '\r'], " ")).to_string();
    let mut prose = String::new();
    let mut rest = &*text;
    while !rest.is_empty() {
        let run = rest.len() - rest.trim_start_matches('`').len();
        if run == 0 {
            let (words, behind) = rest.split_at(rest.find('`').unwrap_or(rest.len()));
            for word in words.split_inclusive(' ') {
                push_word(&mut prose, word, !behind.is_empty());
            }
            rest = behind;
            continue;
        }
        let (fence, behind) = rest.split_at(run);
        rest = match end_of_code(behind, run) {
            Some(end) => {
                push_code(&mut prose, &format!("{fence}{}{fence}", &behind[..end]));
                &behind[end + run..]
            }
            // Nothing ends it: it is no code.
            None => {
                prose += &"\\`".repeat(run);
                behind
            }
        };
    }
    prose
}

/// Where the code ends that begins with a fence of so many backticks: at the next run of as many.
fn end_of_code(text: &str, fence: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(start) = text[at..].find('`').map(|found| at + found) {
        let run = text[start..].len() - text[start..].trim_start_matches('`').len();
        if run == fence {
            return Some(start);
        }
        at = start + run;
    }
    None
}

/// Adds code; two fences that touch would be one.
fn push_code(prose: &mut String, code: &str) {
    if prose.ends_with('`') {
        prose.push(' ');
    }
    prose.push_str(&in_cell(code));
}

/// Adds a word without backticks, with the space behind it; whether a backtick comes next.
fn push_word(prose: &mut String, word: &str, is_before_code: bool) {
    let trimmed = word.trim_end_matches(' ');
    if is_linked(trimmed) {
        push_code(prose, &code(trimmed));
        prose.push_str(&word[trimmed.len()..]);
        if is_before_code && trimmed.len() == word.len() {
            prose.push(' ');
        }
        return;
    }
    for (at, character) in word.char_indices() {
        let next = word[at + character.len_utf8()..].chars().next();
        match (character, next) {
            ('|', _) => prose.push_str("\\|"),
            ('<', _) => prose.push_str("&lt;"),
            // An entity would stand for what is escaped here, or make a mention.
            ('&', Some('#' | 'a'..='z' | 'A'..='Z')) => prose.push_str("&amp;"),
            // A link or its address begins behind the bracket.
            (']', Some('(' | '[' | ':')) => prose.push_str("\\]"),
            ('\\', Some('|' | ']' | '\\' | '&')) => prose.push_str("\\\\"),
            ('\\', None) if is_before_code => prose.push_str("\\\\"),
            (other, _) => prose.push(other),
        }
    }
}

/// Whether a reader of Markdown makes a link of a word: of an address, of the name of a person, or of the number of an issue.
fn is_linked(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let has_address = ["http://", "https://", "ftp://", "www."].iter().any(|start| lower.contains(start));
    let mut behind = word.split('@').skip(1);
    let is_name = behind.any(|rest| rest.starts_with(|character: char| character.is_alphanumeric()));
    // GitHub links the number of an issue; that of an entity is escaped.
    let is_number = word.match_indices('#').any(|(at, _)| {
        !word[..at].ends_with('&') && word[at + 1..].starts_with(|character: char| character.is_ascii_digit())
    });
    has_address || is_name || is_number
}

/// A link with these words of ours, where the address is plain; else the address as code.
pub(super) fn link(words: &str, address: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-._~:/?#@!$&*+,;=%".contains(character);
    match address.starts_with("https://") && address.chars().all(is_plain) {
        true => format!("[{words}]({address})"),
        false => format!("{words}: {}", cell(address)),
    }
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
    use super::{anchor, cell, code, link, prose};

    #[test]
    fn nothing_breaks_a_table() {
        assert_eq!(cell("a|b"), "`a\\|b`");
        assert_eq!(cell("a`b"), "`` a`b ``");
        assert_eq!(prose("takes `<|>`\nand <b>"), "takes `<\\|>` and &lt;b>");
    }

    #[test]
    fn a_fence_is_longer_than_any_run_of_backticks() {
        assert_eq!(code("```` ``"), "````` ```` `` `````");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code(" a "), "`  a  `");
        assert_eq!(code(""), "` `");
        assert_eq!(code("a\nb\u{202e}"), "`a\\nb\\u{202e}`");
        assert_eq!(cell(r"a\|b"), r"`a\\u{7c}b`");
        assert_eq!(cell(r"a\\|b"), r"`a\\\|b`");
    }

    #[test]
    fn nothing_is_html_a_link_or_a_mention() {
        for (text, expected) in [
            ("` `` <b>", "\\` \\`\\` &lt;b>"),
            ("`<b>` <b>", "`<b>` &lt;b>"),
            (r"\`<b>`", r"\\`<b>`"),
            ("![a](b) [a][b] [a]: b", r"![a\](b) [a\][b] [a\]: b"),
            (r"[a\](b)", r"[a\\\](b)"),
            ("&lt;b> &#64;a & b", "&amp;lt;b> &amp;#64;a & b"),
            ("ask @a, or a@b `c`@d", "ask `@a,` or `a@b` `c` `@d`"),
            ("as in #1 or a/b#2, not in #a", "as in `#1` or `a/b#2,` not in #a"),
            ("at HTTP://a.b and www.a", "at `HTTP://a.b` and `www.a`"),
            ("an \"@\" and a\\|b", "an \"@\" and a\\\\\\|b"),
        ] {
            assert_eq!(prose(text), expected, "{text}");
        }
        assert_eq!(link("open", "https://a/b"), "[open](https://a/b)");
        assert_eq!(link("open", "javascript:a"), "open: `javascript:a`");
        assert_eq!(link("open", "https://a)![b](c"), "open: `https://a)![b](c`");
    }

    #[test]
    fn anchors_are_those_of_headings() {
        assert_eq!(anchor("sophia_iri 0.10.0"), "sophia_iri-0100");
    }
}
