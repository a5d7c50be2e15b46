//! The messages of the line protocol.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::model::{
    self, Component, Declaration, EVERYTHING, Fidelity, Forms, Input, Operation, Outcome, Rule, Specification, Values,
    name,
};

/// The number of the protocol that this version speaks.
pub const PROTOCOL: u64 = 1;

/// The longest line that is read, in bytes.
pub const LONGEST_LINE: u64 = 64 << 20;

/// A request, or what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The number that the response repeats; `None` if the request has none that can be read.
    pub id: Option<u64>,
    /// The request; an error says on one line what is wrong and what would be right.
    pub ask: Result<Ask, String>,
}

/// The kinds of request.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// Who the subject is.
    Hello,
    /// An operation.
    Input(Input),
}

impl Request {
    /// The request as a line, without its end.
    pub fn line(id: u64, ask: &Ask) -> String {
        let message = match ask {
            Ask::Hello => json!({"uriproof": PROTOCOL, "id": id, "op": "hello"}),
            Ask::Input(input) => {
                let mut message = json!(input);
                if let Value::Object(fields) = &mut message {
                    let operation = fields.remove("operation");
                    fields.insert("op".to_owned(), json!(operation));
                    fields.insert("id".to_owned(), json!(id));
                }
                message
            }
        };
        message.to_string()
    }

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
    read(fields).map(Ask::Input)
}

fn read<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T, String> {
    read_at("", Value::Object(fields))
}

/// Reads the value of a key; of the message itself, if the key is empty.
fn read_at<T: DeserializeOwned>(key: &str, value: Value) -> Result<T, String> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let problem = plainly(&error.inner().to_string());
        match (key, path.as_str()) {
            ("", "." | "?") => problem,
            (key, "." | "?") => format!("`{key}`: {problem}"),
            ("", path) => format!("`{path}`: {problem}"),
            (key, path) if path.starts_with('[') => format!("`{key}{path}`: {problem}"),
            (key, path) => format!("`{key}.{path}`: {problem}"),
        }
    })
}

/// What serde says is wrong, in the words of the protocol.
fn plainly(error: &str) -> String {
    let parts = |rest: &str| {
        let (found, expected) = rest.split_once(", expected ")?;
        Some((found.to_owned(), expected.trim_start_matches("one of ").to_owned()))
    };
    let found = |prefix: &str| error.strip_prefix(prefix).and_then(parts);
    if let Some((found, expected)) = found("unknown variant ") {
        return format!("{found} is none of {}", expected.replace(" or ", ", "));
    }
    if let Some((found, expected)) = found("unknown field ") {
        return format!(
            "the key {found} does not belong there; the keys are {}",
            expected.replace(" or ", ", ")
        );
    }
    if let Some((found, expected)) = found("invalid type: ") {
        let expected = match expected.as_str() {
            "a sequence" => "an array",
            "variant identifier" | "string or map" | "string only" => "a string",
            "usize" | "u64" => "a whole number",
            "a map" => "an object",
            structure if structure.starts_with("struct ") => "an object",
            other => other,
        };
        return format!("it is {found}, and should be {expected}");
    }
    match error.strip_prefix("missing field ") {
        Some(field) => format!("the key {field} is missing"),
        None => error.to_owned(),
    }
}

/// Reads an outcome.
fn outcome(mut fields: Map<String, Value>) -> Result<Outcome, String> {
    const ANSWERS: &str =
        "`components` to `parse`, `equivalent` to `equivalent`, `broken` to `contract`, `uri` to any other operation";
    if fields.get("outcome").and_then(Value::as_str) != Some("accepted") {
        return read(fields);
    }
    fields.remove("outcome");
    let mut fields = fields.into_iter();
    let (key, value) = fields.next().ok_or_else(|| format!("`accepted` comes with an answer: {ANSWERS}"))?;
    let value = match key.as_str() {
        "components" => model::Value::Components(read_at(&key, value)?),
        "uri" => model::Value::Uri(read_at(&key, value)?),
        "equivalent" => model::Value::Equivalent(read_at(&key, value)?),
        "broken" => model::Value::Broken(read_at(&key, value)?),
        "name" | "version" | "entry_point" | "operations" | "tells" | "rules" => {
            return Err(format!(
                "`{}` belongs to an answer to `hello`, which has no `outcome`",
                name(&key)
            ));
        }
        _ => return Err(format!("`{}` is no answer: {ANSWERS}", name(&key))),
    };
    match fields.next() {
        None => Ok(Outcome::Accepted { value }),
        Some((other, _)) => Err(format!("the key `{}` does not belong beside `{key}`", name(&other))),
    }
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

impl Response {
    /// Reads a response from a JSON value.
    ///
    /// # Errors
    ///
    /// What is wrong with it and what would be right, on one line.
    pub fn from_json(value: Value) -> Result<Response, String> {
        let Value::Object(mut fields) = value else {
            return Err(format!("a response is a JSON object, not {}", kind(&value)));
        };
        let id = fields.remove("id");
        if let Some(error) = fields.remove("error") {
            let Value::String(error) = error else {
                return Err(format!("`error` is a string, not {}", kind(&error)));
            };
            let id = id.and_then(|id| id.as_u64());
            return Ok(Response::Error { id, error });
        }
        let id = match id {
            Some(id) => id.as_u64().ok_or_else(|| format!("`id` is the request's number, not {id}"))?,
            None => return Err("`id` is missing".to_owned()),
        };
        if fields.contains_key("outcome") {
            let outcome = outcome(fields)?;
            Ok(Response::Outcome { id, outcome })
        } else if fields.contains_key("name") {
            let hello = read(fields)?;
            Ok(Response::Hello { id, hello })
        } else {
            Err("a response has `outcome`, or `name` and more to `hello`".to_owned())
        }
    }
}

/// Who a subject is, as it says itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    /// The rules that `parse` takes, its own first; URI-reference if the list is missing.
    #[serde(default)]
    pub rules: Vec<String>,
    /// The components that it reports, and how exactly; all of them exactly, if the map is missing.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tells: BTreeMap<Component, Fidelity>,
    /// The form of the components that it reports; as in the input, if this is missing.
    #[serde(default, skip_serializing_if = "is_default")]
    pub forms: Forms,
    /// What the values that it composes or sets are taken for; text of a URI, if this is missing.
    #[serde(default, skip_serializing_if = "is_default")]
    pub values: Values,
    /// Whether it validates; it does, if this is missing. See [`Declaration::validates`].
    #[serde(default = "validates", skip_serializing_if = "Clone::clone")]
    pub validates: bool,
}

fn validates() -> bool {
    true
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Hello {
    /// The declaration of a subject that says this of itself. Its names are made safe to print here, and cut: see [`name`].
    ///
    /// # Errors
    ///
    /// The rule that is none.
    pub fn declaration(self) -> Result<Declaration, String> {
        let rule =
            |rule: &String| Rule::from_name(rule).ok_or_else(|| format!("`{}` is no rule of Appendix A", name(rule)));
        let mut rules = self.rules.iter().map(rule).collect::<Result<Vec<Rule>, _>>()?;
        if rules.is_empty() {
            rules.push(Rule::UriReference);
        }
        Ok(Declaration {
            name: name(&self.name).into(),
            version: name(&self.version).into(),
            entry_point: name(&self.entry_point).into(),
            language: name(&self.language).into(),
            specification: Specification::from_name(&name(&self.specification)),
            rules: rules.into(),
            operations: self.operations.into(),
            tells: match self.tells.is_empty() {
                true => Cow::Borrowed(EVERYTHING),
                false => self.tells.into_iter().collect::<Vec<_>>().into(),
            },
            forms: self.forms,
            values: self.values,
            validates: self.validates,
            claim: None,
        })
    }
}

impl From<&Declaration> for Hello {
    /// What it says of itself over the line; how exactly it tells what it tells is known to who starts it.
    fn from(declaration: &Declaration) -> Hello {
        Hello {
            name: declaration.name.to_string(),
            version: declaration.version.to_string(),
            entry_point: declaration.entry_point.to_string(),
            language: declaration.language.to_string(),
            specification: declaration.specification.to_string(),
            operations: declaration.operations.to_vec(),
            rules: declaration.rules.iter().map(|rule| rule.name().to_owned()).collect(),
            tells: BTreeMap::new(),
            forms: Forms::default(),
            values: Values::default(),
            validates: true,
        }
    }
}
