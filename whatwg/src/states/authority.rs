//! Special authority slashes state, special authority ignore slashes state, authority state, host state and hostname state, port state.

use crate::machine::{StateRun, Termination, UrlMachine};
use crate::percent::{USERINFO, append_utf8_percent_encoded};
use crate::record::default_port;
use crate::trace::UrlState;
use crate::validation::ValidationError;

/// <https://url.spec.whatwg.org/#special-authority-slashes-state>
pub(crate) fn special_authority_slashes_state(machine: &mut UrlMachine<'_>) -> StateRun {
    // 1. If c is U+002F (/) and remaining starts with U+002F (/), then set state to special authority ignore slashes state and increase
    // pointer by 1.
    if machine.c() == Some('/') && machine.pointer.remaining().starts_with('/') {
        machine.state = UrlState::SpecialAuthorityIgnoreSlashes;
        machine.pointer.increase();
    }
    // 2. Otherwise, special-scheme-missing-following-solidus validation error, set state to special authority ignore slashes state and
    // decrease pointer by 1.
    else {
        machine.validation_error(ValidationError::SpecialSchemeMissingFollowingSolidus);
        machine.reconsume_in(UrlState::SpecialAuthorityIgnoreSlashes);
    }
    Ok(())
}

/// <https://url.spec.whatwg.org/#special-authority-ignore-slashes-state>
pub(crate) fn special_authority_ignore_slashes_state(machine: &mut UrlMachine<'_>) -> StateRun {
    // 1. If c is neither U+002F (/) nor U+005C (\), then set state to authority state and decrease pointer by 1.
    if !matches!(machine.c(), Some('/' | '\\')) {
        machine.reconsume_in(UrlState::Authority);
    }
    // 2. Otherwise, special-scheme-missing-following-solidus validation error.
    else {
        machine.validation_error(ValidationError::SpecialSchemeMissingFollowingSolidus);
    }
    Ok(())
}

/// <https://url.spec.whatwg.org/#authority-state>
pub(crate) fn authority_state(machine: &mut UrlMachine<'_>) -> StateRun {
    match machine.c() {
        // 1. If c is U+0040 (@), then:
        Some('@') => {
            // 1.1. Invalid-credentials validation error.
            machine.validation_error(ValidationError::InvalidCredentials);
            append_credentials(machine);
        }
        // 2. Otherwise, if one of the following is true: c is the EOF code point, U+002F (/), U+003F (?), or U+0023 (#); url is special
        // and c is U+005C (\); then:
        _ if machine.is_at_end_of_authority() => {
            // 2.1. If atSignSeen is true and buffer is the empty string, host-missing validation error, return failure.
            if machine.at_sign_seen && machine.buffer.is_empty() {
                return machine.fail(ValidationError::HostMissing);
            }
            // 2.2. Decrease pointer by buffer's code point length + 1, set buffer to the empty string, and set state to host state.
            for _ in 0..machine.buffer.chars().count() + 1 {
                machine.pointer.decrease();
            }
            machine.buffer.clear();
            machine.state = UrlState::Host;
        }
        // 3. Otherwise, append c to buffer.
        Some(c) => machine.buffer.push(c),
        None => (),
    }
    Ok(())
}

/// The steps for an at-sign (<https://url.spec.whatwg.org/#authority-state>).
fn append_credentials(machine: &mut UrlMachine<'_>) {
    // 1.2. If atSignSeen is true, then prepend "%40" to buffer.
    if machine.at_sign_seen {
        machine.buffer.insert_str(0, "%40");
    }
    // 1.3. Set atSignSeen to true.
    machine.at_sign_seen = true;
    // 1.4. For each codePoint in buffer:
    for code_point in machine.buffer.chars() {
        // 1.4.1. If codePoint is U+003A (:) and passwordTokenSeen is false, then set passwordTokenSeen to true and continue.
        if code_point == ':' && !machine.password_token_seen {
            machine.password_token_seen = true;
            continue;
        }
        // 1.4.2. Let encodedCodePoints be the result of running UTF-8 percent-encode codePoint using the userinfo percent-encode set.
        //
        // 1.4.3. If passwordTokenSeen is true, then append encodedCodePoints to url's password.
        //
        // 1.4.4. Otherwise, append encodedCodePoints to url's username.
        let output = match machine.password_token_seen {
            true => &mut machine.url.password,
            false => &mut machine.url.username,
        };
        append_utf8_percent_encoded(code_point, USERINFO, output);
    }
    // 1.5. Set buffer to the empty string.
    machine.buffer.clear();
}

/// <https://url.spec.whatwg.org/#host-state>, and <https://url.spec.whatwg.org/#hostname-state>
pub(crate) fn host_state(machine: &mut UrlMachine<'_>) -> StateRun {
    // 1. If state override is given and url's scheme is "file", then decrease pointer by 1 and set state to file host state.
    if machine.is_overridden() && machine.url.scheme == "file" {
        machine.reconsume_in(UrlState::FileHost);
        return Ok(());
    }
    match machine.c() {
        // 2. Otherwise, if c is U+003A (:) and insideBrackets is false:
        Some(':') if !machine.inside_brackets => {
            // 2.1. If buffer is the empty string, host-missing validation error, return failure.
            if machine.buffer.is_empty() {
                return machine.fail(ValidationError::HostMissing);
            }
            // 2.2. If state override is given and state override is hostname state, then return failure.
            if machine.state_override == Some(UrlState::Hostname) {
                return Err(Termination::Failure);
            }
            // 2.3. Let host be the result of host parsing buffer with url is not special.
            //
            // 2.4. If host is failure, then return failure.
            let host = machine.parse_host(machine.pointer.offset())?;
            // 2.5. Set url's host to host, buffer to the empty string, and state to port state.
            machine.url.host = Some(host);
            machine.buffer.clear();
            machine.state = UrlState::Port;
            Ok(())
        }
        // 3. Otherwise, if one of the following is true: c is the EOF code point, U+002F (/), U+003F (?), or U+0023 (#); url is special
        // and c is U+005C (\); then decrease pointer by 1, and:
        _ if machine.is_at_end_of_authority() => end_host(machine),
        // 4. Otherwise:
        Some(c) => {
            // 4.1. If c is U+005B ([), then set insideBrackets to true.
            if c == '[' {
                machine.inside_brackets = true;
            }
            // 4.2. If c is U+005D (]), then set insideBrackets to false.
            if c == ']' {
                machine.inside_brackets = false;
            }
            // 4.3. Append c to buffer.
            machine.buffer.push(c);
            Ok(())
        }
        None => Ok(()),
    }
}

/// The steps where the authority ends with a host (<https://url.spec.whatwg.org/#host-state>).
fn end_host(machine: &mut UrlMachine<'_>) -> StateRun {
    let end = machine.pointer.offset();
    // 3.1. If url is special and buffer is the empty string, host-missing validation error, return failure.
    if machine.url.is_special() && machine.buffer.is_empty() {
        return machine.fail(ValidationError::HostMissing);
    }
    // 3.2. Otherwise, if state override is given, buffer is the empty string, and either url includes credentials or url's port is
    // non-null, then return failure.
    let has_more = machine.url.includes_credentials() || machine.url.port.is_some();
    if machine.is_overridden() && machine.buffer.is_empty() && has_more {
        return Err(Termination::Failure);
    }
    // 3.3. Let host be the result of host parsing buffer with url is not special.
    //
    // 3.4. If host is failure, then return failure.
    let host = machine.parse_host(end)?;
    // 3.5. Set url's host to host, buffer to the empty string, and state to path start state.
    machine.url.host = Some(host);
    machine.buffer.clear();
    machine.reconsume_in(UrlState::PathStart);
    // 3.6. If state override is given, then return.
    if machine.is_overridden() {
        return Err(Termination::Return);
    }
    Ok(())
}

/// <https://url.spec.whatwg.org/#port-state>
pub(crate) fn port_state(machine: &mut UrlMachine<'_>) -> StateRun {
    match machine.c() {
        // 1. If c is an ASCII digit, append c to buffer.
        Some(c) if c.is_ascii_digit() => {
            machine.buffer.push(c);
            Ok(())
        }
        // 2. Otherwise, if one of the following is true: c is the EOF code point, U+002F (/), U+003F (?), or U+0023 (#); url is special
        // and c is U+005C (\); or state override is given, then:
        _ if machine.is_at_end_of_authority() || machine.is_overridden() => {
            // 2.1. If buffer is not the empty string:
            if !machine.buffer.is_empty() {
                set_port(machine)?;
            }
            // 2.2. If state override is given, then return failure.
            if machine.is_overridden() {
                return Err(Termination::Failure);
            }
            // 2.3. Set state to path start state and decrease pointer by 1.
            machine.reconsume_in(UrlState::PathStart);
            Ok(())
        }
        // 3. Otherwise, port-invalid validation error, return failure.
        _ => machine.fail(ValidationError::PortInvalid),
    }
}

/// The steps for the digits of a port (<https://url.spec.whatwg.org/#port-state>).
fn set_port(machine: &mut UrlMachine<'_>) -> StateRun {
    // 2.1.1. Let port be the mathematical integer value that is represented by buffer in radix-10 using ASCII digits for digits with
    // values 0 through 9.
    //
    // 2.1.2. If port is not a 16-bit unsigned integer, port-out-of-range validation error, return failure.
    let Ok(port) = machine.buffer.parse::<u16>() else {
        return machine.fail(ValidationError::PortOutOfRange);
    };
    // 2.1.3. Set url's port to null, if port is url's scheme's default port; otherwise to port.
    let is_default = default_port(&machine.url.scheme) == Some(port);
    machine.url.port = (!is_default).then_some(port);
    // 2.1.4. Set buffer to the empty string.
    machine.buffer.clear();
    // 2.1.5. If state override is given, then return.
    if machine.is_overridden() {
        return Err(Termination::Return);
    }
    Ok(())
}
