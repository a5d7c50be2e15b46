//! Explanations as text for a terminal, with styles; printing removes the styles if there is no terminal.

use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use anstyle::{AnsiColor, Style};
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use uriproof::model::{Clause, Component, Components, Fitted, HostKind, Outcome, Quoted, Reading, Rule};
use uriproof_grammar::nearest::LONGEST;

use super::answers::{ReadingOutcomes, components};
use super::composition::Composition;
use super::resolution::{Against, Also, Buffers, LeftOut, Resolved, SHOWN};
use super::why::Why;
use super::{Accepted, DerivationNode, Explanation, LONGEST as DERIVED, ParseExplanation, Rejected};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// How many columns a line has; what cannot be cut may have more.
const WIDTH: usize = 80;

/// How many columns a text has at least, however deep it stands in a tree.
const LEAST: usize = 16;

/// If a node has more children or a table more rows than this, only the first and the last are printed.
const MANY: usize = 40;

/// How many columns a buffer has in the table of §5.2.4.
const BUFFER: usize = 35;

/// How many columns the longest viable prefix has.
const PREFIX: usize = 60;

/// How many bytes before a place and behind it are laid out of an input that is too long to be derived.
const WINDOW: usize = 1024;

/// How many bytes of a long string are shown before a place and behind it.
const AROUND: usize = 30;

impl Why {
    /// As text for a terminal.
    pub fn human(&self) -> String {
        match self {
            Why::Strings(explanations) => {
                let texts = explanations.iter().map(|one| match explanations.len() {
                    1 => one.human(),
                    _ => format!("{}: {}", Quoted(&one.input), one.human()),
                });
                texts.collect::<Vec<_>>().join("\n")
            }
            Why::Resolution(against) => against.human(),
            Why::Composition(composition) => composition.human(),
        }
    }
}

impl Explanation {
    /// As text for a terminal.
    pub fn human(&self) -> String {
        let text = match &self.parse {
            ParseExplanation::Accepted(accepted) => human_accepted(self, accepted),
            ParseExplanation::Rejected(rejected) => human_rejected(self, rejected),
        };
        text + &human_readings(&self.readings)
    }
}

impl Against {
    /// As text for a terminal: how it is resolved; or why it cannot be, of base and reference whichever does not match.
    pub fn human(&self) -> String {
        let Against {
            reference,
            base,
            base_clause,
            resolution,
            targets,
        } = self;
        if let Some(resolved) = resolution {
            return human_resolved(base, reference, resolved) + &human_readings(targets);
        }
        let mut texts = Vec::new();
        if let Some(clause) = base_clause {
            let mut text = format!("{BAD}the base{BAD:#}: {}", base.human());
            text += &title("a base is a URI");
            put_clause(&mut text, clause);
            texts.push(text);
        }
        if let ParseExplanation::Rejected(_) = reference.parse {
            texts.push(format!("{BAD}the reference{BAD:#}: {}", reference.human()));
        }
        if !targets.is_empty() {
            texts.push(format!("{BOLD}resolved{BOLD:#}\n{}", answers(targets)));
        }
        texts.join("\n")
    }
}

impl Composition {
    /// As text for a terminal.
    pub fn human(&self) -> String {
        let Composition {
            components,
            uri,
            unfit,
            together,
            also,
            readings,
        } = self;
        let mut text = match uri {
            Some(uri) => format!("{GOOD}composed{GOOD:#}: {}\n", Quoted(uri)),
            None => format!("{BAD}not composed{BAD:#}: no URI-reference has these components\n"),
        };
        text += &title("components");
        for component in Component::TEXTS {
            let value = shown(components.text(component));
            put(&mut text, &format!("  {component:8}  {value}"));
        }
        if let Some(clause) = together {
            text += &title("decided by");
            put_clause(&mut text, clause);
        }
        text += &human_also(also);
        text += &human_readings(readings);
        for unfit in unfit {
            text += &format!("\n{BAD}the {}{BAD:#}: {}", unfit.component, unfit.explanation.human());
        }
        text
    }
}

/// A component, or that it is undefined.
fn shown(text: Option<&str>) -> String {
    match text {
        None => format!("{FAINT}undefined{FAINT:#}"),
        Some(text) => Quoted(text).to_string() + if text.is_empty() { "  (empty)" } else { "" },
    }
}

fn human_resolved(base: &Explanation, reference: &Explanation, resolved: &Resolved) -> String {
    let mut text = format!("{GOOD}resolved{GOOD:#}: {}\n", Quoted(&resolved.uri));
    text += &title("parsed (5.2.1)");
    for (name, one) in [("base", base), ("reference", reference)] {
        put(&mut text, &format!("  {name:9}  {}", Quoted(&one.input)));
    }
    if let Some(clause) = &resolved.ignored {
        text += &title("scheme ignored (5.2.2)");
        put_clause(&mut text, clause);
    }
    text += &title("branch (5.2.2)");
    put_words(&mut text, &resolved.branch, &resolved.quote);
    if let Some(merged) = &resolved.merged {
        text += &title("merge (5.2.3)");
        put(&mut text, &format!("  {}", Quoted(&merged.path)));
        put_words(&mut text, &merged.clause, &merged.quote);
    }
    text += &title("remove_dot_segments (5.2.4)");
    if resolved.steps.is_empty() {
        put(&mut text, "  not called in this branch");
    } else {
        text += &table(&resolved.steps, resolved.left_out);
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
    text + &human_also(&resolved.also)
}

/// The rows of §5.2.4: of many the first and the last, and how many stand between.
fn table(steps: &[Buffers], left_out: Option<LeftOut>) -> String {
    let (first, last) = SHOWN;
    let left_out = left_out.or_else(|| {
        (steps.len() > MANY).then(|| LeftOut {
            behind: first,
            rows: steps.len() - first - last,
        })
    });
    let (above, below) = match left_out {
        Some(LeftOut { behind, .. }) => (&steps[..behind], &steps[steps.len() - last..]),
        None => (steps, &[][..]),
    };
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(["STEP", "OUTPUT BUFFER", "INPUT BUFFER"]);
    let buffer = |text| Fitted(text, BUFFER).to_string();
    for Buffers { step, output, input } in above.iter().chain(below) {
        table.add_row([step.clone(), buffer(output), buffer(input)]);
    }
    let mut text = String::new();
    for (at, line) in table.to_string().lines().enumerate() {
        // The first line is the header.
        if let Some(LeftOut { behind, rows }) = left_out
            && at == behind + 1
        {
            put(&mut text, &format!("  {FAINT}... {rows} rows more{FAINT:#}"));
        }
        put(&mut text, &format!(" {}", line.trim_end()));
    }
    text
}

/// What conforms besides.
fn human_also(also: &[Also]) -> String {
    let mut text = String::new();
    if !also.is_empty() {
        text += &title("conforms too");
    }
    for also in also {
        put(&mut text, &format!("  {}  {}", also.name, also.outcome));
    }
    text
}

/// What comes of it in each reading, where they differ.
fn human_readings(readings: &ReadingOutcomes) -> String {
    if readings.is_empty() {
        return String::new();
    }
    title("readings") + &answers(readings)
}

/// A line for each reading: its answer, of components those that are not the same in all, and what the reading is.
fn answers(answers: &ReadingOutcomes) -> String {
    let contested = answers.contested();
    let line = |reading: Reading, outcome: &Outcome| match components(outcome) {
        Some(components) if !contested.is_empty() => format!("accepted, {}", components.describe(contested)),
        // Its components stand above.
        Some(_) if reading == Reading::Rfc3986 => "accepted".to_owned(),
        _ => outcome.to_string(),
    };
    let mut text = String::new();
    let width = answers.iter().map(|(reading, _)| reading.id().len()).max().unwrap_or_default();
    for (reading, outcome) in answers.iter() {
        put(
            &mut text,
            &format!("  {:width$}  {}", reading.id(), line(reading, outcome)),
        );
        put(
            &mut text,
            &format!("  {:width$}  {FAINT}{}{FAINT:#}", "", reading.summary()),
        );
    }
    text
}

fn human_accepted(explanation: &Explanation, accepted: &Accepted) -> String {
    let mut text = format!("{GOOD}accepted{GOOD:#}: {}\n", summary(explanation.rule, accepted));
    text += &title("derivation");
    let mut lines = Vec::new();
    outline(&accepted.tree, "", "", &mut lines);
    let (mut label_width, mut span_width) = (0, 0);
    for TreeLine { label, part } in &lines {
        if let Some((span, _)) = part {
            label_width = label_width.max(label.chars().count());
            span_width = span_width.max(span.len());
        }
    }
    let columns = WIDTH.saturating_sub(2 + label_width + 2 + span_width + 2).max(LEAST);
    for TreeLine { label, part } in lines {
        match part {
            Some((span, part)) => {
                let part = Fitted(part, columns);
                put(
                    &mut text,
                    &format!("  {label:label_width$}  {FAINT}{span:span_width$}{FAINT:#}  {part}"),
                );
            }
            None => put(&mut text, &format!("  {FAINT}{label}{FAINT:#}")),
        }
    }
    if accepted.is_cut {
        let bytes = explanation.input.len();
        let left_out = format!("left out: the input has {bytes} bytes, and at most {DERIVED} are derived");
        put(&mut text, &format!("  {FAINT}{left_out}{FAINT:#}"));
    }
    if let Some(components) = &accepted.components {
        text += &title("components");
        for component in Component::TEXTS {
            let value = match components.text(component) {
                Some(value) if accepted.is_cut && value.len() > PREFIX => {
                    format!("{}  {FAINT}{} bytes{FAINT:#}", Fitted(value, PREFIX), value.len())
                }
                value => shown(value),
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

/// A line of a tree.
struct TreeLine<'a> {
    /// The branch and the rule's name; or how many nodes are left out.
    label: String,
    /// The span of what the rule derives, in bytes, and the text.
    part: Option<(String, &'a str)>,
}

/// A line for each rule, of many children of one for the first and the last.
fn outline<'a>(node: &'a DerivationNode, branch: &str, indent: &str, lines: &mut Vec<TreeLine<'a>>) {
    lines.push(TreeLine {
        label: format!("{branch}{}", node.rule),
        part: Some((
            format!("{}..{}", node.offset, node.offset + node.text.len()),
            &node.text,
        )),
    });
    let count = node.children.len();
    let (first, last) = if count > MANY { SHOWN } else { (count, 0) };
    for (at, child) in node.children.iter().enumerate() {
        if at == first {
            let more = count - first - last;
            lines.push(TreeLine {
                label: format!("{indent}├─ ... {more} more"),
                part: None,
            });
        }
        if at >= first && at + last < count {
            continue;
        }
        let (own, below) = if at + 1 < count {
            ("├─ ", "│  ")
        } else {
            ("└─ ", "   ")
        };
        outline(child, &format!("{indent}{own}"), &format!("{indent}{below}"), lines);
    }
}

fn human_rejected(explanation: &Explanation, rejected: &Rejected) -> String {
    let input = explanation.input.as_str();
    let offset = rejected.viable_prefix;
    let mut text = snippet(explanation, rejected);
    text.push('\n');

    text += &title("longest viable prefix");
    put(
        &mut text,
        &format!(
            "  {}  {FAINT}0..{offset}{FAINT:#}",
            Fitted(input.get(..offset).unwrap_or(input), PREFIX)
        ),
    );

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
                &format!("  {}  {} {edits} away", near(input, &nearest.text), nearest.edits),
            );
        }
        None => put(
            &mut text,
            &format!("  not looked for: the input has more than {LONGEST} characters"),
        ),
    }

    text += &title("decided by");
    put_words(&mut text, &rejected.clause, &rejected.quote);
    rejected.see.iter().for_each(|clause| put_clause(&mut text, clause));
    if let Some(clause) = &rejected.asked {
        text += &title("asked for");
        put_clause(&mut text, clause);
    }
    for attempt in &rejected.attempts {
        text += &title(&format!(
            "as {}, it stops at byte {}",
            attempt.meant, attempt.viable_prefix
        ));
        put_words(&mut text, &attempt.clause, &attempt.quote);
        attempt.see.iter().for_each(|clause| put_clause(&mut text, clause));
    }
    text
}

/// Where the input stops matching, as a compiler shows it.
fn snippet(explanation: &Explanation, rejected: &Rejected) -> String {
    let Explanation { input, rule, .. } = explanation;
    let offset = rejected.viable_prefix;
    let (before, rest) = input.split_at_checked(offset).unwrap_or((input, ""));
    // The snippet is a window anyway: of a long input only that is escaped and laid out.
    let (around, rest) = match input.len() > DERIVED {
        true => (
            &before[before.ceil_char_boundary(offset.saturating_sub(WINDOW))..],
            &rest[..rest.floor_char_boundary(WINDOW)],
        ),
        false => (before, rest),
    };
    let (shown, found) = (escaped(around), escaped(&rest.chars().take(1).collect::<String>()));
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
    Renderer::styled().term_width(WIDTH).render(&report)
}

/// A string near another: of a long one the part around where they begin to differ.
fn near(input: &str, text: &str) -> String {
    if text.len() <= AROUND * 4 {
        return Quoted(text).to_string();
    }
    let same = input.bytes().zip(text.bytes()).take_while(|(one, other)| one == other).count();
    let (mut from, mut to) = (same.saturating_sub(AROUND), (same + AROUND).min(text.len()));
    while !text.is_char_boundary(from) {
        from -= 1;
    }
    while !text.is_char_boundary(to) {
        to += 1;
    }
    let dots = |is_cut| if is_cut { "..." } else { "" };
    let window = Quoted(&text[from..to]);
    format!("{}{window}{}  from byte {from},", dots(from > 0), dots(to < text.len()))
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

pub(crate) fn title(words: &str) -> String {
    format!("\n{BOLD}{words}{BOLD:#}\n")
}

pub(crate) fn put_clause(text: &mut String, clause: &Clause) {
    put_words(text, &clause.id, &clause.quote);
}

/// A clause's id and its words, on as many lines as they need; a rule is broken before its alternatives.
fn put_words(text: &mut String, id: &str, quote: &str) {
    let is_rule = quote.split(' ').nth(1) == Some("=");
    let mut line = format!("  {id} ");
    for (at, part) in quote.split(if is_rule { " / " } else { " " }).enumerate() {
        let part = if is_rule && at > 0 {
            format!("/ {part}")
        } else {
            part.to_owned()
        };
        if at > 0 && line.chars().count() + 1 + part.chars().count() > WIDTH {
            put(text, &line);
            line = " ".repeat(5);
        }
        line = line + " " + &part;
    }
    put(text, &line);
}

pub(crate) fn put(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("writes to a string");
}
