//! `uriproof check --command … --probe`: does an adapter keep to the line protocol?

mod exchange;

use std::fmt::Write as _;
use std::time::Instant;

use serde::Serialize;
use uriproof::ask::ask;
use uriproof::compare::own_rule;
use uriproof::gate::Claim;
use uriproof::model::{
    Component, Declaration, Input, Observed, OneLine, Operation, Outcome, Reported, Rule, Rung, Scope, Specification,
    Subject, Value,
};
use uriproof::protocol::client::{Client, Limits};
use uriproof::repeat::{self, Put, Unrepeated};
use uriproof::split::{self, UserinfoEnd};

use self::exchange::ProbeExchange;
use crate::cli::check::CheckFormat;
use crate::cli::columns::print_in_columns;
use crate::cli::command::RunSelection;
use crate::cli::{Finding, RunError, print, print_json, warden};

/// One thing that was tried.
#[derive(Serialize)]
struct ProbeRow {
    command: String,
    check: String,
    result: How,
    said: String,
    /// Where an answer breaks the protocol.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    exchange: Option<ProbeExchange>,
}

/// How it went.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum How {
    Ok,
    /// It keeps to the protocol, but the author will want to know.
    Note,
    Wrong,
}

pub(crate) fn run(selection: &RunSelection, format: CheckFormat) -> Result<Finding, RunError> {
    let commands = &selection.commands;
    if !matches!(format, CheckFormat::Human | CheckFormat::Json) {
        return Err("--probe prints as human or json".to_owned());
    }
    warden::start()?;
    let mut tried = Vec::new();
    for (line, words) in commands.lines().iter().zip(commands.words()?) {
        let mut probe = CommandProbe {
            line,
            tried: &mut tried,
        };
        let since = Instant::now();
        match Client::start(&words, commands.limits()) {
            Ok(client) => {
                probe.start(since.elapsed().as_secs(), commands.limits());
                probe.all(&client);
            }
            Err(problem) => probe.say_death("hello", (How::Wrong, problem), None),
        }
    }
    let is_wrong = tried.iter().any(|one| one.result == How::Wrong);
    match format {
        CheckFormat::Json => print_json(&tried)?,
        _ => {
            let again = format!("uriproof check{}{}", commands.flags(), selection.specification_flag());
            let next = match is_wrong {
                true => format!("\nnext: correct the adapter, and probe it again:\n  {again} --probe\n"),
                false => format!("\nnext: compare the library:\n  {again}\n"),
            };
            print_in_columns(&human(&tried))?;
            print(&next)?;
        }
    }
    Ok(if is_wrong {
        Finding::Unexpected
    } else {
        Finding::Expected
    })
}

/// A line for each thing that was tried. An exchange is printed once, however often it shows.
fn human(tried: &[ProbeRow]) -> String {
    let mut text = String::new();
    for (at, one) in tried.iter().enumerate() {
        let how = match one.result {
            How::Ok => "ok  ",
            How::Note => "note",
            How::Wrong => "FAIL",
        };
        let is_same = |before: &&ProbeRow| {
            (&before.command, &before.said) == (&one.command, &one.said) && before.exchange.is_some()
        };
        let before = tried[..at].iter().find(is_same);
        let mut said = one.said.lines().map(OneLine);
        let (first, exchange) = match (before, &one.exchange) {
            (Some(before), _) => (format!("as `{}`", before.check), Vec::new()),
            (None, exchange) => {
                let first = said.next().map(|line| line.to_string()).unwrap_or_default();
                (first, exchange.as_ref().map(ProbeExchange::lines).unwrap_or_default())
            }
        };
        writeln!(text, "{how}  {}  {first}", one.check).expect("writes to a string");
        let more = said.map(|line| line.to_string()).filter(|_| before.is_none());
        for line in more.chain(exchange) {
            writeln!(text, "{line}").expect("writes to a string");
        }
    }
    text
}

struct CommandProbe<'t> {
    line: &'t str,
    tried: &'t mut Vec<ProbeRow>,
}

/// Nothing but a scheme and a path.
const LEAST: &str = "a:/b";

/// Every component.
const FULL: &str = "http://user@example.com:8080/a/b?c#d";

impl CommandProbe<'_> {
    fn say(&mut self, check: &str, result: How, said: impl Into<String>) {
        self.tried.push(ProbeRow {
            command: self.line.to_owned(),
            check: check.to_owned(),
            result,
            said: said.into(),
            exchange: None,
        });
    }

    /// Says why there is no answer to an input, or to `hello`: with the exchange, if the answer breaks the protocol.
    fn say_death(&mut self, check: &str, (result, reason): (How, String), input: Option<&Input>) {
        match ProbeExchange::of(&reason, input).filter(|_| result == How::Wrong) {
            None => self.say(check, result, reason),
            Some((said, exchange)) => self.tried.push(ProbeRow {
                command: self.line.to_owned(),
                check: check.to_owned(),
                result,
                said,
                exchange: Some(exchange),
            }),
        }
    }

    fn start(&mut self, seconds: u64, limits: Limits) {
        if seconds >= limits.time.as_secs() {
            let said = format!(
                "it takes {seconds} s, and as long again after each crash; an answer may take {} s, the start {} s",
                limits.time.as_secs(),
                limits.start.as_secs()
            );
            self.say("start", How::Note, said);
        }
    }

    fn all(&mut self, client: &Client) {
        let declaration = client.declaration();
        let operations: Vec<&str> = declaration.operations.iter().map(|operation| operation.name()).collect();
        let said = format!(
            "{declaration} ({}), {}, {}",
            declaration.language,
            declaration.specification,
            operations.join(", ")
        );
        self.say("hello", How::Ok, said);
        let is_claim = |name: &str| Claim::of(declaration).is_some_and(|claim| claim.name().eq_ignore_ascii_case(name));
        if let Specification::Other(name) = &declaration.specification
            && !is_claim(name)
        {
            let said = format!(
                "`{name}` is none of RFC 3986, RFC 3987, HTTP, WHATWG URL, zone-id, rfc5952, request-target: it is compared by \
                 RFC 3986"
            );
            self.say("specification", How::Note, said);
        }
        if declaration.operations.is_empty() {
            self.say("operations", How::Wrong, "there are none: nothing can be compared");
            return;
        }
        let answered: Vec<bool> =
            declaration.operations.iter().map(|operation| self.operation(client, *operation)).collect();
        if !answered.contains(&true) {
            self.say(
                "operations",
                How::Wrong,
                "none is accepted or rejected: nothing can be compared",
            );
        }
        if declaration.operations.contains(&Operation::Parse) {
            self.null_or_missing(client);
        }
        self.order(client);
        self.hard_texts(client);
        self.repeats(client);
        if client.late() > 0 {
            let said = format!(
                "{} answers were late, and came in time when they were waited for alone",
                client.late()
            );
            self.say("time", How::Note, said);
        }
        match client.lost() {
            Some(reason) => self.say("restarts", How::Wrong, reason),
            None => self.say("restarts", How::Ok, "it answers to the end"),
        }
    }

    /// A plain question, which is to be answered. Returns whether it is: accepted or rejected.
    fn operation(&mut self, client: &Client, operation: Operation) -> bool {
        let input = plain(operation, client.declaration(), FULL);
        let outcome = ask(client, &input);
        let is_answer = |outcome: &Outcome| outcome.is_accepted().is_some();
        let is_answered =
            is_answer(&outcome) || is_answer(&ask(client, &plain(operation, client.declaration(), LEAST)));
        let said = match outcome {
            outcome @ Outcome::Accepted { .. } => (How::Ok, outcome.to_string()),
            // A library may have its reasons, and the vectors will tell.
            outcome @ (Outcome::Rejected { .. } | Outcome::Unsupported { .. }) => (How::Note, outcome.to_string()),
            outcome @ (Outcome::Crashed { .. } | Outcome::TimedOut { .. }) => died(client, &outcome),
        };
        self.say_death(operation.name(), said, Some(&input));
        is_answered
    }

    /// A key that is missing is not compared, and `null` is undefined: the same keys are to be there whatever the input.
    fn null_or_missing(&mut self, client: &Client) {
        let declared = client.declaration();
        let rule = own_rule(client.declaration());
        let parsed = |text: &str| match client.parse(rule, text) {
            Outcome::Accepted {
                value: Value::Components(components),
            } => Some(components),
            _ => None,
        };
        let (Some(full), Some(least)) = (parsed(FULL).or_else(|| parsed("http://example.com/a?c")), parsed(LEAST))
        else {
            let said = format!("it does not accept both \"{FULL}\" and \"{LEAST}\": nothing to compare");
            self.say("components", How::Note, said);
            return;
        };
        let of = |components: &Observed, reported: fn(&Reported<&str>) -> bool| -> Vec<&str> {
            let all = Component::ALL.into_iter().filter(|component| reported(&components.text(*component)));
            all.map(Component::name).collect()
        };
        let untold = of(&full, |reported| *reported == Reported::Nothing);
        let undeclared: Vec<&str> = Component::ALL
            .into_iter()
            .filter(|one| declared.fidelity(*one).is_none() && !full.text(*one).is_nothing())
            .map(Component::name)
            .collect();
        if !undeclared.is_empty() {
            let said = format!(
                "reported, but not in the `tells` of hello, and not compared: {}",
                undeclared.join(", ")
            );
            self.say("components", How::Wrong, said);
        }
        if !untold.is_empty() {
            let said = format!("not reported, and not compared: {}", untold.join(", "));
            self.say("components", How::Note, said);
        }
        let missing: Vec<&str> = of(&least, |reported| *reported == Reported::Nothing)
            .into_iter()
            .filter(|name| !untold.contains(name))
            .collect();
        let empty: Vec<&str> = of(&least, |reported| *reported == Reported::Defined(""));
        match (missing.as_slice(), empty.as_slice()) {
            ([], []) => self.say("null", How::Ok, format!("what is undefined in \"{LEAST}\" is `null`")),
            ([], empty) => {
                let said = format!(
                    "in \"{LEAST}\" {} came as \"\", which is `defined and empty`: `null` if the library can tell, no key if it cannot",
                    empty.join(", ")
                );
                self.say("null", How::Note, said);
            }
            (missing, _) => {
                let said = format!(
                    "{} are reported of \"{FULL}\", and their keys are missing in \"{LEAST}\": undefined is `null`, a missing key is not compared",
                    missing.join(", ")
                );
                self.say("null", How::Wrong, said);
            }
        }
    }

    /// Many questions before the first answer is read.
    fn order(&mut self, client: &Client) {
        const COUNT: usize = 100;
        let operation = client.declaration().operations[0];
        let inputs: Vec<Input> =
            (0..COUNT).map(|at| plain(operation, client.declaration(), &format!("http://example.com/{at}"))).collect();
        let first = inputs[0].clone();
        match client.pipeline(inputs) {
            Ok(outcomes) => self.say(
                "order",
                How::Ok,
                format!("{} questions at once, answered in order", outcomes.len()),
            ),
            Err(problem) => self.say_death("order", (How::Wrong, problem), Some(&first)),
        }
    }

    /// A sample of inputs, twice: the second time in the reversed order. Every answer is to be the same.
    fn repeats(&mut self, client: &Client) {
        /// For how many answers the calls are searched that show them.
        const SEARCHED: usize = 3;
        const CHECK: &str = "repeat";
        let declaration = client.declaration();
        let of_text = |text| declaration.operations.iter().map(move |operation| plain(*operation, declaration, text));
        let mut sample: Vec<Input> = SAMPLE.into_iter().flat_map(of_text).collect();
        // What does not hold the text is the same for all.
        sample.dedup();
        client.start_anew();
        let once: Vec<Outcome> = sample.iter().map(|input| ask(client, input)).collect();
        let mut again: Vec<Outcome> = sample.iter().rev().map(|input| ask(client, input)).collect();
        again.reverse();
        // Of an adapter that was given up no more is known, which `restarts` says.
        if client.lost().is_some() {
            return;
        }
        let different: Vec<usize> = (0..sample.len()).filter(|&at| !repeat::is_same(&once[at], &again[at])).collect();
        if different.is_empty() {
            let said = format!(
                "{} inputs put twice, the second time in reversed order, have the same answers",
                sample.len()
            );
            self.say(CHECK, How::Ok, said);
            return;
        }
        for &at in different.iter().take(SEARCHED) {
            let later: Vec<Input> = sample.iter().chain(sample[at + 1..].iter().rev()).cloned().collect();
            let found = unrepeated(client, &sample[at], (&once[at], &sample[..at]), (&again[at], &later));
            let head = format!("does not repeat: {} {}", sample[at].operation(), sample[at]);
            let lines = found.lines().into_iter().map(|(name, line)| format!("{name:8}  {line}"));
            let said: Vec<String> = [head].into_iter().chain(lines).collect();
            self.say(CHECK, How::Wrong, said.join("\n        "));
        }
        if let Some(more) = different.len().checked_sub(SEARCHED).filter(|more| *more > 0) {
            self.say(
                CHECK,
                How::Wrong,
                format!("does not repeat: {more} inputs more of {}", sample.len()),
            );
        }
    }

    /// Texts that are hard to carry: each is to be answered, by whatever outcome.
    fn hard_texts(&mut self, client: &Client) {
        let operation = client.declaration().operations[0];
        let long = format!("http://example.com/{}", "a".repeat(1 << 20));
        for (check, text) in [
            ("control characters", "a:\u{0}\u{1}\t\r\n\u{1b}\u{7f}\u{85}\u{2028}"),
            ("quotes and backslashes", "a:\"\\\"\\u0041'`$(x)"),
            ("beyond the BMP", "a:\u{e9}\u{feff}\u{1f600}\u{10ffff}"),
            ("an empty text", ""),
            ("a mebibyte", &long),
        ] {
            let input = plain(operation, client.declaration(), text);
            let said = match ask(client, &input) {
                // The library may be slow, or the machine: the text was carried.
                outcome @ Outcome::TimedOut { .. } if text.len() > 1000 => {
                    (How::Note, format!("{outcome}; --time-limit allows more"))
                }
                outcome @ (Outcome::Crashed { .. } | Outcome::TimedOut { .. }) => died(client, &outcome),
                outcome if text.len() > 1000 => (How::Ok, outcome.name().to_owned()),
                outcome => (How::Ok, outcome.to_string()),
            };
            self.say_death(check, said, Some(&input));
        }
    }
}

/// What is said of a crash or a late answer. A process that answers `crashed` itself keeps to the protocol, and lives on.
fn died(client: &Client, outcome: &Outcome) -> (How, String) {
    match client.is_running() {
        true => (
            How::Note,
            format!("{outcome}; the adapter answers that itself, and goes on"),
        ),
        false => match outcome {
            // Whole, with the line that came.
            Outcome::Crashed { reason } if reason.starts_with("broke the protocol: ") => (How::Wrong, reason.clone()),
            _ => (How::Wrong, outcome.to_string()),
        },
    }
}

/// Texts that are put to every operation, twice.
const SAMPLE: [&str; 12] = [
    LEAST,
    FULL,
    "",
    "http://example.com/a/b?c#d",
    "http://user:secret@example.com/",
    "//example.com:80/a",
    "../a/./b",
    "?a",
    "HTTP://EXAMPLE.com/%7Ea/../b",
    "http://[::1]:8080/",
    "http://a/[",
    "a:%zz",
];

/// How the two answers to an input differ. `earlier` and `later` are the calls before the first answer and before the second. What a
/// new process answers is what it should be.
fn unrepeated(
    client: &Client,
    input: &Input,
    (first, earlier): (&Outcome, &[Input]),
    (second, later): (&Outcome, &[Input]),
) -> Unrepeated {
    client.start_anew();
    let fresh = ask(client, input);
    let (odd, before) = match repeat::is_same(first, &fresh) {
        true => (second, later),
        false => (first, earlier),
    };
    client.start_anew();
    let put = || {
        let outcome = ask(client, input);
        let diverges = !repeat::is_same(&outcome, &fresh);
        Put { outcome, diverges }
    };
    repeat::examine(client, input, odd, before, &put, &|| client.lost().is_some()).unwrap_or_else(|| Unrepeated {
        input: input.clone(),
        first: first.clone(),
        again: second.clone(),
        fresh: Some(fresh.clone()),
        sequence: None,
    })
}

/// A question about a text.
fn plain(operation: Operation, declaration: &Declaration, text: &str) -> Input {
    let text = || text.to_owned();
    match operation {
        Operation::Parse => Input::Parse {
            rule: own_rule(declaration),
            input: match own_rule(declaration) {
                Rule::AbsoluteUri => text().split('#').next().unwrap_or_default().to_owned(),
                _ => text(),
            },
        },
        Operation::Resolve => Input::Resolve {
            base: text(),
            reference: "../c".to_owned(),
            strict: true,
        },
        Operation::Normalize => Input::Normalize {
            uri: text(),
            scope: Scope::Syntax,
        },
        Operation::Compose => Input::Compose {
            components: split::components(&text(), UserinfoEnd::FirstAt).map(str::to_owned),
        },
        Operation::Equivalent => Input::Equivalent {
            left: text(),
            right: text(),
            rung: Rung::Simple,
        },
        Operation::Relativize => Input::Relativize {
            base: "http://example.com/".to_owned(),
            target: text(),
        },
        Operation::Modify => Input::Modify {
            uri: text(),
            component: Component::Path,
            value: Some("/x".to_owned()),
        },
        Operation::RoundTrip => Input::RoundTrip { uri: text() },
        Operation::Contract => Input::Contract {
            left: text(),
            right: text(),
        },
    }
}
