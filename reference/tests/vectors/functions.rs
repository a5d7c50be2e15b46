//! The functions of the RFC that are no operation: vectors/README.md: "Functions", word for word.

use std::fmt::Display;
use std::path::Path;

use rfc3986_reference::base::{BaseError, Source, Sources, establish};
use rfc3986_reference::characters::{is_unreserved, percent_decode, percent_encode};
use rfc3986_reference::components::{Components, ReferenceRule, RelativeForm, parse, parse_authority, parse_rule};
use rfc3986_reference::dot_segments::steps;
use rfc3986_reference::elements::{Elements, through_elements};
use rfc3986_reference::equivalence::{Comparison, EquivalenceError, Side, same_document, syntax_based};
use rfc3986_reference::extract::{Delimiter, extract, strip};
use rfc3986_reference::grammar::{Error, Rule};
use rfc3986_reference::normalize::{
    Schemes, case_normalization, path_segment_normalization, percent_encoding_normalization,
};
use rfc3986_reference::readings::Reading;
use rfc3986_reference::recompose::{Unfit, check};
use rfc3986_reference::resolve::{Strictness, reparses};
use rfc3986_reference::security::{Place, Radix, encoded_delimiters, encoded_nul, imitated_host, mask_password};
use rfc3986_reference::security::{rare_ipv4, well_known_port};
use rfc3986_reference::split::groups;
use serde_json::{Value, json};

use super::{has_words, json_of, text};

#[test]
fn the_reference_gives_what_the_functions_expect() {
    let content = json_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/functions.json"));
    let cases = content["cases"].as_array().expect("the file has `cases`");
    assert!(cases.len() >= 400, "only {} are asked", cases.len());
    let mut wrong = Vec::new();
    for case in cases {
        let (answer, expected) = (answer(text(case, "function"), &case["arguments"]), &case["result"]);
        if answer != *expected {
            wrong.push(format!("{}: {answer}, not {expected}", text(case, "id")));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

fn answer(function: &str, arguments: &Value) -> Value {
    let of = |name| text(arguments, name);
    match function {
        "base-uri" => base_uri(arguments),
        "case-normalization" => or_rejected(case_normalization(of("uri"), PLAIN)),
        "comparison-error" => comparison_error(of("left"), of("right")),
        "elements" => elements(of("reference")),
        "elements-to-reference" => or_rejected(elements_of(&arguments["elements"]).to_reference_string()),
        "encoded-octets" => encoded_octets(of("reference"), &octets(of("octets"))),
        "extract" => extracted(of("text")),
        "first-error" => first_error(of("rule"), of("input"), arguments["reading"].as_str()),
        "first-error-of-components" => {
            check(&five(&arguments["components"]), PLAIN).map_or_else(unfit, |()| Value::Null)
        }
        "mask-password" => json!(mask_password(of("reference"))),
        "misleading-userinfo" => match imitated_host(of("reference"), PLAIN) {
            Ok(found) => found.map_or(
                Value::Null,
                |found| json!({ "imitated": found.imitated, "host": found.host }),
            ),
            Err(error) => rejected(error),
        },
        "path-segment-normalization" => or_rejected(path_segment_normalization(of("uri"), PLAIN)),
        "percent-decode" => json!(hexadecimal(&percent_decode(of("component")))),
        "percent-encode" => {
            let kept = of("keep").as_bytes();
            json!(percent_encode(&octets(of("octets")), |octet| is_unreserved(octet)
                || kept.contains(&octet)))
        }
        "percent-encoding-normalization" => or_rejected(percent_encoding_normalization(of("uri"), PLAIN)),
        "rare-ipv4" => rare(of("host")),
        "reading" => {
            let reading = Reading::from_id(of("reading")).unwrap_or_else(|| panic!("no reading {}", of("reading")));
            json!({ "section": reading.section(), "summary": reading.summary() })
        }
        "reference-form" => match parse(of("reference"), PLAIN) {
            Ok(reference) => json!(match reference.relative_form() {
                None => "URI",
                Some(RelativeForm::NetworkPath) => "network-path",
                Some(RelativeForm::AbsolutePath) => "absolute-path",
                Some(RelativeForm::RelativePath) => "relative-path",
            }),
            Err(error) => rejected(error),
        },
        "regular-expression" => json!(groups(of("input"))),
        "remove-dot-segments" => {
            let mut rows = Vec::new();
            let path = steps(of("path"), |step, output, input| {
                rows.push([step.to_string(), output.to_owned(), input.to_owned()]);
            });
            json!({ "path": path, "steps": rows })
        }
        "reparses" => json!(reparses(&five(&arguments["components"]), PLAIN)),
        "same-document" => same_as_base(arguments),
        "strip" => json!(strip(of("text"))),
        "through-elements" => or_rejected(through_elements(of("reference"))),
        "well-known-port" => json!(well_known_port(of("port"))),
        other => panic!("no function {other}"),
    }
}

const PLAIN: Reading = Reading::Rfc3986;

fn rejected(error: impl Display) -> Value {
    has_words(error);
    json!({ "outcome": "rejected" })
}

fn or_rejected<E: Display>(result: Result<String, E>) -> Value {
    result.map_or_else(rejected, Value::from)
}

fn hexadecimal(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02X}")).collect()
}

fn octets(hexadecimal: &str) -> Vec<u8> {
    let pairs = hexadecimal.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).expect("digits are ASCII"));
    pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap_or_else(|error| panic!("{pair}: {error}"))).collect()
}

fn base_uri(arguments: &Value) -> Value {
    let sources = Sources {
        embedded: arguments["embedded"].as_str(),
        encapsulating: arguments["encapsulating"].as_str(),
        retrieval: arguments["retrieval"].as_str(),
        default: arguments["default"].as_str(),
    };
    let section = |source: Source| {
        has_words(source);
        source.section()
    };
    match establish(&sources, PLAIN) {
        Ok(base) => json!({ "uri": base.uri, "source": section(base.source) }),
        Err(error) => {
            has_words(&error);
            let source = match error {
                BaseError::Undefined => None,
                BaseError::Invalid { source, .. }
                | BaseError::Relative { source }
                | BaseError::Unfit { source, .. } => Some(section(source)),
            };
            json!({ "outcome": "rejected", "source": source })
        }
    }
}

fn comparison_error(left: &str, right: &str) -> Value {
    let Err(error) = syntax_based(left, right, PLAIN) else {
        return Value::Null;
    };
    has_words(error);
    let (side, fault) = match error {
        EquivalenceError::Invalid(side, _) => (side, "invalid"),
        EquivalenceError::Relative(side) => (side, "relative"),
    };
    let side = match side {
        Side::Left => "left",
        Side::Right => "right",
    };
    json!({ "side": side, "fault": fault })
}

fn elements(reference: &str) -> Value {
    let parsed = match parse(reference, Reading::Elements) {
        Ok(parsed) => parsed,
        Err(error) => return rejected(error),
    };
    match Elements::from_reference(&parsed) {
        Ok(elements) => json!({
            "is_relative": elements.is_relative,
            "scheme": elements.scheme,
            "user_info": elements.user_info,
            "host": elements.host,
            "port": elements.port,
            "has_port": elements.has_port,
            "path": elements.path,
            "query": elements.query,
            "fragment": elements.fragment,
        }),
        Err(error) => rejected(error),
    }
}

fn elements_of(value: &Value) -> Elements {
    let own = |name| text(value, name).to_owned();
    let flag = |name: &str| value[name].as_bool().unwrap_or_else(|| panic!("no flag `{name}` in {value}"));
    let port = value["port"].as_u64().and_then(|port| u16::try_from(port).ok());
    let path = value["path"].as_array().expect("`path` is a list");
    Elements {
        is_relative: flag("is_relative"),
        scheme: own("scheme"),
        user_info: own("user_info"),
        host: own("host"),
        port: port.expect("`port` is a number of 16 bits"),
        has_port: flag("has_port"),
        path: path.iter().map(|segment| segment.as_str().expect("a segment is a text").to_owned()).collect(),
        query: own("query"),
        fragment: own("fragment"),
    }
}

fn encoded_octets(reference: &str, delimiters: &[u8]) -> Value {
    let found = match encoded_delimiters(reference, delimiters, PLAIN) {
        Ok(found) => found,
        Err(error) => return rejected(error),
    };
    if delimiters == [0] {
        assert_eq!(encoded_nul(reference, PLAIN).as_ref(), Ok(&found), "{reference}");
    }
    let found = found.iter().map(|one| {
        let component = match one.place {
            Place::Userinfo => "userinfo",
            Place::Host => "host",
            Place::Path => "path",
            Place::Query => "query",
            Place::Fragment => "fragment",
        };
        json!({ "octet": hexadecimal(&[one.octet]), "component": component, "offset": one.offset })
    });
    found.collect()
}

fn extracted(text: &str) -> Value {
    let found = extract(text, PLAIN).into_iter().map(|find| {
        let delimiter = match find.delimiter {
            Delimiter::DoubleQuotes => "double-quotes",
            Delimiter::AngleBrackets => "angle-brackets",
            Delimiter::Whitespace => "whitespace",
        };
        json!({
            "uri": find.uri,
            "begin": find.range.start,
            "end": find.range.end,
            "delimiter": delimiter,
            "prefixed": find.prefixed,
            "hyphens": find.ambiguous_hyphens,
        })
    });
    found.collect()
}

/// By the function of the grammar, and by those that find components, which have to fail at the same place.
fn first_error(name: &str, input: &str, reading: Option<&str>) -> Value {
    let rule = Rule::from_name(name).unwrap_or_else(|| panic!("no rule {name}"));
    let reading = reading.map_or(PLAIN, |id| {
        Reading::from_id(id).unwrap_or_else(|| panic!("no reading {id}"))
    });
    let error = rule.matches(input, reading).err();
    let of_components = match rule {
        Rule::Authority => Some(parse_authority(input, reading).err()),
        Rule::UriReference => Some(parse(input, reading).err()),
        other => ReferenceRule::try_from(other).ok().map(|rule| parse_rule(rule, input, reading).err()),
    };
    if let Some(of_components) = of_components {
        assert_eq!(of_components, error, "{input} as {name} under {reading}");
    }
    error.map_or(Value::Null, |error| fault(&error))
}

/// The words of an error name the rule and the offset too.
fn fault(error: &Error) -> Value {
    let (rule, offset) = (error.rule.to_string(), error.offset);
    let words = error.to_string();
    assert!(words.contains(&rule) && words.contains(&offset.to_string()), "{words}");
    json!({ "rule": rule, "offset": offset })
}

fn five(components: &Value) -> Components<'_> {
    Components {
        scheme: components["scheme"].as_str(),
        authority: components["authority"].as_str(),
        path: text(components, "path").into(),
        query: components["query"].as_str(),
        fragment: components["fragment"].as_str(),
    }
}

fn unfit(unfit: Unfit) -> Value {
    has_words(unfit);
    match unfit {
        Unfit::Component { component, error } => {
            let mut fault = fault(&error);
            fault["component"] = json!(component.to_string());
            fault
        }
        Unfit::RootlessPathWithAuthority => json!({ "clause": "§3/path-after-authority" }),
        Unfit::DoubleSlashWithoutAuthority => json!({ "clause": "§3/no-double-slash" }),
        Unfit::ColonInFirstSegment => json!({ "clause": "§4.2/colon-in-first-segment" }),
    }
}

fn rare(host: &str) -> Value {
    rare_ipv4(host).map_or(Value::Null, |rare| {
        let radix = |radix: &Radix| match radix {
            Radix::Decimal => "decimal",
            Radix::Octal => "octal",
            Radix::Hexadecimal => "hexadecimal",
        };
        json!({
            "address": rare.address.to_string(),
            "numbers": rare.numbers.iter().map(radix).collect::<Vec<_>>(),
            "percent_encoded": rare.percent_encoded,
            "trailing_dot": rare.trailing_dot,
            "trailing_whitespace": rare.trailing_whitespace,
        })
    })
}

fn same_as_base(arguments: &Value) -> Value {
    let (base, reference) = (text(arguments, "base"), text(arguments, "reference"));
    let schemes = Schemes::default();
    let comparison = match text(arguments, "rung") {
        "simple" => Comparison::Plain,
        "scheme" => Comparison::Normalized(&schemes),
        other => panic!("no rung {other}"),
    };
    let strictness = match arguments["strict"].as_bool() {
        Some(true) => Strictness::Strict,
        Some(false) => Strictness::NonStrict,
        None => panic!("no `strict` in {arguments}"),
    };
    same_document(base, reference, strictness, comparison, PLAIN).map_or_else(rejected, Value::from)
}
