//! The stages of normalization (§6.2.2, §6.2.3): its steps, each on one component, in the reference's order.

use std::borrow::Cow;

use rfc3986_reference::dot_segments::remove_dot_segments;
use rfc3986_reference::normalize::{SchemeRules, Schemes};
use serde::{Deserialize, Serialize};
use uriproof::model::{Component, Scope};

use super::dots::{DotRules, remove_dots};
use super::parts::{Parts, kind_of_host};
use crate::spelling::{decode_unreserved, uppercase_triplets};

/// A step of normalization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NormalizationStep {
    /// Unreserved triplets are decoded (§6.2.2.2).
    Decode,
    /// Scheme and host are put in lower case (§6.2.2.1).
    Lowercase,
    /// The digits of triplets are put in upper case (§6.2.2.1).
    Uppercase,
    /// Dot-segments are removed (§6.2.2.3).
    Dots,
    /// An empty path behind an authority becomes "/" (§6.2.3).
    Root,
    /// A port that is empty or the scheme's default is removed (§6.2.3).
    Port,
    /// The scheme's default host becomes an empty one (§6.2.3).
    DefaultHost,
    /// The hosts of mailboxes are put in lower case (§6.2.3).
    Mailboxes,
}

impl NormalizationStep {
    /// The step in words, behind "does not".
    pub fn words(self) -> &'static str {
        match self {
            NormalizationStep::Decode => "decode unreserved triplets",
            NormalizationStep::Lowercase => "put scheme and host in lower case",
            NormalizationStep::Uppercase => "put the digits of triplets in upper case",
            NormalizationStep::Dots => "remove dot-segments",
            NormalizationStep::Root => "make an empty path \"/\"",
            NormalizationStep::Port => "remove an empty or default port",
            NormalizationStep::DefaultHost => "remove the scheme's default host",
            NormalizationStep::Mailboxes => "put the hosts of mailboxes in lower case",
        }
    }
}

/// Where a triplet can stand.
const ENCODED: [Component; 5] = [
    Component::Userinfo,
    Component::Host,
    Component::Path,
    Component::Query,
    Component::Fragment,
];

/// The text of a component, to be changed.
fn text_of<'p, 'a>(parts: &'p mut Parts<'a>, component: Component) -> Option<&'p mut Cow<'a, str>> {
    match component {
        Component::Scheme => parts.scheme.as_mut(),
        Component::Userinfo => parts.userinfo.as_mut(),
        Component::Host => parts.host.as_mut(),
        Component::HostKind => None,
        Component::Port => parts.port.as_mut(),
        Component::Path => Some(&mut parts.path),
        Component::Query => parts.query.as_mut(),
        Component::Fragment => parts.fragment.as_mut(),
    }
}

/// What is made of a path without authority that begins with "//" once its dot-segments are removed: it would read as an authority.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DoubleSlash {
    /// The path keeps its dot-segments.
    #[default]
    Kept,
    /// It is written behind "/.".
    Guarded,
    /// It is written.
    Written,
}

/// Whether a step is left out on a component; it sees the parts as they are then.
pub type Skips<'f> = &'f dyn Fn(NormalizationStep, Component, &Parts<'_>) -> bool;

/// Brings the parts of a URI into normal form, but for the steps that `skips` leaves out.
pub fn normalize(
    parts: &mut Parts<'_>,
    scope: Scope,
    schemes: &Schemes,
    skips: Skips<'_>,
    dots: DotRules,
    double_slash: DoubleSlash,
) {
    for component in ENCODED {
        rewrite(parts, component, NormalizationStep::Decode, skips, decode_unreserved);
    }
    for component in [Component::Scheme, Component::Host] {
        rewrite(
            parts,
            component,
            NormalizationStep::Lowercase,
            skips,
            str::to_ascii_lowercase,
        );
    }
    for component in ENCODED {
        rewrite(
            parts,
            component,
            NormalizationStep::Uppercase,
            skips,
            uppercase_triplets,
        );
    }
    if !skips(NormalizationStep::Dots, Component::Path, parts) {
        let removed = remove_dots(&parts.path, dots).0;
        let is_plain = parts.host.is_some() || !removed.starts_with("//");
        match double_slash {
            _ if is_plain => parts.path = Cow::Owned(removed),
            DoubleSlash::Kept => {}
            DoubleSlash::Guarded => parts.path = Cow::Owned(format!("/.{removed}")),
            DoubleSlash::Written => parts.path = Cow::Owned(removed),
        }
    }
    if scope == Scope::Scheme {
        by_scheme(parts, schemes, skips);
    }
    parts.host_kind = parts.host.as_deref().map(kind_of_host);
}

/// §6.2.3
fn by_scheme(parts: &mut Parts<'_>, schemes: &Schemes, skips: Skips<'_>) {
    let no_rules = SchemeRules::default();
    let rules = parts.scheme.as_deref().and_then(|scheme| schemes.rules(scheme)).unwrap_or(&no_rules);
    if rules.empty_path_is_root
        && parts.host.is_some()
        && parts.path.is_empty()
        && !skips(NormalizationStep::Root, Component::Path, parts)
    {
        parts.path = Cow::Borrowed("/");
    }
    let is_default = |port: &str| rules.default_port.is_some_and(|default| port.parse() == Ok(default));
    if parts.port.as_deref().is_some_and(|port| port.is_empty() || is_default(port))
        && !skips(NormalizationStep::Port, Component::Port, parts)
    {
        parts.port = None;
    }
    if let Some(default) = rules.default_host {
        let has_default =
            parts.host.as_deref().is_none_or(|host| host.is_empty() || host.eq_ignore_ascii_case(default));
        if has_default && !skips(NormalizationStep::DefaultHost, Component::Host, parts) {
            default_host(parts, default, skips);
        }
    }
    if rules.mailboxes_in_path && !skips(NormalizationStep::Mailboxes, Component::Path, parts) {
        let mailboxes: Vec<String> = parts.path.split(',').map(mailbox).collect();
        parts.path = Cow::Owned(mailboxes.join(","));
    }
}

/// The default for authority (§3.2.2, §6.2.3).
fn default_host(parts: &mut Parts<'_>, default: &'static str, skips: Skips<'_>) {
    if parts.userinfo.as_deref().is_some_and(|userinfo| !userinfo.is_empty()) || parts.port.is_some() {
        parts.host = Some(Cow::Borrowed(default));
    } else if parts.host.is_some() || parts.path.is_empty() || parts.path.starts_with('/') {
        parts.userinfo = None;
        parts.host = Some(Cow::Borrowed(""));
        if !skips(NormalizationStep::Dots, Component::Path, parts) {
            parts.path = Cow::Owned(remove_dot_segments(&parts.path));
        }
    }
}

fn mailbox(mailbox: &str) -> String {
    match mailbox.rsplit_once('@') {
        Some((local, host)) => format!("{local}@{}", uppercase_triplets(&host.to_ascii_lowercase())),
        None => mailbox.to_owned(),
    }
}

/// Rewrites the text of a component, unless the step is skipped.
fn rewrite(
    parts: &mut Parts<'_>,
    component: Component,
    step: NormalizationStep,
    skips: Skips<'_>,
    rewritten: fn(&str) -> String,
) {
    if parts.text(component).is_none() || skips(step, component, parts) {
        return;
    }
    if let Some(text) = text_of(parts, component) {
        *text = Cow::Owned(rewritten(text));
    }
}
