//! The cases of the targets, as text: a corpus file can be read, and written by hand.
//!
//! Bytes that are no UTF-8 are replaced, so that every byte string is a case.

use std::path::Path;
use std::sync::LazyLock;

use rfc3986_reference::extract::{extract, strip};
use uriproof::gate::{Baseline, Kind};
use uriproof::model::{Component, Components, Input, Outcome, Reading, Rule, Rung, Scope};
use uriproof::protocol::messages::{Request, Response};
use uriproof::protocol::server::serve;
use uriproof::vectors::Library;
use uriproof_subjects::reference::Reference;

use super::properties;
use crate::divergence::ledger::{Ledger, LedgerFile};

/// What a target makes of a file: what it checks of us, and what it asks the subjects.
pub(super) trait Case: From<String> {
    /// Checks the reference and the harness.
    ///
    /// # Panics
    ///
    /// If they break one of their properties.
    fn check(&self);

    /// What the subjects are asked.
    fn inputs(&self) -> Vec<Input>;
}

/// The file is the string. The subjects parse it, and print what they have parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseCase {
    /// The string to parse.
    pub text: String,
}

impl From<String> for ParseCase {
    fn from(text: String) -> ParseCase {
        ParseCase { text }
    }
}

impl Case for ParseCase {
    fn check(&self) {
        properties::of_text(&self.text);
    }

    fn inputs(&self) -> Vec<Input> {
        let (rule, text) = (Rule::UriReference, || self.text.clone());
        vec![Input::Parse { rule, input: text() }, Input::RoundTrip { uri: text() }]
    }
}

/// The first line is the base, the rest the reference. The subjects resolve, strictly and not, and make a reference of the
/// second against the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolveCase {
    /// The base URI.
    pub base: String,
    /// The URI-reference.
    pub reference: String,
}

impl From<String> for ResolveCase {
    fn from(text: String) -> ResolveCase {
        let (base, reference) = two_lines(&text);
        ResolveCase { base, reference }
    }
}

impl Case for ResolveCase {
    fn check(&self) {
        properties::of_resolution(&self.base, &self.reference);
    }

    fn inputs(&self) -> Vec<Input> {
        let (base, reference) = (|| self.base.clone(), || self.reference.clone());
        let resolve = |strict| Input::Resolve {
            base: base(),
            reference: reference(),
            strict,
        };
        let relativize = Input::Relativize {
            base: base(),
            target: reference(),
        };
        vec![resolve(true), resolve(false), relativize]
    }
}

/// The file is the URI, in both scopes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalizeCase {
    /// The URI.
    pub uri: String,
}

impl From<String> for NormalizeCase {
    fn from(uri: String) -> NormalizeCase {
        NormalizeCase { uri }
    }
}

impl Case for NormalizeCase {
    fn check(&self) {
        properties::of_normalization(&self.uri);
    }

    fn inputs(&self) -> Vec<Input> {
        let uri = || self.uri.clone();
        [Scope::Syntax, Scope::Scheme].map(|scope| Input::Normalize { uri: uri(), scope }).to_vec()
    }
}

/// Seven lines: scheme, userinfo, host, port, path, query, fragment. "=" and the text if the component is defined,
/// anything else if it is not; a missing path is empty. The subjects build a URI-reference of them. If an eighth line, "="
/// and a URI-reference, is there, its components are set to each of them too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComposeCase {
    /// The components.
    pub components: Components,
    /// The URI-reference whose components are set.
    pub uri: Option<String>,
}

impl ComposeCase {
    fn text(&self) -> String {
        let components = Component::TEXTS.map(|component| self.components.text(component));
        let lines = components.into_iter().chain(self.uri.iter().map(|uri| Some(uri.as_str())));
        lines
            .map(|line| line.map_or_else(|| "-".to_owned(), |text| format!("={text}")))
            .collect::<Vec<_>>()
            .join("\n")
    }
}

impl From<String> for ComposeCase {
    fn from(text: String) -> ComposeCase {
        let mut lines = text.split('\n').map(|line| line.strip_prefix('='));
        let mut components = Components::default();
        for component in Component::TEXTS {
            components = components.with(component, lines.next().flatten());
        }
        ComposeCase {
            components,
            uri: lines.next().flatten().map(str::to_owned),
        }
    }
}

impl Case for ComposeCase {
    fn check(&self) {
        properties::of_components(&self.components);
    }

    fn inputs(&self) -> Vec<Input> {
        let components = self.components.clone();
        let setters = self.uri.iter().flat_map(|uri| {
            Component::TEXTS.map(|component| Input::Modify {
                uri: uri.clone(),
                component,
                value: self.components.text(component).map(str::to_owned),
            })
        });
        [Input::Compose { components }].into_iter().chain(setters).collect()
    }
}

/// The first line is one URI, the rest the other. The subjects compare them on every rung, and the values that they parse
/// them to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EquivalentCase {
    /// One URI.
    pub left: String,
    /// The other.
    pub right: String,
}

impl From<String> for EquivalentCase {
    fn from(text: String) -> EquivalentCase {
        let (left, right) = two_lines(&text);
        EquivalentCase { left, right }
    }
}

impl Case for EquivalentCase {
    fn check(&self) {
        properties::of_pair(&self.left, &self.right);
    }

    fn inputs(&self) -> Vec<Input> {
        let (left, right) = (|| self.left.clone(), || self.right.clone());
        let rungs = [Rung::Simple, Rung::Syntax, Rung::Scheme].map(|rung| Input::Equivalent {
            left: left(),
            right: right(),
            rung,
        });
        let contract = Input::Contract {
            left: left(),
            right: right(),
        };
        rungs.into_iter().chain([contract]).collect()
    }
}

/// The file is the path; the subjects see it as a reference and behind a base without an authority.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DotSegmentsCase {
    /// The path.
    pub path: String,
}

impl From<String> for DotSegmentsCase {
    fn from(path: String) -> DotSegmentsCase {
        DotSegmentsCase { path }
    }
}

impl Case for DotSegmentsCase {
    fn check(&self) {
        properties::of_path(&self.path);
    }

    fn inputs(&self) -> Vec<Input> {
        let bases = ["http://a/b/c", "x:"].map(|base| Input::Resolve {
            base: base.to_owned(),
            reference: self.path.clone(),
            strict: true,
        });
        bases.to_vec()
    }
}

/// The file is running text (Appendix C). No subject is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtractCase {
    /// The text.
    pub text: String,
}

impl From<String> for ExtractCase {
    fn from(text: String) -> ExtractCase {
        ExtractCase { text }
    }
}

impl Case for ExtractCase {
    fn check(&self) {
        properties::of_running_text(&self.text, &extract(&self.text, Reading::Rfc3986));
        let stripped = strip(&self.text);
        assert!(
            stripped.len() <= self.text.len() && !stripped.contains(char::is_whitespace),
            "{:?} stripped is {stripped:?}",
            self.text
        );
    }

    fn inputs(&self) -> Vec<Input> {
        Vec::new()
    }
}

/// The file is what comes over a pipe: requests to our server, and responses to our client. No subject is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtocolCase {
    /// The lines.
    pub lines: String,
}

impl From<String> for ProtocolCase {
    fn from(lines: String) -> ProtocolCase {
        ProtocolCase { lines }
    }
}

impl Case for ProtocolCase {
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
        let mut told = 0;
        for line in answers.lines() {
            let answer: serde_json::Value = serde_json::from_str(line).expect("an answer is JSON");
            let several = match answer {
                serde_json::Value::Array(several) => several,
                one => vec![one],
            };
            for one in several {
                match Response::from_json(one) {
                    Ok(Response::Error { .. }) => told += 1,
                    Ok(Response::Hello { hello, .. }) => {
                        assert!(hello.declaration().is_ok(), "the reference does not know itself");
                    }
                    Ok(Response::Outcome { .. }) => {}
                    Err(error) => panic!("our client does not understand our server: {error}: {line}"),
                }
            }
        }
        assert_eq!(told, errors, "errors are counted otherwise than told: {:?}", self.lines);

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

/// The file is one of vectors, or the register of clauses, or one of the ledger, or a baseline. No subject is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorsCase {
    /// The file's text.
    pub text: String,
}

impl From<String> for VectorsCase {
    fn from(text: String) -> VectorsCase {
        VectorsCase { text }
    }
}

impl Case for VectorsCase {
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
                        entry.kind == Kind::Unexplained || !entry.reason.is_empty(),
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

/// What went wrong is told on one line.
fn one_line(message: &str) {
    assert!(!message.contains('\n'), "more than a line: {message:?}");
}

/// The name of the target that asks `input`, and the file with which it does; none where a line break in a component cannot
/// be told from the end of its line.
pub fn file_of(input: &Input) -> Option<(&'static str, String)> {
    let lines = |first: &String, second: &String| (!first.contains('\n')).then(|| format!("{first}\n{second}"));
    let (name, text) = match input {
        Input::Parse { input: text, .. } | Input::RoundTrip { uri: text } => ("parse", text.clone()),
        Input::Normalize { uri, .. } => ("normalize", uri.clone()),
        Input::Resolve { base, reference, .. } => ("resolve", lines(base, reference)?),
        Input::Relativize { base, target } => ("resolve", lines(base, target)?),
        Input::Equivalent { left, right, .. } | Input::Contract { left, right } => ("equivalent", lines(left, right)?),
        Input::Compose { components } => {
            let case = ComposeCase {
                components: components.clone(),
                uri: None,
            };
            ("compose", case.text())
        }
        Input::Modify { uri, component, value } => {
            let case = ComposeCase {
                components: Components::default().with(*component, value.as_deref()),
                uri: Some(uri.clone()),
            };
            ("compose", case.text())
        }
    };
    (name != "compose" || ComposeCase::from(text.clone()).text() == text).then_some((name, text))
}

fn two_lines(text: &str) -> (String, String) {
    let (first, second) = text.split_once('\n').unwrap_or((text, ""));
    (first.to_owned(), second.to_owned())
}
