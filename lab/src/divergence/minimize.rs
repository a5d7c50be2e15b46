//! Making an input smaller while what it shows stays.

use std::iter;
use std::ops::Range;

use rfc3986_reference::characters::{is_reserved, is_unreserved, leading_triplet};
use uriproof::model::{Input, Rule, Rung, Scope};
use uriproof::split::{self, UserinfoEnd, range, split};

use super::parts::{Texts, in_order, is_optional, part, texts, with_texts};
use super::plain::{STANDARDS, TextKind, plainer, plainer_tokens, weight};

/// From how many characters on parts are dropped before single characters are. A short input is made smaller by the
/// smallest steps only: the larger a step, the likelier it ends in another difference that looks the same.
const LONG: usize = 40;

/// From how many characters on every step that is tried once for each place costs too much: such a text is long because
/// its length matters, and becomes one of few runs of equal characters first.
const VERY_LONG: usize = 10 * LONG;

/// A local minimum of `input`: the smallest that was found for which `same` holds, as it must for `input` itself.
///
/// Parts first (of a long input: components, segments, halves and smaller stretches), then single characters, then the
/// groups, triplets and segments that no single step can drop; then every character is replaced by the plainest of its
/// kind. Removing any one character of the result ends in an input for which `same` does not hold. Deterministic.
pub fn minimize(input: &Input, same: &mut dyn FnMut(&Input) -> bool) -> Input {
    let mut search = TextSearch {
        input: input.clone(),
        texts: texts(input),
        same,
    };
    search.settle();
    search.standardize();
    with_texts(&search.input, &search.texts)
}

/// Every input that is `input` without one of its characters; those that come of a run of equal characters once.
pub fn without_one_character(input: &Input) -> impl Iterator<Item = Input> {
    let texts = texts(input);
    let mut smaller = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let Some(text) = text else { continue };
        for range in characters_of_runs(text) {
            let mut texts = texts.clone();
            texts[at] = Some(without(text, range));
            smaller.push(texts);
        }
    }
    let input = input.clone();
    smaller.into_iter().map(move |texts| with_texts(&input, &texts))
}

struct TextSearch<'a> {
    /// What stays of the input: all but its texts.
    input: Input,
    texts: Texts,
    same: &'a mut dyn FnMut(&Input) -> bool,
}

impl TextSearch<'_> {
    /// Goes on until nothing makes the input lighter.
    fn settle(&mut self) {
        loop {
            let before = (self.input.clone(), self.texts.clone());
            if self.length() > LONG {
                self.drop_components();
                self.drop_stretches();
            }
            if self.length() > VERY_LONG {
                self.replace_everywhere();
                self.drop_everywhere();
                self.drop_stretches();
            }
            self.drop_characters();
            self.drop_units();
            self.canonicalize();
            if (&self.input, &self.texts) == (&before.0, &before.1) {
                return;
            }
        }
    }

    /// Puts standard schemes and ports in the place of others, where that is a minimum too.
    fn standardize(&mut self) {
        for at in 0..self.texts.len() {
            for token in 0.. {
                let Some((range, known)) = self.tokens(at).into_iter().nth(token) else {
                    break;
                };
                let here = self.text(at).to_owned();
                let own = &here[range.clone()];
                let standards = STANDARDS.iter().filter(|standard| {
                    let is_of_kind = known.iter().any(|known| known.eq_ignore_ascii_case(standard));
                    is_of_kind && own.len() > 1 && **standard != own
                });
                for standard in standards {
                    let settled = (self.input.clone(), self.texts.clone());
                    let wanted = with(&here, range.clone(), standard);
                    if self.takes_at(at, Some(wanted.clone())) {
                        self.settle();
                        if self.text(at) == wanted {
                            break;
                        }
                        (self.input, self.texts) = settled;
                    }
                }
            }
        }
    }

    /// The tokens of a text, each with what may be plainer.
    fn tokens(&self, at: usize) -> Vec<(Range<usize>, &'static [&'static str])> {
        plainer_tokens(self.text(at), part(&self.input, at))
    }

    /// Takes `texts` if what is shown stays; says whether it did.
    fn takes(&mut self, texts: Texts) -> bool {
        if texts == self.texts || !(self.same)(&with_texts(&self.input, &texts)) {
            return false;
        }
        self.texts = texts;
        true
    }

    /// As [`TextSearch::takes`], with another text at one place.
    fn takes_at(&mut self, at: usize, text: Option<String>) -> bool {
        let mut texts = self.texts.clone();
        texts[at] = text;
        self.takes(texts)
    }

    fn length(&self) -> usize {
        self.texts.iter().flatten().map(String::len).sum()
    }

    fn text(&self, at: usize) -> &str {
        self.texts[at].as_deref().unwrap_or_default()
    }

    /// Drops and empties components and parts of the authority, then segments.
    fn drop_components(&mut self) {
        for at in 0..self.texts.len() {
            if is_optional(&self.input, at) && self.texts[at].is_some() && !self.takes_at(at, None) {
                self.takes_at(at, Some(String::new()));
            }
            // From the back, so that what is left keeps its place.
            let ranges = component_ranges(self.text(at));
            for range in ranges.into_iter().rev().take(LONG) {
                if self.text(at).get(range.clone()).is_some() {
                    self.takes_at(at, Some(without(self.text(at), range)));
                }
            }
        }
    }

    /// Delta debugging: halves, quarters, ... down to pairs, or to a small part of a very long text.
    fn drop_stretches(&mut self) {
        for at in 0..self.texts.len() {
            let mut length = self.text(at).chars().count() / 2;
            let shortest = (2 * length / VERY_LONG).max(2);
            while length >= shortest {
                let mut from = 0;
                // Where the stretch before begins, if it had to stay.
                let mut kept: Option<usize> = None;
                while from < self.text(at).len() {
                    let text = self.text(at);
                    let to = text[from..].char_indices().nth(length).map_or(text.len(), |(end, _)| from + end);
                    // Without one of two equal neighbours, the same is left.
                    let is_repeated = kept.is_some_and(|kept| text[kept..from] == text[from..to]);
                    if is_repeated || !self.takes_at(at, Some(without(text, from..to))) {
                        kept = Some(from);
                        from = to;
                    } else {
                        kept = None;
                    }
                }
                length /= 2;
            }
        }
    }

    /// Drops single characters as long as one can be dropped; of two texts, also the same one of both.
    fn drop_characters(&mut self) {
        loop {
            let before = self.length();
            for at in 0..self.texts.len() {
                if self.texts[at].is_some() && is_optional(&self.input, at) {
                    self.takes_at(at, None);
                }
                let mut skipped = 0;
                loop {
                    let Some(range) = characters_of_runs(self.text(at)).nth(skipped) else {
                        break;
                    };
                    if !self.takes_at(at, Some(without(self.text(at), range))) {
                        skipped += 1;
                    }
                }
            }
            self.drop_of_both();
            if self.length() == before {
                return;
            }
        }
    }

    /// Drops a character that two texts share, counted from the front or from the back.
    fn drop_of_both(&mut self) {
        let [Some(_), Some(_)] = &self.texts[..] else { return };
        for from_the_back in [false, true] {
            let mut place = 0;
            loop {
                let ranges: Vec<Option<Range<usize>>> =
                    (0..2).map(|at| character_at(self.text(at), place, from_the_back)).collect();
                let [Some(left), Some(right)] = &ranges[..] else { break };
                let same_character = self.text(0)[left.clone()].eq_ignore_ascii_case(&self.text(1)[right.clone()]);
                let dropped = same_character
                    && self.takes(vec![
                        Some(without(self.text(0), left.clone())),
                        Some(without(self.text(1), right.clone())),
                    ]);
                if !dropped {
                    place += 1;
                }
            }
        }
    }

    /// Drops what no single character can be dropped of: triplets, groups of an address, octets, segments, doubled
    /// delimiters.
    fn drop_units(&mut self) {
        for at in 0..self.texts.len() {
            let mut skipped = 0;
            while let Some(range) = units(self.text(at)).get(skipped).cloned() {
                if !self.takes_at(at, Some(without(self.text(at), range))) {
                    skipped += 1;
                }
            }
        }
        self.decode_triplets();
        self.drop_pairs_of_components();
        self.drop_units_of_both();
    }

    /// Replaces triplets by the unreserved characters that they stand for.
    fn decode_triplets(&mut self) {
        for at in 0..self.texts.len() {
            let mut from = 0;
            while let Some(start) = self.text(at)[from..].find('%').map(|start| from + start) {
                from = start + 1;
                let octet = leading_triplet(&self.text(at).as_bytes()[start..]);
                if let Some(octet) = octet.filter(|octet| is_unreserved(*octet)) {
                    let decoded = char::from(octet);
                    let text = with(self.text(at), start..start + 3, decoded.encode_utf8(&mut [0; 4]));
                    self.takes_at(at, Some(text));
                }
            }
        }
    }

    /// Makes two components undefined at once: a host goes only with its userinfo and its port.
    fn drop_pairs_of_components(&mut self) {
        let optional: Vec<usize> = (0..self.texts.len()).filter(|at| is_optional(&self.input, *at)).collect();
        for (place, &one) in optional.iter().enumerate() {
            for &other in &optional[place + 1..] {
                if self.texts[one].is_some() && self.texts[other].is_some() {
                    let mut texts = self.texts.clone();
                    texts[one] = None;
                    texts[other] = None;
                    self.takes(texts);
                }
            }
        }
    }

    /// Drops a unit, or a character, that two texts share, wherever they have it.
    fn drop_units_of_both(&mut self) {
        let [Some(_), Some(_)] = &self.texts[..] else { return };
        if self.length() > VERY_LONG {
            return;
        }
        for is_last in [false, true] {
            let mut skipped = 0;
            loop {
                let (left, right) = (self.text(0), self.text(1));
                let mut parts = units(left);
                parts.extend(characters_of_runs(left));
                let Some(unit) = parts.get(skipped).cloned() else { break };
                let (wanted, there) = (left[unit.clone()].to_ascii_lowercase(), right.to_ascii_lowercase());
                let other = if is_last {
                    there.rfind(&wanted)
                } else {
                    there.find(&wanted)
                };
                let dropped = other
                    .map(|other| {
                        vec![
                            Some(without(left, unit)),
                            Some(without(right, other..other + wanted.len())),
                        ]
                    })
                    .is_some_and(|texts| self.takes(texts));
                if !dropped {
                    skipped += 1;
                }
            }
        }
    }

    fn characters_used(&self) -> Vec<char> {
        let mut used: Vec<char> = self.texts.iter().flatten().flat_map(|text| text.chars()).collect();
        used.sort_unstable();
        used.dedup();
        used
    }

    /// Drops all of one character at once.
    fn drop_everywhere(&mut self) {
        for character in self.characters_used() {
            let drop = |text: &Option<String>| text.as_ref().map(|text| text.replace(character, ""));
            self.takes(self.texts.iter().map(drop).collect());
        }
    }

    /// Brings the input into the plainest form that there is: what is asked for, the order of its texts, their tokens, and
    /// characters, all of one first, then one by one.
    fn canonicalize(&mut self) {
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

    fn replace_everywhere(&mut self) {
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

fn without(text: &str, range: Range<usize>) -> String {
    with(text, range, "")
}

fn with(text: &str, range: Range<usize>, other: &str) -> String {
    let mut changed = String::with_capacity(text.len() + other.len());
    changed.push_str(&text[..range.start]);
    changed.push_str(other);
    changed.push_str(&text[range.end..]);
    changed
}

/// Where characters begin, and the end.
fn boundaries(text: &str) -> Vec<usize> {
    text.char_indices().map(|(at, _)| at).chain([text.len()]).collect()
}

fn character_at(text: &str, place: usize, from_the_back: bool) -> Option<Range<usize>> {
    let (at, character) = if from_the_back {
        text.char_indices().nth_back(place)?
    } else {
        text.char_indices().nth(place)?
    };
    Some(at..at + character.len_utf8())
}

/// The first character of each run of equal ones: to drop another of the run gives the same text.
fn characters_of_runs(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut previous = None;
    text.char_indices()
        .filter(move |&(_, character)| previous.replace(character) != Some(character))
        .map(|(at, character)| at..at + character.len_utf8())
}

/// The five components with their delimiters, and the userinfo and the port.
fn component_ranges(text: &str) -> Vec<Range<usize>> {
    let five = split(text);
    let mut ranges = Vec::new();
    let mut at = 0;
    let mut next = |length: Option<usize>| {
        if let Some(length) = length {
            ranges.push(at..at + length);
            at += length;
        }
    };
    next(five.scheme.map(|scheme| scheme.len() + 1));
    if let Some(authority) = five.authority {
        next(Some(2));
        let parts = split::authority(authority, UserinfoEnd::LastAt);
        next(parts.userinfo.map(|userinfo| userinfo.len() + 1));
        next(Some(parts.host.len()));
        next(parts.port.map(|port| port.len() + 1));
    }
    for segment in five.path.split_inclusive('/') {
        next(Some(segment.len()));
    }
    next(five.query.map(|query| query.len() + 1));
    next(five.fragment.map(|fragment| fragment.len() + 1));
    ranges.retain(|range| !range.is_empty());
    ranges
}

/// Stretches of two to five characters that belong together: `%41`, `1:`, `:1`, `1.`, `.1`, `a/`, `/a`, `//`, `::`.
fn units(text: &str) -> Vec<Range<usize>> {
    let at = boundaries(text);
    let is_delimiter = |character: char| ":/.@?#[]".contains(character);
    let mut units = Vec::new();
    let characters: Vec<char> = text.chars().collect();
    if characters.len() > VERY_LONG {
        return units;
    }
    // Two triplets, which may be one character in UTF-8.
    for (start, _) in text.match_indices('%') {
        let octets = &text.as_bytes()[start..];
        let is_triplet = |at: usize| octets.get(at..).and_then(leading_triplet).is_some();
        if is_triplet(0) && is_triplet(3) {
            units.push(start..start + 6);
        }
    }
    for start in 0..characters.len() {
        for length in (2..=5).filter(|length| start + length <= characters.len()) {
            let unit = &characters[start..start + length];
            let inner = |characters: &[char]| !characters.iter().any(|&character| is_delimiter(character));
            let is_unit = match unit {
                ['%', one, other] => one.is_ascii_hexdigit() && other.is_ascii_hexdigit(),
                [one, other] if is_delimiter(*one) && is_delimiter(*other) => one == other || unit.contains(&'.'),
                ['/', '.', '.'] | ['.', '.', '/'] => true,
                ['/', segment @ .., '/', '.', '.'] => inner(segment),
                [first, rest @ ..] if is_delimiter(*first) => inner(rest),
                [rest @ .., last] if is_delimiter(*last) => inner(rest),
                _ => false,
            };
            if is_unit {
                units.push(at[start]..at[start + length]);
            }
        }
    }
    units
}

#[cfg(test)]
mod tests {
    use uriproof::model::{Components, Input, Rule, Rung};

    use super::{minimize, without_one_character};

    fn parse(text: &str) -> Input {
        Input::Parse {
            rule: Rule::UriReference,
            input: text.to_owned(),
        }
    }

    fn minimum(text: &str, same: impl Fn(&str) -> bool) -> String {
        let minimum = minimize(&parse(text), &mut |input| match input {
            Input::Parse { input, .. } => same(input),
            _ => false,
        });
        for smaller in without_one_character(&minimum) {
            match smaller {
                Input::Parse { input, .. } => assert!(!same(&input), "{input} is smaller than {minimum}"),
                other => panic!("{other}"),
            }
        }
        match minimum {
            Input::Parse { input, .. } => input,
            other => panic!("{other}"),
        }
    }

    #[test]
    fn what_does_not_matter_goes() {
        let url = "https://user:secret@www.example.com:8443/docs/../inde[x.html?lang=en&x=%41#top";
        assert_eq!(minimum(url, |text| text.contains('[')), "[");
        assert_eq!(minimum(url, |text| text.contains("/../")), "/../");
        assert_eq!(minimum(url, |text| text.contains('%')), "%");
        assert_eq!(minimum(url, |text| text.contains('@') && text.contains('?')), "@?");
        assert_eq!(minimum("//[0123:4567::89ab]", |text| text.contains("]")), "]");
    }

    #[test]
    fn what_no_single_character_can_be_dropped_of_goes_too() {
        let groups = |text: &str| {
            let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
            inner.is_some_and(|inner| inner.split(':').count() >= 2 && inner.split(':').all(|group| group.len() == 4))
        };
        assert_eq!(minimum("[0123:4567:89ab:cdef]", groups), "[aaaa:aaaa]");
        assert_eq!(minimum("a%41%42%43", |text| text.len() % 3 == 1), "a");
    }

    #[test]
    fn reserved_triplets_and_the_order_of_data_that_say_nothing_become_one() {
        let decoded = |text: &str| {
            let (path, query) = text.split_once('?').unwrap_or((text, ""));
            path.is_empty()
                && ["%2a", "%40", "%3d"].iter().any(|triplet| query.contains(triplet))
                && query.contains(':')
        };
        for text in ["?%2a:", "?:%40", "?b%3d&c:d"] {
            assert_eq!(minimum(text, decoded), "?:%2a", "{text}");
        }
        assert_eq!(minimum("?a%40b:", |text| text.contains("%40b")), "%40b");
        assert_eq!(
            minimum("?+:#+:", |text| text.contains("?") && text.contains("+:")),
            "?+:"
        );
    }

    #[test]
    fn a_number_keeps_its_value() {
        let too_large = |text: &str| text.parse::<u32>().is_ok_and(|number| number > 65_535);
        assert_eq!(minimum("99999", too_large), "65536");
    }

    #[test]
    fn a_limit_is_met_to_the_character() {
        let text = "/segment".repeat(20_000);
        assert_eq!(minimum(&text, |text| text.len() > 65_535), "a".repeat(65_536));
    }

    #[test]
    fn two_texts_are_made_smaller_together() {
        let input = Input::Equivalent {
            left: "http://example.com/%7Euser".to_owned(),
            right: "http://example.com/~user".to_owned(),
            rung: Rung::Syntax,
        };
        let minimum = minimize(&input, &mut |input| match input {
            Input::Equivalent { left, right, .. } => left != right && left.replace("%7E", "~") == *right,
            _ => false,
        });
        let Input::Equivalent { left, right, .. } = minimum else {
            panic!("{minimum}")
        };
        assert_eq!((&*left, &*right), ("%7E", "~"));
    }

    #[test]
    fn components_become_undefined() {
        let input = Input::Compose {
            components: Components {
                scheme: Some("http".to_owned()),
                host: Some("example.com".to_owned()),
                path: "//x".to_owned(),
                query: Some(String::new()),
                ..Components::default()
            },
        };
        let minimum = minimize(&input, &mut |input| match input {
            Input::Compose { components } => components.path.starts_with("//"),
            _ => false,
        });
        assert_eq!(minimum.to_string(), "path \"//\"");
    }
}
