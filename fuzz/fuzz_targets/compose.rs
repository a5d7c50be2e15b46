#![no_main]

use libfuzzer_sys::fuzz_target;
use uriproof_lab::targets::ComposeInput;

fuzz_target!(init: uriproof_fuzz::start::<ComposeInput>(), |input: ComposeInput| uriproof_fuzz::run(&input));
uriproof_fuzz::mutators!();
