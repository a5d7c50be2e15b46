//! The section index names every function, in the standard's order.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use whatwg_url_reference::SECTIONS;

use crate::data::shared;

/// The source of a module.
fn source(module: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(module.replace("::", "/")).with_extension("rs");
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The functions that the index names, with their modules.
fn listed() -> impl Iterator<Item = (&'static str, &'static str)> {
    SECTIONS.iter().flat_map(|section| section.functions).map(|path| path.rsplit_once("::").unwrap())
}

/// The name of the function that a line declares.
fn declared(line: &str) -> Option<&str> {
    let rest = line.trim_start().trim_start_matches("pub(crate) ").trim_start_matches("pub ").strip_prefix("fn ")?;
    rest.split(['(', '<']).next()
}

#[test]
fn every_function_exists() {
    for (module, name) in listed() {
        assert!(
            source(module).lines().any(|line| declared(line) == Some(name)),
            "there is no {module}::{name}"
        );
    }
}

#[test]
fn every_public_function_that_is_no_method_is_in_the_index() {
    let listed: BTreeSet<_> = listed().collect();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap() {
        let path = entry.unwrap().path();
        let module = path.file_stem().unwrap().to_str().unwrap();
        if path.is_dir() {
            continue;
        }
        for line in source(module).lines().filter(|line| line.starts_with("pub fn ")) {
            let name = declared(line).unwrap();
            assert!(listed.contains(&(module, name)), "{module}::{name} is in no section");
        }
    }
}

#[test]
fn the_sections_are_those_of_the_standard_in_its_order() {
    let Some(text) = shared("url.bs") else { return };
    let mut rest = &*text;
    for section in SECTIONS {
        let heading = format!("id={}", section.anchor);
        let at =
            rest.match_indices(&heading).find(|(at, _)| rest[..*at].ends_with("<h2 ") || rest[..*at].ends_with("<h3 "));
        let (at, _) = at.unwrap_or_else(|| panic!("{} is no section, or in another order", section.anchor));
        rest = &rest[at..];
        let title = rest.lines().next().unwrap().replace("<code>", "").replace("</code>", "");
        assert!(title.contains(&format!(">{}<", section.title)), "{title}");
    }
}
