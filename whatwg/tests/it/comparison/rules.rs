//! The rules for differences that several implementations have.

use std::ops::RangeInclusive;

use idna::punycode::decode_to_string;
use whatwg_url_reference::domain::{DomainStrictness, domain_parser_to_ascii};
use whatwg_url_reference::host::{UrlHostSyntax, host_parser};

use super::{Difference, Rule};

/// The standard encodes the caret in paths since March 2025.
pub(crate) fn erase_caret(difference: &mut Difference<'_>) {
    difference.replace_path(|pathname| pathname.replace("%5E", "^"));
}

/// An opaque path does not end with a space since March 2025; the setters of search and hash removed it before.
pub(crate) fn erase_space_of_opaque_path(difference: &mut Difference<'_>) {
    if !difference.our("pathname").starts_with('/') {
        let without =
            |pathname: &str| pathname.strip_suffix("%20").unwrap_or(pathname).trim_end_matches(' ').to_owned();
        let is_other = difference.our("pathname") != difference.their("pathname");
        difference.replace_path(without);
        // The origin of a blob URL is that of its path.
        if is_other && difference.our("protocol") == "blob:" && difference.our("href") == difference.their("href") {
            difference.accept();
        }
    }
}

/// Whether a path begins with a Windows drive letter, after slashes.
pub(crate) fn has_drive(pathname: &str) -> bool {
    let first = pathname.trim_start_matches('/').split('/').next().unwrap_or_default();
    matches!(first.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// The host of an ASCII domain is not validated since June 2026.
pub(crate) fn erase_ascii_fallback(difference: &mut Difference<'_>) {
    let is_invalid = |host: &str| {
        let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
        host.contains("xn--") && domain_parser_to_ascii(host, DomainStrictness::Relaxed).is_none()
    };
    let our_origin = difference.our("origin").rsplit('/').next().unwrap_or_default();
    let is_of_origin = difference.their("origin") == "null" && is_invalid(our_origin);
    if difference.our("host") != difference.their("host") && is_invalid(difference.our("host")) || is_of_origin {
        difference.accept();
    }
}

/// The tables of an older version of Unicode.
pub(crate) const OTHER_UNICODE: Rule = Rule {
    name: "has other tables for a code point, of an older version of Unicode",
    link: "https://www.unicode.org/reports/tr46/#Modifications",
    erase: |difference| {
        let is_of_host = ["host", "origin"].iter().any(|name| difference.our(name) != difference.their(name));
        if is_of_host && difference.has_other_code_point {
            difference.accept();
        }
    },
};

/// The Bidi rule is of all labels of a domain if one of them is written from right to left.
pub(crate) const FEWER_BIDI_LABELS: Rule = Rule {
    name: "checks the Bidi rule in fewer labels of a domain",
    link: "https://github.com/ada-url/idna/pull/91",
    erase: |difference| {
        let is_invalid =
            |name| difference.our(name) != difference.their(name) && is_invalid_bidi(difference.their(name));
        if is_invalid("host") || is_invalid("origin") {
            difference.accept();
        }
    },
};

/// Whether the reference has another host than another implementation for a code point: `alone`, and between letters.
pub(crate) fn is_other_code_point(c: &str, alone: Option<&str>, between: Option<&str>) -> bool {
    let host = |domain: &str| host_parser(domain, UrlHostSyntax::Special).host.map(|host| host.to_string());
    alone != host(c).as_deref() || between != host(&format!("a{c}b")).as_deref()
}

/// The domain of an origin or of a host with its port.
pub(crate) fn domain_of(host: &str) -> &str {
    let host = host.rsplit('/').next().unwrap_or_default();
    host.rsplit_once(':').map_or(host, |(host, _)| host)
}

/// The blocks of scripts that are written from right to left.
const RIGHT_TO_LEFT: [RangeInclusive<char>; 5] = [
    '\u{590}'..='\u{8FF}',
    '\u{FB1D}'..='\u{FDFF}',
    '\u{FE70}'..='\u{FEFF}',
    '\u{10800}'..='\u{10FFF}',
    '\u{1E800}'..='\u{1EFFF}',
];

/// Whether a domain has code points that are written from right to left, and is invalid.
fn is_invalid_bidi(host: &str) -> bool {
    let is_right_to_left = |c| RIGHT_TO_LEFT.iter().any(|range| range.contains(&c));
    let domain = domain_of(host);
    let decoded = |label: &str| decode_to_string(label.strip_prefix("xn--")?);
    let has_one = domain.split('.').filter_map(decoded).any(|label| label.contains(is_right_to_left));
    has_one && domain_parser_to_ascii(domain, DomainStrictness::Relaxed).is_none()
}
