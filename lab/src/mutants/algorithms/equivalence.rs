//! The Comparison Ladder (RFC 3986 §6.2), with an edit.

use uriproof::model::{Rung, Scope};

use super::Algorithms;
use super::edits::Edit;
use super::parts::Parts;
use super::resolve::decoded;

impl Algorithms {
    /// Whether two URIs are equivalent on a rung; `None` where one of them is none.
    pub(super) fn equivalent(self, left: &str, right: &str, rung: Rung) -> Option<bool> {
        if self.has(Edit::NothingIsEquivalent) {
            return Some(false);
        }
        match rung {
            Rung::Simple if self.has(Edit::SimpleIsSyntaxBased) => self.normalized(left, right, Scope::Syntax),
            Rung::Simple => self.simple(left, right),
            Rung::Syntax if self.has(Edit::SyntaxIsSimple) => self.simple(left, right),
            Rung::Syntax if self.has(Edit::SyntaxIsSchemeBased) => self.normalized(left, right, Scope::Scheme),
            Rung::Syntax => self.normalized(left, right, Scope::Syntax),
            Rung::Scheme if self.has(Edit::SchemeIsSyntaxBased) => self.normalized(left, right, Scope::Syntax),
            Rung::Scheme => self.normalized(left, right, Scope::Scheme),
        }
    }

    /// §6.2.1
    fn simple(self, left: &str, right: &str) -> Option<bool> {
        Parts::parse(left)?;
        Parts::parse(right)?;
        let text = |uri: &str| {
            if self.has(Edit::SimpleIgnoresCase) {
                uri.to_ascii_lowercase()
            } else if self.has(Edit::SimpleIgnoresCaseOfTriplets) {
                let triplets = uri.split('%').enumerate().map(|(number, piece)| {
                    let digits = if number > 0 { 2 } else { 0 };
                    piece[..digits].to_ascii_uppercase() + &piece[digits..]
                });
                triplets.collect::<Vec<_>>().join("%")
            } else if self.has(Edit::SimpleDecodes) {
                decoded(uri)
            } else if self.has(Edit::SimpleIgnoresFragment) {
                uri.split('#').next().unwrap_or_default().to_owned()
            } else if self.has(Edit::SimpleIgnoresLastSlash) {
                uri.strip_suffix('/').unwrap_or(uri).to_owned()
            } else if self.has(Edit::SimpleComparesEmptyAsUndefined) {
                let uri = uri.strip_suffix('#').unwrap_or(uri);
                uri.strip_suffix('?').unwrap_or(uri).to_owned()
            } else {
                uri.to_owned()
            }
        };
        let (left, right) = (text(left), text(right));
        Some(if self.has(Edit::SimpleComparesPrefix) {
            left.bytes().zip(right.bytes()).all(|(left, right)| left == right)
        } else {
            left == right
        })
    }

    /// §6.2.2 and §6.2.3: the normal forms, compared.
    fn normalized(self, left: &str, right: &str, scope: Scope) -> Option<bool> {
        let form = |uri: &str, is_left_as_it_is: bool| {
            let mut parts = Parts::of_uri(uri)?;
            if !is_left_as_it_is {
                self.normalize_parts(&mut parts, scope)?;
            }
            self.leave_out(&mut parts, scope);
            let text = self.recompose(&parts);
            Some(match scope {
                Scope::Syntax if self.has(Edit::SyntaxIgnoresCase) => text.to_ascii_lowercase(),
                Scope::Syntax if self.has(Edit::SyntaxDecodes) => decoded(&text),
                _ => text,
            })
        };
        Some(form(left, self.has(Edit::LeftNotNormalized))? == form(right, self.has(Edit::RightNotNormalized))?)
    }

    fn leave_out(self, parts: &mut Parts, scope: Scope) {
        if self.has(Edit::FragmentsLeftOut) {
            parts.fragment = None;
        }
        if self.has(Edit::EmptyFragmentIsUndefined) {
            parts.fragment.take_if(|fragment| fragment.is_empty());
        }
        if self.has(Edit::EmptyQueryIsUndefined) {
            parts.query.take_if(|query| query.is_empty());
        }
        if self.has(Edit::QueriesLeftOut) {
            parts.query = None;
        }
        if let Some(authority) = &mut parts.authority {
            if self.has(Edit::UserinfosLeftOut) {
                authority.userinfo = None;
            }
            if self.has(Edit::PortsLeftOut) {
                authority.port = None;
            }
        }
        if scope == Scope::Scheme && self.has(Edit::SchemeIgnoresScheme) {
            parts.scheme = None;
        }
        let ignores_slash = match scope {
            Scope::Syntax => self.has(Edit::SyntaxIgnoresLastSlash),
            Scope::Scheme => self.has(Edit::SchemeIgnoresLastSlash),
        };
        if ignores_slash {
            parts.path.truncate(parts.path.strip_suffix('/').unwrap_or(&parts.path).len());
        }
    }
}
