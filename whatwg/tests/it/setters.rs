//! The setters of web-platform-tests.

use serde_json::Value;
use whatwg_url_reference::api::UrlObject;

use crate::comparison::attributes::{get, set};
use crate::data::{of_url_package, read_json, shared};
use crate::parses::has_changed;

/// What differs from the case, if anything does.
fn difference(attribute: &str, case: &Value) -> Option<String> {
    let (href, value) = (case["href"].as_str().unwrap(), case["new_value"].as_str().unwrap());
    let mut url = UrlObject::new(href, None).unwrap();
    set(&mut url, attribute, value);
    let expected = case["expected"].as_object().unwrap();
    let differs = expected.iter().find(|(name, expected)| expected.as_str() != Some(&get(&url, name)));
    differs.map(|(name, expected)| {
        format!(
            "{href:?}, {attribute} set to {value:?}: {name} is {:?}, and not {expected}",
            get(&url, name)
        )
    })
}

/// Every case with what differs, and how many cases there are.
fn run(document: &Value) -> (Vec<String>, usize) {
    let attributes = document.as_object().unwrap().iter().filter(|(attribute, _)| *attribute != "comment");
    let cases: Vec<(&String, &Value)> = attributes
        .flat_map(|(attribute, cases)| cases.as_array().unwrap().iter().map(move |case| (attribute, case)))
        .collect();
    let different = cases.iter().filter_map(|(attribute, case)| difference(attribute, case)).collect();
    (different, cases.len())
}

#[test]
fn all_setters_of_web_platform_tests_are_as_expected() {
    let Some(text) = shared("setters_tests.json") else {
        return;
    };
    let (different, count) = run(&read_json(&text));
    println!("{} of {count} setters", count - different.len());
    assert!(different.is_empty(), "{different:#?}");
    assert!(count >= 278, "only {count}");
}

#[test]
fn all_setters_of_the_copy_in_the_package_of_url_are_as_expected() {
    let (different, count) = run(&read_json(&of_url_package("setters_tests.json")));
    println!("{} of {count} setters of the older copy", count - different.len());
    let unknown: Vec<_> = different.iter().filter(|case| !has_changed(case)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    assert_eq!(different.len(), 11, "{different:#?}");
    assert!(count > 250, "only {count}");
}
