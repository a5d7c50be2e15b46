//! The vectors of `vectors/whatwg/`: the outcome and the validation errors of each, and the cases of functions.

mod functions;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use whatwg_url_reference::api::UrlObject;
use whatwg_url_reference::host::UrlHost;
use whatwg_url_reference::parser::{BasicUrlParse, basic_url_parser};
use whatwg_url_reference::record::{UrlPath, UrlRecord};
use whatwg_url_reference::serializer::{UrlFragment, equals, serialize, serialize_path};
use whatwg_url_reference::validation::ValidationError;

/// A file beside the vectors' folder, or in it.
fn read(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/whatwg").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The vectors of every file.
fn vectors() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/whatwg");
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let beside = ["clauses.json", "functions.json", "functions.schema.json"];
    names.retain(|name| name.ends_with(".json") && !beside.contains(&&**name));
    names.iter().flat_map(|name| read(name)["vectors"].as_array().unwrap().clone()).collect()
}

/// The text of a field.
fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("`{field}` is no string: {value}"))
}

fn href(url: &UrlRecord) -> String {
    serialize(url, UrlFragment::Included)
}

/// The URL of a string; `None` is failure.
fn url(text: &str) -> Option<UrlRecord> {
    basic_url_parser(text, None).url
}

fn errors(parse: &BasicUrlParse) -> Vec<String> {
    parse.errors.iter().map(ToString::to_string).collect()
}

/// The outcome with one field, or a rejection.
fn outcome(field: &str, value: Option<Value>) -> Value {
    match value {
        None => json!({ "outcome": "rejected" }),
        Some(value) => json!({ "outcome": "accepted", field: value }),
    }
}

fn components(url: &UrlRecord) -> Value {
    let userinfo = match (url.username(), url.password()) {
        ("", "") => None,
        (username, "") => Some(username.to_owned()),
        (username, password) => Some(format!("{username}:{password}")),
    };
    let kind = |host: &UrlHost| match host {
        UrlHost::Ipv4(_) => "ipv4",
        UrlHost::Ipv6(_) => "ipv6",
        UrlHost::Domain(_) | UrlHost::Opaque(_) | UrlHost::Empty => "reg-name",
    };
    assert_eq!(matches!(url.path(), UrlPath::Opaque(_)), url.has_opaque_path());
    json!({
        "scheme": url.scheme(),
        "userinfo": userinfo,
        "host": url.host().map(ToString::to_string),
        "host_kind": url.host().map(kind),
        "port": url.port().map(|port| port.to_string()),
        "path": serialize_path(url),
        "query": url.query(),
        "fragment": url.fragment(),
    })
}

/// The URL that a setter leaves.
fn modified(input: &Value) -> String {
    let mut url = UrlObject::new(text(input, "uri"), None).unwrap();
    let value = input["value"].as_str();
    match (text(input, "component"), value) {
        ("scheme", Some(value)) => url.set_protocol(value),
        ("userinfo", value) => {
            let userinfo = value.unwrap_or_default();
            let (username, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
            url.set_username(username);
            url.set_password(password);
        }
        ("host", Some(value)) => url.set_hostname(value),
        ("port", value) => url.set_port(value.unwrap_or_default()),
        ("path", Some(value)) => url.set_pathname(value),
        ("query", value) => url.set_search(&value.map(|query| format!("?{query}")).unwrap_or_default()),
        ("fragment", value) => url.set_hash(&value.map(|fragment| format!("#{fragment}")).unwrap_or_default()),
        (component, value) => panic!("{component} cannot be {value:?}"),
    }
    url.href()
}

/// What the reference does with the input of a vector, and its validation errors.
fn answer(input: &Value) -> (Value, Vec<String>) {
    let uri = |url: Option<UrlRecord>| outcome("uri", url.as_ref().map(href).map(Value::from));
    match text(input, "operation") {
        "parse" => {
            let parse = basic_url_parser(text(input, "input"), None);
            (
                outcome("components", parse.url.as_ref().map(components)),
                errors(&parse),
            )
        }
        "resolve" => match url(text(input, "base")) {
            None => (outcome("uri", None), Vec::new()),
            Some(base) => {
                let parse = basic_url_parser(text(input, "reference"), Some(&base));
                let errors = errors(&parse);
                (uri(parse.url), errors)
            }
        },
        "normalize" | "round-trip" => (uri(url(text(input, "uri"))), Vec::new()),
        "equivalent" => {
            let both = url(text(input, "left")).zip(url(text(input, "right")));
            let equal = both.map(|(left, right)| Value::from(equals(&left, &right, UrlFragment::Included)));
            (outcome("equivalent", equal), Vec::new())
        }
        "modify" => (outcome("uri", Some(modified(input).into())), Vec::new()),
        other => panic!("the standard has no operation {other}"),
    }
}

#[test]
fn the_reference_answers_as_the_vectors_expect() {
    let vectors = vectors();
    assert!(vectors.len() > 1000, "only {} vectors", vectors.len());
    let mut wrong = Vec::new();
    for vector in &vectors {
        let (answer, errors) = answer(&vector["input"]);
        let expected = (
            &vector["expect"]["whatwg"],
            vector.get("errors").cloned().unwrap_or(json!([])),
        );
        if (&answer, json!(errors)) != expected {
            wrong.push(format!("{}: {answer} {errors:?}", text(vector, "id")));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} vectors differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn each_validation_error_is_that_of_a_vector() {
    let vectors = vectors();
    let found: BTreeSet<&str> = vectors
        .iter()
        .flat_map(|vector| vector["errors"].as_array().into_iter().flatten())
        .map(|error| error.as_str().unwrap().split(' ').next().unwrap())
        .collect();
    let all: BTreeSet<&str> = ValidationError::ALL.iter().map(|error| error.name()).collect();
    assert_eq!(found, all);
}
