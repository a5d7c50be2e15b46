//! The stage *comparison*: whether two values are equal on a rung of the ladder (§6.2).

use std::borrow::Cow;

use rfc3986_reference::characters::percent_encode;
use rfc3986_reference::dot_segments::remove_dot_segments;
use uriproof::expect::SCHEMES;
use uriproof::model::{Component, Rung, Scope};

use super::dots::DotRules;
use super::normalization::{DoubleSlash, NormalizationStep, normalize};
use super::parts::{Parts, is_of};
use crate::dots::{segments_without_dots, without_empty_first_segments};
use crate::reading::literal;
use crate::spelling::{loosely_decoded, octets, same_by_digits, shortest_triplets};

/// How two values are compared. Without any of this, they are equal if their normal forms are the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComparisonRules<'d> {
    /// The steps of the normal form that are left out, each with its components; without them, in all.
    pub left_out: Vec<(NormalizationStep, Option<&'d [Component]>)>,
    /// Dot-segments are removed before triplets are decoded.
    pub removes_dots_first: bool,
    /// A rootless path stays rootless without its dot-segments, and a ".." with no segment before it stays.
    pub keeps_rootless: bool,
    /// The empty segments are dropped that follow the dot-segments at the beginning of a rootless path.
    pub drops_empty_first: bool,
    /// A path with no segments differs from one whose only segment is empty.
    pub counts_empty_segment: bool,
    /// Whether a path begins with a slash does not matter.
    pub ignores_root: bool,
    /// Hosts of two kinds differ.
    pub separates_kinds: bool,
    /// The brackets of a host do not matter, nor which of its characters are encoded.
    pub compares_host_octets: bool,
    /// Every triplet is decoded.
    pub decodes: bool,
    /// An overlong UTF-8 is that of its character.
    pub reads_overlong: bool,
    /// Two triplets are the same if their digits are.
    pub compares_digits: bool,
    /// Where it panics on an octet that is not UTF-8.
    pub panics: Option<&'d str>,
}

impl<'d> ComparisonRules<'d> {
    /// Whether two values are equal on a rung.
    ///
    /// # Errors
    ///
    /// Where the comparison panics.
    pub fn are_equal(&self, left: &Parts<'_>, right: &Parts<'_>, rung: Rung) -> Result<bool, &'d str> {
        if self.separates_kinds && left.host_kind != right.host_kind {
            return Ok(false);
        }
        let [left, right] = [left, right].map(|parts| self.form(parts, rung));
        let same = |component| self.same_text(component, left.text(component), right.text(component));
        for component in [Component::Scheme, Component::Userinfo, Component::Host, Component::Port] {
            if !same(component)? {
                return Ok(false);
            }
        }
        if left.segments.len() != right.segments.len() || left.is_rooted != right.is_rooted && !self.ignores_root {
            return Ok(false);
        }
        for (left, right) in left.segments.iter().zip(&right.segments) {
            if !self.same_text(Component::Path, Some(left), Some(right))? {
                return Ok(false);
            }
        }
        Ok(same(Component::Query)? && same(Component::Fragment)?)
    }

    fn same_text(&self, component: Component, left: Option<&str>, right: Option<&str>) -> Result<bool, &'d str> {
        let (Some(left), Some(right)) = (left, right) else {
            return Ok(left == right);
        };
        if let Some(place) = self.panics
            && reaches_wrong_octet(left, right)
        {
            return Err(place);
        }
        if self.compares_digits {
            return Ok(same_by_digits(left, right, component == Component::Host));
        }
        Ok(self.octets(left) == self.octets(right))
    }

    /// What is compared of a text.
    fn octets(&self, text: &str) -> Vec<u8> {
        let text = match self.reads_overlong {
            true => Cow::Owned(shortest_triplets(text)),
            false => Cow::Borrowed(text),
        };
        match self.decodes {
            true => octets(&text),
            false => text.into_owned().into_bytes(),
        }
    }

    fn form<'a>(&self, parts: &Parts<'a>, rung: Rung) -> ComparedForm<'a> {
        let mut form = parts.clone();
        if self.compares_host_octets {
            let octets = form.host.as_deref().map(|host| octets(literal(&form).unwrap_or(host)));
            form.host = octets.map(|octets| percent_encode(&octets, |octet| is_of(Component::Host, octet)).into());
        }
        let scope = match rung {
            Rung::Simple => return ComparedForm::of(form),
            Rung::Syntax => Scope::Syntax,
            Rung::Scheme => Scope::Scheme,
        };
        let is_left_out = |step, component: Component| {
            self.left_out.iter().any(|(left_out, components)| {
                *left_out == step && components.is_none_or(|components| components.contains(&component))
            })
        };
        let is_own =
            self.removes_dots_first || self.keeps_rootless || self.drops_empty_first || self.counts_empty_segment;
        let is_own = is_own && !is_left_out(NormalizationStep::Dots, Component::Path);
        let mut path = None;
        if is_own && self.removes_dots_first {
            let removed = self.without_dots(&form.path);
            form.path = removed.1.join("/").into();
            path = Some(removed);
        }
        let skips = |step, component: Component, _: &Parts<'_>| {
            is_left_out(step, component) || is_own && step == NormalizationStep::Dots
        };
        normalize(
            &mut form,
            scope,
            &SCHEMES,
            &skips,
            DotRules::default(),
            DoubleSlash::Kept,
        );
        match path {
            Some((is_rooted, segments)) => {
                let is_empty = segments.is_empty();
                let segments = form.path.split('/').map(str::to_owned).filter(|_| !is_empty).collect();
                ComparedForm {
                    parts: form,
                    is_rooted,
                    segments,
                }
            }
            None if is_own => {
                let (is_rooted, segments) = self.without_dots(&form.path);
                ComparedForm {
                    parts: form,
                    is_rooted,
                    segments,
                }
            }
            None => ComparedForm::of(form),
        }
    }

    /// The segments of a path without its dot-segments, and whether a slash is before them.
    fn without_dots(&self, path: &str) -> (bool, Vec<String>) {
        let path = match self.drops_empty_first && !path.starts_with('/') {
            true => Cow::Owned(without_empty_first_segments(path)),
            false => Cow::Borrowed(path),
        };
        if !self.keeps_rootless && !path.starts_with('/') {
            return segments(&remove_dot_segments(&path));
        }
        let mut segments = segments_without_dots(&path);
        if segments.is_empty() && !self.counts_empty_segment {
            segments.push("");
        }
        (path.starts_with('/'), segments.into_iter().map(str::to_owned).collect())
    }
}

/// What is compared of a value.
struct ComparedForm<'a> {
    /// All but the path.
    parts: Parts<'a>,
    /// Whether the path begins with a slash.
    is_rooted: bool,
    /// The segments of the path.
    segments: Vec<String>,
}

impl<'a> ComparedForm<'a> {
    fn of(parts: Parts<'a>) -> ComparedForm<'a> {
        let (is_rooted, segments) = segments(&parts.path);
        ComparedForm {
            parts,
            is_rooted,
            segments,
        }
    }

    fn text(&self, component: Component) -> Option<&str> {
        self.parts.text(component)
    }
}

/// The segments of a path, and whether a slash is before them.
fn segments(path: &str) -> (bool, Vec<String>) {
    let rest = path.strip_prefix('/');
    (
        rest.is_some(),
        rest.unwrap_or(path).split('/').map(str::to_owned).collect(),
    )
}

/// Whether a comparison of two texts, character by character, reaches an octet that is not UTF-8.
fn reaches_wrong_octet(left: &str, right: &str) -> bool {
    let [left, right] = [left, right].map(|text| match loosely_decoded(text) {
        Ok(text) => (text, false),
        Err(before) => (before, true),
    });
    let same = left.0.chars().zip(right.0.chars()).take_while(|(one, other)| one == other).count();
    [left, right].iter().any(|(text, is_wrong)| *is_wrong && text.chars().count() == same)
}
