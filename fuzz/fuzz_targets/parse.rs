#![no_main]

use libfuzzer_sys::fuzz_target;
use uriproof_lab::targets::ParseInput;

fuzz_target!(init: uriproof_fuzz::start::<ParseInput>(), |input: ParseInput| uriproof_fuzz::run(&input));
uriproof_fuzz::mutators!();
