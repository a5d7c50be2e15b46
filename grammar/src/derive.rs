//! How a string is derived by the rules of a grammar, and which rules could go on where it is not.
//!
//! ABNF alternatives are a set, and a string may have several derivations: "1.2.3.4" is an IPv4address and a reg-name.
//! The derivation returned is the first in the order of preference in which RFC 3986 §3.2.2 reads its own grammar (the
//! "first-match-wins" algorithm): alternatives in the order in which the grammar has them, and of a repetition or an
//! option as many turns as there can be, as long as the whole string is derived. A turn that takes no character is
//! taken where the least number of turns requires it, and else at most once.
//!
//! Nothing backtracks. One pass forward finds the sets of nodes of the NFA that each character leads to, one backward
//! leaves those in them from which the rest can be derived, and a second one forward takes the first of those that are
//! left. Time is linear in the input and so is memory: eight bytes for each byte of the input, and the derivation. There
//! is no limit of length.
//!
//! ```
//! use uriproof_grammar::{Deriver, rfc3986};
//!
//! let grammar = rfc3986::grammar();
//! let deriver = Deriver::compile(&grammar, "URI-reference")?;
//!
//! let tree = deriver.derive(b"//1.2.3.4/a").unwrap();
//! let host = tree.find("host").unwrap();
//! assert_eq!((host.children[0].rule, &host.span), ("IPv4address", &(2..9)));
//!
//! let stuck = deriver.continuations(b"http://[::1/");
//! assert_eq!((stuck.offset, stuck.may_end), (11, false));
//! let next: Vec<(&str, &str)> = stuck.next.iter().map(|next| (*next.rules.last().unwrap(), &*next.accepts)).collect();
//! assert!(next.contains(&("HEXDIG", "HEXDIG")) && next.contains(&("IP-literal", "\"]\"")));
//! # Ok::<(), uriproof_grammar::abnf::Error>(())
//! ```

use std::collections::HashMap;
use std::ops::Range;

use crate::abnf::{Error, Grammar};
use crate::automaton::{ByteSet, Nfa, Subsets};
use crate::hash::FastMap;
use crate::machine::State;

/// The core rules (RFC 5234, appendix B.1) that stand for one character each.
const CHARACTERS: &[&str] = &[
    "ALPHA", "BIT", "CHAR", "CR", "CTL", "DIGIT", "DQUOTE", "HEXDIG", "HTAB", "LF", "OCTET", "SP", "VCHAR", "WSP",
];

/// Derives strings by one rule of a grammar.
pub struct Deriver<'g> {
    nfa: Nfa<'g>,
    subsets: Subsets,
    /// For every node at which references begin, those: the outer before the inner.
    begin: FastMap<u32, Vec<u32>>,
    /// For every node at which references end, those: the inner before the outer.
    end: FastMap<u32, Vec<u32>>,
    grammar: &'g Grammar,
}

/// A rule, the part of the input that it derives, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivation<'g> {
    /// The rule's name, as its definition spells it.
    pub rule: &'g str,
    /// Where the part stands in the input, in bytes.
    pub span: Range<usize>,
    /// The rules that the rule refers to, as far as they have a part in the derivation, in the order of the input. What
    /// lies before, between and after them is the rule's own text, such as the "//" of `hier-part`.
    pub children: Vec<Derivation<'g>>,
}

/// A part of a derivation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DerivationPart<'a, 'g> {
    /// A rule that the rule refers to.
    Rule(&'a Derivation<'g>),
    /// The rule's own text: where it stands in the input, in bytes; never empty.
    Text(Range<usize>),
}

/// How far a string can be the beginning of one that matches, and what can stand there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuations<'g> {
    /// The length of the longest beginning of the input that some continuation makes match, in bytes.
    pub offset: usize,
    /// Whether that beginning matches as it is.
    pub may_end: bool,
    /// What can stand behind it, in the order of the grammar; no two have the same rules.
    pub next: Vec<Continuation<'g>>,
}

/// A byte that can stand somewhere, by the rules that it would belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuation<'g> {
    /// From the start rule inwards, each referred to by the one before; a core rule of one character, such as HEXDIG, is
    /// the last.
    pub rules: Vec<&'g str>,
    /// The bytes, in ascending order.
    pub bytes: Vec<u8>,
    /// The bytes for people: the name of a core rule of one character, else characters and ranges such as `"]"` or `1-9`
    /// with spaces between them; of a letter that may have either case, the small one.
    pub accepts: String,
}

impl<'g> Deriver<'g> {
    /// The deriver of the rule of that name.
    ///
    /// # Errors
    ///
    /// Those of [`Dfa::compile`](crate::Dfa::compile).
    pub fn compile(grammar: &'g Grammar, rule: &str) -> Result<Deriver<'g>, Error> {
        let nfa = Nfa::of(grammar, rule)?;
        let subsets = nfa.subsets()?;
        let (mut begin, mut end) = (FastMap::<u32, Vec<u32>>::default(), FastMap::<u32, Vec<u32>>::default());
        for (at, place) in nfa.places.iter().enumerate() {
            begin.entry(place.fragment.0).or_default().push(at as u32);
            end.entry(place.fragment.1).or_default().push(at as u32);
        }
        // Of places that end together the one that stands in the other has the greater number.
        end.values_mut().for_each(|places| places.reverse());
        Ok(Deriver {
            nfa,
            subsets,
            begin,
            end,
            grammar,
        })
    }

    /// The first derivation of the whole of `input`, in the order that the module states; none if it does not match.
    pub fn derive(&self, input: &[u8]) -> Option<Derivation<'g>> {
        let mut tree = Tree::default();
        let matches = self.follow(input, &mut Reused::default(), |at, visit| match visit {
            Visit::Begin(place) => tree.begin(self.nfa.places[place as usize].rule.name.as_str(), at),
            Visit::End(_) => tree.end(at),
        });
        tree.root.filter(|_| matches)
    }

    /// Shows to `visit` where in the first derivation of `input` each place begins and ends; whether there is one. Many
    /// inputs take less time with what was made for those before.
    pub(crate) fn follow(&self, input: &[u8], reused: &mut Reused, mut visit: impl FnMut(usize, Visit)) -> bool {
        let states = self.states(input);
        if self.subsets.raw.outputs[states[input.len()] as usize] == 0 {
            return false;
        }
        let Reused { viable, walk, paths } = reused;
        let mut node = self.nfa.entry;
        for (at, set) in viable.of(self, input, &states).into_iter().enumerate() {
            let path = paths
                .entry((node, set))
                .or_insert_with(|| self.path(&walk.first_of(&self.nfa, &viable.sets[set as usize], node)));
            path.visits.iter().for_each(|&place| visit(at, place));
            node = path.next;
        }
        true
    }

    /// What is visited on the way through nodes.
    fn path(&self, nodes: &[u32]) -> Path {
        let mut visits = Vec::new();
        for node in nodes {
            visits.extend(self.begin.get(node).into_iter().flatten().map(|&place| Visit::Begin(place)));
            visits.extend(self.end.get(node).into_iter().flatten().map(|&place| Visit::End(place)));
        }
        let edge = nodes.last().and_then(|&last| self.nfa.nodes[last as usize].edge);
        Path {
            visits,
            next: edge.map_or(self.nfa.exit, |(_, next)| next),
        }
    }

    /// The rule of every place, and whether it stands in another.
    pub(crate) fn places(&self) -> impl Iterator<Item = (&'g str, bool)> {
        self.nfa.places.iter().map(|place| (place.rule.name.as_str(), place.outer.is_some()))
    }

    /// How far `input` can be the beginning of a string that matches, and what can stand there.
    pub fn continuations(&self, input: &[u8]) -> Continuations<'g> {
        let (mut state, mut offset) = (0, 0);
        for &byte in input {
            let next = self.step(state, byte);
            if self.subsets.sets[next as usize].is_empty() {
                break;
            }
            state = next;
            offset += 1;
        }
        let mut found: Vec<(Vec<&'g str>, ByteSet)> = Vec::new();
        for &node in &self.subsets.sets[state as usize] {
            let node = &self.nfa.nodes[node as usize];
            let Some((bytes, _)) = node.edge else { continue };
            let rules = self.rules(node.place);
            match found.iter_mut().find(|(known, _)| *known == rules) {
                Some((_, known)) => *known = known.either(bytes),
                None => found.push((rules, bytes)),
            }
        }
        let continuation = |(rules, bytes): (Vec<&'g str>, ByteSet)| {
            let bytes: Vec<u8> = (0..=255).filter(|&byte| bytes.contains(byte)).collect();
            let accepts = match rules.last() {
                Some(name) if self.is_character(name) => (*name).to_owned(),
                _ => label(&bytes),
            };
            Continuation { rules, bytes, accepts }
        };
        Continuations {
            offset,
            may_end: self.subsets.raw.outputs[state as usize] != 0,
            next: found.into_iter().map(continuation).collect(),
        }
    }

    /// The names from the start rule to a place, no further than the first core rule of one character.
    fn rules(&self, place: u32) -> Vec<&'g str> {
        let places = std::iter::successors(Some(place), |&place| self.nfa.places[place as usize].outer);
        let mut names: Vec<&'g str> = places.map(|place| self.nfa.places[place as usize].rule.name.as_str()).collect();
        names.reverse();
        let inner = names.iter().position(|name| self.is_character(name)).map_or(names.len(), |at| at + 1);
        names.truncate(inner);
        names
    }

    fn is_character(&self, name: &str) -> bool {
        CHARACTERS.contains(&name) && self.grammar.is_core(name)
    }

    fn step(&self, state: State, byte: u8) -> State {
        let classes = &self.subsets.raw.classes;
        self.subsets.raw.table[state as usize * classes.count + usize::from(classes.class_of[usize::from(byte)])]
    }

    /// The state before every byte of the input, and that after the last.
    fn states(&self, input: &[u8]) -> Vec<State> {
        let mut states = Vec::with_capacity(input.len() + 1);
        states.push(0);
        states.extend(input.iter().scan(0, |state, &byte| {
            *state = self.step(*state, byte);
            Some(*state)
        }));
        states
    }
}

impl<'g> Derivation<'g> {
    /// The part of the input; empty if `input` is not that of the derivation and too short.
    pub fn text<'i>(&self, input: &'i [u8]) -> &'i [u8] {
        input.get(self.span.clone()).unwrap_or_default()
    }

    /// The rules and the rule's own text between them, in the order of the input.
    pub fn parts(&self) -> Vec<DerivationPart<'_, 'g>> {
        let mut parts = Vec::new();
        let mut at = self.span.start;
        for child in &self.children {
            if child.span.start > at {
                parts.push(DerivationPart::Text(at..child.span.start));
            }
            parts.push(DerivationPart::Rule(child));
            at = child.span.end;
        }
        if self.span.end > at {
            parts.push(DerivationPart::Text(at..self.span.end));
        }
        parts
    }

    /// The first derivation by the rule of that name, as spelled in its definition: this one or one in it, in the order
    /// of the input, the outer before the inner.
    pub fn find(&self, rule: &str) -> Option<&Derivation<'g>> {
        if self.rule == rule {
            return Some(self);
        }
        self.children.iter().find_map(|child| child.find(rule))
    }
}

/// What derivations by one deriver have in common.
#[derive(Default)]
pub(crate) struct Reused {
    viable: Viable,
    walk: Walk,
    /// By the node at which it begins, and the set that it leads to.
    paths: FastMap<(u32, u32), Path>,
}

/// A way through the nodes that take no byte.
struct Path {
    visits: Vec<Visit>,
    /// The node behind the byte that follows; the last node where none does.
    next: u32,
}

/// A place on the way.
#[derive(Clone, Copy)]
pub(crate) enum Visit {
    /// It begins.
    Begin(u32),
    /// It ends.
    End(u32),
}

/// The nodes from which the rest of an input can be derived.
#[derive(Default)]
struct Viable {
    /// Different sets, of ascending numbers.
    sets: Vec<Vec<u32>>,
    /// The number of each.
    known: HashMap<Vec<u32>, u32>,
    /// By the state before a byte, the byte, and the set after it.
    before: FastMap<(State, u8, u32), u32>,
}

impl Viable {
    /// The set before every byte of an input, and that after the last; `states` are those of the input, which matches.
    fn of(&mut self, deriver: &Deriver<'_>, input: &[u8], states: &[State]) -> Vec<u32> {
        let mut by_offset = vec![self.number(vec![deriver.nfa.exit]); states.len()];
        for (at, &byte) in input.iter().enumerate().rev() {
            let after = by_offset[at + 1];
            by_offset[at] = match self.before.get(&(states[at], byte, after)) {
                Some(&known) => known,
                None => {
                    let after_set = &self.sets[after as usize];
                    let leads_on = |&node: &u32| match deriver.nfa.nodes[node as usize].edge {
                        Some((bytes, to)) if bytes.contains(byte) => {
                            let reached = deriver.subsets.closures[to as usize].as_deref().unwrap_or_default();
                            after_set.iter().any(|node| reached.binary_search(node).is_ok())
                        }
                        _ => false,
                    };
                    let set = deriver.subsets.sets[states[at] as usize].iter().copied().filter(leads_on).collect();
                    let number = self.number(set);
                    self.before.insert((states[at], byte, after), number);
                    number
                }
            };
        }
        by_offset
    }

    fn number(&mut self, set: Vec<u32>) -> u32 {
        *self.known.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            self.sets.len() as u32 - 1
        })
    }
}

/// The way through the nodes that take no byte.
#[derive(Default)]
struct Walk {
    /// The number of ways that were looked for.
    turn: usize,
    /// For every node the last turn that came to it.
    seen: Vec<usize>,
}

impl Walk {
    /// The path that from `start` on, taking the first way everywhere, leads to one of `targets`; empty if there is none.
    fn first_of(&mut self, nfa: &Nfa<'_>, targets: &[u32], start: u32) -> Vec<u32> {
        self.turn += 1;
        self.seen.resize(nfa.nodes.len(), 0);
        self.seen[start as usize] = self.turn;
        // The nodes on the way, and how many of the ways on from each have been tried.
        let mut path = vec![(start, 0)];
        while let Some((node, tried)) = path.last_mut() {
            if targets.binary_search(node).is_ok() {
                break;
            }
            match nfa.nodes[*node as usize].silent.get(*tried) {
                Some(&next) => {
                    *tried += 1;
                    if self.seen[next as usize] != self.turn {
                        self.seen[next as usize] = self.turn;
                        path.push((next, 0));
                    }
                }
                None => drop(path.pop()),
            }
        }
        path.into_iter().map(|(node, _)| node).collect()
    }
}

/// A derivation on the way.
#[derive(Default)]
struct Tree<'g> {
    /// Those begun, each within the one before.
    open: Vec<Derivation<'g>>,
    root: Option<Derivation<'g>>,
}

impl<'g> Tree<'g> {
    fn begin(&mut self, rule: &'g str, at: usize) {
        self.open.push(Derivation {
            rule,
            span: at..at,
            children: Vec::new(),
        });
    }

    fn end(&mut self, at: usize) {
        if let Some(mut done) = self.open.pop() {
            done.span.end = at;
            match self.open.last_mut() {
                Some(outer) => outer.children.push(done),
                None => self.root = Some(done),
            }
        }
    }
}

/// Bytes as characters and ranges.
fn label(bytes: &[u8]) -> String {
    let is_other_case = |byte: u8| byte.is_ascii_uppercase() && bytes.binary_search(&byte.to_ascii_lowercase()).is_ok();
    let bytes: Vec<u8> = bytes.iter().copied().filter(|&byte| !is_other_case(byte)).collect();
    let follows = |&left: &u8, &right: &u8| {
        left.checked_add(1) == Some(right)
            && left.is_ascii_graphic() == right.is_ascii_graphic()
            && left.is_ascii_alphanumeric() == right.is_ascii_alphanumeric()
    };
    let labels = bytes.chunk_by(follows).flat_map(|run| match run {
        [first, .., last] if run.len() > 2 && first.is_ascii_alphanumeric() => {
            vec![format!("{}-{}", char::from(*first), char::from(*last))]
        }
        [first, .., last] if !first.is_ascii_graphic() => vec![format!("%x{first:02X}-{last:02X}")],
        _ => run.iter().map(|&byte| character(byte)).collect(),
    });
    labels.collect::<Vec<_>>().join(" ")
}

/// A byte as a string of ABNF, or by its value.
fn character(byte: u8) -> String {
    match byte {
        b'"' | 0..=b' ' | 0x7f.. => format!("%x{byte:02X}"),
        _ => format!("\"{}\"", char::from(byte)),
    }
}
