//! The vectors of a library as a claim has them: most have made-up schemes, of which a library for `http` has nothing to say.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use crate::claim::{Claim, is_whatwg};
use crate::expect;
use crate::gate::suite::expectation;
use crate::model::{Input, Reading, Vector};
use crate::vectors::Library;

/// Why a vector is not run whose input is that of another vector once it is rewritten.
const SAME: &str = "with the scheme `http` it is the same as another vector";

/// A vector as it is run.
pub(super) struct PlannedVector<'v> {
    /// The vector, or the same with a scheme that the claim covers.
    pub(super) vector: Cow<'v, Vector>,
    /// Why it is not run, if so.
    pub(super) excluded: Option<&'static str>,
}

impl PlannedVector<'_> {
    /// Whether the vector's own expectation is of another input.
    pub(super) fn is_rewritten(&self) -> bool {
        matches!(self.vector, Cow::Owned(_))
    }
}

/// The vectors of a library under a claim, in the order of the files; behind them those of the WHATWG URL Standard, if it is claimed. What conforms to a vector that is rewritten is what the reference
/// expects.
pub(super) fn under(claim: Option<Claim>, library: &Library, reading: Reading) -> Vec<PlannedVector<'_>> {
    let is_covered = |vector: &&Vector| claim.is_some_and(|claim| claim.excludes(&vector.input).is_none());
    let mut known: HashSet<Input> = library.vectors().filter(is_covered).map(|vector| vector.input.clone()).collect();
    let planned = library.vectors().map(|vector| {
        let Some(input) = claim.and_then(|claim| claim.rewritten(&vector.input)) else {
            return PlannedVector {
                vector: Cow::Borrowed(vector),
                excluded: None,
            };
        };
        let is_new = known.insert(input.clone());
        PlannedVector {
            vector: Cow::Owned(Vector {
                expect: BTreeMap::from([(Reading::Rfc3986, expectation(&expect::expect(&input, reading)))]),
                note: Some(format!("{} with the scheme `http`", vector.input)),
                id: vector.id.clone(),
                level: vector.level,
                clauses: vector.clauses.clone(),
                twin: None,
                input,
            }),
            excluded: (!is_new).then_some(SAME),
        }
    });
    let of_whatwg = library.whatwg.vectors.iter().filter(|_| is_whatwg(claim)).map(|vector| PlannedVector {
        vector: Cow::Borrowed(vector),
        excluded: None,
    });
    planned.chain(of_whatwg).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_rewritten_for_http_alone() {
        let library = Library::embedded();
        let planned = under(Some(Claim::Http), &library, Reading::Rfc3986);
        assert_eq!(planned.len(), library.vectors().count());
        let mut inputs = HashSet::new();
        for one in &planned {
            let is_covered = Claim::Http.excludes(&one.vector.input).is_none();
            assert!(is_covered || !one.is_rewritten(), "{}", one.vector.id);
            if one.is_rewritten() && one.excluded.is_none() {
                assert!(inputs.insert(&one.vector.input), "{} is there twice", one.vector.id);
            }
        }
        assert!(inputs.len() > 900, "{} are rewritten", inputs.len());
        let others = [None, Some(Claim::Uri), Some(Claim::RequestTarget)];
        for claim in others {
            assert!(!under(claim, &library, Reading::Rfc3986).iter().any(PlannedVector::is_rewritten));
        }
    }

    #[test]
    #[cfg(feature = "whatwg")]
    fn vectors_of_the_url_standard_are_for_its_claim_alone() {
        let library = Library::embedded();
        let count = |claim| under(claim, &library, Reading::Rfc3986).len();
        let rfc = library.vectors().count();
        assert_eq!(
            (count(None), count(Some(Claim::Uri)), count(Some(Claim::Http))),
            (rfc, rfc, rfc)
        );
        assert_eq!(count(Some(Claim::Whatwg)), rfc + library.whatwg.vectors.len());
    }
}
