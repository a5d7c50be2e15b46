//! The hosts of web-platform-tests, and percent-encoding.

use serde_json::Value;
use whatwg_url_reference::api::UrlObject;
use whatwg_url_reference::host::{UrlHostSyntax, host_parser, host_serializer};

use crate::data::{cases, read_json, shared};

/// What differs from the case, if anything does: in a URL, in the host parser, and by the setter, as the test of that data does it.
fn difference(case: &Value) -> Option<String> {
    let input = case["input"].as_str().unwrap();
    let expected = case["output"].as_str();
    let in_url = UrlObject::parse(&format!("https://{input}/x"), None).map(|url| url.host());
    if in_url.as_deref() != expected {
        return Some(format!("{input:?}: {in_url:?}, and not {expected:?}"));
    }
    let parse = host_parser(input, UrlHostSyntax::Special);
    // A URL has other delimiters of the host.
    let host = parse.host.as_ref().map(host_serializer);
    if host.as_deref() != expected && !input.contains(['/', '?', '#', '\\', '@', ':']) {
        return Some(format!("{input:?}: the host {host:?}, and not {expected:?}"));
    }
    let mut url = UrlObject::new("https://x/x", None).unwrap();
    url.set_hostname(input);
    let set = url.hostname();
    (set != expected.unwrap_or("x")).then(|| format!("{input:?}: set to {set:?}, and not {expected:?}"))
}

#[test]
fn all_hosts_of_web_platform_tests_are_as_expected() {
    let Some(text) = shared("toascii.json") else { return };
    let document = read_json(&text);
    let different: Vec<String> = cases(&document).filter_map(difference).collect();
    let count = cases(&document).count();
    println!("{} of {count} hosts", count - different.len());
    assert!(different.is_empty(), "{different:#?}");
    assert!(count >= 87, "only {count}");
}

#[test]
fn utf_8_is_percent_encoded_as_web_platform_tests_expect() {
    let Some(text) = shared("percent-encoding.json") else {
        return;
    };
    let document = read_json(&text);
    for case in cases(&document) {
        let (input, expected) = (
            case["input"].as_str().unwrap(),
            case["output"]["utf-8"].as_str().unwrap(),
        );
        let url = UrlObject::new(&format!("https://doesnotmatter.invalid/?{input}#{input}"), None).unwrap();
        assert_eq!(url.search(), format!("?{expected}"), "{input:?}");
        assert_eq!(url.hash(), format!("#{expected}"), "{input:?}");
    }
}
