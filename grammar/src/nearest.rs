//! The string of a language that is nearest to one that may not be in it.
//!
//! ```
//! use uriproof_grammar::nearest::nearest;
//! use uriproof_grammar::{Dfa, rfc3986};
//!
//! let reference = Dfa::compile(&rfc3986::grammar(), "URI-reference")?;
//! let found = nearest(reference.machine(), "http://a b/").unwrap();
//! assert_eq!((&*found.text, found.edits), ("http://ab/", 1));
//! # Ok::<(), uriproof_grammar::abnf::Error>(())
//! ```

use crate::machine::{Machine, State};

/// The longest text whose nearest string is looked for, in characters: memory is so many times two bytes for a state.
pub const LONGEST: usize = 1 << 13;

/// A string of the language, of ASCII alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The string.
    pub text: String,
    /// How many characters must be added, dropped or changed to come to it; no other string of the language is nearer.
    pub edits: usize,
}

/// The string that `machine` accepts (whose output is not zero) and that is nearest to `input`. Of several, that which keeps
/// the most of the beginning, then drops rather than changes, and changes rather than adds. None if the machine accepts
/// nothing of ASCII, or `input` has more than [`LONGEST`] characters.
pub fn nearest(machine: &Machine, input: &str) -> Option<Nearest> {
    let characters: Vec<Option<u8>> =
        input.chars().map(|character| u8::try_from(character).ok().filter(u8::is_ascii)).collect();
    if characters.len() > LONGEST {
        return None;
    }
    let steps: Vec<Vec<(State, u8)>> = (0..machine.states() as State).map(|state| steps(machine, state)).collect();
    let costs = costs(machine, &steps, &characters);
    let edits = costs.last()?[machine.start() as usize];
    if edits == FAR {
        return None;
    }
    let mut text = String::with_capacity(input.len());
    let (mut state, mut left) = (machine.start(), edits);
    // Rows stand from the end of the input to its beginning.
    let mut rows = costs.iter().rev();
    let mut here = rows.next()?;
    let mut rest = characters.iter().zip(rows);
    let mut ahead = rest.next();
    loop {
        let added = |row: &[u16]| steps[state as usize].iter().find(|(to, _)| row[*to as usize] == left - 1);
        if let Some((&character, behind)) = ahead {
            let kept = character.map(|byte| (machine.step(state, byte), byte));
            if let Some((to, byte)) = kept.filter(|(to, _)| behind[*to as usize] == left) {
                state = to;
                text.push(char::from(byte));
            } else if left > 0 && behind[state as usize] == left - 1 {
                left -= 1;
            } else if let Some(&(to, byte)) = added(behind) {
                (state, left) = (to, left - 1);
                text.push(char::from(byte));
            } else if let Some(&(to, byte)) = added(here) {
                (state, left) = (to, left - 1);
                text.push(char::from(byte));
                continue;
            }
            here = behind;
            ahead = rest.next();
        } else if left == 0 {
            let edits = usize::from(edits);
            return Some(Nearest { text, edits });
        } else {
            let &(to, byte) = added(here)?;
            (state, left) = (to, left - 1);
            text.push(char::from(byte));
        }
    }
}

/// Farther than any string that there is.
const FAR: u16 = u16::MAX;

/// Where a character leads from a state, each place once, with the character that reads best: letters and digits first.
fn steps(machine: &Machine, state: State) -> Vec<(State, u8)> {
    let mut bytes: Vec<u8> = machine.representatives().iter().copied().filter(u8::is_ascii).collect();
    bytes.sort_by_key(|byte| !byte.is_ascii_alphanumeric());
    let mut steps: Vec<(State, u8)> = Vec::new();
    for byte in bytes {
        let to = machine.step(state, byte);
        if steps.iter().all(|(known, _)| *known != to) {
            steps.push((to, byte));
        }
    }
    steps
}

/// By how many characters of the input are left, from none to all, and by state: how many edits lead to acceptance.
fn costs(machine: &Machine, steps: &[Vec<(State, u8)>], characters: &[Option<u8>]) -> Vec<Vec<u16>> {
    let states = || 0..machine.states() as State;
    let least = |row: &[u16], state: State| steps[state as usize].iter().map(|(to, _)| row[*to as usize]).min();
    let one_more = |cost: Option<u16>| cost.unwrap_or(FAR).saturating_add(1);
    let add = |row: &mut Vec<u16>| loop {
        let mut is_changed = false;
        for state in states().rev() {
            let cost = one_more(least(row, state));
            if cost < row[state as usize] {
                row[state as usize] = cost;
                is_changed = true;
            }
        }
        if !is_changed {
            break;
        }
    };
    let mut last: Vec<u16> = states().map(|state| if machine.output(state) == 0 { FAR } else { 0 }).collect();
    add(&mut last);
    let mut rows = vec![last];
    for character in characters.iter().rev() {
        let behind = &rows[rows.len() - 1];
        let mut row: Vec<u16> = states()
            .map(|state| {
                let kept = character.map_or(FAR, |byte| behind[machine.step(state, byte) as usize]);
                let edited = least(behind, state).into_iter().chain([behind[state as usize]]).min();
                kept.min(one_more(edited))
            })
            .collect();
        add(&mut row);
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dfa, Grammar, rfc3986};

    fn near(rule: &str, input: &str) -> (String, usize) {
        let found = nearest(Dfa::compile(&rfc3986::grammar(), rule).unwrap().machine(), input).unwrap();
        (found.text, found.edits)
    }

    #[test]
    fn what_matches_is_its_own_nearest() {
        for input in ["", "a:b", "//[::1]:8/a?b#c", "%41"] {
            assert_eq!(near("URI-reference", input), (input.to_owned(), 0));
        }
    }

    #[test]
    fn what_does_not_match_is_mended_as_late_as_can_be() {
        for (rule, input, text, edits) in [
            ("URI-reference", "1:b", "1b", 1),
            ("URI-reference", "http://[::1::]/", "http://[::1:0]/", 1),
            ("URI-reference", "http://a/\u{e9}\u{65e5}", "http://a/", 2),
            ("URI-reference", "a%2", "a%20", 1),
            ("URI-reference", "//[", "//", 1),
            ("dec-octet", "256", "25", 1),
            ("dec-octet", "", "0", 1),
            ("IPvFuture", "v", "va.g", 3),
            ("URI", "", "a:", 2),
        ] {
            assert_eq!(near(rule, input), (text.to_owned(), edits), "{rule} {input}");
        }
    }

    /// No string of the language is nearer: all are compared, by the distance as it is defined.
    #[test]
    fn nothing_is_nearer() {
        fn distance(one: &[u8], other: &[u8]) -> usize {
            match (one, other) {
                ([], rest) | (rest, []) => rest.len(),
                ([a, one @ ..], [b, other @ ..]) if a == b => distance(one, other),
                ([_, one_rest @ ..], [_, other_rest @ ..]) => {
                    1 + distance(one_rest, other).min(distance(one, other_rest)).min(distance(one_rest, other_rest))
                }
            }
        }
        let grammar = Grammar::read("pair = \"ab\" / \"c\" *2( \"d\" \"e\" )").unwrap();
        let dfa = Dfa::compile(&grammar, "pair").unwrap();
        let language: [&[u8]; 4] = [b"ab", b"c", b"cde", b"cdede"];
        let mut texts = vec![String::new()];
        for _ in 0..5 {
            let longer = texts.iter().flat_map(|text| "abcdex".chars().map(move |last| format!("{text}{last}")));
            texts = [String::new()].into_iter().chain(longer).collect();
        }
        for text in texts {
            let found = nearest(dfa.machine(), &text).unwrap();
            assert!(dfa.accepts(found.text.as_bytes()), "{text}: {}", found.text);
            let least = language.iter().map(|word| distance(word, text.as_bytes())).min().unwrap();
            // Letters of ABNF have either case, and the small ones are taken.
            assert_eq!(
                (distance(found.text.as_bytes(), text.as_bytes()), found.edits),
                (least, least),
                "{text}"
            );
        }
    }

    #[test]
    fn an_empty_language_and_a_long_text_have_none() {
        let grammar = Grammar::read("high = %x80").unwrap();
        assert_eq!(nearest(Dfa::compile(&grammar, "high").unwrap().machine(), "a"), None);
        let long = "a".repeat(LONGEST + 1);
        let dfa = Dfa::compile(&rfc3986::grammar(), "segment").unwrap();
        assert_eq!(nearest(dfa.machine(), &long), None);
        assert_eq!(nearest(dfa.machine(), &long[1..]).unwrap().edits, 0);
    }
}
