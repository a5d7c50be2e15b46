//! The source of the standard, read for its steps.

use std::collections::BTreeSet;
use std::{iter, mem};

/// A step of an algorithm.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The anchors of the algorithm, or of the state.
    pub(super) anchors: Vec<String>,
    /// Its number, such as `2.1.3`.
    pub(super) number: String,
    /// Its own words, without those of the steps in it, and without notes.
    pub(super) text: String,
}

/// The source of the standard.
pub(super) struct Standard {
    pub(super) anchors: BTreeSet<String>,
    pub(super) steps: Vec<Step>,
    /// The algorithms without steps.
    pub(super) sentences: Vec<Sentence>,
    pub(super) paragraphs: Vec<Paragraph>,
    /// The words of the whole standard.
    pub(super) text: String,
}

/// A tag with what is in it, or text.
enum Token<'a> {
    Tag { name: &'a str, attributes: &'a str },
    Text(&'a str),
}

/// The tags and texts of a source. Comments are left out.
fn tokens(mut rest: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    while !rest.is_empty() {
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
        } else if rest.starts_with('<') && rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') {
            let end = rest.find('>').unwrap_or(rest.len() - 1);
            let inside = &rest[1..end];
            let (name, attributes) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
            tokens.push(Token::Tag { name, attributes });
            rest = &rest[end + 1..];
        } else {
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let end = rest[first..].find('<').map_or(rest.len(), |end| end + first);
            tokens.push(Token::Text(&rest[..end]));
            rest = &rest[end..];
        }
    }
    tokens
}

/// The value of an attribute.
fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = attributes;
    while let Some(at) = rest.find(name) {
        let is_whole = at == 0 || rest[..at].ends_with(char::is_whitespace);
        rest = &rest[at + name.len()..];
        if let (true, Some(value)) = (is_whole, rest.strip_prefix('=')) {
            return Some(match value.strip_prefix('"') {
                Some(quoted) => quoted.split('"').next().unwrap_or_default(),
                None => value.split_whitespace().next().unwrap_or_default(),
            });
        }
    }
    None
}

fn has_word(attributes: &str, word: &str) -> bool {
    attributes.split_whitespace().any(|one| one == word)
}

/// The anchor that a definition without an id has.
fn slug(words: &str) -> String {
    let kept = words.to_lowercase().replace(['\'', '’'], "");
    let parts = kept.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-")
}

/// An algorithm without steps.
#[derive(Clone, Debug)]
pub(super) struct Sentence {
    /// Its words as a step without a number.
    pub(super) step: Step,
    /// Whether it defines nothing: its anchor is that of the section.
    pub(super) is_nameless: bool,
}

/// A paragraph of the standard, or another element that has text of its own; its notes are left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Paragraph {
    /// The anchor of the section.
    pub(super) section: String,
    /// The anchors of what it defines, each with the sentence that does so.
    pub(super) defines: Vec<(String, String)>,
    /// The anchors of what it says more of.
    continues: Vec<String>,
    /// Its words.
    pub(super) text: String,
}

/// The character in a paragraph before the words of a definition, until it is read.
const DEFINITION: char = '\u{1}';

impl Paragraph {
    /// Puts the words in order: one space for white space, and each definition with its sentence.
    fn finish(&mut self) {
        let marked = normalized(&self.text);
        let sentences = marked.split_inclusive(". ");
        let of_definitions = sentences.flat_map(|one| iter::repeat_n(one, one.matches(DEFINITION).count()));
        for ((_, sentence), words) in self.defines.iter_mut().zip(of_definitions) {
            *sentence = words.trim_end().replace(DEFINITION, "");
        }
        self.text = marked.replace(DEFINITION, "");
    }
}

/// Text without entities, citations and links of other standards' syntax.
fn plain(text: &str) -> String {
    let mut text = text
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&minus;", "−")
        .replace("&times;", "×")
        .replace("&amp;", "&");
    while let Some((start, end)) =
        text.find("[[").and_then(|start| Some((start, start + text[start..].find("]]")? + 2)))
    {
        text.replace_range(start..end, "");
    }
    text.replace("{{", "").replace("}}", "")
}

/// Text with one space for white space, and none before punctuation that a removed part leaves.
fn normalized(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is open while the source is read.
#[derive(Default)]
struct Reader {
    anchors: BTreeSet<String>,
    steps: Vec<Step>,
    sentences: Vec<Sentence>,
    paragraphs: Vec<Paragraph>,
    text: String,
    /// The numbers of the steps and of the paragraphs before an element `div` that is an algorithm, and how many of them are open in it.
    algorithm: Option<(usize, usize, usize)>,
    /// The anchors of the algorithm that is read, and those outside of the states.
    own: Vec<String>,
    outer: Vec<(Vec<String>, Vec<usize>, Vec<usize>)>,
    /// The numbers of the lists that are open, and the steps that are.
    numbers: Vec<usize>,
    open: Vec<usize>,
    is_in_bullets: bool,
    is_note: bool,
    /// Whether a note of several paragraphs is read.
    is_in_note: bool,
    is_in_dfn: Option<(String, String)>,
    is_dt: bool,
}

impl Reader {
    fn push(&mut self, text: &str) {
        if let Some((_, words)) = &mut self.is_in_dfn {
            words.push_str(text);
        }
        self.text.push_str(text);
        if let (false, Some(paragraph)) = (self.is_note, self.paragraphs.last_mut()) {
            paragraph.text.push_str(text);
        }
        if let (false, Some(&step)) = (self.is_note, self.open.last()) {
            self.steps[step].text.push_str(text);
        }
    }

    /// An item of a list without numbers is separated from the one before it.
    fn separate(&mut self) {
        if let Some(&step) = self.open.last() {
            let text = self.steps[step].text.trim_end().to_owned();
            let is_separate = [":", ";", ",", "; or"].iter().any(|end| text.ends_with(end));
            self.steps[step].text = if is_separate {
                format!("{text} ")
            } else {
                format!("{text}; ")
            };
        }
    }

    /// The end of a definition, or of the name of an attribute that is defined already.
    fn end_of_dfn(&mut self, element: &str) {
        let Some((attributes, words)) = self.is_in_dfn.take() else {
            return;
        };
        let words =
            attribute(&attributes, "lt").map_or(words, |lt| lt.split('|').next().unwrap_or_default().to_owned());
        let name = words.split('(').next().unwrap_or_default();
        let owner = attribute(&attributes, "for").map(|owner| owner.split(',').next().unwrap_or_default().to_owned());
        let anchor = match (attribute(&attributes, "id"), owner) {
            (Some(id), _) => id.to_owned(),
            (None, Some(owner))
                if ["attribute", "method", "constructor"].iter().any(|kind| has_word(&attributes, kind)) =>
            {
                format!("dom-{}-{}", slug(&owner), slug(name))
            }
            (None, Some(owner)) => format!("{}-{}", slug(&owner), slug(&words)),
            (None, None) => slug(&words),
        };
        self.anchors.insert(anchor.clone());
        if let Some(paragraph) = self.paragraphs.last_mut() {
            match element {
                "dfn" => paragraph.defines.push((anchor.clone(), String::new())),
                _ => paragraph.continues.push(anchor.clone()),
            }
        }
        self.own.push(anchor);
    }

    /// Begins a paragraph; a heading begins a section too.
    fn begin_paragraph(&mut self, name: &str, attributes: &str) {
        let of_last = self.paragraphs.last().map(|last| last.section.clone()).unwrap_or_default();
        let heading = attribute(attributes, "id").filter(|_| matches!(name, "h2" | "h3" | "h4"));
        self.paragraphs.push(Paragraph {
            section: heading.map_or(of_last, str::to_owned),
            ..Paragraph::default()
        });
    }

    /// The start or the end of an element `div`. An algorithm that has no steps is one sentence.
    fn tag_of_algorithm(&mut self, name: &str, attributes: &str) {
        match (name, &mut self.algorithm) {
            ("div", None) if attributes.starts_with("algorithm") => {
                self.algorithm = Some((self.steps.len(), self.paragraphs.len(), 0));
            }
            ("div", Some((.., open))) => *open += 1,
            ("/div", Some((.., open @ 1..))) => *open -= 1,
            ("/div", Some((steps, first, 0))) => {
                let paragraphs = &self.paragraphs[*first..];
                if *steps == self.steps.len() {
                    let words = paragraphs.iter().map(|one| format!("{} ", one.text.replace(DEFINITION, "")));
                    let defined = |one: &Paragraph| one.defines.iter().map(|(anchor, _)| anchor.clone()).collect();
                    let anchors = |one: &Paragraph| [defined(one), one.continues.clone()].concat();
                    let mut step = Step {
                        anchors: paragraphs.iter().flat_map(anchors).collect(),
                        number: String::new(),
                        text: normalized(&words.collect::<String>()),
                    };
                    let is_nameless = step.anchors.is_empty();
                    if is_nameless {
                        step.anchors.extend(paragraphs.first().map(|one| one.section.clone()));
                    }
                    self.sentences.push(Sentence { step, is_nameless });
                }
                self.algorithm = None;
            }
            _ => (),
        }
    }

    /// A switch of an algorithm: its steps have the anchor of the algorithm, but those of a state the anchor of the state.
    fn tag_of_switch(&mut self, name: &str) {
        match name {
            "dl" => self.outer.push((
                self.own.clone(),
                mem::take(&mut self.numbers),
                mem::take(&mut self.open),
            )),
            "/dl" => (self.own, self.numbers, self.open) = self.outer.pop().unwrap_or_default(),
            "dt" => {
                if let (false, Some((anchors, ..))) = (self.is_dt, self.outer.last()) {
                    self.own.clone_from(anchors);
                }
                self.is_dt = true;
            }
            _ => self.is_dt = false,
        }
    }

    /// A list and its items: those of a list with numbers are steps.
    fn tag_of_list(&mut self, name: &str) {
        match name {
            "ol" => self.numbers.push(0),
            "/ol" => {
                self.numbers.pop();
                self.open.truncate(self.numbers.len());
            }
            "ul" if !self.open.is_empty() => self.is_in_bullets = true,
            "/ul" if self.is_in_bullets => {
                self.separate();
                self.is_in_bullets = false;
            }
            "li" if self.is_in_bullets => self.separate(),
            "li" if !self.numbers.is_empty() => {
                self.is_note = false;
                *self.numbers.last_mut().unwrap() += 1;
                self.open.truncate(self.numbers.len() - 1);
                let number = self.numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(".");
                self.steps.push(Step {
                    anchors: self.own.clone(),
                    number,
                    text: String::new(),
                });
                self.open.push(self.steps.len() - 1);
            }
            _ => (),
        }
    }

    fn tag(&mut self, name: &str, attributes: &str) {
        if let Some(id) = attribute(attributes, "id") {
            self.anchors.insert(id.to_owned());
        }
        let is_note =
            ["note", "example", "warning", "XXX"].iter().any(|class| attribute(attributes, "class") == Some(class));
        if matches!(name, "dd" | "dt" | "li" | "p" | "td" | "th" | "tr") {
            self.text.push(' ');
        }
        if matches!(
            name,
            "dd" | "div" | "dt" | "h2" | "h3" | "h4" | "li" | "p" | "pre" | "td" | "th"
        ) {
            self.begin_paragraph(name, attributes);
        }
        self.tag_of_algorithm(name, attributes);
        match name {
            "ol" | "/ol" | "ul" | "/ul" | "li" => self.tag_of_list(name),
            "dl" | "/dl" | "dt" | "dd" => self.tag_of_switch(name),
            "dfn" => {
                if self.is_dt {
                    // A state has an anchor of its own.
                    self.own.retain(|anchor| anchor.ends_with("-state"));
                }
                self.is_in_dfn = Some((attributes.to_owned(), String::new()));
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.text.push(DEFINITION);
                }
            }
            "/dfn" => self.end_of_dfn("dfn"),
            "a" if has_word(attributes, "attribute") => self.is_in_dfn = Some((attributes.to_owned(), String::new())),
            "/a" if self.is_in_dfn.as_ref().is_some_and(|(attributes, _)| has_word(attributes, "attribute")) => {
                self.end_of_dfn("a");
            }
            "p" | "div" => {
                if self.numbers.is_empty() && self.outer.is_empty() && !is_note && !self.is_in_note {
                    self.own.clear();
                }
                self.is_note = is_note || self.is_in_note;
                self.is_in_note |= is_note && name == "div";
            }
            "/div" => self.is_in_note = false,
            "span" if is_note => self.is_note = true,
            "/span" => self.is_note = false,
            "sup" => self.push("^("),
            "/sup" => self.push(")"),
            _ => (),
        }
    }
}

impl Standard {
    pub(super) fn read(source: &str) -> Standard {
        let mut reader = Reader::default();
        for token in tokens(source) {
            match token {
                Token::Text(text) => reader.push(&plain(text)),
                Token::Tag { name, attributes } => reader.tag(name, attributes),
            }
        }
        reader.paragraphs.iter_mut().for_each(Paragraph::finish);
        for step in &mut reader.steps {
            step.text = normalized(&step.text);
            // An exponent that has brackets of its own.
            if step.text.contains("^((") {
                step.text = step.text.replace("^((", "^(").replace("))", ")");
            }
        }
        Standard {
            anchors: reader.anchors,
            steps: reader.steps,
            sentences: reader.sentences,
            paragraphs: reader.paragraphs,
            text: normalized(&reader.text),
        }
    }

    /// The words from `start` to the next `end`.
    pub(super) fn between(&self, start: &str, end: &str) -> &str {
        let from = self.text.find(start).unwrap_or_else(|| panic!("there is no {start}"));
        let length = self.text[from..].find(end).unwrap_or_else(|| panic!("there is no {end}"));
        &self.text[from..from + length]
    }
}
