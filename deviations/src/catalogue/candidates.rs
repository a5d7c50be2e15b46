//! The deviations that are tried where it is not known what a library does.

use uriproof::model::Component;

use super::{BaseForm, Deviation, DotsOf, GuardedForm, HostForm, StopPoint, UrlDeparture};
use crate::stages::{NormalizationStep, RelativizingStep};
use crate::url_rules::UrlRule;

const STEPS: [NormalizationStep; 8] = [
    NormalizationStep::Decode,
    NormalizationStep::Lowercase,
    NormalizationStep::Uppercase,
    NormalizationStep::Dots,
    NormalizationStep::Root,
    NormalizationStep::Port,
    NormalizationStep::DefaultHost,
    NormalizationStep::Mailboxes,
];

/// Every deviation whose parameters do not come from the library: with each of their values that is likely. Those that panic have a place,
/// and are not among them.
pub(crate) fn candidates() -> Vec<Deviation> {
    let mut candidates = PLAIN.to_vec();
    for component in Component::TEXTS {
        let components = vec![component];
        candidates.extend([
            Deviation::TakesCharacters {
                components: components.clone(),
                characters: None,
            },
            Deviation::ComposesCharacters {
                components: components.clone(),
            },
            Deviation::ComposesUnchecked { components },
            Deviation::RefusesWithout { component },
            Deviation::RefusesWith { component },
        ]);
    }
    let all = || Component::TEXTS.to_vec();
    candidates.extend([
        Deviation::TakesCharacters {
            components: all(),
            characters: None,
        },
        Deviation::ComposesCharacters { components: all() },
        Deviation::ComposesUnchecked { components: all() },
        Deviation::HoldsSchemesInLowerCase { schemes: None },
        Deviation::ReturnsReferenceOfUnknownScheme {
            schemes: vec!["x".to_owned()],
        },
    ]);
    let empty = [Component::Userinfo, Component::Host, Component::Port];
    candidates.extend(empty.map(|component| Deviation::RefusesEmpty { component }));
    let limits = [65_535, 99_999, 32_767, 2_147_483_647, 4_294_967_295];
    candidates.extend(limits.map(|limit| Deviation::RefusesPortsAbove { limit }));
    candidates.extend(limits.map(|limit| Deviation::StopsBeforePortsAbove { limit }));
    candidates.extend(UrlDeparture::ALL.iter().map(|&by| Deviation::DepartsFromUrlStandard { by }));
    candidates.extend(UrlRule::ALL.map(|rule| Deviation::FollowsUrlRule { rule }));
    candidates.extend(of_forms());
    candidates.extend(steps_left_out());
    candidates
}

/// Those whose parameter is one of a few forms, places or steps.
fn of_forms() -> Vec<Deviation> {
    let mut candidates = Vec::new();
    let stops = [
        StopPoint::BeforeEmptyPort,
        StopPoint::BehindIpv4Address,
        StopPoint::BeforeSecondEqualsSign,
    ];
    candidates.extend(stops.map(|at| Deviation::StopsReading { at }));
    let hosts = [
        HostForm::Empty,
        HostForm::CapitalVersionFlag,
        HostForm::SevenPiecesBeforeElision,
    ];
    candidates.extend(hosts.map(|form| Deviation::ReadsAuthorityAsPath { form }));
    let bases = [BaseForm::Relative, BaseForm::WithFragment];
    candidates.extend(bases.map(|form| Deviation::RefusesBase { form }));
    let dots = [
        DotsOf::RootlessPaths,
        DotsOf::RelativePaths,
        DotsOf::ReferencesWithScheme,
        DotsOf::ReferencesWithAuthority,
        DotsOf::AbsolutePathReferences,
    ];
    candidates.extend(dots.map(|of| Deviation::KeepsDotSegments { of }));
    let forms = [GuardedForm::Colon, GuardedForm::DoubleSlash, GuardedForm::RootlessPath];
    candidates.extend(forms.map(|form| Deviation::WritesUnguarded { form }));
    let steps = [
        RelativizingStep::OtherRoot,
        RelativizingStep::SharedFolder,
        RelativizingStep::Climb,
    ];
    candidates.extend(steps.map(|step| Deviation::RelativizesUnchecked { step }));
    candidates
}

/// Steps of normalization that are left out, in a component or in all.
fn steps_left_out() -> impl Iterator<Item = Deviation> {
    let places = || Component::TEXTS.map(|component| Some(vec![component])).into_iter().chain([None]);
    let pairs = STEPS.into_iter().flat_map(move |step| places().map(move |components| (step, components)));
    pairs.flat_map(|(step, components)| {
        let in_comparison = Deviation::LeavesOutOfComparison {
            step,
            components: components.clone(),
        };
        [Deviation::LeavesOut { step, components }, in_comparison]
    })
}

/// Those without parameters.
const PLAIN: &[Deviation] = &[
    Deviation::FollowsUrlStandard,
    Deviation::ReadsBeginning,
    Deviation::ReadsMissingScheme,
    Deviation::ReadsPasswordAsHost,
    Deviation::ReadsWrongAuthorityAsPath,
    Deviation::MisplacesColonInIpv6,
    Deviation::TakesZerosInTrailingIpv4,
    Deviation::TakesEmptyPartsOfIpvfuture,
    Deviation::TakesPlusBeforePort,
    Deviation::TakesRegistryNames,
    Deviation::DropsTruncatedTriplets,
    Deviation::ComposesMissingScheme,
    Deviation::RootsPathBehindAuthority,
    Deviation::RootsEmptyPathBehindNewAuthority,
    Deviation::ComposesColonInFirstSegment,
    Deviation::JoinsRootlessPathToAuthority,
    Deviation::RefusesIpvfuture,
    Deviation::RefusesIpLiterals,
    Deviation::RefusesIpv4AddressInName,
    Deviation::RefusesCapitalVersionFlag,
    Deviation::RefusesColonBeforeFirstSlash,
    Deviation::RefusesColonBehindFirstSlash,
    Deviation::RefusesSchemeAlone,
    Deviation::RefusesQueryAlone,
    Deviation::RefusesNamesThatAreNoDomains,
    Deviation::RefusesCapitalsInSetScheme,
    Deviation::HoldsRootForEmptyPath,
    Deviation::HoldsPortAsNumber,
    Deviation::HoldsIpv6AsValue,
    Deviation::HoldsNamesInLowerCase,
    Deviation::HoldsDecoded,
    Deviation::HoldsPathWithoutDotSegments,
    Deviation::ReportsCapitalVersionFlagAsIpv6,
    Deviation::RefusesRootlessBase,
    Deviation::RefusesDoubleSlash,
    Deviation::RefusesDotDotAgainstRelativePath,
    Deviation::LosesEmptySegmentInMerge,
    Deviation::RemovesDotSegmentsOfBase,
    Deviation::MergesBehindDotDot,
    Deviation::ClimbsInMerge,
    Deviation::KeepsOnlySegmentInMerge,
    Deviation::LosesRootOfBase,
    Deviation::KeepsRootlessPathsRootless,
    Deviation::KeepsDotSegmentsOfBase,
    Deviation::LosesRoot,
    Deviation::LosesSlashBehindOnlySegment,
    Deviation::DropsEmptySegments,
    Deviation::CountsDotSegments,
    Deviation::RefusesDoubleSlashAmongDots,
    Deviation::GuardsDoubleSlash,
    Deviation::HoldsPathBehindDotsForRootless,
    Deviation::GuardsMergedPath,
    Deviation::NormalizesToDoubleSlash,
    Deviation::ComposesAsGiven,
    Deviation::WritesHostByItsOctets,
    Deviation::EncodesPlusInQuery,
    Deviation::NormalizesRelativeReferences,
    Deviation::OmitsEmptyPort,
    Deviation::NormalizesDotSegmentsOnly,
    Deviation::DecodesHostLast,
    Deviation::KeepsCaseOfEncodedHost,
    Deviation::NormalizesAbsolutePathsOnly,
    Deviation::CanonicalIpv6,
    Deviation::ComparesTripletsByDigits,
    Deviation::ComparesWithDotSegmentsRemovedFirst,
    Deviation::ComparesRootlessPathsRootless,
    Deviation::DropsEmptyFirstSegmentsInComparison,
    Deviation::CountsEmptySegmentInComparison,
    Deviation::ComparesPathsWithoutRoot,
    Deviation::SeparatesKindsOfHosts,
    Deviation::ComparesHostsByTheirOctets,
    Deviation::ComparesDecoded,
    Deviation::ReadsOverlongInComparison,
    Deviation::OrdersByText,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_deviation_is_a_candidate_unless_it_has_a_place() {
        let id = |deviation: &Deviation| serde_json::to_value(deviation).unwrap()["id"].as_str().unwrap().to_owned();
        let tried: BTreeSet<String> = candidates().iter().map(id).collect();
        let unknown = serde_json::from_str::<Deviation>(r#"{"id": ""}"#).unwrap_err().to_string();
        let known = unknown.split('`').skip(3).step_by(2);
        let missing: Vec<&str> = known.filter(|id| !tried.contains(*id)).collect();
        assert!(tried.len() > 70 && !missing.is_empty());
        assert!(missing.iter().all(|id| id.starts_with("panics-")), "{missing:?}");
    }
}
