//! What a library that does not validate is to say of itself, where it does not.

use crate::gate::judgement::{Judgement, Status};
use crate::model::{Operation, Outcome};
use crate::run::UNVALIDATED;
use crate::severity::Severity;

impl Judgement<'_> {
    /// That the subject accepts nearly every invalid string that it parses, and how it says that it does not validate: a sentence; `None` if it
    /// refuses more, or has said so.
    ///
    /// `way` is what is to be written, and where.
    pub fn unsaid_validation(&self, way: &str) -> Option<String> {
        /// Fewer strings say nothing.
        const FEWEST: usize = 20;
        let parsed = || self.cases.iter().filter(|case| case.vector.input.operation() == Operation::Parse);
        let has_said_so =
            parsed().any(|case| matches!(&case.status, Status::NotCompared(reason) if reason.ends_with(UNVALIDATED)));
        let accepted = parsed()
            .filter(|case| matches!(&case.status, Status::Fails(one) if one.severity == Severity::AcceptedInvalid));
        let refused = parsed().filter(|case| {
            let outcome = case.result.as_ref().map(|result| &result.observed);
            case.status == Status::Agrees && matches!(outcome, Some(Outcome::Rejected { .. }))
        });
        let (accepted, refused) = (accepted.count(), refused.count());
        // What a baseline lists is known.
        let has_known = parsed().any(|case| matches!(case.status, Status::Known(..)));
        let is_unsaid = !has_said_so && !has_known && accepted >= FEWEST && accepted >= 9 * refused;
        is_unsaid.then(|| {
            format!(
                "accepts {accepted} of {} invalid strings: if it is not meant to validate, {way}; then of those only what it \
                 splits otherwise fails",
                accepted + refused
            )
        })
    }
}
