#![no_main]

use libfuzzer_sys::fuzz_target;
use uriproof_lab::targets::ExtractInput;

fuzz_target!(init: uriproof_fuzz::start::<ExtractInput>(), |input: ExtractInput| uriproof_fuzz::run(&input));
uriproof_fuzz::mutators!();
