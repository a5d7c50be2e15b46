//! The gate as a process: no result is lost, whatever baselines, adapters or formats do.

#![cfg(unix)]

mod adapters;
mod baselines;
mod claims;
mod compared;
mod corpora;
mod crates;
mod deviations;
mod formats;
mod junit;
mod probes;
mod regress;
mod repeats;
mod sarif;
mod usage;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::{Done, program, run};

const CLAUSES: &str = r#"{"uriproof":1,"clauses":[
{"id":"§3/a","section":"3","quote":"words of 3","level":"must","binds":["grammar"]},
{"id":"§4/b","section":"4","quote":"words of 4","level":"must","binds":["grammar"]}]}"#;

/// A vector a line: `%` is refused, `a` and `b` are accepted, a form is asked for that the planted subjects do not have, and `http`
/// has something to ask.
const VECTORS: &str = r#"{"uriproof":1,"title":"t","section":"3","vectors":[
{"id":"one/percent","input":{"operation":"parse","rule":"URI-reference","input":"%"},"expect":{"rfc3986":{"outcome":"rejected"}},"level":"must","clauses":["§3/a"]},
{"id":"one/a","input":{"operation":"parse","rule":"URI-reference","input":"a"},"expect":{"rfc3986":{"outcome":"accepted","components":{"scheme":null,"userinfo":null,"host":null,"host_kind":null,"port":null,"path":"a","query":null,"fragment":null}}},"level":"must","clauses":["§3/a"],"note":"a | note"},
{"id":"one/b","input":{"operation":"parse","rule":"URI-reference","input":"b"},"expect":{"rfc3986":{"outcome":"accepted","components":{"scheme":null,"userinfo":null,"host":null,"host_kind":null,"port":null,"path":"b","query":null,"fragment":null}}},"level":"should","clauses":["§4/b"]},
{"id":"one/http","input":{"operation":"parse","rule":"URI-reference","input":"http://h/%"},"expect":{"rfc3986":{"outcome":"rejected"}},"level":"must","clauses":["§3/a"]},
{"id":"one/normal","input":{"operation":"normalize","uri":"a:","scope":"syntax"},"expect":{"rfc3986":{"outcome":"accepted","uri":"a:"}},"level":"must","clauses":["§3/a"]}
]}"#;

/// A folder with the vectors, in which files can be put.
struct VectorFolder(TempDir);

impl VectorFolder {
    fn new() -> VectorFolder {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("vectors")).unwrap();
        fs::write(folder.path().join("vectors/clauses.json"), CLAUSES).unwrap();
        fs::write(folder.path().join("vectors/one.json"), VECTORS).unwrap();
        VectorFolder(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Runs the program in the folder.
    fn run(&self, arguments: &[&str]) -> Done {
        run(program().current_dir(self.path()).args(arguments))
    }

    /// Checks a planted adapter, whose answer to each request is `body`, a shell script.
    /// With every failure printed, unless the arguments say how.
    fn check(&self, body: &str, arguments: &[&str]) -> Done {
        self.put("adapter.sh", &adapter(body));
        let first = ["check", "--vectors", "vectors", "--command", "sh adapter.sh"];
        let says_how = ["--corpus", "--probe", "--group", "--format"];
        let all = match arguments.iter().any(|argument| says_how.contains(argument)) {
            true => &[][..],
            false => &["--all"],
        };
        self.run(&[&first[..], arguments, all].concat())
    }
}

/// The text with each broken line on one line again.
fn unbroken(text: &str) -> String {
    text.replace("\n      ", " ")
}

/// Says hello, and runs `body` for each request: `$id` is its number, `$line` its text, `$n` how many there were.
fn adapter(body: &str) -> String {
    format!(
        r#"hello() {{ printf '%s\n' '{{"id":0,"name":"planted","version":"1","entry_point":"parse","language":"sh","specification":"RFC 3986","operations":["parse"]}}'; }}
reject() {{ printf '{{"id":%s,"outcome":"rejected"}}\n' "$1"; }}
accept() {{ printf '{{"id":%s,"outcome":"accepted","components":{{"path":"%s"}}}}\n' "$1" "$2"; }}
read -r line; hello; n=0
while IFS= read -r line; do
  id="${{line#*\"id\":}}"; id="${{id%%,*}}"; n=$((n+1))
  {body}
done
"#
    )
}

/// Refuses everything: `one/a` and `one/b` fail.
const REFUSES: &str = r#"reject "$id""#;

/// Takes `a`, refuses the rest: only `one/b` fails.
const TAKES_A: &str = r#"case "$line" in *'"input":"a"'*) accept "$id" a;; *) reject "$id";; esac"#;

const HEAD: &str = "uriproof = 1\nsubject = \"planted\"\ncompares = 4\n";

fn entry(lines: &str) -> String {
    format!("{HEAD}\n[[entry]]\nkind = \"bug\"\nreason = \"so\"\n[entry.vectors]\n{lines}\n")
}

/// The verdicts on vectors, by id, of results as JSON.
fn verdicts(text: &str) -> Vec<(String, String)> {
    let results: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let listed = results["vectors"].as_array().unwrap().iter();
    listed
        .map(|one| {
            (
                one["id"].as_str().unwrap().to_owned(),
                one["verdict"].as_str().unwrap().to_owned(),
            )
        })
        .collect()
}

/// Vectors that accept the inputs `first0`, `first1`, … of each of these kinds, in this order.
fn many(kinds: &[(&str, usize)]) -> String {
    let vectors = kinds.iter().flat_map(|(kind, count)| {
        (0..*count).map(move |number| {
            json!({
                "id": format!("one/{kind}-{number}"),
                "input": {"operation": "parse", "rule": "URI-reference", "input": format!("{kind}{number}")},
                "expect": {"rfc3986": {"outcome": "accepted", "components": {
                    "scheme": null, "userinfo": null, "host": null, "host_kind": null, "port": null,
                    "path": format!("{kind}{number}"), "query": null, "fragment": null
                }}},
                "level": "must",
                "clauses": ["§3/a", "§4/b"],
            })
        })
    });
    let vectors: Vec<Value> = vectors.collect();
    json!({"uriproof": 1, "title": "t", "section": "3", "vectors": vectors}).to_string()
}

/// Accepts an input as its path.
const ACCEPTS: &str = r#"text="${line#*\"input\":\"}"; text="${text%%\"*}"; accept "$id" "$text""#;

/// Refuses `b` straight after `a`: it keeps something from one call to the next.
const LEAKS: &str = r#"case "$line" in
  *'"input":"a"'*) accept "$id" a; last=a; continue;;
  *'"input":"b"'*) if [ "$last" = a ]; then reject "$id"; else accept "$id" b; fi;;
  *) reject "$id";; esac; last="#;
