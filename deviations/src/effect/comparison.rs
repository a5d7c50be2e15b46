//! The stages *comparison* and *relativization*: what becomes of two values.

use uriproof::model::Contract;

use crate::catalogue::Deviation;
use crate::reading::is_truncated_triplet;
use crate::stages::{ComparisonRules, NormalizationStep, Parts, RelativizingStep};

impl Deviation {
    /// Stage *comparison*: changes how values are compared for equality.
    pub(crate) fn rules_comparison<'d>(&'d self, rules: &mut ComparisonRules<'d>) {
        match self {
            Deviation::LeavesOutOfComparison { step, components } => {
                rules.left_out.push((*step, components.as_deref()));
            }
            Deviation::ComparesTripletsByDigits => {
                rules.compares_digits = true;
                rules.left_out.push((NormalizationStep::Decode, None));
                rules.left_out.push((NormalizationStep::Uppercase, None));
            }
            Deviation::ComparesWithDotSegmentsRemovedFirst => rules.removes_dots_first = true,
            Deviation::ComparesRootlessPathsRootless => rules.keeps_rootless = true,
            Deviation::DropsEmptyFirstSegmentsInComparison => rules.drops_empty_first = true,
            Deviation::CountsEmptySegmentInComparison => rules.counts_empty_segment = true,
            Deviation::ComparesPathsWithoutRoot => rules.ignores_root = true,
            Deviation::SeparatesKindsOfHosts => rules.separates_kinds = true,
            Deviation::ComparesHostsByTheirOctets => rules.compares_host_octets = true,
            Deviation::ComparesDecoded => rules.decodes = true,
            Deviation::ReadsOverlongInComparison => rules.reads_overlong = true,
            Deviation::PanicsComparingOctets { place } => rules.panics = Some(place),
            _ => {}
        }
    }

    /// Stage *comparison*: whether it holds two values for different, of which these are the parts as they were parsed, though it holds
    /// the same of both.
    pub(crate) fn separates(&self, left: &Parts<'_>, right: &Parts<'_>) -> bool {
        match self {
            Deviation::DropsTruncatedTriplets => {
                // Of "/" one empty segment is held, of "/%" two.
                let has_two = |parts: &Parts<'_>| parts.path.strip_prefix('/').is_some_and(is_truncated_triplet);
                has_two(left) != has_two(right)
            }
            _ => false,
        }
    }

    /// Stage *relativization*: whether it writes what this step makes, wherever it leads.
    pub(crate) fn relativizes_unchecked(&self, step: RelativizingStep) -> bool {
        matches!(self, Deviation::RelativizesUnchecked { step: own } if *own == step)
    }

    /// Stage *comparison*: the contract that two values break, which are equal or not.
    pub(crate) fn breaks(&self, left: &Parts<'_>, right: &Parts<'_>, are_equal: bool) -> Option<Contract> {
        match self {
            Deviation::OrdersByText => {
                let is_order_equal = with_lowercase_scheme(left) == with_lowercase_scheme(right);
                (are_equal && !is_order_equal).then_some(Contract::Order)
            }
            _ => None,
        }
    }
}

fn with_lowercase_scheme<'a>(parts: &Parts<'a>) -> Parts<'a> {
    Parts {
        scheme: parts.scheme.as_ref().map(|scheme| scheme.to_ascii_lowercase().into()),
        ..parts.clone()
    }
}
