//! The groups of several entry points in one table: what is wrong in several of them is one group.

use std::collections::{BTreeMap, BTreeSet};

use super::FailureGroup;
use super::order::witness_order;

/// A group of failures of several entry points.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SharedGroup<'j> {
    /// The group: each vector once, the witness of all entry points first. Its count is the sum of those of the entry points.
    pub group: FailureGroup<'j>,
    /// Where it shows: the place of each entry point among those that are compared, and of the group among its groups.
    pub places: Vec<(usize, usize)>,
}

impl<'j> SharedGroup<'j> {
    /// The groups of entry points, the worst first. Groups with one id are one group. Of one entry point these are its groups, in their order.
    pub fn of(entry_points: &[&[FailureGroup<'j>]]) -> Vec<SharedGroup<'j>> {
        let mut places: BTreeMap<(String, usize), Vec<(usize, usize)>> = BTreeMap::new();
        for (entry_point, groups) in entry_points.iter().enumerate() {
            let mut seen: BTreeMap<String, usize> = BTreeMap::new();
            for (at, group) in groups.iter().enumerate() {
                // Two groups of an entry point stay two, whatever they are called.
                let nth = seen.entry(group.id()).or_default();
                places.entry((group.id(), *nth)).or_default().push((entry_point, at));
                *nth += 1;
            }
        }
        let mut places: Vec<Vec<(usize, usize)>> = places.into_values().collect();
        places.sort();
        let shared = places.into_iter().map(|places| {
            let groups: Vec<&FailureGroup<'j>> =
                places.iter().map(|&(entry_point, at)| &entry_points[entry_point][at]).collect();
            let mut group = merged(&groups);
            group.count = group.count.among(entry_points.len());
            SharedGroup { group, places }
        });
        let mut shared: Vec<SharedGroup<'j>> = shared.collect();
        shared.sort_by(|one, other| one.group.order().cmp(&other.group.order()));
        shared
    }
}

/// One group of these.
fn merged<'j>(groups: &[&FailureGroup<'j>]) -> FailureGroup<'j> {
    if let [one] = groups {
        return (*one).clone();
    }
    let mut ids = BTreeSet::new();
    let failures = groups.iter().flat_map(|group| &group.failures).copied();
    let mut failures: Vec<_> = failures.filter(|(vector, _)| ids.insert(&*vector.id)).collect();
    let order = |group: &&&FailureGroup<'j>| {
        let (vector, failure) = group.witness();
        witness_order(vector, failure)
    };
    let worst = groups.iter().min_by_key(order).expect("there are several groups");
    let witness = worst.witness();
    failures.retain(|(vector, _)| vector.id != witness.0.id);
    failures.insert(0, witness);
    FailureGroup {
        title: worst.title.clone(),
        severity: groups.iter().fold(worst.severity, |severity, group| {
            severity.min_by_urgency(group.severity)
        }),
        clause: worst.clause.clone(),
        level: groups.iter().map(|group| group.level).min().unwrap_or(worst.level),
        failures,
        // What passes in one entry point may fail in another.
        passing: 0,
        count: groups.iter().map(|group| group.count).sum(),
    }
}
