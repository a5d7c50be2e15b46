#![no_main]

use libfuzzer_sys::fuzz_target;
use uriproof_lab::targets::ProtocolInput;

fuzz_target!(init: uriproof_fuzz::start::<ProtocolInput>(), |input: ProtocolInput| uriproof_fuzz::run(&input));
uriproof_fuzz::mutators!();
