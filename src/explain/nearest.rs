//! Finds the valid string that is nearest to an invalid one and keeps its components.
//!
//! The delimiters of the input decide where its components are (Appendix B), valid or not. Each component is repaired within
//! its own rule, so no text moves from one component to another, even where that would take fewer edits: the host of
//! `http://[::1%25a]/` must not become a userinfo.

use std::sync::LazyLock;

use rfc3986_reference::components::ReferenceRule;
use uriproof::model::{Reading, Rule};
use uriproof::split::{self, UserinfoEnd, range, split};
use uriproof_grammar::nearest::{self, LONGEST, Nearest};
use uriproof_lab::machines::Machines;

static MACHINES: LazyLock<Machines> = LazyLock::new(Machines::of_rfc3986);

/// Returns the string that matches `rule` and is nearest to `input` among those that keep its components. `None` if the input
/// has more than [`LONGEST`] characters.
pub(super) fn nearest(input: &str, rule: Rule) -> Option<Nearest> {
    if input.chars().count() > LONGEST {
        return None;
    }
    let repaired = match rule {
        Rule::Authority => authority(input),
        Rule::Host | Rule::IpLiteral if input.starts_with('[') => literal(input),
        Rule::HierPart | Rule::RelativePart => authority_and_path(input),
        _ => ReferenceRule::try_from(rule).ok().and_then(|_| reference(input, rule)),
    };
    let matches = |repaired: &Nearest| rule.matches(&repaired.text, Reading::Rfc3986).is_ok();
    repaired.filter(matches).or_else(|| within(rule, input))
}

/// The nearest string that matches a rule, wherever its components are.
fn within(rule: Rule, text: &str) -> Option<Nearest> {
    nearest::nearest(MACHINES.of(rule).machine(), text)
}

/// What is repaired so far.
struct Repair(Nearest);

impl Repair {
    fn new() -> Repair {
        let text = String::new();
        Repair(Nearest { text, edits: 0 })
    }

    fn keep(&mut self, delimiter: &str) {
        self.0.text += delimiter;
    }

    fn insert(&mut self, delimiter: &str) {
        self.keep(delimiter);
        self.remove(delimiter);
    }

    fn remove(&mut self, text: &str) {
        self.0.edits += text.chars().count();
    }

    fn append(&mut self, part: Option<Nearest>) -> Option<()> {
        let Nearest { text, edits } = part?;
        self.0.text += &text;
        self.0.edits += edits;
        Some(())
    }
}

/// A URI, a relative reference, or either. A component that `rule` does not have is removed, and a missing scheme is added.
fn reference(input: &str, rule: Rule) -> Option<Nearest> {
    let parts = split(input);
    let mut repair = Repair::new();
    let scheme = match (parts.scheme, rule) {
        (Some(scheme), Rule::RelativeRef) => {
            repair.remove(scheme);
            repair.remove(":");
            None
        }
        (None, Rule::Uri | Rule::AbsoluteUri) => {
            repair.append(within(Rule::Scheme, ""))?;
            repair.insert(":");
            Some("")
        }
        (Some(scheme), _) => {
            repair.append(within(Rule::Scheme, scheme))?;
            repair.keep(":");
            Some(scheme)
        }
        (None, _) => None,
    };
    if let Some(text) = parts.authority {
        repair.keep("//");
        repair.append(authority(text))?;
    }
    let path_rule = match (parts.authority, scheme) {
        (Some(_), _) => Rule::PathAbempty,
        (None, _) if parts.path.starts_with('/') => Rule::PathAbsolute,
        (None, Some(_)) => Rule::PathRootless,
        (None, None) => Rule::PathNoscheme,
    };
    repair.append(path(&parts.path, path_rule))?;
    if let Some(query) = parts.query {
        repair.keep("?");
        repair.append(within(Rule::Query, query))?;
    }
    match parts.fragment {
        Some(fragment) if rule == Rule::AbsoluteUri => {
            repair.remove("#");
            repair.remove(fragment);
        }
        Some(fragment) => {
            repair.keep("#");
            repair.append(within(Rule::Fragment, fragment))?;
        }
        None => {}
    }
    Some(repair.0)
}

/// What stands behind a scheme, or in its place, if it has an authority.
fn authority_and_path(input: &str) -> Option<Nearest> {
    let text = split(input).authority.filter(|_| input.starts_with("//"))?;
    let mut repair = Repair::new();
    repair.keep("//");
    repair.append(authority(text))?;
    repair.append(path(&input[range(text, input).end..], Rule::PathAbempty))?;
    Some(repair.0)
}

/// A path of one of the five rules; empty where nothing of it can be kept.
fn path(text: &str, rule: Rule) -> Option<Nearest> {
    let all = text.chars().count();
    if all == 0 {
        return Some(Repair::new().0);
    }
    within(rule, text).map(|found| match found.edits < all {
        true => found,
        false => Nearest {
            text: String::new(),
            edits: all,
        },
    })
}

/// Userinfo, host and port: the last "@" ends the userinfo.
fn authority(text: &str) -> Option<Nearest> {
    let mut repair = Repair::new();
    let split::Authority { userinfo, host, port } = split::authority(text, UserinfoEnd::LastAt);
    if let Some(userinfo) = userinfo {
        repair.append(within(Rule::Userinfo, userinfo))?;
        repair.keep("@");
    }
    let behind = &text[range(host, text).start..];
    if Rule::Ipv6Address.matches(behind, Reading::Rfc3986).is_ok() {
        // Only its brackets are missing (§3.2.2).
        repair.insert("[");
        repair.keep(behind);
        repair.insert("]");
        return Some(repair.0);
    }
    repair.append(match host.starts_with('[') {
        true => literal(host),
        false => within(Rule::RegName, host),
    })?;
    if let Some(port) = port {
        repair.keep(":");
        repair.append(within(Rule::Port, port))?;
    }
    Some(repair.0)
}

/// An IP-literal, which begins with a bracket and may lack the other.
fn literal(text: &str) -> Option<Nearest> {
    let inner = text.strip_prefix('[')?;
    let mut repair = Repair::new();
    repair.keep("[");
    match inner.split_once(']') {
        Some((inner, behind)) => {
            repair.append(address(inner))?;
            repair.keep("]");
            repair.remove(behind);
        }
        None => {
            let found = address(inner)?;
            // The bracket is added, or takes the place of the last character.
            let mut characters = inner.chars();
            let shorter = characters.next_back().and_then(|_| address(characters.as_str()));
            repair.append(Some(match shorter {
                Some(shorter) if shorter.edits < found.edits => shorter,
                _ => found,
            }))?;
            repair.insert("]");
        }
    }
    Some(repair.0)
}

/// What stands in the brackets: an IPvFuture if it begins as one, else an IPv6address.
fn address(text: &str) -> Option<Nearest> {
    if text.starts_with(['v', 'V']) {
        return within(Rule::IpvFuture, text);
    }
    match text.split_once('%') {
        // §3.2.2: "This syntax does not support IPv6 scoped addressing zone identifiers".
        Some((address, zone)) if Rule::Ipv6Address.matches(address, Reading::Rfc3986).is_ok() => {
            let mut repair = Repair::new();
            repair.keep(address);
            repair.remove("%");
            repair.remove(zone);
            Some(repair.0)
        }
        _ => within(Rule::Ipv6Address, text),
    }
}
