//! Rules of schemes' own specifications that the reference does not apply. Each is a licence of §6.2.3, and never a must: an
//! answer that follows some of them conforms, and so does one that follows none.

use std::collections::BTreeMap;
use std::sync::{OnceLock, PoisonError, RwLock};

use rfc3986_reference::normalize::{SchemeRules, Schemes, scheme_based};
use serde::Deserialize;

use crate::model::Reading;

/// What a file of rules says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SchemeRulesFile {
    uriproof: u64,
    schemes: BTreeMap<String, LicensedRules>,
}

/// The rules of a scheme.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct LicensedRules {
    /// The document that states them.
    source: String,
    default_port: Option<u16>,
    #[serde(default)]
    empty_path_is_root: bool,
    default_host: Option<String>,
    #[serde(default)]
    mailboxes_in_path: bool,
    /// The path is case-insensitive up to the first of these characters.
    case_insensitive_until: Option<char>,
    /// A URI of this scheme has no authority, and one that has is refused.
    #[serde(default)]
    no_authority: bool,
}

/// Some of the rules of a scheme, applied together.
struct Variant {
    schemes: Schemes,
    case_insensitive_until: Option<char>,
}

/// The rules of a scheme, in every selection.
struct Licensed {
    variants: Vec<Variant>,
    no_authority: bool,
}

type Licences = BTreeMap<String, Licensed>;

/// Those in force.
fn licences() -> &'static RwLock<Licences> {
    static LICENCES: OnceLock<RwLock<Licences>> = OnceLock::new();
    LICENCES.get_or_init(|| {
        let own = read(include_str!("scheme-rules.json"));
        RwLock::new(own.unwrap_or_else(|problem| panic!("core/src/expect/scheme-rules.json: {problem}")))
    })
}

/// Licenses the rules of the schemes that a file of rules names, in this process and from now on. Its text is JSON:
/// `{"uriproof": 1, "schemes": {"coap": {"source": "RFC 7252 §6.1", "default-port": 5683, "empty-path-is-root": true}}}`.
///
/// The rules are `default-port`, `default-host`, `empty-path-is-root`, `mailboxes-in-path`, `case-insensitive-until` (the character
/// behind the part of the path that has no case), and `no-authority`.
///
/// # Errors
///
/// The text is no such file: what is wrong, with its line.
pub fn license(text: &str) -> Result<(), String> {
    let new = read(text)?;
    licences().write().unwrap_or_else(PoisonError::into_inner).extend(new);
    Ok(())
}

fn read(text: &str) -> Result<Licences, String> {
    let file: SchemeRulesFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if file.uriproof != 1 {
        return Err(format!(
            "`uriproof` is the number of the format: 1, not {}",
            file.uriproof
        ));
    }
    let licensed = file.schemes.into_iter().map(|(name, rules)| {
        if rfc3986_reference::grammar::scheme(&name).is_err() {
            return Err(format!("`{name}` is no scheme (§3.1)"));
        }
        if rules.source.trim().is_empty() {
            return Err(format!("the rules of `{name}` need a source"));
        }
        Ok((name.to_ascii_lowercase(), Licensed::of(&name, &rules)))
    });
    licensed.collect()
}

impl Licensed {
    fn of(name: &str, rules: &LicensedRules) -> Licensed {
        let default_host = rules.default_host.clone().map(|host| &*host.leak());
        let mut all = vec![Variant {
            schemes: Schemes::default(),
            case_insensitive_until: None,
        }];
        let mut with = |is_there: bool, add: &dyn Fn(&mut SchemeRules, &mut Option<char>)| {
            for at in 0..if is_there { all.len() } else { 0 } {
                let mut schemes = all[at].schemes.clone();
                let mut case_insensitive_until = all[at].case_insensitive_until;
                let mut own = schemes.rules(name).cloned().unwrap_or_else(|| SchemeRules::new(name));
                add(&mut own, &mut case_insensitive_until);
                schemes.insert(own);
                all.push(Variant {
                    schemes,
                    case_insensitive_until,
                });
            }
        };
        with(rules.default_port.is_some(), &|own, _| {
            own.default_port = rules.default_port;
        });
        with(rules.empty_path_is_root, &|own, _| own.empty_path_is_root = true);
        with(default_host.is_some(), &|own, _| own.default_host = default_host);
        with(rules.mailboxes_in_path, &|own, _| own.mailboxes_in_path = true);
        with(rules.case_insensitive_until.is_some(), &|_, until| {
            *until = rules.case_insensitive_until;
        });
        // The first is without any of them.
        all.remove(0);
        Licensed {
            variants: all,
            no_authority: rules.no_authority,
        }
    }
}

/// The scheme-based normal forms of a URI with this scheme, by every selection of the rules that are licensed for it.
pub(super) fn forms(uri: &str, scheme: &str, reading: Reading) -> Vec<String> {
    let licences = licences().read().unwrap_or_else(PoisonError::into_inner);
    let licensed = licences.get(&scheme.to_ascii_lowercase());
    let variants = licensed.into_iter().flat_map(|licensed| &licensed.variants);
    let form = |variant: &Variant| {
        let form = scheme_based(uri, &variant.schemes, reading).ok()?;
        let (scheme, rest) = form.split_once(':')?;
        let ends_at = |character| rest.find([character, '?', '#']).filter(|&at| rest[at..].starts_with(character));
        match variant.case_insensitive_until.and_then(ends_at) {
            Some(at) => Some(format!("{scheme}:{}{}", rest[..at].to_ascii_lowercase(), &rest[at..])),
            None => Some(form),
        }
    };
    variants.filter_map(form).collect()
}

/// Whether the specification of a scheme excludes an authority.
pub(super) fn excludes_authority(scheme: &str) -> bool {
    let licences = licences().read().unwrap_or_else(PoisonError::into_inner);
    licences.get(&scheme.to_ascii_lowercase()).is_some_and(|licensed| licensed.no_authority)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        read(text).err().unwrap_or_default()
    }

    #[test]
    fn a_broken_file_is_named_with_what_is_wrong() {
        assert!(problem("{").contains("line 1"));
        assert!(problem(r#"{"uriproof": 2, "schemes": {}}"#).contains("number of the format"));
        assert!(problem(r#"{"uriproof": 1, "schemes": {"1": {"source": "s"}}}"#).contains("no scheme"));
        assert!(problem(r#"{"uriproof": 1, "schemes": {"a": {"source": ""}}}"#).contains("source"));
        assert!(problem(r#"{"uriproof": 1, "schemes": {"a": {"source": "s", "port": 1}}}"#).contains("`default-port`"));
    }

    #[test]
    fn every_selection_of_the_rules_has_a_form() {
        let rules = r#"{"uriproof": 1, "schemes": {"some-scheme": {"source": "s", "default-port": 7, "empty-path-is-root": true}}}"#;
        license(rules).unwrap();
        assert_eq!(
            forms("some-scheme://h:7", "Some-Scheme", Reading::Rfc3986),
            ["some-scheme://h", "some-scheme://h:7/", "some-scheme://h/"]
        );
        assert_eq!(forms("urn:A:B", "urn", Reading::Rfc3986), ["urn:a:B"]);
        assert_eq!(forms("urn:A?b:B", "urn", Reading::Rfc3986), ["urn:A?b:B"]);
    }
}
