//! The inputs of the targets. Each is written as text, so that a corpus file can be read, and written by hand.

use std::fmt::Debug;
use std::path::Path;
use std::sync::LazyLock;

use arbitrary::{Arbitrary, Unstructured};
use rfc3986_reference::extract::{extract, strip};
use uriproof::gate::{Baseline, ReasonKind};
use uriproof::model::{Component, Components, Input, Outcome, Reading, Rule, Rung, Scope};
use uriproof::protocol::messages::{Request, Response};
use uriproof::protocol::server::serve;
use uriproof::vectors::Library;
use uriproof_subjects::reference::Reference;

use super::properties;
use crate::divergence::ledger::{Ledger, LedgerFile};

/// The input of a target: what it checks of our code, and what it runs on the subjects.
///
/// Its [`Arbitrary`] reads the text of a corpus file, and never fails. A derived one would read numbers and lengths from the
/// bytes, so that no file could be read or written by hand, nor be changed by component.
pub trait TargetInput: for<'a> Arbitrary<'a> + Debug + PartialEq {
    /// The target's name, which is that of the binary and of the folder below `corpus/`.
    const NAME: &'static str;

    /// The longest file that libFuzzer makes, in bytes, unless an option says otherwise.
    const LONGEST: usize = 512;

    /// The text of the file. It reads as this input again, unless a line break in a part looks like the end of its line.
    fn text(&self) -> String;

    /// Checks the reference and the harness.
    ///
    /// # Panics
    ///
    /// If they break one of their properties.
    fn check(&self);

    /// The inputs of the subjects.
    fn inputs(&self) -> Vec<Input>;
}

/// Reads an input from the bytes of a file.
pub(super) fn read<I: TargetInput>(data: &[u8]) -> I {
    I::arbitrary_take_rest(Unstructured::new(data)).expect("every byte string is an input")
}

/// Reads inputs from all bytes that are left, as text; those that are not UTF-8 are replaced.
macro_rules! read_from_text {
    ($($input:ty => $read:expr;)*) => {$(
        impl<'a> Arbitrary<'a> for $input {
            fn arbitrary(data: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
                let read: fn(&str) -> Self = $read;
                Ok(read(&String::from_utf8_lossy(data.bytes(data.len())?)))
            }
        }
    )*};
}

read_from_text! {
    ParseInput => |text| ParseInput { text: text.to_owned() };
    ResolveInput => |text| {
        let (base, reference) = two_lines(text);
        ResolveInput { base, reference }
    };
    NormalizeInput => |text| NormalizeInput { uri: text.to_owned() };
    ComposeInput => |text| {
        let mut lines = text.split('\n').map(|line| line.strip_prefix('='));
        let mut components = Components::default();
        for component in Component::TEXTS {
            components = components.with(component, lines.next().flatten());
        }
        let uri = lines.next().flatten().map(str::to_owned);
        ComposeInput { components, uri }
    };
    EquivalentInput => |text| {
        let (left, right) = two_lines(text);
        EquivalentInput { left, right }
    };
    DotSegmentsInput => |text| DotSegmentsInput { path: text.to_owned() };
    ExtractInput => |text| ExtractInput { text: text.to_owned() };
    ProtocolInput => |text| ProtocolInput { lines: text.to_owned() };
    VectorsInput => |text| VectorsInput { text: text.to_owned() };
}

fn two_lines(text: &str) -> (String, String) {
    let (first, second) = text.split_once('\n').unwrap_or((text, ""));
    (first.to_owned(), second.to_owned())
}

/// The file is the string. The subjects parse it, and print what they have parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseInput {
    /// The string to parse.
    pub text: String,
}

impl TargetInput for ParseInput {
    const NAME: &'static str = "parse";

    fn text(&self) -> String {
        self.text.clone()
    }

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
pub struct ResolveInput {
    /// The base URI.
    pub base: String,
    /// The URI-reference.
    pub reference: String,
}

impl TargetInput for ResolveInput {
    const NAME: &'static str = "resolve";

    fn text(&self) -> String {
        format!("{}\n{}", self.base, self.reference)
    }

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
pub struct NormalizeInput {
    /// The URI.
    pub uri: String,
}

impl TargetInput for NormalizeInput {
    const NAME: &'static str = "normalize";

    fn text(&self) -> String {
        self.uri.clone()
    }

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
pub struct ComposeInput {
    /// The components.
    pub components: Components,
    /// The URI-reference whose components are set.
    pub uri: Option<String>,
}

impl TargetInput for ComposeInput {
    const NAME: &'static str = "compose";

    fn text(&self) -> String {
        let components = Component::TEXTS.map(|component| self.components.text(component));
        let lines = components.into_iter().chain(self.uri.iter().map(|uri| Some(uri.as_str())));
        lines
            .map(|line| line.map_or_else(|| "-".to_owned(), |text| format!("={text}")))
            .collect::<Vec<_>>()
            .join("\n")
    }

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
pub struct EquivalentInput {
    /// One URI.
    pub left: String,
    /// The other.
    pub right: String,
}

impl TargetInput for EquivalentInput {
    const NAME: &'static str = "equivalent";

    fn text(&self) -> String {
        format!("{}\n{}", self.left, self.right)
    }

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
pub struct DotSegmentsInput {
    /// The path.
    pub path: String,
}

impl TargetInput for DotSegmentsInput {
    const NAME: &'static str = "dot_segments";

    fn text(&self) -> String {
        self.path.clone()
    }

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

/// The file is running text (Appendix C). No subject is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtractInput {
    /// The text.
    pub text: String,
}

impl TargetInput for ExtractInput {
    const NAME: &'static str = "extract";
    const LONGEST: usize = 4096;

    fn text(&self) -> String {
        self.text.clone()
    }

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

/// The target that runs `input`, and its file; no file if a line break in a part would look like the end of its line, or if
/// the file would be longer than those of libFuzzer.
pub fn file_of(input: &Input) -> (&'static str, Option<String>) {
    fn file<I: TargetInput>(input: &I) -> (&'static str, Option<String>) {
        let text = input.text();
        let is_file = text.len() <= I::LONGEST && read::<I>(text.as_bytes()) == *input;
        (I::NAME, is_file.then_some(text))
    }
    let resolve = |base: &String, reference: &String| {
        file(&ResolveInput {
            base: base.clone(),
            reference: reference.clone(),
        })
    };
    match input {
        Input::Parse { input: text, .. } | Input::RoundTrip { uri: text } => file(&ParseInput { text: text.clone() }),
        Input::Normalize { uri, .. } => file(&NormalizeInput { uri: uri.clone() }),
        Input::Resolve { base, reference, .. } => resolve(base, reference),
        Input::Relativize { base, target } => resolve(base, target),
        Input::Equivalent { left, right, .. } | Input::Contract { left, right } => file(&EquivalentInput {
            left: left.clone(),
            right: right.clone(),
        }),
        Input::Compose { components } => file(&ComposeInput {
            components: components.clone(),
            uri: None,
        }),
        Input::Modify { uri, component, value } => file(&ComposeInput {
            components: Components::default().with(*component, value.as_deref()),
            uri: Some(uri.clone()),
        }),
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    fn reads_back<I: TargetInput>(input: &I) {
        assert_eq!(read::<I>(input.text().as_bytes()), *input, "{:?}", input.text());
    }

    #[test]
    fn an_input_is_read_from_its_text() {
        let text = || "http://a/?b#c\r\n\u{e9}\n".to_owned();
        let line = || "http://u@a:1/b c".to_owned();
        reads_back(&ParseInput { text: text() });
        reads_back(&ResolveInput {
            base: line(),
            reference: text(),
        });
        reads_back(&NormalizeInput { uri: text() });
        reads_back(&EquivalentInput {
            left: line(),
            right: text(),
        });
        reads_back(&DotSegmentsInput { path: text() });
        reads_back(&ExtractInput { text: text() });
        reads_back(&ProtocolInput { lines: text() });
        reads_back(&VectorsInput { text: text() });
        for uri in [None, Some(line())] {
            for component in Component::TEXTS {
                for value in [None, Some(""), Some("-"), Some("=a")] {
                    let components = Components::default().with(component, value);
                    reads_back(&ComposeInput {
                        components,
                        uri: uri.clone(),
                    });
                }
            }
        }
    }

    #[test]
    fn a_text_is_that_of_the_input_that_is_read_from_it() {
        let resolve: ResolveInput = read(b"http://a/\n../b\n");
        assert_eq!((&*resolve.base, &*resolve.reference), ("http://a/", "../b\n"));
        assert_eq!(resolve.text(), "http://a/\n../b\n");
        let compose: ComposeInput = read(b"=a\n-\n=h\nwhatever\n=/p\n=\n-\n=x:y");
        assert_eq!(compose.text(), "=a\n-\n=h\n-\n=/p\n=\n-\n=x:y");
        assert_eq!(compose.components.port, None);
        assert_eq!(compose.components.query.as_deref(), Some(""));
        assert_eq!(compose.uri.as_deref(), Some("x:y"));
    }

    #[test]
    fn any_bytes_are_an_input() {
        fn reads<I: TargetInput>(data: &[u8]) {
            let input: I = read(data);
            reads_back(&input);
            assert_eq!(input, I::arbitrary(&mut Unstructured::new(data)).unwrap());
        }
        let mut rng = Rng::with_seed(3986);
        for length in 0..400 {
            let data: Vec<u8> = (0..length)
                .map(|_| {
                    if rng.bool() {
                        b'\n' + 51 * rng.u8(..2)
                    } else {
                        rng.u8(..)
                    }
                })
                .collect();
            reads::<ParseInput>(&data);
            reads::<ResolveInput>(&data);
            reads::<NormalizeInput>(&data);
            reads::<ComposeInput>(&data);
            reads::<EquivalentInput>(&data);
            reads::<DotSegmentsInput>(&data);
            reads::<ExtractInput>(&data);
            reads::<ProtocolInput>(&data);
            reads::<VectorsInput>(&data);
        }
    }

    #[test]
    fn what_no_file_says_has_none() {
        let resolve = |base: &str| Input::Resolve {
            base: base.to_owned(),
            reference: "\n".to_owned(),
            strict: true,
        };
        assert_eq!(file_of(&resolve("a:")), ("resolve", Some("a:\n\n".to_owned())));
        assert_eq!(file_of(&resolve("a:\n")), ("resolve", None));
        let parse = |input: String| Input::Parse { rule: Rule::Uri, input };
        assert_eq!(file_of(&parse("a".repeat(512))).1.map(|text| text.len()), Some(512));
        assert_eq!(file_of(&parse("a".repeat(513))), ("parse", None));
        let compose = |host: &str| Input::Compose {
            components: Components::default().with(Component::Host, Some(host)),
        };
        assert_eq!(
            file_of(&compose("h")),
            ("compose", Some("-\n-\n=h\n-\n=\n-\n-".to_owned()))
        );
        assert_eq!(file_of(&compose("h\n")), ("compose", None));
    }
}
