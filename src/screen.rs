//! The components of a string by the machine of the grammar: what loops over many strings have in the place of the
//! expression of Appendix B and the rules one by one.
//!
//! The machine is compiled from Appendix A (`uriproof_grammar`). Whether a string matches, which components it has and of what kind
//! its host is are outputs of the machine; where they stand follows from the first delimiters. On every 64th string the
//! literal reference is run beside it, and the two have to agree.

use std::borrow::Cow;

use rfc3986_reference::components::{Reference, parse};

use crate::model::{Observed, Reading};

/// `text` as a URI-reference, if it is one.
///
/// # Panics
///
/// If the machine and the reference disagree on a string that both are asked.
#[cfg(feature = "divergence")]
pub fn reference(text: &str) -> Option<Reference<'_>> {
    let Some(screen) = machine::SCREEN.get().or_else(machine::if_it_pays) else {
        return literally(text);
    };
    let found = screen.reference(text);
    if machine::is_to_be_checked() {
        assert_eq!(
            found,
            literally(text),
            "the machine and Appendix B disagree on {text:?}"
        );
    }
    found
}

/// `text` as a URI-reference, if it is one.
#[cfg(not(feature = "divergence"))]
pub fn reference(text: &str) -> Option<Reference<'_>> {
    literally(text)
}

fn literally(text: &str) -> Option<Reference<'_>> {
    parse(text, Reading::Rfc3986).ok()
}

/// The components of `text`, everything told, if it is a URI-reference.
///
/// # Panics
///
/// As [`reference()`].
pub fn components(text: &str) -> Option<Observed<&str>> {
    reference(text).map(told)
}

/// The components of a reference that a text was parsed into, everything told.
pub(crate) fn told(reference: Reference<'_>) -> Observed<&str> {
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
#[cfg(feature = "divergence")]
pub fn ready() {
    machine::SCREEN.get_or_init(machine::Screen::compile);
}

#[cfg(feature = "divergence")]
mod machine {
    use std::borrow::Cow;
    use std::cell::Cell;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    use rfc3986_reference::components::{Authority, Components, Reference};
    use rfc3986_reference::grammar::HostKind;
    use uriproof_grammar::{Machine, rfc3986};

    /// The machine takes as long to compile as some ten thousand strings take without it.
    const FEW: u32 = 8192;

    /// The reference is run beside the machine on every so many-th string of a thread.
    const PERIOD: u32 = 64;

    pub(super) static SCREEN: OnceLock<Screen> = OnceLock::new();

    /// The machine, once it has been asked for often enough.
    #[cold]
    pub(super) fn if_it_pays() -> Option<&'static Screen> {
        static ASKED: AtomicU32 = AtomicU32::new(0);
        (ASKED.fetch_add(1, Ordering::Relaxed) >= FEW).then(|| SCREEN.get_or_init(Screen::compile))
    }

    #[inline]
    pub(super) fn is_to_be_checked() -> bool {
        thread_local! {
            static ASKED: Cell<u32> = const { Cell::new(0) };
        }
        let asked = ASKED.get().wrapping_add(1);
        ASKED.set(asked);
        asked.is_multiple_of(PERIOD)
    }

    pub(super) struct Screen {
        machine: Machine,
        scheme: u32,
        authority: u32,
        userinfo: u32,
        kinds: [(u32, HostKind); 4],
        port: u32,
        query: u32,
        fragment: u32,
    }

    impl Screen {
        pub(super) fn compile() -> Screen {
            let moore =
                rfc3986::component_machine().unwrap_or_else(|error| panic!("rfc3986.abnf and views.abnf: {error}"));
            let bit = |name: &str| {
                let bit = moore.views().iter().position(|view| view == name);
                1 << bit.unwrap_or_else(|| panic!("views.abnf has no {name}"))
            };
            Screen {
                machine: moore.machine().clone(),
                scheme: bit("has-scheme"),
                authority: bit("has-authority"),
                userinfo: bit("has-userinfo"),
                kinds: [
                    // "first-match-wins" (§3.2.2): what is an IPv4address is a reg-name too.
                    (bit("host-ipv4"), HostKind::Ipv4),
                    (bit("host-reg-name"), HostKind::RegName),
                    (bit("host-ipv6"), HostKind::Ipv6),
                    (bit("host-ipvfuture"), HostKind::IpvFuture),
                ],
                port: bit("has-port"),
                query: bit("has-query"),
                fragment: bit("has-fragment"),
            }
        }

        pub(super) fn reference<'t>(&self, text: &'t str) -> Option<Reference<'t>> {
            let output = self.machine.output(self.machine.run(text.as_bytes()));
            if output == 0 {
                return None;
            }
            let has = |view: u32| output & view != 0;
            let mut rest = text;
            // What ends a component is the first of its delimiters (Appendix B).
            let mut take = |is_there: bool, before: usize, ends: &[u8], behind: usize| {
                is_there.then(|| {
                    let start = &rest[before..];
                    let end = start.bytes().position(|byte| ends.contains(&byte)).unwrap_or(start.len());
                    let (taken, others) = start.split_at(end);
                    rest = &others[behind.min(others.len())..];
                    taken
                })
            };
            let scheme = take(has(self.scheme), 0, b":", 1);
            let authority = take(has(self.authority), 2, b"/?#", 0);
            let path = take(true, 0, b"?#", 0).unwrap_or_default();
            let query = take(has(self.query), 1, b"#", 0);
            let fragment = take(has(self.fragment), 1, b"", 0);
            Some(Reference {
                components: Components {
                    scheme,
                    authority,
                    path: Cow::Borrowed(path),
                    query,
                    fragment,
                },
                authority: authority.map(|text| self.authority(text, output)),
            })
        }

        fn authority<'t>(&self, text: &'t str, output: u32) -> Authority<'t> {
            let has = |view: u32| output & view != 0;
            let (userinfo, host_port) = match text.split_once('@') {
                Some((userinfo, rest)) if has(self.userinfo) => (Some(userinfo), rest),
                _ => (None, text),
            };
            // No port has a ":".
            let (host, port) = match host_port.rsplit_once(':') {
                Some((host, port)) if has(self.port) => (host, Some(port)),
                _ => (host_port, None),
            };
            let kind = self.kinds.iter().find(|(view, _)| has(*view));
            Authority {
                userinfo,
                host,
                host_kind: kind.map(|(_, kind)| *kind).expect("an authority has a host"),
                port,
            }
        }
    }
}
