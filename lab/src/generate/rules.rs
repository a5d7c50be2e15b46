//! Strings for one rule of Appendix A: strings that match it, near misses, and the same kinds of text that URI-references have there.

use uriproof::model::{Components, Input, Rule};

use super::chance::Chance;
use super::characters::CHARACTERS;
use super::grammar_shaped::{self, AuthorityShape, UriShape};
use super::text::{PORTS, QUERY, REG_NAME, SCHEMES, SEGMENT, USERINFO, triplet};
use super::transitions::{self, Transitions};
use super::weights::{PathShape, RULE_EDITED, RULE_SOURCES, RuleSource};
use super::{from_dictionary, host, near_miss, text};
use crate::dictionary::Dictionary;

/// A stream of inputs to parse as one rule, by seed. The same rule, seed and dictionary give the same inputs.
#[derive(Clone, Debug)]
pub struct RuleStrings {
    rule: Rule,
    chance: Chance,
    transitions: &'static Transitions,
    /// The transition that had its turn last.
    transition: usize,
    dictionary: Dictionary,
}

/// The most characters that a walk through the machine takes before it looks for an end.
const WALK: usize = 24;

impl RuleStrings {
    /// Inputs for a rule, with words of a dictionary in some of them.
    pub fn new(rule: Rule, seed: u64, dictionary: &Dictionary) -> RuleStrings {
        let transitions = transitions::embedded(rule);
        let mut chance = Chance::new(seed);
        RuleStrings {
            rule,
            transition: chance.below(transitions.count()),
            chance,
            transitions,
            dictionary: dictionary.clone(),
        }
    }

    /// The next input; there is always one.
    pub fn next_input(&mut self) -> Input {
        let chance = &mut self.chance;
        let mut text = match chance.by_weight(RULE_SOURCES) {
            RuleSource::Transition => {
                self.transition = self.transitions.after(self.transition);
                self.transitions.string(chance, self.transition)
            }
            RuleSource::Walk => self.transitions.walk(chance, WALK),
            RuleSource::Piece => piece(chance, self.rule),
        };
        if chance.one_in(RULE_EDITED) {
            near_miss::edit(chance, &mut text);
        }
        let mut input = Input::Parse {
            rule: self.rule,
            input: text,
        };
        from_dictionary(chance, &self.dictionary, &mut input);
        input
    }
}

/// The text of a component, or of a part of one. It most often matches the rule.
#[expect(clippy::too_many_lines, reason = "one arm for each rule")]
fn piece(chance: &mut Chance, rule: Rule) -> String {
    let written = |write: &mut dyn FnMut(&mut String)| {
        let mut text = String::new();
        write(&mut text);
        text
    };
    match rule {
        Rule::Uri | Rule::UriReference | Rule::AbsoluteUri | Rule::RelativeRef => grammar_shaped::reference(chance),
        Rule::HierPart | Rule::RelativePart => {
            let with_authority = chance.one_in(2).then(|| AuthorityShape::any(chance));
            let part = Components {
                scheme: None,
                query: None,
                fragment: None,
                ..UriShape {
                    authority: with_authority,
                    ..UriShape::any(chance)
                }
                .components(chance)
            };
            part.recompose()
        }
        Rule::Authority => {
            let authority = Some(AuthorityShape::any(chance));
            let shape = UriShape {
                scheme: false,
                authority,
                path: PathShape::Empty,
                ..UriShape::any(chance)
            };
            let authority = Components {
                query: None,
                fragment: None,
                ..shape.components(chance)
            };
            authority.recompose().split_off("//".len())
        }
        Rule::Scheme => chance.of(SCHEMES).to_owned(),
        Rule::Userinfo => written(&mut |text| USERINFO.write(chance, text)),
        Rule::Host => host::host(chance),
        Rule::Port => chance.of(PORTS).to_owned(),
        Rule::IpLiteral => {
            let address = match chance.one_in(4) {
                true => written(&mut |text| host::ipvfuture(chance, text)),
                false => written(&mut |text| host::ipv6(chance, text)),
            };
            format!("[{address}]")
        }
        Rule::IpvFuture => written(&mut |text| host::ipvfuture(chance, text)),
        Rule::Ipv6Address => written(&mut |text| host::ipv6(chance, text)),
        Rule::H16 => written(&mut |text| host::group(chance, text)),
        Rule::Ls32 => match chance.one_in(2) {
            true => written(&mut |text| host::ipv4(chance, text)),
            false => {
                let [one, other] = [(); 2].map(|()| written(&mut |text| host::group(chance, text)));
                format!("{one}:{other}")
            }
        },
        Rule::Ipv4Address => match chance.one_in(4) {
            true => chance.of(text::NEARLY_IPV4).to_owned(),
            false => written(&mut |text| host::ipv4(chance, text)),
        },
        Rule::DecOctet => match chance.one_in(3) {
            true => chance.of(near_miss::NO_OCTETS).to_owned(),
            false => chance.of(host::OCTETS).to_owned(),
        },
        Rule::RegName => match chance.one_in(4) {
            true => chance.of(text::NEARLY_IPV4).to_owned(),
            false => written(&mut |text| REG_NAME.write(chance, text)),
        },
        Rule::Path
        | Rule::PathAbempty
        | Rule::PathAbsolute
        | Rule::PathNoscheme
        | Rule::PathRootless
        | Rule::PathEmpty => grammar_shaped::components(chance).path,
        Rule::Segment | Rule::SegmentNz | Rule::SegmentNzNc => written(&mut |text| SEGMENT.write(chance, text)),
        Rule::Query | Rule::Fragment => written(&mut |text| QUERY.write(chance, text)),
        Rule::PctEncoded => written(&mut |text| triplet(chance, text)),
        Rule::Pchar if chance.one_in(2) => written(&mut |text| triplet(chance, text)),
        Rule::Pchar | Rule::Unreserved | Rule::Reserved | Rule::GenDelims | Rule::SubDelims => {
            chance.of(CHARACTERS).to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use uriproof::model::Reading;

    use super::*;

    #[test]
    fn every_rule_has_strings_that_match_and_some_that_do_not_and_the_same_by_the_same_seed() {
        let dictionary = Dictionary::default();
        for &rule in Rule::ALL {
            let [mut one, mut other] = [(); 2].map(|()| RuleStrings::new(rule, 7, &dictionary));
            let mut matching = 0;
            for _ in 0..1_000 {
                let input = one.next_input();
                assert_eq!(input, other.next_input());
                let Input::Parse { rule: asked, input } = &input else {
                    panic!("{input}")
                };
                assert_eq!(*asked, rule);
                matching += usize::from(rule.matches(input, Reading::Rfc3986).is_ok());
            }
            assert!((100..950).contains(&matching), "{rule}: {matching}");
        }
    }
}
