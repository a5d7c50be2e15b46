//! `uriproof growth`: on planted subjects with clocks of their own, and as a process.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::process::{Done, program, run};
use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};
use tempfile::TempDir;
use uriproof::model::{Component, Declaration, EVERYTHING, Input, Operation, Outcome, Rule, Subject};
use uriproof_lab::growth::{Answerer, GrowingPart, Growth, GrowthFinding, Pattern, Survey, TimedOutcome, TimedSubject};
use uriproof_subjects::SUBJECTS;

/// A subject whose time is made up, or why it crashes.
struct Planted<F> {
    behavior: F,
    /// Advances with each question, for noise that is the same each time.
    asked: Cell<u64>,
    /// Every answer takes up to so many times as long as it should.
    noise: f64,
}

impl<F: Fn(&str) -> Result<f64, String>> Answerer for Planted<F> {
    fn answer(&self, input: &Input) -> TimedOutcome {
        let Input::Parse { input, .. } = input else {
            panic!("{input}")
        };
        self.asked.set(self.asked.get() + 1);
        let mut random = fastrand::Rng::with_seed(self.asked.get());
        match (self.behavior)(input) {
            Ok(seconds) if seconds > LIMIT => TimedOutcome {
                outcome: Outcome::TimedOut { reason: String::new() },
                seconds: LIMIT,
            },
            Ok(seconds) => TimedOutcome {
                outcome: Outcome::rejected("planted"),
                seconds: seconds * (1.0 + random.f64() * (self.noise - 1.0)),
            },
            Err(reason) => TimedOutcome {
                outcome: Outcome::Crashed { reason },
                seconds: 0.0,
            },
        }
    }
}

const LIMIT: f64 = 10.0;

fn declaration() -> Declaration {
    Declaration::new("planted", "1", "parse", &[Operation::Parse]).with_tells(EVERYTHING)
}

fn survey(noise: f64, behavior: impl Fn(&str) -> Result<f64, String>) -> Survey {
    let planted = Planted {
        behavior,
        asked: Cell::new(0),
        noise,
    };
    Survey::of(&declaration(), &planted, &|_| ())
}

/// So many nanoseconds, times a power of the number of bytes.
fn seconds(text: &str, per_byte: f64, power: f64) -> f64 {
    per_byte * (text.len() as f64).powf(power) / 1e9
}

#[test]
fn what_is_linear_is_never_named() {
    // From as fast as memory to one that takes all of the limit, and those that do not fit into the caches.
    for per_byte in [0.1, 20.0, 150.0, 2_000.0, 9_000.0, 30_000.0, 1e6] {
        for noise in [1.0, 2.0, 4.0] {
            let survey = survey(noise, |text| Ok(seconds(text, per_byte, 1.0)));
            assert_eq!(survey.growths, [], "{per_byte} ns a byte, noise {noise}");
        }
    }
    for noise in [1.0, 2.0, 4.0] {
        let survey = survey(noise, |text| {
            let logarithm = (text.len() as f64).log2();
            Ok(seconds(text, 20.0, 1.0) * logarithm)
        });
        assert_eq!(survey.growths, []);
        assert!(survey.patterns > 500);
    }
}

#[test]
fn what_is_quadratic_is_named_by_its_simplest_pattern() {
    for (per_byte_squared, noise) in [(1.0, 1.0), (1.0, 2.0), (30.0, 1.0), (30.0, 1.5), (300.0, 1.0)] {
        let survey = survey(noise, |text| {
            let is_slow = text.contains("%41%41") && text.starts_with('/');
            Ok(if is_slow {
                seconds(text, per_byte_squared, 2.0)
            } else {
                seconds(text, 40.0, 1.0)
            })
        });
        let [
            Growth {
                operation,
                pattern,
                finding,
                ..
            },
        ] = &*survey.growths
        else {
            panic!("{:?}", survey.growths)
        };
        assert_eq!(*operation, Operation::Parse);
        assert_eq!(pattern.to_string(), r#""/" "%41"*"#);
        let GrowthFinding::Superlinear { exponent, seconds_at } = finding else {
            panic!("{finding}")
        };
        assert!((1.7..2.3).contains(exponent), "{exponent}");
        assert!(seconds_at.len() >= 3, "{seconds_at:?}");
        assert!(survey.of_found_groups > 10);
    }
}

#[test]
fn what_is_quadratic_behind_a_linear_part_is_measured_until_it_shows() {
    // The linear part hides the quadratic one up to some size. Where that is decides how many points are meaningful.
    for linear in [0.0, 100.0, 300.0, 500.0] {
        for percent in (60..=140).step_by(16) {
            let survey = survey(1.05, |text| {
                let part = seconds(text, linear, 1.0);
                let is_slow = text.contains("%41%41") && text.starts_with('/');
                Ok(part
                    + if is_slow {
                        seconds(text, 0.0117 * f64::from(percent) / 100.0, 2.0)
                    } else {
                        0.0
                    })
            });
            assert_eq!(survey.growths.len(), 1, "{linear} ns a byte, {percent} %");
        }
    }
}

/// On a busy machine the first measurement of a size may take twice as long as the next: some of the points that seemed enough are then
/// too short to count.
#[test]
fn what_is_quadratic_is_measured_until_it_shows_on_a_machine_that_is_busy_at_first() {
    for percent in (60..=140).step_by(4) {
        let sizes = RefCell::new(BTreeMap::new());
        let survey = survey(1.0, |text| {
            let is_slow = text.contains("%41%41") && text.starts_with('/');
            if !is_slow {
                return Ok(seconds(text, 1.0, 1.0));
            }
            let mut sizes = sizes.borrow_mut();
            let times: &mut u32 = sizes.entry(text.len()).or_default();
            *times += 1;
            let busy = if *times % 3 == 1 { 2.5 } else { 1.0 };
            Ok(busy * seconds(text, 0.0745 * f64::from(percent) / 100.0, 2.0))
        });
        assert_eq!(survey.growths.len(), 1, "{percent} %");
    }
}

#[test]
fn a_hang_is_no_answer_from_some_size_on() {
    let survey = survey(1.0, |text| {
        let hangs = text.matches('@').count() > 20_000;
        Ok(if hangs { 1e9 } else { seconds(text, 40.0, 1.0) })
    });
    let found: Vec<String> =
        survey.growths.iter().map(|growth| format!("{}: {}", growth.pattern, growth.finding)).collect();
    assert_eq!(found, [r#""@"*: no answer at 32 KiB"#, r#""a@"*: no answer at 64 KiB"#]);
    let always = |text: &str| Ok(if text.contains("[[") { 1e9 } else { 0.0 });
    assert_eq!(
        self::survey(1.0, always).growths[0].finding,
        GrowthFinding::TimedOut { at: 256 }
    );
}

#[test]
fn a_crash_is_told_with_the_smallest_size() {
    let survey = survey(1.0, |text| {
        if text.matches("a/..").count() > 100 {
            return Err("overflowed its stack".to_owned());
        }
        if text.contains('[') {
            return Err("at once".to_owned());
        }
        Ok(seconds(text, 40.0, 1.0))
    });
    let [growth] = &*survey.growths else {
        panic!("{:?}", survey.growths)
    };
    assert_eq!(
        growth.finding,
        GrowthFinding::Crashed {
            reason: "overflowed its stack".to_owned(),
            at: 512
        }
    );
    assert_eq!(growth.pattern.unit, "a/../");
    assert!(survey.short_crashes > 10);
}

/// A machine with much to do runs what is short at once, and shares its time among what is long.
#[test]
fn what_is_slow_because_others_work_is_not_named() {
    for share in [2.0, 3.0, 5.0] {
        let survey = survey(1.2, |text| {
            let alone = seconds(text, 100.0, 1.0);
            Ok(if alone < 0.008 { alone } else { alone * share })
        });
        assert_eq!(survey.growths, [], "{share}");
    }
}

/// A machine that is slow at one moment makes no subject slow.
#[test]
fn what_is_slow_once_is_not_named() {
    let asked = Cell::new(0_u64);
    let survey = survey(1.0, |text| {
        asked.set(asked.get() + 1);
        let is_busy = asked.get() % 400 < 8;
        Ok(seconds(text, 40.0, 1.0) * if is_busy { 50.0 } else { 1.0 })
    });
    assert_eq!(survey.growths, []);
}

#[test]
fn findings_are_stored_and_read_again() {
    let finding = GrowthFinding::Superlinear {
        exponent: 2.0,
        seconds_at: vec![(4096, 0.25), (8192, 1.0)],
    };
    let pattern = |place| Pattern {
        prefix: "a:".to_owned(),
        unit: "/..".to_owned(),
        suffix: String::new(),
        second: String::new(),
        place,
    };
    for (place, name) in [
        (GrowingPart::Base, "base"),
        (GrowingPart::Input, "input"),
        (GrowingPart::Component(Component::Path), "path"),
    ] {
        let growth = Growth {
            subject: "planted 1 parse".to_owned(),
            operation: Operation::Resolve,
            pattern: pattern(place),
            finding: finding.clone(),
        };
        let stored = serde_json::to_value(&growth).unwrap();
        assert_eq!(stored["pattern"]["place"], name);
        assert_eq!(serde_json::from_value::<Growth>(stored).unwrap(), growth);
    }
    assert_eq!(finding.to_string(), "time grows as size^2.0: 4 KiB 250 ms, 8 KiB 1.0 s");
    assert_eq!(pattern(GrowingPart::Base).to_string(), r#""a:" "/.."* as base"#);
    assert_eq!(pattern(GrowingPart::Both).text(12), "a:/../../..");
    assert_eq!(pattern(GrowingPart::Both).text(1), "a:/..");
    let two = Pattern {
        suffix: "?".to_owned(),
        second: "b".to_owned(),
        ..pattern(GrowingPart::Input)
    };
    assert_eq!(two.to_string(), r#""a:" "/.."* "?" "b"*"#);
    assert_eq!(two.text(15), "a:/../..?bbbbbb");
    assert_eq!(two.text(1), "a:/..?b");
    let stored = serde_json::to_value(&two).unwrap();
    assert_eq!(serde_json::from_value::<Pattern>(stored).unwrap(), two);
}

#[test]
fn a_subject_is_timed() {
    let subject: &dyn Subject = SUBJECTS[0];
    let input = Input::Parse {
        rule: Rule::Uri,
        input: "a:b".to_owned(),
    };
    let answer = TimedSubject(subject).answer(&input);
    assert_eq!(answer.outcome, subject.parse(Rule::Uri, "a:b"));
    assert!(answer.seconds > 0.0);
}

#[test]
fn a_fast_parser_has_no_findings_and_others_keep_theirs() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("growth.json");
    let entry = |subject: &str| {
        json!({"subject": subject, "operation": "parse",
            "pattern": {"prefix": "", "unit": "a", "suffix": "", "place": "input"}, "finding": {"timed-out": {"at": 4096}}})
    };
    let (own, other) = (entry("http 1.5.0 Uri::from_str"), entry("url 2.5.8 Url::parse"));
    fs::write(&file, json!([own, other]).to_string()).unwrap();
    let growth = |more: &[&str]| run(program().args(["growth", "--subject", "http", "--write"]).arg(&file).args(more));
    let Done { status, stdout, stderr } = growth(&[]);
    assert_eq!((status, &*stderr), (0, ""));
    assert!(
        stdout.starts_with("http 1.5.0 Uri::from_str: nothing found\n  "),
        "{stdout}"
    );
    let stored: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(stored, json!([other]));

    let Done { status, stderr, .. } = growth(&["--seconds-per-question", "0"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("a number of seconds from 0.1 to 3600"), "{stderr}");
}

/// `uriproof growth` of a command: http, which has one operation here, behind a filter of its requests. The filter is the process
/// that is measured, or a process of its own below it.
#[cfg(unix)]
fn growth_behind(filter: &str, is_measured: bool) -> Done {
    let folder = TempDir::new().unwrap();
    let requests = folder.path().join("requests");
    let quoted = |path: &Path| shell_words::quote(path.to_str().unwrap()).into_owned();
    let hello = r#"s/"operations":\[[^]]*\]/"operations":["parse"]/"#;
    let subject = format!("{} serve --subject http", quoted(&cargo_bin("uriproof")));
    let script = if is_measured {
        let requests = quoted(&requests);
        format!(
            "rm -f {requests}; mkfifo {requests}; {subject} < {requests} | sed -u '{hello}' & exec > {requests}; {filter}"
        )
    } else {
        format!("{{ {filter}; }} | {subject} | sed -u '{hello}'")
    };
    run(program().args([
        "growth",
        "--format",
        "json",
        "--command",
        &shell_words::join(["sh", "-c", &script]),
    ]))
}

#[cfg(unix)]
#[test]
fn a_command_that_sleeps_once_is_not_named() {
    // Its hello, whether it parses, and a short input; then the first long one.
    let filter = r#"for i in 1 2 3; do IFS= read -r line; printf "%s\n" "$line"; done; sleep 1; exec cat"#;
    let Done { status, stdout, stderr } = growth_behind(filter, true);
    assert_eq!((status, stdout.trim(), &*stderr), (0, "[]", ""));
}

/// For each unit it counts in the rest of the line: a copy of it is so fast that the growth is lost among other costs.
const QUADRATIC: &str = "for my $at (1 .. tr/%//) { $count += (substr($_, $at) =~ tr/%//) }";

fn assert_quadratic(Done { status, stdout, stderr }: &Done) {
    assert_eq!((*status, &**stderr), (1, ""), "{stdout}");
    let growths: Vec<Growth> = serde_json::from_str(stdout).unwrap();
    let [growth] = &*growths else { panic!("{stdout}") };
    assert_eq!(growth.pattern.to_string(), r#""/" "%41"*"#);
    let GrowthFinding::Superlinear { exponent, .. } = growth.finding else {
        panic!("{stdout}")
    };
    assert!((1.5..3.0).contains(&exponent), "{exponent}");
}

/// Its own processor time counts, whatever else the machine does.
#[cfg(unix)]
#[test]
fn a_command_that_is_quadratic_is_named() {
    if !crate::process::has("perl") {
        return;
    }
    let folder = TempDir::new().unwrap();
    let adapter = folder.path().join("adapter.pl");
    let script = r#"
$| = 1;
while (<STDIN>) {
    if (/"op":"hello"/) {
        print '{"id":0,"name":"planted","version":"1","entry_point":"p","language":"Perl","specification":"RFC 3986","operations":["parse"],"tells":{}}', "\n";
        next;
    }
    my ($id) = /"id":(\d+)/;
    if (m{"input":"/(?:%41)*+"}) { WORK }
    print qq({"id":$id,"outcome":"rejected"}\n);
}
"#;
    fs::write(&adapter, script.replace("WORK", QUADRATIC)).unwrap();
    let command = shell_words::join(["perl", adapter.to_str().unwrap()]);
    assert_quadratic(&run(program().args([
        "growth",
        "--format",
        "json",
        "--command",
        &command,
    ])));
}

/// So does that of what it has started, once it is known; other work can hide a growth until then, but not make one.
#[cfg(unix)]
#[test]
fn a_command_behind_a_quadratic_one_is_named() {
    if !crate::process::has("perl") {
        return;
    }
    let script = format!(r#"BEGIN {{ $| = 1 }} if (m{{"input":"/(?:%41)*+"}}) {{ {QUADRATIC} }} print"#);
    let filter = format!("exec perl -ne '{script}'");
    assert_quadratic(&growth_behind(&filter, false));
}
