//! The comments of the sources are the standard's text, step by step, and every step of what is transcribed is there.

mod comments;
mod left_out;
mod register;
mod source;

use std::collections::BTreeSet;

use whatwg_url_reference::percent::PercentEncodeSet;
use whatwg_url_reference::record::SPECIAL_SCHEMES;
use whatwg_url_reference::trace::UrlState;
use whatwg_url_reference::validation::ValidationError;

use crate::data::shared;
use comments::{Comment, comments};
use left_out::NOT_TRANSCRIBED;
use source::{Standard, Step};

/// The standard, if its source is there.
fn standard() -> Option<Standard> {
    shared("url.bs").map(|text| Standard::read(&text))
}

/// The comments that are a step.
fn is_step<'a>(steps: impl Iterator<Item = &'a Step>, comment: &Comment) -> bool {
    let number = comment.number.as_deref().unwrap_or_default();
    steps
        .filter(|step| step.number == number && step.anchors.iter().any(|anchor| comment.anchors.contains(anchor)))
        .any(|step| {
            let mut rest = &*step.text;
            let mut parts = comment.text.split("[…]").map(str::trim);
            let begins = parts.next().is_some_and(|part| {
                rest.starts_with(part) && {
                    rest = &rest[part.len()..];
                    true
                }
            });
            let follows = parts.all(|part| rest.find(part).map(|at| rest = &rest[at + part.len()..]).is_some());
            begins && follows && (rest.is_empty() || comment.text.ends_with("[…]"))
        })
}

#[test]
fn comments_are_the_words_of_the_standard() {
    let Some(standard) = standard() else { return };
    let (comments, mut wrong) = (comments(), Vec::new());
    for comment in &comments {
        let is_there = match &comment.number {
            Some(_) => is_step(standard.steps.iter(), comment),
            None => comment.text.split("[…]").all(|part| standard.text.contains(part.trim())),
        };
        if !is_there {
            let of_number = standard.steps.iter().filter(|step| {
                comment.number.as_ref() == Some(&step.number)
                    && step.anchors.iter().any(|anchor| comment.anchors.contains(anchor))
            });
            let texts: Vec<&str> = of_number.map(|step| &*step.text).collect();
            wrong.push(format!(
                "{}: {:?} {:?}; the standard has {texts:?}",
                comment.at, comment.number, comment.text
            ));
        }
    }
    println!(
        "{} of {} comments are the words of the standard",
        comments.len() - wrong.len(),
        comments.len()
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(comments.len() > 400, "only {} comments", comments.len());
}

#[test]
fn every_step_of_what_is_transcribed_is_above_its_code() {
    let Some(standard) = standard() else { return };
    let comments = comments();
    // An algorithm is transcribed if one of its steps is.
    let numbered: Vec<&Comment> = comments.iter().filter(|comment| comment.number.is_some()).collect();
    let transcribed: BTreeSet<&String> = numbered.iter().flat_map(|comment| &comment.anchors).collect();
    let steps = standard.steps.iter().filter(|step| step.anchors.iter().any(|anchor| transcribed.contains(anchor)));
    let is_left_out = |step: &Step| {
        NOT_TRANSCRIBED
            .iter()
            .any(|(anchor, number, _)| step.number == *number && step.anchors.iter().any(|own| own == anchor))
    };
    let mut count = 0;
    let mut missing = Vec::new();
    for step in steps {
        count += 1;
        if numbered.iter().any(|comment| is_step([step].into_iter(), comment)) == is_left_out(step) {
            missing.push(format!("{:?} {} {}", step.anchors, step.number, step.text));
        }
    }
    println!(
        "{} of {count} steps are above their code, {} have none",
        count - missing.len(),
        NOT_TRANSCRIBED.len()
    );
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(count > 300, "only {count} steps");
}

#[test]
fn quotations_in_documentation_are_of_the_standard() {
    let Some(standard) = standard() else { return };
    let quotations = comments::quotations();
    assert!(quotations.len() > 5, "{quotations:?}");
    for (at, quotation) in quotations {
        assert!(standard.text.contains(&quotation), "{at}: {quotation:?}");
    }
}

#[test]
fn every_anchor_is_in_the_standard() {
    let Some(standard) = standard() else { return };
    let anchors = comments::anchors();
    assert!(anchors.len() > 100);
    let missing: Vec<_> = anchors.iter().filter(|(_, anchor)| !standard.anchors.contains(anchor)).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn names_and_tables_are_those_of_the_standard() {
    let Some(standard) = standard() else { return };
    for error in ValidationError::ALL {
        assert!(standard.anchors.contains(&error.anchor()[1..]), "{error}");
    }
    let table = standard.between("Error type", "Parsers");
    let mut rest = table;
    for error in ValidationError::ALL {
        let at = rest.find(error.name()).unwrap_or_else(|| panic!("{error} is not in the standard's order"));
        rest = &rest[at..];
    }
    for state in UrlState::ALL {
        assert!(standard.anchors.contains(&state.anchor()[1..]), "{state}");
    }
    let states: BTreeSet<&String> = standard
        .anchors
        .iter()
        .filter(|anchor| anchor.ends_with("-state") && !anchor.contains("validation"))
        .collect();
    assert_eq!(states.len(), UrlState::ALL.len(), "{states:?}");
    for set in PercentEncodeSet::ALL {
        assert!(
            standard.text.contains(&format!("The {} is a percent-encode set", set.name())),
            "{}",
            set.name()
        );
    }
    let schemes = SPECIAL_SCHEMES.map(|(scheme, port)| {
        format!(
            "\"{scheme}\" {}",
            port.map_or_else(|| "null".to_owned(), |port| port.to_string())
        )
    });
    assert!(standard.text.contains(&schemes.join(" ")), "{schemes:?}");
}
