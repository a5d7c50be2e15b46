//! What is written as TOML is read back equal, whatever characters names, versions, ids and reasons have.

use std::fs;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use tempfile::TempDir;
use uriproof::gate::{Baseline, Gate};
use uriproof::model::{Component, Declaration, Input, Observed, Operation, Outcome, Rule, Subject};
use uriproof::severity::Severity;
use uriproof::vectors::Library;
use uriproof_deviations::Deviation;
use uriproof_lab::divergence::ledger::{
    Cause, ClaimedSpecification, KnownClass, KnownDeviation, Ledger, LedgerEntry, LedgerFile, OtherAlgorithm,
    SourceCode, Upstream, UpstreamStatus,
};

/// Characters and phrases that end a line, a string or a comment, or are not printed.
const SPECIAL: &[&str] = &[
    "\r",
    "\n",
    "\r\n",
    "\0",
    "\t",
    "\u{b}",
    "\u{1b}",
    "\u{7f}",
    "\u{85}",
    "\u{9b}",
    "\u{2028}",
    "\u{202e}",
    "\u{2066}",
    "\u{feff}",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "\\",
    "\\u0000",
    "#",
    " # ",
    "[[entry]]",
    "\n[[entry]]\n",
    "\nkind = \"bug\"\n",
    "=",
    "é",
    "\u{301}",
    "{",
    "]",
    " ",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => select(SPECIAL).prop_map(str::to_owned),
        2 => "[a-z0-9]{1,4}",
        1 => any::<char>().prop_map(String::from),
        1 => (any::<char>(), 60..70_usize).prop_map(|(character, times)| character.to_string().repeat(times)),
    ];
    vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

/// A text that is more than white space.
fn reason() -> impl Strategy<Value = String> {
    text().prop_map(|text| format!("a{text}"))
}

fn input() -> impl Strategy<Value = Input> {
    prop_oneof![
        text().prop_map(|input| Input::Parse {
            rule: Rule::UriReference,
            input
        }),
        (text(), text()).prop_map(|(base, target)| Input::Relativize { base, target }),
        text().prop_map(|uri| Input::RoundTrip { uri }),
    ]
}

fn class(number: usize) -> impl Strategy<Value = KnownClass> {
    (text(), vec(text(), 1..3), input(), text(), text()).prop_map(
        move |(fingerprint, entry_points, input, reference, subject)| KnownClass {
            // No two classes of a subject have one fingerprint.
            fingerprint: serde_json::from_value(format!("{number} {fingerprint}").into()).unwrap(),
            entry_points: entry_points.iter().enumerate().map(|(at, name)| format!("{at}{name}")).collect(),
            input,
            reference,
            subject,
            severity: Severity::Normalization,
        },
    )
}

fn deviation() -> impl Strategy<Value = KnownDeviation> {
    (vec(text(), 0..3), input(), text()).prop_map(|(entry_points, witness, characters)| KnownDeviation {
        deviation: Deviation::TakesCharacters {
            components: vec![Component::Path],
            characters: Some(characters),
        },
        entry_points,
        witness,
    })
}

fn entry(number: usize) -> impl Strategy<Value = LedgerEntry> {
    let upstream = proptest::option::of(text().prop_map(|link| Upstream {
        link,
        status: UpstreamStatus::Open,
    }));
    (
        text(),
        any::<bool>(),
        text(),
        reason(),
        upstream,
        vec(deviation(), 0..2),
        class(number),
    )
        .prop_map(
            move |(id, other, clause, explanation, upstream, deviations, class)| LedgerEntry {
                id: format!("{number}{id}"),
                cause: if other { Cause::OtherSpec } else { Cause::Bug },
                specification: other.then(|| clause.clone()),
                clause: format!("§{clause}"),
                explanation,
                upstream,
                code: other.then(|| SourceCode {
                    package: None,
                    file: "src/lib.rs".to_owned(),
                    item: "parse".to_owned(),
                }),
                deviations,
                classes: vec![class],
            },
        )
}

fn file() -> impl Strategy<Value = LedgerFile> {
    let claim = (text(), text(), text(), proptest::option::of(text()));
    let parts = (
        text(),
        text(),
        claim,
        vec(deviation(), 0..2),
        reason(),
        entry(0),
        entry(1),
    );
    parts.prop_map(
        |(name, version, claim, choices, explanation, first, second)| LedgerFile {
            file: "a.toml".to_owned(),
            name,
            version,
            claim: ClaimedSpecification {
                specification: claim.0,
                words: claim.1,
                source: claim.2,
                measured: claim.3,
            },
            predicted: vec![Operation::Parse],
            choices,
            other_algorithms: vec![OtherAlgorithm {
                operations: vec![Operation::Resolve, Operation::RoundTrip],
                explanation,
            }],
            entries: vec![first, second],
        },
    )
}

fn read(text: &str) -> LedgerFile {
    let ledger = Ledger::read(Path::new("ledger"), [("a.toml".to_owned(), text.to_owned())]);
    ledger.unwrap_or_else(|error| panic!("{error}: {text}")).files.remove(0)
}

/// Nothing raw that a terminal acts on, that ends a line where none is to end, or that turns the direction of the text.
fn is_printed(text: &str) -> bool {
    let is_bidi =
        |character| matches!(character, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    text.chars().all(|character| character == '\n' || !(character.is_control() || is_bidi(character)))
}

const CLAUSES: &str = r#"{"uriproof":1,"clauses":[
{"id":"§3/a","section":"3","quote":"words \r of \u001b[1m 3 \u202e","level":"must","binds":["grammar"]}]}"#;

const VECTORS: &str = r#"{"uriproof":1,"title":"t","section":"3","vectors":[
{"id":"one/a","input":{"operation":"parse","rule":"URI-reference","input":"%"},"expect":{"rfc3986":{"outcome":"rejected"}},"level":"must","clauses":["§3/a"]},
{"id":"one/b","input":{"operation":"parse","rule":"URI-reference","input":"%%"},"expect":{"rfc3986":{"outcome":"rejected"}},"level":"must","clauses":["§3/a"]},
{"id":"one/c","input":{"operation":"parse","rule":"URI-reference","input":"["},"expect":{"rfc3986":{"outcome":"rejected"}},"level":"must","clauses":["§3/a"]}
]}"#;

fn library() -> Library {
    let files = [("clauses.json", CLAUSES), ("one.json", VECTORS)];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    Library::read(Path::new("vectors"), files.to_vec()).unwrap()
}

/// Takes everything but `%%`.
struct Named(Declaration);

impl Named {
    fn new(name: String) -> Named {
        let mut declaration = Declaration::new("", "1", "parse", &[Operation::Parse]);
        declaration.name = name.into();
        Named(declaration)
    }
}

impl Subject for Named {
    fn declaration(&self) -> &Declaration {
        &self.0
    }

    fn parse(&self, _: Rule, input: &str) -> Outcome {
        match input {
            "%%" => Outcome::rejected("two"),
            _ => Outcome::components(Observed::default()),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn a_ledger_is_read_back_equal(file in file()) {
        let text = file.to_toml();
        prop_assert_eq!(&read(&text), &file);
        prop_assert!(is_printed(&text), "{:?}", text);
    }

    #[test]
    fn a_new_baseline_is_read_back_equal(name in text()) {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("uriproof.toml");
        let subject = Named::new(name.clone());
        Gate::of(&subject).suite(None).baseline(&path).write(&library()).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let baseline = Baseline::read(&path, &text).unwrap();
        prop_assert_eq!(&baseline.subject, &name);
        let ids: Vec<String> = baseline.lines.iter().map(|line| line.vectors.to_string()).collect();
        prop_assert_eq!(ids, ["one/a", "one/c"]);
        prop_assert!(is_printed(&text), "{:?}", text);
    }

    /// However somebody has laid it out: what is edited reads as it should, or the file is left alone.
    #[test]
    fn a_baseline_is_edited_right_or_not_at_all(name in text(), first in reason(), second in reason(), link in text(), layout in 0..3_usize) {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("uriproof.toml");
        let subject = Named::new(name.clone());
        let entry = |vectors: toml::Table, reason: &str| toml::toml! { kind = "bug" }.into_iter()
            .chain([("reason".to_owned(), reason.into()), ("link".to_owned(), link.clone().into()), ("vectors".to_owned(), vectors.into())])
            .collect::<toml::Table>();
        let mut before = toml::toml! { uriproof = 1 compares = 7 };
        before.insert("subject".to_owned(), name.clone().into());
        // The first vector differs in another way now, and the second no longer.
        let entries = [
            entry(toml::toml! { "one/a" = "rejected" }, &first),
            entry(toml::toml! { "one/b" = "accepted" }, &second),
        ];
        before.insert("entry".to_owned(), entries.to_vec().into());
        let text = match layout {
            0 => toml::to_string(&before).unwrap(),
            1 => toml::to_string_pretty(&before).unwrap(),
            _ => before.iter().map(|(key, value)| format!("{key} = {value}\n")).collect(),
        };
        fs::write(&path, &text).unwrap();
        match Gate::of(&subject).suite(None).baseline(&path).write(&library()) {
            Err(error) => {
                prop_assert!(error.contains("is not written: its text cannot be edited"), "{}", error);
                prop_assert_eq!(fs::read_to_string(&path).unwrap(), text);
                // Nothing but an entry's head in a text is in the way, where each value has a line of its own.
                let texts = [&name, &first, &second, &link];
                prop_assert!(layout == 2 || texts.iter().any(|text| text.contains("[[entry]]")), "{}", error);
            }
            Ok(_) => {
                let after = Baseline::read(&path, &fs::read_to_string(&path).unwrap()).unwrap();
                let lines: Vec<(String, String, &str)> = after.lines.iter()
                    .map(|line| (line.vectors.to_string(), line.got.to_string(), &*after.entry_of(line).reason))
                    .collect();
                prop_assert_eq!(&after.subject, &name);
                let expected = [("one/a", "accepted", &*first), ("one/c", "accepted", "")];
                prop_assert_eq!(lines, expected.map(|(id, got, reason)| (id.to_owned(), got.to_owned(), reason)));
            }
        }
    }
}
