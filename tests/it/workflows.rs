//! The workflows of this repository, and the examples of workflows: what they run is pinned, and may no more than it must.

use std::fs;
use std::path::Path;

use regex::Regex;

/// The workflows of a folder: name and text.
fn workflows(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let paths = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = paths.map(|path| (path.display().to_string(), fs::read_to_string(&path).unwrap()));
    let texts: Vec<_> = texts.collect();
    assert!(texts.len() >= 3, "{}", folder.display());
    texts
}

fn all() -> Vec<(String, String)> {
    [workflows(".github/workflows"), workflows("examples/workflows")].concat()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The lines that belong to the one at a place: those behind it that are indented more.
fn block<'t>(lines: &[&'t str], at: usize) -> Vec<&'t str> {
    let inner = lines[at + 1..].iter().take_while(|line| line.trim().is_empty() || indent(line) > indent(lines[at]));
    inner.copied().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#')).collect()
}

/// The jobs of a workflow: name and lines.
fn jobs(text: &str) -> Vec<(&str, Vec<&str>)> {
    let lines: Vec<&str> = text.lines().collect();
    let jobs = lines.iter().position(|line| *line == "jobs:").expect("a workflow has jobs");
    let heads =
        (jobs + 1..lines.len()).filter(|&at| indent(lines[at]) == 2 && !lines[at].trim_start().starts_with('#'));
    heads.map(|at| (lines[at].trim().trim_end_matches(':'), block(&lines, at))).collect()
}

/// The permissions below a line `permissions:`, of the whole workflow or of one job.
fn permissions<'t>(lines: &[&'t str]) -> Option<Vec<&'t str>> {
    let at = lines.iter().position(|line| line.trim_start().starts_with("permissions:"))?;
    match lines[at].trim() {
        "permissions:" => Some(block(lines, at).into_iter().map(str::trim).collect()),
        "permissions: {}" => Some(Vec::new()),
        other => panic!("`{other}` is not a list of permissions"),
    }
}

#[test]
fn actions_are_pinned_to_a_commit() {
    let pinned = Regex::new(r"^[\w.-]+(/[\w.-]+)+@[0-9a-f]{40} # v\d+(\.\d+)*$").unwrap();
    let mut count = 0;
    for (name, text) in all() {
        for used in text.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("uses: ")) {
            count += 1;
            // The examples show how this project's own action is used; it has no releases yet.
            let is_own = name.contains("examples") && used == "uriproof/uriproof@main";
            assert!(is_own || pinned.is_match(used), "{name}: {used} is not pinned");
        }
        assert_eq!(text.matches("uses:").count(), text.matches("uses: ").count(), "{name}");
    }
    assert!(count > 10);
}

#[test]
fn a_checkout_keeps_no_credentials() {
    let mut count = 0;
    for (name, text) in all() {
        let lines: Vec<&str> = text.lines().collect();
        for at in (0..lines.len()).filter(|&at| lines[at].contains("uses: actions/checkout@")) {
            count += 1;
            let keeps = !block(&lines, at).iter().any(|line| line.trim() == "persist-credentials: false");
            assert!(!keeps, "{name}:{}: the checkout keeps credentials", at + 1);
        }
    }
    assert!(count > 5);
}

#[test]
fn only_a_job_that_needs_it_may_write() {
    for (name, text) in all() {
        let lines: Vec<&str> = text.lines().collect();
        let jobs = jobs(&text);
        assert!(!jobs.is_empty(), "{name}");
        let before: Vec<&str> = lines.iter().copied().take_while(|line| *line != "jobs:").collect();
        let of_all = permissions(&before).unwrap_or_else(|| panic!("{name} does not say what it may"));
        assert!(
            of_all.iter().all(|permission| *permission == "contents: read"),
            "{name}: {of_all:?}"
        );
        for (job, lines) in jobs {
            let may = permissions(&lines).unwrap_or_else(|| of_all.clone());
            let has = |words: &str| lines.iter().any(|line| line.contains(words));
            let needed = [
                ("contents: read", has("actions/checkout@") || has("clusterfuzzlite")),
                ("contents: write", has("gh release upload")),
                ("id-token: write", has("actions/attest-build-provenance@")),
                ("attestations: write", has("actions/attest-build-provenance@")),
            ];
            for permission in &may {
                let is_needed = needed.iter().any(|(known, is_needed)| known == permission && *is_needed);
                assert!(is_needed, "{name}: `{job}` has no use for `{permission}`");
            }
            for (permission, _) in needed.iter().filter(|(_, is_needed)| *is_needed) {
                assert!(may.contains(permission), "{name}: `{job}` needs `{permission}`");
            }
            // What others have written is not run where something can be written.
            let writes = may.iter().any(|permission| permission.ends_with("write"));
            assert!(
                !writes || !(has("cargo ") || has("actions/checkout@")),
                "{name}: `{job}` builds and may write"
            );
        }
    }
}

#[test]
fn what_is_released_is_attested_first() {
    let (_, text) = workflows(".github/workflows").into_iter().find(|(name, _)| name.ends_with("release.yml")).unwrap();
    let jobs = jobs(&text);
    let job = |words: &str| {
        let (name, lines) = jobs.iter().find(|(_, lines)| lines.iter().any(|line| line.contains(words))).unwrap();
        (*name, lines.iter().find_map(|line| line.trim().strip_prefix("needs: ")))
    };
    let (attests, needs) = job("actions/attest-build-provenance@");
    assert_eq!(
        needs,
        Some(&*format!("[{}, {}]", job("tar -czf").0, job(".ci/package").0))
    );
    assert_eq!(job("gh release upload").1, Some(attests));
    let paths = ["subject-path: release/*", "gh release upload \"$TAG\" release/*"];
    assert!(
        paths.iter().all(|path| text.contains(path)),
        "what is attested is what is uploaded"
    );
}
