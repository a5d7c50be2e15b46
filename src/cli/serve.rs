//! `uriproof serve`: a subject over the line protocol.

use std::io;

use crate::protocol::server;
use clap::Args;

use crate::cli::select::one_subject;
use crate::cli::{Failure, Finding};

#[derive(Args)]
pub(crate) struct Arguments {
    /// The subject: its label (`fluent-uri 0.4.1 UriRef::parse`), its name where it has one entry point
    /// (`reference`), or a pattern that matches it alone
    #[arg(long, value_name = "NAME")]
    subject: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, Failure> {
    let subject = one_subject(&arguments.subject)?;
    match server::serve(subject, io::stdin().lock(), io::stdout().lock()) {
        Ok(0) => Ok(Finding::Expected),
        Ok(broken) => Err(format!(
            "{broken} requests broke the protocol; each was answered with its `error`"
        )),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Finding::Expected),
        Err(error) => Err(format!("stdin or stdout failed: {error}")),
    }
}
