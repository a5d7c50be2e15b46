//! Recognizes normal forms by a scan, without building anything.

use rfc3986_reference::characters::is_unreserved;
use rfc3986_reference::grammar;

use super::sameness::read;
use super::sameness::same_host;
use crate::expect::{SCHEMES, is_dots, may_be_omitted};
use crate::model::{Component, HostKind, Observed, Reading, Reported};

/// Whether no other component's normal form depends on this one.
pub(super) fn is_of_no_other(component: Component) -> bool {
    matches!(
        component,
        Component::Userinfo | Component::Port | Component::Query | Component::Fragment
    )
}

/// Whether a component was normalized in one of the ways for which a look at it is enough: the case of scheme and host
/// (§6.2.2.1), an address by its value, an elided port and an empty path that became "/" (§6.2.3), the dot-segments of a path behind
/// an authority (§6.2.2.3). The normal forms are the same if all that differs to the letter is.
pub(super) fn is_plainly_normalized<T: AsRef<str>, U: AsRef<str>>(
    component: Component,
    expected: &Observed<T>,
    observed: &Observed<U>,
) -> bool {
    let rules = || SCHEMES.rules(expected.scheme.as_defined()?.as_ref());
    let is_host_the_same = || match (expected.text(Component::Host), observed.text(Component::Host)) {
        (Reported::Defined(expected), Reported::Defined(observed)) => same_host(expected, observed),
        _ => false,
    };
    match (component, expected.text(component), observed.text(component)) {
        (Component::Scheme, Reported::Defined(expected), Reported::Defined(observed)) => {
            expected.eq_ignore_ascii_case(observed)
        }
        (Component::Host, Reported::Defined(_), Reported::Defined(_)) => is_host_the_same(),
        (Component::HostKind, Reported::Defined(_), Reported::Defined(_)) => {
            is_host_the_same() && is_kind_of_its_host(expected, observed)
        }
        (Component::Port, Reported::Defined(port), Reported::Undefined) => {
            may_be_omitted(expected.scheme.as_defined().map(AsRef::as_ref), port)
        }
        (Component::Path, Reported::Defined(""), Reported::Defined("/")) => {
            expected.host.as_defined().is_some() && rules().is_some_and(|rules| rules.empty_path_is_root)
        }
        (Component::Path, Reported::Defined(path), Reported::Defined(observed)) => {
            expected.scheme.as_defined().is_some()
                && expected.host.as_defined().is_some()
                && comes_without_dot_segments(path, observed)
        }
        _ => false,
    }
}

/// Whether the reported kind of host is that of the host's text (§3.2.2); if the text was not reported, that of the expected
/// host.
pub(super) fn is_kind_of_its_host<T: AsRef<str>, U: AsRef<str>>(
    expected: &Observed<T>,
    observed: &Observed<U>,
) -> bool {
    let host = match observed.text(Component::Host) {
        Reported::Nothing => expected.text(Component::Host),
        reported => reported,
    };
    match (host, &observed.host_kind) {
        (Reported::Defined(host), Reported::Defined(reported)) => {
            grammar::host(host, Reading::Rfc3986).is_ok_and(|kind| HostKind::from(kind) == *reported)
        }
        _ => true,
    }
}

/// Whether the dot-segments of an absolute path are removed in another (§5.2.4), whatever unreserved characters are encoded in
/// either; not if there are too many segments to tell.
fn comes_without_dot_segments(path: &str, observed: &str) -> bool {
    /// More are rare.
    const MOST: usize = 32;
    let (Some(path), Some(observed)) = (path.strip_prefix('/'), observed.strip_prefix('/')) else {
        return false;
    };
    // The second of the two stacks that §5.2.4 speaks of; the first is the path.
    let mut output = [""; MOST];
    let mut length: usize = 0;
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let is_double = is_dots(segment, 2);
        if is_double {
            length = length.saturating_sub(1);
        }
        let kept = if is_double || is_dots(segment, 1) {
            // The slash before it stays.
            if segments.peek().is_some() {
                continue;
            }
            ""
        } else {
            segment
        };
        let Some(place) = output.get_mut(length) else {
            return false;
        };
        *place = kept;
        length += 1;
    }
    let mut others = observed.split('/');
    output[..length].iter().all(|segment| {
        others
            .next()
            .is_some_and(|other| !is_dots(other, 1) && !is_dots(other, 2) && decoded(segment).eq(decoded(other)))
    }) && others.next().is_none()
}

/// The octets of a text, and whether each is encoded and stays so (§6.2.2.2).
fn decoded(text: &str) -> impl Iterator<Item = (u8, bool)> {
    read(text).map(|(octet, is_encoded)| (octet, is_encoded && !is_unreserved(octet)))
}

#[cfg(test)]
mod tests {
    use rfc3986_reference::dot_segments::remove_dot_segments;
    use rfc3986_reference::normalize::syntax_based;

    use super::*;

    /// Every path of up to so many of these, behind a slash.
    const PARTS: [&str; 7] = ["/", ".", "a", "%2e", "%2E", "%41", "%3A"];
    const LONGEST: usize = 5;

    fn normal(path: &str) -> String {
        let uri = syntax_based(&format!("a://b{path}"), Reading::Rfc3986).unwrap();
        uri.strip_prefix("a://b").unwrap().to_owned()
    }

    #[test]
    fn what_comes_without_dot_segments_has_the_same_normal_form() {
        let mut paths = vec!["/".to_owned()];
        let mut last = paths.clone();
        for _ in 0..LONGEST {
            last = last.iter().flat_map(|path| PARTS.map(|part| format!("{path}{part}"))).collect();
            paths.extend(last.iter().cloned());
        }
        for path in &paths {
            let normal_path = normal(path);
            assert!(comes_without_dot_segments(path, &normal_path), "{path}: {normal_path}");
            for other in [
                "/",
                "/a",
                "//",
                "/./a",
                &path[..path.len() - 1],
                &*remove_dot_segments(path),
            ] {
                let comes = comes_without_dot_segments(path, other);
                assert!(!comes || normal(other) == normal_path, "{path}: {other}");
            }
        }
    }

    #[test]
    fn a_kind_is_that_of_its_host() {
        let of = |host: &'static str, kind| Observed::<&str> {
            host: Reported::Defined(host),
            host_kind: Reported::Defined(kind),
            ..Observed::default()
        };
        let expected = of("1.2.3.4", HostKind::Ipv4);
        assert!(is_kind_of_its_host(&expected, &of("1.2.3.4", HostKind::Ipv4)));
        assert!(!is_kind_of_its_host(&expected, &of("1.2.3.4", HostKind::RegName)));
        assert!(is_kind_of_its_host(&expected, &of("a", HostKind::RegName)));
        // If the host is not reported, the kind of the expected one.
        let kind_alone = |kind| Observed::<&str> {
            host: Reported::Nothing,
            ..of("", kind)
        };
        assert!(is_kind_of_its_host(&expected, &kind_alone(HostKind::Ipv4)));
        assert!(!is_kind_of_its_host(&expected, &kind_alone(HostKind::RegName)));
    }

    #[test]
    fn too_many_segments_are_left_to_the_reference() {
        let path = "/a".repeat(33);
        assert!(!comes_without_dot_segments(&path, &path));
    }
}
