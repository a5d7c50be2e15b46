//! Checks that a rule can be compiled: every name is defined, no rule stands for itself, every character is a byte.

use std::collections::HashSet;

use crate::abnf::{Element, Error, ErrorKind, Grammar, NumVal, Position};

/// How deep elements may stand in one another, rules included.
const DEPTH_LIMIT: usize = 500;

/// Checks a rule and all that it refers to.
pub(crate) fn check(grammar: &Grammar, rule: &str) -> Result<(), Error> {
    let mut checker = Checker {
        grammar,
        open: Vec::new(),
        done: HashSet::new(),
        depth: 0,
    };
    checker.rule(rule, None)
}

struct Checker<'a> {
    grammar: &'a Grammar,
    /// The rules that are being looked at, each within the one before.
    open: Vec<&'a str>,
    done: HashSet<&'a str>,
    depth: usize,
}

impl<'a> Checker<'a> {
    fn rule(&mut self, name: &str, position: Option<Position>) -> Result<(), Error> {
        let Some(rule) = self.grammar.rule(name) else {
            return Err(self.grammar.undefined(name, position));
        };
        if let Some(at) = self.open.iter().position(|&open| open == rule.name) {
            let names = self.open[at..].iter().chain(&self.open[at..=at]);
            let cycle = names.map(|&name| name.to_owned()).collect();
            return Err(Error {
                position,
                problem: ErrorKind::Recursion { cycle },
            });
        }
        if self.done.contains(&*rule.name) {
            return Ok(());
        }
        self.open.push(&rule.name);
        self.element(&rule.element, position)?;
        self.open.pop();
        self.done.insert(&rule.name);
        Ok(())
    }

    fn element(&mut self, element: &'a Element, position: Option<Position>) -> Result<(), Error> {
        if self.depth == DEPTH_LIMIT {
            let problem = ErrorKind::TooDeep { limit: DEPTH_LIMIT };
            return Err(Error { position, problem });
        }
        self.depth += 1;
        match element {
            Element::Alternation(elements) | Element::Concatenation(elements) => {
                elements.iter().try_for_each(|element| self.element(element, position))?;
            }
            Element::Repetition { element, .. } | Element::Option(element) | Element::Group(element) => {
                self.element(element, position)?;
            }
            Element::Reference { name, position } => self.rule(name, Some(*position))?,
            Element::CharVal { .. } => {}
            Element::NumVal { value, position } => {
                let greatest = match value {
                    NumVal::Value(value) | NumVal::Range(_, value) => Some(value),
                    NumVal::Concatenation(values) => values.iter().max(),
                };
                if let Some(&value) = greatest.filter(|&&value| value > 0xff) {
                    return Err(Error {
                        position: Some(*position),
                        problem: ErrorKind::NotAByte { value },
                    });
                }
            }
            Element::ProseVal { text, position } => {
                if self.grammar.rule(text).is_none() {
                    return Err(Error {
                        position: Some(*position),
                        problem: ErrorKind::UnknownProse { text: text.clone() },
                    });
                }
                self.rule(text, Some(*position))?;
            }
        }
        self.depth -= 1;
        Ok(())
    }
}
