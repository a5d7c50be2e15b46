//! Two outcomes -> a verdict. Knows no subject by name and never panics.

mod choice;
mod plainly;
mod policy;
mod property;
mod sameness;

use std::borrow::Cow;
use std::cell::LazyCell;
use std::ptr;

use rfc3986_reference::components::{self as rfc, ReferenceRule};
use rfc3986_reference::recompose::recompose;
use serde::{Deserialize, Serialize};

pub use self::choice::Choice;
use self::plainly::{is_of_no_other, is_plainly_normalized};
use self::policy::{Policy, same_component, without_answer};
pub(crate) use self::policy::{acceptance, is_governed_otherwise};
pub use self::sameness::same_normalized;
use self::sameness::{Compared, Uris, delimiter_before, same_uri};
pub use self::sameness::{is_spelled_as_normal, uri_of_iri};
use crate::expect::Expected;
use crate::model::{
    Component, ComponentSet, Declaration, Fidelity, Forms, Input, Observed, Outcome, Reported, Rule, Shown,
    Specification, Value, authority_of,
};
use crate::screen;

/// What the comparison of an outcome with the expected ones says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The outcome conforms.
    Agree {
        /// The name of the conforming outcome, where several conform.
        conforming: Option<String>,
    },
    /// It does not.
    Diverge(Difference),
    /// There is nothing to compare, for this reason.
    NotComparable {
        /// Why.
        reason: String,
    },
}

impl Verdict {
    /// The verdict's name, as `results.json` spells it.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Agree { .. } => "agree",
            Verdict::Diverge(_) => "diverge",
            Verdict::NotComparable { .. } => "not-comparable",
        }
    }
}

/// How an outcome differs from the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Difference {
    /// The kind of difference.
    pub kind: DifferenceKind,
    /// The components that differ, where both sides have components.
    pub components: ComponentSet,
}

impl Difference {
    /// One in no component.
    pub fn of_kind(kind: DifferenceKind) -> Difference {
        let components = ComponentSet::NONE;
        Difference { kind, components }
    }
}

/// The kinds of difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceKind {
    /// Accepted, though invalid.
    AcceptedInvalid,
    /// Rejected, though valid.
    RejectedValid,
    /// Accepted by both, with other components.
    OtherComponents,
    /// Accepted by both, with another URI.
    OtherUri,
    /// Made a string that is no URI-reference.
    InvalidUri,
    /// Equivalent, though different (RFC 3986 §6.1).
    FalsePositive,
    /// Not equivalent, though the same on that rung (RFC 3986 §6.1).
    FalseNegative,
    /// A contract of equality, hash or order does not hold.
    BrokenContract,
    /// What was normalized comes out otherwise when it is normalized again.
    NotIdempotent,
    /// A relative reference came out as one that resolves to something else, or as one of another kind.
    OtherMeaning,
    /// The time that the subject takes grows faster than its input.
    Superlinear,
    /// The subject panicked or died.
    Crashed,
    /// The subject did not answer in time.
    TimedOut,
}

impl DifferenceKind {
    /// Every kind.
    pub const ALL: [DifferenceKind; 13] = [
        DifferenceKind::AcceptedInvalid,
        DifferenceKind::RejectedValid,
        DifferenceKind::OtherComponents,
        DifferenceKind::OtherUri,
        DifferenceKind::InvalidUri,
        DifferenceKind::FalsePositive,
        DifferenceKind::FalseNegative,
        DifferenceKind::BrokenContract,
        DifferenceKind::NotIdempotent,
        DifferenceKind::OtherMeaning,
        DifferenceKind::Superlinear,
        DifferenceKind::Crashed,
        DifferenceKind::TimedOut,
    ];

    /// The kind's name, as `results.json` spells it.
    pub fn name(self) -> &'static str {
        match self {
            DifferenceKind::AcceptedInvalid => "accepted-invalid",
            DifferenceKind::RejectedValid => "rejected-valid",
            DifferenceKind::OtherComponents => "other-components",
            DifferenceKind::OtherUri => "other-uri",
            DifferenceKind::InvalidUri => "invalid-uri",
            DifferenceKind::FalsePositive => "false-positive",
            DifferenceKind::FalseNegative => "false-negative",
            DifferenceKind::BrokenContract => "broken-contract",
            DifferenceKind::NotIdempotent => "not-idempotent",
            DifferenceKind::OtherMeaning => "other-meaning",
            DifferenceKind::Superlinear => "superlinear",
            DifferenceKind::Crashed => "crashed",
            DifferenceKind::TimedOut => "timed-out",
        }
    }

    /// Whether the subject gave no answer.
    pub fn is_death(self) -> bool {
        matches!(self, DifferenceKind::Crashed | DifferenceKind::TimedOut)
    }
}

/// Compares what a subject did with the outcomes that conform.
///
/// If several outcomes conform, the difference is reported against the closest one. On a tie the first wins: the literal one.
pub fn compare(declaration: &Declaration, input: &Input, expected: &Expected, observed: &Outcome) -> Verdict {
    // RFC 3986 rejects these characters; whether the rest would have been accepted is unknown.
    let rejects = matches!(
        expected,
        Expected::Outcomes(outcomes)
            if matches!(outcomes.first(), Some(one) if matches!(one.outcome, Outcome::Rejected { .. }))
    );
    let answers = matches!(observed, Outcome::Accepted { .. } | Outcome::Rejected { .. });
    if rejects && answers && is_governed_otherwise(declaration, is_ascii(input)) {
        return Verdict::NotComparable {
            reason: "RFC 3987 governs characters beyond US-ASCII".to_owned(),
        };
    }
    let policy = Policy::of(input);
    let verdict = compare_to(declaration, expected, observed, policy.spelled_freely);
    if policy.is_to_the_letter(declaration)
        && matches!(verdict, Verdict::Agree { .. })
        && !is_one_of(expected, observed)
    {
        return Verdict::NotComparable {
            reason: "it shows every URI in a normal form of its own, and whether this is that one cannot be told"
                .to_owned(),
        };
    }
    verdict
}

/// Whether an outcome is one of these to the letter, or what is expected is no outcome.
fn is_one_of(expected: &Expected, observed: &Outcome) -> bool {
    match expected {
        Expected::Outcomes(outcomes) => outcomes.iter().any(|one| {
            one.outcome == *observed
                || matches!(
                    (&one.outcome, observed),
                    (Outcome::Rejected { .. }, Outcome::Rejected { .. })
                )
        }),
        Expected::Property(_) | Expected::NoAnswer { .. } => true,
    }
}

/// As [`compare`], whatever specification the subject follows: what is expected governs every character.
pub fn compare_exactly(declaration: &Declaration, expected: &Expected, observed: &Outcome) -> Verdict {
    compare_to(declaration, expected, observed, None)
}

/// As [`compare_exactly`]; where components are `given`, unreserved characters may be decoded and triplets written in capitals "at any
/// time" (§2.4, §6.2.2), one and not another: as one of the outcomes has it, or as normalization would. It is those components that may
/// be refused, or encoded in more than one way.
fn compare_to(
    declaration: &Declaration,
    expected: &Expected,
    observed: &Outcome,
    given: Option<ComponentSet>,
) -> Verdict {
    if let Some(BriefVerdict::Diverges(difference)) = without_answer(observed) {
        return Verdict::Diverge(difference);
    }
    let conforming = match (expected, observed) {
        (Expected::NoAnswer { reason }, _) | (_, Outcome::Unsupported { reason }) => {
            return Verdict::NotComparable { reason: reason.clone() };
        }
        (Expected::Property(property), _) => return property::verdict(declaration, property, observed),
        (Expected::Outcomes(conforming), _) => conforming,
    };
    let text = match observed {
        Outcome::Accepted { value: Value::Uri(uri) } => Some(as_uri(declaration, uri)),
        _ => None,
    };
    let mut uris = text.as_deref().map(|text| Uris::of(declaration.forms, text));
    // Of several outcomes the one that is closest is what the subject meant.
    let mut closest: Option<Difference> = None;
    for one in conforming {
        let difference = match (&one.outcome, &mut uris) {
            (Outcome::Accepted { value: Value::Uri(uri) }, Some(uris)) => uris.difference(uri),
            (outcome, _) => difference(declaration, outcome, observed),
        };
        let Some(difference) = difference else {
            let conforming = (conforming.len() > 1).then(|| one.name.to_string());
            return Verdict::Agree { conforming };
        };
        if closest.as_ref().is_none_or(|closest| is_closer(&difference, closest, uris.as_ref(), given)) {
            closest = Some(difference);
        }
    }
    let Some(mut difference) = closest else {
        return Verdict::NotComparable {
            reason: "no outcome is expected".to_owned(),
        };
    };
    if let (Some(text), Some(uris)) = (&text, uris) {
        // A mapped IRI is text that we made, not text that the subject returned: differences inside it are not reported.
        let is_own = matches!(text, Cow::Borrowed(_));
        match but_for_spelling(difference, &uris, is_own, given) {
            Some(left) => difference = left,
            None => {
                return Verdict::Agree {
                    conforming: Some("mixed".to_owned()),
                };
            }
        }
    }
    Verdict::Diverge(difference)
}

/// Whether a difference is closer to what is expected than another. What may be refused or encoded, and is encoded otherwise, is
/// another URI, not an invalid one.
fn is_closer(one: &Difference, other: &Difference, uris: Option<&Uris<'_>>, given: Option<ComponentSet>) -> bool {
    let distance = |difference: &Difference| difference.components.len();
    match (other.kind, one.kind) {
        (DifferenceKind::AcceptedInvalid, kind) => {
            kind == DifferenceKind::OtherUri
                && distance(one) == 1
                && !uris.is_some_and(|uris| begins_in_given(uris, one.components, given))
        }
        (other_kind, kind) => kind == other_kind && distance(one) < distance(other),
    }
}

/// Whether a delimiter that was given as data begins what follows, though what is left of it may have the same normal form.
fn begins_in_given(uris: &Uris<'_>, components: ComponentSet, given: Option<ComponentSet>) -> bool {
    let mut delimiters = components.iter().filter_map(delimiter_before);
    given.is_some_and(|given| {
        components.bits() > given.bits() && delimiters.any(|delimiter| uris.has_fewer_encoded(delimiter, given))
    })
}

/// What is left of a difference of a URI where each component may be as another outcome has it; none if nothing is. The components
/// are reported only for the subject's `own` text.
fn but_for_spelling(
    mut difference: Difference,
    uris: &Uris<'_>,
    is_own: bool,
    given: Option<ComponentSet>,
) -> Option<Difference> {
    let is_spelled_freely = given.is_some();
    let kind = DifferenceKind::OtherUri;
    if difference.kind != kind && !(is_spelled_freely && difference.kind == DifferenceKind::AcceptedInvalid) {
        return Some(difference);
    }
    match uris.foreign(is_spelled_freely) {
        Some((foreign, true)) if foreign.is_empty() => return None,
        Some((foreign, _)) if is_own && !foreign.is_empty() && difference.kind == kind => {
            difference.components = foreign;
        }
        // Where more is encoded otherwise, each component may stand for the same.
        Some((components, true))
            if is_own
                && (components.len() == 1 && !begins_in_given(uris, components, given)
                    || uris.is_encoded_otherwise()) =>
        {
            difference = Difference { kind, components };
        }
        Some(_) | None => {}
    }
    Some(difference)
}

/// A [`Verdict`] without its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BriefVerdict {
    /// The outcome conforms.
    Agrees,
    /// There is nothing to compare.
    NotComparable,
    /// It does not conform.
    Diverges(Difference),
}

impl BriefVerdict {
    /// That it differs so, in no component.
    pub(crate) fn of_kind(kind: DifferenceKind) -> BriefVerdict {
        BriefVerdict::Diverges(Difference::of_kind(kind))
    }
}

impl From<&Verdict> for BriefVerdict {
    fn from(verdict: &Verdict) -> BriefVerdict {
        match verdict {
            Verdict::Agree { .. } => BriefVerdict::Agrees,
            Verdict::NotComparable { .. } => BriefVerdict::NotComparable,
            Verdict::Diverge(difference) => BriefVerdict::Diverges(*difference),
        }
    }
}

/// What [`compare`] says of a parse that is [shown](crate::model::Subject::show); `expected` are the components of `text`, if it
/// matches the rule of the input. Nothing is copied.
pub fn compare_shown(
    declaration: &Declaration,
    text: &str,
    expected: Option<&Observed<&str>>,
    shown: &Shown<'_>,
) -> BriefVerdict {
    let observed = match shown {
        Shown::Otherwise(outcome) => {
            // An answer to another question, which no adapter of ours gives and the protocol refuses.
            let of_another = acceptance(expected.is_some(), true).unwrap_or(DifferenceKind::OtherComponents);
            return without_answer(outcome).unwrap_or(BriefVerdict::of_kind(of_another));
        }
        Shown::Accepted(observed) => Some(observed),
        Shown::Rejected { .. } => None,
    };
    if expected.is_none() && is_governed_otherwise(declaration, text.is_ascii()) {
        return BriefVerdict::NotComparable;
    }
    match (expected, observed) {
        (Some(expected), Some(observed)) => {
            let Some(other_letters) = unless_all_the_same(expected, observed) else {
                return BriefVerdict::Agrees;
            };
            // What was parsed parses to the same again: there is nothing to recompose.
            let normal = || Compared::normal_of(expected);
            let components = differing_reported(declaration, expected, observed, other_letters, normal);
            if components.is_empty() {
                BriefVerdict::Agrees
            } else {
                BriefVerdict::Diverges(Difference {
                    kind: DifferenceKind::OtherComponents,
                    components,
                })
            }
        }
        _ => acceptance(expected.is_some(), observed.is_some()).map_or(BriefVerdict::Agrees, BriefVerdict::of_kind),
    }
}

/// Whether an outcome is this URI to the letter.
pub fn is_uri_to_the_letter(declaration: &Declaration, uri: &str, observed: &Outcome) -> bool {
    uri_shown(declaration, observed).is_some_and(|observed| observed == uri)
}

/// Whether an outcome is this URI, as exactly as the subject shows one: where it conforms, there is nothing more to compare.
pub fn is_uri_literally(declaration: &Declaration, uri: &str, observed: &Outcome) -> bool {
    uri_shown(declaration, observed).is_some_and(|observed| same_uri(declaration.forms, uri, &observed))
}

fn uri_shown<'a>(declaration: &Declaration, observed: &'a Outcome) -> Option<Cow<'a, str>> {
    match observed {
        Outcome::Accepted { value: Value::Uri(uri) } => Some(as_uri(declaration, uri)),
        _ => None,
    }
}

/// What a subject shows as a URI: of an IRI, the URI that it maps to.
fn as_uri<'a>(declaration: &Declaration, observed: &'a str) -> Cow<'a, str> {
    match declaration.specification {
        Specification::Rfc3987 => uri_of_iri(observed),
        _ => Cow::Borrowed(observed),
    }
}

/// The rule that a subject parses for a vector of `rule`: `rule` itself if it takes it, else its own rule if
/// that is a part of `rule`.
///
/// # Errors
///
/// Why the input cannot be run on the subject.
pub fn narrow(declaration: &Declaration, rule: Rule) -> Result<Rule, String> {
    narrowed(declaration, rule).ok_or_else(|| format!("parses {} only", own_rule(declaration)))
}

/// As [`narrow`], without a word why not.
#[inline]
pub(crate) fn narrowed(declaration: &Declaration, rule: Rule) -> Option<Rule> {
    if declaration.rules.contains(&rule) {
        return Some(rule);
    }
    let own = own_rule(declaration);
    let is_part = match rule {
        Rule::UriReference => matches!(own, Rule::Uri | Rule::AbsoluteUri | Rule::RelativeRef),
        Rule::Uri => own == Rule::AbsoluteUri,
        _ => false,
    };
    is_part.then_some(own)
}

/// The rule that a subject parses (see [`narrow`]), if its entry point takes the kind of reference that `input`
/// is about: a type of relative references cannot parse a URI.
///
/// # Errors
///
/// Why the input cannot be run on the subject.
pub fn takes(declaration: &Declaration, input: &Input) -> Result<Rule, String> {
    let own = own_rule(declaration);
    let belongs = |text: &str| {
        if is_of_another_kind(text, own) {
            Err(format!("takes {own} only"))
        } else {
            Ok(own)
        }
    };
    match input {
        Input::Parse { rule, .. } => narrow(declaration, *rule),
        // The base is a URI in any case; an entry point for URIs takes its references as another type.
        Input::Resolve { reference, .. } if own == Rule::RelativeRef => belongs(reference),
        Input::Resolve { .. } | Input::Compose { .. } => Ok(own),
        Input::Normalize { uri, .. } => belongs(uri),
        Input::Equivalent { left, right, .. } | Input::Contract { left, right } => {
            belongs(left).and_then(|_| belongs(right))
        }
        Input::Relativize { target, .. } => belongs(target),
        Input::Modify { uri, .. } | Input::RoundTrip { uri } => belongs(uri),
    }
}

/// What is expected of a subject that makes only what matches its own rule: it refuses all else.
pub fn narrow_result<'a>(
    declaration: &Declaration,
    mut expected: Cow<'a, Expected>,
    input: &Input,
) -> Cow<'a, Expected> {
    let own = own_rule(declaration);
    if !matches!(input, Input::Compose { .. } | Input::Modify { .. }) {
        return expected;
    }
    if let Expected::Outcomes(outcomes) = expected.to_mut() {
        for one in outcomes {
            let is_of_another_kind = match &one.outcome {
                Outcome::Accepted { value: Value::Uri(uri) } => is_of_another_kind(uri, own),
                _ => false,
            };
            if is_of_another_kind {
                one.outcome = Outcome::rejected(format!("no {own}"));
            }
        }
    }
    expected
}

/// Whether `text` is a URI-reference, but not of the kind that `own` is the rule of.
fn is_of_another_kind(text: &str, own: Rule) -> bool {
    own != Rule::UriReference
        && ReferenceRule::try_from(own)
            .is_ok_and(|own| screen::reference(text).is_some_and(|reference| !reference.matches(own)))
}

/// The rule of what an entry point is for: the first that it lists.
pub fn own_rule(declaration: &Declaration) -> Rule {
    declaration.rules.first().copied().unwrap_or(Rule::UriReference)
}

fn difference(declaration: &Declaration, expected: &Outcome, observed: &Outcome) -> Option<Difference> {
    let of_kind = |kind| Some(Difference::of_kind(kind));
    match (expected, observed) {
        (Outcome::Rejected { .. }, Outcome::Rejected { .. }) => None,
        (Outcome::Rejected { .. }, _) => of_kind(DifferenceKind::AcceptedInvalid),
        (_, Outcome::Rejected { .. }) => of_kind(DifferenceKind::RejectedValid),
        (Outcome::Accepted { value: expected }, Outcome::Accepted { value: observed }) => match (expected, observed) {
            (Value::Components(expected), Value::Components(observed)) => {
                let components = differing(declaration, expected, observed);
                (!components.is_empty()).then_some(Difference {
                    kind: DifferenceKind::OtherComponents,
                    components,
                })
            }
            (Value::Uri(expected), Value::Uri(observed)) => {
                Uris::of(declaration.forms, &as_uri(declaration, observed)).difference(expected)
            }
            (Value::Equivalent(expected), Value::Equivalent(observed)) if expected == observed => None,
            (Value::Broken(expected), Value::Broken(observed)) if expected == observed => None,
            // An answer to another question, which no adapter of ours gives and the protocol refuses.
            (Value::Components(_), _) => of_kind(DifferenceKind::OtherComponents),
            (Value::Uri(_), _) => of_kind(DifferenceKind::OtherUri),
            (Value::Equivalent(false), _) => of_kind(DifferenceKind::FalsePositive),
            (Value::Equivalent(true), _) => of_kind(DifferenceKind::FalseNegative),
            (Value::Broken(_), _) => of_kind(DifferenceKind::BrokenContract),
        },
        (Outcome::Unsupported { .. } | Outcome::Crashed { .. } | Outcome::TimedOut { .. }, _)
        | (_, Outcome::Unsupported { .. } | Outcome::Crashed { .. } | Outcome::TimedOut { .. }) => {
            of_kind(DifferenceKind::Crashed)
        }
    }
}

/// The reported components that are not the same to the letter; `None` if all are, as for most subjects.
#[inline]
fn unless_all_the_same<T: AsRef<str>, U: AsRef<str>>(
    expected: &Observed<T>,
    observed: &Observed<U>,
) -> Option<ComponentSet> {
    #[inline]
    fn same<T: AsRef<str>, U: AsRef<str>>(expected: &Reported<T>, observed: &Reported<U>) -> bool {
        match (expected, observed) {
            (Reported::Defined(expected), Reported::Defined(observed)) => {
                let (expected, observed) = (expected.as_ref(), observed.as_ref());
                // Most are of one text.
                ptr::eq(expected, observed) || expected == observed
            }
            (Reported::Undefined, Reported::Undefined) | (_, Reported::Nothing) | (Reported::Nothing, _) => true,
            (Reported::Undefined | Reported::Defined(_), _) => false,
        }
    }
    let is_same_host_kind = || {
        expected.host_kind == observed.host_kind || expected.host_kind.is_nothing() || observed.host_kind.is_nothing()
    };
    let are_all_the_same = same(&expected.scheme, &observed.scheme)
        && same(&expected.userinfo, &observed.userinfo)
        && same(&expected.host, &observed.host)
        && is_same_host_kind()
        && same(&expected.port, &observed.port)
        && same(&expected.path, &observed.path)
        && same(&expected.query, &observed.query)
        && same(&expected.fragment, &observed.fragment);
    (!are_all_the_same).then(|| {
        ComponentSet::of(|component| match component {
            Component::HostKind => !is_same_host_kind(),
            text => !same(&expected.text(text), &observed.text(text)),
        })
    })
}

/// The reported components that differ at the subject's fidelity.
fn differing<T: AsRef<str>, U: AsRef<str>>(
    declaration: &Declaration,
    expected: &Observed<T>,
    observed: &Observed<U>,
) -> ComponentSet {
    let Some(other_letters) = unless_all_the_same(expected, observed) else {
        return ComponentSet::NONE;
    };
    let whole = LazyCell::new(|| recomposed(expected, expected));
    let normal = || normal_form(&whole);
    differing_reported(declaration, expected, observed, other_letters, normal)
}

/// As [`differing`], where it is known what is not the same to the letter; `normal` is the normal form of what is expected, if it
/// has one.
fn differing_reported<'a, T: AsRef<str>, U: AsRef<str>>(
    declaration: &Declaration,
    expected: &Observed<T>,
    observed: &Observed<U>,
    other_letters: ComponentSet,
    normal: impl FnOnce() -> Option<Compared<'a>>,
) -> ComponentSet {
    let differing = other_letters.filter(|component| {
        let fidelity = declaration.fidelity(component).unwrap_or(Fidelity::Exact);
        !same_component(fidelity, component, expected.text(component), observed.text(component))
    });
    let is_plain = !differing.is_empty()
        && declaration.forms == Forms::Normalized
        && other_letters.iter().all(|component| {
            !differing.contains(component) && is_of_no_other(component)
                || is_plainly_normalized(component, expected, observed)
        });
    if is_plain {
        return ComponentSet::NONE;
    }
    if differing.is_empty() || declaration.forms == Forms::Verbatim {
        return differing;
    }
    let whole = recomposed(observed, expected);
    let is_kind_of_host = || plainly::is_kind_of_its_host(expected, observed);
    if let Some((observed, expected)) = normal_form(&whole).and_then(|observed| Some((observed, normal()?))) {
        return differing.filter(|component| {
            !same_normalized(component, expected.text(component), observed.text(component))
                || component == Component::HostKind && !is_kind_of_host()
        });
    }
    if expected.scheme.as_defined().is_none() && observed.scheme.as_defined().is_none() {
        // A relative reference is in no normal form before it is resolved, but may be spelled as in one.
        return differing.filter(|component| {
            let [expected_text, observed_text] =
                [expected.text(component), observed.text(component)].map(|reported| reported.as_defined().copied());
            match component {
                Component::HostKind => !is_kind_of_host(),
                _ => !is_spelled_as_normal(component, expected_text, observed_text),
            }
        });
    }
    differing
}

/// The reported components, completed from `other`, and the text that they recompose to.
fn recomposed<'a, T: AsRef<str>, U: AsRef<str>>(
    reported: &'a Observed<T>,
    other: &'a Observed<U>,
) -> (Observed<&'a str>, String) {
    let component = |component| match reported.text(component) {
        Reported::Nothing => other.text(component).as_defined().copied().into(),
        reported => reported,
    };
    let whole = Observed {
        scheme: component(Component::Scheme),
        userinfo: component(Component::Userinfo),
        host: component(Component::Host),
        host_kind: Reported::Nothing,
        port: component(Component::Port),
        path: Reported::Defined(component(Component::Path).defined().unwrap_or_default()),
        query: component(Component::Query),
        fragment: component(Component::Fragment),
    };
    let authority = whole.host.defined().map(|host| {
        let [userinfo, port] = [whole.userinfo, whole.port].map(Reported::defined);
        authority_of(userinfo, host, port)
    });
    let text = recompose(&rfc::Components {
        scheme: whole.scheme.defined(),
        authority: authority.as_deref(),
        path: Cow::Borrowed(whole.path.defined().unwrap_or_default()),
        query: whole.query.defined(),
        fragment: whole.fragment.defined(),
    });
    (whole, text)
}

/// The normal form of a URI with these components; none where a delimiter stands within a component and is none between
/// components, or of a relative reference.
fn normal_form<'a>((components, text): &'a (Observed<&str>, String)) -> Option<Compared<'a>> {
    let reference = screen::reference(text)?;
    let read = Observed {
        host_kind: Reported::Nothing,
        ..screen::observed(reference.clone())
    };
    (read == *components).then(|| Compared::normal(reference)).flatten()
}

pub(crate) fn is_ascii(input: &Input) -> bool {
    match input {
        Input::Parse { input, .. } => input.is_ascii(),
        Input::Resolve { base, reference, .. } => base.is_ascii() && reference.is_ascii(),
        Input::Normalize { uri, .. } | Input::RoundTrip { uri } => uri.is_ascii(),
        Input::Compose { components } => components.recompose().is_ascii(),
        Input::Equivalent { left, right, .. } | Input::Contract { left, right } => left.is_ascii() && right.is_ascii(),
        Input::Relativize { base, target } => base.is_ascii() && target.is_ascii(),
        Input::Modify { uri, value, .. } => uri.is_ascii() && value.as_deref().is_none_or(str::is_ascii),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expect::{Conforming, expect};
    use crate::model::{Operation, Reading};

    fn planted(forms: Forms) -> Declaration {
        Declaration {
            name: Cow::Borrowed("planted"),
            version: Cow::Borrowed("0.0.0"),
            entry_point: Cow::Borrowed("parse"),
            language: Cow::Borrowed("Rust"),
            specification: Specification::Rfc3986,
            rules: Cow::Borrowed(&[Rule::UriReference]),
            operations: Cow::Borrowed(&[Operation::Parse, Operation::Modify, Operation::RoundTrip]),
            tells: Cow::Owned(Component::ALL.map(|component| (component, Fidelity::Exact)).to_vec()),
            forms,
        }
    }

    /// The components that differ, for a subject that reports normal forms of all components.
    fn differs(expected: &str, observed: &str) -> ComponentSet {
        let declaration = planted(Forms::Normalized);
        let observed_of = |text| screen::observed(screen::reference(text).unwrap());
        differing(&declaration, &observed_of(expected), &observed_of(observed))
    }

    /// §2.1, §2.3, §3.1, §3.2.2: how producers should write them.
    #[test]
    fn who_makes_a_uri_may_spell_it_as_producers_should() {
        let agrees = |input: &Input, observed: &str| {
            let expected = Expected::Outcomes(vec![Conforming {
                name: "literal".into(),
                outcome: Outcome::uri("A://H/%7e?%aa:%aa"),
            }]);
            let verdict = compare(&planted(Forms::Verbatim), input, &expected, &Outcome::uri(observed));
            matches!(verdict, Verdict::Agree { .. })
        };
        let query = Input::Modify {
            uri: "A://H/%7e".to_owned(),
            component: Component::Query,
            value: Some("%aa:%aa".to_owned()),
        };
        let print = Input::RoundTrip {
            uri: "A://H/%7e?%aa:%aa".to_owned(),
        };
        for spelled in ["a://h/~?%AA:%AA", "A://h/%7e?%AA:%aa", "A://H/%7E?%aa:%aa"] {
            assert!(agrees(&query, spelled) && agrees(&print, spelled), "{spelled}");
        }
        for other in [
            "A://H/%7e?%aa%3A%aa",
            "A://H/%7e?%25aa:%aa",
            "A://H/%7f?%aa:%aa",
            "A://H/%7e?%AA:%AA#",
        ] {
            assert!(!agrees(&query, other), "{other}");
        }
    }

    fn of_each(uris: &[&str]) -> Expected {
        let conforming = |uri: &&str| Conforming {
            name: "one of them".into(),
            outcome: Outcome::uri(*uri),
        };
        Expected::Outcomes(uris.iter().map(conforming).collect())
    }

    /// One component may be as one of the outcomes has it, and another as another; host and path that were one path go together.
    #[test]
    fn outcomes_are_mixed_but_for_authority_and_path_of_one_path() {
        let input = Input::Resolve {
            base: "http:/..//good/x".to_owned(),
            reference: "%2e%2e/evil/y".to_owned(),
            strict: true,
        };
        let seen = |specification, expected: &Expected, observed: &str| {
            let declaration = Declaration {
                specification,
                ..planted(Forms::Verbatim)
            };
            compare(&declaration, &input, expected, &Outcome::uri(observed))
        };
        let agrees = |expected: &Expected, observed: &str| {
            matches!(seen(Specification::Rfc3986, expected, observed), Verdict::Agree { .. })
        };
        let of_one_path = expect(&input, Reading::Rfc3986);
        for uri in [
            "http://good/%2e%2e/evil/y",
            "http://good/evil/y",
            "http://evil/y",
            "http:/.//evil/y",
        ] {
            assert!(agrees(&of_one_path, uri), "{uri}");
        }
        for uri in [
            "http://evil/evil/y",
            "http://evil/%2e%2e/evil/y",
            "http://good/y",
            "http://worse/y",
        ] {
            assert!(!agrees(&of_one_path, uri), "{uri}");
        }
        let with_ports = of_each(&["a://u@h:1/b", "a://v@h:2/c"]);
        assert!(agrees(&with_ports, "a://u@h:1/b"));
        for uri in ["a://u@h:2/b", "a://v@h:1/c", "a://u@h:1/c", "a://v@h:2/b"] {
            assert!(!agrees(&with_ports, uri), "{uri}");
        }
        let elsewhere = of_each(&[
            "A://%48:/./%7e",
            "a://h:/~",
            "A://%48/./%7e",
            "file://localhost/a",
            "file:///a",
        ]);
        for uri in ["A://h:/~", "a://%48:/~", "a://h/./~", "A://h/./%7E"] {
            assert!(agrees(&elsewhere, uri), "{uri}");
        }
        // A host of another kind can be the same host.
        let encoded = of_each(&["a://%31.1.1.1/%7e"]);
        assert!(agrees(&encoded, "a://1.1.1.1/~"));
        assert!(!agrees(&encoded, "a://1.1.1.2/~"));
        // And an IRI is spelled as freely as the URI that it maps to.
        let mapped = of_each(&["A:~?%C3%A9"]);
        let spelled = seen(Specification::Rfc3987, &mapped, "a:~?é");
        assert!(matches!(spelled, Verdict::Agree { .. }), "{spelled:?}");
    }

    /// Both may be refused.
    #[test]
    fn what_is_encoded_otherwise_is_another_uri_and_a_delimiter_taken_for_data_is_not() {
        let differs = |forms, component, encoded: &str, observed: &str| {
            let outcomes = [Outcome::rejected("it may be"), Outcome::uri(encoded)].map(|outcome| Conforming {
                name: "encoded".into(),
                outcome,
            });
            let input = Input::Modify {
                uri: "a:".to_owned(),
                component,
                value: None,
            };
            let expected = Expected::Outcomes(outcomes.into());
            match compare(&planted(forms), &input, &expected, &Outcome::uri(observed)) {
                Verdict::Diverge(difference) => difference,
                other => panic!("{other:?}"),
            }
        };
        let of_path = |encoded, observed| differs(Forms::Verbatim, Component::Path, encoded, observed);
        let both = of_path("/%2a?+", "/*?%2B");
        let components = [Component::Path, Component::Query].into_iter().collect();
        assert_eq!((both.kind, both.components), (DifferenceKind::OtherUri, components));
        assert_eq!(of_path("a:%20", "a:+").kind, DifferenceKind::OtherUri);
        for (encoded, observed) in [("%3F?", "??"), ("a%3F", "a?"), ("a://a%2F", "a://a/")] {
            assert_eq!(
                of_path(encoded, observed).kind,
                DifferenceKind::AcceptedInvalid,
                "{encoded} {observed}"
            );
        }
        // A host that is set may be of another kind.
        let of_host = differs(Forms::Verbatim, Component::Host, "a://1.1.1.1%20", "a://1.1.1.1+");
        assert_eq!(
            (of_host.kind, of_host.components),
            (DifferenceKind::OtherUri, Component::Host.into())
        );
        // What was given came out right, and another component did not.
        let of_query = differs(Forms::Verbatim, Component::Query, "a://@?%22", "a://?%22");
        assert_eq!(
            (of_query.kind, of_query.components),
            (DifferenceKind::OtherUri, Component::Userinfo.into())
        );
        // A delimiter is one where normalization takes away what differs besides.
        for (encoded, observed) in [("a:a/%3F/..", "a:a/?/.."), ("a:/.//../%3F/..?", "a:%2F/../?/..?")] {
            let difference = differs(Forms::Normalized, Component::Path, encoded, observed);
            assert_eq!(difference.kind, DifferenceKind::AcceptedInvalid, "{encoded} {observed}");
        }
    }

    #[test]
    fn who_shows_normal_forms_may_spell_a_relative_reference_so() {
        for (expected, observed) in [
            ("/%7ex?%aa", "/~x?%AA"),
            ("//H", "//h"),
            ("//[0::1]:080/", "//[::1]:80/"),
            ("../a", "../a"),
            ("A:/%7e/../b", "a:/b"),
        ] {
            assert_eq!(differs(expected, observed), ComponentSet::NONE, "{expected} {observed}");
        }
        for (expected, observed, component) in [
            ("/%2fx", "//x", Component::Path),
            ("/%2e/x", "/./x", Component::Path),
            ("a/../b", "b", Component::Path),
            ("//h/A", "//h/a", Component::Path),
            ("?%2b", "?+", Component::Query),
            ("//h", "//i", Component::Host),
        ] {
            assert!(differs(expected, observed).contains(component), "{expected} {observed}");
        }
    }
}
