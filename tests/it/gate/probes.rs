//! A probe finds adapters that break the protocol.

use super::{REFUSES, VectorFolder, adapter, unbroken};
use crate::process::Done;

#[test]
fn a_probe_finds_what_breaks_the_protocol() {
    let folder = VectorFolder::new();
    let probe = |body: &str| {
        folder.put("adapter.sh", &adapter(body));
        folder.run(&["check", "--command", "sh adapter.sh", "--probe", "--time-limit", "5"])
    };
    let done =
        probe(r#"case "$line" in *'"input":"http'*|*'"input":"a:/b"'*) accept "$id" a;; *) reject "$id";; esac"#);
    assert_eq!(done.status, 0, "{}", done.stdout);
    for check in [
        "hello",
        "parse",
        "null",
        "order",
        "control characters",
        "beyond the BMP",
        "a mebibyte",
        "restarts",
    ] {
        assert!(
            done.stdout.contains(&format!("ok    {check}  ")),
            "{check}: {}",
            done.stdout
        );
    }
    assert!(
        done.stdout.contains("note  components  not reported, and not compared: scheme"),
        "{}",
        done.stdout
    );
    let missing = r#"case "$line" in *'"input":"a:/b"'*) accept "$id" b;; *) printf '{"id":%s,"outcome":"accepted","components":{"path":"a","query":"c"}}\n' "$id";; esac"#;
    let done = probe(missing);
    assert_eq!(done.status, 1);
    assert!(
        done.stdout.contains("FAIL  null  query are reported of"),
        "{}",
        done.stdout
    );
    // Two answers are held back, and come in another order.
    let swapped = r#"if [ "$n" -gt 10 ] && [ $((n%2)) = 1 ]; then held=$id; elif [ "$n" -gt 10 ]; then reject "$id"; reject "$held"; else accept "$id" a; fi"#;
    let done = probe(swapped);
    assert_eq!(done.status, 1);
    assert!(
        done.stdout.contains("FAIL  order  broke the protocol: `id` is"),
        "{}",
        done.stdout
    );
    // Strings that are cut at a control character.
    let done = probe(r#"case "$line" in *u0000*) exit 1;; *) reject "$id";; esac"#);
    assert!(
        done.stdout.contains("FAIL  control characters  crashed: ended with exit status: 1"),
        "{}",
        done.stdout
    );
}

/// Probes a planted adapter whose command needs quotes.
fn probed(folder: &VectorFolder, adapter: &str) -> Done {
    folder.put("my adapter.sh", adapter);
    folder.run(&[
        "check",
        "--command",
        "sh 'my adapter.sh'",
        "--probe",
        "--time-limit",
        "4",
    ])
}

/// Runs the command on the last line, as it is printed.
fn next(folder: &VectorFolder, text: &str) -> Done {
    let line = text.lines().last().unwrap();
    let words = shell_words::split(line.trim_start().strip_prefix("uriproof ").expect(line)).unwrap();
    folder.run(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_probe_says_what_would_be_right() {
    let folder = VectorFolder::new();
    for (body, problem, got) in [
        (
            r#"printf '{"id":%s,"outcome":"accepted"}\n' "$id""#,
            "`accepted` comes with an answer: `components` to",
            r#"{"id":1,"outcome":"accepted"}"#,
        ),
        (
            r#"printf '{"id":%s,"outcome":"ok"}\n' "$id""#,
            "`outcome`: `ok` is none of `accepted`,",
            r#"{"id":1,"outcome":"ok"}"#,
        ),
        (
            r#"printf '{"id":%s,"outcome":"accepted","components":{"port":80}}\n' "$id""#,
            "`components.port`: it is integer `80`,",
            r#"{"id":1,"outcome":"accepted","components":{"port":80}}"#,
        ),
        ("echo debug", "no JSON: ", "debug"),
    ] {
        let done = probed(&folder, &adapter(body));
        assert_eq!(done.status, 1, "{}", done.stderr);
        let lines: Vec<&str> = done.stdout.lines().collect();
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{}", done.stdout);
        let said = format!("FAIL  parse  broke the protocol: {problem}");
        assert!(unbroken(&done.stdout).contains(&said), "{}", done.stdout);
        for line in [
            &*format!("      got     {got}"),
            "      right   {\"id\":1,\"outcome\":\"accepted\",",
        ] {
            assert!(lines.iter().any(|one| one.starts_with(line)), "{line}: {}", done.stdout);
        }
        assert!(
            done.stdout.contains(r#""input":"http://user@example.com:8080/a/b?c#d""#),
            "{}",
            done.stdout
        );
        // Once, however often it shows.
        assert_eq!(
            lines.iter().filter(|line| line.starts_with("      got  ")).count(),
            1,
            "{}",
            done.stdout
        );
        assert!(lines.contains(&"FAIL  an empty text  as `parse`"), "{}", done.stdout);
        let again = next(&folder, &done.stdout);
        assert_eq!((again.status, again.stdout), (done.status, done.stdout.clone()));
    }
}

#[test]
fn a_probe_ends_with_the_comparison() {
    let folder = VectorFolder::new();
    let done = probed(&folder, &adapter(REFUSES));
    assert_eq!(done.status, 0, "{}", done.stdout);
    assert!(
        done.stdout.contains("\nnext: compare the library:\n  uriproof check "),
        "{}",
        done.stdout
    );
    let checked = next(&folder, &done.stdout);
    assert!(
        checked.stdout.contains("\nFAIL  planted 1 parse"),
        "{}{}",
        checked.stdout,
        checked.stderr
    );
    // What refuses everything has one mistake.
    let first = checked.stdout.lines().next().unwrap();
    assert!(
        first.contains("refuses what is valid") && first.ends_with("1176 vectors"),
        "{first}"
    );
}

#[test]
fn a_probe_shows_a_hello_that_is_none() {
    let folder = VectorFolder::new();
    let done = probed(&folder, "echo '{\"id\":0,\"name\":\"x\"}'; cat >/dev/null");
    for words in [
        "FAIL  hello  broke the protocol: the key `version` is missing",
        "      sent    {\"id\":0,\"op\":\"hello\"",
        "      right   {\"entry_point\":",
    ] {
        assert!(done.stdout.contains(words), "{words}: {}", done.stdout);
    }
}

#[test]
fn a_probe_asks_twice_and_in_another_order() {
    let folder = VectorFolder::new();
    let probe = |script: &str| {
        folder.put("adapter.sh", script);
        folder.run(&["check", "--command", "sh adapter.sh", "--probe"])
    };
    let done = probe(&adapter(REFUSES));
    assert_eq!(done.status, 0, "{}", done.stdout);
    assert!(
        done.stdout.contains("ok    repeat  12 inputs put twice"),
        "{}",
        done.stdout
    );
    // The password of one call is in the answer to the next.
    let leaks = r#"case "$line" in *secret*) last=secret; reject "$id"; continue;; esac
      if [ "$last" = secret ]; then accept "$id" secret; else reject "$id"; fi; last="#;
    let done = probe(&adapter(leaks));
    assert_eq!(done.status, 1, "{}", done.stdout);
    assert!(
        done.stdout.contains("FAIL  repeat  does not repeat: parse "),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.contains("sequence  2 calls in a new process show it"),
        "{}",
        done.stdout
    );
    // After fourteen answers it accepts everything.
    let done = probe(&adapter(
        r#"if [ "$n" -gt 14 ]; then accept "$id" x; else reject "$id"; fi"#,
    ));
    assert_eq!(done.status, 1, "{}", done.stdout);
    assert!(
        done.stdout.contains("FAIL  repeat  does not repeat: 7 inputs more of 12"),
        "{}",
        done.stdout
    );
    // What is unsupported throughout has not passed.
    let done = probe(&adapter(
        r#"printf '{"id":%s,"outcome":"unsupported","reason":"later"}\n' "$id""#,
    ));
    assert_eq!(done.status, 1, "{}", done.stdout);
    assert!(
        done.stdout.contains("FAIL  operations  none is accepted or rejected"),
        "{}",
        done.stdout
    );
    // Another program stands behind the command when it is started again.
    let other = adapter(REFUSES).replace("\"version\":\"1\"", "\"version\":\"'$$'\"");
    let done = probe(&other);
    assert_eq!(done.status, 1, "{}", done.stdout);
    assert!(
        done.stdout.contains("FAIL  restarts  it says another hello since it was started again"),
        "{}",
        done.stdout
    );
}
