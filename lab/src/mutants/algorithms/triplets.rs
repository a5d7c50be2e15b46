//! Rewrites the triplets of components.

use rfc3986_reference::characters::{leading_triplet, percent_decode};
use uriproof::model::Component;

use super::parts::Parts;

/// Where a triplet can stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TripletPlace {
    Userinfo,
    Host,
    Path,
    Query,
    Fragment,
}

impl TripletPlace {
    pub(super) fn component(self) -> Component {
        match self {
            TripletPlace::Userinfo => Component::Userinfo,
            TripletPlace::Host => Component::Host,
            TripletPlace::Path => Component::Path,
            TripletPlace::Query => Component::Query,
            TripletPlace::Fragment => Component::Fragment,
        }
    }
}

/// Changes each component in which a triplet can stand.
pub(super) fn each(parts: &mut Parts, mut change: impl FnMut(TripletPlace, &mut String)) {
    if let Some(authority) = &mut parts.authority {
        if let Some(userinfo) = &mut authority.userinfo {
            change(TripletPlace::Userinfo, userinfo);
        }
        change(TripletPlace::Host, &mut authority.host);
    }
    change(TripletPlace::Path, &mut parts.path);
    if let Some(query) = &mut parts.query {
        change(TripletPlace::Query, query);
    }
    if let Some(fragment) = &mut parts.fragment {
        change(TripletPlace::Fragment, fragment);
    }
}

/// `text` with the triplets decoded whose octet is to be.
pub(super) fn decode(text: &str, decodes: impl Fn(u8) -> bool) -> String {
    rewrite(text, |triplet, octet| {
        if decodes(octet) {
            char::from(octet).to_string()
        } else {
            triplet.to_owned()
        }
    })
}

/// `text` with what `write` makes of each triplet and its octet.
pub(super) fn rewrite(text: &str, write: impl Fn(&str, u8) -> String) -> String {
    let mut rewritten = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match leading_triplet(rest.as_bytes()) {
            Some(octet) => {
                rewritten.push_str(&write(&rest[..3], octet));
                3
            }
            None => {
                rewritten.push(first);
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    rewritten
}

/// `text` with each run of triplets decoded that is UTF-8 beyond US-ASCII.
pub(super) fn decode_non_ascii(text: &str) -> String {
    let beyond = |piece: &str| leading_triplet(piece.as_bytes()).is_some_and(|octet| !octet.is_ascii());
    let mut rewritten = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let mut run = 0;
        while rest.get(run..).is_some_and(beyond) {
            run += 3;
        }
        let length = run.max(first.len_utf8());
        match String::from_utf8(percent_decode(&rest[..run])) {
            Ok(decoded) if run > 0 => rewritten.push_str(&decoded),
            Ok(_) | Err(_) => rewritten.push_str(&rest[..length]),
        }
        rest = &rest[length..];
    }
    rewritten
}
