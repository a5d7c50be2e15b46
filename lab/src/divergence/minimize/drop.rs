//! Leaves out parts of the texts: components, stretches, characters, and what only goes as a whole.

use std::ops::Range;

use rfc3986_reference::characters::{is_unreserved, leading_triplet};
use uriproof::split::{self, UserinfoEnd, split};

use super::super::parts::is_optional;
use super::{LONG, TextSearch, VERY_LONG, character_at, characters_of_runs, with, without};

impl TextSearch<'_> {
    /// Drops and empties components and parts of the authority, then segments.
    pub(super) fn drop_components(&mut self) {
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
    pub(super) fn drop_stretches(&mut self) {
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
    pub(super) fn drop_characters(&mut self) {
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
    pub(super) fn drop_units(&mut self) {
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

    /// Drops all of one character at once.
    pub(super) fn drop_everywhere(&mut self) {
        for character in self.characters_used() {
            let drop = |text: &Option<String>| text.as_ref().map(|text| text.replace(character, ""));
            self.takes(self.texts.iter().map(drop).collect());
        }
    }
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

/// Where characters begin, and the end.
fn boundaries(text: &str) -> Vec<usize> {
    text.char_indices().map(|(at, _)| at).chain([text.len()]).collect()
}
