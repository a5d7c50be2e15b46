//! Profiles: policies that change the language, each as ABNF that takes the place of rules of Appendix A.
//!
//! A profile makes another machine, and with it another suite: a library that claims a profile is compared with that.
//! Most change RFC 3986 in one point and can be combined. [`Profile::Http`] and [`Profile::RequestTarget`] are languages of their own.

use std::fmt;

use crate::abnf::{ErrorKind, Grammar};
use crate::rfc3986;

/// A policy on top of RFC 3986.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Profile {
    /// The characters of RFC 3987.
    Iri,
    /// Ports of at most 65,535.
    Port65535,
    /// Zone identifiers in IPv6 addresses (RFC 6874, obsolete since RFC 9844).
    ZoneId,
    /// No authority without a host.
    HostNotEmpty,
    /// The URIs of the schemes `http` and `https` (RFC 9110 §4.2).
    Http,
    /// The target of an HTTP request (RFC 9112 §3.2).
    RequestTarget,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Profile; 6] = [
        Profile::Iri,
        Profile::Port65535,
        Profile::ZoneId,
        Profile::HostNotEmpty,
        Profile::Http,
        Profile::RequestTarget,
    ];

    /// Those that change RFC 3986 in one point: each has a core suite among the suites that are kept.
    pub const POINTS: [Profile; 4] = [Profile::Iri, Profile::Port65535, Profile::ZoneId, Profile::HostNotEmpty];

    /// The profile's name, such as `port-65535`.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Iri => "iri",
            Profile::Port65535 => "port-65535",
            Profile::ZoneId => "zone-id",
            Profile::HostNotEmpty => "host-not-empty",
            Profile::Http => "http",
            Profile::RequestTarget => "request-target",
        }
    }

    /// The profile of that name.
    pub fn from_name(name: &str) -> Option<Profile> {
        Profile::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// The rules that it puts in the place of those of Appendix A, and those that these refer to.
    pub fn abnf(self) -> &'static str {
        match self {
            Profile::Iri => include_str!("../profiles/iri.abnf"),
            Profile::Port65535 => include_str!("../profiles/port-65535.abnf"),
            Profile::ZoneId => include_str!("../profiles/zone-id.abnf"),
            Profile::HostNotEmpty => include_str!("../profiles/host-not-empty.abnf"),
            Profile::Http => include_str!("../profiles/http.abnf"),
            Profile::RequestTarget => include_str!("../profiles/request-target.abnf"),
        }
    }

    fn grammar(self) -> Grammar {
        Grammar::read(self.abnf()).unwrap_or_else(|error| panic!("profiles/{self}.abnf: {error}"))
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A profile that changes a rule which another one changes too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The later of the two.
    pub profile: Profile,
    /// The rule.
    pub rule: String,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contradiction { profile, rule } = self;
        write!(
            f,
            "{profile} changes the rule {rule}, which another profile changes too"
        )
    }
}

impl std::error::Error for Contradiction {}

/// Appendix A and the views (see [`rfc3986::grammar_with_views`]) under profiles.
///
/// # Errors
///
/// Two profiles that put something in the place of one rule: what both at once mean is in neither.
pub fn grammar(profiles: &[Profile]) -> Result<Grammar, Contradiction> {
    let mut overrides: Option<Grammar> = None;
    for profile in profiles {
        let own = profile.grammar();
        overrides = Some(match overrides {
            None => own,
            Some(others) => others.joined(&own).map_err(|error| Contradiction {
                profile: *profile,
                rule: match error.problem {
                    ErrorKind::DuplicateRule { name, .. } => name,
                    other => other.to_string(),
                },
            })?,
        });
    }
    let plain = rfc3986::grammar_with_views();
    Ok(match overrides {
        None => plain,
        Some(overrides) => plain.overridden(&overrides),
    })
}
