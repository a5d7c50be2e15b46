//! Percent-encoded bytes: the percent-encode sets as data, percent-encoding and percent-decoding.
//!
//! <https://url.spec.whatwg.org/#percent-encoded-bytes>
//!
//! The only encoding is UTF-8. The others are for documents of HTML.

/// A set of code points that are percent-encoded (<https://url.spec.whatwg.org/#percent-encode-set>).
///
/// Each of the standard's sets has all code points greater than U+007E, so that the ASCII code points decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PercentEncodeSet {
    name: &'static str,
    /// A bit for each ASCII code point.
    ascii: u128,
}

impl PercentEncodeSet {
    /// The eight sets, each behind those that it is made of.
    pub const ALL: [PercentEncodeSet; 8] = [
        C0_CONTROL,
        FRAGMENT,
        QUERY,
        SPECIAL_QUERY,
        PATH,
        USERINFO,
        COMPONENT,
        FORM_URLENCODED,
    ];

    /// The set `name`: those of this set, and `more`, which are ASCII code points.
    const fn and(self, name: &'static str, more: &[u8]) -> PercentEncodeSet {
        let mut ascii = self.ascii;
        let mut at = 0;
        while at < more.len() {
            ascii |= 1 << more[at];
            at += 1;
        }
        PercentEncodeSet { name, ascii }
    }

    /// The standard's name of the set.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Whether `c` is in the set.
    pub fn contains(self, c: char) -> bool {
        !c.is_ascii() || self.contains_ascii(c as u8)
    }

    /// Whether the code point whose value is `byte` is in the set.
    fn contains_ascii(self, byte: u8) -> bool {
        self.ascii >> byte & 1 == 1
    }
}

/// The C0 control percent-encode set (<https://url.spec.whatwg.org/#c0-control-percent-encode-set>).
// The C0 control percent-encode set is a percent-encode set consisting of C0 controls and all code points greater than U+007E (~).
pub const C0_CONTROL: PercentEncodeSet = PercentEncodeSet {
    name: "C0 control percent-encode set",
    ascii: 0xFFFF_FFFF | 1 << 0x7F,
};

/// The fragment percent-encode set (<https://url.spec.whatwg.org/#fragment-percent-encode-set>).
// The fragment percent-encode set is a percent-encode set consisting of the C0 control percent-encode set and U+0020 SPACE,
// U+0022 ("), U+003C (<), U+003E (>), and U+0060 (`).
pub const FRAGMENT: PercentEncodeSet = C0_CONTROL.and("fragment percent-encode set", b" \"<>`");

/// The query percent-encode set (<https://url.spec.whatwg.org/#query-percent-encode-set>).
// The query percent-encode set is a percent-encode set consisting of the C0 control percent-encode set and U+0020 SPACE,
// U+0022 ("), U+0023 (#), U+003C (<), and U+003E (>).
pub const QUERY: PercentEncodeSet = C0_CONTROL.and("query percent-encode set", b" \"#<>");

/// The special-query percent-encode set (<https://url.spec.whatwg.org/#special-query-percent-encode-set>).
// The special-query percent-encode set is a percent-encode set consisting of the query percent-encode set and U+0027 (').
pub const SPECIAL_QUERY: PercentEncodeSet = QUERY.and("special-query percent-encode set", b"'");

/// The path percent-encode set (<https://url.spec.whatwg.org/#path-percent-encode-set>).
// The path percent-encode set is a percent-encode set consisting of the query percent-encode set and U+003F (?), U+005E (^),
// U+0060 (`), U+007B ({), and U+007D (}).
pub const PATH: PercentEncodeSet = QUERY.and("path percent-encode set", b"?^`{}");

/// The userinfo percent-encode set (<https://url.spec.whatwg.org/#userinfo-percent-encode-set>).
// The userinfo percent-encode set is a percent-encode set consisting of the path percent-encode set and U+002F (/), U+003A (:),
// U+003B (;), U+003D (=), U+0040 (@), U+005B ([) to U+005D (]), inclusive, and U+007C (|).
pub const USERINFO: PercentEncodeSet = PATH.and("userinfo percent-encode set", b"/:;=@[\\]|");

/// The component percent-encode set (<https://url.spec.whatwg.org/#component-percent-encode-set>).
// The component percent-encode set is a percent-encode set consisting of the userinfo percent-encode set and U+0024 ($) to
// U+0026 (&), inclusive, U+002B (+), and U+002C (,).
pub const COMPONENT: PercentEncodeSet = USERINFO.and("component percent-encode set", b"$%&+,");

/// The application/x-www-form-urlencoded percent-encode set
/// (<https://url.spec.whatwg.org/#application-x-www-form-urlencoded-percent-encode-set>).
// The application/x-www-form-urlencoded percent-encode set is a percent-encode set consisting of the component percent-encode set
// and U+0021 (!), U+0027 (') to U+0029 RIGHT PARENTHESIS, inclusive, and U+007E (~).
pub const FORM_URLENCODED: PercentEncodeSet =
    COMPONENT.and("application/x-www-form-urlencoded percent-encode set", b"!'()~");

/// Returns the percent-encoded byte of `byte` (<https://url.spec.whatwg.org/#percent-encode>).
pub fn percent_encode(byte: u8) -> String {
    let mut output = String::with_capacity(3);
    append_percent_encoded(byte, &mut output);
    output
}

fn append_percent_encoded(byte: u8, output: &mut String) {
    // To percent-encode a byte byte, return a string consisting of U+0025 (%), followed by two ASCII upper hex digits representing
    // byte.
    const UPPER_HEX_DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    output.push('%');
    output.push(char::from(UPPER_HEX_DIGITS[usize::from(byte >> 4)]));
    output.push(char::from(UPPER_HEX_DIGITS[usize::from(byte & 0xF)]));
}

/// Returns the bytes that `input` stands for (<https://url.spec.whatwg.org/#percent-decode>).
pub fn percent_decode(input: &[u8]) -> Vec<u8> {
    let hexadecimal = |byte: u8| char::from(byte).to_digit(16);
    // 1. Let output be an empty byte sequence.
    let mut output = Vec::with_capacity(input.len());
    // 2. For each byte byte in input:
    let mut rest = input;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        // 2.1. If byte is not 0x25 (%), then append byte to output.
        if byte != b'%' {
            output.push(byte);
            continue;
        }
        let digits = match behind {
            [high, low, ..] => hexadecimal(*high).zip(hexadecimal(*low)),
            _ => None,
        };
        match digits {
            // 2.2. Otherwise, if byte is 0x25 (%) and the next two bytes after byte in input are not in the ranges 0x30 (0) to
            // 0x39 (9), 0x41 (A) to 0x46 (F), and 0x61 (a) to 0x66 (f), all inclusive, append byte to output.
            None => output.push(byte),
            // 2.3. Otherwise:
            Some((high, low)) => {
                // 2.3.1. Let bytePoint be the two bytes after byte in input, decoded, and then interpreted as a hexadecimal number.
                let byte_point = (high << 4 | low) as u8;
                // 2.3.2. Append a byte whose value is bytePoint to output.
                output.push(byte_point);
                // 2.3.3. Skip the next two bytes in input.
                rest = &behind[2..];
            }
        }
    }
    // 3. Return output.
    output
}

/// Returns the bytes that the string `input` stands for (<https://url.spec.whatwg.org/#string-percent-decode>).
pub fn string_percent_decode(input: &str) -> Vec<u8> {
    // 1. Let bytes be the UTF-8 encoding of input.
    let bytes = input.as_bytes();
    // 2. Return the percent-decoding of bytes.
    percent_decode(bytes)
}

/// Whether `input` contains a percent-encoded byte (<https://url.spec.whatwg.org/#percent-encoded-byte>).
pub fn contains_percent_encoded_byte(input: &str) -> bool {
    first_percent_encoded_byte(input).is_some()
}

/// The offset of the first percent-encoded byte of `input` (<https://url.spec.whatwg.org/#percent-encoded-byte>).
pub(crate) fn first_percent_encoded_byte(input: &str) -> Option<usize> {
    // A percent-encoded byte is a string consisting of U+0025 (%) followed by two ASCII hex digits.
    let is_one = |window: &[u8]| window[0] == b'%' && window[1].is_ascii_hexdigit() && window[2].is_ascii_hexdigit();
    input.as_bytes().windows(3).position(is_one)
}

/// Returns `input` percent-encoded after encoding it with UTF-8, the one encoding here
/// (<https://url.spec.whatwg.org/#string-percent-encode-after-encoding>).
pub fn percent_encode_after_encoding(input: &str, percent_encode_set: PercentEncodeSet) -> String {
    let mut output = String::with_capacity(input.len());
    append_percent_encoded_after_encoding(input, percent_encode_set, &mut output);
    output
}

/// Appends `input` percent-encoded to `output` (<https://url.spec.whatwg.org/#string-percent-encode-after-encoding>).
#[inline]
pub(crate) fn append_percent_encoded_after_encoding(input: &str, set: PercentEncodeSet, output: &mut String) {
    // 2. Let spaceAsPlus be true if percentEncodeSet is application/x-www-form-urlencoded percent-encode set; otherwise false.
    let space_as_plus = || set == FORM_URLENCODED;
    // 7.3. For each byte of encodeOutput converted to a byte sequence:
    for &byte in input.as_bytes() {
        // 7.3.1. If spaceAsPlus is true and byte is 0x20 (SP), then append U+002B (+) to output and continue.
        if byte == b' ' && space_as_plus() {
            output.push('+');
            continue;
        }
        // 7.3.2. Let isomorph be a code point whose value is byte's value.
        //
        // 7.3.3. Assert: percentEncodeSet includes all non-ASCII code points.
        //
        // 7.3.4. If isomorph is not in percentEncodeSet, then append isomorph to output.
        if byte.is_ascii() && !set.contains_ascii(byte) {
            output.push(char::from(byte));
        }
        // 7.3.5. Otherwise, percent-encode byte and append the result to output.
        else {
            append_percent_encoded(byte, output);
        }
    }
}

/// Returns `input` UTF-8 percent-encoded (<https://url.spec.whatwg.org/#string-utf-8-percent-encode>).
pub fn utf8_percent_encode(input: &str, percent_encode_set: PercentEncodeSet) -> String {
    // To UTF-8 percent-encode a scalar value string input using a percentEncodeSet, return the result of running percent-encode
    // after encoding with UTF-8, input, and percentEncodeSet.
    percent_encode_after_encoding(input, percent_encode_set)
}

/// Appends `scalar_value`, UTF-8 percent-encoded, to `output` (<https://url.spec.whatwg.org/#utf-8-percent-encode>).
#[inline]
pub(crate) fn append_utf8_percent_encoded(scalar_value: char, set: PercentEncodeSet, output: &mut String) {
    // To UTF-8 percent-encode a scalar value scalarValue using a percentEncodeSet, return the result of running percent-encode
    // after encoding with UTF-8, scalarValue as a string, and percentEncodeSet.
    append_percent_encoded_after_encoding(scalar_value.encode_utf8(&mut [0; 4]), set, output);
}
