//! The reference of the WHATWG URL Standard, as a subject. It is not in [`SUBJECTS`](super::SUBJECTS): they are compared with RFC 3986.

use uriproof::expect::whatwg::expect;
use uriproof::model::{Declaration, EVERYTHING, Forms, Input, Operation, Outcome, Rule, Specification, Subject};

/// The basic URL parser, the serializer and the setters of the WHATWG URL Standard.
pub struct WhatwgReference;

static DECLARATION: Declaration = Declaration::new(
    "whatwg",
    env!("CARGO_PKG_VERSION"),
    "basic URL parser",
    &[
        Operation::Parse,
        Operation::Resolve,
        Operation::Normalize,
        Operation::Equivalent,
        Operation::Modify,
        Operation::RoundTrip,
    ],
)
.with_specification(Specification::WhatwgUrl)
.with_rules(&[Rule::Uri])
.with_tells(EVERYTHING)
.with_forms(Forms::Normalized);

impl Subject for WhatwgReference {
    fn declaration(&self) -> &Declaration {
        &DECLARATION
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        self.answer(&Input::Parse {
            rule,
            input: input.to_owned(),
        })
    }

    fn answer(&self, input: &Input) -> Outcome {
        expect(input).literal()
    }
}
