//! What the suites of the algorithms expect, beside a second derivation, which is made from the ABNF and shares no code with the
//! reference.

use std::collections::BTreeMap;

use rayon::prelude::*;
use uriproof::algorithms::{Size, inputs};
use uriproof::compare::{Verdict, compare};
use uriproof::expect::{Expected, expect};
use uriproof::model::{Component, Components, Input, Operation, Outcome, Reading, Rung, Scope, Subject, Value};
use uriproof_grammar::composition::Composer;
use uriproof_grammar::rfc3986;
use uriproof_grammar::segments::{Divided, references, relativize, resolve};
use uriproof_grammar::transducer::Normalizer;
use uriproof_lab::generate::Generator;
use uriproof_subjects::reference::Reference;

/// What the second derivation has for an input.
#[derive(Debug)]
enum Derived {
    /// The URI, or whether two URIs are equivalent.
    Answer(Value),
    /// Any reference that resolves to the target.
    Reference,
    Rejected,
    LeftOut(Reason),
}

/// Why an input is not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    RelativeBase,
    RelativeHasNoNormalForm,
    InvalidIsForParse,
    NothingToDerive,
    RelativeBesideInvalid,
}

struct Derivation {
    composer: Composer,
    normalizer: Normalizer,
}

impl Derivation {
    fn new() -> Derivation {
        Derivation {
            composer: Composer::of(rfc3986::ABNF).unwrap(),
            normalizer: Normalizer::of(&rfc3986::grammar()).unwrap(),
        }
    }

    fn is_reference(&self, text: &str) -> bool {
        self.composer.reference.accepts(text.as_bytes())
    }

    fn is_uri(&self, text: &str) -> bool {
        self.composer.uri.accepts(text.as_bytes())
    }

    fn of(&self, input: &Input) -> Derived {
        let made = |made: Option<String>| made.map_or(Derived::Rejected, |uri| Derived::Answer(Value::Uri(uri)));
        match input {
            Input::Resolve { base, reference, .. } if !self.is_reference(base) || !self.is_reference(reference) => {
                Derived::Rejected
            }
            Input::Resolve { base, .. } if !self.is_uri(base) => Derived::LeftOut(Reason::RelativeBase),
            Input::Resolve {
                base,
                reference,
                strict,
            } => made(resolve(base, reference, *strict)),
            Input::Normalize { uri, .. } if !self.is_reference(uri) => Derived::Rejected,
            Input::Normalize { uri, .. } if !self.is_uri(uri) => Derived::LeftOut(Reason::RelativeHasNoNormalForm),
            Input::Normalize { uri, scope } => made(Some(self.normal_form(uri, *scope))),
            Input::Equivalent { left, right, rung } => self.equivalence(left, right, *rung),
            Input::Compose { components } => made(self.composer.compose(&parts(components))),
            Input::Modify { uri, component, value } => {
                let place = Component::TEXTS.iter().position(|text| text == component).unwrap();
                made(self.composer.modify(uri, place, value.as_deref()))
            }
            Input::RoundTrip { uri } => match self.composer.print(uri) {
                Some(printed) => made(Some(printed)),
                None => Derived::LeftOut(Reason::InvalidIsForParse),
            },
            Input::Relativize { base, target } if self.is_uri(base) && self.is_uri(target) => Derived::Reference,
            Input::Relativize { .. } => Derived::Rejected,
            Input::Parse { .. } | Input::Contract { .. } => Derived::LeftOut(Reason::NothingToDerive),
        }
    }

    fn normal_form(&self, uri: &str, scope: Scope) -> String {
        match scope {
            Scope::Syntax => self.normalizer.normalize(uri),
            Scope::Scheme => self.normalizer.normalize_by_scheme(uri),
        }
    }

    fn equivalence(&self, left: &str, right: &str, rung: Rung) -> Derived {
        let are_the_same = match self.composer.are_the_same(left, right) {
            Some(are_the_same) => are_the_same,
            None if rung != Rung::Simple && self.is_reference(left) && !self.is_uri(left) => {
                return Derived::LeftOut(Reason::RelativeBesideInvalid);
            }
            None => return Derived::Rejected,
        };
        let scope = match rung {
            Rung::Simple => return Derived::Answer(Value::Equivalent(are_the_same)),
            Rung::Syntax => Scope::Syntax,
            Rung::Scheme => Scope::Scheme,
        };
        match self.is_uri(left) && self.is_uri(right) {
            true => Derived::Answer(Value::Equivalent(
                self.normal_form(left, scope) == self.normal_form(right, scope),
            )),
            false => Derived::LeftOut(Reason::RelativeHasNoNormalForm),
        }
    }

    /// An answer conforms that resolves to the target, and none that resolves to another URI, however base and target are normalized. Returns
    /// how many of these there were.
    fn assert_relativizes(&self, input: &Input, expected: &Expected) -> usize {
        let Input::Relativize { base, target } = input else {
            panic!("{input} has no references");
        };
        let verdict = |answer: &str| compare(Reference.declaration(), input, expected, &Outcome::uri(answer));
        let answer = relativize(base, target).unwrap();
        let (from, to, by) = (Divided::of(base), Divided::of(target), Divided::of(&answer));
        let is_near = from.scheme == to.scheme && from.authority.is_some() && to.authority.is_some();
        assert!(self.is_reference(&answer), "{input}: {answer}");
        assert!(by.scheme.is_none() || !is_near, "{input}: {answer} is not relative");
        assert_eq!(expected.literal(), Outcome::uri(target), "{input}");
        for answer in [&answer, target] {
            assert!(matches!(verdict(answer), Verdict::Agree { .. }), "{input}: {answer}");
        }
        // Where a triplet becomes a dot, it counts whether dot-segments are removed before or after.
        if [base, target].iter().any(|uri| uri.to_ascii_lowercase().contains("%2e")) {
            return 0;
        }
        let normal = |uri: &str| self.normalizer.normalize_by_scheme(uri);
        let wanted = resolve(base, target, true).map(|wanted| normal(&wanted));
        let bases = [base.clone(), self.normalizer.normalize(base), normal(base)];
        let resolves_elsewhere = |answer: &String| {
            bases.iter().all(|base| resolve(base, answer, true).map(|found| normal(&found)) != wanted)
        };
        let others = references(base, target);
        let wrong = others.iter().filter(|other| self.is_reference(other) && resolves_elsewhere(other));
        wrong.inspect(|other| assert!(matches!(verdict(other), Verdict::Diverge(_)), "{input}: {other}")).count()
    }
}

fn parts(components: &Components) -> [Option<&str>; 7] {
    Component::TEXTS.map(|component| components.text(component))
}

/// How an input was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Compared {
    Accepted,
    /// Accepted, and a reference that resolves to another URI diverges.
    BesideWrong,
    Rejected,
    LeftOut(Reason),
}

/// How many are compared at least.
const COMPARED: [(Operation, Compared, usize); 14] = [
    (Operation::Resolve, Compared::Accepted, 100_000),
    (Operation::Resolve, Compared::Rejected, 8_000),
    (Operation::Normalize, Compared::Accepted, 85_000),
    (Operation::Normalize, Compared::Rejected, 2_000),
    (Operation::Compose, Compared::Accepted, 14_000),
    (Operation::Compose, Compared::Rejected, 15_000),
    (Operation::Equivalent, Compared::Accepted, 55_000),
    (Operation::Equivalent, Compared::Rejected, 7_000),
    (Operation::Relativize, Compared::Accepted, 3_500),
    (Operation::Relativize, Compared::BesideWrong, 11_000),
    (Operation::Relativize, Compared::Rejected, 2_500),
    (Operation::Modify, Compared::Accepted, 16_000),
    (Operation::Modify, Compared::Rejected, 6_500),
    (Operation::RoundTrip, Compared::Accepted, 12_500),
];

/// How many are left out at most.
const LEFT_OUT: [(Operation, Reason, usize); 6] = [
    (Operation::Resolve, Reason::RelativeBase, 1_000),
    (Operation::Normalize, Reason::RelativeHasNoNormalForm, 5_500),
    (Operation::Equivalent, Reason::RelativeHasNoNormalForm, 3_500),
    (Operation::Equivalent, Reason::RelativeBesideInvalid, 500),
    (Operation::RoundTrip, Reason::InvalidIsForParse, 3_500),
    (Operation::Contract, Reason::NothingToDerive, 40_000),
];

/// Compares what is expected of an input to the letter with the second derivation.
fn compared(derivation: &Derivation, input: &Input) -> Compared {
    let expected = expect(input, Reading::Rfc3986);
    match (derivation.of(input), expected.literal()) {
        (Derived::Answer(derived), Outcome::Accepted { value }) => {
            assert_eq!(derived, value, "{input}");
            Compared::Accepted
        }
        (Derived::Reference, Outcome::Accepted { .. }) => {
            match derivation.assert_relativizes(input, &expected) {
                0 => Compared::Accepted,
                _ => Compared::BesideWrong,
            }
        }
        (Derived::Rejected, Outcome::Rejected { .. }) => Compared::Rejected,
        // A base is a URI (§5.1). What a resolver does with a relative reference in its place is its choice.
        (Derived::LeftOut(reason @ Reason::RelativeBase), Outcome::Accepted { .. })
        // A reference has to be resolved before it can be normalized (§5.2.1) or compared (§6.1), so there is no answer.
        | (Derived::LeftOut(reason @ Reason::RelativeHasNoNormalForm), Outcome::Unsupported { .. })
        // Of a relative reference and an invalid text, the reference looks at the left one first.
        | (Derived::LeftOut(reason @ Reason::RelativeBesideInvalid), Outcome::Unsupported { .. })
        // What is no URI-reference is not printed, and whether it is refused is expected of `parse`.
        | (Derived::LeftOut(reason @ Reason::InvalidIsForParse), Outcome::Unsupported { .. })
        // The contracts of equality, hash and order are the same for every input.
        | (Derived::LeftOut(reason @ Reason::NothingToDerive), Outcome::Accepted { .. }) => Compared::LeftOut(reason),
        (derived, literal) => panic!("{input}: the reference has {literal}, the second derivation {derived:?}"),
    }
}

/// Machines of the ABNF, transducers and lists of segments agree with the reference on what each suite and 200,000 drawn inputs expect:
/// on the answers, and on what is rejected.
#[test]
fn a_second_derivation_agrees_with_the_reference() {
    let derivation = Derivation::new();
    assert_eq!(derivation.normalizer.text.states(), 18);
    // The machine of the ABNF is what the suite of `parse` is made from.
    let operations: Vec<Operation> =
        Operation::ALL.into_iter().filter(|operation| *operation != Operation::Parse).collect();
    let of_suites = operations.iter().flat_map(|&operation| inputs(operation, Size::Core));
    let mut generator = Generator::of(3986, &operations);
    let drawn = std::iter::repeat_with(|| generator.next_input()).take(200_000);
    let inputs: Vec<Input> = of_suites.chain(drawn).collect();
    let compared: Vec<Compared> = inputs.par_iter().map(|input| compared(&derivation, input)).collect();
    let mut counts: BTreeMap<(Operation, Compared), usize> = BTreeMap::new();
    for (input, compared) in inputs.iter().zip(compared) {
        *counts.entry((input.operation(), compared)).or_default() += 1;
    }
    let count = |operation, compared| counts.get(&(operation, compared)).copied().unwrap_or_default();
    for (operation, compared, floor) in COMPARED {
        let count = count(operation, compared);
        assert!(count >= floor, "{operation}, {compared:?}: only {count}");
    }
    for (operation, reason, most) in LEFT_OUT {
        let count = count(operation, Compared::LeftOut(reason));
        assert!(count <= most, "{operation}, {reason:?}: {count} are left out");
    }
    // Whatever is counted has a bound.
    assert_eq!(counts.len(), COMPARED.len() + LEFT_OUT.len(), "{counts:?}");
}
