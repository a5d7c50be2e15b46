//! The components of a parse that differ, at the subject's fidelity.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::ptr;

use rfc3986_reference::components as rfc;
use rfc3986_reference::recompose::recompose;

use super::plainly::{self, is_of_no_other, is_plainly_normalized};
use super::policy::same_component;
use super::sameness::{Compared, is_spelled_as_normal, same_normalized};
use crate::model::{Component, ComponentSet, Declaration, Fidelity, Forms, Observed, Reported, authority_of};
use crate::screen;

/// The reported components that are not the same to the letter; `None` if all are, as for most subjects.
#[inline]
pub(super) fn unless_all_the_same<T: AsRef<str>, U: AsRef<str>>(
    expected: &Observed<T>,
    observed: &Observed<U>,
) -> Option<ComponentSet> {
    #[inline]
    fn same<T: AsRef<str>, U: AsRef<str>>(expected: &Reported<T>, observed: &Reported<U>) -> bool {
        match (expected, observed) {
            (Reported::Defined(expected), Reported::Defined(observed)) => {
                let (expected, observed) = (expected.as_ref(), observed.as_ref());
                // Most are of one text.
                ptr::eq(expected, observed) || expected == observed
            }
            (Reported::Undefined, Reported::Undefined) | (_, Reported::Nothing) | (Reported::Nothing, _) => true,
            (Reported::Undefined | Reported::Defined(_), _) => false,
        }
    }
    let is_same_host_kind = || {
        expected.host_kind == observed.host_kind || expected.host_kind.is_nothing() || observed.host_kind.is_nothing()
    };
    let are_all_the_same = same(&expected.scheme, &observed.scheme)
        && same(&expected.userinfo, &observed.userinfo)
        && same(&expected.host, &observed.host)
        && is_same_host_kind()
        && same(&expected.port, &observed.port)
        && same(&expected.path, &observed.path)
        && same(&expected.query, &observed.query)
        && same(&expected.fragment, &observed.fragment);
    (!are_all_the_same).then(|| {
        ComponentSet::of(|component| match component {
            Component::HostKind => !is_same_host_kind(),
            text => !same(&expected.text(text), &observed.text(text)),
        })
    })
}

/// The reported components that differ at the subject's fidelity.
pub(super) fn differing<T: AsRef<str>, U: AsRef<str>>(
    declaration: &Declaration,
    expected: &Observed<T>,
    observed: &Observed<U>,
) -> ComponentSet {
    let Some(other_letters) = unless_all_the_same(expected, observed) else {
        return ComponentSet::NONE;
    };
    let whole = LazyCell::new(|| recomposed(expected, expected));
    let normal = || normal_form(&whole);
    differing_reported(declaration, expected, observed, other_letters, normal)
}

/// As [`differing`], where it is known what is not the same to the letter; `normal` is the normal form of what is expected, if it
/// has one.
pub(super) fn differing_reported<'a, T: AsRef<str>, U: AsRef<str>>(
    declaration: &Declaration,
    expected: &Observed<T>,
    observed: &Observed<U>,
    other_letters: ComponentSet,
    normal: impl FnOnce() -> Option<Compared<'a>>,
) -> ComponentSet {
    let differing = other_letters.filter(|component| {
        let fidelity = declaration.fidelity(component).unwrap_or(Fidelity::Exact);
        !same_component(fidelity, component, expected.text(component), observed.text(component))
    });
    let is_plain = !differing.is_empty()
        && declaration.forms == Forms::Normalized
        && other_letters.iter().all(|component| {
            !differing.contains(component) && is_of_no_other(component)
                || is_plainly_normalized(component, expected, observed)
        });
    if is_plain {
        return ComponentSet::NONE;
    }
    if differing.is_empty() || declaration.forms == Forms::Verbatim {
        return differing;
    }
    let whole = recomposed(observed, expected);
    let is_kind_of_host = || plainly::is_kind_of_its_host(expected, observed);
    if let Some((observed, expected)) = normal_form(&whole).and_then(|observed| Some((observed, normal()?))) {
        return differing.filter(|component| {
            !same_normalized(component, expected.text(component), observed.text(component))
                || component == Component::HostKind && !is_kind_of_host()
        });
    }
    if expected.scheme.as_defined().is_none() && observed.scheme.as_defined().is_none() {
        // A relative reference is in no normal form before it is resolved, but may be spelled as in one.
        return differing.filter(|component| {
            let [expected_text, observed_text] =
                [expected.text(component), observed.text(component)].map(|reported| reported.as_defined().copied());
            match component {
                Component::HostKind => !is_kind_of_host(),
                _ => !is_spelled_as_normal(component, expected_text, observed_text),
            }
        });
    }
    differing
}

/// The reported components, completed from `other`, and the text that they recompose to.
fn recomposed<'a, T: AsRef<str>, U: AsRef<str>>(
    reported: &'a Observed<T>,
    other: &'a Observed<U>,
) -> (Observed<&'a str>, String) {
    let component = |component| match reported.text(component) {
        Reported::Nothing => other.text(component).as_defined().copied().into(),
        reported => reported,
    };
    let whole = Observed {
        scheme: component(Component::Scheme),
        userinfo: component(Component::Userinfo),
        host: component(Component::Host),
        host_kind: Reported::Nothing,
        port: component(Component::Port),
        path: Reported::Defined(component(Component::Path).defined().unwrap_or_default()),
        query: component(Component::Query),
        fragment: component(Component::Fragment),
    };
    let authority = whole.host.defined().map(|host| {
        let [userinfo, port] = [whole.userinfo, whole.port].map(Reported::defined);
        authority_of(userinfo, host, port)
    });
    let text = recompose(&rfc::Components {
        scheme: whole.scheme.defined(),
        authority: authority.as_deref(),
        path: Cow::Borrowed(whole.path.defined().unwrap_or_default()),
        query: whole.query.defined(),
        fragment: whole.fragment.defined(),
    });
    (whole, text)
}

/// The normal form of a URI with these components; none where a delimiter stands within a component and is none between
/// components, or of a relative reference.
fn normal_form<'a>((components, text): &'a (Observed<&str>, String)) -> Option<Compared<'a>> {
    let reference = screen::reference(text)?;
    let read = Observed {
        host_kind: Reported::Nothing,
        ..screen::observed(reference.clone())
    };
    (read == *components).then(|| Compared::normal(reference)).flatten()
}
