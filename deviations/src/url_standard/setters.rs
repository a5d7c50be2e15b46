//! What the setters of a library make of a URL.

use uriproof::model::{Component, Outcome};
use whatwg_url_reference::api::UrlObject;
use whatwg_url_reference::code_points::is_ascii_tab_or_newline;
use whatwg_url_reference::host::{UrlHostSyntax, host_parser};
use whatwg_url_reference::percent::{C0_CONTROL, utf8_percent_encode};
use whatwg_url_reference::record::UrlRecord;
use whatwg_url_reference::serializer::{UrlFragment, serialize, serialize_path};

use super::reading::{with_dot_dot_kept, with_slash_for_tab};
use super::{UrlStandard, failure, is_drive, is_invalid_punycode};
use crate::catalogue::UrlDeparture;

impl UrlStandard {
    /// What comes of setting a component of a URL; `None` where the standard has no such setter.
    pub(super) fn modified(&self, uri: &str, component: Component, value: Option<&str>) -> Option<Outcome> {
        let Some(url) = self.url(uri, None) else {
            return Some(failure());
        };
        if let Some(outcome) = self.set_otherwise(&url, component, value) {
            return Some(outcome);
        }
        let before = serialize(&url, UrlFragment::Included);
        let mut object = UrlObject::from(url.clone());
        match (component, value) {
            (Component::Scheme, Some(scheme)) => object.set_protocol(scheme),
            (Component::Userinfo, userinfo) => {
                let (username, password) = credentials(userinfo.unwrap_or_default());
                object.set_username(username);
                object.set_password(password);
            }
            (Component::Host, Some(host)) => object.set_hostname(host),
            (Component::Port, port) => object.set_port(port.unwrap_or_default()),
            (Component::Path, Some(path)) => object.set_pathname(path),
            (Component::Query, query) => object.set_search(&query.map(|query| format!("?{query}")).unwrap_or_default()),
            (Component::Fragment, fragment) => {
                object.set_hash(&fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default());
            }
            (Component::Scheme | Component::Host | Component::Path, None) | (Component::HostKind, _) => return None,
        }
        let after = object.href();
        let is_ignored = after == before && self.is_another(&url, component, value);
        if is_ignored && self.departs(UrlDeparture::ErrorsOfSetters) {
            return Some(failure());
        }
        let text = self.lifted(&url, &after);
        // Only an opaque path can end in spaces, which are removed with what is after them.
        Some(Outcome::uri(match value {
            None => text.trim_end_matches(' '),
            Some(_) => &text,
        }))
    }

    /// Whether a value is not the one that a URL has already.
    fn is_another(&self, url: &UrlRecord, component: Component, value: Option<&str>) -> bool {
        match component {
            Component::Scheme => value.is_some_and(|scheme| !name_of(scheme).0.eq_ignore_ascii_case(url.scheme())),
            Component::Host => self.shown(url).text(component) != value,
            _ => false,
        }
    }

    /// What comes of a setter that is not that of the standard.
    fn set_otherwise(&self, url: &UrlRecord, component: Component, value: Option<&str>) -> Option<Outcome> {
        let departs = |by| self.departs(by);
        let is_refused = match component {
            Component::Userinfo | Component::Port => url.cannot_have_a_username_password_port(),
            Component::Host => url.has_opaque_path(),
            _ => false,
        };
        if is_refused && departs(UrlDeparture::ErrorsOfSetters) {
            return Some(failure());
        }
        let text = match (component, value) {
            (Component::Scheme, Some(scheme)) if departs(UrlDeparture::SchemeOfFileUrls) => {
                is_refused_scheme(url, scheme).then_some(None)?
            }
            (Component::Host, Some(host)) if departs(UrlDeparture::HostUpToColon) => self.with_host(url, host),
            (Component::Host, None) if departs(UrlDeparture::RemovalOfHost) => {
                let text = without_host(url).map(|text| self.masks.lifted_from(&text, "^"));
                return Some(text.map_or_else(failure, Outcome::uri));
            }
            (Component::Path, Some(path)) if url.has_opaque_path() && departs(UrlDeparture::OpaquePaths) => {
                Some(with_opaque_path(url, path))
            }
            (Component::Path, Some(path)) if !url.has_opaque_path() && departs(UrlDeparture::PathsAsTheyAre) => {
                Some(self.with_path(url, path))
            }
            _ => return None,
        };
        Some(text.map_or_else(failure, |text| Outcome::uri(self.lifted(url, &text))))
    }

    /// With the host that the host parser makes of a value up to its first colon; `None` where that fails.
    fn with_host(&self, url: &UrlRecord, host: &str) -> Option<String> {
        let is_literal = host.starts_with('[') && host.ends_with(']');
        let name = match host.find(':').filter(|_| !is_literal) {
            Some(0) => return None,
            Some(colon) => &host[..colon],
            None => host,
        };
        let syntax = match url.is_special() {
            true => UrlHostSyntax::Special,
            false => UrlHostSyntax::Opaque,
        };
        let host = host_parser(name, syntax).host?;
        if self.departs(UrlDeparture::InvalidPunycode) && is_invalid_punycode(&host) {
            return None;
        }
        let parts = SerializedUrl::of(url);
        let slashes = if url.host().is_some() { "" } else { "//" };
        let (before, behind) = (&parts.text[..parts.host], &parts.text[parts.behind_host..]);
        Some(format!("{before}{slashes}{host}{behind}"))
    }

    /// A path that is set, with a slash for the tabs and newlines after the drive letter with which it begins, if it has some. After an
    /// empty host a first character that is not encoded is taken for the slash that begins a path.
    fn with_slash_for_tab(&self, url: &UrlRecord, path: &str) -> Option<String> {
        if url.scheme() != "file" || !self.departs(UrlDeparture::TabAfterDriveLetter) {
            return None;
        }
        let has_host = url.host().is_some_and(|host| !host.to_string().is_empty());
        let start = match path.chars().next()? {
            '/' | '\\' => 1,
            _ if has_host => 0,
            first if first.is_ascii_graphic() && !"\"#<>?`{}".contains(first) => 1,
            _ => return None,
        };
        let rest = Some(&path[start..]).filter(|rest| !rest.starts_with(['/', '\\']))?;
        let read = with_slash_for_tab(&format!("file:/{rest}"), None, &[], &self.masks)?;
        Some(format!("{}{}", &path[..start], &read["file:/".len()..]))
    }

    /// With a path that is written where the path was.
    fn with_path(&self, url: &UrlRecord, path: &str) -> String {
        let parts = SerializedUrl::of(url);
        let with_slash = self.with_slash_for_tab(url, path);
        let mut path = with_slash.as_deref().unwrap_or(path).replace(is_ascii_tab_or_newline, "");
        if !url.is_special() && (path.is_empty() || path.starts_with(['?', '#'])) {
            return [parts.before_path(), &parts.behind_path].concat();
        }
        if self.departs(UrlDeparture::CaretsInPaths) {
            path = path.replace('^', &self.masks.caret.to_string());
        }
        if self.departs(UrlDeparture::DotDotAfterDriveLetter) {
            path = with_dot_dot_kept(&path, url.is_special(), Vec::new(), |segments| {
                segments.last().is_some_and(|last| is_drive(last.split('\\').next().unwrap_or_default()))
            });
        }
        // The slash after the empty host is taken for that of the path.
        let is_joined = url.is_special() && parts.before_path().ends_with('/') && !path.starts_with(['/', '\\']);
        if is_joined {
            path = with_dot_dot_kept(&path, true, Vec::new(), |segments| segments.len() == 1);
        }
        let has_bar =
            is_joined && path.split(['/', '\\']).next().is_some_and(|first| is_drive(first) && first.ends_with('|'));
        let mut object = UrlObject::from(url.clone());
        object.set_pathname(&path);
        let mut path = serialize_path(object.record());
        if url.scheme() == "file" && self.departs(UrlDeparture::SlashesOfFilePaths) {
            path = format!("/{}", path.trim_start_matches('/'));
        }
        if has_bar {
            path = path.replacen(':', "|", 1);
        }
        [parts.before_path(), &path, &parts.behind_path].concat()
    }
}

/// The username and the password of a userinfo.
fn credentials(userinfo: &str) -> (&str, &str) {
    userinfo.split_once(':').unwrap_or((userinfo, ""))
}

/// A serialized URL, cut at its host and path.
struct SerializedUrl {
    text: String,
    scheme: usize,
    host: usize,
    behind_host: usize,
    path: usize,
    behind_path: String,
}

impl SerializedUrl {
    fn of(url: &UrlRecord) -> SerializedUrl {
        let text = serialize(url, UrlFragment::Included);
        let scheme = url.scheme().len() + 1;
        let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
        let fragment = url.fragment().map(|fragment| format!("#{fragment}")).unwrap_or_default();
        let behind_path = query + &fragment;
        let path = text.len() - behind_path.len() - serialize_path(url).len();
        let (mut host, mut behind_host) = (scheme, scheme);
        if let Some(name) = url.host() {
            let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
            behind_host = path - port.len();
            host = behind_host - name.to_string().len();
        }
        SerializedUrl {
            text,
            scheme,
            host,
            behind_host,
            path,
            behind_path,
        }
    }

    fn before_path(&self) -> &str {
        &self.text[..self.path]
    }
}

/// What a value has before its first colon, and after it.
fn name_of(scheme: &str) -> (String, String) {
    let scheme = scheme.replace(is_ascii_tab_or_newline, "");
    let (name, behind) = scheme.split_once(':').unwrap_or((&scheme, ""));
    (name.to_owned(), behind.to_owned())
}

/// Whether a scheme is followed by anything but a colon, or is that of files where there is an authority.
fn is_refused_scheme(url: &UrlRecord, scheme: &str) -> bool {
    let (name, behind) = name_of(scheme);
    !behind.is_empty() || name.eq_ignore_ascii_case("file") && url.host().is_some()
}

/// Without its authority; `None` where the scheme needs a host.
fn without_host(url: &UrlRecord) -> Option<String> {
    let parts = SerializedUrl::of(url);
    let has_host = url.host().is_some_and(|host| !host.to_string().is_empty());
    if !has_host {
        return Some(parts.text);
    }
    if url.is_special() && url.scheme() != "file" {
        return None;
    }
    let slashes = if url.scheme() == "file" { "//" } else { "" };
    let root = if parts.text.len() == parts.path { "/" } else { "" };
    Some([&parts.text[..parts.scheme], slashes, &parts.text[parts.path..], root].concat())
}

/// With an opaque path, of which delimiters stay as they are.
fn with_opaque_path(url: &UrlRecord, path: &str) -> String {
    let parts = SerializedUrl::of(url);
    let (root, path) = path.strip_prefix('/').map_or(("", path), |path| ("%2F", path));
    let path = utf8_percent_encode(&path.replace(is_ascii_tab_or_newline, ""), C0_CONTROL);
    [&parts.text[..parts.scheme], root, &path, &parts.behind_path].concat()
}
