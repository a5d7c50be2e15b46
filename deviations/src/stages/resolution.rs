//! The stages of resolution: the branch of §5.2.2, the merge of §5.2.3, the dot-segments of §5.2.4.

use std::borrow::Cow;

use rfc3986_reference::resolve::Branch;
use uriproof::model::Reading;

use super::dots::{DotRules, remove_dots};
use super::parts::Parts;

/// What is resolved, and the branch that it takes.
#[derive(Clone, Debug)]
pub struct Resolving<'a> {
    /// The base, which may be a relative reference.
    pub base: &'a Parts<'a>,
    /// The reference.
    pub reference: &'a Parts<'a>,
    /// The branch of §5.2.2.
    pub branch: Branch,
    /// What §5.2.3 makes of the paths, or the path of the reference: the argument of `remove_dot_segments`, if it is called.
    pub path: Cow<'a, str>,
    /// How its dot-segments are removed.
    pub dots: DotRules,
    /// Whether they are removed from the path of the base too, where the reference has none.
    pub removes_dots_of_base: bool,
    /// Whether "/." is written before a path of the base that begins with "//" without its dot-segments.
    pub guards_base: bool,
}

impl<'a> Resolving<'a> {
    /// The stages before the removal of dot-segments.
    pub fn of(base: &'a Parts<'a>, reference: &'a Parts<'a>, strict: bool, reading: Reading) -> Resolving<'a> {
        let branch = branch(base, reference, strict);
        let path = match branch {
            Branch::Scheme | Branch::Authority | Branch::AbsolutePath => Cow::Borrowed(&*reference.path),
            Branch::EmptyPathWithQuery | Branch::EmptyPathWithoutQuery => Cow::Borrowed(&*base.path),
            Branch::Merge => Cow::Owned(merge(base, &reference.path, reading)),
        };
        Resolving {
            base,
            reference,
            branch,
            path,
            dots: DotRules::default(),
            removes_dots_of_base: false,
            guards_base: true,
        }
    }

    /// Whether `remove_dot_segments` is called: by §5.2.2 not on the path of the base, where the reference has none.
    pub fn removes_dot_segments(&self) -> bool {
        self.removes_dots_of_base || !self.keeps_path_of_base()
    }

    /// Whether the target has the path of the base.
    pub fn keeps_path_of_base(&self) -> bool {
        matches!(self.branch, Branch::EmptyPathWithQuery | Branch::EmptyPathWithoutQuery)
    }

    /// Whether the target has an authority.
    pub fn has_authority(&self) -> bool {
        match self.branch {
            Branch::Scheme | Branch::Authority => self.reference.host.is_some(),
            _ => self.base.host.is_some(),
        }
    }

    /// Whether the path begins with `//` behind no authority while its dot-segments are removed, but no more at the end.
    pub fn has_double_slash_among_dots(&self) -> bool {
        self.removes_dot_segments() && !self.has_authority() && remove_dots(&self.path, self.dots).1
    }

    /// The components of the target; its dot-segments stay if `keeps_dots` says so.
    pub fn target(&self, keeps_dots: bool) -> Parts<'a> {
        let (base, r) = (self.base, self.reference);
        let authority = if matches!(self.branch, Branch::Scheme | Branch::Authority) {
            r
        } else {
            base
        };
        let path = if self.removes_dot_segments() && !keeps_dots {
            Cow::Owned(remove_dots(&self.path, self.dots).0)
        } else {
            self.path.clone()
        };
        Parts {
            scheme: if self.branch == Branch::Scheme {
                r.scheme.clone()
            } else {
                base.scheme.clone()
            },
            userinfo: authority.userinfo.clone(),
            host: authority.host.clone(),
            host_kind: authority.host_kind,
            port: authority.port.clone(),
            path,
            query: if self.branch == Branch::EmptyPathWithoutQuery {
                base.query.clone()
            } else {
                r.query.clone()
            },
            fragment: r.fragment.clone(),
        }
    }
}

/// §5.2.2
fn branch(base: &Parts<'_>, r: &Parts<'_>, strict: bool) -> Branch {
    let same_scheme = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
    let is_ignored =
        !strict && r.scheme.as_deref().zip(base.scheme.as_deref()).is_some_and(|(r, base)| same_scheme(r, base));
    if r.scheme.is_some() && !is_ignored {
        Branch::Scheme
    } else if r.host.is_some() {
        Branch::Authority
    } else if !r.path.is_empty() {
        if r.path.starts_with('/') {
            Branch::AbsolutePath
        } else {
            Branch::Merge
        }
    } else if r.query.is_some() {
        Branch::EmptyPathWithQuery
    } else {
        Branch::EmptyPathWithoutQuery
    }
}

/// §5.2.3
fn merge(base: &Parts<'_>, reference: &str, reading: Reading) -> String {
    if base.host.is_some() && base.path.is_empty() {
        return format!("/{reference}");
    }
    if reading == Reading::Erratum4789 && base.path.ends_with("/..") {
        return format!("{}/{reference}", base.path);
    }
    let kept = base.path.rfind('/').map_or(0, |slash| slash + 1);
    format!("{}{reference}", &base.path[..kept])
}
