//! Scheme start state, scheme state, no scheme state.

use crate::host::UrlHost;
use crate::machine::{StateRun, Termination, UrlMachine};
use crate::record::{UrlPath, default_port, is_special_scheme};
use crate::trace::UrlState;
use crate::validation::ValidationError;

/// <https://url.spec.whatwg.org/#scheme-start-state>
pub(crate) fn scheme_start_state(machine: &mut UrlMachine<'_>) -> StateRun {
    match machine.c() {
        // 1. If c is an ASCII alpha, append c, lowercased, to buffer, and set state to scheme state.
        Some(c) if c.is_ascii_alphabetic() => {
            machine.buffer.push(c.to_ascii_lowercase());
            machine.state = UrlState::Scheme;
            Ok(())
        }
        // 2. Otherwise, if state override is not given, set state to no scheme state and decrease pointer by 1.
        _ if !machine.is_overridden() => {
            machine.reconsume_in(UrlState::NoScheme);
            Ok(())
        }
        // 3. Otherwise, return failure.
        _ => Err(Termination::Failure),
    }
}

/// <https://url.spec.whatwg.org/#scheme-state>
pub(crate) fn scheme_state(machine: &mut UrlMachine<'_>) -> StateRun {
    match machine.c() {
        // 1. If c is an ASCII alphanumeric, U+002B (+), U+002D (-), or U+002E (.), append c, lowercased, to buffer.
        Some(c) if c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.') => {
            machine.buffer.push(c.to_ascii_lowercase());
            Ok(())
        }
        // 2. Otherwise, if c is U+003A (:), then:
        Some(':') => {
            set_scheme(machine)?;
            choose_state(machine);
            Ok(())
        }
        // 3. Otherwise, if state override is not given, set buffer to the empty string, state to no scheme state, and start over (from
        // the first code point in input).
        _ if !machine.is_overridden() => {
            machine.buffer.clear();
            machine.state = UrlState::NoScheme;
            machine.pointer.start_over();
            Ok(())
        }
        // 4. Otherwise, return failure.
        _ => Err(Termination::Failure),
    }
}

/// The first steps behind a scheme (<https://url.spec.whatwg.org/#scheme-state>).
fn set_scheme(machine: &mut UrlMachine<'_>) -> StateRun {
    let is_overridden = machine.is_overridden();
    let UrlMachine { url, buffer, .. } = machine;
    // 2.1. If state override is given, then:
    if is_overridden {
        // 2.1.1. If url's scheme is a special scheme and buffer is not a special scheme, then return.
        if url.is_special() && !is_special_scheme(buffer) {
            return Err(Termination::Return);
        }
        // 2.1.2. If url's scheme is not a special scheme and buffer is a special scheme, then return.
        if !url.is_special() && is_special_scheme(buffer) {
            return Err(Termination::Return);
        }
        // 2.1.3. If url includes credentials or has a non-null port, and buffer is "file", then return.
        if (url.includes_credentials() || url.port.is_some()) && *buffer == "file" {
            return Err(Termination::Return);
        }
        // 2.1.4. If url's scheme is "file" and its host is an empty host, then return.
        if url.scheme == "file" && url.host == Some(UrlHost::Empty) {
            return Err(Termination::Return);
        }
    }
    // 2.2. Set url's scheme to buffer.
    url.scheme.clone_from(buffer);
    // 2.3. If state override is given, then:
    if is_overridden {
        // 2.3.1. If url's port is url's scheme's default port, then set url's port to null.
        if url.port == default_port(&url.scheme) {
            url.port = None;
        }
        // 2.3.2. Return.
        return Err(Termination::Return);
    }
    // 2.4. Set buffer to the empty string.
    buffer.clear();
    Ok(())
}

/// The last steps behind a scheme (<https://url.spec.whatwg.org/#scheme-state>).
fn choose_state(machine: &mut UrlMachine<'_>) {
    let remaining = machine.pointer.remaining();
    // 2.5. If url's scheme is "file", then:
    if machine.url.scheme == "file" {
        // 2.5.1. If remaining does not start with "//", special-scheme-missing-following-solidus validation error.
        if !remaining.starts_with("//") {
            machine.validation_error(ValidationError::SpecialSchemeMissingFollowingSolidus);
        }
        // 2.5.2. Set state to file state.
        machine.state = UrlState::File;
    }
    // 2.6. Otherwise, if url is special, base is non-null, and base's scheme is url's scheme:
    else if machine.url.is_special() && machine.base.is_some_and(|base| base.scheme == machine.url.scheme) {
        // 2.6.1. Assert: base is special (and therefore does not have an opaque path).
        //
        // 2.6.2. Set state to special relative or authority state.
        machine.state = UrlState::SpecialRelativeOrAuthority;
    }
    // 2.7. Otherwise, if url is special, set state to special authority slashes state.
    else if machine.url.is_special() {
        machine.state = UrlState::SpecialAuthoritySlashes;
    }
    // 2.8. Otherwise, if remaining starts with an U+002F (/), set state to path or authority state and increase pointer by 1.
    else if remaining.starts_with('/') {
        machine.state = UrlState::PathOrAuthority;
        machine.pointer.increase();
    }
    // 2.9. Otherwise, set url's path to the empty string and set state to opaque path state.
    else {
        machine.url.path = UrlPath::Opaque(String::new());
        machine.state = UrlState::OpaquePath;
    }
}

/// <https://url.spec.whatwg.org/#no-scheme-state>
pub(crate) fn no_scheme_state(machine: &mut UrlMachine<'_>) -> StateRun {
    let is_number_sign = machine.c() == Some('#');
    match machine.base {
        // 1. If base is null, or base has an opaque path and c is not U+0023 (#), missing-scheme-non-relative-URL validation error,
        // return failure.
        None => machine.fail(ValidationError::MissingSchemeNonRelativeUrl),
        Some(base) if base.has_opaque_path() && !is_number_sign => {
            machine.fail(ValidationError::MissingSchemeNonRelativeUrl)
        }
        // 2. Otherwise, if base has an opaque path and c is U+0023 (#), set url's scheme to base's scheme, url's path to base's path,
        // url's query to base's query, url's fragment to the empty string, and set state to fragment state.
        Some(base) if base.has_opaque_path() => {
            machine.url.scheme.clone_from(&base.scheme);
            machine.url.path.clone_from(&base.path);
            machine.url.query.clone_from(&base.query);
            machine.begin_fragment();
            Ok(())
        }
        // 3. Otherwise, if base's scheme is not "file", set state to relative state and decrease pointer by 1.
        Some(base) if base.scheme != "file" => {
            machine.reconsume_in(UrlState::Relative);
            Ok(())
        }
        // 4. Otherwise, set state to file state and decrease pointer by 1.
        Some(_) => {
            machine.reconsume_in(UrlState::File);
            Ok(())
        }
    }
}
