//! A slip in normalization or comparison shows in every vector that its clause decides.

use std::net::Ipv6Addr;

use rfc3986_reference::characters::{is_sub_delim, is_unreserved, leading_triplet};
use rfc3986_reference::components::parse;
use rfc3986_reference::recompose::recompose;
use uriproof::model::{Components, Expectation, Input, Reading, Rung, Scope};
use uriproof::vectors::Library;

use crate::clauses::resolution::{self, remove_dot_segments};

/// A step of 6.2 that is done wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slip {
    HexDigitsKept,
    NothingDecoded,
    EverythingDecoded,
    DecodedTwice,
    SubDelimsEncoded,
    CaseKept,
    EverythingLowered,
    Shouted,
    AddressRewritten,
    VersionFlagGiven,
    DotsKept,
    DotsRemovedEverywhere,
    DotInSegment,
    NotGuarded,
    MadeAbsolute,
    SegmentsMerged,
    TrailingSlashDropped,
    EmptyDropped,
    FragmentDropped,
    FragmentLowered,
    PortKept,
    PortDropped,
    RootMissing,
    RootEverywhere,
    HostKept,
    HostDropped,
    HostGiven,
    DefaultHostOfAny,
    MailboxKept,
    SchemeRulesAlways,
    NormalizedFirst,
    AlwaysEqual,
    NeverEqual,
}

use Slip::*;

pub(crate) const SLIPS: &[(&str, &[Slip])] = &[
    ("§2.1/hex-case-equivalent", &[HexDigitsKept, NormalizedFirst]),
    ("§2.2/not-equivalent", &[EverythingDecoded]),
    (
        "§2.2/protected-from-normalization",
        &[EverythingDecoded, SubDelimsEncoded],
    ),
    ("§2.3/equivalent", &[NothingDecoded]),
    ("§2.4/decode-once", &[DecodedTwice]),
    ("§2.4/tilde", &[NothingDecoded]),
    ("§3.2.2/file-default-host", &[HostKept]),
    ("§3.2.2/no-flag-for-existing", &[VersionFlagGiven]),
    ("§3.2.3/omit-empty-or-default", &[PortKept]),
    ("§3.2/omit-empty-port", &[PortKept]),
    ("§3.5/not-in-scheme-processing", &[FragmentLowered]),
    ("§5.2.4/2E", &[SegmentsMerged]),
    ("§6.1/no-false-positives", &[AlwaysEqual]),
    ("§6.2.1/identical", &[NeverEqual]),
    ("§6.2.1/normal-form", &[Shouted]),
    ("§6.2.1/pair-comparison", &[AlwaysEqual]),
    ("§6.2.2.1/case-sensitive-components", &[EverythingLowered]),
    ("§6.2.2.1/hex-digits", &[HexDigitsKept]),
    (
        "§6.2.2.1/scheme-and-host",
        &[CaseKept, EverythingLowered, AddressRewritten],
    ),
    ("§6.2.2.2/decode-unreserved", &[NothingDecoded, EverythingDecoded]),
    (
        "§6.2.2.3/remove-dot-segments",
        &[
            DotsKept,
            DotsRemovedEverywhere,
            DotInSegment,
            NotGuarded,
            MadeAbsolute,
            SegmentsMerged,
            EverythingDecoded,
        ],
    ),
    (
        "§6.2.2/techniques",
        &[DotsKept, NothingDecoded, EverythingDecoded, CaseKept],
    ),
    (
        "§6.2.2/two-uris-equivalent",
        &[DotsKept, NothingDecoded, CaseKept, NormalizedFirst],
    ),
    (
        "§6.2.3/default-authority",
        &[HostKept, HostDropped, HostGiven, DefaultHostOfAny, SchemeRulesAlways],
    ),
    ("§6.2.3/default-host-given-explicitly", &[HostDropped]),
    ("§6.2.3/empty-component-delimiters", &[EmptyDropped]),
    ("§6.2.3/empty-fragment", &[EmptyDropped, FragmentDropped]),
    ("§6.2.3/empty-path", &[RootMissing, RootEverywhere]),
    ("§6.2.3/empty-query", &[EmptyDropped, AlwaysEqual]),
    (
        "§6.2.3/four-uris-equivalent",
        &[PortKept, RootMissing, NeverEqual, SchemeRulesAlways, Shouted],
    ),
    ("§6.2.3/mailto-host", &[MailboxKept, EverythingLowered]),
    ("§6.2.3/port", &[PortKept, PortDropped, SchemeRulesAlways]),
    ("§6.2.3/scheme-specific-rules", &[SchemeRulesAlways]),
    ("§6.2.3/userinfo-delimiters", &[EmptyDropped]),
    ("§6.2.4/trailing-slash", &[TrailingSlashDropped, AlwaysEqual]),
    ("§7.2/protocol-delimiters", &[EverythingDecoded]),
    ("§7.3/split-before-decoding", &[EverythingDecoded]),
    ("§7.4/rare-formats", &[CaseKept, AlwaysEqual]),
];

/// 2.1, 2.3 and 6.2.2.2 with one slip; triplets that stay are in upper case, and with `lower` all else is in lower case.
fn triplets(text: &str, lower: bool, slip: Option<Slip>) -> String {
    let made = |step| slip == Some(step);
    let lowered = |character: char| {
        if lower {
            character.to_ascii_lowercase()
        } else {
            character
        }
    };
    let (mut rest, mut result) = (text, String::new());
    while let Some(character) = rest.chars().next() {
        let Some(octet) = leading_triplet(rest.as_bytes()) else {
            let is_encoded = made(SubDelimsEncoded) && character.is_ascii() && is_sub_delim(character as u8);
            match is_encoded {
                true => result += &format!("%{:02X}", character as u8),
                false => result.push(lowered(character)),
            }
            rest = &rest[character.len_utf8()..];
            continue;
        };
        let is_decoded = is_unreserved(octet) || (made(DecodedTwice) && octet == b'%');
        match is_decoded && !made(NothingDecoded) || made(EverythingDecoded) {
            true => result.push(lowered(octet.into())),
            false if made(HexDigitsKept) => result += &rest[..3],
            false => result += &rest[..3].to_ascii_uppercase(),
        }
        rest = &rest[3..];
    }
    if made(DecodedTwice) {
        triplets(&result, lower, None)
    } else {
        result
    }
}

/// The port that a scheme defines, and whether its empty path is the root.
fn default_of(scheme: &str) -> (&'static str, bool) {
    match scheme {
        "http" | "ws" => ("80", true),
        "https" | "wss" => ("443", true),
        "ftp" => ("21", false),
        _ => ("", false),
    }
}

/// 6.2.2, or 6.2.2 and 6.2.3, with one slip.
#[expect(clippy::too_many_lines, reason = "one step after another, each with its slips")]
fn normalize(uri: &str, scope: Scope, slip: Option<Slip>) -> String {
    let made = |step| slip == Some(step);
    let parsed = parse(uri, Reading::Rfc3986).unwrap_or_else(|error| panic!("{uri}: {error:?}"));
    let mut parts = Components::from(&parsed);
    let lower = !made(CaseKept);
    let each = |part: Option<String>, lower: bool| part.map(|text| triplets(&text, lower, slip));
    parts.scheme = parts.scheme.map(|scheme| if lower { scheme.to_ascii_lowercase() } else { scheme });
    parts.host = each(parts.host, lower);
    parts.userinfo = each(parts.userinfo, false);
    parts.path = triplets(&parts.path, false, slip);
    parts.query = each(parts.query, false);
    parts.fragment = each(parts.fragment, made(FragmentLowered));

    let without_dots =
        |path: &str| remove_dot_segments(path, made(DotInSegment).then_some(resolution::Slip::DotInSegment));
    let removed = without_dots(&parts.path);
    if !made(DotsKept) && (parts.host.is_some() || made(NotGuarded) || !removed.starts_with("//")) {
        parts.path = removed;
    }
    if made(DotsRemovedEverywhere) {
        parts.query = parts.query.map(|query| without_dots(&query));
        parts.fragment = parts.fragment.map(|fragment| without_dots(&fragment));
    }
    if made(MadeAbsolute) && !parts.path.starts_with('/') {
        parts.path.insert(0, '/');
    }
    if made(SegmentsMerged) {
        parts.path = parts.path.replace("//", "/");
    }
    if made(TrailingSlashDropped) && parts.path.ends_with('/') {
        parts.path.pop();
    }
    if made(VersionFlagGiven)
        && let Some(host) = &parts.host
    {
        parts.host = Some(format!("[v6.{}]", host.trim_matches(['[', ']'])));
    }
    if made(AddressRewritten)
        && let Some(host) = &parts.host
        && let Ok(address) = host.trim_matches(['[', ']']).parse::<Ipv6Addr>()
    {
        parts.host = Some(format!("[{address}]"));
    }
    if made(EmptyDropped) {
        for part in [&mut parts.userinfo, &mut parts.query, &mut parts.fragment] {
            *part = part.take().map(|text| text.trim_end_matches(':').to_owned()).filter(|text| !text.is_empty());
        }
    }
    if made(FragmentDropped) {
        parts.fragment = None;
    }
    if made(PortDropped) {
        parts.port = None;
    }
    if scope == Scope::Scheme || made(SchemeRulesAlways) {
        scheme_rules(&mut parts, without_dots, slip);
    }

    let authority = parts.authority();
    let uri = recompose(&parts.five(authority.as_deref()));
    match slip {
        Some(EverythingLowered) => uri.to_ascii_lowercase(),
        Some(Shouted) => uri.to_ascii_uppercase(),
        _ => uri,
    }
}

/// 6.2.3 with one slip.
fn scheme_rules(parts: &mut Components, without_dots: impl Fn(&str) -> String, slip: Option<Slip>) {
    let made = |step| slip == Some(step);
    let scheme = parts.scheme.clone().unwrap_or_default();
    let (default, has_root) = default_of(&scheme);
    if parts.host.is_some() && parts.path.is_empty() && (has_root || made(RootEverywhere)) && !made(RootMissing) {
        parts.path = "/".to_owned();
    }
    let is_needless = |port: &String| port.is_empty() || port.trim_start_matches('0') == default;
    if parts.port.as_ref().is_some_and(is_needless) && !made(PortKept) {
        parts.port = None;
    }
    if scheme == "file" || made(DefaultHostOfAny) {
        let is_bare = parts.userinfo.as_deref().unwrap_or_default().is_empty() && parts.port.is_none();
        let is_default = match parts.host.as_deref() {
            None => parts.path.starts_with('/'),
            Some(host) => host.is_empty() || host == "localhost",
        };
        if is_default && !made(HostKept) {
            parts.host = Some(if is_bare { String::new() } else { "localhost".to_owned() });
            parts.userinfo.take_if(|userinfo| userinfo.is_empty());
            parts.path = without_dots(&parts.path);
        }
        if made(HostGiven) {
            parts.host = Some("localhost".to_owned());
        }
    }
    if made(HostDropped) {
        parts.host = parts.host.take().map(|_| String::new());
    }
    if scheme == "mailto" && !made(MailboxKept) {
        let mailboxes = parts.path.split(',').map(|mailbox| match mailbox.rsplit_once('@') {
            Some((local, host)) => format!("{local}@{}", triplets(host, true, slip)),
            None => mailbox.to_owned(),
        });
        parts.path = mailboxes.collect::<Vec<_>>().join(",");
    }
}

/// 6.2 with one slip.
fn are_equivalent(left: &str, right: &str, rung: Rung, slip: Option<Slip>) -> bool {
    let normal = |uri: &str, scope| normalize(uri, scope, slip);
    match (slip, rung) {
        (Some(AlwaysEqual), _) => true,
        (Some(NeverEqual), _) => false,
        (Some(NormalizedFirst), Rung::Simple) | (_, Rung::Syntax) => {
            normal(left, Scope::Syntax) == normal(right, Scope::Syntax)
        }
        (_, Rung::Simple) => left == right,
        (_, Rung::Scheme) => normal(left, Scope::Scheme) == normal(right, Scope::Scheme),
    }
}

/// What a vector expects, done with one slip.
pub(crate) fn done(input: &Input, slip: Option<Slip>) -> Option<Expectation> {
    Some(match input {
        Input::Normalize { uri, scope } => Expectation::Uri(normalize(uri, *scope, slip)),
        Input::Equivalent { left, right, rung } => Expectation::Equivalent(are_equivalent(left, right, *rung, slip)),
        _ => return None,
    })
}

#[test]
fn a_slip_in_normalization_shows_in_every_vector_that_its_clause_decides() {
    let library = Library::embedded();
    let mut missed = Vec::new();
    for vector in library.vectors() {
        let expected = vector.expectation(Reading::Rfc3986);
        // Which of several outcomes conform is for the reference to say.
        if matches!(expected, Expectation::OneOf(_)) {
            continue;
        }
        let Some(right) = done(&vector.input, None) else {
            continue;
        };
        assert_eq!(right, *expected, "{} without a slip", vector.id);
        let slips = SLIPS.iter().filter(|(clause, _)| *clause == vector.clauses[0]).flat_map(|(_, slips)| *slips);
        let mut slips = slips.peekable();
        assert!(
            slips.peek().is_some(),
            "{}: nothing here breaks {}",
            vector.id,
            vector.clauses[0]
        );
        if slips.all(|slip| done(&vector.input, Some(*slip)).as_ref() == Some(expected)) {
            missed.push(vector.id.as_str());
        }
    }
    assert_eq!(missed, Vec::<&str>::new());
}
