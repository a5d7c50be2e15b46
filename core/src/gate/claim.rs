//! What a library claims to be, so that it is asked only that.

use crate::compare::{Difference, DifferenceKind, Verdict};
use crate::expect;
use crate::model::{Declaration, Input, Outcome, Reading, Rule, Shown, Specification, Subject};
use crate::run;
use crate::split::{UserinfoEnd, components, range, split};

/// What the entry point of a library is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
}

impl Claim {
    /// Every claim.
    pub const ALL: [Claim; 6] = [
        Claim::Uri,
        Claim::UriReference,
        Claim::AbsoluteUri,
        Claim::Http,
        Claim::Iri,
        Claim::IriReference,
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
        }
    }

    /// The claim with this name; the case of letters means nothing.
    pub fn from_name(name: &str) -> Option<Claim> {
        Claim::ALL.into_iter().find(|claim| claim.name().eq_ignore_ascii_case(name))
    }

    /// What a subject claims by its own declaration; nothing where that is the WHATWG URL Standard or unknown, and then
    /// everything is asked.
    pub fn of(declaration: &Declaration) -> Option<Claim> {
        let own = declaration.rules.first().copied().unwrap_or(Rule::UriReference);
        match (&declaration.specification, own) {
            (Specification::Http, _) => Some(Claim::Http),
            (Specification::Rfc3987, Rule::UriReference) => Some(Claim::IriReference),
            (Specification::Rfc3987, _) => Some(Claim::Iri),
            (_, Rule::UriReference) => Some(Claim::UriReference),
            (_, Rule::Uri) => Some(Claim::Uri),
            (_, Rule::AbsoluteUri) => Some(Claim::AbsoluteUri),
            _ => None,
        }
    }

    fn rule(self) -> Rule {
        match self {
            Claim::UriReference | Claim::IriReference => Rule::UriReference,
            Claim::Uri | Claim::Iri | Claim::Http => Rule::Uri,
            Claim::AbsoluteUri => Rule::AbsoluteUri,
        }
    }

    fn specification(self, own: &Specification) -> Specification {
        match self {
            Claim::Iri | Claim::IriReference => Specification::Rfc3987,
            Claim::Http => Specification::Http,
            // Who is measured as a parser of URIs is not excused as one of IRIs.
            Claim::Uri | Claim::UriReference | Claim::AbsoluteUri if *own == Specification::Rfc3987 => {
                Specification::Rfc3986
            }
            Claim::Uri | Claim::UriReference | Claim::AbsoluteUri => own.clone(),
        }
    }

    /// Why the answer to an input is not compared for a subject that claims this, if it is not.
    pub fn excludes(self, input: &Input) -> Option<String> {
        if self != Claim::Http {
            return None;
        }
        let texts: Vec<&str> = match input {
            Input::Parse { input, .. } => vec![input],
            Input::Resolve { base, .. } => vec![base],
            Input::Normalize { uri, .. } | Input::Modify { uri, .. } | Input::RoundTrip { uri } => vec![uri],
            Input::Equivalent { left, right, .. } | Input::Contract { left, right } => vec![left, right],
            Input::Relativize { base, target } => vec![base, target],
            Input::Compose { components } => {
                let is_http = components.scheme.as_deref().is_some_and(is_http)
                    && components.host.as_deref().is_some_and(|host| !host.is_empty())
                    && (&components.userinfo, &components.fragment) == (&None, &None);
                return (!is_http).then(|| NOT_HTTP.to_owned());
            }
        };
        texts.iter().any(|text| !is_http_uri(text)).then(|| NOT_HTTP.to_owned())
    }
}

const NOT_HTTP: &str = "not an `http` or `https` URI with a host and without userinfo and fragment";

fn is_http(scheme: &str) -> bool {
    ["http", "https"].iter().any(|http| scheme.eq_ignore_ascii_case(http))
}

fn is_http_uri(text: &str) -> bool {
    let parts = components(text, UserinfoEnd::FirstAt);
    let has_host = parts.host.is_some_and(|host| !host.is_empty());
    parts.scheme.is_some_and(is_http) && has_host && parts.userinfo.is_none() && parts.fragment.is_none()
}

/// A subject that is measured by a claim.
pub struct Claimed<'s> {
    subject: &'s dyn Subject,
    claim: Option<Claim>,
    declaration: Declaration,
}

impl<'s> Claimed<'s> {
    /// The subject as who claims this; without a claim, as it declares itself.
    pub fn new(subject: &'s dyn Subject, claim: Option<Claim>) -> Claimed<'s> {
        let mut declaration = subject.declaration().clone();
        if let Some(claim) = claim.filter(|claim| Some(*claim) != Claim::of(&declaration)) {
            declaration.specification = claim.specification(&declaration.specification);
            declaration.rules = vec![claim.rule()].into();
        }
        Claimed {
            subject,
            claim,
            declaration,
        }
    }

    /// What becomes of a verdict under the claim: who follows RFC 3987 still refuses what no character of its own makes right.
    pub(super) fn judge(&self, mut result: run::Result) -> run::Result {
        let is_claimed = matches!(self.claim, Some(Claim::Iri | Claim::IriReference));
        let is_wrong = match (&result.input, &result.observed, &result.verdict) {
            (Input::Parse { rule, input }, Outcome::Accepted { .. }, Verdict::NotComparable { .. }) => {
                is_claimed && !input.is_ascii() && is_refused(*rule, &in_uri_characters(input))
            }
            _ => false,
        };
        if is_wrong {
            result.verdict = Verdict::Diverge(Difference::of_kind(DifferenceKind::AcceptedInvalid));
        }
        result
    }

    /// The rule that the subject itself is asked for where `rule` is meant.
    fn own(&self, rule: Rule) -> Rule {
        let rules = &self.subject.declaration().rules;
        match rules.contains(&rule) {
            true => rule,
            false => rules.first().copied().unwrap_or(rule),
        }
    }
}

fn is_refused(rule: Rule, text: &str) -> bool {
    let input = text.to_owned();
    matches!(
        expect::expect(&Input::Parse { rule, input }, Reading::Rfc3986).literal(),
        Outcome::Rejected { .. }
    )
}

/// An IRI with a triplet for each character that RFC 3987 adds, which may stand just where a triplet may: ucschar anywhere, iprivate
/// in a query.
fn in_uri_characters(iri: &str) -> String {
    const TRIPLET: &str = "%41";
    let query = split(iri).query.map_or(0..0, |query| range(query, iri));
    let mut text = String::new();
    for (at, character) in iri.char_indices() {
        if is_ucschar(character) || is_iprivate(character) && query.contains(&at) {
            text += TRIPLET;
        } else {
            text.push(character);
        }
    }
    text
}

fn is_ucschar(character: char) -> bool {
    match u32::from(character) {
        0xA0..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFEF => true,
        code @ 0x1_0000..=0xD_FFFF => code & 0xFFFF <= 0xFFFD,
        code @ 0xE_1000..=0xE_FFFD => code & 0xFFFF <= 0xFFFD,
        _ => false,
    }
}

fn is_iprivate(character: char) -> bool {
    matches!(
        u32::from(character),
        0xE000..=0xF8FF | 0xF_0000..=0xF_FFFD | 0x10_0000..=0x10_FFFD
    )
}

impl Subject for Claimed<'_> {
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
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::model::{EVERY_TEXT, Forms, Observed, Operation, Values};

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
        let result = run::one(&claimed, &Input::Parse { rule, input }, Reading::Rfc3986);
        claimed.judge(result).verdict.name()
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

    #[test]
    fn http_is_asked_about_http_only() {
        for (input, asked) in [
            ("http://a/b?c", true),
            ("HTTPS://a:80", true),
            ("http://a/%", true),
            ("http://[::1/", true),
            ("http:///b", false),
            ("http://:80/", false),
            ("http://u@a/", false),
            ("http://a/#b", false),
            ("urn:a", false),
            ("/a", false),
        ] {
            let asked_for = Input::RoundTrip { uri: input.to_owned() };
            assert_eq!(Claim::Http.excludes(&asked_for).is_none(), asked, "{input}");
            assert_eq!(Claim::Uri.excludes(&asked_for), None);
        }
    }
}
