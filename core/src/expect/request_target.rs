//! What RFC 9112 §3.2 expects of a string as the target of an HTTP request.

use std::sync::LazyLock;

use rfc3986_reference::components;
use uriproof_grammar::{Dfa, Profile, profile};

use super::Expected;
use crate::model::{Components, Input, Outcome, Reading};

/// The forms, in the order of RFC 9112.
const FORMS: [&str; 4] = ["origin-form", "absolute-form", "authority-form", "asterisk-form"];

/// The machines of the forms, from `grammar/profiles/request-target.abnf`.
static MACHINES: LazyLock<[Dfa; 4]> = LazyLock::new(|| {
    // The grammar is ours, and the tests of `grammar/` compile every rule of it.
    let grammar = profile::grammar(&[Profile::RequestTarget]).unwrap_or_else(|error| panic!("{error}"));
    FORMS.map(|form| Dfa::compile(&grammar, form).unwrap_or_else(|error| panic!("request-target.abnf: {error}")))
});

/// What conforms for an input. The method of a request decides which form its target is in, and a target alone, such as `a:80`, may
/// be in two.
pub(crate) fn expect(input: &Input) -> Expected {
    match input {
        Input::Parse { input, .. } => parse(input),
        Input::RoundTrip { uri } if forms(uri).next().is_some() => Expected::literally(Outcome::uri(&**uri)),
        Input::Contract { .. } => Expected::Property(super::Property::KeepsContracts),
        _ => Expected::NoAnswer {
            reason: "RFC 9112 §3.2 states what is a request-target, and of which components, and no more".to_owned(),
        },
    }
}

/// What conforms where a string is parsed.
pub fn parse(text: &str) -> Expected {
    let mut outcomes =
        forms(text).map(|form| (form, components(form, text).map_or_else(rejected, Outcome::components)));
    let Some((form, outcome)) = outcomes.next() else {
        return Expected::literally(rejected());
    };
    outcomes.fold(Expected::named(form, outcome), |expected, (form, outcome)| {
        expected.and(form, outcome)
    })
}

/// The forms that a string is in.
fn forms(text: &str) -> impl Iterator<Item = &'static str> {
    let machines = FORMS.into_iter().zip(&*MACHINES);
    machines.filter(move |(_, machine)| machine.accepts(text.as_bytes())).map(|(form, _)| form)
}

fn rejected() -> Outcome {
    Outcome::rejected("no request-target of RFC 9112 §3.2")
}

/// The components of a string in a form.
fn components(form: &str, text: &str) -> Option<Components> {
    let of = |text: &str| Some(Components::from(&components::parse(text, Reading::Rfc3986).ok()?));
    match form {
        "origin-form" => {
            let (path, query) = text.split_once('?').map_or((text, None), |(path, query)| (path, Some(query)));
            Some(Components {
                path: path.to_owned(),
                query: query.map(str::to_owned),
                ..Components::default()
            })
        }
        "authority-form" => of(&format!("//{text}")),
        // Of the asterisk the path, as of a relative reference.
        _ => of(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Value;

    /// The outcomes by name.
    fn outcomes(text: &str) -> Vec<(String, String)> {
        let Expected::Outcomes(outcomes) = parse(text) else {
            return Vec::new();
        };
        let text = |outcome: &Outcome| match outcome {
            Outcome::Accepted {
                value: Value::Components(components),
            } => Components::from(&components.as_strs()).to_string(),
            _ => "rejected".to_owned(),
        };
        outcomes.iter().map(|one| (one.name.to_string(), text(&one.outcome))).collect()
    }

    #[test]
    fn each_form_has_its_components() {
        for (text, form, components) in [
            ("//a/b?c?d", "origin-form", r#"path "//a/b" query "c?d""#),
            (
                "http://a/?b",
                "absolute-form",
                r#"scheme "http" host "a" path "/" query "b""#,
            ),
            ("[::1]:443", "authority-form", r#"host "[::1]" port "443" path """#),
            (":", "authority-form", r#"host "" port "" path """#),
            ("*", "asterisk-form", r#"path "*""#),
            ("a", "literal", "rejected"),
            ("/a#b", "literal", "rejected"),
            ("http://a#b", "literal", "rejected"),
        ] {
            assert_eq!(outcomes(text), [(form.to_owned(), components.to_owned())], "{text}");
        }
    }

    #[test]
    fn a_target_alone_may_be_in_two_forms() {
        let forms: Vec<String> = outcomes("a:80").into_iter().map(|(form, _)| form).collect();
        assert_eq!(forms, ["absolute-form", "authority-form"]);
    }
}
