//! Choices taken in order: ABNF read as a parsing expression grammar (PEG), as a whole or in part.
//!
//! In ABNF the order of alternatives means nothing. A parser written from it tries them in order and stays with the first
//! that matches a beginning of what is left, whatever comes behind; it takes an option that it can take, and repeats as
//! long as it can. That is a regular language, too. With K the strings that what follows may match, and "aΣ*" those of
//! which a matches a beginning:
//!
//! - `a / b` is aK, and bK without aΣ*;
//! - `[ a ]` is aK, and K without aΣ*;
//! - `*a` is the least X that is aX, and K without aΣ*.
//!
//! So the machine has edges that are taken *unless* a matches: beside whoever takes one runs the machine of aΣ*, which
//! must not accept what is left.

mod places;

use self::places::PlacesBuilder;
use crate::abnf::{Element, Error, Grammar};
use crate::automaton::{Dfa, references};

/// Longer alternations are not written out in names.
const SHOWN: usize = 60;

/// A reading of the grammar that takes some of its choices in order.
pub struct Order {
    /// What is taken in order, and how.
    pub description: String,
    grammar: Grammar,
    /// The choices: the rule's name, and the number of the element in the rule, in preorder.
    ordered: Vec<(String, usize)>,
}

impl Order {
    /// The machine of a rule in this reading.
    ///
    /// # Errors
    ///
    /// Names that are not defined, and machines that are too large.
    pub fn machine(&self, rule: &str) -> Result<Dfa, Error> {
        PlacesBuilder::new(&self.grammar, &self.ordered).machine_of(rule)
    }
}

/// Choices taken in order, of all rules that `start` refers to: every alternation, option and repetition by itself; every
/// alternation with another order, by itself and where all choices are taken in order; all choices of a rule; and all of a
/// rule and of what it refers to.
pub fn orders(grammar: &Grammar, start: &str) -> Vec<Order> {
    let all_below = |grammar: &Grammar, name: &str| -> Vec<(String, usize)> {
        below(grammar, name).into_iter().flat_map(|name| choices_of(grammar, name)).collect()
    };
    let mut orders = Vec::new();
    for name in below(grammar, start) {
        let Some(rule) = grammar.rule(name) else { continue };
        let mut add = |description: String, grammar: &Grammar, ordered: Vec<(String, usize)>| {
            orders.push(Order {
                description,
                grammar: grammar.clone(),
                ordered,
            });
        };
        let (choices, with_those_below) = (choices_of(grammar, name), all_below(grammar, name));
        if with_those_below.len() > choices.len() {
            let description = format!("{name} and all that it refers to read as a PEG");
            add(description, grammar, with_those_below);
        }
        if choices.len() > 1 {
            add(format!("{name} read as a PEG"), grammar, choices.clone());
        }
        for choice in choices {
            let element = preorder(&rule.element)[choice.1];
            let text = element.to_string();
            let text = if text.len() > SHOWN { "its alternatives" } else { &text };
            let Element::Alternation(alternatives) = element else {
                add(format!("{name}: {text}, possessive"), grammar, vec![choice]);
                continue;
            };
            add(format!("{name}: {text}, tried in order"), grammar, vec![choice.clone()]);
            let mut others: Vec<(String, Vec<Element>)> = (1..alternatives.len())
                .map(|first| {
                    let mut moved = alternatives.clone();
                    moved[..=first].rotate_right(1);
                    (format!("alternative {} first", first + 1), moved)
                })
                .collect();
            if alternatives.len() > 2 {
                others.push((
                    "the last first".to_owned(),
                    alternatives.iter().rev().cloned().collect(),
                ));
            }
            for (what, alternatives) in others {
                let mut element = rule.element.clone();
                replace(&mut element, choice.1, Element::Alternation(alternatives));
                let other = grammar.with_rule(name, element);
                let description = format!("{name}: {text}, tried in order, {what}");
                let everywhere = all_below(&other, start);
                add(format!("{description}, in a PEG of {start}"), &other, everywhere);
                add(description, &other, vec![choice.clone()]);
            }
        }
    }
    orders
}

/// A rule, and those that it refers to.
fn below<'a>(grammar: &'a Grammar, name: &'a str) -> Vec<&'a str> {
    let mut known = vec![name];
    let mut done = 0;
    while let Some(rule) = known.get(done).copied() {
        done += 1;
        let mut names = Vec::new();
        if let Some(rule) = grammar.rule(rule) {
            references(&rule.element, &mut names);
        }
        for name in names {
            if !known.contains(&name) {
                known.push(name);
            }
        }
    }
    known
}

/// The elements of a rule that leave a choice.
fn choices_of(grammar: &Grammar, name: &str) -> Vec<(String, usize)> {
    let Some(rule) = grammar.rule(name) else {
        return Vec::new();
    };
    let elements = preorder(&rule.element).into_iter().enumerate();
    let choices = elements.filter(|(_, element)| match element {
        Element::Alternation(_) | Element::Option(_) => true,
        Element::Repetition { min, max, .. } => *max != Some(*min),
        _ => false,
    });
    choices.map(|(number, _)| (name.to_owned(), number)).collect()
}

/// An element and all that stand in it, each before those that stand in it.
fn preorder(element: &Element) -> Vec<&Element> {
    let mut elements = vec![element];
    match element {
        Element::Alternation(inner) | Element::Concatenation(inner) => {
            elements.extend(inner.iter().flat_map(preorder));
        }
        Element::Repetition { element, .. } | Element::Option(element) | Element::Group(element) => {
            elements.extend(preorder(element));
        }
        Element::Reference { .. } | Element::CharVal { .. } | Element::NumVal { .. } | Element::ProseVal { .. } => {}
    }
    elements
}

/// Puts `new` in the place of the element with that number in preorder.
fn replace(element: &mut Element, number: usize, new: Element) {
    if number == 0 {
        *element = new;
        return;
    }
    let mut before = 1;
    match element {
        Element::Alternation(inner) | Element::Concatenation(inner) => {
            for element in inner {
                let size = preorder(element).len();
                if number < before + size {
                    return replace(element, number - before, new);
                }
                before += size;
            }
        }
        Element::Repetition { element, .. } | Element::Option(element) | Element::Group(element) => {
            replace(element, number - before, new);
        }
        Element::Reference { .. } | Element::CharVal { .. } | Element::NumVal { .. } | Element::ProseVal { .. } => {}
    }
}
