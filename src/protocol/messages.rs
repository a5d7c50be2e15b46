//! The messages of the line protocol.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::model::{Declaration, Input, Operation, Outcome};

/// The number of the protocol that this version speaks.
pub const PROTOCOL: u64 = 1;

/// A request, or what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The number by which the response is told; `None` where the request has none that can be read.
    pub id: Option<u64>,
    /// What is asked; the error says on one line what is wrong and what would be right.
    pub ask: Result<Ask, String>,
}

/// What a request asks.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// Who the subject is.
    Hello,
    /// An operation.
    Input(Input),
}

impl Request {
    /// Reads a request from a JSON value.
    pub fn from_json(value: Value) -> Request {
        let Value::Object(mut fields) = value else {
            return Request {
                id: None,
                ask: Err(format!("a request is a JSON object, not {}", kind(&value))),
            };
        };
        let id = match fields.remove("id") {
            Some(id) => match id.as_u64() {
                Some(id) => Ok(id),
                None => Err(format!("`id` is a whole number from 0, not {id}")),
            },
            None => Err("`id` is missing".to_owned()),
        };
        Request {
            id: id.as_ref().ok().copied(),
            ask: id.and_then(|_| ask(fields)),
        }
    }
}

fn ask(mut fields: Map<String, Value>) -> Result<Ask, String> {
    match fields.remove("uriproof") {
        None => {}
        Some(version) if version.as_u64() == Some(PROTOCOL) => {}
        Some(version) => {
            return Err(format!(
                "`uriproof` is {version}; this server speaks protocol {PROTOCOL}"
            ));
        }
    }
    let operation = match fields.remove("op") {
        Some(Value::String(name)) => name,
        Some(other) => return Err(format!("`op` is a string, not {}", kind(&other))),
        None => return Err("`op` is missing".to_owned()),
    };
    if operation == "hello" {
        return match fields.keys().next() {
            None => Ok(Ask::Hello),
            Some(field) => Err(format!("`{field}` does not belong to `hello`")),
        };
    }
    if !Operation::ALL.iter().any(|known| known.name() == operation) {
        let known: Vec<&str> = Operation::ALL.iter().map(|operation| operation.name()).collect();
        return Err(format!("`op` is `{operation}`; it can be hello, {}", known.join(", ")));
    }
    if fields.contains_key("operation") {
        return Err("`operation` does not belong here; the field is `op`".to_owned());
    }
    fields.insert("operation".to_owned(), Value::String(operation));
    serde_path_to_error::deserialize(Value::Object(fields)).map(Ask::Input).map_err(|error| {
        let path = error.path().to_string();
        match path.as_str() {
            "." | "?" => error.into_inner().to_string(),
            _ => format!("`{path}`: {}", error.into_inner()),
        }
    })
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// A response.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Response {
    /// To `hello`.
    Hello {
        /// The request's.
        id: u64,
        /// Who the subject is.
        #[serde(flatten)]
        hello: Hello,
    },
    /// To an operation.
    Outcome {
        /// The request's.
        id: u64,
        /// What the subject did.
        #[serde(flatten)]
        outcome: Outcome,
    },
    /// To a line that is no request.
    Error {
        /// The request's, if it could be read.
        id: Option<u64>,
        /// What is wrong with it.
        error: String,
    },
}

/// Who a subject is, as it says itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hello {
    /// The implementation.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The entry point.
    pub entry_point: String,
    /// The programming language.
    pub language: String,
    /// The specification that it follows.
    pub specification: String,
    /// The operations that it has.
    pub operations: Vec<Operation>,
    /// The rules that `parse` takes, its own first.
    pub rules: Vec<&'static str>,
}

impl From<&Declaration> for Hello {
    fn from(declaration: &Declaration) -> Hello {
        Hello {
            name: declaration.name.to_string(),
            version: declaration.version.to_string(),
            entry_point: declaration.entry_point.to_string(),
            language: declaration.language.to_string(),
            specification: declaration.specification.to_string(),
            operations: declaration.operations.to_vec(),
            rules: declaration.rules.iter().map(|rule| rule.name()).collect(),
        }
    }
}
