//! The comments of the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// A paragraph of a comment with two slashes.
#[derive(Debug)]
pub(super) struct Comment {
    /// Where it is.
    pub(super) at: String,
    /// The anchors in the documentation of the item that it is in, or before.
    pub(super) anchors: Vec<String>,
    /// Whether the item is a setter of the API. An attribute has one anchor for its getter and its setter.
    pub(super) is_setter: bool,
    /// The number of the step.
    pub(super) number: Option<String>,
    /// The words, with `[…]` for what is left out.
    pub(super) text: String,
}

const SITE: &str = "https://url.spec.whatwg.org/#";

/// The sources, with their names.
fn sources() -> Vec<(String, String)> {
    fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, files);
            } else {
                files.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let name = |path: &Path| path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
    files.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect()
}

/// The anchors of the standard in a line.
fn anchors_in(line: &str) -> Vec<String> {
    let rests = line.split(SITE).skip(1);
    rests.map(|rest| rest.split(['>', '"', '`', ' ']).next().unwrap_or_default().to_owned()).collect()
}

/// Every anchor that the sources name, and where.
pub(super) fn anchors() -> Vec<(String, String)> {
    let sources = sources();
    let all =
        sources.iter().flat_map(|(name, text)| anchors_in(text).into_iter().map(move |anchor| (name.clone(), anchor)));
    // A macro puts some together.
    all.filter(|(_, anchor)| !anchor.is_empty()).collect()
}

/// The number at the start of a step, and what follows it.
fn split_number(text: &str) -> (Option<String>, &str) {
    match text.split_once(". ") {
        Some((number, rest))
            if number.starts_with(|c: char| c.is_ascii_digit())
                && number.split('.').all(|part| part.parse::<u8>().is_ok()) =>
        {
            (Some(number.to_owned()), rest)
        }
        _ => (None, text),
    }
}

/// The comments that are to be the standard's words. Those with a label are left out.
pub(super) fn comments() -> Vec<Comment> {
    let mut comments: Vec<Comment> = Vec::new();
    for (name, source) in sources() {
        let mut anchors: Vec<String> = Vec::new();
        let (mut is_documentation, mut is_open, mut is_labelled, mut is_setter) = (false, false, false, false);
        for (line, text) in (1..).zip(source.lines().map(str::trim)) {
            if let Some(documentation) = text.strip_prefix("///") {
                if !is_documentation {
                    anchors.clear();
                    is_setter = false;
                }
                is_setter |= documentation.contains(" setter (");
                anchors.extend(anchors_in(documentation));
                (is_documentation, is_open) = (true, false);
                continue;
            }
            is_documentation = false;
            let Some(words) = text.strip_prefix("//").filter(|rest| !rest.starts_with('!')).map(str::trim) else {
                is_open = false;
                continue;
            };
            if words.is_empty() {
                is_open = false;
                continue;
            }
            if is_open {
                if let (false, Some(last)) = (is_labelled, comments.last_mut()) {
                    last.text = format!("{} {words}", last.text);
                }
                continue;
            }
            is_labelled = words.starts_with("Not in the standard: ");
            is_open = true;
            if !is_labelled {
                let (number, words) = split_number(words);
                comments.push(Comment {
                    at: format!("{name}:{line}"),
                    anchors: anchors.clone(),
                    is_setter,
                    number,
                    text: words.to_owned(),
                });
            }
        }
    }
    comments
}

/// The texts in double quotes in documentation, outside code, and where they are.
pub(super) fn quotations() -> Vec<(String, String)> {
    let mut quotations = Vec::new();
    for (name, source) in sources() {
        let mut is_code = false;
        let mut paragraph = String::new();
        for line in source.lines().map(str::trim).chain([""]) {
            let documentation = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(str::trim);
            if documentation.is_some_and(|text| text.starts_with("```")) {
                is_code = !is_code;
            }
            match documentation {
                Some(text) if !is_code && !text.is_empty() && !text.starts_with("```") => {
                    paragraph = format!("{paragraph} {text}");
                }
                _ => {
                    // What is between backticks is code.
                    let prose: String = paragraph.split('`').step_by(2).collect::<Vec<_>>().join("`");
                    let odd = prose.split('"').skip(1).step_by(2);
                    quotations.extend(odd.map(|words| (name.clone(), words.to_owned())));
                    paragraph.clear();
                }
            }
        }
    }
    quotations
}
