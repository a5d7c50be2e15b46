//! The pointer for a string.
//!
//! <https://url.spec.whatwg.org/#pointer>

/// A pointer for a string: it points to a code point, to the EOF code point, or nowhere.
#[derive(Clone, Debug)]
pub(crate) struct UrlPointer<'a> {
    input: &'a str,
    /// The byte offset of the code point; the input's length for the EOF code point; `None` for nowhere.
    position: Option<usize>,
    c: Option<char>,
}

impl<'a> UrlPointer<'a> {
    /// A pointer to the start of `input` (<https://url.spec.whatwg.org/#pointer>).
    // A pointer for a string input is an integer that points to a code point within input. Initially it points to the start of input.
    pub(crate) fn new(input: &'a str) -> UrlPointer<'a> {
        UrlPointer {
            input,
            position: Some(0),
            c: input.chars().next(),
        }
    }

    /// c (<https://url.spec.whatwg.org/#c>): the code point; `None` is the EOF code point, and a pointer that points nowhere has it too.
    // When a pointer is used, c references the code point the pointer points to as long as it does not point nowhere.
    #[inline]
    pub(crate) fn c(&self) -> Option<char> {
        self.c
    }

    /// remaining (<https://url.spec.whatwg.org/#remaining>): what is behind `c`; empty for the EOF code point.
    // When a pointer is used, remaining references the code point substring from the pointer + 1 to the end of the string, as long
    // as c is not the EOF code point.
    pub(crate) fn remaining(&self) -> &'a str {
        &self.substring()[self.c.map_or(0, char::len_utf8)..]
    }

    /// The code point substring from the pointer to the end of the string.
    pub(crate) fn substring(&self) -> &'a str {
        self.position.map_or("", |position| &self.input[position..])
    }

    /// The byte offset of `c`; 0 for a pointer that points nowhere.
    pub(crate) fn offset(&self) -> usize {
        self.position.unwrap_or(0)
    }

    /// Whether it points to the EOF code point (<https://url.spec.whatwg.org/#pointer>).
    // If it is greater than or equal to input's code point length, it points to the EOF code point.
    pub(crate) fn is_at_eof(&self) -> bool {
        self.position == Some(self.input.len())
    }

    /// Increases the pointer by 1. It stays at the EOF code point.
    #[inline]
    pub(crate) fn increase(&mut self) {
        self.position = Some(match self.position {
            None => 0,
            Some(position) => position + self.c.map_or(0, char::len_utf8),
        });
        self.c = self.substring().chars().next();
    }

    /// Decreases the pointer by 1. It stays nowhere (<https://url.spec.whatwg.org/#pointer>).
    // If it is −1 it points nowhere.
    pub(crate) fn decrease(&mut self) {
        self.c = self.input[..self.offset()].chars().next_back();
        self.position = self.c.map(|c| self.offset() - c.len_utf8());
    }

    /// Points nowhere, so that the next increase points to the start.
    pub(crate) fn start_over(&mut self) {
        (self.position, self.c) = (None, None);
    }
}
