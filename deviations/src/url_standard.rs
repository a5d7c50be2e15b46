//! The WHATWG URL Standard in the place of RFC 3986, and what a library does otherwise than the standard.
//!
//! A profile with [`Deviation::FollowsUrlStandard`] has none of the stages of RFC 3986. What departs from the standard changes the text
//! before it is parsed, or the URL that comes of it: the parser stays that of the standard.

mod masks;
mod reading;
mod relativization;
mod setters;

use uriproof::expect::whatwg::components;
use uriproof::model::{Components, Input, Outcome, Rule, Rung, Scope};
use whatwg_url_reference::domain::{DomainStrictness, domain_parser_to_ascii};
use whatwg_url_reference::host::UrlHost;
use whatwg_url_reference::parser::basic_url_parser;
use whatwg_url_reference::record::{UrlPath, UrlRecord};
use whatwg_url_reference::serializer::{UrlFragment, serialize};

use self::masks::Masks;
use crate::catalogue::{Deviation, UrlDeparture};

/// What a library answers that follows the standard but for `deviations`; `None` where the standard has no such operation, or has it for
/// other arguments.
pub(crate) fn outcome(deviations: &[Deviation], input: &Input) -> Option<Outcome> {
    let departs = |by: UrlDeparture| deviations.contains(&Deviation::DepartsFromUrlStandard { by });
    let standard = UrlStandard {
        departures: UrlDeparture::ALL.iter().copied().filter(|by| departs(*by)).collect(),
        masks: Masks::apart_from(input),
    };
    let written = |url: Option<UrlRecord>| url.map_or_else(failure, |url| Outcome::uri(standard.text(&url)));
    match input {
        Input::Parse { rule: Rule::Uri, input } => {
            let url = standard.url(input, None);
            Some(url.map_or_else(failure, |url| Outcome::components(standard.shown(&url))))
        }
        Input::Resolve { base, reference, .. } => Some(written(
            standard.url(base, None).and_then(|base| standard.url(reference, Some(&base))),
        )),
        Input::Normalize {
            uri,
            scope: Scope::Scheme,
        }
        | Input::RoundTrip { uri } => Some(written(standard.url(uri, None))),
        Input::Equivalent {
            left,
            right,
            rung: Rung::Scheme,
        } => Some(match (standard.url(left, None), standard.url(right, None)) {
            (Some(left), Some(right)) => Outcome::equivalent(standard.text(&left) == standard.text(&right)),
            _ => failure(),
        }),
        Input::Contract { left, right } => Some(match (standard.url(left, None), standard.url(right, None)) {
            (Some(_), Some(_)) => Outcome::broken(Vec::new()),
            _ => failure(),
        }),
        Input::Relativize { base, target } if standard.departs(UrlDeparture::RelativizesByText) => {
            let both = standard.url(base, None).zip(standard.url(target, None));
            let reference = both.and_then(|(base, target)| relativization::by_text(&base, &target, &standard));
            Some(reference.map_or_else(failure, Outcome::uri))
        }
        Input::Modify { uri, component, value } => standard.modified(uri, *component, value.as_deref()),
        _ => None,
    }
}

fn failure() -> Outcome {
    Outcome::rejected("failure")
}

/// The standard with what departs from it.
struct UrlStandard {
    departures: Vec<UrlDeparture>,
    masks: Masks,
}

impl UrlStandard {
    fn departs(&self, by: UrlDeparture) -> bool {
        self.departures.contains(&by)
    }

    /// The URL of a text, with what is not encoded behind masks; `None` is failure.
    fn url(&self, text: &str, base: Option<&UrlRecord>) -> Option<UrlRecord> {
        let with_slash = self
            .departs(UrlDeparture::TabAfterDriveLetter)
            .then(|| reading::with_slash_for_tab(reading::trimmed(text), base, &['?', '#'], &self.masks))
            .flatten();
        let read = reading::cleaned(text);
        let mut text = reading::cleaned(with_slash.as_deref().unwrap_or(text));
        for departure in &self.departures {
            if departure.refuses(&text, base) {
                return None;
            }
            if let Some(other) = departure.reads(&text, base, &self.masks) {
                text = other;
            }
        }
        let plain = basic_url_parser(&text, base).url?;
        let is_opaque = plain.has_opaque_path();
        let unmasked = text.clone();
        if self.departs(UrlDeparture::InvalidPunycode) && plain.host().is_some_and(is_invalid_punycode) {
            return None;
        }
        if self.departs(UrlDeparture::CaretsInPaths) {
            text = text.replace('^', &self.masks.caret.to_string());
        }
        if self.departs(UrlDeparture::SpaceAfterOpaquePath)
            && is_opaque
            && let Some(end) = text.find(['?', '#'])
            && let Some(before) = text[..end].strip_suffix(' ')
        {
            text = format!("{before}{}{}", self.masks.space, &text[end..]);
        }
        if self.departs(UrlDeparture::BarOfDriveLetter) {
            for bar in reading::bars_after_empty_host(&text, base).into_iter().rev() {
                text.replace_range(bar..=bar, &self.masks.bar.to_string());
            }
        }
        let mut url = match text == unmasked {
            true => plain,
            false => basic_url_parser(&text, base).url?,
        };
        for departure in &self.departures {
            let is_cut = *departure == UrlDeparture::HostBeforeDriveLetter && with_slash.is_some();
            if let Some(other) = self.keeps(*departure, &url, &read, base).filter(|_| !is_cut) {
                url = other;
            }
        }
        Some(url)
    }

    fn text(&self, url: &UrlRecord) -> String {
        self.lifted(url, &serialize(url, UrlFragment::Included))
    }

    /// Another URL in the place of one that was parsed.
    fn keeps(
        &self,
        departure: UrlDeparture,
        url: &UrlRecord,
        parsed: &str,
        base: Option<&UrlRecord>,
    ) -> Option<UrlRecord> {
        let UrlPath::Segments(segments) = url.path() else {
            return None;
        };
        if url.scheme() != "file" {
            return None;
        }
        let text = serialize(url, UrlFragment::Included);
        let host = url.host().map(ToString::to_string).unwrap_or_default();
        let behind = text.strip_prefix("file://")?.strip_prefix(&*host)?;
        let other = match departure {
            UrlDeparture::HostBeforeDriveLetter => {
                let has_drive = segments.first().is_some_and(|first| is_drive(first)) && !host.is_empty();
                (has_drive && reading::shows_drive_letter(parsed, base)).then(|| format!("file://{behind}"))
            }
            UrlDeparture::SlashesOfFilePaths => behind.starts_with("//").then(|| {
                let path = behind.trim_start_matches('/');
                // A drive letter that is not the first segment keeps its bar.
                let first = path.split(['/', '?', '#']).next().unwrap_or_default();
                let has_bar = is_drive(first) && first.ends_with('|');
                match has_bar {
                    true => format!("file://{host}/{}{}{}", &path[..1], self.masks.bar, &path[2..]),
                    false => format!("file://{host}/{path}"),
                }
            }),
            _ => None,
        };
        basic_url_parser(&other?, None).url
    }

    /// A text that begins like the serialized URL, with what masks stand for.
    fn lifted(&self, url: &UrlRecord, text: &str) -> String {
        let start = match text.split_once("://").filter(|_| url.host().is_some()) {
            Some((scheme, behind)) => scheme.len() + 3 + behind.find(['/', '?', '#']).unwrap_or(behind.len()),
            None => 0,
        };
        let (authority, others) = text.split_at(start);
        // A userinfo has no caret that is not encoded.
        self.masks.lifted_from(authority, "%5E") + &self.masks.lifted_from(others, "^")
    }

    fn shown(&self, url: &UrlRecord) -> Components {
        self.masks.lifted_from_components(components(url))
    }
}

/// Whether a host is a domain with a label that begins like Punycode and is none.
fn is_invalid_punycode(host: &UrlHost) -> bool {
    match host {
        UrlHost::Domain(domain) => {
            domain.contains("xn--") && domain_parser_to_ascii(domain, DomainStrictness::Relaxed).is_none()
        }
        _ => false,
    }
}

/// Whether a segment is a Windows drive letter.
fn is_drive(segment: &str) -> bool {
    matches!(segment.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}
