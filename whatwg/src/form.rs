//! The application/x-www-form-urlencoded parser: what the API's query object has.
//!
//! <https://url.spec.whatwg.org/#urlencoded-parsing>

use crate::percent::percent_decode;

/// Returns the names and values of `input` (<https://url.spec.whatwg.org/#concept-urlencoded-string-parser>).
pub fn urlencoded_string_parser(input: &str) -> Vec<(String, String)> {
    // The application/x-www-form-urlencoded string parser takes a scalar value string input, UTF-8 encodes it, and then returns the
    // result of application/x-www-form-urlencoded parsing it.
    urlencoded_parser(input.as_bytes())
}

/// Returns the names and values of `input` (<https://url.spec.whatwg.org/#concept-urlencoded-parser>).
pub fn urlencoded_parser(input: &[u8]) -> Vec<(String, String)> {
    // 1. Let sequences be the result of splitting input on 0x26 (&).
    let sequences = input.split(|&byte| byte == b'&');
    // 2. Let output be an initially empty list of name-value tuples where both name and value hold a string.
    let mut output = Vec::new();
    // 3. For each byte sequence bytes in sequences:
    for bytes in sequences {
        // 3.1. If bytes is the empty byte sequence, then continue.
        if bytes.is_empty() {
            continue;
        }
        // 3.2. If bytes contains a 0x3D (=), then let name be the bytes from the start of bytes up to but excluding its first 0x3D (=),
        // and let value be the bytes, if any, after the first 0x3D (=) up to the end of bytes. […]
        //
        // 3.3. Otherwise, let name have the value of bytes and let value be the empty byte sequence.
        let equals_sign = bytes.iter().position(|&byte| byte == b'=');
        let (name, value) = equals_sign.map_or((bytes, &[][..]), |at| (&bytes[..at], &bytes[at + 1..]));
        // 3.4. Replace any 0x2B (+) in name and value with 0x20 (SP).
        let with_spaces =
            |bytes: &[u8]| -> Vec<u8> { bytes.iter().map(|&byte| if byte == b'+' { b' ' } else { byte }).collect() };
        // 3.5. Let nameString and valueString be the result of running UTF-8 decode without BOM on the percent-decoding of name and
        // value, respectively.
        let decode = |bytes: &[u8]| String::from_utf8_lossy(&percent_decode(&with_spaces(bytes))).into_owned();
        // 3.6. Append (nameString, valueString) to output.
        output.push((decode(name), decode(value)));
    }
    // 4. Return output.
    output
}
