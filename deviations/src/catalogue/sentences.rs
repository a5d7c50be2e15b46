//! The sentences of deviations at the stages of parsing.

use super::{Deviation, HostForm, StopPoint};

impl Deviation {
    /// The sentence of a deviation at the stage *reading*; `None` of any other.
    pub(super) fn sentence_of_reading(&self) -> Option<String> {
        Some(match self {
            Deviation::StopsReading { at } => format!(
                "stops reading {}",
                match at {
                    StopPoint::BeforeEmptyPort => "before an empty port",
                    StopPoint::BehindIpv4Address => "after an IPv4 address with which a name begins",
                    StopPoint::BeforeSecondEqualsSign => "before a second equals sign in a pair of the query",
                }
            ),
            Deviation::StopsBeforePortsAbove { limit } => format!("stops reading before a port above {limit}"),
            Deviation::ReadsAuthorityAsPath { form } => format!(
                "reads {} as part of the path",
                match form {
                    HostForm::Empty => "an authority with an empty host",
                    HostForm::CapitalVersionFlag => "an authority with a capital `V`",
                    HostForm::SevenPiecesBeforeElision =>
                        "an authority of an IPv6 address with seven pieces before its elision",
                }
            ),
            Deviation::ReadsBeginning => "reads the longest valid beginning and ignores the rest".to_owned(),
            Deviation::ReadsMissingScheme => "accepts a colon without a scheme".to_owned(),
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
            Deviation::ReadsWrongAuthorityAsPath => "reads a wrong authority as a path",
            Deviation::MisplacesColonInIpv6 => "reads an IPv6 address with a misplaced colon",
            Deviation::TakesZerosInTrailingIpv4 => {
                "accepts zeros before the numbers of an IPv4 address in an IPv6 address"
            }
            Deviation::TakesEmptyPartsOfIpvfuture => "accepts an IPvFuture without version or address",
            Deviation::TakesPlusBeforePort => "accepts a plus sign before a port",
            Deviation::TakesRegistryNames => "accepts any authority of the characters of a registry name",
            Deviation::DropsTruncatedTriplets => "drops a triplet that is cut off",
            Deviation::RefusesColonBeforeFirstSlash => "refuses a colon in a query or fragment with no slash before it",
            Deviation::HoldsNamesInLowerCase => "keeps a registered name in lower case",
            Deviation::HoldsDecoded => "keeps decoded octets",
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
            Deviation::HoldsPortAsNumber => "keeps a port as a number",
            Deviation::HoldsIpv6AsValue => "keeps an IPv6 address as a value",
            Deviation::ReportsCapitalVersionFlagAsIpv6 => "reports an IPvFuture with a capital `V` as an IPv6 address",
            Deviation::RefusesSchemeAlone => "refuses a scheme with nothing after it",
            Deviation::RefusesQueryAlone => "refuses a reference that begins with \"?\"",
            Deviation::RefusesNamesThatAreNoDomains => "refuses a registered name that is no domain name",
            Deviation::RefusesCapitalsInSetScheme => "refuses to set a scheme with a capital letter",
            Deviation::HoldsPathWithoutDotSegments => "keeps a path without its dot-segments",
            _ => return None,
        })
    }
    /// As [`plain_sentence`](Deviation::plain_sentence), of a deviation at the stage *comparison*.
    pub(super) fn plain_sentence_of_comparison(&self) -> Option<&'static str> {
        Some(match self {
            Deviation::ComparesTripletsByDigits => "compares triplets digit by digit",
            Deviation::ComparesWithDotSegmentsRemovedFirst => {
                "removes dot-segments before it decodes triplets when it compares"
            }
            Deviation::ComparesRootlessPathsRootless => "compares a rootless path as rootless without its dot-segments",
            Deviation::DropsEmptyFirstSegmentsInComparison => {
                "drops empty segments after the first dot-segments when it compares"
            }
            Deviation::CountsEmptySegmentInComparison => "compares \"/\" and \"/./\" as different paths",
            Deviation::ComparesPathsWithoutRoot => "compares paths without the slash at their beginning",
            Deviation::SeparatesKindsOfHosts => "compares an IPv4 address and its encoded form as different hosts",
            Deviation::ComparesHostsByTheirOctets => "compares hosts by their octets",
            Deviation::ComparesDecoded => "compares components with every triplet decoded",
            Deviation::ReadsOverlongInComparison => "compares overlong UTF-8 as its character",
            Deviation::OrdersByText => "orders by text what is equal by a normal form",
            Deviation::PanicsComparingOctets { .. } => "panics when it compares octets that are not UTF-8",
            _ => return None,
        })
    }
}
