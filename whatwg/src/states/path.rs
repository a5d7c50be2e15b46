//! Path start state, path state, opaque path state.

use crate::code_points::{is_double_dot_url_path_segment, is_single_dot_url_path_segment, is_windows_drive_letter};
use crate::machine::{StateRun, UrlMachine};
use crate::percent::{C0_CONTROL, PATH, append_utf8_percent_encoded};
use crate::record::UrlPath;
use crate::trace::UrlState;
use crate::validation::ValidationError;

/// <https://url.spec.whatwg.org/#path-start-state>
pub(crate) fn path_start_state(machine: &mut UrlMachine<'_>) -> StateRun {
    let is_overridden = machine.is_overridden();
    let c = machine.c();
    // 1. If url is special, then:
    if machine.url.is_special() {
        // 1.1. If c is U+005C (\), invalid-reverse-solidus validation error.
        if c == Some('\\') {
            machine.validation_error(ValidationError::InvalidReverseSolidus);
        }
        // 1.2. Set state to path state.
        machine.state = UrlState::Path;
        // 1.3. If c is neither U+002F (/) nor U+005C (\), then decrease pointer by 1.
        if !matches!(c, Some('/' | '\\')) {
            machine.pointer.decrease();
        }
    }
    // 2. Otherwise, if state override is not given and c is U+003F (?), set url's query to the empty string and state to query state.
    else if !is_overridden && c == Some('?') {
        machine.begin_query();
    }
    // 3. Otherwise, if state override is not given and c is U+0023 (#), set url's fragment to the empty string and state to fragment
    // state.
    else if !is_overridden && c == Some('#') {
        machine.begin_fragment();
    }
    // 4. Otherwise, if c is not the EOF code point:
    else if c.is_some() {
        // 4.1. Set state to path state.
        machine.state = UrlState::Path;
        // 4.2. If c is not U+002F (/), then decrease pointer by 1.
        if c != Some('/') {
            machine.pointer.decrease();
        }
    }
    // 5. Otherwise, if state override is given and url's host is null, append the empty string to url's path.
    else if is_overridden && machine.url.host.is_none() {
        machine.url.append_to_path(String::new());
    }
    Ok(())
}

/// <https://url.spec.whatwg.org/#path-state>
pub(crate) fn path_state(machine: &mut UrlMachine<'_>) -> StateRun {
    match machine.c() {
        // 2. Otherwise, run these steps:
        Some(c) if !ends_segment(machine, c) => {
            // 2.1. If c is not a URL code point and not U+0025 (%), invalid-URL-unit validation error.
            //
            // 2.2. If c is U+0025 (%) and remaining does not start with two ASCII hex digits, invalid-URL-unit validation error.
            machine.check_url_unit(c);
            // 2.3. UTF-8 percent-encode c using the path percent-encode set and append the result to buffer.
            append_utf8_percent_encoded(c, PATH, &mut machine.buffer);
        }
        // 1. If one of the following is true: […] then:
        c => end_segment(machine, c),
    }
    Ok(())
}

/// Whether a segment ends at `c` (<https://url.spec.whatwg.org/#path-state>).
fn ends_segment(machine: &UrlMachine<'_>, c: char) -> bool {
    match c {
        // c is the EOF code point or U+002F (/)
        '/' => true,
        // url is special and c is U+005C (\)
        '\\' => machine.url.is_special(),
        // state override is not given and c is U+003F (?) or U+0023 (#)
        '?' | '#' => !machine.is_overridden(),
        _ => false,
    }
}

/// The steps where a segment ends (<https://url.spec.whatwg.org/#path-state>).
fn end_segment(machine: &mut UrlMachine<'_>, c: Option<char>) {
    // 1.1. If url is special and c is U+005C (\), invalid-reverse-solidus validation error.
    if machine.is_special_reverse_solidus() {
        machine.validation_error(ValidationError::InvalidReverseSolidus);
    }
    let is_neither_solidus = c != Some('/') && !machine.is_special_reverse_solidus();
    // 1.2. If buffer is a double-dot URL path segment, then:
    if is_double_dot_url_path_segment(&machine.buffer) {
        // 1.2.1. Shorten url's path.
        machine.url.shorten_path();
        // 1.2.2. If neither c is U+002F (/), nor url is special and c is U+005C (\), append the empty string to url's path.
        if is_neither_solidus {
            machine.url.append_to_path(String::new());
        }
    }
    // 1.3. Otherwise, if buffer is a single-dot URL path segment and if neither c is U+002F (/), nor url is special and c is U+005C (\),
    // append the empty string to url's path.
    else if is_single_dot_url_path_segment(&machine.buffer) && is_neither_solidus {
        machine.url.append_to_path(String::new());
    }
    // 1.4. Otherwise, if buffer is not a single-dot URL path segment, then:
    else if !is_single_dot_url_path_segment(&machine.buffer) {
        // 1.4.1. If url's scheme is "file", url's path is empty, and buffer is a Windows drive letter, then replace the second code point
        // in buffer with U+003A (:).
        let is_first = machine.url.segments().is_empty();
        if machine.url.scheme == "file" && is_first && is_windows_drive_letter(&machine.buffer) {
            machine.buffer.replace_range(1.., ":");
        }
        // 1.4.2. Append buffer to url's path.
        machine.url.append_to_path(machine.buffer.clone());
    }
    // 1.5. Set buffer to the empty string.
    machine.buffer.clear();
    match c {
        // 1.6. If c is U+003F (?), then set url's query to the empty string and state to query state.
        Some('?') => machine.begin_query(),
        // 1.7. If c is U+0023 (#), then set url's fragment to the empty string and state to fragment state.
        Some('#') => machine.begin_fragment(),
        _ => (),
    }
}

/// <https://url.spec.whatwg.org/#cannot-be-a-base-url-path-state>
pub(crate) fn opaque_path_state(machine: &mut UrlMachine<'_>) -> StateRun {
    match machine.c() {
        // 1. If c is U+003F (?), then set url's query to the empty string and state to query state.
        Some('?') => machine.begin_query(),
        // 2. Otherwise, if c is U+0023 (#), then set url's fragment to the empty string and state to fragment state.
        Some('#') => machine.begin_fragment(),
        // 3. Otherwise, if c is U+0020 SPACE:
        Some(' ') => {
            // 3.1. Invalid-URL-unit validation error.
            machine.validation_error(ValidationError::InvalidUrlUnit);
            // 3.2. If remaining starts with U+003F (?) or U+0023 (#), then append "%20" to url's path.
            //
            // 3.3. Otherwise, append U+0020 SPACE to url's path.
            let is_last = machine.pointer.remaining().starts_with(['?', '#']);
            if let UrlPath::Opaque(path) = &mut machine.url.path {
                path.push_str(if is_last { "%20" } else { " " });
            }
        }
        // 4. Otherwise, if c is not the EOF code point:
        Some(c) => {
            // 4.1. If c is not a URL code point and not U+0025 (%), invalid-URL-unit validation error.
            //
            // 4.2. If c is U+0025 (%) and remaining does not start with two ASCII hex digits, invalid-URL-unit validation error.
            machine.check_url_unit(c);
            // 4.3. UTF-8 percent-encode c using the C0 control percent-encode set and append the result to url's path.
            if let UrlPath::Opaque(path) = &mut machine.url.path {
                append_utf8_percent_encoded(c, C0_CONTROL, path);
            }
        }
        None => (),
    }
    Ok(())
}
