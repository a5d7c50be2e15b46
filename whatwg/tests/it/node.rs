//! Node's class `URL`, which is the library Ada, as a second implementation.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::{Value, json};

use crate::differences::{ATTRIBUTES, Answer, Behaviour, Rule, Tally, erase_ascii_fallback, erase_caret, erase_space_of_opaque_path, generated};
use crate::generate::Generated;

/// Reads a JSON array from each line: input, base, setter, value. Writes the two answers as JSON arrays or null.
const SCRIPT: &str = r#"
const attributes = ["href", "origin", "protocol", "username", "password", "host", "port", "pathname", "search", "hash"];
const answer = url => attributes.map(name => url[name]);
require("readline").createInterface({ input: process.stdin }).on("line", line => {
  const [input, base, setter, value] = JSON.parse(line);
  let url, parsed = null, set = null;
  try { url = base === null ? new URL(input) : new URL(input, base); } catch {}
  if (url) {
    parsed = answer(url);
    try { url[setter] = value; } catch {}
    set = answer(url);
  }
  process.stdout.write(JSON.stringify([parsed, set]) + "\n");
});
"#;

const RULES: &[Rule] = &[
    Rule {
        name: "does not encode ^ in paths",
        link: "https://github.com/ada-url/ada/issues/970",
        erase: erase_caret,
    },
    Rule {
        name: "leaves or removes a space at the end of an opaque path",
        link: "https://github.com/whatwg/url/pull/844",
        erase: erase_space_of_opaque_path,
    },
    Rule {
        name: "validates the labels of ASCII domains",
        link: "https://github.com/whatwg/url/pull/914",
        erase: erase_ascii_fallback,
    },
];

fn answer(value: &Value) -> Answer {
    let attributes = value.as_array()?;
    assert_eq!(attributes.len(), ATTRIBUTES.len());
    Some(std::array::from_fn(|at| attributes[at].as_str().unwrap().to_owned()))
}

fn compare(count: usize) {
    let node = Command::new("node").args(["-e", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut node) = node else {
        println!("not compared with Node: there is no program node");
        return;
    };
    let mut stdin = node.stdin.take().unwrap();
    let writer = thread::spawn(move || {
        for Generated { input, base, setter, value } in generated(count) {
            writeln!(stdin, "{}", json!([input, base, setter, value])).unwrap();
        }
    });
    let mut tally = Tally::default();
    let lines = BufReader::new(node.stdout.take().unwrap()).lines();
    for (case, line) in generated(count).zip(lines) {
        let value: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let theirs = Behaviour { parsed: answer(&value[0]), set: answer(&value[1]) };
        tally.compare(&case, theirs, RULES);
    }
    writer.join().unwrap();
    assert!(node.wait().unwrap().success());
    assert_eq!(tally.parses, count);
    tally.conclude("Node", RULES);
}

#[test]
fn node_agrees_or_a_rule_says_why_not() {
    compare(20_000);
}

#[test]
#[ignore = "a million inputs take minutes"]
fn node_agrees_on_a_million_or_a_rule_says_why_not() {
    compare(1_000_000);
}
