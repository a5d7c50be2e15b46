#![no_main]

use libfuzzer_sys::fuzz_target;
use uriproof_lab::targets::VectorsInput;

fuzz_target!(init: uriproof_fuzz::start::<VectorsInput>(), |input: VectorsInput| uriproof_fuzz::run(&input));
uriproof_fuzz::mutators!();
