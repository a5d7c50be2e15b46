//! Which clauses the vectors cover.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::vectors::{Library, SECTIONS};
use crate::model::{Clause, Vector};

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
        let cited: BTreeSet<&str> = library.vectors().flat_map(|vector| &vector.clauses).map(String::as_str).collect();
        let row = |section, is_of: &dyn Fn(&str) -> bool| Covered {
            section,
            vectors: library.vectors().filter(|vector| vector.clauses.iter().any(|id| is_of(id))).count(),
            decided: library.vectors().filter(|vector| decisive(vector).is_some_and(is_of)).count(),
            ..count(library.clauses.iter().filter(|clause| is_of(&clause.id)), &cited)
        };
        let of_section = |section: &str| format!("§{section}/");
        let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for clause in &library.clauses {
            if let Some(reason) = &clause.untested {
                reasons.entry(reason).or_default().push(&clause.id);
            }
        }
        let mut untested: Vec<Untested<'_>> =
            reasons.into_iter().map(|(reason, clauses)| Untested { reason, clauses }).collect();
        untested.sort_by_key(|one| std::cmp::Reverse(one.clauses.len()));
        Coverage {
            sections: SECTIONS
                .iter()
                .map(|section| row(*section, &|id| id.starts_with(&of_section(section))))
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

/// The clause that decides a vector: the one that it cites first.
fn decisive(vector: &Vector) -> Option<&str> {
    vector.clauses.first().map(String::as_str)
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
