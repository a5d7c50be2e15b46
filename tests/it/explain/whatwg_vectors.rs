//! Every vector of the URL Standard has an explanation by the standard that agrees with it.

use serde_json::Value;
use uriproof::model::{Expectation, Input, WhatwgVector};
use uriproof::vectors::Library;
use uriproof_cli::explain::whatwg::UrlExplanation;

use super::{explained, json_of};
use crate::process::{program, run};

/// The errors of an explanation, as a vector has them.
fn errors(explanation: &UrlExplanation) -> Vec<String> {
    explanation.errors.iter().map(|one| format!("{} at byte {}", one.name, one.offset)).collect()
}

/// Whether the explanation says what the vector expects.
fn agrees(vector: &WhatwgVector, urls: &[UrlExplanation]) -> bool {
    let has_errors = matches!(vector.input, Input::Parse { .. } | Input::Resolve { .. });
    if has_errors && !urls[0].is_base_refused && errors(&urls[0]) != vector.errors {
        return false;
    }
    let hrefs: Vec<Option<&str>> = urls.iter().map(|one| one.href.as_deref()).collect();
    match (&vector.expect.whatwg, &hrefs[..]) {
        (Expectation::Rejected, hrefs) => hrefs.contains(&None),
        (Expectation::Components(components), [Some(_)]) => {
            let part = |name: &str| urls[0].parts.iter().find(|part| part.name == name).map(|part| part.text.as_str());
            (part("scheme"), part("host").unwrap_or_default())
                == (
                    components.scheme.as_deref(),
                    components.host.as_deref().unwrap_or_default(),
                )
                && part("query") == components.query.as_deref()
        }
        (Expectation::Equivalent(is_equivalent), [Some(left), Some(right)]) => (left == right) == *is_equivalent,
        (Expectation::Uri(uri), [.., Some(href)]) => uri == href,
        _ => false,
    }
}

#[test]
fn every_vector_of_the_url_standard_is_explained_as_it_expects() {
    let library = Library::embedded();
    let vectors = library.whatwg.files.iter().flat_map(|file| &file.content.vectors);
    let mut seen = 0;
    for vector in vectors {
        let urls = UrlExplanation::of_input(&vector.input);
        assert!(agrees(vector, &urls), "{}: {urls:#?}", vector.id);
        assert!(urls.iter().all(|one| one.is_base_refused || one.input.is_empty() || !one.states.is_empty()));
        seen += 1;
    }
    assert!(seen > 1000, "{seen}");
}

#[test]
fn a_vector_of_the_url_standard_is_printed_with_its_clauses_and_the_states() {
    let printed = explained(&["--vector", "whatwg/equivalence/default-port"]);
    for line in [
        "vector        whatwg/equivalence/default-port",
        "operation     equivalent, must",
        "cited",
        "states",
        "  #concept-url-equals/3  Return true if serializedA is serializedB; otherwise",
        "\"http://h:80/\": accepted: the URL \"http://h/\"",
    ] {
        assert!(
            printed.lines().any(|other| other == line),
            "{line:?} is not in {printed}"
        );
    }
    assert_eq!(
        printed.matches("accepted: the URL \"http://h/\"").count(),
        2,
        "{printed}"
    );
    assert!(!printed.contains('§') && !printed.contains("RFC 3986"), "{printed}");

    let rejected =
        Library::embedded().whatwg.files.iter().flat_map(|file| file.content.vectors.clone()).find(|vector| {
            matches!(vector.input, Input::Parse { .. }) && vector.expect.whatwg == Expectation::Rejected
        });
    let rejected = rejected.unwrap();
    let printed = explained(&["--vector", &rejected.id]);
    assert!(
        printed.contains("failure: ") && printed.contains(&format!("errors        {}", rejected.errors.join(", ")))
    );
}

/// One of RFC 3986 is explained by the standard where that is named; of its own it says the same with or without the name.
#[test]
fn a_vector_is_explained_by_the_standard_that_is_named() {
    let whatwg = ["--specification", "whatwg", "--vector"];
    let printed = explained(&[&whatwg[..], &["rfc/5.4.1/query-only"]].concat());
    assert!(
        printed.starts_with("vector        rfc/5.4.1/query-only\n")
            && printed.contains("\nwhatwg        \"http://a/b/c/d;p?y\""),
        "{printed}"
    );
    assert!(
        printed.contains("accepted: the URL \"http://a/b/c/d;p?y\""),
        "{printed}"
    );
    let own = "whatwg/equivalence/default-port";
    assert_eq!(
        explained(&[&whatwg[..], &[own]].concat()),
        explained(&["--vector", own])
    );
}

#[test]
fn a_vector_of_the_url_standard_is_data_too() {
    let json = json_of(&["--vector", "whatwg/equivalence/default-port"]);
    assert_eq!(json["vector"]["expect"]["whatwg"]["equivalent"], true);
    assert_eq!(json["clauses"][0]["id"], json["vector"]["clauses"][0]);
    let hrefs: Vec<&Value> = json["urls"].as_array().unwrap().iter().map(|url| &url["href"]).collect();
    assert_eq!(hrefs, ["http://h/"; 2]);
}

#[test]
fn every_vector_of_the_url_standard_can_be_explained() {
    for vector in Library::embedded().whatwg.vectors.iter().step_by(97) {
        let printed = explained(&["--vector", &vector.id]);
        assert!(
            printed.starts_with(&format!("vector        {}\n", vector.id)),
            "{printed}"
        );
    }
}

#[test]
fn the_url_standard_has_no_derivation_down_to_characters() {
    let done = run(program().args(["explain", "--full", "--vector", "whatwg/equivalence/default-port"]));
    assert_eq!(done.status, 2);
    assert!(
        done.stderr.contains("--full is for the grammar of RFC 3986"),
        "{}",
        done.stderr
    );
}
