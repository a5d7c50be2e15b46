//! Classes: what is left of a divergence once its input is minimal.

use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use uriproof::compare::{Difference, DifferenceKind, Verdict};
use uriproof::expect::Expected;
use uriproof::model::{Component, Input, OneLine, Operation, Outcome, Reading, Rule, Rung, Subject, Value};
use uriproof::run::{self, Result};
use uriproof::severity::rank;
use uriproof::split::{range, split};

use super::minimize::minimize;
use super::shape::{Form, Shape, drop_parts, forms, is_split_otherwise, piece};

/// A class of divergences of one subject: all whose inputs shrink to the same witness, and differ there in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// What tells it from the subject's other classes. Two subjects can share it.
    pub fingerprint: Fingerprint,
    /// The witness, what was expected of it, and what the subject did.
    pub witness: Result,
    /// How the subject differs on the witness.
    pub difference: Difference,
}

impl Class {
    /// That of a witness; none if it shows no divergence.
    pub fn of(witness: Result) -> Option<Class> {
        let Verdict::Diverge(difference) = &witness.verdict else {
            return None;
        };
        Some(Class {
            fingerprint: Fingerprint::new(&witness, difference),
            difference: *difference,
            witness,
        })
    }
}

/// Operation, kind of difference, components that differ and canonical witness, in a line:
/// `parse accepted-invalid "//[::01.1.1.1]"`. Of a crash, operation and place: `resolve crashed uri.rs:1103`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// That of a witness and how a subject differs on it.
    pub fn new(result: &Result, difference: &Difference) -> Fingerprint {
        let input = &result.input;
        let mut text = format!("{} {}", input.operation(), difference.kind.name());
        // The place in the code says more of a crash than the input.
        if let Some(place) = place(&result.observed) {
            return Fingerprint(format!("{text} {place}"));
        }
        for (at, component) in difference.components.iter().enumerate() {
            text.push(if at == 0 { ' ' } else { '+' });
            text.push_str(component.name());
        }
        Fingerprint(format!("{text} {input}"))
    }

    /// That of time or memory that grows with a pattern: `resolve superlinear "a:" "/"* as base`.
    pub fn of_growth(operation: Operation, kind: DifferenceKind, pattern: &impl fmt::Display) -> Fingerprint {
        Fingerprint(format!("{operation} {} {pattern}", kind.name()))
    }

    /// The line of the code at which the subject panics, if that is what it does: `uri.rs:1103`.
    pub(super) fn place(&self) -> Option<&str> {
        let (_, difference) = self.0.split_once(' ')?;
        let place = difference.strip_prefix(DifferenceKind::Crashed.name())?.trim_start();
        place.contains(".rs:").then_some(place)
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// What of a divergence stays while its input shrinks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    /// The operation.
    pub operation: Operation,
    /// The kind of difference.
    pub kind: DifferenceKind,
    /// The component that differs, where components do.
    pub component: Option<Component>,
    /// The forms of this component that were expected and told.
    pub forms: [Option<Form>; 2],
    /// Whether the subject takes what is invalid with a scheme or an authority that it does not have, or without one that it
    /// has.
    pub is_split_otherwise: bool,
    /// Where the subject crashed, if it did; what it says of an input that it rejects though it is valid, without what it
    /// cites of it.
    pub place: Option<String>,
}

impl Mark {
    /// Every mark of a result, that of the component that weighs most first; none if it does not diverge.
    ///
    /// A difference in several components has one each: independent causes in one input are told apart by it.
    pub fn all(result: &Result) -> Vec<Mark> {
        let Verdict::Diverge(difference) = &result.verdict else {
            return Vec::new();
        };
        let mark = |component| Mark {
            operation: result.input.operation(),
            kind: difference.kind,
            component,
            forms: component.map_or_else(Default::default, |component| forms(result, component)),
            is_split_otherwise: is_split_otherwise(result),
            place: place(&result.observed).or_else(|| complaint(result)),
        };
        let mut components: Vec<Component> = difference.components.iter().collect();
        if components.is_empty() {
            return vec![mark(None)];
        }
        components.sort_by_key(|component| rank(*component));
        components.into_iter().map(|component| mark(Some(component))).collect()
    }

    /// Whether both differ in a component, and this one in one that weighs more.
    fn is_heavier_than(&self, other: &Mark) -> bool {
        self.component.zip(other.component).is_some_and(|(own, other)| rank(own) < rank(other))
    }

    /// Whether a result has this mark.
    pub fn is_of(&self, result: &Result) -> bool {
        self.is_nearly_of(result)
            && self.component.is_none_or(|component| self.forms == forms(result, component))
            && (self.is_split_otherwise || !is_split_otherwise(result))
    }

    /// Whether a result has this mark but for the forms of its component, and for how it is split.
    pub(super) fn is_nearly_of(&self, result: &Result) -> bool {
        let Verdict::Diverge(difference) = &result.verdict else {
            return false;
        };
        difference.kind == self.kind
            && self.component.is_none_or(|component| difference.components.contains(component))
            && self.place == place(&result.observed).or_else(|| complaint(result))
    }
}

/// Where a subject crashed: the place in the last parentheses of its reason, such as `uri.rs:1103`; otherwise its words, without
/// what changes with the input.
fn place(observed: &Outcome) -> Option<String> {
    let Outcome::Crashed { reason } = observed else {
        return None;
    };
    let in_parentheses = reason.strip_suffix(')').and_then(|reason| reason.rsplit_once('(')).map(|(_, place)| place);
    let is_place = |place: &&str| {
        place.split_once(':').is_some_and(|(_, line)| line.starts_with(|one: char| one.is_ascii_digit()))
    };
    let place = in_parentheses.filter(is_place).map_or_else(|| without_data(reason), str::to_owned);
    Some(OneLine(&place).to_string())
}

/// The words of a crash without quotations, which are of the input, and without numbers but those of lines, signals and exit statuses; nor the
/// place in the input that Perl adds (`, <STDIN> line 23`).
fn without_data(reason: &str) -> String {
    let perl_adds =
        reason.rfind(", <").filter(|&at| reason[at..].contains("> line ") || reason[at..].contains("> chunk "));
    let mut words = String::new();
    let mut rest = &reason[..perl_adds.unwrap_or(reason.len())];
    while let Some(first) = rest.chars().next() {
        let is_after_word = words.ends_with(|last: char| last.is_alphanumeric());
        let behind = &rest[first.len_utf8()..];
        // A backtick may be closed by an apostrophe, which elsewhere stands in a word.
        let closing = if first == '`' {
            &['`', '\''][..]
        } else {
            std::slice::from_ref(&first)
        };
        let end = match first {
            '"' | '`' => behind.find(closing),
            '\'' if !is_after_word => behind.find(closing),
            _ => None,
        };
        let digits = rest.len() - rest.trim_start_matches(|one: char| one.is_ascii_digit()).len();
        if let Some(end) = end {
            words.push_str("..");
            rest = &behind[end + 1..];
        } else if rest.starts_with("0x") {
            words.push('N');
            rest = rest[2..].trim_start_matches(|one: char| one.is_ascii_hexdigit());
        } else if digits > 0 {
            let is_line =
                [":", "signal ", "exit status: "].iter().any(|before| words.ends_with(before)) || is_place(&words);
            let is_in_name = is_after_word || words.ends_with('_');
            words.push_str(if is_line || is_in_name { &rest[..digits] } else { "N" });
            rest = &rest[digits..];
        } else {
            words.push(first);
            rest = behind;
        }
    }
    words
}

/// Whether a number behind these words is the line of a file of the program, as Perl and Python say it: `at uri.pl line 23`, `File
/// "uri.py", line 23`. Another line is one of the input.
fn is_place(words: &str) -> bool {
    let Some(before) = words.strip_suffix(" line ") else {
        return false;
    };
    let mut words = before.rsplit(' ');
    let is_file = words.next().is_some_and(|file| file.contains('.') || file == "-e");
    is_file && matches!(words.next(), Some("at" | "File"))
}

/// The words by which a subject rejects what is valid, up to the first quotation, which is of the input; without numbers.
fn complaint(result: &Result) -> Option<String> {
    let (Verdict::Diverge(Difference { kind, .. }), Outcome::Rejected { reason, .. }) =
        (&result.verdict, &result.observed)
    else {
        return None;
    };
    let reason = reason.as_deref().filter(|_| *kind == DifferenceKind::RejectedValid)?;
    let words = reason.split(['"', '\'', '`']).next().unwrap_or_default();
    let words = words.split(|character: char| !character.is_ascii_alphabetic()).filter(|word| word.len() > 1);
    Some(words.collect::<Vec<_>>().join(" "))
}

/// The class of the divergence that has `mark`, which `input` must show; or the classes that it is inherited from.
pub fn classes_of(subject: &dyn Subject, input: &Input, mark: &Mark, reading: Reading) -> Vec<Class> {
    match origin(subject, &ask(subject, input, reading), mark, reading) {
        Some((origin, mark)) => classes_of(subject, &origin, &mark, reading),
        None => {
            let minimal = minimal(subject, input, mark, reading);
            let witness = run::one(subject, &minimal, reading);
            // What cannot be told from a difference that weighs more is a part of that.
            match Mark::all(&witness).into_iter().next() {
                Some(heaviest) if heaviest.is_heavier_than(mark) => classes_of(subject, &minimal, &heaviest, reading),
                _ => Class::of(witness).into_iter().collect(),
            }
        }
    }
}

/// What a subject makes of one of many inputs, of which none is kept: under RFC 3986 to the letter in brief, which is a good deal
/// faster.
pub(super) fn ask(subject: &dyn Subject, input: &Input, reading: Reading) -> Result {
    match reading {
        Reading::Rfc3986 => run::one_in_brief(subject, input),
        _ => run::one(subject, input, reading),
    }
}

/// The smallest input that was found to show the divergence of `mark`, which `input` must show, in its own right.
fn minimal(subject: &dyn Subject, input: &Input, mark: &Mark, reading: Reading) -> Input {
    /// A step of one kind can make room for one of the other; so often, at most.
    const ROUNDS: usize = 16;
    // A resolver may refuse a relative base, so a base that is a URI is the plainer one.
    let absolute =
        with_absolute_base(input).into_iter().find(|absolute| likeness(subject, input, mark, reading)(absolute));
    let input = absolute.as_ref().unwrap_or(input);
    let mut same = remembering(likeness(subject, input, mark, reading));
    let mut minimal = input.clone();
    for _ in 0..ROUNDS {
        let before = minimal.clone();
        minimal = drop_parts(&minimal, &mut same);
        let shape = Shape::of(&minimal);
        minimal = minimize(
            &minimal,
            &mut remembering(|input| Shape::of(input) == shape && same(input)),
        );
        if minimal == before {
            break;
        }
    }
    minimal
}

/// Whether the base is a relative reference.
fn has_relative_base(input: &Input) -> bool {
    matches!(input, Input::Resolve { base, .. } | Input::Relativize { base, .. } if split(base).scheme.is_none())
}

/// An input with a relative base, with a scheme before it and before a target that has none: one that no subject knows, and one that many
/// treat in their own way. None of any other input.
fn with_absolute_base(input: &Input) -> Vec<Input> {
    if !has_relative_base(input) {
        return Vec::new();
    }
    let with = |scheme: &str, text: &str| match split(text).scheme {
        None => format!("{scheme}:{text}"),
        Some(_) => text.to_owned(),
    };
    let absolute = |scheme| match input.clone() {
        Input::Resolve {
            base,
            reference,
            strict,
        } => Input::Resolve {
            base: with(scheme, &base),
            reference,
            strict,
        },
        Input::Relativize { base, target } => Input::Relativize {
            base: with(scheme, &base),
            target: with(scheme, &target),
        },
        other => other,
    };
    ["a", "http"].map(absolute).into()
}

/// As `same`, but what it has said no to is not asked again: that a witness is minimal takes every step once more, and of a run
/// of equal characters most steps leave the same.
fn remembering(mut same: impl FnMut(&Input) -> bool) -> impl FnMut(&Input) -> bool {
    let mut refused: HashSet<u64> = HashSet::new();
    move |input| {
        // Of two inputs with one hash, one is taken for refused: it would only have been a step further.
        let mut hasher = DefaultHasher::new();
        input.hash(&mut hasher);
        let key = hasher.finish();
        if refused.contains(&key) {
            return false;
        }
        let is_same = same(input);
        if !is_same {
            refused.insert(key);
        }
        is_same
    }
}

/// Whether a result shows nothing that weighs more than the heaviest of another.
pub(super) fn is_no_heavier(result: &Result, heaviest: Option<&Mark>) -> bool {
    let own = Mark::all(result).into_iter().next();
    !own.zip(heaviest).is_some_and(|(own, heaviest)| own.is_heavier_than(heaviest))
}

/// Whether an input shows the divergence of `mark` as `input` does: in its own right, and with nothing that weighs more.
///
/// It is what stays while an input is made small, besides its shape.
pub fn likeness<'a>(
    subject: &'a dyn Subject,
    input: &Input,
    mark: &'a Mark,
    reading: Reading,
) -> impl FnMut(&Input) -> bool + use<'a> {
    // A part that is left out can make a difference of its own, which would weigh more.
    let heaviest = Mark::all(&ask(subject, input, reading)).into_iter().next();
    let may_be_relative = has_relative_base(input);
    move |input| {
        if !may_be_relative && has_relative_base(input) {
            return false;
        }
        let result = ask(subject, input, reading);
        mark.is_of(&result)
            && is_no_heavier(&result, heaviest.as_ref())
            && origin(subject, &result, mark, reading).is_none()
    }
}

/// The classes of a result: one, or several where independent causes show in several components; none if it does not
/// diverge. The one that weighs most comes first.
///
/// Only the subject itself and the reference decide: a class does not change when another subject does.
pub fn classes(subject: &dyn Subject, result: &Result, reading: Reading) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    for mark in Mark::all(result) {
        // A component that differs in a witness before needs no witness of its own.
        let is_covered =
            |class: &Class| mark.component.is_some_and(|component| class.difference.components.contains(component));
        if classes.iter().any(is_covered) {
            continue;
        }
        // Two components can lead to the same class: what weighs less is a part of what weighs more.
        for class in classes_of(subject, &result.input, &mark, reading) {
            if classes.iter().all(|known| known.fingerprint != class.fingerprint) {
                classes.push(class);
            }
        }
    }
    classes
}

/// The question and the mark of the divergence that one is inherited from: the subject parses, or prints, one of the strings
/// that the operation is about in the same wrong way.
///
/// A subject that takes an invalid URI takes it as a base, too; one that prints an address in its own way does so after
/// each setter. That is one cause, and it is told where it arises.
pub(super) fn origin(subject: &dyn Subject, result: &Result, mark: &Mark, reading: Reading) -> Option<(Input, Mark)> {
    let (inputs, outputs) = (input_strings(&result.input), output_strings(result));
    // By the widest rule that the subject parses: the other operations read what it takes.
    let rules = &subject.declaration().rules;
    let rule = if rules.contains(&Rule::Uri) && !rules.contains(&Rule::UriReference) {
        Rule::Uri
    } else {
        Rule::UriReference
    };
    let parse = |string: &String| Input::Parse {
        rule,
        input: string.clone(),
    };
    let round_trip = |string: &String| Input::RoundTrip { uri: string.clone() };
    let find = |strings: &[String], question: &dyn Fn(&String) -> Input, is_cause: &dyn Fn(&Mark) -> bool| {
        strings.iter().find_map(|string| {
            let result = ask(subject, &question(string), reading);
            let mark = Mark::all(&result).into_iter().find(|mark| is_cause(mark))?;
            Some((result.input, mark))
        })
    };
    if result.input.operation() == Operation::Parse {
        return None;
    }
    let is_cause = |cause: &Mark| may_cause(cause, mark);
    let is_setter = result.input.operation() == Operation::Modify;
    let is_printed = matches!(mark.kind, DifferenceKind::OtherUri | DifferenceKind::OtherMeaning)
        && !matches!(result.input.operation(), Operation::RoundTrip | Operation::Relativize);
    let misprints = |cause: &Mark| cause.kind == DifferenceKind::OtherUri && cause.component == mark.component;
    // The right answer, printed as the subject prints it.
    let printed = || {
        if !is_printed {
            return None;
        }
        let Some(uri) = uri_expected(result) else {
            let found = find(&inputs, &round_trip, &misprints).or_else(|| find(&outputs, &round_trip, &misprints));
            return found.filter(|(_, cause)| cause.forms[1] == mark.forms[1]);
        };
        let printed = ask(subject, &round_trip(&uri), reading);
        let cause = Mark::all(&printed).into_iter().find(&misprints)?;
        let (one, other) = (uri_of_outcome(&printed.observed)?, uri_of_outcome(&result.observed)?);
        let is_alike = mark.component.is_some_and(|component| piece(one, component) == piece(other, component));
        is_alike.then_some((printed.input, cause))
    };
    // Another URI that conforms, which the subject takes for the one that it answered.
    let taken_for_it = || {
        let read = |uri: &String| ask(subject, &parse(uri), reading).observed;
        let Some(answered) = uri_of_outcome(&result.observed).map(|uri| read(&uri.to_owned())) else {
            return Vec::new();
        };
        let others = uris_expected(result).into_iter().filter(|uri| !outputs.contains(uri));
        others.filter(|uri| read(uri) == answered).collect::<Vec<_>>()
    };
    find(&inputs, &parse, &|cause| {
        is_misread(cause, mark, is_setter) || is_cause(cause)
    })
    .or_else(|| find(&outputs, &parse, &is_cause))
    .or_else(|| find(&taken_for_it(), &parse, &is_cause))
    .or_else(printed)
    .or_else(|| taken_for_one(subject, &result.input, mark, reading))
}

/// Whether a wrong reading of a string can cause what is marked.
fn may_cause(cause: &Mark, mark: &Mark) -> bool {
    match mark.kind {
        DifferenceKind::InvalidUri => cause.kind == DifferenceKind::AcceptedInvalid,
        DifferenceKind::AcceptedInvalid | DifferenceKind::RejectedValid => cause.kind == mark.kind,
        DifferenceKind::Crashed => cause.kind == DifferenceKind::Crashed && cause.place == mark.place,
        DifferenceKind::OtherUri | DifferenceKind::OtherMeaning | DifferenceKind::NotIdempotent => {
            cause.kind == DifferenceKind::OtherComponents
                && (mark.component.is_none() || cause.component == mark.component)
        }
        DifferenceKind::FalsePositive | DifferenceKind::FalseNegative => cause.kind == DifferenceKind::OtherComponents,
        DifferenceKind::OtherComponents
        | DifferenceKind::BrokenContract
        | DifferenceKind::Superlinear
        | DifferenceKind::TimedOut => false,
    }
}

/// Whether a string was read as other components: what is done with another URI than was meant says nothing of how it is done.
fn is_misread(cause: &Mark, mark: &Mark, is_setter: bool) -> bool {
    let counts = match mark.kind {
        DifferenceKind::OtherUri
        | DifferenceKind::OtherMeaning
        | DifferenceKind::NotIdempotent
        | DifferenceKind::FalsePositive
        | DifferenceKind::FalseNegative => true,
        DifferenceKind::AcceptedInvalid | DifferenceKind::RejectedValid | DifferenceKind::InvalidUri => is_setter,
        _ => false,
    };
    counts && cause.kind == DifferenceKind::OtherComponents && !mark.is_heavier_than(cause)
}

/// Two authorities, taken for one where a reference should name the other.
fn taken_for_one(subject: &dyn Subject, input: &Input, mark: &Mark, reading: Reading) -> Option<(Input, Mark)> {
    let Input::Relativize { base, target } = input else {
        return None;
    };
    if mark.kind != DifferenceKind::OtherUri || mark.component.is_none_or(|component| component == Component::Path) {
        return None;
    }
    let [left, right] = [base, target].map(|uri| up_to_authority(uri).map(ToOwned::to_owned));
    let (left, right) = (left?, right?);
    [Rung::Syntax, Rung::Scheme].into_iter().find_map(|rung| {
        let (left, right) = (left.clone(), right.clone());
        let compared = ask(subject, &Input::Equivalent { left, right, rung }, reading);
        let mark = Mark::all(&compared).into_iter().find(|mark| mark.kind == DifferenceKind::FalsePositive)?;
        Some((compared.input, mark))
    })
}

/// A URI without what follows its authority; none if it has no scheme or no authority.
fn up_to_authority(uri: &str) -> Option<&str> {
    let parts = split(uri);
    parts.scheme?;
    Some(&uri[..range(parts.authority?, uri).end])
}

/// The URIs that an input asks for. With the scheme of the base, what a network-path reference ("//", §4.2) is meant for is one:
/// that is how a type of URIs reads it.
fn input_strings(input: &Input) -> Vec<String> {
    match input {
        Input::Compose { .. } => Vec::new(),
        Input::Parse { input, .. } => vec![input.clone()],
        Input::Resolve { base, reference, .. } => {
            let scheme = base.split_once(':').map(|(scheme, _)| scheme).filter(|_| reference.starts_with("//"));
            let whole = scheme.map(|scheme| format!("{scheme}:{reference}"));
            [base.clone(), reference.clone()].into_iter().chain(whole).collect()
        }
        Input::Normalize { uri, .. } | Input::Modify { uri, .. } | Input::RoundTrip { uri } => vec![uri.clone()],
        Input::Equivalent { left, right, .. } | Input::Contract { left, right } => vec![left.clone(), right.clone()],
        Input::Relativize { base, target } => vec![base.clone(), target.clone()],
    }
}

/// The URI that was expected, and the one that came out.
fn output_strings(result: &Result) -> Vec<String> {
    uri_expected(result).into_iter().chain(uri_of_outcome(&result.observed).map(ToOwned::to_owned)).collect()
}

/// The URI that was expected: the literal one, or, where that is none, the first that conforms.
fn uri_expected(result: &Result) -> Option<String> {
    uris_expected(result).into_iter().next()
}

/// The URIs that conform, the literal one first.
fn uris_expected(result: &Result) -> Vec<String> {
    let of = |outcome: &Outcome| uri_of_outcome(outcome).map(ToOwned::to_owned);
    match &result.expected {
        Expected::Outcomes(outcomes) => outcomes.iter().filter_map(|one| of(&one.outcome)).collect(),
        Expected::Property(_) | Expected::NoAnswer { .. } => of(&result.expected.literal()).into_iter().collect(),
    }
}

/// The URI of an outcome, if it is one.
pub(super) fn uri_of_outcome(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::Accepted { value: Value::Uri(uri) } => Some(uri),
        _ => None,
    }
}

/// What of the results of all subjects stays while an input shrinks for all of them together: each verdict with its kind
/// and components, and who agrees with whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behaviour {
    verdicts: Vec<(&'static str, Option<Difference>, Option<String>)>,
    /// For each subject the first that did the same.
    agreement: Vec<usize>,
}

impl Behaviour {
    /// Of results, in the order of their subjects.
    pub fn of(results: &[Result]) -> Behaviour {
        let bare = |result: &Result| match &result.observed {
            Outcome::Accepted { value } => Some(value.clone()),
            _ => None,
        };
        Behaviour {
            verdicts: results
                .iter()
                .map(|result| {
                    let difference = match &result.verdict {
                        Verdict::Diverge(difference) => Some(*difference),
                        Verdict::Agree { .. } | Verdict::NotComparable { .. } => None,
                    };
                    (result.verdict.name(), difference, place(&result.observed))
                })
                .collect(),
            agreement: results
                .iter()
                .map(|result| {
                    let same =
                        |other: &Result| other.observed.name() == result.observed.name() && bare(other) == bare(result);
                    results.iter().position(same).unwrap_or_default()
                })
                .collect(),
        }
    }
}

/// The smallest input on which every subject differs from the reference as it does on `input`, and agrees with the same
/// other subjects.
///
/// Subjects that are too slow for a suite ([`Subject::budget`]) take no part, unless there are no others: each would have
/// to be asked hundreds of times.
pub fn minimize_for_all(subjects: &[&dyn Subject], input: &Input, reading: Reading) -> Input {
    let quick: Vec<&dyn Subject> = subjects.iter().copied().filter(|subject| subject.budget().is_none()).collect();
    let subjects = if quick.is_empty() { subjects } else { &quick };
    let kept = Behaviour::of(&run::all(subjects, input, reading));
    let mut same = |input: &Input| Behaviour::of(&run::all(subjects, input, reading)) == kept;
    minimize(&drop_parts(input, &mut same), &mut same)
}

#[cfg(test)]
mod tests {
    use uriproof::model::Outcome;

    use super::place;

    #[test]
    fn the_place_of_a_crash_does_not_change_with_the_input() {
        for (reason, expected) in [
            ("byte index 3 is not a char boundary (a) (uri.rs:1103)", "uri.rs:1103"),
            ("killed by signal 6 (SIGABRT)", "killed by signal 6 (SIGABRT)"),
            (
                "ended with exit status: 3: no port 80",
                "ended with exit status: 3: no port N",
            ),
            (
                "ended with exit status: 255: Can't call \"host\" at a.pl line 12, <STDIN> line 23.",
                "ended with exit status: 255: Can't call .. at a.pl line 12",
            ),
            (
                "a.rb:5:in `parse': port 7 (ArgumentError)",
                "a.rb:5:in ..: port N (ArgumentError)",
            ),
            ("invalid literal with base 10: 'a'", "invalid literal with base N: .."),
            ("RFC3986 at 0x7ffeab12", "RFC3986 at N"),
            ("bad input at stdin line 9", "bad input at stdin line N"),
            ("bad input on stdin, line 9", "bad input on stdin, line N"),
            ("boom 7 <STDIN> line 9", "boom N <STDIN> line N"),
        ] {
            let crashed = Outcome::Crashed {
                reason: reason.to_owned(),
            };
            assert_eq!(place(&crashed).as_deref(), Some(expected), "{reason}");
        }
    }
}
