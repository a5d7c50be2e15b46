//! Suites that are made from the grammar run on the command line.

use std::fs;

use serde_json::{Value, json};
use uriproof_lab::machines::Machines;
use uriproof_lab::predict::Predictor;
use uriproof_lab::score::Depth;
use uriproof_lab::sweep::{Sweep, SweepPlan};
use uriproof_subjects::SUBJECTS;

use super::{refused, uriproof};

#[test]
fn grammar_prints_the_machines() {
    let done = uriproof(&["grammar"]);
    assert_eq!(done.stdout.lines().count(), 1 + 36 + 2, "{}", done.stdout);
    let done = uriproof(&["grammar", "port", "--profile", "port-65535"]);
    assert!(done.stdout.starts_with("port: 11 states"), "{}", done.stdout);
    assert!(refused(&["grammar", "--profile", "claimed"]).contains("no subject here"));

    let done = uriproof(&["grammar", "URI-reference", "--format", "json", "--max-length", "2"]);
    let machine: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((&machine["states"], &machine["classes"]), (&json!(183), &json!(21)));
    assert_eq!(machine["accepted_over_bytes"], json!(["1", "81", "6615"]));

    let done = uriproof(&["grammar", "dec-octet", "--format", "dot"]);
    assert!(done.stdout.starts_with("digraph"), "{}", done.stdout);
    assert!(refused(&["grammar", "--format", "dot"]).contains("needs a rule"));
    let done = uriproof(&["grammar", "--components"]);
    assert!(
        done.stdout.contains("1217 states") && done.stdout.contains("153 different outputs"),
        "{}",
        done.stdout
    );
    assert!(uriproof(&["grammar", "--components", "--format", "dot"]).stdout.starts_with("digraph"));
    assert!(refused(&["grammar", "--prove", "--format", "dot"]).contains("no graph"));
    assert!(uriproof(&["grammar", "URL"]).stderr.contains("no rule of Appendix A"));
}

#[test]
fn reach_counts_what_inputs_reach() {
    let few = ["reach", "--seed", "7", "--inputs", "50"];
    let done = uriproof(&few);
    assert_eq!(
        (done.status, done.stderr.as_str()),
        (1, ""),
        "fifty inputs do not reach all"
    );
    let first = done.stdout.lines().next().unwrap();
    assert!(first.ends_with("reached by 50 inputs of seed 7"), "{first}");
    assert!(done.stdout.contains("not reached\n"), "{}", done.stdout);
    assert_eq!(done.stdout, uriproof(&few).stdout);

    let done = uriproof(&[&few[..], &["--format", "json"]].concat());
    let reach: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((&reach["seed"], &reach["inputs"]), (&json!(7), &json!(50)));
    let sections = reach["sections"].as_array().unwrap();
    let rows: usize = sections.iter().map(|section| section["rows"].as_array().unwrap().len()).sum();
    assert!(first.contains(&format!(" of {rows} ")), "{first}, {rows} rows");
    assert_eq!(sections[0]["name"], "ABNF alternatives");
    assert!(sections[0]["rows"][0]["name"].is_string() && sections[0]["rows"][0]["inputs"].is_u64());
}

#[test]
fn a_complete_suite_earns_a_certificate_or_finds_what_differs() {
    let done = uriproof(&[
        "complete",
        "--format",
        "json",
        "--subject",
        "oxiri*Iri::parse",
        "--subject",
        "rhymuri",
    ]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert_eq!(done.stderr, "", "no progress where no terminal is");
    let rows: Vec<Value> = serde_json::from_str(&done.stdout).unwrap();
    let [oxiri, rhymuri] = rows.as_slice() else {
        panic!("two subjects: {}", done.stdout)
    };
    assert_eq!(oxiri["rule"], "URI");
    assert_eq!(
        (&oxiri["valid"]["diverge"], &oxiri["invalid"]["diverge"]),
        (&json!(0), &json!(0))
    );
    let certificate = &oxiri["certificates"][0];
    assert_eq!(certificate["method"], "HSI, k = 0, over one character of each class");
    assert_eq!(certificate["machine"]["states"], 180);
    assert_eq!(certificate["classes"].as_array().unwrap().len(), 21);
    assert!(
        certificate["proves"].as_str().unwrap().contains("at most 180 states"),
        "{certificate}"
    );
    assert!(!certificate["assumes"].as_array().unwrap().is_empty());
    assert!(!certificate["does_not_mean"].as_array().unwrap().is_empty());
    assert_eq!(rhymuri["certificates"], json!([]));
    assert_eq!(rhymuri["clusters"][0]["witness"], "%");
}

#[test]
fn a_sweep_counts_as_the_machine_does() {
    let done = uriproof(&[
        "sweep",
        "--max-length",
        "3",
        "--format",
        "json",
        "--subject",
        "reference",
    ]);
    assert_eq!(done.status, 0);
    let rows: Vec<Value> = serde_json::from_str(&done.stdout).unwrap();
    let grammar = uriproof(&["grammar", "URI-reference", "--format", "json", "--max-length", "3"]);
    let machine: Value = serde_json::from_str(&grammar.stdout).unwrap();
    let counted: u64 = machine["accepted_over_classes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|count| count.as_str().unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(rows[0]["valid"]["asked"], counted);
    assert_eq!(
        rows[0]["valid"]["asked"].as_u64().unwrap() + rows[0]["invalid"]["asked"].as_u64().unwrap(),
        9724
    );
}

#[test]
fn a_sweep_is_stopped_and_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("sweep.json");
    let state = state.to_str().unwrap();
    let sweep = |length| {
        let arguments = [
            "sweep",
            "--format",
            "json",
            "--subject",
            "uriparse*URIReference*",
            "--max-length",
            length,
        ];
        let whole = uriproof(&arguments);
        let stored = uriproof(&[&arguments[..], &["--state", state]].concat());
        assert_eq!((stored.status, &stored.stdout), (whole.status, &whole.stdout));
    };
    sweep("4");
    // As it stands after a stop.
    let text = fs::read_to_string(state).unwrap();
    let machines = Machines::of_rfc3986();
    let subject = SUBJECTS.iter().find(|subject| subject.declaration().label().contains("URIReference")).unwrap();
    let predictor = Predictor::of(&uriproof_cli::known::ledger(), subject.declaration());
    let predictor = predictor.as_ref();
    let mut half = Sweep::new(SweepPlan::of(*subject, &machines, (4, Depth::Acceptance), predictor));
    assert!(half.go_on(&machines, (*subject, predictor), |_| (), &|| false));
    let half = serde_json::to_value([half]).unwrap();
    let asked = |sweeps: &Value| sweeps[0]["invalid"]["agree"].as_u64().unwrap();
    let whole: Value = serde_json::from_str(&text).unwrap();
    assert!(asked(&half) > 0 && asked(&half) < asked(&whole), "{half}");
    fs::write(state, half.to_string()).unwrap();
    sweep("4");
    assert_eq!(fs::read_to_string(state).unwrap(), text);
    // Another plan begins beside it.
    sweep("2");
    let both: Value = serde_json::from_str(&fs::read_to_string(state).unwrap()).unwrap();
    assert_eq!(both.as_array().unwrap().len(), 2);

    fs::write(state, "[{}]").unwrap();
    let message = refused(&["sweep", "--state", state]);
    assert!(
        message.contains("sweep.json is no stored sweep") && message.contains("delete it"),
        "{message}"
    );
}

/// A subject that answers otherwise than the one that was swept, under the same name and version.
#[test]
fn a_stored_sweep_of_a_built_in_subject_is_put_again() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("sweep.json");
    let sweep = |subject: &str| {
        let path = state.to_str().unwrap();
        uriproof(&["sweep", "--max-length", "2", "--subject", subject, "--state", path])
    };
    let read = || -> Value { serde_json::from_str(&fs::read_to_string(&state).unwrap()).unwrap() };
    assert_eq!(sweep("reference").status, 0);
    let mut stored = read();
    assert_eq!(stored[0]["agreed"].as_array().unwrap().len(), 200);
    let label = |name: &str| {
        let labels = SUBJECTS.iter().map(|subject| subject.declaration().label());
        labels.into_iter().find(|label| label.starts_with(name)).unwrap()
    };
    stored[0]["plan"]["subject"] = label("urlparse 0").into();
    fs::write(&state, stored.to_string()).unwrap();
    let done = sweep("urlparse 0*");
    assert_eq!(done.status, 2, "{}{}", done.stdout, done.stderr);
    assert!(
        done.stderr.contains("sweep.json: the stored sweep is of another program: "),
        "{}",
        done.stderr
    );
    // The same subject goes on with what is stored.
    stored[0]["plan"]["subject"] = label("reference").into();
    fs::write(&state, stored.to_string()).unwrap();
    assert_eq!(sweep("reference").status, 0);
    assert_eq!(read(), stored);
}

#[test]
fn profiles_are_other_languages() {
    let complete = |profile: &str, subject: &str| {
        let done = uriproof(&[
            "complete",
            "--format",
            "json",
            "--profile",
            profile,
            "--subject",
            subject,
        ]);
        let mut rows: Vec<Value> = serde_json::from_str(&done.stdout).unwrap();
        rows.remove(0)
    };
    let row = complete("claimed", "oxiri*IriRef*");
    assert_eq!(
        (&row["language"], &row["invalid"]["diverge"]),
        (&json!("RFC 3986 with iri"), &json!(0))
    );
    assert_eq!(row["valid"]["not_compared"], 0);
    // RFC 3986 is not RFC 6874, and a parser of the one is not one of the other.
    let row = complete("zone-id", "fluent*UriRef*");
    assert_eq!(row["invalid"]["diverge"], 0);
    assert!(row["clusters"][0]["difference"] == "rejected though valid", "{row}");
    let message = refused(&["complete", "--profile", "iri", "--profile", "host-not-empty"]);
    assert!(
        message.contains("do not go together: host-not-empty changes the rule reg-name"),
        "{message}"
    );
    assert!(uriproof(&["complete", "--profile", "url"]).stderr.contains("there are iri, port-65535"));
}
