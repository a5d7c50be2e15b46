//! Two URIs as text: whether they are the same, and in which components they differ.

use std::borrow::Cow;
use std::iter;
use std::net::Ipv6Addr;

use rfc3986_reference::characters::{is_unreserved, leading_triplet, percent_encode};
use rfc3986_reference::components::Reference;
use rfc3986_reference::grammar;
use rfc3986_reference::normalize::Parts;

use super::{Difference, DifferenceKind};
use crate::expect::{SCHEMES, has_dot_segments, may_be_omitted};
use crate::iri::is_added;
use crate::model::{Component, ComponentSet, Components, Forms, HostKind, Observed, Reading};
use crate::screen;

/// The URI that an IRI maps to (RFC 3987 section 3.1, step 2): characters beyond US-ASCII percent-encoded as UTF-8.
pub fn uri_of_iri(iri: &str) -> Cow<'_, str> {
    match iri.is_ascii() {
        true => Cow::Borrowed(iri),
        false => Cow::Owned(mapped(iri, |_, _| true)),
    }
}

/// As [`uri_of_iri`], of an answer: a character that RFC 3987 does not have where it stands is left, so that the answer is no URI.
pub(super) fn uri_of_answer(iri: &str) -> Cow<'_, str> {
    match iri.is_ascii() {
        true => Cow::Borrowed(iri),
        false => Cow::Owned(mapped(iri, is_added(iri))),
    }
}

fn mapped(iri: &str, is_mapped: impl Fn(usize, char) -> bool) -> String {
    let mut uri = String::with_capacity(iri.len() * 2);
    for (at, character) in iri.char_indices() {
        if character.is_ascii() || !is_mapped(at, character) {
            uri.push(character);
        } else {
            uri += &percent_encode(character.encode_utf8(&mut [0; 4]).as_bytes(), |_| false);
        }
    }
    uri
}

pub(super) fn same_uri(forms: Forms, expected: &str, observed: &str) -> bool {
    let both = || Compared::of(forms, expected).zip(Compared::of(forms, observed));
    expected == observed
        || forms == Forms::Normalized && both().is_some_and(|(expected, observed)| expected.is_same(forms, &observed))
}

/// The components of a URI-reference, as they are compared.
pub(super) type Compared<'a> = Components<Cow<'a, str>>;

impl<'a> Compared<'a> {
    /// Those of `text`; normalized, if it is a URI and forms are. None if it is no URI-reference.
    fn of(forms: Forms, text: &'a str) -> Option<Compared<'a>> {
        let reference = screen::reference(text)?;
        match forms {
            Forms::Normalized if reference.components.scheme.is_some() => Compared::normal(reference),
            Forms::Verbatim | Forms::Normalized => {
                let Reference { components, authority } = reference;
                Some(Compared {
                    scheme: components.scheme.map(Cow::from),
                    userinfo: authority.and_then(|authority| authority.userinfo).map(Cow::from),
                    host: authority.map(|authority| authority.host.into()),
                    host_kind: authority.map(|authority| authority.host_kind.into()),
                    port: authority.and_then(|authority| authority.port).map(Cow::from),
                    path: components.path,
                    query: components.query.map(Cow::from),
                    fragment: components.fragment.map(Cow::from),
                })
            }
        }
    }

    /// Those of the normal form of a URI (§6.2.2, §6.2.3); none of a relative reference.
    pub(super) fn normal(reference: Reference<'a>) -> Option<Compared<'a>> {
        let authority = reference.authority;
        let parts = Parts::of(reference.components, authority)?;
        let host = authority.map(|authority| (authority.host, authority.host_kind.into()));
        Some(Compared::normal_parts(parts, host))
    }

    /// As [`normal`](Compared::normal), of the components that a text was parsed into.
    pub(super) fn normal_of(reported: &Observed<&'a str>) -> Option<Compared<'a>> {
        let parts = Parts {
            scheme: reported.scheme.defined()?.into(),
            userinfo: reported.userinfo.defined().map(Cow::from),
            host: reported.host.defined().map(Cow::from),
            port: reported.port.defined(),
            path: reported.path.defined()?.into(),
            query: reported.query.defined().map(Cow::from),
            fragment: reported.fragment.defined().map(Cow::from),
        };
        Some(Compared::normal_parts(
            parts,
            reported.host.defined().zip(reported.host_kind.defined()),
        ))
    }

    /// Those of a URI's parts once these are normalized; `before` is its host and the kind of it.
    fn normal_parts(mut parts: Parts<'a>, before: Option<(&str, HostKind)>) -> Compared<'a> {
        parts.normalize_scheme(&SCHEMES);
        let host_kind = match (before, parts.host.as_deref()) {
            (Some((before, kind)), Some(host)) if before == host => Some(kind),
            (_, Some(host)) => grammar::host(host, Reading::Rfc3986).ok().map(HostKind::from),
            (_, None) => None,
        };
        Compared {
            scheme: Some(parts.scheme),
            userinfo: parts.userinfo,
            host: parts.host,
            host_kind,
            port: parts.port.map(Cow::from),
            path: parts.path,
            query: parts.query,
            fragment: parts.fragment,
        }
    }

    fn defined(&self) -> ComponentSet {
        ComponentSet::of(|component| self.text(component).is_some())
    }

    /// Whether userinfo, host and port are those of `other`, however spelled: a port that may be omitted is as none (§3.2.3), and
    /// "localhost", the default of some schemes, as the empty host.
    fn has_authority_of(&self, other: &Compared<'_>) -> bool {
        if self.userinfo == other.userinfo && self.host == other.host && self.port == other.port {
            return true;
        }
        let lower = |(octet, _): (u8, bool)| octet.to_ascii_lowercase();
        let is_alike = |one: Option<&str>, other: Option<&str>| match (one, other) {
            (Some(one), Some(other)) => read(one).map(lower).eq(read(other).map(lower)) || same_host(one, other),
            (one, other) => one == other,
        };
        is_alike(self.userinfo.as_deref(), other.userinfo.as_deref())
            && is_alike(self.host_but_localhost(), other.host_but_localhost())
            && self.port_that_stays() == other.port_that_stays()
    }

    fn host_but_localhost(&self) -> Option<&str> {
        let is_localhost = |host: &str| host.eq_ignore_ascii_case("localhost");
        self.host.as_deref().map(|host| if is_localhost(host) { "" } else { host })
    }

    fn port_that_stays(&self) -> Option<&str> {
        significant_digits(self.port.as_deref().filter(|port| !may_be_omitted(self.scheme.as_deref(), port)))
    }

    fn is_same(&self, forms: Forms, other: &Compared<'_>) -> bool {
        Component::ALL.into_iter().all(|component| self.has_same(forms, component, other))
    }

    fn has_same(&self, forms: Forms, component: Component, other: &Compared<'_>) -> bool {
        match forms {
            Forms::Verbatim => self.text(component) == other.text(component),
            // A relative reference is in no normal form before it is resolved, but may be spelled as in one.
            Forms::Normalized if self.scheme.is_none() && other.scheme.is_none() => {
                is_spelled_as_normal(component, self.text(component), other.text(component))
            }
            Forms::Normalized => same_normalized(component, self.text(component), other.text(component)),
        }
    }
}

/// The components in which two URIs differ; all of them where one of the two is no URI-reference.
pub(super) fn differing_in_text(forms: Forms, expected: &str, observed: &str) -> ComponentSet {
    match (Compared::of(forms, expected), Compared::of(forms, observed)) {
        (Some(expected), Some(observed)) => differing(forms, &expected, &observed),
        _ => ComponentSet::ALL,
    }
}

fn differing(forms: Forms, expected: &Compared<'_>, observed: &Compared<'_>) -> ComponentSet {
    ComponentSet::of(|component| !expected.has_same(forms, component, observed))
}

/// The delimiter with which a component begins that ends the one before it.
pub(super) fn delimiter_before(component: Component) -> Option<u8> {
    match component {
        Component::Port => Some(b':'),
        Component::Path => Some(b'/'),
        Component::Query => Some(b'?'),
        Component::Fragment => Some(b'#'),
        Component::Scheme | Component::Userinfo | Component::Host | Component::HostKind => None,
    }
}

/// A URI beside those that conform, each of which is looked at once.
pub(super) struct Uris<'a> {
    forms: Forms,
    text: &'a str,
    /// Its components, once they are needed; `None` if it is no URI-reference.
    observed: Option<Option<Compared<'a>>>,
    /// Those that conform and differ, and are URI-references.
    texts: Vec<&'a str>,
    /// Their components.
    conforming: Vec<Compared<'a>>,
}

impl<'a> Uris<'a> {
    /// Of a URI as a subject shows it in these forms.
    pub(super) fn of(forms: Forms, text: &'a str) -> Uris<'a> {
        Uris {
            forms,
            text,
            observed: None,
            texts: Vec::new(),
            conforming: Vec::new(),
        }
    }

    /// How it differs from one that conforms.
    pub(super) fn difference(&mut self, expected: &'a str) -> Option<Difference> {
        let (forms, text) = (self.forms, self.text);
        if expected == text {
            return None;
        }
        let Some(observed) = self.observed.get_or_insert_with(|| Compared::of(forms, text)) else {
            return Some(Difference::of_kind(DifferenceKind::InvalidUri));
        };
        let components = match Compared::of(forms, expected) {
            Some(one) => {
                let components = differing(forms, &one, observed);
                self.texts.push(expected);
                self.conforming.push(one);
                components
            }
            None => ComponentSet::ALL,
        };
        let kind = DifferenceKind::OtherUri;
        (forms == Forms::Verbatim || !components.is_empty()).then_some(Difference { kind, components })
    }

    /// The components that none of those it [differs](Uris::difference) from has so: one may be normalized, say, and another as
    /// it was; where it `is_spelled_freely`, a piece of one may be, and another not. And whether one of those defines the same
    /// components, with the same authority. None if the URI is no URI-reference.
    pub(super) fn foreign(&self, is_spelled_freely: bool) -> Option<(ComponentSet, bool)> {
        let observed = self.observed.as_ref()?.as_ref()?;
        let own = observed.defined();
        let alike: Vec<&Compared<'_>> = self.conforming.iter().filter(|one| one.defined() == own).collect();
        let has_alike = !alike.is_empty();
        let mut among = if has_alike {
            alike
        } else {
            self.conforming.iter().collect()
        };
        // An authority and a path that were one path, which begins with "//" (§5.3), go together.
        let of_this_authority: Vec<_> = among.iter().copied().filter(|one| one.has_authority_of(observed)).collect();
        let has_authority = !of_this_authority.is_empty();
        if has_authority {
            among = of_this_authority;
        }
        let is_same_or_spelled = |one: &Compared<'_>, component| {
            one.has_same(self.forms, component, observed)
                || is_spelled_freely && is_spelling(component, one.text(component), observed.text(component))
        };
        // A host that is spelled otherwise can be of another kind: "%31.1.1.1".
        let is_like = |one: &Compared<'_>, component| {
            is_same_or_spelled(one, component)
                || component == Component::HostKind && is_same_or_spelled(one, Component::Host)
        };
        let foreign = ComponentSet::of(|component| !among.iter().any(|one| is_like(one, component)));
        Some((foreign, has_alike && has_authority))
    }

    /// Whether all of those it [differs](Uris::difference) from have this delimiter encoded more often in these components, as they are
    /// written.
    pub(super) fn has_fewer_encoded(&self, delimiter: u8, components: ComponentSet) -> bool {
        let encoded = |text: &str| {
            let written = Compared::of(Forms::Verbatim, text)?;
            let octets = components.iter().filter_map(|component| written.text(component)).flat_map(read);
            Some(octets.filter(|octet| *octet == (delimiter, true)).count())
        };
        let own = encoded(self.text);
        self.texts.iter().all(|text| encoded(text) > own)
    }

    /// Whether the components of one of those it [differs](Uris::difference) from stand for the same octets as its own.
    pub(super) fn is_encoded_otherwise(&self) -> bool {
        let Some(Some(observed)) = &self.observed else {
            return false;
        };
        let octets = |components: &Compared<'_>, component| {
            let is_caseless = matches!(component, Component::Scheme | Component::Host);
            // A slash between segments is none of them.
            let octet = |(octet, is_encoded): (u8, bool)| match component {
                _ if is_caseless => Some(octet.to_ascii_lowercase()),
                Component::Path => (is_encoded || octet != b'/').then_some(octet),
                _ => Some(octet),
            };
            components.text(component).map(|text| read(text).map(octet).collect::<Vec<_>>())
        };
        self.conforming.iter().any(|one| {
            Component::TEXTS.into_iter().all(|component| octets(one, component) == octets(observed, component))
        })
    }
}

/// The octets of a text, and whether each was a triplet.
pub(super) fn read(text: &str) -> impl Iterator<Item = (u8, bool)> {
    let mut rest = text.as_bytes();
    iter::from_fn(move || {
        let decoded = leading_triplet(rest);
        let octet = decoded.or(rest.first().copied())?;
        rest = &rest[if decoded.is_some() { 3 } else { 1 }..];
        Some((octet, decoded.is_some()))
    })
}

/// Equality of components of normal forms: IPv6 addresses and ports by value.
pub fn same_normalized(component: Component, expected: Option<&str>, observed: Option<&str>) -> bool {
    match (component, expected, observed) {
        (Component::Host, Some(expected), Some(observed)) => same_host(expected, observed),
        (Component::Port, expected, observed) => significant_digits(expected) == significant_digits(observed),
        (_, expected, observed) => expected == observed,
    }
}

/// Whether a component of a relative reference is another as it is, or spelled as in a normal form.
pub fn is_spelled_as_normal(component: Component, expected: Option<&str>, observed: Option<&str>) -> bool {
    same_normalized(component, expected, observed) || is_spelling(component, expected, observed)
}

/// Whether one text is another in which some letters of a scheme or a host are small, some triplets in capitals, and some that stand for
/// unreserved characters are decoded (§6.2.2.1, §6.2.2.2), and no dot-segments come of that.
fn is_spelling(component: Component, expected: Option<&str>, observed: Option<&str>) -> bool {
    let (Some(expected), Some(observed)) = (expected, observed) else {
        return expected == observed;
    };
    let is_caseless = matches!(component, Component::Scheme | Component::Host);
    let becomes_dots = |(expected, observed): (&str, &str)| expected != observed && has_dot_segments(observed);
    if component == Component::Path && expected.split('/').zip(observed.split('/')).any(becomes_dots) {
        return false;
    }
    let (mut expected, mut observed) = (expected.as_bytes(), observed.as_bytes());
    while let (Some(&one), Some(&other)) = (expected.first(), observed.first()) {
        let step = match (leading_triplet(expected), leading_triplet(observed)) {
            (Some(octet), Some(same)) if octet == same => {
                let mut digits = expected[1..3].iter().zip(&observed[1..3]);
                digits.all(|(one, other)| one == other || one.to_ascii_uppercase() == *other).then_some((3, 3))
            }
            (Some(octet), None) => {
                let is_letter = octet == other || is_caseless && octet.to_ascii_lowercase() == other;
                (is_unreserved(octet) && is_letter).then_some((3, 1))
            }
            (None, None) => (one == other || is_caseless && one.to_ascii_lowercase() == other).then_some((1, 1)),
            _ => None,
        };
        let Some((of_expected, of_observed)) = step else {
            return false;
        };
        (expected, observed) = (&expected[of_expected..], &observed[of_observed..]);
    }
    expected.is_empty() && observed.is_empty()
}

pub(super) fn same_host(expected: &str, observed: &str) -> bool {
    let address = |host: &str| host.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok();
    expected.eq_ignore_ascii_case(observed)
        || address(expected).is_some_and(|expected| Some(expected) == address(observed))
}

/// Digits without leading zeros; `None` for no digits at all.
pub(super) fn significant_digits(port: Option<&str>) -> Option<&str> {
    let port = port?;
    if port.is_empty() {
        return None;
    }
    Some(port.trim_start_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_normalization_may_spell_otherwise_piece_by_piece() {
        use Component::{Host, Path, Query, Scheme};
        for (component, one, other) in [
            (Path, "/%aa/%aa", "/%AA/%aa"),
            (Path, "/%7e%7E", "/~%7E"),
            (Path, "/%41", "/A"),
            (Host, "%41B", "ab"),
            (Scheme, "HttP", "http"),
            (Query, "%2e", "."),
        ] {
            assert!(is_spelling(component, Some(one), Some(other)), "{one} {other}");
        }
        for (component, one, other) in [
            (Path, "/%AA", "/%aa"),
            (Path, "/~", "/%7E"),
            (Path, "/A", "/a"),
            (Path, "/%2f", "//"),
            (Path, "/%2e%2e/a", "/../a"),
            (Path, "/./b/%2e%2e/a", "/./b/../a"),
            (Path, "/%41", "/a"),
            (Path, "/a", "/a/"),
            (Host, "a", "A"),
        ] {
            assert!(!is_spelling(component, Some(one), Some(other)), "{one} {other}");
        }
        assert!(!is_spelling(Query, None, Some("")));
    }

    #[test]
    fn an_answer_has_characters_of_rfc_3987_where_they_may_stand() {
        for (iri, uri) in [
            ("x:/\u{e9}", "x:/%C3%A9"),
            ("x:?\u{10ffbf}", "x:?%F4%8F%BE%BF"),
            ("x:/\u{10ffbf}", "x:/\u{10ffbf}"),
            ("x:?#\u{10ffbf}", "x:?#\u{10ffbf}"),
            ("x:?\u{80}", "x:?\u{80}"),
        ] {
            assert_eq!(uri_of_answer(iri), uri);
        }
    }

    #[test]
    fn a_relative_reference_may_be_spelled_as_in_a_normal_form() {
        let differing = |one, other| differing_in_text(Forms::Normalized, one, other);
        assert_eq!(differing("/%7e?%aa", "/~?%AA"), ComponentSet::NONE);
        assert_eq!(differing("//H:01", "//h:1"), ComponentSet::NONE);
        assert_eq!(differing("a/../b", "b"), Component::Path.into());
        assert_eq!(differing_in_text(Forms::Verbatim, "/%7e", "/~"), Component::Path.into());
    }
}
