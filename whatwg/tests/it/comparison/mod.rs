//! The comparison with another implementation, and the rules that explain what differs.

pub(crate) mod attributes;
pub(crate) mod generate;
pub(crate) mod rules;

use std::collections::BTreeMap;
use std::env;

use whatwg_url_reference::api::UrlObject;
use whatwg_url_reference::parser::{basic_url_parser, parse_traced};
use whatwg_url_reference::record::UrlRecord;
use whatwg_url_reference::trace::UrlStateRun;
use whatwg_url_reference::validation::ValidationError;

use attributes::{get, set};
use generate::{Generated, Generator};

/// A URL as the API's getters have it; `None` is failure.
pub(crate) type Answer = Option<[String; 10]>;

/// The attributes of an answer.
pub(crate) const ATTRIBUTES: [&str; 10] = [
    "href", "origin", "protocol", "username", "password", "host", "port", "pathname", "search", "hash",
];

const HOST: usize = 5;
const PATHNAME: usize = 7;

/// Where the path begins in `href`.
fn path_start(href: &str, pathname: &str) -> usize {
    let end = href.find(['?', '#']).unwrap_or(href.len());
    end - pathname.len()
}

/// The reference's answer for an object.
pub(crate) fn answer_of(url: &UrlObject) -> Answer {
    Some(ATTRIBUTES.map(|attribute| get(url, attribute)))
}

/// What an implementation does with one input: it parses it, then calls the setter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Behaviour {
    pub(crate) parsed: Answer,
    pub(crate) set: Answer,
}

/// What the reference does.
pub(crate) fn reference(case: &Generated) -> Behaviour {
    let mut url = UrlObject::parse(&case.input, case.base.as_deref());
    let parsed = url.as_ref().and_then(answer_of);
    let set = url.as_mut().and_then(|url| {
        set(url, case.setter, &case.value);
        answer_of(url)
    });
    Behaviour { parsed, set }
}

/// A difference that is known.
pub(crate) struct Rule {
    /// What the other implementation does.
    pub(crate) name: &'static str,
    /// Where it is described.
    pub(crate) link: &'static str,
    /// Makes the answers the same as far as the rule explains how they differ.
    pub(crate) erase: fn(&mut Difference<'_>),
}

/// An input for which the reference and another implementation differ.
#[derive(Clone, Debug)]
pub(crate) struct Difference<'a> {
    pub(crate) case: &'a Generated,
    /// The reference's answer to the parse, where the setter makes the difference; then the parses are the same.
    pub(crate) before: Option<&'a Answer>,
    pub(crate) ours: Answer,
    pub(crate) theirs: Answer,
    /// Whether the input has a code point that alone has another host in the other implementation.
    pub(crate) has_other_code_point: bool,
}

impl Difference<'_> {
    /// How many attributes differ; failure differs in one more than there are.
    fn count(&self) -> usize {
        match (&self.ours, &self.theirs) {
            (None, None) => 0,
            (Some(ours), Some(theirs)) => ours.iter().zip(theirs).filter(|(ours, theirs)| ours != theirs).count(),
            _ => ATTRIBUTES.len() + 1,
        }
    }

    /// Replaces the text of the path, in `pathname` and in `href`, of each answer that is no failure.
    pub(crate) fn replace_path(&mut self, replacement: impl Fn(&str) -> String) {
        for answer in [&mut self.ours, &mut self.theirs].into_iter().flatten() {
            let to = replacement(&answer[PATHNAME]);
            let start = path_start(&answer[0], &answer[PATHNAME]);
            answer[0].replace_range(start..start + answer[PATHNAME].len(), &to);
            answer[PATHNAME] = to;
        }
    }

    /// Removes the host, in `host` and in `href`, of each answer that is no failure.
    pub(crate) fn remove_host(&mut self) {
        for answer in [&mut self.ours, &mut self.theirs].into_iter().flatten() {
            answer[0] = answer[0].replacen(&format!("//{}", answer[HOST]), "//", 1);
            answer[HOST].clear();
        }
    }

    /// Removes the dot before the path in `href` of each answer that is no failure, if this makes them the same.
    pub(crate) fn remove_dot(&mut self) {
        let without = |answer: &Answer| {
            let mut answer = answer.clone()?;
            let start = path_start(&answer[0], &answer[PATHNAME]);
            if answer[0][..start].ends_with("/.") {
                answer[0].replace_range(start - 2..start, "");
            }
            Some(answer)
        };
        if without(&self.ours) == self.theirs || self.ours == without(&self.theirs) {
            self.accept();
        }
    }

    /// What is parsed: the input and its base, or what the setter of `href` is called with.
    fn parsed(&self) -> Option<(&str, Option<UrlRecord>)> {
        match self.before {
            None => Some((
                &self.case.input,
                self.case.base.as_deref().and_then(|base| basic_url_parser(base, None).url),
            )),
            Some(_) => (self.case.setter == "href").then_some((&*self.case.value, None)),
        }
    }

    /// Whether the reference's parse has a run of a state that is as `is_it` says of the base and of the run.
    pub(crate) fn has_run(&self, is_it: impl Fn(Option<&UrlRecord>, &UrlStateRun) -> bool) -> bool {
        self.parsed().is_some_and(|(input, base)| {
            parse_traced(input, base.as_ref()).runs.iter().any(|run| is_it(base.as_ref(), run))
        })
    }

    /// The last validation error of the reference's parse, where that is a failure, and what is at it.
    pub(crate) fn failure(&self) -> Option<(ValidationError, &str)> {
        let (input, base) = self.parsed()?;
        let parse = basic_url_parser(input, base.as_ref());
        let last = parse.errors.last().filter(|_| parse.url.is_none())?;
        Some((last.error, &input[last.offset..]))
    }

    /// The value that the setter is called with, without tabs and newlines, if the setter of one of `attributes` makes the difference.
    pub(crate) fn set_to(&self, attributes: &[&str]) -> Option<String> {
        let is_one = self.before.is_some() && attributes.contains(&self.case.setter);
        is_one.then(|| self.case.value.replace(['\t', '\n', '\r'], ""))
    }

    /// The attribute before the setter was called; empty for failure.
    pub(crate) fn previous(&self, attribute: &str) -> &str {
        self.before.map_or("", |before| self::attribute(before, attribute))
    }

    /// Accepts the other implementation's answer.
    pub(crate) fn accept(&mut self) {
        self.theirs = self.ours.clone();
    }

    /// The reference's value of an attribute; empty for failure.
    pub(crate) fn our(&self, attribute: &str) -> &str {
        self::attribute(&self.ours, attribute)
    }

    /// The other implementation's value of an attribute; empty for failure.
    pub(crate) fn their(&self, attribute: &str) -> &str {
        self::attribute(&self.theirs, attribute)
    }

    fn show(&self) -> String {
        let Generated {
            input,
            base,
            setter,
            value,
        } = self.case;
        let called = self.before.map(|before| format!(" = {:?}, {setter} set to {value:?}", attribute(before, "href")));
        let (ours, theirs) = match (&self.ours, &self.theirs) {
            (Some(ours), Some(theirs)) => {
                let differ: Vec<_> = (0..ATTRIBUTES.len()).filter(|&at| ours[at] != theirs[at]).collect();
                let of =
                    |answer: &[String; 10]| differ.iter().map(|&at| answer[at].clone()).collect::<Vec<_>>().join(" ");
                (of(ours), of(theirs))
            }
            _ => (self.our("href").to_owned(), self.their("href").to_owned()),
        };
        format!(
            "{input:?} against {base:?}{}: ours {ours:?}, theirs {theirs:?}",
            called.unwrap_or_default()
        )
    }
}

fn attribute<'a>(answer: &'a Answer, name: &str) -> &'a str {
    let at = ATTRIBUTES.iter().position(|known| *known == name).unwrap();
    answer.as_ref().map_or("", |answer| &answer[at])
}

/// Whether the version of another implementation is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    /// `Cargo.lock` has it.
    Known,
    /// It is the one that is installed.
    Any,
}

/// How often each rule explains a difference, and the differences without one.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) parses: usize,
    pub(crate) setters: usize,
    different: usize,
    crashes: usize,
    explained: BTreeMap<&'static str, usize>,
    unexplained: Vec<String>,
}

impl Tally {
    /// Compares what the reference does with what another implementation does. A setter is compared where the parses are the same.
    pub(crate) fn compare(&mut self, case: &Generated, theirs: Behaviour, has_other_code_point: bool, rules: &[Rule]) {
        let ours = reference(case);
        self.parses += 1;
        let is_same_parse = ours.parsed == theirs.parsed;
        self.setters += usize::from(is_same_parse && ours.parsed.is_some());
        let mut difference = match is_same_parse {
            false => Difference {
                case,
                before: None,
                ours: ours.parsed,
                theirs: theirs.parsed,
                has_other_code_point,
            },
            true => Difference {
                case,
                before: Some(&ours.parsed),
                ours: ours.set,
                theirs: theirs.set,
                has_other_code_point,
            },
        };
        if difference.count() == 0 {
            return;
        }
        self.different += 1;
        let whole = difference.clone();
        for rule in rules {
            let mut erased = difference.clone();
            (rule.erase)(&mut erased);
            if erased.count() < difference.count() {
                *self.explained.entry(rule.name).or_default() += 1;
            }
            difference = erased;
        }
        if difference.count() > 0 {
            self.unexplained.push(whole.show());
        }
    }

    /// Counts an input that ends the other implementation's process, and returns whether it is one of a few.
    pub(crate) fn crash(&mut self) -> bool {
        self.crashes += 1;
        self.crashes <= 100
    }

    /// Prints the figures, and panics if a difference has no rule, or a rule explains none of a million inputs of a known version.
    pub(crate) fn conclude(&self, other: &str, version: Version, rules: &[Rule]) {
        println!(
            "{other}: {} parses and {} setters compared, {} differ; {} crashes",
            self.parses, self.setters, self.different, self.crashes
        );
        for rule in rules {
            let count = self.explained.get(rule.name).copied().unwrap_or(0);
            println!("{count:>8} {} ({})", rule.name, rule.link);
        }
        println!("{:>8} unexplained", self.unexplained.len());
        let mut shown = self.unexplained.clone();
        shown.sort_by_key(String::len);
        shown.truncate(40);
        assert!(shown.is_empty(), "{other} differs without a rule: {shown:#?}");
        let idle: Vec<_> =
            rules.iter().filter(|rule| !self.explained.contains_key(rule.name)).map(|rule| rule.name).collect();
        let may_be_idle = version == Version::Any || other_seed().is_some() || self.parses < 1_000_000;
        assert!(
            idle.is_empty() || may_be_idle,
            "no difference is explained by {idle:#?}"
        );
    }
}

fn other_seed() -> Option<u64> {
    env::var("URIPROOF_SEED").ok()?.parse().ok()
}

/// The inputs of a run, always the same; others for another number in the variable `URIPROOF_SEED`.
pub(crate) fn generated(count: usize) -> impl Iterator<Item = Generated> {
    let mut generator = Generator::new(other_seed().unwrap_or(0x7768_6174_7767));
    (0..count).map(move |_| generator.next())
}
