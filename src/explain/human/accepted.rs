//! How an input is derived, as a tree.

use uriproof::model::{Component, Components, Fitted, HostKind, Rule};

use super::{DERIVED, FAINT, GOOD, LEAST, MANY, PREFIX, WIDTH, put, shown, title};
use crate::explain::resolution::SHOWN;
use crate::explain::{Accepted, DerivationNode, InputExplanation};

pub(super) fn human_accepted(explanation: &InputExplanation, accepted: &Accepted) -> String {
    let mut text = format!("{GOOD}accepted{GOOD:#}: {}\n", summary(explanation.rule, accepted));
    text += &title("derivation");
    let mut lines = Vec::new();
    outline(&accepted.tree, "", "", &mut lines);
    let (mut label_width, mut span_width) = (0, 0);
    for TreeLine { label, part } in &lines {
        if let Some((span, _)) = part {
            label_width = label_width.max(label.chars().count());
            span_width = span_width.max(span.len());
        }
    }
    let columns = WIDTH.saturating_sub(2 + label_width + 2 + span_width + 2).max(LEAST);
    for TreeLine { label, part } in lines {
        match part {
            Some((span, part)) => {
                let part = Fitted(part, columns);
                put(
                    &mut text,
                    &format!("  {label:label_width$}  {FAINT}{span:span_width$}{FAINT:#}  {part}"),
                );
            }
            None => put(&mut text, &format!("  {FAINT}{label}{FAINT:#}")),
        }
    }
    if accepted.is_cut {
        let bytes = explanation.input.len();
        let left_out = format!("left out: the input has {bytes} bytes, and at most {DERIVED} are derived");
        put(&mut text, &format!("  {FAINT}{left_out}{FAINT:#}"));
    }
    if let Some(components) = &accepted.components {
        text += &title("components");
        for component in Component::TEXTS {
            let value = match components.text(component) {
                Some(value) if accepted.is_cut && value.len() > PREFIX => {
                    format!("{}  {FAINT}{} bytes{FAINT:#}", Fitted(value, PREFIX), value.len())
                }
                value => shown(value),
            };
            let rule = match component {
                Component::Host => host_rule(components),
                Component::Path => accepted.path_rule.map(Rule::name),
                _ => None,
            };
            let rule = rule.map(|rule| format!("  {rule}")).unwrap_or_default();
            put(&mut text, &format!("  {component:8}  {value}{rule}"));
        }
    }
    text
}

/// What the input is, in one line.
fn summary(rule: Rule, accepted: &Accepted) -> String {
    let Some(components) = &accepted.components else {
        return format!("matches {rule}");
    };
    let kind = match (rule, &components.scheme) {
        (Rule::UriReference, Some(_)) => ", as a URI",
        (Rule::UriReference, None) => ", as a relative-ref",
        _ => "",
    };
    let host = match host_rule(components) {
        Some(rule) => format!("its host is an {rule}, ").replace("an reg-name", "a reg-name"),
        None => "it has no authority, ".to_owned(),
    };
    let path = accepted.path_rule.map_or("", Rule::name);
    format!("matches {rule}{kind}; {host}its path a {path}")
}

/// Which alternative of `host` matches, and within `IP-literal`.
fn host_rule(components: &Components) -> Option<&'static str> {
    components.host_kind.map(|kind| match kind {
        HostKind::Ipv4 => Rule::Ipv4Address.name(),
        HostKind::Ipv6 => Rule::Ipv6Address.name(),
        HostKind::Ipvfuture => Rule::IpvFuture.name(),
        HostKind::RegName => Rule::RegName.name(),
    })
}

/// A line of a tree.
struct TreeLine<'a> {
    /// The branch and the rule's name; or how many nodes are left out.
    label: String,
    /// The span of what the rule derives, in bytes, and the text.
    part: Option<(String, &'a str)>,
}

/// A line for each rule, of many children of one for the first and the last.
fn outline<'a>(node: &'a DerivationNode, branch: &str, indent: &str, lines: &mut Vec<TreeLine<'a>>) {
    lines.push(TreeLine {
        label: format!("{branch}{}", node.rule),
        part: Some((
            format!("{}..{}", node.offset, node.offset + node.text.len()),
            &node.text,
        )),
    });
    let count = node.children.len();
    let (first, last) = if count > MANY { SHOWN } else { (count, 0) };
    for (at, child) in node.children.iter().enumerate() {
        if at == first {
            let more = count - first - last;
            lines.push(TreeLine {
                label: format!("{indent}├─ ... {more} more"),
                part: None,
            });
        }
        if at >= first && at + last < count {
            continue;
        }
        let (own, below) = if at + 1 < count {
            ("├─ ", "│  ")
        } else {
            ("└─ ", "   ")
        };
        outline(child, &format!("{indent}{own}"), &format!("{indent}{below}"), lines);
    }
}
