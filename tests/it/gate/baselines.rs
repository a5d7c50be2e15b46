//! A baseline accepts exactly the failures that it lists.

use super::{HEAD, REFUSES, TAKES_A, VectorFolder, entry};

#[test]
fn from_nothing_to_green() {
    let folder = VectorFolder::new();
    let done = folder.check(REFUSES, &[]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    for expected in [
        "--baseline uriproof.toml --write-baseline",
        "FAIL  planted 1 parse     2 agree     2 fail     1 not compared",
        "§3/a  words of 3\n    rejected-valid: \"a\"  one/a (must)\n      expected  accepted\n      got       rejected\n      note      a | note\n",
        "again     uriproof check --command 'sh adapter.sh' --vectors vectors --only 'one/a'",
        "   1 not compared: no operation `normalize`",
    ] {
        assert!(done.stdout.contains(expected), "{expected} is not in {}", done.stdout);
    }
    let done = folder.check(REFUSES, &["--baseline", "b.toml"]);
    assert_eq!(done.status, 2);
    assert!(
        done.stderr.contains("b.toml is not there; --write-baseline makes it"),
        "{}",
        done.stderr
    );

    let done = folder.check(REFUSES, &["--baseline", "b.toml", "--write-baseline"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(
        done.stdout.contains(
            "wrote b.toml, which lists every current failure:\n  2 vectors\n  2 lines added, 0 changed, 0 deleted\nnext: commit b.toml; "
        ),
        "{}",
        done.stdout
    );
    assert!(
        done.stderr.contains("2 entries of b.toml are `unexplained`"),
        "{}",
        done.stderr
    );
    let text = folder.text("b.toml");
    assert!(text.contains("compares = 4\n"), "{text}");
    assert!(
        text.contains("[[entry]] # rejected-valid (1), §3/a, for example to \"a\": words of 3\nkind = \"unexplained\"\nreason = \"\"\n[entry.vectors]\n\"one/a\" = 'rejected'\n"),
        "{text}"
    );
    let done = folder.check(REFUSES, &["--baseline", "b.toml"]);
    assert_eq!(done.status, 0, "{}", done.stdout);
    assert!(done.stdout.contains("pass  planted"), "{}", done.stdout);
    assert!(done.stdout.contains("   2 known"), "{}", done.stdout);
    assert!(
        done.stdout.contains("next: 2 entries have no reason yet in b.toml: give each a `reason`"),
        "{}",
        done.stdout
    );
}

#[test]
fn a_baseline_is_two_way() {
    let both = "\"one/a\" = 'rejected'\n\"one/b\" = 'rejected'";
    for (body, baseline, arguments, status, expected) in [
        (REFUSES, entry(both), &[][..], 0, "pass  planted"),
        // A new failure.
        (REFUSES, entry("\"one/a\" = 'rejected'"), &[], 1, "§4/b  words of 4"),
        // One that no longer fails.
        (
            TAKES_A,
            entry(both),
            &[],
            1,
            "b.toml:9: `one/a` agrees: delete this line",
        ),
        // A changed outcome.
        (
            r#"case "$line" in *'"input":"a"'*) accept "$id" x;; *) reject "$id";; esac"#,
            entry(both),
            &[],
            1,
            "b.toml:9 says `rejected`; now it is `path \"x\"`: change that line if that is meant",
        ),
        // What never ran.
        (
            REFUSES,
            entry(&format!("{both}\n\"one/normal\" = 'rejected'")),
            &[],
            1,
            "b.toml:11: `one/normal` was not compared (no operation `normalize`): delete this line",
        ),
        (
            REFUSES,
            entry(both),
            &["--level", "must"],
            1,
            "b.toml:10: `one/b` was not run (of level should): delete this line",
        ),
        // Less was compared than there was.
        (
            REFUSES,
            entry(both).replace("compares = 4", "compares = 5"),
            &[],
            1,
            "b.toml:3: 4 vectors were compared, and there were 5",
        ),
        // What has expired.
        (
            REFUSES,
            entry(both).replace("reason", "until = \"2020-02-29\"\nreason"),
            &[],
            1,
            "b.toml:7: expired on 2020-02-29",
        ),
        (
            REFUSES,
            entry(both).replace("reason", "until = \"9999-12-31\"\nreason"),
            &[],
            0,
            "pass  planted",
        ),
        // What is not selected stands aside.
        (TAKES_A, entry(both), &["--only", "one/b"], 0, "pass  planted"),
    ] {
        assert_judged(body, &baseline, arguments, (status, expected));
    }
}

#[test]
fn a_pattern_is_about_an_answer_or_about_so_many_of_a_kind() {
    let both = "\"one/a\" = 'rejected'\n\"one/b\" = 'rejected'";
    for (body, baseline, arguments, status, expected) in [
        (
            REFUSES,
            entry("\"one/?\" = { kind = 'rejected-valid', answers = 2 }"),
            &[],
            0,
            "pass  planted",
        ),
        (
            REFUSES,
            entry("\"*\" = { kind = 'rejected-valid', answers = 2 }"),
            &[],
            0,
            "pass  planted",
        ),
        (
            REFUSES,
            entry("\"*\" = { kind = 'rejected-valid', clause = '§3/a', answers = 1 }\n\"one/b\" = 'rejected'"),
            &[],
            0,
            "pass  planted",
        ),
        (
            TAKES_A,
            entry("\"*\" = { kind = 'rejected-valid', answers = 2 }"),
            &[],
            1,
            "b.toml:9: `*` covers 1 answers of `rejected-valid`, and says 2: look at what has changed, and write `answers = 1`",
        ),
        (
            REFUSES,
            entry(&format!("{both}\n\"*\" = {{ kind = 'accepted-invalid', answers = 2 }}")),
            &[],
            1,
            "b.toml:11: `*` covers 0 answers of `accepted-invalid`: delete this line",
        ),
        (REFUSES, entry("\"one/?\" = 'rejected'"), &[], 0, "pass  planted"),
        (
            REFUSES,
            entry("\"one/?\" = 'accepted-invalid'"),
            &[],
            1,
            "says `accepted-invalid`",
        ),
        (
            REFUSES,
            entry(&format!("{both}\n\"two/*\" = 'rejected'")),
            &[],
            1,
            "b.toml:11: `two/*` matches no vector",
        ),
        (
            REFUSES,
            entry("\"one/*\" = 'rejected'"),
            &[],
            1,
            "b.toml:9: of the 5 vectors that `one/*` matches 3 do not fail: `one/percent` agrees",
        ),
    ] {
        assert_judged(body, &baseline, arguments, (status, expected));
    }
}

/// Checks a planted adapter with a baseline: the exit status, and what is printed.
fn assert_judged(body: &str, baseline: &str, arguments: &[&str], (status, expected): (i32, &str)) {
    let folder = VectorFolder::new();
    folder.put("b.toml", baseline);
    let done = folder.check(body, &[&["--baseline", "b.toml"], arguments].concat());
    assert_eq!(done.status, status, "{expected}: {}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains(expected), "{expected} is not in {}", done.stdout);
}

#[test]
fn a_baseline_that_cannot_be_read_is_named_with_its_line() {
    for (baseline, expected) in [
        (
            entry("\"one/c\" = 'rejected'"),
            "b.toml:9: no vector `one/c`, perhaps `one/b` is meant",
        ),
        (
            entry("\"one/a\" = 'rejected'\n\"one/a\" = 'rejected'"),
            "b.toml:10: `one/a` stands in line 9 already",
        ),
        (entry("\"one/a\" = rejected"), "b.toml:9: no TOML: "),
        (
            entry("\"one/a\" = 'rejected'").replace("bug", "typo"),
            "b.toml:6: `kind` is one of bug",
        ),
        (
            entry("\"one/a\" = 'rejected'").replace("planted", "other"),
            "b.toml:2: the baseline is about `other`, and `planted` is checked",
        ),
    ] {
        let folder = VectorFolder::new();
        folder.put("b.toml", &baseline);
        let done = folder.check(REFUSES, &["--baseline", "b.toml"]);
        assert_eq!((done.status, &*done.stdout), (2, ""), "{}", done.stderr);
        assert!(done.stderr.contains(expected), "{expected} is not in {}", done.stderr);
    }
    let folder = VectorFolder::new();
    let done = folder.run(&[
        "check",
        "--baseline",
        "b.toml",
        "--subject",
        "url",
        "--subject",
        "oxiri",
    ]);
    assert_eq!(done.status, 2);
    assert!(
        done.stderr.contains("a baseline is about one subject, and 3 are selected"),
        "{}",
        done.stderr
    );
}

#[test]
fn a_baseline_is_written_anew_and_keeps_what_stands() {
    let folder = VectorFolder::new();
    let before = format!(
        "# mine\n{HEAD}\n[[entry]] # first\nkind = \"bug\"\nreason = \"so\"\n[entry.vectors]\n\"one/a\" = 'rejected'\n\n\
         # second\n[[entry]]\nkind = \"by-design\"\nreason = \"we like it\"\n[entry.vectors]\n\"one/b\" = 'accepted' # why\n"
    );
    folder.put("b.toml", &before);
    let done = folder.check(TAKES_A, &["--baseline", "b.toml", "--write-baseline"]);
    assert!(
        done.stdout.contains("0 lines added, 1 changed, 1 deleted"),
        "{}{}",
        done.stdout,
        done.stderr
    );
    let expected = format!(
        "# mine\n{HEAD}\n# second\n[[entry]]\nkind = \"by-design\"\nreason = \"we like it\"\n[entry.vectors]\n\"one/b\" = 'rejected' # why\n"
    );
    assert_eq!(folder.text("b.toml"), expected);
    let done = folder.check(TAKES_A, &["--baseline", "b.toml", "--write-baseline"]);
    assert_eq!((done.status, folder.text("b.toml")), (0, expected));

    // A pattern that no longer fits gives way to what it matched, and the reason stays.
    folder.put("b.toml", &entry("\"one/*\" = 'rejected'"));
    folder.check(REFUSES, &["--baseline", "b.toml", "--write-baseline"]);
    assert_eq!(
        folder.text("b.toml"),
        entry("\"one/a\" = 'rejected'\n\"one/b\" = 'rejected'")
    );

    // What dies half-way writes no baseline.
    let done = folder.check(
        "exit 1",
        &["--baseline", "b.toml", "--write-baseline", "--restarts", "0"],
    );
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("b.toml is not written"), "{}", done.stderr);
    assert_eq!(
        folder.text("b.toml"),
        entry("\"one/a\" = 'rejected'\n\"one/b\" = 'rejected'")
    );
}

/// A kind stands in a pattern with the number of its answers.
#[test]
fn a_kind_alone_gets_a_message_with_what_to_write() {
    let baseline = entry("\"one/a\" = 'rejected'\n\"*\" = 'rejected-valid'");
    let words = "names a kind alone, `rejected-valid`: write the answer, `rejected`; in a pattern write";
    assert_judged(REFUSES, &baseline, &[], (1, words));
    // Of vectors that do not fail it says the same.
    let words = "`*` names a kind alone: write { kind = 'rejected-valid', answers = N }";
    assert_judged(TAKES_A, &entry("\"*\" = 'rejected-valid'"), &[], (1, words));
}
