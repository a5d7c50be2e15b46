//! What the report says of each crate: its row of the picture, its page, and what crates share.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use uriproof::model::{Declaration, Fidelity, Forms, Input, Operation};
use uriproof::severity::Severity;
use uriproof_lab::divergence::ledger::{Cause, ClaimedSpecification, LedgerEntry};

use super::causes::{Crate, CrateCause, CrateWay, SharedWay, shared};
use super::markup::{self, CELL, anchor, cell, contrasted, counted, link, prose, whole};
use super::mixed::mixed_choices;
use super::model::SubjectRun;
use super::standard::{StandardView, link_to_step, steps, upstream};

/// How many further witnesses of a cause are shown.
const FURTHER: usize = 12;

/// How many shared ways are shown.
const SHARED: usize = 30;

/// A crate's row of the picture.
pub(super) struct PictureRow {
    pub(super) name: String,
    pub(super) claims: String,
    pub(super) differing: String,
    pub(super) conforms: String,
    pub(super) causes: String,
    pub(super) worst: String,
}

impl PictureRow {
    /// That of a crate; its link leads to its page from README.md too.
    pub(super) fn of(one: &Crate<'_, '_>) -> PictureRow {
        let label = one.label();
        let of_cause = |cause: Cause| one.causes.iter().filter(move |of| of.entry.cause == cause);
        let unexplained = of_cause(Cause::Unexplained).map(|of| of.ways.len()).sum();
        PictureRow {
            name: format!("[{label}](report/{}.md)", anchor(&label)),
            claims: claims(one),
            differing: differing(one),
            conforms: match (unexplained, of_cause(Cause::Bug).count()) {
                (0, 0) => "yes".to_owned(),
                (0, bugs) => format!("**no: {}**", counted(bugs, "bug", "bugs")),
                (ways, _) => format!("not known: {ways} unexplained"),
            },
            causes: or_dash(causes(&one.causes)),
            worst: or_dash(worst(one.ways())),
        }
    }
}

/// How many of a crate's answers to the vectors differ from RFC 3986, of those that were compared.
fn differing(one: &Crate<'_, '_>) -> String {
    let counts = || one.subjects.iter().map(|subject| subject.counts());
    let diverge: usize = counts().map(|counts| counts.unexpected()).sum();
    let compared: usize = counts().map(|counts| counts.unexpected() + counts.agree).sum();
    match (one.causes.is_empty(), diverge) {
        (true, 0) => format!("none of {compared}"),
        _ => format!("{diverge} of {compared}"),
    }
}

/// The specification that a crate names; without a file of the ledger, those that its entry points declare.
fn claims(one: &Crate<'_, '_>) -> String {
    let mut claims: Vec<String> = Vec::new();
    match one.claim {
        Some(claim) => claims.push(prose(&claim.specification)),
        None => {
            for subject in &one.subjects {
                let claim = subject.declaration.specification.to_string();
                if !claims.contains(&claim) {
                    claims.push(claim);
                }
            }
        }
    }
    claims.join(", ")
}

/// What a crate claims, its words for it, and how it is measured if they do not say so. The words may have quotation marks in them.
fn words(claim: &ClaimedSpecification) -> String {
    let measured =
        claim.measured.as_ref().map(|measured| format!(" Measured {}.", prose(measured))).unwrap_or_default();
    format!(
        "Claim: {}. \u{201c}{}\u{201d} ({}).{measured}",
        prose(&claim.specification),
        prose(&claim.words),
        prose(&claim.source)
    )
}

/// How many causes of each kind there are: `2 bug, 1 limit`.
fn causes(causes: &[CrateCause]) -> String {
    let of = |cause| causes.iter().filter(|of| of.entry.cause == cause).count();
    tally(Cause::ALL.into_iter().map(|cause| (of(cause), cause.name())))
}

/// How many causes of each severity there are: `1 host, 3 path`.
fn severities(causes: &[CrateCause]) -> String {
    let mut counts: BTreeMap<Severity, usize> = BTreeMap::new();
    for way in causes.iter().filter_map(|cause| cause.ways.first()) {
        *counts.entry(way.severity).or_default() += 1;
    }
    tally(counts.into_iter().map(|(severity, count)| (count, severity.name())))
}

fn tally(counts: impl Iterator<Item = (usize, &'static str)>) -> String {
    let shown: Vec<String> =
        counts.filter(|(count, _)| *count > 0).map(|(count, name)| format!("{count} {name}")).collect();
    shown.join(", ")
}

/// Whether a severity is of time and crashes, which stand on a line of their own.
fn stands_apart(severity: Severity) -> bool {
    matches!(severity, Severity::Crash | Severity::Hang | Severity::Quadratic)
}

/// The heaviest severity, and behind it those that stand apart.
pub(super) fn worst<'c>(ways: impl Iterator<Item = &'c CrateWay>) -> String {
    let (apart, others): (BTreeSet<Severity>, BTreeSet<Severity>) =
        ways.map(|way| way.severity).partition(|severity| stands_apart(*severity));
    let shown: Vec<&str> = others.first().into_iter().chain(&apart).map(|severity| severity.name()).collect();
    shown.join(", ")
}

pub(super) fn or_dash(text: String) -> String {
    if text.is_empty() { "-".to_owned() } else { text }
}

/// A crate's page.
pub(super) struct CrateSection {
    /// The name of its file, without `.md`.
    pub(super) file: String,
    /// What its page says if it follows the WHATWG URL Standard; the causes then have a page of their own.
    pub(super) standard: Option<StandardView>,
    pub(super) label: String,
    /// What it claims, in its own words; empty if the ledger has no file for it.
    pub(super) claim: String,
    /// How many causes there are, by kind and severity.
    pub(super) summary: String,
    /// Time and crashes; empty if there are none.
    pub(super) apart: String,
    pub(super) entry_points: Vec<String>,
    pub(super) causes: Vec<CauseSection>,
    /// Where an entry point mixes choices that the RFC leaves open.
    pub(super) mixed_choices: Vec<String>,
    pub(super) not_compared: String,
}

/// A cause.
pub(super) struct CauseSection {
    pub(super) id: String,
    /// What the crate does, for a table.
    pub(super) what: String,
    pub(super) severity: String,
    /// Its kind, in a word.
    pub(super) cause: &'static str,
    /// Its kind, and the specification that says so.
    pub(super) kind: String,
    /// Its deviations; empty if it has none.
    pub(super) sentences: String,
    pub(super) explanation: String,
    pub(super) witness: String,
    pub(super) clause: String,
    /// Where the steps of the URL Standard are that decide; empty if a clause of RFC 3986 does.
    pub(super) steps: String,
    pub(super) entry_points: String,
    pub(super) answers: usize,
    /// The crates that share one of its deviations or classes; empty if none does.
    pub(super) also: String,
    /// Where it was reported; empty if it was not.
    pub(super) upstream: String,
    /// The code that does it; empty if the entry names none.
    pub(super) code: String,
    /// The names of its further classes, and how many more there are.
    pub(super) further: Vec<String>,
    pub(super) more: usize,
}

impl CrateSection {
    /// That of each crate, in their order.
    pub(super) fn all(crates: &[Crate<'_, '_>]) -> Vec<CrateSection> {
        let of_crate = |one: &Crate<'_, '_>| -> BTreeSet<String> { one.ways().map(CrateWay::shared_name).collect() };
        let names: Vec<BTreeSet<String>> = crates.iter().map(of_crate).collect();
        crates
            .iter()
            .enumerate()
            .map(|(at, one)| {
                let others: Vec<(String, &BTreeSet<String>)> = (0..crates.len())
                    .filter(|other| *other != at)
                    .map(|other| (short_name(crates, other), &names[other]))
                    .collect();
                CrateSection {
                    file: anchor(&one.label()),
                    standard: StandardView::of(one),
                    label: one.label(),
                    claim: one.claim.map(words).unwrap_or_default(),
                    summary: summary(one),
                    apart: apart(one),
                    entry_points: one.subjects.iter().map(|subject| entry_point(subject)).collect(),
                    causes: one.causes.iter().map(|cause| CauseSection::of(one, cause, &others)).collect(),
                    mixed_choices: mixed_choices(
                        one.subjects.iter().map(|subject| (&*subject.declaration.entry_point, subject.choices())),
                    ),
                    not_compared: not_compared(&one.subjects),
                }
            })
            .collect()
    }
}

/// A crate's name, with its version where another version of it is there.
fn short_name(crates: &[Crate<'_, '_>], at: usize) -> String {
    let one = &crates[at];
    if crates.iter().filter(|other| other.name == one.name).count() > 1 {
        one.label()
    } else {
        one.name.to_owned()
    }
}

fn summary(one: &Crate<'_, '_>) -> String {
    if one.causes.is_empty() {
        return "No divergence.".to_owned();
    }
    format!(
        "{}: {}. By severity: {}.",
        counted(one.causes.len(), "cause", "causes"),
        causes(&one.causes),
        severities(&one.causes)
    )
}

/// Every way of a crash, a hang, or too much time.
fn apart(one: &Crate<'_, '_>) -> String {
    let mut of_operation: BTreeMap<(Severity, Operation), Vec<&Input>> = BTreeMap::new();
    for way in one.ways().filter(|way| stands_apart(way.severity)) {
        of_operation.entry((way.severity, way.input.operation())).or_default().push(&way.input);
    }
    let shown = of_operation.into_iter().map(|((severity, operation), inputs)| {
        let smallest = inputs.iter().min_by_key(|input| (input.size(), input.to_string()));
        let smallest = smallest.map(|input| whole(&input.to_string())).unwrap_or_default();
        let more = match inputs.len() {
            1 => String::new(),
            several => format!(" and {} more", several - 1),
        };
        format!("{severity} on {operation} {smallest}{more}")
    });
    shown.collect::<Vec<String>>().join("; ")
}

fn entry_point(subject: &SubjectRun<'_>) -> String {
    let declaration = subject.declaration;
    let counts = subject.counts();
    let reported: Vec<String> = declaration
        .tells
        .iter()
        .map(|(component, fidelity)| match fidelity {
            Fidelity::Exact => component.to_string(),
            fidelity => format!("{component} ({fidelity})"),
        })
        .collect();
    let reported = if reported.is_empty() {
        "no components".to_owned()
    } else {
        reported.join(", ")
    };
    let normal = match declaration.forms {
        Forms::Verbatim => "",
        Forms::Normalized => " It normalizes as it goes: compared in normal form.",
    };
    format!(
        "`{}`, {}: {} agree, {} diverge, {} not compared. Tells {reported}.{normal}",
        declaration.entry_point,
        declaration.specification,
        counts.agree,
        counts.unexpected(),
        counts.not_compared(),
    )
}

impl CauseSection {
    fn of(one: &Crate<'_, '_>, cause: &CrateCause, others: &[(String, &BTreeSet<String>)]) -> CauseSection {
        let entry = &cause.entry;
        let is_shared = |names: &BTreeSet<String>| cause.ways.iter().any(|way| names.contains(&way.shared_name()));
        let also: Vec<&str> =
            others.iter().filter(|(_, names)| is_shared(names)).map(|(name, _)| name.as_str()).collect();
        let points: BTreeSet<&str> = cause.ways.iter().flat_map(|way| &way.entry_points).map(String::as_str).collect();
        let further = further(cause);
        CauseSection {
            id: prose(&entry.id),
            what: what(cause),
            severity: worst(cause.ways.iter()),
            cause: entry.cause.name(),
            kind: match &entry.specification {
                Some(specification) => format!("{}, {}", entry.cause, prose(specification)),
                None => entry.cause.to_string(),
            },
            sentences: sentences(cause),
            explanation: match entry.cause {
                Cause::Unexplained => "Not explained yet.".to_owned(),
                _ => prose(&entry.explanation),
            },
            witness: cause.ways.first().map(witness).unwrap_or_default(),
            clause: match steps(entry)[..] {
                [] => or_dash(prose(&entry.clause)),
                [only] => format!("URL {only}"),
                [first, ..] => format!("URL {first} ..."),
            },
            steps: steps(entry).into_iter().map(link_to_step).collect::<Vec<_>>().join(", "),
            entry_points: if one.subjects.iter().all(|subject| points.contains(&*subject.declaration.entry_point)) {
                "all".to_owned()
            } else {
                points.into_iter().map(prose).collect::<Vec<_>>().join(", ")
            },
            answers: cause.answers,
            also: also.join(", "),
            upstream: upstream(entry, &one.subjects[0].declaration.version),
            code: code(entry, one.subjects[0].declaration),
            more: further.len().saturating_sub(FURTHER),
            further: further.into_iter().take(FURTHER).map(whole).collect(),
        }
    }
}

/// The code that has a cause, with a link to its file; empty if the entry names none.
fn code(entry: &LedgerEntry, declaration: &Declaration) -> String {
    let Some(code) = &entry.code else {
        return String::new();
    };
    let Declaration { name, version, .. } = declaration;
    let (name, version) = code.package.as_ref().map_or((&**name, &**version), |(name, version)| (name, version));
    let address = format!("https://docs.rs/crate/{name}/{version}/source/{}", code.file);
    format!("{} in {}", markup::code(&code.item), link(&code.file, &address))
}

/// What a crate does by its first deviation, as far as a cell has room; the words of the cause's id if it has none.
fn what(cause: &CrateCause) -> String {
    let deviation = cause.ways.iter().find(|way| way.is_deviation);
    let text = deviation.map_or_else(|| cause.entry.id.replace('-', " "), |way| way.name.clone());
    if text.chars().count() <= CELL {
        return prose(&text);
    }
    let words = text.split(' ').scan(0, |length, word| {
        *length += word.chars().count() + 1;
        (*length < CELL).then_some(word)
    });
    prose(&format!("{} …", words.collect::<Vec<_>>().join(" ")))
}

/// The deviations of a cause, in one sentence, with their severities if they are several; empty if it has none.
fn sentences(cause: &CrateCause) -> String {
    let mut deviations: Vec<&CrateWay> = Vec::new();
    for way in cause.ways.iter().filter(|way| way.is_deviation) {
        if deviations.iter().all(|known| known.name != way.name) {
            deviations.push(way);
        }
    }
    let sentences: Vec<String> = match &deviations[..] {
        [only] => vec![only.name.clone()],
        several => several.iter().map(|way| format!("{} ({})", way.name, way.severity)).collect(),
    };
    prose(&sentences.join("; "))
}

fn witness(way: &CrateWay) -> String {
    format!(
        "{}: expected {}, got {}",
        question(way),
        whole(&way.reference),
        whole(&way.subject)
    )
}

/// What was asked.
fn question(way: &CrateWay) -> String {
    format!("{} {}", way.input.operation(), whole(&way.input.to_string()))
}

/// The classes of a cause but for the first, which is its witness. Entry points that differ in what they do with it share it.
fn further(cause: &CrateCause) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    if let Some(first) = cause.ways.first() {
        for way in cause.ways.iter().filter(|way| !way.is_deviation && way.name != first.name) {
            if !names.contains(&way.name.as_str()) {
                names.push(&way.name);
            }
        }
    }
    names
}

fn not_compared(subjects: &[&SubjectRun<'_>]) -> String {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for subject in subjects {
        for (reason, count) in subject.reasons() {
            *reasons.entry(reason).or_default() += count;
        }
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by(|one, other| (other.1, one.0).cmp(&(one.1, other.0)));
    reasons.iter().map(|(reason, count)| format!("{reason} ({count})")).collect::<Vec<_>>().join("; ")
}

/// What several crates do.
pub(super) struct SharedView {
    pub(super) rows: Vec<SharedRow>,
    pub(super) more: usize,
}

/// A deviation or class that several crates share.
pub(super) struct SharedRow {
    pub(super) name: String,
    pub(super) severity: String,
    pub(super) expected: String,
    pub(super) got: String,
    pub(super) count: usize,
}

impl SharedView {
    /// Those of these crates.
    pub(super) fn of(crates: &[Crate<'_, '_>]) -> SharedView {
        let shared = shared(crates);
        SharedView {
            more: shared.len().saturating_sub(SHARED),
            rows: shared.iter().take(SHARED).map(SharedRow::of).collect(),
        }
    }
}

impl SharedRow {
    fn of(shared: &SharedWay<'_>) -> SharedRow {
        let ways = || shared.crates.values().flatten().copied();
        let expected: BTreeSet<&str> = ways().map(|way| &*way.reference).collect();
        let mut got: BTreeMap<&str, usize> = BTreeMap::new();
        for way in ways() {
            *got.entry(&way.subject).or_default() += 1;
        }
        // Both are of one input: the smallest with the most frequent answer.
        let frequency = |way: &&CrateWay| Reverse(got.get(&*way.subject).copied());
        let one = ways().min_by_key(|way| (frequency(way), &*way.subject, way.input.size(), &*way.reference));
        let (one_expected, one_got) = (one.map(|way| &*way.reference), one.map(|way| &*way.subject));
        SharedRow {
            name: cell(&shared.name),
            severity: worst(ways()),
            expected: shown(one_expected, one_got, expected.len()),
            got: shown(one_got, one_expected, got.len()),
            count: shared.crates.len(),
        }
    }
}

/// One of so many answers, beside another, and how many others there are.
fn shown(one: Option<&str>, other: Option<&str>, count: usize) -> String {
    let Some(one) = one else { return "-".to_owned() };
    let one = contrasted(one, other.unwrap_or_default());
    match count {
        1 => one,
        _ => format!("{one} +{}", count - 1),
    }
}

#[cfg(test)]
mod tests {
    use uriproof_lab::divergence::ledger::ClaimedSpecification;

    use super::{Crate, PictureRow, words};

    #[test]
    fn the_column_claims_is_what_the_crate_names() {
        let claim = ClaimedSpecification {
            specification: "RFC 7230".to_owned(),
            words: "compliant \"request target\" parser".to_owned(),
            source: "documentation of `Uri`".to_owned(),
            measured: Some("as HTTP uses RFC 3986".to_owned()),
        };
        let one = Crate {
            name: "some",
            version: "1.0.0",
            subjects: Vec::new(),
            claim: Some(&claim),
            causes: Vec::new(),
        };
        assert_eq!(PictureRow::of(&one).claims, "RFC 7230");
        assert_eq!(
            words(&claim),
            "Claim: RFC 7230. \u{201c}compliant \"request target\" parser\u{201d} (documentation of `Uri`). \
             Measured as HTTP uses RFC 3986."
        );
    }
}
