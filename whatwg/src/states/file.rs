//! File state, file slash state, file host state.

use crate::code_points::{
    is_normalized_windows_drive_letter, is_windows_drive_letter, starts_with_a_windows_drive_letter,
};
use crate::host::UrlHost;
use crate::machine::{StateRun, Termination, UrlMachine};
use crate::record::{UrlPath, UrlRecord};
use crate::trace::UrlState;
use crate::validation::ValidationError;

/// base, if it is non-null and its scheme is `file`.
fn file_base<'a>(machine: &UrlMachine<'a>) -> Option<&'a UrlRecord> {
    machine.base.filter(|base| base.scheme == "file")
}

/// <https://url.spec.whatwg.org/#file-state>
pub(crate) fn file_state(machine: &mut UrlMachine<'_>) -> StateRun {
    // 1. Set url's scheme to "file".
    "file".clone_into(&mut machine.url.scheme);
    // 2. Set url's host to the empty string.
    machine.url.host = Some(UrlHost::Empty);
    // 3. If c is U+002F (/) or U+005C (\), then:
    if matches!(machine.c(), Some('/' | '\\')) {
        // 3.1. If c is U+005C (\), invalid-reverse-solidus validation error.
        if machine.c() == Some('\\') {
            machine.validation_error(ValidationError::InvalidReverseSolidus);
        }
        // 3.2. Set state to file slash state.
        machine.state = UrlState::FileSlash;
    }
    // 4. Otherwise, if base is non-null and base's scheme is "file":
    else if let Some(base) = file_base(machine) {
        inherit_from_file(machine, base);
    }
    // 5. Otherwise, set state to path state, and decrease pointer by 1.
    else {
        machine.reconsume_in(UrlState::Path);
    }
    Ok(())
}

/// The steps for a file URL as base (<https://url.spec.whatwg.org/#file-state>).
fn inherit_from_file(machine: &mut UrlMachine<'_>, base: &UrlRecord) {
    // 4.1. Set url's host to base's host, url's path to a clone of base's path, and url's query to base's query.
    machine.url.host.clone_from(&base.host);
    machine.url.path.clone_from(&base.path);
    machine.url.query.clone_from(&base.query);
    match machine.c() {
        // 4.2. If c is U+003F (?), then set url's query to the empty string and state to query state.
        Some('?') => machine.begin_query(),
        // 4.3. Otherwise, if c is U+0023 (#), set url's fragment to the empty string and state to fragment state.
        Some('#') => machine.begin_fragment(),
        // 4.4. Otherwise, if c is not the EOF code point:
        Some(_) => {
            // 4.4.1. Set url's query to null.
            machine.url.query = None;
            // 4.4.2. If the code point substring from pointer to the end of input does not start with a Windows drive letter, then
            // shorten url's path.
            if !starts_with_a_windows_drive_letter(machine.pointer.substring()) {
                machine.url.shorten_path();
            }
            // 4.4.3. Otherwise:
            else {
                // 4.4.3.1. File-invalid-Windows-drive-letter validation error.
                machine.validation_error(ValidationError::FileInvalidWindowsDriveLetter);
                // 4.4.3.2. Set url's path to « ».
                machine.url.path = UrlPath::default();
            }
            // 4.4.4. Set state to path state and decrease pointer by 1.
            machine.reconsume_in(UrlState::Path);
        }
        None => (),
    }
}

/// <https://url.spec.whatwg.org/#file-slash-state>
pub(crate) fn file_slash_state(machine: &mut UrlMachine<'_>) -> StateRun {
    // 1. If c is U+002F (/) or U+005C (\), then:
    if matches!(machine.c(), Some('/' | '\\')) {
        // 1.1. If c is U+005C (\), invalid-reverse-solidus validation error.
        if machine.c() == Some('\\') {
            machine.validation_error(ValidationError::InvalidReverseSolidus);
        }
        // 1.2. Set state to file host state.
        machine.state = UrlState::FileHost;
    }
    // 2. Otherwise:
    else {
        // 2.1. If base is non-null and base's scheme is "file", then:
        if let Some(base) = file_base(machine) {
            // 2.1.1. Set url's host to base's host.
            machine.url.host.clone_from(&base.host);
            // 2.1.2. If the code point substring from pointer to the end of input does not start with a Windows drive letter and base's
            // path[0] is a normalized Windows drive letter, then append base's path[0] to url's path.
            let drive = base.segments().first().filter(|first| is_normalized_windows_drive_letter(first));
            if !starts_with_a_windows_drive_letter(machine.pointer.substring()) {
                drive.into_iter().for_each(|drive| machine.url.append_to_path(drive.clone()));
            }
        }
        // 2.2. Set state to path state, and decrease pointer by 1.
        machine.reconsume_in(UrlState::Path);
    }
    Ok(())
}

/// <https://url.spec.whatwg.org/#file-host-state>
pub(crate) fn file_host_state(machine: &mut UrlMachine<'_>) -> StateRun {
    match machine.c() {
        // 1. If c is the EOF code point, U+002F (/), U+005C (\), U+003F (?), or U+0023 (#), then decrease pointer by 1 and then:
        None | Some('/' | '\\' | '?' | '#') => {
            let end = machine.pointer.offset();
            end_file_host(machine, end)
        }
        // 2. Otherwise, append c to buffer.
        Some(c) => {
            machine.buffer.push(c);
            Ok(())
        }
    }
}

/// The steps where the host of a file URL ends (<https://url.spec.whatwg.org/#file-host-state>).
fn end_file_host(machine: &mut UrlMachine<'_>, end: usize) -> StateRun {
    let is_overridden = machine.is_overridden();
    // 1.1. If state override is not given and buffer is a Windows drive letter, file-invalid-Windows-drive-letter-host validation error,
    // set state to path state.
    if !is_overridden && is_windows_drive_letter(&machine.buffer) {
        let start = machine.input.offset(end - machine.buffer.len());
        machine.errors.record(ValidationError::FileInvalidWindowsDriveLetterHost, start);
        machine.reconsume_in(UrlState::Path);
    }
    // 1.2. Otherwise, if buffer is the empty string, then:
    else if machine.buffer.is_empty() {
        // 1.2.1. Set url's host to the empty string.
        machine.url.host = Some(UrlHost::Empty);
        // 1.2.2. If state override is given, then return.
        if is_overridden {
            return Err(Termination::Return);
        }
        // 1.2.3. Set state to path start state.
        machine.reconsume_in(UrlState::PathStart);
    }
    // 1.3. Otherwise, run these steps:
    else {
        // 1.3.1. Let host be the result of host parsing buffer with url is not special.
        //
        // 1.3.2. If host is failure, then return failure.
        let mut host = machine.parse_host(end)?;
        // 1.3.3. If host is "localhost", then set host to the empty string.
        if host == UrlHost::Domain("localhost".to_owned()) {
            host = UrlHost::Empty;
        }
        // 1.3.4. Set url's host to host.
        machine.url.host = Some(host);
        // 1.3.5. If state override is given, then return.
        if is_overridden {
            return Err(Termination::Return);
        }
        // 1.3.6. Set buffer to the empty string and state to path start state.
        machine.buffer.clear();
        machine.reconsume_in(UrlState::PathStart);
    }
    Ok(())
}
