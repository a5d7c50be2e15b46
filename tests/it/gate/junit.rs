//! JUnit's XML has the structure that Jenkins and GitLab read: the schema `junit-10.xsd` of Jenkins' xUnit plugin, which refuses a file with
//! anything else, and what GitLab needs of a test to list it.

use std::collections::BTreeSet;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::{REFUSES, VectorFolder, entry};

/// What the schema says of an element.
struct XmlElement {
    name: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
    /// The elements that it may have, in the order that every reader takes.
    children: &'static [&'static str],
    has_text: bool,
}

impl XmlElement {
    /// One without children, that has text.
    const fn text(name: &'static str, optional: &'static [&'static str]) -> XmlElement {
        XmlElement {
            name,
            required: &[],
            optional,
            children: &[],
            has_text: true,
        }
    }
}

const SCHEMA: [XmlElement; 10] = [
    XmlElement {
        name: "testsuites",
        required: &[],
        optional: &["name", "time", "tests", "failures", "errors"],
        children: &["testsuite"],
        has_text: false,
    },
    XmlElement {
        name: "testsuite",
        required: &["name", "tests", "failures", "errors"],
        optional: &[
            "group",
            "time",
            "skipped",
            "timestamp",
            "hostname",
            "id",
            "package",
            "file",
            "log",
            "url",
        ],
        children: &["properties", "testcase", "system-out", "system-err"],
        has_text: false,
    },
    XmlElement {
        name: "testcase",
        // GitLab names a test by both.
        required: &["name", "classname"],
        optional: &["time", "group"],
        children: &["skipped", "error", "failure", "system-out", "system-err"],
        has_text: false,
    },
    XmlElement {
        name: "properties",
        required: &[],
        optional: &[],
        children: &["property"],
        has_text: false,
    },
    XmlElement {
        name: "property",
        required: &["name", "value"],
        optional: &[],
        children: &[],
        has_text: false,
    },
    XmlElement::text("skipped", &["type", "message"]),
    XmlElement::text("error", &["type", "message"]),
    XmlElement::text("failure", &["type", "message"]),
    XmlElement::text("system-out", &[]),
    XmlElement::text("system-err", &[]),
];

/// An element that is open.
struct OpenElement {
    element: &'static XmlElement,
    attributes: Vec<(String, String)>,
    children: Vec<String>,
}

impl OpenElement {
    /// The element of a start tag, below `parent`.
    fn of(tag: &BytesStart<'_>, parent: Option<&mut OpenElement>) -> Result<OpenElement, String> {
        let name = String::from_utf8(tag.name().as_ref().to_vec()).unwrap();
        let element = SCHEMA.iter().find(|element| element.name == name).ok_or(format!("<{name}>"))?;
        match parent {
            None if name != "testsuites" => return Err(format!("the root is <{name}>")),
            None => {}
            Some(parent) => {
                let rank = |child: &str| parent.element.children.iter().position(|one| *one == child);
                let Some(own) = rank(&name) else {
                    return Err(format!("<{name}> in <{}>", parent.element.name));
                };
                if parent.children.last().and_then(|last| rank(last)).is_some_and(|last| last > own) {
                    return Err(format!("<{name}> comes too late in <{}>", parent.element.name));
                }
                parent.children.push(name.clone());
            }
        }
        let attributes: Vec<(String, String)> = tag
            .attributes()
            .map(|attribute| {
                let attribute = attribute.unwrap();
                let [name, value] = [attribute.key.as_ref(), &attribute.value].map(<[u8]>::to_vec);
                (String::from_utf8(name).unwrap(), String::from_utf8(value).unwrap())
            })
            .collect();
        for (attribute, _) in &attributes {
            if !element.required.contains(&&**attribute) && !element.optional.contains(&&**attribute) {
                return Err(format!("{attribute} of <{name}>"));
            }
        }
        if let Some(missing) =
            element.required.iter().find(|required| !attributes.iter().any(|(own, _)| own == *required))
        {
            return Err(format!("<{name}> has no {missing}"));
        }
        Ok(OpenElement {
            element,
            attributes,
            children: Vec::new(),
        })
    }

    fn attribute(&self, name: &str) -> &str {
        self.attributes.iter().find(|(own, _)| own == name).map_or("", |(_, value)| value)
    }
}

/// The names of the tests, and of how each ended that did not pass; or what is wrong with the structure.
fn tests_of(xml: &str) -> Result<Vec<(String, Vec<String>)>, String> {
    let mut reader = Reader::from_str(xml);
    let (mut open, mut tests, mut counted): (Vec<OpenElement>, Vec<(String, Vec<String>)>, _) =
        (Vec::new(), Vec::new(), 0);
    loop {
        let (tag, is_empty) = match reader.read_event().map_err(|error| error.to_string())? {
            Event::Eof => break,
            Event::Start(tag) => (Some(tag), false),
            Event::Empty(tag) => (Some(tag), true),
            Event::End(_) => (None, true),
            Event::Text(text) => {
                let is_blank = text.iter().all(u8::is_ascii_whitespace);
                if let Some(parent) = open.last().filter(|parent| !is_blank && !parent.element.has_text) {
                    return Err(format!("text in <{}>", parent.element.name));
                }
                continue;
            }
            _ => continue,
        };
        if let Some(tag) = tag {
            let element = OpenElement::of(&tag, open.last_mut())?;
            open.push(element);
        }
        if !is_empty {
            continue;
        }
        let closed = open.pop().expect("it was opened");
        match closed.element.name {
            "testcase" => {
                let name = format!("{} {}", closed.attribute("classname"), closed.attribute("name"));
                tests.push((name, closed.children));
            }
            "testsuite" => {
                let own = &tests[counted..];
                let of =
                    |child: &str| own.iter().filter(|(_, children)| children.iter().any(|one| one == child)).count();
                let counts = [own.len(), of("failure"), of("error"), of("skipped")].map(|count| count.to_string());
                let said = ["tests", "failures", "errors", "skipped"].map(|name| closed.attribute(name).to_owned());
                if said != counts {
                    return Err(format!("the suite says {said:?}, and has {counts:?}"));
                }
                counted = tests.len();
            }
            _ => {}
        }
    }
    Ok(tests)
}

fn expect_readable(xml: &str) -> Vec<(String, Vec<String>)> {
    let tests = tests_of(xml).unwrap_or_else(|problem| panic!("{problem} in {xml}"));
    let names: BTreeSet<&String> = tests.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), tests.len(), "two tests have one name");
    assert!(tests.iter().all(|(_, children)| children.len() <= 1));
    tests
}

#[test]
fn jenkins_and_gitlab_read_it() {
    let folder = VectorFolder::new();
    folder.put("b.toml", &entry("\"one/a\" = 'rejected'\n\"one/http\" = 'accepted'"));
    let junit =
        |body: &str, arguments: &[&str]| folder.check(body, &[&["--format", "junit"], arguments].concat()).stdout;
    let ended = |tests: &[(String, Vec<String>)], name: &str, how: &str| {
        let test = tests.iter().find(|(own, _)| own == name).unwrap_or_else(|| panic!("no {name} in {tests:?}"));
        assert_eq!(test.1, [how], "{name}");
    };
    // What fails, what is known, what is not compared, and a line of the baseline that is wrong.
    let tests = expect_readable(&junit(REFUSES, &["--baseline", "b.toml"]));
    ended(&tests, "planted 1 parse one/b", "failure");
    ended(&tests, "planted 1 parse one/a", "skipped");
    ended(&tests, "planted 1 parse b.toml:10", "failure");
    // What could not be run.
    let tests = expect_readable(&junit("exit 3", &["--restarts", "1"]));
    assert!(tests.iter().any(|(_, how)| how == &["error"]), "{tests:?}");
    // Several entry points, with groups of suites and properties.
    let several = [
        "check",
        "--subject",
        "iri-string",
        "--only",
        "suite/normalize*",
        "--format",
        "junit",
    ];
    let done = folder.run(&several);
    let tests = expect_readable(&done.stdout);
    ended(
        &tests,
        "iri-string 0.7.14 UriStr::new suite/normalize/other-uri/host",
        "failure",
    );
    assert!(done.stdout.contains("<property name=\"group 1\""), "{}", done.stdout);
}

#[test]
fn another_structure_is_noticed() {
    let case = |inner: &str| {
        format!(
            "<testsuites><testsuite name=\"a\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\">{inner}</testsuite></testsuites>"
        )
    };
    let test = "<testcase name=\"b\" classname=\"a\"/>";
    assert!(tests_of(&case(test)).is_ok());
    for (xml, problem) in [
        (
            case(&format!("{test}<properties/>")),
            "<properties> comes too late in <testsuite>",
        ),
        (
            case("<testcase name=\"b\" classname=\"a\"><properties/></testcase>"),
            "<properties> in <testcase>",
        ),
        (case("<testcase name=\"b\"/>"), "<testcase> has no classname"),
        (case(&format!("{test}{test}")), "the suite says"),
        (case(&format!("{test}text")), "text in <testsuite>"),
        (
            case(&test.replace("/>", " severity=\"host\"/>")),
            "severity of <testcase>",
        ),
    ] {
        let said = tests_of(&xml).expect_err("it is noticed");
        assert!(said.starts_with(problem), "{said}");
    }
}
