//! An answer that breaks the line protocol: what was sent, what came, and what would be right.

use serde::Serialize;
use serde_json::json;
use uriproof::expect;
use uriproof::model::{Input, Reading, excerpt};
use uriproof::protocol::messages::{Ask, Request, Response};

use crate::cli::WIDTH;

/// How many characters of a line are printed.
const LONGEST: usize = 400;

/// A request, the line that came for it, and one that would be right.
#[derive(Serialize)]
pub(super) struct ProbeExchange {
    sent: String,
    got: String,
    right: String,
}

impl ProbeExchange {
    /// What is wrong, and the exchange, if the reason of a crash is an answer to `input`, or to `hello`, that breaks the protocol.
    pub(super) fn of(reason: &str, input: Option<&Input>) -> Option<(String, ProbeExchange)> {
        let (_, broken) = reason.split_once("broke the protocol: ")?;
        let (problem, quoted) = broken.split_once(": \"")?;
        let got = unquoted(quoted.strip_suffix('"')?);
        let id = serde_json::from_str::<serde_json::Value>(&got).ok().and_then(|got| got["id"].as_u64());
        let (sent, right) = match input {
            None => (Request::line(0, &Ask::Hello), hello()),
            Some(input) => {
                let id = id.unwrap_or(1);
                let outcome = expect::expect(input, Reading::Rfc3986).literal();
                let right = serde_json::to_string(&Response::Outcome { id, outcome });
                (
                    Request::line(id, &Ask::Input(input.clone())),
                    right.expect("an outcome can be written as JSON"),
                )
            }
        };
        let [sent, got, right] = [sent, got, right].map(|line| excerpt(&line, &line, LONGEST));
        Some((
            format!("broke the protocol: {problem}"),
            ProbeExchange { sent, got, right },
        ))
    }

    /// In lines, each part with its name before it.
    pub(super) fn lines(&self) -> Vec<String> {
        let parts = [("sent", &self.sent), ("got", &self.got), ("right", &self.right)];
        let lines = parts.into_iter().flat_map(|(name, json)| {
            let lines = json_lines(json, WIDTH - 14).into_iter().enumerate();
            lines.map(move |(at, line)| format!("      {:6}  {line}", if at == 0 { name } else { "" }))
        });
        lines.collect()
    }
}

/// An answer to `hello`.
fn hello() -> String {
    let hello = json!({
        "id": 0, "name": "my-uri", "version": "1.0.0", "entry_point": "parse", "language": "Python", "specification": "RFC 3986",
        "operations": ["parse"],
    });
    hello.to_string()
}

/// Text as it was before it was quoted.
fn unquoted(quoted: &str) -> String {
    let mut text = String::new();
    let mut characters = quoted.chars().peekable();
    while let Some(character) = characters.next() {
        let is_escape = character == '\\' && matches!(characters.peek(), Some('"' | '\\'));
        text.extend(if is_escape { characters.next() } else { Some(character) });
    }
    text
}

/// JSON in lines of so many columns, broken between its members, where it means the same.
fn json_lines(json: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for member in members(json) {
        let line = lines.last_mut().expect("there is a line");
        match line.is_empty() || line.chars().count() + member.chars().count() <= columns {
            true => line.push_str(member),
            false => lines.push(member.to_owned()),
        }
    }
    lines
}

/// JSON after each comma that is in no string.
fn members(json: &str) -> Vec<&str> {
    let (mut members, mut start) = (Vec::new(), 0);
    let (mut is_string, mut is_escaped) = (false, false);
    for (at, character) in json.char_indices() {
        is_string ^= character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        if character == ',' && !is_string {
            members.push(&json[start..=at]);
            start = at + 1;
        }
    }
    members.push(&json[start..]);
    members
}

#[cfg(test)]
mod tests {
    use uriproof::model::Quoted;

    use super::*;

    #[test]
    fn a_line_is_as_it_came() {
        for line in [r#"{"a":"b\"\\c"}"#, r"\", "", r#"\\""#] {
            let quoted = Quoted(line).to_string();
            assert_eq!(unquoted(&quoted[1..quoted.len() - 1]), line);
        }
    }

    #[test]
    fn json_is_broken_between_members() {
        let json = r#"{"a":"b,\",c","d":[1,2],"e":{"f":"g"}}"#;
        for columns in 5..50 {
            let lines = json_lines(json, columns);
            assert_eq!(lines.concat(), json);
            let broken: serde_json::Value = serde_json::from_str(&lines.join("\n")).unwrap();
            assert_eq!(broken, serde_json::from_str::<serde_json::Value>(json).unwrap());
        }
        assert_eq!(json_lines(json, 9).len(), 4);
    }
}
