//! IPv6 addresses: the IPv6 parser and the IPv6 serializer.
//!
//! <https://url.spec.whatwg.org/#concept-ipv6-parser>

use crate::pointer::UrlPointer;
use crate::validation::{ErrorRecorder, ValidationError};

/// Returns the pieces of the address that `input` stands for, without its brackets, or `None` for failure
/// (<https://url.spec.whatwg.org/#concept-ipv6-parser>).
pub fn ipv6_parser(input: &str) -> Option<[u16; 8]> {
    ipv6_parser_with(input, &mut ErrorRecorder::default())
}

/// The variables of the IPv6 parser.
struct Ipv6Machine<'a, 'e> {
    address: [u16; 8],
    piece_index: usize,
    compress: Option<usize>,
    pointer: UrlPointer<'a>,
    errors: &'e mut ErrorRecorder,
}

impl Ipv6Machine<'_, '_> {
    /// A validation error at `c`, and failure.
    fn fail<T>(&mut self, error: ValidationError) -> Option<T> {
        self.errors.record(error, self.pointer.offset());
        None
    }
}

/// The IPv6 parser (<https://url.spec.whatwg.org/#concept-ipv6-parser>), with its validation errors.
pub(crate) fn ipv6_parser_with(input: &str, errors: &mut ErrorRecorder) -> Option<[u16; 8]> {
    let mut machine = Ipv6Machine {
        // 1. Let address be a new IPv6 address whose pieces are all 0.
        address: [0; 8],
        // 2. Let pieceIndex be 0.
        piece_index: 0,
        // 3. Let compress be null.
        compress: None,
        // 4. Let pointer be a pointer for input.
        pointer: UrlPointer::new(input),
        errors,
    };
    // 5. If c is U+003A (:), then:
    if machine.pointer.c() == Some(':') {
        // 5.1. If remaining does not start with U+003A (:), IPv6-invalid-compression validation error, return failure.
        if !machine.pointer.remaining().starts_with(':') {
            return machine.fail(ValidationError::Ipv6InvalidCompression);
        }
        // 5.2. Increase pointer by 2.
        machine.pointer.increase();
        machine.pointer.increase();
        // 5.3. Increase pieceIndex by 1 and then set compress to pieceIndex.
        machine.piece_index += 1;
        machine.compress = Some(machine.piece_index);
    }
    // 6. While c is not the EOF code point:
    while machine.pointer.c().is_some() {
        if machine.read_piece()? == IsLastPiece::Yes {
            break;
        }
    }
    let Ipv6Machine {
        mut address,
        mut piece_index,
        compress,
        ..
    } = machine;
    // 7. If compress is non-null, then:
    if let Some(compress) = compress {
        // 7.1. Let swaps be pieceIndex − compress.
        let mut swaps = piece_index - compress;
        // 7.2. Set pieceIndex to 7.
        piece_index = 7;
        // 7.3. While pieceIndex is not 0 and swaps is greater than 0, swap address[pieceIndex] with address[compress + swaps − 1], and
        // then decrease both pieceIndex and swaps by 1.
        while piece_index != 0 && swaps > 0 {
            address.swap(piece_index, compress + swaps - 1);
            piece_index -= 1;
            swaps -= 1;
        }
    }
    // 8. Otherwise, if compress is null and pieceIndex is not 8, IPv6-too-few-pieces validation error, return failure.
    else if piece_index != 8 {
        return machine.fail(ValidationError::Ipv6TooFewPieces);
    }
    // 9. Return address.
    Some(address)
}

/// Whether the loop over the pieces ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IsLastPiece {
    No,
    Yes,
}

impl Ipv6Machine<'_, '_> {
    /// The body of the loop over the pieces (<https://url.spec.whatwg.org/#concept-ipv6-parser>).
    fn read_piece(&mut self) -> Option<IsLastPiece> {
        // 6.1. If pieceIndex is 8, IPv6-too-many-pieces validation error, return failure.
        if self.piece_index == 8 {
            return self.fail(ValidationError::Ipv6TooManyPieces);
        }
        // 6.2. If c is U+003A (:), then:
        if self.pointer.c() == Some(':') {
            // 6.2.1. If compress is non-null, IPv6-multiple-compression validation error, return failure.
            if self.compress.is_some() {
                return self.fail(ValidationError::Ipv6MultipleCompression);
            }
            // 6.2.2. Increase pointer and pieceIndex by 1, set compress to pieceIndex, and then continue.
            self.pointer.increase();
            self.piece_index += 1;
            self.compress = Some(self.piece_index);
            return Some(IsLastPiece::No);
        }
        let start = self.pointer.offset();
        // 6.3. Let value and length be 0.
        let (mut value, mut length) = (0_u16, 0);
        // 6.4. While length is less than 4 and c is an ASCII hex digit, set value to value × 0x10 + c interpreted as a hexadecimal
        // number, and increase pointer and length by 1.
        while length < 4 {
            let Some(digit) = self.pointer.c().and_then(|c| c.to_digit(16)) else {
                break;
            };
            value = value * 0x10 + digit as u16;
            self.pointer.increase();
            length += 1;
        }
        // 6.5. If c is U+002E (.), then:
        if self.pointer.c() == Some('.') {
            // 6.5.7. Break.
            return self.read_ipv4(length).map(|()| IsLastPiece::Yes);
        }
        // 6.6. Otherwise, if c is U+003A (:):
        if self.pointer.c() == Some(':') {
            // 6.6.1. Increase pointer by 1.
            self.pointer.increase();
            // 6.6.2. If c is the EOF code point, IPv6-invalid-code-point validation error, return failure.
            if self.pointer.c().is_none() {
                return self.fail(ValidationError::Ipv6InvalidCodePoint);
            }
        }
        // 6.7. Otherwise, if c is not the EOF code point, IPv6-invalid-code-point validation error, return failure.
        else if self.pointer.c().is_some() {
            return self.fail(ValidationError::Ipv6InvalidCodePoint);
        }
        // 6.8. If length is greater than 1 and value is less than 0x10^(length − 1), IPv6-piece-leading-zero validation error.
        if length > 1 && u32::from(value) < 0x10_u32.pow(length - 1) {
            self.errors.record(ValidationError::Ipv6PieceLeadingZero, start);
        }
        // 6.9. Set address[pieceIndex] to value.
        self.address[self.piece_index] = value;
        // 6.10. Increase pieceIndex by 1.
        self.piece_index += 1;
        Some(IsLastPiece::No)
    }

    /// The steps for an IPv4 address in the last pieces, behind a first part of `length` code points
    /// (<https://url.spec.whatwg.org/#concept-ipv6-parser>).
    fn read_ipv4(&mut self, length: u32) -> Option<()> {
        // 6.5.1. If length is 0, IPv4-in-IPv6-invalid-code-point validation error, return failure.
        if length == 0 {
            return self.fail(ValidationError::Ipv4InIpv6InvalidCodePoint);
        }
        // 6.5.2. Decrease pointer by length.
        for _ in 0..length {
            self.pointer.decrease();
        }
        // 6.5.3. If pieceIndex is greater than 6, IPv4-in-IPv6-too-many-pieces validation error, return failure.
        if self.piece_index > 6 {
            return self.fail(ValidationError::Ipv4InIpv6TooManyPieces);
        }
        // 6.5.4. Let numbersSeen be 0.
        let mut numbers_seen = 0;
        // 6.5.5. While c is not the EOF code point:
        while self.pointer.c().is_some() {
            // 6.5.5.2. If numbersSeen is greater than 0, then:
            if numbers_seen > 0 {
                // 6.5.5.2.1. If c is a U+002E (.) and numbersSeen is less than 4, then increase pointer by 1.
                if self.pointer.c() == Some('.') && numbers_seen < 4 {
                    self.pointer.increase();
                }
                // 6.5.5.2.2. Otherwise, IPv4-in-IPv6-invalid-code-point validation error, return failure.
                else {
                    return self.fail(ValidationError::Ipv4InIpv6InvalidCodePoint);
                }
            }
            let ipv4_piece = self.read_ipv4_piece()?;
            // 6.5.5.5. Set address[pieceIndex] to address[pieceIndex] × 0x100 + ipv4Piece.
            self.address[self.piece_index] = self.address[self.piece_index] * 0x100 + ipv4_piece;
            // 6.5.5.6. Increase numbersSeen by 1.
            numbers_seen += 1;
            // 6.5.5.7. If numbersSeen is 2 or 4, then increase pieceIndex by 1.
            if numbers_seen == 2 || numbers_seen == 4 {
                self.piece_index += 1;
            }
        }
        // 6.5.6. If numbersSeen is not 4, IPv4-in-IPv6-too-few-parts validation error, return failure.
        if numbers_seen != 4 {
            return self.fail(ValidationError::Ipv4InIpv6TooFewParts);
        }
        Some(())
    }

    /// The steps for one part of an IPv4 address (<https://url.spec.whatwg.org/#concept-ipv6-parser>).
    fn read_ipv4_piece(&mut self) -> Option<u16> {
        // 6.5.5.1. Let ipv4Piece be null.
        let mut ipv4_piece = None;
        let digit = |c: Option<char>| c.and_then(|c| c.to_digit(10)).map(|digit| digit as u16);
        // 6.5.5.3. If c is not an ASCII digit, IPv4-in-IPv6-invalid-code-point validation error, return failure.
        if digit(self.pointer.c()).is_none() {
            return self.fail(ValidationError::Ipv4InIpv6InvalidCodePoint);
        }
        // 6.5.5.4. While c is an ASCII digit:
        //
        // 6.5.5.4.1. Let number be c interpreted as decimal number.
        while let Some(number) = digit(self.pointer.c()) {
            let piece = match ipv4_piece {
                // 6.5.5.4.2. If ipv4Piece is null, then set ipv4Piece to number.
                None => number,
                // 6.5.5.4.3. Otherwise, if ipv4Piece is 0, IPv4-in-IPv6-invalid-code-point validation error, return failure.
                Some(0) => return self.fail(ValidationError::Ipv4InIpv6InvalidCodePoint),
                // 6.5.5.4.4. Otherwise, set ipv4Piece to ipv4Piece × 10 + number.
                Some(piece) => piece * 10 + number,
            };
            ipv4_piece = Some(piece);
            // 6.5.5.4.5. If ipv4Piece is greater than 255, IPv4-in-IPv6-out-of-range-part validation error, return failure.
            if piece > 255 {
                return self.fail(ValidationError::Ipv4InIpv6OutOfRangePart);
            }
            // 6.5.5.4.6. Increase pointer by 1.
            self.pointer.increase();
        }
        ipv4_piece
    }
}

/// Returns the address in its shortest notation, without brackets
/// (<https://url.spec.whatwg.org/#concept-ipv6-serializer>).
pub fn ipv6_serializer(address: &[u16; 8]) -> String {
    // 1. Let output be the empty string.
    let mut output = String::new();
    // 2. Let compress be the result of finding the IPv6 address compressed piece index given address.
    let compress = compressed_piece_index(address);
    // 3. Let ignore0 be false.
    let mut ignore0 = false;
    // 4. For each pieceIndex of address's pieces's indices:
    for (piece_index, &piece) in address.iter().enumerate() {
        // 4.1. If ignore0 is true and address[pieceIndex] is 0, then continue.
        if ignore0 && piece == 0 {
            continue;
        }
        // 4.2. Otherwise, if ignore0 is true, set ignore0 to false.
        ignore0 = false;
        // 4.3. If compress is pieceIndex, then:
        if compress == Some(piece_index) {
            // 4.3.1. Let separator be "::" if pieceIndex is 0; otherwise U+003A (:).
            let separator = if piece_index == 0 { "::" } else { ":" };
            // 4.3.2. Append separator to output.
            output.push_str(separator);
            // 4.3.3. Set ignore0 to true and continue.
            ignore0 = true;
            continue;
        }
        // 4.4. Append address[pieceIndex], represented as the shortest possible lowercase hexadecimal number, to output.
        output.push_str(&format!("{piece:x}"));
        // 4.5. If pieceIndex is not 7, then append U+003A (:) to output.
        if piece_index != 7 {
            output.push(':');
        }
    }
    // 5. Return output.
    output
}

/// Returns the index of the first piece that the IPv6 serializer leaves out
/// (<https://url.spec.whatwg.org/#find-the-ipv6-address-compressed-piece-index>).
pub fn compressed_piece_index(address: &[u16; 8]) -> Option<usize> {
    // 1. Let longestIndex be null.
    let mut longest_index = None;
    // 2. Let longestSize be 1.
    let mut longest_size = 1;
    // 3. Let foundIndex be null.
    let mut found_index = None;
    // 4. Let foundSize be 0.
    let mut found_size = 0;
    // 5. For each pieceIndex of address's pieces's indices:
    for (piece_index, &piece) in address.iter().enumerate() {
        // 5.1. If address's pieces[pieceIndex] is not 0:
        if piece != 0 {
            // 5.1.1. If foundSize is greater than longestSize, then set longestIndex to foundIndex and longestSize to foundSize.
            if found_size > longest_size {
                longest_index = found_index;
                longest_size = found_size;
            }
            // 5.1.2. Set foundIndex to null.
            found_index = None;
            // 5.1.3. Set foundSize to 0.
            found_size = 0;
        }
        // 5.2. Otherwise:
        else {
            // 5.2.1. If foundIndex is null, then set foundIndex to pieceIndex.
            found_index = found_index.or(Some(piece_index));
            // 5.2.2. Increment foundSize by 1.
            found_size += 1;
        }
    }
    // 6. If foundSize is greater than longestSize, then return foundIndex.
    if found_size > longest_size {
        return found_index;
    }
    // 7. Return longestIndex.
    longest_index
}
