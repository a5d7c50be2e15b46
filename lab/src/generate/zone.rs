//! Zone identifiers in the IPv6 addresses of an input (RFC 6874), for subjects that claim to take them.

use uriproof::model::Input;

use super::chance::Chance;
use super::words::texts;

/// One in so many inputs stays without.
const SPARED: usize = 4;

/// One in so many texts of an input has an identifier of its own, or one that is no identifier, or another delimiter before it.
const OTHERWISE: usize = 6;

const IDENTIFIERS: &[&str] = &[
    "a", "1", "0", "en0", "EN0", "eth0", "En1", "-", ".", "~", "_", "a.b", "25", "%25", "%41", "%61", "%2d", "%2D",
    "%c3%a9", "%C3%A9", "a%2fb", "a%5D",
];

/// What is no ZoneID.
const NEAR_MISSES: &[&str] = &[
    "", "!", "a!", "a:b", "a[", "a/b", "a%", "a%2", "%", "\u{e9}", "a b", "a@b",
];

/// What is not `%25`, or not alone, before an identifier.
const DELIMITERS: &[&str] = &["%", "%25%25", "%2525", "%26", "", "/"];

/// Puts a zone identifier into the IP-literals of an input, if it has some: the same into all of them, as a rule.
pub(super) fn put(chance: &mut Chance, input: &mut Input) {
    if chance.one_in(SPARED) {
        return;
    }
    let identifier = chance.of(IDENTIFIERS);
    for text in texts(input) {
        let (mut delimiter, mut identifier) = ("%25", identifier);
        if chance.one_in(OTHERWISE) {
            match chance.below(4) {
                0 => delimiter = chance.of(DELIMITERS),
                1 => identifier = chance.of(NEAR_MISSES),
                _ => identifier = chance.of(IDENTIFIERS),
            }
        }
        let end = text.find('[').and_then(|begin| Some(begin + text[begin..].find(']')?));
        if let Some(end) = end {
            text.insert_str(end, &format!("{delimiter}{identifier}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use uriproof::model::{Operation, Reading, Rule};
    use uriproof_grammar::{Dfa, Profile, profile};

    use super::*;
    use crate::generate::Generator;

    #[test]
    fn addresses_of_every_operation_have_zone_identifiers() {
        let grammar = profile::grammar(&[Profile::ZoneId]).unwrap();
        let machine = Dfa::compile(&grammar, "URI-reference").unwrap();
        let mut generator = Generator::new(6874).with_zone_identifiers();
        let mut with: BTreeMap<Operation, u32> = BTreeMap::new();
        for _ in 0..10_000 {
            let mut input = generator.next_input();
            let operation = input.operation();
            // A host alone is a URI-reference of a network path.
            let texts = texts(&mut input).into_iter().map(|text| match text.starts_with('[') {
                true => format!("//{text}"),
                false => text.clone(),
            });
            let has_zone_identifier = |text: String| {
                machine.accepts(text.as_bytes()) && Rule::UriReference.matches(&text, Reading::Rfc3986).is_err()
            };
            if texts.filter(|text| text.contains("%25")).any(has_zone_identifier) {
                *with.entry(operation).or_default() += 1;
            }
        }
        assert!(
            Operation::ALL.iter().all(|operation| with.get(operation).is_some_and(|&count| count > 10)),
            "{with:?}"
        );
    }
}
