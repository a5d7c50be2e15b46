//! Inputs of composition, modification, printing and relativization (§5.3, §5.2).

use super::Size;
use super::words::{PLACES, SCHEMES, SEQUENCES, triplets};
use crate::model::{Component, Components, Input};

/// Each component undefined, empty, valid, at the edge of what is valid, and invalid.
const SCHEME_VALUES: [Option<&str>; 7] = [
    None,
    Some(""),
    Some("x"),
    Some("http"),
    Some("1x"),
    Some("x:"),
    Some("é"),
];
const USERINFO_VALUES: [Option<&str>; 9] = [
    None,
    Some(""),
    Some("u"),
    Some("u:p"),
    Some(":"),
    Some("u@v"),
    Some("u/v"),
    Some("u%"),
    Some("u%40"),
];
const HOST_VALUES: [Option<&str>; 16] = [
    None,
    Some(""),
    Some("h"),
    Some("H"),
    Some("1.2.3.4"),
    Some("[::1]"),
    Some("::1"),
    Some("[::g]"),
    Some("[::1"),
    Some("h:1"),
    Some("h/a"),
    Some("u@h"),
    Some("h?q"),
    Some("h#f"),
    Some("evil.com bad"),
    Some("%zz"),
];
const PORT_VALUES: [Option<&str>; 9] = [
    None,
    Some(""),
    Some("1"),
    Some("080"),
    Some("65536"),
    Some("a"),
    Some("+1"),
    Some("-1"),
    Some("1/a"),
];
const PATH_VALUES: [&str; 20] = [
    "", "/", "a", "/a", "//", "//a", "///a", "a:b", "./a:b", "a/b:c", ".", "..", "/..", "/.//a", "a?b", "a#b",
    "a\r\nb", "a b", "%", "%2F",
];
const QUERY_VALUES: [Option<&str>; 8] = [
    None,
    Some(""),
    Some("q"),
    Some("/?:@"),
    Some("q#f"),
    Some("q r"),
    Some("%zz"),
    Some("q%23"),
];
const FRAGMENT_VALUES: [Option<&str>; 8] = [
    None,
    Some(""),
    Some("f"),
    Some("/?:@"),
    Some("f#g"),
    Some("f g"),
    Some("%"),
    Some("f%23"),
];

fn owned(value: Option<&str>) -> Option<String> {
    value.map(str::to_owned)
}

type Seven<'a> = (
    Option<&'a str>,
    Option<&'a str>,
    Option<&'a str>,
    Option<&'a str>,
    &'a str,
    Option<&'a str>,
    Option<&'a str>,
);

fn composed((scheme, userinfo, host, port, path, query, fragment): Seven<'_>) -> Input {
    Input::Compose {
        components: Components {
            scheme: owned(scheme),
            userinfo: owned(userinfo),
            host: owned(host),
            host_kind: None,
            port: owned(port),
            path: path.to_owned(),
            query: owned(query),
            fragment: owned(fragment),
        },
    }
}

pub(super) fn compose(size: Size) -> Vec<Input> {
    let mut inputs = Vec::new();
    // What can begin a path depends on scheme and authority (§3.3, §4.2).
    for scheme in SCHEME_VALUES {
        for host in HOST_VALUES {
            for path in PATH_VALUES {
                for (query, fragment) in [(None, None), (Some(""), Some("")), (Some("q"), Some("f"))] {
                    inputs.push(composed((scheme, None, host, None, path, query, fragment)));
                }
            }
        }
    }
    // The parts of an authority.
    for userinfo in USERINFO_VALUES {
        for host in HOST_VALUES {
            for port in PORT_VALUES {
                let (scheme, path) = (Some("x"), "/a");
                inputs.push(composed((scheme, userinfo, host, port, path, None, None)));
                if size == Size::Standard {
                    inputs
                        .extend(PATH_VALUES.map(|path| composed((None, userinfo, host, port, path, Some("q"), None))));
                }
            }
        }
    }
    for query in QUERY_VALUES {
        for fragment in FRAGMENT_VALUES {
            for (host, path) in [
                (None, ""),
                (None, "a"),
                (Some(""), ""),
                (Some("h"), ""),
                (Some("h"), "/a"),
            ] {
                inputs.extend(
                    [None, Some("x")].map(|scheme| composed((scheme, None, host, None, path, query, fragment))),
                );
            }
        }
    }
    for component in Component::TEXTS {
        for text in texts_of(component) {
            let Input::Compose { components } = composed((Some("x"), None, Some("h"), None, "/p", None, None)) else {
                continue;
            };
            let text = if component == Component::Path {
                format!("/{text}")
            } else {
                text
            };
            inputs.push(Input::Compose {
                components: components.with(component, Some(&text)),
            });
        }
    }
    inputs
}

/// Each octet of US-ASCII between others, and several.
fn texts() -> Vec<String> {
    let octets = (0..128_u8).map(|octet| format!("a{}1", char::from(octet)));
    let doubled = [
        "@@", "::", "??", "##", "//", "\r\n", "%%", "%41%", "%4", "%0x", "+1", "[]", "é", "％41", "\u{ff0f}",
    ];
    octets.chain(doubled.into_iter().chain(SEQUENCES).map(str::to_owned)).collect()
}

/// The [`texts`] of a component: a port has digits around each octet.
fn texts_of(component: Component) -> Vec<String> {
    let mut texts = texts();
    if component == Component::Port {
        for text in &mut texts {
            if let Some(behind) = text.strip_prefix('a') {
                *text = format!("1{behind}");
            }
        }
    }
    texts
}

/// Every character of a scheme and of a port, in several URIs: many libraries take no scheme beyond 64 characters and no port beyond
/// 65535.
const ALPHABETS: [&str; 7] = [
    "abcdefghijklmnopqrstuvwxyz://h",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ://h",
    "x0123456789://h",
    "x+-.x://h",
    "x://h:1023",
    "x://h:4567",
    "x://h:89",
];

/// URI-references of every shape.
const SHAPES: [&str; 28] = [
    "x://u@h:1/p?q#f",
    "x://h",
    "x://h/",
    "x://h:",
    "x://@h",
    "x://",
    "x:///p",
    "x:p",
    "x:/p",
    "x:",
    "x:p?#",
    "x://h?#",
    "//h/p",
    "//h",
    "//",
    "/p",
    "p",
    "p/q:r",
    "./p:q",
    "",
    "?q",
    "#f",
    "x:/.//p",
    "/.//p",
    "x://[::1]/p",
    "http://h:80/p",
    "file:///p",
    "mailto:u@h?q",
];

pub(super) fn modify(size: Size) -> Vec<Input> {
    let mut inputs = Vec::new();
    let mut add = |uri: &str, component: Component, value: Option<&str>| {
        inputs.push(Input::Modify {
            uri: uri.to_owned(),
            component,
            value: owned(value),
        });
    };
    for uri in SHAPES {
        for component in Component::TEXTS {
            let values: Vec<Option<&str>> = match component {
                Component::Scheme => SCHEME_VALUES.to_vec(),
                Component::Userinfo => USERINFO_VALUES.to_vec(),
                Component::Host | Component::HostKind => HOST_VALUES.to_vec(),
                Component::Port => PORT_VALUES.to_vec(),
                Component::Path => PATH_VALUES.into_iter().map(Some).collect(),
                Component::Query => QUERY_VALUES.to_vec(),
                Component::Fragment => FRAGMENT_VALUES.to_vec(),
            };
            values.into_iter().for_each(|value| add(uri, component, value));
        }
    }
    let shapes: &[&str] = match size {
        Size::Core => &["x://u@h:1/p?q#f", "x:p"],
        Size::Standard => &SHAPES,
    };
    for uri in shapes {
        for component in Component::TEXTS {
            for text in texts_of(component) {
                let text = if component == Component::Path && uri.contains("//") {
                    format!("/{text}")
                } else {
                    text
                };
                add(uri, component, Some(&text));
            }
        }
    }
    inputs
}

pub(super) fn round_trip(_: Size) -> Vec<Input> {
    let mut uris: Vec<String> = SHAPES.map(str::to_owned).to_vec();
    for scheme in ["", "x:", "X:"] {
        for authority in [
            "",
            "//",
            "//h",
            "//H",
            "//@h",
            "//u@h:",
            "//:@h:080",
            "//u:p@h:65536",
            "//[::A]:1",
            "//[v1.A]",
            "//%68",
        ] {
            for path in [
                "", "/", "/a", "//a", "/a/../b", "a", "a/./b", "b:c", "./b:c", "/%7e", "/a//", "/.//a",
            ] {
                if path.starts_with('/') || path.is_empty() || authority.is_empty() {
                    for end in ["", "?", "#", "?#", "?q#f", "?%7e#%c3"] {
                        uris.push(format!("{scheme}{authority}{path}{end}"));
                    }
                }
            }
        }
    }
    uris.extend(ALPHABETS.map(str::to_owned));
    for place in &PLACES {
        let literals = place.literals().map(|literal| literal.to_string());
        for text in literals.chain(triplets()).chain(SEQUENCES.into_iter().map(str::to_owned)) {
            uris.push(place.uri("x", &text));
        }
    }
    for name in SCHEMES {
        let rests = [
            "",
            "a",
            "/a",
            "//",
            "//h",
            "///a",
            "//h:80/",
            "//localhost/a",
            "a/b",
            ",a#b",
            "///C:/a",
            "/C:/a",
            "//C:/a",
            "//h//a",
            "//u:p@h/",
            "a@B",
            "//H",
        ];
        uris.extend(rests.map(|rest| format!("{name}:{rest}")));
    }
    uris.into_iter().map(|uri| Input::RoundTrip { uri }).collect()
}

pub(super) fn relativize(size: Size) -> Vec<Input> {
    let mut uris = vec![
        "x:".to_owned(),
        "x:a".to_owned(),
        "x:a/b".to_owned(),
        "x:/a".to_owned(),
        "x:/a/b".to_owned(),
        "x:b:c".to_owned(),
    ];
    let paths = [
        "",
        "/",
        "/a",
        "/a/",
        "/a/b",
        "/a/b/",
        "/a/b/c",
        "/b",
        "/ab",
        "/a/bc",
        "/foo/x",
        "/foobar/x",
        "//",
        "//a",
        "/a//b",
        "/a/b:c",
        "/b:c",
        "/a/%2e",
        "/A",
    ];
    for authority in ["//h", "//g", "//"] {
        uris.extend(paths.map(|path| format!("x:{authority}{path}")));
    }
    uris.extend(["?q", "?", "#f", "?q#f", "/a?q", "/a/b?q", "/a/b?", "/a/b#f"].map(|rest| format!("x://h{rest}")));
    uris.extend(
        [
            "y://h/a/b",
            "X://h/a/b",
            "x://H/a/b",
            "x://u@h/a/b",
            "x://h:1/a/b",
            "x://h:11/a/b",
            "x://uu@h/a/b",
            "x://hh/a/b",
            "x://h.h/a/b",
            "xx://h/a/b",
            "http://h/a/b",
            "file:///a/b",
            "urn:a:b",
            // The case of these counts.
            "x://U@h/a/b",
            "x://h?Q",
            "x://h#F",
        ]
        .map(str::to_owned),
    );
    if size == Size::Standard {
        let more = super::words::paths(&["", "a", "b", "b:c", "..."], 3);
        uris.extend(more.iter().map(|path| format!("x://h/{path}")));
    }
    let pairs = uris.iter().flat_map(|base| uris.iter().map(move |target| (base.clone(), target.clone())));
    pairs.map(|(base, target)| Input::Relativize { base, target }).collect()
}
