//! The class `URL` of the API: the API URL parser, the getters and the setters.
//!
//! <https://url.spec.whatwg.org/#url-class>
//!
//! Of the class `URLSearchParams` there is only the list of the query object, which the class `URL` fills.

use std::fmt;

use crate::form::urlencoded_string_parser;
use crate::host::host_serializer;
use crate::origin::origin;
use crate::parser::{basic_url_parser, parse_with_override};
use crate::record::{UrlPath, UrlRecord};
use crate::serializer::{UrlFragment, serialize, serialize_an_integer, serialize_path};
use crate::trace::UrlState;

/// The `TypeError` that the API throws for a URL that the parser refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UrlTypeError;

impl fmt::Display for UrlTypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the basic URL parser returns failure")
    }
}

impl std::error::Error for UrlTypeError {}

/// Parses `url` against the URL that `base` is, or returns `None` for failure (<https://url.spec.whatwg.org/#api-url-parser>).
pub fn api_url_parser(url: &str, base: Option<&str>) -> Option<UrlRecord> {
    // 1. Let parsedBase be null.
    //
    // 2. If base is non-null:
    //
    // 2.1. Set parsedBase to the result of running the basic URL parser on base.
    //
    // 2.2. If parsedBase is failure, then return failure.
    let parsed_base = match base {
        None => None,
        Some(base) => Some(basic_url_parser(base, None).url?),
    };
    // 3. Return the result of running the basic URL parser on url with parsedBase.
    basic_url_parser(url, parsed_base.as_ref()).url
}

/// An object of the API's class `URL` (<https://url.spec.whatwg.org/#url-class>).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlObject {
    url: UrlRecord,
    /// The list of the query object.
    query_list: Vec<(String, String)>,
}

impl UrlObject {
    /// The constructor (<https://url.spec.whatwg.org/#dom-url-url>).
    ///
    /// # Errors
    ///
    /// The API URL parser returns failure.
    pub fn new(url: &str, base: Option<&str>) -> Result<UrlObject, UrlTypeError> {
        // 1. Let parsedURL be the result of running the API URL parser on url with base, if given.
        //
        // 2. If parsedURL is failure, then throw a TypeError.
        let parsed_url = api_url_parser(url, base).ok_or(UrlTypeError)?;
        // 3. Initialize this with parsedURL.
        Ok(UrlObject::from(parsed_url))
    }

    /// The static method `parse`: the object, or `None` for null (<https://url.spec.whatwg.org/#dom-url-parse>).
    pub fn parse(url: &str, base: Option<&str>) -> Option<UrlObject> {
        // 1. Let parsedURL be the result of running the API URL parser on url with base, if given.
        //
        // 2. If parsedURL is failure, then return null.
        let parsed_url = api_url_parser(url, base)?;
        // 3. Let url be a new URL object.
        //
        // 4. Initialize url with parsedURL.
        //
        // 5. Return url.
        Some(UrlObject::from(parsed_url))
    }

    /// The static method `canParse` (<https://url.spec.whatwg.org/#dom-url-canparse>).
    pub fn can_parse(url: &str, base: Option<&str>) -> bool {
        // 1. Let parsedURL be the result of running the API URL parser on url with base, if given.
        //
        // 2. If parsedURL is failure, then return false.
        //
        // 3. Return true.
        api_url_parser(url, base).is_some()
    }

    /// The URL record of the object (<https://url.spec.whatwg.org/#concept-url-url>).
    pub fn record(&self) -> &UrlRecord {
        &self.url
    }

    /// The list of the query object, names and values (<https://url.spec.whatwg.org/#dom-url-searchparams>).
    pub fn search_params(&self) -> &[(String, String)] {
        // The searchParams getter steps are to return this's query object.
        &self.query_list
    }
}

/// Initializes an object with a URL (<https://url.spec.whatwg.org/#url-initialize>).
impl From<UrlRecord> for UrlObject {
    fn from(url_record: UrlRecord) -> UrlObject {
        // 1. Let query be urlRecord's query, if that is non-null; otherwise the empty string.
        let query = url_record.query.as_deref().unwrap_or("");
        // 4. Initialize url's query object with query.
        let query_list = urlencoded_string_parser(query);
        // 2. Set url's URL to urlRecord.
        UrlObject {
            url: url_record,
            query_list,
        }
    }
}

/// The getters.
impl UrlObject {
    /// The `href` getter, and the method `toJSON` (<https://url.spec.whatwg.org/#dom-url-href>).
    pub fn href(&self) -> String {
        // The href getter steps and the toJSON() method steps are to return the serialization of this's URL.
        serialize(&self.url, UrlFragment::Included)
    }

    /// The `origin` getter (<https://url.spec.whatwg.org/#dom-url-origin>).
    pub fn origin(&self) -> String {
        // The origin getter steps are to return the serialization of this's URL's origin.
        origin(&self.url).to_string()
    }

    /// The `protocol` getter (<https://url.spec.whatwg.org/#dom-url-protocol>).
    pub fn protocol(&self) -> String {
        // The protocol getter steps are to return this's URL's scheme, followed by U+003A (:).
        format!("{}:", self.url.scheme)
    }

    /// The `username` getter (<https://url.spec.whatwg.org/#dom-url-username>).
    pub fn username(&self) -> String {
        // The username getter steps are to return this's URL's username.
        self.url.username.clone()
    }

    /// The `password` getter (<https://url.spec.whatwg.org/#dom-url-password>).
    pub fn password(&self) -> String {
        // The password getter steps are to return this's URL's password.
        self.url.password.clone()
    }

    /// The `host` getter (<https://url.spec.whatwg.org/#dom-url-host>).
    pub fn host(&self) -> String {
        // 1. Let url be this's URL.
        let url = &self.url;
        match (&url.host, url.port) {
            // 2. If url's host is null, then return the empty string.
            (None, _) => String::new(),
            // 3. If url's port is null, return url's host, serialized.
            (Some(host), None) => host_serializer(host),
            // 4. Return url's host, serialized, followed by U+003A (:) and url's port, serialized.
            (Some(host), Some(port)) => {
                format!("{}:{}", host_serializer(host), serialize_an_integer(port.into()))
            }
        }
    }

    /// The `hostname` getter (<https://url.spec.whatwg.org/#dom-url-hostname>).
    pub fn hostname(&self) -> String {
        // 1. If this's URL's host is null, then return the empty string.
        //
        // 2. Return this's URL's host, serialized.
        self.url.host.as_ref().map(host_serializer).unwrap_or_default()
    }

    /// The `port` getter (<https://url.spec.whatwg.org/#dom-url-port>).
    pub fn port(&self) -> String {
        // 1. If this's URL's port is null, then return the empty string.
        //
        // 2. Return this's URL's port, serialized.
        self.url.port.map(|port| serialize_an_integer(port.into())).unwrap_or_default()
    }

    /// The `pathname` getter (<https://url.spec.whatwg.org/#dom-url-pathname>).
    pub fn pathname(&self) -> String {
        // The pathname getter steps are to return the result of URL path serializing this's URL.
        serialize_path(&self.url)
    }

    /// The `search` getter (<https://url.spec.whatwg.org/#dom-url-search>).
    pub fn search(&self) -> String {
        match self.url.query.as_deref() {
            // 1. If this's URL's query is either null or the empty string, then return the empty string.
            None | Some("") => String::new(),
            // 2. Return U+003F (?), followed by this's URL's query.
            Some(query) => format!("?{query}"),
        }
    }

    /// The `hash` getter (<https://url.spec.whatwg.org/#dom-url-hash>).
    pub fn hash(&self) -> String {
        match self.url.fragment.as_deref() {
            // 1. If this's URL's fragment is either null or the empty string, then return the empty string.
            None | Some("") => String::new(),
            // 2. Return U+0023 (#), followed by this's URL's fragment.
            Some(fragment) => format!("#{fragment}"),
        }
    }
}

/// The setters.
impl UrlObject {
    /// The `href` setter (<https://url.spec.whatwg.org/#dom-url-href>).
    ///
    /// # Errors
    ///
    /// The basic URL parser returns failure. The object is then unchanged.
    pub fn set_href(&mut self, value: &str) -> Result<(), UrlTypeError> {
        // 1. Let parsedURL be the result of running the basic URL parser on the given value.
        //
        // 2. If parsedURL is failure, then throw a TypeError.
        let parsed_url = basic_url_parser(value, None).url.ok_or(UrlTypeError)?;
        // 3. Set this's URL to parsedURL.
        self.url = parsed_url;
        // 4. Empty this's query object's list.
        self.query_list.clear();
        // 5. Let query be this's URL's query.
        //
        // 6. If query is non-null, then set this's query object's list to the result of parsing query.
        if let Some(query) = &self.url.query {
            self.query_list = urlencoded_string_parser(query);
        }
        Ok(())
    }

    /// The `protocol` setter (<https://url.spec.whatwg.org/#dom-url-protocol>).
    pub fn set_protocol(&mut self, value: &str) {
        // The protocol setter steps are to basic URL parse the given value, followed by U+003A (:), with this's URL as url and scheme
        // start state as state override.
        parse_with_override(&format!("{value}:"), &mut self.url, UrlState::SchemeStart);
    }

    /// The `username` setter (<https://url.spec.whatwg.org/#dom-url-username>).
    pub fn set_username(&mut self, value: &str) {
        // 1. If this's URL cannot have a username/password/port, then return.
        if self.url.cannot_have_a_username_password_port() {
            return;
        }
        // 2. Set the username given this's URL and the given value.
        self.url.set_the_username(value);
    }

    /// The `password` setter (<https://url.spec.whatwg.org/#dom-url-password>).
    pub fn set_password(&mut self, value: &str) {
        // 1. If this's URL cannot have a username/password/port, then return.
        if self.url.cannot_have_a_username_password_port() {
            return;
        }
        // 2. Set the password given this's URL and the given value.
        self.url.set_the_password(value);
    }

    /// The `host` setter (<https://url.spec.whatwg.org/#dom-url-host>).
    pub fn set_host(&mut self, value: &str) {
        // 1. If this's URL has an opaque path, then return.
        if self.url.has_opaque_path() {
            return;
        }
        // 2. Basic URL parse the given value with this's URL as url and host state as state override.
        parse_with_override(value, &mut self.url, UrlState::Host);
    }

    /// The `hostname` setter (<https://url.spec.whatwg.org/#dom-url-hostname>).
    pub fn set_hostname(&mut self, value: &str) {
        // 1. If this's URL has an opaque path, then return.
        if self.url.has_opaque_path() {
            return;
        }
        // 2. Basic URL parse the given value with this's URL as url and hostname state as state override.
        parse_with_override(value, &mut self.url, UrlState::Hostname);
    }

    /// The `port` setter (<https://url.spec.whatwg.org/#dom-url-port>).
    pub fn set_port(&mut self, value: &str) {
        // 1. If this's URL cannot have a username/password/port, then return.
        if self.url.cannot_have_a_username_password_port() {
            return;
        }
        // 2. If the given value is the empty string, then set this's URL's port to null.
        if value.is_empty() {
            self.url.port = None;
        }
        // 3. Otherwise, basic URL parse the given value with this's URL as url and port state as state override.
        else {
            parse_with_override(value, &mut self.url, UrlState::Port);
        }
    }

    /// The `pathname` setter (<https://url.spec.whatwg.org/#dom-url-pathname>).
    pub fn set_pathname(&mut self, value: &str) {
        // 1. If this's URL has an opaque path, then return.
        if self.url.has_opaque_path() {
            return;
        }
        // 2. Empty this's URL's path.
        self.url.path = UrlPath::default();
        // 3. Basic URL parse the given value with this's URL as url and path start state as state override.
        parse_with_override(value, &mut self.url, UrlState::PathStart);
    }

    /// The `search` setter (<https://url.spec.whatwg.org/#dom-url-search>).
    pub fn set_search(&mut self, value: &str) {
        // 1. Let url be this's URL.
        let url = &mut self.url;
        // 2. If the given value is the empty string, then set url's query to null, empty this's query object's list, and return.
        if value.is_empty() {
            url.query = None;
            self.query_list.clear();
            return;
        }
        // 3. Let input be the given value with a single leading U+003F (?) removed, if any.
        let input = value.strip_prefix('?').unwrap_or(value);
        // 4. Set url's query to the empty string.
        url.query = Some(String::new());
        // 5. Basic URL parse input with url as url and query state as state override.
        parse_with_override(input, url, UrlState::Query);
        // 6. Set this's query object's list to the result of parsing input.
        self.query_list = urlencoded_string_parser(input);
    }

    /// The `hash` setter (<https://url.spec.whatwg.org/#dom-url-hash>).
    pub fn set_hash(&mut self, value: &str) {
        // 1. If the given value is the empty string, then set this's URL's fragment to null and return.
        if value.is_empty() {
            self.url.fragment = None;
            return;
        }
        // 2. Let input be the given value with a single leading U+0023 (#) removed, if any.
        let input = value.strip_prefix('#').unwrap_or(value);
        // 3. Set this's URL's fragment to the empty string.
        self.url.fragment = Some(String::new());
        // 4. Basic URL parse input with this's URL as url and fragment state as state override.
        parse_with_override(input, &mut self.url, UrlState::Fragment);
    }
}
