//! The program `uriproof`.

use std::process::ExitCode;

fn main() -> ExitCode {
    uriproof_cli::cli::main(&[])
}
