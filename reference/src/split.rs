//! RFC 3986 Appendix B: parsing a URI-reference with a regular expression.
//!
//! The expression as printed:
//!
//! ```text
//! ^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?
//!  12            3  4          5       6  7        8 9
//! ```
//!
//! Newlines: the four negated classes match a newline as any other character. `.` in group 9 does not in most
//! dialects, which would end the match at the first newline after "#"; here it matches any character, so that the
//! expression takes every string to its end and [`recompose`](crate::recompose::recompose) gives it back.

use std::sync::LazyLock;

use regex::Regex;

use crate::components::Components;

/// The regular expression of Appendix B as printed.
pub const EXPRESSION: &str = r"^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?";

/// The five parts of [`EXPRESSION`] after its anchor, each of which also matches the empty string.
const PARTS: [&str; 5] = [
    r"(([^:/?#]+):)?",
    r"(//([^/?#]*))?",
    r"([^?#]*)",
    r"(\?([^#]*))?",
    r"(#(.*))?",
];

static PART_EXPRESSIONS: LazyLock<[Regex; 5]> = LazyLock::new(|| {
    PARTS.map(|part| Regex::new(&format!("(?s)^{part}")).expect("the parts of Appendix B are regular expressions"))
});

/// The nine subexpressions `$1` to `$9` that [`EXPRESSION`] matches in `input`; `None` is the RFC's `<undefined>`.
///
/// Index 0 is `$1`. Total: every string has an answer, well-formed or not.
///
/// The five parts are matched one behind the other. Since each of them matches the empty string too, the greedy
/// match of the whole never goes back into an earlier part, and gives the same nine groups (tested on every short
/// string); but the whole is slower per byte on long inputs, as it is not deterministic where scheme and path overlap.
pub fn groups(input: &str) -> [Option<&str>; 9] {
    let mut groups = [None; 9];
    let mut next = 0;
    let mut rest = input;
    for expression in PART_EXPRESSIONS.iter() {
        let captures = expression.captures(rest).expect("each part matches the empty string");
        for group in captures.iter().skip(1) {
            groups[next] = group.map(|group| group.as_str());
            next += 1;
        }
        rest = &rest[captures[0].len()..];
    }
    groups
}

/// The five components of `input`: `scheme = $2`, `authority = $4`, `path = $5`, `query = $7`, `fragment = $9`.
///
/// Cannot fail, and validates nothing: "a non-validating URI-reference parser that will take any given string and
/// extract the URI components" (§4.1).
pub fn split(input: &str) -> Components<'_> {
    let [_, scheme, _, authority, path, _, query, _, fragment] = groups(input);
    Components {
        scheme,
        authority,
        path: path.expect("group 5 matches the empty string").into(),
        query,
        fragment,
    }
}

/// The byte offset in `whole` of `part`, a part of it.
pub(crate) fn offset_in(part: &str, whole: &str) -> usize {
    part.as_ptr().addr() - whole.as_ptr().addr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_example_has_the_printed_groups() {
        assert_eq!(
            groups("http://www.ics.uci.edu/pub/ietf/uri/#Related"),
            [
                Some("http:"),
                Some("http"),
                Some("//www.ics.uci.edu"),
                Some("www.ics.uci.edu"),
                Some("/pub/ietf/uri/"),
                None,
                None,
                Some("#Related"),
                Some("Related"),
            ]
        );
    }

    #[test]
    fn the_parts_are_the_printed_expression() {
        assert_eq!(EXPRESSION, format!("^{}", PARTS.concat()));
    }

    #[test]
    fn a_newline_is_a_character_like_any_other() {
        assert_eq!(split("a#b\nc").fragment, Some("b\nc"));
        assert_eq!(split("a\nb?c\nd").path, "a\nb");
    }
}
