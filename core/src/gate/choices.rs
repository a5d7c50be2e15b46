//! Whether a subject makes the same choice in all vectors that offer the same ones.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::compare::Choice;
use crate::gate::judgement::Judgement;

/// The conforming answers of a subject to the vectors that offer the same names.
///
/// Only vectors with exactly the same names belong together: `literal` is a refusal where `literal` and `slash-dot` are offered, and
/// the text of the algorithm where `error` is offered too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choices {
    /// The names, in the order of the first vector.
    pub offers: Vec<String>,
    /// The names that fit every answer; empty where the subject mixes choices.
    pub throughout: Vec<String>,
    /// The answers by the names that they fit, the most frequent first.
    pub answers: Vec<SameChoice>,
}

/// The answers that fit the same names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SameChoice {
    /// The names; empty where each answer takes its parts from several outcomes.
    pub fits: Vec<String>,
    /// The ids of the vectors, in the order of the files.
    pub vectors: Vec<String>,
}

impl Choices {
    /// Groups the choices of a subject by the names that the vectors offer; the ids are in the order of the files.
    pub fn of<'a>(choices: impl IntoIterator<Item = (&'a str, &'a Choice)>) -> Vec<Choices> {
        let mut groups: Vec<Choices> = Vec::new();
        let mut by_names: BTreeMap<BTreeSet<&str>, usize> = BTreeMap::new();
        for (id, choice) in choices {
            let names = choice.offers.iter().map(String::as_str).collect();
            let at = *by_names.entry(names).or_insert_with(|| {
                groups.push(Choices {
                    offers: choice.offers.clone(),
                    throughout: choice.offers.clone(),
                    answers: Vec::new(),
                });
                groups.len() - 1
            });
            groups[at].add(id, choice);
        }
        for group in &mut groups {
            group.answers.sort_by_key(|same| Reverse(same.vectors.len()));
        }
        groups
    }

    fn add(&mut self, id: &str, choice: &Choice) {
        let fits: Vec<String> = self.offers.iter().filter(|name| choice.fits.contains(name)).cloned().collect();
        self.throughout.retain(|name| fits.contains(name));
        match self.answers.iter_mut().find(|same| same.fits == fits) {
            Some(same) => same.vectors.push(id.to_owned()),
            None => self.answers.push(SameChoice {
                fits,
                vectors: vec![id.to_owned()],
            }),
        }
    }

    /// Whether no single name fits every answer.
    pub fn is_mixed(&self) -> bool {
        self.throughout.is_empty()
    }

    /// The name that fits most answers, the first offered of several, and how many it fits; `None` if no answer fits any.
    pub fn majority(&self) -> Option<(&str, usize)> {
        let count = |name: &String| -> usize {
            let fitting = self.answers.iter().filter(|same| same.fits.contains(name));
            fitting.map(|same| same.vectors.len()).sum()
        };
        let counted = self.offers.iter().map(|name| (&**name, count(name)));
        counted.rev().max_by_key(|(_, count)| *count).filter(|(_, count)| *count > 0)
    }

    /// The answers that the majority does not fit.
    pub fn departing(&self) -> impl Iterator<Item = &SameChoice> {
        let majority = self.majority().map(|(name, _)| name);
        self.answers.iter().filter(move |same| !majority.is_some_and(|name| same.fits.iter().any(|fit| fit == name)))
    }
}

impl fmt::Display for Choices {
    /// `literal/slash-dot/error: slash-dot in 8 of 9`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total: usize = self.answers.iter().map(|same| same.vectors.len()).sum();
        let (name, count) = self.majority().unwrap_or(("none of them", total));
        write!(f, "{}: {name} in {count} of {total}", self.offers.join("/"))
    }
}

impl SameChoice {
    /// The names: `literal or target-normalised`.
    pub fn names(&self) -> String {
        names(&self.fits)
    }
}

/// The names that an answer fits: `literal or target-normalised`.
pub fn names(fits: &[String]) -> String {
    match fits {
        [] => "several in one answer".to_owned(),
        fits => fits.join(" or "),
    }
}

impl Judgement<'_> {
    /// The choices of the subject where several outcomes conform, of every answer that does.
    pub fn choices(&self) -> Vec<Choices> {
        Choices::of(
            self.cases.iter().filter_map(|case| Some((&*case.vector.id, case.result.as_ref()?.choice.as_ref()?))),
        )
    }

    /// Those in which it mixes choices: a note, and no failure, since each answer conforms.
    pub fn mixed_choices(&self) -> Vec<Choices> {
        self.choices().into_iter().filter(Choices::is_mixed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUARDS: &[&str] = &["literal", "slash-dot", "error"];

    fn choice(offers: &[&str], fits: &[&str]) -> Choice {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Choice {
            offers: owned(offers),
            fits: owned(fits),
        }
    }

    /// The groups of answers, whose ids are their places: `v0`, `v1`.
    fn groups(choices: &[Choice]) -> Vec<Choices> {
        let ids: Vec<String> = (0..choices.len()).map(|at| format!("v{at}")).collect();
        Choices::of(ids.iter().map(String::as_str).zip(choices))
    }

    fn departing(group: &Choices) -> Vec<(String, &[String])> {
        group.departing().map(|same| (same.names(), &*same.vectors)).collect()
    }

    #[test]
    fn one_answer_among_nine_departs() {
        let mut choices = vec![choice(GUARDS, &["slash-dot"]); 8];
        choices.insert(3, choice(GUARDS, &["literal"]));
        let groups = groups(&choices);
        let [group] = &*groups else { panic!("{groups:?}") };
        assert!(group.is_mixed());
        assert_eq!(group.majority(), Some(("slash-dot", 8)));
        assert_eq!(group.to_string(), "literal/slash-dot/error: slash-dot in 8 of 9");
        assert_eq!(departing(group), [("literal".to_owned(), &["v3".to_owned()][..])]);
    }

    #[test]
    fn one_choice_throughout_is_no_mix() {
        let groups = groups(&vec![choice(GUARDS, &["slash-dot"]); 9]);
        assert_eq!(groups[0].throughout, ["slash-dot"]);
        assert!(!groups[0].is_mixed());
        assert_eq!(departing(&groups[0]), []);
    }

    #[test]
    fn refusing_here_and_answering_there_is_a_mix() {
        let groups = groups(&[choice(GUARDS, &["error"]), choice(GUARDS, &["slash-dot"])]);
        assert!(groups[0].is_mixed());
        // Of two that are as frequent, the first one offered.
        assert_eq!(groups[0].majority(), Some(("slash-dot", 1)));
        assert_eq!(departing(&groups[0]), [("error".to_owned(), &["v0".to_owned()][..])]);
    }

    #[test]
    fn several_names_may_fit_and_one_must_fit_all() {
        let offers = &["literal", "base-normalised", "target-normalised"];
        let first = choice(offers, &["literal", "target-normalised"]);
        let second = choice(offers, &["base-normalised", "target-normalised"]);
        let of_two = groups(&[first.clone(), second.clone()]);
        assert_eq!(of_two[0].throughout, ["target-normalised"]);
        // Each two have a name in common, and all three have none.
        let third = choice(offers, &["literal", "base-normalised"]);
        let of_three = groups(&[first, second, third]);
        assert!(of_three[0].is_mixed());
        assert_eq!(of_three[0].majority(), Some(("literal", 2)));
        let departing = departing(&of_three[0]);
        assert_eq!(
            departing,
            [(
                "base-normalised or target-normalised".to_owned(),
                &["v1".to_owned()][..]
            )]
        );
    }

    #[test]
    fn only_the_same_names_belong_together() {
        let groups = groups(&[
            choice(GUARDS, &["slash-dot"]),
            choice(&["literal", "slash-dot"], &["literal"]),
            choice(&["error", "slash-dot", "literal"], &["slash-dot"]),
        ]);
        let found: Vec<(&[String], &[String])> =
            groups.iter().map(|group| (&*group.throughout, &*group.answers[0].vectors)).collect();
        let owned = |name: &str| name.to_owned();
        assert_eq!(
            found,
            [
                (&[owned("slash-dot")][..], &[owned("v0"), owned("v2")][..]),
                (&[owned("literal")][..], &[owned("v1")][..])
            ]
        );
    }

    #[test]
    fn an_answer_that_fits_no_name_alone_is_a_mix_by_itself() {
        let groups = groups(&[choice(GUARDS, &[]), choice(GUARDS, &[])]);
        assert!(groups[0].is_mixed());
        assert_eq!(groups[0].majority(), None);
        assert_eq!(groups[0].to_string(), "literal/slash-dot/error: none of them in 2 of 2");
        assert_eq!(departing(&groups[0])[0].0, "several in one answer");
    }
}
