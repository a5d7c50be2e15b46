#![no_main]

use libfuzzer_sys::fuzz_target;
use uriproof_lab::targets::ResolveInput;

fuzz_target!(init: uriproof_fuzz::start::<ResolveInput>(), |input: ResolveInput| uriproof_fuzz::run(&input));
uriproof_fuzz::mutators!();
