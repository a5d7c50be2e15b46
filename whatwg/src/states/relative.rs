//! Special relative or authority state, path or authority state, relative state, relative slash state.

use crate::machine::{StateRun, UrlMachine};
use crate::trace::UrlState;
use crate::validation::ValidationError;

/// <https://url.spec.whatwg.org/#special-relative-or-authority-state>
pub(crate) fn special_relative_or_authority_state(machine: &mut UrlMachine<'_>) -> StateRun {
    // 1. If c is U+002F (/) and remaining starts with U+002F (/), then set state to special authority ignore slashes state and increase
    // pointer by 1.
    if machine.c() == Some('/') && machine.pointer.remaining().starts_with('/') {
        machine.state = UrlState::SpecialAuthorityIgnoreSlashes;
        machine.pointer.increase();
    }
    // 2. Otherwise, special-scheme-missing-following-solidus validation error, set state to relative state and decrease pointer by 1.
    else {
        machine.validation_error(ValidationError::SpecialSchemeMissingFollowingSolidus);
        machine.reconsume_in(UrlState::Relative);
    }
    Ok(())
}

/// <https://url.spec.whatwg.org/#path-or-authority-state>
pub(crate) fn path_or_authority_state(machine: &mut UrlMachine<'_>) -> StateRun {
    // 1. If c is U+002F (/), then set state to authority state.
    if machine.c() == Some('/') {
        machine.state = UrlState::Authority;
    }
    // 2. Otherwise, set state to path state, and decrease pointer by 1.
    else {
        machine.reconsume_in(UrlState::Path);
    }
    Ok(())
}

/// <https://url.spec.whatwg.org/#relative-state>
pub(crate) fn relative_state(machine: &mut UrlMachine<'_>) -> StateRun {
    // 1. Assert: base's scheme is not "file".
    //
    // Not in the standard: without a base this state is not reached.
    let Some(base) = machine.base else { return Ok(()) };
    // 2. Set url's scheme to base's scheme.
    machine.url.scheme.clone_from(&base.scheme);
    // 3. If c is U+002F (/), then set state to relative slash state.
    if machine.c() == Some('/') {
        machine.state = UrlState::RelativeSlash;
    }
    // 4. Otherwise, if url is special and c is U+005C (\), invalid-reverse-solidus validation error, set state to relative slash state.
    else if machine.is_special_reverse_solidus() {
        machine.validation_error(ValidationError::InvalidReverseSolidus);
        machine.state = UrlState::RelativeSlash;
    }
    // 5. Otherwise:
    else {
        // 5.1. Set url's username to base's username, url's password to base's password, url's host to base's host, url's port to base's
        // port, url's path to a clone of base's path, and url's query to base's query.
        machine.url.username.clone_from(&base.username);
        machine.url.password.clone_from(&base.password);
        machine.url.host.clone_from(&base.host);
        machine.url.port = base.port;
        machine.url.path.clone_from(&base.path);
        machine.url.query.clone_from(&base.query);
        match machine.c() {
            // 5.2. If c is U+003F (?), then set url's query to the empty string, and state to query state.
            Some('?') => machine.begin_query(),
            // 5.3. Otherwise, if c is U+0023 (#), set url's fragment to the empty string and state to fragment state.
            Some('#') => machine.begin_fragment(),
            // 5.4. Otherwise, if c is not the EOF code point:
            Some(_) => {
                // 5.4.1. Set url's query to null.
                machine.url.query = None;
                // 5.4.2. Shorten url's path.
                machine.url.shorten_path();
                // 5.4.3. Set state to path state and decrease pointer by 1.
                machine.reconsume_in(UrlState::Path);
            }
            None => (),
        }
    }
    Ok(())
}

/// <https://url.spec.whatwg.org/#relative-slash-state>
pub(crate) fn relative_slash_state(machine: &mut UrlMachine<'_>) -> StateRun {
    // 1. If url is special and c is U+002F (/) or U+005C (\), then:
    if machine.url.is_special() && matches!(machine.c(), Some('/' | '\\')) {
        // 1.1. If c is U+005C (\), invalid-reverse-solidus validation error.
        if machine.c() == Some('\\') {
            machine.validation_error(ValidationError::InvalidReverseSolidus);
        }
        // 1.2. Set state to special authority ignore slashes state.
        machine.state = UrlState::SpecialAuthorityIgnoreSlashes;
    }
    // 2. Otherwise, if c is U+002F (/), then set state to authority state.
    else if machine.c() == Some('/') {
        machine.state = UrlState::Authority;
    }
    // 3. Otherwise, set url's username to base's username, url's password to base's password, url's host to base's host, url's port to
    // base's port, state to path state, and then, decrease pointer by 1.
    else {
        // Not in the standard: without a base this state is not reached.
        let Some(base) = machine.base else { return Ok(()) };
        machine.url.username.clone_from(&base.username);
        machine.url.password.clone_from(&base.password);
        machine.url.host.clone_from(&base.host);
        machine.url.port = base.port;
        machine.reconsume_in(UrlState::Path);
    }
    Ok(())
}
