//! `uriproof explain`: why an input is accepted or rejected, and how a reference is resolved.

mod vector;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::explain::resolution::{BASE, Resolved, Row, resolve};
use crate::explain::{Accepted, Detail, Explanation, Node, Parse, Rejected, UnknownClause, explain};
use crate::model::{Clause, Component, Components, HostKind, Outcome, Quoted, Reading, Rule};
use crate::search::vectors::Library;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use anstyle::{AnsiColor, Style};
use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use serde::Serialize;

use crate::cli::select::parse_rule;
use crate::cli::{Failure, Finding, Format, print, print_json};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// How many columns a snippet has.
const WIDTH: usize = 100;

const EXAMPLES: &str = "Examples:
  uriproof explain 'http://[::1::]/'
  uriproof explain 256 --rule dec-octet
  uriproof explain ../../g --base 'http://a/b/c/d;p?q'
  uriproof explain --vector rfc/5.4.1/query-only";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The string
    #[arg(required_unless_present = "vector")]
    input: Option<String>,
    /// Explain what a vector asks and which outcome conforms, by its id
    #[arg(long, value_name = "ID", conflicts_with_all = ["input", "rule", "base", "non_strict"])]
    vector: Option<String>,
    /// The rule of Appendix A that the whole of it is to match
    #[arg(long, value_parser = parse_rule, default_value = "URI-reference")]
    rule: Rule,
    /// Resolve it as a reference against this base
    #[arg(long, value_name = "URI", conflicts_with_all = ["rule", "full"])]
    base: Option<String>,
    /// Resolve as a non-strict parser does (RFC 3986 §5.2.2)
    #[arg(long, requires = "base")]
    non_strict: bool,
    /// Derive down to single characters
    #[arg(long)]
    full: bool,
    /// How to print the explanation
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// A reference, its base, and how the one is resolved against the other.
#[derive(Serialize)]
struct Against {
    #[serde(flatten)]
    reference: Explanation,
    base: Explanation,
    /// By which clause the base must be a URI, where it is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    base_clause: Option<Clause>,
    /// None where either does not match its rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    resolution: Option<Resolved>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, Failure> {
    let detail = if arguments.full {
        Detail::Characters
    } else {
        Detail::Parts
    };
    let library = Library::embedded();
    if let Some(id) = &arguments.vector {
        vector::run(id, arguments.format, detail, &library)?;
        return Ok(Finding::Expected);
    }
    let input = arguments.input.as_deref().unwrap_or_default();
    match (&arguments.base, arguments.format) {
        (None, format) => {
            let explanation = explain(input, arguments.rule, detail, &library).map_err(unknown)?;
            match format {
                Format::Human => print(&human(&explanation))?,
                Format::Json => print_json(&explanation)?,
            }
        }
        (Some(base), format) => {
            let against = against(base, input, !arguments.non_strict, detail, &library).map_err(unknown)?;
            match format {
                Format::Human => print(&human_against(&against))?,
                Format::Json => print_json(&against)?,
            }
        }
    }
    Ok(Finding::Expected)
}

fn unknown(error: UnknownClause) -> Failure {
    format!("vectors/clauses.json: {error}")
}

fn against(
    base: &str,
    reference: &str,
    strict: bool,
    detail: Detail,
    library: &Library,
) -> Result<Against, UnknownClause> {
    let of_base = explain(base, Rule::Uri, detail, library)?;
    Ok(Against {
        base_clause: match of_base.parse {
            Parse::Accepted(_) => None,
            Parse::Rejected(_) => library.clause(BASE).cloned(),
        },
        resolution: resolve(base, reference, strict, library)?,
        base: of_base,
        reference: explain(reference, Rule::UriReference, detail, library)?,
    })
}

/// What is resolved; or why it cannot be, of base and reference whichever does not match.
fn human_against(against: &Against) -> String {
    let Against {
        reference,
        base,
        base_clause,
        resolution,
    } = against;
    if let Some(resolved) = resolution {
        return human_resolved(base, reference, resolved);
    }
    let mut texts = Vec::new();
    if let Some(Clause { id, quote, .. }) = base_clause {
        texts.push(format!("{BAD}the base{BAD:#}: {}  {id}  {quote}\n", human(base)));
    }
    if let Parse::Rejected(_) = reference.parse {
        texts.push(format!("{BAD}the reference{BAD:#}: {}", human(reference)));
    }
    texts.join("\n")
}

fn human_resolved(base: &Explanation, reference: &Explanation, resolved: &Resolved) -> String {
    let mut text = format!("{GOOD}resolved{GOOD:#}: {}\n", Quoted(&resolved.uri));
    text += &title("parsed (5.2.1)");
    for (name, one) in [("base", base), ("reference", reference)] {
        put(&mut text, &format!("  {name:9}  {}", Quoted(&one.input)));
    }
    if let Some(clause) = &resolved.ignored {
        text += &title("scheme ignored (5.2.2)");
        put(&mut text, &format!("  {}  {}", clause.id, clause.quote));
    }
    text += &title("branch (5.2.2)");
    put(&mut text, &format!("  {}  {}", resolved.branch, resolved.quote));
    if let Some(merged) = &resolved.merged {
        text += &title("merge (5.2.3)");
        put(&mut text, &format!("  {}", Quoted(&merged.path)));
        put(&mut text, &format!("  {}  {}", merged.clause, merged.quote));
    }
    text += &title("remove_dot_segments (5.2.4)");
    if resolved.steps.is_empty() {
        put(&mut text, "  not called in this branch");
    } else {
        let mut table = Table::new();
        table.load_style(NOTHING);
        table.set_header(["STEP", "OUTPUT BUFFER", "INPUT BUFFER"]);
        for Row { step, output, input } in &resolved.steps {
            table.add_row([step.clone(), Quoted(output).to_string(), Quoted(input).to_string()]);
        }
        for line in table.to_string().lines() {
            put(&mut text, &format!(" {}", line.trim_end()));
        }
    }
    text += &title("recomposed (5.3)");
    put(&mut text, &format!("  {}", Quoted(&resolved.uri)));
    match &resolved.reparsed {
        None => put(&mut text, "  parses to the components that it is made from"),
        Some(reparsed) => {
            let otherwise = match &reparsed.authority {
                Some(authority) => format!("has the authority {} when it is parsed again", Quoted(authority)),
                None => "is no URI".to_owned(),
            };
            let path = Quoted(&reparsed.path);
            put(
                &mut text,
                &format!(
                    "  {BAD}does not parse to them{BAD:#}: made from the path {path} and no authority, it {otherwise}"
                ),
            );
        }
    }
    if !resolved.also.is_empty() {
        text += &title("conforms too");
    }
    for also in &resolved.also {
        put(&mut text, &format!("  {}  {}", also.name, also.outcome));
    }
    text + &human_readings(&resolved.readings)
}

fn human(explanation: &Explanation) -> String {
    let text = match &explanation.parse {
        Parse::Accepted(accepted) => human_accepted(explanation, accepted),
        Parse::Rejected(rejected) => human_rejected(explanation, rejected),
    };
    text + &human_readings(&explanation.readings)
}

fn human_readings(readings: &BTreeMap<Reading, Outcome>) -> String {
    let mut text = String::new();
    if !readings.is_empty() {
        text += &title("other readings");
    }
    for (reading, outcome) in readings {
        let outcome = match outcome {
            Outcome::Rejected { .. } => "rejected".to_owned(),
            other => other.to_string(),
        };
        put(&mut text, &format!("  {reading}  {outcome}: {}", reading.summary()));
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
        for component in Component::TEXTS {
            let value = shown(components.text(component));
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

/// A component, or that it is undefined.
fn shown(text: Option<&str>) -> String {
    match text {
        None => format!("{FAINT}undefined{FAINT:#}"),
        Some(text) => Quoted(text).to_string() + if text.is_empty() { "  (empty)" } else { "" },
    }
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
    let accepts: Vec<String> = rejected.next.iter().map(|next| next.accepts.join(" ")).collect();
    let column = accepts.iter().map(String::len).max().unwrap_or_default();
    for (next, accepts) in rejected.next.iter().zip(accepts) {
        let clause = next.clause.unwrap_or_default();
        let line = format!("  {:width$}  {accepts:column$}  {FAINT}{clause}{FAINT:#}", next.rule);
        put(&mut text, &line);
    }
    if rejected.next.is_empty() {
        put(&mut text, "  nothing, the input has to end there");
    } else if rejected.may_end {
        put(&mut text, "  or the input could end there");
    }

    text += &title("nearest valid");
    match &rejected.nearest {
        Some(nearest) => {
            let edits = if nearest.edits == 1 { "character" } else { "characters" };
            put(
                &mut text,
                &format!("  {}  {} {edits} away", Quoted(&nearest.text), nearest.edits),
            );
        }
        None => put(&mut text, "  not looked for: the input is too long"),
    }

    text += &title("decided by");
    put(&mut text, &format!("  {}  {}", rejected.clause, rejected.quote));
    for clause in rejected.piece.iter().chain(&rejected.see) {
        put(&mut text, &format!("  {}  {}", clause.id, clause.quote));
    }
    for attempt in &rejected.attempts {
        text += &title(&format!(
            "as {}, it stops at byte {}",
            attempt.meant, attempt.viable_prefix
        ));
        put(&mut text, &format!("  {}  {}", attempt.clause, attempt.quote));
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
