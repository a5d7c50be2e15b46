//! Where RFC 3986 and the WHATWG URL Standard part, and which crates follow the standard there.

use uriproof::compare::own_rule;
use uriproof::model::{
    Component, Components, Declaration, Fidelity, Input, Outcome, Quoted, Reading, Reported, Rule, Subject, Value,
};
use uriproof::run;
use uriproof_deviations::url_rules::{UrlRule, by_rfc3986, by_whatwg};

use crate::report::markup::{cell, code};
use crate::report::model::is_reference;

/// A rule, for the table.
pub(super) struct PartingView {
    pub(super) number: usize,
    pub(super) rule: &'static str,
    pub(super) input: String,
    pub(super) rfc3986: String,
    pub(super) whatwg: String,
    pub(super) allows: &'static str,
    pub(super) section: String,
    pub(super) anchor: &'static str,
    /// The crates that answer as the standard does.
    pub(super) followers: String,
}

impl PartingView {
    pub(super) fn all(subjects: &[&dyn Subject]) -> Vec<PartingView> {
        let number = 1..;
        number.zip(UrlRule::ALL).map(|(number, one)| PartingView::of(number, one, subjects)).collect()
    }

    fn of(number: usize, one: UrlRule, subjects: &[&dyn Subject]) -> PartingView {
        let row = one.row();
        let (rfc3986, whatwg) = (by_rfc3986(row.example), by_whatwg(row.example));
        let section = row.clause.trim_start_matches('\u{a7}').split('/').next().unwrap_or_default();
        PartingView {
            number,
            rule: row.rule,
            input: cell(&Quoted(row.example).to_string()),
            rfc3986: side(rfc3986.as_ref(), whatwg.as_ref()),
            whatwg: side(whatwg.as_ref(), rfc3986.as_ref()),
            allows: row.allows,
            section: section.to_owned(),
            anchor: row.anchor,
            followers: followers(row.example, subjects),
        }
    }
}

/// What one of the two makes of a string, as far as the other makes something else of it.
fn side(own: Option<&Components>, other: Option<&Components>) -> String {
    let Some(own) = own else { return "refused".to_owned() };
    let shown = match other {
        Some(other) => differing(own, other),
        None => Component::ALL
            .into_iter()
            .filter(|one| *one != Component::HostKind && own.text(*one).is_some_and(|text| !text.is_empty()))
            .collect(),
    };
    let parts = shown.into_iter().map(|component| match own.text(component) {
        Some("") => format!("empty {component}"),
        Some(text) => format!("{component} {}", code(text)),
        None => format!("no {component}"),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// The components that differ; the kind of the host alone, where nothing else does.
fn differing(one: &Components, other: &Components) -> Vec<Component> {
    let differs = |component: &Component| one.text(*component) != other.text(*component);
    let all: Vec<Component> = Component::ALL.into_iter().filter(differs).collect();
    match all[..] {
        [Component::HostKind] => all,
        _ => all.into_iter().filter(|component| *component != Component::HostKind).collect(),
    }
}

/// The crates of which an entry point answers as the URL Standard where the two differ.
fn followers(example: &str, subjects: &[&dyn Subject]) -> String {
    let input = Input::Parse {
        rule: Rule::UriReference,
        input: example.to_owned(),
    };
    let mut names: Vec<String> = Vec::new();
    // One that takes relative references only, or no fragment, refuses for other reasons.
    let takes = |declaration: &Declaration| matches!(own_rule(declaration), Rule::UriReference | Rule::Uri);
    let is_other = |subject: &&&dyn Subject| !is_reference(subject.declaration()) && takes(subject.declaration());
    for &subject in subjects.iter().filter(is_other) {
        let name = format!("{} {}", subject.declaration().name, subject.declaration().version);
        let observed = run::one(subject, &input, Reading::Rfc3986).observed;
        if follows_whatwg(example, subject.declaration(), &observed) && !names.contains(&name) {
            names.push(name);
        }
    }
    match names.is_empty() {
        true => "no crate".to_owned(),
        false => names.join(", "),
    }
}

/// Whether an answer is that of the URL Standard in all components in which the two standards differ and which it reports so exactly that
/// the difference shows.
fn follows_whatwg(example: &str, declaration: &Declaration, observed: &Outcome) -> bool {
    let (Some(whatwg), Outcome::Accepted { value }) = (by_whatwg(example), observed) else {
        return by_whatwg(example).is_none() && matches!(observed, Outcome::Rejected { .. });
    };
    let components: Vec<Component> = match by_rfc3986(example) {
        Some(rfc3986) => {
            let can_tell = |component: &Component| {
                let [one, other] = [&rfc3986, &whatwg].map(|of| of.text(*component));
                match declaration.fidelity(*component) {
                    Some(Fidelity::Exact) => true,
                    Some(Fidelity::EmptyIsUndefined) => one.unwrap_or_default() != other.unwrap_or_default(),
                    _ => false,
                }
            };
            differing(&rfc3986, &whatwg).into_iter().filter(can_tell).collect()
        }
        None => Component::ALL.into_iter().filter(|component| *component != Component::HostKind).collect(),
    };
    let Value::Components(observed) = value else {
        return false;
    };
    let is_shown = |component: &Component| !matches!(observed.text(*component), Reported::Nothing);
    let mut shown = components.into_iter().filter(is_shown).peekable();
    shown.peek().is_some()
        && shown.all(|component| observed.text(component).as_defined().copied() == whatwg.text(component))
}
