//! Where a subject crashed, without what its words cite of the input.

use super::{OneLine, Outcome};

/// Where a subject crashed: the place in the last parentheses of its reason, such as `uri.rs:1103`; otherwise its words, without
/// what changes with the input.
pub(super) fn place(observed: &Outcome) -> Option<String> {
    let Outcome::Crashed { reason } = observed else {
        return None;
    };
    let in_parentheses = reason.strip_suffix(')').and_then(|reason| reason.rsplit_once('(')).map(|(_, place)| place);
    let is_place = |place: &&str| {
        place.split_once(':').is_some_and(|(_, line)| line.starts_with(|one: char| one.is_ascii_digit()))
    };
    let place = in_parentheses.filter(is_place).map_or_else(|| without_data(reason), str::to_owned);
    Some(OneLine(&place).to_string())
}

/// The words of a crash without quotations, which are of the input, and without numbers but those of lines, signals and exit statuses; nor the
/// place in the input that Perl adds (`, <STDIN> line 23`).
fn without_data(reason: &str) -> String {
    let perl_adds =
        reason.rfind(", <").filter(|&at| reason[at..].contains("> line ") || reason[at..].contains("> chunk "));
    let mut words = String::new();
    let mut rest = &reason[..perl_adds.unwrap_or(reason.len())];
    while let Some(first) = rest.chars().next() {
        let is_after_word = words.ends_with(|last: char| last.is_alphanumeric());
        let behind = &rest[first.len_utf8()..];
        // A backtick may be closed by an apostrophe, which elsewhere stands in a word.
        let closing = if first == '`' {
            &['`', '\''][..]
        } else {
            std::slice::from_ref(&first)
        };
        let end = match first {
            '"' | '`' => behind.find(closing),
            '\'' if !is_after_word => behind.find(closing),
            _ => None,
        };
        let digits = rest.len() - rest.trim_start_matches(|one: char| one.is_ascii_digit()).len();
        if let Some(end) = end {
            words.push_str("..");
            rest = &behind[end + 1..];
        } else if rest.starts_with("0x") {
            words.push('N');
            rest = rest[2..].trim_start_matches(|one: char| one.is_ascii_hexdigit());
        } else if digits > 0 {
            let is_line =
                [":", "signal ", "exit status: "].iter().any(|before| words.ends_with(before)) || is_place(&words);
            let is_in_name = is_after_word || words.ends_with('_');
            words.push_str(if is_line || is_in_name { &rest[..digits] } else { "N" });
            rest = &rest[digits..];
        } else {
            words.push(first);
            rest = behind;
        }
    }
    words
}

/// Whether a number behind these words is the line of a file of the program, as Perl and Python say it: `at uri.pl line 23`, `File
/// "uri.py", line 23`. Another line is one of the input.
fn is_place(words: &str) -> bool {
    let Some(before) = words.strip_suffix(" line ") else {
        return false;
    };
    let mut words = before.rsplit(' ');
    let is_file = words.next().is_some_and(|file| file.contains('.') || file == "-e");
    is_file && matches!(words.next(), Some("at" | "File"))
}

#[cfg(test)]
mod tests {
    use super::{Outcome, place};

    #[test]
    fn the_place_of_a_crash_does_not_change_with_the_input() {
        for (reason, expected) in [
            ("byte index 3 is not a char boundary (a) (uri.rs:1103)", "uri.rs:1103"),
            ("killed by signal 6 (SIGABRT)", "killed by signal 6 (SIGABRT)"),
            (
                "ended with exit status: 3: no port 80",
                "ended with exit status: 3: no port N",
            ),
            (
                "ended with exit status: 255: Can't call \"host\" at a.pl line 12, <STDIN> line 23.",
                "ended with exit status: 255: Can't call .. at a.pl line 12",
            ),
            (
                "a.rb:5:in `parse': port 7 (ArgumentError)",
                "a.rb:5:in ..: port N (ArgumentError)",
            ),
            ("invalid literal with base 10: 'a'", "invalid literal with base N: .."),
            ("RFC3986 at 0x7ffeab12", "RFC3986 at N"),
            ("bad input at stdin line 9", "bad input at stdin line N"),
            ("bad input on stdin, line 9", "bad input on stdin, line N"),
            ("boom 7 <STDIN> line 9", "boom N <STDIN> line N"),
        ] {
            let crashed = Outcome::Crashed {
                reason: reason.to_owned(),
            };
            assert_eq!(place(&crashed).as_deref(), Some(expected), "{reason}");
        }
    }
}
