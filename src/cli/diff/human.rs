//! The answers to one question as text: grouped, those that diverge first, and what to do next.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use rfc3986_reference::recompose::recompose;
use rfc3986_reference::resolve::{Strictness, resolve};
use rfc3986_reference::split::split;
use uriproof::compare::Verdict;
use uriproof::expect::{Expected, expect, whatwg};
use uriproof::gate::Claim;
use uriproof::model::{Declaration, Input, OneLine, Outcome, Reading, Value};
use uriproof_deviations::url_rules::{BaseRule, UrlRule, base_rules, parting};
use whatwg_url_reference::code_points::is_c0_control_or_space;

use super::explained::{ExplainedDivergence, verdict_by_own_standard};
use super::{Answered, Arguments, Question, seen};
use crate::cli::{WIDTH, in_lines, wrapped};
use crate::report::shell::quoted;
use crate::report::side_by_side::{SameAnswer, side_by_side};

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();

/// The rules by which the WHATWG URL Standard makes something else of a string than RFC 3986 does.
pub(super) fn differing_rules(text: &str) -> Vec<&'static str> {
    parting(text).into_iter().map(|one| one.row().rule).collect()
}

/// What the WHATWG URL Standard has that RFC 3986 has not: the rules of DIFFERENCES.md, or the two targets of a reference.
fn two_standards(question: &Question) -> String {
    let differ = "RFC 3986 and the URL Standard differ here:";
    let words = match &question.base {
        None => match differing_rules(&question.input) {
            rules if rules.is_empty() => return String::new(),
            rules => format!("{differ} {} (DIFFERENCES.md)", rules.join("; ")),
        },
        Some(base) => {
            let input = Input::Resolve {
                base: base.clone(),
                reference: question.input.clone(),
                strict: !question.non_strict,
            };
            let (rfc, url) = (expect(&input, Reading::Rfc3986), whatwg::expect(&input));
            match (first_outcome(&rfc), first_outcome(&url)) {
                (Some(of_rfc), Some(of_url)) if of_rfc != of_url => {
                    let rules = rules_of_target(base, &question.input, (&rfc, &of_url));
                    let rules = if rules.is_empty() {
                        rules
                    } else {
                        format!(": {rules} (DIFFERENCES.md)")
                    };
                    format!("{differ} the target is {of_rfc} by RFC 3986, and {of_url} by the URL Standard{rules}")
                }
                _ => return String::new(),
            }
        }
    };
    in_lines(&words, "", "  ", Style::new())
}

/// The rules by which the URL Standard makes another target than RFC 3986: those for a string of which it makes the same target without
/// a base, or else those for bases.
fn rules_of_target(base: &str, reference: &str, (of_rfc, of_url): (&Expected, &str)) -> String {
    let trimmed = reference.trim_matches(is_c0_control_or_space);
    let ends = if trimmed == reference {
        None
    } else {
        Some(UrlRule::Trim.row().rule)
    };
    let target = match of_rfc.literal() {
        Outcome::Accepted {
            value: Value::Uri(target),
        } => Some(target),
        _ => None,
    };
    let makes_the_target = |text: &String| {
        let uri = text.clone();
        let printed = first_outcome(&whatwg::expect(&Input::RoundTrip { uri }));
        printed.as_deref() == Some(of_url)
    };
    let string = target.clone().into_iter().chain(as_strings(base, trimmed)).find(makes_the_target);
    let of_string = string.map(|string| differing_rules(&string)).unwrap_or_default();
    let of_base = || {
        let rules = target.as_deref().map(|target| base_rules(base, reference, target));
        rules.unwrap_or_default().into_iter().map(BaseRule::sentence)
    };
    let rules: Vec<&str> = match of_string.is_empty() {
        true => ends.into_iter().chain(of_base()).collect(),
        false => ends.into_iter().chain(of_string).collect(),
    };
    rules.join("; ")
}

/// A reference alone, behind the scheme of its base, and as §5.2.2 resolves what Appendix B splits: strings of which the URL Standard can
/// make the same target.
fn as_strings(base: &str, reference: &str) -> Vec<String> {
    let (base, split_reference) = (split(base), split(reference));
    let Some(scheme) = base.scheme else {
        return Vec::new();
    };
    let resolved = resolve(&base, &split_reference, Strictness::Strict, Reading::Rfc3986);
    vec![
        reference.to_owned(),
        format!("{scheme}:{reference}"),
        recompose(&resolved.target),
    ]
}

/// The first outcome that conforms, without the reason of a refusal.
fn first_outcome(expected: &Expected) -> Option<String> {
    match expected {
        Expected::Outcomes(outcomes) => outcomes.first().map(|one| match &one.outcome {
            Outcome::Rejected { .. } => "none".to_owned(),
            outcome => outcome.to_string(),
        }),
        _ => None,
    }
}

/// How much of the answers is printed.
struct AnswerDetail {
    /// The names of all that agree, operations in which all agree, and whole explanations too.
    is_all: bool,
    /// Where all agree, that alone: where there are other operations.
    is_folded: bool,
    /// The explanations that are printed already: each stands once.
    explained: BTreeSet<String>,
}

/// Every operation. Those in which no answer is compared are in a few lines at the end, unless all are wanted, or there are no others: then
/// those without an answer are.
pub(super) fn operations(results: &[(&Input, Vec<Answered<'_>>)], is_all: bool) -> String {
    let is_compared = |answered: &Answered<'_>| !matches!(answered.result.verdict, Verdict::NotComparable { .. });
    let is_answered = |answered: &Answered<'_>| !matches!(answered.result.observed, Outcome::Unsupported { .. });
    let parted = |is: &dyn Fn(&Answered<'_>) -> bool| -> (Vec<_>, Vec<_>) {
        results.iter().partition(|(_, answers)| answers.iter().any(is))
    };
    let (compared, others) = match parted(&is_compared) {
        (compared, _) if compared.is_empty() => parted(&is_answered),
        parts => parts,
    };
    let is_whole = is_all || compared.is_empty();
    let shown = if is_whole { results.iter().collect() } else { compared };
    let mut detail = AnswerDetail {
        is_all,
        is_folded: !is_all && shown.len() > 1,
        explained: BTreeSet::new(),
    };
    let text: String = shown.iter().map(|(input, answers)| human(input, answers, &mut detail)).collect();
    text + &if is_whole { String::new() } else { not_compared(&others) }
}

/// The operations in which no answer is compared, and why, with the number of answers.
fn not_compared(results: &[&(&Input, Vec<Answered<'_>>)]) -> String {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for answered in results.iter().flat_map(|(_, answers)| answers) {
        let reason = match (&answered.result.observed, &answered.result.verdict) {
            (Outcome::Unsupported { .. }, _) => "no such operation, or not for this",
            (_, Verdict::NotComparable { reason }) => reason,
            (_, Verdict::Agree { .. } | Verdict::Diverge(_)) => continue,
        };
        *reasons.entry(reason).or_default() += 1;
    }
    let operations = results.iter().map(|(input, _)| match input {
        Input::Normalize { scope, .. } => format!("{} ({})", input.operation(), scope.name()),
        Input::Equivalent { rung, .. } => format!("{} ({})", input.operation(), rung.name()),
        _ => input.operation().to_string(),
    });
    let operations: Vec<String> = operations.collect();
    if operations.is_empty() {
        return String::new();
    }
    let mut reasons: Vec<(&str, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(reason, count)| (Reverse(*count), *reason));
    let reasons: Vec<String> = reasons.iter().map(|(reason, count)| format!("{count} {}", OneLine(reason))).collect();
    let words = format!(
        "nothing is compared in {}: {} (--all)",
        operations.join(", "),
        reasons.join("; ")
    );
    in_lines(&words, "", "  ", FAINT) + "\n"
}

/// The libraries that follow the WHATWG URL Standard and differ from RFC 3986 here, or from their own standard, and how they stand to that.
fn other_standard(results: &[Answered<'_>]) -> String {
    let lines = results.iter().filter_map(|answered| {
        let declaration = answered.subject.declaration();
        let by_own = || verdict_by_own_standard(answered.subject, &answered.result.input);
        let is = match (&answered.result.verdict, by_own()?) {
            (Verdict::Diverge(_), Verdict::Agree { .. }) => "is right by it",
            (Verdict::Diverge(_), Verdict::Diverge(_)) => "is wrong by it too",
            (Verdict::Diverge(_), Verdict::NotComparable { .. }) => "it has no answer here",
            (Verdict::Agree { .. }, Verdict::Diverge(_)) => "agrees with RFC 3986, but is wrong by it",
            _ => return None,
        };
        let words = format!("{} follows the WHATWG URL Standard, and {is}", declaration.label());
        Some(in_lines(&words, "  ", "    ", Style::new().bold()))
    });
    lines.collect()
}

/// The input, the outcomes that conform, then a row for each answer, with the entry points that give it. Where all agree, a line
/// says it.
fn human(input: &Input, results: &[Answered<'_>], detail: &mut AnswerDetail) -> String {
    let bold = Style::new().bold();
    let mut text = format!("{bold}{} {input}{bold:#}\n", input.operation());
    let by_entry_point = || results.iter().map(|answered| (answered.subject.declaration(), &answered.result));
    text += &seen::summary(by_entry_point());
    text += &other_standard(results);
    let agree = results.iter().filter(|one| matches!(one.result.verdict, Verdict::Agree { .. })).count();
    let differs = results.iter().any(|one| matches!(one.result.verdict, Verdict::Diverge(_)));
    let is_folded = detail.is_folded && !differs && agree > FEW;
    for section in side_by_side(input, by_entry_point()) {
        let of = if section.of.is_empty() {
            String::new()
        } else {
            format!(" {}", section.of)
        };
        let mut line = |words: &str| text += &in_lines(words, "  ", "    ", Style::new());
        match section.expected {
            Expected::NoAnswer { reason } => line(&format!("there is no one answer{of}: {}", OneLine(reason))),
            Expected::Property(property) => line(&format!("expected{of}: {property}")),
            Expected::Outcomes(outcomes) => {
                for one in outcomes {
                    let name = match outcomes.len() {
                        1 => String::new(),
                        _ => format!(" ({})", one.name),
                    };
                    line(&format!("expected{of}{name}: {}", one.outcome));
                }
            }
        }
        if !is_folded {
            section.rows.iter().for_each(|row| text += &row_text(row, detail.is_all));
        }
    }
    if is_folded {
        return text + &format!("    {GOOD}all agree{GOOD:#}  {FAINT}(--all){FAINT:#}\n\n");
    }
    text += &explanations(results, detail);
    let without = results.iter().filter(|one| matches!(one.result.observed, Outcome::Unsupported { .. })).count();
    if without > 0 {
        let have = if without == 1 {
            "entry point has"
        } else {
            "entry points have"
        };
        writeln!(
            text,
            "  {FAINT}{without} {have} no such operation, or not for this{FAINT:#}"
        )
        .expect("writes to a string");
    }
    text.push('\n');
    text
}

/// How many entry points are few: more that agree are counted, not named.
const FEW: usize = 6;

/// The verdict, the answer with the remark on it, and the entry points below.
fn row_text(row: &SameAnswer<'_>, is_all: bool) -> String {
    let remark = row.remark.as_deref().map(|remark| OneLine(remark).to_string());
    let mut text = match row.verdict {
        // The reason comes first: it says more than the answer.
        Verdict::NotComparable { .. } => {
            let words = format!("not comparable: {}", remark.unwrap_or_default());
            let answer = format!("      {}\n", row.answer);
            in_lines(&words, "    ", "      ", FAINT) + &answer
        }
        Verdict::Agree { .. } => answer_text((GOOD, "agree"), &row.answer, remark),
        Verdict::Diverge(_) => answer_text((BAD, "diverge"), &row.answer, remark),
    };
    let (count, agrees) = (row.entry_points.len(), matches!(row.verdict, Verdict::Agree { .. }));
    if agrees && count > FEW && !is_all {
        let crates: BTreeSet<&str> = row.entry_points.iter().map(|declaration| &*declaration.name).collect();
        let crates = match crates.len() {
            1 => "1 library".to_owned(),
            several => format!("{several} libraries"),
        };
        writeln!(text, "{NAMES}{FAINT}{count} entry points of {crates} (--all){FAINT:#}").expect("writes to a string");
        return text;
    }
    for names in wrapped(&entry_points(&row.entry_points), WIDTH - NAMES.len()) {
        writeln!(text, "{NAMES}{names}").expect("writes to a string");
    }
    text
}

/// A remark that the line has no room for is below.
fn answer_text((style, verdict): (Style, &str), answer: &str, remark: Option<String>) -> String {
    let line = format!("    {verdict:7}  {answer}");
    let styled = format!("    {style}{verdict:7}{style:#}  {answer}");
    match remark.map(|remark| format!("({remark})")) {
        None => format!("{styled}\n"),
        Some(remark) if line.chars().count() + 2 + remark.chars().count() <= WIDTH => {
            format!("{styled}  {FAINT}{remark}{FAINT:#}\n")
        }
        Some(remark) => format!("{styled}\n") + &in_lines(&remark, BELOW, BELOW, FAINT),
    }
}

/// How the two standards differ on the input, if they do, and how to see which rule and clause decide, or how the input is resolved.
pub(super) fn next(arguments: &Arguments, question: &Question) -> String {
    let input = quoted(&question.input);
    let base = question.base.as_ref().map(|base| format!(" --base {}", quoted(base))).unwrap_or_default();
    let (flags, shows) = match arguments.selection.specification {
        Some(Claim::Whatwg) => (format!(" --specification whatwg{base}"), "shows the states"),
        _ if base.is_empty() => (base, "names the rule and the clause"),
        _ if question.non_strict => (format!("{base} --non-strict"), "shows the steps"),
        _ => (base, "shows the steps"),
    };
    format!(
        "{}next: `uriproof explain{flags} -- {input}` {shows}\n",
        two_standards(question)
    )
}

/// What stands before the names of entry points: they are below the answer.
const NAMES: &str = "             ";

/// What stands before a remark that is below the answer.
const BELOW: &str = "           ";

/// The names of entry points, those of a version of a crate together: `url 2.5.8 Url::parse`, `iref 5.0.0 Uri::new, Iri::new`.
fn entry_points(declarations: &[&Declaration]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut last = None;
    for declaration in declarations {
        let of = (&declaration.name, &declaration.version);
        match names.last_mut() {
            Some(name) if last == Some(of) => {
                name.push(',');
                names.push(declaration.entry_point.to_string());
            }
            before => {
                if let Some(before) = before {
                    before.push(';');
                }
                names.push(declaration.label());
            }
        }
        last = Some(of);
    }
    names
}

/// The classes of what diverges, each once, with its entry points, and what the ledger says of it unless that is printed
/// already: a sentence, or all of it.
fn explanations(results: &[Answered<'_>], detail: &mut AnswerDetail) -> String {
    let mut known: Vec<(&ExplainedDivergence, Vec<&Declaration>)> = Vec::new();
    for answered in results {
        let Some(class) = &answered.class else { continue };
        let declaration = answered.subject.declaration();
        let same = |other: &ExplainedDivergence| other.by == class.by && other.explanations == class.explanations;
        match known.iter_mut().find(|(other, _)| same(other)) {
            Some((_, declarations)) => declarations.push(declaration),
            None => known.push((class, vec![declaration])),
        }
    }
    let mut text = String::new();
    for (class, declarations) in known {
        let severity = class.severity.map(|severity| format!("{severity}, ")).unwrap_or_default();
        let explanation = class.explanation(detail.is_all);
        let names = entry_points(&declarations).join(" ");
        if !class.is_covered {
            text += &in_lines(&format!("{names}: {severity}{}", class.words()), "  ", "    ", FAINT);
            continue;
        }
        let head = format!("{names}: {severity}{}: {}", class.cause, class.words());
        text += &in_lines(&head, "  ", "    ", FAINT);
        if detail.explained.insert(explanation.clone()) {
            text += &in_lines(&OneLine(&explanation).to_string(), "      ", "      ", Style::new());
        }
    }
    text
}
