//! Component Recomposition (RFC 3986 §5.3), with an edit, and what components must be like (§3.3, §4.2).

use rfc3986_reference::grammar;
use rfc3986_reference::readings::Reading;
use uriproof::model::Components;

use super::edits::Edit;
use super::faults::AlgorithmFault;
use super::parts::{Authority, Parts};
use super::resolve::decoded;
use super::{Algorithms, characters};

impl Algorithms {
    /// §5.3
    pub(super) fn recompose(self, parts: &Parts) -> String {
        let mut result = String::new();
        if let Some(scheme) = parts.scheme.as_ref().filter(|_| !self.has(Edit::SchemeForgotten)) {
            result.push_str(scheme);
            if self.has(Edit::SchemeRaised) {
                result.make_ascii_uppercase();
            }
            if !self.has(Edit::ColonForgotten) {
                result.push(':');
            }
        }
        if let Some(authority) = parts.authority.as_ref().filter(|authority| self.appends(authority)) {
            if !self.has(Edit::DoubleSlashForgotten) {
                result.push_str("//");
            }
            result.push_str(&self.recompose_authority(authority));
        } else if self.has(Edit::DoubleSlashAlways) || self.has(Edit::DoubleSlashWithScheme) && is_rooted_uri(parts) {
            result.push_str("//");
        }
        result.push_str(&self.recompose_path(parts));
        let query = self.recompose_query(parts.query.as_deref());
        let fragment = self.recompose_fragment(parts.fragment.as_deref());
        let behind = if self.has(Edit::FragmentBeforeQuery) {
            [fragment, query]
        } else {
            [query, fragment]
        };
        result + &behind.concat()
    }

    fn appends(self, authority: &Authority) -> bool {
        !(self.has(Edit::AuthorityForgotten)
            || self.has(Edit::EmptyAuthorityDropped) && authority.is_empty()
            || self.has(Edit::EmptyHostDropsAuthority) && authority.host.is_empty())
    }

    /// `[ userinfo "@" ] host [ ":" port ]` (§3.2)
    fn recompose_authority(self, authority: &Authority) -> String {
        let userinfo = match &authority.userinfo {
            Some(userinfo) if userinfo.is_empty() && self.has(Edit::EmptyUserinfoDropped) => String::new(),
            Some(_) if self.has(Edit::UserinfoDropped) => String::new(),
            Some(userinfo) if self.has(Edit::PasswordDropped) => {
                format!("{}@", userinfo.split(':').next().unwrap_or_default())
            }
            Some(userinfo) => format!("{userinfo}@"),
            None => String::new(),
        };
        let mut host = authority.host.clone();
        if self.has(Edit::HostLowered) {
            host.make_ascii_lowercase();
        }
        if self.has(Edit::BracketsDropped) {
            host.retain(|character| !matches!(character, '[' | ']'));
        }
        let port = match &authority.port {
            Some(_) if self.has(Edit::PortDropped) => String::new(),
            Some(port) if self.has(Edit::PortIsNumber) && !port.is_empty() => {
                let digits = port.trim_start_matches('0');
                format!(":{}", if digits.is_empty() { "0" } else { digits })
            }
            Some(port) => format!(":{port}"),
            None => String::new(),
        };
        format!("{userinfo}{host}{port}")
    }

    fn recompose_path(self, parts: &Parts) -> String {
        let path = &parts.path;
        if self.has(Edit::PathForgotten) {
            String::new()
        } else if self.has(Edit::RootAfterAuthority) && parts.authority.is_some() && path.is_empty() {
            "/".to_owned()
        } else if self.has(Edit::PathLowered) {
            path.to_ascii_lowercase()
        } else if self.has(Edit::PathDecoded) {
            decoded(path)
        } else if self.has(Edit::PathEncodedAgain) {
            path.replace('%', "%25")
        } else {
            path.clone()
        }
    }

    fn recompose_query(self, query: Option<&str>) -> String {
        let mark = if self.has(Edit::QuestionMarkForgotten) { "" } else { "?" };
        match query {
            None if self.has(Edit::QuestionMarkAlways) => mark.to_owned(),
            None => String::new(),
            Some(_) if self.has(Edit::QueryForgotten) => String::new(),
            Some("") if self.has(Edit::EmptyQueryDropped) => String::new(),
            Some(query) if self.has(Edit::QueryDecoded) => format!("{mark}{}", decoded(query)),
            Some(query) if self.has(Edit::QueryEncodedAgain) => format!("{mark}{}", query.replace('%', "%25")),
            Some(query) => format!("{mark}{query}"),
        }
    }

    fn recompose_fragment(self, fragment: Option<&str>) -> String {
        let mark = if self.has(Edit::NumberSignForgotten) { "" } else { "#" };
        match fragment {
            None if self.has(Edit::NumberSignAlways) => mark.to_owned(),
            None => String::new(),
            Some(_) if self.has(Edit::FragmentDropped) => String::new(),
            Some("") if self.has(Edit::EmptyFragmentDropped) => String::new(),
            Some(fragment) if self.has(Edit::FragmentEncodedAgain) => format!("{mark}{}", fragment.replace('%', "%25")),
            Some(fragment) => format!("{mark}{fragment}"),
        }
    }

    /// The URI-reference that the components make up, if there is one.
    pub(super) fn compose(self, components: &Components) -> Option<String> {
        if let Some(AlgorithmFault::Character(component, octet, fault)) = self.fault {
            return characters::compose(components, component, octet, fault);
        }
        let mut components = components.clone();
        if components.host.is_none() {
            if self.has(Edit::UserinfoWithoutHostDropped) {
                components.userinfo = None;
            }
            if self.has(Edit::PortWithoutHostDropped) {
                components.port = None;
            }
        }
        let mut parts = Parts::of(&components)?;
        if self.has(Edit::RootlessPathRooted) && parts.authority.is_some() && is_rootless(&parts.path) {
            parts.path.insert(0, '/');
        }
        if self.has(Edit::DoubleSlashPathCollapsed) && parts.authority.is_none() && parts.path.starts_with("//") {
            parts.path.remove(0);
        }
        (self.components_match(&parts) && self.path_fits(&parts)).then(|| self.recompose(&parts))
    }

    /// Each component matches its rule (Appendix A).
    fn components_match(self, parts: &Parts) -> bool {
        let matches = |unchecked: Edit, component: Option<&String>, rule: fn(&str) -> grammar::Match| {
            self.has(unchecked) || component.is_none_or(|component| rule(component).is_ok())
        };
        let host = |host: &str| grammar::host(host, Reading::Rfc3986).map(drop);
        // A path with a scheme may have any character that a path may have anywhere.
        let characters = |path: &str| path.split('/').try_for_each(grammar::segment);
        let authority = parts.authority.as_ref();
        matches(Edit::SchemeUnchecked, parts.scheme.as_ref(), grammar::scheme)
            && matches(
                Edit::UserinfoUnchecked,
                authority.and_then(|authority| authority.userinfo.as_ref()),
                grammar::userinfo,
            )
            && matches(Edit::HostUnchecked, authority.map(|authority| &authority.host), host)
            && matches(
                Edit::PortUnchecked,
                authority.and_then(|authority| authority.port.as_ref()),
                grammar::port,
            )
            && matches(Edit::PathUnchecked, Some(&parts.path), characters)
            && matches(Edit::QueryUnchecked, parts.query.as_ref(), grammar::query)
            && matches(Edit::FragmentUnchecked, parts.fragment.as_ref(), grammar::fragment)
    }

    /// The path fits what stands before it (§3, §4.2).
    fn path_fits(self, parts: &Parts) -> bool {
        let Parts {
            scheme,
            authority,
            path,
            ..
        } = parts;
        let is_misplaced_root = authority.is_some() && is_rootless(path);
        let is_misplaced_slash =
            path.starts_with("//") && (authority.is_none() || self.has(Edit::DoubleSlashPathNeedsNoAuthority));
        let has_colon = if self.has(Edit::ColonInAnySegmentRefused) {
            path.contains(':')
        } else {
            path.split('/').next().is_some_and(|first| first.contains(':'))
        };
        let is_misplaced_colon =
            has_colon && (scheme.is_none() || self.has(Edit::ColonWithSchemeRefused)) && authority.is_none();
        [
            (is_misplaced_root, Edit::RootlessPathAllowed),
            (is_misplaced_slash, Edit::DoubleSlashPathAllowed),
            (is_misplaced_colon, Edit::ColonInFirstSegmentAllowed),
        ]
        .into_iter()
        .all(|(is_misplaced, allowed)| !is_misplaced || self.has(allowed))
    }
}

fn is_rootless(path: &str) -> bool {
    !path.is_empty() && !path.starts_with('/')
}

fn is_rooted_uri(parts: &Parts) -> bool {
    parts.scheme.is_some() && parts.path.starts_with('/')
}
