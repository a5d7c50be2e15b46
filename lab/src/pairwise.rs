//! What two subjects tell of one input, compared with each other: whether a request would go to the same place.
//!
//! Two spellings of one place are the same place, and values that either side cannot distinguish count as equal.

use std::borrow::Cow;
use std::net::Ipv6Addr;

use rfc3986_reference::characters::{
    is_gen_delim, is_sub_delim, is_unreserved, leading_triplet, percent_decode, percent_encode,
};
use rfc3986_reference::components::parse;
use rfc3986_reference::normalize::Schemes;
use uriproof::compare::uri_of_iri;
use uriproof::model::{
    Component, Components, Declaration, EVERY_TEXT, Fidelity, Forms, Observed, Outcome, Reading, Reported, Value,
};

/// The components that say where a request goes.
pub const PLACE: [Component; 3] = [Component::Scheme, Component::Host, Component::Port];

/// What one subject tells, and how exactly.
#[derive(Clone, Debug)]
pub struct Account<'a> {
    tells: &'a [(Component, Fidelity)],
    forms: Forms,
    observed: Observed,
}

impl<'a> Account<'a> {
    /// Of what a subject has parsed or resolved; `None` if it did not accept, or if its target is no URI-reference, not
    /// even as an IRI: then nobody can say what its components are.
    pub fn of(declaration: &'a Declaration, outcome: Outcome) -> Option<Account<'a>> {
        let Outcome::Accepted { value } = outcome else {
            return None;
        };
        let (tells, observed) = match value {
            Value::Components(observed) => (&*declaration.tells, observed),
            Value::Uri(target) => {
                let target = uri_of_iri(&target);
                let target = parse(&target, Reading::Rfc3986).ok()?;
                (EVERY_TEXT, Observed::from(Components::from(&target)))
            }
            Value::Equivalent(_) | Value::Broken(_) => return None,
        };
        Some(Account {
            tells,
            forms: declaration.forms,
            observed,
        })
    }

    /// The reported value of a component.
    pub fn text(&self, component: Component) -> Reported<&str> {
        self.observed.text(component)
    }

    /// The reported host as a URI has it: of a subject that reports none, an IPv6 address gets its brackets.
    pub fn host(&self) -> Reported<Cow<'_, str>> {
        let host = match self.text(Component::Host) {
            Reported::Defined(host) => host,
            Reported::Undefined => return Reported::Undefined,
            Reported::Nothing => return Reported::Nothing,
        };
        let is_address = || String::from_utf8(percent_decode(host)).is_ok_and(|text| text.parse::<Ipv6Addr>().is_ok());
        Reported::Defined(
            match self.has_fidelity(Component::Host, drops_brackets) && is_address() {
                true => Cow::Owned(format!("[{}]", String::from_utf8_lossy(&percent_decode(host)))),
                false => Cow::Borrowed(host),
            },
        )
    }

    fn has_fidelity(&self, component: Component, what: fn(Fidelity) -> bool) -> bool {
        self.tells.iter().any(|&(reported, fidelity)| reported == component && what(fidelity))
    }
}

/// Whether the two tell the same value of a component of [`PLACE`]; true where one of them cannot tell it.
pub fn report_the_same(component: Component, left: &Account<'_>, right: &Account<'_>) -> bool {
    let (one, other) = match (left.text(component), right.text(component)) {
        (Reported::Nothing, _) | (_, Reported::Nothing) => return true,
        (one, other) => (one.defined(), other.defined()),
    };
    if one == other {
        return true;
    }
    let either = |what| left.has_fidelity(component, what) || right.has_fidelity(component, what);
    let is_blurred = either(blurs_undefined);
    let (one, other) = if is_blurred {
        (
            one.filter(|text| !text.is_empty()),
            other.filter(|text| !text.is_empty()),
        )
    } else {
        (one, other)
    };
    match component {
        Component::Host => {
            let reading = HostReading {
                is_bare: either(drops_brackets),
                is_decoded: either(decodes),
            };
            let is_local = |host: Option<&str>, account: &Account<'_>| {
                // "the "file" URI scheme is defined so that no authority, an empty host, and "localhost" all mean the
                // end-user's machine" (RFC 3986 §3.2.2)
                account.text(Component::Scheme).defined().is_some_and(|scheme| scheme.eq_ignore_ascii_case("file"))
                    && host.is_none_or(|host| host.is_empty() || host.eq_ignore_ascii_case("localhost"))
            };
            let value = |host| reading.value(host);
            one.map(value) == other.map(value) || is_local(one, left) && is_local(other, right)
        }
        Component::Port => {
            let schemes = Schemes::default();
            let drops_defaults = left.forms == Forms::Normalized || right.forms == Forms::Normalized;
            let default = |account: &Account<'_>, beside: &Account<'_>| {
                let scheme = match account.text(Component::Scheme) {
                    Reported::Nothing => beside.text(Component::Scheme),
                    reported => reported,
                };
                let port = schemes.rules(scheme.defined()?)?.default_port?;
                drops_defaults.then(|| port.to_string())
            };
            let value =
                |port, default: Option<String>| significant(port).filter(|port| default.as_deref() != Some(*port));
            value(one, default(left, right)) == value(other, default(right, left))
        }
        _ => match (one, other) {
            (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
            _ => one == other,
        },
    }
}

fn blurs_undefined(fidelity: Fidelity) -> bool {
    matches!(
        fidelity,
        Fidelity::EmptyIsUndefined | Fidelity::BareHost | Fidelity::Number | Fidelity::OctetsEmptyIsUndefined
    )
}

fn drops_brackets(fidelity: Fidelity) -> bool {
    matches!(fidelity, Fidelity::BareHost | Fidelity::OctetsWithoutBrackets)
}

fn decodes(fidelity: Fidelity) -> bool {
    matches!(
        fidelity,
        Fidelity::Octets | Fidelity::OctetsWithoutBrackets | Fidelity::OctetsEmptyIsUndefined
    )
}

/// How much of a host's text both sides can tell.
#[derive(Clone, Copy)]
struct HostReading {
    is_bare: bool,
    is_decoded: bool,
}

impl HostReading {
    /// What every spelling of a host has in common: an IPv6 address by value; else the name that is looked up, in lower
    /// case, its A-labels in Unicode. What cannot stand in a name, such as "%2F", stays a triplet.
    fn value(self, host: &str) -> Vec<u8> {
        let encoded;
        let mut text = host;
        if self.is_decoded {
            encoded = percent_encode(&percent_decode(text), |octet| {
                is_unreserved(octet) || matches!(octet, b':' | b'[' | b']')
            });
            text = &encoded;
        }
        let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let literal = bare.or(self.is_bare.then_some(text));
        if let Some(address) = literal.and_then(|literal| literal.parse::<Ipv6Addr>().ok()) {
            return format!("[{address}]").into_bytes();
        }
        if self.is_bare {
            text = bare.unwrap_or(text);
        }
        let name = decoded_name(text);
        match String::from_utf8(name) {
            Ok(name) => name.to_lowercase().split('.').map(unicode_label).collect::<Vec<_>>().join(".").into_bytes(),
            Err(error) => error.into_bytes().to_ascii_lowercase(),
        }
    }
}

/// The octets of a name: triplets of what can stand in it are decoded, and of characters beyond US-ASCII, for a name is
/// looked up by its characters (RFC 3986 §3.2.2). What can stand nowhere in a URI becomes a triplet.
fn decoded_name(text: &str) -> Vec<u8> {
    let mut rest = text.as_bytes();
    let mut octets = Vec::with_capacity(rest.len());
    while let [first, behind @ ..] = rest {
        let triplet = leading_triplet(rest);
        let octet = triplet.unwrap_or(*first);
        let stands = is_unreserved(octet) || is_sub_delim(octet) || !octet.is_ascii();
        if stands || triplet.is_none() && (is_gen_delim(octet) || octet == b'%') {
            octets.push(octet);
        } else {
            octets.extend_from_slice(percent_encode(&[octet], |_| false).as_bytes());
        }
        rest = if triplet.is_some() { &rest[3..] } else { behind };
    }
    octets
}

/// A label of a name; an A-label (RFC 5890) as the U-label that it stands for.
fn unicode_label(label: &str) -> String {
    label
        .strip_prefix("xn--")
        .and_then(idna::punycode::decode_to_string)
        .filter(|unicode| !unicode.is_ascii())
        .unwrap_or_else(|| label.to_owned())
}

/// A port without a sign and leading zeros, which readers of numbers take; an empty one is none.
fn significant(port: Option<&str>) -> Option<&str> {
    let port = port.filter(|port| !port.is_empty())?;
    let digits = port.strip_prefix('+').unwrap_or(port).trim_start_matches('0');
    Some(if digits.is_empty() { "0" } else { digits })
}

#[cfg(test)]
mod tests {
    use super::*;

    type Tells = &'static [(Component, Fidelity)];

    const EXACT: Tells = EVERY_TEXT;
    const BARE: Tells = &[(Component::Host, Fidelity::BareHost)];
    const DECODED: Tells = &[(Component::Host, Fidelity::OctetsWithoutBrackets)];
    const AS_NUMBER: Tells = &[(Component::Port, Fidelity::Number)];

    fn account(tells: Tells, forms: Forms, observed: Observed) -> Account<'static> {
        Account { tells, forms, observed }
    }

    fn hosts_are_the_same(
        (one_tells, one): (Tells, Option<&str>),
        (other_tells, other): (Tells, Option<&str>),
    ) -> bool {
        let reported = |tells, host: Option<&str>| {
            let host = host.into();
            account(
                tells,
                Forms::Verbatim,
                Observed {
                    host,
                    ..Observed::default()
                },
            )
        };
        let (one, other) = (reported(one_tells, one), reported(other_tells, other));
        let same = report_the_same(Component::Host, &one, &other);
        assert_eq!(same, report_the_same(Component::Host, &other, &one));
        same
    }

    #[test]
    fn two_spellings_of_a_host_are_the_same() {
        for (one, other) in [
            ((EXACT, Some("A")), (EXACT, Some("a"))),
            ((EXACT, Some("%61")), (EXACT, Some("a"))),
            ((EXACT, Some("%21")), (EXACT, Some("!"))),
            ((EXACT, Some("[0:0::1]")), (EXACT, Some("[::1]"))),
            ((EXACT, Some("[0:0::1]")), (BARE, Some("::1"))),
            ((EXACT, Some("[0:0::1]")), (DECODED, Some("%3A%3A1"))),
            ((EXACT, Some("[v1.a]")), (DECODED, Some("v1.a"))),
            ((EXACT, Some("a%2Fb")), (DECODED, Some("a%2Fb"))),
            ((EXACT, Some("a%1Fb")), (EXACT, Some("a\u{1f}b"))),
            ((EXACT, Some("")), (BARE, None)),
            ((EXACT, Some("%C3%A9")), (EXACT, Some("xn--9ca"))),
            ((EXACT, Some("\u{c9}.a")), (EXACT, Some("xn--9ca.a"))),
        ] {
            assert!(hosts_are_the_same(one, other), "{:?} {:?}", one.1, other.1);
        }
    }

    #[test]
    fn what_one_cannot_tell_is_not_compared() {
        let nothing = account(&[], Forms::Verbatim, Observed::default());
        let host = Reported::Defined("a".to_owned());
        let something = account(
            EXACT,
            Forms::Verbatim,
            Observed {
                host,
                ..Observed::default()
            },
        );
        assert!(report_the_same(Component::Host, &nothing, &something));
    }

    #[test]
    fn other_hosts_are_not() {
        for (one, other) in [
            ((EXACT, Some("a")), (EXACT, Some("b"))),
            ((EXACT, Some("0x7f.1")), (EXACT, Some("127.0.0.1"))),
            ((EXACT, Some("a%2Fb")), (EXACT, Some("a/b"))),
            ((EXACT, Some("")), (EXACT, None)),
            ((EXACT, Some("a")), (BARE, None)),
            ((EXACT, Some("[::1]")), (BARE, Some("::2"))),
            ((EXACT, Some("\u{ff41}")), (EXACT, Some("a"))),
            ((EXACT, Some("a.")), (EXACT, Some("a"))),
        ] {
            assert!(!hosts_are_the_same(one, other), "{:?} {:?}", one.1, other.1);
        }
    }

    #[test]
    fn ports_are_compared_by_number_and_defaults_where_one_drops_them() {
        let reported = |tells, forms, scheme: &str, port: Option<&str>| {
            let scheme = Reported::Defined(scheme.to_owned());
            let port = port.into();
            account(
                tells,
                forms,
                Observed {
                    scheme,
                    port,
                    ..Observed::default()
                },
            )
        };
        let same = |one: &Account<'_>, other: &Account<'_>| report_the_same(Component::Port, one, other);
        let exact = |scheme, port| reported(EXACT, Forms::Verbatim, scheme, port);
        let number = |scheme, port| reported(AS_NUMBER, Forms::Verbatim, scheme, port);
        let normalized = |scheme, port| reported(AS_NUMBER, Forms::Normalized, scheme, port);
        assert!(same(&exact("http", Some("080")), &number("http", Some("80"))));
        assert!(same(&exact("http", Some("+80")), &number("http", Some("80"))));
        assert!(same(&exact("http", Some("")), &exact("http", None)));
        assert!(same(&exact("http", Some("80")), &normalized("http", None)));
        assert!(same(&exact("http", Some("0")), &number("http", Some("0"))));
        assert!(!same(&exact("http", Some("80")), &number("http", None)));
        assert!(!same(&exact("https", Some("80")), &normalized("https", None)));
        assert!(!same(&exact("http", Some("0")), &normalized("http", None)));
        assert!(!same(&exact("http", Some("65616")), &number("http", Some("80"))));
    }

    #[test]
    fn the_file_scheme_has_one_host_of_its_own() {
        let reported = |scheme: &str, host: Option<&str>| {
            let scheme = Reported::Defined(scheme.to_owned());
            let host = host.into();
            account(
                EXACT,
                Forms::Verbatim,
                Observed {
                    scheme,
                    host,
                    ..Observed::default()
                },
            )
        };
        let same = |one: &Account<'_>, other: &Account<'_>| report_the_same(Component::Host, one, other);
        assert!(same(&reported("file", Some("localhost")), &reported("FILE", Some(""))));
        assert!(same(&reported("file", None), &reported("file", Some(""))));
        assert!(!same(&reported("http", Some("localhost")), &reported("http", Some(""))));
        assert!(!same(&reported("file", Some("a")), &reported("file", Some(""))));
    }
}
