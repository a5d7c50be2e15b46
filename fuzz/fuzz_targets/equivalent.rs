#![no_main]

use libfuzzer_sys::fuzz_target;
use uriproof_lab::targets::EquivalentInput;

fuzz_target!(init: uriproof_fuzz::start::<EquivalentInput>(), |input: EquivalentInput| uriproof_fuzz::run(&input));
uriproof_fuzz::mutators!();
