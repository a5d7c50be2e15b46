//! Why a component counts as the same, though its letters are not those that are expected.

use super::components::unless_all_the_same;
use super::policy::same_component;
use crate::model::{Component, Declaration, Fidelity, Observed};

/// Why a component of an answer that agrees counts as the same, though its letters are not those that are expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SameBy {
    /// The subject reports it only as exactly as this.
    Fidelity(Fidelity),
    /// The subject shows normal forms ([`Forms::Normalized`](crate::model::Forms::Normalized)), so both are compared in theirs.
    NormalForm,
}

/// Returns the components of an answer that agrees whose letters are not those that are expected, each with the reason why it counts as
/// the same.
pub fn same_by(declaration: &Declaration, expected: &Observed, observed: &Observed) -> Vec<(Component, SameBy)> {
    let other_letters = unless_all_the_same(expected, observed).unwrap_or_default();
    let reason = |component| {
        let fidelity = declaration.fidelity(component).unwrap_or(Fidelity::Exact);
        match same_component(fidelity, component, expected.text(component), observed.text(component)) {
            true => SameBy::Fidelity(fidelity),
            false => SameBy::NormalForm,
        }
    };
    other_letters.iter().map(|component| (component, reason(component))).collect()
}
