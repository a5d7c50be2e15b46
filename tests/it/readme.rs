//! What README shows of commands is what they print.

use std::fs;
use std::path::Path;

use crate::process::{program, run};

/// How many lines of an output are shown.
const LINES: usize = 10;

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// Each command that is shown with its output: its arguments, and the lines.
fn shown(readme: &str) -> Vec<(Vec<String>, Vec<&str>)> {
    let blocks = readme.split("```text\n$ cargo run --release -- ").skip(1);
    let shown = blocks.map(|block| {
        let (block, _) = block.split_once("\n```").unwrap();
        let (command, output) = block.split_once('\n').unwrap();
        (shell_words::split(command).unwrap(), output.lines().collect())
    });
    shown.collect()
}

#[test]
fn readme_shows_what_commands_print() {
    let readme = readme();
    let shown = shown(&readme);
    assert_eq!(shown.len(), 3, "a command for each kind of user");
    for (arguments, lines) in shown {
        assert!(lines.len() <= LINES, "{arguments:?} has {} lines", lines.len());
        let done = run(program().args(&arguments));
        let printed: Vec<&str> = done.stdout.lines().map(str::trim_end).collect();
        let mut at = 0;
        for (place, part) in lines.split(|line| *line == "...").enumerate() {
            let is_there = |from: &usize| printed[*from..].starts_with(part);
            let found = (at..printed.len()).find(is_there).filter(|from| place > 0 || *from == 0);
            let from = found.unwrap_or_else(|| panic!("{arguments:?} does not print {part:#?}, but\n{}", done.stdout));
            at = from + part.len();
        }
    }
}

/// Nothing stands between the bugs and those who can use the program.
#[test]
fn readme_begins_with_bugs_and_users() {
    let readme = readme();
    let (_, rest) = readme.split_once("```text\n").unwrap();
    let (bugs, users) = rest.split_once("```\n\n").unwrap();
    assert!(bugs.lines().count() <= LINES, "{bugs}");
    assert!(users.starts_with("**You write a URI library**"), "{users}");
}
