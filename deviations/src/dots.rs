//! Dot-segments removed otherwise than by §5.2.4.

/// The segments of a path without its dot-segments. A ".." with no segment before it stays in a rootless path.
pub(crate) fn segments_without_dots(path: &str) -> Vec<&str> {
    let rest = path.strip_prefix('/');
    let mut kept: Vec<&str> = Vec::new();
    if path.is_empty() || path == "/" {
        return kept;
    }
    for segment in rest.unwrap_or(path).split('/') {
        match (segment, kept.last()) {
            (".", _) => {}
            ("..", None) if rest.is_some() => {}
            ("..", Some(last)) if *last != ".." => {
                kept.pop();
            }
            (other, _) => kept.push(other),
        }
    }
    if matches!(last_segment(path), "." | "..") && !kept.is_empty() {
        kept.push("");
    }
    kept
}

/// A rootless path without its dot-segments, still rootless; a ".." with no segment before it stays.
pub(crate) fn rootless_without_dots(path: &str) -> String {
    segments_without_dots(path).join("/")
}

/// A rootless path without the empty segments that would be its first ones once its dot-segments are removed.
pub(crate) fn without_empty_first_segments(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = Vec::new();
    for segment in path.split('/') {
        match segment {
            "." => {}
            ".." if kept.last().is_some_and(|last| *last != "..") => {
                kept.pop();
            }
            "" if kept.is_empty() => continue,
            other => kept.push(other),
        }
        segments.push(segment);
    }
    segments.join("/")
}

/// The text behind the last slash.
pub(crate) fn last_segment(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// All texts of a slash, a dot and a letter up to a length.
#[cfg(test)]
pub(crate) fn texts(length: usize) -> Vec<String> {
    let mut texts = vec![String::new()];
    let mut from = 0;
    for _ in 0..length {
        let longer: Vec<String> =
            texts[from..].iter().flat_map(|text| ['/', '.', 'a'].map(|c| format!("{text}{c}"))).collect();
        from = texts.len();
        texts.extend(longer);
    }
    texts
}

#[cfg(test)]
mod tests {
    use rfc3986_reference::dot_segments::remove_dot_segments;

    use super::*;

    #[test]
    fn of_an_absolute_path_the_segments_are_those_of_the_reference() {
        for path in texts(9) {
            if path.starts_with('/') {
                let joined = format!("/{}", segments_without_dots(&path).join("/"));
                assert_eq!(joined, remove_dot_segments(&path), "{path}");
            }
        }
    }

    #[test]
    fn a_rootless_path_stays_rootless() {
        for (path, left) in [
            ("a/..", ""),
            ("a/../b", "b"),
            ("../a/..", "../"),
            ("a/../../b/.", "../b/"),
            (".//a", "/a"),
        ] {
            assert_eq!(rootless_without_dots(path), left, "{path}");
        }
        for (path, left) in [
            (".//", "."),
            ("a/..//b", "a/../b"),
            ("..//b", "..//b"),
            ("a//b", "a//b"),
        ] {
            assert_eq!(without_empty_first_segments(path), left, "{path}");
        }
    }
}
