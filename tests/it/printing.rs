//! Nothing that an adapter, a file or an argument says reaches a terminal, a log or a page as it is: whatever the command and the
//! format, the output is printed characters, line breaks and styles of ours.
#![cfg(unix)]

use std::fs;

use crate::process::{Done, program, run};
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::{Value, json};
use tempfile::TempDir;
use uriproof::model::is_printed;

/// Words that do harm wherever they are printed as they are.
const HOSTILE: &str = "x\u{1b}[2J\u{1b}]0;t\u{7}\u{9b}31m\u{202e}\u{2066}\u{200b}\u{2028}\u{85}\r\n::error::forged\n##[error]forged\n| a | b |\n\
    <img src=x onerror=y> ![i](http://evil.example/i.png) [l](http://evil.example) @somebody `code` ``` \\| --> # \\";

const CLAUSES: &str = r#"{"uriproof":1,"clauses":[
{"id":"§3/a","section":"3","quote":"words of 3","level":"must","binds":["grammar"]}]}"#;

/// A folder with files whose words are hostile, and adapters.
struct HostileFolder(TempDir);

impl HostileFolder {
    fn new() -> HostileFolder {
        let folder = HostileFolder(TempDir::new().unwrap());
        folder.put(
            "vectors/clauses.json",
            &CLAUSES.replace("words of 3", &in_json(HOSTILE)),
        );
        let components = json!({"scheme": null, "userinfo": null, "host": null, "host_kind": null, "port": null, "path": "a", "query": null, "fragment": null});
        let vector = |name: &str, input: &str, expect: Value| {
            json!({
                "id": format!("one/{name}"),
                "input": {"operation": "parse", "rule": "URI-reference", "input": input},
                "expect": {"rfc3986": expect},
                "level": "must",
                "clauses": ["§3/a"],
                "note": HOSTILE,
            })
        };
        let vectors = [
            vector("a", "a", json!({"outcome": "accepted", "components": components})),
            vector("refused", HOSTILE, json!({"outcome": "rejected"})),
            vector("crash", "%c", json!({"outcome": "rejected"})),
            vector("unsupported", "%u", json!({"outcome": "rejected"})),
        ];
        folder.put(
            "vectors/one.json",
            &json!({"uriproof": 1, "title": HOSTILE, "section": "3", "vectors": vectors}).to_string(),
        );
        folder.put("adapter.sh", ADAPTER);
        folder.put(
            "hello.json",
            &json!({
                "id": 0, "name": HOSTILE, "version": HOSTILE, "entry_point": HOSTILE, "language": HOSTILE,
                "specification": HOSTILE, "operations": ["parse"],
            })
            .to_string(),
        );
        folder.put("reason.json", &json!(HOSTILE).to_string());
        folder.put("last-words", HOSTILE);
        folder.put("corpus.txt", "a\n%c\n%u\na\u{202e}\u{9b}b\u{1b}[2J\n");
        folder
    }

    fn put(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Done {
        run(program().current_dir(self.0.path()).env("CLICOLOR_FORCE", "1").args(arguments))
    }

    /// Puts the adapter to a command. A complete suite is long, and a shell reads slowly: of it the beginning.
    fn ask(&self, words: &[&str]) -> Done {
        let is_long = words[0] == "complete";
        let adapter = if is_long { "sh adapter.sh 100" } else { "sh adapter.sh" };
        let done = self.run(&[words, &["--command", adapter]].concat());
        if is_long {
            fs::remove_file(self.0.path().join("dead")).unwrap();
        }
        done
    }
}

/// Says hello as `hello.json` has it, refuses with the reason of `reason.json`, lacks `%u` for it, and dies at `%c` with last words.
/// Given a number of lines, it reads as many, and can never be started again.
const ADAPTER: &str = r#"
reason=$(cat reason.json)
lines=${1:-0}
while IFS= read -r line; do
  if [ "$lines" = 1 ]; then : > dead; fi
  if [ -n "$1" ] && [ -e dead ]; then cat last-words >&2; exit 3; fi
  lines=$((lines - 1))
  id="${line#*\"id\":}"; id="${id%%,*}"
  case "$line" in
    *'"op":"hello"'*) cat hello.json; echo;;
    *'"%c"'*) cat last-words >&2; exit 3;;
    *'"%u"'*) printf '{"id":%s,"outcome":"unsupported","reason":%s}\n' "$id" "$reason";;
    *'"a"'*) printf '{"id":%s,"outcome":"rejected","reason":%s}\n' "$id" "$reason";;
    *) printf '{"id":%s,"outcome":"accepted","components":{"path":%s}}\n' "$id" "$reason";;
  esac
done
"#;

fn in_json(text: &str) -> String {
    let quoted = json!(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Whether every character is printed, a line break, or of a style that ours are made of; and no line is a command of a workflow
/// but those that the format has.
#[track_caller]
fn assert_safe(what: &str, text: &str, has_commands: bool) {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        if let Some(behind) = rest.strip_prefix("\u{1b}[") {
            let end = behind.find('m').unwrap_or_else(|| panic!("{what}: no style: {behind:?}"));
            let known = ["0", "1", "2", "4", "31", "32", "33", "34", "36", "91", "92", "94"];
            let is_known = behind[..end].split(';').all(|number| known.contains(&number));
            assert!(is_known, "{what}: {:?}", &behind[..end]);
            rest = &behind[end + 1..];
            continue;
        }
        assert!(
            character == '\n' || is_printed(character),
            "{what}: {character:?} in {text:?}"
        );
        plain.push(character);
        rest = &rest[character.len_utf8()..];
    }
    assert!(!plain.contains("##["), "{what}: {plain}");
    for line in plain.lines() {
        let ours = ["::error title=", "::error file=b.toml,line="];
        let is_ours = has_commands && ours.iter().any(|command| line.starts_with(command));
        assert!(is_ours || !line.trim_start().starts_with("::"), "{what}: {line}");
    }
}

#[track_caller]
fn assert_done(what: &str, done: &Done) {
    assert_ne!(done.status, 101, "{what}: {}", done.stderr);
    assert!(!done.stderr.contains("panicked at"), "{what}: {}", done.stderr);
    assert_safe(what, &done.stdout, what.contains("github"));
    assert_safe(what, &done.stderr, false);
    assert!(
        !done.stdout.is_empty() || !done.stderr.is_empty(),
        "{what} prints nothing"
    );
}

const FORMATS: [&str; 8] = ["human", "json", "junit", "sarif", "tap", "github", "markdown", "badge"];

/// Every command that asks one.
fn asking() -> Vec<Vec<&'static str>> {
    let of_human_and_json = [
        &["check", "--probe"][..],
        &["check", "--corpus", "corpus.txt"],
        &["check", "--corpus", "corpus.txt", "--all"],
        &["diff", "a"],
        &["diff", "%u"],
        &["diff", "%c"],
        &["complete"],
        &["sweep", "--max-length", "2"],
        &["learn", "--budget", "500"],
        &["hunt", "--batches", "1", "--processes", "1"],
        &["minimize", "a"],
    ];
    let checks = FORMATS.map(|format| vec!["check", "--vectors", "vectors", "--format", format]);
    let others = of_human_and_json
        .iter()
        .flat_map(|words| ["human", "json"].map(|format| [words, &["--format", format][..]].concat()));
    checks.into_iter().chain(others).collect()
}

#[test]
fn a_hostile_adapter_is_printed_safely_by_every_command_in_every_format() {
    let folder = HostileFolder::new();
    for words in asking() {
        assert_done(&words.join(" "), &folder.ask(&words));
    }
}

/// Names of 10 MB made four commands panic.
#[test]
fn a_name_of_ten_megabytes_is_cut_by_every_command() {
    let folder = HostileFolder::new();
    let hello = |name: &str| {
        json!({
            "id": 0, "name": name, "version": name, "entry_point": name, "language": name, "specification": name,
            "operations": ["parse"],
        })
        .to_string()
    };
    folder.put("hello.json", &hello(&"n".repeat(10_000_000)));
    folder.put("reason.json", "\"so\"");
    folder.put("last-words", "so");
    for words in asking() {
        let done = folder.ask(&words);
        let what = words.join(" ");
        assert_done(&what, &done);
        assert!(!done.stdout.contains(&"n".repeat(101)), "{what}: a name is not cut");
        assert!(done.stderr.len() < 5_000, "{what}: {}", done.stderr.len());
    }
    // Names that differ within what is printed are still two subjects.
    folder.put("b/hello.json", &hello(&("m".to_owned() + &"n".repeat(1000))));
    folder.put("b/reason.json", "\"so\"");
    folder.put("b/adapter.sh", ADAPTER);
    let two = [
        "diff",
        "a",
        "--command",
        "sh adapter.sh",
        "--command",
        "sh -c 'cd b; . ./adapter.sh'",
    ];
    let done = folder.run(&two);
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert!(done.stdout.contains("mnnn"), "{}", done.stdout);
}

#[test]
fn no_word_of_others_is_html_an_image_or_a_link_in_markdown() {
    let folder = HostileFolder::new();
    folder.put("b.toml", &baseline("rejected"));
    for more in [&[][..], &["--baseline", "b.toml"]] {
        let check = [
            "check",
            "--vectors",
            "vectors",
            "--format",
            "markdown",
            "--command",
            "sh adapter.sh",
        ];
        let done = folder.run(&[&check[..], more].concat());
        assert!(done.stdout.contains("onerror"), "{}{}", done.stdout, done.stderr);
        let ours = [
            "<details>",
            "<summary>",
            "</summary>",
            "</details>",
            "What was not compared",
            "The failures by clause",
        ];
        for event in Parser::new_ext(&done.stdout, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
            match event {
                Event::Html(html) | Event::InlineHtml(html) => {
                    let left = ours.iter().fold(html.to_string(), |left, ours| left.replace(ours, ""));
                    assert_eq!(left.trim(), "", "{}", done.stdout);
                }
                Event::Start(Tag::Link { dest_url, .. }) => {
                    assert!(
                        dest_url.starts_with("https://www.rfc-editor.org/rfc/rfc3986#"),
                        "{dest_url}"
                    );
                }
                Event::Start(Tag::Image { dest_url, .. }) => panic!("{dest_url}: {}", done.stdout),
                Event::Start(Tag::CodeBlock(_)) => panic!("a block of code: {}", done.stdout),
                Event::Text(text) => {
                    assert!(!text.contains("@somebody") && !text.contains("http://evil"), "{text}");
                }
                _ => {}
            }
        }
        // Each row of a table has the cells of its head.
        let cells = |line: &str| line.replace("\\|", "").matches('|').count();
        for table in done.stdout.split("\n\n").filter(|part| part.starts_with('|')) {
            let mut lines = table.lines();
            let head = cells(lines.next().unwrap());
            assert!(lines.all(|line| cells(line) == head), "{table}");
        }
    }
}

fn baseline(got: &str) -> String {
    // Strings of JSON are strings of TOML.
    let reason = in_json(HOSTILE);
    format!(
        "uriproof = 1\nsubject = \"{}\"\ncompares = 3\n[[entry]]\nkind = \"bug\"\nreason = \"{reason}\"\n[entry.vectors]\n\"one/a\" = '{got}'\n\
         \"one/unsupported\" = 'rejected'\n",
        cut(HOSTILE)
    )
}

/// The name as it is selected, in a string of TOML.
fn cut(name: &str) -> String {
    in_json(&uriproof::model::name(name))
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of commands")]
fn hostile_files_are_printed_safely() {
    let folder = HostileFolder::new();
    folder.put("b.toml", &baseline("other-components"));
    folder.put(
        "bad.toml",
        &format!(
            "uriproof = 1\nsubject = \"a\"\ncompares = 1\n\"{}\" = 1\n",
            in_json(HOSTILE)
        ),
    );
    folder.put("bad/one.json", &json!({"uriproof": 1, HOSTILE: 1}).to_string());
    folder.put(
        "ledger/bad.toml",
        &format!("name = \"n\"\nversion = \"1\"\n\"{}\" = 1\n", in_json(HOSTILE)),
    );
    let results = |outcome: Value, id: &str| {
        json!({
            "uriproof": 1, "reading": "rfc3986", "subjects": [{"subject": HOSTILE, "agreed": [HOSTILE]}],
            "vectors": [{"id": id, "subject": HOSTILE, "verdict": "diverge", "kind": HOSTILE, "class": HOSTILE, "outcome": outcome}],
        })
        .to_string()
    };
    folder.put("old.json", &results(json!({"outcome": "rejected"}), "a"));
    folder.put(
        "new.json",
        &results(json!({"outcome": "accepted", "uri": HOSTILE}), HOSTILE),
    );
    let check = ["check", "--vectors", "vectors", "--command", "sh adapter.sh"];
    let mut commands: Vec<Vec<&str>> =
        FORMATS.iter().map(|format| [&check[..], &["--baseline", "b.toml", "--format", format]].concat()).collect();
    commands.extend([
        [&check[..], &["--baseline", "bad.toml"]].concat(),
        [&check[..], &["--baseline", "new.toml", "--write-baseline"]].concat(),
        vec!["check", "--vectors", "bad", "--subject", "reference"],
        vec!["diff", "a", "--ledger", "ledger"],
        vec!["ledger", "--ledger", "ledger"],
        vec!["regress", "old.json", "new.json"],
        vec!["regress", "old.json", "new.json", "--format", "json"],
        vec!["vectors", "list", "--vectors", "vectors"],
        vec!["vectors", "list", "--vectors", "vectors", "--format", "json"],
        vec!["vectors", "show", "one/refused", "--vectors", "vectors"],
        vec!["vectors", "lint", "--vectors", "vectors"],
        vec!["vectors", "clauses", "--vectors", "vectors"],
        vec!["vectors", "export", "--vectors", "vectors"],
        vec!["vectors", "export", "--vectors", "vectors", "--format", "jsonl"],
        vec!["vectors", "lint", "--vectors", HOSTILE],
        vec!["explain", "--vector", HOSTILE],
        vec!["explain", HOSTILE],
        vec!["diff", HOSTILE, "--subject", "reference"],
        vec!["diff", "a", "--subject", HOSTILE],
        vec!["minimize", HOSTILE, "--subject", "reference"],
        vec![HOSTILE],
        vec!["check", "--format", HOSTILE],
    ]);
    for words in commands {
        let done = folder.run(&words);
        assert_done(
            &words.iter().filter(|word| **word != HOSTILE).copied().collect::<Vec<_>>().join(" "),
            &done,
        );
    }
    let text = fs::read_to_string(folder.0.path().join("new.toml")).unwrap();
    toml::from_str::<toml::Table>(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
}

#[test]
fn json_keeps_every_character_of_what_it_says() {
    let folder = HostileFolder::new();
    let done = folder.run(&[
        "check",
        "--vectors",
        "vectors",
        "--command",
        "sh adapter.sh",
        "--format",
        "json",
    ]);
    let results: Value = serde_json::from_str(&done.stdout).unwrap();
    let refused = results["vectors"].as_array().unwrap().iter().find(|one| one["id"] == "one/a").unwrap();
    assert_eq!(refused["outcome"]["reason"], HOSTILE);
    let done = folder.run(&["vectors", "export", "--vectors", "vectors"]);
    let exported: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(exported["vectors"][0]["note"], HOSTILE);
}
