//! IPv4 addresses: the ends in a number checker, the IPv4 parser, the IPv4 number parser and the IPv4 serializer.
//!
//! <https://url.spec.whatwg.org/#concept-ipv4-parser>

use crate::serializer::serialize_an_integer;
use crate::validation::{ErrorRecorder, ValidationError};

/// Whether `input`, an ASCII string, ends in a number (<https://url.spec.whatwg.org/#ends-in-a-number-checker>).
pub fn ends_in_a_number(input: &str) -> bool {
    // 1. Assert: input is not the empty string.
    //
    // 2. Let parts be the result of strictly splitting input on U+002E (.).
    let mut parts: Vec<&str> = input.split('.').collect();
    // 3. If the last item in parts is the empty string, then remove the last item from parts.
    if parts.last().is_some_and(|last| last.is_empty()) {
        parts.pop();
    }
    // 4. Let last be the last item in parts.
    //
    // Not in the standard: the empty string has none, and does not end in a number.
    let Some(&last) = parts.last() else { return false };
    // 5. If last is not the empty string and contains only ASCII digits, then return true.
    if !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()) {
        return true;
    }
    // 6. If parsing last as an IPv4 number does not return failure, then return true.
    //
    // 7. Return false.
    ipv4_number_parser(last).is_some()
}

/// Returns the address that `input`, an ASCII string, stands for, or `None` for failure
/// (<https://url.spec.whatwg.org/#concept-ipv4-parser>).
///
/// "The IPv4 parser is not to be invoked directly."
pub fn ipv4_parser(input: &str) -> Option<u32> {
    ipv4_parser_with(input, &mut ErrorRecorder::default())
}

/// The IPv4 parser (<https://url.spec.whatwg.org/#concept-ipv4-parser>), with its validation errors. One of a part has the offset of
/// this part.
pub(crate) fn ipv4_parser_with(input: &str, errors: &mut ErrorRecorder) -> Option<u32> {
    // 1. Let parts be the result of strictly splitting input on U+002E (.).
    let mut parts: Vec<&str> = input.split('.').collect();
    // 2. If the last item in parts is the empty string, then:
    if parts.last().is_some_and(|last| last.is_empty()) {
        // 2.1. IPv4-empty-part validation error.
        errors.record(ValidationError::Ipv4EmptyPart, input.len());
        // 2.2. If parts's size is greater than 1, then remove the last item from parts.
        if parts.len() > 1 {
            parts.pop();
        }
    }
    // 3. If parts's size is less than 4, IPv4-too-few-parts validation error.
    if parts.len() < 4 {
        errors.record(ValidationError::Ipv4TooFewParts, 0);
    }
    // 4. If parts's size is greater than 4, IPv4-too-many-parts validation error, return failure.
    if parts.len() > 4 {
        errors.record(ValidationError::Ipv4TooManyParts, 0);
        return None;
    }
    // 5. Let numbers be an empty list.
    let mut numbers = Vec::with_capacity(4);
    // 6. For each part of parts:
    let mut offset = 0;
    for part in &parts {
        // 6.1. Let result be the result of parsing part.
        //
        // 6.2. If result is failure, IPv4-non-numeric-part validation error, return failure.
        let Some(result) = ipv4_number_parser(part) else {
            errors.record(ValidationError::Ipv4NonNumericPart, offset);
            return None;
        };
        // 6.3. If result[1] is true, IPv4-non-decimal-part validation error.
        if result.1 {
            errors.record(ValidationError::Ipv4NonDecimalPart, offset);
        }
        // 6.4. Append result[0] to numbers.
        numbers.push((result.0, offset));
        offset += part.len() + 1;
    }
    address_of(&numbers, errors)
}

/// The rest of the IPv4 parser (<https://url.spec.whatwg.org/#concept-ipv4-parser>), from numbers with the offsets of their parts.
fn address_of(numbers: &[(u64, usize)], errors: &mut ErrorRecorder) -> Option<u32> {
    // 7. If any item in numbers is greater than 255, IPv4-out-of-range-part validation error.
    if let Some((_, offset)) = numbers.iter().find(|(number, _)| *number > 255) {
        errors.record(ValidationError::Ipv4OutOfRangePart, *offset);
    }
    let (&(last, _), numbers) = numbers.split_last()?;
    // 8. If any but the last item in numbers is greater than 255, then return failure.
    if numbers.iter().any(|(number, _)| *number > 255) {
        return None;
    }
    // 9. If the last item in numbers is greater than or equal to 256^(5 − numbers's size), then return failure.
    let size = numbers.len() as u32 + 1;
    if last >= 256_u64.pow(5 - size) {
        return None;
    }
    // 10. Let ipv4 be the last item in numbers.
    //
    // 11. Remove the last item from numbers.
    let mut ipv4 = last;
    // 12. Let counter be 0.
    //
    // 13. For each n of numbers:
    for (counter, (n, _)) in (0..).zip(numbers) {
        // 13.1. Increment ipv4 by n × 256^(3 − counter).
        //
        // 13.2. Increment counter by 1.
        ipv4 += n * 256_u64.pow(3 - counter);
    }
    // 14. Return ipv4.
    u32::try_from(ipv4).ok()
}

/// Returns the number that `input`, an ASCII string, stands for, and whether its notation is a validation error; or `None` for failure
/// (<https://url.spec.whatwg.org/#ipv4-number-parser>).
///
/// A number that is greater than `u64::MAX` is returned as `u64::MAX`: the IPv4 parser refuses both.
pub fn ipv4_number_parser(input: &str) -> Option<(u64, bool)> {
    let mut input = input;
    // 1. If input is the empty string, then return failure.
    if input.is_empty() {
        return None;
    }
    // 2. Let validationError be false.
    let mut validation_error = false;
    // 3. Let R be 10.
    let mut r = 10;
    // 4. If input contains at least two code points and the first two code points are either "0X" or "0x", then:
    if let Some(rest) = input.strip_prefix("0X").or_else(|| input.strip_prefix("0x")) {
        // 4.1. Set validationError to true.
        validation_error = true;
        // 4.2. Remove the first two code points from input.
        input = rest;
        // 4.3. Set R to 16.
        r = 16;
    }
    // 5. Otherwise, if input contains at least two code points and the first code point is U+0030 (0), then:
    else if let Some(rest) = input.strip_prefix('0').filter(|rest| !rest.is_empty()) {
        // 5.1. Set validationError to true.
        validation_error = true;
        // 5.2. Remove the first code point from input.
        input = rest;
        // 5.3. Set R to 8.
        r = 8;
    }
    // 6. If input is the empty string, then return (0, true).
    if input.is_empty() {
        return Some((0, true));
    }
    // 7. If input contains a code point that is not a radix-R digit, then return failure.
    //
    // 8. Let output be the mathematical integer value that is represented by input in radix-R notation, using ASCII hex digits for
    // digits with values 0 through 15.
    let mut output = 0_u64;
    for c in input.chars() {
        let digit = c.to_digit(r)?;
        output = output.saturating_mul(u64::from(r)).saturating_add(u64::from(digit));
    }
    // 9. Return (output, validationError).
    Some((output, validation_error))
}

/// Returns the address in its dotted notation (<https://url.spec.whatwg.org/#concept-ipv4-serializer>).
pub fn ipv4_serializer(address: u32) -> String {
    // 1. Let output be the empty string.
    let mut output = String::new();
    // 2. Let n be the value of address.
    let mut n = address;
    // 3. For each i in the range 1 to 4, inclusive:
    for i in 1..=4 {
        // 3.1. Prepend n % 256, serialized, to output.
        output.insert_str(0, &serialize_an_integer(n % 256));
        // 3.2. If i is not 4, then prepend U+002E (.) to output.
        if i != 4 {
            output.insert(0, '.');
        }
        // 3.3. Set n to floor(n / 256).
        n /= 256;
    }
    // 4. Return output.
    output
}
