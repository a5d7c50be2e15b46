//! `uriproof explain`: why an input is accepted or rejected.

use std::fmt::Write as _;

use crate::explain::{Accepted, Detail, Explanation, Node, Parse, Rejected, Verdict, explain};
use crate::model::{Component, Components, HostKind, Quoted, Rule};
use crate::search::vectors::Library;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use anstyle::{AnsiColor, Style};
use clap::Args;

use crate::cli::select::parse_rule;
use crate::cli::{Failure, Finding, Format, print, print_json};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// How many columns a snippet has.
const WIDTH: usize = 100;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The string
    input: String,
    /// The rule of Appendix A that the whole of it is to match
    #[arg(long, value_parser = parse_rule, default_value = "URI-reference")]
    rule: Rule,
    /// Derive down to single characters
    #[arg(long)]
    full: bool,
    /// How to print the explanation
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, Failure> {
    let detail = if arguments.full {
        Detail::Characters
    } else {
        Detail::Parts
    };
    let explanation = explain(&arguments.input, arguments.rule, detail, &Library::embedded())
        .map_err(|error| format!("vectors/clauses.json: {error}"))?;
    match arguments.format {
        Format::Human => print(&human(&explanation))?,
        Format::Json => print_json(&explanation)?,
    }
    Ok(Finding::Expected)
}

fn human(explanation: &Explanation) -> String {
    let mut text = match &explanation.parse {
        Parse::Accepted(accepted) => human_accepted(explanation, accepted),
        Parse::Rejected(rejected) => human_rejected(explanation, rejected),
    };
    if !explanation.readings.is_empty() {
        text += &title("other readings");
    }
    for (reading, verdict) in &explanation.readings {
        let verdict = match verdict {
            Verdict::Accepted => "accepted",
            Verdict::Rejected => "rejected",
        };
        put(&mut text, &format!("  {reading}  {verdict}: {}", reading.summary()));
    }
    text
}

fn human_accepted(explanation: &Explanation, accepted: &Accepted) -> String {
    let mut text = format!("{GOOD}accepted{GOOD:#}: {}\n", summary(explanation.rule, accepted));
    text += &title("derivation");
    let mut lines = Vec::new();
    outline(&accepted.tree, "", "", &mut lines);
    let width = lines.iter().map(|(rule, _)| rule.chars().count()).max().unwrap_or_default();
    for (rule, part) in lines {
        put(&mut text, &format!("  {rule:width$}  {}", Quoted(part)));
    }
    if let Some(components) = &accepted.components {
        text += &title("components");
        for component in Component::ALL.into_iter().filter(|&component| component != Component::HostKind) {
            let value = match components.text(component) {
                None => format!("{FAINT}undefined{FAINT:#}"),
                Some(value) => Quoted(value).to_string() + if value.is_empty() { "  (empty)" } else { "" },
            };
            let rule = match component {
                Component::Host => host_rule(components),
                Component::Path => accepted.path_rule.map(Rule::name),
                _ => None,
            };
            let rule = rule.map(|rule| format!("  {rule}")).unwrap_or_default();
            put(&mut text, &format!("  {component:8}  {value}{rule}"));
        }
    }
    text
}

/// What the input is, in one line.
fn summary(rule: Rule, accepted: &Accepted) -> String {
    let Some(components) = &accepted.components else {
        return format!("matches {rule}");
    };
    let kind = match (rule, &components.scheme) {
        (Rule::UriReference, Some(_)) => ", as a URI",
        (Rule::UriReference, None) => ", as a relative-ref",
        _ => "",
    };
    let host = match host_rule(components) {
        Some(rule) => format!("its host is an {rule}, ").replace("an reg-name", "a reg-name"),
        None => "it has no authority, ".to_owned(),
    };
    let path = accepted.path_rule.map_or("", Rule::name);
    format!("matches {rule}{kind}; {host}its path a {path}")
}

/// Which alternative of `host` matches, and within `IP-literal`.
fn host_rule(components: &Components) -> Option<&'static str> {
    components.host_kind.map(|kind| match kind {
        HostKind::Ipv4 => Rule::Ipv4Address.name(),
        HostKind::Ipv6 => Rule::Ipv6Address.name(),
        HostKind::Ipvfuture => Rule::IpvFuture.name(),
        HostKind::RegName => Rule::RegName.name(),
    })
}

/// A line for each rule: its name with the branch before it, and its text.
fn outline<'a>(node: &'a Node, branch: &str, indent: &str, lines: &mut Vec<(String, &'a str)>) {
    lines.push((format!("{branch}{}", node.rule), &node.text));
    for (at, child) in node.children.iter().enumerate() {
        let (own, below) = if at + 1 < node.children.len() {
            ("├─ ", "│  ")
        } else {
            ("└─ ", "   ")
        };
        outline(child, &format!("{indent}{own}"), &format!("{indent}{below}"), lines);
    }
}

fn human_rejected(explanation: &Explanation, rejected: &Rejected) -> String {
    let Explanation { input, rule, .. } = explanation;
    let offset = rejected.viable_prefix;
    let (before, rest) = input.split_at_checked(offset).unwrap_or((input, ""));
    let (shown, found) = (escaped(before), escaped(&rest.chars().take(1).collect::<String>()));
    let (why, label) = match rejected.found {
        Some(_) if rejected.may_end && offset > 0 => ("what comes before it would match", "cannot follow"),
        Some(_) => ("it cannot stand there", "cannot stand here"),
        None => ("the input ends too early", "something must follow"),
    };
    let place = match rejected.found {
        Some(character) => format!("at byte {offset}, {}: {why}", Quoted(&character.to_string())),
        None => format!("at byte {offset}: {why}"),
    };
    let start = shown.len();
    let source = format!("{shown}{}", escaped(rest));
    let snippet = Snippet::source(source)
        .line_numbering(false)
        .annotation(AnnotationKind::Primary.span(start..start + found.len()).label(label));
    let level = Level::ERROR.with_name("rejected");
    let report = [level.primary_title(format!("does not match {rule} {place}")).element(snippet)];
    let mut text = Renderer::styled().term_width(WIDTH).render(&report);
    text.push('\n');

    text += &title("could go on");
    let width = rejected.next.iter().map(|next| next.rule.len()).max().unwrap_or_default();
    for next in &rejected.next {
        put(
            &mut text,
            &format!("  {:width$}  {}", next.rule, next.accepts.join(" ")),
        );
    }
    if rejected.next.is_empty() {
        put(&mut text, "  nothing, the input has to end there");
    } else if rejected.may_end {
        put(&mut text, "  or the input could end there");
    }

    text += &title("decided by");
    put(&mut text, &format!("  {}  {}", rejected.clause, rejected.quote));
    if let Some(see) = &rejected.see {
        put(&mut text, &format!("  {}  {}", see.id, see.quote));
    }
    text
}

/// Text with everything escaped that is not printable ASCII.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            ' '..='~' => escaped.push(character),
            _ => escaped.extend(character.escape_default()),
        }
    }
    escaped
}

fn title(words: &str) -> String {
    format!("\n{BOLD}{words}{BOLD:#}\n")
}

fn put(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("writes to a string");
}
