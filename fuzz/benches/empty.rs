//! A target that does nothing: what libFuzzer itself takes for an input.
#![no_main]

libfuzzer_sys::fuzz_target!(|_data: &[u8]| {});
