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

    /// Scheme, userinfo, host, port, path, query and fragment: the authority is divided too (§3.2).
    pub fn parts(&self) -> [Option<&'a str>; 7] {
        let userinfo = self.authority.and_then(|authority| authority.split_once('@'));
        let rest = userinfo.map(|(_, rest)| rest).or(self.authority);
        let colon = rest.and_then(|rest| {
            // A colon of an IP-literal is before its bracket.
            let literal = rest.rfind(']').map_or(0, |bracket| bracket + 1);
            Some(literal + rest[literal..].find(':')?)
        });
        let host = rest.map(|rest| &rest[..colon.unwrap_or(rest.len())]);
        let port = rest.zip(colon).map(|(rest, colon)| &rest[colon + 1..]);
        let userinfo = userinfo.map(|(userinfo, _)| userinfo);
        [
            self.scheme,
            userinfo,
            host,
            port,
            Some(self.path),
            self.query,
            self.fragment,
        ]
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

/// The seven parts put together (§3.2, §5.3), in the order of [`Divided::parts`].
pub fn put_together<S: AsRef<str>>(parts: &[Option<S>; 7]) -> String {
    let [scheme, userinfo, host, port, path, query, fragment] =
        parts.each_ref().map(|part| part.as_ref().map(AsRef::as_ref));
    let authority = host.map(|host| {
        let userinfo = userinfo.map_or_else(String::new, |userinfo| format!("{userinfo}@"));
        let port = port.map_or_else(String::new, |port| format!(":{port}"));
        format!("{userinfo}{host}{port}")
    });
    let divided = Divided {
        scheme,
        authority: authority.as_deref(),
        path: "",
        query,
        fragment,
    };
    divided.joined(path.unwrap_or_default())
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

/// References that may have the target `target` against `base`, the shortest kind first and `target` itself last. Each has a part of the
/// target: only its end, its path behind ".." segments, its path, its authority. Not all of them resolve to it.
pub fn references(base: &str, target: &str) -> [String; 5] {
    let (base, to) = (Divided::of(base), Divided::of(target));
    let without_scheme = Divided { scheme: None, ..to };
    let end = Divided {
        authority: None,
        ..without_scheme
    };
    let from = match (base.authority, base.path) {
        (Some(_), "") => "/",
        (_, path) => path,
    };
    [
        end.joined(""),
        end.joined(&path_between(from, to.path)),
        end.joined(to.path),
        without_scheme.joined(to.path),
        target.to_owned(),
    ]
}

/// The first of the [`references`] that resolves to `target` without its dot-segments; `None` if the base has no scheme.
///
/// ```
/// use uriproof_grammar::segments::relativize;
///
/// assert_eq!(relativize("x://h/a/b/c", "x://h/a/d?q").as_deref(), Some("../d?q"));
/// assert_eq!(relativize("x:a/b", "x:a/b:c").as_deref(), Some("./b:c"));
/// assert_eq!(relativize("x://h/a", "x:a").as_deref(), Some("x:a"));
/// ```
pub fn relativize(base: &str, target: &str) -> Option<String> {
    let wanted = resolve(base, target, true)?;
    references(base, target)
        .into_iter()
        .find(|reference| resolve(base, reference, true).as_ref() == Some(&wanted))
}

/// The way from the last "/" of one path to the other path, both without their dot-segments.
fn path_between(from: &str, to: &str) -> String {
    let folder = &from[..from.rfind('/').map_or(0, |slash| slash + 1)];
    let (folder, to) = (without_dot_segments(folder), without_dot_segments(to));
    let (mut folders, to): (Vec<&str>, Vec<&str>) = (folder.split('/').collect(), to.split('/').collect());
    folders.pop();
    let common = folders.iter().zip(&to[..to.len() - 1]).take_while(|(one, other)| one == other).count();
    let rest = to[common..].join("/");
    let is_root = common > 0 && rest.starts_with('/');
    match folders.len() - common {
        // An empty path would be the base's own, a slash at the beginning a root, a colon the end of a scheme.
        0 if rest.is_empty() || is_root || to[common].contains(':') => format!("./{rest}"),
        up => "../".repeat(up) + &rest,
    }
}
