//! The gate in one line, for the tests of a URI crate.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use crate::algorithms::Size;
use crate::claim::Claim;
use crate::files;
use crate::gate::baseline::Baseline;
use crate::gate::check::check;
use crate::gate::day::today;
use crate::gate::deviations::DeviationCatalogue;
use crate::gate::glob::Glob;
use crate::gate::judge::judge;
use crate::gate::judgement::{Conclusion, Failure, Judgement, Status};
use crate::gate::plan::Plan;
use crate::model::{Declaration, Level, OneLine, Reading, Specification, Subject, Vector};
use crate::vectors::Library;

/// The variable that has the baseline written, if it is `write`.
const VARIABLE: &str = "URIPROOF_BASELINE";

/// How many failures a panic shows in full.
const SHOWN: usize = 5;

/// A subject at the gate.
///
/// ```
/// use uriproof::gate::Gate;
///
/// fn rfc3986(my_uri: &dyn uriproof::model::Subject) {
///     Gate::of(my_uri).baseline("uriproof.toml").assert();
/// }
/// ```
pub struct Gate<'s> {
    pub(super) subject: &'s dyn Subject,
    pub(super) plan: Plan,
    pub(super) baseline: Option<PathBuf>,
    catalogue: Option<&'s dyn DeviationCatalogue>,
}

impl<'s> Gate<'s> {
    /// A subject under what it claims by its declaration: all levels, the reading of RFC 3986 itself, the core suites.
    pub fn of(subject: &'s dyn Subject) -> Gate<'s> {
        Gate {
            subject,
            plan: Plan {
                claim: Claim::of(subject.declaration()),
                suite: Some(Size::Core),
                ..Plan::default()
            },
            baseline: None,
            catalogue: None,
        }
    }

    /// With the catalogue of the deviations that the baseline names: `uriproof_deviations::CATALOGUE`.
    pub fn catalogue(mut self, catalogue: &'s dyn DeviationCatalogue) -> Gate<'s> {
        self.catalogue = Some(catalogue);
        self
    }

    /// With a baseline, which need not be there yet: `URIPROOF_BASELINE=write cargo test` makes it, and brings it up to date.
    pub fn baseline(mut self, file: impl Into<PathBuf>) -> Gate<'s> {
        self.baseline = Some(file.into());
        self
    }

    /// As who claims this.
    pub fn claim(mut self, claim: Claim) -> Gate<'s> {
        self.plan.claim = Some(claim);
        self
    }

    /// With suites of this size instead of the core; `None` runs the vectors alone. Another reading than that of RFC 3986 has no
    /// suites.
    pub fn suite(mut self, size: Option<Size>) -> Gate<'s> {
        self.plan.suite = size;
        self
    }

    /// Only these levels.
    pub fn levels(mut self, levels: impl Into<Vec<Level>>) -> Gate<'s> {
        self.plan.levels = levels.into();
        self
    }

    /// In this reading.
    pub fn reading(mut self, reading: Reading) -> Gate<'s> {
        self.plan.reading = reading;
        self
    }

    /// Only the vectors with ids that match one of these patterns; the baseline's other lines stand aside.
    ///
    /// # Errors
    ///
    /// What is wrong with a pattern.
    pub fn only(mut self, patterns: &[&str]) -> Result<Gate<'s>, String> {
        for pattern in patterns {
            self.plan.only.push(Glob::new(pattern).map_err(|problem| format!("`{pattern}`: {problem}"))?);
        }
        Ok(self)
    }

    /// Asks everything, and judges it.
    ///
    /// # Errors
    ///
    /// The baseline cannot be read: its file, the line, and what is wrong.
    pub fn run<'v>(&self, library: &'v Library) -> Result<Judgement<'v>, String> {
        let baseline = self.read(library)?;
        self.judged(library, baseline.as_ref())
    }

    /// Asks everything, and writes the baseline anew.
    ///
    /// # Errors
    ///
    /// There is none, it cannot be read or not be written, the subject could not be asked everything, answers do not repeat, or nothing
    /// was compared.
    pub fn write(&self, library: &Library) -> Result<String, String> {
        let path = self.baseline.as_deref().ok_or_else(|| format!("{VARIABLE}=write, and no baseline is named"))?;
        if self.plan.is_selective() {
            return Err("a baseline is written from all vectors, not from some".to_owned());
        }
        files::expect_writable([path])?;
        // What names vectors that there are no more is what is to be written anew.
        let before = read(path, self.subject)?;
        let mut judgement = self.judged(library, before.as_ref())?;
        let failure = |reason: &str| format!("{} is not written: {reason}", path.display());
        let declaration = self.subject.declaration();
        let proposed = Baseline::with_proposals(&judgement, declaration, before.as_ref(), self.catalogue);
        let proposed = proposed.map_err(|reason| failure(&reason))?;
        if let Some(proposed) = &proposed {
            judgement = self.judged(library, Some(proposed))?;
        }
        let before = proposed.or(before);
        if let Some(lost) = &judgement.lost {
            return Err(failure(lost));
        }
        judgement.check_repeats().map_err(|problem| failure(&problem))?;
        if judgement.conclusion() == Conclusion::Nothing {
            return Err(failure("nothing was compared"));
        }
        let written = Baseline::written(&judgement, library, before.as_ref()).map_err(|reason| failure(&reason))?;
        files::write(&[(path.to_owned(), &written.text)])?;
        let mut text = written.in_words(&path.display().to_string(), "`cargo test`");
        match written.unexplained {
            0 => {}
            1 => text += "\n      1 entry of it is `unexplained`: give a `kind` and a `reason`",
            count => text += &format!("\n      {count} entries of it are `unexplained`: give a `kind` and a `reason`"),
        }
        Ok(text)
    }

    /// Panics unless everything is as expected, with what is not: the test of a crate in one line.
    ///
    /// With `URIPROOF_BASELINE=write` in the environment it writes the baseline instead.
    ///
    /// # Panics
    ///
    /// A vector fails that the baseline does not know, a line of the baseline is to be changed, nothing was compared, or the baseline
    /// cannot be read or written.
    pub fn assert(&self) {
        let library = Library::embedded();
        if is_to_be_written() {
            let said = self.write(&library).unwrap_or_else(|problem| panic!("{problem}"));
            println!("{said}");
            return;
        }
        let judgement = self.run(&library).unwrap_or_else(|problem| panic!("{problem}"));
        let (verdict, text) = (judgement.conclusion(), self.text(&library, &judgement));
        assert!(verdict == Conclusion::Pass, "{text}");
        println!("{text}");
    }

    /// What a judgement says, in lines: the verdict, then what is not as expected.
    pub(super) fn text(&self, library: &Library, judgement: &Judgement<'_>) -> String {
        let mut text = format!("{}: {}\n", judgement.subject, judgement.tally());
        for (reason, count) in judgement.reasons() {
            text += &format!("  {count} {}\n", OneLine(&reason));
        }
        for suite in &judgement.suites {
            text += &format!("  {suite}\n");
        }
        if let Some(reason) = &judgement.lost {
            text += &format!("  not everything was run: {}\n", OneLine(reason));
        }
        let failures = judgement.failures();
        if failures.len() > 1 {
            text += &format!("\n{}", judgement.groups_text());
        }
        for (vector, failure) in failures.iter().take(SHOWN) {
            text += &format!("\n{}\n{}", OneLine(&vector.id), in_lines(library, vector, failure));
        }
        if failures.len() > SHOWN {
            text += &format!("\nand {} more\n", failures.len() - SHOWN);
        }
        for problem in &judgement.problems {
            text += &format!("\n{}\n", OneLine(&problem.to_string()));
        }
        for mixed in judgement.mixed_choices() {
            text += &format!("\nmixed choices, which is no failure: {mixed}\n");
            for same in mixed.departing() {
                text += &format!("  {}: {}\n", same.names(), same.vectors.join(", "));
            }
        }
        if !failures.is_empty() || !judgement.problems.is_empty() {
            text += &self.advice();
        }
        if judgement.conclusion() == Conclusion::Nothing {
            text += &nothing_compared(judgement);
        }
        text
    }

    pub(super) fn advice(&self) -> String {
        match &self.baseline {
            Some(path) => format!(
                "\n`{VARIABLE}=write cargo test` records known failures in {}\n",
                path.display()
            ),
            None => "\na baseline records known failures: see `Gate::baseline`\n".to_owned(),
        }
    }

    pub(super) fn read(&self, library: &Library) -> Result<Option<Baseline>, String> {
        let Some(path) = &self.baseline else {
            return Ok(None);
        };
        let baseline = read(path, self.subject)?;
        if let Some(baseline) = &baseline {
            baseline.check_ids(library).map_err(|error| error.to_string())?;
        }
        Ok(baseline)
    }

    /// As [`read`](Gate::read); the ids are looked for among all vectors of this version where the library is only a part of them.
    #[cfg(feature = "harness")]
    pub(super) fn read_known(&self, library: &Library, is_part: bool) -> Result<Option<Baseline>, String> {
        if !is_part {
            return self.read(library);
        }
        let Some(path) = &self.baseline else {
            return Ok(None);
        };
        let baseline = read(path, self.subject)?;
        if baseline.as_ref().is_some_and(|baseline| !baseline.has_known_ids()) {
            return self.read(&Library::embedded());
        }
        Ok(baseline)
    }

    pub(super) fn judged<'v>(
        &self,
        library: &'v Library,
        baseline: Option<&Baseline>,
    ) -> Result<Judgement<'v>, String> {
        let declaration = self.subject.declaration();
        let plan = self.plan.clone();
        if let Some(problem) = unmeasurable(declaration, plan.claim) {
            return Err(problem);
        }
        let plan = match baseline {
            Some(baseline) => plan.with_deviations_of(baseline, declaration, self.catalogue),
            None => Ok(plan),
        };
        let plan = plan.map_err(|error| error.to_string())?;
        let checked = check(self.subject, library, &plan, |_| (), &|| None);
        Ok(judge(declaration, checked, baseline, &today()))
    }
}

/// That a subject follows the WHATWG URL Standard, which only the feature `whatwg` measures by, and claims nothing else.
fn unmeasurable(declaration: &Declaration, claim: Option<Claim>) -> Option<String> {
    (declaration.specification == Specification::WhatwgUrl && claim.is_none()).then(|| {
        format!(
            "{} follows the WHATWG URL Standard, and this build cannot measure by it: give `uriproof` the feature `whatwg`, or measure by \
             RFC 3986 with `.claim(Claim::Uri)`",
            declaration.label()
        )
    })
}

/// That nothing was compared, and the most frequent reasons.
pub(super) fn nothing_compared(judgement: &Judgement<'_>) -> String {
    let mut text = "\nnothing was compared: which operations and rules does the declaration name?\n".to_owned();
    for (reason, count) in judgement.reasons().iter().take(3) {
        text += &format!("{count:6}  {}\n", OneLine(reason));
    }
    text
}

pub(super) fn is_to_be_written() -> bool {
    env::var_os(VARIABLE).is_some_and(|how| how == "write")
}

/// A baseline, if the file is there.
fn read(path: &Path, subject: &dyn Subject) -> Result<Option<Baseline>, String> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text.map_err(|error| format!("{} cannot be read: {error}", path.display()))?,
    };
    let baseline = Baseline::read(path, &text).map_err(|error| error.to_string())?;
    baseline.check_subject(subject.declaration()).map_err(|error| error.to_string())?;
    Ok(Some(baseline))
}

/// How a vector fails, in lines: how severe it is, the input, what conforms, what came of it, the clause's words.
pub(super) fn in_lines(library: &Library, vector: &Vector, failure: &Failure) -> String {
    let mut text = format!(
        "  severity  {}\n  input     {}\n  expected  {}\n  got       {}\n",
        failure.severity,
        vector.input,
        OneLine(&failure.expected),
        OneLine(&failure.got)
    );
    if let Some(unrepeated) = &failure.unrepeated {
        text += "  does not repeat\n";
        for (name, line) in unrepeated.lines() {
            text += &format!("  {name:8}  {line}\n");
        }
    }
    if let Some(line) = failure.stale_line() {
        text += &format!("  baseline  {line}\n");
    }
    for id in vector.clauses.iter().take(1) {
        let quote = library.clause(id).map(|clause| clause.quote.as_str()).unwrap_or_default();
        text += &format!("  clause    {} ({}): {}\n", OneLine(id), vector.level, OneLine(quote));
    }
    if let Some(note) = &vector.note {
        text += &format!("  note      {}\n", OneLine(note));
    }
    text
}

impl Status {
    /// Why it is no test that has passed or failed, if so.
    pub fn no_result(&self) -> Option<&str> {
        match self {
            Status::NotCompared(reason) | Status::NotRun(reason) | Status::Survived(reason) => Some(reason),
            Status::NotSelected => Some("not selected"),
            Status::Agrees | Status::Fails(_) | Status::Known(..) | Status::Lost(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_the_feature_no_library_is_measured_by_another_standard_than_its_own() {
        let follows = |specification| {
            let mut declaration = Declaration::new("library", "1", "parse", &[]);
            declaration.specification = specification;
            declaration
        };
        let problem = unmeasurable(&follows(Specification::WhatwgUrl), None).unwrap();
        assert!(problem.contains("feature `whatwg`"), "{problem}");
        assert_eq!(unmeasurable(&follows(Specification::WhatwgUrl), Some(Claim::Uri)), None);
        assert_eq!(unmeasurable(&follows(Specification::Rfc3986), None), None);
    }

    /// What a build without the feature knows of such a library.
    #[cfg(not(feature = "whatwg"))]
    #[test]
    fn without_the_feature_the_standard_is_no_claim() {
        let mut declaration = Declaration::new("library", "1", "parse", &[]);
        declaration.specification = Specification::WhatwgUrl;
        assert_eq!(Claim::of(&declaration), None);
    }
}
