//! Which clauses the vectors cover.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::vectors::{Library, SECTIONS};
use crate::model::Clause;

/// How the clauses of the register are covered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Coverage<'a> {
    /// Section by section, in the order of the RFC; those without a clause are left out.
    pub sections: Vec<Covered<'a>>,
    /// All of them together.
    pub total: Covered<'a>,
    /// What no input and output can test, by reason, the most frequent first.
    pub untested: Vec<Untested<'a>>,
}

/// How the clauses of a section are covered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Covered<'a> {
    /// The section: `5.2.4`; empty for all sections together.
    pub section: &'a str,
    /// How many clauses there are.
    pub clauses: usize,
    /// How many of them input and output can test.
    pub testable: usize,
    /// How many of these a vector cites.
    pub covered: usize,
    /// How many vectors cite a clause of the section.
    pub vectors: usize,
    /// How many vectors a clause of the section decides: they cite it first.
    pub decided: usize,
}

/// The clauses that are not tested for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Untested<'a> {
    /// The reason.
    pub reason: &'a str,
    /// Their ids.
    pub clauses: Vec<&'a str>,
}

impl Coverage<'_> {
    /// How the vectors of `library` cover its clauses.
    pub fn of(library: &Library) -> Coverage<'_> {
        let citing: Vec<&[String]> = library.vectors().map(|vector| &*vector.clauses).collect();
        Coverage::by(&library.clauses, SECTIONS.to_vec(), '§', &citing)
    }

    /// How the vectors of the WHATWG URL Standard, and the cases of its functions, which count as vectors, cover its clauses. The sections
    /// are anchors, in the order of the register.
    pub fn of_whatwg(library: &Library) -> Coverage<'_> {
        let whatwg = &library.whatwg;
        let vectors = whatwg.vectors.iter().map(|vector| &*vector.clauses);
        let citing: Vec<&[String]> = vectors.chain(whatwg.cases.iter().map(|case| &*case.clauses)).collect();
        // Getters and setters of one attribute are apart in the register.
        let mut known = BTreeSet::new();
        let sections = whatwg.clauses.iter().map(|clause| &*clause.section).filter(|section| known.insert(*section));
        let sections = sections.collect();
        Coverage::by(&whatwg.clauses, sections, '#', &citing)
    }

    /// How these lists of ids cover clauses, whose ids are `mark`, the section, `/` and a name.
    fn by<'a>(clauses: &'a [Clause], sections: Vec<&'a str>, mark: char, citing: &[&[String]]) -> Coverage<'a> {
        let cited: BTreeSet<&str> = citing.iter().copied().flatten().map(String::as_str).collect();
        let row = |section, is_of: &dyn Fn(&str) -> bool| Covered {
            section,
            vectors: citing.iter().filter(|ids| ids.iter().any(|id| is_of(id))).count(),
            decided: citing.iter().filter(|ids| ids.first().is_some_and(|id| is_of(id))).count(),
            ..count(clauses.iter().filter(|clause| is_of(&clause.id)), &cited)
        };
        // A definition of the standard has the anchor alone for its id.
        let is_of_section = |section: &str, id: &str| {
            let rest = id.strip_prefix(mark).and_then(|id| id.strip_prefix(section));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for clause in clauses {
            if let Some(reason) = &clause.untested {
                reasons.entry(reason).or_default().push(&clause.id);
            }
        }
        let mut untested: Vec<Untested<'_>> =
            reasons.into_iter().map(|(reason, clauses)| Untested { reason, clauses }).collect();
        untested.sort_by_key(|one| std::cmp::Reverse(one.clauses.len()));
        Coverage {
            sections: sections
                .into_iter()
                .map(|section| row(section, &|id| is_of_section(section, id)))
                .filter(|covered| covered.clauses > 0)
                .collect(),
            total: row("", &|_| true),
            untested,
        }
    }

    /// The counts as REPORT.md shows them: a table in Markdown, a line a section, and one for all; it ends in a line feed.
    pub fn table(&self) -> String {
        let mut table = String::from(
            "| section | clauses | testable | covered | vectors that cite one | vectors that one decides |\n\
             |---|---:|---:|---:|---:|---:|\n",
        );
        for row in self.rows() {
            table += &format!("| {} |\n", row.join(" | "));
        }
        table
    }

    /// The counts as text, a row a section, and one for all: the section, clauses, testable, covered, vectors, decided.
    pub fn rows(&self) -> impl Iterator<Item = [String; 6]> {
        self.sections.iter().chain([&self.total]).map(|row| {
            let section = if row.section.is_empty() { "all" } else { row.section };
            let [clauses, testable, covered, vectors, decided] =
                [row.clauses, row.testable, row.covered, row.vectors, row.decided].map(|count| count.to_string());
            [section.to_owned(), clauses, testable, covered, vectors, decided]
        })
    }
}

fn count<'c, 'a>(clauses: impl Iterator<Item = &'c Clause>, cited: &BTreeSet<&str>) -> Covered<'a> {
    let mut covered = Covered::default();
    for clause in clauses {
        let is_cited = cited.contains(clause.id.as_str());
        covered.clauses += 1;
        covered.testable += usize::from(clause.untested.is_none());
        covered.covered += usize::from(clause.untested.is_none() && is_cited);
    }
    covered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sections_add_up_to_the_total() {
        let library = Library::embedded();
        let coverage = Coverage::of(&library);
        let sum = |of: fn(&Covered<'_>) -> usize| coverage.sections.iter().map(of).sum::<usize>();
        assert_eq!(sum(|row| row.clauses), library.clauses.len());
        assert_eq!(sum(|row| row.clauses), coverage.total.clauses);
        assert_eq!(sum(|row| row.testable), coverage.total.testable);
        assert_eq!(sum(|row| row.covered), coverage.total.covered);
        assert_eq!(sum(|row| row.decided), library.vectors().count());
        assert_eq!(coverage.total.vectors, library.vectors().count());
        let untested: usize = coverage.untested.iter().map(|one| one.clauses.len()).sum();
        assert_eq!(untested, coverage.total.clauses - coverage.total.testable);
    }

    #[test]
    fn each_clause_of_the_url_standard_that_can_be_tested_is_covered() {
        let library = Library::embedded();
        let coverage = Coverage::of_whatwg(&library);
        let whatwg = &library.whatwg;
        assert_eq!(
            coverage.sections.iter().map(|row| row.clauses).sum::<usize>(),
            whatwg.clauses.len()
        );
        assert_eq!(coverage.total.covered, coverage.total.testable);
        assert_eq!(coverage.total.decided, whatwg.vectors.len() + whatwg.cases.len());
    }

    #[test]
    fn cited_and_uncited_clauses_are_counted_apart() {
        let library = Library::embedded();
        let coverage = Coverage::of(&library);
        let of = |section| coverage.sections.iter().find(|row| row.section == section).unwrap();
        let rules = of("3.1");
        assert!(rules.testable > 0 && rules.testable < rules.clauses, "{rules:?}");
        assert!(rules.vectors >= rules.decided && rules.decided > 0, "{rules:?}");
        assert_eq!(of("5.1.1").testable, 0);
    }
}
