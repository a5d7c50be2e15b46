//! RFC 3986 Appendix C: URIs delimited in running text.

use std::borrow::Cow;
use std::ops::Range;

use crate::components::{Components, ReferenceRule, parse_rule};
use crate::readings::Reading;

/// What delimits a URI in text (RFC 3986 Appendix C): "usually within double-quotes […], angle brackets […], or just by
/// using whitespace".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Delimiter {
    /// "double-quotes"
    DoubleQuotes,
    /// "angle brackets"
    AngleBrackets,
    /// "whitespace", or the beginning or the end of the text.
    Whitespace,
}

/// A URI in running text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Find<'a> {
    /// The URI: without its delimiters, which "do not form part of the URI", without whitespace and prefix.
    pub uri: Cow<'a, str>,
    /// The bytes of the text between the delimiters, whitespace and prefix included.
    pub range: Range<usize>,
    /// What delimits it.
    pub delimiter: Delimiter,
    /// Whether the prefix "URL:" stood before it.
    pub prefixed: bool,
    /// The byte offset in `uri` of each hyphen between which and what follows it in `uri` the text has whitespace with a
    /// line break in it: "the hyphen may or may not actually be part of the URI".
    pub ambiguous_hyphens: Vec<usize>,
}

/// The URIs in `text`, from its beginning to its end (RFC 3986 Appendix C).
///
/// Not in RFC 3986, as "it is important to be able to delimit the URI from the rest of the text, and in particular from
/// punctuation marks that might be mistaken for part of the URI" without saying how:
///
/// - only URIs are found, no relative references, which most words match;
/// - between double-quotes or angle brackets, text with whitespace inside counts if what precedes the first whitespace
///   is a URI too, with an authority, or with a path that is not empty;
/// - a word delimited by whitespace counts if it has an authority and not both of authority and path are empty, or if
///   it has the scheme "mailto" or "urn" and a path that is not empty; it is delimited by `<`, `>` and `"` too, loses
///   `(`, `[`, `{` and `'` at its beginning, and at its end `.`, `,`, `;`, `:`, `!`, `?`, `'`, and `)`, `]` and `}` as
///   long as it has more of them than of `(`, `[` and `{`; the space behind the prefix "URL:" does not end it.
pub fn extract(text: &str, reading: Reading) -> Vec<Find<'_>> {
    let mut finds = Vec::new();
    // Each delimiter is paired with the next one, so that no part of the text is looked at more than once for each of
    // the three.
    let mut at = 0;
    while let Some(&octet) = text.as_bytes().get(at) {
        at = match octet {
            b'"' => {
                let start = at + 1;
                let end = text[start..].find('"').map(|length| start + length);
                match end.and_then(|end| delimited(text, start..end, Delimiter::DoubleQuotes, reading)) {
                    Some(find) => push(&mut finds, find) + 1,
                    None => start,
                }
            }
            b'<' => {
                let start = at + 1;
                let end = text[start..].find(['<', '>']).map(|length| start + length);
                let end = end.filter(|&end| text.as_bytes()[end] == b'>');
                match end.and_then(|end| delimited(text, start..end, Delimiter::AngleBrackets, reading)) {
                    Some(find) => push(&mut finds, find) + 1,
                    None => start,
                }
            }
            b'>' => at + 1,
            _ => {
                let is_end = |character: char| character.is_whitespace() || matches!(character, '<' | '>' | '"');
                let end_from = |start: usize| text[start..].find(is_end).map_or(text.len(), |length| start + length);
                let mut end = end_from(at);
                let after_prefix = ends_in_prefix(&text[at..end]) && text[end..].starts_with(' ');
                let with_next = after_prefix.then(|| end_from(end + 1));
                if let Some((longer, find)) = with_next.and_then(|end| Some((end, word(text, at..end, reading)?))) {
                    end = longer;
                    push(&mut finds, find);
                } else if let Some(find) = word(text, at..end, reading) {
                    push(&mut finds, find);
                }
                let white = text[end..].find(|character: char| !character.is_whitespace());
                white.map_or(text.len(), |length| end + length)
            }
        };
    }
    finds
}

/// `text`, which is to be a URI-reference alone, without what Appendix C knows around and within one: "For robustness,
/// software that accepts user-typed URI should attempt to recognize and strip both delimiters and embedded whitespace."
///
/// Total: what is left need not be valid.
pub fn strip(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    let wrapped = |open, close| text.strip_prefix(open).and_then(|text| text.strip_suffix(close));
    let text = wrapped('<', '>').or_else(|| wrapped('"', '"')).unwrap_or(text);
    without_whitespace(without_prefix(text).0).0
}

fn push<'a>(finds: &mut Vec<Find<'a>>, find: Find<'a>) -> usize {
    let end = find.range.end;
    finds.push(find);
    end
}

/// What stands between two delimiters, if it counts.
fn delimited(text: &str, range: Range<usize>, delimiter: Delimiter, reading: Reading) -> Option<Find<'_>> {
    let (content, prefixed) = without_prefix(&text[range.clone()]);
    let content = content.trim();
    if !content.contains(':') {
        return None;
    }
    let beginning = content.split(char::is_whitespace).next().unwrap_or_default();
    if beginning.len() < content.len() {
        let Components { authority, path, .. } = parse_rule(ReferenceRule::Uri, beginning, reading).ok()?.components;
        if authority.is_none() && path.is_empty() {
            return None;
        }
    }
    let (uri, ambiguous_hyphens) = without_whitespace(content);
    parse_rule(ReferenceRule::Uri, &uri, reading).ok()?;
    Some(Find {
        uri,
        range,
        delimiter,
        prefixed,
        ambiguous_hyphens,
    })
}

/// What a word loses at its beginning.
const OPENING: [char; 4] = ['(', '[', '{', '\''];

/// A word of the text, if it counts.
fn word(text: &str, range: Range<usize>, reading: Reading) -> Option<Find<'_>> {
    let whole = &text[range.clone()];
    if !whole.contains(':') {
        return None;
    }
    let trimmed = whole.trim_start_matches(OPENING);
    let start = range.end - trimmed.len();
    let mut unopened = [('(', ')'), ('[', ']'), ('{', '}')].map(|(opening, closing)| {
        let count = |bracket| trimmed.matches::<char>(bracket).count();
        (closing, count(closing).saturating_sub(count(opening)))
    });
    let kept =
        trimmed.trim_end_matches(
            |character| match unopened.iter_mut().find(|(closing, _)| *closing == character) {
                Some((_, 0)) => false,
                Some((_, count)) => {
                    *count -= 1;
                    true
                }
                None => matches!(character, '.' | ',' | ';' | ':' | '!' | '?' | '\''),
            },
        );
    let (uri, prefixed) = without_prefix(kept);
    let Components {
        scheme,
        authority,
        path,
        ..
    } = parse_rule(ReferenceRule::Uri, uri, reading).ok()?.components;
    let is_known =
        scheme.is_some_and(|scheme| ["mailto", "urn"].iter().any(|known| known.eq_ignore_ascii_case(scheme)));
    (authority.is_some_and(|authority| !authority.is_empty() || !path.is_empty()) || is_known && !path.is_empty()).then(
        || Find {
            uri: Cow::Borrowed(uri),
            range: start..start + kept.len(),
            delimiter: Delimiter::Whitespace,
            prefixed,
            ambiguous_hyphens: Vec::new(),
        },
    )
}

/// Whether a word is the prefix "URL:" alone, but for what a word loses at its beginning.
fn ends_in_prefix(word: &str) -> bool {
    word.trim_start_matches(OPENING).eq_ignore_ascii_case("URL:")
}

/// "The prefix "URL:" (with or without a trailing space) was formerly recommended as a way to help distinguish a URI
/// from other bracketed designators".
fn without_prefix(text: &str) -> (&str, bool) {
    let text = text.trim_start();
    match text.get(..4) {
        Some(prefix) if prefix.eq_ignore_ascii_case("URL:") => (text[4..].trim_start(), true),
        _ => (text, false),
    }
}

/// "In some cases, extra whitespace (spaces, line-breaks, tabs, etc.) may have to be added to break a long URI across
/// lines. The whitespace should be ignored when the URI is extracted."
///
/// "Because some typesetters and printers may (erroneously) introduce a hyphen at the end of line when breaking it, the
/// interpreter of a URI containing a line break immediately after a hyphen should ignore all whitespace around the line
/// break and should be aware that the hyphen may or may not actually be part of the URI."
fn without_whitespace(text: &str) -> (Cow<'_, str>, Vec<usize>) {
    if !text.contains(char::is_whitespace) {
        return (Cow::Borrowed(text), Vec::new());
    }
    let mut kept = String::with_capacity(text.len());
    let mut hyphens = Vec::new();
    let mut rest = text;
    while let Some(length) = rest.find(char::is_whitespace) {
        kept.push_str(&rest[..length]);
        let after = rest[length..].trim_start();
        let white = &rest[length..rest.len() - after.len()];
        if kept.ends_with('-') && white.contains(['\n', '\r']) {
            hyphens.push(kept.len() - 1);
        }
        rest = after;
    }
    kept.push_str(rest);
    (Cow::Owned(kept), hyphens)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uris(text: &str) -> Vec<String> {
        extract(text, Reading::Rfc3986).into_iter().map(|find| find.uri.into_owned()).collect()
    }

    #[test]
    fn the_sample_contains_the_uri_references_that_the_appendix_lists() {
        let text = "   Yes, Jim, I found it under \"http://www.w3.org/Addressing/\",\n\
                    \x20  but you can probably pick it up from <ftp://foo.example.\n\
                    \x20  com/rfc/>.  Note the warning in <http://www.ics.uci.edu/pub/\n\
                    \x20  ietf/uri/historical.html#WARNING>.\n";
        let finds = extract(text, Reading::Rfc3986);
        let found: Vec<_> = finds.iter().map(|find| (&*find.uri, find.delimiter)).collect();
        assert_eq!(
            found,
            [
                ("http://www.w3.org/Addressing/", Delimiter::DoubleQuotes),
                ("ftp://foo.example.com/rfc/", Delimiter::AngleBrackets),
                (
                    "http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING",
                    Delimiter::AngleBrackets
                ),
            ]
        );
        assert_eq!(&text[finds[1].range.clone()], "ftp://foo.example.\n   com/rfc/");
    }

    #[test]
    fn whitespace_delimits_too() {
        assert_eq!(
            uris("just by using whitespace: http://example.com/"),
            ["http://example.com/"]
        );
        assert_eq!(
            uris("a:b c http://a/b_(c), (http://d/e). note: http://f/?\u{201d} 12:30 mailto:g@h; urn:i:j"),
            ["http://a/b_(c)", "http://d/e", "mailto:g@h", "urn:i:j"]
        );
        let text = "see (http://a/b). ";
        assert_eq!(&text[extract(text, Reading::Rfc3986)[0].range.clone()], "http://a/b");
    }

    #[test]
    fn a_word_loses_the_brackets_that_it_does_not_open() {
        for (text, uri) in [
            ("see http://[2001:db8::7] now", "http://[2001:db8::7]"),
            ("http://[::1]", "http://[::1]"),
            ("(http://[::1])", "http://[::1]"),
            ("[http://[::1]].", "http://[::1]"),
            ("[http://a/]", "http://a/"),
            ("{http://a/}", "http://a/"),
            ("([{'http://a/b'}]),", "http://a/b"),
            ("http://a/b)!?;:", "http://a/b"),
            ("http://a/(b))", "http://a/(b)"),
            ("'http://a/it's'", "http://a/it's"),
        ] {
            assert_eq!(uris(text), [uri], "{text}");
        }
        let finds = extract("<http://a/<x>", Reading::Rfc3986);
        let found: Vec<_> = finds.iter().map(|find| (&*find.uri, find.delimiter)).collect();
        assert_eq!(found, [("http://a/", Delimiter::Whitespace)]);
    }

    #[test]
    fn an_empty_authority_or_path_is_enough_or_not() {
        for text in ["http://", "//a/b", "mailto:", "x:y", "<x: y>", "\"x:?q y\""] {
            assert_eq!(uris(text), [""; 0], "{text}");
        }
        assert_eq!(uris("http://a file:///b"), ["http://a", "file:///b"]);
        assert_eq!(uris("<x:// y> <x:y z>"), ["x://y", "x:yz"]);
    }

    #[test]
    fn what_is_no_uri_is_not_found() {
        for text in [
            "",
            "\"\"",
            "<>",
            "<b>bold</b>",
            "\"note: this\"",
            "<a b:c>",
            "\"re: a\"",
            "://",
            "a:",
            "<http://[/>",
        ] {
            assert_eq!(uris(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_delimiter_that_closes_nothing_opens_the_next() {
        assert_eq!(uris("5\" and \"http://a/\" 6\""), ["http://a/"]);
        assert_eq!(uris("a < b <http://a/> c > d"), ["http://a/"]);
        assert_eq!(uris("\"see <http://a/> there\""), ["http://a/"]);
        assert_eq!(uris("<a href=\"http://a/\">"), ["http://a/"]);
        assert_eq!(uris("<http://a/"), ["http://a/"]);
    }

    #[test]
    fn the_prefix_is_recognized() {
        for text in [
            "<URL:http://a/>",
            "<URL: http://a/>",
            "\"url:http://a/\"",
            "URL:http://a/",
            "URL: http://a/",
            "(see url: http://a/)",
            "URL: URL: http://a/",
            "('URL: http://a/')",
        ] {
            let finds = extract(text, Reading::Rfc3986);
            assert_eq!(finds.len(), 1, "{text}");
            assert_eq!((&*finds[0].uri, finds[0].prefixed), ("http://a/", true), "{text}");
        }
        for text in ["<http://a/>", "URL: <http://a/>", "URL:  http://a/", "CURL: http://a/"] {
            let finds = extract(text, Reading::Rfc3986);
            assert_eq!((&*finds[0].uri, finds[0].prefixed), ("http://a/", false), "{text}");
        }
        let text = "(URL: http://a/).";
        assert_eq!(
            &text[extract(text, Reading::Rfc3986)[0].range.clone()],
            "URL: http://a/"
        );
    }

    #[test]
    fn a_hyphen_before_a_line_break_is_ambiguous() {
        let finds = extract("<http://a/b-\n  c-d - \r\n e- f>", Reading::Rfc3986);
        assert_eq!(finds[0].uri, "http://a/b-c-d-e-f");
        assert_eq!(finds[0].ambiguous_hyphens, [10, 14]);
        let finds = extract("<http://a/b-\rc-\t\n>", Reading::Rfc3986);
        assert_eq!(finds[0].uri, "http://a/b-c-");
        assert_eq!(finds[0].ambiguous_hyphens, [10]);
    }

    #[test]
    fn what_a_user_types_is_stripped() {
        for typed in [
            " <http://a/b> ",
            "\"http://a/b\"",
            "<URL: http://a/\n b>",
            "http://a/ b",
            "URL:http://a/b",
        ] {
            assert_eq!(strip(typed), "http://a/b", "{typed:?}");
        }
        assert_eq!(strip("<"), "<");
        assert_eq!(strip("\""), "\"");
        assert_eq!(strip(""), "");
    }
}
