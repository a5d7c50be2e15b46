//! The command line, as a process: what it prints, where it writes, how it exits.

mod check;
mod diff;
mod report;
mod sweep;
mod vectors;

use crate::process::{Done, program, run};

fn uriproof(arguments: &[&str]) -> Done {
    run(program().args(arguments))
}

/// Runs a command that cannot be done: nothing on stdout, exit status 2, and one line on stderr.
fn refused(arguments: &[&str]) -> String {
    let done = uriproof(arguments);
    assert_eq!((done.status, &*done.stdout), (2, ""), "{}", done.stderr);
    assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    done.stderr
}

#[test]
fn an_unknown_subject_is_named_with_those_there_are() {
    for command in [&["check", "--subject", "nobody"][..], &["serve", "--subject", "nobody"]] {
        let message = refused(command);
        assert!(
            message.contains("no subject matches `nobody`; there are those of reference, ")
                && message.ends_with("which `uriproof subjects` lists\n"),
            "{message}"
        );
    }
    let message = refused(&["check", "--subject", "whatwg"]);
    assert!(
        message.contains("--command 'uriproof serve --subject whatwg'"),
        "{message}"
    );
    let message = refused(&["serve", "--subject", "fluent-uri"]);
    assert!(message.contains("is not one subject but 5: fluent-uri"), "{message}");
}

#[test]
fn a_usage_error_exits_with_2() {
    for arguments in [&[][..], &["fetch"], &["check", "--format", "yaml"], &["diff"]] {
        assert_eq!(uriproof(arguments).status, 2, "{arguments:?}");
    }
}
