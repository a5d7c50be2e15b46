//! What the generator is made to reach besides: edges, near misses, triplets.

use rfc3986_reference::components::Reference;
use uriproof::model::{HostKind, Input};
use uriproof::split::{UserinfoEnd, components};

use super::resolution::resolved;
use super::{Caches, Probe, Reached, Seen, host};

/// What else the generator is made to reach.
pub(super) struct Kinds(Vec<(String, IsOfKind)>);

/// Whether an input is of a kind.
type IsOfKind = Box<dyn Fn(&Seen<'_>) -> bool + Sync>;

impl Probe for Kinds {
    fn name(&self) -> &'static str {
        "kinds of input"
    }

    fn rows(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| name.clone()).collect()
    }

    fn ask(&self, seen: &Seen<'_>, _: &mut Caches, reached: &mut Reached) {
        reached.reach_all(self.0.iter().enumerate().filter(|(_, (_, is))| is(seen)).map(|(row, _)| row));
    }
}

/// The octets at the edges of the alternatives of dec-octet.
const OCTETS: &[&str] = &["0", "9", "10", "99", "100", "199", "200", "249", "250", "255"];

/// What is just beyond, or has a zero too many.
const NO_OCTETS: &[&str] = &["256", "260", "300", "1000", "00", "01", "001"];

/// Names that some take for addresses.
const NUMERIC_NAMES: &[&str] = &[
    "0x7f",
    "0x7f.1",
    "1.2.3",
    "017.1",
    "1.2.3.4.",
    "1.2.3.4.5",
    "256.1.1.1",
    "4294967295",
    "0",
];

/// The reserved characters, and the one that encodes.
const RESERVED: &str = ":/?#[]@!$&'()*+,;=%";

/// Characters that change under case folding, IDNA or normalization.
const FOLDING: &[&str] = &[
    "ß", "\u{1e9e}", "ſ", "\u{212a}", "\u{130}", "ı", "\u{c5}", "\u{ff41}", "\u{3002}",
];

impl Kinds {
    pub(super) fn new() -> Kinds {
        let mut kinds = Kinds(Vec::new());
        kinds.hosts();
        kinds.colons();
        kinds.paths();
        kinds.triplets();
        kinds.words();
        kinds
    }

    fn put(&mut self, name: impl Into<String>, is: impl Fn(&Seen<'_>) -> bool + Sync + 'static) {
        self.0.push((name.into(), Box::new(is)));
    }

    /// A kind of URI-reference.
    fn parsed(&mut self, name: impl Into<String>, is: impl Fn(&Reference<'_>) -> bool + Sync + 'static) {
        self.put(name, move |seen| seen.parsed().any(&is));
    }

    /// A kind of string that is no URI-reference.
    fn rejected(&mut self, name: impl Into<String>, is: impl Fn(&str) -> bool + Sync + 'static) {
        self.put(name, move |seen| {
            seen.strings.iter().any(|text| text.parsed.is_none() && is(text.text))
        });
    }

    fn hosts(&mut self) {
        for &octet in OCTETS {
            self.parsed(format!("IPv4address with the octet {octet}"), move |reference| {
                host(reference, HostKind::Ipv4).is_some_and(|host| host.split('.').any(|part| part == octet))
            });
            self.parsed(format!("IPv6address with the octet {octet}"), move |reference| {
                host(reference, HostKind::Ipv6).and_then(octets_of).is_some_and(|octets| octets.contains(&octet))
            });
        }
        for &octet in NO_OCTETS {
            self.parsed(
                format!("reg-name with {octet} in the place of an octet"),
                move |reference| {
                    let octets = host(reference, HostKind::RegName).map(|host| host.split('.').collect::<Vec<_>>());
                    octets.is_some_and(|octets| {
                        octets.len() == 4 && octets.contains(&octet) && octets.iter().all(is_number)
                    })
                },
            );
            self.rejected(
                format!("IP-literal with {octet} in the place of an octet"),
                move |text| {
                    let host = components(text, UserinfoEnd::LastAt).host;
                    let address = host.and_then(|host| host.strip_prefix('[')?.strip_suffix(']'));
                    address.and_then(octets_of).is_some_and(|octets| octets.contains(&octet))
                },
            );
        }
        for &name in NUMERIC_NAMES {
            self.parsed(format!("reg-name {name}"), move |reference| {
                host(reference, HostKind::RegName) == Some(name)
            });
        }
        for port in ["", "0", "80", "00080", "65535", "65536"] {
            self.parsed(format!("http and the port \"{port}\""), move |reference| {
                let is_http = reference.components.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"));
                is_http && reference.authority.is_some_and(|authority| authority.port == Some(port))
            });
        }
    }

    fn colons(&mut self) {
        let first = |reference: &Reference<'_>| {
            let path = &reference.components.path;
            path.strip_prefix('/').unwrap_or(path).split('/').next().is_some_and(|segment| segment.contains(':'))
        };
        let has = |text: Option<&str>| text.is_some_and(|text| text.contains(':'));
        self.parsed("\":\" in the userinfo", move |reference| {
            has(reference.authority.and_then(|authority| authority.userinfo))
        });
        self.parsed("\":\" in an IPvFuture", move |reference| {
            has(host(reference, HostKind::Ipvfuture))
        });
        self.parsed("\":\" in the first segment, behind a scheme", move |reference| {
            reference.components.scheme.is_some() && !reference.components.path.starts_with('/') && first(reference)
        });
        self.parsed("\":\" in the first segment, behind a \"/\"", move |reference| {
            reference.components.path.starts_with('/') && first(reference)
        });
        self.parsed("\":\" in a later segment of a relative path", |reference| {
            let components = &reference.components;
            components.scheme.is_none() && !components.path.starts_with('/') && components.path.contains(':')
        });
        self.parsed("\":\" in the query", move |reference| has(reference.components.query));
        self.parsed("\":\" in the fragment", move |reference| {
            has(reference.components.fragment)
        });
        self.rejected("\":\" before all", |text| text.starts_with(':'));
        self.rejected("\":\" in the first segment, behind what is no scheme", |text| {
            text.starts_with(|first: char| first.is_ascii_digit())
                && text.find(':') < text.find(['/', '?', '#', '[', '@'])
        });
        self.rejected("\":\" in the port", |text| {
            components(text, UserinfoEnd::LastAt).port.is_some_and(|port| port.contains(':'))
        });
        for (name, of) in COMPONENTS {
            self.parsed(format!("\"%3A\" in the {name}"), move |reference| {
                of(reference).is_some_and(|text| text.contains("%3A") || text.contains("%3a"))
            });
        }
    }

    fn paths(&mut self) {
        let is_dots = |segment: &str| segment == "." || segment == "..";
        self.parsed("path of 8 segments or more, 4 of them dot-segments", move |reference| {
            let path = &reference.components.path;
            path.split('/').count() >= 8 && path.split('/').filter(|segment| is_dots(segment)).count() >= 4
        });
        for start in ["/../../..", "../../..", "a/../../.."] {
            self.parsed(format!("path that begins with \"{start}\""), move |reference| {
                reference
                    .components
                    .path
                    .strip_prefix(start)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            });
        }
        for segment in ["%2e", "%2e%2e", ".%2e", "%2e."] {
            self.parsed(format!("segment \"{segment}\""), move |reference| {
                reference.components.path.split('/').any(|other| other.eq_ignore_ascii_case(segment))
            });
        }
        self.parsed("path with \"//\" behind its first segment", |reference| {
            reference.components.path.get(1..).is_some_and(|rest| rest.contains("//"))
        });
        self.put("base with \"..\" as its last segment, and a path to merge", |seen| {
            resolved(seen)
                .is_some_and(|(base, _, resolution)| base.path.ends_with("/..") && resolution.merged.is_some())
        });
    }

    /// What libraries single out.
    fn words(&mut self) {
        for scheme in ["file", "javascript", "data", "mailto", "urn", "blob", "about", "c"] {
            self.parsed(format!("scheme {scheme}"), move |reference| {
                reference.components.scheme.is_some_and(|other| other.eq_ignore_ascii_case(scheme))
            });
        }
        for name in [
            "localhost",
            "LOCALHOST",
            "localhost.",
            "127.1",
            "0x7f.1",
            "2130706433",
            "xn--zca",
        ] {
            self.parsed(format!("host {name}"), move |reference| {
                host(reference, HostKind::RegName) == Some(name)
            });
        }
        for (name, start) in [("::ffff:", "[::ffff:"), ("::", "[::"), ("64:ff9b::", "[64:ff9b::")] {
            self.parsed(format!("IPv4address behind {name}"), move |reference| {
                let host = host(reference, HostKind::Ipv6).map(str::to_ascii_lowercase);
                let rest = host.as_deref().and_then(|host| host.strip_prefix(start)?.strip_suffix(']'));
                rest.is_some_and(|rest| rest.contains('.') && !rest.contains(':'))
            });
        }
        for drive in ["C:", "c%7C"] {
            let first = move |path: &str| path.split('/').next().is_some_and(|first| first.eq_ignore_ascii_case(drive));
            self.parsed(format!("file and the first segment {drive}"), move |reference| {
                let is_file = reference.components.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("file"));
                is_file && reference.components.path.strip_prefix('/').is_some_and(first)
            });
            self.parsed(format!("first segment {drive} without a scheme"), move |reference| {
                reference.components.scheme.is_none() && reference.components.path.strip_prefix('/').is_some_and(first)
            });
        }
        for part in ["c|", "\\\\", "/C|/"] {
            self.rejected(format!("{part:?} in what is no URI-reference"), move |text| {
                text.contains(part)
            });
        }
        for segment in ["..;", "%2e%2e;", "..%2f", "..%5c"] {
            self.parsed(format!("segment {segment:?}"), move |reference| {
                reference.components.path.split('/').any(|other| other.eq_ignore_ascii_case(segment))
            });
        }
        for text in FOLDING {
            let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let name = text.escape_unicode();
            for (component, of) in COMPONENTS {
                let encoded = encoded.clone();
                self.parsed(format!("{name} encoded in the {component}"), move |reference| {
                    of(reference).is_some_and(|text| text.to_ascii_uppercase().contains(&encoded))
                });
            }
            self.rejected(format!("{name} as it is"), move |input| input.contains(text));
        }
    }

    fn triplets(&mut self) {
        for mark in RESERVED.chars() {
            let triplet = format!("%{:02X}", u32::from(mark));
            let other = triplet.clone();
            self.put(
                format!("two URIs, \"{mark}\" against \"{triplet}\""),
                move |seen| match seen.input {
                    Input::Equivalent { left, right, .. } => {
                        differ_by(left, right, mark, &other) || differ_by(right, left, mark, &other)
                    }
                    _ => false,
                },
            );
            self.put(format!("normalize: \"{triplet}\" in the query"), move |seen| {
                matches!(seen.input, Input::Normalize { .. })
                    && seen.parsed().any(|reference| {
                        let query = reference.components.query.unwrap_or_default();
                        query.to_ascii_uppercase().contains(&triplet)
                    })
            });
        }
        for (name, of) in COMPONENTS {
            self.parsed(
                format!("\"%25\" and two digits, encoded once more, in the {name}"),
                move |reference| {
                    let mut twice = of(reference).into_iter().flat_map(|text| text.split("%25").skip(1));
                    twice.any(|rest| rest.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2)
                },
            );
            self.parsed(format!("letter encoded in the {name}"), move |reference| {
                of(reference).is_some_and(has_letter_encoded)
            });
        }
        self.put("parse: letter encoded in the path", |seen| {
            matches!(seen.input, Input::Parse { .. })
                && seen.parsed().any(|reference| has_letter_encoded(&reference.components.path))
        });
        self.put("normalize: \"%7e\" twice in a relative reference", |seen| {
            matches!(seen.input, Input::Normalize { .. })
                && seen.strings.iter().any(|text| {
                    let is_relative =
                        text.parsed.as_ref().is_some_and(|reference| reference.components.scheme.is_none());
                    is_relative && text.text.to_ascii_lowercase().matches("%7e").count() > 1
                })
        });
    }
}

/// A component's text.
type TextOf = for<'r> fn(&'r Reference<'_>) -> Option<&'r str>;

/// The components that may have triplets.
const COMPONENTS: [(&str, TextOf); 5] = [
    ("userinfo", |reference| {
        reference.authority.and_then(|authority| authority.userinfo)
    }),
    ("host", |reference| reference.authority.map(|authority| authority.host)),
    ("path", |reference| Some(&reference.components.path)),
    ("query", |reference| reference.components.query),
    ("fragment", |reference| reference.components.fragment),
];

/// The four parts of what ends an address of an IP-literal like an IPv4address.
fn octets_of(address: &str) -> Option<Vec<&str>> {
    let last = address.trim_end_matches(']').rsplit(':').next()?;
    let octets: Vec<&str> = last.split('.').collect();
    (octets.len() == 4 && octets.iter().all(is_number)).then_some(octets)
}

fn has_letter_encoded(text: &str) -> bool {
    let values = text.split('%').skip(1).filter_map(|rest| u8::from_str_radix(rest.get(..2)?, 16).ok());
    values.into_iter().any(|value| value.is_ascii_alphabetic())
}

fn is_number(part: &&str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether one string has a character where the other has its triplet, and all else is the same.
fn differ_by(one: &str, other: &str, mark: char, triplet: &str) -> bool {
    one.len() + 2 == other.len()
        && one.match_indices(mark).any(|(at, _)| {
            other.get(at..at + 3).is_some_and(|there| there.eq_ignore_ascii_case(triplet))
                && one[..at] == other[..at]
                && one[at + 1..] == other[at + 3..]
        })
}
