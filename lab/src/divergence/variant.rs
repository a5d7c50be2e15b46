//! Variants: classes that another class explains, though their witnesses cannot be made smaller than they are.
//!
//! A class is named by a witness of which no whole part can be left out. A part may have to stay for a reason that has nothing
//! to do with the difference. What such a witness comes to when its parts may go a character at a time says which class it is a
//! variant of, as long as it stays invalid in the same parts, if it is, and keeps what is special of its host and its port:
//! where that goes, too, one cause passes for another. So says what is taken though it is wrong, where it is asked in the place
//! of what is known to be, and what is printed wrong, where the same comes out of the same; what nobody looks at, a piece of a path
//! that reads as something else, and what a string contains of which the same is told wrong.

mod steps;

use std::collections::BTreeSet;

use rfc3986_reference::components::parse;
use uriproof::compare::DifferenceKind;
use uriproof::expect::expect;
use uriproof::model::{Component, Components, Input, Operation, Outcome, Reading, Subject, Value};
use uriproof::run::{self, Result};
use uriproof::severity::rank;
use uriproof::split::{range, split};

pub(super) use self::steps::steps;
use super::fingerprint::{Class, Mark, ask, classes, classes_of, likeness, origin, uri_of_outcome};
use super::minimize::minimize;
use super::parts::{Texts, texts, with_texts};
use super::shape::{Peculiarities, drop_parts, piece};

/// The classes that the witness of a class comes to when its parts may go a character at a time, what follows its authority
/// may stand in another order, another character may be wrong in its place, or another address stand in brackets, while what is
/// wrong with it stays wrong; none where it comes to nothing else.
pub fn looser(subject: &dyn Subject, class: &Class, reading: Reading) -> Vec<Class> {
    let input = &class.witness.input;
    let Some(mark) = Mark::all(&class.witness).into_iter().next() else {
        return Vec::new();
    };
    let peculiarities = Peculiarities::of(input);
    let mut alike = likeness(subject, input, &mark, reading);
    let mut same = |input: &Input| Peculiarities::of(input) == peculiarities && alike(input);
    let smaller = minimize(input, &mut same);
    let dropped = drop_parts(input, &mut same);
    let dropped = minimize(&dropped, &mut same);
    let mut others = otherwise_ordered(input);
    others.extend(otherwise_wrong(input));
    others.extend(otherwise_addressed(input));
    others.retain(|input| same(input));
    others.extend([smaller, dropped].into_iter().filter(|other| other != input));
    let mut classes: Vec<Class> = others
        .iter()
        .flat_map(|other| {
            let as_it_stands = Class::of(run::one(subject, other, reading));
            as_it_stands.into_iter().chain(classes_of(subject, other, &mark, reading))
        })
        .collect();
    classes.extend(otherwise_read(subject, input, &mark, reading));
    let mut seen = BTreeSet::new();
    classes.retain(|class| seen.insert(class.fingerprint.clone()));
    classes
}

/// The classes of a path that is read as an authority still when another part of an authority may be read in it.
///
/// Where the path of a relative reference is wrong and comes to begin with two slashes, it is what follows by chance that says
/// what its target differs in besides: `.///:` gives a port, `.///@` a userinfo.
fn otherwise_read(subject: &dyn Subject, input: &Input, mark: &Mark, reading: Reading) -> Vec<Class> {
    let Input::Relativize { base, target } = input else {
        return Vec::new();
    };
    let authority = [
        Component::Userinfo,
        Component::Host,
        Component::HostKind,
        Component::Port,
    ];
    let is_authority = |component: &Component| authority.contains(component);
    let is_about_authority = mark.kind == DifferenceKind::OtherUri && mark.component.as_ref().is_some_and(is_authority);
    if !is_about_authority || [base, target].iter().any(|uri| split(uri).authority.is_some()) {
        return Vec::new();
    }
    let peculiarities = Peculiarities::of(input);
    let smaller = minimize(input, &mut |other| {
        let has_none = texts(other).iter().flatten().all(|uri| split(uri).authority.is_none());
        let is_like = has_none && Peculiarities::of(other) == peculiarities;
        let result = is_like.then(|| ask(subject, other, reading));
        result.is_some_and(|result| {
            let marks = Mark::all(&result);
            let of_authority = marks.iter().find(|other| other.component.as_ref().is_some_and(is_authority));
            of_authority
                .is_some_and(|other| other.kind == mark.kind && origin(subject, &result, other, reading).is_none())
        })
    });
    if smaller == *input {
        return Vec::new();
    }
    classes(subject, &run::one(subject, &smaller, reading), reading)
}

/// The inputs that have the same characters behind an authority in another order.
///
/// A subject that looks for the first or the last delimiter in the whole text, not in its component, shows the same in every
/// order of those that follow, as long as it finds the one before the other: each order is a witness that no step makes smaller.
fn otherwise_ordered(input: &Input) -> Vec<Input> {
    /// Of more characters there are too many orders.
    const MOST: usize = 5;
    let texts = texts(input);
    let mut inputs = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let Some(text) = text else { continue };
        let Some(authority) = split(text).authority else {
            continue;
        };
        let (ahead, behind) = text.split_at(range(authority, text).end);
        let behind: Vec<char> = behind.chars().collect();
        if behind.len() > MOST {
            continue;
        }
        let orders: BTreeSet<Vec<char>> = orders(&behind).into_iter().filter(|order| *order != behind).collect();
        inputs.extend(orders.into_iter().map(|order| {
            let mut texts = texts.clone();
            texts[at] = Some(ahead.chars().chain(order).collect());
            with_texts(input, &texts)
        }));
    }
    inputs
}

/// The inputs that have a quotation mark, which is allowed nowhere, in the place of one other character of a component.
///
/// What may not stand in a component that is given by itself is no less wrong there for being a delimiter.
fn otherwise_wrong(input: &Input) -> Vec<Input> {
    /// In more characters there are too many places.
    const MOST: usize = 40;
    let not_split = match input {
        Input::Compose { .. } => 0,
        Input::Modify { .. } => 1,
        _ => return Vec::new(),
    };
    let texts = texts(input);
    let mut inputs = Vec::new();
    for (at, text) in texts.iter().enumerate().skip(not_split) {
        let Some(text) = text.as_ref().filter(|text| text.len() <= MOST) else {
            continue;
        };
        for (place, character) in text.char_indices() {
            if character.is_ascii_punctuation() && character != '"' {
                let mut texts = texts.clone();
                texts[at] = Some([&text[..place], "\"", &text[place + 1..]].concat());
                inputs.push(with_texts(input, &texts));
            }
        }
    }
    inputs
}

/// The inputs that have another address in the brackets of an IP-literal.
///
/// Which address it is seldom matters where something else is wrong. Beside a tab or a line break it does: those are stripped in
/// some places, and not in others.
fn otherwise_addressed(input: &Input) -> Vec<Input> {
    const ADDRESSES: [&str; 3] = ["::", "::1.1.1.1", "va.a"];
    let texts = texts(input);
    if texts.iter().flatten().any(|text| text.contains(['\t', '\n', '\r'])) {
        return Vec::new();
    }
    let mut inputs = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let Some((before, rest)) = text.as_deref().and_then(|text| text.split_once('[')) else {
            continue;
        };
        let Some((own, behind)) = rest.split_once(']') else {
            continue;
        };
        for address in ADDRESSES.into_iter().filter(|address| *address != own) {
            let mut texts = texts.clone();
            texts[at] = Some([before, "[", address, "]", behind].concat());
            inputs.push(with_texts(input, &texts));
        }
    }
    inputs
}

fn has_control(text: &str) -> bool {
    text.contains(|character: char| character.is_control() || character == ' ')
}

/// What `known` asks, but of the URI of `input` that is no URI-reference in the place of its own; none unless each has one such
/// URI, and the same is wrong with both. Of two setters of a component, where the URIs are none: the value of `input` set in the
/// URI of `known`.
///
/// What is taken in one operation though it is invalid is taken in another, or with other arguments, for the same reason.
pub(super) fn transplanted(input: &Input, known: &Input) -> Option<Input> {
    if let Some(set) = set_otherwise(input, known) {
        return Some(set);
    }
    let (at, own) = the_wrong_one(input)?;
    let (place, other) = the_wrong_one(known)?;
    let (own, other_own) = (own[at].as_deref()?, other[place].as_deref()?);
    if Peculiarities::of_text(own) != Peculiarities::of_text(other_own) || has_control(own) != has_control(other_own) {
        return None;
    }
    let mut texts = other.clone();
    texts[place] = Some(own.to_owned());
    Some(with_texts(known, &texts))
}

/// The value that `input` sets, set in the URI of `known`; none unless both set the same component of a URI that is one.
fn set_otherwise(input: &Input, known: &Input) -> Option<Input> {
    let Input::Modify { uri, component, value } = input else {
        return None;
    };
    let Input::Modify {
        uri: other,
        component: of_other,
        value: Some(_),
    } = known
    else {
        return None;
    };
    let are_valid = [uri, other].iter().all(|uri| parse(uri, Reading::Rfc3986).is_ok());
    (component == of_other && value.is_some() && are_valid).then(|| Input::Modify {
        uri: other.clone(),
        component: *component,
        value: value.clone(),
    })
}

/// Whether a text has all characters of another in their order, and more.
pub(super) fn contains(text: &str, other: &str) -> bool {
    let mut rest = text.chars();
    text.len() > other.len() && other.chars().all(|wanted| rest.any(|character| character == wanted))
}

/// Whether what components came out as, or a URI in which one was set, is right but for its kind: a relative reference, made by a
/// type of URIs.
pub(super) fn is_of_another_kind(input: &Input, observed: &Outcome) -> bool {
    matches!(input, Input::Compose { .. } | Input::Modify { .. })
        && matches!(observed, Outcome::Accepted { .. })
        && expect(input, Reading::Rfc3986).literal() == *observed
}

/// What stands for a relative reference and is read as another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Misread {
    /// What it is read as: a scheme ("b:c") or a host ("//b").
    as_component: Component,
    /// Whether it is the whole path of the target, not its end.
    is_whole: bool,
    /// Whether that path begins with a slash.
    is_rooted: bool,
}

/// Whether a piece of the target's path is answered for a relative reference, and read as something else.
pub(super) fn misread(input: &Input, observed: &Outcome) -> Option<Misread> {
    let (
        Input::Relativize { target, .. },
        Outcome::Accepted {
            value: Value::Uri(answer),
        },
    ) = (input, observed)
    else {
        return None;
    };
    let target = parse(target, Reading::Rfc3986).ok()?.components;
    let answered = parse(answer, Reading::Rfc3986).ok()?.components;
    let piece = answer.split(['?', '#']).next().unwrap_or_default();
    let as_component = match (answered.scheme, answered.authority) {
        (Some(_), _) => Component::Scheme,
        (None, Some(_)) => Component::Host,
        (None, None) => return None,
    };
    target.path.ends_with(piece).then(|| Misread {
        as_component,
        is_whole: *piece == *target.path,
        is_rooted: target.path.starts_with('/'),
    })
}

/// The components that an input gives to be put together or set and that do not match their rules, that which weighs most first.
pub(super) fn wrong_components(input: &Input) -> Vec<Component> {
    let is_wrong = |component: Component, text: &str| component.rule().matches(text, Reading::Rfc3986).is_err();
    let mut wrong: Vec<Component> = match input {
        Input::Compose { components } => {
            let of = |component: &Component| components.text(*component).is_some_and(|text| is_wrong(*component, text));
            Component::TEXTS.into_iter().filter(of).collect()
        }
        Input::Modify {
            component,
            value: Some(value),
            ..
        } if is_wrong(*component, value) => vec![*component],
        _ => Vec::new(),
    };
    wrong.sort_by_key(|component| rank(*component));
    wrong
}

/// Whether components came out put together, or one set, just as they were given.
pub(super) fn is_put_as_given(input: &Input, observed: &Outcome) -> bool {
    let given = match input {
        Input::Compose { components } => components.clone(),
        Input::Modify { uri, component, value } => match parse(uri, Reading::Rfc3986) {
            Ok(reference) => Components::from(&reference).with(*component, value.as_deref()),
            Err(_) => return false,
        },
        _ => return false,
    };
    matches!(observed, Outcome::Accepted { value: Value::Uri(uri) } if *uri == given.recompose())
}

/// Whether a subject puts a component of `input` as it is given, whatever character is wrong in it: no wrong one is another cause.
pub(super) fn takes_anything(subject: &dyn Subject, input: &Input, component: Component, reading: Reading) -> bool {
    let wrong = |character: char| {
        let value = format!("a{character}");
        match input {
            Input::Compose { components } => Input::Compose {
                components: components.clone().with(component, Some(&value)),
            },
            other => with_texts(other, &[texts(other).swap_remove(0), Some(value)]),
        }
    };
    let ascii = (0..=127_u8).map(char::from);
    let inputs = ascii.chain(['\u{e9}']).map(wrong).filter(|input| wrong_components(input) == [component]);
    let mut answers = 0;
    for input in inputs {
        let observed = run::one(subject, &input, reading).observed;
        // What an adapter cannot ask says nothing.
        if !matches!(observed, Outcome::Unsupported { .. }) {
            if !is_put_as_given(&input, &observed) {
                return false;
            }
            answers += 1;
        }
    }
    answers > 0
}

/// A component that is printed wrong, what was expected there, and what came out.
pub(super) type Misprint = (Component, [Option<String>; 2]);

/// The components that are printed wrong, that which weighs most first; none unless one URI was expected and another came out
/// where components are put together, nor if the one that is set is among them. Which URI they are in says nothing.
pub(super) fn misprints(result: &Result) -> Vec<Misprint> {
    if !matches!(
        result.input.operation(),
        Operation::Compose | Operation::Modify | Operation::RoundTrip
    ) {
        return Vec::new();
    }
    let expected = result.expected.literal();
    let (Some(expected), Some(observed)) = (uri_of_outcome(&expected), uri_of_outcome(&result.observed)) else {
        return Vec::new();
    };
    let mut misprints: Vec<Misprint> = Component::TEXTS
        .into_iter()
        .map(|component| (component, [expected, observed].map(|uri| piece(uri, component))))
        .filter(|(_, [expected, observed])| expected != observed)
        .collect();
    if let Input::Modify { component, .. } = &result.input
        && misprints.iter().any(|(misprinted, _)| misprinted == component)
    {
        return Vec::new();
    }
    misprints.sort_by_key(|(component, _)| rank(*component));
    misprints
}

/// The place of the one URI among the texts of an input that is no URI-reference, and the texts; none if there are none, or
/// several.
fn the_wrong_one(input: &Input) -> Option<(usize, Texts)> {
    let texts = texts(input);
    let uris = match input {
        Input::Compose { .. } => 0,
        Input::Modify { .. } => 1,
        _ => texts.len(),
    };
    let is_wrong = |text: &Option<String>| text.as_ref().is_some_and(|text| parse(text, Reading::Rfc3986).is_err());
    let mut wrong = (0..uris).filter(|&at| is_wrong(&texts[at]));
    match (wrong.next(), wrong.next()) {
        (Some(at), None) => Some((at, texts)),
        _ => None,
    }
}

/// Every order of some characters.
fn orders(characters: &[char]) -> Vec<Vec<char>> {
    let Some((first, rest)) = characters.split_first() else {
        return vec![Vec::new()];
    };
    let with_first = |order: Vec<char>| {
        (0..=order.len()).map(move |at| {
            let mut order = order.clone();
            order.insert(at, *first);
            order
        })
    };
    orders(rest).into_iter().flat_map(with_first).collect()
}

#[cfg(test)]
mod tests;
