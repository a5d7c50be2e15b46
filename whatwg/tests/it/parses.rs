//! The parses of web-platform-tests.

use serde_json::Value;
use whatwg_url_reference::api::UrlObject;

use crate::comparison::attributes::get;
use crate::data::{cases, of_url_package, read_json, shared};

/// What differs from the case, if anything does.
fn difference(case: &Value) -> Option<String> {
    let input = case["input"].as_str().unwrap();
    let base = case["base"].as_str();
    let parsed = UrlObject::parse(input, base);
    let is_failure = case.get("failure").is_some();
    let shown = format!("{input:?} against {base:?}");
    let Some(url) = parsed else {
        return (!is_failure).then(|| format!("{shown}: failure"));
    };
    if is_failure {
        return Some(format!("{shown}: {} is no failure", url.href()));
    }
    let attributes = case.as_object().unwrap().iter();
    let differs = attributes
        .filter(|(name, _)| !matches!(&***name, "input" | "base" | "comment" | "relativeTo"))
        .find(|(name, expected)| expected.as_str() != Some(&get(&url, name)));
    differs.map(|(name, expected)| format!("{shown}: {name} is {:?}, and not {expected}", get(&url, name)))
}

#[test]
fn all_parses_of_web_platform_tests_are_as_expected() {
    let Some(text) = shared("urltestdata.json") else { return };
    let document = read_json(&text);
    let different: Vec<String> = cases(&document).filter_map(difference).collect();
    let count = cases(&document).count();
    println!("{} of {count} parses", count - different.len());
    assert!(different.is_empty(), "{different:#?}");
    assert!(count >= 891, "only {count}");
}

/// The changes of the standard since the copy in the package of `url`: what a case has in it, and the change.
const CHANGED_SINCE: [(&str, &str); 3] = [
    ("^", "https://github.com/whatwg/url/pull/846"),
    (":space", "https://github.com/whatwg/url/pull/844"),
    ("xn--", "https://github.com/whatwg/url/pull/914"),
];

/// Whether the standard changed after the copy was made, so that a case has another answer now.
pub(crate) fn has_changed(case: &str) -> bool {
    CHANGED_SINCE.iter().any(|(part, _)| case.contains(part))
}

#[test]
fn all_parses_of_the_copy_in_the_package_of_url_are_as_expected() {
    let document = read_json(&of_url_package("urltestdata.json"));
    let different: Vec<String> = cases(&document).filter_map(difference).collect();
    let count = cases(&document).count();
    println!("{} of {count} parses of the older copy", count - different.len());
    let unknown: Vec<_> = different.iter().filter(|case| !has_changed(case)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    assert_eq!(different.len(), 10, "{different:#?}");
    assert!(count > 800, "only {count}");
}
