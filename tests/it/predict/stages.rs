//! Without deviations the stages are the reference, on random inputs too.

use rayon::prelude::*;
use rfc3986_reference::components::ReferenceRule;
use uriproof::expect::expect;
use uriproof::model::{Input, Operation, Outcome, Reading, Rule};
use uriproof::split::{self, UserinfoEnd};
use uriproof_deviations::SubjectProfile;
use uriproof_lab::generate::Generator;

use super::count;

/// Whether the stages reach an input, and then give the answer of the reference. They do not reach the normal forms of relative references.
fn is_same(profile: &SubjectProfile, input: &Input, reading: Reading) -> bool {
    let Some(staged) = profile.outcome(Rule::UriReference, input, reading) else {
        let is_relative = |uri: &str| split::components(uri, UserinfoEnd::FirstAt).scheme.is_none();
        let is_left_out = match input {
            Input::Normalize { uri, .. } => is_relative(uri),
            Input::Parse { rule, .. } => ReferenceRule::try_from(*rule).is_err(),
            _ => false,
        };
        assert!(is_left_out, "{input} is not reached, by {reading}");
        return false;
    };
    match (expect(input, reading).into_literal(), staged) {
        (Outcome::Rejected { .. }, Outcome::Rejected { .. }) => {}
        (expected, staged) => assert_eq!(staged, expected, "{input}, by {reading}"),
    }
    true
}

#[test]
fn without_deviations_the_stages_are_the_reference() {
    let profile = SubjectProfile::default();
    let mut generator = Generator::of(
        20_261_127,
        &[Operation::Parse, Operation::Resolve, Operation::Normalize],
    );
    let inputs: Vec<Input> = (0..count(20_000, 1_000_000)).map(|_| generator.next_input()).collect();
    for reading in Reading::ALL {
        let reached = inputs.par_iter().filter(|input| is_same(&profile, input, reading)).count();
        assert!(reached > inputs.len() / 2, "{reading}: {reached} of {}", inputs.len());
    }
}
