//! Patterns for the ids of vectors.

use std::collections::HashMap;
use std::fmt;

/// A pattern: `*` is any text, "/" among it, `?` one character, `{a,b}` one of several texts. The case of letters means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    pattern: String,
    is_exact: bool,
    /// Without braces, in lower case.
    alternatives: Vec<String>,
}

impl Glob {
    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// What is wrong with it, on one line.
    pub fn new(pattern: &str) -> Result<Glob, String> {
        if pattern.contains(['[', ']', '\\']) {
            return Err("a pattern has `*`, `?` and `{a,b}`; no id has brackets or backslashes".to_owned());
        }
        Ok(Glob {
            pattern: pattern.to_owned(),
            is_exact: !pattern.contains(['*', '?', '{']),
            alternatives: expand(&pattern.to_ascii_lowercase())?,
        })
    }

    /// Whether it stands for one id, its own text.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Whether it matches an id.
    pub fn matches(&self, id: &str) -> bool {
        self.matches_lower(&id.to_ascii_lowercase())
    }

    /// As [`matches`](Glob::matches), of an id in lower case.
    fn matches_lower(&self, id: &str) -> bool {
        self.alternatives.iter().any(|pattern| matches(pattern.as_bytes(), id.as_bytes()))
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.pattern)
    }
}

/// Many patterns, compiled once: an exact id costs one look into a map, however many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GlobSet {
    /// The places of exact patterns, by their text in lower case.
    exact: HashMap<String, usize>,
    /// The other patterns, each with its place, in their order.
    patterns: Vec<(usize, Glob)>,
}

impl GlobSet {
    /// Compiles patterns. Of exact ones that are the same, the first counts.
    pub(super) fn new<'g>(globs: impl IntoIterator<Item = &'g Glob>) -> GlobSet {
        let mut set = GlobSet::default();
        for (place, glob) in globs.into_iter().enumerate() {
            match glob.is_exact() {
                true => {
                    set.exact.entry(glob.pattern.to_ascii_lowercase()).or_insert(place);
                }
                false => set.patterns.push((place, glob.clone())),
            }
        }
        set
    }

    /// The places of the patterns that an id can belong to: the exact one alone, else those that match, in their order.
    pub(super) fn all(&self, id: &str) -> impl Iterator<Item = usize> {
        let id = id.to_ascii_lowercase();
        let exact = self.exact.get(&id).copied();
        let patterns = if exact.is_some() { &[][..] } else { &self.patterns };
        let matching = move |(place, glob): &(usize, Glob)| glob.matches_lower(&id).then_some(*place);
        exact.into_iter().chain(patterns.iter().filter_map(matching))
    }
}

/// The patterns that one with braces stands for.
fn expand(pattern: &str) -> Result<Vec<String>, String> {
    let Some(open) = pattern.find('{') else {
        return match pattern.contains('}') {
            true => Err("a `}` has no `{` before it".to_owned()),
            false => Ok(vec![pattern.to_owned()]),
        };
    };
    let (before, rest) = (&pattern[..open], &pattern[open + 1..]);
    let (inside, after) = rest.split_once('}').ok_or("a `{` has no `}` after it")?;
    if before.contains('}') || inside.contains('{') {
        return Err("braces stand neither crossed nor in each other".to_owned());
    }
    let after = expand(after)?;
    Ok(inside.split(',').flat_map(|one| after.iter().map(move |after| format!("{before}{one}{after}"))).collect())
}

/// Whether a pattern without braces matches a text: after a star that fails, the last star takes one octet more.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut in_text) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while in_text < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, in_text));
                at += 1;
            }
            Some(&octet) if octet == b'?' || octet == text[in_text] => {
                at += 1;
                in_text += 1;
            }
            _ => {
                let Some((of_star, taken)) = star else {
                    return false;
                };
                star = Some((of_star, taken + 1));
                (at, in_text) = (of_star + 1, taken + 1);
            }
        }
    }
    pattern[at..].iter().all(|&octet| octet == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_ids() {
        for (pattern, id, expected) in [
            ("syntax/ipv6/*", "syntax/ipv6/double-elision", true),
            ("syntax/*", "syntax/ipv6/double-elision", true),
            ("*elision", "syntax/ipv6/double-elision", true),
            ("*el*sion", "syntax/ipv6/double-elision", true),
            ("syntax/{ipv6,path}/*", "syntax/path/empty", true),
            ("syntax/{ipv6,path}/*", "syntax/port/empty", false),
            ("rfc/5.4.?/query-only", "rfc/5.4.1/query-only", true),
            ("syntax", "syntax/path/empty", false),
            ("SYNTAX/PATH/EMPTY", "syntax/path/empty", true),
            ("", "a", false),
            ("*", "", true),
        ] {
            assert_eq!(Glob::new(pattern).unwrap().matches(id), expected, "{pattern} {id}");
        }
    }

    #[test]
    fn a_set_finds_the_exact_pattern_before_the_first_that_matches() {
        let globs = ["a/*", "a/b", "A/B", "a/{c,d}", "*"].map(|pattern| Glob::new(pattern).unwrap());
        let set = GlobSet::new(&globs);
        for (id, expected) in [("a/b", 1), ("A/b", 1), ("a/c", 0), ("b", 4)] {
            assert_eq!(set.all(id).next(), Some(expected), "{id}");
        }
        assert_eq!(set.all("a/c").collect::<Vec<_>>(), [0, 3, 4]);
        assert_eq!(set.all("a/b").collect::<Vec<_>>(), [1]);
        assert_eq!(GlobSet::new(&globs[..4]).all("b").next(), None);
    }

    #[test]
    fn what_is_no_pattern_says_why() {
        for pattern in ["a[bc]", "a{b", "a}b", "a{b{c,d}}"] {
            assert!(Glob::new(pattern).is_err(), "{pattern}");
        }
    }
}
