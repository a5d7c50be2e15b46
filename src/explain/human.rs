//! Explanations as text for a terminal, with styles; printing removes the styles if there is no terminal.

mod accepted;
mod rejected;

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use uriproof::model::{Clause, Component, Fitted, Outcome, Quoted, Reading};

use self::accepted::human_accepted;
use self::rejected::human_rejected;
use super::answers::{ReadingOutcomes, components};
use super::composition::Composition;
use super::resolution::{Against, Also, Buffers, LeftOut, Resolved, SHOWN};
use super::why::Why;
use super::{InputExplanation, LONGEST as DERIVED, ParseExplanation};

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

impl InputExplanation {
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

fn human_resolved(base: &InputExplanation, reference: &InputExplanation, resolved: &Resolved) -> String {
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
