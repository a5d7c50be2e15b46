//! Why an input is rejected, as a compiler prints an error.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use uriproof::model::{Fitted, Quoted};
use uriproof_grammar::nearest::LONGEST;

use super::{DERIVED, FAINT, PREFIX, WIDTH, put, put_clause, put_words, title};
use crate::explain::{InputExplanation, Rejected};

/// How many bytes before a place and behind it are laid out of an input that is too long to be derived.
const WINDOW: usize = 1024;

/// How many bytes of a long string are shown before a place and behind it.
const AROUND: usize = 30;

pub(super) fn human_rejected(explanation: &InputExplanation, rejected: &Rejected) -> String {
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
fn snippet(explanation: &InputExplanation, rejected: &Rejected) -> String {
    let InputExplanation { input, rule, .. } = explanation;
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
        Some(_) => ("it is not allowed there", "not allowed here"),
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
