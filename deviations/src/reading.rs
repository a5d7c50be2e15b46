//! What some deviations read and write: IP-literals that are read in another way, and components that are held decoded.

use rfc3986_reference::characters::{is_hexdig, leading_triplet, percent_decode, percent_encode};
use rfc3986_reference::grammar::ipv6address;
use uriproof::model::{Component, Reading};

use crate::spelling::decode;
use crate::stages::{Fault, Flaw, Parts, authority_as_path, faults, is_of, is_of_authority, kind_of_host, recompose};

/// The text in the brackets of a host.
pub(crate) fn literal<'p>(parts: &'p Parts<'_>) -> Option<&'p str> {
    parts.host.as_deref()?.strip_prefix('[')?.split_once(']').map(|(literal, _)| literal)
}

/// What makes the parts no IRI reference. Whether the characters that RFC 3987 adds are taken is for the stage *faults* to say.
fn faults_of_iri(parts: &Parts<'_>) -> Vec<Fault> {
    let mut faults = faults(parts, Reading::Rfc3986);
    faults.retain(|fault| !fault.is_none_in_iri());
    faults
}

/// The parts with an authority that is wrong as the beginning of the path, if that has the characters of a path only.
pub(crate) fn wrong_authority_as_path<'a>(parts: &Parts<'a>) -> Option<Parts<'a>> {
    let is_wrong = faults_of_iri(parts).iter().any(|fault| is_of_authority(fault.component));
    let path = is_wrong.then(|| authority_as_path(parts))?;
    let is_path = faults_of_iri(&path).iter().all(|fault| fault.component != Component::Path);
    is_path.then_some(path)
}

/// Whether a URI-reference is wrong only in its authority, which has the characters of a path, or in an IPv6 address, which has a
/// misplaced colon.
pub(crate) fn is_misread(parts: &Parts<'_>) -> bool {
    if wrong_authority_as_path(parts).is_some_and(|parts| faults_of_iri(&parts).is_empty()) {
        return true;
    }
    let faults = faults_of_iri(parts);
    matches!(&faults[..], [fault] if fault.flaw == Flaw::Ipv6)
        && literal(parts).is_some_and(is_ipv6_with_misplaced_colon)
}

/// Whether a text is an IPv6 address, but that the last group before the `::` has one more colon before it. An address with six
/// groups behind the `::` has none.
pub(crate) fn is_ipv6_with_misplaced_colon(literal: &str) -> bool {
    let Some((before, behind)) = literal.rsplit_once("::") else {
        return ipv6address(literal).is_ok();
    };
    let groups = behind.split(':').filter(|group| !group.is_empty()).count() + usize::from(behind.contains('.'));
    match before.rsplit_once(':') {
        _ if before.is_empty() => ipv6address(literal).is_ok(),
        None => groups == 6 && ipv6address(literal).is_ok(),
        Some((others, last)) => {
            !last.is_empty()
                && (others.is_empty() || others.ends_with(':'))
                && groups < 6
                && ipv6address(&format!("{others}{last}::{behind}")).is_ok()
        }
    }
}

/// Whether a text is an IPv6 address once the zeros are removed that begin the numbers of an IPv4 address at its end. The first number
/// has four digits at the most.
pub(crate) fn is_ipv6_with_zeros(literal: &str) -> bool {
    let (groups, address) = literal.split_at(literal.rfind(':').map_or(0, |colon| colon + 1));
    let plain = |number: &str| match number.trim_start_matches('0') {
        "" if !number.is_empty() => "0".to_owned(),
        digits => digits.to_owned(),
    };
    let numbers: Vec<String> = address.split('.').map(plain).collect();
    numbers.len() == 4
        && address.find('.').is_some_and(|end| end <= 4)
        && ipv6address(&format!("{groups}{}", numbers.join("."))).is_ok()
}

/// Whether a text is an IPvFuture of which the version and the address may be empty.
pub(crate) fn is_ipvfuture_with_empty_parts(literal: &str) -> bool {
    literal.strip_prefix('v').and_then(|literal| literal.split_once('.')).is_some_and(|(version, address)| {
        version.bytes().all(is_hexdig) && address.bytes().all(|octet| is_of(Component::Userinfo, octet))
    })
}

/// Whether a registered name is a domain name: labels of at most 63 letters, digits and inner hyphens, 253 characters in all.
pub(crate) fn is_domain(name: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|octet| octet.is_ascii_alphanumeric() || octet == b'-')
    };
    name.len() <= 253 && name.split('.').all(is_label)
}

/// Whether a text is a "%" with one digit at the most.
pub(crate) fn is_truncated_triplet(text: &str) -> bool {
    text.starts_with('%') && text.len() <= 2 && text.bytes().skip(1).all(is_hexdig)
}

/// Removes each triplet that is cut off at the end of a segment, the userinfo, the query or the fragment.
pub(crate) fn drop_truncated_triplets(parts: &mut Parts<'_>) {
    let without = |text: &str| {
        let end = text.rfind('%').filter(|at| is_truncated_triplet(&text[*at..]));
        text[..end.unwrap_or(text.len())].to_owned()
    };
    if parts.path.contains('%') {
        let segments: Vec<String> = parts.path.split('/').map(without).collect();
        // A path of one empty segment is the root.
        let is_one_empty = matches!(&segments[..], [only] if only.is_empty());
        parts.path = if is_one_empty {
            "/".into()
        } else {
            segments.join("/").into()
        };
    }
    for text in [&mut parts.userinfo, &mut parts.query, &mut parts.fragment].into_iter().flatten() {
        *text = without(text).into();
    }
}

/// Decodes each triplet whose octet the rule of its component has, but in an IP-literal.
pub(crate) fn hold_decoded(parts: &mut Parts<'_>) {
    parts.path = decode(&parts.path, |octet| is_of(Component::Path, octet)).into();
    let texts = [
        (Component::Userinfo, &mut parts.userinfo),
        (Component::Host, &mut parts.host),
        (Component::Query, &mut parts.query),
        (Component::Fragment, &mut parts.fragment),
    ];
    for (component, text) in texts {
        if let Some(text) = text
            && !text.starts_with('[')
        {
            *text = decode(text, |octet| is_of(component, octet)).into();
        }
    }
}

/// Writes a host by its octets: in brackets and lower case if they are those of an IPv6 address, else encoded as a registered name.
pub(crate) fn write_host_by_its_octets(parts: &mut Parts<'_>) {
    let Some(host) = parts.host.as_deref() else { return };
    let octets = match literal(parts) {
        Some(literal) => literal.as_bytes().to_vec(),
        None => percent_decode(host),
    };
    let address = str::from_utf8(&octets).ok().filter(|text| ipv6address(text).is_ok() || is_ipv6_with_zeros(text));
    let written = match address {
        Some(address) => format!("[{}]", address.to_ascii_lowercase()),
        None => percent_encode(&octets, |octet| is_of(Component::Host, octet)),
    };
    parts.host_kind = Some(kind_of_host(&written));
    parts.host = Some(written.into());
}

/// Whether an authority is a registry name of RFC 2396 §3.2.1: characters that may be in one, and triplets, at least one.
pub(crate) fn is_registry_name(parts: &Parts<'_>) -> bool {
    let text = recompose(&Parts {
        userinfo: parts.userinfo.clone(),
        host: parts.host.clone(),
        port: parts.port.clone(),
        ..Parts::default()
    });
    let mut name = text.strip_prefix("//").unwrap_or_default().as_bytes();
    if name.is_empty() {
        return false;
    }
    while let [first, rest @ ..] = name {
        name = match first {
            b'%' if leading_triplet(name).is_some() => &name[3..],
            b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')' => rest,
            b'$' | b',' | b';' | b':' | b'@' | b'&' | b'=' | b'+' => rest,
            _ if first.is_ascii_alphanumeric() => rest,
            _ => return false,
        };
    }
    true
}
