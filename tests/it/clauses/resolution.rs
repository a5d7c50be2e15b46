//! A slip in reference resolution shows in every vector that its clause decides.

use rfc3986_reference::components::Components;
use rfc3986_reference::grammar::uri_reference;
use rfc3986_reference::recompose::recompose;
use rfc3986_reference::split::split;
use uriproof::model::{Expectation, Input, Reading};
use uriproof::vectors::Library;

/// A step of 5.2 that is done wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slip {
    AnyBase,
    NothingChecked,
    Refused,
    FragmentOfBase,
    SchemeIgnored,
    OwnPathLost,
    AuthorityOfSchemeLost,
    AuthorityIgnored,
    ReferencePathAsItIs,
    NeverLax,
    AlwaysLax,
    BasePathLost,
    QueryIgnored,
    QueryOfBaseLost,
    AbsoluteMerged,
    AbsoluteLost,
    NotMerged,
    RelativeLost,
    MergedPathAsItIs,
    QueryLost,
    QueryInherited,
    AuthorityNotInherited,
    SchemeNotInherited,
    FragmentLost,
    EmptyPathNotRooted,
    LastSegmentKept,
    BasePathDropped,
    WholePathKept,
    SlashMadeUp,
    QueryTakenForPath,
    Without2A,
    Without2B,
    Without2C,
    Without2D,
    Without2E,
    DotInSegment,
    NothingSeparated,
    GuardLost,
    FragmentTakenForPath,
    SuffixCompleted,
    NormalBaseAlone,
}

use Slip::*;

pub(crate) const SLIPS: &[(&str, &[Slip])] = &[
    ("§3.4/query", &[NothingSeparated]),
    ("§3.4/query-in-base", &[QueryTakenForPath]),
    ("§4.1/URI-reference", &[NothingChecked, Refused]),
    ("§4.2/dot-segment-guard", &[GuardLost]),
    (
        "§4.4/same-document",
        &[
            AuthorityIgnored,
            BasePathLost,
            QueryOfBaseLost,
            BasePathDropped,
            OwnPathLost,
            AuthorityNotInherited,
            QueryIgnored,
        ],
    ),
    ("§5.1/absolute-base", &[AnyBase, NothingChecked, Refused]),
    ("§5.1/strip-fragment", &[FragmentOfBase]),
    ("§5.2.1/only-scheme-required", &[SchemeNotInherited]),
    (
        "§5.2.2/scheme-defined",
        &[SchemeIgnored, OwnPathLost, AuthorityOfSchemeLost],
    ),
    (
        "§5.2.2/scheme-of-reference",
        &[SchemeIgnored, OwnPathLost, AuthorityOfSchemeLost],
    ),
    ("§5.2.2/authority-defined", &[AuthorityIgnored]),
    ("§5.2.2/authority-of-reference", &[AuthorityIgnored]),
    ("§5.2.2/dot-segments-of-reference", &[ReferencePathAsItIs]),
    ("§5.2.2/non-strict", &[NeverLax, AlwaysLax]),
    ("§5.2.2/empty-path", &[BasePathLost]),
    ("§5.2.2/empty-path-with-query", &[QueryIgnored, BasePathLost]),
    ("§5.2.2/empty-path-without-query", &[QueryOfBaseLost]),
    ("§5.2.2/absolute-path", &[AbsoluteMerged, AbsoluteLost]),
    ("§5.2.2/relative-path", &[NotMerged, RelativeLost]),
    ("§5.2.2/dot-segments-after-merge", &[MergedPathAsItIs]),
    ("§5.2.2/query-of-reference", &[QueryLost, QueryInherited]),
    ("§5.2.2/authority-inherited", &[AuthorityNotInherited]),
    ("§5.2.2/scheme-inherited", &[SchemeNotInherited]),
    ("§5.2.2/fragment", &[FragmentLost]),
    ("§5.2.3/authority-and-empty-path", &[EmptyPathNotRooted]),
    ("§5.2.3/all-but-last-segment", &[LastSegmentKept, BasePathDropped]),
    ("§5.2.3/no-slash-in-base", &[WholePathKept, SlashMadeUp]),
    ("§5.2.4/2A", &[Without2A]),
    ("§5.2.4/2B", &[Without2B]),
    ("§5.2.4/2C", &[Without2C]),
    ("§5.2.4/2D", &[Without2D]),
    ("§5.2.4/2E", &[Without2E]),
    ("§5.2.4/complete-segments", &[DotInSegment]),
    ("§5.2.4/separate-the-query", &[QueryOfBaseLost]),
    ("§5.2.4/1", &[Without2B, Without2C]),
    ("§5.4.2/more-levels-than-the-base", &[Without2C]),
    ("§5.4.2/nonsensical-forms", &[Without2A, Without2B, Without2C]),
    ("§5.4.2/same-scheme", &[NeverLax, SchemeIgnored]),
    ("§5.4.2/separate-query-and-fragment", &[NothingSeparated]),
    ("§5.4.2/complete-components-only", &[Without2B, Without2C, DotInSegment]),
];

/// 5.2.4 with one slip.
pub(crate) fn remove_dot_segments(path: &str, slip: Option<Slip>) -> String {
    let does = |step| slip != Some(step);
    let (mut input, mut output) = (path.to_owned(), String::new());
    while !input.is_empty() {
        let prefix = |prefixes: &[&str]| prefixes.iter().find(|prefix| input.starts_with(**prefix)).map(|p| p.len());
        if let Some(length) = prefix(&["../", "./"]).filter(|_| does(Without2A)) {
            input.drain(..length);
        } else if does(Without2B) && (input.starts_with("/./") || input == "/.") {
            input.replace_range(..2, "");
            if input.is_empty() {
                input.push('/');
            }
        } else if does(Without2C) && (input.starts_with("/../") || input == "/..") {
            input.replace_range(..3, "");
            if input.is_empty() {
                input.push('/');
            }
            output.truncate(output.rfind('/').unwrap_or(0));
        } else if does(Without2D) && (input == "." || input == "..") {
            input.clear();
        } else {
            let end = input.match_indices('/').map(|(at, _)| at).find(|at| *at > 0).unwrap_or(input.len());
            let segment: String = input.drain(..end).collect();
            if does(Without2E) && !(slip == Some(DotInSegment) && segment.contains('.')) {
                output += &segment;
            }
        }
    }
    output
}

/// 5.2.3 with one slip.
fn merge(base: &Components<'_>, path: &str, slip: Option<Slip>) -> String {
    let made = |step| slip == Some(step);
    let mut base_path = base.path.to_string();
    if made(QueryTakenForPath)
        && let Some(query) = base.query
    {
        base_path = format!("{base_path}?{query}");
    }
    if made(FragmentTakenForPath)
        && let Some(fragment) = base.fragment
    {
        base_path = format!("{base_path}#{fragment}");
    }
    if base.authority.is_some() && base_path.is_empty() && !made(EmptyPathNotRooted) {
        return format!("/{path}");
    }
    let kept = match base_path.rfind('/') {
        Some(_) if made(LastSegmentKept) => &*base_path,
        Some(_) if made(BasePathDropped) => "",
        Some(slash) => &base_path[..=slash],
        None if made(WholePathKept) || made(LastSegmentKept) => &base_path,
        None if made(SlashMadeUp) => "/",
        None => "",
    };
    format!("{kept}{path}")
}

/// 5.2.2 with one slip; nothing where the base or the reference is refused.
#[expect(clippy::too_many_lines, reason = "one branch for each step, with its slips")]
pub(crate) fn resolve(base: &str, reference: &str, strict: bool, slip: Option<Slip>) -> Option<String> {
    let made = |step| slip == Some(step);
    let is_valid = |text| made(NothingChecked) || uri_reference(text, Reading::Rfc3986).is_ok();
    let (base_text, base, mut r) = (base, split(base), split(reference));
    let is_base = base.scheme.is_some() || made(AnyBase);
    if made(Refused) || !is_base || !is_valid(base_text) || !is_valid(reference) {
        return None;
    }
    if made(NothingSeparated) && r.scheme.is_none() && r.authority.is_none() {
        r = Components {
            scheme: None,
            authority: None,
            path: reference.into(),
            query: None,
            fragment: None,
        };
    }
    if made(NormalBaseAlone) && remove_dot_segments(&base.path, None) != base.path {
        return None;
    }
    let completed = format!("//{reference}");
    if made(SuffixCompleted) && reference.starts_with("www.") {
        r = split(&completed);
    }
    if made(GuardLost)
        && let Some(guarded) = reference.strip_prefix("./")
    {
        r = split(guarded);
    }
    let same = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
    let is_same = r.scheme.zip(base.scheme).is_some_and(|(one, other)| same(one, other)) && !made(NeverLax);
    if (!strict && (is_same || made(AlwaysLax))) || made(SchemeIgnored) {
        r.scheme = None;
    }
    if made(AuthorityIgnored) && r.scheme.is_none() {
        r.authority = None;
    }
    let without_dots = |path: &str| remove_dot_segments(path, slip);
    let own = |path: &str| {
        if made(ReferencePathAsItIs) {
            path.to_owned()
        } else {
            without_dots(path)
        }
    };
    let mut t = Components {
        scheme: r.scheme,
        authority: r.authority,
        path: "".into(),
        query: r.query,
        fragment: r.fragment.filter(|_| !made(FragmentLost)),
    };
    if r.scheme.is_some() {
        t.path = if made(OwnPathLost) { String::new() } else { own(&r.path) }.into();
        t.authority = r.authority.filter(|_| !made(AuthorityOfSchemeLost));
    } else {
        t.scheme = base.scheme.filter(|_| !made(SchemeNotInherited));
        if r.authority.is_some() {
            t.path = if made(OwnPathLost) { String::new() } else { own(&r.path) }.into();
        } else {
            t.authority = base.authority.filter(|_| !made(AuthorityNotInherited));
            if r.path.is_empty() {
                let query = base.query.filter(|_| made(QueryTakenForPath));
                let path = query.map_or(base.path.to_string(), |query| format!("{}?{query}", base.path));
                t.path = if made(BasePathLost) { String::new() } else { path }.into();
                t.query = match r.query {
                    Some(query) if !made(QueryIgnored) => Some(query),
                    Some(_) => base.query,
                    None => base.query.filter(|_| !made(QueryOfBaseLost)),
                };
            } else {
                let merged = merge(&base, &r.path, slip);
                t.path = match r.path.starts_with('/') {
                    true if made(AbsoluteLost) => String::new(),
                    true if !made(AbsoluteMerged) => without_dots(&r.path),
                    _ if made(NotMerged) => r.path.to_string(),
                    _ if made(RelativeLost) => base.path.to_string(),
                    _ if made(MergedPathAsItIs) => merged,
                    _ => without_dots(&merged),
                }
                .into();
                t.query = match slip {
                    Some(QueryLost) => None,
                    Some(QueryInherited) => base.query,
                    _ => r.query,
                };
            }
        }
    }
    if made(FragmentOfBase) && t.fragment.is_none() {
        t.fragment = base.fragment;
    }
    Some(recompose(&t))
}

#[test]
fn a_slip_in_resolution_shows_in_every_vector_that_its_clause_decides() {
    let library = Library::embedded();
    let mut missed = Vec::new();
    for vector in library.vectors() {
        let Input::Resolve {
            base,
            reference,
            strict,
        } = &vector.input
        else {
            continue;
        };
        let expected = match vector.expectation(Reading::Rfc3986) {
            Expectation::Uri(uri) => Some(uri.clone()),
            Expectation::Rejected => None,
            // Which of several outcomes conform is for the reference to say.
            _ => continue,
        };
        let with = |slip| resolve(base, reference, *strict, slip);
        assert_eq!(with(None), expected, "{} without a slip", vector.id);
        let slips = SLIPS.iter().filter(|(clause, _)| *clause == vector.clauses[0]).flat_map(|(_, slips)| *slips);
        let mut slips = slips.peekable();
        assert!(
            slips.peek().is_some(),
            "{}: nothing here breaks {}",
            vector.id,
            vector.clauses[0]
        );
        if slips.all(|slip| with(Some(*slip)) == expected) {
            missed.push(vector.id.as_str());
        }
    }
    assert_eq!(missed, Vec::<&str>::new());
}
