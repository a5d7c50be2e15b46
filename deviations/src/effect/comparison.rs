//! The stage *comparison*: what becomes of values that are compared with each other.

use rfc3986_reference::dot_segments::remove_dot_segments;
use uriproof::model::{Component, Contract};

use crate::catalogue::Deviation;
use crate::dots::{EmptyFirst, rootless_without_dots};
use crate::spelling::{decode_unreserved, loosely_decoded, uppercase_triplets};
use crate::stages::{Parts, text_of};

impl Deviation {
    /// Stage *comparison*: the contract that two values break.
    pub(crate) fn breaks(&self, left: &Parts<'_>, right: &Parts<'_>) -> Option<Contract> {
        match self {
            Deviation::OrdersByText { decodes } => {
                let is_equal = compared_form(left, decodes) == compared_form(right, decodes);
                (is_equal && with_lowercase_scheme(left) != with_lowercase_scheme(right)).then_some(Contract::Order)
            }
            _ => None,
        }
    }

    /// Stage *comparison*: where it panics on a value that is compared with itself; `removed` is its path without dot-segments.
    pub(crate) fn panics_on_comparison(&self, parts: &Parts<'_>, removed: &str) -> Option<&str> {
        match self {
            Deviation::PanicsComparingOctets { place } => {
                let others = [&parts.userinfo, &parts.host, &parts.query, &parts.fragment].into_iter().flatten();
                let mut texts = removed.split('/').chain(others.map(|text| &**text));
                texts.any(|text| loosely_decoded(text).is_err()).then_some(place.as_str())
            }
            _ => None,
        }
    }
}

fn with_lowercase_scheme<'a>(parts: &Parts<'a>) -> Parts<'a> {
    Parts {
        scheme: parts.scheme.as_ref().map(|scheme| scheme.to_ascii_lowercase().into()),
        ..parts.clone()
    }
}

/// The form by which [`Deviation::OrdersByText`] compares for equality.
fn compared_form<'a>(parts: &Parts<'a>, decodes: &[Component]) -> Parts<'a> {
    let mut form = with_lowercase_scheme(parts);
    form.host = parts.host.as_ref().map(|host| host.to_ascii_lowercase().into());
    form.host_kind = None;
    form.path = if parts.path.starts_with('/') {
        remove_dot_segments(&parts.path).into()
    } else {
        rootless_without_dots(&parts.path, EmptyFirst::Lost).into()
    };
    for &component in decodes {
        let normal = form.text(component).map(|text| uppercase_triplets(&decode_unreserved(text)));
        if let (Some(text), Some(normal)) = (text_of(&mut form, component), normal) {
            *text = normal.into();
        }
    }
    form
}
