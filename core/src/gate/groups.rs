//! Failures in groups: one mistake of a library, one group, in whatever operations it shows.
//!
//! A mistake fails many vectors: one that refuses IPvFuture fails all that parse, resolve and print such an address. What the failing
//! inputs have and the passing ones do not have names the mistake. The groups are found one after the other, the largest first:
//!
//! 1. Failures of one [`Direction`] are taken together: what is refused, what is accepted, what comes out otherwise, each crash. A crash at one
//!    place, and references that come out of resolution as they went in, are one group.
//!    Where nothing is accepted, all that is refused is one.
//! 2. Of the features of their inputs, the one is taken that most of them have and next to no passing input of the same operation. If
//!    there is none, two features together are tried. If one [`ComponentChange`] explains more of them, it is taken.
//! 3. What is left is grouped by operation and component. If that is much, features were not what decides there, and it takes up the smaller
//!    groups of the same operation and component; but not of parsing, where each rule of the grammar is code of its own.
//!
//! The subject is not called for it, and the groups of two runs with the same answers are the same.

mod bits;
mod change;
mod count;
mod direction;
mod feature;
mod judged;
mod order;
mod shared;
mod table;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use self::bits::Bits;
use self::change::ComponentChange;
pub use self::count::FailureCount;
use self::direction::Direction;
use self::feature::{Feature, FeatureRank, Features, UNKNOWN_SCHEME, a};
use self::judged::JudgedVector;
pub(super) use self::order::family;
use self::order::{part, witness_order};
pub use self::shared::SharedGroup;
pub use self::table::GroupLines;
pub(super) use self::table::{WIDTH, wrapped};
use self::words::title;
use crate::compare::DifferenceKind;
use crate::gate::judgement::{Failure, Judgement};
use crate::model::{Component, Level, Operation, Rule, Vector};
use crate::severity::{Severity, rank};

/// Failures with one cause.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FailureGroup<'j> {
    /// What is wrong: `refuses an IPvFuture address`.
    pub title: String,
    /// The most severe of its failures.
    pub severity: Severity,
    /// The strongest level of its vectors.
    pub level: Level,
    /// The vectors that fail, each with its failure: the witness first, which is the one to look at, then those of the files in their order.
    pub failures: Vec<(&'j Vector, &'j Failure)>,
    /// The clause that decides: that of the known cause, else that of the witness.
    pub clause: String,
    /// How many vectors have what the title names, and pass.
    pub passing: usize,
    /// How many fail: the sum over all groups is what the verdict says.
    pub count: FailureCount,
}

/// What is known to cause failures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownCause {
    /// What is wrong, the title of its group.
    pub title: String,
    /// The worst severity of what it covers.
    pub severity: Severity,
    /// The clause from which the subject departs.
    pub clause: String,
}

impl<'j> FailureGroup<'j> {
    /// The failure to look at: of the most severe the one of the strongest level, from the RFC and the grammar before contested and found
    /// ones, of those a whole reference, and of those the shortest.
    pub fn witness(&self) -> (&'j Vector, &'j Failure) {
        self.failures[0]
    }

    /// A name for machines, from the title: `refuses-an-ipvfuture-address`. It is the same in two runs that show the same.
    pub fn id(&self) -> String {
        let words = self.title.split(|one: char| !one.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let words: Vec<String> = words.map(str::to_ascii_lowercase).collect();
        words.join("-")
    }

    /// In which operations it shows, and how many vectors fail in each, the most first.
    pub fn operations(&self) -> Vec<(Operation, usize)> {
        let mut counts: BTreeMap<Operation, usize> = BTreeMap::new();
        for (vector, _) in &self.failures {
            *counts.entry(vector.input.operation()).or_default() += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|&(operation, count)| (std::cmp::Reverse(count), operation));
        counts
    }
}

/// If fewer vectors of an operation pass, what they do not have says nothing of those that fail.
const FEW: usize = 20;

impl<'v> Judgement<'v> {
    /// The failures that the baseline does not list, in groups, the worst first: by [`Severity::urgency`], then by level, then by how many
    /// vectors they have. Of one severity, what the baseline lists with another answer comes last.
    pub fn groups(&self) -> Vec<FailureGroup<'_>> {
        self.groups_by(&|_| None)
    }

    /// As [`groups`](Judgement::groups). Where the cause of a failure is known, `cause` returns it: the failures of one title are one group.
    pub fn groups_by(&self, cause: &dyn Fn(&Vector) -> Option<KnownCause>) -> Vec<FailureGroup<'_>> {
        let judged = JudgedVector::all(&self.cases);
        if judged.iter().all(|one| one.failure.is_none()) {
            return Vec::new();
        }
        let mut grouping = Grouping::of(&judged, JudgedVector::accepting(&self.cases));
        grouping.take_known(cause);
        for direction in grouping.directions() {
            grouping.take_all(&direction);
        }
        let mut groups = grouping.groups;
        groups.sort_by(|one, other| one.order().cmp(&other.order()));
        groups
    }
}

/// The vectors with their features, and what is grouped of them so far.
struct Grouping<'g, 'j> {
    judged: &'g [JudgedVector<'j>],
    /// The operations in which something is accepted.
    accepting: BTreeSet<Operation>,
    features: Vec<Feature>,
    /// The vectors that have a feature, by its place.
    having: Vec<Bits>,
    /// By operation, and by the rule of a part of a reference that is parsed alone; the rules of which few vectors pass are one.
    of_operation: BTreeMap<(Operation, Option<Rule>), Bits>,
    passing: Bits,
    /// What fails and is in no group yet.
    left: Bits,
    groups: Vec<FailureGroup<'j>>,
}

/// Features that failures have in common, or the change that explains them.
struct Candidate {
    gain: i64,
    change: Option<ComponentChange>,
    features: Vec<usize>,
    members: Bits,
    passing: usize,
}

/// Makes one of the rules of which few vectors pass.
fn pool_few(of_operation: &mut BTreeMap<(Operation, Option<Rule>), Bits>, passing: &Bits) {
    let is_few = |(key, bits): (&(Operation, Option<Rule>), &Bits)| {
        (key.1.is_some() && bits.and(passing).count() < FEW).then_some(*key)
    };
    let few: Vec<(Operation, Option<Rule>)> = of_operation.iter().filter_map(is_few).collect();
    let pooled = few.iter().filter_map(|key| of_operation.remove(key)).reduce(|one, other| one.or(&other));
    if let Some((key, pooled)) = few.first().zip(pooled) {
        of_operation.insert(*key, pooled);
    }
}

impl<'g, 'j> Grouping<'g, 'j> {
    fn of(judged: &'g [JudgedVector<'j>], accepting: BTreeSet<Operation>) -> Grouping<'g, 'j> {
        let empty = Bits::of(judged.len());
        // Only what a failing input has can name a failure.
        let of_each: Vec<Vec<Feature>> = judged.iter().map(|one| Features::of(&one.vector.input)).collect();
        let failing = judged.iter().zip(&of_each).filter(|(one, _)| one.failure.is_some());
        let mut features: Vec<Feature> = failing.flat_map(|(_, features)| features.iter().cloned()).collect();
        features.sort();
        features.dedup();
        let mut having = vec![empty.clone(); features.len()];
        let mut of_operation: BTreeMap<(Operation, Option<Rule>), Bits> = BTreeMap::new();
        let (mut passing, mut left) = (empty.clone(), empty.clone());
        for (at, (one, own)) in judged.iter().zip(&of_each).enumerate() {
            for feature in own {
                if let Ok(place) = features.binary_search(feature) {
                    having[place].add(at);
                }
            }
            let key = (one.operation, part(&one.vector.input));
            of_operation.entry(key).or_insert_with(|| empty.clone()).add(at);
            let side = if one.failure.is_some() { &mut left } else { &mut passing };
            side.add(at);
        }
        pool_few(&mut of_operation, &passing);
        Grouping {
            judged,
            accepting,
            features,
            having,
            of_operation,
            passing,
            left,
            groups: Vec::new(),
        }
    }

    fn directions(&self) -> Vec<Direction> {
        let mut directions: Vec<Direction> =
            self.left.iter().filter_map(|at| Some(self.judged[at].failure.as_ref()?.1.clone())).collect();
        directions.sort();
        directions.dedup();
        directions
    }

    /// Makes a group of the failures of each known cause.
    fn take_known(&mut self, cause: &dyn Fn(&Vector) -> Option<KnownCause>) {
        let mut known: BTreeMap<String, (KnownCause, Bits)> = BTreeMap::new();
        for at in self.left.iter() {
            let one = &self.judged[at];
            let is_unrepeated = one.failure.as_ref().is_some_and(|(failure, ..)| failure.unrepeated.is_some());
            if let Some(cause) = cause(one.vector).filter(|_| !is_unrepeated) {
                let empty = || (cause.clone(), Bits::of(self.judged.len()));
                let (worst, members) = known.entry(cause.title.clone()).or_insert_with(empty);
                members.add(at);
                worst.severity = worst.severity.min_by_urgency(cause.severity);
            }
        }
        for (title, (cause, members)) in known {
            self.take(title, &members, 0);
            if let Some(group) = self.groups.last_mut() {
                group.severity = group.severity.min_by_urgency(cause.severity);
                group.clause = cause.clause;
            }
        }
    }

    /// Groups all failures of a direction.
    fn take_all(&mut self, direction: &Direction) {
        let mut own = Bits::of(self.judged.len());
        for at in self.left.iter() {
            if self.judged[at].failure.as_ref().is_some_and(|(_, of_failure, _)| of_failure == direction) {
                own.add(at);
            }
        }
        if direction.place.is_some() || direction.is_unresolved {
            self.take_whole(&own);
            return;
        }
        if self.refuses_all(&own) {
            let title = self.title(&own, (None, ""));
            self.take(title, &own, 0);
            return;
        }
        let mut found: Vec<Candidate> = Vec::new();
        while let Some(candidate) = self.best_change(&own).into_iter().chain(self.best(&own)).max_by_key(|one| one.gain)
        {
            own = own.without(&candidate.members);
            found.push(candidate);
        }
        let mut rest: BTreeMap<(Operation, Option<Component>), Bits> = BTreeMap::new();
        for at in own.iter() {
            rest.entry(self.place(at)).or_insert_with(|| Bits::of(self.judged.len())).add(at);
        }
        for candidate in found {
            let taking_up = match candidate.change {
                Some(_) => None,
                None => self.taking_up(&candidate.members, &mut rest),
            };
            if let Some(members) = taking_up {
                *members = members.or(&candidate.members);
                continue;
            }
            let words: Vec<&str> = candidate.features.iter().map(|at| &*self.features[*at].words).collect();
            let words = match candidate.change.and_then(|_| self.only_of(&candidate.members)) {
                Some(feature) if candidate.members.count() >= FEW => feature.words.clone(),
                _ => words.join(" and "),
            };
            let title = self.title(&candidate.members, (candidate.change, &words));
            self.take(title, &candidate.members, candidate.passing);
        }
        for members in rest.into_values() {
            let common = self.only_of(&members).map(|feature| feature.words.clone());
            let title = self.title(&members, (None, common.as_deref().unwrap_or_default()));
            self.take(title, &members, 0);
        }
    }

    /// Makes one group of failures whose direction is their cause, whatever the inputs have: all crashes at one place of the code, all
    /// references that come out as they went in.
    fn take_whole(&mut self, members: &Bits) {
        let unknown = (0..self.features.len()).find(|at| self.features[*at].words == UNKNOWN_SCHEME);
        let words = match unknown.filter(|at| self.nearly_all_have(*at, members)) {
            Some(_) => format!("a base of {UNKNOWN_SCHEME}"),
            None => {
                let most = self.best(members).filter(|most| 2 * most.members.count() > members.count());
                let places = most.map(|most| most.features).unwrap_or_default();
                let words: Vec<&str> = places.iter().map(|at| &*self.features[*at].words).collect();
                words.join(" and ")
            }
        };
        let title = self.title(members, (None, &words));
        self.take(title, members, 0);
    }

    /// Whether what is valid is refused in operations in which nothing is accepted: all of it, whatever the inputs have.
    fn refuses_all(&self, members: &Bits) -> bool {
        let is_refused = |at: usize| {
            let failure = self.judged[at].failure.as_ref();
            failure.is_some_and(|(failure, ..)| failure.kind == DifferenceKind::RejectedValid)
        };
        members.iter().all(|at| is_refused(at) && !self.accepting.contains(&self.judged[at].operation))
    }

    /// Whether at most one of twenty of these does not have the feature at a place.
    fn nearly_all_have(&self, at: usize, members: &Bits) -> bool {
        20 * self.having[at].and(members).count() >= 19 * members.count()
    }

    /// The operation of a failure, and the component that weighs most of those that differ.
    fn place(&self, at: usize) -> (Operation, Option<Component>) {
        let one = &self.judged[at];
        let differing = one.failure.as_ref().map(|(_, _, differing)| *differing).unwrap_or_default();
        let heaviest = differing.iter().min_by_key(|component| rank(*component));
        (one.operation, heaviest)
    }

    /// The group of the rest that takes up these members.
    fn taking_up<'r>(
        &self,
        members: &Bits,
        rest: &'r mut BTreeMap<(Operation, Option<Component>), Bits>,
    ) -> Option<&'r mut Bits> {
        let place = self.place(members.iter().next()?);
        let is_alike = place.0 != Operation::Parse && members.iter().all(|at| self.place(at) == place);
        rest.get_mut(&place).filter(|rest| is_alike && members.count() <= 2 * rest.count())
    }

    /// The features that most of these failures have, and next to no vector that passes: one, or two together. Of several the ones that
    /// say most.
    fn best(&self, failing: &Bits) -> Option<Candidate> {
        /// How many failures a group has at least.
        const FEWEST: i64 = 2;
        let kind = failing.iter().next().and_then(|at| Some(self.judged[at].failure.as_ref()?.0.kind));
        let is_misread = failing
            .iter()
            .any(|at| self.judged[at].failure.as_ref().is_some_and(|(_, direction, _)| direction.misread.is_some()));
        // What is refused is valid, by the specification that counts here. What is misread is invalid, all of it.
        let is_left_out = |at: &usize| match self.features[*at].rank {
            FeatureRank::Fault if is_misread => true,
            _ => kind == Some(DifferenceKind::RejectedValid) && self.features[*at].is_fault,
        };
        let places = (0..self.features.len()).filter(|at| !is_left_out(at));
        let singles = places.clone().filter_map(|at| self.candidate(failing, &[at]));
        let best = |candidates: &mut dyn Iterator<Item = Candidate>| {
            candidates
                .filter(|one| one.gain >= FEWEST)
                .reduce(|best, one| if one.gain > best.gain { one } else { best })
        };
        best(&mut { singles }).or_else(|| {
            let places: Vec<usize> = places.filter(|at| self.having[*at].and(failing).count() > 1).collect();
            let pairs =
                places.iter().enumerate().flat_map(|(at, one)| places[at + 1..].iter().map(|other| [*one, *other]));
            best(&mut pairs.filter_map(|pair| self.candidate(failing, &pair)))
        })
    }

    /// What features would make a group of, in the operations in which they hold.
    fn candidate(&self, failing: &Bits, features: &[usize]) -> Option<Candidate> {
        /// A group with one passing vector needs so many failures to that.
        const EXCEPTION: i64 = 9;
        let with_all = |of: &Bits| features.iter().fold(of.clone(), |bits, at| bits.and(&self.having[*at]));
        let with_failing = with_all(failing);
        if with_failing.count() == 0 {
            return None;
        }
        let with_passing = with_all(&self.passing);
        let mut candidate = Candidate {
            gain: 0,
            change: None,
            features: features.to_vec(),
            members: Bits::of(self.judged.len()),
            passing: 0,
        };
        // Where few pass, failures say nothing alone.
        let mut alone = Bits::of(self.judged.len());
        for of_operation in self.of_operation.values() {
            let members = with_failing.and(of_operation);
            let passing = with_passing.and(of_operation).count();
            if of_operation.and(&self.passing).count() < FEW {
                alone = if passing == 0 { alone.or(&members) } else { alone };
                continue;
            }
            let gain = members.count() as i64 - EXCEPTION * passing as i64;
            if gain > 0 {
                candidate.gain += gain;
                candidate.passing += passing;
                candidate.members = candidate.members.or(&members);
            }
        }
        if candidate.gain > 0 {
            candidate.members = candidate.members.or(&alone);
        }
        Some(candidate)
    }

    /// The feature that says most of those that all of these have, and no vector of their operations that passes; none if few pass, where
    /// that says nothing.
    fn only_of(&self, members: &Bits) -> Option<&Feature> {
        let of_operations = self.of_operation.values().filter(|bits| bits.and(members).count() > 0);
        let passing = of_operations.fold(Bits::of(self.judged.len()), |all, bits| {
            all.or(&bits.and(&self.passing))
        });
        if passing.count() < FEW {
            return None;
        }
        let is_common = |at: &usize| {
            self.having[*at].and(members).count() == members.count() && self.having[*at].and(&passing).count() == 0
        };
        (0..self.features.len()).find(is_common).map(|at| &self.features[at])
    }

    /// The change that explains most of these failures.
    fn best_change(&self, failing: &Bits) -> Option<Candidate> {
        /// How many failures it explains at least.
        const FEWEST: usize = 3;
        let mut explained: BTreeMap<ComponentChange, Bits> = BTreeMap::new();
        for at in failing.iter() {
            if let Some(change) = self.judged[at].change.map(ComponentChange::widened) {
                explained.entry(change).or_insert_with(|| Bits::of(self.judged.len())).add(at);
            }
        }
        // What is of the base can have other causes, where more comes of them.
        let is_most = |members: &Bits| {
            let places: BTreeSet<_> = members.iter().map(|at| self.place(at)).collect();
            2 * members.count() >= failing.iter().filter(|at| places.contains(&self.place(*at))).count()
        };
        let explained = explained.into_iter().filter(|(change, members)| !change.is_of_base() || is_most(members));
        let (widened, members) = explained.max_by_key(|(_, members)| members.count())?;
        let exact: BTreeSet<ComponentChange> = members.iter().filter_map(|at| self.judged[at].change).collect();
        let change = exact.first().copied().filter(|_| exact.len() == 1).unwrap_or(widened);
        (members.count() >= FEWEST).then(|| Candidate {
            gain: members.count() as i64,
            change: Some(change),
            features: Vec::new(),
            members,
            passing: 0,
        })
    }

    /// What the members do: by a change, or by one that nearly all of them share, and with something.
    fn title(&self, members: &Bits, (change, with): (Option<ComponentChange>, &str)) -> String {
        let witness = self.sorted(members)[0];
        let JudgedVector { operation, failure, .. } = &self.judged[witness];
        let (failure, direction, differing) = failure.as_ref().expect("a member fails");
        let of_witness = || {
            let own = self.judged[witness].change?;
            let sharing = members.iter().filter(|at| self.judged[*at].change == Some(own)).count();
            (20 * sharing >= 19 * members.count()).then_some(own)
        };
        let change = change.or_else(of_witness);
        // That a port is dropped where there is one says nothing.
        let is_said = |component: Component| with == a(component);
        let with = if change.and_then(ComponentChange::component).is_some_and(is_said) {
            ""
        } else {
            with
        };
        title(failure, *operation, *differing, direction, (change, with))
    }

    fn take(&mut self, title: String, members: &Bits, passing: usize) {
        let sorted = self.sorted(members);
        let failures: Vec<(&'j Vector, &'j Failure)> = sorted
            .iter()
            .filter_map(|at| Some((self.judged[*at].vector, self.judged[*at].failure.as_ref()?.0)))
            .collect();
        self.left = self.left.without(members);
        self.groups.push(FailureGroup {
            title,
            count: FailureCount::of(failures.iter().map(|(_, failure)| *failure)),
            severity: failures
                .iter()
                .map(|(_, failure)| failure.severity)
                .reduce(Severity::min_by_urgency)
                .unwrap_or(failures[0].1.severity),
            clause: failures[0].0.clauses.first().cloned().unwrap_or_default(),
            level: failures.iter().map(|(vector, _)| vector.level).min().unwrap_or(Level::May),
            failures,
            passing,
        });
    }

    /// The places of the members, the witness first.
    fn sorted(&self, members: &Bits) -> Vec<usize> {
        let mut places: Vec<usize> = members.iter().collect();
        let order = |at: &usize| {
            let JudgedVector { vector, failure, .. } = &self.judged[*at];
            (
                failure.as_ref().map(|(failure, ..)| witness_order(vector, failure)),
                *at,
            )
        };
        if let Some(witness) = places.iter().copied().min_by(|one, other| order(one).cmp(&order(other))) {
            places.retain(|at| *at != witness);
            places.insert(0, witness);
        }
        places
    }
}
