//! `uriproof explain`: why an input is accepted or rejected, and how a reference is resolved.

mod vector;

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Args;
use uriproof::gate::Claim;
use uriproof::model::Rule;
use uriproof::vectors::Library;

use crate::cli::columns::print_in_columns;
use crate::cli::select::parse_rule;
use crate::cli::{Finding, Format, RunError, print_json};
use crate::explain::resolution::against;
use crate::explain::whatwg::UrlExplanation;
use crate::explain::{Detail, UnknownClause, explain};

const EXAMPLES: &str = "Examples:
  uriproof explain 'http://[::1::]/'
  uriproof explain 256 --rule dec-octet
  uriproof explain ../../g --base 'http://a/b/c/d;p?q'
  uriproof explain --vector rfc/5.4.1/query-only
  uriproof explain --specification whatwg 'http://a\\@b'";

/// The longest file that is read, in bytes: an explanation takes up to 40 bytes for each byte of the input.
const LONGEST: u64 = 1 << 25;

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The string to explain
    #[arg(required_unless_present_any = ["vector", "file"])]
    input: Option<String>,
    /// Explain the content of this file, all of its bytes, instead
    #[arg(long, value_name = "FILE", conflicts_with = "input")]
    file: Option<PathBuf>,
    /// Explain the vector with this id: its input and the outcomes that conform
    #[arg(long, value_name = "ID", conflicts_with_all = ["input", "file", "rule", "base", "non_strict"])]
    vector: Option<String>,
    /// The rule of Appendix A that the whole string should match
    #[arg(long, value_parser = parse_rule, default_value = "URI-reference")]
    rule: Rule,
    /// Explain how the string resolves against this base URI
    #[arg(long, value_name = "URI", conflicts_with_all = ["rule", "full"])]
    base: Option<String>,
    /// Resolve as a non-strict parser does (RFC 3986 §5.2.2)
    #[arg(long, requires = "base")]
    non_strict: bool,
    /// Explain by another specification: `whatwg` shows the states of its parser and its validation errors
    #[arg(long, value_name = "NAME", value_parser = parse_specification, conflicts_with_all = ["rule", "non_strict", "full"])]
    specification: Option<Claim>,
    /// Print the derivation down to single characters
    #[arg(long)]
    full: bool,
    /// How to print the explanation
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    let detail = if arguments.full {
        Detail::Characters
    } else {
        Detail::Parts
    };
    let library = Library::embedded();
    if let Some(id) = &arguments.vector {
        vector::run(
            id,
            arguments.specification.is_some(),
            arguments.format,
            detail,
            &library,
        )?;
        return Ok(Finding::Expected);
    }
    let read = arguments.file.as_deref().map(read).transpose()?;
    let input = read.as_deref().or(arguments.input.as_deref()).unwrap_or_default();
    match &arguments.base {
        base if arguments.specification.is_some() => {
            let explanation = UrlExplanation::of(input, base.as_deref());
            match arguments.format {
                Format::Human => print_in_columns(&explanation.human())?,
                Format::Json => print_json(&explanation)?,
            }
        }
        None => {
            let explanation = explain(input, arguments.rule, detail, &library).map_err(unknown)?;
            match arguments.format {
                Format::Human => print_in_columns(&explanation.human())?,
                Format::Json => print_json(&explanation)?,
            }
        }
        Some(base) => {
            let against = against(base, input, !arguments.non_strict, detail, &library).map_err(unknown)?;
            match arguments.format {
                Format::Human => print_in_columns(&against.human())?,
                Format::Json => print_json(&against)?,
            }
        }
    }
    Ok(Finding::Expected)
}

/// A specification by which a string can be explained, other than RFC 3986.
fn parse_specification(name: &str) -> Result<Claim, String> {
    Claim::from_name(name).filter(|claim| *claim == Claim::Whatwg).ok_or_else(|| "there is `whatwg`".to_owned())
}

/// The text of a file that is no longer than [`LONGEST`]; not more than that is read of any.
fn read(path: &Path) -> Result<String, RunError> {
    let cannot = |error| format!("{} cannot be read: {error}", path.display());
    let mut text = String::new();
    File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_string(&mut text)).map_err(cannot)?;
    if text.len() as u64 > LONGEST {
        return Err(format!(
            "{} is longer than the {LONGEST} bytes that explain takes",
            path.display()
        ));
    }
    Ok(text)
}

fn unknown(error: UnknownClause) -> RunError {
    format!("vectors/clauses.json: {error}")
}
