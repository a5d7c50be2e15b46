//! Brings an input into its plainest form, of the same length or shorter: tokens, characters, triplets and their order.

use std::iter;
use std::ops::Range;

use rfc3986_reference::characters::{is_reserved, is_unreserved, leading_triplet};
use uriproof::model::{Input, Rule, Rung, Scope};
use uriproof::split::{range, split};

use super::super::parts::{Texts, in_order, part, texts, with_texts};
use super::super::plain::{TextKind, plainer, plainer_tokens, weight};
use super::{TextSearch, VERY_LONG, character_at, with};

impl TextSearch<'_> {
    /// Brings the input into the plainest form that there is: the operation, the order of its texts, their tokens, and
    /// characters, all of one first, then one by one.
    pub(super) fn canonicalize(&mut self) {
        self.ask_plainly();
        self.replace_tokens();
        self.replace_everywhere();
        self.replace_one_by_one();
        self.move_controls();
        self.replace_of_both();
        self.replace_triplets_of_both();
        self.replace_runs_of_triplets();
        self.replace_reserved_triplets();
        self.order_data();
    }

    /// Asks for less: syntax-based normalization, a lower rung, strict resolution; puts what can be swapped in order.
    fn ask_plainly(&mut self) {
        let current = with_texts(&self.input, &self.texts);
        for plainer in plainer_questions(&current) {
            if (self.same)(&plainer) {
                self.texts = texts(&plainer);
                self.input = plainer;
                return;
            }
        }
    }

    /// Replaces scheme, host and port by plainer ones; of two texts also the same ones of both.
    fn replace_tokens(&mut self) {
        for at in 0..self.texts.len() {
            for token in 0.. {
                let Some((range, plainer)) = self.tokens(at).into_iter().nth(token) else {
                    break;
                };
                let here = self.text(at).to_owned();
                let own = weight(&here[range.clone()]);
                for plainer in plainer.iter().filter(|plainer| weight(plainer) < own) {
                    let mut texts = self.texts.clone();
                    texts[at] = Some(with(&here, range.clone(), plainer));
                    if self.takes(texts) || self.takes_token_of_both(at, &here[range.clone()], token, plainer) {
                        break;
                    }
                }
            }
        }
    }

    /// Replaces triplets that differ in case by "%aa" and "%aA"; a triplet of one text, and the character that it stands for
    /// in the other, by "%61" and "a", or "%26" and "&" if it is reserved.
    fn replace_triplets_of_both(&mut self) {
        let [Some(_), Some(_)] = &self.texts[..] else { return };
        if self.length() > VERY_LONG {
            return;
        }
        let alike: Vec<Range<usize>> = self
            .text(0)
            .match_indices('%')
            .map(|(start, _)| start..start + 3)
            .filter(|range| {
                let (left, right) = (self.text(0).get(range.clone()), self.text(1).get(range.clone()));
                left.zip(right).is_some_and(|(left, right)| left != right && left.eq_ignore_ascii_case(right))
            })
            .collect();
        for range in alike {
            self.takes(vec![
                Some(with(self.text(0), range.clone(), "%aa")),
                Some(with(self.text(1), range, "%aA")),
            ]);
        }
        for at in 0..2 {
            let triplets: Vec<usize> = self.text(at).match_indices('%').map(|(start, _)| start).collect();
            for start in triplets {
                let Some(octet) = self.text(at).as_bytes().get(start..).and_then(leading_triplet) else {
                    continue;
                };
                let character = char::from(octet);
                if !octet.is_ascii_graphic() || matches!(character, 'a' | '&') {
                    continue;
                }
                let others = places_of(self.text(1 - at), character);
                let plainest: &[_] = if is_unreserved(octet) {
                    &[("%61", "a"), ("%2d", "-")]
                } else {
                    &[("%26", "&")]
                };
                for &(triplet, plain) in plainest {
                    let is_taken = !plain.contains(character)
                        && others.iter().any(|other| {
                            let mut texts = self.texts.clone();
                            texts[at] = Some(with(self.text(at), start..start + 3, triplet));
                            texts[1 - at] = Some(with(self.text(1 - at), other.clone(), plain));
                            self.takes(texts)
                        });
                    if plain.contains(character) || is_taken {
                        break;
                    }
                }
            }
        }
    }

    /// Replaces runs of triplets by the two of a character beyond US-ASCII, where they must be its UTF-8.
    fn replace_runs_of_triplets(&mut self) {
        const STANDARD: &str = "%ca%aa";
        for at in 0..self.texts.len() {
            let mut from = 0;
            while let Some(start) = self.text(at)[from..].find('%').map(|start| from + start) {
                let rest = &self.text(at).as_bytes()[start..];
                let length = rest.chunks_exact(3).take_while(|triplet| leading_triplet(triplet).is_some()).count() * 3;
                let run = self.text(at).get(start..start + length).unwrap_or_default();
                from = start + length.max(1);
                if length >= STANDARD.len() && weight(STANDARD) < weight(run) {
                    let run = run.to_owned();
                    let text = with(self.text(at), start..start + length, STANDARD);
                    let both = self.texts.iter().map(|text| text.as_ref().map(|text| text.replace(&run, STANDARD)));
                    let both = both.collect();
                    if self.takes_at(at, Some(text)) || self.takes(both) {
                        from = start + STANDARD.len();
                    }
                }
            }
        }
    }

    /// Replaces the triplet of a reserved character by that of a plain one: which of them it is says nothing where a subject
    /// does the same to both.
    fn replace_reserved_triplets(&mut self) {
        const STANDARD: &str = "%2a";
        for at in 0..self.texts.len() {
            let triplets: Vec<usize> = self.text(at).match_indices('%').map(|(start, _)| start).collect();
            for start in triplets.into_iter().take(VERY_LONG) {
                let range = start..start + STANDARD.len();
                let octet = self.text(at).as_bytes().get(start..).and_then(leading_triplet);
                if octet.is_some_and(is_reserved) && weight(STANDARD) < weight(&self.text(at)[range.clone()]) {
                    self.takes_at(at, Some(with(self.text(at), range, STANDARD)));
                }
            }
        }
    }

    /// Puts the characters and triplets of a query or fragment in order, the plainest first: nothing is delimited there.
    fn order_data(&mut self) {
        for at in 0..self.texts.len() {
            for data in data_ranges(self.text(at), part(&self.input, at)) {
                let mut place = 0;
                while let Some((one, other)) = neighbors(&self.text(at)[data.clone()], place) {
                    let swapped = format!("{other}{one}");
                    let start = data.start + place;
                    let range = start..start + swapped.len();
                    let is_lighter = weight(&swapped) < weight(&self.text(at)[range.clone()]);
                    let (first, second) = (one.len(), other.len());
                    let is_taken = is_lighter && self.takes_at(at, Some(with(self.text(at), range, &swapped)));
                    // What came to the front may be plainer than what is before it.
                    let before = is_taken.then(|| last_token(&self.text(at)[data.start..start])).flatten();
                    place = match before {
                        Some(before) => place - before,
                        None if is_taken => place + second,
                        None => place + first,
                    };
                }
            }
        }
    }

    /// Replaces a token of a text and the same one of the other.
    fn takes_token_of_both(&mut self, at: usize, old: &str, token: usize, plainer: &str) -> bool {
        let [Some(_), Some(_)] = &self.texts[..] else {
            return false;
        };
        let mut texts = self.texts.clone();
        for (place, text) in texts.iter_mut().enumerate() {
            let Some(text) = text else { return false };
            let tokens = plainer_tokens(text, part(&self.input, place));
            let Some((range, _)) = tokens.get(token) else {
                return false;
            };
            if place != at && !text[range.clone()].eq_ignore_ascii_case(old) {
                return false;
            }
            let is_other_case = place != at && text[range.clone()] != *old;
            let plainer = if is_other_case {
                plainer.to_ascii_uppercase()
            } else {
                plainer.to_owned()
            };
            *text = with(text, range.clone(), &plainer);
        }
        self.takes(texts)
    }

    /// Moves control characters to the back: where a subject takes them out, it says nothing where they stood.
    fn move_controls(&mut self) {
        for at in 0..self.texts.len() {
            let count = self.text(at).chars().count();
            if count > VERY_LONG {
                continue;
            }
            for place in (0..count).rev() {
                let mut characters: Vec<char> = self.text(at).chars().collect();
                let mut last = place;
                while characters[last].is_ascii_control()
                    && last + 1 < count
                    && !characters[last + 1].is_ascii_control()
                {
                    characters.swap(last, last + 1);
                    if !self.takes_at(at, Some(characters.iter().collect())) {
                        break;
                    }
                    last += 1;
                }
            }
        }
    }

    /// Replaces a character that two texts share in some case, counted from the front or from the back, in both.
    fn replace_of_both(&mut self) {
        let [Some(_), Some(_)] = &self.texts[..] else { return };
        for from_the_back in [false, true] {
            for place in 0..self.text(0).chars().count().min(VERY_LONG) {
                let ranges: Vec<Option<Range<usize>>> =
                    (0..2).map(|at| character_at(self.text(at), place, from_the_back)).collect();
                let [Some(left), Some(right)] = &ranges[..] else { break };
                let (one, other) = (&self.text(0)[left.clone()], &self.text(1)[right.clone()]);
                if !one.eq_ignore_ascii_case(other) {
                    continue;
                }
                let (Some(one), is_other_case) = (one.chars().next(), one != other) else {
                    break;
                };
                let both: Vec<Texts> = plainer(one)
                    .map(|plainer| {
                        let counterpart = match (is_other_case, plainer.is_ascii_uppercase()) {
                            (false, _) => plainer,
                            (true, false) => plainer.to_ascii_uppercase(),
                            (true, true) => plainer.to_ascii_lowercase(),
                        };
                        vec![
                            Some(with(self.text(0), left.clone(), plainer.encode_utf8(&mut [0; 4]))),
                            Some(with(self.text(1), right.clone(), counterpart.encode_utf8(&mut [0; 4]))),
                        ]
                    })
                    .collect();
                for texts in both {
                    if self.takes(texts) {
                        break;
                    }
                }
            }
        }
    }

    pub(super) fn replace_everywhere(&mut self) {
        for character in self.characters_used() {
            for plainer in plainer(character) {
                let replace = |text: &Option<String>| {
                    text.as_ref().map(|text| text.replace(character, plainer.encode_utf8(&mut [0; 4])))
                };
                let texts = self.texts.iter().map(replace).collect();
                if self.takes(texts) {
                    break;
                }
            }
        }
    }

    fn replace_one_by_one(&mut self) {
        for at in 0..self.texts.len() {
            let count = self.text(at).chars().count();
            for place in (0..count).filter(|_| count <= VERY_LONG) {
                let Some(range) = character_at(self.text(at), place, false) else {
                    break;
                };
                let Some(character) = self.text(at)[range.clone()].chars().next() else {
                    break;
                };
                for plainer in plainer(character) {
                    let mut text = self.text(at).to_owned();
                    text.replace_range(range.clone(), plainer.encode_utf8(&mut [0; 4]));
                    if self.takes_at(at, Some(text)) {
                        break;
                    }
                }
            }
        }
    }
}

/// The places of a character, in any case.
fn places_of(text: &str, character: char) -> Vec<Range<usize>> {
    text.match_indices(|other: char| other.eq_ignore_ascii_case(&character))
        .map(|(at, other)| at..at + other.len())
        .collect()
}

/// `input` asked more plainly, the plainest first.
fn plainer_questions(input: &Input) -> Vec<Input> {
    match input {
        Input::Parse { rule, input } if *rule != Rule::UriReference => vec![Input::Parse {
            rule: Rule::UriReference,
            input: input.clone(),
        }],
        Input::Normalize {
            uri,
            scope: Scope::Scheme,
        } => vec![Input::Normalize {
            uri: uri.clone(),
            scope: Scope::Syntax,
        }],
        Input::Equivalent { left, right, rung } => {
            let rungs = [Rung::Simple, Rung::Syntax, Rung::Scheme];
            let lower = rungs.into_iter().take_while(|lower| lower < rung);
            let mut plainer: Vec<Input> = lower
                .map(|rung| Input::Equivalent {
                    left: left.clone(),
                    right: right.clone(),
                    rung,
                })
                .collect();
            plainer.extend(in_order(input));
            plainer
        }
        Input::Contract { .. } => in_order(input).into_iter().collect(),
        Input::Resolve {
            base,
            reference,
            strict,
        } => {
            let mut plainer = Vec::new();
            if !strict {
                plainer.push(Input::Resolve {
                    base: base.clone(),
                    reference: reference.clone(),
                    strict: true,
                });
            }
            plainer
        }
        _ => Vec::new(),
    }
}

/// Where the queries and fragments of a text are; none of a very long one.
fn data_ranges(text: &str, part: TextKind) -> Vec<Range<usize>> {
    match part {
        _ if text.len() > VERY_LONG => Vec::new(),
        TextKind::Data => iter::once(0..text.len()).collect(),
        TextKind::Whole => {
            let five = split(text);
            five.query.into_iter().chain(five.fragment).map(|data| range(data, text)).collect()
        }
        TextKind::Scheme | TextKind::Host | TextKind::Port | TextKind::Other => Vec::new(),
    }
}

/// The length of the triplet or the character that `text` begins with; none of nothing.
fn first_token(text: &str) -> Option<usize> {
    match leading_triplet(text.as_bytes()) {
        Some(_) => Some(3),
        None => text.chars().next().map(char::len_utf8),
    }
}

/// The length of the triplet or the character that `text` ends with; none of nothing.
fn last_token(text: &str) -> Option<usize> {
    let triplet = text.len().checked_sub(3).filter(|start| leading_triplet(&text.as_bytes()[*start..]).is_some());
    match triplet {
        Some(_) => Some(3),
        None => text.chars().next_back().map(char::len_utf8),
    }
}

/// The triplet or character that begins at `place`, and the next.
fn neighbors(text: &str, place: usize) -> Option<(&str, &str)> {
    let (one, rest) = text[place..].split_at(first_token(&text[place..])?);
    Some((one, &rest[..first_token(rest)?]))
}
