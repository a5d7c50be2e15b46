//! The origin of a URL.
//!
//! <https://url.spec.whatwg.org/#origin>

use std::fmt;

use crate::host::{UrlHost, host_equals, host_serializer};
use crate::parser::basic_url_parser;
use crate::record::UrlRecord;
use crate::serializer::serialize_path;

/// An origin (<https://html.spec.whatwg.org/#concept-origin>).
#[derive(Clone, Debug)]
pub enum UrlOrigin {
    /// An opaque origin, which has no parts, and is the same origin as no other.
    Opaque,
    /// A tuple origin. Its domain is null.
    Tuple {
        /// The scheme.
        scheme: String,
        /// The host.
        host: UrlHost,
        /// The port; `None` is null.
        port: Option<u16>,
    },
}

impl UrlOrigin {
    /// Whether two origins are the same origin (<https://html.spec.whatwg.org/#same-origin>). An opaque origin is a new one each time.
    pub fn is_same_origin(&self, other: &UrlOrigin) -> bool {
        match (self, other) {
            (
                UrlOrigin::Tuple { scheme, host, port },
                UrlOrigin::Tuple {
                    scheme: other_scheme,
                    host: other_host,
                    port: other_port,
                },
            ) => (scheme, port) == (other_scheme, other_port) && host_equals(host, other_host),
            _ => false,
        }
    }
}

/// The serialization of an origin (<https://html.spec.whatwg.org/#ascii-serialisation-of-an-origin>).
impl fmt::Display for UrlOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UrlOrigin::Opaque => f.write_str("null"),
            UrlOrigin::Tuple { scheme, host, port } => {
                write!(f, "{scheme}://{}", host_serializer(host))?;
                port.map_or(Ok(()), |port| write!(f, ":{port}"))
            }
        }
    }
}

/// Returns the origin of `url` (<https://url.spec.whatwg.org/#concept-url-origin>).
pub fn origin(url: &UrlRecord) -> UrlOrigin {
    match &*url.scheme {
        "blob" => {
            // 1. If url's blob URL entry is non-null, then return url's blob URL entry's environment's origin.
            //
            // Not in the standard: there is no blob URL store here, so that it is null.
            //
            // 2. Let pathURL be the result of parsing the result of URL path serializing url.
            match basic_url_parser(&serialize_path(url), None).url {
                // 4. If pathURL's scheme is "http", "https", or "file", then return pathURL's origin.
                Some(path_url) if matches!(&*path_url.scheme, "http" | "https" | "file") => origin(&path_url),
                // 3. If pathURL is failure, then return a new opaque origin.
                //
                // 5. Return a new opaque origin.
                _ => UrlOrigin::Opaque,
            }
        }
        // Return the tuple origin (url's scheme, url's host, url's port, null).
        "ftp" | "http" | "https" | "ws" | "wss" => UrlOrigin::Tuple {
            scheme: url.scheme.clone(),
            host: url.host.clone().unwrap_or(UrlHost::Empty),
            port: url.port,
        },
        // Unfortunate as it is, this is left as an exercise to the reader. When in doubt, return a new opaque origin.
        "file" => UrlOrigin::Opaque,
        // Return a new opaque origin.
        _ => UrlOrigin::Opaque,
    }
}
