//! Resolution (RFC 3986 §5.2) over lists of segments: a derivation of its own, to hold the transcription against.
//!
//! The RFC removes dot-segments with two buffers. Here a path is a list, and a stack keeps what stays of it. Nothing is validated: what
//! comes in is a URI-reference.

/// A string divided as Appendix B does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divided<'a> {
    /// Before the first ":", if no "/", "?" or "#" is before it.
    pub scheme: Option<&'a str>,
    /// Behind "//".
    pub authority: Option<&'a str>,
    /// What is left.
    pub path: &'a str,
    /// Behind the first "?" before a "#".
    pub query: Option<&'a str>,
    /// Behind the first "#".
    pub fragment: Option<&'a str>,
}

impl<'a> Divided<'a> {
    /// Divides a string from its end to its beginning.
    pub fn of(text: &'a str) -> Divided<'a> {
        let (text, fragment) = cut_off(text, '#');
        let (text, query) = cut_off(text, '?');
        let (scheme, text) = match text.split_once(':') {
            Some((scheme, rest)) if !scheme.is_empty() && !scheme.contains('/') => (Some(scheme), rest),
            _ => (None, text),
        };
        let (authority, path) = match text.strip_prefix("//") {
            Some(rest) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                (Some(authority), path)
            }
            None => (None, text),
        };
        Divided {
            scheme,
            authority,
            path,
            query,
            fragment,
        }
    }

    /// The parts put together (§5.3), with this path.
    pub fn joined(&self, path: &str) -> String {
        let part = |before: &str, part: Option<&str>, behind: &str| match part {
            Some(part) => format!("{before}{part}{behind}"),
            None => String::new(),
        };
        [
            part("", self.scheme, ":"),
            part("//", self.authority, ""),
            path.to_owned(),
            part("?", self.query, ""),
            part("#", self.fragment, ""),
        ]
        .concat()
    }
}

fn cut_off(text: &str, delimiter: char) -> (&str, Option<&str>) {
    match text.split_once(delimiter) {
        Some((before, behind)) => (before, Some(behind)),
        None => (text, None),
    }
}

/// A path without its dot-segments (§5.2.4).
pub fn without_dot_segments(path: &str) -> String {
    let segments: Vec<&str> = path.split('/').collect();
    let last = segments.len() - 1;
    // "../" and "./" at the beginning are removed, whatever follows.
    let mut at = segments.iter().take_while(|segment| matches!(**segment, "." | "..")).count();
    let mut stack: Vec<String> = Vec::new();
    match segments.get(at) {
        None => return String::new(),
        // A slash begins what is left.
        Some(&"") if at < last => at += 1,
        Some(&first) => {
            stack.push(first.to_owned());
            at += 1;
        }
    }
    for (place, segment) in segments.iter().enumerate().skip(at) {
        match *segment {
            "." => {}
            ".." => {
                stack.pop();
            }
            other => {
                stack.push(format!("/{other}"));
                continue;
            }
        }
        // A dot-segment at the end leaves its slash.
        if place == last {
            stack.push("/".to_owned());
        }
    }
    stack.concat()
}

/// The target of `reference` against `base` (§5.2.2); `None` if the base has no scheme.
pub fn resolve(base: &str, reference: &str, strict: bool) -> Option<String> {
    let (base, mut reference) = (Divided::of(base), Divided::of(reference));
    let own = base.scheme?;
    if !strict && reference.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(own)) {
        reference.scheme = None;
    }
    let target = |authority, query| Divided {
        scheme: reference.scheme.or(base.scheme),
        authority,
        path: "",
        query,
        fragment: reference.fragment,
    };
    // What the reference has of scheme, authority and path, the first of them decides.
    Some(if reference.scheme.is_some() || reference.authority.is_some() {
        target(reference.authority, reference.query).joined(&without_dot_segments(reference.path))
    } else if reference.path.is_empty() {
        target(base.authority, reference.query.or(base.query)).joined(base.path)
    } else if reference.path.starts_with('/') {
        target(base.authority, reference.query).joined(&without_dot_segments(reference.path))
    } else {
        let mut segments: Vec<&str> = match (base.authority, base.path) {
            (Some(_), "") => vec!["", ""],
            (_, path) => path.split('/').collect(),
        };
        // The reference takes the place of the base's last segment (§5.2.3).
        segments.pop();
        segments.push(reference.path);
        target(base.authority, reference.query).joined(&without_dot_segments(&segments.join("/")))
    })
}
