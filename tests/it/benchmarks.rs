//! BENCHMARKS.md: what its command writes, with a measured value beside every bound. No time is looked at.

use std::fs;
use std::path::Path;

const COMMAND: &str = "cargo bench --bench benchmarks -- --write BENCHMARKS.md";

/// The quantities that have a bound.
const BOUNDS: usize = 23;

#[test]
fn every_bound_has_a_measured_value_and_a_verdict() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("BENCHMARKS.md")).unwrap();
    assert!(text.contains(COMMAND), "BENCHMARKS.md does not say how it is made");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip_while(|line| !line.starts_with("| quantity |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    let mut bounds = 0;
    for row in &rows {
        let [what, measured, bound, met] = row.as_slice() else {
            panic!("no quantity with its value, bound and verdict: {row:?}");
        };
        assert!(
            measured.contains(|c: char| c.is_ascii_digit()),
            "{what} has no measured value"
        );
        assert_eq!(bound.is_empty(), met.is_empty(), "{what}: {bound:?}, {met:?}");
        assert!(["", "yes", "**no**"].contains(met), "{what}: {met}");
        bounds += usize::from(!bound.is_empty());
    }
    assert_eq!(
        bounds, BOUNDS,
        "measure where valgrind and a C++ compiler are: {rows:#?}"
    );
}
