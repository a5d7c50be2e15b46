//! Query state, fragment state.

use crate::machine::{StateRun, UrlMachine};
use crate::percent::{
    FRAGMENT, QUERY, SPECIAL_QUERY, append_percent_encoded_after_encoding, append_utf8_percent_encoded,
};

/// <https://url.spec.whatwg.org/#query-state>
///
/// Of the first step there is nothing here, since encoding is always UTF-8.
pub(crate) fn query_state(machine: &mut UrlMachine<'_>) -> StateRun {
    match machine.c() {
        // 3. Otherwise, if c is not the EOF code point:
        Some(c) if c != '#' || machine.is_overridden() => {
            // 3.1. If c is not a URL code point and not U+0025 (%), invalid-URL-unit validation error.
            //
            // 3.2. If c is U+0025 (%) and remaining does not start with two ASCII hex digits, invalid-URL-unit validation error.
            machine.check_url_unit(c);
            // 3.3. Append c to buffer.
            machine.buffer.push(c);
        }
        // 2. If one of the following is true: state override is not given and c is U+0023 (#); c is the EOF code point; then:
        c => {
            // 2.1. Let queryPercentEncodeSet be the special-query percent-encode set if url is special; otherwise the query
            // percent-encode set.
            let query_percent_encode_set = if machine.url.is_special() { SPECIAL_QUERY } else { QUERY };
            // 2.2. Percent-encode after encoding, with encoding, buffer, and queryPercentEncodeSet, and append the result to url's
            // query.
            let query = machine.url.query.get_or_insert_default();
            append_percent_encoded_after_encoding(&machine.buffer, query_percent_encode_set, query);
            // 2.3. Set buffer to the empty string.
            machine.buffer.clear();
            // 2.4. If c is U+0023 (#), then set url's fragment to the empty string and state to fragment state.
            if c == Some('#') {
                machine.begin_fragment();
            }
        }
    }
    Ok(())
}

/// <https://url.spec.whatwg.org/#fragment-state>
pub(crate) fn fragment_state(machine: &mut UrlMachine<'_>) -> StateRun {
    // 1. If c is not the EOF code point, then:
    if let Some(c) = machine.c() {
        // 1.1. If c is not a URL code point and not U+0025 (%), invalid-URL-unit validation error.
        //
        // 1.2. If c is U+0025 (%) and remaining does not start with two ASCII hex digits, invalid-URL-unit validation error.
        machine.check_url_unit(c);
        // 1.3. UTF-8 percent-encode c using the fragment percent-encode set and append the result to url's fragment.
        let fragment = machine.url.fragment.get_or_insert_default();
        append_utf8_percent_encoded(c, FRAGMENT, fragment);
    }
    Ok(())
}
