//! `uriproof regress` compares the results of two checks.

use serde_json::Value;

use super::{REFUSES, TAKES_A, VectorFolder};

/// The results of `old.json`, with another divergence of one vector.
fn changed(folder: &VectorFolder, kind: &str, outcome: Value) -> Value {
    let mut results: Value = serde_json::from_str(&folder.text("old.json")).unwrap();
    let vectors = results["vectors"].as_array_mut().unwrap();
    let divergence = vectors.iter_mut().find(|vector| vector["id"] == "one/a").unwrap();
    divergence["kind"] = kind.into();
    divergence["outcome"] = outcome;
    results
}

#[test]
fn a_divergence_that_became_another_fails_unless_that_is_accepted() {
    let folder = VectorFolder::new();
    folder.check(REFUSES, &["--output", "json=old.json"]);
    let mut new = changed(
        &folder,
        "other-components",
        serde_json::json!({"outcome": "accepted", "uri": "b"}),
    );
    // The first format had no deviations.
    new["uriproof"] = 1.into();
    new["subjects"][0].as_object_mut().unwrap().remove("deviations");
    let mut old: Value = serde_json::from_str(&folder.text("old.json")).unwrap();
    assert_eq!(old["uriproof"], 2);
    old["subjects"][0]["deviations"] =
        serde_json::json!([{"deviation": {"id": "refuses-ipvfuture"}, "sentence": "refuses IPvFuture"}]);
    folder.put("old.json", &old.to_string());
    folder.put("new.json", &new.to_string());
    let done = folder.run(&["regress", "old.json", "new.json"]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert!(
        done.stdout.starts_with("0 worse, 0 better, 1 otherwise\nplanted parse: no longer: refuses IPvFuture\n"),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.contains("    old  rejected-valid: rejected\n    new  other-components: \"b\"\n"),
        "{}",
        done.stdout
    );
    let done = folder.run(&["regress", "old.json", "new.json", "--accept-changed"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
}

/// A crash at another place is another one; the line alone is not, since it changes from version to version.
#[test]
fn a_crash_that_became_another_fails() {
    let folder = VectorFolder::new();
    folder.check(REFUSES, &["--output", "json=old.json"]);
    let crashes = |file: &str, reason: &str| {
        let outcome = serde_json::json!({"outcome": "crashed", "reason": reason});
        folder.put(file, &changed(&folder, "crashed", outcome).to_string());
    };
    crashes("one.json", "index out of bounds (uri.rs:10)");
    crashes("moved.json", "index out of bounds (uri.rs:12)");
    crashes("another.json", "not a char boundary (path.rs:10)");
    let done = folder.run(&["regress", "one.json", "moved.json"]);
    assert_eq!((done.status, &*done.stdout), (0, "0 worse, 0 better, 0 otherwise\n"));
    let done = folder.run(&["regress", "one.json", "another.json"]);
    assert_eq!(done.status, 1, "{}", done.stdout);
    assert!(
        done.stdout.starts_with("0 worse, 0 better, 1 otherwise\n"),
        "{}",
        done.stdout
    );
}

#[test]
fn what_changed_between_two_results_is_told() {
    let folder = VectorFolder::new();
    folder.check(REFUSES, &["--output", "json=old.json"]);
    folder.check(TAKES_A, &["--output", "json=new.json"]);
    let done = folder.run(&["regress", "old.json", "new.json"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(
        done.stdout.starts_with("0 worse, 1 better, 0 otherwise\n"),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.contains("    old  rejected-valid: rejected\n    new  agrees\n"),
        "{}",
        done.stdout
    );
    let done = folder.run(&["regress", "new.json", "old.json", "--format", "json"]);
    assert_eq!(done.status, 1);
    let regress: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(regress["changed"][0]["change"], "worse");
    assert_eq!(regress["changed"][0]["new"]["kind"], "rejected-valid");
    // What is compared no more is worse than what agreed.
    let unsupported = r#"case "$line" in *'"input":"a"'*) printf '{"id":%s,"outcome":"unsupported","reason":"later"}\n' "$id";; *) reject "$id";; esac"#;
    folder.check(unsupported, &["--output", "json=less.json"]);
    let done = folder.run(&["regress", "new.json", "less.json"]);
    assert_eq!(done.status, 1);
    assert!(
        done.stdout.contains("    old  agrees\n    new  not compared\n"),
        "{}",
        done.stdout
    );

    folder.put("bad.json", "{\"uriproof\": 1,\n \"reading\": 7}");
    let done = folder.run(&["regress", "bad.json", "new.json"]);
    assert_eq!((done.status, &*done.stdout), (2, ""));
    assert!(done.stderr.contains("bad.json:2:13: no results"), "{}", done.stderr);
    folder.put("other.json", &folder.text("new.json").replace("planted", "other"));
    let done = folder.run(&["regress", "old.json", "other.json"]);
    assert!(
        done.stderr.contains("the two have no subject in common"),
        "{}",
        done.stderr
    );
}

/// What `report` writes has several versions of a crate: those of both files are matched, and the ones that are left.
#[test]
fn several_versions_of_a_subject_are_matched() {
    let folder = VectorFolder::new();
    folder.check(REFUSES, &["--output", "json=one.json"]);
    let results: Value = serde_json::from_str(&folder.text("one.json")).unwrap();
    let label = results["subjects"][0]["subject"].as_str().unwrap().to_owned();
    let of_versions = |file: &str, versions: &[&str]| {
        let with = |one: &Value, version: &str| {
            let mut one = one.clone();
            let mut words: Vec<&str> = label.split(' ').collect();
            words[1] = version;
            one["subject"] = words.join(" ").into();
            one
        };
        let mut file_of = results.clone();
        for list in ["subjects", "vectors"] {
            let all = results[list].as_array().unwrap();
            let copies = versions.iter().flat_map(|version| all.iter().map(|one| with(one, version)));
            file_of[list] = copies.collect();
        }
        folder.put(file, &file_of.to_string());
    };
    of_versions("old.json", &["1.0", "2.0"]);
    of_versions("same.json", &["2.0", "1.0"]);
    of_versions("moved.json", &["1.0", "3.0"]);
    of_versions("other.json", &["3.0", "4.0"]);
    for same in ["old.json", "same.json", "moved.json"] {
        let done = folder.run(&["regress", "old.json", same]);
        assert_eq!((done.status, &*done.stderr), (0, ""), "{same}: {}", done.stdout);
        assert!(!done.stdout.contains("gone"), "{same}: {}", done.stdout);
    }
    let done = folder.run(&["regress", "old.json", "other.json"]);
    assert_eq!(done.status, 2, "{}", done.stdout);
    assert!(done.stderr.contains("no subject in common"), "{}", done.stderr);
}
