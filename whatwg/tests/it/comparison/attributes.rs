//! The attributes of the API's object by their names.

use whatwg_url_reference::api::UrlObject;
use whatwg_url_reference::percent::{FORM_URLENCODED, percent_encode_after_encoding};

/// The value of a getter, by the name of the attribute.
pub(crate) fn get(url: &UrlObject, attribute: &str) -> String {
    match attribute {
        "href" => url.href(),
        "origin" => url.origin(),
        "protocol" => url.protocol(),
        "username" => url.username(),
        "password" => url.password(),
        "host" => url.host(),
        "hostname" => url.hostname(),
        "port" => url.port(),
        "pathname" => url.pathname(),
        "search" => url.search(),
        "hash" => url.hash(),
        "searchParams" => {
            let encode = |text: &str| percent_encode_after_encoding(text, FORM_URLENCODED);
            let pairs: Vec<String> =
                url.search_params().iter().map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
            pairs.join("&")
        }
        _ => panic!("there is no attribute {attribute}"),
    }
}

/// Calls the setter of an attribute; `None` is a `TypeError`, which leaves the object as it is.
pub(crate) fn set(url: &mut UrlObject, attribute: &str, value: &str) -> Option<()> {
    match attribute {
        "href" => url.set_href(value).ok()?,
        "protocol" => url.set_protocol(value),
        "username" => url.set_username(value),
        "password" => url.set_password(value),
        "host" => url.set_host(value),
        "hostname" => url.set_hostname(value),
        "port" => url.set_port(value),
        "pathname" => url.set_pathname(value),
        "search" => url.set_search(value),
        "hash" => url.set_hash(value),
        _ => panic!("there is no attribute {attribute}"),
    }
    Some(())
}
