//! What RFC 3986 expects of a resolution: the target word for word, and what else conforms.

use std::borrow::Cow;
use std::cell::OnceCell;

use rfc3986_reference::components::{Components, Reference};
use rfc3986_reference::dot_segments::remove_dot_segments;
use rfc3986_reference::normalize::{case_normalization, percent_encoding_normalization};
use rfc3986_reference::recompose::recompose;
use rfc3986_reference::resolve::{self, Branch, Strictness, resolve};

use super::forms::{
    begins_like_authority, cased, decode_dot_segments, guarded, has_dot_segments, has_encoded_dot, is_plainly_normal,
    normalized, printed, scheme_based,
};
use super::{Expected, ParseFn, may_be_omitted};
use crate::model::{Outcome, Reading, authority_of};
use crate::split::{UserinfoEnd, authority};

/// A resolution word for word (§5.2.2, §5.3), which conforms whatever else does.
pub(crate) struct LiteralResolution<'a> {
    /// The base, a URI or a relative reference, and its components.
    base: (&'a str, Reference<'a>),
    /// The reference, and its components.
    reference: (&'a str, Reference<'a>),
    strictness: Strictness,
    reading: Reading,
    parse: ParseFn,
    target: Components<'a>,
    branch: Branch,
    /// The target's text.
    uri: String,
    /// The normal form of the target, once it is needed.
    normal: OnceCell<Option<String>>,
}

impl<'a> LiteralResolution<'a> {
    /// Of a base and a reference, two URI-references, each with its components; what comes of them is split by `parse`.
    pub(crate) fn of(
        base: (&'a str, Reference<'a>),
        reference: (&'a str, Reference<'a>),
        strictness: Strictness,
        reading: Reading,
        parse: ParseFn,
    ) -> LiteralResolution<'a> {
        let resolve::Resolution { target, branch, .. } =
            resolve(&base.1.components, &reference.1.components, strictness, reading);
        let uri = recompose(&target);
        LiteralResolution {
            base,
            reference,
            strictness,
            reading,
            parse,
            target,
            branch,
            uri,
            normal: OnceCell::new(),
        }
    }

    fn split<'t>(&self, text: &'t str) -> Option<Reference<'t>> {
        (self.parse)(text, self.reading).ok()
    }

    /// The target.
    pub(crate) fn uri(&self) -> &str {
        &self.uri
    }

    /// The normal form of the target (§6.2.2), which conforms wherever the target does: §5.2.1 lets a base be normalized, and
    /// equivalent URIs are one. None if it is the target itself, or the target is no URI.
    pub(crate) fn normal(&self) -> Option<&str> {
        let normal = || {
            self.target.scheme?;
            let target = self.split(&self.uri)?;
            (!is_plainly_normal(&target.components)).then(|| normalized(&target)).flatten()
        };
        self.normal.get_or_init(normal).as_deref()
    }

    /// Whether there is a reason to refuse it that conforms too; none if it takes all that [conforms](LiteralResolution::conforming) to tell.
    pub(crate) fn may_be_refused(&self) -> Option<bool> {
        if self.refusals().iter().any(Option::is_some) {
            return Some(true);
        }
        // Only then another base may lead to a path that begins with "//".
        let may_begin_like_authority = self.target.authority.is_none()
            && [&self.base, &self.reference].iter().any(|(_, given)| given.components.path.contains("//"));
        (!may_begin_like_authority).then_some(false)
    }

    /// Why it may be refused though base and reference are valid, each with the name of that outcome.
    fn refusals(&self) -> [Option<(&'static str, &'static str)>; 3] {
        let (base, target) = (&self.base.1.components, &self.target);
        let is_empty = |text: &str| authority(text, UserinfoEnd::FirstAt).host.is_empty();
        let has_empty_host =
            |uri: &Components<'_>| uri.scheme.is_some_and(is_http) && uri.authority.is_some_and(is_empty);
        let base_refused = if base.scheme.is_none() {
            // No sentence says that a resolver must refuse a relative reference as a base, or that it must not.
            Some(("base-refused", "the base is a relative reference"))
        } else {
            base.fragment.is_some().then_some(("base-refused", "the base has a fragment"))
        };
        [
            // §5.1: a base "must conform to the <absolute-URI> syntax rule", or be "stripped of any fragment component".
            base_refused,
            // §3.2.2: "the "http" scheme considers a missing authority or empty host invalid". A missing authority is not
            // refused in the examples of §5.4.2: "http:g".
            (has_empty_host(target) || has_empty_host(base))
                .then_some(("scheme-refused", "an empty host in an http URI")),
            // §3.3: "If a URI does not contain an authority component, then the path cannot begin with two slash characters";
            // §5.2 and §5.3 make such a string all the same.
            begins_like_authority(target).then_some(BEGINS_LIKE_AUTHORITY),
        ]
    }

    /// The base without what the resolution takes nothing of (§5.2.2): how else that may be written is of no account.
    fn taken(&self) -> Reference<'a> {
        let (_, Reference { components, authority }) = &self.base;
        let [has_scheme, has_authority, has_path, has_query] = match self.branch {
            Branch::Scheme => [false, false, false, false],
            Branch::Authority => [true, false, false, false],
            Branch::AbsolutePath => [true, true, false, false],
            Branch::EmptyPathWithQuery | Branch::Merge => [true, true, true, false],
            Branch::EmptyPathWithoutQuery => [true, true, true, true],
        };
        Reference {
            components: Components {
                scheme: components.scheme.filter(|_| has_scheme),
                authority: components.authority.filter(|_| has_authority),
                path: if has_path {
                    components.path.clone()
                } else {
                    Cow::default()
                },
                query: components.query.filter(|_| has_query),
                fragment: None,
            },
            authority: authority.filter(|_| has_authority),
        }
    }

    /// Every outcome that conforms, the literal one first.
    pub(crate) fn conforming(&self) -> Expected {
        let is_relative = self.base.1.components.scheme.is_none();
        let literal = match guarded(&self.target).filter(|_| is_relative) {
            None if is_relative => Expected::named("resolved", Outcome::uri(&*self.uri)),
            None => Expected::literally(Outcome::uri(&*self.uri)),
            // Against a relative base, the RFC has no result whose text reads as other components than those that §5.2.2 gives.
            Some(guarded) if begins_like_authority(&self.target) => Expected::named("slash-dot", Outcome::uri(guarded)),
            Some(guarded) => Expected::named("dot-segment", Outcome::uri(guarded)),
        };
        let [base_refused, scheme_refused, error] = self.refusals();
        let mut expected = or_refused(or_refused(literal, base_refused), scheme_refused);
        let is_like_authority = begins_like_authority(&self.target) && !is_relative;
        if is_like_authority {
            expected = or_refused(self.or_guarded(expected, "slash-dot", &self.target), error);
        }
        let base = self.taken();
        let other_bases = self.other_bases(&base);
        let mut bases = vec![("literal", base.components.clone())];
        for (name, text) in &other_bases {
            bases.extend(self.split(text).map(|base| (*name, base.components)));
        }
        let without_port = self.authority_without_port();
        let references = self.references(without_port.as_deref());
        // Some are the same again, of which nothing new comes.
        for (at, (of_base, base)) in bases.iter().enumerate() {
            for (place, (of_reference, reference)) in references.iter().enumerate() {
                // The first of both have been resolved.
                if (at, place) == (0, 0) || is_met(&bases[..at], base) || is_met(&references[..place], reference) {
                    continue;
                }
                let name = if *of_reference == "literal" {
                    *of_base
                } else {
                    *of_reference
                };
                let target = resolve(base, reference, self.strictness, self.reading).target;
                let begins_so = begins_like_authority(&target);
                // What would be read as an authority is so to the letter, or not at all.
                if guarded(&target).is_none() || is_like_authority {
                    expected = expected.and(name, Outcome::uri(recompose(&target)));
                }
                expected = self.or_guarded(expected, name, &target);
                if begins_so {
                    expected = or_refused(expected, Some(BEGINS_LIKE_AUTHORITY));
                }
            }
        }
        // Without its port, and all of §6.2.2.
        if let Some(authority) = &without_port {
            let reference = with_authority(&self.reference.1.components, authority);
            let target = recompose(&resolve(&base.components, &reference, self.strictness, self.reading).target);
            if let Some(normal) = self.split(&target).and_then(|target| normalized(&target)) {
                expected = expected.and("target-normalised", Outcome::uri(normal));
            }
        }
        self.or_normal(expected)
    }

    /// Adds a target whose path reads as something else, with what keeps it from that.
    fn or_guarded(&self, mut expected: Expected, name: &'static str, target: &Components<'_>) -> Expected {
        let Some(mut guarded) = guarded(target) else {
            return expected;
        };
        expected = expected.and(name, Outcome::uri(&*guarded));
        // §6.2.2 without the removal of dot-segments, which would take the "/." away.
        for step in [case_normalization, percent_encoding_normalization] {
            if let Ok(spelled) = step(&guarded, self.reading) {
                expected = expected.and(name, Outcome::uri(&*spelled));
                guarded = spelled;
            }
        }
        expected
    }

    /// The base in other forms, each with the name of what comes of it.
    ///
    /// §5.2.1: "Normalization of the base URI, as described in Sections 6.2.2 and 6.2.3, is optional"; its steps are
    /// several. §2.4 lets unreserved triplets be decoded "at any time", one and not another: those that make up a
    /// dot-segment are the ones that matter here, the others are a matter of spelling, which the comparison allows.
    /// Where a step has nothing to do, nothing new comes of it.
    fn other_bases(&self, base: &Reference<'_>) -> Vec<(&'static str, String)> {
        let own = &base.components;
        let mut texts: Vec<(&'static str, String)> = Vec::new();
        if !is_plainly_normal(own) {
            texts.extend(normalized(base).map(|base| ("base-normalised", base)));
        }
        if has_dot_segments(&own.path) {
            texts.push((
                "base-normalised",
                printed(&with_path(own, remove_dot_segments(&own.path).into())),
            ));
        }
        if has_encoded_dot(&own.path) {
            let decoded_path = decode_dot_segments(&own.path);
            texts.push((
                "decoded",
                printed(&with_path(own, remove_dot_segments(&decoded_path).into())),
            ));
            texts.push(("decoded", printed(&with_path(own, decoded_path))));
        }
        // §6.2.3, of the base as it is and of each of these.
        let mut by_scheme = scheme_based(base);
        if !by_scheme.is_empty() || base.authority.is_some() {
            by_scheme
                .extend(texts.iter().filter_map(|(_, text)| self.split(text)).flat_map(|base| scheme_based(&base)));
        }
        texts.extend(by_scheme.into_iter().map(|text| ("base-normalised", text)));
        texts
    }

    /// The authority of the reference without its port, if that may be left out.
    ///
    /// §3.2.3: producers "should omit the port component and its ":" delimiter if port is empty or if its value would be the
    /// same as that of the scheme's default".
    fn authority_without_port(&self) -> Option<String> {
        let authority = self.reference.1.authority.as_ref()?;
        let may_be_omitted = authority.port.is_some_and(|port| may_be_omitted(self.target.scheme, port));
        may_be_omitted.then(|| authority_of(authority.userinfo, authority.host, None))
    }

    /// The reference as it is, and in other forms, each with the name of what comes of it.
    fn references<'t>(&'t self, without_port: Option<&'t str>) -> Vec<(&'static str, Components<'t>)> {
        let Reference { components, authority } = &self.reference.1;
        let mut references = vec![("literal", components.clone())];
        if has_encoded_dot(&components.path) {
            let decoded_path = decode_dot_segments(&components.path);
            references.push(("decoded", with_path(components, decoded_path)));
        }
        if let Some(without_port) = without_port {
            let is_empty = authority.as_ref().is_some_and(|authority| authority.port == Some(""));
            let name = if is_empty { "omitted" } else { "default-omitted" };
            for at in 0..references.len() {
                references.push((name, with_authority(&references[at].1, without_port)));
            }
        }
        references
    }

    /// Adds the normal forms of the target: §6.2.2.1 alone, and all of §6.2.2; without a triplet and a dot-segment the two are one.
    fn or_normal(&self, mut expected: Expected) -> Expected {
        let Some(normal) = self.normal() else {
            return expected;
        };
        let [of_case, of_all] = if has_encoded_dot(self.reference.0) {
            ["literal-upper-case", "decoded"]
        } else {
            ["target-normalised"; 2]
        };
        let has_more = self.uri.contains('%') || has_dot_segments(&self.target.path);
        if !has_more {
            return expected.and(of_case, Outcome::uri(normal));
        }
        if let Some(cased) = self.split(&self.uri).and_then(|target| cased(&target)) {
            expected = expected.and(of_case, Outcome::uri(cased));
        }
        expected.and(of_all, Outcome::uri(normal))
    }
}

/// Adds a refusal, if there is a reason for one.
fn or_refused(expected: Expected, refused: Option<(&'static str, &str)>) -> Expected {
    match refused {
        Some((name, reason)) => expected.and(name, Outcome::rejected(reason)),
        None => expected,
    }
}

/// Why a target may be refused whose path cannot be written.
const BEGINS_LIKE_AUTHORITY: (&str, &str) = ("error", "the target's path begins with \"//\"");

/// Whether the components stand among these already.
fn is_met(before: &[(&'static str, Components<'_>)], one: &Components<'_>) -> bool {
    before.iter().any(|(_, other)| other == one)
}

fn with_authority<'a>(components: &Components<'a>, authority: &'a str) -> Components<'a> {
    Components {
        authority: Some(authority),
        ..components.clone()
    }
}

fn with_path<'a>(components: &Components<'a>, path: Cow<'_, str>) -> Components<'a> {
    Components {
        path: Cow::Owned(path.into_owned()),
        ..components.clone()
    }
}

fn is_http(scheme: &str) -> bool {
    ["http", "https"].iter().any(|name| scheme.eq_ignore_ascii_case(name))
}
