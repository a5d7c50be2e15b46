//! Composition (RFC 3986 §5.3), modification and printing, with a machine for each part that is made from the grammar: a derivation of
//! its own, to hold the transcription against.

use crate::abnf::{Error, Grammar};
use crate::automaton::Dfa;
use crate::segments::{Divided, put_together};

/// The rule of each part but the path, in the order of [`Divided::parts`].
const RULES: [(usize, &str); 6] = [
    (0, "scheme"),
    (1, "userinfo"),
    (2, "host"),
    (3, "port"),
    (5, "query"),
    (6, "fragment"),
];

/// The paths that `hier-part` and `relative-part` have without an authority.
const PATHS: &str = "\
behind-scheme = path-absolute / path-rootless / path-empty
behind-nothing = path-absolute / path-noscheme / path-empty
";

/// Makes URI-references of seven parts: scheme, userinfo, host, port, path, query and fragment, each undefined or a text.
#[derive(Clone, Debug)]
pub struct Composer {
    /// What matches `URI-reference`.
    pub reference: Dfa,
    /// What matches `URI`.
    pub uri: Dfa,
    parts: Vec<(usize, Dfa)>,
    behind_authority: Dfa,
    behind_scheme: Dfa,
    behind_nothing: Dfa,
}

impl Composer {
    /// Compiles the machines of a grammar that has the rules of Appendix A; `abnf` is its text.
    ///
    /// # Errors
    ///
    /// A text without these rules, or one that does not compile.
    pub fn of(abnf: &str) -> Result<Composer, Error> {
        let grammar = Grammar::read(&format!("{abnf}{PATHS}"))?;
        let machine = |rule| Dfa::compile(&grammar, rule);
        let parts = RULES.into_iter().map(|(at, rule)| Ok((at, machine(rule)?)));
        Ok(Composer {
            reference: machine("URI-reference")?,
            uri: machine("URI")?,
            parts: parts.collect::<Result<_, Error>>()?,
            behind_authority: machine("path-abempty")?,
            behind_scheme: machine("behind-scheme")?,
            behind_nothing: machine("behind-nothing")?,
        })
    }

    /// The URI-reference that has these parts; `None` if there is none.
    ///
    /// ```
    /// use uriproof_grammar::composition::Composer;
    /// use uriproof_grammar::rfc3986;
    ///
    /// let composer = Composer::of(rfc3986::ABNF)?;
    /// let path = |scheme, host, path| composer.compose(&[scheme, None, host, None, Some(path), None, None]);
    /// assert_eq!(path(Some("x"), Some("h"), "/a").as_deref(), Some("x://h/a"));
    /// assert_eq!(path(Some("x"), Some("h"), "a"), None);
    /// assert_eq!(path(Some("x"), None, "//a"), None);
    /// assert_eq!(path(Some("x"), None, "a:b").as_deref(), Some("x:a:b"));
    /// assert_eq!(path(None, None, "a:b"), None);
    /// # Ok::<(), uriproof_grammar::abnf::Error>(())
    /// ```
    pub fn compose(&self, parts: &[Option<&str>; 7]) -> Option<String> {
        let [scheme, userinfo, host, port, path, ..] = parts;
        let place = match (scheme, host) {
            (_, Some(_)) => &self.behind_authority,
            (Some(_), None) => &self.behind_scheme,
            (None, None) => &self.behind_nothing,
        };
        let has_host = host.is_some() || userinfo.is_none() && port.is_none();
        let is_part = |(at, machine): &(usize, Dfa)| parts[*at].is_none_or(|part| machine.accepts(part.as_bytes()));
        // The path is always defined, though it may be empty (§5.2.1).
        let fits = has_host && self.parts.iter().all(is_part) && place.accepts((*path)?.as_bytes());
        fits.then(|| put_together(parts))
    }

    /// The URI-reference with another text of the part at this place, or without the part; `None` if it is none, before or after.
    ///
    /// ```
    /// use uriproof_grammar::composition::Composer;
    /// use uriproof_grammar::rfc3986;
    ///
    /// let composer = Composer::of(rfc3986::ABNF)?;
    /// assert_eq!(composer.modify("x://h/a", 3, Some("80")).as_deref(), Some("x://h:80/a"));
    /// assert_eq!(composer.modify("x://h//a", 2, None), None);
    /// # Ok::<(), uriproof_grammar::abnf::Error>(())
    /// ```
    pub fn modify(&self, reference: &str, place: usize, part: Option<&str>) -> Option<String> {
        let mut parts = self.parts_of(reference)?;
        parts[place] = part;
        self.compose(&parts)
    }

    /// A URI-reference that is divided and put together again; `None` if it is none.
    pub fn print(&self, reference: &str) -> Option<String> {
        self.compose(&self.parts_of(reference)?)
    }

    /// Whether two URI-references have the same parts (§6.2.1); `None` if one of them is none.
    pub fn are_the_same(&self, left: &str, right: &str) -> Option<bool> {
        Some(self.parts_of(left)? == self.parts_of(right)?)
    }

    fn parts_of<'a>(&self, reference: &'a str) -> Option<[Option<&'a str>; 7]> {
        self.reference.accepts(reference.as_bytes()).then(|| Divided::of(reference).parts())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rfc3986::ABNF;

    /// Every string that tests a transition of the machine is printed as it is, or is none.
    #[test]
    fn what_matches_the_grammar_is_composed_of_its_parts() {
        let composer = Composer::of(ABNF).unwrap();
        let machine = composer.reference.machine();
        let mut printed = 0;
        for mut word in machine.access_words() {
            for &byte in machine.representatives() {
                word.push(byte);
                if let Ok(text) = std::str::from_utf8(&word) {
                    let is_reference = composer.reference.accepts(text.as_bytes());
                    assert_eq!(composer.print(text).as_deref(), is_reference.then_some(text), "{text}");
                    printed += usize::from(is_reference);
                }
                word.pop();
            }
        }
        assert!(printed > 300, "{printed}");
    }

    /// What is composed of any parts matches the grammar and has these parts; what is not composed would not.
    #[test]
    fn what_is_composed_has_the_parts_that_it_was_made_of() {
        let composer = Composer::of(ABNF).unwrap();
        let texts = [
            None,
            Some(""),
            Some("a"),
            Some("//"),
            Some("a:b/c"),
            Some("1"),
            Some("?#"),
        ];
        let mut composed = 0;
        for number in 0..texts.len().pow(7) {
            // Few of the query and the fragment, which nothing else depends on.
            if number % 5 != 0 {
                continue;
            }
            let parts: [Option<&str>; 7] =
                std::array::from_fn(|at| texts[number / texts.len().pow(at as u32) % texts.len()]);
            let text = put_together(&parts);
            let is_same = composer.reference.accepts(text.as_bytes()) && Divided::of(&text).parts() == parts;
            let made = composer.compose(&parts);
            assert_eq!(made, is_same.then_some(text), "{parts:?}");
            composed += usize::from(made.is_some());
        }
        assert!(composed > 1_000, "{composed}");
    }
}
