//! The places where a reader that takes choices in order can be, and the machine that they make.

use std::collections::{HashMap, HashSet};

use super::preorder;
use crate::abnf::{Element, Error, Grammar};
use crate::automaton::{ByteSet, Dfa, STATE_LIMIT, byte_sets, explored, within};
use crate::machine::{Classes, Machine, Raw, State};

/// Where a reader can be.
enum ReaderPlace {
    /// It takes one of the bytes.
    Byte(ByteSet, u32),
    /// It goes on in any of these.
    Either(Vec<u32>),
    /// It goes on unless that machine accepts what is left.
    Unless(u32, u32),
    /// It accepts if nothing is left.
    End,
    /// It accepts whatever is left.
    Anything,
}

/// Machines that must not accept what is left, and the states that they are in; in ascending order.
type Pending = Vec<(u32, State)>;

/// Builds places from the end of the grammar to its beginning.
pub(super) struct PlacesBuilder<'a> {
    grammar: &'a Grammar,
    /// The addresses of the elements that are taken in order.
    ordered: HashSet<usize>,
    places: Vec<ReaderPlace>,
    machines: Vec<Beginnings>,
    /// By the address of the element whose beginnings they accept.
    known: HashMap<usize, u32>,
}

/// The strings of which an element matches a beginning.
struct Beginnings {
    machine: Dfa,
    /// The state that accepts whatever is left.
    certain: Option<State>,
}

fn address(element: &Element) -> usize {
    std::ptr::from_ref(element).addr()
}

impl<'a> PlacesBuilder<'a> {
    pub(super) fn new(grammar: &'a Grammar, ordered: &[(String, usize)]) -> PlacesBuilder<'a> {
        let elements = ordered.iter().filter_map(|(name, number)| {
            let rule = grammar.rule(name)?;
            preorder(&rule.element).get(*number).copied()
        });
        PlacesBuilder {
            grammar,
            ordered: elements.map(address).collect(),
            places: Vec::new(),
            machines: Vec::new(),
            known: HashMap::new(),
        }
    }

    pub(super) fn machine_of(mut self, rule: &str) -> Result<Dfa, Error> {
        let end = self.place(ReaderPlace::End)?;
        let entry = self.rule(rule, end)?;
        self.machine(entry)
    }

    fn place(&mut self, place: ReaderPlace) -> Result<u32, Error> {
        within(STATE_LIMIT, self.places.len())?;
        self.places.push(place);
        Ok(self.places.len() as u32 - 1)
    }

    fn rule(&mut self, name: &str, next: u32) -> Result<u32, Error> {
        let grammar = self.grammar;
        let rule = grammar.rule(name).ok_or_else(|| grammar.undefined(name, None))?;
        self.element(&rule.element, next)
    }

    /// Where a reader is before the element, if it is at `next` behind it.
    fn element(&mut self, element: &'a Element, next: u32) -> Result<u32, Error> {
        let is_ordered = self.ordered.contains(&address(element));
        match element {
            Element::Alternation(elements) => {
                let mut entries = Vec::new();
                for element in elements {
                    entries.push(self.element(element, next)?);
                }
                if !is_ordered {
                    return self.place(ReaderPlace::Either(entries));
                }
                let mut rest = self.place(ReaderPlace::Either(Vec::new()))?;
                for (element, entry) in elements.iter().zip(entries).rev() {
                    rest = self.first_or(element, entry, rest)?;
                }
                Ok(rest)
            }
            Element::Concatenation(elements) => {
                elements.iter().rev().try_fold(next, |next, element| self.element(element, next))
            }
            Element::Repetition { min, max, element } => {
                let mut entry = next;
                match max {
                    None => {
                        let turn = self.place(ReaderPlace::Either(Vec::new()))?;
                        let once_more = self.element(element, turn)?;
                        let choice = self.taken_or(is_ordered, element, once_more, next)?;
                        self.places[turn as usize] = ReaderPlace::Either(vec![choice]);
                        entry = turn;
                    }
                    Some(max) => {
                        for _ in *min..*max {
                            let once_more = self.element(element, entry)?;
                            entry = self.taken_or(is_ordered, element, once_more, next)?;
                        }
                    }
                }
                (0..*min).try_fold(entry, |next, _| self.element(element, next))
            }
            Element::Option(inner) => {
                let entry = self.element(inner, next)?;
                self.taken_or(is_ordered, inner, entry, next)
            }
            Element::Group(element) => self.element(element, next),
            Element::Reference { name, .. } | Element::ProseVal { text: name, .. } => self.rule(name, next),
            Element::CharVal { .. } | Element::NumVal { .. } => byte_sets(element)
                .into_iter()
                .rev()
                .try_fold(next, |next, set| self.place(ReaderPlace::Byte(set, next))),
        }
    }

    /// The element, whose entry is `entry`, or what comes without it: if it is taken in order, only where it does not match.
    fn taken_or(&mut self, is_ordered: bool, element: &'a Element, entry: u32, without: u32) -> Result<u32, Error> {
        if is_ordered {
            self.first_or(element, entry, without)
        } else {
            self.place(ReaderPlace::Either(vec![entry, without]))
        }
    }

    fn first_or(&mut self, element: &'a Element, entry: u32, otherwise: u32) -> Result<u32, Error> {
        let machine = self.beginnings(element)?;
        let unless = self.place(ReaderPlace::Unless(machine, otherwise))?;
        self.place(ReaderPlace::Either(vec![entry, unless]))
    }

    /// The machine of the strings of which the element matches a beginning.
    fn beginnings(&mut self, element: &'a Element) -> Result<u32, Error> {
        if let Some(&known) = self.known.get(&address(element)) {
            return Ok(known);
        }
        let outer = std::mem::take(&mut self.places);
        let anything = self.place(ReaderPlace::Anything)?;
        let entry = self.element(element, anything)?;
        let machine = self.machine(entry)?;
        self.places = outer;
        let certain = (0..machine.machine().states() as State).find(|&state| {
            let bytes = machine.machine().representatives();
            machine.is_accepting(state) && bytes.iter().all(|&byte| machine.step(state, byte) == state)
        });
        let number = self.machines.len() as u32;
        self.machines.push(Beginnings { machine, certain });
        self.known.insert(address(element), number);
        Ok(number)
    }

    /// `pending` with a machine in a state; nothing if that one accepts whatever is left.
    fn and(&self, pending: &mut Pending, machine: u32, state: State) -> Option<()> {
        let Beginnings { machine: dfa, certain } = &self.machines[machine as usize];
        if *certain == Some(state) {
            return None;
        }
        if !dfa.is_dead(state) {
            if let Err(at) = pending.binary_search(&(machine, state)) {
                pending.insert(at, (machine, state));
            }
        }
        Some(())
    }

    /// The places that a reader at `place` is at before it takes a byte, with what must not match from there on.
    fn closure(&self, place: u32) -> Vec<(u32, Pending)> {
        let mut seen = HashSet::new();
        let mut open = vec![(place, Pending::new())];
        let mut closure = Vec::new();
        while let Some((place, pending)) = open.pop() {
            if !seen.insert((place, pending.clone())) {
                continue;
            }
            match &self.places[place as usize] {
                ReaderPlace::Either(places) => open.extend(places.iter().map(|&place| (place, pending.clone()))),
                ReaderPlace::Unless(machine, next) => {
                    let mut pending = pending;
                    let start = self.machines[*machine as usize].machine.start();
                    if self.and(&mut pending, *machine, start).is_some() {
                        open.push((*next, pending));
                    }
                }
                ReaderPlace::Byte(..) | ReaderPlace::End | ReaderPlace::Anything => closure.push((place, pending)),
            }
        }
        closure
    }

    /// The minimal machine of what a reader at `entry` accepts.
    fn machine(&self, entry: u32) -> Result<Dfa, Error> {
        let sets: HashSet<ByteSet> = self
            .places
            .iter()
            .filter_map(|place| match place {
                ReaderPlace::Byte(set, _) => Some(*set),
                _ => None,
            })
            .collect();
        let classes = Classes::by_key(|byte| {
            let sets = sets.iter().map(|set| u8::from(set.contains(byte)));
            let machines = self.machines.iter().map(|beginnings| beginnings.machine.machine().class_of(byte) as u8);
            sets.chain(machines).collect::<Vec<u8>>()
        });
        let symbols = classes.representatives();
        let mut closures: HashMap<u32, Vec<(u32, Pending)>> = HashMap::new();

        let start = self.simplified(self.closure(entry));
        let (sets, table) = explored(start, &symbols, |readers, byte| {
            let mut next = Vec::new();
            for (place, pending) in readers {
                let Some(pending) = self.after(pending, byte) else {
                    continue;
                };
                match &self.places[*place as usize] {
                    ReaderPlace::Byte(set, to) if set.contains(byte) => {
                        let closure = closures.entry(*to).or_insert_with(|| self.closure(*to));
                        next.extend(closure.iter().filter_map(|(place, more)| {
                            let mut pending = pending.clone();
                            more.iter().try_for_each(|&(machine, state)| self.and(&mut pending, machine, state))?;
                            Some((*place, pending))
                        }));
                    }
                    ReaderPlace::Anything => next.push((*place, pending)),
                    _ => {}
                }
            }
            Ok(self.simplified(next))
        })?;
        let outputs = sets.iter().map(|set| u32::from(set.iter().any(|reader| self.accepts(reader)))).collect();
        Ok(Dfa::from_machine(Machine::minimal(&Raw {
            classes,
            table,
            outputs,
        })))
    }

    /// What is pending after a byte; nothing if a machine accepts whatever is left.
    fn after(&self, pending: &Pending, byte: u8) -> Option<Pending> {
        let mut after = Pending::new();
        for &(machine, state) in pending {
            let next = self.machines[machine as usize].machine.step(state, byte);
            self.and(&mut after, machine, next)?;
        }
        Some(after)
    }

    /// In ascending order, without duplicates; a reader without a pending condition replaces all others at its place.
    fn simplified(&self, mut readers: Vec<(u32, Pending)>) -> Vec<(u32, Pending)> {
        readers.sort_unstable();
        readers.dedup();
        let mut free = None;
        readers.retain(|(place, pending)| {
            if pending.is_empty() {
                free = Some(*place);
            }
            pending.is_empty() || free != Some(*place)
        });
        // Whatever is left is accepted: who else is there does not matter.
        let is_certain = |reader: &&(u32, Pending)| {
            reader.1.is_empty() && matches!(self.places[reader.0 as usize], ReaderPlace::Anything)
        };
        match readers.iter().find(is_certain) {
            Some(certain) => vec![certain.clone()],
            None => readers,
        }
    }

    /// Whether a reader accepts if nothing is left.
    fn accepts(&self, (place, pending): &(u32, Pending)) -> bool {
        matches!(self.places[*place as usize], ReaderPlace::End | ReaderPlace::Anything)
            && pending.iter().all(|&(machine, state)| !self.machines[machine as usize].machine.is_accepting(state))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::{Order, orders};
    use super::*;
    use crate::rfc3986;

    /// What [`PlacesBuilder`] makes a machine of, done to one text: where a match that begins at `from` may end.
    fn ends(builder: &PlacesBuilder<'_>, element: &Element, text: &[u8], from: usize) -> BTreeSet<usize> {
        let is_ordered = builder.ordered.contains(&address(element));
        let then = |starts: &BTreeSet<usize>, element: &Element| -> BTreeSet<usize> {
            starts.iter().flat_map(|&from| ends(builder, element, text, from)).collect()
        };
        match element {
            Element::Alternation(elements) => {
                let mut each = elements.iter().map(|element| ends(builder, element, text, from));
                match is_ordered {
                    true => each.find(|ends| !ends.is_empty()).unwrap_or_default(),
                    false => each.flatten().collect(),
                }
            }
            Element::Concatenation(elements) => elements.iter().fold(BTreeSet::from([from]), |ends, e| then(&ends, e)),
            Element::Repetition { min, max, element } => {
                let mut open = BTreeSet::from([from]);
                for _ in 0..*min {
                    open = then(&open, element);
                }
                // Where a turn is over, and where the repetition is.
                let mut over = BTreeSet::new();
                for _ in *min..max.unwrap_or(u32::MAX) {
                    let mut next = BTreeSet::new();
                    for &from in &open {
                        let turn = ends(builder, element, text, from);
                        if turn.is_empty() || !is_ordered {
                            over.insert(from);
                        }
                        next.extend(turn);
                    }
                    if next.is_empty() || next == open {
                        open = next;
                        break;
                    }
                    open = next;
                }
                over.extend(open);
                over
            }
            Element::Option(element) => {
                let mut taken = ends(builder, element, text, from);
                if taken.is_empty() || !is_ordered {
                    taken.insert(from);
                }
                taken
            }
            Element::Group(element) => ends(builder, element, text, from),
            Element::Reference { name, .. } | Element::ProseVal { text: name, .. } => {
                ends(builder, &builder.grammar.rule(name).unwrap().element, text, from)
            }
            Element::CharVal { .. } | Element::NumVal { .. } => {
                let sets = byte_sets(element);
                let there = text.get(from..from + sets.len());
                let fits = there.is_some_and(|there| sets.iter().zip(there).all(|(set, &byte)| set.contains(byte)));
                fits.then_some(from + sets.len()).into_iter().collect()
            }
        }
    }

    #[test]
    fn machines_do_what_readers_in_order_do() {
        let grammar = Grammar::read(concat!(
            "start = authority / ls32 / *2( \"a\" \"b\" ) \"a\" / order\n",
            "authority = [ userinfo \"@\" ] host [ \":\" port ]\n",
            "userinfo = *( \"1\" / \"a\" / \":\" )\n",
            "host = \"[\" ls32 \"]\" / octet \".\" octet / *( \"1\" / \"a\" / \".\" )\n",
            "port = *\"1\"\n",
            "ls32 = h16 \":\" h16 / octet \".\" octet / [ *1( h16 \":\" ) h16 ] \"::\"\n",
            "h16 = 1*2( \"1\" / \"a\" )\n",
            "octet = \"1\" / \"11\" / \"1a\"\n",
            // What has matched a beginning may not, when more is there.
            "order = ( ( \"a@:\" / \"a\" ) \"@\" / \"a@\" ) *\":\"\n",
        ))
        .unwrap();
        let mut texts: Vec<Vec<u8>> = vec![Vec::new()];
        let mut done = 0;
        while texts[done].len() < 5 {
            let longer = b"1a:.@".map(|byte| [&texts[done][..], &[byte]].concat());
            texts.extend(longer);
            done += 1;
        }
        let (mut orders_seen, mut differing) = (0, 0);
        let plain = Dfa::compile(&grammar, "start").unwrap();
        for order in orders(&grammar, "start") {
            let machine = order.machine("start").unwrap();
            let builder = PlacesBuilder::new(&order.grammar, &order.ordered);
            let start = &order.grammar.rule("start").unwrap().element;
            for text in &texts {
                let is_match = ends(&builder, start, text, 0).contains(&text.len());
                let what = &order.description;
                assert_eq!(machine.accepts(text), is_match, "{what}: {}", text.escape_ascii());
            }
            orders_seen += 1;
            differing += usize::from(machine != plain);
        }
        assert!(orders_seen > 60 && differing > 30, "{orders_seen} {differing}");
    }

    #[test]
    fn nothing_in_order_is_the_grammar() {
        let order = Order {
            description: String::new(),
            grammar: rfc3986::grammar(),
            ordered: Vec::new(),
        };
        let plain = Dfa::compile(&rfc3986::grammar(), "URI-reference").unwrap();
        assert!(order.machine("URI-reference").unwrap() == plain);
    }

    #[test]
    fn the_first_alternative_that_matches_a_beginning_is_stayed_with() {
        let machine_of = |description: &str| {
            let orders = orders(&rfc3986::grammar(), "URI-reference");
            let order = orders.iter().find(|order| order.description == description).expect(description);
            order.machine("URI-reference").unwrap()
        };
        let host = machine_of("host: IP-literal / IPv4address / reg-name, tried in order");
        assert!(host.accepts(b"//1.2.3.4:5/") && host.accepts(b"//1.2.3/") && !host.accepts(b"//1.2.3.4.com/"));
        let octet = machine_of("dec-octet: its alternatives, tried in order");
        assert!(octet.accepts(b"//[::1.2.3.4]") && !octet.accepts(b"//[::25.2.3.4]"));
        assert!(octet.accepts(b"//25.2.3.4"), "it is a registered name");
        let reversed = machine_of("dec-octet: its alternatives, tried in order, the last first");
        assert!(reversed.accepts(b"//[::25.249.100.4]"));
        let groups = machine_of("IPv6address: *6( h16 \":\" ), possessive");
        assert!(groups.accepts(b"//[::]") && !groups.accepts(b"//[1::]"));
    }
}
