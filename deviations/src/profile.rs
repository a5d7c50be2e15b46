//! A profile: what a library does otherwise, and what it therefore answers.

mod comparison;

use std::borrow::Cow;

use rfc3986_reference::components::ReferenceRule;
use uriproof::expect::SCHEMES;
use uriproof::model::{Component, Input, Observed, Outcome, Reading, Reported, Rule, Scope, Specification};

use crate::catalogue::{Argument, Deviation, GuardedForm};
use crate::effect::beginning;
use crate::stages::{
    DotRules, Fault, Parts, Resolving, authority_as_path, faults, is_of_authority, kept_as_elements, kind_of_host,
    normalize, parts, recompose, recompose_guarded,
};
use crate::url_rules::{self, UrlRule};
use crate::url_standard;

/// The deviations of one entry point, in the order in which those of one stage act. Without any it is the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubjectProfile {
    /// The deviations.
    pub deviations: Vec<Deviation>,
    /// The specification that says which characters are accepted: those of RFC 3987, or else of RFC 3986.
    pub specification: Specification,
}

/// What comes of parsing a text.
#[derive(Clone, Debug)]
pub struct Parsed<'a> {
    /// The parts, whether they are taken or not.
    pub parts: Parts<'a>,
    /// The faults that no deviation forgives.
    pub faults: Vec<Fault>,
    /// Whether a deviation refuses it, though it has no fault.
    pub is_refused: bool,
    /// Where a deviation panics instead of refusing it.
    pub panics: Option<String>,
}

impl<'a> Parsed<'a> {
    /// The parts, if they are taken.
    #[expect(
        clippy::result_large_err,
        reason = "a refusal is an answer as good as another, and goes no further"
    )]
    fn taken(self) -> Result<Parts<'a>, Outcome> {
        match (self.panics, self.faults.first()) {
            (Some(place), _) => Err(Outcome::Crashed { reason: place }),
            (None, Some(fault)) => Err(Outcome::rejected(fault)),
            (None, None) if self.is_refused => Err(Outcome::rejected("a deviation refuses it")),
            (None, None) => Ok(self.parts),
        }
    }
}

impl Default for SubjectProfile {
    fn default() -> SubjectProfile {
        SubjectProfile::new([])
    }
}

impl SubjectProfile {
    /// The profile with these deviations.
    pub fn new(deviations: impl IntoIterator<Item = Deviation>) -> SubjectProfile {
        SubjectProfile {
            deviations: deviations.into_iter().collect(),
            specification: Specification::Rfc3986,
        }
    }

    /// The profile of a library that follows a specification.
    #[must_use]
    pub fn following(self, specification: Specification) -> SubjectProfile {
        SubjectProfile { specification, ..self }
    }

    /// The profile without the deviation at a place.
    pub fn without(&self, place: usize) -> SubjectProfile {
        self.only((0..self.deviations.len()).filter(|at| *at != place))
    }

    /// The profile with the deviations at these places alone.
    pub fn only(&self, places: impl IntoIterator<Item = usize>) -> SubjectProfile {
        let deviations = places.into_iter().map(|at| self.deviations[at].clone());
        SubjectProfile::new(deviations).following(self.specification.clone())
    }

    /// Whether the library follows the WHATWG URL Standard: then the other deviations are from that.
    pub fn follows_url_standard(&self) -> bool {
        self.deviations.contains(&Deviation::FollowsUrlStandard)
    }

    /// What a library with this profile answers; `None` where the stages do not reach: a rule that has not the five
    /// components, the reading of the Elements page in other operations than `parse`, `resolve` and `normalize`, what is
    /// composed under erratum 5428, the normal form of a relative reference, or what single rules of the URL Standard make of anything
    /// but a URI that is parsed.
    ///
    /// What is composed or modified is of `own`, the rule of the entry point, or refused.
    pub fn outcome(&self, own: Rule, input: &Input, reading: Reading) -> Option<Outcome> {
        let is_composed = matches!(input, Input::Compose { .. } | Input::Modify { .. });
        let is_split = matches!(
            input,
            Input::Parse { .. } | Input::Resolve { .. } | Input::Normalize { .. }
        );
        if reading == Reading::Elements && !is_split || reading == Reading::Erratum5428 && is_composed {
            return None;
        }
        if self.follows_url_standard() {
            return url_standard::outcome(&self.deviations, input);
        }
        let rules: Vec<UrlRule> = self.deviations.iter().filter_map(Deviation::url_rule).collect();
        if !rules.is_empty() {
            return url_rules::outcome(&rules, input);
        }
        match input {
            Input::Parse { rule, input } => self.outcome_of_parse(*rule, input, reading),
            Input::Resolve {
                base,
                reference,
                strict,
            } => Some(self.outcome_of_resolve(base, reference, *strict, reading)),
            Input::Normalize { uri, scope } => self.outcome_of_normalize(uri, *scope, reading),
            Input::RoundTrip { uri } => Some(match self.taken(uri, reading) {
                Ok(parts) => self.written(parts),
                Err(refused) => refused,
            }),
            Input::Compose { components } => {
                let parts = components.clone().map(Cow::Owned);
                Some(self.outcome_of_compose(own, None, parts, reading))
            }
            Input::Modify { uri, component, value } => Some(match self.taken(uri, reading) {
                Ok(_) if *component == Component::Path && value.is_none() => {
                    Outcome::rejected("the path is never undefined")
                }
                Ok(before) => {
                    let parts = before.clone().map(Cow::into_owned).with(*component, value.as_deref());
                    let mut parts = parts.map(Cow::Owned);
                    for deviation in &self.deviations {
                        deviation.mends_modified(&before, &mut parts);
                    }
                    self.outcome_of_compose(own, Some(&before), parts, reading)
                }
                Err(refused) => refused,
            }),
            Input::Equivalent { left, right, rung } => {
                Some(self.outcome_of_equivalent(own, left, right, *rung, reading))
            }
            Input::Contract { left, right } => Some(self.outcome_of_contract(own, left, right, reading)),
            Input::Relativize { base, target } => Some(self.outcome_of_relativize(own, base, target, reading)),
        }
    }

    /// The stages of composition (§5.3). What is modified has the parts `before`.
    fn outcome_of_compose(
        &self,
        own: Rule,
        before: Option<&Parts<'_>>,
        mut parts: Parts<'_>,
        reading: Reading,
    ) -> Outcome {
        for deviation in &self.deviations {
            deviation.mends(&mut parts);
        }
        if parts.host.is_none() && (parts.userinfo.is_some() || parts.port.is_some()) {
            return Outcome::rejected("userinfo and port need a host");
        }
        parts.host_kind = parts.host.as_deref().map(kind_of_host);
        let mut faults = faults(&parts, reading);
        let is_unguarded = |form| self.deviations.iter().any(|deviation| deviation.writes_unguarded(form));
        let is_joined = self.deviations.iter().any(Deviation::joins_path);
        let is_rootless = parts.host.is_some() && !parts.path.is_empty() && !parts.path.starts_with('/');
        if is_rootless && !is_joined && !is_unguarded(GuardedForm::RootlessPath) {
            return Outcome::rejected("after an authority the path begins with a slash");
        }
        if parts.host.is_none() && parts.path.starts_with("//") && !is_unguarded(GuardedForm::DoubleSlash) {
            return Outcome::rejected("without an authority the path does not begin with \"//\"");
        }
        faults.retain(|fault| !self.forgives(fault, |deviation| deviation.forgives_composed(fault, &parts)));
        if let Some(fault) = faults.first() {
            return Outcome::rejected(fault);
        }
        if !self.deviations.iter().any(Deviation::composes_as_given) {
            let refuses = |deviation: &Deviation| match before.is_some_and(|before| deviation.spares(before, &parts)) {
                true => false,
                false => deviation.refuses(&parts) || deviation.refuses_composed(&parts),
            };
            if self.deviations.iter().any(refuses) {
                return Outcome::rejected("a deviation refuses it");
            }
            for deviation in &self.deviations {
                deviation.holds(&mut parts);
            }
        }
        match ReferenceRule::try_from(own) {
            Ok(own) if !matches(&parts, own) => Outcome::rejected(format!("it does not match {}", Rule::from(own))),
            _ => {
                let is_parsed = is_rootless && is_joined;
                let fault = is_parsed.then(|| self.parse(&recompose(&parts), reading).faults.into_iter().next());
                fault.flatten().map_or_else(|| self.written(parts), Outcome::rejected)
            }
        }
    }

    /// The stage *written*, of parts that are not guarded.
    fn written(&self, mut parts: Parts<'_>) -> Outcome {
        for deviation in &self.deviations {
            deviation.writes(&mut parts);
        }
        Outcome::uri(recompose(&parts))
    }

    /// The stages of parsing.
    pub fn parse<'a>(&self, text: &'a str, reading: Reading) -> Parsed<'a> {
        let mut parts = beginning(text, &self.deviations).unwrap_or_else(|| parts(text));
        let mut faults = faults(&parts, reading);
        if reading == Reading::Erratum5428
            && parts.scheme.is_none()
            && faults.iter().any(|fault| is_of_authority(fault.component))
        {
            parts = authority_as_path(&parts);
            faults = crate::stages::faults(&parts, reading);
        }
        for deviation in &self.deviations {
            if let Some(others) = deviation.splits(&parts) {
                faults = crate::stages::faults(&others, reading);
                parts = others;
            }
        }
        faults.retain(|fault| !self.forgives(fault, |deviation| deviation.forgives(fault, &parts)));
        let is_refused = faults.is_empty() && self.deviations.iter().any(|deviation| deviation.refuses(&parts));
        let panics = self.deviations.iter().find_map(|deviation| deviation.panics(&parts)).map(str::to_owned);
        for deviation in &self.deviations {
            deviation.holds(&mut parts);
        }
        Parsed {
            parts,
            faults,
            is_refused,
            panics,
        }
    }

    /// Whether a fault is none by the specification, or one that a deviation forgives.
    fn forgives(&self, fault: &Fault, forgives: impl Fn(&Deviation) -> bool) -> bool {
        self.specification == Specification::Rfc3987 && fault.is_none_in_iri() || self.deviations.iter().any(forgives)
    }

    /// The parts of a text, if it is taken.
    ///
    /// # Errors
    ///
    /// How it is refused.
    #[expect(
        clippy::result_large_err,
        reason = "a refusal is an answer as good as another, and goes no further"
    )]
    fn taken<'a>(&self, text: &'a str, reading: Reading) -> Result<Parts<'a>, Outcome> {
        self.parse(text, reading).taken()
    }

    fn outcome_of_parse(&self, rule: Rule, input: &str, reading: Reading) -> Option<Outcome> {
        let rule = ReferenceRule::try_from(rule).ok()?;
        Some(match self.taken(input, reading) {
            Ok(parts) if matches(&parts, rule) => match kept(parts, reading) {
                Ok(mut parts) => {
                    for deviation in &self.deviations {
                        deviation.shows(&mut parts);
                    }
                    Outcome::components(observed(&parts))
                }
                Err(refused) => refused,
            },
            Ok(_) => Outcome::rejected(format!("it does not match {}", Rule::from(rule))),
            Err(refused) => refused,
        })
    }

    fn outcome_of_resolve(&self, base: &str, reference: &str, strict: bool, reading: Reading) -> Outcome {
        let (split, text) = (parts(base), reference);
        let (base, reference) = (
            self.argument(Argument::Base, base, reading),
            self.argument(Argument::Reference, reference, reading),
        );
        let ((base, of_base), (reference, of_reference)) = match (base, reference) {
            (Ok(base), Ok(reference)) => (base, reference),
            (Err(refused), _) | (_, Err(refused)) => return refused,
        };
        if reading == Reading::Elements && base.scheme.is_none() {
            return Outcome::rejected("the base is a relative reference");
        }
        let mut resolving = Resolving::of(&base, &reference, strict, reading);
        if self.deviations.iter().any(|deviation| deviation.refuses_resolution(&resolving)) {
            return Outcome::rejected("a deviation refuses to resolve it");
        }
        // The form of a base is looked at first.
        if let Some(place) = of_base.or(of_reference) {
            return crashed(place);
        }
        if self.deviations.iter().any(|deviation| deviation.returns_reference(&base, text)) {
            return Outcome::uri(text);
        }
        if let Some(place) = self.deviations.iter().find_map(|deviation| deviation.panics_on_merge(&resolving)) {
            return crashed(place);
        }
        for deviation in &self.deviations {
            deviation.merges(&mut resolving, &split);
        }
        match self.target(&mut resolving) {
            Ok(target) => self.written_target(target, base.scheme.is_none()),
            Err(outcome) => outcome,
        }
    }

    /// The parts of an argument of `resolve`, if it is taken, and where it panics on them before it resolves.
    #[expect(
        clippy::result_large_err,
        reason = "a refusal is an answer as good as another, and goes no further"
    )]
    fn argument<'a>(
        &self,
        argument: Argument,
        text: &'a str,
        reading: Reading,
    ) -> Result<(Parts<'a>, Option<&str>), Outcome> {
        let mut parsed = self.parse(text, reading);
        // It is no entry point of its own that parses the reference, and does not panic.
        if argument == Argument::Reference {
            parsed.panics = None;
        }
        let split = parts(text);
        match self.deviations.iter().find_map(|deviation| deviation.panics_on_argument(argument, &split)) {
            Some(place) => Ok((parsed.parts, Some(place))),
            None => parsed.taken().and_then(|parts| kept(parts, reading)).map(|parts| (parts, None)),
        }
    }

    /// The stages *dots* and *target*.
    #[expect(
        clippy::result_large_err,
        reason = "a refusal is an answer as good as another, and goes no further"
    )]
    fn target<'a>(&self, resolving: &mut Resolving<'a>) -> Result<Parts<'a>, Outcome> {
        let has_authority = resolving.has_authority();
        for deviation in &self.deviations {
            deviation.rules_dots(&mut resolving.dots, has_authority);
        }
        let keeps_dots = self.deviations.iter().any(|deviation| deviation.keeps_dots(resolving));
        if !keeps_dots && resolving.has_double_slash_among_dots() {
            if self.deviations.iter().any(Deviation::refuses_among_dots) {
                return Err(Outcome::rejected("a deviation refuses the path"));
            }
            if let Some(place) = self.deviations.iter().find_map(Deviation::panics_among_dots) {
                return Err(crashed(place));
            }
        }
        if !keeps_dots {
            for deviation in &self.deviations {
                deviation.spells_dots(resolving);
            }
        }
        let mut target = resolving.target(keeps_dots);
        if resolving.removes_dot_segments()
            && !keeps_dots
            && let Some(path) = self.removes_dots(&resolving.path)
        {
            target.path = path.into();
        }
        if self.deviations.iter().any(|deviation| deviation.refuses_target(&target)) {
            return Err(Outcome::rejected("a deviation refuses the target"));
        }
        let is_rootless = self.deviations.iter().any(|deviation| deviation.holds_for_rootless(resolving));
        if !is_rootless && let Some(place) = self.deviations.iter().find_map(|one| one.panics_on_target(&target)) {
            return Err(crashed(place));
        }
        for deviation in &self.deviations {
            deviation.guards(resolving, &mut target);
            deviation.changes_target(&mut target);
        }
        Ok(target)
    }

    /// The stage *written*, of a target, which is guarded if the base is relative.
    fn written_target(&self, mut target: Parts<'_>, is_base_relative: bool) -> Outcome {
        for deviation in &self.deviations {
            deviation.writes(&mut target);
        }
        let form = match target.path.starts_with("//") {
            true => GuardedForm::DoubleSlash,
            false => GuardedForm::Colon,
        };
        let is_guarded = is_base_relative && !self.deviations.iter().any(|deviation| deviation.writes_unguarded(form));
        Outcome::uri(match is_guarded {
            true => recompose_guarded(&target),
            false => recompose(&target),
        })
    }

    /// A path without its dot-segments, where a deviation leaves another than §5.2.4.
    fn removes_dots(&self, path: &str) -> Option<String> {
        self.deviations.iter().find_map(|deviation| deviation.removes_dots(path))
    }

    fn outcome_of_normalize(&self, uri: &str, scope: Scope, reading: Reading) -> Option<Outcome> {
        let mut parts = match self.taken(uri, reading) {
            Ok(parts) => parts,
            Err(refused) => return Some(refused),
        };
        if !self.deviations.iter().any(Deviation::normalizes_relative_references) {
            parts.scheme.as_ref()?;
        }
        let skips = |step, component: Component, parts: &Parts<'_>| {
            self.deviations.iter().any(|deviation| deviation.skips(step, component, parts))
        };
        let double_slash = self.deviations.iter().find_map(Deviation::double_slash).unwrap_or_default();
        let mut dots = DotRules::default();
        for deviation in &self.deviations {
            deviation.rules_dots(&mut dots, parts.host.is_some());
        }
        normalize(&mut parts, scope, &SCHEMES, &skips, dots, double_slash);
        for deviation in &self.deviations {
            deviation.changes_normal(&mut parts);
        }
        Some(self.written(parts))
    }
}

fn crashed(place: &str) -> Outcome {
    Outcome::Crashed {
        reason: place.to_owned(),
    }
}

/// The parts as a reading keeps them: see [`kept_as_elements`].
#[expect(
    clippy::result_large_err,
    reason = "a refusal is an answer as good as another, and goes no further"
)]
fn kept(parts: Parts<'_>, reading: Reading) -> Result<Parts<'_>, Outcome> {
    match reading {
        Reading::Elements => kept_as_elements(parts).ok_or_else(|| Outcome::rejected("the port is more than 65535")),
        _ => Ok(parts),
    }
}

/// Whether the parts of a URI-reference are those of a rule (§4.1 to §4.3).
fn matches(parts: &Parts<'_>, rule: ReferenceRule) -> bool {
    match rule {
        ReferenceRule::UriReference => true,
        ReferenceRule::Uri => parts.scheme.is_some(),
        ReferenceRule::AbsoluteUri => parts.scheme.is_some() && parts.fragment.is_none(),
        ReferenceRule::RelativeRef => parts.scheme.is_none(),
    }
}

/// The parts, all of them reported.
fn observed(parts: &Parts<'_>) -> Observed {
    let text = |component: Component| -> Reported<String> { parts.text(component).map(str::to_owned).into() };
    Observed {
        scheme: text(Component::Scheme),
        userinfo: text(Component::Userinfo),
        host: text(Component::Host),
        host_kind: parts.host_kind.into(),
        port: text(Component::Port),
        path: text(Component::Path),
        query: text(Component::Query),
        fragment: text(Component::Fragment),
    }
}
