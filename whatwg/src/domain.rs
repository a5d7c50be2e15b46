//! Domains: the domain parser, and what it takes from Unicode IDNA Compatibility Processing.
//!
//! <https://url.spec.whatwg.org/#idna>
//!
//! ToASCII and ToUnicode are those of the crate `idna`, with its version of Unicode. The crate `url` uses it too, so that a comparison
//! with `url` cannot find a mistake there; test data and other implementations can. The standard has no limit for the length of a label
//! (<https://github.com/whatwg/url/issues/824>); the crate refuses one of more than 1,000 code points that are not all ASCII, and one of
//! more than 2,000 code points behind `xn--`.

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use crate::code_points::is_forbidden_domain_code_point;
use crate::ipv4::ends_in_a_number;
use crate::validation::{ErrorRecorder, ValidationError};

/// The boolean beStrict of the domain parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DomainStrictness {
    /// It is true: what a valid domain is parsed with.
    Strict,
    /// It is false: what the host parser uses.
    Relaxed,
}

/// Returns the domain that `domain` stands for, or `None` for failure
/// (<https://url.spec.whatwg.org/#concept-domain-to-ascii>).
pub fn domain_parser(domain: &str, be_strict: DomainStrictness) -> Option<String> {
    domain_parser_with(domain, be_strict, &mut ErrorRecorder::default())
}

/// The domain parser (<https://url.spec.whatwg.org/#concept-domain-to-ascii>), with its validation errors.
pub(crate) fn domain_parser_with(
    domain: &str,
    be_strict: DomainStrictness,
    errors: &mut ErrorRecorder,
) -> Option<String> {
    // 1. Let strictResult be the result of running domain parser ToASCII with domain and true.
    let strict_result = domain_parser_to_ascii(domain, DomainStrictness::Strict);
    // 2. If strictResult is a failure value, domain-to-ASCII validation error.
    if strict_result.is_none() {
        errors.record(ValidationError::DomainToAscii, 0);
    }
    // 3. If beStrict is true:
    if be_strict == DomainStrictness::Strict {
        // 3.1. If strictResult is a failure value, then return failure.
        //
        // 3.2. Return strictResult.
        return strict_result;
    }
    // 4. Let result be null.
    //
    // 5. If domain is an ASCII string, then set result to domain, lowercased.
    let result = if domain.is_ascii() {
        domain.to_ascii_lowercase()
    }
    // 6. Otherwise:
    else {
        // 6.1. Set result to the result of running domain parser ToASCII with domain and false.
        //
        // 6.2. If result is a failure value, then return failure.
        domain_parser_to_ascii(domain, DomainStrictness::Relaxed)?
    };
    // 7. If result is the empty string, then return failure.
    if result.is_empty() {
        return None;
    }
    // 8. If result contains a forbidden domain code point, then return failure.
    if result.contains(is_forbidden_domain_code_point) {
        return None;
    }
    // 9. Return result.
    Some(result)
}

/// Returns the result of Unicode ToASCII, or `None` for a failure value
/// (<https://url.spec.whatwg.org/#domain-parser-toascii>).
pub fn domain_parser_to_ascii(domain: &str, be_strict: DomainStrictness) -> Option<String> {
    // The domain parser ToASCII algorithm, given a scalar value string domain and a boolean beStrict, returns the result of running
    // Unicode ToASCII with domain_name set to domain, CheckHyphens set to beStrict, CheckBidi set to true, CheckJoiners set to true,
    // UseSTD3ASCIIRules set to beStrict, Transitional_Processing set to false, VerifyDnsLength set to beStrict, and
    // IgnoreInvalidPunycode set to false.
    let (use_std3_ascii_rules, check_hyphens, verify_dns_length) = match be_strict {
        DomainStrictness::Strict => (AsciiDenyList::STD3, Hyphens::Check, DnsLength::Verify),
        DomainStrictness::Relaxed => (AsciiDenyList::EMPTY, Hyphens::Allow, DnsLength::Ignore),
    };
    let result = Uts46::new().to_ascii(
        domain.as_bytes(),
        use_std3_ascii_rules,
        check_hyphens,
        verify_dns_length,
    );
    result.ok().map(String::from)
}

/// Returns the domain as it is shown to a person (<https://url.spec.whatwg.org/#concept-domain-to-unicode>).
pub fn domain_to_unicode(domain: &str) -> String {
    // 1. Let result be the result of running Unicode ToUnicode with domain_name set to domain, CheckHyphens set to false, CheckBidi set
    // to true, CheckJoiners set to true, UseSTD3ASCIIRules set to false, Transitional_Processing set to false, and
    // IgnoreInvalidPunycode set to false.
    let (result, errors) = Uts46::new().to_unicode(domain.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow);
    // 2. If an error was recorded, then return domain.
    if errors.is_err() {
        return domain.to_owned();
    }
    // 3. Return result.
    result.into_owned()
}

/// Whether `input` is a valid domain (<https://url.spec.whatwg.org/#valid-domain>).
pub fn is_valid_domain(input: &str) -> bool {
    // 1. Let domain be the result of running domain parser with input and true.
    //
    // 2. If domain is failure, then return false.
    let Some(domain) = domain_parser(input, DomainStrictness::Strict) else {
        return false;
    };
    // 3. If running the ends in a number checker on domain returns true, then return false.
    //
    // 4. Return true.
    !ends_in_a_number(&domain)
}
