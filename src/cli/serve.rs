//! `uriproof serve`: a subject over the line protocol.

use std::time::Duration;
use std::{io, process};

use clap::Args;
use uriproof::protocol::{client, server};
use uriproof_subjects::whatwg::WhatwgReference;

use crate::cli::select::one_subject;
use crate::cli::{Finding, RunError, hang};

#[derive(Args)]
pub(crate) struct Arguments {
    /// The subject: its label (`fluent-uri 0.4.1 UriRef::parse`), its name (`reference`) if it has one entry point, or
    /// a pattern that matches no other; `whatwg` is the reference of the WHATWG URL Standard
    #[arg(long, value_name = "NAME")]
    subject: String,
    /// End when an answer takes this much processor time, in milliseconds
    #[arg(long, hide = true, value_name = "MS")]
    hang_ms: Option<u64>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    let subject = match &*arguments.subject {
        "whatwg" => &WhatwgReference,
        name => one_subject(name)?,
    };
    if let Some(milliseconds) = arguments.hang_ms {
        hang::watch(Duration::from_millis(milliseconds), |reason| {
            // The client reads it as the reason of a timeout.
            eprintln!("{reason}");
            process::exit(client::HUNG);
        });
    }
    match server::serve(subject, io::stdin().lock(), io::stdout().lock()) {
        Ok(0) => Ok(Finding::Expected),
        Ok(broken) => Err(format!(
            "{broken} requests broke the protocol; each was answered with its `error`"
        )),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Finding::Expected),
        Err(error) => Err(format!("stdin or stdout failed: {error}")),
    }
}
