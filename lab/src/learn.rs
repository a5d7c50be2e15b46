//! Learning a subject: its machine, and the exact difference from RFC 3986, by questions alone.

mod answers;

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use uriproof::ask;
use uriproof::compare::own_rule;
use uriproof::gate::Claim;
use uriproof::model::{Input, Rule, Subject};
use uriproof::repeat::{Put, Unrepeated, examine};
use uriproof::vectors::Library;
use uriproof_grammar::abnf::Error;
use uriproof_grammar::complete::{Method, Suites};
use uriproof_grammar::learn::{
    DifferenceGroup, Learned, Options, Oracle as _, OutputDifference, Stop, is_of_components, learn, ranges,
};
use uriproof_grammar::{Alphabet, Machine};

use self::answers::SubjectOutputs;
pub use super::exposed::describe;
use super::exposed::{component_target, exposed_names, visible};
use super::machines::Machines;
use super::score::Stopped;

/// What was learned of a subject by queries.
pub struct Inference {
    /// Its machine, and the differences.
    pub learned: Learned,
    /// Why the answer to a query was not compared, and to how many for each reason: what the subject's claim excludes. There only a crash,
    /// or no answer in time, differs.
    pub not_compared: BTreeMap<String, u64>,
}

/// Learns which strings a subject accepts.
///
/// In addition to the queries of [`Options`], it queries the transition cover of the component machine: a parser that decides too
/// early what a component is rejects strings that no suite of the acceptance machine has. Strings that begin with a scheme are
/// also tried with schemes that parsers treat specially, such as `http`, which no suite has. The strings of the vectors are added.
///
/// No more strings are run once `stopped` returns true.
pub fn acceptance(machines: &Machines, subject: &dyn Subject, options: &Options, stopped: Stopped<'_>) -> Inference {
    let target = machines.of(own_rule(subject.declaration())).machine();
    inference(machines, target, subject, What::Acceptance, options, stopped)
}

/// Learns which components a subject tells of which strings, as far as it can tell them: whether they are defined and
/// whether they are empty, the kind of the host, and how the path begins.
///
/// # Errors
///
/// None for the rules that have components.
pub fn components(
    machines: &Machines,
    subject: &dyn Subject,
    options: &Options,
    stopped: Stopped<'_>,
) -> Result<Inference, Error> {
    let target = target(machines, subject, What::Components)?;
    Ok(inference(
        machines,
        &target,
        subject,
        What::Components,
        options,
        stopped,
    ))
}

fn inference(
    machines: &Machines,
    target: &Machine,
    subject: &dyn Subject,
    what: What,
    options: &Options,
    stopped: Stopped<'_>,
) -> Inference {
    let answers = SubjectOutputs::of(subject, what, target, stopped);
    let mut options = options.clone();
    options.given.extend(given(machines));
    if answers.has_process {
        options.batch = BATCH_OF_PROCESS;
    }
    let learned = learn(target, &answers, &options);
    Inference {
        learned,
        not_compared: answers.not_compared(),
    }
}

/// How many words are put to a process at a time: what was answered in two ways is still among its last inputs.
const BATCH_OF_PROCESS: usize = 2048;

/// The machine that a subject is measured by.
fn target(machines: &Machines, subject: &dyn Subject, what: What) -> Result<Machine, Error> {
    let rule = own_rule(subject.declaration());
    match what {
        What::Acceptance => Ok(machines.of(rule).machine().clone()),
        What::Components => component_target(machines, rule, visible(subject.declaration())),
    }
}

/// Finds what a subject that has just been learned does not repeat; `None` if the learner did not stop for that, or if it was not
/// shown again: then the learner's witness and both answers are all that is known.
///
/// # Errors
///
/// None for the rules that have components.
pub fn unrepeated(
    machines: &Machines,
    subject: &dyn Subject,
    what: What,
    learned: &Learned,
    stopped: Stopped<'_>,
) -> Result<Option<Unrepeated>, Error> {
    let target = target(machines, subject, what)?;
    let answers = SubjectOutputs::of(subject, what, &target, stopped);
    Ok(shown_again(&answers, learned))
}

fn shown_again(answers: &SubjectOutputs<'_>, learned: &Learned) -> Option<Unrepeated> {
    let (subject, stopped) = (answers.subject, answers.stopped);
    let Some(Stop::NotDeterministic {
        witness,
        answers: [_, again],
    }) = &learned.stopped
    else {
        return None;
    };
    let input = Input::Parse {
        rule: answers.rule,
        input: witness.clone(),
    };
    // The answer that a new process does not give is the one that came of what was called before.
    let recent = subject.recent();
    if !subject.start_anew() {
        return None;
    }
    let fresh = ask::parse(subject, answers.rule, witness);
    let usual = answers.counted(witness, fresh.clone());
    let places: Vec<usize> = (0..recent.len()).filter(|&at| recent[at] == input).collect();
    let place = match (places.as_slice(), usual == Ok(*again)) {
        ([.., first, _], true) => *first,
        ([.., last], false) => *last,
        _ => return None,
    };
    let odd = RefCell::new(None);
    let put = || {
        let outcome = ask::parse(subject, answers.rule, witness);
        let diverges = answers.counted(witness, outcome.clone()) != usual;
        if diverges {
            *odd.borrow_mut() = Some(outcome.clone());
        }
        Put { outcome, diverges }
    };
    let mut unrepeated = examine(subject, &input, &fresh, &recent[..place], &put, &stopped)?;
    unrepeated.first = odd.take()?;
    Some(unrepeated)
}

/// What is learned of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// Which strings it accepts.
    Acceptance,
    /// Which components it tells of them.
    Components,
}

/// What was learned of a subject, in a form that is stored and shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// The subject's label.
    pub subject: String,
    /// The rule that it parsed.
    pub rule: String,
    /// The language that it was compared with: RFC 3986, or a profile of it.
    pub language: String,
    /// What was learned.
    pub what: What,
    /// The number of states of the subject's machine.
    pub states: usize,
    /// The number of its symbols.
    pub symbols: usize,
    /// How many queries were made.
    pub questions: u64,
    /// Why the learner stopped early, if it did.
    pub stopped: Option<String>,
    /// Whether nothing was learned: the subject does not answer, its answers do not repeat, or the learner was interrupted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub void: bool,
    /// Why answers were not compared, and how many for each reason: [`Inference::not_compared`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub not_compared: BTreeMap<String, u64>,
    /// What the result rests on.
    pub assumptions: Vec<String>,
    /// What the subject answers otherwise from some size on; the rest is about strings within these limits.
    pub limits: Vec<StoredLimit>,
    /// How many classes of difference there are: pairs of states that differ.
    pub classes: usize,
    /// The classes in groups that are likely to have one cause each.
    pub groups: Vec<StoredGroup>,
}

/// A limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredLimit {
    /// Such as `rejects ports over 65,535`.
    pub limit: String,
    /// A string within.
    pub inside: LongString,
    /// A string beyond.
    pub beyond: LongString,
}

/// A string that is stored in little space where it repeats something many times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum LongString {
    /// As it stands.
    Whole(String),
    /// `before`, `repeated` so many `times`, `after`.
    Repeated {
        /// What stands before.
        before: String,
        /// What is repeated.
        repeated: String,
        /// How many times.
        times: usize,
        /// What stands after.
        after: String,
    },
}

impl LongString {
    /// Up to how many bytes a string is stored as it stands.
    const SHORT: usize = 200;

    /// How many bytes what is repeated has at most.
    const UNIT: usize = 4;

    /// Stores a string of US-ASCII in less space if what is repeated is most of it.
    pub fn of(text: &str) -> LongString {
        let bytes = text.as_bytes();
        let repeats = |unit: usize, from: usize| {
            let same = (from + unit..bytes.len()).take_while(|&at| bytes[at] == bytes[at - unit]).count();
            same / unit + 1
        };
        let best = (1..=LongString::UNIT)
            .flat_map(|unit| (0..LongString::SHORT.min(bytes.len() / 2)).map(move |from| (unit, from)))
            .map(|(unit, from)| (repeats(unit, from), unit, from))
            .max_by_key(|&(times, unit, from)| (times * unit, usize::MAX - unit, usize::MAX - from));
        match best {
            Some((times, unit, from)) if text.is_ascii() && text.len() > LongString::SHORT => LongString::Repeated {
                before: text[..from].to_owned(),
                repeated: text[from..from + unit].to_owned(),
                times,
                after: text[from + times * unit..].to_owned(),
            },
            _ => LongString::Whole(text.to_owned()),
        }
    }

    /// The string.
    pub fn text(&self) -> String {
        match self {
            LongString::Whole(text) => text.clone(),
            LongString::Repeated {
                before,
                repeated,
                times,
                after,
            } => format!("{before}{}{after}", repeated.repeat(*times)),
        }
    }
}

/// Classes of difference that are likely to have one cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredGroup {
    /// Such as `accepted though invalid`.
    pub kind: String,
    /// The characters on which the machines part, as ranges.
    pub characters: String,
    /// The components that are reported in excess, and those that are missing.
    pub reported: String,
    /// How many classes there are.
    pub classes: usize,
    /// The shortest string of all that show one of them.
    pub witness: String,
}

impl Lesson {
    /// What was learned of a subject, measured by `machines`.
    pub fn of(machines: &Machines, subject: &dyn Subject, what: What, inference: &Inference) -> Lesson {
        let learned = &inference.learned;
        let declaration = subject.declaration();
        let group = |group: DifferenceGroup| {
            let first = &learned.differences[group.differences[0]];
            StoredGroup {
                kind: group.kind.to_string(),
                characters: ranges(&group.characters),
                reported: if first.expected == 0 || !is_of_components(first.observed) {
                    String::new()
                } else {
                    describe(first.expected, first.observed)
                },
                classes: group.differences.len(),
                witness: first.witness.clone(),
            }
        };
        Lesson {
            subject: declaration.label(),
            rule: own_rule(declaration).name().to_owned(),
            language: match declaration.claim {
                Some(Claim::Whatwg) => "the WHATWG URL Standard".to_owned(),
                _ => machines.language(),
            },
            what,
            states: learned.states(),
            symbols: learned.symbols().len(),
            questions: learned.questions(),
            stopped: learned.stopped.as_ref().map(ToString::to_string),
            void: matches!(
                learned.stopped,
                Some(Stop::NotDeterministic { .. } | Stop::Unanswered { .. } | Stop::Interrupted { .. })
            ),
            not_compared: inference.not_compared.clone(),
            assumptions: assumptions(subject, what, learned),
            limits: learned
                .limits
                .iter()
                .map(|limit| StoredLimit {
                    limit: limit.to_string(),
                    inside: LongString::of(&limit.witness_in),
                    beyond: LongString::of(&limit.witness_out),
                })
                .collect(),
            classes: learned.differences.len(),
            groups: learned.groups().into_iter().map(group).collect(),
        }
    }

    /// Whether there is no difference at all.
    pub fn is_equal(&self) -> bool {
        self.stopped.is_none() && self.classes == 0 && self.limits.is_empty()
    }

    /// The verdict in a few words: `equal to RFC 3986`, `4 classes of difference from RFC 3986`.
    pub fn verdict(&self) -> String {
        let classes = match self.classes {
            1 => "1 class of difference".to_owned(),
            count => format!("{count} classes of difference"),
        };
        match (&self.stopped, self.classes, self.limits.len()) {
            (Some(stop), ..) if self.void => format!("not learned: {stop}"),
            (Some(stop), ..) => format!(
                "not learned to the end ({stop}): {classes} from {} until then",
                self.language
            ),
            (None, 0, 0) => format!("equal to {}", self.language),
            (None, 0, 1) => format!("equal to {} within a limit", self.language),
            (None, 0, limits) => format!("equal to {} within {limits} limits", self.language),
            (None, ..) => format!("{classes} from {}", self.language),
        }
    }

    /// Whether the subject still answers as it did when this was learned: every witness is run again, of what was learned
    /// under the profiles of `machines`.
    ///
    /// # Errors
    ///
    /// The first string of which the subject makes something else now, and what.
    pub fn check(&self, machines: &Machines, subject: &dyn Subject) -> Result<(), String> {
        let target = target(machines, subject, self.what).map_err(|error| error.to_string())?;
        let oracle = SubjectOutputs::of(subject, self.what, &target, &|| false);
        for limit in &self.limits {
            if oracle.output(&limit.inside.text())? == oracle.output(&limit.beyond.text())? {
                return Err(format!(
                    "{:?} is no limit any more: {:?} is answered alike",
                    limit.limit, limit.beyond
                ));
            }
        }
        for group in &self.groups {
            let expected = target.output(target.run(group.witness.as_bytes()));
            let kind = OutputDifference::of(expected, oracle.output(&group.witness)?);
            if kind.is_none_or(|kind| kind.to_string() != group.kind) {
                return Err(format!("{:?} is not {} any more", group.witness, group.kind));
            }
        }
        Ok(())
    }
}

/// What the result rests on: what any learned machine does, and of components what was looked at.
fn assumptions(subject: &dyn Subject, what: What, learned: &Learned) -> Vec<String> {
    let mut assumptions = learned.assumptions();
    if subject.declaration().claim == Some(Claim::Whatwg) {
        assumptions.push(
            "the states of the URL Standard were not learned, only those of RFC 3986 and of what the subject accepts or rejects \
             otherwise than the standard"
                .to_owned(),
        );
    }
    if what == What::Components {
        assumptions.push(format!(
            "of what it tells ({}) nothing more is meant than whether it is there, whether it is empty, the kind of the host \
             and how the path begins: the texts were not compared",
            exposed_names(subject.declaration())
        ));
    }
    assumptions
}

/// Schemes that parsers treat apart.
const SCHEMES: [&str; 10] = [
    "http",
    "https",
    "ws",
    "wss",
    "ftp",
    "file",
    "data",
    "mailto",
    "urn",
    "javascript",
];

/// The transition cover of the component machine, with other schemes too, and the vectors' strings to parse.
fn given(machines: &Machines) -> Vec<String> {
    let components = machines.components_of_text();
    let suites = Suites::new(components.machine());
    let cover = suites.suite(Method::TransitionCover, Alphabet::Representatives);
    let mut given: Vec<String> = cover.map(|symbols| components.decode(&symbols)).collect();
    let behind: Vec<String> = given.iter().filter_map(|word| Some(word.strip_prefix("a:")?.to_owned())).collect();
    for scheme in SCHEMES {
        given.extend(behind.iter().map(|rest| format!("{scheme}:{rest}")));
    }
    let library = Library::embedded();
    given.extend(library.vectors().filter_map(|vector| match &vector.input {
        Input::Parse { input, .. } => Some(input.clone()),
        _ => None,
    }));
    given
}

/// Whether strings that match a rule have the components of a URI-reference.
pub fn has_components(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::UriReference | Rule::Uri | Rule::AbsoluteUri | Rule::RelativeRef
    )
}

#[cfg(test)]
mod tests {
    use super::LongString;

    #[test]
    fn long_strings_are_stored_in_little_space() {
        for (text, stored) in [
            ("//h:65536".to_owned(), 9),
            (format!("a:/{}b", "/a".repeat(70_000)), 100),
            ("x".repeat(201), 100),
            (format!("{}yz", "ab".repeat(150)), 100),
            (
                (0..300).map(|at| char::from(b'a' + (at * at % 17) as u8)).collect(),
                300,
            ),
        ] {
            let long = LongString::of(&text);
            assert_eq!(long.text(), text);
            assert!(serde_json::to_string(&long).unwrap().len() <= stored + 60, "{long:?}");
        }
    }
}
