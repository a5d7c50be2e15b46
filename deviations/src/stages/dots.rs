//! The stage *dots*: the algorithm of §5.2.4, and the ways in which a deviation changes it.

use std::borrow::Cow;

/// How dot-segments are removed. Without any of this it is the algorithm of §5.2.4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DotRules {
    /// So many bytes at the beginning of the path stay as they are. The last of them is a slash.
    pub kept: usize,
    /// A `..` that finds no segment left removes the slash behind it, so that the path has no root.
    pub loses_root: bool,
    /// A `..` that removes the only segment of a rootless path removes the slash behind it too.
    pub loses_slash: bool,
    /// An empty segment behind an empty segment or a dot-segment is dropped, also one that a dot-segment leaves at the end.
    pub drops_empty_segments: bool,
}

/// A path without its dot-segments, and whether it begins with `//` when one of them is removed, but no more at the end.
pub fn remove_dots(path: &str, rules: DotRules) -> (String, bool) {
    let whole = match rules.drops_empty_segments {
        true => without_empty_segments(path),
        false => Cow::Borrowed(path),
    };
    let (kept, mut input) = whole.split_at(rules.kept.saturating_sub(1));
    let mut output = kept.to_owned();
    let mut has_double_slash = false;
    while !input.is_empty() {
        // 2A and 2D
        if let Some(rest) = input.strip_prefix("../").or_else(|| input.strip_prefix("./")) {
            input = rest;
        } else if input == "." || input == ".." {
            input = "";
        }
        // 2B
        else if let Some(rest) = behind_segment(input, "/.") {
            input = rest;
        }
        // 2C
        else if let Some(rest) = behind_segment(input, "/..") {
            let is_lost = match output.rfind('/') {
                Some(_) => false,
                None if output.is_empty() => rules.loses_root,
                None => rules.loses_slash,
            };
            output.truncate(output.rfind('/').unwrap_or(0));
            input = &rest[usize::from(is_lost)..];
        }
        // 2E
        else {
            let end = input.bytes().skip(1).position(|octet| octet == b'/').map_or(input.len(), |at| at + 1);
            output.push_str(&input[..end]);
            input = &input[end..];
            continue;
        }
        has_double_slash |= output.starts_with("//") || output == "/" && input.starts_with('/');
    }
    if rules.drops_empty_segments && output.ends_with("//") {
        output.pop();
    }
    let is_removed_again = has_double_slash && !output.starts_with("//");
    (output, is_removed_again)
}

/// What is behind a segment at the beginning of a path, with the slash before it; at the end of the path the slash alone.
fn behind_segment<'a>(path: &'a str, segment: &str) -> Option<&'a str> {
    match path.strip_prefix(segment)? {
        "" => Some("/"),
        rest => rest.starts_with('/').then_some(rest),
    }
}

/// A path without each empty segment that is behind another one or behind a dot-segment. The root is an empty segment too.
fn without_empty_segments(path: &str) -> Cow<'_, str> {
    if path == "/" {
        return Cow::Borrowed(path);
    }
    let mut before = None;
    let mut segments = Vec::new();
    for segment in path.split('/') {
        if !(segment.is_empty() && matches!(before, Some("" | "." | ".."))) {
            segments.push(segment);
        }
        before = Some(segment);
    }
    match segments[..] {
        [""] if !path.is_empty() => Cow::Borrowed("/"),
        _ => Cow::Owned(segments.join("/")),
    }
}

#[cfg(test)]
mod tests {
    use rfc3986_reference::dot_segments::remove_dot_segments;

    use super::*;
    use crate::dots::texts;

    #[test]
    fn without_rules_it_is_the_reference() {
        for path in texts(9) {
            assert_eq!(
                remove_dots(&path, DotRules::default()).0,
                remove_dot_segments(&path),
                "{path}"
            );
        }
    }

    #[test]
    fn each_rule_changes_the_result() {
        let rules = DotRules::default();
        let removed = |path: &str, rules| remove_dots(path, rules).0;
        assert_eq!(removed("./../a/..", DotRules { kept: 2, ..rules }), "/");
        assert_eq!(removed("./a", DotRules { kept: 2, ..rules }), "./a");
        assert_eq!(
            removed(
                "/../a",
                DotRules {
                    loses_root: true,
                    ..rules
                }
            ),
            "a"
        );
        assert_eq!(
            removed(
                "a/../b",
                DotRules {
                    loses_slash: true,
                    ..rules
                }
            ),
            "b"
        );
        let drops = DotRules {
            drops_empty_segments: true,
            ..rules
        };
        assert_eq!(removed("a///b", drops), "a//b");
        assert_eq!(removed(".//", drops), "");
        assert_eq!(removed("//", drops), "/");
        assert_eq!(removed("a//.", drops), "a/");
        assert!(remove_dots("/a/..//./..", rules).1);
        assert!(!remove_dots("/a/..//.", rules).1);
        assert!(!remove_dots("/a//..", rules).1);
    }
}
