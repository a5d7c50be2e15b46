//! Which of the choices that a grammar leaves a string takes: what it must be made of that a set of strings can be said to
//! cover the grammar.
//!
//! A choice is an alternative, an option that is there or left out, a number of turns of a repetition (each number where it
//! has a bound; the least, the next and more where it has none), the first, the last or another character of a range, and
//! the case of a letter. Rules of RFC 5234's appendix B.1 have theirs as far as the grammar refers to them.
//!
//! A string takes what its derivation takes, the one that [`Deriver`] finds; and for each alternative of the start rule
//! that matches it, what the derivation by that alternative takes: "/a" is a `path-abempty`, and it is a `path-absolute`.
//!
//! ```
//! use uriproof_grammar::choices::{RuleChoices, TakersCache};
//! use uriproof_grammar::rfc3986;
//!
//! let choices = RuleChoices::of(&rfc3986::grammar(), "dec-octet")?;
//! let takers = choices.takers()?;
//! let taken = takers.taken(b"25", &mut TakersCache::default()).unwrap_or_default();
//! let taken: Vec<String> = taken.iter().map(|&choice| choices.all()[choice].to_string()).collect();
//! assert_eq!(taken, [
//!     "dec-octet: %x31-39 DIGIT", "dec-octet: %x31-39 between its ends", "DIGIT: %x30-39 between its ends"
//! ]);
//! # Ok::<(), uriproof_grammar::abnf::Error>(())
//! ```

use std::fmt;

use crate::abnf::{Element, Error, Grammar, LetterCase, NumVal, Position};
use crate::automaton::{check, references};
use crate::derive::{Deriver, Reused, Visit};
use crate::hash::FastMap;

/// What the strings of a short rule have at most, in characters. Their derivations are made once and kept, and need not
/// be made as a part of every other.
const SHORT: usize = 4;

/// The choices of a rule and of those that it refers to.
#[derive(Clone, Debug)]
pub struct RuleChoices {
    rule: String,
    all: Vec<RuleChoice>,
    /// Every choice is a rule, but in the rules that are short, which are those of `grammar`.
    whole: Grammar,
    /// Every choice is a rule.
    parts: Grammar,
    /// The names of the short rules.
    short: Vec<String>,
}

/// A choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleChoice {
    /// The rule that leaves it.
    pub rule: String,
    /// What is chosen, as ABNF and words.
    pub choice: String,
}

impl fmt::Display for RuleChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.choice)
    }
}

impl RuleChoices {
    /// The choices of the rule of that name.
    ///
    /// # Errors
    ///
    /// Those of [`Dfa::compile`](crate::Dfa::compile).
    pub fn of(grammar: &Grammar, rule: &str) -> Result<RuleChoices, Error> {
        check(grammar, rule)?;
        let mut choices = RuleChoices {
            rule: rule.to_owned(),
            all: Vec::new(),
            whole: grammar.clone(),
            parts: grammar.clone(),
            short: Vec::new(),
        };
        for name in referred_to(grammar, rule) {
            let Some(definition) = grammar.rule(name) else { continue };
            let is_short = longest(grammar, &definition.element).is_some_and(|longest| longest <= SHORT);
            if is_short {
                choices.short.push(definition.name.clone());
            }
            let named = choices.named(&definition.name, &definition.element, !is_short);
            choices.put(&definition.name, named, !is_short);
        }
        Ok(choices)
    }

    /// All of them, rule by rule, the outer before the inner.
    pub fn all(&self) -> &[RuleChoice] {
        &self.all
    }

    /// What tells which of them a string takes.
    ///
    /// # Errors
    ///
    /// Machines that are too large.
    pub fn takers(&self) -> Result<Takers<'_>, Error> {
        let is_short = self.short.iter().any(|name| name.eq_ignore_ascii_case(&self.rule));
        let short = self.short.iter().map(|name| ways(&self.parts, name, &self.short));
        Ok(Takers {
            ways: ways(
                if is_short { &self.parts } else { &self.whole },
                &self.rule,
                &self.short,
            )?,
            short: short.collect::<Result<_, _>>()?,
            choices: self.all.len(),
        })
    }

    /// The element with a rule in place of every choice.
    #[expect(clippy::too_many_lines, reason = "one arm for each kind of element")]
    fn named(&mut self, rule: &str, element: &Element, whole: bool) -> Element {
        match element {
            Element::Alternation(elements) => {
                let alternatives = elements.iter().map(|element| {
                    let number = self.choice(rule, element.to_string());
                    let named = self.named(rule, element, whole);
                    self.rule(number, named, whole)
                });
                Element::Alternation(alternatives.collect())
            }
            Element::Concatenation(elements) => {
                Element::Concatenation(elements.iter().map(|element| self.named(rule, element, whole)).collect())
            }
            Element::Group(inner) => Element::Group(Box::new(self.named(rule, inner, whole))),
            Element::Option(inner) => {
                let [there, left_out] = ["there", "left out"].map(|is| self.choice(rule, format!("{element} {is}")));
                let named = self.named(rule, inner, whole);
                Element::Alternation(vec![
                    self.rule(there, named.clone(), whole),
                    self.rule(left_out, times(0, Some(0), named), whole),
                ])
            }
            Element::Repetition {
                min,
                max,
                element: inner,
            } => {
                let counts: Vec<(u32, Option<u32>)> = match *max {
                    Some(max) if max == *min => return times(*min, Some(max), self.named(rule, inner, whole)),
                    Some(max) => (*min..=max).map(|count| (count, Some(count))).collect(),
                    None => vec![(*min, Some(*min)), (min + 1, Some(min + 1)), (min + 2, None)],
                };
                let numbers: Vec<usize> = counts
                    .iter()
                    .map(|(count, bound)| {
                        let or_more = if bound.is_some() { "" } else { " or more" };
                        self.choice(rule, format!("{element}, {count}{or_more}"))
                    })
                    .collect();
                let named = self.named(rule, inner, whole);
                let turns = counts
                    .iter()
                    .zip(numbers)
                    .map(|(&(count, bound), number)| self.rule(number, times(count, bound, named.clone()), whole));
                // As many turns as there can be come first.
                let mut turns: Vec<Element> = turns.collect();
                turns.reverse();
                Element::Alternation(turns)
            }
            Element::NumVal {
                value: NumVal::Range(first, last),
                position,
            } if first < last => {
                let mut ranges = vec![(*first, *first, "the first"), (*last, *last, "the last")];
                if last - first > 1 {
                    ranges.insert(1, (first + 1, last - 1, "between its ends"));
                }
                let ranges = ranges.into_iter().map(|(first, last, which)| {
                    let number = self.choice(rule, format!("{element} {which}"));
                    let value = NumVal::Range(first, last);
                    let position = *position;
                    self.rule(number, Element::NumVal { value, position }, whole)
                });
                Element::Alternation(ranges.collect())
            }
            Element::CharVal {
                text,
                case: LetterCase::Insensitive,
            } if text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                let cases = [text.to_ascii_lowercase(), text.to_ascii_uppercase()].map(|text| {
                    let element = Element::CharVal {
                        text,
                        case: LetterCase::Sensitive,
                    };
                    let number = self.choice(rule, element.to_string());
                    self.rule(number, element, whole)
                });
                Element::Alternation(cases.into())
            }
            Element::Reference { .. } | Element::CharVal { .. } | Element::NumVal { .. } | Element::ProseVal { .. } => {
                element.clone()
            }
        }
    }

    fn choice(&mut self, rule: &str, choice: String) -> usize {
        self.all.push(RuleChoice {
            rule: rule.to_owned(),
            choice,
        });
        self.all.len() - 1
    }

    /// The rule of a choice.
    fn rule(&mut self, number: usize, element: Element, whole: bool) -> Element {
        let name = format!("{MARK}{number}");
        self.put(&name, element, whole);
        Element::Reference {
            name,
            position: Position { line: 1, column: 1 },
        }
    }

    fn put(&mut self, name: &str, element: Element, whole: bool) {
        if whole {
            self.whole = self.whole.with_rule(name, element.clone());
        }
        self.parts = self.parts.with_rule(name, element);
    }
}

/// What the name of a choice's rule begins with, and no other's (RFC 5234 §2.1).
const MARK: char = '#';

/// What tells which choices a string takes.
pub struct Takers<'g> {
    ways: Vec<PlacedDeriver<'g>>,
    /// By the number of the short rule.
    short: Vec<Vec<PlacedDeriver<'g>>>,
    choices: usize,
}

/// A deriver of a rule, or of one of its alternatives, and what its places are.
struct PlacedDeriver<'g> {
    deriver: Deriver<'g>,
    places: Vec<PlaceKind>,
}

/// What a place in a derivation is.
#[derive(Clone, Copy)]
enum PlaceKind {
    /// A choice, by its number.
    Choice(usize),
    /// A rule, by its number among the short ones.
    Short(usize),
    Other,
}

/// What was found out once: with it the next strings take less time. It is that of one [`Takers`].
#[derive(Default)]
pub struct TakersCache {
    ways: Vec<Reused>,
    /// By short rule and string the choices that it takes.
    short: Vec<FastMap<Vec<u8>, Set>>,
}

/// Choices.
#[derive(Clone)]
struct Set(Vec<u64>);

impl Set {
    fn insert(&mut self, choice: usize) {
        self.0[choice / 64] |= 1 << (choice % 64);
    }

    fn extend(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }
}

impl Takers<'_> {
    /// The choices that `input` takes, in ascending order; none if the rule does not match it.
    pub fn taken(&self, input: &[u8], known: &mut TakersCache) -> Option<Vec<usize>> {
        let mut ways = std::mem::take(&mut known.ways);
        ways.resize_with(self.ways.len(), Reused::default);
        known.short.resize_with(self.short.len(), FastMap::default);
        let taken = self.by(&self.ways, &mut ways, input, known);
        known.ways = ways;
        let Set(words) = taken?;
        Some((0..self.choices).filter(|choice| words[choice / 64] >> (choice % 64) & 1 == 1).collect())
    }

    /// The choices of derivations; none if there are no derivations.
    fn by(
        &self,
        ways: &[PlacedDeriver<'_>],
        reused: &mut [Reused],
        input: &[u8],
        known: &mut TakersCache,
    ) -> Option<Set> {
        let mut taken = Set(vec![0; self.choices.div_ceil(64)]);
        let mut matches = false;
        for (way, reused) in ways.iter().zip(reused) {
            // Of nested short rules the outermost counts.
            let mut open = None;
            matches |= way.deriver.follow(input, reused, |at, visit| match visit {
                Visit::Begin(place) => match way.places[place as usize] {
                    PlaceKind::Choice(choice) => taken.insert(choice),
                    PlaceKind::Short(_) if open.is_none() => open = Some((place, at)),
                    PlaceKind::Short(_) | PlaceKind::Other => {}
                },
                Visit::End(place) => {
                    if let (PlaceKind::Short(rule), Some((_, start))) =
                        (way.places[place as usize], open.filter(|&(opened, _)| opened == place))
                    {
                        open = None;
                        self.short(rule, &input[start..at], known, &mut taken);
                    }
                }
            });
        }
        matches.then_some(taken)
    }

    fn short(&self, rule: usize, text: &[u8], known: &mut TakersCache, taken: &mut Set) {
        if let Some(choices) = known.short[rule].get(text) {
            taken.extend(choices);
            return;
        }
        let ways = &self.short[rule];
        let mut reused: Vec<Reused> = ways.iter().map(|_| Reused::default()).collect();
        if let Some(choices) = self.by(ways, &mut reused, text, known) {
            taken.extend(&choices);
            known.short[rule].insert(text.to_vec(), choices);
        }
    }
}

/// A way for each alternative of a rule.
fn ways<'g>(grammar: &'g Grammar, rule: &'g str, short: &[String]) -> Result<Vec<PlacedDeriver<'g>>, Error> {
    let mut names = Vec::new();
    match grammar.rule(rule).map(|rule| &rule.element) {
        Some(Element::Alternation(elements)) => elements.iter().for_each(|element| references(element, &mut names)),
        _ => names.push(rule),
    }
    let way = |name| {
        let deriver = Deriver::compile(grammar, name)?;
        let places = deriver.places().map(|(rule, is_inner)| {
            let choice = rule.strip_prefix(MARK).and_then(|number| number.parse().ok());
            let number = short.iter().position(|name| is_inner && name == rule);
            choice.map(PlaceKind::Choice).or(number.map(PlaceKind::Short)).unwrap_or(PlaceKind::Other)
        });
        let places = places.collect();
        Ok(PlacedDeriver { deriver, places })
    };
    names.into_iter().map(way).collect()
}

/// The rules that a rule refers to, itself first, each once; the outer before the inner.
fn referred_to<'g>(grammar: &'g Grammar, rule: &'g str) -> Vec<&'g str> {
    let mut names = vec![rule];
    let mut at = 0;
    while at < names.len() {
        let mut inner = Vec::new();
        if let Some(rule) = grammar.rule(names[at]) {
            references(&rule.element, &mut inner);
        }
        for name in inner {
            if !names.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                names.push(name);
            }
        }
        at += 1;
    }
    names
}

/// The number of characters of the longest string; none if there is no longest. The grammar has been checked.
fn longest(grammar: &Grammar, element: &Element) -> Option<usize> {
    match element {
        Element::Alternation(elements) => {
            elements.iter().try_fold(0, |most, element| Some(most.max(longest(grammar, element)?)))
        }
        Element::Concatenation(elements) => elements.iter().try_fold(0_usize, |sum, element| {
            Some(sum.saturating_add(longest(grammar, element)?))
        }),
        Element::Repetition { max, element, .. } => match (max, longest(grammar, element)) {
            (Some(0), _) | (_, Some(0)) => Some(0),
            (Some(max), Some(longest)) => Some(longest.saturating_mul(*max as usize)),
            _ => None,
        },
        Element::Option(element) | Element::Group(element) => longest(grammar, element),
        Element::Reference { name, .. } | Element::ProseVal { text: name, .. } => {
            longest(grammar, &grammar.rule(name)?.element)
        }
        Element::CharVal { text, .. } => Some(text.len()),
        Element::NumVal { value, .. } => Some(match value {
            NumVal::Value(_) | NumVal::Range(..) => 1,
            NumVal::Concatenation(values) => values.len(),
        }),
    }
}

fn times(min: u32, max: Option<u32>, element: Element) -> Element {
    Element::Repetition {
        min,
        max,
        element: Box::new(element),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rfc3986;

    /// The choices of `rule` that `input` takes.
    fn taken(abnf: &str, rule: &str, input: &str) -> Vec<String> {
        let choices = RuleChoices::of(&Grammar::read(abnf).unwrap(), rule).unwrap();
        let takers = choices.takers().unwrap();
        let taken = takers.taken(input.as_bytes(), &mut TakersCache::default());
        taken.unwrap().into_iter().map(|choice| choices.all()[choice].to_string()).collect()
    }

    #[test]
    fn a_string_takes_what_its_derivation_takes() {
        let abnf = "r = s [ \"-\" ] *2( \"x\" / %x31-33 )\ns = 1*\"long\" / \"y\" s2\ns2 = *s3\ns3 = \"!\"\n";
        assert_eq!(
            taken(abnf, "r", "longlong"),
            [
                "r: [ \"-\" ] left out",
                "r: *2( \"x\" / %x31-33 ), 0",
                "s: 1*\"long\"",
                "s: 1*\"long\", 2"
            ]
        );
        assert_eq!(
            taken(abnf, "r", "Y-X3"),
            [
                "r: [ \"-\" ] there",
                "r: *2( \"x\" / %x31-33 ), 2",
                "r: \"x\"",
                "r: %s\"X\"",
                "r: %x31-33",
                "r: %x31-33 the last",
                "s: \"y\" s2",
                "s: %s\"Y\"",
                "s2: *s3, 0"
            ]
        );
    }

    #[test]
    fn each_alternative_of_the_start_rule_counts() {
        let grammar = rfc3986::grammar();
        let choices = RuleChoices::of(&grammar, "path").unwrap();
        let takers = choices.takers().unwrap();
        let of_path = |input: &str| -> Vec<&str> {
            let taken = takers.taken(input.as_bytes(), &mut TakersCache::default()).unwrap();
            let taken = taken.into_iter().map(|choice| &choices.all()[choice]);
            taken.filter(|choice| choice.rule == "path").map(|choice| choice.choice.as_str()).collect()
        };
        assert_eq!(of_path(""), ["path-abempty", "path-empty"]);
        assert_eq!(of_path("/a"), ["path-abempty", "path-absolute"]);
        assert_eq!(of_path("//"), ["path-abempty"]);
        assert_eq!(of_path("a/b"), ["path-noscheme", "path-rootless"]);
        assert_eq!(of_path("a:b"), ["path-rootless"]);
        assert_eq!(takers.taken(b"[", &mut TakersCache::default()), None);
    }

    #[test]
    fn the_nine_alternatives_of_ipv6address_are_told_apart() {
        let grammar = rfc3986::grammar();
        let Element::Alternation(alternatives) = &grammar.rule("IPv6address").unwrap().element else {
            panic!("IPv6address has alternatives");
        };
        for (alternative, address) in alternatives.iter().zip([
            "1:2:3:4:5:6:7:8",
            "::2:3:4:5:6:7:8",
            "1::3:4:5:6:7:8",
            "1:2::4:5:6:7:8",
            "1:2:3::5:6:7:8",
            "1::6:7:8",
            "1:2:3:4:5::1.2.3.4",
            "1:2:3:4:5:6::8",
            "::",
        ]) {
            let taken = taken(rfc3986::ABNF, "URI-reference", &format!("//[{address}]"));
            let row = format!("IPv6address: {alternative}");
            assert!(taken.contains(&row), "{address} {row} {taken:#?}");
            let count = alternatives.iter().filter(|other| taken.contains(&format!("IPv6address: {other}"))).count();
            assert_eq!(count, 1, "{address}");
        }
    }
}
