//! What the entry points make of one input, in a line, and where they would send a request.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::net::IpAddr;

use anstyle::{AnsiColor, Style};
use uriproof::model::{Component, Declaration, OneLine, Operation, Outcome, Quoted, Reported};
use uriproof::run::Result;
use uriproof::severity::Severity;
use uriproof_lab::address::{AddressReach, addresses, host_syntax};
use uriproof_lab::origin::Origins;
use uriproof_lab::pairwise::Account;
use whatwg_url_reference::host::UrlHostSyntax;

use super::machine::HostMachine;
use crate::cli::columns::listed;
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
    /// It sees this host, and would send it the userinfo of the base.
    HostWithUserinfo(String),
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
                match account.as_ref().map(Account::host) {
                    Some(Reported::Defined(host)) if Severity::of(result) == Some(Severity::Credentials) => {
                        SeenPlace::HostWithUserinfo(host.into_owned())
                    }
                    Some(Reported::Defined(host)) => SeenPlace::Host(host.into_owned()),
                    Some(Reported::Undefined) => SeenPlace::NoHost,
                    Some(Reported::Nothing) | None => SeenPlace::Accepts,
                }
            }
            accepted @ Outcome::Accepted { .. } => SeenPlace::Says(accepted.to_string()),
        })
    }

    fn host(&self) -> Option<&str> {
        match self {
            SeenPlace::Host(host) | SeenPlace::HostWithUserinfo(host) => Some(host),
            _ => None,
        }
    }

    /// `9 see host "b"`
    fn counted(&self, count: usize) -> String {
        let verb = |one: &'static str, several: &'static str| if count == 1 { one } else { several };
        match self {
            SeenPlace::Host(host) => format!("{count} {} host {}", verb("sees", "see"), Quoted(host)),
            SeenPlace::HostWithUserinfo(host) => {
                format!(
                    "{count} {} the userinfo of the base to {}",
                    verb("sends", "send"),
                    Quoted(host)
                )
            }
            SeenPlace::NoHost => format!("{count} {} no host", verb("sees", "see")),
            SeenPlace::Accepts => format!("{count} {} without a word of the host", verb("accepts", "accept")),
            SeenPlace::Refuses => format!("{count} {}", verb("refuses", "refuse")),
            SeenPlace::Crashes => format!("{count} {}", verb("crashes", "crash")),
            SeenPlace::Hangs => format!("{count} {}", verb("hangs", "hang")),
            SeenPlace::Says(answer) => format!("{count} {} {}", verb("says", "say"), OneLine(answer)),
        }
    }
}

impl SeenBy<'_> {
    fn syntax(&self) -> UrlHostSyntax {
        match self.is_opaque {
            true => UrlHostSyntax::Opaque,
            false => UrlHostSyntax::Special,
        }
    }
}

/// The entry points that make the same of the input.
#[derive(Default)]
struct SeenBy<'d> {
    declarations: Vec<&'d Declaration>,
    /// The origins of what they see, and who sees each.
    origins: BTreeMap<Origins, Vec<&'d Declaration>>,
    /// Whether one of them sees a scheme that is not special.
    is_opaque: bool,
}

/// The syntax of hosts of the scheme of an answer.
fn syntax(declaration: &Declaration, result: &Result) -> UrlHostSyntax {
    let account = Account::of(declaration, result.observed.clone());
    host_syntax(account.as_ref().and_then(|account| account.text(Component::Scheme).as_defined().copied()))
}

/// How many entry points make the same of the input, the most frequent first; and, where they see several hosts, who would send a
/// request to which.
pub(super) fn summary<'r>(results: impl IntoIterator<Item = (&'r Declaration, &'r Result)>) -> String {
    let mut seen: BTreeMap<SeenPlace, SeenBy<'_>> = BTreeMap::new();
    for (declaration, result) in results {
        if let Some(one) = SeenPlace::of(declaration, result) {
            let seen_by = seen.entry(one).or_default();
            seen_by.declarations.push(declaration);
            let origin = HostMachine::of(declaration, &result.observed).and_then(|machine| machine.origin);
            if let Some(origin) = origin {
                seen_by.origins.entry(origin).or_default().push(declaration);
            }
            seen_by.is_opaque |= syntax(declaration, result) == UrlHostSyntax::Opaque;
        }
    }
    let mut seen: Vec<(SeenPlace, SeenBy<'_>)> = seen.into_iter().collect();
    seen.sort_by_key(|(_, seen_by)| usize::MAX - seen_by.declarations.len());
    if seen.is_empty() {
        return String::new();
    }
    let mut parts: Vec<String> =
        seen.iter().take(SHOWN).map(|(one, seen_by)| one.counted(seen_by.declarations.len())).collect();
    let more: usize = seen.iter().skip(SHOWN).map(|(_, seen_by)| seen_by.declarations.len()).sum();
    if more > 0 {
        let give = if more == 1 {
            "gives another answer"
        } else {
            "give other answers"
        };
        parts.push(format!("{more} {give}"));
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
    text + &requests(&seen)
}

/// Who sends a request to which host, if the hosts are several.
fn requests(seen: &[(SeenPlace, SeenBy<'_>)]) -> String {
    let hosts = seen.iter().filter_map(|(one, seen_by)| Some((one.host()?, seen_by)));
    // Hosts that differ in case alone are one host (§3.2.2).
    let different: BTreeSet<String> = hosts.clone().map(|(host, _)| host.to_ascii_lowercase()).collect();
    let mut text = String::new();
    if different.len() < 2 {
        // One machine: it is named where it is not public.
        let machine: String = hosts.take(1).map(|(host, seen_by)| not_public(host, seen_by.syntax())).collect();
        return machine + &origins(seen);
    }
    for (host, seen_by) in hosts {
        let SeenBy {
            declarations, origins, ..
        } = seen_by;
        let head = format!("    a request goes to {BAD}{}{BAD:#}", Quoted(host));
        let origins: Vec<String> = origins.keys().map(|origin| format!("origin {origin}")).collect();
        let is_short = origins.len() == 1 && Quoted(host).to_string().len() + origins[0].len() < WIDTH - 24;
        match is_short {
            true => writeln!(text, "{head}, {}", origins[0]),
            false => writeln!(text, "{head}"),
        }
        .expect("writes to a string");
        for machine in machines(host, seen_by.syntax()) {
            writeln!(text, "      which is {machine}").expect("writes to a string");
        }
        for origin in origins.iter().filter(|_| !is_short) {
            writeln!(text, "      {origin}").expect("writes to a string");
        }
        for names in listed(crates(declarations), WIDTH - 6) {
            writeln!(text, "      {names}").expect("writes to a string");
        }
    }
    text
}

/// The origins of what is seen, and who sees which where they are several; empty where none is the origin of anything.
fn origins(seen: &[(SeenPlace, SeenBy<'_>)]) -> String {
    let mut all: BTreeMap<&Origins, Vec<&Declaration>> = BTreeMap::new();
    for (origin, declarations) in seen.iter().flat_map(|(_, seen_by)| &seen_by.origins) {
        all.entry(origin).or_default().extend(declarations);
    }
    if all.keys().all(|origin| origin.is_null()) {
        return String::new();
    }
    let is_one = all.len() == 1;
    let mut text = String::new();
    for (origin, declarations) in all {
        writeln!(text, "    origin {origin}").expect("writes to a string");
        for names in listed(crates(&declarations), WIDTH - 6).into_iter().filter(|_| !is_one) {
            writeln!(text, "      {names}").expect("writes to a string");
        }
    }
    text
}

/// The machines that a host stands for by the readings, if one of them is not public.
fn not_public(host: &str, syntax: UrlHostSyntax) -> String {
    let is_public = |(address, _): &(IpAddr, _)| AddressReach::of(*address) == AddressReach::Public;
    if addresses(host, syntax).iter().all(is_public) {
        return String::new();
    }
    let lines = machines(host, syntax).into_iter();
    lines.map(|machine| format!("    host {BAD}{}{BAD:#} is {machine}\n", Quoted(host))).collect()
}

/// The addresses that a host stands for, each with the readings that make it, and what a request reaches there.
pub(crate) fn machines(host: &str, syntax: UrlHostSyntax) -> Vec<String> {
    let lines = addresses(host, syntax).into_iter().map(|(address, readings)| {
        let readings: Vec<String> = readings.iter().map(ToString::to_string).collect();
        let reach = AddressReach::of(address);
        format!("{BAD}{address}{BAD:#} ({reach}) to {}", readings.join(", "))
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
    names
}
