//! What the entry points make of one input, in a line, and where they would send a request.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use uriproof::model::{Component, Declaration, OneLine, Operation, Outcome, Quoted, Reported};
use uriproof::run::Result;
use uriproof_lab::address::{AddressReach, addresses};
use uriproof_lab::pairwise::Account;

use crate::cli::{WIDTH, wrapped};

const BOLD: Style = Style::new().bold();
const BAD: Style = AnsiColor::Red.on_default();

/// How many different answers the line names.
const SHOWN: usize = 4;

/// What an entry point makes of the input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SeenPlace {
    /// It sees this host.
    Host(String),
    NoHost,
    /// It accepts, and does not say what the host is.
    Accepts,
    Refuses,
    Crashes,
    Hangs,
    /// An answer of an operation that sends no request.
    Says(String),
}

impl SeenPlace {
    /// `None` of one that has no such operation.
    fn of(declaration: &Declaration, result: &Result) -> Option<SeenPlace> {
        let goes_somewhere = matches!(result.input.operation(), Operation::Parse | Operation::Resolve);
        Some(match &result.observed {
            Outcome::Unsupported { .. } => return None,
            Outcome::Rejected { .. } => SeenPlace::Refuses,
            Outcome::Crashed { .. } => SeenPlace::Crashes,
            Outcome::TimedOut { .. } => SeenPlace::Hangs,
            Outcome::Accepted { .. } if goes_somewhere => {
                let account = Account::of(declaration, result.observed.clone());
                match account.as_ref().map(|account| account.text(Component::Host)) {
                    Some(Reported::Defined(host)) => SeenPlace::Host(host.to_owned()),
                    Some(Reported::Undefined) => SeenPlace::NoHost,
                    Some(Reported::Nothing) | None => SeenPlace::Accepts,
                }
            }
            accepted @ Outcome::Accepted { .. } => SeenPlace::Says(accepted.to_string()),
        })
    }

    /// `9 see host "b"`
    fn counted(&self, count: usize) -> String {
        let verb = |one: &'static str, several: &'static str| if count == 1 { one } else { several };
        match self {
            SeenPlace::Host(host) => format!("{count} {} host {}", verb("sees", "see"), Quoted(host)),
            SeenPlace::NoHost => format!("{count} {} no host", verb("sees", "see")),
            SeenPlace::Accepts => format!(
                "{count} {} and {} no host",
                verb("accepts", "accept"),
                verb("shows", "show")
            ),
            SeenPlace::Refuses => format!("{count} {}", verb("refuses", "refuse")),
            SeenPlace::Crashes => format!("{count} {}", verb("crashes", "crash")),
            SeenPlace::Hangs => format!("{count} {}", verb("hangs", "hang")),
            SeenPlace::Says(answer) => format!("{count} {} {}", verb("says", "say"), OneLine(answer)),
        }
    }
}

/// How many entry points make the same of the input, the most frequent first; and, where they see several hosts, who would send a
/// request to which.
pub(super) fn summary<'r>(results: impl IntoIterator<Item = (&'r Declaration, &'r Result)>) -> String {
    let mut seen: BTreeMap<SeenPlace, Vec<&Declaration>> = BTreeMap::new();
    for (declaration, result) in results {
        if let Some(one) = SeenPlace::of(declaration, result) {
            seen.entry(one).or_default().push(declaration);
        }
    }
    let mut seen: Vec<(SeenPlace, Vec<&Declaration>)> = seen.into_iter().collect();
    seen.sort_by_key(|(_, declarations)| usize::MAX - declarations.len());
    if seen.is_empty() {
        return String::new();
    }
    let mut parts: Vec<String> =
        seen.iter().take(SHOWN).map(|(one, declarations)| one.counted(declarations.len())).collect();
    let more: usize = seen.iter().skip(SHOWN).map(|(_, declarations)| declarations.len()).sum();
    if more > 0 {
        parts.push(format!("{more} otherwise"));
    }
    let answers = if seen.len() == 1 { "answer" } else { "different answers" };
    let last = parts.len() - 1;
    parts.iter_mut().take(last).for_each(|part| part.push(','));
    let head = format!("{} {answers}:", seen.len());
    let words: Vec<&str> = head.split(' ').chain(parts.iter().map(String::as_str)).collect();
    let mut text = String::new();
    // One line has more room than the first of several.
    let lines = match wrapped(&words, WIDTH - 2) {
        one if one.len() == 1 => one,
        _ => wrapped(&words, WIDTH - 4),
    };
    for (at, line) in lines.into_iter().enumerate() {
        let indent = if at == 0 { "  " } else { "    " };
        writeln!(text, "{indent}{BOLD}{line}{BOLD:#}").expect("writes to a string");
    }
    let hosts = || seen.iter().filter(|(one, _)| matches!(one, SeenPlace::Host(_)));
    if hosts().count() > 1 {
        for (one, declarations) in hosts() {
            let SeenPlace::Host(host) = one else { continue };
            writeln!(text, "    a request goes to {BAD}{}{BAD:#}", Quoted(host)).expect("writes to a string");
            text += &machines(host);
            for names in wrapped(&crates(declarations), WIDTH - 6) {
                writeln!(text, "      {names}").expect("writes to a string");
            }
        }
    }
    text
}

/// The addresses that a host stands for, a line each, with the readings that make it, and what a request reaches there.
fn machines(host: &str) -> String {
    let lines = addresses(host).into_iter().map(|(address, readings)| {
        let readings: Vec<String> = readings.iter().map(ToString::to_string).collect();
        format!(
            "      which is {BAD}{address}{BAD:#} ({}) to {}\n",
            AddressReach::of(address),
            readings.join(", ")
        )
    });
    lines.collect()
}

/// The crates of entry points, each once.
fn crates(declarations: &[&Declaration]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for declaration in declarations {
        let name = format!("{} {}", declaration.name, declaration.version);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let last = names.len().saturating_sub(1);
    names.into_iter().enumerate().map(|(at, name)| if at == last { name } else { format!("{name};") }).collect()
}
