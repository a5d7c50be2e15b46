//! The basic URL parser.
//!
//! <https://url.spec.whatwg.org/#concept-basic-url-parser>

use crate::machine::{StateRun, Termination, UrlInput, UrlMachine};
use crate::pointer::UrlPointer;
use crate::record::UrlRecord;
use crate::states::{authority, file, path, query, relative, scheme};
use crate::trace::{TracedUrlParse, UrlState, UrlStateRun};
use crate::validation::{ErrorRecorder, RecordedError};

/// What the basic URL parser returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BasicUrlParse {
    /// The URL; `None` is failure.
    pub url: Option<UrlRecord>,
    /// The validation errors in the order in which they were found, with byte offsets in the input.
    pub errors: Vec<RecordedError>,
}

/// Parses `input` against `base` (<https://url.spec.whatwg.org/#concept-basic-url-parser>).
///
/// Every string has an answer. The URL parser (<https://url.spec.whatwg.org/#concept-url-parser>) differs only in the blob URL entry,
/// which is always null here.
pub fn basic_url_parser(input: &str, base: Option<&UrlRecord>) -> BasicUrlParse {
    parse(input, base, |_| ())
}

/// Parses as [`basic_url_parser`] does, and returns each run of a state too.
pub fn parse_traced(input: &str, base: Option<&UrlRecord>) -> TracedUrlParse {
    let mut runs = Vec::new();
    let parse = parse(input, base, |machine| {
        runs.push(UrlStateRun {
            state: machine.state,
            code_point: machine.c(),
            offset: machine.input.offset(machine.pointer.offset()),
            buffer: machine.buffer.clone(),
        });
    });
    TracedUrlParse { parse, runs }
}

/// Parses without a URL and without a state override (<https://url.spec.whatwg.org/#concept-basic-url-parser>); `observe` sees each run
/// of a state as it begins.
fn parse(input: &str, base: Option<&UrlRecord>, observe: impl FnMut(&UrlMachine<'_>)) -> BasicUrlParse {
    let mut errors = ErrorRecorder::default();
    // 1. If url is not given:
    //
    // 1.1. Set url to a new URL.
    let mut url = UrlRecord::default();
    let input = UrlInput::trimmed(input, &mut errors).without_tabs_and_newlines(&mut errors);
    let (end, errors) = run(&input, base, &mut url, None, errors, observe);
    BasicUrlParse {
        // 10. Return url.
        url: (end != Err(Termination::Failure)).then_some(url),
        errors: errors.errors,
    }
}

/// Parses `input` with `url` and `state_override`: what the API's setters do. A failure leaves what is already set.
pub(crate) fn parse_with_override(input: &str, url: &mut UrlRecord, state_override: UrlState) {
    let mut errors = ErrorRecorder::default();
    let input = UrlInput::whole(input).without_tabs_and_newlines(&mut errors);
    // Not in the standard: how the parser ends is of no use to a setter.
    let _ = run(&input, None, url, Some(state_override), errors, |_| ());
}

/// The steps behind those that prepare the input (<https://url.spec.whatwg.org/#concept-basic-url-parser>).
///
/// Of encoding there is nothing here, since it is always UTF-8.
fn run(
    input: &UrlInput<'_>,
    base: Option<&UrlRecord>,
    url: &mut UrlRecord,
    state_override: Option<UrlState>,
    errors: ErrorRecorder,
    mut observe: impl FnMut(&UrlMachine<'_>),
) -> (StateRun, ErrorRecorder) {
    let mut machine = UrlMachine {
        input,
        base,
        url,
        state_override,
        // 4. Let state be state override if given, or scheme start state otherwise.
        state: state_override.unwrap_or(UrlState::SchemeStart),
        // 6. Let buffer be the empty string.
        buffer: String::with_capacity(input.text.len()),
        // 7. Let atSignSeen, insideBrackets, and passwordTokenSeen be false.
        at_sign_seen: false,
        inside_brackets: false,
        password_token_seen: false,
        // 8. Let pointer be a pointer for input.
        pointer: UrlPointer::new(&input.text),
        errors,
    };
    // 9. Keep running the following state machine by switching on state. If after a run pointer points to the EOF code point, go to the
    // next step. Otherwise, increase pointer by 1 and continue with the state machine.
    let end = loop {
        observe(&machine);
        if let Err(end) = run_state(&mut machine) {
            break Err(end);
        }
        if machine.pointer.is_at_eof() {
            break Ok(());
        }
        machine.pointer.increase();
    };
    (end, machine.errors)
}

fn run_state(machine: &mut UrlMachine<'_>) -> StateRun {
    match machine.state {
        UrlState::SchemeStart => scheme::scheme_start_state(machine),
        UrlState::Scheme => scheme::scheme_state(machine),
        UrlState::NoScheme => scheme::no_scheme_state(machine),
        UrlState::SpecialRelativeOrAuthority => relative::special_relative_or_authority_state(machine),
        UrlState::PathOrAuthority => relative::path_or_authority_state(machine),
        UrlState::Relative => relative::relative_state(machine),
        UrlState::RelativeSlash => relative::relative_slash_state(machine),
        UrlState::SpecialAuthoritySlashes => authority::special_authority_slashes_state(machine),
        UrlState::SpecialAuthorityIgnoreSlashes => authority::special_authority_ignore_slashes_state(machine),
        UrlState::Authority => authority::authority_state(machine),
        UrlState::Host | UrlState::Hostname => authority::host_state(machine),
        UrlState::Port => authority::port_state(machine),
        UrlState::File => file::file_state(machine),
        UrlState::FileSlash => file::file_slash_state(machine),
        UrlState::FileHost => file::file_host_state(machine),
        UrlState::PathStart => path::path_start_state(machine),
        UrlState::Path => path::path_state(machine),
        UrlState::OpaquePath => path::opaque_path_state(machine),
        UrlState::Query => query::query_state(machine),
        UrlState::Fragment => query::fragment_state(machine),
    }
}
