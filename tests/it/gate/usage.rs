//! The options that the gate's commands take, on the command line as in manuals.

use super::VectorFolder;

#[test]
fn arguments_that_do_not_go_together_are_refused() {
    let folder = VectorFolder::new();
    for arguments in [
        &["check", "--write-baseline"][..],
        &["check", "--write-baseline", "--baseline", "b", "--only", "a"],
        &["check", "--probe"],
        &["check", "--output", "junit"],
        &["check", "--output", "yaml=a"],
        &["check", "--corpus", "a", "--baseline", "b"],
        &["regress", "a"],
    ] {
        assert_eq!(folder.run(arguments).status, 2, "{arguments:?}");
    }
}

#[test]
fn shells_and_man_are_served() {
    let folder = VectorFolder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let done = folder.run(&["completions", shell]);
        assert!(
            done.status == 0 && done.stdout.contains("regress"),
            "{shell}: {}",
            done.stdout
        );
    }
    assert!(folder.run(&["man"]).stdout.starts_with(".ie"));
    let done = folder.run(&["man", "--output", "man1"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(folder.text("man1/uriproof-check.1").contains("write\\-baseline"));
    assert!(folder.run(&["check", "--help"]).stdout.contains("Examples:"));
}
