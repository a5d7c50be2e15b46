//! What of the standard has no code here: steps of what is transcribed, and whole algorithms, definitions and sections.

use std::collections::BTreeSet;

use super::comments::{Comment, comments};
use super::source::{Standard, Step};
use super::{is_step, standard};
use crate::data::shared;
use whatwg_url_reference::validation::ValidationError;

/// The steps that have no code, each with the reason.
pub(super) const NOT_TRANSCRIBED: &[(&str, &str, &str)] = &[
    ("concept-basic-url-parser", "5", UTF_8),
    ("query-state", "1", UTF_8),
    ("string-percent-encode-after-encoding", "1", UTF_8),
    ("string-percent-encode-after-encoding", "3", UTF_8),
    ("string-percent-encode-after-encoding", "4", UTF_8),
    ("string-percent-encode-after-encoding", "5", CALLER),
    ("string-percent-encode-after-encoding", "6", SCALAR_VALUES),
    ("string-percent-encode-after-encoding", "7", SCALAR_VALUES),
    ("string-percent-encode-after-encoding", "7.1", SCALAR_VALUES),
    ("string-percent-encode-after-encoding", "7.2", SCALAR_VALUES),
    ("string-percent-encode-after-encoding", "7.4", SCALAR_VALUES),
    ("string-percent-encode-after-encoding", "8", CALLER),
    ("url-initialize", "3", LIST),
    ("url-initialize", "5", LIST),
];

const UTF_8: &str = "encoding is always UTF-8";
const CALLER: &str = "the caller has the output";
const SCALAR_VALUES: &str = "UTF-8 encodes every scalar value";
const LIST: &str = "the query object is its list";

/// What is left out for one reason.
pub(super) struct LeftOut {
    pub(super) reason: &'static str,
    /// Whom it binds.
    pub(super) binds: &'static str,
    /// The anchors of the algorithms and definitions, and those of sections that define nothing.
    pub(super) anchors: &'static [&'static str],
}

/// What has no code, in the order of the reasons.
#[rustfmt::skip]
pub(super) const LEFT_OUT: &[LeftOut] = &[
    LeftOut {
        reason: "a term: the steps that use it decide",
        binds: "parser",
        anchors: &[
            "validation-error", "eof-code-point", "percent-encode-set", "concept-host", "concept-domain", "ip-address", "concept-ipv4",
            "concept-ipv6", "concept-ipv6-piece", "opaque-host", "empty-host", "concept-url", "concept-url-scheme", "concept-url-username",
            "concept-url-password", "concept-url-host", "concept-url-port", "concept-url-path", "concept-url-query", "concept-url-fragment",
            "url-path", "url-path-segment", "is-not-special", "concept-base-url", "concept-urlencoded", "concept-url-url",
            "concept-url-query-object",
        ],
    },
    LeftOut {
        reason: "there is no blob URL store here",
        binds: "parser",
        anchors: &["concept-url-blob-entry", "concept-url-parser"],
    },
    LeftOut {
        reason: "there is no Public Suffix List here",
        binds: "application",
        anchors: &["domain-label", "host-public-suffix", "host-registrable-domain"],
    },
    LeftOut {
        reason: "says what authors may write; parsers take more",
        binds: "producer",
        anchors: &[
            "valid-host-string", "valid-domain-string", "valid-ipv4-address-string", "valid-ipv6-address-string",
            "valid-ipv6-pieces-and-ipv4-string", "valid-ipv6-pieces-string", "valid-ipv6-piece-string", "effective-piece-length",
            "valid-opaque-host-string", "valid-url-string", "absolute-url-with-fragment-string", "absolute-url-string",
            "url-scheme-string", "relative-url-with-fragment-string", "relative-url-string", "scheme-relative-special-url-string",
            "url-port-string", "scheme-relative-url-string", "opaque-host-and-port-string", "scheme-relative-file-url-string",
            "path-absolute-url-string", "path-absolute-non-authority-url-string", "path-relative-url-string",
            "path-relative-scheme-less-url-string", "opaque-path-url-string", "url-path-segment-string", "url-query-string",
            "url-fragment-string", "url-units",
        ],
    },
    LeftOut {
        reason: "the class URLSearchParams is not here",
        binds: "application",
        anchors: &[
            "concept-urlencoded-serializer", "concept-urlsearchparams-list", "concept-urlsearchparams-url-object",
            "urlsearchparams-initialize", "concept-urlsearchparams-update", "dom-urlsearchparams-urlsearchparams",
            "dom-urlsearchparams-size", "dom-urlsearchparams-append", "dom-urlsearchparams-delete", "dom-urlsearchparams-get",
            "dom-urlsearchparams-getall", "dom-urlsearchparams-has", "dom-urlsearchparams-set", "dom-urlsearchparams-sort",
            "urlsearchparams-stringification-behavior",
        ],
    },
    LeftOut {
        reason: "a hook of HTML, whose answer the origin getter serializes",
        binds: "application",
        anchors: &["url-class"],
    },
    LeftOut {
        reason: "says how a URL is shown to a person",
        binds: "application",
        anchors: &["url-rendering", "url-rendering-simplification", "url-rendering-elision", "url-rendering-i18n"],
    },
    LeftOut {
        reason: "advice to authors of standards and of programs; no input and output shows it",
        binds: "application",
        anchors: &["security-considerations", "api", "url-apis-elsewhere"],
    },
];

/// Words of a paragraph that says what should be done.
const NORMATIVE: [&str; 3] = [" must ", " should ", " may "];

/// An algorithm, a definition or a section of the standard.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) anchor: String,
    /// The sentence that defines it and its steps, or the paragraphs of the section: the end of the id and the words.
    pub(super) quotes: Vec<(String, String)>,
}

/// The units of the standard in its order.
pub(super) fn units(standard: &Standard) -> Vec<Unit> {
    let with_definitions: BTreeSet<&String> =
        standard.paragraphs.iter().filter(|one| !one.defines.is_empty()).map(|one| &one.section).collect();
    let sentences = standard.sentences.iter().filter(|one| one.is_nameless);
    let mut units: Vec<Unit> = sentences
        .map(|one| Unit {
            anchor: one.step.anchors[0].clone(),
            quotes: vec![(String::new(), one.step.text.clone())],
        })
        .collect();
    for paragraph in &standard.paragraphs {
        for (anchor, sentence) in &paragraph.defines {
            let steps = standard.steps.iter().filter(|step| step.anchors.contains(anchor));
            let steps = steps.map(|step| (format!("/{}", step.number), step.text.clone()));
            units.push(Unit {
                anchor: anchor.clone(),
                quotes: [(String::new(), sentence.clone())].into_iter().chain(steps).collect(),
            });
        }
        let section = &paragraph.section;
        if with_definitions.contains(section) || !NORMATIVE.iter().any(|word| paragraph.text.contains(word)) {
            continue;
        }
        match units.last_mut() {
            Some(last) if last.anchor == *section => last.quotes.push((String::new(), paragraph.text.clone())),
            _ => units.push(Unit {
                anchor: section.clone(),
                quotes: vec![(String::new(), paragraph.text.clone())],
            }),
        }
    }
    // Paragraphs of a section have letters, as several quotations without a number have.
    for unit in units.iter_mut().filter(|unit| unit.quotes.len() > 1 && unit.quotes[1].0.is_empty()) {
        for (letter, (end, _)) in ('a'..='z').zip(&mut unit.quotes) {
            *end = format!("/{letter}");
        }
    }
    units
}

/// Why a unit is left out.
pub(super) fn left_out(anchor: &str) -> Option<&'static LeftOut> {
    LEFT_OUT.iter().find(|one| one.anchors.contains(&anchor))
}

/// The anchors of what has steps or a definition above code. Several anchors of one algorithm are together.
fn transcribed<'a>(standard: &'a Standard, comments: &'a [Comment]) -> BTreeSet<&'a String> {
    let own: BTreeSet<&String> = comments.iter().filter_map(|comment| comment.anchors.first()).collect();
    let steps = standard.steps.iter().chain(standard.sentences.iter().map(|one| &one.step));
    let together = steps.filter(|step| step.anchors.iter().any(|anchor| own.contains(anchor)));
    together.flat_map(|step| &step.anchors).chain(own.iter().copied()).collect()
}

/// What is wrong: units of the standard that are nowhere, or left out though they are transcribed, and anchors that name no unit.
fn problems(standard: &Standard, comments: &[Comment]) -> Vec<String> {
    let transcribed = transcribed(standard, comments);
    let units = units(standard);
    // A test compares the names of the validation errors with the table.
    let names: BTreeSet<String> = ValidationError::ALL.iter().map(|error| error.anchor()[1..].to_owned()).collect();
    let mut problems = Vec::new();
    for unit in units.iter().filter(|unit| !names.contains(&unit.anchor)) {
        match (transcribed.contains(&unit.anchor), left_out(&unit.anchor)) {
            (false, None) => problems.push(format!("{} is neither transcribed nor left out", unit.anchor)),
            (true, Some(_)) => problems.push(format!("{} is left out, but transcribed", unit.anchor)),
            (true, None) | (false, Some(_)) => {}
        }
    }
    let gone = LEFT_OUT.iter().flat_map(|one| one.anchors).filter(|one| !units.iter().any(|unit| unit.anchor == **one));
    problems.extend(gone.map(|anchor| format!("{anchor} is left out, but not in the standard")));
    let is_above_code = |step: &Step| {
        let is_left_out = step.anchors.iter().any(|anchor| left_out(anchor).is_some());
        is_left_out || comments.iter().any(|comment| is_step([step].into_iter(), comment))
    };
    let sentences = standard.sentences.iter().map(|one| &one.step).filter(|step| !is_above_code(step));
    problems.extend(sentences.map(|step| format!("{:?} is not above its code: {}", step.anchors, step.text)));
    let nameless = standard.steps.iter().filter(|step| step.anchors.is_empty());
    problems.extend(nameless.map(|step| format!("step {} is in no algorithm: {}", step.number, step.text)));
    problems
}

#[test]
fn every_algorithm_is_transcribed_or_left_out() {
    let Some(standard) = standard() else { return };
    let problems = problems(&standard, &comments());
    let (units, left) = (
        units(&standard).len(),
        LEFT_OUT.iter().map(|one| one.anchors.len()).sum::<usize>(),
    );
    println!("of {units} algorithms, definitions and sections {left} are left out");
    assert!(problems.is_empty(), "{problems:#?}");
    assert!(units > 150, "only {units}");
}

/// What is added to the standard is found, whatever its form.
#[test]
fn what_is_new_in_the_standard_is_found() {
    let Some(text) = shared("url.bs") else { return };
    let comments = comments();
    let found = |added: &str| {
        let heading = "<h3 id=host-writing";
        assert_eq!(text.matches(heading).count(), 1);
        problems(
            &Standard::read(&text.replace(heading, &format!("{added}\n{heading}"))),
            &comments,
        )
    };
    assert_eq!(found(""), [""; 0]);
    let steps = "<div algorithm><p>To <dfn>fold</dfn> a <var>url</var>:<ol><li><p>Return it.</ol></div>";
    assert_eq!(found(steps), ["fold is neither transcribed nor left out"]);
    assert_eq!(
        found("<p>A <dfn>fold</dfn> is one."),
        ["fold is neither transcribed nor left out"]
    );
    let section = "<h3 id=folding>Folding</h3><p>Folding is an art.<p>A fold should be sharp.";
    assert_eq!(found(section), ["folding is neither transcribed nor left out"]);
    assert_eq!(
        found("<h3 id=folding>Folding</h3><p class=note>It should be sharp."),
        [""; 0]
    );
    let setter = "<div algorithm><p>The <code><a attribute for=URL>origin</a></code> setter steps are to fold.</div>";
    assert_eq!(
        found(setter),
        [r#"["dom-url-origin"] is not above its code: The origin setter steps are to fold."#]
    );
    assert_eq!(
        found("<p>Fold so:<ol><li><p>Fold.</ol>"),
        ["step 1 is in no algorithm: Fold."]
    );
}
