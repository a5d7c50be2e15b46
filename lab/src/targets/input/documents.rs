//! The inputs that are no argument of an operation: messages of the protocol, and files that users write.

use std::path::Path;
use std::sync::LazyLock;

use uriproof::gate::{Baseline, ReasonKind};
use uriproof::model::{Input, Outcome, Reading};
use uriproof::protocol::messages::{Request, Response};
use uriproof::protocol::server::serve;
use uriproof::vectors::Library;
use uriproof_subjects::reference::Reference;

use super::TargetInput;
use crate::divergence::ledger::{Ledger, LedgerFile};

/// The file is what comes over a pipe: requests to our server, and responses to our client. No subject is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtocolInput {
    /// The lines.
    pub lines: String,
}

impl TargetInput for ProtocolInput {
    const NAME: &'static str = "protocol";
    const LONGEST: usize = 4096;

    fn text(&self) -> String {
        self.lines.clone()
    }

    fn check(&self) {
        let mut answers = Vec::new();
        let errors = serve(&Reference, self.lines.as_bytes(), &mut answers).expect("what is in memory can be read");
        let answers = String::from_utf8(answers).expect("answers are JSON, which is UTF-8");
        let asked = self.lines.split('\n').filter(|line| !line.trim_ascii().is_empty()).count();
        assert_eq!(
            answers.lines().count(),
            asked,
            "not one answer a line: {:?}",
            self.lines
        );
        let mut reported = 0;
        for line in answers.lines() {
            let answer: serde_json::Value = serde_json::from_str(line).expect("an answer is JSON");
            let several = match answer {
                serde_json::Value::Array(several) => several,
                one => vec![one],
            };
            for one in several {
                match Response::from_json(one) {
                    Ok(Response::Error { .. }) => reported += 1,
                    Ok(Response::Hello { hello, .. }) => {
                        assert!(hello.declaration().is_ok(), "the reference does not know itself");
                    }
                    Ok(Response::Outcome { .. }) => {}
                    Err(error) => panic!("our client does not understand our server: {error}: {line}"),
                }
            }
        }
        assert_eq!(
            reported, errors,
            "the server reports as many errors as it counts: {:?}",
            self.lines
        );

        for line in self.lines.lines() {
            let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else {
                continue;
            };
            if let Request {
                id: Some(id),
                ask: Ok(ask),
            } = Request::from_json(message.clone())
            {
                let again = serde_json::from_str(&Request::line(id, &ask)).expect("a request is JSON");
                assert_eq!(
                    Request::from_json(again),
                    Request {
                        id: Some(id),
                        ask: Ok(ask)
                    },
                    "a request reads otherwise than it was written: {line:?}"
                );
            }
            match Response::from_json(message) {
                // A rule that is none is an error, no panic.
                Ok(Response::Hello { hello, .. }) => drop(hello.declaration()),
                Ok(Response::Outcome { outcome, .. }) => drop(outcome.to_string()),
                Ok(Response::Error { .. }) | Err(_) => {}
            }
        }
    }

    fn inputs(&self) -> Vec<Input> {
        Vec::new()
    }
}

/// The file is one of vectors, or the register of clauses, or one of the ledger, or a baseline. No subject is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorsInput {
    /// The file's text.
    pub text: String,
}

impl TargetInput for VectorsInput {
    const NAME: &'static str = "vectors";
    const LONGEST: usize = 4096;

    fn text(&self) -> String {
        self.text.clone()
    }

    fn check(&self) {
        let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let folder = Path::new("vectors");
        let as_vectors = vec![file("clauses.json", NO_CLAUSES), file("a.json", &self.text)];
        let as_register = vec![file("clauses.json", &self.text)];
        for texts in [as_vectors, as_register] {
            match Library::read(folder, texts) {
                Ok(library) => {
                    for problem in library.lint() {
                        one_line(&problem.to_string());
                    }
                    for vector in library.vectors() {
                        let result = uriproof::run::vector(&Reference, vector, Reading::Rfc3986);
                        assert!(
                            !matches!(result.observed, Outcome::Crashed { .. } | Outcome::TimedOut { .. }),
                            "{:?}: {}",
                            vector.id,
                            result.observed
                        );
                    }
                }
                Err(error) => one_line(&error.to_string()),
            }
        }
        match Ledger::read(Path::new("ledger"), [file("a.toml", &self.text)]) {
            Ok(ledger) => {
                for read in &ledger.files {
                    let written = read.to_toml();
                    let again = Ledger::read(Path::new("ledger"), [file("a.toml", &written)])
                        .unwrap_or_else(|error| panic!("{error}: {written}"));
                    let texts: Vec<String> = again.files.iter().map(LedgerFile::to_toml).collect();
                    assert_eq!(texts, [written], "what is written reads otherwise");
                }
            }
            Err(error) => one_line(&error.to_string()),
        }
        match Baseline::read(Path::new("uriproof.toml"), &self.text) {
            Ok(baseline) => {
                let lines = self.text.lines().count();
                for line in &baseline.lines {
                    assert!((1..=lines).contains(&line.line), "{line:?} is not within {lines} lines");
                    let entry = baseline.entry_of(line);
                    assert!(
                        entry.kind == ReasonKind::Unexplained || !entry.reason.is_empty(),
                        "{entry:?} has no reason"
                    );
                }
                if let Err(error) = baseline.check_ids(&NO_VECTORS) {
                    one_line(&error.to_string());
                }
            }
            Err(error) => one_line(&error.to_string()),
        }
    }

    fn inputs(&self) -> Vec<Input> {
        Vec::new()
    }
}

/// A library with nothing in it: no id of a baseline is one of a vector.
static NO_VECTORS: LazyLock<Library> = LazyLock::new(|| {
    let texts = vec![("clauses.json".to_owned(), NO_CLAUSES.to_owned())];
    Library::read(Path::new("vectors"), texts).expect("a register without clauses")
});

const NO_CLAUSES: &str = r#"{"uriproof": 1, "clauses": []}"#;

/// Asserts that an error message has one line.
fn one_line(message: &str) {
    assert!(!message.contains('\n'), "more than a line: {message:?}");
}
