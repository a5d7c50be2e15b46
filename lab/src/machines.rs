//! The machines that subjects are measured by: those of RFC 3986, or of RFC 3986 under profiles.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rfc3986_reference::components::parse;
use uriproof::expect::{Expected, expect, request_target};
use uriproof::model::{Components, HostKind, Input, Outcome, Reading, Rule, Specification};
use uriproof::split::{UserinfoEnd, components, range};
use uriproof_grammar::discrimination::Discrimination;
use uriproof_grammar::{Dfa, Grammar, Moore, Profile, State, TextMachine, profile, rfc3986};

/// The machines of the rules, compiled when they are first needed.
pub struct Machines {
    grammar: Grammar,
    profiles: Vec<Profile>,
    rules: BTreeMap<Rule, OnceLock<Dfa>>,
    texts: BTreeMap<Rule, OnceLock<TextMachine>>,
    components: OnceLock<Moore>,
    components_of_text: OnceLock<TextMachine>,
    /// What tells the states of a rule's machine apart.
    discriminations: BTreeMap<Rule, OnceLock<(Discrimination, Vec<State>)>>,
}

impl Machines {
    /// Those of Appendix A.
    pub fn of_rfc3986() -> Machines {
        Machines::new(rfc3986::grammar_with_views(), Vec::new())
    }

    /// Those of Appendix A under profiles.
    ///
    /// # Errors
    ///
    /// Two profiles that change the same rule.
    pub fn under(profiles: &[Profile]) -> Result<Machines, profile::Contradiction> {
        let mut profiles = profiles.to_vec();
        profiles.sort_unstable();
        profiles.dedup();
        Ok(Machines::new(profile::grammar(&profiles)?, profiles))
    }

    fn new(grammar: Grammar, profiles: Vec<Profile>) -> Machines {
        Machines {
            grammar,
            profiles,
            rules: Rule::ALL.iter().map(|&rule| (rule, OnceLock::new())).collect(),
            texts: Rule::ALL.iter().map(|&rule| (rule, OnceLock::new())).collect(),
            components: OnceLock::new(),
            components_of_text: OnceLock::new(),
            discriminations: Rule::ALL.iter().map(|&rule| (rule, OnceLock::new())).collect(),
        }
    }

    /// The machine that accepts what matches `rule`.
    pub fn of(&self, rule: Rule) -> &Dfa {
        // The grammar is ours, and the tests of `grammar/` compile every rule of it.
        self.rules[&rule].get_or_init(|| {
            Dfa::compile(&self.grammar, rule.name()).unwrap_or_else(|error| panic!("rfc3986.abnf: {error}"))
        })
    }

    /// The machine that tells which components a URI-reference has.
    pub fn components(&self) -> &Moore {
        self.components.get_or_init(|| {
            Moore::compile(&self.grammar, rfc3986::COMPONENT_VIEWS)
                .unwrap_or_else(|error| panic!("rfc3986.abnf and views.abnf: {error}"))
        })
    }

    /// The machine that tells which components a URI-reference has, and which of them are empty.
    pub fn extended(&self) -> Moore {
        let views = [rfc3986::COMPONENT_VIEWS, rfc3986::EMPTY_VIEWS].concat();
        Moore::compile(&self.grammar, &views).unwrap_or_else(|error| panic!("rfc3986.abnf and views.abnf: {error}"))
    }

    /// As [`of`](Machines::of), over characters: what suites and sweeps are made from, since subjects take text.
    pub fn text(&self, rule: Rule) -> &TextMachine {
        self.texts[&rule].get_or_init(|| TextMachine::of(self.of(rule).machine()))
    }

    /// As [`components`](Machines::components), over characters.
    pub fn components_of_text(&self) -> &TextMachine {
        self.components_of_text.get_or_init(|| TextMachine::of(self.components().machine()))
    }

    /// The state of a rule's machine that a subject is in after some text, as far as it follows from whether it `accepts` that text
    /// with a few words behind it, the first of them empty: none if it cannot say of one.
    pub fn state_of(&self, rule: Rule, mut accepts: impl FnMut(&str) -> Option<bool>) -> Option<State> {
        let (tree, states) = self.discriminations[&rule].get_or_init(|| {
            let text = self.text(rule);
            let machine = self.of(rule).machine();
            // The same state has a number in the machine over characters and one in that over bytes.
            let states = text.machine().access_words();
            let states = states.iter().map(|symbols| machine.run(text.decode(symbols).as_bytes())).collect();
            (Discrimination::of(text), states)
        });
        let state = tree.state(|word| accepts(word).map(u32::from))?;
        Some(states[state as usize])
    }

    /// The grammar, its views included.
    pub(super) fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// The profiles, in ascending order.
    pub fn profiles(&self) -> &[Profile] {
        &self.profiles
    }

    /// What the machines are of: `RFC 3986`, `RFC 3986 with port-65535`.
    pub fn language(&self) -> String {
        let names: Vec<&str> = self.profiles.iter().map(|profile| profile.name()).collect();
        match names.as_slice() {
            [] => "RFC 3986".to_owned(),
            names => format!("RFC 3986 with {}", names.join(", ")),
        }
    }

    /// What conforms when `text` is parsed as `rule`: what the reference expects; under profiles, what the machine accepts
    /// (of the four rules for references), with the components of RFC 3986.
    pub fn expected(&self, rule: Rule, text: &str) -> Expected {
        if self.profiles.is_empty() {
            let input = Input::Parse {
                rule,
                input: text.to_owned(),
            };
            return expect(&input, Reading::Rfc3986);
        }
        if self.profiles.contains(&Profile::RequestTarget) {
            return request_target::parse(text);
        }
        Expected::literally(if self.of(rule).accepts(text.as_bytes()) {
            Outcome::components(match components_of(text) {
                Some(components) => components,
                None => {
                    return Expected::NoAnswer {
                        reason: "the components of this string under the profile are not known".to_owned(),
                    };
                }
            })
        } else {
            Outcome::rejected(format!("no {rule} of {}", self.language()))
        })
    }
}

/// The profile that an entry point claims by its specification, if there is one.
pub fn claimed(specification: &Specification) -> Option<Profile> {
    (*specification == Specification::Rfc3987).then_some(Profile::Iri)
}

/// The components of a string that matches under some profile. Profiles change which characters a component may have,
/// and not which characters end it, so that a stand-in of the same length in US-ASCII has the same components.
fn components_of(text: &str) -> Option<Components> {
    let parts = components(text, UserinfoEnd::FirstAt);
    let mut stand_in: Vec<u8> = text.bytes().map(|byte| if byte.is_ascii() { byte } else { b'a' }).collect();
    let literal = parts.host.and_then(|host| host.strip_prefix('[')?.strip_suffix(']'));
    let zone = literal.filter(|literal| literal.contains("%25")).map(|literal| range(literal, text));
    if let Some(zone) = &zone {
        // An IP-literal of any kind is as good; an address and a zone are longer than "v1.".
        stand_in[zone.clone()].fill(b'a');
        stand_in[zone.start..zone.start + 3].copy_from_slice(b"v1.");
    }
    let stand_in = String::from_utf8(stand_in).ok()?;
    let authority = parse(&stand_in, Reading::Rfc3986).ok()?.authority;
    let host_kind = match zone {
        Some(_) => Some(HostKind::Ipv6),
        None => authority.map(|authority| authority.host_kind.into()),
    };
    Some(Components {
        host_kind,
        ..parts.map(str::to_owned)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_stand_where_they_stand_in_the_stand_in() {
        for (text, printed) in [
            ("", r#"path """#),
            ("é/:", r#"path "é/:""#),
            (
                "s://ü@é.example:8/ä?ö#ß",
                r#"scheme "s" userinfo "ü" host "é.example" port "8" path "/ä" query "ö" fragment "ß""#,
            ),
            ("//[fe80::1%25en0]:9/%25[", ""),
            (
                "//[fe80::1%25en0]:9/%25",
                r#"host "[fe80::1%25en0]" port "9" path "/%25""#,
            ),
            ("//a%25", r#"host "a%25" path """#),
            (
                "s://u%25@[::%25-]",
                r#"scheme "s" userinfo "u%25" host "[::%25-]" path """#,
            ),
        ] {
            let components = components_of(text).map(|components| components.to_string()).unwrap_or_default();
            assert_eq!(
                components,
                printed.escape_default().to_string().replace("\\\"", "\""),
                "{text}"
            );
        }
        assert_eq!(
            components_of("//[::%25a]").and_then(|components| components.host_kind),
            Some(HostKind::Ipv6)
        );
    }

    #[test]
    fn what_the_reference_accepts_has_its_components() {
        for text in [
            "a:b",
            "//u@h:1/p?q#f",
            "//[v1.a]",
            "//[::1]",
            "//1.2.3.4",
            "?",
            "#",
            "a://",
        ] {
            let plain = parse(text, Reading::Rfc3986).map(|reference| Components::from(&reference));
            assert_eq!(components_of(text), plain.ok(), "{text}");
        }
    }
}
