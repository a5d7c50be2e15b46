//! Which clauses decide what is expected of an input.

use rfc3986_reference::components::{self, ReferenceRule};
use rfc3986_reference::grammar::Error;
use rfc3986_reference::normalize::{
    case_normalization, path_segment_normalization, percent_encoding_normalization, scheme_based, syntax_based,
};
use rfc3986_reference::resolve::{Branch, Strictness, resolve};

use super::{BASE, Mismatch, clash, clause_of, clause_of_branch};
use crate::compare::Difference;
use crate::expect::SCHEMES;
use crate::model::{Component, Components, Input, Reading, Rule, Rung, Scope};

/// The ids of the clauses that decide what is expected, where a subject differs so, the decisive one first.
pub fn deciding(input: &Input, difference: &Difference) -> Vec<&'static str> {
    let as_reference = |text: &str| of_error(text, Rule::UriReference);
    match input {
        Input::Parse { rule, input } => of_error(input, *rule).unwrap_or_else(|| {
            let differing = difference.components.iter().map(|component| clause_of(component.rule()));
            differing.chain([clause_of(*rule)]).take(difference.components.len().max(1)).collect()
        }),
        Input::Resolve {
            base,
            reference,
            strict,
        } => of_resolution(base, reference, *strict),
        Input::Normalize { uri, scope } => as_reference(uri).unwrap_or_else(|| of_normalization(uri, *scope)),
        Input::Compose { components } => of_composition(components, difference),
        Input::Modify { uri, component, value } => match components::parse(uri, Reading::Rfc3986) {
            Err(_) => as_reference(uri).unwrap_or_default(),
            Ok(parsed) => of_composition(
                &Components::from(&parsed).with(*component, value.as_deref()),
                difference,
            ),
        },
        Input::RoundTrip { uri } => as_reference(uri).unwrap_or_else(|| of_recomposition(difference)),
        Input::Equivalent { left, right, rung } => {
            let invalid = as_reference(left).or_else(|| as_reference(right));
            invalid.unwrap_or_else(|| of_comparison(left, right, *rung))
        }
        Input::Contract { left, right } => {
            let invalid = as_reference(left).or_else(|| as_reference(right));
            invalid.unwrap_or_else(|| of_comparison(left, right, Rung::Syntax))
        }
        Input::Relativize { base, target } => {
            let invalid = as_reference(base).or_else(|| as_reference(target));
            invalid.unwrap_or_else(|| vec!["§5.2/definitive-results"])
        }
    }
}

/// Those by which a text does not match a rule; `None` if it does.
fn of_error(input: &str, rule: Rule) -> Option<Vec<&'static str>> {
    let Error { rule: failed, offset } = rule.matches(input, Reading::Rfc3986).err()?;
    let stop = Mismatch {
        input,
        rule,
        failed,
        offset,
    };
    Some([clause_of(stop.deciding())].into_iter().chain(stop.prose()).collect())
}

fn of_resolution(base: &str, reference: &str, strict: bool) -> Vec<&'static str> {
    let reading = Reading::Rfc3986;
    if components::parse_rule(ReferenceRule::Uri, base, reading).is_err() {
        let of_error = of_error(base, Rule::UriReference).unwrap_or_default();
        return [BASE].into_iter().chain(of_error).collect();
    }
    let (Ok(base), Ok(r)) = (components::parse(base, reading), components::parse(reference, reading)) else {
        return of_error(reference, Rule::UriReference).unwrap_or_default();
    };
    let strictness = match strict {
        true => Strictness::Strict,
        false => Strictness::NonStrict,
    };
    let branch = resolve(&base.components, &r.components, strictness, reading).branch;
    let is_ignored = r.components.scheme.is_some() && branch != Branch::Scheme;
    let non_strict = is_ignored.then_some("§5.2.2/non-strict");
    non_strict.into_iter().chain([clause_of_branch(branch)]).collect()
}

/// Those of the steps that change a URI.
fn of_normalization(uri: &str, scope: Scope) -> Vec<&'static str> {
    let reading = Reading::Rfc3986;
    let changes = |normal: Result<String, _>| normal.is_ok_and(|normal| normal != uri);
    let Ok(parsed) = components::parse(uri, reading) else {
        return Vec::new();
    };
    let authority = parsed.authority;
    let has_capital =
        |text: Option<&str>| text.is_some_and(|text| text.bytes().any(|octet| octet.is_ascii_uppercase()));
    let has_capitals = has_capital(parsed.components.scheme) || has_capital(authority.map(|authority| authority.host));
    let by_scheme = || scheme_based(uri, &SCHEMES, reading) != syntax_based(uri, reading);
    let is_of_scheme = scope == Scope::Scheme && by_scheme();
    let has_port = authority.is_some_and(|authority| authority.port.is_some());
    let steps = [
        (is_of_scheme && has_port, "§6.2.3/port"),
        (is_of_scheme && parsed.components.path.is_empty(), "§6.2.3/empty-path"),
        (is_of_scheme, "§6.2.3/scheme-specific-rules"),
        (has_capitals, "§6.2.2.1/scheme-and-host"),
        (
            !has_capitals && changes(case_normalization(uri, reading)),
            "§6.2.2.1/hex-digits",
        ),
        (
            changes(percent_encoding_normalization(uri, reading)),
            "§6.2.2.2/decode-unreserved",
        ),
        (
            changes(path_segment_normalization(uri, reading)),
            "§6.2.2.3/remove-dot-segments",
        ),
    ];
    let mut clauses: Vec<&str> = steps.into_iter().filter(|(is, _)| *is).map(|(_, clause)| clause).collect();
    if clauses.is_empty() {
        clauses.push("§6.2.1/normal-form");
    }
    clauses
}

fn of_composition(components: &Components, difference: &Difference) -> Vec<&'static str> {
    let unfit =
        Component::TEXTS.into_iter().find_map(|component| of_error(components.text(component)?, component.rule()));
    unfit.or_else(|| clash(components).map(|clause| vec![clause])).unwrap_or_else(|| of_recomposition(difference))
}

/// Those of the lines of §5.3 that append what differs.
fn of_recomposition(difference: &Difference) -> Vec<&'static str> {
    let lines: Vec<&str> = difference
        .components
        .iter()
        .map(|component| match component {
            Component::Scheme => "§5.3/scheme",
            Component::Userinfo | Component::Host | Component::HostKind | Component::Port => "§5.3/authority",
            Component::Path => "§5.3/path",
            Component::Query => "§5.3/query",
            Component::Fragment => "§5.3/fragment",
        })
        .collect();
    if lines.is_empty() {
        vec!["§5.3/recomposed"]
    } else {
        lines
    }
}

fn of_comparison(left: &str, right: &str, rung: Rung) -> Vec<&'static str> {
    let scope = match rung {
        _ if left == right => return vec!["§6.2.1/identical"],
        Rung::Simple => return vec!["§6.2.1/pair-comparison", "§6.2.1/character-by-character"],
        Rung::Syntax => Scope::Syntax,
        Rung::Scheme => Scope::Scheme,
    };
    let normal = |uri: &str| match scope {
        Scope::Syntax => syntax_based(uri, Reading::Rfc3986).ok(),
        Scope::Scheme => scheme_based(uri, &SCHEMES, Reading::Rfc3986).ok(),
    };
    match (normal(left), normal(right)) {
        (Some(one), Some(other)) if one == other => {
            let changed = [left, right].into_iter().find(|uri| normal(uri).is_some_and(|normal| normal != **uri));
            of_normalization(changed.unwrap_or(left), scope)
        }
        _ => vec!["§6.1/no-false-positives"],
    }
}
