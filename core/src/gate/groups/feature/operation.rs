//! What is particular about the arguments of an operation.

use super::{FeatureRank, Features, INVALID, a, of_text};
use crate::model::{Component, Components, Input, Reading, Rule, Rung, Scope};
use crate::split::{UserinfoEnd, components, split};

/// Adds the features of an input.
pub(super) fn add(features: &mut Features, input: &Input) {
    match input {
        Input::Parse { rule, input } => of_parse(features, *rule, input),
        Input::Resolve {
            base,
            reference,
            strict,
        } => of_resolution(features, base, reference, *strict),
        Input::Normalize { uri, scope } => {
            of_text(features, uri);
            features.add_if(*scope == Scope::Scheme, FeatureRank::Presence, "the rules of a scheme");
        }
        Input::RoundTrip { uri } => of_text(features, uri),
        Input::Compose { components } => of_composition(features, components),
        Input::Modify { uri, component, value } => {
            of_text(features, uri);
            of_modification(features, uri, *component, value.as_deref());
        }
        Input::Equivalent { left, right, rung } => {
            of_pair(features, left, right);
            let rung = match rung {
                Rung::Simple => "comparison of strings",
                Rung::Syntax => "syntax-based comparison",
                Rung::Scheme => "scheme-based comparison",
            };
            features.add(FeatureRank::Presence, rung);
        }
        Input::Contract { left, right } => of_pair(features, left, right),
        Input::Relativize { base, target } => {
            of_pair(features, base, target);
            of_base(features, base);
        }
    }
}

/// Of a string that is parsed as a rule. That of a part is looked at where it stands in a URI-reference.
fn of_parse(features: &mut Features, rule: Rule, text: &str) {
    let whole = match rule {
        Rule::Authority | Rule::Host | Rule::IpLiteral | Rule::Ipv4Address | Rule::RegName => format!("//{text}"),
        Rule::Ipv6Address | Rule::IpvFuture => format!("//[{text}]"),
        Rule::Userinfo => format!("//{text}@"),
        Rule::Port => format!("//:{text}"),
        Rule::Scheme => format!("{text}:"),
        Rule::Query => format!("?{text}"),
        Rule::Fragment => format!("#{text}"),
        _ => text.to_owned(),
    };
    of_text(features, &whole);
    if rule.matches(text, Reading::Rfc3986).is_err() {
        features.add(FeatureRank::Fault, INVALID);
        features.add(FeatureRank::Fault, format!("what is no {rule}"));
    }
    features.add(FeatureRank::Presence, format!("the rule {rule}"));
}

fn of_resolution(features: &mut Features, base: &str, reference: &str, strict: bool) {
    of_text(features, base);
    of_text(features, reference);
    of_base(features, base);
    let (of_base, of_reference) = (split(base), split(reference));
    let is_same = of_reference.scheme.is_some() && of_reference.scheme == of_base.scheme;
    features.add_if(is_same, FeatureRank::Operation, "a reference with the base's scheme");
    features.add_if(is_same && !strict, FeatureRank::Operation, "non-strict resolution");
    let branch = match (&of_reference, &*of_reference.path) {
        (parts, _) if parts.scheme.is_some() => "a reference with a scheme",
        (parts, _) if parts.authority.is_some() => "a network-path reference",
        (parts, "") if parts.query.is_some() => "a reference that begins with a query",
        (parts, "") if parts.fragment.is_some() => "a same-document reference",
        (_, "") => "an empty reference",
        (_, path) if path.starts_with('/') => "an absolute-path reference",
        _ => "a relative-path reference",
    };
    features.add(FeatureRank::Operation, branch);
    add_components(features, "reference", &components(reference, UserinfoEnd::LastAt));
    let has_dots = |path: &str| path.split('/').any(|segment| matches!(segment, "." | ".."));
    features.add_if(
        has_dots(&of_reference.path),
        FeatureRank::Operation,
        "a reference with dot segments",
    );
}

/// The components whose presence in a base or a reference can decide.
fn add_components(features: &mut Features, what: &str, parts: &Components<&str>) {
    for component in [
        Component::Userinfo,
        Component::Port,
        Component::Query,
        Component::Fragment,
    ] {
        let is_there = parts.text(component).is_some();
        features.add_if(
            is_there,
            FeatureRank::Operation,
            format!("a {what} with {}", a(component)),
        );
    }
}

/// What of a base decides.
fn of_base(features: &mut Features, base: &str) {
    let parts = components(base, UserinfoEnd::LastAt);
    add_components(features, "base", &parts);
    features.add_if(parts.scheme.is_none(), FeatureRank::Operation, "a relative base");
    features.add_if(
        parts.host.is_none(),
        FeatureRank::Operation,
        "a base without an authority",
    );
    features.add_if(parts.path.is_empty(), FeatureRank::Operation, "a base without a path");
    features.add_if(
        !parts.path.is_empty() && !parts.path.starts_with('/'),
        FeatureRank::Operation,
        "a base with a rootless path",
    );
    features.add_if(
        parts.path.split('/').any(|segment| matches!(segment, "." | "..")),
        FeatureRank::Operation,
        "a base with dot segments",
    );
}

fn of_composition(features: &mut Features, parts: &Components) {
    let text = parts.recompose();
    of_text(features, &text);
    for component in Component::TEXTS {
        let Some(value) = parts.text(component) else { continue };
        of_value(features, component, value);
        features.add_if(
            component != Component::Path || !value.is_empty(),
            FeatureRank::Presence,
            a(component),
        );
    }
    features.add_if(
        parts.host.is_some() && !parts.path.is_empty() && !parts.path.starts_with('/'),
        FeatureRank::Operation,
        "a rootless path after an authority",
    );
    features.add_if(
        parts.host.is_none() && parts.path.starts_with("//"),
        FeatureRank::Operation,
        "a path that begins with \"//\" without an authority",
    );
    features.add_if(
        parts.host.is_none() && (parts.userinfo.is_some() || parts.port.is_some()),
        FeatureRank::Operation,
        "a userinfo or a port without a host",
    );
}

/// What of the value of a component decides.
fn of_value(features: &mut Features, component: Component, value: &str) {
    let is_valid = component.rule().matches(value, Reading::Rfc3986).is_ok();
    features.add_if(
        !is_valid,
        FeatureRank::Fault,
        format!("an invalid value of {}", a(component)),
    );
    features.add_if(value.is_empty(), FeatureRank::Form, format!("an empty {component}"));
}

fn of_modification(features: &mut Features, uri: &str, component: Component, value: Option<&str>) {
    features.add(FeatureRank::Operation, format!("setting {}", a(component)));
    match value {
        None => features.add(FeatureRank::Operation, format!("removing {}", a(component))),
        Some(value) => {
            of_value(features, component, value);
            let changed = components(uri, UserinfoEnd::LastAt).map(str::to_owned).with(component, Some(value));
            of_composition(features, &changed);
        }
    }
}

/// In what two strings differ.
fn of_pair(features: &mut Features, left: &str, right: &str) {
    of_text(features, left);
    of_text(features, right);
    let sides = [left, right].map(|text| components(text, UserinfoEnd::LastAt));
    for component in Component::TEXTS {
        let [one, other] = [&sides[0], &sides[1]].map(|side| side.text(component));
        features.add_if(
            one != other,
            FeatureRank::Operation,
            format!("{component}s that differ"),
        );
        let is_empty = matches!((one, other), (None, Some("")) | (Some(""), None));
        features.add_if(
            is_empty,
            FeatureRank::Operation,
            format!("an undefined and an empty {component}"),
        );
        let only_case = one != other && one.zip(other).is_some_and(|(one, other)| one.eq_ignore_ascii_case(other));
        features.add_if(
            only_case,
            FeatureRank::Operation,
            format!("{component}s that differ in case"),
        );
    }
    features.add_if(left == right, FeatureRank::Operation, "the same string twice");
}
