#![no_main]

use libfuzzer_sys::fuzz_target;
use uriproof_lab::targets::WhatwgInput;

fuzz_target!(init: uriproof_fuzz::start::<WhatwgInput>(), |input: WhatwgInput| uriproof_fuzz::run(&input));
uriproof_fuzz::mutators!();
