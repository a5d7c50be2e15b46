//! The cases of functions, `vectors/whatwg/functions.json`.

use serde_json::{Value, json};
use whatwg_url_reference::api::{UrlObject, api_url_parser};
use whatwg_url_reference::domain::{DomainStrictness, domain_parser, domain_to_unicode, is_valid_domain};
use whatwg_url_reference::form::urlencoded_string_parser;
use whatwg_url_reference::host::{UrlHost, UrlHostSyntax, host_parser};
use whatwg_url_reference::ipv4::ipv4_parser;
use whatwg_url_reference::ipv6::ipv6_parser;
use whatwg_url_reference::origin::origin;
use whatwg_url_reference::parser::parse_traced;
use whatwg_url_reference::percent::{
    PercentEncodeSet, contains_percent_encoded_byte, percent_encode, string_percent_decode, utf8_percent_encode,
};
use whatwg_url_reference::serializer::{UrlFragment, equals};
use whatwg_url_reference::trace::UrlState;
use whatwg_url_reference::validation::ValidationError;

use super::{href, read, text, url};
use crate::comparison::attributes;

fn flag(arguments: &Value, field: &str) -> bool {
    arguments[field].as_bool().unwrap_or_else(|| panic!("`{field}` is no boolean: {arguments}"))
}

/// A percent-encode set by the first words of its name.
fn set(arguments: &Value) -> PercentEncodeSet {
    let name = format!("{} percent-encode set", text(arguments, "set"));
    PercentEncodeSet::ALL
        .into_iter()
        .find(|set| set.name() == name)
        .unwrap_or_else(|| panic!("there is no {name}"))
}

/// Every getter of an object.
fn getters(url: &UrlObject) -> Value {
    json!({
        "href": url.href(),
        "origin": url.origin(),
        "protocol": url.protocol(),
        "username": url.username(),
        "password": url.password(),
        "host": url.host(),
        "hostname": url.hostname(),
        "port": url.port(),
        "pathname": url.pathname(),
        "search": url.search(),
        "hash": url.hash(),
    })
}

/// The object after the setter of the arguments, if there is one.
fn object(arguments: &Value) -> Option<UrlObject> {
    let mut url = UrlObject::new(text(arguments, "url"), None).unwrap();
    if arguments.get("attribute").is_some() {
        attributes::set(&mut url, text(arguments, "attribute"), text(arguments, "value"))?;
    }
    Some(url)
}

/// The answers of the constructor, of the static methods, and of the API URL parser, which are one.
fn constructed(arguments: &Value) -> Value {
    let (input, base) = (text(arguments, "url"), arguments["base"].as_str());
    let record = api_url_parser(input, base);
    let object = UrlObject::new(input, base);
    assert!(object.as_ref().err().is_none_or(|error| !error.to_string().is_empty()));
    let object = object.ok();
    assert_eq!(object, UrlObject::parse(input, base));
    assert_eq!(object.is_some(), UrlObject::can_parse(input, base));
    assert_eq!(object.as_ref().map(UrlObject::record), record.as_ref());
    json!(object.map(|object| object.href()))
}

fn host(arguments: &Value) -> Value {
    let syntax = match flag(arguments, "is_opaque") {
        true => UrlHostSyntax::Opaque,
        false => UrlHostSyntax::Special,
    };
    let parse = host_parser(text(arguments, "input"), syntax);
    let kind = parse.host.as_ref().map(|host| match host {
        UrlHost::Domain(_) => "domain",
        UrlHost::Ipv4(_) => "ipv4",
        UrlHost::Ipv6(_) => "ipv6",
        UrlHost::Opaque(_) => "opaque",
        UrlHost::Empty => "empty",
    });
    let errors: Vec<String> = parse.errors.iter().map(ToString::to_string).collect();
    json!({ "host": parse.host.map(|host| host.to_string()), "kind": kind, "errors": errors })
}

/// Names with their anchors, if they have any.
fn names(arguments: &Value) -> Value {
    match text(arguments, "of") {
        "validation errors" => ValidationError::ALL.iter().map(|one| json!([one.name(), one.anchor()])).collect(),
        "states" => UrlState::ALL.iter().map(|one| json!([one.name(), one.anchor()])).collect(),
        other => panic!("there are no names of {other}"),
    }
}

fn states(arguments: &Value) -> Value {
    let base = arguments["base"].as_str().map(|base| url(base).unwrap());
    let traced = parse_traced(text(arguments, "input"), base.as_ref());
    traced.runs.iter().map(|run| Value::from(run.to_string())).collect()
}

/// What the reference returns for a case.
fn result(function: &str, arguments: &Value) -> Value {
    let record = |field: &str| url(text(arguments, field)).unwrap();
    match function {
        "domain-parser" => {
            let strictness = match flag(arguments, "be_strict") {
                true => DomainStrictness::Strict,
                false => DomainStrictness::Relaxed,
            };
            json!(domain_parser(text(arguments, "domain"), strictness))
        }
        "domain-to-unicode" => domain_to_unicode(text(arguments, "domain")).into(),
        "equals" => {
            let fragments = match flag(arguments, "exclude_fragments") {
                true => UrlFragment::Excluded,
                false => UrlFragment::Included,
            };
            equals(&record("left"), &record("right"), fragments).into()
        }
        "getters" => json!(object(arguments).as_ref().map(getters)),
        "host-parser" => host(arguments),
        "ipv4-parser" => json!(ipv4_parser(text(arguments, "input"))),
        "ipv6-parser" => json!(ipv6_parser(text(arguments, "input"))),
        "names" => names(arguments),
        "origin" => origin(&record("url")).to_string().into(),
        "percent-decode" => json!(string_percent_decode(text(arguments, "input"))),
        "percent-encode" => utf8_percent_encode(text(arguments, "input"), set(arguments)).into(),
        "percent-encode-byte" => percent_encode(u8::try_from(arguments["byte"].as_u64().unwrap()).unwrap()).into(),
        "percent-encode-set" => {
            let set = set(arguments);
            assert!(('\u{80}'..=char::MAX).all(|c| set.contains(c)), "{}", set.name());
            ('\0'..='\u{7F}').filter(|c| set.contains(*c)).collect::<String>().into()
        }
        "percent-encoded-byte" => contains_percent_encoded_byte(text(arguments, "input")).into(),
        "query-list" => json!(object(arguments).unwrap().search_params()),
        "same-origin" => origin(&record("left")).is_same_origin(&origin(&record("right"))).into(),
        "setter" => json!(object(arguments).map(|url| url.href())),
        "states" => states(arguments),
        "url" => constructed(arguments),
        "urlencoded-parser" => json!(urlencoded_string_parser(text(arguments, "input"))),
        "valid-domain" => is_valid_domain(text(arguments, "input")).into(),
        other => panic!("there is no function {other}"),
    }
}

#[test]
fn the_reference_answers_as_the_cases_of_vectors_expect() {
    let content = read("functions.json");
    let cases = content["cases"].as_array().unwrap();
    assert!(cases.len() > 50, "only {} cases", cases.len());
    let mut wrong = Vec::new();
    for case in cases {
        let result = result(text(case, "function"), &case["arguments"]);
        if result != case["result"] {
            wrong.push(format!("{}: {result}", text(case, "id")));
        }
        // A setter that fails leaves the object.
        if case["function"] == "setter" && result.is_null() {
            let mut url = UrlObject::new(text(&case["arguments"], "url"), None).unwrap();
            let before = url.clone();
            assert!(attributes::set(&mut url, "href", text(&case["arguments"], "value")).is_none() && url == before);
            assert_eq!(href(url.record()), before.href());
        }
    }
    assert!(wrong.is_empty(), "{} cases differ:\n{}", wrong.len(), wrong.join("\n"));
}
