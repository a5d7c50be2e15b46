//! Components to compose, which not every URI-reference has (RFC 3986 §5.3).

use uriproof::model::{Component, Components};

use super::chance::Chance;
use super::grammar_shaped::components;
use super::near_miss::edit;
use super::weights::{DISTURBANCES, DISTURBED, Disturbance};

/// Puts into a few components what does not belong there, or not beside the others.
pub(super) fn disturb(chance: &mut Chance, composed: &mut Components) {
    for _ in 0..chance.by_weight(DISTURBED) {
        disturb_one(chance, composed);
    }
}

/// Paths that not every other component may stand before.
const PATHS: &[&str] = &[
    "//a", "//", "///", "/", "a", "b:c", "b:c/d", ":", "./b:c", "a/b", "/.//a", "", "a?b", "a#b", "[", "é", "\\", " ",
    "/a:b", "%", "@", "\r\n", "a?b?c", "a#b#c", "//a//b",
];

/// Hosts that are none, or that need something else.
const HOSTS: &[&str] = &[
    "",
    "[::1]",
    "::1",
    "a@b",
    "a/b",
    "a:80",
    "a:",
    "é",
    "[v1.a]",
    "[",
    "[::1",
    "::1]",
    "[::1]:80",
    "a?",
    "a#",
    "256.1.1.1",
    "%",
    "%41",
    "[fe80::1%25en0]",
    " ",
    "a b",
    "1.2.3.4",
    "evil.com bad",
    "a@b@c",
    "a:1:2",
    "a\r\nb",
    "a;b",
];

/// Texts for the other components.
const TEXTS: &[&str] = &[
    "", "a", "a@b", "a:b", "a/b", "a?b", "a#b", "é", "80", "-1", "0", "1a", "[::1]", " ", "%", "%4", "%41", "a\\b",
    "\0", "//", "@", ":", "?", "#", "99999", "http", "a+b", "\u{ff0f}", "a@b@c", "a?b?c", "a#b#c", "\r\n", "a\r\nb",
];

/// Every component that has a text of its own; the path twice, since most depends on it.
const DISTURBED_ONES: [Component; 8] = [
    Component::Scheme,
    Component::Userinfo,
    Component::Host,
    Component::Port,
    Component::Path,
    Component::Path,
    Component::Query,
    Component::Fragment,
];

fn disturb_one(chance: &mut Chance, composed: &mut Components) {
    let component = chance.of(&DISTURBED_ONES);
    let text = match chance.by_weight(DISTURBANCES) {
        Disturbance::Undefined => None,
        Disturbance::Unfit => {
            let unfit = match component {
                Component::Path => PATHS,
                Component::Host => HOSTS,
                _ => TEXTS,
            };
            Some(chance.of(unfit).to_owned())
        }
        Disturbance::Other => components(chance).text(component).map(str::to_owned),
        Disturbance::Edited => composed.text(component).map(|text| {
            let mut text = text.to_owned();
            edit(chance, &mut text);
            text
        }),
    };
    match component {
        Component::Scheme => composed.scheme = text,
        Component::Userinfo => composed.userinfo = text,
        Component::Host => composed.host = text,
        Component::HostKind => {}
        Component::Port => composed.port = text,
        Component::Path => composed.path = text.unwrap_or_default(),
        Component::Query => composed.query = text,
        Component::Fragment => composed.fragment = text,
    }
}
