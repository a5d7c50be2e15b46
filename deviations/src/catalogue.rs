//! The catalogue: every deviation, with its parameters and its sentence. Where each acts is in [`effect`](crate::effect).

mod candidates;
mod parameters;
mod sentences;
mod url_standard;

use serde::{Deserialize, Serialize};
use uriproof::model::Component;

pub(crate) use self::candidates::candidates;
pub use self::parameters::{Argument, BaseForm, DotsOf, GuardedForm, HostForm, StopPoint};
use self::sentences::{names, step_in};
pub use self::url_standard::UrlDeparture;
use crate::stages::{NormalizationStep, RelativizingStep};
use crate::url_rules::UrlRule;

/// What a library does otherwise than RFC 3986: one statement, at one stage.
///
/// Its id is the name of the variant in lower-kebab case. Ids are a contract: profiles and baselines name them. An id that is given
/// up is listed in [`RETIRED`] with its successor.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(
    tag = "id",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
#[non_exhaustive]
pub enum Deviation {
    // Stage: standard. Which specification is followed.
    /// Follows the WHATWG URL Standard: no stage of RFC 3986 acts.
    FollowsUrlStandard,
    /// Does one thing otherwise than the WHATWG URL Standard, which it follows.
    DepartsFromUrlStandard {
        /// What it does.
        by: UrlDeparture,
    },
    /// Follows one rule in which the WHATWG URL Standard differs from RFC 3986, when it parses a URI: beside such rules nothing else acts.
    FollowsUrlRule {
        /// Which one.
        rule: UrlRule,
    },

    // Stage: reading. Which beginning of a text is read.
    /// Reads the longest beginning that is a URI, part by part, and ignores the rest (§3).
    ReadsBeginning,
    /// Stops reading at a place where more of the URI follows, and ignores the rest (§3).
    StopsReading {
        /// The place.
        at: StopPoint,
    },
    /// Stops reading before a port that is a greater number, and ignores the rest (§3.2.3).
    StopsBeforePortsAbove {
        /// The greatest port that is read.
        limit: u64,
    },
    /// Reads an empty scheme before a colon at the beginning, and reports none (§3.1).
    ReadsMissingScheme,
    /// Reads no userinfo whose password is empty or has a colon: the host begins in its place (§3.2.1).
    ReadsPasswordAsHost,
    /// Reads the two slashes before an authority of this form as the beginning of the path, which ends before a character that no path
    /// has; the rest is ignored (§3.3).
    ReadsAuthorityAsPath {
        /// The form of its host.
        form: HostForm,
    },

    // Stage: split. Which parts a text has.
    /// Reads a wrong authority as the beginning of the path, if it has the characters of a path only (§3.3).
    ReadsWrongAuthorityAsPath,

    // Stage: faults. What is taken though it is wrong.
    /// Takes characters that the rule of a component does not have.
    TakesCharacters {
        /// In which components.
        components: Vec<Component>,
        /// Which ones; without it, all.
        #[serde(skip_serializing_if = "Option::is_none")]
        characters: Option<String>,
    },

    /// Takes an IPv6 address with one more colon before the last group before the `::`, and refuses it without that colon (§3.2.2).
    MisplacesColonInIpv6,
    /// Takes zeros before the numbers of an IPv4 address at the end of an IPv6 address (§3.2.2).
    TakesZerosInTrailingIpv4,
    /// Takes an IPvFuture without a version or without an address (§3.2.2).
    TakesEmptyPartsOfIpvfuture,
    /// Takes a plus sign before a port (§3.2.3).
    TakesPlusBeforePort,
    /// Takes any authority of the characters of a registry name by RFC 2396, among them ":" and "@" (§3.2).
    TakesRegistryNames,
    /// Takes a triplet that is cut off at the end of a path segment, a userinfo, a query or a fragment, and drops it (§2.1). A path that
    /// is a slash and such a triplet is not equal to "/": two empty segments are left of it.
    DropsTruncatedTriplets,

    /// Puts characters into what it composes that the rule of a component does not have, and a "%" that begins no triplet (§5.3).
    ComposesCharacters {
        /// In which components.
        components: Vec<Component>,
    },

    /// Composes components, whatever they contain (§5.3).
    ComposesUnchecked {
        /// Which components.
        components: Vec<Component>,
    },
    /// Composes a colon for a scheme that is undefined (§5.3).
    ComposesMissingScheme,
    /// Puts a slash before a path that is composed behind an authority and has none (§3.3).
    RootsPathBehindAuthority,
    /// Puts a slash in the place of an empty path where a host is set and there was no authority (§3.3).
    RootsEmptyPathBehindNewAuthority,
    /// Writes a relative reference whose first segment has a colon, but behind what is no scheme (§4.2).
    ComposesColonInFirstSegment,
    /// Writes a path that does not begin with a slash behind an authority, if the text that results is valid (§3.3).
    JoinsRootlessPathToAuthority,

    // Stage: verdict. What is refused though it is right.
    /// Refuses an IPvFuture (§3.2.2).
    RefusesIpvfuture,
    /// Refuses an IP-literal of either kind (§3.2.2).
    RefusesIpLiterals,
    /// Refuses a port that is a greater number (§3.2.3).
    RefusesPortsAbove {
        /// The greatest port that is taken.
        limit: u64,
    },
    /// Refuses an authority whose component is empty (§3.2.1, §3.2.2).
    RefusesEmpty {
        /// Which component: `userinfo`, `host` or `port`.
        component: Component,
    },
    /// Refuses a registered name whose longest beginning of digits and dots is an IPv4 address (§3.2.2).
    RefusesIpv4AddressInName,
    /// Refuses an IPvFuture whose version flag is a capital letter (§3.2.2).
    RefusesCapitalVersionFlag,
    /// Refuses a relative reference that has a colon in its query or fragment and no slash before it (§4.1).
    RefusesColonBeforeFirstSlash,
    /// Refuses a path that begins with a slash and has a colon in its first segment, behind neither scheme nor authority (§3.3). One
    /// that is left when an authority is removed is taken.
    RefusesColonBehindFirstSlash,
    /// Panics instead of refusing a relative reference whose first segment has a colon.
    PanicsOnColonInFirstSegment {
        /// File and line of the panic.
        place: String,
    },
    /// Refuses a URI whose scheme has nothing behind it but a fragment (§3).
    RefusesSchemeAlone,
    /// Refuses a relative reference that begins with its query (§4.2).
    RefusesQueryAlone,
    /// Refuses a URI in which this component is undefined (§3).
    RefusesWithout {
        /// Which component.
        component: Component,
    },
    /// Refuses a URI in which this component is defined, even if it is empty (§3).
    RefusesWith {
        /// Which component.
        component: Component,
    },
    /// Refuses a registered name that is no domain name: labels of at most 63 letters, digits and inner hyphens, 253 characters in all
    /// (§3.2.2).
    RefusesNamesThatAreNoDomains,
    /// Refuses a scheme with a capital letter that is composed or set, though one that is parsed is taken (§3.1).
    RefusesCapitalsInSetScheme,

    // Stage: held. In which form the parts are kept, for every operation.
    /// Keeps "/" for an empty path behind an authority (§6.2.3).
    HoldsRootForEmptyPath,
    /// Keeps a port as a number: without zeros before it, and none for an empty one (§3.2.3).
    HoldsPortAsNumber,
    /// Keeps an IPv6 address as a value, and writes it as RFC 5952 has it (§3.2.2).
    HoldsIpv6AsValue,
    /// Keeps schemes in lower case (§3.1).
    HoldsSchemesInLowerCase {
        /// Which ones; without it, all.
        #[serde(skip_serializing_if = "Option::is_none")]
        schemes: Option<Vec<String>>,
    },

    /// Keeps a registered name in lower case (§3.2.2).
    HoldsNamesInLowerCase,
    /// Keeps the octets that triplets stand for, and writes those as characters that the rule of the component has (§2.2).
    HoldsDecoded,
    /// Keeps a path without its dot-segments (§6.2.2.3).
    HoldsPathWithoutDotSegments,

    // Stage: shown. What is reported of the parts.
    /// Reports an IPvFuture whose version flag is a capital letter as an IPv6 address (§3.2.2).
    ReportsCapitalVersionFlagAsIpv6,

    // Stage: branch. What is refused though both are right.
    /// Panics on an argument of resolution that is wrong only in its authority, if that could be a path, or in an IPv6 address with a
    /// misplaced colon.
    PanicsOnMisreadArgument {
        /// Which argument.
        argument: Argument,
        /// File and line of the panic.
        place: String,
    },
    /// Refuses a base of this form (§5.2.1).
    RefusesBase {
        /// Its form.
        form: BaseForm,
    },
    /// Refuses a base with neither authority nor an absolute path, unless the reference has a scheme, is empty, or is a fragment
    /// alone (§5.2.1).
    RefusesRootlessBase,
    /// Refuses a target without authority whose path begins with "//" (§5.3). It conforms.
    RefusesDoubleSlash,
    /// Refuses a base that is a relative path where a ".." would leave it (§5.2.1). It conforms.
    RefusesDotDotAgainstRelativePath,

    /// Panics on a target without authority whose path begins with "//" (§5.3).
    PanicsOnDoubleSlash {
        /// File and line of the panic.
        place: String,
    },

    // Stage: merge.
    /// Loses the empty segment of a base path that begins with "//", if nothing else is kept of it (§5.2.3).
    LosesEmptySegmentInMerge,
    /// Removes the dot-segments of the base's path too, where the reference has none, and writes "/." before a path that begins with
    /// "//" then (§5.2.2). It conforms.
    RemovesDotSegmentsOfBase,
    /// Merges with a base path that ends in "/.." as if it ended in "/../", as erratum 4789 has it (§5.2.3). It conforms.
    MergesBehindDotDot,
    /// Writes ".." behind a base path that is empty or whose last segment is "..", encoded or not, instead of removing the last
    /// segment (§5.2.3).
    ClimbsInMerge,
    /// Panics on a base path whose last segment begins like "..", encoded or not, up to an octet that is not UTF-8 (§2.1).
    PanicsMergingOctets {
        /// File and line of the panic.
        place: String,
    },

    /// Keeps the only segment of a base path in the merge, instead of all but the last (§5.2.3).
    KeepsOnlySegmentInMerge,
    /// Loses the slash of a base path that is "/" alone, behind no authority (§5.2.3).
    LosesRootOfBase,
    /// Returns the reference as it is where the base has a scheme that the library does not know, unless the reference is empty (§5.2.2).
    ReturnsReferenceOfUnknownScheme {
        /// The schemes that it does not know, in lower case: a scheme that is not among them is resolved.
        schemes: Vec<String>,
    },

    // Stage: dots.
    /// Keeps the dot-segments of the path (§5.2.4).
    KeepsDotSegments {
        /// Where.
        of: DotsOf,
    },
    /// Removes the dot-segments of a rootless path in a target so that it stays rootless, and keeps a ".." with no segment before it
    /// (§5.2.4).
    KeepsRootlessPathsRootless,
    /// Keeps the dot-segments of what §5.2.3 takes from the base's path (§5.2.4).
    KeepsDotSegmentsOfBase,
    /// Removes the root with a `..` that finds no segment left, behind no authority (§5.2.4).
    LosesRoot,
    /// Removes the slash behind a `..` with the only segment of a rootless path (§5.2.4).
    LosesSlashBehindOnlySegment,
    /// Drops an empty segment behind an empty segment, the root or a dot-segment (§5.2.4).
    DropsEmptySegments,
    /// Counts dot-segments, and removes them only if the counts are not zero, then encoded ones too (§5.2.4). A path that is parsed has
    /// those that are spelled in full; what a merge drops of the base and appends of the reference counts by what it decodes to.
    CountsDotSegments,
    /// Refuses a path that begins with "//" behind no authority when a dot-segment is removed, though a later one ends that (§5.2.4).
    RefusesDoubleSlashAmongDots,
    /// Panics on a path that begins with "//" behind no authority when a dot-segment is removed, though a later one ends that (§5.2.4).
    PanicsOnDoubleSlashAmongDots {
        /// File and line of the panic.
        place: String,
    },

    // Stage: target.
    /// Writes "/." before a path that begins with "//" behind no authority, in a target or a normal form (§3.3). It conforms.
    GuardsDoubleSlash,
    /// Holds a path for rootless that begins with a slash once the dot-segments at its beginning are removed, and does not panic on it
    /// in a target (§5.2.4). It conforms.
    HoldsPathBehindDotsForRootless,
    /// Writes "/." before a merged path that begins with "//", and "./" before one whose first segment looks like a scheme, where an
    /// authority or a scheme is before it (§5.2.3).
    GuardsMergedPath,
    /// Writes a normal form, or the path of a base without its dot-segments, that begins with "//" behind no authority (§6.2.2.3).
    NormalizesToDoubleSlash,

    /// Writes a path in a form that is read in another way (§3.3, §4.2).
    WritesUnguarded {
        /// The form.
        form: GuardedForm,
    },
    /// Writes what is composed or changed as it is given, and does not bring it into the form that it keeps. It conforms.
    ComposesAsGiven,

    // Stage: written. What every operation writes.
    /// Writes a host by its octets: in brackets and lower case if they are those of an IPv6 address, else as a registered name (§3.2.2).
    WritesHostByItsOctets,
    /// Writes a "+" of a query as its triplet (§2.2).
    EncodesPlusInQuery,

    // Stage: steps of normalization.
    /// Normalizes a relative reference as if it were a URI (§5.2.1).
    NormalizesRelativeReferences,
    /// Removes an empty port by the steps of §6.2.2 already (§3.2.3). It conforms.
    OmitsEmptyPort,
    /// Leaves every step of normalization out but the removal of dot-segments (§6.2.2, §6.2.3).
    NormalizesDotSegmentsOnly,
    /// Leaves a step of normalization out (§6.2.2, §6.2.3).
    LeavesOut {
        /// The step.
        step: NormalizationStep,
        /// In which components; without it, in all.
        #[serde(skip_serializing_if = "Option::is_none")]
        components: Option<Vec<Component>>,
    },
    /// Decodes the triplets of a host after its letters are put in lower case (§6.2.2.1, §6.2.2.2).
    DecodesHostLast,
    /// Leaves the letters of a host in their case that has a triplet of an octet above 7F (§6.2.2.1).
    KeepsCaseOfEncodedHost,
    /// Keeps the dot-segments of a path that does not begin with a slash (§6.2.2.3).
    NormalizesAbsolutePathsOnly,
    /// Writes an IPv6 address as RFC 5952 has it.
    CanonicalIpv6,

    // Stage: comparison.
    /// Leaves a step of normalization out of a comparison (§6.2.2, §6.2.3).
    LeavesOutOfComparison {
        /// The step.
        step: NormalizationStep,
        /// In which components; without it, in all.
        #[serde(skip_serializing_if = "Option::is_none")]
        components: Option<Vec<Component>>,
    },
    /// Compares two triplets digit by digit, without regard to case in a host only; a triplet equals the unreserved character for which
    /// it stands (§6.2.2.1, §6.2.2.2).
    ComparesTripletsByDigits,
    /// Removes the dot-segments of the paths that it compares before it decodes triplets (§6.2.2.2, §6.2.2.3).
    ComparesWithDotSegmentsRemovedFirst,
    /// Compares a rootless path without its dot-segments as one that is rootless still, and keeps a ".." with no segment before it
    /// (§5.2.4).
    ComparesRootlessPathsRootless,
    /// Drops the empty segments that follow the dot-segments at the beginning of a rootless path that it compares (§5.2.4).
    DropsEmptyFirstSegmentsInComparison,
    /// Compares a path without segments, "" or "/", as another than one whose only segment is empty once its dot-segments are removed
    /// (§5.2.4).
    CountsEmptySegmentInComparison,
    /// Compares paths without the slash at their beginning (§3.3).
    ComparesPathsWithoutRoot,
    /// Holds an IPv4 address and a registered name that becomes one by decoding for different (§6.2.2.2).
    SeparatesKindsOfHosts,
    /// Compares hosts by their octets, whether they are in brackets or encoded (§3.2.2).
    ComparesHostsByTheirOctets,
    /// Compares components with every triplet decoded (§2.2).
    ComparesDecoded,
    /// Compares an overlong UTF-8 encoding of a character as that character (§6.1).
    ReadsOverlongInComparison,
    /// Orders values by their text, but for the case of the scheme, and not by what makes them equal (§6.2.2).
    OrdersByText,
    /// Panics when it compares a component with an octet that is not UTF-8 (§2.1).
    PanicsComparingOctets {
        /// File and line of the panic.
        place: String,
    },

    // Stage: relativization.
    /// Writes the reference that this step makes also where it does not resolve to the target (§5.2.2).
    RelativizesUnchecked {
        /// The step.
        step: RelativizingStep,
    },
}

/// Ids that are no longer used, each with the id in its place.
pub const RETIRED: &[(&str, &str)] = &[];

impl Deviation {
    /// The deviation in one sentence, of which the library is the subject: `refuses IPvFuture`.
    pub fn sentence(&self) -> String {
        match self {
            Deviation::TakesCharacters { components, characters } => {
                let place = names(components);
                match characters {
                    None => format!("accepts any character in {place}"),
                    Some(characters) => format!("accepts `{characters}` in {place}"),
                }
            }
            Deviation::ComposesUnchecked { components } => {
                format!("does not check {} when it composes", names(components))
            }
            Deviation::ComposesCharacters { components } => {
                format!("accepts any character in {} when it composes", names(components))
            }
            Deviation::RefusesPortsAbove { limit } => format!("refuses a port above {limit}"),
            Deviation::RefusesEmpty { component } => format!("refuses an empty {component}"),
            Deviation::RefusesWithout { component } => format!("refuses a URI without {component}"),
            Deviation::RefusesWith { component } => format!("refuses a URI with {component}"),
            Deviation::HoldsSchemesInLowerCase { schemes } => match schemes {
                None => "changes a scheme to lower case when it parses".to_owned(),
                Some(_) => "changes a known scheme to lower case when it parses".to_owned(),
            },
            Deviation::RefusesBase { form } => match form {
                BaseForm::Relative => "refuses a relative base".to_owned(),
                BaseForm::WithFragment => "refuses a base with a fragment".to_owned(),
            },
            Deviation::KeepsDotSegments { of } => format!(
                "keeps the dot-segments of {}",
                match of {
                    DotsOf::RootlessPaths => "rootless paths",
                    DotsOf::RelativePaths => "a target that is a relative path",
                    DotsOf::ReferencesWithScheme => "a reference with a scheme",
                    DotsOf::ReferencesWithAuthority => "a reference with an authority",
                    DotsOf::AbsolutePathReferences => "a reference with an absolute path",
                }
            ),
            Deviation::LeavesOut { step, components } => format!("does not {}", step_in(*step, components.as_deref())),
            Deviation::LeavesOutOfComparison { step, components } => {
                format!("does not {} when it compares", step_in(*step, components.as_deref()))
            }
            Deviation::PanicsOnMisreadArgument { argument, .. } => match argument {
                Argument::Base => "panics on a base whose authority is invalid".to_owned(),
                Argument::Reference => "panics on a reference whose authority is invalid".to_owned(),
            },
            Deviation::RelativizesUnchecked { step } => match step {
                RelativizingStep::OtherRoot => {
                    "relativizes to the target's path where only one of the two paths begins with a slash".to_owned()
                }
                RelativizingStep::SharedFolder => {
                    "relativizes to the rest of a path, which begins with a slash".to_owned()
                }
                RelativizingStep::Climb => "relativizes to more \"..\" than a rootless path has segments".to_owned(),
            },
            Deviation::WritesUnguarded { form } => match form {
                GuardedForm::Colon => "writes a path that reads as a scheme".to_owned(),
                GuardedForm::DoubleSlash => "writes a path that reads as an authority".to_owned(),
                GuardedForm::RootlessPath => "writes a rootless path after an authority".to_owned(),
            },
            other => other.sentence_of_reading().unwrap_or_else(|| other.plain_sentence().to_owned()),
        }
    }

    /// The sentence of a deviation whose parameters do not change it.
    fn plain_sentence(&self) -> &'static str {
        if let Some(sentence) = self.plain_sentence_of_parsing().or_else(|| self.plain_sentence_of_comparison()) {
            return sentence;
        }
        match self {
            Deviation::ComposesMissingScheme => "writes a colon though there is no scheme",
            Deviation::RootsPathBehindAuthority => "puts a slash before a rootless path after an authority",
            Deviation::RootsEmptyPathBehindNewAuthority => "puts a slash after an authority that it adds",
            Deviation::ComposesColonInFirstSegment => "writes a relative reference with a colon in its first segment",
            Deviation::JoinsRootlessPathToAuthority => "writes a rootless path as the end of an authority",
            Deviation::ReturnsReferenceOfUnknownScheme { .. } => {
                "returns a reference to a base of an unknown scheme as it is"
            }
            Deviation::ClimbsInMerge => "merges to more \"..\" where the base path is empty or ends in \"..\"",
            Deviation::PanicsMergingOctets { .. } => "panics on a base whose last segment does not decode to UTF-8",
            Deviation::KeepsRootlessPathsRootless => "keeps a path rootless when it removes dot-segments",
            Deviation::GuardsMergedPath => "writes a dot-segment before a merged path that needs none",
            Deviation::LosesEmptySegmentInMerge => "loses the empty segment of a base path \"//\"",
            Deviation::RemovesDotSegmentsOfBase => {
                "removes the dot-segments of the base's path where the reference has no path"
            }
            Deviation::PanicsOnDoubleSlash { .. } => "panics on a target whose path begins with \"//\"",
            Deviation::DecodesHostLast => "decodes a host only after it is put in lower case",
            Deviation::KeepsOnlySegmentInMerge => "keeps the only segment of a base path when it merges",
            Deviation::LosesRootOfBase => "loses the slash of a base path \"/\"",
            Deviation::KeepsDotSegmentsOfBase => "keeps the dot-segments of the base's path in the target",
            Deviation::LosesRoot => "removes the leading slash of a path with \"..\"",
            Deviation::LosesSlashBehindOnlySegment => "removes a slash too when \"..\" removes a path's only segment",
            Deviation::DropsEmptySegments => "drops an empty segment after another empty segment or a dot-segment",
            Deviation::RefusesDoubleSlashAmongDots => "refuses a path with \"//\" when it removes dot-segments",
            Deviation::PanicsOnDoubleSlashAmongDots { .. } => {
                "panics on a path with \"//\" when it removes dot-segments"
            }
            Deviation::CountsDotSegments => {
                "removes dot-segments only if one is not encoded, and then encoded ones too"
            }
            Deviation::HoldsPathBehindDotsForRootless => {
                "treats a path as rootless that begins with a slash once dot-segments are removed"
            }
            Deviation::ComposesAsGiven => "writes composed components as they are given, not normalized",
            Deviation::WritesHostByItsOctets => {
                "writes an IPvFuture without brackets, and an encoded IPv6 address with them"
            }
            Deviation::EncodesPlusInQuery => "encodes a plus sign in the query",
            Deviation::NormalizesRelativeReferences => "normalizes a relative reference as a URI",
            Deviation::RefusesRootlessBase => "refuses most references against a base with a rootless path",
            Deviation::RefusesDoubleSlash => "refuses a target whose path begins with \"//\"",
            Deviation::RefusesDotDotAgainstRelativePath => "refuses \"..\" against a relative path",
            Deviation::MergesBehindDotDot => "merges with a base path that ends in \"/..\" as if it ended in \"/../\"",
            Deviation::OmitsEmptyPort => "removes an empty port in every normal form",
            Deviation::GuardsDoubleSlash => "writes \"/.\" before a path that begins with \"//\"",
            Deviation::NormalizesToDoubleSlash => {
                "normalizes to a path that begins with \"//\" and reads as an authority"
            }
            Deviation::KeepsCaseOfEncodedHost => "keeps the case of a host with encoded octets beyond US-ASCII",
            Deviation::NormalizesAbsolutePathsOnly => "keeps the dot-segments of a rootless path",
            Deviation::NormalizesDotSegmentsOnly => "normalizes nothing but dot-segments",
            Deviation::CanonicalIpv6 => "writes an IPv6 address in its canonical form",
            _ => unreachable!("its parameters are in its sentence"),
        }
    }
}
