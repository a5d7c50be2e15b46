//! Severity is what a result means: a returned string is parsed, and rated by what it says beside what was meant.

use std::collections::BTreeSet;

use uriproof::compare::Verdict;
use uriproof::model::{
    Component, Components, Contract, Declaration, Input, Observed, Operation, Outcome, Reading, Reported, Rule, Rung,
    Scope, Subject,
};
use uriproof::run::{self, Result};
use uriproof::severity::{Severity, misprinted};

/// Returns one outcome whatever it is given, and another for a URI that it has returned itself.
struct Planted {
    declaration: Declaration,
    first: Outcome,
    again: Outcome,
}

impl Planted {
    fn new(outcome: Outcome) -> Planted {
        Planted {
            declaration: Declaration::new("planted", "1.0.0", "all", &Operation::ALL),
            again: outcome.clone(),
            first: outcome,
        }
    }
}

impl Subject for Planted {
    fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    fn parse(&self, _: Rule, _: &str) -> Outcome {
        self.first.clone()
    }

    fn resolve(&self, _: &str, _: &str, _: bool) -> Outcome {
        self.first.clone()
    }

    fn normalize(&self, uri: &str, _: Scope) -> Outcome {
        match Outcome::uri(uri) == self.first {
            true => self.again.clone(),
            false => self.first.clone(),
        }
    }

    fn compose(&self, _: &Components) -> Outcome {
        self.first.clone()
    }

    fn equivalent(&self, _: &str, _: &str, _: Rung) -> Outcome {
        self.first.clone()
    }

    fn relativize(&self, _: &str, _: &str) -> Outcome {
        self.first.clone()
    }

    fn modify(&self, _: &str, _: Component, _: Option<&str>) -> Outcome {
        self.first.clone()
    }

    fn round_trip(&self, _: &str) -> Outcome {
        self.first.clone()
    }

    fn contract(&self, _: &str, _: &str) -> Outcome {
        self.first.clone()
    }
}

fn ask(subject: &Planted, input: &Input) -> Result {
    run::one(subject, input, Reading::Rfc3986)
}

/// The name of the severity of an answer to an input; `agrees` if it conforms.
fn severity(input: &Input, outcome: Outcome) -> &'static str {
    let result = ask(&Planted::new(outcome), input);
    match Severity::of(&result) {
        Some(severity) => severity.name(),
        None => {
            assert!(matches!(result.verdict, Verdict::Agree { .. }), "{result:?}");
            "agrees"
        }
    }
}

fn relativize(base: &str, target: &str) -> Input {
    let (base, target) = (base.to_owned(), target.to_owned());
    Input::Relativize { base, target }
}

fn resolve(base: &str, reference: &str) -> Input {
    Input::Resolve {
        base: base.to_owned(),
        reference: reference.to_owned(),
        strict: true,
    }
}

fn modify(uri: &str, component: Component, value: Option<&str>) -> Input {
    Input::Modify {
        uri: uri.to_owned(),
        component,
        value: value.map(str::to_owned),
    }
}

fn normalize(uri: &str) -> Input {
    Input::Normalize {
        uri: uri.to_owned(),
        scope: Scope::Syntax,
    }
}

#[test]
fn a_relativized_reference_is_rated_by_what_it_resolves_to() {
    for (base, target, answer, expected) in [
        ("http://a/b?q", "http://a/b", "", "component"),
        ("http://a/b", "http://a/b/c", "c", "path"),
        ("http://a/b/", "http://a/b/c", "c", "agrees"),
        ("http://a/b", "http://a/b#f", "", "component"),
        ("http://a:1/b", "http://a:2/b", "", "scheme-or-port"),
        ("http://a/b", "http://a//evil/c", "//evil/c", "host"),
        ("a:/", "a:/g:", "g:", "scheme-or-port"),
        ("a:", "a:/.//evil", "//evil", "host"),
        ("http://u@a/b", "http://a/b", "", "userinfo"),
        ("a:/", "a:a:", ":", "accepted-invalid"),
        // The target is invalid: what is left of it is compared.
        ("http://a/b", "http://a/c d", "c%20d", "accepted-invalid"),
        ("http://a/b", "http://a/c d", "c", "path"),
    ] {
        let found = severity(&relativize(base, target), Outcome::uri(answer));
        assert_eq!(found, expected, "{base} to {target}: {answer}");
    }
}

#[test]
fn a_made_uri_is_rated_by_the_components_given() {
    use Component::{Fragment, Host, Path, Port, Query, Scheme, Userinfo};
    for (uri, component, value, answer, expected) in [
        ("http://good/", Host, Some("good@evil"), "http://good@evil/", "host"),
        ("http://good/", Host, Some("good@evil"), "http://good%40evil/", "agrees"),
        ("http://good/", Host, Some("good/x"), "http://good/x/", "host"),
        ("http://good/", Host, Some("good:1"), "http://good:1/", "host"),
        ("http://good/", Userinfo, Some("evil/"), "http://evil/@good/", "host"),
        ("http://good/", Port, Some("1/x"), "http://good:1/x/", "scheme-or-port"),
        ("a:b", Scheme, Some("a:"), "a::b", "scheme-or-port"),
        ("ws://a", Scheme, Some("http\t"), "http://a/", "scheme-or-port"),
        ("a:", Path, Some("//evil"), "a://evil", "host"),
        ("a:", Host, Some(""), "a://", "agrees"),
        ("a:b", Host, Some(""), "a://b", "host"),
        ("http://a/", Path, Some("/b?c"), "http://a/b?c", "path"),
        ("http://a/", Query, Some("b#c"), "http://a/?b#c", "component"),
        ("http://a/", Fragment, Some("b c"), "http://a/", "component"),
        ("http://a/b", Query, Some("q"), "http://evil/b?q", "host"),
        ("%3a", Query, None, ":", "accepted-invalid"),
        ("", Path, Some(":"), ":", "accepted-invalid"),
        // The URI itself is invalid.
        ("http://a b/", Path, Some("/c"), "http://a%20b/c", "accepted-invalid"),
        ("http://a b/", Path, Some("/c"), "http://b/c", "host"),
    ] {
        let found = severity(&modify(uri, component, value), Outcome::uri(answer));
        assert_eq!(found, expected, "{uri} with {component} {value:?}: {answer}");
    }
    let compose = |host: Option<&str>, path: &str| Input::Compose {
        components: Components {
            scheme: Some("http".to_owned()),
            host: host.map(str::to_owned),
            path: path.to_owned(),
            ..Components::default()
        },
    };
    for (host, path, answer, expected) in [
        (Some("good@evil"), "", "http://good@evil", "host"),
        (Some(""), "evil", "http://evil", "host"),
        (None, "//evil", "http://evil", "host"),
        (None, "#", "http:#", "path"),
        (Some("a"), "/b", "HTTP://A/%62", "normalization"),
        (Some("a"), "/b", "http://[", "accepted-invalid"),
    ] {
        let found = severity(&compose(host, path), Outcome::uri(answer));
        assert_eq!(found, expected, "{host:?} {path}: {answer}");
    }
    for (host, answer, expected) in [
        (Some("good@evil"), "http://good@evil", &[Userinfo, Host][..]),
        (Some("good/x"), "http://good/x/", &[Host, Path]),
        (Some("a b"), "http://[", &[]),
    ] {
        let result = run::one(
            &Planted::new(Outcome::uri(answer)),
            &compose(host, ""),
            Reading::Rfc3986,
        );
        let components: Vec<Component> = misprinted(&result, answer).iter().collect();
        assert_eq!(components, expected, "{host:?}: {answer}");
    }
}

#[test]
fn a_uri_that_says_what_was_asked_is_accepted_no_more_than_that() {
    let mut planted = Planted::new(Outcome::uri("//h/b"));
    planted.declaration = planted.declaration.with_rules(&[Rule::Uri]);
    let result = ask(&planted, &modify("a://h/b", Component::Scheme, None));
    assert_eq!(Severity::of(&result), Some(Severity::AcceptedInvalid), "{result:?}");
}

#[test]
fn what_comes_of_invalid_input_is_rated_by_what_appendix_b_makes_of_it() {
    for (base, reference, answer, expected) in [
        ("http://good/", "\\\\evil\\x", "http://evil/x", "host"),
        ("a:/", "/\\[::]", "a://[::]", "host"),
        ("http://good/", "a b", "http://good/a%20b", "accepted-invalid"),
        ("http://good/", "a b", "http://good/a", "path"),
        ("http://good/", "a b?q", "http://good/a%20b", "target"),
        ("http://good/", "http://[::]x:1/", "http://good/", "host"),
        ("[", "", "[", "accepted-invalid"),
        ("http://good/", "a", "http://good/[", "accepted-invalid"),
    ] {
        let found = severity(&resolve(base, reference), Outcome::uri(answer));
        assert_eq!(found, expected, "{base} + {reference}: {answer}");
    }
    for (uri, answer, expected) in [
        ("http://a b/", "http://a%20b/", "accepted-invalid"),
        ("http://good\\@evil/", "http://good/@evil/", "host"),
        ("http://a/b c/../d e", "http://a/d%20e", "accepted-invalid"),
        ("http://a/b", "http://a/[", "accepted-invalid"),
        ("http://a/%7e", "http://a/~?", "component"),
    ] {
        assert_eq!(
            severity(&normalize(uri), Outcome::uri(answer)),
            expected,
            "{uri}: {answer}"
        );
    }
    let round_trip = |uri: &str| Input::RoundTrip { uri: uri.to_owned() };
    for (uri, answer, expected) in [
        ("http://a/b", "http://a/[", "accepted-invalid"),
        ("http://a/b", "http://A/%62", "normalization"),
        // A relative reference, too, is spelled in more than one way.
        ("//h/%7e", "//H/~", "normalization"),
        ("../a", "a", "path"),
        ("./a", "a", "component"),
        ("http://good/", "http://evil/", "host"),
    ] {
        assert_eq!(
            severity(&round_trip(uri), Outcome::uri(answer)),
            expected,
            "{uri}: {answer}"
        );
    }
}

#[test]
fn components_of_an_invalid_string_are_rated_beside_appendix_b() {
    let parse = |text: &str| Input::Parse {
        rule: Rule::UriReference,
        input: text.to_owned(),
    };
    let text = |text: &str| -> Reported<String> { Some(text.to_owned()).filter(|text| text != "-").into() };
    let [host, userinfo, port, accepted] = ["host", "userinfo", "scheme-or-port", "accepted-invalid"];
    for (input, observed, expected) in [
        ("http://a\\@b", ["-", "a", "-"], host),
        ("http://a\\@b", ["a\\", "b", "-"], accepted),
        ("http://a\\@b", ["a%5C", "b", "-"], accepted),
        // Either "@" may end the userinfo, but no other character.
        ("a://u@v@h", ["u@v", "h", "-"], accepted),
        ("a://u@v@h", ["u", "v@h", "-"], accepted),
        ("a://u@v@h", ["-", "v", "-"], host),
        ("a://u@v@h", ["v", "h", "-"], userinfo),
        ("a://[::g]:1", ["-", "::g", "1"], accepted),
        ("a://[::1]x:1", ["-", "[::1]", "1"], host),
        ("a://[::1]x:1", ["-", "-", "-"], host),
        // Brackets that are no IP-literal's, and a second ":", leave open where the port begins, and nothing may be lost.
        ("a://[b:c", ["-", "[b", "c"], accepted),
        ("a://[b:c", ["-", "[b:c", "-"], accepted),
        ("a://b[::1]:2", ["-", "b[", ":1]:2"], accepted),
        ("a://b[::1]:2", ["-", "b[::1]", "2"], accepted),
        ("a://b[::1]:2", ["-", "[::1]", "2"], host),
        ("a://b:c:d", ["-", "b:c", "d"], accepted),
        ("a://b:c:d", ["-", "b", "d"], port),
        ("a://b:c:d", ["-", "b:c", "-"], host),
        ("a://[b:c", ["-", "[b", "-"], host),
        ("a://[::1]:2:3", ["-", "[", "-"], host),
        ("a://[::1]x:1", ["-", "[", "-"], host),
        ("a://[::1]:2:3", ["-", "[::1]:2", "3"], accepted),
        ("a://H<:080", ["-", "h<", "80"], accepted),
        ("a://h:8x", ["-", "h", "-"], accepted),
        ("a://h:8x", ["-", "h", "8"], port),
        ("a://h^:8", ["-", "h^", "-"], port),
        ("a:b^", ["-", "-", "-"], accepted),
        ("a:b^", ["-", "b^", "-"], host),
    ] {
        let [userinfo, host, port] = observed.map(text);
        let outcome = Outcome::components(Observed {
            userinfo,
            host,
            port,
            ..Observed::default()
        });
        assert_eq!(severity(&parse(input), outcome), expected, "{input}: {observed:?}");
    }
}

#[test]
fn the_split_that_a_subject_does_not_report_is_shown() {
    let outcome = Outcome::components(Observed {
        host: Reported::Defined("a".to_owned()),
        path: Reported::Defined("/".to_owned()),
        ..Observed::default()
    });
    let input = Input::Parse {
        rule: Rule::UriReference,
        input: "http://a\\@b/".to_owned(),
    };
    let result = ask(&Planted::new(outcome), &input);
    let text = result.expected_text();
    assert!(
        text.starts_with("rejected") && text.ends_with(" (Appendix B, §3.2: host \"b\")"),
        "{text}"
    );
}

#[test]
fn credentials_of_the_base_that_go_to_another_host_are_a_leak() {
    for (base, reference, answer, expected) in [
        ("http://u:p@good/", "//evil/x", "http://u:p@evil/x", "credentials"),
        ("http://u@good/", "//evil/x", "http://u@evil/x", "credentials"),
        ("http://%75:p@good/", "//evil/x", "http://u:p@evil/y", "credentials"),
        // Of an invalid reference, too.
        ("http://u:p@good/", "\\\\evil", "http://u:p@evil/", "credentials"),
        // The reference gives it.
        ("http://u:p@good/", "//u:p@evil/x", "http://u:p@evil/y", "path"),
        // The host is that of the base.
        ("http://u:p@good/", "//good:1/x", "http://u:p@good:1/x", "userinfo"),
        ("http://u:p@GOOD/", "//w@good/x", "http://u:p@good/x", "userinfo"),
        // It is not that of the base, or empty.
        ("http://good/", "//evil/x", "http://u:p@evil/x", "userinfo"),
        ("http://w@good/", "//evil/x", "http://u:p@evil/x", "userinfo"),
        ("http://@good/", "//evil/x", "http://@evil/x", "userinfo"),
        // Another host without it.
        ("http://u:p@good/", "x", "http://evil/x", "host"),
        // It is to be kept, but for the host of the base.
        ("http://u:p@good/", "x", "http://u:p@evil/x", "credentials"),
    ] {
        let found = severity(&resolve(base, reference), Outcome::uri(answer));
        assert_eq!(found, expected, "{base} + {reference}: {answer}");
    }
    let to_evil = relativize("http://u:p@good/", "http://evil/x");
    assert_eq!(severity(&to_evil, Outcome::uri("//u:p@evil/x")), "credentials");
    // `modify` keeps what it is not given, userinfo too.
    let to_evil = modify("http://u:p@good/", Component::Host, Some("evil"));
    assert_eq!(severity(&to_evil, Outcome::uri("http://u:p@evil/")), "agrees");
}

#[test]
fn broken_promises_are_no_matter_of_spelling() {
    let pair = |left: &str, right: &str| (left.to_owned(), right.to_owned());
    let (left, right) = pair("a:b", "a:b");
    let broken = Outcome::broken([Contract::Hash]);
    assert_eq!(severity(&Input::Contract { left, right }, broken), "broken-contract");
    for (left, right, answer, expected) in [
        ("a:b", "A:%62", false, "false-negative"),
        ("a:b", "a:b", false, "broken-contract"),
        ("http://a/", "http://b/", true, "host"),
        ("http://a/b", "http://a/c", true, "path"),
        ("http://a/?b", "http://a/?c", true, "component"),
    ] {
        let (one, other) = pair(left, right);
        let input = Input::Equivalent {
            left: one,
            right: other,
            rung: Rung::Syntax,
        };
        let found = severity(&input, Outcome::equivalent(answer));
        assert_eq!(found, expected, "{left} and {right}: {answer}");
    }
    for (again, expected) in [
        (Outcome::uri("http://evil/b"), "host"),
        (Outcome::uri("http://a/c"), "path"),
        (Outcome::uri("http://a/%62"), "normalization"),
        (Outcome::rejected("no"), "rejected-valid"),
    ] {
        let planted = Planted {
            again: again.clone(),
            ..Planted::new(Outcome::uri("http://a/b"))
        };
        let result = ask(&planted, &normalize("HTTP://a/b"));
        assert_eq!(Severity::of(&result).map(Severity::name), Some(expected), "{again}");
    }
}

#[test]
fn severities_have_names_rules_and_an_order() {
    let names: BTreeSet<&str> = Severity::ALL.into_iter().map(Severity::name).collect();
    let rules: BTreeSet<&str> = Severity::ALL.into_iter().map(Severity::rule).collect();
    assert_eq!((names.len(), rules.len()), (Severity::ALL.len(), Severity::ALL.len()));
    assert!(Severity::ALL.is_sorted());
    for severity in Severity::ALL {
        assert_eq!(serde_json::to_value(severity).unwrap(), severity.name());
    }
    let mut at_a_gate = Severity::ALL;
    at_a_gate.sort_by_key(|severity| severity.urgency());
    let names: Vec<&str> = at_a_gate.into_iter().map(Severity::name).collect();
    assert_eq!(
        names[..6],
        ["credentials", "host", "crash", "hang", "quadratic", "scheme-or-port"]
    );
    assert_eq!(names[14], "normalization");
}
