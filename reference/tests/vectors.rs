//! The reference gives what the vectors expect, under every reading: vectors/README.md: "Running them", word for word. Nothing here knows
//! more of the RFC than that; it is the one test target that `cargo mutants` runs first.

use std::borrow::Cow;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rfc3986_reference::components::{Components, Reference, ReferenceRule, parse, parse_rule};
use rfc3986_reference::elements::{Elements, resolve_through_elements};
use rfc3986_reference::equivalence;
use rfc3986_reference::grammar::{self, HostKind, Rule};
use rfc3986_reference::normalize::{Schemes, scheme_based, syntax_based};
use rfc3986_reference::readings::{Distinguishing, Reading};
use rfc3986_reference::recompose::{compose, recompose};
use rfc3986_reference::resolve::{Strictness, resolve_reference};
use serde_json::{Map, Value, json};

#[path = "vectors/functions.rs"]
mod functions;

/// The readings that an algorithm follows; erratum 4547 changes two printed results, and no algorithm gives them.
const READINGS: [Reading; 5] = [
    Reading::Rfc3986,
    Reading::Erratum4789,
    Reading::Erratum4942,
    Reading::Erratum5428,
    Reading::Elements,
];

/// What the reference answers: an outcome without its key `outcome`, or nothing where it rejects the input.
type Answer = Option<Value>;

#[test]
fn the_reference_gives_what_the_rfc_s_own_examples_expect() {
    assert_gives("rfc/", 100);
}

#[test]
fn the_reference_gives_what_the_vectors_expect() {
    assert_gives("", 900);
}

/// Of the vectors whose ids begin with `prefix`, which are `least` or more.
fn assert_gives(prefix: &str, least: usize) {
    let mut asked = 0;
    let mut wrong = Vec::new();
    for vector in VECTORS.iter().filter(|vector| text(vector, "id").starts_with(prefix)) {
        for reading in READINGS {
            // vectors/README.md: "A reading that is not in `expect` gives the outcome of `rfc3986`."
            let expected = vector["expect"].get(reading.to_string()).unwrap_or(&vector["expect"]["rfc3986"]);
            asked += 1;
            if let Err(difference) = ask(&vector["input"], chosen(&vector["input"], expected), reading) {
                wrong.push(format!("{} under {reading}: {difference}", text(vector, "id")));
            }
        }
    }
    assert!(asked >= least, "only {asked} are asked");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_smallest_inputs_that_tell_a_reading_are_vectors_that_do() {
    for reading in Reading::ALL.into_iter().filter(|reading| *reading != Reading::Rfc3986) {
        assert!(!reading.distinguishing_inputs().is_empty(), "none for {reading}");
        for told in reading.distinguishing_inputs() {
            let input = match told {
                Distinguishing::Parse(input) => {
                    json!({ "operation": "parse", "rule": "URI-reference", "input": input })
                }
                Distinguishing::Resolve { base, reference } => {
                    json!({ "operation": "resolve", "base": base, "reference": reference, "strict": true })
                }
            };
            let tells = |vector: &Value| vector["input"] == input && vector["expect"].get(reading.id()).is_some();
            assert!(VECTORS.iter().any(tells), "no vector for {reading}: {input}");
        }
    }
}

/// Every vector, in the order of the files.
static VECTORS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for file in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors")) {
        match json_of(&file)["vectors"].take() {
            Value::Array(vectors) => all.extend(vectors),
            other => panic!("{}: `vectors` is {other}", file.display()),
        }
    }
    all
});

fn json_of(file: &Path) -> Value {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Every file of vectors of RFC 3986: those of the folders, not the schemas and the clauses beside them, nor the generated suites.
fn files(vectors: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        entries.map(|entry| entry.expect("an entry of a folder can be read").path()).collect()
    };
    let folders = entries(vectors).into_iter().filter(|path| path.is_dir() && !path.ends_with("whatwg"));
    let mut files: Vec<_> = folders.flat_map(|folder| entries(&folder)).filter(|path| path.is_file()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files
}

/// What was accepted, or nothing; a rejection has words, whatever they are.
fn accepted<T, E: Display>(result: Result<T, E>) -> Option<T> {
    result.map_err(has_words).ok()
}

fn has_words(named: impl Display) {
    assert!(!named.to_string().is_empty(), "it says nothing");
}

/// The outcome that the reference has chosen where several conform: the literal one; a fragment of the base dropped, and
/// no scheme's own rules; a relative base refused; a path that cannot lose its dot-segments kept; a port compared as a
/// number; an empty port kept by syntax-based normalization and omitted by scheme-based.
fn chosen<'a>(input: &Value, expected: &'a Value) -> &'a Value {
    let Some(outcomes) = expected["outcomes"].as_array() else {
        return expected;
    };
    let is_of_scheme = input["scope"] == "scheme" || input["rung"] == "scheme";
    let port = if is_of_scheme { "omitted" } else { "kept" };
    let by_name = |name: &str| outcomes.iter().find(|one| one["name"] == name);
    let chosen = [
        "literal",
        "generic",
        "fragment-dropped",
        "base-refused",
        "unchanged",
        "by-number",
        port,
    ];
    let choice = chosen.into_iter().find_map(by_name);
    &choice.unwrap_or_else(|| panic!("no outcome that the reference chooses: {expected}"))["outcome"]
}

fn ask(input: &Value, expected: &Value, reading: Reading) -> Result<(), String> {
    let operation = text(input, "operation");
    let answer = match operation {
        "parse" => return ask_parse(text(input, "rule"), text(input, "input"), expected, reading),
        "resolve" => uri(resolve(input, reading)),
        "normalize" => uri(match text(input, "scope") {
            "syntax" => accepted(syntax_based(text(input, "uri"), reading)),
            "scheme" => accepted(scheme_based(text(input, "uri"), &Schemes::default(), reading)),
            other => panic!("no scope {other}"),
        }),
        "compose" => uri(composed(&Parts::of(&input["components"]), reading)),
        "equivalent" => equivalent(input, reading).map(|verdict| json!({ "equivalent": verdict })),
        "relativize" => return ask_relativize(input, expected, reading),
        "modify" => uri(modified(input, reading)),
        "round-trip" => match parse(text(input, "uri"), reading) {
            Ok(parsed) => uri(Some(recompose(&parsed.components))),
            // What is invalid under another reading is for its `parse` to reject.
            Err(_) if reading != Reading::Rfc3986 => return Ok(()),
            Err(_) => None,
        },
        "contract" => contract(text(input, "left"), text(input, "right"), reading),
        other => panic!("no operation {other}"),
    };
    same(answer, expected)
}

fn same(answer: Answer, expected: &Value) -> Result<(), String> {
    let answer = match answer {
        None => json!({ "outcome": "rejected" }),
        Some(Value::Object(mut value)) => {
            value.insert("outcome".to_owned(), json!("accepted"));
            Value::Object(value)
        }
        Some(other) => panic!("{other} is no outcome"),
    };
    if answer == *expected {
        Ok(())
    } else {
        Err(format!("{answer}, not {expected}"))
    }
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("no text `{key}` in {value}"))
}

fn uri(answer: Option<String>) -> Answer {
    answer.map(|uri| json!({ "uri": uri }))
}

/// By the functions of the grammar and, for the rules that have components, by those that find them.
fn ask_parse(name: &str, input: &str, expected: &Value, reading: Reading) -> Result<(), String> {
    let rule = Rule::from_name(name).unwrap_or_else(|| panic!("no rule {name}"));
    let matches = rule.matches(input, reading).is_ok();
    let Ok(rule) = ReferenceRule::try_from(rule) else {
        return same(matches.then(|| json!({})), expected);
    };
    let parsed = accepted(parse_rule(rule, input, reading));
    if parsed.is_some() != matches {
        return Err(format!("the grammar says {matches}, the components {}", !matches));
    }
    let components = parsed.and_then(|parsed| match reading {
        Reading::Elements => elements(&parsed),
        _ => Some(components(&parsed)),
    });
    same(
        components.map(|components| json!({ "components": components })),
        expected,
    )
}

fn components(parsed: &Reference<'_>) -> Map<String, Value> {
    let Reference { components, authority } = parsed;
    let host_kind = authority.map(|authority| match authority.host_kind {
        HostKind::Ipv6 => "ipv6",
        HostKind::IpvFuture => "ipvfuture",
        HostKind::Ipv4 => "ipv4",
        HostKind::RegName => "reg-name",
    });
    let all = json!({
        "scheme": components.scheme,
        "userinfo": authority.and_then(|authority| authority.userinfo),
        "host": authority.map(|authority| authority.host),
        "host_kind": host_kind,
        "port": authority.and_then(|authority| authority.port),
        "path": components.path,
        "query": components.query,
        "fragment": components.fragment,
    });
    match all {
        Value::Object(all) => all,
        other => unreachable!("{other} was made an object"),
    }
}

/// What the model keeps: what is empty is absent, and so is what stands beside an absent host.
fn elements(parsed: &Reference<'_>) -> Option<Map<String, Value>> {
    let elements = accepted(Elements::from_reference(parsed))?;
    let mut kept = components(parsed);
    let if_any = |text: &str| if text.is_empty() { Value::Null } else { json!(text) };
    let has_host = !elements.host.is_empty();
    let beside_host = |value: Value| if has_host { value } else { Value::Null };
    let host_kind = kept["host_kind"].take();
    let port = if elements.has_port {
        json!(elements.port.to_string())
    } else {
        Value::Null
    };
    for (name, value) in [
        ("scheme", if_any(&elements.scheme)),
        ("userinfo", beside_host(if_any(&elements.user_info))),
        ("host", if_any(&elements.host)),
        ("host_kind", beside_host(host_kind)),
        ("port", beside_host(port)),
        ("query", if_any(&elements.query)),
        ("fragment", if_any(&elements.fragment)),
    ] {
        kept.insert(name.to_owned(), value);
    }
    Some(kept)
}

fn resolve(input: &Value, reading: Reading) -> Option<String> {
    let strictness = match input["strict"].as_bool() {
        Some(true) => Strictness::Strict,
        Some(false) => Strictness::NonStrict,
        None => panic!("no `strict` in {input}"),
    };
    let (base, reference) = (text(input, "base"), text(input, "reference"));
    match reading {
        Reading::Elements => accepted(resolve_through_elements(base, reference, strictness)),
        _ => accepted(resolve_reference(base, reference, strictness, reading)),
    }
}

/// The seven components of a vector that is to be composed.
struct Parts<'a> {
    scheme: Option<&'a str>,
    userinfo: Option<&'a str>,
    host: Option<&'a str>,
    port: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(components: &'a Value) -> Parts<'a> {
        let of = |name: &str| match &components[name] {
            Value::Null => None,
            value => Some(value.as_str().unwrap_or_else(|| panic!("`{name}` is {value}"))),
        };
        Parts {
            scheme: of("scheme"),
            userinfo: of("userinfo"),
            host: of("host"),
            port: of("port"),
            path: text(components, "path"),
            query: of("query"),
            fragment: of("fragment"),
        }
    }
}

fn composed(parts: &Parts<'_>, reading: Reading) -> Option<String> {
    let Parts {
        userinfo, host, port, ..
    } = *parts;
    let subcomponents_match = userinfo.is_none_or(|userinfo| grammar::userinfo(userinfo).is_ok())
        && host.is_none_or(|host| grammar::host(host, reading).is_ok())
        && port.is_none_or(|port| grammar::port(port).is_ok());
    if !subcomponents_match || host.is_none() && (userinfo.is_some() || port.is_some()) {
        return None;
    }
    let authority = host.map(|host| {
        let userinfo = userinfo.map(|userinfo| format!("{userinfo}@")).unwrap_or_default();
        let port = port.map(|port| format!(":{port}")).unwrap_or_default();
        format!("{userinfo}{host}{port}")
    });
    let components = Components {
        scheme: parts.scheme,
        authority: authority.as_deref(),
        path: Cow::Borrowed(parts.path),
        query: parts.query,
        fragment: parts.fragment,
    };
    accepted(compose(&components, reading))
}

fn modified(input: &Value, reading: Reading) -> Option<String> {
    let mut all = components(&accepted(parse(text(input, "uri"), reading))?);
    all.insert(text(input, "component").to_owned(), input["value"].clone());
    // "the path component is never undefined" (RFC 3986 §5.2.1).
    if all["path"].is_null() {
        return None;
    }
    composed(&Parts::of(&Value::Object(all)), reading)
}

fn equivalent(input: &Value, reading: Reading) -> Option<bool> {
    let (left, right) = (text(input, "left"), text(input, "right"));
    match text(input, "rung") {
        "simple" => accepted(equivalence::simple(left, right, reading)),
        "syntax" => accepted(equivalence::syntax_based(left, right, reading)),
        "scheme" => accepted(equivalence::scheme_based(left, right, &Schemes::default(), reading)),
        other => panic!("no rung {other}"),
    }
}

/// The answer of the vector resolves to the target, with the dot-segments of the target removed or not.
fn ask_relativize(input: &Value, expected: &Value, reading: Reading) -> Result<(), String> {
    let (base, target) = (text(input, "base"), text(input, "target"));
    let resolved = |reference: &str| accepted(resolve_reference(base, reference, Strictness::Strict, reading));
    if expected["outcome"] == "rejected" {
        return match resolved(target) {
            None => Ok(()),
            Some(_) => Err("it can be resolved".to_owned()),
        };
    }
    let answer = resolved(text(expected, "uri"));
    if answer.is_some() && (answer.as_deref() == Some(target) || answer == resolved(target)) {
        Ok(())
    } else {
        Err(format!("{} resolves to {answer:?}, not to {target}", expected["uri"]))
    }
}

/// Two parsed references are equal where their strings are.
fn contract(left: &str, right: &str, reading: Reading) -> Answer {
    let (left, right) = (accepted(parse(left, reading))?, accepted(parse(right, reading))?);
    let is_kept = (left == right) == (recompose(&left.components) == recompose(&right.components));
    let broken: &[&str] = if is_kept { &[] } else { &["reflexive"] };
    Some(json!({ "broken": broken }))
}
