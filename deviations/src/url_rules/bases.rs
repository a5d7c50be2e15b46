//! With a base: where the target of the URL Standard is not what its parser makes of the target of RFC 3986.

use rfc3986_reference::components::parse;
use uriproof::model::{Components, Reading};
use whatwg_url_reference::record::is_special_scheme;

/// What the URL Standard does with a base otherwise than resolving as RFC 3986 (§5.2) and parsing the target then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum BaseRule {
    /// A reference with the special scheme of the base, and without an authority, is relative.
    SameSpecialScheme,
    /// Nothing but a fragment is resolved against a base with an opaque path.
    OpaqueBase,
    /// A `file` reference gets the host or the drive letter of its base.
    File,
    /// A target without an authority whose path begins with `//` is written with `/.` before it, and does not read as one with an authority.
    GuardedPath,
    /// A reference with a scheme, or with an authority against a special base, is parsed alone: before its dot-segments are removed.
    ParsedAlone,
}

impl BaseRule {
    /// Every rule.
    pub const ALL: [BaseRule; 5] = [
        BaseRule::SameSpecialScheme,
        BaseRule::OpaqueBase,
        BaseRule::File,
        BaseRule::GuardedPath,
        BaseRule::ParsedAlone,
    ];

    /// The rule in a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            BaseRule::SameSpecialScheme => "a reference with the special scheme of the base is relative to it",
            BaseRule::OpaqueBase => "only a fragment is resolved against a base with an opaque path",
            BaseRule::File => "a `file` reference gets the host or the drive letter of its base",
            BaseRule::GuardedPath => "a path that begins with `//` gets `/.` before it where there is no authority",
            BaseRule::ParsedAlone => "a reference is parsed before its dot-segments are removed",
        }
    }

    /// Whether it can act on a base and a reference with this target of RFC 3986.
    fn may_act(self, base: &Components, reference: &Components, target: &str) -> bool {
        let has_special = |of: &Components| of.scheme.as_deref().is_some_and(is_special_scheme);
        match self {
            BaseRule::SameSpecialScheme => {
                has_special(reference) && reference.host.is_none() && reference.scheme == base.scheme
            }
            BaseRule::OpaqueBase => {
                let is_opaque = !has_special(base) && base.host.is_none() && !base.path.starts_with('/');
                is_opaque && reference.scheme.is_none()
            }
            BaseRule::File => base.scheme.as_deref() == Some("file"),
            BaseRule::GuardedPath => {
                let reads_as_authority = target.split_once(':').is_some_and(|(_, rest)| rest.starts_with("//"));
                base.host.is_none() && reference.host.is_none() && reads_as_authority
            }
            BaseRule::ParsedAlone => match &reference.scheme {
                Some(_) if has_special(reference) => reference.host.is_some() || reference.scheme != base.scheme,
                Some(_) => !reference.path.starts_with('/'),
                None => has_special(base) && reference.host.as_deref() == Some(""),
            },
        }
    }
}

/// The rules that can act on a base and a reference that are valid, with the target of RFC 3986 as it is written. Without one, the target of
/// the URL Standard is what its parser makes of that target, and the [rules for strings](super::parting) say the rest.
pub fn base_rules(base: &str, reference: &str, target: &str) -> Vec<BaseRule> {
    let split = |text: &str| parse(text, Reading::Rfc3986).ok().map(|parts| Components::from(&parts));
    let (Some(base), Some(reference)) = (split(base), split(reference)) else {
        return Vec::new();
    };
    BaseRule::ALL.into_iter().filter(|rule| rule.may_act(&base, &reference, target)).collect()
}
