//! How the WHATWG URL Standard parses a string: the states of its parser, the validation errors, and the URL.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use uriproof::expect::whatwg::expect;
use uriproof::model::{Fitted, Input, OneLine, Outcome, Quoted, Value};
use whatwg_url_reference::code_points::is_forbidden_domain_code_point;
use whatwg_url_reference::domain::{DomainStrictness, domain_parser_to_ascii};
use whatwg_url_reference::origin::origin;
use whatwg_url_reference::parser::{BasicUrlParse, basic_url_parser, parse_traced};
use whatwg_url_reference::percent::percent_decode;
use whatwg_url_reference::record::UrlRecord;
use whatwg_url_reference::serializer::{UrlFragment, serialize, serialize_path};
use whatwg_url_reference::trace::{UrlState, UrlStateRun};
use whatwg_url_reference::validation::ValidationError;

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// The longest input, in bytes, of which the states are shown.
const TRACED: usize = 4096;

/// How many columns a text has.
const COLUMNS: usize = 40;

/// Where the standard is.
const STANDARD: &str = "https://url.spec.whatwg.org/";

/// How a string is parsed, and what comes of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UrlExplanation {
    /// The string.
    pub input: String,
    /// The base URL, as it was given.
    pub base: Option<String>,
    /// Whether the base is no URL: then the string is not parsed, and the validation errors are those of the base.
    pub is_base_refused: bool,
    /// The URL, serialized; `None` is failure.
    pub href: Option<String>,
    /// The parts of the URL, by the standard's names, and its origin.
    pub parts: Vec<UrlPart>,
    /// The states in which the parser was, in their order; empty for an input of over 4,096 bytes, and if the base is refused.
    pub states: Vec<UrlStateText>,
    /// The validation errors, in the order in which they were found.
    pub errors: Vec<UrlErrorText>,
    /// The step of the domain parser that returns failure, where that is why there is no URL; it has no validation error of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain_failure: Option<String>,
}

/// A part of a URL that is not null.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UrlPart {
    /// The standard's name of it.
    pub name: &'static str,
    /// Its text.
    pub text: String,
}

/// A state, and the input between its beginning and that of the next one; empty where the pointer goes back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UrlStateText {
    /// The standard's name of the state.
    pub state: &'static str,
    /// The link to it.
    pub link: String,
    /// The byte offset in the input at which the state begins.
    pub offset: usize,
    /// The input from there to where the next state begins.
    pub text: String,
}

/// A validation error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UrlErrorText {
    /// The standard's name of it.
    pub name: &'static str,
    /// The link to it.
    pub link: String,
    /// Its byte offset in the input.
    pub offset: usize,
}

impl UrlExplanation {
    /// How the string is parsed, against a base if there is one.
    pub fn of(input: &str, base: Option<&str>) -> UrlExplanation {
        let parsed_base = base.map(|base| basic_url_parser(base, None));
        let (parse, runs) = match &parsed_base {
            // Without a base URL there is no URL; the validation errors are those of the base.
            Some(BasicUrlParse { url: None, .. }) => (basic_url_parser(base.unwrap_or_default(), None), Vec::new()),
            _ => {
                let base = parsed_base.as_ref().and_then(|base| base.url.as_ref());
                match input.len() > TRACED {
                    true => (basic_url_parser(input, base), Vec::new()),
                    false => {
                        let traced = parse_traced(input, base);
                        (traced.parse, traced.runs)
                    }
                }
            }
        };
        let is_domain = parse.errors.iter().any(|found| found.error == ValidationError::DomainToAscii);
        let domain_failure = runs.last().filter(|_| parse.url.is_none() && is_domain).and_then(domain_failure);
        UrlExplanation {
            domain_failure,
            input: input.to_owned(),
            base: base.map(str::to_owned),
            is_base_refused: matches!(parsed_base, Some(BasicUrlParse { url: None, .. })),
            href: parse.url.as_ref().map(|url| serialize(url, UrlFragment::Included)),
            parts: parse.url.as_ref().map(parts).unwrap_or_default(),
            states: states(input, &runs),
            errors: parse
                .errors
                .iter()
                .map(|one| UrlErrorText {
                    name: one.error.name(),
                    link: format!("{STANDARD}{}", one.error.anchor()),
                    offset: one.offset,
                })
                .collect(),
        }
    }

    /// How each string of an input is parsed: the reference against its base; of a setter the URL before it, and the URL that it leaves.
    pub fn of_input(input: &Input) -> Vec<UrlExplanation> {
        let alone = |text: &str| UrlExplanation::of(text, None);
        match input {
            Input::Parse { input, .. } => vec![alone(input)],
            Input::Resolve { base, reference, .. } => vec![UrlExplanation::of(reference, Some(base))],
            Input::Normalize { uri, .. } | Input::RoundTrip { uri } => vec![alone(uri)],
            Input::Equivalent { left, right, .. } | Input::Contract { left, right } => vec![alone(left), alone(right)],
            Input::Modify { uri, .. } => match expect(input).literal() {
                Outcome::Accepted {
                    value: Value::Uri(left),
                } => vec![alone(uri), alone(&left)],
                _ => vec![alone(uri)],
            },
            // The standard has no answer to these.
            Input::Compose { .. } | Input::Relativize { .. } => Vec::new(),
        }
    }

    /// As text for a terminal.
    pub fn human(&self) -> String {
        let mut text = match &self.href {
            Some(href) => format!("{GOOD}accepted{GOOD:#}: the URL {}\n", Quoted(href)),
            None => {
                let (whose, refused) = match &self.base {
                    Some(base) if self.is_base_refused => ("the base ", base),
                    _ => ("", &self.input),
                };
                format!(
                    "{BAD}failure{BAD:#}: {whose}{} is no URL by the WHATWG URL Standard\n",
                    Quoted(refused)
                )
            }
        };
        let mut line = |words: String| writeln!(text, "{words}").expect("writes to a string");
        for part in &self.parts {
            line(format!("  {:10} {}", part.name, Quoted(&part.text)));
        }
        if !self.states.is_empty() {
            line(format!("\n{BOLD}states{BOLD:#}"));
        }
        if self.input.len() > TRACED {
            line(format!(
                "\n{FAINT}the states are not shown for an input of over {TRACED} bytes{FAINT:#}"
            ));
        }
        let width = self.states.iter().map(|one| one.state.len()).max().unwrap_or_default();
        for one in &self.states {
            line(format!(
                "  {:width$}  {FAINT}{:3}{FAINT:#}  {}",
                one.state,
                one.offset,
                Fitted(&one.text, COLUMNS)
            ));
        }
        if !self.errors.is_empty() {
            let remark = if self.href.is_some() {
                ", which alone do not reject"
            } else {
                ""
            };
            line(format!("\n{BOLD}validation errors{BOLD:#}{remark}"));
        }
        let of_base = if self.is_base_refused { " of the base" } else { "" };
        for one in &self.errors {
            line(format!(
                "  {} at byte {}{of_base}\n    {FAINT}{}{FAINT:#}",
                one.name,
                one.offset,
                OneLine(&one.link)
            ));
        }
        if let Some(failure) = &self.domain_failure {
            line(format!(
                "\n{BOLD}failure{BOLD:#}: {failure}\n    {FAINT}{STANDARD}#concept-domain-to-ascii{FAINT:#}"
            ));
        }
        text
    }
}

/// Returns the step of the domain parser that fails on the buffer of the last run, if that is of a state with a host, and one fails.
fn domain_failure(last: &UrlStateRun) -> Option<String> {
    let is_of_host = matches!(last.state, UrlState::Host | UrlState::Hostname | UrlState::FileHost);
    if !is_of_host || last.buffer.starts_with('[') {
        return None;
    }
    let bytes = percent_decode(last.buffer.as_bytes());
    let domain = String::from_utf8_lossy(&bytes);
    let ascii = match domain.is_ascii() {
        true => domain.to_ascii_lowercase(),
        false => match domain_parser_to_ascii(&domain, DomainStrictness::Relaxed) {
            Some(ascii) => ascii,
            None => return Some("step 6.2 of the domain parser, ToASCII fails".to_owned()),
        },
    };
    let forbidden = ascii.chars().find(|one| is_forbidden_domain_code_point(*one));
    match forbidden {
        Some(one) => Some(format!(
            "step 8 of the domain parser, U+{:04X} ({}) is a forbidden domain code point",
            u32::from(one),
            one.escape_default()
        )),
        None if ascii.is_empty() => Some("step 7 of the domain parser, the domain is empty".to_owned()),
        None => None,
    }
}

/// The parts of a URL that are not null or empty, in the standard's order, and its origin.
fn parts(url: &UrlRecord) -> Vec<UrlPart> {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let parts = [
        ("scheme", Some(url.scheme().to_owned())),
        ("username", some(url.username())),
        ("password", some(url.password())),
        ("host", url.host().map(ToString::to_string)),
        ("port", url.port().map(|port| port.to_string())),
        ("path", Some(serialize_path(url))),
        ("query", url.query().map(str::to_owned)),
        ("fragment", url.fragment().map(str::to_owned)),
        ("origin", Some(origin(url).to_string())),
    ];
    parts.into_iter().filter_map(|(name, text)| Some(UrlPart { name, text: text? })).collect()
}

/// The states in their order, runs of one state together.
fn states(input: &str, runs: &[UrlStateRun]) -> Vec<UrlStateText> {
    let mut begins: Vec<&UrlStateRun> = Vec::new();
    for run in runs {
        if begins.last().is_none_or(|last| last.state != run.state) {
            begins.push(run);
        }
    }
    let ends = begins.iter().skip(1).map(|next| next.offset).chain([input.len()]);
    let states = begins.iter().zip(ends).map(|(begin, end)| UrlStateText {
        state: begin.state.name(),
        link: format!("{STANDARD}{}", begin.state.anchor()),
        offset: begin.offset,
        // The pointer may go back.
        text: input.get(begin.offset..end).unwrap_or_default().to_owned(),
    });
    states.collect()
}
