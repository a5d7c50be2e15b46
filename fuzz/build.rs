//! Sets `counters` where the flags have libFuzzer's counters built in: `--cfg fuzzing` alone, as for a report of coverage, has none.
//! Embeds the ledger and the stored answers, as the program does.

#[path = "../build.rs"]
mod embed;

fn main() -> std::io::Result<()> {
    const FLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={FLAGS}");
    if std::env::var(FLAGS).is_ok_and(|flags| flags.contains("sancov-module")) {
        println!("cargo::rustc-cfg=counters");
    }
    embed::embed("../ledger", "toml")?;
    embed::embed("../measured/subjects", "json")
}
