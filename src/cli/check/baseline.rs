//! The baseline of a check: read, and written anew.

use std::path::{Path, PathBuf};
use std::{fs, io};

use uriproof::gate::{Baseline, Claim, Conclusion, Judgement, Written};
use uriproof::vectors::Library;
use uriproof_deviations::CATALOGUE;

use super::{Arguments, CheckFormat, PlannedSubject};
use crate::cli::{Finding, RunError, WIDTH, files, print, warn};
use crate::report::shell;

/// The baseline that is selected.
///
/// # Errors
///
/// It cannot be read, or is not about the one subject.
pub(super) fn read(
    arguments: &Arguments,
    planned: &[PlannedSubject<'_>],
    library: &Library,
) -> Result<Option<Baseline>, RunError> {
    let Some(path) = &arguments.baseline else {
        return Ok(None);
    };
    let [one] = planned else {
        return Err(format!(
            "a baseline is about one subject, and {} are selected: select one by --subject or --command",
            planned.len()
        ));
    };
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && arguments.write_baseline => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(format!("{} is not there; --write-baseline makes it", path.display()));
        }
        text => text.map_err(|error| format!("{} cannot be read: {error}", path.display()))?,
    };
    let baseline = Baseline::read(path, &text).map_err(|error| error.to_string())?;
    baseline.check_subject(one.subject.declaration()).map_err(|error| error.to_string())?;
    if !arguments.write_baseline {
        baseline.check_ids(library).map_err(|error| error.to_string())?;
    }
    Ok(Some(baseline))
}

/// Has the deviations of a baseline predict what the subject does.
///
/// # Errors
///
/// The line of a deviation that the catalogue does not have.
pub(super) fn add_deviations(planned: &mut PlannedSubject<'_>, baseline: Option<&Baseline>) -> Result<(), RunError> {
    if let Some(baseline) = baseline {
        let plan = planned.plan.clone();
        let plan = plan.with_deviations_of(baseline, planned.subject.declaration(), Some(&CATALOGUE));
        planned.plan = plan.map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// The baseline with the deviations that predict what fails, if there are some; the subject is planned by them then.
///
/// # Errors
///
/// Its text cannot be added to.
pub(super) fn with_proposals(
    planned: &mut PlannedSubject<'_>,
    judgement: &Judgement<'_>,
    baseline: Option<&Baseline>,
) -> Result<Option<Baseline>, RunError> {
    let is_by_whatwg = planned.plan.claim == Some(Claim::Whatwg);
    // The deviations are from RFC 3986.
    if judgement.lost.is_some() || is_by_whatwg {
        return Ok(None);
    }
    let declaration = planned.subject.declaration();
    let proposed = Baseline::with_proposals(judgement, declaration, baseline, Some(&CATALOGUE))?;
    add_deviations(planned, proposed.as_ref())?;
    Ok(proposed)
}

/// Writes the new baseline with the other files, and prints how it differs from the old one; `text` has the results, `again` is the command
/// of the subject.
pub(super) fn replace(
    arguments: &Arguments,
    path: &Path,
    written: Result<Written, RunError>,
    outputs: Vec<(PathBuf, String)>,
    (text, again): (&str, &str),
) -> Result<Finding, RunError> {
    let written = match written {
        Ok(written) => written,
        Err(reason) => {
            files::write(&outputs)?;
            arguments.print_results(text)?;
            return Err(format!("{} is not written: {reason}", path.display()));
        }
    };
    files::write(&[outputs, vec![(path.to_owned(), written.text.clone())]].concat())?;
    // On stdout, unless results for programs were wanted there.
    match arguments.format {
        CheckFormat::Human => print(&format!("{}\n", changes(path, &written, again)))?,
        _ => {
            arguments.print_results(text)?;
            warn(&changes(path, &written, again));
        }
    }
    if written.unexplained > 0 {
        let (entries, are) = match written.unexplained {
            1 => ("1 entry".to_owned(), "is"),
            count => (format!("{count} entries"), "are"),
        };
        warn(&format!(
            "{entries} of {} {are} `unexplained`: give a `kind` (bug, by-design, unsupported) and a `reason`",
            path.display()
        ));
    }
    Ok(Finding::Expected)
}

/// The baseline that is to be written, or why none is.
pub(super) fn written(
    judgement: &Judgement<'_>,
    library: &Library,
    before: Option<&Baseline>,
) -> Result<Written, RunError> {
    match &judgement.lost {
        Some(reason) => Err(format!("not everything was run: {reason}")),
        None if judgement.conclusion() == Conclusion::Nothing => Err("nothing was compared".to_owned()),
        None => {
            judgement.check_repeats()?;
            Baseline::written(judgement, library, before)
        }
    }
}

/// What was written, and the command of the subject that fails where something changes.
fn changes(path: &Path, written: &Written, again: &str) -> String {
    let path = shell::quoted(&path.display().to_string());
    let command = format!("{again} --baseline {path}");
    // The line is indented by six.
    let command = match command.chars().count() <= WIDTH - 6 {
        true => command,
        false => format!("{again} \\\n        --baseline {path}"),
    };
    written.in_words(&path, &command)
}
