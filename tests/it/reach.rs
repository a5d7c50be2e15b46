//! What the generated inputs reach: all of it, for a fixed seed.

use uriproof_lab::reach::Reach;

/// The seed of the inputs.
const SEED: u64 = 3986;

/// How many inputs there are.
const INPUTS: usize = 100_000;

#[test]
fn a_hundred_thousand_inputs_reach_all() {
    let reach = Reach::of(SEED, INPUTS);
    let missed: Vec<String> = reach.missed().map(|(section, row)| format!("{}: {}", section.name, row.name)).collect();
    assert!(
        missed.is_empty(),
        "{} of {} not reached:\n{}",
        missed.len(),
        reach.rows(),
        missed.join("\n")
    );
    assert_eq!(reach.reached(), reach.rows());
}
