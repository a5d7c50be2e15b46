//! Deviations that predict what a library does, found among the candidates of the catalogue.

use std::collections::BTreeSet;

use uriproof::compare::{Verdict, own_rule};
use uriproof::gate::{DeviationCatalogue, Fit, PredictedAnswers, ProposedDeviation, fit};
use uriproof::model::{Component, Declaration, Input, Outcome, Reading, Rule, Value};
use uriproof::run;

use crate::catalogue::{Deviation, RETIRED, candidates};
use crate::profile::SubjectProfile;
use crate::stages::{Flaw, faults, parts};

/// The fewest answers for which a deviation is proposed: fewer are shorter one by one.
const FEWEST: usize = 3;

/// The catalogue, as a gate takes it for the baselines that name its deviations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Catalogue;

/// The catalogue.
pub static CATALOGUE: Catalogue = Catalogue;

/// What a library with a profile answers by its own rule.
struct OwnAnswers {
    profile: SubjectProfile,
    own: Rule,
}

impl PredictedAnswers for OwnAnswers {
    fn outcome(&self, input: &Input, without: Option<usize>) -> Option<Outcome> {
        match without {
            None => self.profile.outcome(self.own, input, Reading::Rfc3986),
            Some(at) => self.profile.without(at).outcome(self.own, input, Reading::Rfc3986),
        }
    }
}

impl DeviationCatalogue for Catalogue {
    fn profile(
        &self,
        declaration: &Declaration,
        deviations: &[serde_json::Value],
    ) -> Result<Box<dyn PredictedAnswers>, (usize, String)> {
        let read = deviations.iter().enumerate().map(|(at, one)| read(one).map_err(|problem| (at, problem)));
        let profile = SubjectProfile::new(read.collect::<Result<Vec<Deviation>, _>>()?);
        Ok(Box::new(OwnAnswers {
            profile: profile.following(declaration.specification.clone()),
            own: own_rule(declaration),
        }))
    }

    fn propose(&self, declaration: &Declaration, results: &[&run::Result]) -> Vec<ProposedDeviation> {
        let mut search = ProfileSearch::new(declaration, results);
        std::iter::from_fn(|| search.next()).collect()
    }
}

/// A deviation that could stand in the place of a proposed one.
pub struct RivalDeviation {
    /// The place of the proposed one.
    pub place: usize,
    /// What it says of the library.
    pub sentence: String,
    /// What a library answers that has it instead.
    pub answers: Box<dyn PredictedAnswers>,
}

impl Catalogue {
    /// The deviations that explain these results exactly as a proposed one does, each in the place of that.
    ///
    /// # Errors
    ///
    /// The place of the first of the proposed ones that the catalogue does not have, and what would be right.
    pub fn rivals(
        &self,
        declaration: &Declaration,
        proposed: &[serde_json::Value],
        results: &[&run::Result],
    ) -> Result<Vec<RivalDeviation>, (usize, String)> {
        let read = proposed.iter().enumerate().map(|(at, one)| read(one).map_err(|problem| (at, problem)));
        let deviations = read.collect::<Result<Vec<Deviation>, _>>()?;
        let own = own_rule(declaration);
        let following =
            |deviations: Vec<Deviation>| SubjectProfile::new(deviations).following(declaration.specification.clone());
        let fit_of = |profile: &SubjectProfile, result: &run::Result| {
            fit(
                declaration,
                &|input| profile.outcome(own, input, Reading::Rfc3986),
                result,
            )
        };
        let profile = following(deviations.clone());
        let fits: Vec<Fit> = results.iter().map(|result| fit_of(&profile, result)).collect();
        let mut rivals = Vec::new();
        for place in 0..deviations.len() {
            let without = profile.without(place);
            // What is due to the proposed one comes first: hardly any other deviation predicts that.
            let (due, others): (Vec<usize>, Vec<usize>) =
                (0..results.len()).partition(|&at| fit_of(&without, results[at]) != fits[at]);
            for candidate in candidates().into_iter().filter(|candidate| !deviations.contains(candidate)) {
                let mut replaced = deviations.clone();
                let sentence = candidate.sentence();
                replaced[place] = candidate;
                let profile = following(replaced);
                if due.iter().chain(&others).all(|&at| fit_of(&profile, results[at]) == fits[at]) {
                    let answers = Box::new(OwnAnswers { profile, own });
                    rivals.push(RivalDeviation {
                        place,
                        sentence,
                        answers,
                    });
                }
            }
        }
        Ok(rivals)
    }
}

/// Reads a deviation: an id, or an object with `id` and parameters.
fn read(deviation: &serde_json::Value) -> Result<Deviation, String> {
    let id = deviation.as_str().or_else(|| deviation["id"].as_str()).unwrap_or_default();
    if let Some(problem) = retired(id, RETIRED) {
        return Err(problem);
    }
    let object = match deviation.is_string() {
        true => serde_json::json!({ "id": deviation }),
        false => deviation.clone(),
    };
    serde_json::from_value(object).map_err(|error| match error.to_string() {
        message if message.starts_with("unknown variant") => {
            let nearest = nearest(id, &message).map(|nearest| format!("did you mean `{nearest}`? "));
            format!(
                "the catalogue has no deviation `{id}`; {}`uriproof propose` finds those of a library",
                nearest.unwrap_or_default()
            )
        }
        message => format!("the deviation `{id}`: {message}"),
    })
}

/// The id that shares the most words with another one, by their first letters; `message` has the ids between backticks.
fn nearest<'m>(id: &str, message: &'m str) -> Option<&'m str> {
    const LETTERS: usize = 4;
    let stems =
        |id: &str| -> BTreeSet<String> { id.split('-').map(|word| word.chars().take(LETTERS).collect()).collect() };
    let wanted = stems(id);
    let shared = |known: &&str| stems(known).intersection(&wanted).count();
    let known = message.split('`').skip(3).step_by(2).filter(|known| shared(known) > 0);
    known.max_by_key(|known| (shared(known), usize::MAX - known.len()))
}

/// Returns what is wrong with an id that is no longer used.
fn retired(id: &str, list: &[(&str, &str)]) -> Option<String> {
    let (_, successor) = list.iter().find(|(retired, _)| *retired == id)?;
    Some(format!("the deviation `{id}` is now `{successor}`"))
}

/// A deviation that may be taken.
struct CountedDeviation {
    deviation: Deviation,
    /// How many open divergences it predicted when they were counted last.
    gain: usize,
}

/// A search that takes the deviation that predicts the most, again and again.
struct ProfileSearch<'r> {
    declaration: &'r Declaration,
    profile: SubjectProfile,
    candidates: Vec<CountedDeviation>,
    /// Divergences that are not predicted yet.
    open: Vec<&'r run::Result>,
    /// Divergences that are predicted, and agreements: both stay so.
    settled: Vec<&'r run::Result>,
}

impl<'r> ProfileSearch<'r> {
    fn new(declaration: &'r Declaration, results: &[&'r run::Result]) -> ProfileSearch<'r> {
        let compared =
            results.iter().copied().filter(|result| !matches!(result.verdict, Verdict::NotComparable { .. }));
        let (open, settled): (Vec<_>, Vec<_>) =
            compared.partition(|result| matches!(result.verdict, Verdict::Diverge(_)));
        let all = candidates().into_iter().chain(of_characters(&open)).chain(of_schemes(&open, &settled));
        let candidates = all.map(|deviation| CountedDeviation {
            deviation,
            gain: usize::MAX,
        });
        ProfileSearch {
            declaration,
            profile: SubjectProfile::default().following(declaration.specification.clone()),
            candidates: candidates.collect(),
            open,
            settled,
        }
    }

    fn with(&self, candidate: &Deviation) -> SubjectProfile {
        let deviations = self.profile.deviations.iter().chain([candidate]).cloned();
        SubjectProfile::new(deviations).following(self.profile.specification.clone())
    }

    fn fit(&self, profile: &SubjectProfile, result: &run::Result) -> Fit {
        let own = own_rule(self.declaration);
        let predict = |input: &Input| profile.outcome(own, input, Reading::Rfc3986);
        fit(self.declaration, &predict, result)
    }

    /// How many of what is open a candidate predicts, beside those that were taken.
    fn gain(&self, candidate: &Deviation) -> usize {
        let profile = self.with(candidate);
        self.open.iter().filter(|result| self.fit(&profile, result) == Fit::Predicted).count()
    }

    /// Whether a candidate predicts nothing wrongly of what is settled.
    fn is_true(&self, candidate: &Deviation) -> bool {
        let profile = self.with(candidate);
        self.settled.iter().all(|result| matches!(self.fit(&profile, result), Fit::Agrees | Fit::Predicted))
    }

    /// The place of the candidate that predicts the most, and nothing wrongly. A gain that was counted before others were taken is rarely
    /// too small: only the greatest are counted anew, and all of them at the end.
    fn best(&mut self) -> Option<usize> {
        let mut is_fresh = vec![false; self.candidates.len()];
        loop {
            let of_gain = |place: &usize| (self.candidates[*place].gain, usize::MAX - place);
            let greatest = (0..self.candidates.len()).max_by_key(of_gain)?;
            match (self.candidates[greatest].gain >= FEWEST, is_fresh[greatest]) {
                (true, true) if self.is_true(&self.candidates[greatest].deviation) => return Some(greatest),
                (true, true) => self.candidates[greatest].gain = 0,
                (true, false) => {
                    self.candidates[greatest].gain = self.gain(&self.candidates[greatest].deviation);
                    is_fresh[greatest] = true;
                }
                (false, _) => {
                    let stale = (0..is_fresh.len()).find(|&place| !is_fresh[place])?;
                    self.candidates[stale].gain = self.gain(&self.candidates[stale].deviation);
                    is_fresh[stale] = true;
                }
            }
        }
    }

    /// Takes the candidate that predicts the most of what is open, to the letter, and nothing wrongly of what is settled.
    fn next(&mut self) -> Option<ProposedDeviation> {
        let place = self.best()?;
        let deviation = self.candidates.remove(place).deviation;
        self.profile = self.with(&deviation);
        let (predicted, open): (Vec<_>, Vec<_>) =
            self.open.iter().partition(|result| self.fit(&self.profile, result) == Fit::Predicted);
        self.open = open;
        self.settled.extend(&predicted);
        let witness = predicted.iter().min_by_key(|result| (result.input.size(), result.input.to_string()))?;
        Some(ProposedDeviation {
            deviation: written(&deviation),
            sentence: deviation.sentence(),
            answers: predicted.len(),
            witness: witness.input.clone(),
        })
    }
}

/// As a baseline has it: the id alone where there is no parameter.
fn written(deviation: &Deviation) -> serde_json::Value {
    let json = serde_json::to_value(deviation).expect("deviations can be written");
    match json.as_object() {
        Some(object) if object.len() == 1 => object["id"].clone(),
        _ => json,
    }
}

/// That references come out as they went in against bases of some schemes: of those against which none came out as another string, and none was
/// refused where that conforms.
fn of_schemes(open: &[&run::Result], settled: &[&run::Result]) -> Option<Deviation> {
    // One with a scheme comes out as it is against every base, but for its dot-segments.
    let is_relative = |reference: &str| !reference.is_empty() && parts(reference).scheme.is_none();
    let of = |results: &[&run::Result], is_unchanged: bool| -> BTreeSet<String> {
        let schemes = results.iter().filter_map(|result| match (&result.input, &result.observed) {
            (
                Input::Resolve { base, reference, .. },
                Outcome::Accepted {
                    value: Value::Uri(target),
                },
            ) if is_relative(reference) && (target == reference) == is_unchanged => parts(base).scheme,
            _ => None,
        });
        schemes.map(|scheme| scheme.to_ascii_lowercase()).collect()
    };
    // A refusal that conforms where a target does too: the deviation would predict the reference.
    let refused =
        settled.iter().filter_map(
            |result| match (&result.input, &result.observed, result.expected.literal()) {
                (Input::Resolve { base, .. }, Outcome::Rejected { .. }, Outcome::Accepted { .. }) => parts(base).scheme,
                _ => None,
            },
        );
    let refused: BTreeSet<String> = refused.map(|scheme| scheme.to_ascii_lowercase()).collect();
    let known = &(&of(settled, false) | &of(open, false)) | &refused;
    let is_scheme = |scheme: &&String| Rule::Scheme.matches(scheme, Reading::Rfc3986).is_ok();
    let schemes: Vec<String> = of(open, true).difference(&known).filter(is_scheme).cloned().collect();
    (!schemes.is_empty()).then_some(Deviation::ReturnsReferenceOfUnknownScheme { schemes })
}

/// For each component, the characters that are wrong in it where a string was taken though it is invalid: one by one, and together.
fn of_characters(open: &[&run::Result]) -> Vec<Deviation> {
    let taken = open.iter().filter(|result| matches!(result.observed, Outcome::Accepted { .. }));
    let mut wrong: BTreeSet<(Component, char)> = BTreeSet::new();
    for result in taken {
        let texts: &[&String] = match &result.input {
            Input::Parse { input, .. } => &[input],
            Input::Resolve { base, reference, .. } => &[base, reference],
            Input::Normalize { uri, .. } | Input::RoundTrip { uri } => &[uri],
            _ => &[],
        };
        for text in texts {
            for fault in faults(&parts(text), Reading::Rfc3986) {
                if let Flaw::Character(character) = fault.flaw {
                    wrong.insert((fault.component, character));
                }
            }
        }
    }
    let takes = |component: Component, characters: String| Deviation::TakesCharacters {
        components: vec![component],
        characters: Some(characters),
    };
    let of = |component: Component| {
        let characters: String = wrong.iter().filter(|one| one.0 == component).map(|one| one.1).collect();
        (characters.chars().count() > 1).then(|| takes(component, characters))
    };
    let together = Component::TEXTS.into_iter().filter_map(of);
    let alone = wrong.iter().map(|(component, character)| takes(*component, character.to_string()));
    together.chain(alone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_is_nearly_right_is_known() {
        let hint = |id: &str| read(&serde_json::json!(id)).unwrap_err();
        assert!(
            hint("ipvfuture-refused").contains("did you mean `refuses-ipvfuture`? "),
            "{}",
            hint("ipvfuture-refused")
        );
        assert!(!hint("typo").contains("did you mean"), "{}", hint("typo"));
    }

    #[test]
    fn a_retired_id_is_named_with_its_successor() {
        let list = [("old-name", "new-name")];
        assert_eq!(
            retired("old-name", &list).as_deref(),
            Some("the deviation `old-name` is now `new-name`")
        );
        assert_eq!(retired("new-name", &list), None);
    }
}
