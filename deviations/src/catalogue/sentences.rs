//! The sentences of deviations at the stages of parsing.

use uriproof::model::Component;

use super::{Deviation, HostForm, StopPoint};
use crate::stages::NormalizationStep;

impl Deviation {
    /// The sentence of a deviation at the stages *standard*, where it departs, and *reading*; `None` of any other.
    pub(super) fn sentence_of_reading(&self) -> Option<String> {
        Some(match self {
            Deviation::DepartsFromUrlStandard { by } => by.sentence().to_owned(),
            Deviation::FollowsUrlRule { rule } => format!("follows the URL Standard: {}", rule.row().rule),
            Deviation::StopsReading { at } => format!(
                "stops reading {}",
                match at {
                    StopPoint::BeforeEmptyPort => "before an empty port",
                    StopPoint::BehindIpv4Address => "after an IPv4 address with which a registered name begins",
                    StopPoint::BeforeSecondEqualsSign => "before a second equals sign in a pair of the query",
                }
            ),
            Deviation::StopsBeforePortsAbove { limit } => format!("stops reading before a port above {limit}"),
            Deviation::ReadsAuthorityAsPath { form } => format!(
                "reads {} as part of the path",
                match form {
                    HostForm::Empty => "an authority with an empty host",
                    HostForm::CapitalVersionFlag => "an authority whose IPvFuture has a capital `V`",
                    HostForm::SevenPiecesBeforeElision =>
                        "an authority whose IPv6 address has seven groups before `::`",
                }
            ),
            Deviation::ReadsBeginning => "reads the longest valid beginning and ignores the rest".to_owned(),
            Deviation::ReadsMissingScheme => "accepts a colon with no scheme before it".to_owned(),
            Deviation::ReadsPasswordAsHost => {
                "reads a userinfo with an empty password or two colons as the host".to_owned()
            }
            _ => return None,
        })
    }

    /// As [`plain_sentence`](Deviation::plain_sentence), of a deviation at a stage of parsing.
    pub(super) fn plain_sentence_of_parsing(&self) -> Option<&'static str> {
        Some(match self {
            Deviation::FollowsUrlStandard => "follows the WHATWG URL Standard",
            Deviation::ReadsWrongAuthorityAsPath => "reads an invalid authority as the beginning of the path",
            Deviation::MisplacesColonInIpv6 => "accepts `[:1::]` as an IPv6 address, and refuses `[1::]`",
            Deviation::TakesZerosInTrailingIpv4 => "accepts leading zeros in an IPv4 address that ends an IPv6 address",
            Deviation::TakesEmptyPartsOfIpvfuture => "accepts an IPvFuture without version or address",
            Deviation::TakesPlusBeforePort => "accepts a plus sign before a port",
            Deviation::TakesRegistryNames => "accepts any authority that RFC 2396 allows as a registry name",
            Deviation::DropsTruncatedTriplets => "drops a percent-encoding that is cut off, such as `%4`",
            Deviation::RefusesColonBeforeFirstSlash => "refuses a colon in a query or fragment with no slash before it",
            Deviation::HoldsNamesInLowerCase => "changes a registered name to lower case when it parses",
            Deviation::HoldsDecoded => "decodes percent-encoded octets when it parses",
            Deviation::RefusesIpvfuture => "refuses IPvFuture",
            Deviation::RefusesIpLiterals => "refuses addresses in brackets",
            Deviation::RefusesIpv4AddressInName => "refuses a name that begins with an IPv4 address",
            Deviation::RefusesCapitalVersionFlag => "refuses an IPvFuture with a capital `V`",
            Deviation::RefusesColonBehindFirstSlash => {
                "refuses a colon in the first segment of an absolute path without an authority"
            }
            Deviation::PanicsOnColonInFirstSegment { .. } => {
                "panics on a relative reference with a colon in its first segment"
            }
            Deviation::HoldsRootForEmptyPath => "reads an empty path after an authority as \"/\"",
            Deviation::HoldsPortAsNumber => "keeps a port as a number, without leading zeros",
            Deviation::HoldsIpv6AsValue => "keeps an IPv6 address as a number, and prints its canonical form",
            Deviation::ReportsCapitalVersionFlagAsIpv6 => "reports an IPvFuture with a capital `V` as an IPv6 address",
            Deviation::RefusesSchemeAlone => "refuses a scheme with nothing after it",
            Deviation::RefusesQueryAlone => "refuses a reference that begins with \"?\"",
            Deviation::RefusesNamesThatAreNoDomains => "refuses a registered name that is no domain name",
            Deviation::RefusesCapitalsInSetScheme => "refuses to set a scheme with a capital letter",
            Deviation::HoldsPathWithoutDotSegments => "removes the dot-segments of a path when it parses",
            _ => return None,
        })
    }
    /// As [`plain_sentence`](Deviation::plain_sentence), of a deviation at the stage *comparison*.
    pub(super) fn plain_sentence_of_comparison(&self) -> Option<&'static str> {
        Some(match self {
            Deviation::ComparesTripletsByDigits => "compares `%aa` and `%AA` as different, except in a host",
            Deviation::ComparesWithDotSegmentsRemovedFirst => {
                "removes dot-segments before it decodes triplets when it compares"
            }
            Deviation::ComparesRootlessPathsRootless => "keeps a path rootless when it removes dot-segments to compare",
            Deviation::DropsEmptyFirstSegmentsInComparison => {
                "drops empty segments after leading dot-segments when it compares"
            }
            Deviation::CountsEmptySegmentInComparison => "compares \"/\" and \"/./\" as different paths",
            Deviation::ComparesPathsWithoutRoot => "ignores the slash at the beginning of a path when it compares",
            Deviation::SeparatesKindsOfHosts => "compares an IPv4 address and its encoded form as different hosts",
            Deviation::ComparesHostsByTheirOctets => "ignores the brackets of a host when it compares",
            Deviation::ComparesDecoded => "decodes every percent-encoded octet when it compares, also delimiters",
            Deviation::ReadsOverlongInComparison => "compares an overlong UTF-8 encoding as the same as its character",
            Deviation::OrdersByText => "orders URIs by their text, though equality compares normal forms",
            Deviation::PanicsComparingOctets { .. } => "panics when it compares octets that are not UTF-8",
            _ => return None,
        })
    }
}

/// A step, and in which components.
pub(super) fn step_in(step: NormalizationStep, components: Option<&[Component]>) -> String {
    match components {
        Some(components) => format!("{} in {}", step.words(), names(components)),
        None => step.words().to_owned(),
    }
}

pub(super) fn names(components: &[Component]) -> String {
    let names: Vec<&str> = components.iter().map(|component| component.name()).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}
