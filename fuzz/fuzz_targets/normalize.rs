#![no_main]

use libfuzzer_sys::fuzz_target;
use uriproof_lab::targets::NormalizeInput;

fuzz_target!(init: uriproof_fuzz::start::<NormalizeInput>(), |input: NormalizeInput| uriproof_fuzz::run(&input));
uriproof_fuzz::mutators!();
