//! What `url` does otherwise than the URL Standard depends on what else it does otherwise in the same text: the profile predicts it on
//! every combination of a few tokens, which generators do not find.

use rayon::prelude::*;
use uriproof::ask::ask;
use uriproof::model::{Component, Input, Outcome, Rule};
use uriproof_lab::predict::Predictor;
use uriproof_subjects::SUBJECTS;

use super::{count, ledger};

/// Every string of at most `most` tokens.
fn strings(tokens: &[&str], most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut longest = 0..1;
    for _ in 0..most {
        let longer: Vec<String> = all[longest.clone()]
            .iter()
            .flat_map(|start| tokens.iter().map(move |token| format!("{start}{token}")))
            .collect();
        longest = all.len()..all.len() + longer.len();
        all.extend(longer);
    }
    all
}

fn resolve(base: &str, reference: &str) -> Input {
    Input::Resolve {
        base: base.to_owned(),
        reference: reference.to_owned(),
        strict: true,
    }
}

fn assert_predicted(inputs: impl ParallelIterator<Item = Input>) {
    let url = SUBJECTS.iter().find(|subject| subject.declaration().name == "url").unwrap();
    let predictor = Predictor::of(&ledger(), url.declaration()).unwrap();
    let is_wrong = |input: &Input| match ask(*url, input) {
        Outcome::Unsupported { .. } => false,
        outcome => !predictor.predicts(url.declaration(), input, &outcome),
    };
    let mut wrong: Vec<Input> = inputs.filter(is_wrong).collect();
    wrong.sort_by_key(Input::size);
    let first: Vec<String> = wrong.iter().take(10).map(|input| format!("{} {input}", input.operation())).collect();
    assert!(
        wrong.is_empty(),
        "{} are not predicted:\n{}",
        wrong.len(),
        first.join("\n")
    );
}

#[test]
fn drive_letters() {
    let references = strings(&["a:", "c|", "b", ".", "..", "/", "\\", "\t", "file:"], count(3, 4));
    let bases = strings(&["a:", "b", "/", "//", "c|/"], count(2, 4));
    let texts = strings(&["a:", "c|", "h", ".", "..", "/", "\\", "\t", "?"], count(4, 7));
    let parsed = texts.par_iter().map(|text| Input::Parse {
        rule: Rule::Uri,
        input: format!("file:{text}"),
    });
    let of_base = |base: &String| {
        let base = format!("file:{base}");
        references.iter().map(move |reference| resolve(&base, reference)).collect::<Vec<Input>>()
    };
    assert_predicted(parsed.chain(bases.par_iter().flat_map(of_base)));
}

#[test]
fn backslashes_and_what_they_end() {
    let references = strings(&["/", "\\", ":", "@", "a", "1", "..", "?", "ws:", "[::]"], count(4, 6));
    let bases = ["a:/", "a://b/c", "a:b", "a://b:1", "ws://b/c", "file:///c:/d"];
    assert_predicted(bases.par_iter().flat_map(|base| references.par_iter().map(|reference| resolve(base, reference))));
}

#[test]
fn components_that_are_set() {
    let values = strings(
        &["/", "\\", ":", "@", "a", "..", "?", "#", "a:", "[::]", "\t", " ", "^"],
        count(3, 4),
    );
    let uris = [
        "a:/.//b",
        "a://b:1",
        "a:b ?c",
        "ws://u:p@b:81/c",
        "file:///c:/d?q#f",
        "file://h/p",
    ];
    let set = |uri: &&str| {
        let uri = (*uri).to_owned();
        let components =
            Component::TEXTS.iter().flat_map(|component| values.iter().map(move |value| (*component, value)));
        let inputs = components.map(|(component, value)| Input::Modify {
            uri: uri.clone(),
            component,
            value: Some(value.clone()),
        });
        inputs.collect::<Vec<Input>>()
    };
    assert_predicted(uris.par_iter().flat_map(set));
}
