//! The classes of code points that the standard names, of its own and of Infra.
//!
//! <https://url.spec.whatwg.org/#infrastructure>, <https://infra.spec.whatwg.org/#code-points>

/// Whether `c` is a C0 control: U+0000 to U+001F (<https://infra.spec.whatwg.org/#c0-control>).
pub fn is_c0_control(c: char) -> bool {
    c <= '\u{1F}'
}

/// Whether `c` is a C0 control or U+0020 SPACE (<https://infra.spec.whatwg.org/#c0-control-or-space>).
pub fn is_c0_control_or_space(c: char) -> bool {
    is_c0_control(c) || c == ' '
}

/// Whether `c` is U+0009 TAB, U+000A LF or U+000D CR (<https://infra.spec.whatwg.org/#ascii-tab-or-newline>).
pub fn is_ascii_tab_or_newline(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r')
}

/// Whether `c` is a noncharacter (<https://infra.spec.whatwg.org/#noncharacter>).
pub fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{FDD0}'..='\u{FDEF}') || u32::from(c) & 0xFFFE == 0xFFFE
}

/// The URL code points that are no ASCII alphanumeric and below U+007F (<https://url.spec.whatwg.org/#url-code-points>).
pub const URL_PUNCTUATION: &[char] = &[
    '!', '$', '&', '\'', '(', ')', '*', '+', ',', '-', '.', '/', ':', ';', '=', '?', '@', '_', '~',
];

/// Whether `c` is a URL code point (<https://url.spec.whatwg.org/#url-code-points>).
pub fn is_url_code_point(c: char) -> bool {
    // The URL code points are ASCII alphanumeric, […] and code points in the range U+00A0 to U+10FFFD, inclusive, excluding
    // surrogates and noncharacters.
    c.is_ascii_alphanumeric()
        || URL_PUNCTUATION.contains(&c)
        || matches!(c, '\u{A0}'..='\u{10FFFD}') && !is_noncharacter(c)
}

/// The forbidden host code points (<https://url.spec.whatwg.org/#forbidden-host-code-point>).
// A forbidden host code point is U+0000 NULL, U+0009 TAB, U+000A LF, U+000D CR, U+0020 SPACE, U+0023 (#), U+002F (/), U+003A (:),
// U+003C (<), U+003E (>), U+003F (?), U+0040 (@), U+005B ([), U+005C (\), U+005D (]), U+005E (^), or U+007C (|).
pub const FORBIDDEN_HOST_CODE_POINTS: &[char] = &[
    '\0', '\t', '\n', '\r', ' ', '#', '/', ':', '<', '>', '?', '@', '[', '\\', ']', '^', '|',
];

/// Whether `c` is a forbidden host code point (<https://url.spec.whatwg.org/#forbidden-host-code-point>).
pub fn is_forbidden_host_code_point(c: char) -> bool {
    FORBIDDEN_HOST_CODE_POINTS.contains(&c)
}

/// Whether `c` is a forbidden domain code point (<https://url.spec.whatwg.org/#forbidden-domain-code-point>).
pub fn is_forbidden_domain_code_point(c: char) -> bool {
    // A forbidden domain code point is a forbidden host code point, a C0 control, U+0025 (%), or U+007F DELETE.
    is_forbidden_host_code_point(c) || is_c0_control(c) || c == '%' || c == '\u{7F}'
}

/// Whether `string` is a Windows drive letter (<https://url.spec.whatwg.org/#windows-drive-letter>).
pub fn is_windows_drive_letter(string: &str) -> bool {
    // A Windows drive letter is two code points, of which the first is an ASCII alpha and the second is either U+003A (:) or
    // U+007C (|).
    matches!(string.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// Whether `string` is a normalized Windows drive letter
/// (<https://url.spec.whatwg.org/#normalized-windows-drive-letter>).
pub fn is_normalized_windows_drive_letter(string: &str) -> bool {
    // A normalized Windows drive letter is a Windows drive letter of which the second code point is U+003A (:).
    is_windows_drive_letter(string) && string.ends_with(':')
}

/// Whether `string` starts with a Windows drive letter
/// (<https://url.spec.whatwg.org/#start-with-a-windows-drive-letter>).
pub fn starts_with_a_windows_drive_letter(string: &str) -> bool {
    // its length is greater than or equal to 2
    //
    // its first two code points are a Windows drive letter
    let Some(first_two) = string.get(..2) else { return false };
    // its length is 2 or its third code point is U+002F (/), U+005C (\), U+003F (?), or U+0023 (#).
    is_windows_drive_letter(first_two) && matches!(string.as_bytes().get(2), None | Some(b'/' | b'\\' | b'?' | b'#'))
}

/// Whether `string` starts with two ASCII hex digits.
pub(crate) fn starts_with_two_hex_digits(string: &str) -> bool {
    matches!(string.as_bytes(), [high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
}

/// Whether `segment` is a single-dot URL path segment (<https://url.spec.whatwg.org/#single-dot-path-segment>).
pub fn is_single_dot_url_path_segment(segment: &str) -> bool {
    // A single-dot URL path segment is a URL path segment that is "." or an ASCII case-insensitive match for "%2e".
    segment == "." || segment.eq_ignore_ascii_case("%2e")
}

/// Whether `segment` is a double-dot URL path segment (<https://url.spec.whatwg.org/#double-dot-path-segment>).
pub fn is_double_dot_url_path_segment(segment: &str) -> bool {
    // A double-dot URL path segment is a URL path segment that is ".." or an ASCII case-insensitive match for ".%2e", "%2e.", or
    // "%2e%2e".
    segment == ".." || [".%2e", "%2e.", "%2e%2e"].iter().any(|spelling| segment.eq_ignore_ascii_case(spelling))
}
