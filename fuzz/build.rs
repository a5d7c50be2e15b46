//! Sets `counters` where the flags have libFuzzer's counters built in: `--cfg fuzzing` alone, as for a report of coverage, has none.
//! Embeds the ledger, as the program does.

#[path = "../build.rs"]
mod ledger;

fn main() -> std::io::Result<()> {
    const FLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={FLAGS}");
    if std::env::var(FLAGS).is_ok_and(|flags| flags.contains("sancov-module")) {
        println!("cargo::rustc-cfg=counters");
    }
    ledger::embed("../ledger", "toml")
}
