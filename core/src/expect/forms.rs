//! Other forms of a URI-reference: normalized, guarded by a dot-segment, or with decoded dot-segments.

use std::borrow::Cow;

use rfc3986_reference::components::{Components, Reference};
use rfc3986_reference::normalize::Parts;
use rfc3986_reference::recompose::recompose;
use rfc3986_reference::split::split;

use super::{SCHEMES, may_be_omitted};
use crate::model::authority_of;

/// Whether §6.2.2 has nothing to change: no capital, no triplet, no dot-segment.
pub(super) fn is_plainly_normal(uri: &Components<'_>) -> bool {
    let Components {
        scheme,
        authority,
        path,
        query,
        fragment,
    } = uri;
    let is_plain = |text: &str| !text.bytes().any(|octet| octet.is_ascii_uppercase() || octet == b'%');
    [*scheme, *authority, Some(&**path), *query, *fragment].into_iter().flatten().all(is_plain)
        && !has_dot_segments(path)
}

pub(crate) fn has_dot_segments(path: &str) -> bool {
    path.split('/').any(|segment| matches!(segment, "." | ".."))
}

/// The normal form of a URI (§6.2.2); none of a relative reference.
pub(super) fn normalized(uri: &Reference<'_>) -> Option<String> {
    let mut parts = Parts::of(uri.components.clone(), uri.authority)?;
    parts.normalize_syntax();
    Some(recomposed(parts))
}

/// A URI with its case normalized (§6.2.2.1), as [`case_normalization`] has it, but already split; none of a relative reference.
pub(super) fn cased(uri: &Reference<'_>) -> Option<String> {
    let mut parts = Parts::of(uri.components.clone(), uri.authority)?;
    parts.scheme.to_mut().make_ascii_lowercase();
    if let Some(host) = &mut parts.host {
        host.to_mut().make_ascii_lowercase();
    }
    let mut digits = 0;
    let in_capitals = |character: char| {
        let is_digit = digits > 0;
        digits = match character {
            '%' => 2,
            _ => usize::saturating_sub(digits, 1),
        };
        if is_digit {
            character.to_ascii_uppercase()
        } else {
            character
        }
    };
    Some(recomposed(parts).chars().map(in_capitals).collect())
}

fn recomposed(parts: Parts<'_>) -> String {
    let authority = parts.host.as_deref().map(|host| authority_of(parts.userinfo.as_deref(), host, parts.port));
    recompose(&Components {
        scheme: Some(&parts.scheme),
        authority: authority.as_deref(),
        path: parts.path,
        query: parts.query.as_deref(),
        fragment: parts.fragment.as_deref(),
    })
}

/// A URI-reference of these components (§5.3), with a dot-segment before a path that reads as an authority or as a scheme (§3.3, §4.2).
pub(crate) fn printed(components: &Components<'_>) -> String {
    guarded(components).unwrap_or_else(|| recompose(components))
}

/// A target whose path reads as an authority, with "/." before it (§3.3), or as a scheme, with "./" before it (§4.2); `None` where the
/// target reads as what it is.
pub(super) fn guarded(target: &Components<'_>) -> Option<String> {
    let dot_segment = if begins_like_authority(target) {
        "/."
    } else if begins_like_scheme(target) {
        "./"
    } else {
        return None;
    };
    let mut guarded = target.clone();
    guarded.path = Cow::Owned(format!("{dot_segment}{}", target.path));
    Some(recompose(&guarded))
}

/// Whether the path is written as an authority would be, and there is none.
pub(super) fn begins_like_authority(components: &Components<'_>) -> bool {
    components.authority.is_none() && components.path.starts_with("//")
}

/// Whether the first segment of a relative-path reference contains a colon, which §4.2 excludes.
fn begins_like_scheme(components: &Components<'_>) -> bool {
    let first_segment = components.path.split('/').next();
    components.scheme.is_none()
        && components.authority.is_none()
        && first_segment.is_some_and(|first| first.contains(':'))
}

/// A URI after each set of the steps of §6.2.3 that applies to it: a port that is empty or the default is removed, an empty path becomes
/// "/" where that is the scheme's rule, and the authority that is the scheme's default becomes an empty one.
pub(crate) fn scheme_based(uri: &Reference<'_>) -> Vec<String> {
    let components = &uri.components;
    let rules = components.scheme.and_then(|scheme| SCHEMES.rules(scheme));
    let default_host = rules.and_then(|rules| rules.default_host);
    let text = |(userinfo, host, port, path): (Option<&str>, &str, Option<&str>, &str)| {
        let authority = authority_of(userinfo, host, port);
        recompose(&Components {
            authority: Some(&authority),
            path: Cow::Borrowed(path),
            ..components.clone()
        })
    };
    let Some(authority) = &uri.authority else {
        let takes_authority = components.path.is_empty() || components.path.starts_with('/');
        let form = (default_host.is_some() && takes_authority).then(|| text((None, "", None, &components.path)));
        return form.into_iter().collect();
    };
    let mut forms = vec![(authority.userinfo, authority.host, authority.port, &*components.path)];
    if authority.port.is_some_and(|port| may_be_omitted(components.scheme, port)) {
        let (userinfo, host, _, path) = forms[0];
        forms.push((userinfo, host, None, path));
    }
    if components.path.is_empty() && rules.is_some_and(|rules| rules.empty_path_is_root) {
        forms.extend(forms.clone().into_iter().map(|(userinfo, host, port, _)| (userinfo, host, port, "/")));
    }
    let is_default =
        default_host.is_some_and(|default| authority.host.is_empty() || authority.host.eq_ignore_ascii_case(default));
    if is_default && authority.userinfo.is_none_or(str::is_empty) {
        let without_port = forms.clone().into_iter().filter(|(_, _, port, _)| port.is_none());
        for userinfo in [authority.userinfo, None] {
            forms.extend(without_port.clone().map(|(_, _, _, path)| (userinfo, "", None, path)));
        }
    }
    forms.into_iter().skip(1).map(text).collect()
}

/// A URI-reference with the triplets of its path decoded that make a segment a dot-segment (§2.3, §5.2.4).
pub(crate) fn decode_dot_segments_of(reference: &str) -> String {
    let mut parts = split(reference);
    parts.path = Cow::Owned(decode_dot_segments(&parts.path).into_owned());
    recompose(&parts)
}

pub(super) fn decode_dot_segments(path: &str) -> Cow<'_, str> {
    if !has_encoded_dot(path) {
        return Cow::Borrowed(path);
    }
    let decoded: Vec<&str> = path
        .split('/')
        .map(|segment| {
            if is_dots(segment, 1) {
                "."
            } else if is_dots(segment, 2) {
                ".."
            } else {
                segment
            }
        })
        .collect();
    Cow::Owned(decoded.join("/"))
}

/// Whether a segment is so many dots, encoded or not.
pub(crate) fn is_dots(segment: &str, many: usize) -> bool {
    let mut rest = segment;
    for _ in 0..many {
        match [".", "%2e", "%2E"].iter().find_map(|dot| rest.strip_prefix(dot)) {
            Some(others) => rest = others,
            None => return false,
        }
    }
    rest.is_empty()
}

pub(super) fn has_encoded_dot(reference: &str) -> bool {
    reference.contains("%2e") || reference.contains("%2E")
}

#[cfg(test)]
mod tests {
    use rfc3986_reference::components::parse;
    use rfc3986_reference::normalize::case_normalization;

    use super::*;
    use crate::model::Reading;

    #[test]
    fn the_case_is_normalized_as_the_reference_does() {
        for uri in [
            "HTTP://U%aa@%7eH%c3%Bc:80/A%2f%2e?Q%3a#F%e2%82%aC",
            "a:",
            "A:%25%25aa%aA25a/b",
            "A://[::A%25]",
            "A://[::A]:/./%7e",
            "a:B%cC@d",
            "%aa",
            "//H",
        ] {
            let cased = parse(uri, Reading::Rfc3986).ok().and_then(|split| cased(&split));
            assert_eq!(cased, case_normalization(uri, Reading::Rfc3986).ok(), "{uri}");
        }
    }
}
