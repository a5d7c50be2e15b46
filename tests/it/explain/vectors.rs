//! Every vector has an explanation that agrees with the reference.

use rfc3986_reference::components::parse;
use serde_json::Value;
use uriproof::expect::{expect, from_vector};
use uriproof::model::{Expectation, Input, Outcome, Reading, Rule};
use uriproof::vectors::Library;
use uriproof_cli::explain::why::Why;
use uriproof_cli::explain::{DerivationNode, Detail, ParseExplanation, explain};

use super::{explained, json_of};
use crate::process::{on_one_line, program, run};

/// Checks an explanation against the reference.
#[expect(clippy::too_many_lines, reason = "one comparison for each part of an explanation")]
fn check(input: &str, rule: Rule, library: &Library) {
    fn spells(node: &DerivationNode, input: &str) {
        assert!(input[node.offset..].starts_with(&node.text), "{input:?} {}", node.rule);
        node.children.iter().for_each(|child| spells(child, input));
    }
    let explanation = explain(input, rule, Detail::Characters, library).unwrap();
    match (&explanation.parse, rule.matches(input, Reading::Rfc3986)) {
        (ParseExplanation::Accepted(accepted), Ok(())) => {
            spells(&accepted.tree, input);
            if rule == Rule::UriReference {
                let components = accepted.components.as_ref().unwrap();
                assert_eq!(
                    *components,
                    (&parse(input, Reading::Rfc3986).unwrap()).into(),
                    "{input:?}"
                );
                for (name, value) in [
                    ("scheme", &components.scheme),
                    ("userinfo", &components.userinfo),
                    ("host", &components.host),
                    ("port", &components.port),
                    ("query", &components.query),
                    ("fragment", &components.fragment),
                ] {
                    assert_eq!(find(&accepted.tree, name), value.as_deref(), "{input:?} {name}");
                }
                let path = accepted.path_rule.unwrap().name();
                assert_eq!(find(&accepted.tree, path), Some(&*components.path), "{input:?}");
            }
        }
        (ParseExplanation::Rejected(rejected), Err(error)) => {
            assert_eq!(rejected.viable_prefix, error.offset, "{input:?} as {rule}");
            assert_eq!(rejected.found, input[error.offset..].chars().next());
            assert!(rejected.may_end || !rejected.next.is_empty(), "{input:?} as {rule}");
            assert_eq!(rejected.next.is_empty(), rejected.continuations.is_empty());
            if let Some(nearest) = &rejected.nearest {
                assert!(nearest.edits > 0, "{input:?} as {rule}");
                assert!(
                    rule.matches(&nearest.text, Reading::Rfc3986).is_ok(),
                    "{input:?} as {rule}"
                );
            }
        }
        (_, result) => panic!("{input:?} as {rule}: {result:?}"),
    }
    for reading in Reading::ALL {
        let told = explanation.readings.get(reading);
        let accepted = matches!(explanation.parse, ParseExplanation::Accepted(_));
        let asked = Input::Parse {
            rule,
            input: input.to_owned(),
        };
        let literal = expect(&asked, reading).literal();
        match told {
            Some(told) => assert_eq!(*told, literal, "{input:?} under {reading}"),
            None => assert_eq!(
                matches!(literal, Outcome::Accepted { .. }),
                accepted,
                "{input:?} under {reading}"
            ),
        }
    }
}

fn find<'a>(node: &'a DerivationNode, rule: &str) -> Option<&'a str> {
    if node.rule == rule {
        return Some(&node.text);
    }
    node.children.iter().find_map(|child| find(child, rule))
}

#[test]
fn every_parse_vector_is_explained_as_the_reference_has_it() {
    let library = Library::embedded();
    let mut seen = 0;
    for vector in library.vectors() {
        if let Input::Parse { rule, input } = &vector.input {
            check(input, *rule, &library);
            seen += 1;
        }
    }
    assert!(seen > 300, "{seen}");
}

/// Of how many vectors one may be explained by another of its clauses than the one that it cites first.
const ONE_OF: usize = 30;

/// Every vector that a conforming implementation rejects, in whatever operation: what is printed and what is in the JSON each
/// name a clause that the vector cites, with its words, and without being told which. The rules that could go on do not count.
#[test]
fn every_rejection_is_explained_by_a_clause_that_its_vector_cites() {
    let library = Library::embedded();
    let (mut seen, mut others, mut not_first) = (0, Vec::new(), Vec::new());
    for vector in library.vectors() {
        if *vector.expectation(Reading::Rfc3986) != Expectation::Rejected {
            continue;
        }
        seen += 1;
        let why = Why::of(&vector.input, Detail::Parts, &library).unwrap();
        let human = anstream::adapter::strip_str(&why.human()).to_string();
        let sections = human.split("\n\n").filter(|section| !section.starts_with("could go on"));
        let words = sections.flat_map(str::lines).filter_map(|line| line.strip_prefix("  §")?.split_once("  "));
        let printed: Vec<String> = words.map(|(id, _)| format!("§{id}")).collect();
        let printed: Vec<&str> = printed.iter().map(String::as_str).collect();
        let json = serde_json::to_value(&why).unwrap();
        let mut in_json = Vec::new();
        gather_clauses(&json, &mut in_json);
        for names in [&printed, &in_json] {
            if !vector.clauses.iter().any(|clause| names.contains(&&**clause)) {
                others.push(format!("{} cites {:?}, not {names:?}", vector.id, vector.clauses));
            }
        }
        if !printed.contains(&&*vector.clauses[0]) {
            not_first.push(format!(
                "{} cites {:?} first, not {printed:?}",
                vector.id, vector.clauses[0]
            ));
        }
        // What is told is what decides, and no list of all there is.
        let mut distinct = printed.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert!(distinct.len() <= 8, "{}: {distinct:?}", vector.id);
    }
    assert!(seen > 1200, "{seen}");
    assert!(others.is_empty(), "{}", others.join("\n"));
    let count = not_first.len();
    assert!(count * ONE_OF <= seen, "{count} of {seen}:\n{}", not_first.join("\n"));
}

fn gather_clauses<'a>(json: &'a Value, names: &mut Vec<&'a str>) {
    match json {
        Value::String(text) if text.starts_with('§') => names.push(text),
        Value::Array(items) => items.iter().for_each(|item| gather_clauses(item, names)),
        Value::Object(members) => members.values().for_each(|member| gather_clauses(member, names)),
        _ => {}
    }
}

/// What the program prints of a vector ends with what the test above looks at.
#[test]
fn the_program_prints_why() {
    let library = Library::embedded();
    for id in [
        "syntax/kinds-of-reference/absolute-path-as-uri",
        "resolution/base/reference-with-space",
        "resolution/modify/host-with-unclosed-bracket",
        "resolution/relativize/invalid-base",
    ] {
        let vector = library.vectors().find(|vector| vector.id == id).unwrap();
        let human = Why::of(&vector.input, Detail::Parts, &library).unwrap().human();
        let human = anstream::adapter::strip_str(&human).to_string();
        let printed = explained(&["--vector", id]);
        assert!(
            on_one_line(&printed).ends_with(&format!(" {}", on_one_line(&human))),
            "{printed}\n{human}"
        );
    }
}

/// Each reading's answer stands beside the others', as the vector has it.
#[test]
fn every_contested_vector_is_told_in_every_reading() {
    let library = Library::embedded();
    let mut seen = 0;
    for vector in library.vectors().filter(|vector| vector.is_contested()) {
        let why = Why::of(&vector.input, Detail::Parts, &library).unwrap();
        let answers = match &why {
            Why::Strings(explanations) if matches!(vector.input, Input::Parse { .. }) => &explanations[0].readings,
            Why::Resolution(against) => &against.targets,
            Why::Composition(composition) => &composition.readings,
            // What a vector's strings are, and not what is made of them.
            Why::Strings(_) => continue,
        };
        seen += 1;
        let human = anstream::adapter::strip_str(&why.human()).to_string();
        for (&reading, expectation) in &vector.expect {
            let expected = from_vector(&vector.input, expectation).literal();
            let told = answers.get(reading).unwrap_or_else(|| panic!("{} {reading}", vector.id));
            match (told, &expected) {
                (Outcome::Rejected { .. }, Outcome::Rejected { .. }) => {}
                (told, expected) => assert_eq!(told, expected, "{} {reading}", vector.id),
            }
            let row = format!("\n  {reading} ");
            assert!(human.contains(&row), "{} {reading}:\n{human}", vector.id);
        }
    }
    assert!(seen > 250, "{seen}");
}

#[test]
fn a_vector_is_told_with_its_clauses_and_why_its_components_do_not_go_together() {
    let told = explained(&["--vector", "resolution/recompose/port-without-host"]);
    for line in [
        "input         scheme \"x\" port \"1\" path \"/a\"",
        "rfc3986       rejected",
        "note          the rule authority needs a host",
        "  §3.2/authority  authority = [ userinfo \"@\" ] host [ \":\" port ]",
        "not composed: no URI-reference has these components",
        "  host      undefined",
        "decided by",
    ] {
        assert!(told.lines().any(|other| other == line), "{line:?} is not in {told}");
    }
    let told = json_of(&["--vector", "resolution/recompose/port-without-host"]);
    assert_eq!(told["composition"]["together"]["id"], "§3.2/authority");
    assert_eq!(told["clauses"][0]["id"], "§3.2/authority");
    let told = json_of(&["--vector", "resolution/recompose/number-sign-in-query"]);
    assert_eq!(told["composition"]["unfit"][0]["component"], "query");
    assert_eq!(told["composition"]["unfit"][0]["viable_prefix"], 1);
    assert_eq!(told["composition"]["also"][0]["name"], "encoded");
}

#[test]
fn every_vector_can_be_explained() {
    for vector in Library::embedded().vectors().step_by(97) {
        let told = explained(&["--vector", &vector.id]);
        assert!(told.starts_with(&format!("vector        {}\n", vector.id)), "{told}");
    }
}

#[test]
fn an_unknown_vector_of_the_url_standard_is_refused_with_the_nearest() {
    let done = run(program().args(["explain", "--vector", "whatwg/equivalence/default-prt"]));
    assert_eq!(done.status, 2);
    let meant = "perhaps `whatwg/equivalence/default-port` is meant";
    assert!(done.stderr.contains(meant), "{}", done.stderr);
}

#[test]
fn an_unknown_vector_is_refused_with_the_nearest() {
    let arguments = ["explain", "--vector", "resolution/modify/host-undefined-before-prt"];
    let done = run(program().args(arguments));
    assert_eq!(done.status, 2);
    let meant = "perhaps `resolution/modify/host-undefined-before-port` is meant";
    assert!(done.stderr.contains(meant), "{}", done.stderr);
}
