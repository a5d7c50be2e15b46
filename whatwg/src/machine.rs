//! The variables of the basic URL parser, which its states share.
//!
//! <https://url.spec.whatwg.org/#concept-basic-url-parser>

use std::borrow::Cow;

use crate::code_points::{
    is_ascii_tab_or_newline, is_c0_control_or_space, is_url_code_point, starts_with_two_hex_digits,
};
use crate::host::{UrlHost, UrlHostSyntax, host_parser_with};
use crate::pointer::UrlPointer;
use crate::record::UrlRecord;
use crate::trace::UrlState;
use crate::validation::{ErrorRecorder, ValidationError};

/// How the parser ends before the input does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Termination {
    /// "return failure"
    Failure,
    /// "return": with a state override, the parser has nothing to do for the rest of the input.
    Return,
}

/// What a run of a state has: the state machine goes on, or it ends.
pub(crate) type StateRun = Result<(), Termination>;

/// The input without the code points that the parser removes before its state machine runs, and where it comes from.
pub(crate) struct UrlInput<'a> {
    pub(crate) text: Cow<'a, str>,
    /// The byte offset of the text's start.
    start: usize,
    /// For each ASCII tab or newline that is removed: the offset in `text` before which it was.
    removed: Vec<usize>,
}

impl<'a> UrlInput<'a> {
    /// Steps 1.2 and 1.3 of the basic URL parser (<https://url.spec.whatwg.org/#concept-basic-url-parser>).
    pub(crate) fn trimmed(input: &'a str, errors: &mut ErrorRecorder) -> UrlInput<'a> {
        let without_leading = input.trim_start_matches(is_c0_control_or_space);
        let text = without_leading.trim_end_matches(is_c0_control_or_space);
        let start = input.len() - without_leading.len();
        // 1.2. If input contains any leading or trailing C0 control or space, invalid-URL-unit validation error.
        if text.len() < input.len() {
            let offset = if start > 0 { 0 } else { text.len() };
            errors.record(ValidationError::InvalidUrlUnit, offset);
        }
        // 1.3. Remove any leading and trailing C0 control or space from input.
        UrlInput {
            text: Cow::Borrowed(text),
            start,
            removed: Vec::new(),
        }
    }

    /// The whole of the input: with a state override, nothing is removed at its ends.
    pub(crate) fn whole(input: &'a str) -> UrlInput<'a> {
        UrlInput {
            text: Cow::Borrowed(input),
            start: 0,
            removed: Vec::new(),
        }
    }

    /// Steps 2 and 3 of the basic URL parser (<https://url.spec.whatwg.org/#concept-basic-url-parser>).
    pub(crate) fn without_tabs_and_newlines(mut self, errors: &mut ErrorRecorder) -> UrlInput<'a> {
        // 2. If input contains any ASCII tab or newline, invalid-URL-unit validation error.
        let Some(first) = self.text.bytes().position(|byte| is_ascii_tab_or_newline(byte.into())) else {
            return self;
        };
        errors.record(ValidationError::InvalidUrlUnit, self.start + first);
        // 3. Remove all ASCII tab or newline from input.
        let mut text = String::with_capacity(self.text.len());
        for c in self.text.chars() {
            if is_ascii_tab_or_newline(c) {
                self.removed.push(text.len());
            } else {
                text.push(c);
            }
        }
        self.text = Cow::Owned(text);
        self
    }

    /// The byte offset in the whole input of what is at `position` in the text.
    pub(crate) fn offset(&self, position: usize) -> usize {
        self.start + position + self.removed.partition_point(|&removed| removed <= position)
    }
}

/// The variables of the basic URL parser (<https://url.spec.whatwg.org/#concept-basic-url-parser>).
pub(crate) struct UrlMachine<'a> {
    pub(crate) input: &'a UrlInput<'a>,
    pub(crate) base: Option<&'a UrlRecord>,
    pub(crate) url: &'a mut UrlRecord,
    pub(crate) state_override: Option<UrlState>,
    pub(crate) state: UrlState,
    pub(crate) buffer: String,
    pub(crate) at_sign_seen: bool,
    pub(crate) inside_brackets: bool,
    pub(crate) password_token_seen: bool,
    pub(crate) pointer: UrlPointer<'a>,
    pub(crate) errors: ErrorRecorder,
}

impl UrlMachine<'_> {
    /// c: the code point that the pointer points to; `None` is the EOF code point.
    pub(crate) fn c(&self) -> Option<char> {
        self.pointer.c()
    }

    /// Whether a state override is given.
    pub(crate) fn is_overridden(&self) -> bool {
        self.state_override.is_some()
    }

    /// Whether the URL is special and c is U+005C (\).
    pub(crate) fn is_special_reverse_solidus(&self) -> bool {
        self.c() == Some('\\') && self.url.is_special()
    }

    /// Whether the authority ends at c.
    pub(crate) fn is_at_end_of_authority(&self) -> bool {
        // c is the EOF code point, U+002F (/), U+003F (?), or U+0023 (#)
        //
        // url is special and c is U+005C (\)
        matches!(self.c(), None | Some('/' | '?' | '#')) || self.is_special_reverse_solidus()
    }

    /// Sets the state and decreases the pointer by 1, so that the state runs on the same code point.
    pub(crate) fn reconsume_in(&mut self, state: UrlState) {
        self.state = state;
        self.pointer.decrease();
    }

    /// Records a validation error at c.
    pub(crate) fn validation_error(&mut self, error: ValidationError) {
        self.errors.record(error, self.input.offset(self.pointer.offset()));
    }

    /// Records a validation error at c, and returns failure.
    pub(crate) fn fail(&mut self, error: ValidationError) -> StateRun {
        self.validation_error(error);
        Err(Termination::Failure)
    }

    /// The steps about URL units, which four states share.
    pub(crate) fn check_url_unit(&mut self, c: char) {
        // If c is not a URL code point and not U+0025 (%), invalid-URL-unit validation error.
        if !is_url_code_point(c) && c != '%' {
            self.validation_error(ValidationError::InvalidUrlUnit);
        }
        // If c is U+0025 (%) and remaining does not start with two ASCII hex digits, invalid-URL-unit validation error.
        if c == '%' && !starts_with_two_hex_digits(self.pointer.remaining()) {
            self.validation_error(ValidationError::InvalidUrlUnit);
        }
    }

    /// The result of host parsing the buffer, which ends before the position `end` of the input.
    pub(crate) fn parse_host(&mut self, end: usize) -> Result<UrlHost, Termination> {
        // Let host be the result of host parsing buffer with url is not special.
        let is_opaque = match self.url.is_special() {
            true => UrlHostSyntax::Special,
            false => UrlHostSyntax::Opaque,
        };
        let mut inner = ErrorRecorder::default();
        let host = host_parser_with(&self.buffer, is_opaque, &mut inner);
        let start = end - self.buffer.len();
        for found in inner.errors {
            self.errors.record(found.error, self.input.offset(start + found.offset));
        }
        // If host is failure, then return failure.
        host.ok_or(Termination::Failure)
    }

    /// Sets the query to the empty string and the state to query state.
    pub(crate) fn begin_query(&mut self) {
        self.url.query = Some(String::new());
        self.state = UrlState::Query;
    }

    /// Sets the fragment to the empty string and the state to fragment state.
    pub(crate) fn begin_fragment(&mut self) {
        self.url.fragment = Some(String::new());
        self.state = UrlState::Fragment;
    }
}
