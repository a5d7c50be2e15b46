//! Benchmarks of the reference: see `throughput.rs`.
