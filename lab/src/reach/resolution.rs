//! The branches of resolution and recomposition (RFC 3986 §5.2, §5.3).

use rfc3986_reference::components::Components;
use rfc3986_reference::dot_segments::{Step, steps};
use rfc3986_reference::resolve::{Branch, Resolution, Strictness, reparses, resolve};
use uriproof::model::{Input, Reading};

use super::{Caches, Probe, Reached, Seen};

/// The branches of RFC 3986 §5.2.2 to §5.2.4.
pub(super) struct Resolutions;

const RESOLUTIONS: &[&str] = &[
    "§5.2.2 strict, R.scheme == Base.scheme: kept",
    "§5.2.2 not strict, R.scheme == Base.scheme: undefined",
    "§5.2.2 not strict, R.scheme == Base.scheme in another case: undefined",
    "§5.2.2 not strict, another R.scheme: kept",
    "§5.2.2 defined(R.scheme)",
    "§5.2.2 defined(R.authority)",
    "§5.2.2 R.path == \"\", defined(R.query)",
    "§5.2.2 R.path == \"\", else Base.query, defined",
    "§5.2.2 R.path == \"\", else Base.query, undefined",
    "§5.2.2 R.path starts-with \"/\"",
    "§5.2.2 merge(Base.path, R.path)",
    "§5.2.2 Base.fragment defined, R.fragment not",
    "§5.2.2 T is not what its string is parsed to",
    "§5.2.3 Base.authority defined, Base.path empty",
    "§5.2.3 all but the last segment, behind an authority",
    "§5.2.3 all but the last segment, without an authority",
    "§5.2.3 no \"/\" in Base.path: all of it excluded",
    "§5.2.3 Base.path empty, no authority",
    "§5.2.4 1, the input buffer empty",
    "§5.2.4 1",
    "§5.2.4 2A \"../\"",
    "§5.2.4 2A \"./\"",
    "§5.2.4 2B \"/./\"",
    "§5.2.4 2B \"/.\"",
    "§5.2.4 2C \"/../\"",
    "§5.2.4 2C \"/..\"",
    "§5.2.4 2C, the last segment and its \"/\" removed",
    "§5.2.4 2C, the last segment without a \"/\" removed",
    "§5.2.4 2C, the output buffer empty",
    "§5.2.4 2C, three times in a row",
    "§5.2.4 2D \"..\"",
    "§5.2.4 2D \".\"",
    "§5.2.4 2E, the initial \"/\" included",
    "§5.2.4 2E, no initial \"/\"",
    "§5.2.4 2E, an empty segment",
    "§5.2.4 2E, to the end of the input buffer",
];

impl Probe for Resolutions {
    fn name(&self) -> &'static str {
        "branches of resolution"
    }

    fn rows(&self) -> Vec<String> {
        RESOLUTIONS.iter().map(|&row| row.to_owned()).collect()
    }

    fn ask(&self, seen: &Seen<'_>, _: &mut Caches, reached: &mut Reached) {
        let Some((base, r, resolution)) = resolved(seen) else {
            return;
        };
        let mut reach = |name: &str| reached.reach_all(RESOLUTIONS.iter().position(|&row| row == name));
        let is_strict = matches!(seen.input, Input::Resolve { strict: true, .. });
        match (is_strict, r.scheme.zip(base.scheme)) {
            (true, Some((scheme, of_base))) if scheme.eq_ignore_ascii_case(of_base) => {
                reach("§5.2.2 strict, R.scheme == Base.scheme: kept");
            }
            (false, Some((scheme, of_base))) => reach(if scheme == of_base {
                "§5.2.2 not strict, R.scheme == Base.scheme: undefined"
            } else if scheme.eq_ignore_ascii_case(of_base) {
                "§5.2.2 not strict, R.scheme == Base.scheme in another case: undefined"
            } else {
                "§5.2.2 not strict, another R.scheme: kept"
            }),
            _ => {}
        }
        reach(match resolution.branch {
            Branch::Scheme => "§5.2.2 defined(R.scheme)",
            Branch::Authority => "§5.2.2 defined(R.authority)",
            Branch::EmptyPathWithQuery => "§5.2.2 R.path == \"\", defined(R.query)",
            Branch::EmptyPathWithoutQuery if base.query.is_some() => "§5.2.2 R.path == \"\", else Base.query, defined",
            Branch::EmptyPathWithoutQuery => "§5.2.2 R.path == \"\", else Base.query, undefined",
            Branch::AbsolutePath => "§5.2.2 R.path starts-with \"/\"",
            Branch::Merge => "§5.2.2 merge(Base.path, R.path)",
        });
        if base.fragment.is_some() && r.fragment.is_none() {
            reach("§5.2.2 Base.fragment defined, R.fragment not");
        }
        if !reparses(&resolution.target, Reading::Rfc3986) {
            reach("§5.2.2 T is not what its string is parsed to");
        }
        let removed = match (&resolution.merged, resolution.branch) {
            (Some(merged), _) => {
                reach(match (base.authority, base.path.contains('/'), base.path.is_empty()) {
                    (Some(_), _, true) => "§5.2.3 Base.authority defined, Base.path empty",
                    (Some(_), _, false) => "§5.2.3 all but the last segment, behind an authority",
                    (None, true, _) => "§5.2.3 all but the last segment, without an authority",
                    (None, false, true) => "§5.2.3 Base.path empty, no authority",
                    (None, false, false) => "§5.2.3 no \"/\" in Base.path: all of it excluded",
                });
                merged
            }
            (None, Branch::EmptyPathWithQuery | Branch::EmptyPathWithoutQuery) => return,
            (None, _) => &*r.path,
        };
        reach_removal(removed, reach);
    }
}

/// The steps of removing dot-segments from a path (§5.2.4).
fn reach_removal(path: &str, mut reach: impl FnMut(&str)) {
    let (mut output_before, mut input_before) = (String::new(), path.to_owned());
    let mut climbed = 0;
    steps(path, |step, output, input| {
        let prefix =
            |prefixes: &[&'static str]| prefixes.iter().find(|prefix| input_before.starts_with(**prefix)).copied();
        match step {
            Step::Step1 => reach(if input.is_empty() {
                "§5.2.4 1, the input buffer empty"
            } else {
                "§5.2.4 1"
            }),
            Step::Step2A => reach(match prefix(&["../"]) {
                Some(_) => "§5.2.4 2A \"../\"",
                None => "§5.2.4 2A \"./\"",
            }),
            Step::Step2B => reach(match prefix(&["/./"]) {
                Some(_) => "§5.2.4 2B \"/./\"",
                None => "§5.2.4 2B \"/.\"",
            }),
            Step::Step2C => {
                reach(match prefix(&["/../"]) {
                    Some(_) => "§5.2.4 2C \"/../\"",
                    None => "§5.2.4 2C \"/..\"",
                });
                reach(match (output_before.is_empty(), output_before.contains('/')) {
                    (true, _) => "§5.2.4 2C, the output buffer empty",
                    (false, true) => "§5.2.4 2C, the last segment and its \"/\" removed",
                    (false, false) => "§5.2.4 2C, the last segment without a \"/\" removed",
                });
            }
            Step::Step2D => reach(match prefix(&[".."]) {
                Some(_) => "§5.2.4 2D \"..\"",
                None => "§5.2.4 2D \".\"",
            }),
            Step::Step2E => {
                reach(match prefix(&["/"]) {
                    Some(_) => "§5.2.4 2E, the initial \"/\" included",
                    None => "§5.2.4 2E, no initial \"/\"",
                });
                if output.ends_with('/') {
                    reach("§5.2.4 2E, an empty segment");
                }
                if input.is_empty() {
                    reach("§5.2.4 2E, to the end of the input buffer");
                }
            }
        }
        climbed = if step == Step::Step2C { climbed + 1 } else { 0 };
        if climbed == 3 {
            reach("§5.2.4 2C, three times in a row");
        }
        output.clone_into(&mut output_before);
        input.clone_into(&mut input_before);
    });
}

/// The branches of RFC 3986 §5.3, for what is resolved and for what is composed.
pub(super) struct Recompositions;

const RECOMPOSED: [&str; 4] = ["scheme", "authority", "query", "fragment"];
const PRESENCES: [&str; 3] = ["undefined", "empty", "defined and not empty"];

impl Probe for Recompositions {
    fn name(&self) -> &'static str {
        "branches of recomposition"
    }

    fn rows(&self) -> Vec<String> {
        let rows = |of: &'static str| {
            RECOMPOSED.into_iter().flat_map(move |component| {
                PRESENCES.into_iter().map(move |presence| format!("§5.3 {of}: {component} {presence}"))
            })
        };
        // A target has a scheme, and it is not empty.
        rows("target").skip(2).chain(rows("composed")).collect()
    }

    fn ask(&self, seen: &Seen<'_>, _: &mut Caches, reached: &mut Reached) {
        let mut reach = |first: usize, components: &Components<'_>| {
            let texts = [
                components.scheme,
                components.authority,
                components.query,
                components.fragment,
            ];
            for (component, text) in texts.into_iter().enumerate() {
                let presence = match text {
                    None => 0,
                    Some("") => 1,
                    Some(_) => 2,
                };
                reached.reach(first + component * PRESENCES.len() + presence - 2);
            }
        };
        if let Input::Compose { components } = seen.input {
            let authority = components.authority();
            reach(
                RECOMPOSED.len() * PRESENCES.len(),
                &components.five(authority.as_deref()),
            );
        } else if let Some((_, _, resolution)) = resolved(seen) {
            reach(0, &resolution.target);
        }
    }
}

/// The base, the reference, and what comes of them; none where one of the two is not what it has to be.
pub(super) fn resolved<'s>(seen: &'s Seen<'_>) -> Option<(&'s Components<'s>, &'s Components<'s>, Resolution<'s>)> {
    let (Input::Resolve { strict, .. }, [base, r]) = (seen.input, seen.strings.as_slice()) else {
        return None;
    };
    let (base, r) = (&base.parsed.as_ref()?.components, &r.parsed.as_ref()?.components);
    base.scheme?;
    let strictness = if *strict {
        Strictness::Strict
    } else {
        Strictness::NonStrict
    };
    Some((base, r, resolve(base, r, strictness, Reading::Rfc3986)))
}
