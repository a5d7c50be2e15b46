//! Where the seeded random search gets its inputs: strings that are valid by construction, near misses, what RFC 3986
//! tells apart pair by pair, and parts of what came before.

mod base_and_reference;
mod chance;
mod characters;
mod compositions;
mod folding;
mod grammar_shaped;
mod host;
mod near_miss;
mod recent;
mod respell;
mod rules;
mod seeds;
mod text;
mod transitions;
mod weights;
mod words;
mod zone;

use chance::Chance;
use grammar_shaped::UriShape;
use recent::Recent;
pub use rules::RuleStrings;
use seeds::Seeds;
use uriproof::expect::expect;
use uriproof::model::{Component, Components, Input, Operation, Outcome, Reading, Rule, Rung, Scope, Value};
use weights::{
    COUNTERPARTS, Counterpart, FROM_DICTIONARY, KEPT, ORIGINALS, Original, PAIRS, PARSED, PairSource, ParsedKind,
    RULES, SOURCES, StringSource, VECTOR_COMPONENTS, WORDED_COMPONENTS,
};

use super::dictionary::Dictionary;

/// A stream of inputs by seed. The same seed and dictionary give the same inputs on every machine; with other vectors they are
/// others.
#[derive(Clone, Debug)]
pub struct Generator {
    chance: Chance,
    operations: Vec<(u32, MakeInput)>,
    recent: Recent,
    seeds: &'static Seeds,
    /// The transition that had its turn last.
    transition: usize,
    /// The shape that had its turn last.
    shape: usize,
    /// Words that go into the inputs too.
    dictionary: Dictionary,
    /// Whether IPv6 addresses have zone identifiers.
    has_zone_identifiers: bool,
}

/// Makes an input.
type MakeInput = fn(&mut Generator) -> Input;

impl Generator {
    /// Inputs of all operations.
    pub fn new(seed: u64) -> Generator {
        Generator::of(seed, &Operation::ALL)
    }

    /// Inputs of some operations, each as often as beside all others.
    ///
    /// # Panics
    ///
    /// If there are no operations.
    pub fn of(seed: u64, operations: &[Operation]) -> Generator {
        Generator::with_seeds(seed, operations, seeds::embedded())
    }

    /// As [`Generator::of`], but without the inputs of the vectors: new vectors change nothing.
    ///
    /// # Panics
    ///
    /// If there are no operations.
    pub fn without_vectors(seed: u64, operations: &[Operation]) -> Generator {
        static NO_SEEDS: Seeds = Seeds::new();
        Generator::with_seeds(seed, operations, &NO_SEEDS)
    }

    fn with_seeds(seed: u64, operations: &[Operation], seeds: &'static Seeds) -> Generator {
        assert!(
            !operations.is_empty(),
            "a generator needs an operation to make inputs of"
        );
        let mut chance = Chance::new(seed);
        Generator {
            transition: chance.below(transitions::embedded(Rule::UriReference).count()),
            shape: chance.below(grammar_shaped::SHAPES),
            chance,
            operations: operations.iter().copied().map(draw).collect(),
            recent: Recent::default(),
            seeds,
            dictionary: Dictionary::default(),
            has_zone_identifiers: false,
        }
    }

    /// The same with words of a dictionary in some of the inputs.
    pub fn with_dictionary(mut self, dictionary: &Dictionary) -> Generator {
        self.dictionary = dictionary.clone();
        self
    }

    /// The same with zone identifiers (RFC 6874) in most inputs that have an IP-literal.
    pub fn with_zone_identifiers(self) -> Generator {
        Generator {
            has_zone_identifiers: true,
            ..self
        }
    }

    /// The next input; there is always one.
    pub fn next_input(&mut self) -> Input {
        let draw = self.chance.by_weight(&self.operations);
        let mut input = draw(self);
        from_dictionary(&mut self.chance, &self.dictionary, &mut input);
        if self.has_zone_identifiers {
            zone::put(&mut self.chance, &mut input);
        }
        input
    }

    fn parse(&mut self) -> Input {
        Input::Parse {
            rule: self.chance.by_weight(RULES),
            input: match self.chance.by_weight(PARSED) {
                ParsedKind::Any => self.any_string(),
                ParsedKind::Transition => {
                    let transitions = transitions::embedded(Rule::UriReference);
                    self.transition = transitions.after(self.transition);
                    transitions.string(&mut self.chance, self.transition)
                }
                ParsedKind::Shape => {
                    self.shape = (self.shape + 1) % grammar_shaped::SHAPES;
                    let shape = UriShape::numbered(&mut self.chance, self.shape);
                    shape.components(&mut self.chance).recompose()
                }
            },
        }
    }

    fn resolve(&mut self) -> Input {
        let (base, reference) = match self.chance.by_weight(PAIRS) {
            PairSource::Shaped => self.pair(),
            PairSource::Edited => {
                let pair = self.pair();
                self.edit_one(pair)
            }
            PairSource::AnyReference => (
                base_and_reference::base(&mut self.chance).recompose(),
                self.any_string(),
            ),
            PairSource::AnyBase => (self.any_string(), self.pair().1),
            PairSource::Vector => {
                let pair = match self.seed(Operation::Resolve) {
                    Some(Input::Resolve { base, reference, .. }) => (base, reference),
                    _ => self.pair(),
                };
                self.edit_one(pair)
            }
            PairSource::Worded => {
                let [base, reference] = [words::uri, words::reference].map(|make| make(&mut self.chance).recompose());
                match self.chance.one_in(3) {
                    true => self.edit_one((base, reference)),
                    false => (base, reference),
                }
            }
        };
        Input::Resolve {
            base,
            reference,
            strict: !self.chance.one_in(3),
        }
    }

    fn normalize(&mut self) -> Input {
        Input::Normalize {
            uri: match self.original() {
                Ok(components) => components.recompose(),
                Err(text) => text,
            },
            scope: self.chance.of(&[Scope::Syntax, Scope::Scheme]),
        }
    }

    fn compose(&mut self) -> Input {
        let seed = if self.chance.one_in(VECTOR_COMPONENTS) {
            self.seed(Operation::Compose)
        } else {
            None
        };
        let mut components = match seed {
            Some(Input::Compose { components }) => components,
            _ if self.chance.one_in(WORDED_COMPONENTS) => words::components(&mut self.chance),
            _ => grammar_shaped::components(&mut self.chance),
        };
        compositions::disturb(&mut self.chance, &mut components);
        Input::Compose { components }
    }

    fn equivalent(&mut self) -> Input {
        let original = self.original();
        let mut one = match &original {
            Ok(components) => components.recompose(),
            Err(text) => text.clone(),
        };
        let mut other = match self.chance.by_weight(COUNTERPARTS) {
            Counterpart::Respelled => self.respelled(original),
            Counterpart::Nearly => {
                let mut other = self.respelled(original);
                near_miss::edit(&mut self.chance, &mut other);
                other
            }
            Counterpart::Reserved => {
                let mut other = one.clone();
                respell::reserved(&mut self.chance, &mut other);
                other
            }
            Counterpart::Toggled => {
                let mut other = one.clone();
                respell::toggle(&mut self.chance, &mut other);
                other
            }
            Counterpart::Same => one.clone(),
            Counterpart::Other => respell::uri(&mut self.chance).recompose(),
            Counterpart::Any => self.any_string(),
        };
        if self.chance.one_in(2) {
            std::mem::swap(&mut one, &mut other);
        }
        Input::Equivalent {
            left: one,
            right: other,
            rung: self.chance.of(&[Rung::Simple, Rung::Syntax, Rung::Scheme, Rung::Scheme]),
        }
    }

    fn relativize(&mut self) -> Input {
        let (base, reference) = match self.resolve() {
            Input::Resolve { base, reference, .. } => (base, reference),
            _ => self.pair(),
        };
        // What the reference resolves to shares most with the base; what is parsed anew may share nothing.
        let resolved = match expect(
            &Input::Resolve {
                base: base.clone(),
                reference,
                strict: true,
            },
            Reading::Rfc3986,
        )
        .literal()
        {
            Outcome::Accepted { value: Value::Uri(uri) } => Some(uri),
            _ => None,
        };
        let target = match resolved {
            _ if self.chance.one_in(8) => {
                let mut target = base.clone();
                respell::toggle(&mut self.chance, &mut target);
                target
            }
            Some(target) if !self.chance.one_in(4) => target,
            _ => self.any_string(),
        };
        Input::Relativize { base, target }
    }

    fn modify(&mut self) -> Input {
        let mut uri = grammar_shaped::reference(&mut self.chance);
        if self.chance.one_in(8) {
            uri = self.any_string();
        }
        let mut values = match self.chance.one_in(WORDED_COMPONENTS) {
            true => words::components(&mut self.chance),
            false => grammar_shaped::components(&mut self.chance),
        };
        if self.chance.one_in(3) {
            compositions::disturb(&mut self.chance, &mut values);
        }
        let component = self.chance.of(&Component::TEXTS);
        let mut value = values.text(component).map(str::to_owned);
        if self.chance.one_in(8) {
            value = Some(self.any_string());
        }
        if component == Component::Path {
            value.get_or_insert_default();
        }
        Input::Modify { uri, component, value }
    }

    fn round_trip(&mut self) -> Input {
        Input::RoundTrip { uri: self.any_string() }
    }

    fn contract(&mut self) -> Input {
        match self.equivalent() {
            Input::Equivalent { left, right, .. } => Input::Contract { left, right },
            other => other,
        }
    }

    /// A string from any source.
    fn any_string(&mut self) -> String {
        let chance = &mut self.chance;
        let text = match chance.by_weight(SOURCES) {
            StringSource::GrammarShaped => grammar_shaped::reference(chance),
            StringSource::NearMiss => {
                let text = grammar_shaped::reference(chance);
                edited(chance, text)
            }
            StringSource::Worded => words::components(chance).recompose(),
            StringSource::NearlyWorded => {
                let text = words::components(chance).recompose();
                edited(chance, text)
            }
            StringSource::Raw => characters::raw(chance),
            StringSource::Short => characters::short(chance),
            StringSource::Spliced => self.recent.splice(chance),
            StringSource::Vector => {
                let text = match self.seed(Operation::Parse) {
                    Some(Input::Parse { input, .. }) => input,
                    _ => grammar_shaped::reference(&mut self.chance),
                };
                edited(&mut self.chance, text)
            }
        };
        self.keep(&text);
        text
    }

    /// What is normalized, or compared: components as far as they are known.
    fn original(&mut self) -> Result<Components, String> {
        match self.chance.by_weight(ORIGINALS) {
            Original::Uri => Ok(respell::uri(&mut self.chance)),
            Original::Worded => {
                let mut components = words::uri(&mut self.chance);
                respell::respell(&mut self.chance, &mut components);
                Ok(components)
            }
            Original::Relative => {
                let mut components = grammar_shaped::relative(&mut self.chance);
                respell::respell(&mut self.chance, &mut components);
                Ok(components)
            }
            Original::Any => Err(self.any_string()),
            Original::Vector => {
                let operation = self.chance.of(&[Operation::Normalize, Operation::Equivalent]);
                let text = match self.seed(operation) {
                    Some(Input::Normalize { uri, .. }) => uri,
                    Some(Input::Equivalent { left, .. }) => left,
                    _ => respell::uri(&mut self.chance).recompose(),
                };
                Err(edited(&mut self.chance, text))
            }
        }
    }

    /// Another spelling of the components; of a string, an edit.
    fn respelled(&mut self, original: Result<Components, String>) -> String {
        match original {
            Ok(mut components) => {
                respell::respell(&mut self.chance, &mut components);
                components.recompose()
            }
            Err(text) => edited(&mut self.chance, text),
        }
    }

    fn pair(&mut self) -> (String, String) {
        let (base, reference) = base_and_reference::pair(&mut self.chance);
        self.keep(&reference);
        self.keep(&base);
        (base, reference)
    }

    fn edit_one(&mut self, (mut base, mut reference): (String, String)) -> (String, String) {
        let edited = if self.chance.one_in(3) {
            &mut base
        } else {
            &mut reference
        };
        near_miss::edit(&mut self.chance, edited);
        (base, reference)
    }

    /// An input of a vector of this operation, at random; `None` if there is none.
    fn seed(&mut self, operation: Operation) -> Option<Input> {
        let inputs = self.seeds.get(&operation)?;
        Some(inputs[self.chance.below(inputs.len())].clone())
    }

    fn keep(&mut self, text: &str) {
        if self.chance.one_in(KEPT) {
            self.recent.keep(text);
        }
    }
}

/// How often an operation is generated, and what makes its inputs.
fn draw(operation: Operation) -> (u32, MakeInput) {
    match operation {
        Operation::Parse => (weights::PARSE, Generator::parse),
        Operation::Resolve => (weights::RESOLVE, Generator::resolve),
        Operation::Normalize => (weights::NORMALIZE, Generator::normalize),
        Operation::Compose => (weights::COMPOSE, Generator::compose),
        Operation::Equivalent => (weights::EQUIVALENT, Generator::equivalent),
        Operation::Relativize => (weights::RELATIVIZE, Generator::relativize),
        Operation::Modify => (weights::MODIFY, Generator::modify),
        Operation::RoundTrip => (weights::ROUND_TRIP, Generator::round_trip),
        Operation::Contract => (weights::CONTRACT, Generator::contract),
    }
}

/// Puts a word of a dictionary into an input, now and then.
fn from_dictionary(chance: &mut Chance, dictionary: &Dictionary, input: &mut Input) {
    if !dictionary.is_empty() && chance.one_in(FROM_DICTIONARY) {
        let words = dictionary.words();
        let word = &words[chance.below(words.len())];
        words::put(chance, input, word);
    }
}

fn edited(chance: &mut Chance, mut text: String) -> String {
    near_miss::edit(chance, &mut text);
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_inputs() {
        // FNV-1a of the inputs as JSON. New vectors change nothing here: they are left out.
        let mut generator = Generator::without_vectors(1, &Operation::ALL);
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for _ in 0..10_000 {
            for byte in serde_json::to_vec(&generator.next_input()).unwrap() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        assert_eq!(hash, 0xad26_56dd_9fd4_2d67, "0x{hash:016x}");

        let [mut one, mut other] = [(); 2].map(|()| Generator::new(2));
        let mut another = Generator::new(3);
        let differ = (0..1_000).filter(|_| {
            let input = one.next_input();
            assert_eq!(input, other.next_input());
            input != another.next_input()
        });
        assert!(differ.count() > 900);
    }

    #[test]
    fn words_of_a_dictionary_go_into_the_inputs_of_every_operation() {
        let dictionary = Dictionary::from(vec!["zebra".to_owned(), "\u{1f993}".to_owned()]);
        let [mut one, mut other] = [(); 2].map(|()| Generator::new(5).with_dictionary(&dictionary));
        let mut with_word = BTreeSet::new();
        for _ in 0..5_000 {
            let input = one.next_input();
            assert_eq!(input, other.next_input());
            let text = serde_json::to_string(&input).unwrap();
            with_word.extend(
                dictionary.words().iter().filter(|word| text.contains(*word)).map(|word| (input.operation(), word)),
            );
        }
        assert_eq!(with_word.len(), Operation::ALL.len() * 2);
    }

    #[test]
    fn every_selected_operation_occurs_and_no_other() {
        let mut generator = Generator::new(3986);
        let occurring: BTreeSet<Operation> = (0..1_000).map(|_| generator.next_input().operation()).collect();
        assert_eq!(occurring, BTreeSet::from(Operation::ALL));
        for operation in Operation::ALL {
            let mut generator = Generator::of(7, &[operation]);
            assert!((0..1_000).all(|_| generator.next_input().operation() == operation));
        }
    }
}
