//! The command line as a process, for the tests that drive it.

use std::process::Output;

use assert_cmd::Command;

/// What a process printed, and how it ended.
pub(crate) struct Done {
    /// The exit status.
    pub(crate) status: i32,
    /// What it printed.
    pub(crate) stdout: String,
    /// What it said.
    pub(crate) stderr: String,
}

impl From<Output> for Done {
    fn from(output: Output) -> Done {
        Done {
            status: output.status.code().expect("it was not killed"),
            stdout: String::from_utf8(output.stdout).expect("it prints UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("it says UTF-8"),
        }
    }
}

/// The program, to be given arguments and more.
pub(crate) fn program() -> Command {
    Command::cargo_bin("uriproof").expect("it is built")
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Done {
    command.output().expect("it starts").into()
}

/// Whether an interpreter that a planted adapter is written for is there; if not, it says that the test is left out.
#[allow(dead_code, reason = "a file of tests may need none")]
pub(crate) fn has(interpreter: &str) -> bool {
    let is_there = std::process::Command::new(interpreter).arg("--version").output().is_ok();
    if !is_there {
        println!("left out: {interpreter} is not installed");
    }
    is_there
}

/// The words of a text, on one line: lines may be broken anywhere between them.
pub(crate) fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
