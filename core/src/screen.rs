//! The components of a string by the machine of the grammar: what loops over many strings have in the place of the
//! expression of Appendix B and the rules one by one.
//!
//! The machine is compiled from Appendix A (`uriproof_grammar`). Whether a string matches and of what kind its host is are
//! outputs of the machine; where the components are follows from the [delimiters](crate::split). On every 64th string the
//! literal reference is run beside it, and the two have to agree.

use std::borrow::Cow;

use rfc3986_reference::components::{Reference, parse};

use crate::model::{Observed, Reading};
use crate::split::is_to_be_checked;

/// `text` as a URI-reference, if it is one.
///
/// # Panics
///
/// If the machine and the reference disagree on a string that both parse.
#[inline]
pub fn reference(text: &str) -> Option<Reference<'_>> {
    let Some(screen) = machine::SCREEN.get().or_else(machine::if_it_pays) else {
        return literally(text);
    };
    let reference = screen.reference(0, text, text);
    if is_to_be_checked() {
        check(text, reference.clone());
    }
    reference
}

/// Runs the literal reference beside the machine.
#[cold]
fn check(text: &str, reference: Option<Reference<'_>>) {
    assert_eq!(
        reference,
        literally(text),
        "the machine and Appendix B disagree on {text:?}"
    );
}

fn literally(text: &str) -> Option<Reference<'_>> {
    parse(text, Reading::Rfc3986).ok()
}

/// All components of `text`, if it is a URI-reference.
///
/// # Panics
///
/// As [`reference()`].
#[inline]
pub fn components(text: &str) -> Option<Observed<&str>> {
    Prefix::default().components(text)
}

/// What strings begin with that are looked at one after the other: the machine reads it once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prefix {
    /// How many bytes it has.
    length: usize,
    /// The row of the state that it leads to.
    row: u16,
}
impl Prefix {
    /// That text; no more than the empty one before the machine [is ready](ready).
    pub fn of(text: &str) -> Prefix {
        machine::SCREEN.get().map_or_else(Prefix::default, |screen| Prefix {
            length: text.len(),
            row: screen.row(0, text),
        })
    }

    /// As [`components()`], of a `text` that begins so.
    ///
    /// # Panics
    ///
    /// As [`reference()`], or if the text is shorter.
    #[inline]
    pub fn components(self, text: &str) -> Option<Observed<&str>> {
        let Some(screen) = machine::SCREEN.get().or_else(machine::if_it_pays) else {
            return literally(text).map(observed);
        };
        let reference = screen.reference(self.row, &text[self.length..], text);
        if is_to_be_checked() {
            check(text, reference.clone());
        }
        reference.map(observed)
    }
}

/// The components of a reference that a text was parsed into, all of them reported.
#[inline]
pub(crate) fn observed(reference: Reference<'_>) -> Observed<&str> {
    let Reference { components, authority } = reference;
    let Cow::Borrowed(path) = components.path else {
        unreachable!("what is parsed borrows from its text")
    };
    Observed {
        scheme: components.scheme.into(),
        userinfo: authority.and_then(|authority| authority.userinfo).into(),
        host: authority.map(|authority| authority.host).into(),
        host_kind: authority.map(|authority| authority.host_kind.into()).into(),
        port: authority.and_then(|authority| authority.port).into(),
        path: Some(path).into(),
        query: components.query.into(),
        fragment: components.fragment.into(),
    }
}

/// Readies the machine now, and not when it pays.
pub fn ready() {
    machine::SCREEN.get_or_init(machine::Screen::compile);
}
mod machine {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    use rfc3986_reference::components::{Authority, Reference};
    use rfc3986_reference::grammar::HostKind;
    use uriproof_grammar::{Machine, State, rfc3986};

    use crate::split::{self, UserinfoEnd, delimited};

    /// The machine takes as long to compile as some ten thousand strings take without it.
    const FEW: u32 = 8192;

    pub(super) static SCREEN: OnceLock<Screen> = OnceLock::new();

    /// The machine, once it has been needed often enough.
    #[cold]
    pub(super) fn if_it_pays() -> Option<&'static Screen> {
        static ASKED: AtomicU32 = AtomicU32::new(0);
        (ASKED.fetch_add(1, Ordering::Relaxed) >= FEW).then(|| SCREEN.get_or_init(Screen::compile))
    }

    /// How many entries a row of the table has: more than there are classes of bytes, and a power of two.
    const ROW: usize = 32;

    pub(super) struct Screen {
        class_of: [u8; 256],
        /// Where the row of the next state begins, by the row of a state and the class of a byte.
        table: Vec<u16>,
        /// By state.
        outputs: Vec<u32>,
        /// The row of the state that no input leads out of, and that is not accepted.
        sink: u16,
        kinds: [(u32, HostKind); 4],
    }

    impl Screen {
        pub(super) fn compile() -> Screen {
            let moore =
                rfc3986::component_machine().unwrap_or_else(|error| panic!("rfc3986.abnf and views.abnf: {error}"));
            let bit = |name: &str| {
                let bit = moore.views().iter().position(|view| view == name);
                1 << bit.unwrap_or_else(|| panic!("views.abnf has no {name}"))
            };
            let machine = moore.machine();
            let (class_of, table, outputs, sink) = rows(machine);
            Screen {
                class_of,
                table,
                outputs,
                sink,
                kinds: [
                    // "first-match-wins" (§3.2.2): what is an IPv4address is a reg-name too.
                    (bit("host-ipv4"), HostKind::Ipv4),
                    (bit("host-reg-name"), HostKind::RegName),
                    (bit("host-ipv6"), HostKind::Ipv6),
                    (bit("host-ipvfuture"), HostKind::IpvFuture),
                ],
            }
        }

        /// The row of the state that `text` leads to from a state.
        #[inline]
        pub(super) fn row(&self, from: u16, text: &str) -> u16 {
            let mut row = from;
            for &byte in text.as_bytes() {
                if row == self.sink {
                    break;
                }
                row = self.table[usize::from(row) + usize::from(self.class_of[usize::from(byte)])];
            }
            row
        }

        /// `text` as a URI-reference, if it is one; what stands before the `rest` of it leads to the row.
        #[inline]
        pub(super) fn reference<'t>(&self, from: u16, rest: &str, text: &'t str) -> Option<Reference<'t>> {
            let output = self.outputs[usize::from(self.row(from, rest)) / ROW];
            // What the machine puts out of anything else.
            if output == 0 {
                return None;
            }
            let components = delimited(text);
            let authority = components.authority.map(|text| self.authority(text, output));
            Some(Reference { components, authority })
        }

        fn authority<'t>(&self, text: &'t str, output: u32) -> Authority<'t> {
            let split::Authority { userinfo, host, port } = split::authority(text, UserinfoEnd::FirstAt);
            let kind = self.kinds.iter().find(|(view, _)| output & view != 0);
            Authority {
                userinfo,
                host,
                host_kind: kind.map(|(_, kind)| *kind).expect("an authority has a host"),
                port,
            }
        }
    }

    /// The classes, the table, the outputs and the sink of a machine, as a [`Screen`] has them.
    fn rows(machine: &Machine) -> ([u8; 256], Vec<u16>, Vec<u32>, u16) {
        assert!(machine.classes() <= ROW, "a row has room for each class");
        let row = |state: State| u16::try_from(state as usize * ROW).expect("a table of fewer than 65,536 entries");
        let states = 0..machine.states() as State;
        let class_of = std::array::from_fn(|byte| machine.class_of(byte as u8) as u8);
        let mut table = Vec::with_capacity(machine.states() * ROW);
        for state in states.clone() {
            table.extend(machine.representatives().iter().map(|&byte| row(machine.step(state, byte))));
            table.resize(table.len().next_multiple_of(ROW), 0);
        }
        let is_sink = |state: &State| {
            machine.output(*state) == 0
                && machine.representatives().iter().all(|&byte| machine.step(*state, byte) == *state)
        };
        let sink = states.clone().find(is_sink).expect("some strings are no URI-references, whatever follows");
        (
            class_of,
            table,
            states.map(|state| machine.output(state)).collect(),
            row(sink),
        )
    }
}
