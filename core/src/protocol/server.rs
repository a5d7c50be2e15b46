//! The server's side: any built-in subject, driven over the line protocol.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use serde_json::Value;

use super::messages::{Ask, Hello, LONGEST_LINE, Request, Response};
use crate::ask::ask;
use crate::model::Subject;

/// Answers every line of `input` on `output`, until `input` ends. Returns how many lines were no request.
///
/// A line that is an array of requests is answered by an array. A line longer than [`LONGEST_LINE`] is passed over. A line that breaks the protocol is answered with
/// `{"id":…,"error":"…"}`, and the next one is read. Output is flushed whenever no further input is at hand, so that
/// requests may be pipelined.
///
/// # Errors
///
/// When `input` cannot be read or `output` cannot be written.
pub fn serve(subject: &dyn Subject, input: impl Read, output: impl Write) -> io::Result<u64> {
    let mut input = BufReader::new(input);
    let mut output = BufWriter::new(output);
    let mut broken = 0;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            output.flush()?;
            return Ok(broken);
        }
        let too_long = !line.ends_with(b"\n") && line.len() as u64 == LONGEST_LINE;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = if too_long {
            skip_line(&mut input)?;
            Reply::One(error(None, format!("the line is longer than {LONGEST_LINE} bytes")))
        } else {
            answer(subject, &line)
        };
        broken += answer.errors();
        match &answer {
            Reply::One(response) => serde_json::to_writer(&mut output, response)?,
            Reply::Batch(responses) => serde_json::to_writer(&mut output, responses)?,
        }
        output.write_all(b"\n")?;
        // Reading on may block while the other side waits for the answer.
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
    }
}

enum Reply {
    One(Response),
    Batch(Vec<Response>),
}

impl Reply {
    fn errors(&self) -> u64 {
        let is_error = |response: &&Response| matches!(response, Response::Error { .. });
        match self {
            Reply::One(response) => u64::from(is_error(&response)),
            Reply::Batch(responses) => responses.iter().filter(is_error).count() as u64,
        }
    }
}

fn answer(subject: &dyn Subject, line: &[u8]) -> Reply {
    match serde_json::from_slice(line) {
        Ok(Value::Array(requests)) => {
            Reply::Batch(requests.into_iter().map(|request| respond(subject, request)).collect())
        }
        Ok(request) => Reply::One(respond(subject, request)),
        Err(problem) => Reply::One(error(None, format!("the line is no JSON: {problem}"))),
    }
}

fn respond(subject: &dyn Subject, request: Value) -> Response {
    let Request { id, ask: asked } = Request::from_json(request);
    match (id, asked) {
        (Some(id), Ok(Ask::Hello)) => Response::Hello {
            id,
            hello: Hello::from(subject.declaration()),
        },
        (Some(id), Ok(Ask::Input(input))) => Response::Outcome {
            id,
            outcome: ask(subject, &input),
        },
        (None, Ok(_)) => error(None, "`id` is missing".to_owned()),
        (id, Err(message)) => error(id, message),
    }
}

fn error(id: Option<u64>, error: String) -> Response {
    Response::Error { id, error }
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let newline = buffer.iter().position(|&octet| octet == b'\n');
        let length = newline.map_or(buffer.len(), |at| at + 1);
        input.consume(length);
        if newline.is_some() {
            return Ok(());
        }
    }
}
