//! Derivations agree with the machines for every rule.

use uriproof_grammar::abnf::{Element, LetterCase, NumVal};
use uriproof_grammar::derive::{Continuation, Derivation, DerivationPart};
use uriproof_grammar::{Deriver, Dfa, Grammar, State, rfc3986};

use super::SAMPLES;

/// Checks a string: that it has a derivation exactly if the machine accepts it, that the derivation is the one that
/// trying finds first, that every part of it is accepted by the machine of its rule, and that the parts spell the string;
/// and how far it can go on.
struct Checker<'g> {
    grammar: &'g Grammar,
    rule: &'g str,
    deriver: Deriver<'g>,
    machines: &'g [(&'g str, Dfa)],
}

impl<'g> Checker<'g> {
    fn machine(&self, rule: &str) -> &'g Dfa {
        &self.machines.iter().find(|(name, _)| *name == rule).unwrap().1
    }

    fn check(&self, input: &[u8]) {
        let machine = self.machine(self.rule);
        let tree = self.deriver.derive(input);
        assert_eq!(tree.is_some(), machine.accepts(input), "{} {input:?}", self.rule);
        if let Some(tree) = tree {
            assert_eq!(tree.span, 0..input.len());
            self.check_tree(&tree, input);
            assert_eq!(
                Some(tree),
                tried(self.grammar, self.rule, input),
                "{} {input:?}",
                self.rule
            );
        }
        self.check_continuations(input);
    }

    fn check_tree(&self, tree: &Derivation<'_>, input: &[u8]) {
        assert!(
            self.machine(tree.rule).accepts(tree.text(input)),
            "{} {:?}",
            tree.rule,
            tree.text(input)
        );
        let mut at = tree.span.start;
        for part in tree.parts() {
            let span = match part {
                DerivationPart::Text(span) => span,
                DerivationPart::Rule(child) => {
                    self.check_tree(child, input);
                    child.span.clone()
                }
            };
            assert_eq!(span.start, at, "{} {input:?}", tree.rule);
            at = span.end;
        }
        assert_eq!(at, tree.span.end);
    }

    fn check_continuations(&self, input: &[u8]) {
        let machine = self.machine(self.rule);
        let continuations = self.deriver.continuations(input);
        let offset = machine.longest_viable_prefix(input);
        assert_eq!(continuations.offset, offset, "{} {input:?}", self.rule);
        let state = machine.machine().run(&input[..offset]);
        assert_eq!(
            continuations.may_end,
            machine.is_accepting(state),
            "{} {input:?}",
            self.rule
        );
        for byte in 0..=255 {
            let goes_on = continuations.next.iter().any(|next| next.bytes.contains(&byte));
            let dead = machine.is_dead(machine.step(state, byte));
            assert_eq!(goes_on, !dead, "{} {input:?} {byte}", self.rule);
        }
        for Continuation { rules, .. } in &continuations.next {
            assert_eq!(rules[0], self.rule);
        }
    }
}

/// The first derivation in the order of preference, found by trying; only for grammars whose repetitions take a character
/// in every turn, and for short strings.
#[expect(clippy::too_many_lines, reason = "one type, of this function alone")]
fn tried<'g>(grammar: &'g Grammar, rule: &str, input: &[u8]) -> Option<Derivation<'g>> {
    /// A rule begins, or the last one that has begun ends.
    type Events<'g> = Vec<(Option<&'g str>, usize)>;
    type Then<'t, 'g> = &'t mut dyn FnMut(&mut Events<'g>, usize) -> bool;

    struct Trial<'g, 'i> {
        grammar: &'g Grammar,
        input: &'i [u8],
    }
    impl<'g> Trial<'g, '_> {
        fn rule(&self, name: &str, events: &mut Events<'g>, at: usize, then: Then<'_, 'g>) -> bool {
            let rule = self.grammar.rule(name).unwrap();
            events.push((Some(&rule.name), at));
            let done = self.element(&rule.element, events, at, &mut |events, at| {
                events.push((None, at));
                let done = then(events, at);
                if !done {
                    events.pop();
                }
                done
            });
            if !done {
                events.pop();
            }
            done
        }

        fn element(&self, element: &'g Element, events: &mut Events<'g>, at: usize, then: Then<'_, 'g>) -> bool {
            match element {
                Element::Alternation(all) => all.iter().any(|one| self.element(one, events, at, then)),
                Element::Concatenation(all) => self.sequence(all, events, at, then),
                Element::Repetition { min, max, element } => self.turns(element, (*min, *max), events, at, then),
                Element::Option(element) => self.turns(element, (0, Some(1)), events, at, then),
                Element::Group(element) => self.element(element, events, at, then),
                Element::Reference { name, .. } => self.rule(name, events, at, then),
                Element::ProseVal { text, .. } => self.rule(text, events, at, then),
                Element::CharVal { text, case } => match self.input.get(at..at + text.len()) {
                    Some(found) if found == text.as_bytes() => then(events, at + text.len()),
                    Some(found) if *case == LetterCase::Insensitive && found.eq_ignore_ascii_case(text.as_bytes()) => {
                        then(events, at + text.len())
                    }
                    _ => false,
                },
                Element::NumVal { value, .. } => match (value, self.input.get(at)) {
                    (NumVal::Value(value), Some(&byte)) if u32::from(byte) == *value => then(events, at + 1),
                    (NumVal::Range(first, last), Some(&byte)) if (*first..=*last).contains(&byte.into()) => {
                        then(events, at + 1)
                    }
                    _ => false,
                },
            }
        }

        fn sequence(&self, all: &'g [Element], events: &mut Events<'g>, at: usize, then: Then<'_, 'g>) -> bool {
            match all {
                [] => then(events, at),
                [first, rest @ ..] => self.element(first, events, at, &mut |events, at| {
                    self.sequence(rest, events, at, then)
                }),
            }
        }

        fn turns(
            &self,
            element: &'g Element,
            (min, max): (u32, Option<u32>),
            events: &mut Events<'g>,
            at: usize,
            then: Then<'_, 'g>,
        ) -> bool {
            let fewer = (min.saturating_sub(1), max.map(|max| max.saturating_sub(1)));
            max != Some(0)
                && self.element(element, events, at, &mut |events, next| {
                    next > at && self.turns(element, fewer, events, next, then)
                })
                || min == 0 && then(events, at)
        }
    }

    let mut events = Vec::new();
    let whole = |_: &mut Events<'g>, at: usize| at == input.len();
    if !(Trial { grammar, input }).rule(rule, &mut events, 0, &mut { whole }) {
        return None;
    }
    let mut open: Vec<Derivation<'g>> = Vec::new();
    for (begun, at) in events {
        match begun {
            Some(rule) => open.push(Derivation {
                rule,
                span: at..at,
                children: Vec::new(),
            }),
            None => {
                let mut done = open.pop().unwrap();
                done.span.end = at;
                match open.last_mut() {
                    Some(outer) => outer.children.push(done),
                    None => return Some(done),
                }
            }
        }
    }
    None
}

/// Calls `check` with a checker for each of the 36 rules.
fn with_checkers(check: impl Fn(&Checker<'_>, &Dfa)) {
    let grammar = rfc3986::grammar();
    let own = grammar.rules().iter().map(|rule| &*rule.name);
    let machines: Vec<(&str, Dfa)> =
        own.chain(["ALPHA", "DIGIT", "HEXDIG"]).map(|name| (name, Dfa::compile(&grammar, name).unwrap())).collect();
    for rule in grammar.rules() {
        let deriver = Deriver::compile(&grammar, &rule.name).unwrap();
        let checker = Checker {
            grammar: &grammar,
            rule: &rule.name,
            deriver,
            machines: &machines,
        };
        check(&checker, checker.machine(&rule.name));
    }
}

#[test]
fn every_rule_on_every_short_string() {
    fn extend(checker: &Checker<'_>, machine: &Dfa, input: &mut Vec<u8>, state: State, length: usize) {
        checker.check(input);
        // One character behind a dead end is enough.
        if length > 0 && !machine.is_dead(state) {
            for &byte in machine.machine().representatives() {
                input.push(byte);
                extend(checker, machine, input, machine.step(state, byte), length - 1);
                input.pop();
            }
        }
    }
    with_checkers(|checker, machine| extend(checker, machine, &mut Vec::new(), machine.start(), 4));
}

#[test]
fn every_rule_on_random_walks() {
    let random = std::cell::RefCell::new(fastrand::Rng::with_seed(3986));
    with_checkers(|checker, machine| {
        let mut random = random.borrow_mut();
        let representatives = machine.machine().representatives();
        for _ in 0..2_000 {
            let mut input = Vec::new();
            let mut state = machine.start();
            for _ in 0..random.usize(0..28) {
                let mut byte = random.u8(..);
                for _ in 0..8 {
                    if !machine.is_dead(machine.step(state, byte)) {
                        break;
                    }
                    byte = representatives[random.usize(0..representatives.len())];
                }
                state = machine.step(state, byte);
                input.push(byte);
            }
            checker.check(&input);
        }
    });
}

#[test]
fn samples_and_their_beginnings() {
    with_checkers(|checker, _| {
        if checker.rule != "URI-reference" {
            return;
        }
        for sample in SAMPLES {
            (0..=sample.len()).for_each(|length| checker.check(&sample.as_bytes()[..length]));
        }
    });
}
