//! What REPORT.md says of each crate: its row of the picture, its section, and the classes that crates share.

use std::collections::{BTreeMap, BTreeSet};

use uriproof::gate::Choices;
use uriproof::model::{Fidelity, Forms};
use uriproof::severity::Severity;
use uriproof_lab::divergence::ledger::{Cause, ClaimedSpecification, KnownClass, LedgerEntry};

use super::classes::{Crate, SharedClass, shared};
use super::markup::{anchor, cell, code, link, prose};
use super::model::SubjectRun;

/// How many further witnesses of a cause are shown.
const FURTHER: usize = 12;

/// How many shared classes are shown.
const SHARED: usize = 30;

/// A crate's row of the picture.
pub(super) struct PictureRow {
    pub(super) name: String,
    pub(super) claims: String,
    pub(super) equals: String,
    pub(super) conforms: String,
    pub(super) causes: String,
    pub(super) worst: String,
}

impl PictureRow {
    /// That of a crate; its link leads to its section from README.md too.
    pub(super) fn of(one: &Crate<'_, '_>) -> PictureRow {
        let label = one.label();
        let of_cause = |cause: Cause| one.entries.iter().filter(move |entry| entry.cause == cause);
        let unexplained = of_cause(Cause::Unexplained).map(|entry| entry.classes.len()).sum();
        PictureRow {
            name: format!("[{label}](REPORT.md#{})", anchor(&label)),
            claims: claims(one),
            equals: match one.count() {
                0 => "yes".to_owned(),
                classes => format!("no: {}", counted(classes, "class", "classes")),
            },
            conforms: match (unexplained, of_cause(Cause::Bug).count()) {
                (0, 0) => "yes".to_owned(),
                (0, bugs) => format!("**no: {}**", counted(bugs, "bug", "bugs")),
                (classes, _) => format!("not known: {} unexplained", counted(classes, "class", "classes")),
            },
            causes: or_dash(causes(&one.entries)),
            worst: or_dash(worst(one.classes())),
        }
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
fn causes(entries: &[LedgerEntry]) -> String {
    let of = |cause| entries.iter().filter(|entry| entry.cause == cause).count();
    tally(Cause::ALL.into_iter().map(|cause| (of(cause), cause.name())))
}

/// How many classes of each severity there are: `1 host, 3 path`.
fn severities<'c>(classes: impl Iterator<Item = &'c KnownClass>) -> String {
    let mut counts: BTreeMap<Severity, usize> = BTreeMap::new();
    for class in classes {
        *counts.entry(class.severity).or_default() += 1;
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
fn worst<'c>(classes: impl Iterator<Item = &'c KnownClass>) -> String {
    let (apart, others): (BTreeSet<Severity>, BTreeSet<Severity>) =
        classes.map(|class| class.severity).partition(|severity| stands_apart(*severity));
    let shown: Vec<&str> = others.first().into_iter().chain(&apart).map(|severity| severity.name()).collect();
    shown.join(", ")
}

fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "-".to_owned() } else { text }
}

/// A crate's section.
pub(super) struct CrateSection {
    pub(super) label: String,
    /// What it claims, in its own words; empty if the ledger has no file for it.
    pub(super) claim: String,
    /// How many classes there are, by cause and severity.
    pub(super) summary: String,
    /// Time and crashes; empty if there are none.
    pub(super) apart: String,
    pub(super) entry_points: Vec<String>,
    pub(super) rows: Vec<CauseRow>,
    pub(super) further: Vec<Further>,
    /// Where an entry point mixes choices that the RFC leaves open.
    pub(super) mixed_choices: Vec<String>,
    pub(super) not_compared: String,
}

/// A cause.
pub(super) struct CauseRow {
    pub(super) severity: String,
    pub(super) cause: String,
    pub(super) what: String,
    pub(super) witness: String,
    pub(super) clause: String,
    pub(super) entry_points: String,
    pub(super) classes: usize,
    pub(super) upstream: String,
}

/// The further witnesses of a cause.
pub(super) struct Further {
    pub(super) id: String,
    pub(super) fingerprints: Vec<String>,
    pub(super) more: usize,
}

impl CrateSection {
    /// That of each crate, in their order.
    pub(super) fn all(crates: &[Crate<'_, '_>]) -> Vec<CrateSection> {
        let of_crate = |one: &Crate<'_, '_>| -> BTreeSet<String> {
            one.classes().map(|class| class.fingerprint.as_str().to_owned()).collect()
        };
        let fingerprints: Vec<BTreeSet<String>> = crates.iter().map(of_crate).collect();
        crates
            .iter()
            .enumerate()
            .map(|(at, one)| {
                let others: Vec<(String, &BTreeSet<String>)> = (0..crates.len())
                    .filter(|other| *other != at)
                    .map(|other| (short_name(crates, other), &fingerprints[other]))
                    .collect();
                CrateSection {
                    label: one.label(),
                    claim: one.claim.map(words).unwrap_or_default(),
                    summary: summary(one),
                    apart: apart(one),
                    entry_points: one.subjects.iter().map(|subject| entry_point(subject)).collect(),
                    rows: one.entries.iter().map(|entry| CauseRow::of(one, entry, &others)).collect(),
                    further: one.entries.iter().filter_map(Further::of).collect(),
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
    if one.entries.is_empty() {
        return "No divergence.".to_owned();
    }
    format!(
        "{} by {}: {}. Classes by severity: {}.",
        counted(one.count(), "class", "classes"),
        counted(one.entries.len(), "cause", "causes"),
        causes(&one.entries),
        severities(one.classes())
    )
}

/// Every class of a crash, a hang, or too much time.
fn apart(one: &Crate<'_, '_>) -> String {
    let shown: Vec<String> = one
        .classes()
        .filter(|class| stands_apart(class.severity))
        .map(|class| format!("{} on {}", class.severity, question(class)))
        .collect();
    shown.join("; ")
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

impl CauseRow {
    fn of(one: &Crate<'_, '_>, entry: &LedgerEntry, others: &[(String, &BTreeSet<String>)]) -> CauseRow {
        let mut what = match entry.cause {
            Cause::Unexplained => "Nobody has said yet.".to_owned(),
            _ => format!("{}: {}", prose(&entry.id), prose(&entry.explanation)),
        };
        let also: Vec<String> = others
            .iter()
            .filter_map(|(name, fingerprints)| {
                let count =
                    entry.classes.iter().filter(|class| fingerprints.contains(class.fingerprint.as_str())).count();
                (count > 0).then(|| format!("{name} ({count})"))
            })
            .collect();
        if !also.is_empty() {
            what += &format!("<br>Also in: {}", also.join(", "));
        }
        let points: BTreeSet<&str> =
            entry.classes.iter().flat_map(|class| &class.entry_points).map(String::as_str).collect();
        CauseRow {
            severity: worst(entry.classes.iter()),
            cause: match &entry.specification {
                Some(specification) => format!("{}: {}", entry.cause, prose(specification)),
                None => entry.cause.to_string(),
            },
            what,
            witness: entry.classes.first().map(witness).unwrap_or_default(),
            clause: or_dash(prose(&entry.clause)),
            entry_points: if one.subjects.iter().all(|subject| points.contains(&*subject.declaration.entry_point)) {
                "all".to_owned()
            } else {
                points.into_iter().map(prose).collect::<Vec<_>>().join(", ")
            },
            classes: entry.classes.iter().map(|class| &class.fingerprint).collect::<BTreeSet<_>>().len(),
            upstream: entry.upstream.as_ref().map_or_else(
                || "-".to_owned(),
                |upstream| link(upstream.status.name(), &upstream.link),
            ),
        }
    }
}

fn witness(class: &KnownClass) -> String {
    format!(
        "{}: expected {}, got {}",
        question(class),
        cell(&class.reference),
        cell(&class.subject)
    )
}

/// What was asked.
fn question(class: &KnownClass) -> String {
    format!("{} {}", class.input.operation(), cell(&class.input.to_string()))
}

impl Further {
    fn of(entry: &LedgerEntry) -> Option<Further> {
        // The first class stands in the table. Entry points that differ in what they do with it are of one class.
        let first = entry.classes.first()?;
        let mut fingerprints: Vec<&str> = Vec::new();
        for class in entry.classes.iter().filter(|class| class.fingerprint != first.fingerprint) {
            if !fingerprints.contains(&class.fingerprint.as_str()) {
                fingerprints.push(class.fingerprint.as_str());
            }
        }
        if fingerprints.is_empty() {
            return None;
        }
        Some(Further {
            id: prose(&entry.id),
            more: fingerprints.len().saturating_sub(FURTHER),
            fingerprints: fingerprints.into_iter().take(FURTHER).map(cell).collect(),
        })
    }
}

/// A line for each group of choices that entry points mix, with the entry points if not all do.
fn mixed_choices<'s>(entry_points: impl ExactSizeIterator<Item = (&'s str, Vec<Choices>)>) -> Vec<String> {
    let count = entry_points.len();
    let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
    for (entry_point, choices) in entry_points {
        for mixed in choices.iter().filter(|choices| choices.is_mixed()) {
            let departing = mixed.departing().map(|same| {
                let ids: Vec<String> = same.vectors.iter().map(|id| code(id)).collect();
                format!("; {} in {}", same.names(), ids.join(", "))
            });
            let line = format!("{mixed}{}", departing.collect::<String>());
            match lines.iter_mut().find(|(known, _)| *known == line) {
                Some((_, names)) => names.push(entry_point),
                None => lines.push((line, vec![entry_point])),
            }
        }
    }
    let shown = lines.into_iter().map(|(line, names)| match names.len() == count {
        true => line,
        false => format!("{}: {line}", names.join(", ")),
    });
    shown.collect()
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

/// The classes that several crates show.
pub(super) struct SharedView {
    pub(super) rows: Vec<SharedRow>,
    pub(super) more: usize,
}

/// A class that several crates show.
pub(super) struct SharedRow {
    pub(super) class: String,
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
            rows: shared.iter().take(SHARED).map(|one| SharedRow::of(crates, one)).collect(),
        }
    }
}

impl SharedRow {
    fn of(crates: &[Crate<'_, '_>], shared: &SharedClass<'_>) -> SharedRow {
        let classes = || shared.crates.values().flatten().copied();
        let expected: BTreeSet<&str> = classes().map(|class| &*class.reference).collect();
        let mut got: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (at, classes) in &shared.crates {
            for class in classes {
                let names = got.entry(&class.subject).or_default();
                let name = short_name(crates, *at);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        let mut got: Vec<(&str, Vec<String>)> = got.into_iter().collect();
        got.sort_by_key(|(_, names)| usize::MAX - names.len());
        SharedRow {
            class: cell(shared.fingerprint.as_str()),
            severity: worst(classes()),
            expected: expected.into_iter().map(cell).collect::<Vec<_>>().join(" or "),
            got: got
                .into_iter()
                .map(|(outcome, names)| format!("{}: {}", cell(outcome), names.join(", ")))
                .collect::<Vec<_>>()
                .join("<br>"),
            count: shared.crates.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use uriproof::gate::{Choices, SameChoice};
    use uriproof_lab::divergence::ledger::ClaimedSpecification;

    use super::{Crate, PictureRow, mixed_choices, words};

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
            entries: Vec::new(),
        };
        assert_eq!(PictureRow::of(&one).claims, "RFC 7230");
        assert_eq!(
            words(&claim),
            "Claim: RFC 7230. \u{201c}compliant \"request target\" parser\u{201d} (documentation of `Uri`). \
             Measured as HTTP uses RFC 3986."
        );
    }

    #[test]
    fn a_mix_is_one_line_whichever_entry_points_show_it() {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let answers = |fits, vectors| SameChoice {
            fits: owned(&[fits]),
            vectors: owned(vectors),
        };
        let of = |throughout: &[&str], answers: Vec<SameChoice>| {
            vec![Choices {
                offers: owned(&["literal", "slash-dot", "error"]),
                throughout: owned(throughout),
                answers,
            }]
        };
        let mixed = || {
            of(
                &[],
                vec![answers("slash-dot", &["a/b", "a/c"]), answers("literal", &["a/d"])],
            )
        };
        let same = of(&["slash-dot"], vec![answers("slash-dot", &["a/b", "a/c", "a/d"])]);
        let line = "literal/slash-dot/error: slash-dot in 2 of 3; literal in `a/d`";
        let all = [("One::new", mixed()), ("Two::new", mixed())];
        assert_eq!(mixed_choices(all.into_iter()), [line]);
        let some = [("One::new", mixed()), ("Two::new", same), ("Three::new", mixed())];
        assert_eq!(
            mixed_choices(some.into_iter()),
            [format!("One::new, Three::new: {line}")]
        );
    }
}
