//! Normalization by the rules of a scheme (RFC 3986 §6.2.3), with these rules as the schemes' own specifications state them: a
//! derivation of its own, to hold the transcription against.

use crate::segments::{put_together, without_dot_segments};
use crate::transducer::Normalizer;

/// The schemes with a default port, and whether an empty path behind an authority is "/": RFC 9110 §4.2, RFC 6455 §3, RFC 1738 §3.2.
const PORTS: [(&str, &str, bool); 5] = [
    ("http", "80", true),
    ("https", "443", true),
    ("ws", "80", true),
    ("wss", "443", true),
    ("ftp", "21", false),
];

impl Normalizer {
    /// The normal form of a URI by syntax and by the rules of its scheme: of `http`, `https`, `ws`, `wss`, `ftp`, `file` and `mailto`.
    /// Under any other only an empty port is removed.
    ///
    /// ```
    /// use uriproof_grammar::rfc3986;
    /// use uriproof_grammar::transducer::Normalizer;
    ///
    /// let normalizer = Normalizer::of(&rfc3986::grammar())?;
    /// assert_eq!(normalizer.normalize_by_scheme("HTTP://h:080"), "http://h/");
    /// assert_eq!(normalizer.normalize_by_scheme("x://h:/"), "x://h/");
    /// assert_eq!(normalizer.normalize_by_scheme("file:/a"), "file:///a");
    /// assert_eq!(normalizer.normalize_by_scheme("mailto:A@B,C@D%3a"), "mailto:A@b,C@d%3A");
    /// # Ok::<(), uriproof_grammar::abnf::Error>(())
    /// ```
    pub fn normalize_by_scheme(&self, uri: &str) -> String {
        let mut parts = self.parts(uri);
        let [Some(scheme), userinfo, host, port, Some(path), ..] = &mut parts else {
            return put_together(&parts);
        };
        let rule = PORTS.iter().find(|(name, ..)| name == scheme);
        // A port is a number: zeros before it change nothing.
        port.take_if(|port| {
            port.is_empty() || rule.is_some_and(|(_, default, _)| port.trim_start_matches('0') == *default)
        });
        if host.is_some() && path.is_empty() && rule.is_some_and(|(.., is_root)| *is_root) {
            *path = "/".to_owned();
        }
        // No authority, an empty host and "localhost" are one in a `file`. A path that does not begin with "/" has no place behind it.
        let has_place = host.is_some() || path.is_empty() || path.starts_with('/');
        let is_local = host.as_deref().is_none_or(|host| host.is_empty() || host == "localhost");
        if scheme == "file" && is_local && has_place {
            let is_bare = port.is_none() && userinfo.as_deref().is_none_or(str::is_empty);
            *host = Some(if is_bare { "" } else { "localhost" }.to_owned());
            userinfo.take_if(|_| is_bare);
            *path = without_dot_segments(path);
        }
        if scheme == "mailto" {
            let mailboxes = path.split(',').map(|mailbox| match mailbox.rsplit_once('@') {
                Some((local, domain)) => format!("{local}@{}", self.host.write(domain)),
                None => mailbox.to_owned(),
            });
            *path = mailboxes.collect::<Vec<_>>().join(",");
        }
        put_together(&parts)
    }
}
