//! The package `whatwg-url` of npm as another implementation.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

use crate::comparison::{Rule, Version};
use crate::url_class::UrlClass;

/// The version for which each rule has to explain a difference.
const KNOWN: &str = "17.3.0";

const RULES: &[Rule] = &[];

/// Compares with the package in `node_modules` of the folder that the variable `URIPROOF_WHATWG_URL` names.
fn compare(count: usize) {
    let Some(folder) = env::var_os("URIPROOF_WHATWG_URL") else {
        println!("not compared with whatwg-url: URIPROOF_WHATWG_URL names no folder in which npm installed it");
        return;
    };
    if Command::new("node").arg("--version").output().is_err() {
        println!("not compared with whatwg-url: there is no program node");
        return;
    }
    let module = Path::new(&folder).join("node_modules/whatwg-url");
    let manifest = module.join("package.json");
    let manifest = fs::read_to_string(&manifest).unwrap_or_else(|error| panic!("{}: {error}", manifest.display()));
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let version = manifest["version"].as_str().unwrap();
    let class = UrlClass {
        name: format!("whatwg-url {version}"),
        version: if version == KNOWN { Version::Known } else { Version::Any },
        module: Some(module),
        crash: None,
        rules: RULES,
    };
    class.compare(count);
}

#[test]
fn whatwg_url_agrees_or_a_rule_says_why_not() {
    compare(20_000);
}

#[test]
#[ignore = "a million inputs take minutes"]
fn whatwg_url_agrees_on_a_million_or_a_rule_says_why_not() {
    compare(1_000_000);
}
