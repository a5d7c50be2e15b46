//! No line of an output of these commands is wider than a screen, whatever the subject.

use crate::process::{program, run};

use super::COLUMNS;

/// The lines of an output that are too wide, but for a string that cannot be broken.
fn wide(arguments: &[&str]) -> Vec<String> {
    let done = run(program().args(arguments));
    assert!(done.status < 2, "{arguments:?}: {}", done.stderr);
    assert!(done.stdout.lines().count() > 1, "{arguments:?}");
    done.stdout.lines().filter(|line| line.chars().count() > COLUMNS).map(str::to_owned).collect()
}

#[test]
fn what_is_learned_of_each_subject_is_in_the_columns_of_a_screen() {
    let none: [&str; 0] = [];
    assert_eq!(wide(&["learn", "--subject", "*", "--budget", "1500"]), none);
}

#[test]
fn suites_of_each_subject_are_in_the_columns_of_a_screen() {
    let none: [&str; 0] = [];
    assert_eq!(wide(&["complete", "--subject", "*"]), none);
    assert_eq!(
        wide(&["complete", "--subject", "*", "--all", "--operation", "resolve"]),
        none
    );
}

#[test]
fn explanations_are_in_the_columns_of_a_screen() {
    for input in [
        "//a:b:c@d/e",
        "http://a\\@b",
        "a:%aa",
        "http://\u{e9}/",
        "http://[1:2:3:4:5:6:7:8:9]/",
        "a b",
        "",
        ":",
        "//[v1.]",
    ] {
        for more in [
            &[][..],
            &["--specification", "whatwg"],
            &["--base", "http://a/b/c/d;p?q"],
            &["--rule", "URI"],
        ] {
            let arguments = [&["explain"], more, &["--", input]].concat();
            let none: [&str; 0] = [];
            assert_eq!(wide(&arguments), none, "{arguments:?}");
        }
    }
}
