//! What goes wrong where a reference is resolved: the algorithm of RFC 3986 §5.2.2, with a fault.

use std::borrow::Cow;

use rfc3986_reference::components::{Components, parse as parse_reference};
use rfc3986_reference::dot_segments::remove_dot_segments;
use rfc3986_reference::recompose::recompose;
use uriproof::model::{Input, Operation, Outcome, Reading};

use super::Mutant;

const fn resolve(
    name: &'static str,
    witness: &'static str,
    classes: &'static [&'static str],
    twist: fn(&Input, Outcome) -> Outcome,
) -> Mutant {
    Mutant {
        name,
        operation: Operation::Resolve,
        witness,
        classes,
        twist,
    }
}

pub(super) const MUTANTS: &[Mutant] = &[
    resolve(
        "keeps a dot-dot above the root",
        "rfc/5.4.2/one-level-above-the-root",
        &["resolve other-uri path \"a:\" + \"/..\""],
        |input, outcome| resolved(input, outcome, Fault::KeepsDotDotAboveTheRoot),
    ),
    resolve(
        "takes a dot-dot for a dot",
        "resolution/base-dot-segments/relative-path",
        &["resolve other-uri path \"a:\" + \"a/..\""],
        |input, outcome| resolved(input, outcome, Fault::TakesDotDotForDot),
    ),
    resolve(
        "inherits the query of the base too often",
        "rfc/5.4.1/relative-path",
        &["resolve other-uri query \"a:?\" + \"/\""],
        |input, outcome| resolved(input, outcome, Fault::KeepsQueryOfBase),
    ),
    resolve(
        "does not inherit the query of the base",
        "resolution/base/fragment-and-empty-reference",
        &["resolve other-uri query \"a:?\" + \"\""],
        |input, outcome| resolved(input, outcome, Fault::LosesQueryOfBase),
    ),
    resolve(
        "merges with the last segment of the base",
        "resolution/base-dot-segments/relative-path",
        &["resolve other-uri path \"a:a\" + \"a\""],
        |input, outcome| resolved(input, outcome, Fault::KeepsLastSegment),
    ),
    resolve(
        "puts two slashes behind an authority",
        "resolution/merge/authority-and-empty-path",
        &["resolve other-uri path \"a://\" + \"a\""],
        |input, outcome| resolved(input, outcome, Fault::MergesWithTwoSlashes),
    ),
    resolve(
        "drops the fragment of the reference",
        "resolution/base-dot-segments/fragment-only",
        &["resolve other-uri fragment \"a:\" + \"#\""],
        |input, outcome| resolved(input, outcome, Fault::DropsFragment),
    ),
    resolve(
        "keeps the fragment of the base",
        "resolution/base/fragment-and-empty-reference",
        &["resolve other-uri fragment \"a:#\" + \"\""],
        |input, outcome| resolved(input, outcome, Fault::KeepsFragmentOfBase),
    ),
    resolve(
        "keeps the dot-segments of a URI",
        "resolution/reference-with-authority/scheme-and-authority",
        &["resolve other-uri path \"a:\" + \"a:.\""],
        |input, outcome| resolved(input, outcome, Fault::KeepsDotSegmentsWithScheme),
    ),
    resolve(
        "keeps the dot-segments behind an authority",
        "resolution/reference-with-authority/authority",
        &["resolve other-uri path \"a:\" + \"///.\""],
        |input, outcome| resolved(input, outcome, Fault::KeepsDotSegmentsWithAuthority),
    ),
    resolve(
        "loses the authority of the base before an absolute path",
        "resolution/base-dot-segments/absolute-path",
        // What a base hands on can be any of its components, and each shows on its own.
        &[
            "resolve other-uri host+host_kind \"a://\" + \"/\"",
            "resolve other-uri host+host_kind+port \"a://:\" + \"/\"",
            "resolve other-uri userinfo+host+host_kind \"a://@\" + \"/\"",
        ],
        |input, outcome| resolved(input, outcome, Fault::LosesAuthorityOfBase),
    ),
    resolve(
        "removes empty segments",
        "resolution/dot-segments/step-2e-empty-segments",
        &["resolve other-uri path \"a:\" + \"a//\""],
        |input, outcome| resolved(input, outcome, Fault::RemovesEmptySegments),
    ),
    resolve(
        "is never strict",
        "resolution/same-scheme/nothing-else-strict",
        // What a base hands on can be any of its components, and each shows on its own.
        &[
            "resolve other-uri host+host_kind \"a://\" + \"a:\"",
            "resolve other-uri host+host_kind+port \"a://:\" + \"a:\"",
            "resolve other-uri path \"a:/\" + \"a:\"",
            "resolve other-uri query \"a:?\" + \"a:\"",
            "resolve other-uri scheme \"A:\" + \"a:\"",
            "resolve other-uri userinfo+host+host_kind \"a://@\" + \"a:\"",
        ],
        |input, outcome| resolved(input, outcome, Fault::NeverStrict),
    ),
    resolve(
        "compares schemes with their case",
        "resolution/same-scheme/upper-case-scheme-non-strict",
        // What a base hands on can be any of its components, and each shows on its own.
        &[
            "resolve other-uri scheme \"a:\" + \"A:\", not strict",
            "resolve other-uri scheme+host+host_kind \"a://\" + \"A:\", not strict",
            "resolve other-uri scheme+host+host_kind+port \"a://:\" + \"A:\", not strict",
            "resolve other-uri scheme+path \"a:a\" + \"A:\", not strict",
            "resolve other-uri scheme+query \"a:?\" + \"A:\", not strict",
            "resolve other-uri scheme+userinfo+host+host_kind \"a://@\" + \"A:\", not strict",
            "resolve other-uri path \"A:/\" + \"a:\", not strict",
            "resolve other-uri path \"A:/\" + \"a:a\", not strict",
            "resolve other-uri query \"A:?\" + \"a:\", not strict",
        ],
        |input, outcome| resolved(input, outcome, Fault::ComparesSchemesWithCase),
    ),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    KeepsDotDotAboveTheRoot,
    TakesDotDotForDot,
    KeepsQueryOfBase,
    LosesQueryOfBase,
    KeepsLastSegment,
    MergesWithTwoSlashes,
    DropsFragment,
    KeepsFragmentOfBase,
    KeepsDotSegmentsWithScheme,
    KeepsDotSegmentsWithAuthority,
    LosesAuthorityOfBase,
    RemovesEmptySegments,
    NeverStrict,
    ComparesSchemesWithCase,
}

fn resolved(input: &Input, outcome: Outcome, fault: Fault) -> Outcome {
    let (
        Input::Resolve {
            base,
            reference,
            strict,
        },
        Outcome::Accepted { .. },
    ) = (input, &outcome)
    else {
        return outcome;
    };
    match (
        parse_reference(base, Reading::Rfc3986),
        parse_reference(reference, Reading::Rfc3986),
    ) {
        // What looks like another URI is told by the reference, so that one fault shows in one way.
        (Ok(base), Ok(r)) => match transformed(&base.components, r.components, *strict, fault) {
            t if t.authority.is_none() && t.path.starts_with("//") => outcome,
            t => Outcome::uri(recompose(&t)),
        },
        _ => outcome,
    }
}

fn transformed<'a>(base: &Components<'a>, mut r: Components<'a>, strict: bool, fault: Fault) -> Components<'a> {
    let same_scheme = |one: &str, other: &str| {
        one == other || fault != Fault::ComparesSchemesWithCase && one.eq_ignore_ascii_case(other)
    };
    if (!strict || fault == Fault::NeverStrict)
        && r.scheme.zip(base.scheme).is_some_and(|(one, other)| same_scheme(one, other))
    {
        r.scheme = None;
    }
    let mut t = r.clone();
    if r.scheme.is_some() {
        if fault != Fault::KeepsDotSegmentsWithScheme {
            t.path = without_dots(&r.path, fault);
        }
        return t;
    }
    t.scheme = base.scheme;
    if r.authority.is_some() {
        if fault != Fault::KeepsDotSegmentsWithAuthority {
            t.path = without_dots(&r.path, fault);
        }
    } else {
        t.authority = base.authority;
        if r.path.is_empty() {
            t.path = base.path.clone();
            if fault != Fault::LosesQueryOfBase {
                t.query = r.query.or(base.query);
            }
        } else if r.path.starts_with('/') {
            t.path = without_dots(&r.path, fault);
            if fault == Fault::LosesAuthorityOfBase {
                t.authority = None;
            }
        } else {
            t.path = without_dots(&merged(base, &r.path, fault), fault);
        }
        if fault == Fault::KeepsQueryOfBase {
            t.query = r.query.or(base.query);
        }
    }
    match fault {
        Fault::DropsFragment => t.fragment = None,
        Fault::KeepsFragmentOfBase => t.fragment = r.fragment.or(base.fragment),
        _ => {}
    }
    t
}

fn merged(base: &Components<'_>, path: &str, fault: Fault) -> String {
    let directory = match base.path.rfind('/') {
        _ if base.path.is_empty() && base.authority.is_some() => match fault {
            Fault::MergesWithTwoSlashes => "//",
            _ => "/",
        },
        _ if fault == Fault::KeepsLastSegment => &base.path,
        Some(end) => &base.path[..=end],
        None => "",
    };
    let slash = if fault == Fault::KeepsLastSegment && !directory.is_empty() && !directory.ends_with('/') {
        "/"
    } else {
        ""
    };
    format!("{directory}{slash}{path}")
}

fn without_dots(path: &str, fault: Fault) -> Cow<'static, str> {
    let path = match fault {
        Fault::TakesDotDotForDot => {
            let segments: Vec<&str> =
                path.split('/').map(|segment| if segment == ".." { "." } else { segment }).collect();
            segments.join("/")
        }
        _ => path.to_owned(),
    };
    let removed = remove_dot_segments(&path);
    Cow::Owned(match fault {
        Fault::RemovesEmptySegments => {
            let mut removed = removed;
            while removed.contains("//") {
                removed = removed.replace("//", "/");
            }
            removed
        }
        Fault::KeepsDotDotAboveTheRoot => {
            let above = levels_above_the_root(&path);
            format!("{}{removed}", "/..".repeat(above))
        }
        _ => removed,
    })
}

/// How many ".." of an absolute path find nothing to remove.
fn levels_above_the_root(path: &str) -> usize {
    let (mut depth, mut above) = (0, 0);
    for segment in path.split('/').skip(1).filter(|_| path.starts_with('/')) {
        match segment {
            "." => {}
            ".." if depth == 0 => above += 1,
            ".." => depth -= 1,
            _ => depth += 1,
        }
    }
    above
}
