//! The target `parse` as one writes it by hand, to measure ours by.
#![no_main]

#[path = "../../benches/by_hand/mod.rs"]
#[expect(dead_code, reason = "its resolution is for the benchmarks")]
mod by_hand;

libfuzzer_sys::fuzz_target!(|text: &str| {
    std::hint::black_box(by_hand::parse(text));
});
