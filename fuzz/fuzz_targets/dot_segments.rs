#![no_main]

use libfuzzer_sys::fuzz_target;
use uriproof_lab::targets::DotSegmentsInput;

fuzz_target!(init: uriproof_fuzz::start::<DotSegmentsInput>(), |input: DotSegmentsInput| uriproof_fuzz::run(&input));
uriproof_fuzz::mutators!();
