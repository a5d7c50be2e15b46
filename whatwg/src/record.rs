//! The URL record.
//!
//! <https://url.spec.whatwg.org/#url-representation>

use crate::code_points::is_normalized_windows_drive_letter;
use crate::host::UrlHost;
use crate::percent::{USERINFO, utf8_percent_encode};

/// A URL, or URL record (<https://url.spec.whatwg.org/#concept-url>).
///
/// Parsers and setters make it, so that its parts fit together. It has no blob URL entry: there is no blob URL store here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct UrlRecord {
    pub(crate) scheme: String,
    pub(crate) username: String,
    pub(crate) password: String,
    pub(crate) host: Option<UrlHost>,
    pub(crate) port: Option<u16>,
    pub(crate) path: UrlPath,
    pub(crate) query: Option<String>,
    pub(crate) fragment: Option<String>,
}

/// A URL path: "either a URL path segment or a list of zero or more URL path segments"
/// (<https://url.spec.whatwg.org/#url-path>).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum UrlPath {
    /// A URL path segment: the URL has an opaque path.
    Opaque(String),
    /// A list of URL path segments.
    Segments(Vec<String>),
}

impl Default for UrlPath {
    fn default() -> UrlPath {
        // It is initially « ».
        UrlPath::Segments(Vec::new())
    }
}

/// The special schemes with their default ports (<https://url.spec.whatwg.org/#special-scheme>).
pub const SPECIAL_SCHEMES: [(&str, Option<u16>); 6] = [
    ("ftp", Some(21)),
    ("file", None),
    ("http", Some(80)),
    ("https", Some(443)),
    ("ws", Some(80)),
    ("wss", Some(443)),
];

/// Whether `scheme` is a special scheme (<https://url.spec.whatwg.org/#special-scheme>).
pub fn is_special_scheme(scheme: &str) -> bool {
    // A special scheme is an ASCII string that is listed in the first column of the following table.
    SPECIAL_SCHEMES.iter().any(|(special, _)| *special == scheme)
}

/// Returns the default port of `scheme`, or `None` for null (<https://url.spec.whatwg.org/#default-port>).
pub fn default_port(scheme: &str) -> Option<u16> {
    // The default port for a special scheme is listed in the second column on the same row. The default port for any other ASCII
    // string is null.
    SPECIAL_SCHEMES.iter().find(|(special, _)| *special == scheme).and_then(|(_, port)| *port)
}

impl UrlRecord {
    /// The scheme (<https://url.spec.whatwg.org/#concept-url-scheme>).
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// The username, which may be empty (<https://url.spec.whatwg.org/#concept-url-username>).
    pub fn username(&self) -> &str {
        &self.username
    }

    /// The password, which may be empty (<https://url.spec.whatwg.org/#concept-url-password>).
    pub fn password(&self) -> &str {
        &self.password
    }

    /// The host; `None` is null (<https://url.spec.whatwg.org/#concept-url-host>).
    pub fn host(&self) -> Option<&UrlHost> {
        self.host.as_ref()
    }

    /// The port; `None` is null (<https://url.spec.whatwg.org/#concept-url-port>).
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// The path (<https://url.spec.whatwg.org/#concept-url-path>).
    pub fn path(&self) -> &UrlPath {
        &self.path
    }

    /// The query; `None` is null (<https://url.spec.whatwg.org/#concept-url-query>).
    pub fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }

    /// The fragment; `None` is null (<https://url.spec.whatwg.org/#concept-url-fragment>).
    pub fn fragment(&self) -> Option<&str> {
        self.fragment.as_deref()
    }

    /// Whether the URL is special (<https://url.spec.whatwg.org/#is-special>).
    pub fn is_special(&self) -> bool {
        // A URL is special if its scheme is a special scheme.
        is_special_scheme(&self.scheme)
    }

    /// Whether the URL includes credentials (<https://url.spec.whatwg.org/#include-credentials>).
    pub fn includes_credentials(&self) -> bool {
        // A URL includes credentials if its username or password is not the empty string.
        !self.username.is_empty() || !self.password.is_empty()
    }

    /// Whether the URL has an opaque path (<https://url.spec.whatwg.org/#url-opaque-path>).
    pub fn has_opaque_path(&self) -> bool {
        // A URL has an opaque path if its path is a URL path segment.
        matches!(self.path, UrlPath::Opaque(_))
    }

    /// Whether the URL cannot have a username, password or port
    /// (<https://url.spec.whatwg.org/#cannot-have-a-username-password-port>).
    pub fn cannot_have_a_username_password_port(&self) -> bool {
        // A URL cannot have a username/password/port if its host is null or the empty string, or its scheme is "file".
        matches!(self.host, None | Some(UrlHost::Empty)) || self.scheme == "file"
    }

    /// Sets the username (<https://url.spec.whatwg.org/#set-the-username>).
    pub(crate) fn set_the_username(&mut self, username: &str) {
        // To set the username given a url and username, set url's username to the result of running UTF-8 percent-encode on username
        // using the userinfo percent-encode set.
        self.username = utf8_percent_encode(username, USERINFO);
    }

    /// Sets the password (<https://url.spec.whatwg.org/#set-the-password>).
    pub(crate) fn set_the_password(&mut self, password: &str) {
        // To set the password given a url and password, set url's password to the result of running UTF-8 percent-encode on password
        // using the userinfo percent-encode set.
        self.password = utf8_percent_encode(password, USERINFO);
    }

    /// The segments of the path; none for an opaque path.
    pub(crate) fn segments(&self) -> &[String] {
        match &self.path {
            UrlPath::Opaque(_) => &[],
            UrlPath::Segments(segments) => segments,
        }
    }

    /// Appends `segment` to the path, which is a list.
    pub(crate) fn append_to_path(&mut self, segment: String) {
        if let UrlPath::Segments(segments) = &mut self.path {
            segments.push(segment);
        }
    }

    /// Shortens the path (<https://url.spec.whatwg.org/#shorten-a-urls-path>).
    pub(crate) fn shorten_path(&mut self) {
        let UrlRecord { scheme, path, .. } = self;
        // 1. Assert: url does not have an opaque path.
        //
        // 2. Let path be url's path.
        let UrlPath::Segments(path) = path else { return };
        // 3. If url's scheme is "file", path's size is 1, and path[0] is a normalized Windows drive letter, then return.
        if scheme == "file" && path.len() == 1 && is_normalized_windows_drive_letter(&path[0]) {
            return;
        }
        // 4. Remove path's last item, if any.
        path.pop();
    }
}
