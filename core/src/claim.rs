//! Claims: the specification that a subject is measured by, RFC 3986 or a profile of it.

mod http_uri;
mod iri;

use std::borrow::Cow;
use std::ops::Deref;

use uriproof_grammar::Profile;

use crate::compare::Verdict;
#[cfg(feature = "whatwg")]
use crate::expect::whatwg;
use crate::expect::{Expected, address, request_target, zone_id};
#[cfg(feature = "whatwg")]
use crate::model::Forms;
use crate::model::{Declaration, Input, Outcome, Rule, Shown, Specification, Subject};

/// What the entry point of a library is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Claim {
    /// A URI (RFC 3986 §3); a relative reference is refused.
    Uri,
    /// A URI or a relative reference (RFC 3986 §4.1).
    UriReference,
    /// A URI without a fragment (RFC 3986 §4.3).
    AbsoluteUri,
    /// An `http` or `https` URI, as RFC 9110 has it: with a host, without userinfo and fragment. Of anything else only whether the
    /// subject survives it is checked.
    Http,
    /// An IRI (RFC 3987): as [`Claim::Uri`], but further characters are accepted.
    Iri,
    /// An IRI or a relative reference (RFC 3987): as [`Claim::UriReference`], but further characters are accepted.
    IriReference,
    /// RFC 3986 with zone identifiers in IPv6 addresses (RFC 6874), by the rules that the subject declares.
    ZoneId,
    /// RFC 3986, and an IPv6 address that a normalizer prints has the text of RFC 5952, by the rules that the subject declares.
    Rfc5952,
    /// The target of an HTTP request (RFC 9112 §3.2). Only whether and into which components it is parsed, and whether it is printed as
    /// it is, are compared.
    RequestTarget,
    /// A URL of the WHATWG URL Standard: each answer is compared with that of its parser, its serializer and its setters.
    #[cfg(feature = "whatwg")]
    Whatwg,
}

impl Claim {
    /// Every claim.
    pub const ALL: &'static [Claim] = &[
        Claim::Uri,
        Claim::UriReference,
        Claim::AbsoluteUri,
        Claim::Http,
        Claim::Iri,
        Claim::IriReference,
        Claim::ZoneId,
        Claim::Rfc5952,
        Claim::RequestTarget,
        #[cfg(feature = "whatwg")]
        Claim::Whatwg,
    ];

    /// Its name, as the command line spells it.
    pub fn name(self) -> &'static str {
        match self {
            Claim::Uri => "URI",
            Claim::UriReference => "URI-reference",
            Claim::AbsoluteUri => "absolute-URI",
            Claim::Http => "http",
            Claim::Iri => "IRI",
            Claim::IriReference => "IRI-reference",
            Claim::ZoneId => "zone-id",
            Claim::Rfc5952 => "rfc5952",
            Claim::RequestTarget => "request-target",
            #[cfg(feature = "whatwg")]
            Claim::Whatwg => "whatwg",
        }
    }

    /// The claim with this name; the case of letters means nothing.
    pub fn from_name(name: &str) -> Option<Claim> {
        Claim::ALL.iter().copied().find(|claim| claim.name().eq_ignore_ascii_case(name))
    }

    /// What a subject claims by its own declaration; that of the rule that it parses, if it follows a specification that is not known
    /// here. `None` if that rule is none of a whole reference, and then everything is compared; or if it follows the WHATWG URL Standard
    /// and there is no feature `whatwg`, which [`Gate`](crate::gate::Gate) refuses.
    pub fn of(declaration: &Declaration) -> Option<Claim> {
        if declaration.claim.is_some() {
            return declaration.claim;
        }
        let own = declaration.rules.first().copied().unwrap_or(Rule::UriReference);
        let named = match &declaration.specification {
            Specification::Other(name) => Claim::from_name(name),
            _ => None,
        };
        match (&declaration.specification, own) {
            _ if matches!(named, Some(Claim::ZoneId | Claim::Rfc5952 | Claim::RequestTarget)) => named,
            (Specification::Http, _) => Some(Claim::Http),
            #[cfg(feature = "whatwg")]
            (Specification::WhatwgUrl, _) => Some(Claim::Whatwg),
            #[cfg(not(feature = "whatwg"))]
            (Specification::WhatwgUrl, _) => None,
            (Specification::Rfc3987, Rule::UriReference) => Some(Claim::IriReference),
            (Specification::Rfc3987, _) => Some(Claim::Iri),
            (_, Rule::UriReference) => Some(Claim::UriReference),
            (_, Rule::Uri) => Some(Claim::Uri),
            (_, Rule::AbsoluteUri) => Some(Claim::AbsoluteUri),
            _ => None,
        }
    }

    /// The profile of the grammar that its strings match, if that is not the grammar of RFC 3986 itself.
    pub fn profile(self) -> Option<Profile> {
        match self {
            Claim::Uri | Claim::UriReference | Claim::AbsoluteUri | Claim::Rfc5952 => None,
            Claim::Http => Some(Profile::Http),
            Claim::Iri | Claim::IriReference => Some(Profile::Iri),
            Claim::ZoneId => Some(Profile::ZoneId),
            Claim::RequestTarget => Some(Profile::RequestTarget),
            // Nearly every string is a URL: there is no grammar of those that are not.
            #[cfg(feature = "whatwg")]
            Claim::Whatwg => None,
        }
    }

    /// The rule that a subject is measured by; `None` if it is the subject's own.
    fn rule(self) -> Option<Rule> {
        match self {
            Claim::UriReference | Claim::IriReference | Claim::RequestTarget => Some(Rule::UriReference),
            Claim::Uri | Claim::Iri | Claim::Http => Some(Rule::Uri),
            Claim::AbsoluteUri => Some(Rule::AbsoluteUri),
            // Without a base, a relative reference is refused.
            #[cfg(feature = "whatwg")]
            Claim::Whatwg => Some(Rule::Uri),
            Claim::ZoneId | Claim::Rfc5952 => None,
        }
    }

    fn specification(self, own: &Specification) -> Specification {
        match self {
            Claim::Iri | Claim::IriReference => Specification::Rfc3987,
            Claim::Http | Claim::RequestTarget => Specification::Http,
            #[cfg(feature = "whatwg")]
            Claim::Whatwg => Specification::WhatwgUrl,
            // What is measured as a parser of URIs is not excused as one of IRIs.
            Claim::Uri | Claim::UriReference | Claim::AbsoluteUri if *own == Specification::Rfc3987 => {
                Specification::Rfc3986
            }
            Claim::Uri | Claim::UriReference | Claim::AbsoluteUri | Claim::ZoneId | Claim::Rfc5952 => own.clone(),
        }
    }

    /// Why the answer to an input is not compared for a subject that claims this, if it is not.
    pub fn excludes(self, input: &Input) -> Option<String> {
        (self == Claim::Http).then(|| http_uri::excludes(input)).flatten()
    }

    /// An input with schemes that the claim covers in the place of others, which it excludes; `None` if it is excluded then too, or
    /// was not before.
    pub fn rewritten(self, input: &Input) -> Option<Input> {
        (self == Claim::Http).then(|| http_uri::rewritten(input)).flatten()
    }

    /// Whether more than the declared rule and specification decides the verdict on an answer.
    pub(crate) fn has_verdicts_of_its_own(self) -> bool {
        !matches!(self, Claim::Uri | Claim::UriReference | Claim::AbsoluteUri)
    }

    /// What conforms under the claim for a subject with this declaration, instead of what conforms to RFC 3986.
    pub(crate) fn expected<'a>(
        self,
        declaration: &Declaration,
        input: &Input,
        expected: Cow<'a, Expected>,
    ) -> Cow<'a, Expected> {
        let other = match self {
            Claim::ZoneId => zone_id::expect(declaration, input),
            Claim::Rfc5952 => address::in_canonical_form(input, &expected),
            Claim::RequestTarget => Some(request_target::expect(input)),
            #[cfg(feature = "whatwg")]
            Claim::Whatwg => Some(whatwg::expect(input)),
            _ => None,
        };
        other.map_or(expected, Cow::Owned)
    }

    /// The verdict under the claim, where `verdict` is the one of the comparison.
    pub(crate) fn verdict(self, input: &Input, observed: &Outcome, verdict: Verdict) -> Verdict {
        match self {
            _ if matches!(observed, Outcome::Crashed { .. } | Outcome::TimedOut { .. }) => verdict,
            Claim::Http => match http_uri::excludes(input) {
                Some(reason) => Verdict::NotComparable { reason },
                None => verdict,
            },
            Claim::Iri | Claim::IriReference => iri::verdict(input, observed, verdict),
            Claim::Rfc5952 => address::verdict(input, observed, verdict),
            #[cfg(feature = "whatwg")]
            Claim::Whatwg => whatwg::verdict(input, observed, verdict),
            _ => verdict,
        }
    }
}

/// A subject that is measured by a claim: a reference to one, or an owned one.
pub struct Claimed<S> {
    subject: S,
    declaration: Declaration,
    known: Option<Box<IsKnown>>,
}

/// Whether a wrong answer to an input is known.
type IsKnown = dyn Fn(&Input, &Outcome) -> bool + Send + Sync;

impl<S: Deref<Target: Subject>> Claimed<S> {
    /// The subject, measured by this claim; without a claim, as it declares itself.
    pub fn new(subject: S, claim: Option<Claim>) -> Claimed<S> {
        let mut declaration = subject.declaration().clone();
        if let Some(claim) = claim {
            if Some(claim) != Claim::of(&declaration) {
                declaration.specification = claim.specification(&declaration.specification);
                if let Some(rule) = claim.rule() {
                    declaration.rules = vec![rule].into();
                }
            }
            declaration.claim = Some(claim);
            // What the standard's parser shows is one form already.
            #[cfg(feature = "whatwg")]
            if claim == Claim::Whatwg {
                declaration.forms = Forms::Verbatim;
            }
        }
        Claimed {
            subject,
            declaration,
            known: None,
        }
    }

    /// The same subject, measured as one that does not validate, if it is to be.
    #[must_use]
    pub fn without_validation(mut self, is_unvalidated: bool) -> Claimed<S> {
        self.declaration.validates &= !is_unvalidated;
        self
    }

    /// The same subject, of which some wrong answers are known.
    #[must_use]
    pub fn with_known(mut self, is_known: impl Fn(&Input, &Outcome) -> bool + Send + Sync + 'static) -> Claimed<S> {
        self.known = Some(Box::new(is_known));
        self
    }

    /// The subject itself.
    pub fn subject(&self) -> &S {
        &self.subject
    }

    /// The rule that the subject itself is given where `rule` is meant.
    fn own(&self, rule: Rule) -> Rule {
        let rules = &self.subject.declaration().rules;
        match rules.contains(&rule) {
            true => rule,
            false => rules.first().copied().unwrap_or(rule),
        }
    }
}

impl<S: Deref<Target: Subject> + Send + Sync> Subject for Claimed<S> {
    fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    fn lost(&self) -> Option<String> {
        self.subject.lost()
    }

    fn budget(&self) -> Option<usize> {
        self.subject.budget()
    }

    fn recent(&self) -> Vec<Input> {
        self.subject.recent()
    }

    fn start_anew(&self) -> bool {
        self.subject.start_anew()
    }

    fn has_known(&self) -> bool {
        self.known.is_some()
    }

    fn knows(&self, input: &Input, observed: &Outcome) -> bool {
        self.known.as_ref().is_some_and(|is_known| is_known(input, observed))
    }

    fn digest(&self) -> Option<String> {
        self.subject.digest()
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        self.subject.parse(self.own(rule), input)
    }

    fn show(&self, rule: Rule, input: &str, see: &mut dyn FnMut(Shown<'_>)) {
        self.subject.show(self.own(rule), input, see);
    }

    fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
        self.subject.accepts(self.own(rule), input)
    }

    fn answer(&self, input: &Input) -> Outcome {
        match input {
            Input::Parse { rule, input } => self.parse(*rule, input),
            other => self.subject.answer(other),
        }
    }

    fn answer_in_turn(&self, input: &Input, next: &dyn Fn(usize) -> Option<Input>) -> Outcome {
        let own = |input: Input| match input {
            Input::Parse { rule, input } => Input::Parse {
                rule: self.own(rule),
                input,
            },
            other => other,
        };
        let next = |distance| next(distance).map(own);
        match input {
            Input::Parse { rule, .. } if self.own(*rule) != *rule => {
                self.subject.answer_in_turn(&own(input.clone()), &next)
            }
            _ => self.subject.answer_in_turn(input, &next),
        }
    }
}

/// Whether a claim has the vectors of the WHATWG URL Standard too. Without the feature there is no such claim.
pub(crate) fn is_whatwg(claim: Option<Claim>) -> bool {
    claim.is_some_and(|claim| claim.name() == "whatwg")
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::model::{EVERY_TEXT, Forms, Observed, Operation, Reading, Values};
    use crate::run;

    /// Accepts everything.
    struct Generous(Declaration);

    impl Generous {
        fn new() -> Generous {
            Generous(Declaration {
                name: Cow::Borrowed("generous"),
                version: Cow::Borrowed("1"),
                entry_point: Cow::Borrowed("parse"),
                language: Cow::Borrowed("Rust"),
                specification: Specification::Rfc3987,
                rules: Cow::Borrowed(&[Rule::UriReference]),
                operations: Cow::Borrowed(&[Operation::Parse]),
                tells: Cow::Borrowed(EVERY_TEXT),
                forms: Forms::Verbatim,
                values: Values::Text,
                validates: true,
                claim: None,
            })
        }
    }

    impl Subject for Generous {
        fn declaration(&self) -> &Declaration {
            &self.0
        }

        fn parse(&self, _: Rule, _: &str) -> Outcome {
            Outcome::components(Observed::default())
        }
    }

    fn verdict(claim: Claim, input: &str) -> &'static str {
        let generous = Generous::new();
        let claimed = Claimed::new(&generous, Some(claim));
        let input = input.to_owned();
        let rule = Rule::UriReference;
        run::one(&claimed, &Input::Parse { rule, input }, Reading::Rfc3986).verdict.name()
    }

    #[test]
    fn an_iri_may_have_its_characters_and_no_others() {
        for (input, expected) in [
            ("http://a/\u{e9}", "not-comparable"),
            ("http://\u{e9}/", "not-comparable"),
            ("a?\u{e000}", "not-comparable"),
            ("a\u{e000}", "diverge"),
            ("a#\u{e000}", "diverge"),
            ("http://a/[", "diverge"),
            ("http://a/\u{e9}[", "diverge"),
            ("http://a/\u{e9}%", "diverge"),
            ("\u{e9}:a", "diverge"),
            ("http://a:\u{e9}/", "diverge"),
            ("http://[\u{e9}]/", "diverge"),
            ("http://[::\u{e9}]/", "diverge"),
            ("http://\u{e9}@a/", "not-comparable"),
            ("a\u{fffe}", "diverge"),
        ] {
            assert_eq!(verdict(Claim::IriReference, input), expected, "{input}");
        }
        assert_eq!(verdict(Claim::UriReference, "http://a/\u{e9}"), "diverge");
    }

    #[test]
    fn a_claim_decides_what_is_refused() {
        assert_eq!(verdict(Claim::UriReference, "/a"), "agree");
        assert_eq!(verdict(Claim::Uri, "/a"), "diverge");
        assert_eq!(verdict(Claim::Iri, "/a"), "diverge");
        assert_eq!(verdict(Claim::AbsoluteUri, "a:b#c"), "diverge");
    }
}
