//! `completions`, `man` and `--version`.

use uriproof::vectors::{DATA_VERSION, Library};

use crate::process::{program, run};

#[test]
fn completions_hide_what_is_hidden_and_complete_what_options_name() {
    let library = Library::embedded();
    let vector = &*library.vectors().next().expect("there are vectors").id;
    let of_standard = &*library.whatwg.vectors.first().expect("there are vectors of the standard").id;
    for shell in ["bash", "zsh", "fish"] {
        let done = run(program().args(["completions", shell]));
        assert_eq!(done.status, 0, "{}", done.stderr);
        for hidden in ["--parent", "--hang-ms", "warden", "bless"] {
            assert!(!done.stdout.contains(hidden), "{shell}: {hidden}");
        }
        for shown in [
            "fluent-uri",
            "syntax/ipv6/*",
            "§5.2.4/2C",
            "sarif",
            "check",
            vector,
            of_standard,
        ] {
            assert!(done.stdout.contains(shown), "{shell}: no {shown}");
        }
    }
}

#[test]
fn the_manual_has_the_pages_to_which_its_first_refers() {
    let page = |arguments: &[&str]| run(program().arg("man").args(arguments));
    let first = page(&[]).stdout.replace("\\-", "-");
    let names: Vec<&str> = first
        .lines()
        .filter_map(|line| line.trim().strip_prefix("uriproof-"))
        .filter_map(|line| Some(line.split_once('(')?.0))
        .collect();
    assert!(names.len() > 15, "{first}");
    // Those of the commands of a command, to which its page refers.
    let vectors = page(&["vectors"]).stdout.replace("\\-", "-");
    assert!(vectors.contains("uriproof-vectors-list(1)"), "{vectors}");
    for name in names.into_iter().chain(["vectors list", "vectors-list"]) {
        let done = page(&name.split(' ').collect::<Vec<_>>());
        assert_eq!(done.status, 0, "{name}: {}", done.stderr);
        assert!(done.stdout.contains("SYNOPSIS"), "{name}");
    }
    let done = page(&["nothing"]);
    assert_eq!(done.status, 2);
    assert!(
        done.stderr.contains("there is no command `nothing`; there are "),
        "{}",
        done.stderr
    );
}

#[test]
fn the_version_has_that_of_the_data() {
    let done = run(program().arg("--version"));
    let expected = format!("uriproof {} (data {})\n", env!("CARGO_PKG_VERSION"), DATA_VERSION);
    assert_eq!(done.stdout, expected);
}
