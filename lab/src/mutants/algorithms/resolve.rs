//! Transform References and Merge Paths (RFC 3986 §5.2.2, §5.2.3), with an edit.

use rfc3986_reference::characters::percent_decode;

use super::Algorithms;
use super::edits::Edit;
use super::faults::{PathBranch, SchemeFault};
use super::parts::{Authority, Parts};

impl Algorithms {
    /// The target of `reference` against `base`; `None` where one of them is not what it has to be.
    pub(super) fn resolve_reference(self, base: &str, reference: &str, strict: bool) -> Option<String> {
        let (mut b, mut r) = (Parts::of_uri(base)?, Parts::parse(reference)?);
        if self.has(Edit::BaseDecodedBeforeSplit) {
            b = Parts::split(&decoded(base));
        }
        if self.has(Edit::ReferenceDecodedBeforeSplit) {
            r = Parts::split(&decoded(reference));
        }
        let mut target = self.resolve(&b, &r, strict)?;
        if self.has(Edit::TargetEncodedAgain) {
            target.path = target.path.replace('%', "%25");
        }
        if self.has(Edit::PathOfTargetLowered) {
            target.path.make_ascii_lowercase();
        }
        let target = self.recompose(&target);
        Some(if self.has(Edit::TargetDecoded) {
            decoded(&target)
        } else {
            target
        })
    }

    /// T, the components of the target (§5.2.2).
    fn resolve(self, base: &Parts, reference: &Parts, strict: bool) -> Option<Parts> {
        let mut r = reference.clone();
        let mut t = Parts::default();

        // if ((not strict) and (R.scheme == Base.scheme)) then undefine(R.scheme);
        let strict = (strict || self.has(Edit::AlwaysStrict)) && !self.has(Edit::NeverStrict);
        if !strict && self.is_same_scheme(r.scheme.as_deref(), base.scheme.as_deref()) {
            r.scheme = None;
        }
        self.take_empty_for_undefined(&mut r);
        if self.has(Edit::PathDecodedBeforeResolution) {
            r.path = decoded(&r.path);
        }

        let defines_scheme = r.scheme.is_some()
            && !self.has(Edit::SchemeOfReferenceForgotten)
            && !(self.has(Edit::SchemeNeedsAuthority) && r.authority.is_none());
        let defines_authority = r.authority.is_some() && !self.has(Edit::AuthorityOfReferenceForgotten);
        if defines_scheme {
            t = self.with_scheme(base, &r)?;
        } else {
            if defines_authority {
                (t.path, t.query) = self.with_authority(base, &r)?;
                t.authority.clone_from(if self.has(Edit::AuthorityOfBaseKept) {
                    &base.authority
                } else {
                    &r.authority
                });
            } else if r.path.is_empty() && !self.has(Edit::EmptyPathIsMerged) {
                (t.path, t.query) = self.with_empty_path(base, &r)?;
                t.authority = self.inherited_authority(base, Edit::EmptyPathLosesAuthority);
            } else if r.path.starts_with('/') && !self.has(Edit::AbsolutePathIsMerged) {
                (t.path, t.query) = self.with_absolute_path(base, &mut r)?;
                t.authority = self.inherited_authority(base, Edit::AbsolutePathLosesAuthority);
            } else {
                (t.path, t.query) = self.with_relative_path(base, &mut r)?;
                t.authority = self.inherited_authority(base, Edit::RelativePathLosesAuthority);
            }
            let is_lost = self.has(Edit::SchemeNotInherited)
                || self.has(Edit::SchemeNotInheritedWithAuthority) && defines_authority;
            t.scheme = base.scheme.clone().filter(|_| !is_lost);
        }

        self.under_name_of_scheme(base, &r, &mut t);

        let inherits_fragment = self.has(Edit::FragmentOfBaseInherited)
            || self.has(Edit::FragmentOfBaseInheritedWithEmptyReference) && *reference == Parts::default();
        t.fragment = match r.fragment {
            _ if self.has(Edit::FragmentForgotten) => None,
            None if inherits_fragment => base.fragment.clone(),
            own => own,
        };
        Some(t)
    }

    /// What is wrong under the name of the target's scheme.
    fn under_name_of_scheme(self, base: &Parts, r: &Parts, t: &mut Parts) {
        let branch = if r.scheme.is_some() {
            PathBranch::Scheme
        } else if r.authority.is_some() {
            PathBranch::Authority
        } else if r.path.is_empty() {
            PathBranch::Empty
        } else if r.path.starts_with('/') {
            PathBranch::Absolute
        } else {
            PathBranch::Merged
        };
        if self.has_fault_of(t, SchemeFault::LosesQuery(branch)) {
            t.query = None;
        }
        if self.has_fault_of(t, SchemeFault::KeepsDots(branch)) {
            t.path = match branch {
                PathBranch::Merged => self.merge(base, &r.path),
                _ => r.path.clone(),
            };
        }
    }

    fn is_same_scheme(self, reference: Option<&str>, base: Option<&str>) -> bool {
        let (Some(reference), Some(base)) = (reference, base) else {
            return false;
        };
        if self.has(Edit::SchemesNotCompared) {
            true
        } else if self.has(Edit::SchemesComparedWithCase) {
            reference == base
        } else if self.has(Edit::SchemesComparedByPrefix) {
            base.to_ascii_lowercase().starts_with(&reference.to_ascii_lowercase())
        } else {
            reference.eq_ignore_ascii_case(base)
        }
    }

    fn take_empty_for_undefined(self, r: &mut Parts) {
        if self.has(Edit::AuthorityIsUndefinedIfEmpty) {
            r.authority.take_if(|authority| authority.is_empty());
        }
        if self.has(Edit::AuthorityIsUndefinedIfHostIsEmpty) {
            r.authority.take_if(|authority| authority.host.is_empty());
        }
        if self.has(Edit::EmptyQueryOfReferenceIsUndefined) {
            r.query.take_if(|query| query.is_empty());
        }
        if self.has(Edit::EmptyFragmentOfReferenceIsUndefined) {
            r.fragment.take_if(|fragment| fragment.is_empty());
        }
    }

    /// `if defined(R.scheme) then`
    fn with_scheme(self, base: &Parts, r: &Parts) -> Option<Parts> {
        let (path, mut query) = if self.has(Edit::SchemeInheritsPath) && r.path.is_empty() {
            (base.path.clone(), r.query.clone())
        } else if self.has(Edit::SchemeMergesPath)
            && r.authority.is_none()
            && !r.path.is_empty()
            && !r.path.starts_with('/')
        {
            (self.remove_dot_segments(&self.merge(base, &r.path))?, r.query.clone())
        } else if self.has(Edit::SchemeKeepsDotSegments) {
            (r.path.clone(), r.query.clone())
        } else {
            self.removed(PathBranch::Scheme, &r.path, &r.query, Edit::SchemeWithQueryInPath)?
        };
        if self.has(Edit::SchemeLosesQuery) {
            query = None;
        }
        if self.has(Edit::SchemeInheritsQuery) {
            query = query.or_else(|| base.query.clone());
        }
        let authority = match &r.authority {
            _ if self.has(Edit::SchemeLosesAuthority) => None,
            None if self.has(Edit::SchemeInheritsAuthority) => base.authority.clone(),
            own => own.clone(),
        };
        let scheme = if self.has(Edit::SchemeOfBaseKept) {
            &base.scheme
        } else {
            &r.scheme
        };
        Some(Parts {
            scheme: scheme.clone(),
            authority,
            path,
            query,
            fragment: None,
        })
    }

    /// `if defined(R.authority) then`
    fn with_authority(self, base: &Parts, r: &Parts) -> Option<(String, Option<String>)> {
        let (path, mut query) = if self.has(Edit::AuthorityInheritsPath) && r.path.is_empty() {
            (base.path.clone(), r.query.clone())
        } else if self.has(Edit::AuthorityKeepsDotSegments) {
            (r.path.clone(), r.query.clone())
        } else {
            self.removed(PathBranch::Authority, &r.path, &r.query, Edit::AuthorityWithQueryInPath)?
        };
        if self.has(Edit::AuthorityLosesQuery) {
            query = None;
        }
        if self.has(Edit::AuthorityInheritsQuery) {
            query = query.or_else(|| base.query.clone());
        }
        Some((path, query))
    }

    /// `if (R.path == "") then`
    fn with_empty_path(self, base: &Parts, r: &Parts) -> Option<(String, Option<String>)> {
        let is_merged = match r.query {
            Some(_) => self.has(Edit::EmptyPathIsMergedWithQuery),
            None => self.has(Edit::EmptyPathIsMergedWithoutQuery),
        };
        let path = if is_merged {
            self.remove_dot_segments(&self.merge(base, ""))?
        } else if self.has(Edit::EmptyPathIsKept) {
            String::new()
        } else if self.has(Edit::EmptyPathIsRoot) {
            "/".to_owned()
        } else if self.has(Edit::EmptyPathLosesParameters) {
            let segment = base.path.rfind('/').map_or(0, |slash| slash + 1);
            let parameters = base.path[segment..].find(';').map_or(base.path.len(), |at| segment + at);
            base.path[..parameters].to_owned()
        } else {
            base.path.clone()
        };
        let inherited = base
            .query
            .clone()
            .filter(|query| !(query.is_empty() && self.has(Edit::EmptyQueryOfBaseIsUndefined)))
            .filter(|_| !self.has(Edit::EmptyPathLosesQuery))
            .filter(|_| !(self.has(Edit::EmptyPathWithFragmentLosesQuery) && r.fragment.is_some()));
        let query = match &r.query {
            Some(_) if self.has(Edit::EmptyPathSwapsQueries) || self.has(Edit::EmptyPathKeepsQueryOfBase) => inherited,
            None if self.has(Edit::EmptyPathSwapsQueries) => None,
            Some(query) if self.has(Edit::EmptyPathTakesEmptyQueryAsUndefined) && query.is_empty() => inherited,
            Some(query) if self.has(Edit::EmptyPathJoinsQueries) => match inherited {
                Some(inherited) => Some(format!("{inherited}&{query}")),
                None => Some(query.clone()),
            },
            Some(query) => Some(query.clone()),
            None => inherited,
        };
        Some((path, query))
    }

    /// `if (R.path starts-with "/") then`
    fn with_absolute_path(self, base: &Parts, r: &mut Parts) -> Option<(String, Option<String>)> {
        let (path, query) = if self.has(Edit::AbsolutePathKeepsDotSegments) {
            (r.path.clone(), r.query.clone())
        } else if self.has(Edit::AbsolutePathWithFragmentInPath) {
            self.removed_with_fragment(r.path.clone(), r)?
        } else {
            self.removed(
                PathBranch::Absolute,
                &r.path,
                &r.query,
                Edit::AbsolutePathWithQueryInPath,
            )?
        };
        let is_lost = self.has(Edit::AbsolutePathLosesQuery);
        Some((path, self.query(base, query, is_lost, Edit::AbsolutePathInheritsQuery)))
    }

    /// `else T.path = merge(Base.path, R.path)`
    fn with_relative_path(self, base: &Parts, r: &mut Parts) -> Option<(String, Option<String>)> {
        let loses_first =
            self.has(Edit::RelativePathLosesDotSegmentsFirst) || self.has(Edit::RelativePathLosesDotSegmentsTwice);
        let of_reference = if loses_first {
            self.remove_dot_segments(&r.path)?
        } else {
            r.path.clone()
        };
        let merged = if self.has(Edit::RelativePathIsTakenAsAbsolute) {
            of_reference
        } else {
            self.merge(base, &of_reference)
        };
        let (path, query) =
            if self.has(Edit::RelativePathKeepsDotSegments) || self.has(Edit::RelativePathLosesDotSegmentsFirst) {
                (merged, r.query.clone())
            } else if self.has(Edit::RelativePathWithFragmentInPath) {
                self.removed_with_fragment(merged, r)?
            } else {
                self.removed(PathBranch::Merged, &merged, &r.query, Edit::RelativePathWithQueryInPath)?
            };
        let is_lost = self.has(Edit::RelativePathLosesQuery);
        Some((path, self.query(base, query, is_lost, Edit::RelativePathInheritsQuery)))
    }

    /// `T.query = R.query`
    fn query(self, base: &Parts, own: Option<String>, is_lost: bool, inherits: Edit) -> Option<String> {
        if is_lost || self.has(Edit::QueryOfReferenceForgotten) {
            return None;
        }
        let inherits = self.has(inherits) || self.has(Edit::QueryInheritedWithPath);
        own.or_else(|| base.query.clone().filter(|_| inherits))
    }

    /// `T.authority = Base.authority`
    fn inherited_authority(self, base: &Parts, lost: Edit) -> Option<Authority> {
        if self.has(lost) || self.has(Edit::AuthorityNotInherited) {
            return None;
        }
        let mut authority = base.authority.clone()?;
        if self.has(Edit::UserinfoNotInherited) {
            authority.userinfo = None;
        }
        if self.has(Edit::PortNotInherited) {
            authority.port = None;
        }
        Some(authority)
    }

    /// A path without its dot-segments and the query behind it; with the edit, the two are gone through as one.
    fn removed(
        self,
        branch: PathBranch,
        path: &str,
        query: &Option<String>,
        in_path: Edit,
    ) -> Option<(String, Option<String>)> {
        let Some(query) = query.as_ref().filter(|_| self.has(in_path)) else {
            return Some((self.removed_in(branch, path)?, query.clone()));
        };
        let removed = self.remove_dot_segments(&format!("{path}?{query}"))?;
        Some(match removed.split_once('?') {
            Some((path, query)) => (path.to_owned(), Some(query.to_owned())),
            None => (removed, None),
        })
    }

    /// A path without its dot-segments and the query behind it, with the fragment gone through as one with them.
    fn removed_with_fragment(self, path: String, r: &mut Parts) -> Option<(String, Option<String>)> {
        let Some(fragment) = r.fragment.take() else {
            return Some((self.remove_dot_segments(&path)?, r.query.clone()));
        };
        let query = r.query.as_ref().map(|query| format!("?{query}")).unwrap_or_default();
        let removed = self.remove_dot_segments(&format!("{path}{query}#{fragment}"))?;
        let parts = Parts::split(&removed);
        // What looks like an authority or a scheme is the path's own.
        let path = removed.split(['?', '#']).next().unwrap_or_default().to_owned();
        r.fragment = parts.fragment;
        Some((path, parts.query))
    }

    /// §5.2.3
    fn merge(self, base: &Parts, path: &str) -> String {
        let of_base = match &base.query {
            Some(query) if self.has(Edit::QueryOfBaseInPath) => format!("{}?{query}", base.path),
            _ => base.path.clone(),
        };
        let has_authority = match &base.authority {
            Some(authority) => !(self.has(Edit::EmptyAuthorityOfBaseIsUndefined) && authority.is_empty()),
            None => self.has(Edit::EmptyBaseNeedsNoAuthority),
        };
        let is_empty = of_base.is_empty() || self.has(Edit::AuthorityNeedsNoEmptyBase);
        if has_authority && is_empty && !self.has(Edit::EmptyBaseWithAuthorityForgotten) {
            let slashes = if self.has(Edit::EmptyBaseGivesTwoSlashes) {
                "//"
            } else {
                "/"
            };
            return format!("{slashes}{path}");
        }
        if self.has(Edit::LastSegmentKept) {
            let slash = if of_base.ends_with('/') { "" } else { "/" };
            return format!("{of_base}{slash}{path}");
        }
        if self.has(Edit::LastSegmentKeptWithoutSlash) {
            return format!("{of_base}{path}");
        }
        format!("{}{path}", self.all_but_last_segment(&of_base))
    }

    fn all_but_last_segment(self, path: &str) -> &str {
        let mut path = path;
        if self.has(Edit::ParametersCutFirst) {
            path = path.split(';').next().unwrap_or_default();
        }
        if self.has(Edit::EmptyLastSegmentSkipped) && path.len() > 1 {
            path = path.strip_suffix('/').unwrap_or(path);
        }
        let slash = if self.has(Edit::LeftmostSlash) {
            path.find('/')
        } else {
            path.rfind('/')
        };
        let colon = path.rfind(':').filter(|_| self.has(Edit::ColonSeparates));
        let encoded = path.to_ascii_uppercase().rfind("%2F").filter(|_| self.has(Edit::EncodedSlashSeparates));
        let end =
            [slash.map(|at| at + 1), colon.map(|at| at + 1), encoded.map(|at| at + 3)].into_iter().flatten().max();
        match end {
            Some(end) if self.has(Edit::SlashExcluded) => &path[..end - 1],
            Some(end) => &path[..end],
            None if self.has(Edit::NoSlashKeepsBase) => path,
            None if self.has(Edit::NoSlashGivesRoot) => "/",
            None => "",
        }
    }
}

/// Every triplet decoded; what is no UTF-8 then is replaced.
pub(super) fn decoded(text: &str) -> String {
    String::from_utf8_lossy(&percent_decode(text)).into_owned()
}
