//! The page of a crate that follows the WHATWG URL Standard: one screen of what it does otherwise than the standard.

use std::collections::BTreeSet;

use uriproof_deviations::Deviation;
use uriproof_lab::divergence::ledger::{Cause, LedgerEntry, UpstreamStatus};

use super::causes::{Crate, CrateCause, CrateWay, step};
use super::markup::{anchor, cell, contrasted, counted, link, prose};

/// What such a crate's page says.
pub(super) struct StandardView {
    /// How many answers to vectors are those of the standard, and how many were compared with it.
    pub(super) agree: usize,
    pub(super) compared: usize,
    /// How many bugs there are; one may have several rows.
    pub(super) causes_of_bugs: String,
    /// What it does otherwise than the standard, the heaviest first.
    pub(super) bugs: Vec<OwnBugRow>,
    /// The steps that they have, each with its link.
    pub(super) links: Vec<(&'static str, String)>,
    /// Everything else, on a line.
    pub(super) rest: String,
    /// The name of the file with every cause in full, without `.md`.
    pub(super) causes: String,
}

/// A bug, by one deviation from the standard.
pub(super) struct OwnBugRow {
    pub(super) severity: &'static str,
    pub(super) what: String,
    pub(super) input: String,
    pub(super) expected: String,
    pub(super) got: String,
    /// The step of the standard; a clause of RFC 3986 where the standard has no such operation.
    pub(super) step: String,
    /// Where it was reported, if it was.
    pub(super) upstream: String,
}

impl StandardView {
    /// That of a crate; `None` if it does not follow the standard.
    pub(super) fn of(one: &Crate<'_, '_>) -> Option<StandardView> {
        let followed = one.causes.iter().find(|cause| follows(&cause.entry))?;
        let by_standard = || one.subjects.iter().filter_map(|subject| subject.by_url_standard);
        let agree = by_standard().map(|counts| counts.agree).sum();
        let differ: usize = by_standard().map(|counts| counts.unexpected()).sum();
        let bugs = one.causes.iter().filter(|cause| cause.entry.cause == Cause::Bug);
        let count = bugs.clone().count();
        let mut ways: Vec<(&CrateCause, &CrateWay)> =
            bugs.flat_map(|cause| cause.ways.iter().map(move |way| (cause, way))).collect();
        ways.sort_by_key(|(_, way)| (way.severity, way.input.size(), &way.name));
        let version = one.version;
        let steps_of_bugs: BTreeSet<&str> = ways.iter().flat_map(|(cause, _)| steps(&cause.entry)).collect();
        Some(StandardView {
            agree,
            compared: agree + differ,
            causes_of_bugs: match (count, ways.len()) {
                (count, rows) if count == rows => counted(count, "bug", "bugs"),
                (count, rows) => format!("{rows} ways of {}", counted(count, "bug", "bugs")),
            },
            bugs: ways.into_iter().map(|(cause, way)| OwnBugRow::of(cause, way, version)).collect(),
            links: steps_of_bugs.into_iter().map(|step| (step, address_of(step))).collect(),
            rest: rest(one, followed),
            causes: format!("{}-causes", anchor(&one.label())),
        })
    }
}

impl OwnBugRow {
    fn of(cause: &CrateCause, way: &CrateWay, version: &str) -> OwnBugRow {
        let mut known = cause.entry.deviations.iter();
        let step = known.find(|known| known.deviation.sentence() == way.name).and_then(|known| step(&known.deviation));
        OwnBugRow {
            severity: way.severity.name(),
            what: prose(&way.name),
            input: format!("{} {}", way.input.operation(), cell(&way.input.to_string())),
            expected: contrasted(&way.reference, &way.subject),
            got: contrasted(&way.subject, &way.reference),
            step: step.map_or_else(
                || format!("none: {} of RFC 3986", prose(&cause.entry.clause)),
                |step| format!("[{step}]"),
            ),
            upstream: upstream(&cause.entry, version),
        }
    }
}

/// Whether an entry says that a crate follows the standard.
fn follows(entry: &LedgerEntry) -> bool {
    entry.deviations.iter().any(|known| known.deviation == Deviation::FollowsUrlStandard)
}

/// What differs from RFC 3986 and is no bug.
fn rest(one: &Crate<'_, '_>, followed: &CrateCause) -> String {
    let diverge = one.sum(|counts| counts.unexpected());
    let others = one.causes.iter().filter(|cause| cause.entry.cause != Cause::Bug && !follows(&cause.entry));
    let ids: Vec<String> = others.map(|cause| prose(&cause.entry.id)).collect();
    let others = match ids.len() {
        0 => String::new(),
        count => format!(
            ", and {} that {} no bug{} ({})",
            counted(count, "cause", "causes"),
            if count == 1 { "is" } else { "are" },
            if count == 1 { "" } else { "s" },
            ids.join(", ")
        ),
    };
    format!(
        "Of {diverge} answers to vectors that differ from RFC 3986, {} are those of the standard ([where the two differ](../DIFFERENCES.md)); \
         the other {} have the causes above{others}.",
        followed.answers,
        diverge - followed.answers
    )
}

/// The steps of the standard from which a cause departs, by their ids.
pub(super) fn steps(entry: &LedgerEntry) -> Vec<&'static str> {
    let steps: BTreeSet<&str> = entry.deviations.iter().filter_map(|known| step(&known.deviation)).collect();
    steps.into_iter().collect()
}

/// A step, with a link to the part of the standard that has it.
pub(super) fn link_to_step(step: &str) -> String {
    link(step, &address_of(step))
}

/// The part of the standard that has a step.
fn address_of(step: &str) -> String {
    let part = step.split('/').next().unwrap_or_default();
    format!("https://url.spec.whatwg.org/{part}")
}

/// Where a cause was reported, with a link; empty if it was not.
pub(super) fn upstream(entry: &LedgerEntry, version: &str) -> String {
    let Some(upstream) = &entry.upstream else {
        return String::new();
    };
    match upstream.status {
        UpstreamStatus::Fixed => link(&format!("fixed after {version}"), &upstream.link),
        status => link(status.name(), &upstream.link),
    }
}
