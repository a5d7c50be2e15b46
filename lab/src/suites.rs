//! The complete suites as files, for any language: `vectors/syntax/complete/`.

use std::io::Write as _;

use flate2::{Compression, GzBuilder};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::json;
use uriproof::algorithms::{self, PREFIX, Size};
use uriproof::expect::Expected;
use uriproof::gate::exported;
use uriproof::model::{HostKind, Operation, Outcome, Rule, Value};
use uriproof::vectors::FORMAT;
use uriproof_grammar::complete::{Method, Suites};
use uriproof_grammar::draw::{Draw, Drawn};
use uriproof_grammar::{Alphabet, Fnv, Profile, TextMachine};

use super::complete::{MachineName, Prepared};
use super::machines::Machines;

/// The seed of the suite whose characters are drawn.
pub const SEED: u64 = 3986;

/// A suite, in a line: what tells whether one that was made elsewhere is the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SuiteEntry {
    /// The name.
    pub suite: String,
    /// The rule that strings are parsed as.
    pub rule: &'static str,
    /// The language: RFC 3986, or a profile of it.
    pub language: String,
    /// How many strings it has.
    pub strings: u64,
    /// How many of them match.
    pub accepted: u64,
    /// How many bytes its strings have together, as UTF-8.
    pub bytes: u64,
    /// FNV-1a (64 bits) of the strings in order as UTF-8, a byte FF after each.
    pub hash: String,
    /// The machine that it is made from; for `core` and `standard` the first of two.
    pub machine: MachineName,
}

/// Counts strings, and hashes them.
struct Counter {
    strings: u64,
    accepted: u64,
    bytes: u64,
    hash: Fnv,
}

impl Counter {
    fn new() -> Counter {
        Counter {
            strings: 0,
            accepted: 0,
            bytes: 0,
            hash: Fnv::default(),
        }
    }

    fn add(&mut self, text: &str, accepted: bool) {
        self.strings += 1;
        self.accepted += u64::from(accepted);
        self.bytes += text.len() as u64;
        self.hash.add(text.bytes().chain([0xff]));
    }

    fn entry(&self, suite: &str, machines: &Machines, text: &TextMachine) -> SuiteEntry {
        SuiteEntry {
            suite: suite.to_owned(),
            rule: Rule::UriReference.name(),
            language: machines.language(),
            strings: self.strings,
            accepted: self.accepted,
            bytes: self.bytes,
            hash: format!("{:016x}", self.hash.hash()),
            machine: text.machine().into(),
        }
    }
}

fn of_prepared(suite: &str, machines: &Machines, prepared: &Prepared<'_>) -> SuiteEntry {
    let mut counter = Counter::new();
    for (text, expected) in prepared.cases() {
        counter.add(text, expected.is_some());
    }
    counter.entry(suite, machines, machines.text(Rule::UriReference))
}

fn of_strings(
    suite: &str,
    machines: &Machines,
    text: &TextMachine,
    strings: impl Iterator<Item = Vec<u8>>,
) -> SuiteEntry {
    let mut counter = Counter::new();
    for symbols in strings {
        counter.add(
            &text.decode(&symbols),
            text.machine().output(text.machine().run(&symbols)) != 0,
        );
    }
    counter.entry(suite, machines, text)
}

/// Every suite of URI-reference that is kept or named: those that are files, those that are made on demand, and the core
/// suite of each profile that changes RFC 3986 in one point.
pub fn entries() -> Vec<SuiteEntry> {
    let machines = Machines::of_rfc3986();
    let rule = Rule::UriReference;
    let (text, components) = (machines.text(rule), machines.components_of_text());
    let mut entries = vec![
        of_prepared("core", &machines, &Prepared::core(&machines, rule)),
        of_prepared("standard", &machines, &Prepared::standard(&machines, rule)),
    ];
    let suites = Suites::new(text.machine());
    for (name, method, alphabet) in [
        ("bytes", Method::Hsi(0), Alphabet::Bytes),
        ("core --extra-states 1", Method::Hsi(1), Alphabet::Representatives),
    ] {
        entries.push(of_strings(name, &machines, text, suites.suite(method, alphabet)));
    }
    let suites = Suites::new(components.machine());
    let suite = suites.suite(Method::Hsi(0), Alphabet::Representatives);
    let drawn = Drawn::new(suite, components.machine(), Draw::Bytes, SEED);
    entries.push(of_strings(
        &format!("components --seed {SEED}"),
        &machines,
        components,
        drawn,
    ));
    for profile in Profile::POINTS {
        // One profile alone contradicts no other.
        if let Ok(machines) = Machines::under(&[profile]) {
            let prepared = Prepared::core(&machines, rule);
            entries.push(of_prepared(&format!("core --profile {profile}"), &machines, &prepared));
        }
    }
    entries
}

/// The suite of an operation as JSON Lines: first a line about it, then each input as a vector is stored, with the outcomes that
/// conform. An input whose answer is decided by a property (what a relative reference resolves to, the contracts of a type) has
/// `property` instead of `expect`.
pub fn of_operation(operation: Operation, size: Size) -> String {
    let inputs = algorithms::inputs(operation, size);
    let header = json!({
        "uriproof": FORMAT,
        "suite": operation,
        "size": size.name(),
        "inputs": inputs.len(),
        "claim": algorithms::claim(operation, size),
        "does_not_mean": algorithms::DOES_NOT_MEAN,
    });
    let lines: Vec<String> = inputs
        .par_iter()
        .enumerate()
        .map(|(at, input)| {
            let id = format!("{PREFIX}{operation}/{at}");
            match exported(id.clone(), input) {
                Ok(vector) => json!(vector).to_string(),
                Err(property) => json!({ "id": id, "input": input, "property": property }).to_string(),
            }
        })
        .collect();
    format!("{header}\n{}\n", lines.join("\n"))
}

/// A suite as JSON Lines: first its [`SuiteEntry`]; then a string that is to be rejected as a JSON string, and one that is to be
/// accepted as an object, with the components that are defined.
pub fn json_lines(entry: &SuiteEntry, prepared: &Prepared<'_>) -> String {
    let mut text = json(entry) + "\n";
    for (string, expected) in prepared.cases() {
        text += &match expected {
            None => json(&string),
            Some(expected) => json(&accepted(string, expected)),
        };
        text.push('\n');
    }
    text
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| panic!("strings and numbers are JSON: {error}"))
}

/// A string that is to be accepted.
#[derive(Serialize)]
struct AcceptedString<'a> {
    input: &'a str,
    components: Defined,
}

/// The components that are defined.
#[derive(Default, Serialize)]
struct Defined {
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    userinfo: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host_kind: Option<HostKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<String>,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fragment: Option<String>,
}

fn accepted<'a>(input: &'a str, expected: &Expected) -> AcceptedString<'a> {
    let components = match expected.literal() {
        Outcome::Accepted {
            value: Value::Components(observed),
        } => Defined {
            scheme: observed.scheme.defined(),
            userinfo: observed.userinfo.defined(),
            host: observed.host.defined(),
            host_kind: observed.host_kind.defined(),
            port: observed.port.defined(),
            path: observed.path.defined().unwrap_or_default(),
            query: observed.query.defined(),
            fragment: observed.fragment.defined(),
        },
        _ => Defined::default(),
    };
    AcceptedString { input, components }
}

/// The files of `vectors/syntax/complete/`, by name.
///
/// # Panics
///
/// Never: writing to memory does not fail.
pub fn files() -> Vec<(&'static str, Vec<u8>)> {
    let machines = Machines::of_rfc3986();
    let rule = Rule::UriReference;
    let entries = entries();
    let (core, standard) = (Prepared::core(&machines, rule), Prepared::standard(&machines, rule));
    let list: String = entries.iter().map(|entry| json(entry) + "\n").collect();
    // No time and no name: the same suite gives the same bytes.
    let mut packed = GzBuilder::new().write(Vec::new(), Compression::best());
    let packed = packed
        .write_all(json_lines(&entries[1], &standard).as_bytes())
        .and_then(|()| packed.finish())
        .unwrap_or_else(|error| panic!("memory can be written: {error}"));
    vec![
        ("suites.jsonl", list.into_bytes()),
        ("core.jsonl", json_lines(&entries[0], &core).into_bytes()),
        ("standard.jsonl.gz", packed),
    ]
}
