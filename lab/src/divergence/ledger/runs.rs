//! Reads the input of a class, in which a long run of equal texts is written as a number and a text.

use std::collections::BTreeMap;

use serde::Deserialize;
use uriproof::model::Input;

/// The longest text that runs may make, so that a wrong number exhausts nothing.
const LONGEST: usize = 1 << 20;

pub(super) fn with_runs<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Input, D::Error> {
    use serde::de::Error;

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Repeated {
        run: String,
        times: usize,
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Piece {
        Text(String),
        Run(Repeated),
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Field {
        Flag(bool),
        Text(String),
        Pieces(Vec<Piece>),
        Fields(BTreeMap<String, Field>),
    }

    fn json(field: Field) -> Result<serde_json::Value, String> {
        Ok(match field {
            Field::Flag(flag) => flag.into(),
            Field::Text(text) => text.into(),
            Field::Pieces(pieces) => {
                let mut text = String::new();
                for piece in pieces {
                    match piece {
                        Piece::Text(piece) => text += &piece,
                        Piece::Run(Repeated { run, times }) => {
                            let length = run.len().checked_mul(times).and_then(|length| length.checked_add(text.len()));
                            if length.is_none_or(|length| length > LONGEST) {
                                return Err(format!("with a run of {times} the text is longer than {LONGEST} bytes"));
                            }
                            text += &run.repeat(times);
                        }
                    }
                }
                text.into()
            }
            Field::Fields(fields) => {
                let fields: Result<serde_json::Map<_, _>, String> =
                    fields.into_iter().map(|(key, field)| Ok((key, json(field)?))).collect();
                fields?.into()
            }
        })
    }

    let fields = Field::deserialize(deserializer)?;
    let mut json = json(fields).map_err(D::Error::custom)?;
    // TOML has no null: what is not there is undefined.
    if let Some(fields) = json.as_object_mut().filter(|fields| fields.get("operation") == Some(&"modify".into())) {
        fields.entry("value").or_insert(serde_json::Value::Null);
    }
    serde_json::from_value(json).map_err(D::Error::custom)
}
