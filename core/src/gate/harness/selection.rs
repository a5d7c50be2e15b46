//! Which tests there are, and which of them the arguments of a test program select.

use std::collections::HashSet;
use std::env;

use libtest_mimic::Arguments;

use crate::claim::Claim;
use crate::claim::is_whatwg;
use crate::gate::conforms::Gate;
use crate::gate::glob::GlobSet;
use crate::gate::suite;
use crate::model::Operation;
use crate::vectors::Library;

/// The name of the test that fails on what is wrong with the baseline, and where nothing was compared.
pub(super) const BASELINE: &str = "baseline";

/// The variable that says what a test is.
const VARIABLE: &str = "URIPROOF_TESTS";

/// What a test is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestUnit {
    /// A vector.
    Vector,
    /// A file of vectors.
    File,
}

impl TestUnit {
    /// What the environment says: a file under nextest, which starts a process for each test, and a vector otherwise.
    ///
    /// # Errors
    ///
    /// The variable has another value.
    pub(super) fn of_environment() -> Result<TestUnit, String> {
        let is_nextest =
            env::var_os("NEXTEST").is_some_and(|value| value == "1") || env::var_os("NEXTEST_EXECUTION_MODE").is_some();
        let said = env::var_os(VARIABLE).map(|value| value.to_string_lossy().into_owned());
        TestUnit::of(said.as_deref(), is_nextest)
    }

    fn of(said: Option<&str>, is_nextest: bool) -> Result<TestUnit, String> {
        match said {
            Some("vector") => Ok(TestUnit::Vector),
            Some("file") => Ok(TestUnit::File),
            Some(other) => Err(format!(
                "{VARIABLE} is `{}`; it can be `vector`, a test for each vector, or `file`, a test for each file of vectors",
                other.escape_debug()
            )),
            None if is_nextest => Ok(TestUnit::File),
            None => Ok(TestUnit::Vector),
        }
    }
}

/// The file of a vector, by its id.
pub(super) fn file_of(id: &str) -> &str {
    id.rsplit_once('/').map_or(id, |(file, _)| file)
}

/// The tests, and what of them is selected.
pub(super) struct TestSelection {
    /// What a test is.
    pub(super) unit: TestUnit,
    /// The names of all tests.
    pub(super) names: Vec<String>,
    /// The ids of the vectors and suites that the selected tests need; all, if `None`.
    pub(super) ids: Option<HashSet<String>>,
    /// Whether the test of the baseline is selected, which needs everything.
    pub(super) is_whole: bool,
    /// Whether it is selected alone, and others run the tests of the suites: a test is a file, and one is named.
    pub(super) is_baseline_alone: bool,
}

impl TestSelection {
    /// Of the tests of a gate; no subject is called for it.
    pub(super) fn new(gate: &Gate<'_>, arguments: &Arguments, unit: TestUnit) -> TestSelection {
        let only = GlobSet::new(&gate.plan.only);
        let is_taken = |id: &&str| gate.plan.only.is_empty() || only.all(id).next().is_some();
        let claim = gate.plan.claim.or(gate.subject.declaration().claim);
        let of_whatwg = uriproof_vectors::whatwg_ids().filter(|_| is_whatwg(claim));
        let vectors: Vec<&str> = uriproof_vectors::ids().chain(of_whatwg).filter(is_taken).collect();
        let suites: Vec<String> = gate.plan.operations_of_suites(gate.subject).into_iter().map(suite::id).collect();
        let name = |id: &&str| match unit {
            TestUnit::Vector => (*id).to_owned(),
            TestUnit::File => file_of(id).to_owned(),
        };
        let mut names: Vec<String> = vectors.iter().map(name).collect();
        names.dedup();
        names.extend(suites.iter().cloned());
        let has_baseline = gate.plan.only.is_empty();
        names.extend(has_baseline.then(|| BASELINE.to_owned()));
        let is_whole = is_selected(arguments, BASELINE) || selects_by_kind(arguments);
        let ids = (!is_whole || !has_baseline).then(|| {
            let of_vectors = vectors.iter().filter(|id| is_selected(arguments, &name(id))).map(|id| (*id).to_owned());
            let of_suites = suites.iter().filter(|suite| is_selected(arguments, suite)).cloned();
            of_vectors.chain(of_suites).collect()
        });
        TestSelection {
            unit,
            names,
            ids: ids.filter(|_| !selects_by_kind(arguments)),
            is_whole,
            is_baseline_alone: unit == TestUnit::File
                && arguments.exact
                && arguments.filter.as_deref() == Some(BASELINE),
        }
    }

    /// Whether only the files are read that hold what is selected. Under a claim that rewrites vectors, which ones are the same depends
    /// on all.
    pub(super) fn is_part(&self, gate: &Gate<'_>) -> bool {
        self.ids.is_some() && gate.plan.claim != Some(Claim::Http)
    }

    /// The vectors of the selected tests, or all.
    pub(super) fn library(&self, gate: &Gate<'_>) -> Library {
        match &self.ids {
            // The suite of `parse` has inputs of its own from all vectors.
            Some(ids) if self.is_part(gate) && !ids.contains(&suite::id(Operation::Parse)) => {
                let files: HashSet<&str> = ids.iter().map(|id| file_of(id)).collect();
                Library::embedded_part(|path| path.strip_suffix(".json").is_some_and(|file| files.contains(file)))
            }
            _ => Library::embedded(),
        }
    }
}

/// Whether arguments select tests by what is known of them only when they were judged: a kind in brackets before the name.
fn selects_by_kind(arguments: &Arguments) -> bool {
    arguments.filter.iter().chain(&arguments.skip).any(|text| text.contains(['[', ']']))
}

/// Whether arguments select a test, by its name.
fn is_selected(arguments: &Arguments, name: &str) -> bool {
    let matches = |text: &String| match arguments.exact {
        true => name == text,
        false => name.contains(text.as_str()),
    };
    arguments.filter.as_ref().is_none_or(matches) && !arguments.skip.iter().any(matches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_what_the_variable_says() {
        assert_eq!(TestUnit::of(None, false), Ok(TestUnit::Vector));
        assert_eq!(TestUnit::of(None, true), Ok(TestUnit::File));
        assert_eq!(TestUnit::of(Some("vector"), true), Ok(TestUnit::Vector));
        assert_eq!(TestUnit::of(Some("file"), false), Ok(TestUnit::File));
        let error = TestUnit::of(Some("files"), true).unwrap_err();
        assert!(
            error.contains("`files`; it can be `vector`") && error.contains("`file`"),
            "{error}"
        );
    }

    #[test]
    fn the_listed_ids_are_those_of_the_vectors() {
        let library = Library::embedded();
        let mut ids: Vec<&str> = library.vectors().map(|vector| &*vector.id).collect();
        let mut listed: Vec<&str> = uriproof_vectors::ids().collect();
        ids.sort_unstable();
        listed.sort_unstable();
        assert_eq!(ids, listed);
        let mut ids: Vec<&str> = library.whatwg.vectors.iter().map(|vector| &*vector.id).collect();
        let mut listed: Vec<&str> = uriproof_vectors::whatwg_ids().collect();
        ids.sort_unstable();
        listed.sort_unstable();
        assert_eq!(ids, listed);
    }

    #[test]
    fn arguments_select_as_libtest_does() {
        let selected = |words: &[&str]| {
            let arguments = Arguments::from_iter(["program"].iter().chain(words));
            ["a/b", "a/bc", "d"].into_iter().filter(|name| is_selected(&arguments, name)).collect::<Vec<_>>()
        };
        assert_eq!(selected(&[]), ["a/b", "a/bc", "d"]);
        assert_eq!(selected(&["a/b"]), ["a/b", "a/bc"]);
        assert_eq!(selected(&["a/b", "--exact"]), ["a/b"]);
        assert_eq!(selected(&["--skip", "bc"]), ["a/b", "d"]);
        assert_eq!(selected(&["a", "--skip", "a/b", "--exact"]), [""; 0]);
    }
}
