//! Dot-segments removed otherwise than by §5.2.4.

/// What becomes of the empty segments at the beginning of a rootless path whose first segments are removed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum EmptyFirst {
    /// They stay, and the path may begin with a slash.
    Kept,
    /// They are removed too.
    Lost,
}

/// A rootless path without its dot-segments, still rootless; a ".." with no segment before it stays.
pub(crate) fn rootless_without_dots(path: &str, empty_first: EmptyFirst) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "." => {}
            ".." if kept.last().is_some_and(|last| *last != "..") => {
                kept.pop();
            }
            "" if kept.is_empty() && empty_first == EmptyFirst::Lost => {}
            other => kept.push(other),
        }
    }
    if matches!(last_segment(path), "." | "..") && !kept.is_empty() {
        kept.push("");
    }
    kept.join("/")
}

/// The text behind the last slash.
pub(crate) fn last_segment(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}
