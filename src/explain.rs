//! Why an input matches a rule or does not: its derivation and components, or how far it comes, what could stand there and
//! the clause that decides.

pub mod answers;
pub mod composition;
pub mod human;
mod nearest;
pub mod resolution;
pub mod whatwg;
pub mod why;

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use rfc3986_reference::components::{ReferenceRule, parse_rule};
use rfc3986_reference::grammar::Error;
use serde::{Serialize, Serializer};
use uriproof::clauses::{Mismatch, clause_of};
use uriproof::model::{Clause, Components, Input, Reading, Rule};
use uriproof::split::{self, UserinfoEnd, split};
use uriproof::vectors::Library;
use uriproof_grammar::derive::{Continuation, Derivation};
use uriproof_grammar::nearest::Nearest;
use uriproof_grammar::{Deriver, Grammar, rfc3986};

use crate::explain::answers::ReadingOutcomes;
use crate::explain::nearest::nearest;

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(rfc3986::grammar);
static DERIVERS: LazyLock<BTreeMap<Rule, OnceLock<Deriver<'static>>>> =
    LazyLock::new(|| Rule::ALL.iter().map(|&rule| (rule, OnceLock::new())).collect());

/// The rules within which a derivation goes on character by character.
const TEXT: &[Rule] = &[
    Rule::Scheme,
    Rule::Userinfo,
    Rule::RegName,
    Rule::IpvFuture,
    Rule::H16,
    Rule::DecOctet,
    Rule::Port,
    Rule::Segment,
    Rule::SegmentNz,
    Rule::SegmentNzNc,
    Rule::Query,
    Rule::Fragment,
];

/// The longest input that is derived, in bytes: a derivation takes some hundred bytes for each byte of the input.
pub const LONGEST: usize = 1 << 17;

/// Where a derivation stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// At rules whose text needs no further derivation: segments, registered names, numbers.
    Parts,
    /// At single characters.
    Characters,
}

/// What there is to say of an input and a rule.
#[derive(Clone, Debug, Serialize)]
pub struct InputExplanation {
    /// The input.
    pub input: String,
    /// The rule that the whole of it was to match.
    #[serde(serialize_with = "name")]
    pub rule: Rule,
    /// Whether it does, in the reading `rfc3986`, and why.
    #[serde(flatten)]
    pub parse: ParseExplanation,
    /// What it is in every reading, where it is not the same in all.
    #[serde(skip_serializing_if = "ReadingOutcomes::is_empty")]
    pub readings: ReadingOutcomes,
}

/// Why an input matches a rule, or does not.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum ParseExplanation {
    /// It matches.
    Accepted(Accepted),
    /// It does not.
    Rejected(Rejected),
}

/// Why an input matches.
#[derive(Clone, Debug, Serialize)]
pub struct Accepted {
    /// The first derivation (RFC 3986 §3.2.2, "first-match-wins"); its first node alone if the input is longer than [`LONGEST`].
    pub tree: DerivationNode,
    /// Whether the rest of the derivation was left out, since the input is longer than [`LONGEST`].
    #[serde(skip_serializing_if = "is_false")]
    pub is_cut: bool,
    /// The components, where the rule has all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub components: Option<Components>,
    /// Which of the five rules for a path the derivation has, if it has one.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "name_of_any")]
    pub path_rule: Option<Rule>,
}

/// A rule and the part of the input that it derives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DerivationNode {
    /// The rule's name: one of Appendix A, or a core rule.
    pub rule: &'static str,
    /// Where the part begins in the input, in bytes.
    pub offset: usize,
    /// The part.
    pub text: String,
    /// The rules that it is made of, as far as they are printed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<DerivationNode>,
}

/// Why an input does not match.
#[derive(Clone, Debug, Serialize)]
pub struct Rejected {
    /// The length in bytes of the longest beginning of the input that some continuation makes match.
    pub viable_prefix: usize,
    /// What stands behind it; none if the input ends there, too early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<char>,
    /// Whether that beginning matches as it is.
    pub may_end: bool,
    /// The rule that could not go on, by the reference.
    #[serde(serialize_with = "name")]
    pub failed: Rule,
    /// The clause that has this rule, or the one that it is a piece of: see [`Mismatch::deciding`].
    pub clause: String,
    /// What the clause says: the rule's ABNF, all of its alternatives.
    pub quote: String,
    /// Clauses besides: of a piece of the rule that cannot go on, and those that say so in prose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub see: Vec<Clause>,
    /// The clause of the rule that should match, if it is none of those.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Clause>,
    /// The rules that could go on, in the order of the grammar.
    #[serde(rename = "expected", serialize_with = "rules_alone")]
    pub next: Vec<Next>,
    /// The same in detail: every byte that could stand there, by the rules that it would belong to.
    #[serde(serialize_with = "in_detail")]
    pub continuations: Vec<Continuation<'static>>,
    /// Where it stops sooner in other ways that it may be meant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<Attempt>,
    /// The nearest string that matches and keeps the components; `None` if the input is too long to search.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_nearest")]
    pub nearest: Option<Nearest>,
}

/// Where an input stops in another way that it may be meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Attempt {
    /// What it may be meant as.
    pub meant: &'static str,
    /// The length in bytes of the longest beginning that some continuation makes match.
    pub viable_prefix: usize,
    /// The clause that has the rule that could not go on.
    pub clause: String,
    /// What the clause says.
    pub quote: String,
    /// Clauses that say so in prose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub see: Vec<Clause>,
}

/// A rule that could go on, and with what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// The rule.
    pub rule: &'static str,
    /// Rules that it refers to, such as `pchar`, and characters of its own, such as `"/"`.
    pub accepts: Vec<String>,
    /// The clause that has it; none of a core rule.
    pub clause: Option<&'static str>,
}

/// Explains `input` as `rule`; the clauses are those of `library`.
///
/// # Errors
///
/// A clause that the library does not have: one of [`clause_of`] or of [`Mismatch::prose`].
pub fn explain(input: &str, rule: Rule, detail: Detail, library: &Library) -> Result<InputExplanation, UnknownClause> {
    let deriver = DERIVERS[&rule]
        .get_or_init(|| Deriver::compile(&GRAMMAR, rule.name()).expect("a test of the grammar compiles every rule"));
    let asked = Input::Parse {
        rule,
        input: input.to_owned(),
    };
    let readings = ReadingOutcomes::of(&asked, library);
    let parse = match rule.matches(input, Reading::Rfc3986) {
        Ok(()) => ParseExplanation::Accepted(accepted(input, rule, detail, deriver)),
        Err(error) => ParseExplanation::Rejected(rejected(input, rule, error, deriver, library)?),
    };
    let Input::Parse { input, .. } = asked else {
        unreachable!("it was made above")
    };
    Ok(InputExplanation {
        input,
        rule,
        parse,
        readings,
    })
}

/// That a clause is not in the register that was loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownClause(pub &'static str);

impl std::fmt::Display for UnknownClause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "clause {} is not in the register", self.0)
    }
}

impl std::error::Error for UnknownClause {}

fn is_false(is: &bool) -> bool {
    !is
}

fn accepted(input: &str, rule: Rule, detail: Detail, deriver: &Deriver<'static>) -> Accepted {
    let reference = ReferenceRule::try_from(rule).ok();
    let parsed = reference.and_then(|rule| parse_rule(rule, input, Reading::Rfc3986).ok());
    let components = parsed.as_ref().map(Components::from);
    if input.len() > LONGEST {
        return Accepted {
            path_rule: components.as_ref().map(path_rule),
            components,
            tree: DerivationNode {
                rule: rule.name(),
                offset: 0,
                text: input.to_owned(),
                children: Vec::new(),
            },
            is_cut: true,
        };
    }
    let tree = deriver.derive(input.as_bytes()).expect("the two derivations are of one language");
    let paths = [
        Rule::PathAbempty,
        Rule::PathAbsolute,
        Rule::PathNoscheme,
        Rule::PathRootless,
        Rule::PathEmpty,
    ];
    Accepted {
        components,
        path_rule: paths.into_iter().find(|rule| tree.find(rule.name()).is_some()),
        tree: node(&tree, input, detail),
        is_cut: false,
    }
}

/// The rule for the path of a URI-reference with these components (RFC 3986 §3.3).
fn path_rule(components: &Components) -> Rule {
    match (&components.host, &components.scheme) {
        (Some(_), _) => Rule::PathAbempty,
        _ if components.path.is_empty() => Rule::PathEmpty,
        _ if components.path.starts_with('/') => Rule::PathAbsolute,
        (None, Some(_)) => Rule::PathRootless,
        (None, None) => Rule::PathNoscheme,
    }
}

fn node(tree: &Derivation<'static>, input: &str, detail: Detail) -> DerivationNode {
    let is_text = Rule::from_name(tree.rule).is_some_and(|rule| TEXT.contains(&rule));
    let children: &[_] = match detail {
        Detail::Parts if is_text => &[],
        _ => &tree.children,
    };
    DerivationNode {
        rule: tree.rule,
        offset: tree.span.start,
        text: input.get(tree.span.clone()).unwrap_or_default().to_owned(),
        children: children.iter().map(|child| node(child, input, detail)).collect(),
    }
}

fn rejected(
    input: &str,
    rule: Rule,
    error: Error,
    deriver: &Deriver<'static>,
    library: &Library,
) -> Result<Rejected, UnknownClause> {
    let continuations = deriver.continuations(input.as_bytes());
    let stop = |Error { rule: failed, offset }| Mismatch {
        input,
        rule,
        failed,
        offset,
    };
    let attempts = [
        ("a URI", as_uri(input, rule)),
        ("a host and a port", as_host_and_port(input, rule, error)),
    ];
    let attempts = attempts.into_iter().filter_map(|(meant, error)| Some((meant, stop(error?))));
    // As a URI it may stop where a first segment stops too: not by the same rule.
    let attempts = attempts.filter(|(_, stop)| stop.offset < continuations.offset || stop.failed == Rule::Scheme);
    let stop = stop(error);
    let Clause { id, quote, .. } = known(library, clause_of(stop.deciding()))?;
    let next = next(&continuations.next);
    let could: Vec<&str> = next.iter().map(|next| next.rule).collect();
    let pieces = stop.pieces(&could).into_iter().map(|piece| known(library, clause_of(piece)));
    let prose = |stop: Mismatch<'_>| stop.prose().into_iter().map(|id| known(library, id));
    let see: Vec<Clause> = pieces.chain(prose(stop)).collect::<Result<_, _>>()?;
    let attempts = attempts.map(|(meant, stop)| {
        let Clause { id, quote, .. } = known(library, clause_of(stop.deciding()))?;
        let also: Vec<Clause> = prose(stop).collect::<Result<_, _>>()?;
        Ok(Attempt {
            meant,
            viable_prefix: stop.offset,
            clause: id,
            quote,
            see: also.into_iter().filter(|clause| !see.contains(clause)).collect(),
        })
    });
    let attempts = attempts.collect::<Result<_, _>>()?;
    let asked = known(library, clause_of(rule))?;
    let is_given = id == asked.id || see.contains(&asked);
    Ok(Rejected {
        attempts,
        viable_prefix: continuations.offset,
        found: stop.found(),
        may_end: continuations.may_end,
        failed: error.rule,
        clause: id,
        quote,
        see,
        asked: Some(asked).filter(|_| !is_given),
        next,
        continuations: continuations.next,
        nearest: nearest(input, rule),
    })
}

/// The clause with this id.
fn known(library: &Library, id: &'static str) -> Result<Clause, UnknownClause> {
    library.clause(id).cloned().ok_or(UnknownClause(id))
}

/// Where a URI-reference with a colon in its first segment stops as a URI.
fn as_uri(input: &str, rule: Rule) -> Option<Error> {
    let is_meant = input.find(['/', '?', '#', ':']).is_some_and(|at| input[at..].starts_with(':'));
    (rule == Rule::UriReference && is_meant).then(|| Rule::Uri.matches(input, Reading::Rfc3986).err())?
}

/// Where an authority that has no "@", and so no userinfo, stops behind its host.
fn as_host_and_port(input: &str, rule: Rule, error: Error) -> Option<Error> {
    let authority = match (rule, ReferenceRule::try_from(rule)) {
        (Rule::Authority, _) => Some(input),
        (Rule::HierPart | Rule::RelativePart, _) | (_, Ok(_)) => split(input).authority,
        _ => None,
    };
    let parts = split::authority(authority?, UserinfoEnd::FirstAt);
    let port = parts.port.filter(|_| error.rule == Rule::Authority && parts.userinfo.is_none())?;
    let Error { rule, offset } = Rule::Port.matches(port, Reading::Rfc3986).err()?;
    let offset = split::range(port, input).start + offset;
    Some(Error { rule, offset })
}

/// The continuations by the outermost rule that goes on character by character, or else the innermost rule.
fn next(continuations: &[Continuation<'static>]) -> Vec<Next> {
    let mut all: Vec<Next> = Vec::new();
    for Continuation { rules, accepts, .. } in continuations {
        let is = |name: &str, wanted: &[Rule]| Rule::from_name(name).is_some_and(|rule| wanted.contains(&rule));
        // A triplet that has begun goes on by itself.
        let begun = rules.iter().position(|name| is(name, &[Rule::PctEncoded])).filter(|_| accepts != "\"%\"");
        let at = begun.or_else(|| rules.iter().position(|name| is(name, TEXT)));
        // Of rules that are all above the text the innermost, and of that of a core rule, the one which refers to it.
        let at = at.unwrap_or_else(|| {
            let known = rules.iter().rposition(|name| Rule::from_name(name).is_some());
            known.unwrap_or_default()
        });
        let accepted = rules.get(at + 1).map_or_else(|| accepts.clone(), |name| (*name).to_owned());
        match all.iter_mut().find(|next| next.rule == rules[at]) {
            Some(next) if next.accepts.contains(&accepted) => {}
            Some(next) => next.accepts.push(accepted),
            None => all.push(Next {
                rule: rules[at],
                accepts: vec![accepted],
                clause: Rule::from_name(rules[at]).map(clause_of),
            }),
        }
    }
    all
}

fn name<S: Serializer>(rule: &Rule, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(rule.name())
}

fn name_of_any<S: Serializer>(rule: &Option<Rule>, serializer: S) -> Result<S::Ok, S::Error> {
    rule.map(Rule::name).serialize(serializer)
}

fn as_nearest<S: Serializer>(nearest: &Option<Nearest>, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct NearestInput<'a> {
        input: &'a str,
        edits: usize,
    }
    let input = nearest.as_ref().map(|Nearest { text, edits }| NearestInput {
        input: text,
        edits: *edits,
    });
    input.serialize(serializer)
}

fn rules_alone<S: Serializer>(next: &[Next], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(next.iter().map(|next| next.rule))
}

fn in_detail<S: Serializer>(continuations: &[Continuation<'_>], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Detailed<'a> {
        rules: &'a [&'a str],
        accepts: &'a str,
    }
    serializer.collect_seq(continuations.iter().map(|Continuation { rules, accepts, .. }| Detailed { rules, accepts }))
}
