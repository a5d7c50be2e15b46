//! Components: those that a string has by the RFC, and those that a subject reported.

use std::borrow::Cow;
use std::fmt;

use rfc3986_reference as rfc;
use rfc3986_reference::characters::{is_sub_delim, is_unreserved, leading_triplet, percent_encode};
use rfc3986_reference::grammar::Rule;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::component::{Component, ComponentSet};
use super::text::{Contrasted, Quoted};

/// Which alternative of `host` matches (RFC 3986 §3.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostKind {
    /// `IPv4address`
    Ipv4,
    /// `IP-literal` with an `IPv6address`
    Ipv6,
    /// `IP-literal` with an `IPvFuture`
    Ipvfuture,
    /// `reg-name`
    RegName,
}

impl HostKind {
    /// The kind's name, as vectors and the line protocol spell it.
    pub fn name(self) -> &'static str {
        match self {
            HostKind::Ipv4 => "ipv4",
            HostKind::Ipv6 => "ipv6",
            HostKind::Ipvfuture => "ipvfuture",
            HostKind::RegName => "reg-name",
        }
    }
}

impl From<rfc::grammar::HostKind> for HostKind {
    fn from(kind: rfc::grammar::HostKind) -> HostKind {
        match kind {
            rfc::grammar::HostKind::Ipv4 => HostKind::Ipv4,
            rfc::grammar::HostKind::Ipv6 => HostKind::Ipv6,
            rfc::grammar::HostKind::IpvFuture => HostKind::Ipvfuture,
            rfc::grammar::HostKind::RegName => HostKind::RegName,
        }
    }
}

/// All components of a URI-reference, as strings or as parts of one. `None` is *undefined*, `Some("")` is *defined and empty*
/// (RFC 3986 §5.2.1).
///
/// The authority is derived: it is defined where the host is. In JSON a missing key is read as `null`, and the path
/// as `""`; what is written has every key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Components<T = String> {
    /// Without its ":".
    pub scheme: Option<T>,
    /// Without its "@".
    pub userinfo: Option<T>,
    /// With the brackets of an IP-literal.
    pub host: Option<T>,
    /// `None` where there is no host, and in what is to be composed.
    pub host_kind: Option<HostKind>,
    /// Without its ":".
    pub port: Option<T>,
    /// Never undefined.
    pub path: T,
    /// Without its "?".
    pub query: Option<T>,
    /// Without its "#".
    pub fragment: Option<T>,
}

impl<T> Components<T> {
    /// The same components with each text changed.
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> Components<U> {
        Components {
            scheme: self.scheme.map(&mut change),
            userinfo: self.userinfo.map(&mut change),
            host: self.host.map(&mut change),
            host_kind: self.host_kind,
            port: self.port.map(&mut change),
            path: change(self.path),
            query: self.query.map(&mut change),
            fragment: self.fragment.map(&mut change),
        }
    }
}

impl<T: AsRef<str>> Components<T> {
    /// The text of a component, or the name of the host kind.
    pub fn text(&self, component: Component) -> Option<&str> {
        let text = match component {
            Component::Scheme => &self.scheme,
            Component::Userinfo => &self.userinfo,
            Component::Host => &self.host,
            Component::HostKind => return self.host_kind.map(HostKind::name),
            Component::Port => &self.port,
            Component::Path => return Some(self.path.as_ref()),
            Component::Query => &self.query,
            Component::Fragment => &self.fragment,
        };
        text.as_ref().map(AsRef::as_ref)
    }
}

impl Components {
    /// These components with another text of one of them; the path is never undefined, so there `None` is `""`.
    ///
    /// The kind of another host is not known, and cannot be given.
    pub fn with(mut self, component: Component, value: Option<&str>) -> Components {
        let value = value.map(str::to_owned);
        match component {
            Component::Scheme => self.scheme = value,
            Component::Userinfo => self.userinfo = value,
            Component::Host => self.host = value,
            Component::HostKind => {}
            Component::Port => self.port = value,
            Component::Path => self.path = value.unwrap_or_default(),
            Component::Query => self.query = value,
            Component::Fragment => self.fragment = value,
        }
        if matches!(component, Component::Host | Component::HostKind) {
            self.host_kind = None;
        }
        self
    }

    /// The authority that userinfo, host and port make up (RFC 3986 §3.2); `None` where there is no host.
    pub fn authority(&self) -> Option<String> {
        Some(authority_of(
            self.userinfo.as_deref(),
            self.host.as_deref()?,
            self.port.as_deref(),
        ))
    }

    /// The five components of RFC 3986 §3, given the [`Components::authority`].
    pub fn five<'a>(&'a self, authority: Option<&'a str>) -> rfc::components::Components<'a> {
        rfc::components::Components {
            scheme: self.scheme.as_deref(),
            authority,
            path: Cow::Borrowed(&self.path),
            query: self.query.as_deref(),
            fragment: self.fragment.as_deref(),
        }
    }

    /// The string that the components make up (RFC 3986 §5.3), valid or not.
    pub fn recompose(&self) -> String {
        rfc::recompose::recompose(&self.five(self.authority().as_deref()))
    }

    /// The components with every character percent-encoded that userinfo, registered name, path, query and fragment
    /// do not allow (RFC 3986 §2.4), triplets left as they are.
    pub fn percent_encoded(&self) -> Components {
        let encoded = |text: &str, kept: &str| {
            let mut result = String::with_capacity(text.len());
            for (at, character) in text.char_indices() {
                let octet = u8::try_from(character).unwrap_or(b' ');
                let is_kept = match character {
                    '%' => leading_triplet(&text.as_bytes()[at..]).is_some(),
                    _ => is_unreserved(octet) || is_sub_delim(octet) || kept.contains(character),
                };
                if is_kept {
                    result.push(character);
                } else {
                    result += &percent_encode(character.encode_utf8(&mut [0; 4]).as_bytes(), |_| false);
                }
            }
            result
        };
        let host_is_literal = self.host.as_deref().is_some_and(|host| host.starts_with('['));
        Components {
            scheme: self.scheme.clone(),
            userinfo: self.userinfo.as_deref().map(|text| encoded(text, ":")),
            host: if host_is_literal {
                self.host.clone()
            } else {
                self.host.as_deref().map(|text| encoded(text, ""))
            },
            host_kind: self.host_kind,
            port: self.port.clone(),
            path: encoded(&self.path, "/:@"),
            query: self.query.as_deref().map(|text| encoded(text, "/?:@")),
            fragment: self.fragment.as_deref().map(|text| encoded(text, "/?:@")),
        }
    }

    pub(super) fn size(&self) -> usize {
        Component::TEXTS.into_iter().filter_map(|component| self.text(component)).map(str::len).sum()
    }
}

/// `[ userinfo "@" ] host [ ":" port ]` (RFC 3986 §3.2).
pub(crate) fn authority_of(userinfo: Option<&str>, host: &str, port: Option<&str>) -> String {
    let mut authority = String::new();
    if let Some(userinfo) = userinfo {
        authority.push_str(userinfo);
        authority.push('@');
    }
    authority.push_str(host);
    if let Some(port) = port {
        authority.push(':');
        authority.push_str(port);
    }
    authority
}

impl From<&Observed<&str>> for Components {
    /// The components that a subject shows; the others are undefined.
    fn from(observed: &Observed<&str>) -> Components {
        let components = Components {
            scheme: observed.scheme.defined(),
            userinfo: observed.userinfo.defined(),
            host: observed.host.defined(),
            host_kind: observed.host_kind.defined(),
            port: observed.port.defined(),
            path: observed.path.defined().unwrap_or_default(),
            query: observed.query.defined(),
            fragment: observed.fragment.defined(),
        };
        components.map(str::to_owned)
    }
}

impl From<&rfc::components::Reference<'_>> for Components {
    fn from(reference: &rfc::components::Reference<'_>) -> Components {
        let rfc::components::Reference { components, authority } = reference;
        Components {
            scheme: components.scheme.map(str::to_owned),
            userinfo: authority.and_then(|authority| authority.userinfo).map(str::to_owned),
            host: authority.map(|authority| authority.host.to_owned()),
            host_kind: authority.map(|authority| authority.host_kind.into()),
            port: authority.and_then(|authority| authority.port).map(str::to_owned),
            path: components.path.clone().into_owned(),
            query: components.query.map(str::to_owned),
            fragment: components.fragment.map(str::to_owned),
        }
    }
}

impl fmt::Display for Components {
    /// The defined components in a line, such as `scheme "a" path "b"`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut space = "";
        for component in Component::TEXTS {
            if let Some(text) = self.text(component) {
                write!(f, "{space}{component} {}", Quoted(text))?;
                space = " ";
            }
        }
        Ok(())
    }
}

/// What a subject reports of a component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reported<T> {
    /// Nothing: the subject has no way to show this component. Not compared.
    #[default]
    Nothing,
    /// That it is undefined: its delimiter does not appear.
    Undefined,
    /// Its value, which may be empty.
    Defined(T),
}

impl<T> Reported<T> {
    /// Whether nothing is reported.
    pub fn is_nothing(&self) -> bool {
        matches!(self, Reported::Nothing)
    }

    /// The value, if one is reported.
    pub fn defined(self) -> Option<T> {
        match self {
            Reported::Defined(value) => Some(value),
            Reported::Nothing | Reported::Undefined => None,
        }
    }

    /// The value, if one is reported.
    pub fn as_defined(&self) -> Option<&T> {
        match self {
            Reported::Defined(value) => Some(value),
            Reported::Nothing | Reported::Undefined => None,
        }
    }
}

impl<T> From<Option<T>> for Reported<T> {
    fn from(value: Option<T>) -> Reported<T> {
        value.map_or(Reported::Undefined, Reported::Defined)
    }
}

impl From<Option<&str>> for Reported<String> {
    fn from(value: Option<&str>) -> Reported<String> {
        value.map(str::to_owned).into()
    }
}

impl<T: Serialize> Serialize for Reported<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Reported::Defined(value) => serializer.serialize_some(value),
            Reported::Undefined | Reported::Nothing => serializer.serialize_none(),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Reported<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Reported<T>, D::Error> {
        Option::deserialize(deserializer).map(Reported::from)
    }
}

/// The components that a subject reports, as strings or as borrowed text: in JSON, a missing key is [`Reported::Nothing`] and `null` is
/// [`Reported::Undefined`].
///
/// The default reports nothing, as a recognizer does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Observed<T = String> {
    /// Without its ":".
    #[serde(skip_serializing_if = "Reported::is_nothing")]
    pub scheme: Reported<T>,
    /// Without its "@".
    #[serde(skip_serializing_if = "Reported::is_nothing")]
    pub userinfo: Reported<T>,
    /// With the brackets of an IP-literal.
    #[serde(skip_serializing_if = "Reported::is_nothing")]
    pub host: Reported<T>,
    /// Undefined where there is no host.
    #[serde(skip_serializing_if = "Reported::is_nothing")]
    pub host_kind: Reported<HostKind>,
    /// Without its ":".
    #[serde(skip_serializing_if = "Reported::is_nothing")]
    pub port: Reported<T>,
    /// Never undefined.
    #[serde(skip_serializing_if = "Reported::is_nothing")]
    pub path: Reported<T>,
    /// Without its "?".
    #[serde(skip_serializing_if = "Reported::is_nothing")]
    pub query: Reported<T>,
    /// Without its "#".
    #[serde(skip_serializing_if = "Reported::is_nothing")]
    pub fragment: Reported<T>,
}

impl Observed {
    /// The texts of the components that are known.
    pub(super) fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let Observed {
            scheme,
            userinfo,
            host,
            host_kind: _,
            port,
            path,
            query,
            fragment,
        } = self;
        [scheme, userinfo, host, port, path, query, fragment].into_iter().filter_map(|reported| match reported {
            Reported::Defined(text) => Some(text),
            Reported::Nothing | Reported::Undefined => None,
        })
    }
}

impl<T> Observed<T> {
    /// Whether the URI-reference with these components, all reported, matches `rule` too.
    ///
    /// URI and relative-ref are disjoint, and the absolute-URIs are the URIs without a fragment (§4.1 to §4.3).
    pub(crate) fn are_of(&self, rule: Rule) -> bool {
        let is_uri = self.scheme.as_defined().is_some();
        match rule {
            Rule::UriReference => true,
            Rule::Uri => is_uri,
            Rule::AbsoluteUri => is_uri && self.fragment.as_defined().is_none(),
            Rule::RelativeRef => !is_uri,
            _ => false,
        }
    }
}

impl<T: AsRef<str>> Observed<T> {
    /// The reported value of a component: its text, or the name of the host kind.
    pub fn text(&self, component: Component) -> Reported<&str> {
        fn text<T: AsRef<str>>(reported: &Reported<T>) -> Reported<&str> {
            match reported {
                Reported::Nothing => Reported::Nothing,
                Reported::Undefined => Reported::Undefined,
                Reported::Defined(text) => Reported::Defined(text.as_ref()),
            }
        }
        match component {
            Component::Scheme => text(&self.scheme),
            Component::Userinfo => text(&self.userinfo),
            Component::Host => text(&self.host),
            Component::HostKind => match self.host_kind {
                Reported::Nothing => Reported::Nothing,
                Reported::Undefined => Reported::Undefined,
                Reported::Defined(kind) => Reported::Defined(kind.name()),
            },
            Component::Port => text(&self.port),
            Component::Path => text(&self.path),
            Component::Query => text(&self.query),
            Component::Fragment => text(&self.fragment),
        }
    }
}

impl Observed {
    /// The same as borrowed text.
    pub fn as_strs(&self) -> Observed<&str> {
        let borrowed = |component| self.text(component);
        Observed {
            scheme: borrowed(Component::Scheme),
            userinfo: borrowed(Component::Userinfo),
            host: borrowed(Component::Host),
            host_kind: self.host_kind,
            port: borrowed(Component::Port),
            path: borrowed(Component::Path),
            query: borrowed(Component::Query),
            fragment: borrowed(Component::Fragment),
        }
    }
}

impl Observed<&str> {
    /// The same as strings.
    pub fn to_strings(&self) -> Observed {
        let owned = |reported: Reported<&str>| match reported {
            Reported::Nothing => Reported::Nothing,
            Reported::Undefined => Reported::Undefined,
            Reported::Defined(text) => Reported::Defined(text.to_owned()),
        };
        Observed {
            scheme: owned(self.scheme),
            userinfo: owned(self.userinfo),
            host: owned(self.host),
            host_kind: self.host_kind,
            port: owned(self.port),
            path: owned(self.path),
            query: owned(self.query),
            fragment: owned(self.fragment),
        }
    }
}

impl<T: AsRef<str>> Observed<T> {
    /// The reported values of these components on one line, undefined ones included: `scheme "a" query undefined`.
    pub fn describe(&self, components: ComponentSet) -> String {
        self.describe_beside(components, self)
    }

    /// As [`describe`](Observed::describe); of long values also the place where they begin to differ from those of `other`.
    pub(crate) fn describe_beside(&self, components: ComponentSet, other: &Observed<T>) -> String {
        let reported = components.iter().filter_map(|component| match self.text(component) {
            Reported::Nothing => None,
            Reported::Undefined => Some(format!("{component} undefined")),
            Reported::Defined(text) => {
                let other = other.text(component).as_defined().copied().unwrap_or(text);
                Some(format!("{component} {}", Contrasted(text, other)))
            }
        });
        reported.collect::<Vec<_>>().join(" ")
    }
}

impl From<Components> for Observed {
    /// All components as reported.
    fn from(components: Components) -> Observed {
        Observed {
            scheme: components.scheme.into(),
            userinfo: components.userinfo.into(),
            host: components.host.into(),
            host_kind: components.host_kind.into(),
            port: components.port.into(),
            path: Reported::Defined(components.path),
            query: components.query.into(),
            fragment: components.fragment.into(),
        }
    }
}

impl<T: AsRef<str>> fmt::Display for Observed<T> {
    /// The defined components in a line: `scheme "a" path "b"`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let defined = ComponentSet::of(|component| self.text(component).as_defined().is_some());
        f.write_str(&self.describe(defined))
    }
}
