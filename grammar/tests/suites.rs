//! The suites: their sizes, that they are what their definitions say, and that nothing they promise to find escapes.

use std::collections::BTreeSet;

use uriproof_grammar::complete::{Method, Suites};
use uriproof_grammar::{Alphabet, Dfa, Machine, State, rfc3986};

fn machine(rule: &str) -> Dfa {
    Dfa::compile(&rfc3986::grammar(), rule).unwrap()
}

#[test]
fn sizes_of_uri_reference() {
    let reference = machine("URI-reference");
    let suites = Suites::new(reference.machine());
    let size = |method, alphabet| suites.suite(method, alphabet).count();
    assert_eq!(suites.state_cover().len(), 183);
    assert_eq!(size(Method::TransitionCover, Alphabet::Representatives), 3_844);
    assert_eq!(size(Method::TransitionCover, Alphabet::Bytes), 46_849);
    assert_eq!(size(Method::Hsi(0), Alphabet::Representatives), 36_139);
    assert_eq!(size(Method::Wp(0), Alphabet::Representatives), 36_715);
    assert_eq!(size(Method::W(0), Alphabet::Representatives), 217_284);
    assert_eq!(size(Method::Hsi(0), Alphabet::Ascii), 240_686);
    assert_eq!(size(Method::Hsi(0), Alphabet::Bytes), 498_350);
    let accepted = suites.suite(Method::TransitionCover, Alphabet::Representatives);
    assert_eq!(accepted.filter(|string| reference.accepts(string)).count(), 330);
}

#[test]
fn transition_covers_of_other_rules() {
    for (rule, strings) in [
        ("URI", 3_781),
        ("absolute-URI", 3_541),
        ("relative-ref", 3_440),
        ("authority", 2_721),
        ("host", 2_416),
        ("IP-literal", 2_213),
        ("IPv6address", 1_521),
        ("IPv4address", 201),
    ] {
        let machine = machine(rule);
        let suites = Suites::new(machine.machine());
        let cover = suites.suite(Method::TransitionCover, Alphabet::Representatives);
        assert_eq!(cover.count(), strings, "{rule}");
    }
}

#[test]
fn machines_with_components() {
    let components = rfc3986::component_machine().unwrap();
    let identity = components.identity();
    assert_eq!((identity.states, identity.classes), (1_217, 21));
    assert_eq!(components.outputs().len(), 153);
    let suites = Suites::new(components.machine());
    assert_eq!(
        suites.suite(Method::TransitionCover, Alphabet::Representatives).count(),
        25_558
    );
    assert_eq!(suites.suite(Method::Hsi(0), Alphabet::Representatives).count(), 205_619);

    let extended = rfc3986::extended_machine().unwrap();
    let identity = extended.identity();
    assert_eq!((identity.states, identity.classes), (4_437, 21));
    assert_eq!(extended.outputs().len(), 1_675);
}

/// The output after `word` from a state on.
fn answer(machine: &Machine, state: State, word: &[u8]) -> u32 {
    let end = word.iter().fold(state, |state, &byte| machine.step(state, byte));
    machine.output(end)
}

#[test]
fn identifiers_are_harmonised() {
    for rule in ["URI-reference", "IPv4address", "path-empty", "scheme"] {
        let dfa = machine(rule);
        let machine = dfa.machine();
        let suites = Suites::new(machine);
        for one in 0..machine.states() as State {
            for other in 0..one {
                let others: BTreeSet<_> = suites.identifiers(other).collect();
                let mut common = suites.identifiers(one).filter(|word| others.contains(word));
                assert!(
                    common.any(|word| answer(machine, one, word) != answer(machine, other, word)),
                    "{rule}: {one} and {other}"
                );
            }
        }
        assert_eq!(suites.characterising_set()[0], b"");
    }
}

/// The strings of at most `length` symbols.
fn strings(symbols: &[u8], length: usize) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    let mut start = 0;
    for _ in 0..length {
        let end = all.len();
        for at in start..end {
            for &byte in symbols {
                all.push([&all[at][..], &[byte]].concat());
            }
        }
        start = end;
    }
    all
}

#[test]
fn streams_yield_each_string_of_the_definition_once() {
    for (rule, alphabet, longest) in [
        ("IPv4address", Alphabet::Representatives, 1),
        ("dec-octet", Alphabet::Representatives, 2),
        ("path-noscheme", Alphabet::Representatives, 2),
        ("h16", Alphabet::Bytes, 0),
        ("pct-encoded", Alphabet::Ascii, 0),
    ] {
        let dfa = machine(rule);
        let machine = dfa.machine();
        let suites = Suites::new(machine);
        for extra in 0..=longest {
            let mut w = BTreeSet::new();
            let mut hsi = BTreeSet::new();
            for access in suites.state_cover() {
                for tail in strings(&machine.symbols(alphabet), extra + 1) {
                    let stem = [&access[..], &tail].concat();
                    let words = suites.characterising_set().iter();
                    w.extend(words.map(|word| [&stem[..], word].concat()));
                    let words = suites.identifiers(machine.run(&stem));
                    hsi.extend(words.map(|word| [&stem[..], word].concat()));
                }
            }
            for (method, expected) in [(Method::W(extra), &w), (Method::Hsi(extra), &hsi)] {
                let streamed: Vec<_> = suites.suite(method, alphabet).collect();
                let distinct: BTreeSet<_> = streamed.iter().cloned().collect();
                assert_eq!(
                    streamed.len(),
                    distinct.len(),
                    "{rule}, {method}: a string is yielded twice"
                );
                assert!(distinct == *expected, "{rule}, {method}, {alphabet}");
            }
            let wp: Vec<_> = suites.suite(Method::Wp(extra), alphabet).collect();
            let distinct: BTreeSet<_> = wp.iter().cloned().collect();
            assert_eq!(wp.len(), distinct.len(), "{rule}, Wp");
            assert!(distinct.is_subset(&w), "{rule}, Wp");
        }
    }
}

/// An implementation: a machine over the 256 bytes that need not be minimal.
#[derive(Clone)]
struct Implementation {
    table: Vec<[State; 256]>,
    accepting: Vec<bool>,
}

impl Implementation {
    fn of(dfa: &Dfa) -> Implementation {
        let states = 0..dfa.machine().states() as State;
        Implementation {
            table: states.clone().map(|s| std::array::from_fn(|byte| dfa.step(s, byte as u8))).collect(),
            accepting: states.map(|state| dfa.is_accepting(state)).collect(),
        }
    }

    fn accepts(&self, input: &[u8]) -> bool {
        let end = input.iter().fold(0, |state: State, &byte| self.table[state as usize][usize::from(byte)]);
        self.accepting[end as usize]
    }

    /// Whether it accepts other strings than the machine does: a search of all pairs of states.
    fn differs(&self, dfa: &Dfa) -> bool {
        let mut known = BTreeSet::from([(0, dfa.start())]);
        let mut open = vec![(0, dfa.start())];
        while let Some((theirs, ours)) = open.pop() {
            if self.accepting[theirs as usize] != dfa.is_accepting(ours) {
                return true;
            }
            for byte in 0..=255_u8 {
                let next = (self.table[theirs as usize][usize::from(byte)], dfa.step(ours, byte));
                if known.insert(next) {
                    open.push(next);
                }
            }
        }
        false
    }
}

#[test]
fn no_fault_of_at_most_n_states_escapes() {
    let dfa = machine("IPv4address");
    let machine = dfa.machine();
    let suites = Suites::new(machine);
    let correct = Implementation::of(&dfa);
    for method in [Method::Hsi(0), Method::Wp(0), Method::W(0)] {
        let suite: Vec<_> = suites.suite(method, Alphabet::Representatives).collect();
        let escapes = |implementation: &Implementation| {
            suite.iter().all(|string| implementation.accepts(string) == dfa.accepts(string))
        };
        assert!(escapes(&correct));
        for state in 0..machine.states() {
            let mut flipped = correct.clone();
            flipped.accepting[state] ^= true;
            assert!(!escapes(&flipped), "{method}: output of {state}");
            for class in 0..machine.classes() {
                for target in 0..machine.states() as State {
                    let mut redirected = correct.clone();
                    for byte in machine.members(class) {
                        redirected.table[state][usize::from(byte)] = target;
                    }
                    let same = target == machine.step(state as State, machine.representatives()[class]);
                    assert_eq!(
                        escapes(&redirected),
                        same,
                        "{method}: {state}, class {class} to {target}"
                    );
                }
            }
        }
    }
}

#[test]
fn no_random_fault_within_the_promise_escapes() {
    let mut random = fastrand::Rng::with_seed(5234);
    for (rule, method, alphabet, extra, rounds) in [
        ("IPv4address", Method::Hsi(0), Alphabet::Bytes, 0, 300),
        ("path-noscheme", Method::Hsi(0), Alphabet::Bytes, 0, 300),
        ("dec-octet", Method::Hsi(1), Alphabet::Representatives, 1, 300),
        ("dec-octet", Method::Wp(2), Alphabet::Representatives, 2, 300),
        ("path-noscheme", Method::Hsi(2), Alphabet::Representatives, 2, 300),
    ] {
        let dfa = machine(rule);
        let machine = dfa.machine();
        let suites = Suites::new(machine);
        let suite: Vec<_> = suites.suite(method, alphabet).collect();
        for round in 0..rounds {
            let mut faulty = Implementation::of(&dfa);
            // Copies of states, each entered by a transition of its own, so that they can be told from the original
            // by a fault of the copy alone.
            for _ in 0..extra {
                let original = random.usize(0..faulty.table.len());
                faulty.table.push(faulty.table[original]);
                faulty.accepting.push(faulty.accepting[original]);
                let copy = faulty.table.len() as State - 1;
                let states = faulty.table.len();
                redirect(
                    &mut faulty,
                    machine,
                    alphabet,
                    random.usize(0..states),
                    random.u8(..),
                    copy,
                );
            }
            for _ in 0..random.usize(1..4) {
                let states = faulty.table.len();
                let target = random.usize(0..states) as State;
                redirect(
                    &mut faulty,
                    machine,
                    alphabet,
                    random.usize(0..states),
                    random.u8(..),
                    target,
                );
            }
            let found = suite.iter().any(|string| faulty.accepts(string) != dfa.accepts(string));
            assert_eq!(
                found,
                faulty.differs(&dfa),
                "{rule}, {method}, {alphabet}, round {round}"
            );
        }
    }
}

/// Redirects one transition: of all bytes of a class where the suite takes them to be alike, else of one byte.
fn redirect(
    implementation: &mut Implementation,
    machine: &Machine,
    alphabet: Alphabet,
    state: usize,
    byte: u8,
    target: State,
) {
    if alphabet == Alphabet::Bytes {
        implementation.table[state][usize::from(byte)] = target;
        return;
    }
    for byte in machine.members(usize::from(byte) % machine.classes()) {
        implementation.table[state][usize::from(byte)] = target;
    }
}

#[test]
fn certificates_say_what_they_assume() {
    let dfa = machine("port");
    let suites = Suites::new(dfa.machine());
    let suite = suites.suite(Method::Hsi(1), Alphabet::Representatives);
    let hash = dfa.identity().hash;
    assert_eq!(
        suite.certificate().to_string(),
        format!(
            "HSI, k = 1, over one byte of each class, from 2 states, 2 byte classes, {hash:016x}: an implementation that \
             passes and differs has more than 3 states or treats two bytes of a class differently"
        )
    );
}

#[test]
fn a_machine_of_one_state_is_asked_too() {
    let grammar = uriproof_grammar::Grammar::read("r = *OCTET").unwrap();
    let dfa = Dfa::compile(&grammar, "r").unwrap();
    let suites = Suites::new(dfa.machine());
    let suite: Vec<_> = suites.suite(Method::Hsi(0), Alphabet::Representatives).collect();
    assert_eq!(suite, [b"".to_vec(), b"a".to_vec()]);
}

#[test]
fn the_parts_of_a_suite_are_the_suite() {
    let machine = Dfa::compile(&rfc3986::grammar(), "IPv4address").unwrap();
    let suites = Suites::new(machine.machine());
    for method in [Method::TransitionCover, Method::Hsi(1), Method::Wp(0)] {
        let mut suite = suites.suite(method, Alphabet::Representatives);
        let whole: Vec<Vec<u8>> = suite.clone().collect();
        let parts: Vec<Vec<u8>> = suite.parts().flatten().collect();
        assert_eq!(parts, whole);
        // A suite that has been begun is parted from where it stands.
        let begun: Vec<Vec<u8>> = suite.by_ref().take(100).collect();
        assert_eq!([begun, suite.parts().flatten().collect()].concat(), whole);
    }
}
