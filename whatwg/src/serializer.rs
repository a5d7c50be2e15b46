//! The URL serializer, the URL path serializer, and equivalence.
//!
//! <https://url.spec.whatwg.org/#url-serializing>, <https://url.spec.whatwg.org/#url-equivalence>

use crate::host::host_serializer;
use crate::record::{UrlPath, UrlRecord};

/// The boolean exclude fragment of the URL serializer, and of equivalence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UrlFragment {
    /// It is false.
    Included,
    /// It is true.
    Excluded,
}

/// Returns an integer as a string (<https://url.spec.whatwg.org/#serialize-an-integer>).
pub(crate) fn serialize_an_integer(integer: u32) -> String {
    // To serialize an integer, represent it as the shortest possible decimal number.
    integer.to_string()
}

/// Returns the URL as an ASCII string (<https://url.spec.whatwg.org/#concept-url-serializer>).
pub fn serialize(url: &UrlRecord, fragment: UrlFragment) -> String {
    // 1. Let output be url's scheme and U+003A (:) concatenated.
    let mut output = format!("{}:", url.scheme);
    // 2. If url's host is non-null:
    if let Some(host) = &url.host {
        // 2.1. Append "//" to output.
        output.push_str("//");
        // 2.2. If url includes credentials, then:
        if url.includes_credentials() {
            // 2.2.1. Append url's username to output.
            output.push_str(&url.username);
            // 2.2.2. If url's password is not the empty string, then append U+003A (:), followed by url's password, to output.
            if !url.password.is_empty() {
                output.push(':');
                output.push_str(&url.password);
            }
            // 2.2.3. Append U+0040 (@) to output.
            output.push('@');
        }
        // 2.3. Append url's host, serialized, to output.
        output.push_str(&host_serializer(host));
        // 2.4. If url's port is non-null, append U+003A (:) followed by url's port, serialized, to output.
        if let Some(port) = url.port {
            output.push(':');
            output.push_str(&serialize_an_integer(port.into()));
        }
    }
    // 3. If url's host is null, url does not have an opaque path, url's path's size is greater than 1, and url's path[0] is the empty
    // string, then append U+002F (/) followed by U+002E (.) to output.
    if url.host.is_none() && matches!(url.segments(), [first, _, ..] if first.is_empty()) {
        output.push_str("/.");
    }
    // 4. Append the result of URL path serializing url to output.
    output.push_str(&serialize_path(url));
    // 5. If url's query is non-null, append U+003F (?), followed by url's query, to output.
    if let Some(query) = &url.query {
        output.push('?');
        output.push_str(query);
    }
    // 6. If exclude fragment is false and url's fragment is non-null, then append U+0023 (#), followed by url's fragment, to output.
    if let (UrlFragment::Included, Some(text)) = (fragment, &url.fragment) {
        output.push('#');
        output.push_str(text);
    }
    // 7. Return output.
    output
}

/// Returns the path of a URL as an ASCII string (<https://url.spec.whatwg.org/#url-path-serializer>).
pub fn serialize_path(url: &UrlRecord) -> String {
    match &url.path {
        // 1. If url has an opaque path, then return url's path.
        UrlPath::Opaque(path) => path.clone(),
        UrlPath::Segments(segments) => {
            // 2. Let output be the empty string.
            let mut output = String::new();
            // 3. For each segment of url's path: append U+002F (/) followed by segment to output.
            for segment in segments {
                output.push('/');
                output.push_str(segment);
            }
            // 4. Return output.
            output
        }
    }
}

/// Whether two URLs are equal (<https://url.spec.whatwg.org/#concept-url-equals>).
pub fn equals(a: &UrlRecord, b: &UrlRecord, exclude_fragments: UrlFragment) -> bool {
    // 1. Let serializedA be the result of serializing A, with exclude fragment set to exclude fragments.
    let serialized_a = serialize(a, exclude_fragments);
    // 2. Let serializedB be the result of serializing B, with exclude fragment set to exclude fragments.
    let serialized_b = serialize(b, exclude_fragments);
    // 3. Return true if serializedA is serializedB; otherwise false.
    serialized_a == serialized_b
}
