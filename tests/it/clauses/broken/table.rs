//! For each clause, the faults that break it.

use rfc3986_reference::dot_segments::remove_dot_segments;
use uriproof::model::Reported;
use uriproof_lab::mutants::algorithms::Edit;

use super::Break;
use super::Break::{Abnf, Encoded, Printed, Read, Rule};
use crate::clauses::grammar::Fault::{Anything, Never, Without};
use crate::clauses::normalization::Slip as Normal;
use crate::clauses::resolution::Slip as Resolved;

/// The clauses that neither a rule's name nor the tables of slips and edits break, and what does. Each break is noticed.
pub(super) const BREAKS: &[(&str, &[Break])] = &[
    ("§1.1/sequence-of-characters", &[Rule("URI", Anything)]),
    ("§1.1.1/any-reference", &[Abnf("URI-reference = URI")]),
    ("§1.1.1/begins-with-scheme", &[Abnf(URI_WITHOUT_SCHEME)]),
    ("§1.1.1/superset", &[Abnf(KNOWN_SCHEMES)]),
    (
        "§1.1.2/example-uris",
        &[Rule("hier-part", Without(1)), Rule("hier-part", Without(3))],
    ),
    ("§1.2.1/limited-set", &[Rule("reg-name", Anything)]),
    ("§1.2.1/beyond-us-ascii", &[Abnf(ASCII_TRIPLETS)]),
    ("§1.2.3/delimiters", &[Abnf(GREEDY_USERINFO)]),
    ("§1.2.3/order-of-components", &[Abnf(FRAGMENT_BEFORE_QUERY)]),
    ("§1.2.3/opaque-after-scheme", &[Rule("path-rootless", Never)]),
    ("§1.2.3/generic-parsing", &[Abnf("URI-reference = URI")]),
    (
        "§1.2.3/dot-segments-in-a-uri",
        &[
            Break::Edit(Edit::SchemeKeepsDotSegments),
            Break::Resolved(Resolved::SchemeIgnored),
        ],
    ),
    ("§1.3/ABNF", &[Abnf(FLAG_IN_LOWER_CASE)]),
    (
        "§1.3/core-rules",
        &[
            Abnf("ALPHA = %x61-7A"),
            Abnf("DIGIT = %x31-39"),
            Abnf("HEXDIG = DIGIT / %x41-46"),
        ],
    ),
    ("§2/us-ascii", &[Abnf(RAW_NAMES)]),
    ("§2/reserved-may-delimit", &[Rule("sub-delims", Never)]),
    ("§2.1/uppercase-hex-digits", &[Break::Normal(Normal::HexDigitsKept)]),
    (
        "§2.1/data-octet",
        &[Break::Edit(Edit::PathUnchecked), Break::Edit(Edit::QueryUnchecked)],
    ),
    (
        "§2.1/hex-digits-equivalent",
        &[
            Abnf("pct-encoded = \"%\" 2( DIGIT / %x41-46 )"),
            Break::Normal(Normal::HexDigitsKept),
        ],
    ),
    (
        "§2.2/conflicting-data",
        &[Break::Edit(Edit::PathUnchecked), Break::Edit(Edit::QueryUnchecked)],
    ),
    ("§2.2/encoding-changes", &[Break::Normal(Normal::SubDelimsEncoded)]),
    ("§2.2/decoding-changes", &[Break::Normal(Normal::EverythingDecoded)]),
    ("§2.2/gen-delims-delimit", &[Abnf(GREEDY_USERINFO)]),
    (
        "§2.2/characters-listed",
        &[Rule("port", Anything), Rule("IPv6address", Anything)],
    ),
    ("§2.3/decode", &[Break::Normal(Normal::NothingDecoded)]),
    (
        "§2.3/unreserved-characters",
        &[Rule("unreserved", Never), Rule("unreserved", Anything)],
    ),
    ("§2.3/not-always-normalized", &[Break::Normal(Normal::NormalizedFirst)]),
    ("§2.3/not-created", &[Encoded("-._~")]),
    ("§2.4/decode-any-time", &[Abnf(TRIPLETS_BEYOND_ASCII)]),
    ("§2.4/encoded-by-producers", &[Break::Edit(Edit::PathEncodedAgain)]),
    ("§2.4/always-encoded", &[Break::Edit(Edit::PathDecoded)]),
    (
        "§2.4/percent-as-data",
        &[
            Abnf("pct-encoded = \"%\" [ HEXDIG HEXDIG ]"),
            Break::Normal(Normal::EverythingDecoded),
        ],
    ),
    ("§2.5/laguna-beach", &[Rule("pct-encoded", Never)]),
    ("§2.5/textual-data", &[Rule("pct-encoded", Never)]),
    ("§2.5/only-what-must-be", &[Encoded("-._~")]),
    ("§2.5/example-characters", &[Abnf(ASCII_TRIPLETS)]),
    ("§3/path-may-be-empty", &[Abnf("path-abempty = 1*( \"/\" segment )")]),
    (
        "§3/five-path-rules",
        &[Rule("hier-part", Without(3)), Rule("relative-part", Without(3))],
    ),
    (
        "§3/example-uris",
        &[Rule("hier-part", Without(1)), Rule("hier-part", Without(3))],
    ),
    ("§3/hierarchical-sequence", &[Abnf(FRAGMENT_BEFORE_QUERY)]),
    ("§3.1/begins-the-uri", &[Abnf(URI_WITHOUT_SCHEME)]),
    ("§3.1/followed-by", &[Rule("scheme", Anything)]),
    ("§3.1/case-insensitive", &[Break::Normal(Normal::CaseKept)]),
    ("§3.1/canonical-form", &[Break::Normal(Normal::CaseKept)]),
    ("§3.1/produce-lowercase", &[Break::Normal(Normal::CaseKept)]),
    ("§3.1/not-specified-here", &[Abnf(KNOWN_SCHEMES)]),
    ("§3.2/path-after-authority", &[Break::Edit(Edit::RootlessPathAllowed)]),
    ("§3.2.1/user-password-deprecated", &[Rule("userinfo", Never)]),
    ("§3.2.1/user-and-more", &[Rule("userinfo", Without(4))]),
    ("§3.2.2/case-insensitive", &[Break::Normal(Normal::CaseKept)]),
    ("§3.2.2/ambiguous", &[Abnf(NAMES_UNLIKE_ADDRESSES)]),
    (
        "§3.2.2/ipv4-not-reg-name",
        &[Abnf("host = IP-literal / reg-name / IPv4address")],
    ),
    (
        "§3.2.2/three-kinds",
        &[
            Rule("host", Without(1)),
            Rule("host", Without(2)),
            Rule("host", Without(3)),
        ],
    ),
    ("§3.2.2/uppercase-triplets", &[Break::Normal(Normal::HexDigitsKept)]),
    ("§3.2.2/enclosed", &[Abnf("IP-literal = IPv6address / IPvFuture")]),
    ("§3.2.2/version-flag-optional", &[Rule("IP-literal", Without(2))]),
    ("§3.2.2/version-flag-case", &[Abnf(FLAG_IN_LOWER_CASE)]),
    ("§3.2.2/version-flag-meaning", &[Abnf(FLAG_OF_THE_VERSION)]),
    ("§3.2.2/ipv6-without-flag", &[Abnf(FLAG_OF_THE_VERSION)]),
    ("§3.2.2/zone-identifiers", &[Abnf(ZONES)]),
    ("§3.2.2/ipv6-eight-pieces", &[Abnf("IPv6address = *( h16 \":\" ) h16")]),
    (
        "§3.2.2/ipv6-case",
        &[Abnf("h16 = 1*4( DIGIT / %x61-66 )"), Break::Normal(Normal::CaseKept)],
    ),
    ("§3.2.2/ipv6-separators", &[Abnf(SEPARATORS)]),
    (
        "§3.2.2/ipv6-elided-pieces",
        &[Abnf("IPv6address = 6( h16 \":\" ) ls32")],
    ),
    ("§3.2.2/dotted-decimal", &[Abnf("dec-octet = 1*3DIGIT")]),
    ("§3.2.2/four-octets-only", &[Abnf(RARE_ADDRESSES)]),
    ("§3.2.2/final-dot", &[Abnf(NAMES_UNLIKE_ADDRESSES)]),
    ("§3.2.2/default-host", &[Break::Normal(Normal::HostKept)]),
    ("§3.2.2/lookup-not-mandated", &[Abnf(NAMES_OF_THE_DNS)]),
    ("§3.2.2/triplets-in-names", &[Rule("reg-name", Without(2))]),
    ("§3.2.2/utf-8-octets", &[Abnf(RAW_NAMES)]),
    ("§3.2.3/decimal", &[Rule("port", Anything)]),
    ("§3.2.3/default-port", &[Break::Normal(Normal::PortKept)]),
    ("§3.2.3/http-default-port", &[Break::Normal(Normal::PortKept)]),
    (
        "§3.3/five-rules",
        &[Rule("hier-part", Without(2)), Rule("relative-part", Without(3))],
    ),
    (
        "§3.3/sequence-of-segments",
        &[Abnf("path-absolute = \"/\" [ segment-nz ]")],
    ),
    (
        "§3.3/example-paths",
        &[
            Rule("hier-part", Without(3)),
            Abnf("path-abempty = 1*( \"/\" segment )"),
        ],
    ),
    ("§3.3/slash-not-required", &[Rule("hier-part", Without(3))]),
    (
        "§3.3/dot-segments-first",
        &[Break::Resolved(Resolved::MergedPathAsItIs)],
    ),
    (
        "§3.3/removed-by-resolution",
        &[Break::Edit(Edit::AbsolutePathKeepsDotSegments)],
    ),
    ("§3.3/subcomponents", &[Rule("sub-delims", Never)]),
    (
        "§3.3/parameters",
        &[
            Rule("sub-delims", Without(10)),
            Break::Edit(Edit::DotSegmentsWithParameters),
        ],
    ),
    ("§3.3/comma", &[Rule("sub-delims", Without(9))]),
    (
        "§3.3/version-in-a-segment",
        &[Rule("sub-delims", Without(9)), Rule("sub-delims", Without(10))],
    ),
    ("§3.4/slash-and-question-mark", &[Rule("query", Never)]),
    ("§3.4/not-hierarchical", &[Break::Normal(Normal::DotsRemovedEverywhere)]),
    ("§3.4/better-not-encoded", &[Encoded("/?")]),
    (
        "§3.5/slash-and-question-mark",
        &[Rule("fragment", Never), Break::Resolved(Resolved::FragmentLost)],
    ),
    (
        "§3.5/fragment-in-base",
        &[Break::Resolved(Resolved::FragmentTakenForPath)],
    ),
    ("§4.1/either", &[Abnf("segment-nz-nc = segment-nz")]),
    ("§4.1/scheme-prefix", &[Rule("relative-ref", Anything)]),
    ("§4.1/sufficient", &[Abnf("host = IP-literal / reg-name / IPv4address")]),
    ("§4.2/network-path", &[Rule("relative-part", Without(1))]),
    ("§4.2/absolute-path", &[Rule("relative-part", Without(2))]),
    ("§4.2/relative-path", &[Rule("relative-part", Without(3))]),
    ("§4.2/target", &[Break::Resolved(Resolved::NotMerged)]),
    ("§4.3/absolute-form", &[Abnf("absolute-URI = URI-reference")]),
    ("§4.3/no-fragment", &[Abnf("absolute-URI = URI")]),
    ("§4.4/frequent-examples", &[Break::Resolved(Resolved::BasePathLost)]),
    ("§4.5/not-where-relative", &[Break::Resolved(Resolved::SuffixCompleted)]),
    ("§5/result-is-a-uri", &[Break::Resolved(Resolved::SchemeNotInherited)]),
    ("§5.2/definitive-results", &[Break::Edit(Edit::Step2CNeedsSlash)]),
    ("§5.2/recomposed", &[Break::Edit(Edit::QuestionMarkForgotten)]),
    ("§5.2/other-algorithms", &[Break::Resolved(Resolved::NotMerged)]),
    (
        "§5.2.1/five-components",
        &[Break::Resolved(Resolved::QueryTakenForPath)],
    ),
    (
        "§5.2.1/path-never-undefined",
        &[Read(|read| read.path = Reported::Undefined)],
    ),
    (
        "§5.2.1/normalization-optional",
        &[Break::Resolved(Resolved::NormalBaseAlone)],
    ),
    ("§5.2.1/transform-before-normalizing", &[Printed(remove_dot_segments)]),
    ("§5.2.2/parse", &[Break::Resolved(Resolved::NothingSeparated)]),
    ("§5.2.2/may-ignore-scheme", &[Break::Resolved(Resolved::NeverLax)]),
    (
        "§5.2.3/right-most-slash",
        &[
            Break::Resolved(Resolved::LastSegmentKept),
            Break::Edit(Edit::LeftmostSlash),
        ],
    ),
    ("§5.2.4/2C-input", &[Break::Resolved(Resolved::Without2C)]),
    ("§5.2.4/3", &[Break::Resolved(Resolved::Without2E)]),
    ("§5.2.4/every-path", &[Break::Edit(Edit::AbsolutePathKeepsDotSegments)]),
    ("§5.2.4/illustrated", &[Break::Resolved(Resolved::Without2C)]),
    (
        "§5.2.4/relative-to-the-hierarchy",
        &[Break::Resolved(Resolved::Without2C)],
    ),
    ("§5.3/empty-result", &[Printed(|uri| format!("x{uri}"))]),
    ("§5.3/returned", &[Printed(|_| String::new())]),
    ("§5.3/recomposed", &[Break::Edit(Edit::PathForgotten)]),
    ("§5.4/examples", &[Break::Resolved(Resolved::NotMerged)]),
    ("§5.4.2/authority-unchanged", &[Break::Edit(Edit::Step2CTakesRoot)]),
    ("§5.4.2/consistently", &[Break::Edit(Edit::Step2CKeepsExtraLevels)]),
    (
        "§5.4.2/remove-complete-components",
        &[
            Break::Resolved(Resolved::Without2B),
            Break::Resolved(Resolved::Without2C),
        ],
    ),
    ("§6.1/scheme-rules", &[Break::Edit(Edit::SchemeIsSyntaxBased)]),
    ("§6.1/string-comparison", &[Break::Normal(Normal::AlwaysEqual)]),
    ("§6.2.1/pair-comparison", &[Break::Edit(Edit::SimpleComparesPrefix)]),
    ("§6.2.1/character-by-character", &[Break::Normal(Normal::AlwaysEqual)]),
    (
        "§6.2.2/may-be-used",
        &[Break::Normal(Normal::CaseKept), Break::Normal(Normal::DotsKept)],
    ),
    ("§6.2.2.1/rules-always-apply", &[Break::Normal(Normal::CaseKept)]),
    ("§6.2.2.1/example", &[Break::Normal(Normal::CaseKept)]),
    ("§6.2.2.2/equivalent", &[Break::Normal(Normal::NothingDecoded)]),
    (
        "§6.2.2.3/in-relative-references-only",
        &[Break::Normal(Normal::DotsKept)],
    ),
    (
        "§6.2.2.3/non-relative-paths",
        &[Break::Resolved(Resolved::ReferencePathAsItIs)],
    ),
    (
        "§6.2.2.3/removed-by-resolution",
        &[Break::Resolved(Resolved::ReferencePathAsItIs)],
    ),
    (
        "§6.2.3/normal-form-of-http",
        &[Break::Normal(Normal::RootMissing), Break::Normal(Normal::PortKept)],
    ),
    ("§6.2.3/empty-host-as-localhost", &[Break::Normal(Normal::HostKept)]),
    (
        "§6.2.3/fragment-not-subject",
        &[
            Break::Normal(Normal::FragmentLowered),
            Break::Normal(Normal::EmptyDropped),
        ],
    ),
    ("§6.2.3/common-case", &[Break::Normal(Normal::MailboxKept)]),
    (
        "§6.2.4/only-when-indicated",
        &[Break::Normal(Normal::TrailingSlashDropped)],
    ),
    (
        "§7.3/nul",
        &[Rule("pct-encoded", Never), Break::Normal(Normal::EverythingDecoded)],
    ),
    ("§7.5/password", &[Rule("userinfo", Never)]),
    ("§7.6/misleading-userinfo", &[Rule("userinfo", Never)]),
    ("§7.6/example", &[Rule("userinfo", Never)]),
    (
        "§7.6/much-longer",
        &[Abnf("userinfo = *64( unreserved / pct-encoded / sub-delims / \":\" )")],
    ),
    (
        "§B/undefined",
        &[Read(|read| read.query = Reported::Defined(String::new()))],
    ),
    (
        "§B/greedy",
        &[Read(|read| read.fragment = Reported::Defined(String::new()))],
    ),
    ("§B/example", &[Read(|read| read.path = Reported::Undefined)]),
    (
        "§B/five-components",
        &[Read(|read| std::mem::swap(&mut read.query, &mut read.fragment))],
    ),
    ("§B/opposite-direction", &[Break::Edit(Edit::QuestionMarkForgotten)]),
    ("§C/example-references", &[Rule("hier-part", Without(1))]),
    ("§C/url-prefix", &[Rule("pchar", Anything)]),
    ("§D.1/optional-fragment", &[Abnf("URI = absolute-URI")]),
    ("§D.1/ip-literals", &[Rule("host", Without(1))]),
    (
        "§D.1/reserved-brackets",
        &[Rule("gen-delims", Without(5)), Rule("gen-delims", Without(6))],
    ),
    (
        "§D.1/brackets",
        &[
            Rule("userinfo", Anything),
            Rule("reg-name", Anything),
            Rule("pchar", Anything),
        ],
    ),
    ("§D.1/octet-range", &[Abnf("dec-octet = 1*3DIGIT")]),
    ("§D.2/mark", &[Break::Normal(Normal::EverythingDecoded)]),
    ("§D.2/license-to-decode", &[Break::Normal(Normal::NothingDecoded)]),
    ("§D.2/opaque-path", &[Rule("hier-part", Without(3))]),
    ("§D.2/ambiguity-eliminated", &[Abnf("segment-nz-nc = segment-nz")]),
    ("§D.2/fragment-excluded", &[Abnf("absolute-URI = URI")]),
    ("§D.2/number-sign", &[Rule("gen-delims", Without(4))]),
    ("§D.2/empty-path", &[Rule("hier-part", Without(4))]),
    ("§D.2/authority-and-path", &[Abnf(NAMES_WITH_SLASHES)]),
    ("§D.2/registry-names", &[Rule("host", Without(3))]),
    ("§D.2/triplets-in-host", &[Rule("reg-name", Without(2))]),
    (
        "§D.2/base-without-path",
        &[Break::Edit(Edit::EmptyBaseNeedsNoAuthority)],
    ),
    ("§D.2/query-only", &[Break::Resolved(Resolved::BasePathLost)]),
    ("§D.2/same-document", &[Break::Resolved(Resolved::OwnPathLost)]),
    (
        "§D.2/existing-same-document",
        &[Break::Resolved(Resolved::BasePathLost)],
    ),
    (
        "§D.2/all-reference-paths",
        &[Break::Resolved(Resolved::ReferencePathAsItIs)],
    ),
];

const URI_WITHOUT_SCHEME: &str = "URI = [ scheme \":\" ] hier-part [ \"?\" query ] [ \"#\" fragment ]";

const KNOWN_SCHEMES: &str = "scheme = \"http\" / \"https\" / \"ftp\" / \"file\" / \"mailto\"";

const FRAGMENT_BEFORE_QUERY: &str = "URI = scheme \":\" hier-part [ \"#\" fragment ] [ \"?\" query ]\n\
     relative-ref = relative-part [ \"#\" fragment ] [ \"?\" query ]\n\
     fragment = *pchar";

const ASCII_TRIPLETS: &str = "pct-encoded = \"%\" %x30-37 HEXDIG";

const TRIPLETS_BEYOND_ASCII: &str =
    "pct-encoded = \"%\" ( \"8\" / \"9\" / \"A\" / \"B\" / \"C\" / \"D\" / \"E\" / \"F\" ) HEXDIG";

const GREEDY_USERINFO: &str = "userinfo = *( unreserved / pct-encoded / sub-delims / \":\" / \"/\" / \"?\" / \"#\" )";

const FLAG_IN_LOWER_CASE: &str = "IPvFuture = %x76 1*HEXDIG \".\" 1*( unreserved / sub-delims / \":\" )";

const FLAG_OF_THE_VERSION: &str = "IP-literal = \"[\" ( [ \"v6.\" ] IPv6address / IPvFuture ) \"]\"";

const SEPARATORS: &str = "IPv6address = [ *6( h16 separator ) h16 ] \"::\" [ *6( h16 separator ) h16 ]\n\
     separator = \":\" / \";\"";

const ZONES: &str = "IP-literal = \"[\" ( IPv6address [ \"%25\" 1*( unreserved / pct-encoded ) ] / IPvFuture ) \"]\"";

const RARE_ADDRESSES: &str = "IPv4address = rare-part *3( \".\" rare-part )\n\
     rare-part = 1*DIGIT / \"0x\" 1*HEXDIG";

const RAW_NAMES: &str = "reg-name = *( unreserved / pct-encoded / sub-delims / %x80-FF )";

const NAMES_OF_THE_DNS: &str = "reg-name = [ dns-label *( \".\" dns-label ) ]\n\
     dns-label = ( ALPHA / DIGIT ) [ *( ALPHA / DIGIT / \"-\" ) ( ALPHA / DIGIT ) ]";

const NAMES_UNLIKE_ADDRESSES: &str = "reg-name = [ *( unreserved / pct-encoded / sub-delims ) \
     ( ALPHA / \"-\" / \"_\" / \"~\" / pct-encoded / sub-delims ) ]";

const NAMES_WITH_SLASHES: &str = "reg-name = *( unreserved / pct-encoded / sub-delims / \"/\" )";
