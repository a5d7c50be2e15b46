//! Which clauses decide: where an input stops, that of the rule that could not go on, those of its pieces, and what the RFC
//! says of it in prose; of a resolution, that of the branch; of components that do not go together, the one that says so.

mod deciding;

use rfc3986_reference::characters::{is_reserved, is_unreserved};
use rfc3986_reference::components::ReferenceRule;
use rfc3986_reference::resolve::Branch;

pub use self::deciding::deciding;
use crate::model::{Components, Reading, Rule};

/// The clause by which a base must be a URI.
pub const BASE: &str = "§5.1/absolute-base";

/// Where an input stops that does not match a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch<'a> {
    /// The input.
    pub input: &'a str,
    /// The rule that the whole of it was to match.
    pub rule: Rule,
    /// The rule that could not go on.
    pub failed: Rule,
    /// From which byte on it could not.
    pub offset: usize,
}

impl<'a> Mismatch<'a> {
    /// What stands there; none where the input ends.
    pub fn found(self) -> Option<char> {
        self.rest().chars().next()
    }

    fn before(self) -> &'a str {
        self.input.get(..self.offset).unwrap_or_default()
    }

    fn rest(self) -> &'a str {
        self.input.get(self.offset..).unwrap_or_default()
    }

    /// The rule whose ABNF decides. A host that is no IPv4address may be a reg-name, so pieces and octets fail alone within
    /// an IPv6address; the ones that could have stood there are distinguished.
    pub fn deciding(self) -> Rule {
        let pieces = [Rule::H16, Rule::Ls32, Rule::Ipv4Address, Rule::DecOctet];
        if pieces.contains(&self.failed) && !pieces.contains(&self.rule) {
            Rule::Ipv6Address
        } else {
            self.failed
        }
    }

    /// The rules besides the deciding one whose words show what is wrong: of its pieces the one that cannot go on, and what it
    /// is a piece of where that has ended too early or too late. `next` are the rules that could go on.
    pub fn pieces(self, next: &[&str]) -> Vec<Rule> {
        let deciding = self.deciding();
        let mut pieces = match deciding {
            Rule::Ipv6Address => self.pieces_of_address(next),
            Rule::IpLiteral => match self.literal() {
                Some(literal) if literal.contains(']') && self.has_authority() => vec![Rule::Authority],
                Some(literal) if literal.starts_with(['v', 'V']) && !literal.contains(']') => vec![Rule::IpvFuture],
                // Cut short, it is no address either.
                Some(literal) if !literal.contains(']') && self.found().is_some() => vec![Rule::Ipv6Address],
                _ => Vec::new(),
            },
            Rule::Segment | Rule::SegmentNz | Rule::Query | Rule::Fragment
                if self.found().is_some_and(|found| !['/', '?', '#'].contains(&found)) =>
            {
                vec![Rule::Pchar]
            }
            _ => Vec::new(),
        };
        // What is an address already can only be closed, and what closes one that was not opened is no literal.
        let is_address = |literal: &str| Rule::Ipv6Address.matches(literal, Reading::Rfc3986).is_ok();
        let is_never_closed = || self.found().is_some() && !self.rest().contains(']');
        let is_whole = deciding == Rule::Ipv6Address && self.literal().is_some_and(is_address) && is_never_closed();
        let is_not_opened = matches!(deciding, Rule::Userinfo | Rule::RegName) && self.found() == Some(']');
        if is_whole || is_not_opened && self.has_authority() {
            pieces.push(Rule::IpLiteral);
        }
        if deciding == Rule::RegName && self.has_authority() {
            let rest = self.rest().split(['/', '?', '#']).next().unwrap_or_default();
            if self.found() == Some('@') {
                pieces.extend([Rule::Authority, Rule::Userinfo]);
            } else if rest.contains('@') {
                pieces.push(Rule::Userinfo);
            }
        }
        pieces
    }

    /// Of an IPv6address: the octet or the piece that is none, or that no address stands in the brackets at all.
    fn pieces_of_address(self, next: &[&str]) -> Vec<Rule> {
        let Some(found) = self.found() else {
            return Vec::new();
        };
        let literal = self.literal().unwrap_or(self.before());
        let begun = literal.rsplit(':').next().unwrap_or_default();
        let rest = self.rest().split([':', ']', '/', '?', '#']).next().unwrap_or_default();
        let has_colon = literal.contains(':') || self.rest()[rest.len()..].starts_with(':');
        if !has_colon && self.literal().is_some() && (begun.contains('.') || rest.contains('.')) {
            return vec![Rule::IpLiteral, Rule::IpvFuture];
        }
        if begun.contains('.') || rest.contains('.') {
            let is_octet = found != '.' || begun.is_empty() || begun.ends_with('.');
            let octet = is_octet.then_some(Rule::DecOctet);
            return octet.into_iter().chain([Rule::Ipv4Address]).collect();
        }
        let is_delimiter = [':', '[', ']', '%', '/', '?', '#'].contains(&found);
        let is_stuck = self.failed != Rule::Ipv6Address && !next.contains(&self.failed.name());
        match (is_delimiter, is_stuck) {
            (false, _) => vec![Rule::H16],
            (true, true) => vec![self.failed],
            (true, false) => Vec::new(),
        }
    }

    /// What stands behind the last "[" before the stop, if any stands there.
    fn literal(self) -> Option<&'a str> {
        self.before().rsplit_once('[').map(|(_, literal)| literal)
    }

    /// Whether an authority is a part of the rule that was matched.
    fn has_authority(self) -> bool {
        let parts = [Rule::Authority, Rule::HierPart, Rule::RelativePart];
        parts.contains(&self.rule) || ReferenceRule::try_from(self.rule).is_ok()
    }

    /// The clauses that say in prose why what is found cannot stand there, the decisive one first.
    pub fn prose(self) -> Vec<&'static str> {
        let (before, found) = (self.before(), self.found());
        let is_reference = ReferenceRule::try_from(self.rule).is_ok();
        let in_address = matches!(
            self.failed,
            Rule::Ipv6Address | Rule::H16 | Rule::Ls32 | Rule::Ipv4Address | Rule::DecOctet
        );
        let in_authority = in_address
            || matches!(
                self.failed,
                Rule::Authority
                    | Rule::Userinfo
                    | Rule::Host
                    | Rule::Port
                    | Rule::RegName
                    | Rule::IpLiteral
                    | Rule::IpvFuture
            );
        if self.failed == Rule::Scheme && before.is_empty() && found.is_none_or(is_in_the_limited_set) {
            let is_missing = matches!(found, None | Some('/' | '?' | '#'));
            let is_of_a_uri = matches!(self.rule, Rule::Uri | Rule::AbsoluteUri);
            let id = if is_missing && is_of_a_uri {
                "§3.1/begins-the-uri"
            } else {
                "§3.1/begins-with-letter"
            };
            return vec![id];
        }
        let literal = self.literal().unwrap_or(before);
        let Some(found) = found else {
            let is_open = self.failed == Rule::IpLiteral && !literal.contains(']');
            return is_open.then_some("§3.2.2/enclosed").into_iter().collect();
        };
        match found {
            '%' if in_address => vec!["§3.2.2/zone-identifiers"],
            ':' if in_address && literal.contains("::") && literal.ends_with(':') => vec!["§3.2.2/ipv6-elision"],
            '[' => vec!["§3.2.2/square-brackets"],
            ']' if !in_address => vec!["§3.2.2/square-brackets"],
            '0'..='9' if self.failed == Rule::IpLiteral && literal.ends_with(']') => vec!["§3.2.3/single-colon"],
            ':' if self.failed == Rule::Port => vec!["§3.2.3/single-colon"],
            '/' | '?' | '#' if in_authority && is_reference => vec!["§3.2/terminated"],
            ':' if self.failed == Rule::SegmentNzNc => vec!["§3.3/first-segment-colon", "§4.2/colon-in-first-segment"],
            '#' if self.rule == Rule::AbsoluteUri => vec!["§4.3/no-fragment"],
            ' ' | '\t' | '\n' | '\r' if is_reference => vec!["§2/limited-set", "§C/whitespace"],
            '<' | '"' if is_reference && before.is_empty() => vec!["§2/limited-set", "§C/wrappers"],
            '>' | '"' if is_reference && self.offset + 1 == self.input.len() => vec!["§2/limited-set", "§C/wrappers"],
            found if !is_in_the_limited_set(found) => vec!["§2/limited-set"],
            _ if self.failed == Rule::Scheme => vec!["§3.1/followed-by"],
            _ => Vec::new(),
        }
    }
}

/// Whether a character can stand anywhere in a URI.
fn is_in_the_limited_set(character: char) -> bool {
    u8::try_from(character).is_ok_and(|octet| is_unreserved(octet) || is_reserved(octet) || octet == b'%')
}

/// The clause that has the ABNF of a rule.
pub fn clause_of(rule: Rule) -> &'static str {
    match rule {
        Rule::Uri => "§3/URI",
        Rule::HierPart => "§3/hier-part",
        Rule::UriReference => "§4.1/URI-reference",
        Rule::AbsoluteUri => "§4.3/absolute-URI",
        Rule::RelativeRef => "§4.2/relative-ref",
        Rule::RelativePart => "§4.2/relative-part",
        Rule::Scheme => "§3.1/scheme",
        Rule::Authority => "§3.2/authority",
        Rule::Userinfo => "§3.2.1/userinfo",
        Rule::Host => "§3.2.2/host",
        Rule::Port => "§3.2.3/port",
        Rule::IpLiteral => "§3.2.2/IP-literal",
        Rule::IpvFuture => "§3.2.2/IPvFuture",
        Rule::Ipv6Address => "§3.2.2/IPv6address",
        Rule::H16 => "§3.2.2/h16",
        Rule::Ls32 => "§3.2.2/ls32",
        Rule::Ipv4Address => "§3.2.2/IPv4address",
        Rule::DecOctet => "§3.2.2/dec-octet",
        Rule::RegName => "§3.2.2/reg-name",
        Rule::Path => "§3.3/path",
        Rule::PathAbempty => "§3.3/path-abempty",
        Rule::PathAbsolute => "§3.3/path-absolute",
        Rule::PathNoscheme => "§3.3/path-noscheme",
        Rule::PathRootless => "§3.3/path-rootless",
        Rule::PathEmpty => "§3.3/path-empty",
        Rule::Segment => "§3.3/segment",
        Rule::SegmentNz => "§3.3/segment-nz",
        Rule::SegmentNzNc => "§3.3/segment-nz-nc",
        Rule::Pchar => "§3.3/pchar",
        Rule::Query => "§3.4/query",
        Rule::Fragment => "§3.5/fragment",
        Rule::PctEncoded => "§2.1/pct-encoded",
        Rule::Unreserved => "§2.3/unreserved",
        Rule::Reserved => "§2.2/reserved",
        Rule::GenDelims => "§2.2/gen-delims",
        Rule::SubDelims => "§2.2/sub-delims",
    }
}

/// The clause that has a branch of §5.2.2.
pub fn clause_of_branch(branch: Branch) -> &'static str {
    match branch {
        Branch::Scheme => "§5.2.2/scheme-defined",
        Branch::Authority => "§5.2.2/authority-defined",
        Branch::EmptyPathWithQuery => "§5.2.2/empty-path-with-query",
        Branch::EmptyPathWithoutQuery => "§5.2.2/empty-path-without-query",
        Branch::AbsolutePath => "§5.2.2/absolute-path",
        Branch::Merge => "§5.2.2/relative-path",
    }
}

/// The clause by which no URI-reference has all these components, if each matches its rule.
pub fn clash(components: &Components) -> Option<&'static str> {
    let Components {
        scheme,
        userinfo,
        host,
        port,
        path,
        ..
    } = components;
    let first_segment = path.split('/').next().unwrap_or_default();
    match host {
        None if userinfo.is_some() || port.is_some() => Some("§3.2/authority"),
        Some(_) if !path.is_empty() && !path.starts_with('/') => Some("§3/path-after-authority"),
        None if path.starts_with("//") => Some("§3.3/no-double-slash"),
        None if scheme.is_none() && first_segment.contains(':') => Some("§3.3/first-segment-colon"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::Library;

    #[test]
    fn every_rule_has_a_clause_that_quotes_it() {
        let library = Library::embedded();
        for &rule in Rule::ALL {
            let clause = library.clause(clause_of(rule)).unwrap_or_else(|| panic!("{rule} has no clause"));
            assert!(
                clause.quote.starts_with(&format!("{rule} = ")),
                "{rule}: {}",
                clause.quote
            );
        }
    }

    #[test]
    fn every_clause_in_prose_is_in_the_register() {
        let library = Library::embedded();
        for &rule in Rule::ALL {
            for &failed in Rule::ALL {
                let found = ('\0'..='\u{80}').map(String::from).chain([String::new()]);
                for (before, found) in
                    found.flat_map(|found| ["", "//a", "//[1::"].map(|before| (before, found.clone())))
                {
                    let input = format!("{before}{found}");
                    let stop = Mismatch {
                        input: &input,
                        rule,
                        failed,
                        offset: before.len(),
                    };
                    let missing: Vec<_> = stop.prose().into_iter().filter(|id| library.clause(id).is_none()).collect();
                    assert!(missing.is_empty(), "{stop:?}: {missing:?}");
                }
            }
        }
    }
}
