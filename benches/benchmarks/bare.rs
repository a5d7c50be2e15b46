//! The seven fast crates as they are, without a harness: what its overhead is measured against.
//!
//! The calls are those of `subjects/`; their results are dropped.

use std::hint::black_box;

use uriproof::model::Subject;
use uriproof_subjects::{fluent_uri, http, iref, iri_string, oxiri, uriparse, url};

/// The seven as subjects, by the entry points that parse.
pub(crate) const SEVEN: [&dyn Subject; 7] = [
    &fluent_uri::UriRef,
    &iref::UriRef,
    &iri_string::UriReferenceStr,
    &oxiri::IriRef,
    &uriparse::UriReference,
    &url::Url,
    &http::Uri,
];

/// The entry points of six of them that resolve.
pub(crate) const RESOLVERS: [&dyn Subject; 6] = [
    &fluent_uri::UriRef,
    &iref::UriRef,
    &iri_string::UriReferenceStr,
    &oxiri::IriRef,
    &uriparse::Uri,
    &url::Url,
];

/// Parses `text` by each.
pub(crate) fn parse(text: &str) {
    let _ = black_box(::fluent_uri::UriRef::parse(text));
    let _ = black_box(::iref::UriRef::new(text));
    let _ = black_box(::iri_string::types::UriReferenceStr::new(text));
    let _ = black_box(::oxiri::IriRef::parse(text));
    let _ = black_box(::uriparse::URIReference::try_from(text));
    let _ = black_box(::url::Url::parse(text));
    let _ = black_box(text.parse::<::http::Uri>());
}

/// Resolves `reference` against `base` by each that can.
pub(crate) fn resolve(base: &str, reference: &str) {
    if let (Ok(base), Ok(reference)) = (::fluent_uri::Uri::parse(base), ::fluent_uri::UriRef::parse(reference)) {
        let _ = black_box(reference.resolve_against(&base));
    }
    if let (Ok(base), Ok(reference)) = (::iref::Uri::new(base), ::iref::UriRef::new(reference)) {
        black_box(reference.resolved(base));
    }
    if let (Ok(base), Ok(reference)) = (
        ::iri_string::types::UriStr::new(base),
        ::iri_string::types::UriReferenceStr::new(reference),
    ) {
        black_box(reference.resolve_against(base.to_absolute()).to_string());
    }
    if let (Ok(base), Ok(reference)) = (::oxiri::IriRef::parse(base), ::oxiri::IriRef::parse(reference)) {
        let _ = black_box(base.resolve(&reference));
    }
    if let (Ok(base), Ok(reference)) = (
        ::uriparse::URI::try_from(base),
        ::uriparse::URIReference::try_from(reference),
    ) {
        black_box(base.resolve(&reference).to_string());
    }
    if let Ok(base) = ::url::Url::parse(base) {
        let _ = black_box(base.join(reference));
    }
}
