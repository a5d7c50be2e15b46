//! The origin of an answer: what a browser compares to decide whether two URLs belong together.

use std::fmt;

use serde::Serialize;
use uriproof::expect::SCHEMES;
use uriproof::model::{Reading, Rule};
use whatwg_url_reference::api::UrlObject;

/// The origins of a URI with a scheme.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Origins {
    /// By RFC 6454, section 4, as section 6.2 writes it; `null` of a scheme that has no default port, whose origins are unique; none of a
    /// host that is none by RFC 3986, or empty.
    pub rfc6454: Option<String>,
    /// By the WHATWG URL Standard, which parses the host once more; none where it has no such URL.
    pub url_standard: Option<String>,
}

impl Origins {
    /// Those of what an implementation reports, with a host.
    pub fn of(scheme: &str, host: &str, port: Option<&str>) -> Origins {
        let port = port.filter(|port| !port.is_empty());
        let with_port = |port: Option<&str>| port.map(|port| format!(":{port}")).unwrap_or_default();
        let url = format!("{scheme}://{host}{}", with_port(port));
        Origins {
            rfc6454: is_host(host).then(|| rfc6454(scheme, host, port).unwrap_or_else(|| "null".to_owned())),
            url_standard: UrlObject::parse(&url, None).map(|url| url.origin()),
        }
    }

    /// Those of what an implementation reports, without a host: by the URL Standard a blob has that of its path.
    pub fn without_host(scheme: &str, path: &str) -> Origins {
        Origins {
            rfc6454: Some("null".to_owned()),
            url_standard: UrlObject::parse(&format!("{scheme}:{path}"), None).map(|url| url.origin()),
        }
    }

    /// Whether it is `null` by both, which is the origin of nothing else.
    pub fn is_null(&self) -> bool {
        [&self.rfc6454, &self.url_standard]
            .into_iter()
            .all(|origin| origin.as_ref().is_none_or(|origin| origin == "null"))
    }
}

fn is_host(host: &str) -> bool {
    !host.is_empty() && Rule::Host.matches(host, Reading::Rfc3986).is_ok()
}

fn rfc6454(scheme: &str, host: &str, port: Option<&str>) -> Option<String> {
    // Section 4, step 5: without a port, that of the scheme.
    let default = SCHEMES.rules(scheme)?.default_port?;
    let is_default = |port: &str| port.parse() == Ok(default);
    // Section 6.2, step 4: a port is written if it is another than that.
    let port = port.filter(|port| !is_default(port)).map(|port| format!(":{port}")).unwrap_or_default();
    // Section 4, steps 2 and 4: scheme and host in lower case.
    Some(format!(
        "{}://{}{port}",
        scheme.to_ascii_lowercase(),
        host.to_ascii_lowercase()
    ))
}

impl fmt::Display for Origins {
    /// Both, or one where they are the same.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |origin: &Option<String>| origin.clone().unwrap_or_else(|| "none".to_owned());
        match (text(&self.rfc6454), text(&self.url_standard)) {
            (one, other) if one == other => f.write_str(&one),
            (one, other) => write!(f, "{one} by RFC 6454, {other} by WHATWG URL"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_of_scheme_host_and_port() {
        for (scheme, host, port, expected) in [
            ("HTTP", "Example.COM", Some("80"), "http://example.com"),
            ("https", "a", Some("80"), "https://a:80"),
            ("http", "a", Some(""), "http://a"),
            (
                "http",
                "0x7f.1",
                None,
                "http://0x7f.1 by RFC 6454, http://127.0.0.1 by WHATWG URL",
            ),
            (
                "http",
                "a",
                Some("65536"),
                "http://a:65536 by RFC 6454, none by WHATWG URL",
            ),
            ("foo", "a", None, "null"),
            ("http", "[2002:7", None, "none"),
            ("http", "", None, "none"),
        ] {
            assert_eq!(Origins::of(scheme, host, port).to_string(), expected);
        }
    }

    #[test]
    fn without_a_host_only_a_blob_has_one() {
        let blob = Origins::without_host("blob", "https://a:8/x");
        assert_eq!(blob.to_string(), "null by RFC 6454, https://a:8 by WHATWG URL");
        assert!(!blob.is_null() && Origins::without_host("mailto", "a@b").is_null());
    }
}
