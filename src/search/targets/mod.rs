//! What the fuzz targets do: ordinary functions, which `cargo test` runs over the corpus too.
//!
//! A target takes a case, checks the reference's own properties and derivations, and asks every subject. It panics
//! only if the reference or the harness is broken; what subjects do otherwise is recorded by a [`Recorder`].

mod case;
mod properties;
mod recorder;

use std::sync::{LazyLock, Mutex, PoisonError};

use arbitrary::{Arbitrary, Unstructured};

pub use case::{ComposeCase, DotSegmentsCase, NormalizeCase, ParseCase, ResolveCase};
pub use recorder::{News, Recorder, Signature};

use crate::model::{Input, Reading, Rule, Scope};
use crate::run;
use crate::subjects::SUBJECTS;

/// A fuzz target.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, which is that of the binary and of the folder below `corpus/`.
    pub name: &'static str,
    /// Runs it on the bytes of a corpus file.
    pub run: fn(&[u8], &mut Recorder),
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target {
        name: "parse",
        run: |data, recorder| parse(&case(data), recorder),
    },
    Target {
        name: "resolve",
        run: |data, recorder| resolve(&case(data), recorder),
    },
    Target {
        name: "normalize",
        run: |data, recorder| normalize(&case(data), recorder),
    },
    Target {
        name: "compose",
        run: |data, recorder| compose(&case(data), recorder),
    },
    Target {
        name: "dot_segments",
        run: |data, recorder| dot_segments(&case(data), recorder),
    },
];

fn case<'a, C: Arbitrary<'a>>(data: &'a [u8]) -> C {
    C::arbitrary_take_rest(Unstructured::new(data)).expect("every byte string is a case")
}

/// Any string as a URI-reference.
///
/// # Panics
///
/// If the reference breaks one of its properties, or its derivations disagree.
pub fn parse(case: &ParseCase, recorder: &mut Recorder) {
    properties::of_text(&case.text);
    let input = Input::Parse {
        rule: Rule::UriReference,
        input: case.text.clone(),
    };
    ask_all(&input, recorder);
}

/// A reference against a base, strictly and not.
///
/// # Panics
///
/// If the reference breaks one of its properties.
pub fn resolve(case: &ResolveCase, recorder: &mut Recorder) {
    properties::of_resolution(&case.base, &case.reference);
    for strict in [true, false] {
        let input = Input::Resolve {
            base: case.base.clone(),
            reference: case.reference.clone(),
            strict,
        };
        ask_all(&input, recorder);
    }
}

/// A URI in both scopes.
///
/// # Panics
///
/// If the reference breaks one of its properties.
pub fn normalize(case: &NormalizeCase, recorder: &mut Recorder) {
    properties::of_normalization(&case.uri);
    for scope in [Scope::Syntax, Scope::Scheme] {
        let input = Input::Normalize {
            uri: case.uri.clone(),
            scope,
        };
        ask_all(&input, recorder);
    }
}

/// Any components.
///
/// # Panics
///
/// If the reference breaks one of its properties.
pub fn compose(case: &ComposeCase, recorder: &mut Recorder) {
    properties::of_components(&case.components);
    let input = Input::Compose {
        components: case.components.clone(),
    };
    ask_all(&input, recorder);
}

/// Any path; the subjects see it as an absolute-path reference and behind a base without an authority.
///
/// # Panics
///
/// If the reference breaks one of its properties, or its derivations disagree.
pub fn dot_segments(case: &DotSegmentsCase, recorder: &mut Recorder) {
    properties::of_path(&case.path);
    for base in ["http://a/b/c", "x:"] {
        let input = Input::Resolve {
            base: base.to_owned(),
            reference: case.path.clone(),
            strict: true,
        };
        ask_all(&input, recorder);
    }
}

/// Runs a target as libFuzzer does: with the recorder of the process, which prints what is new to stderr.
///
/// # Panics
///
/// As the target does.
pub fn fuzz(target: impl FnOnce(&mut Recorder)) {
    static RECORDER: LazyLock<Mutex<Recorder>> = LazyLock::new(|| Mutex::new(Recorder::default()));
    let mut recorder = RECORDER.lock().unwrap_or_else(PoisonError::into_inner);
    target(&mut recorder);
    for news in recorder.take_news() {
        eprintln!("{news}");
    }
}

fn ask_all(input: &Input, recorder: &mut Recorder) {
    for (at, result) in run::all(SUBJECTS, input, Reading::Rfc3986).iter().enumerate() {
        recorder.record(at, result);
    }
}
