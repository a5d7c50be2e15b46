//! `--scheme-rules`: rules of schemes that are licensed beside those of the reference.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use clap::Args;
use uriproof::expect;

use crate::cli::RunError;

#[derive(Args)]
pub(crate) struct SchemeRulesSelection {
    /// Accept answers that follow these rules of schemes too (RFC 3986 §6.2.3): a JSON file with default ports and the
    /// like, as README.md has it
    #[arg(long, value_name = "FILE", global = true, overrides_with = "scheme_rules")]
    scheme_rules: Option<PathBuf>,
}

/// The file in force.
static FILE: OnceLock<PathBuf> = OnceLock::new();

impl SchemeRulesSelection {
    /// Licenses the rules of the file in this process.
    pub(crate) fn license(&self) -> Result<(), RunError> {
        let Some(path) = &self.scheme_rules else {
            return Ok(());
        };
        let text = fs::read_to_string(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        expect::license(&text).map_err(|problem| format!("{}: {problem}", path.display()))?;
        FILE.get_or_init(|| path.clone());
        Ok(())
    }
}

/// Whether a file is in force.
pub(crate) fn are_in_force() -> bool {
    FILE.get().is_some()
}

/// Lets another process of this program take the same rules.
pub(crate) fn pass_on(command: &mut Command) {
    if let Some(path) = FILE.get() {
        command.arg("--scheme-rules").arg(path);
    }
}
