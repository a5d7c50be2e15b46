//! Hosts: the host parser, the opaque-host parser and the host serializer.
//!
//! <https://url.spec.whatwg.org/#hosts-(domains-and-ip-addresses)>

use std::fmt;

use crate::code_points::{is_forbidden_host_code_point, is_url_code_point, starts_with_two_hex_digits};
use crate::domain::{DomainStrictness, domain_parser_with};
use crate::ipv4::{ends_in_a_number, ipv4_parser_with, ipv4_serializer};
use crate::ipv6::{ipv6_parser_with, ipv6_serializer};
use crate::percent::{C0_CONTROL, first_percent_encoded_byte, string_percent_decode, utf8_percent_encode};
use crate::validation::{ErrorRecorder, RecordedError, ValidationError};

/// A host (<https://url.spec.whatwg.org/#concept-host>).
///
/// [`host_equals`] compares two.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum UrlHost {
    /// A domain: "a non-empty ASCII string that identifies a realm within a network".
    Domain(String),
    /// An IPv4 address: "a 32-bit unsigned integer that identifies a network address".
    Ipv4(u32),
    /// An IPv6 address: its pieces, "a list of 8 16-bit unsigned integers".
    Ipv6([u16; 8]),
    /// An opaque host: "a non-empty ASCII string that can be used for further processing".
    Opaque(String),
    /// "An empty host is the empty string."
    Empty,
}

impl fmt::Display for UrlHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&host_serializer(self))
    }
}

/// The boolean isOpaque of the host parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UrlHostSyntax {
    /// It is false: the URL is special.
    Special,
    /// It is true: the URL is not special.
    Opaque,
}

/// What the host parser returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlHostParse {
    /// The host; `None` is failure.
    pub host: Option<UrlHost>,
    /// The validation errors in the order in which they were found, with byte offsets in the host parser's input.
    pub errors: Vec<RecordedError>,
}

/// Parses a host (<https://url.spec.whatwg.org/#concept-host-parser>).
///
/// The basic URL parser passes no empty string for a special URL; for it the answer is failure.
pub fn host_parser(input: &str, is_opaque: UrlHostSyntax) -> UrlHostParse {
    let mut errors = ErrorRecorder::default();
    let host = host_parser_with(input, is_opaque, &mut errors);
    UrlHostParse {
        host,
        errors: errors.errors,
    }
}

/// The host parser (<https://url.spec.whatwg.org/#concept-host-parser>), with its validation errors.
pub(crate) fn host_parser_with(input: &str, is_opaque: UrlHostSyntax, errors: &mut ErrorRecorder) -> Option<UrlHost> {
    // 1. If input starts with U+005B ([), then:
    if let Some(behind) = input.strip_prefix('[') {
        // 1.1. If input does not end with U+005D (]), IPv6-unclosed validation error, return failure.
        let Some(inside) = behind.strip_suffix(']') else {
            errors.record(ValidationError::Ipv6Unclosed, input.len());
            return None;
        };
        // 1.2. Return the result of IPv6 parsing input with its leading U+005B ([) and trailing U+005D (]) removed.
        let mut inner = ErrorRecorder::default();
        let address = ipv6_parser_with(inside, &mut inner);
        inner.errors.iter().for_each(|found| errors.record(found.error, found.offset + 1));
        return address.map(UrlHost::Ipv6);
    }
    // 2. If isOpaque is true, then return the result of opaque-host parsing input.
    if is_opaque == UrlHostSyntax::Opaque {
        return opaque_host_parser(input, errors);
    }
    // 3. Assert: input is not the empty string.
    //
    // 4. If input contains a percent-encoded byte, domain-percent-encoded validation error.
    if let Some(offset) = first_percent_encoded_byte(input) {
        errors.record(ValidationError::DomainPercentEncoded, offset);
    }
    // 5. Let domain be the result of running UTF-8 decode without BOM on the percent-decoding of input.
    let bytes = string_percent_decode(input);
    let domain = String::from_utf8_lossy(&bytes);
    // 6. Let asciiDomain be the result of running domain parser with domain and false.
    //
    // 7. If asciiDomain is failure, then return failure.
    let ascii_domain = domain_parser_with(&domain, DomainStrictness::Relaxed, errors)?;
    // 8. If asciiDomain ends in a number, then return the result of IPv4 parsing asciiDomain.
    if ends_in_a_number(&ascii_domain) {
        let mut inner = ErrorRecorder::default();
        let address = ipv4_parser_with(&ascii_domain, &mut inner);
        let is_as_written = ascii_domain.eq_ignore_ascii_case(input);
        for found in inner.errors {
            errors.record(found.error, if is_as_written { found.offset } else { 0 });
        }
        return address.map(UrlHost::Ipv4);
    }
    // 9. Return asciiDomain.
    Some(UrlHost::Domain(ascii_domain))
}

/// Returns the opaque host that `input` stands for, or `None` for failure
/// (<https://url.spec.whatwg.org/#concept-opaque-host-parser>).
fn opaque_host_parser(input: &str, errors: &mut ErrorRecorder) -> Option<UrlHost> {
    // 1. If input contains a forbidden host code point, host-invalid-code-point validation error, return failure.
    if let Some(offset) = input.find(is_forbidden_host_code_point) {
        errors.record(ValidationError::HostInvalidCodePoint, offset);
        return None;
    }
    // 2. If input contains a code point that is not a URL code point and not U+0025 (%), invalid-URL-unit validation error.
    if let Some(offset) = input.find(|c| !is_url_code_point(c) && c != '%') {
        errors.record(ValidationError::InvalidUrlUnit, offset);
    }
    // 3. If input contains a U+0025 (%) and the two code points following it are not ASCII hex digits, invalid-URL-unit validation
    // error.
    let is_followed = |offset: usize| starts_with_two_hex_digits(&input[offset + 1..]);
    if let Some((offset, _)) = input.match_indices('%').find(|(offset, _)| !is_followed(*offset)) {
        errors.record(ValidationError::InvalidUrlUnit, offset);
    }
    // 4. Return the result of running UTF-8 percent-encode on input using the C0 control percent-encode set.
    let output = utf8_percent_encode(input, C0_CONTROL);
    // Not in the standard: the empty string is an empty host, and no opaque host (https://github.com/whatwg/url/issues/908).
    Some(if output.is_empty() {
        UrlHost::Empty
    } else {
        UrlHost::Opaque(output)
    })
}

/// Returns the host as an ASCII string (<https://url.spec.whatwg.org/#concept-host-serializer>).
pub fn host_serializer(host: &UrlHost) -> String {
    match host {
        // 1. If host is an IPv4 address, return the result of running the IPv4 serializer on host.
        UrlHost::Ipv4(address) => ipv4_serializer(*address),
        // 2. Otherwise, if host is an IPv6 address, return U+005B ([), followed by the result of running the IPv6 serializer on host,
        // followed by U+005D (]).
        UrlHost::Ipv6(address) => format!("[{}]", ipv6_serializer(address)),
        // 3. Otherwise, host is a domain, opaque host, or empty host, return host.
        UrlHost::Domain(host) | UrlHost::Opaque(host) => host.clone(),
        UrlHost::Empty => String::new(),
    }
}

/// Whether two hosts are equal (<https://url.spec.whatwg.org/#concept-host-equals>).
pub fn host_equals(a: &UrlHost, b: &UrlHost) -> bool {
    // To determine whether a host A equals host B, return true if A is B, and false otherwise.
    a == b
}
