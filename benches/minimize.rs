//! How long a typical divergence takes to shrink: `cargo bench --bench minimize`. Other work on the machine can only make a
//! time seem longer, so it is the least of several that counts.

mod least;

use least::{least, milliseconds};
use uriproof::model::{Input, Reading, Rule, Rung, Scope, Subject};
use uriproof::run;
use uriproof_lab::divergence::fingerprint::{classes, minimize_for_all};
use uriproof_subjects::SUBJECTS;

/// Inputs of about 60 characters, each with something that subjects differ in.
fn typical() -> Vec<Input> {
    vec![
        Input::Parse {
            rule: Rule::UriReference,
            input: "https://user:pw@www.example.com:8080/over/[there]?name=a#nose".to_owned(),
        },
        Input::Parse {
            rule: Rule::UriReference,
            input: "http://[2001:db8::1:192.168.010.1]:80/path/to/file?q=%zz#frag".to_owned(),
        },
        Input::Resolve {
            base: "http://example.com/a/b/c/d;p?q".to_owned(),
            reference: "../../../%2e%2e/g//h/../i?x#fragment".to_owned(),
            strict: true,
        },
        Input::Normalize {
            uri: "HTTP://User@EXAMPLE.com:80/%7euser/a/./b/../%2F%c3%a9?q=%2f#F".to_owned(),
            scope: Scope::Scheme,
        },
        Input::Equivalent {
            left: "http://example.com/~smith/a/".to_owned(),
            right: "HTTP://EXAMPLE.com:80/%7Esmith/a/./b/..".to_owned(),
            rung: Rung::Scheme,
        },
    ]
}

fn main() {
    // Without `--bench` this is a test run: once is enough to see that it works.
    let times = if std::env::args().any(|argument| argument == "--bench") {
        5
    } else {
        1
    };
    let all: Vec<&dyn Subject> = SUBJECTS.to_vec();
    let quick: Vec<&dyn Subject> = SUBJECTS.iter().copied().filter(|subject| subject.budget().is_none()).collect();
    println!(
        "{:10} {:>12} {:>12} {:>12}  its subject",
        "", "all", "without slow", "slowest one"
    );
    for input in typical() {
        let for_all = least(times, || minimize_for_all(&all, &input, Reading::Rfc3986));
        let for_quick = least(times, || minimize_for_all(&quick, &input, Reading::Rfc3986));
        let slowest = SUBJECTS
            .iter()
            .map(|subject| {
                let result = run::one(*subject, &input, Reading::Rfc3986);
                let time = least(times, || classes(*subject, &result, Reading::Rfc3986));
                (time, subject.declaration().label())
            })
            .max()
            .unwrap_or_default();
        println!(
            "{:10} {:>12} {:>12} {:>12}  {}",
            input.operation(),
            milliseconds(for_all),
            milliseconds(for_quick),
            milliseconds(slowest.0),
            slowest.1
        );
    }
}
