//! What the fuzz targets do: ordinary functions, which `cargo test` runs over the corpus too.
//!
//! A target reads a file as its case, checks the reference's own properties and derivations, and asks every subject. It panics
//! only if the reference or the harness is broken; what subjects do otherwise goes to a [`Watch`], which tells news from what
//! the ledger explains.

mod case;
mod mutate;
mod properties;
mod signature;
mod watch;

use std::borrow::Cow;

use case::Case;
pub use case::{
    ComposeCase, DotSegmentsCase, EquivalentCase, ExtractCase, NormalizeCase, ParseCase, ProtocolCase, ResolveCase,
    VectorsCase, file_of,
};
pub use mutate::{cross, mutate};
pub use signature::{Characters, Signature};
use uriproof::model::Input;
pub use watch::{Figures, Mode, News, VARIABLE, Watch};

/// A fuzz target.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, which is that of the binary and of the folder below `corpus/`.
    pub name: &'static str,
    /// The longest file that libFuzzer makes, in bytes, if not told otherwise.
    pub longest: usize,
    run: fn(&[u8], &mut Watch<'_>),
    inputs: fn(String) -> Vec<Input>,
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target::new::<ParseCase>("parse", 512),
    Target::new::<ResolveCase>("resolve", 512),
    Target::new::<NormalizeCase>("normalize", 512),
    Target::new::<ComposeCase>("compose", 512),
    Target::new::<EquivalentCase>("equivalent", 512),
    Target::new::<DotSegmentsCase>("dot_segments", 512),
    Target::new::<ExtractCase>("extract", 4096),
    Target::new::<ProtocolCase>("protocol", 4096),
    Target::new::<VectorsCase>("vectors", 4096),
];

impl Target {
    const fn new<C: Case>(name: &'static str, longest: usize) -> Target {
        Target {
            name,
            longest,
            run: run::<C>,
            inputs: |text| C::from(text).inputs(),
        }
    }

    /// The target with a name.
    pub fn named(name: &str) -> Option<&'static Target> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// What it asks the subjects of a file.
    pub fn inputs(&self, data: &[u8]) -> Vec<Input> {
        (self.inputs)(text(data).into_owned())
    }

    /// Runs it on the bytes of a file.
    ///
    /// # Panics
    ///
    /// If the reference or the harness breaks one of its properties, or two derivations disagree.
    pub fn run(&self, data: &[u8], watch: &mut Watch<'_>) {
        (self.run)(data, watch);
    }
}

/// Where subjects are asked, the reference is put to the proof on a share of the files: it has other proofs, and these take many
/// times as long as the fastest subjects do.
fn run<C: Case>(data: &[u8], watch: &mut Watch<'_>) {
    let case = C::from(text(data).into_owned());
    let inputs = case.inputs();
    if inputs.is_empty() || watch.is_drawn(data) {
        case.check();
    }
    for input in inputs {
        watch.ask(data, &input);
    }
}

fn text(data: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(data)
}
