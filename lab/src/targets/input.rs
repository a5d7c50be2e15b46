//! The inputs of the targets. Each is written as text, so that a corpus file can be read, and written by hand.

mod documents;

use std::fmt::Debug;

use arbitrary::{Arbitrary, Unstructured};
use rfc3986_reference::extract::{extract, strip};
use uriproof::model::{Component, Components, Input, Operation, Reading, Rule, Rung, Scope};

pub use self::documents::{ProtocolInput, VectorsInput};
use super::properties;

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
    WhatwgInput => |text| {
        let (base, reference) = two_lines(text);
        WhatwgInput { base, reference }
    };
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

/// The file is a base URL; on the next line a reference. No subject is run: the WHATWG URL Standard is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhatwgInput {
    /// The base.
    pub base: String,
    /// The reference.
    pub reference: String,
}

impl TargetInput for WhatwgInput {
    const NAME: &'static str = "whatwg";

    fn text(&self) -> String {
        format!("{}\n{}", self.base, self.reference)
    }

    fn check(&self) {
        properties::of_urls(&self.base, &self.reference);
    }

    fn inputs(&self) -> Vec<Input> {
        Vec::new()
    }
}

/// The name of the target that runs the inputs of an operation.
pub(super) fn target_of(operation: Operation) -> &'static str {
    match operation {
        Operation::Parse | Operation::RoundTrip => ParseInput::NAME,
        Operation::Normalize => NormalizeInput::NAME,
        Operation::Resolve | Operation::Relativize => ResolveInput::NAME,
        Operation::Equivalent | Operation::Contract => EquivalentInput::NAME,
        Operation::Compose | Operation::Modify => ComposeInput::NAME,
    }
}

/// The target that runs `input`, and its file; no file if a line break in a part would look like the end of its line, or if
/// the file would be longer than those of libFuzzer.
pub fn file_of(input: &Input) -> (&'static str, Option<String>) {
    fn file<I: TargetInput>(input: &I) -> Option<String> {
        let text = input.text();
        let is_file = text.len() <= I::LONGEST && read::<I>(text.as_bytes()) == *input;
        is_file.then_some(text)
    }
    let resolve = |base: &String, reference: &String| {
        file(&ResolveInput {
            base: base.clone(),
            reference: reference.clone(),
        })
    };
    let file = match input {
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
    };
    (target_of(input.operation()), file)
}

#[cfg(test)]
mod tests;
