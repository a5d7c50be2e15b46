//! The stage *reading*: the beginning of a text that is read as a URI, where the rest is ignored.

use rfc3986_reference::characters::leading_triplet;
use uriproof::model::{Component, Reading};

use crate::catalogue::{Deviation, HostForm, StopPoint};
use crate::stages::{Parts, faults, is_of, kind_of_host};

impl Deviation {
    fn misses_userinfo(&self, userinfo: &str) -> bool {
        let password = userinfo.split_once(':').map(|(_, password)| password);
        matches!(self, Deviation::ReadsPasswordAsHost)
            && password.is_some_and(|password| password.is_empty() || password.contains(':'))
    }

    fn misses_authority(&self, host: &str) -> bool {
        matches!(self, Deviation::ReadsAuthorityAsPath { form } if form.is_of(host))
    }

    fn stops_before_port(&self, port: &str) -> bool {
        match self {
            Deviation::StopsReading {
                at: StopPoint::BeforeEmptyPort,
            } => port.is_empty(),
            Deviation::StopsBeforePortsAbove { limit } => {
                let digits = port.trim_start_matches('0');
                !digits.is_empty() && !digits.parse::<u64>().is_ok_and(|port| port <= *limit)
            }
            _ => false,
        }
    }

    /// Where reading stops in a registered name.
    fn stops_in_name(&self, name: &str) -> Option<usize> {
        let stops = matches!(
            self,
            Deviation::StopsReading {
                at: StopPoint::BehindIpv4Address
            }
        );
        if stops { ipv4_beginning(name) } else { None }
    }

    /// Where reading stops in a query.
    fn stops_in_query(&self, query: &str) -> Option<usize> {
        let stops = matches!(
            self,
            Deviation::StopsReading {
                at: StopPoint::BeforeSecondEqualsSign
            }
        );
        let mut equals_signs = 0;
        let ends_pair = |character| {
            equals_signs = match character {
                '&' => 0,
                '=' => equals_signs + 1,
                _ => equals_signs,
            };
            equals_signs == 2
        };
        if stops { query.find(ends_pair) } else { None }
    }
}

impl HostForm {
    fn is_of(self, host: &str) -> bool {
        match self {
            HostForm::Empty => host.is_empty(),
            HostForm::CapitalVersionFlag => host.starts_with("[V"),
            HostForm::SevenPiecesBeforeElision => {
                host.strip_suffix("::]").is_some_and(|pieces| pieces.split(':').count() == 7)
            }
        }
    }
}

/// The parts of the longest beginning of a text that is a URI, part by part, if a deviation ignores the rest or stops before it; `None`
/// if no deviation acts.
pub(crate) fn beginning<'a>(text: &'a str, deviations: &[Deviation]) -> Option<Parts<'a>> {
    let (scheme, behind) = text.split_once(':')?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|octet| is_of(Component::Scheme, octet));
    let is_missing = scheme.is_empty() && deviations.contains(&Deviation::ReadsMissingScheme);
    if !is_scheme && !is_missing {
        return None;
    }
    let mut reader = Reader {
        deviations,
        rest: behind,
        has_acted: is_missing || deviations.contains(&Deviation::ReadsBeginning),
    };
    let mut parts = reader.authority().unwrap_or_default();
    parts.scheme = Some(scheme.into());
    if parts.host.is_none() || reader.rest.starts_with('/') {
        parts.path = reader.take(Component::Path).into();
    }
    if reader.delimiter('?') {
        let query = reader.text(Component::Query);
        let end = deviations.iter().find_map(|deviation| deviation.stops_in_query(query));
        parts.query = Some(reader.take_to(query.len(), end).into());
    }
    if reader.delimiter('#') {
        parts.fragment = Some(reader.take(Component::Fragment).into());
    }
    reader.has_acted.then_some(parts)
}

struct Reader<'a, 'd> {
    deviations: &'d [Deviation],
    rest: &'a str,
    /// Whether a deviation has acted, so that what is not read is ignored.
    has_acted: bool,
}

impl<'a> Reader<'a, '_> {
    /// The authority; `None` if there is none, or none that is read.
    fn authority(&mut self) -> Option<Parts<'a>> {
        let slashes = self.rest;
        self.rest = slashes.strip_prefix("//")?;
        let mut parts = Parts::default();
        let (userinfo, before) = (self.text(Component::Userinfo), self.rest);
        if before[userinfo.len()..].starts_with('@') && !self.acts(|deviation| deviation.misses_userinfo(userinfo)) {
            self.rest = &before[userinfo.len() + 1..];
            parts.userinfo = Some(userinfo.into());
        }
        let Some(host) = self.host() else {
            self.rest = slashes;
            return None;
        };
        parts.host = Some(host.into());
        parts.host_kind = Some(kind_of_host(host));
        let before = self.rest;
        if self.delimiter(':') {
            let digits = self.rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(self.rest.len());
            let port = self.take_to(digits, None);
            if self.acts(|deviation| deviation.stops_before_port(port)) {
                self.rest = before;
            } else {
                parts.port = Some(port.into());
            }
        }
        Some(parts)
    }

    fn host(&mut self) -> Option<&'a str> {
        let host = match self.rest.find(']').filter(|_| self.rest.starts_with('[')) {
            Some(end) => &self.rest[..=end],
            None if self.rest.starts_with('[') => return None,
            None => self.text(Component::Host),
        };
        let parts = Parts {
            host: Some(host.into()),
            ..Parts::default()
        };
        let is_wrong = !faults(&parts, Reading::Rfc3986).is_empty();
        if is_wrong || self.acts(|deviation| deviation.misses_authority(host)) {
            return None;
        }
        let end = self.deviations.iter().find_map(|deviation| deviation.stops_in_name(host));
        Some(self.take_to(host.len(), end))
    }

    /// Whether a deviation acts here.
    fn acts(&mut self, acts: impl Fn(&Deviation) -> bool) -> bool {
        let acts = self.deviations.iter().any(acts);
        self.has_acted |= acts;
        acts
    }

    /// The longest text that follows and has only characters of a component.
    fn text(&self, component: Component) -> &'a str {
        &self.rest[..length_of(component, self.rest)]
    }

    /// Reads the longest text that has only characters of a component.
    fn take(&mut self, component: Component) -> &'a str {
        self.take_to(length_of(component, self.rest), None)
    }

    /// Reads this many bytes, or as many as before the end where a deviation stops.
    fn take_to(&mut self, length: usize, end: Option<usize>) -> &'a str {
        self.has_acted |= end.is_some();
        let (taken, rest) = self.rest.split_at(end.unwrap_or(length));
        self.rest = rest;
        taken
    }

    /// Reads this character, if it follows.
    fn delimiter(&mut self, delimiter: char) -> bool {
        let behind = self.rest.strip_prefix(delimiter);
        self.rest = behind.unwrap_or(self.rest);
        behind.is_some()
    }
}

/// The length of the longest beginning of a text that has only characters of a component, or triplets.
fn length_of(component: Component, text: &str) -> usize {
    let octets = text.as_bytes();
    let mut at = 0;
    while let Some(&octet) = octets.get(at) {
        at += match octet {
            b'%' if leading_triplet(&octets[at..]).is_some() => 3,
            b'/' if component == Component::Path => 1,
            octet if is_of(component, octet) => 1,
            _ => break,
        };
    }
    at
}

/// The length of the IPv4 address with which a longer name begins, each octet as long as it can be.
fn ipv4_beginning(name: &str) -> Option<usize> {
    let mut at = 0;
    for octet in 0..4 {
        if octet > 0 {
            at += name[at..].starts_with('.').then_some(1)?;
        }
        let is_octet = |length: &usize| {
            name.get(at..at + length).is_some_and(|digits| {
                let is_plain =
                    digits.bytes().all(|digit| digit.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
                is_plain && digits.parse::<u8>().is_ok()
            })
        };
        at += [3, 2, 1].into_iter().find(is_octet)?;
    }
    (at < name.len()).then_some(at)
}
