//! Syntax-Based and Scheme-Based Normalization (RFC 3986 §6.2.2, §6.2.3), with an edit.

use std::net::Ipv6Addr;

use rfc3986_reference::characters::{
    is_alpha, is_digit, is_gen_delim, is_reserved, is_sub_delim, is_unreserved, leading_triplet,
};
use uriproof::model::Scope;

use super::Algorithms;
use super::edits::Edit;
use super::faults::{AlgorithmFault, PathBranch, SchemeFault, TripletFault};
use super::parts::{Authority, Parts};
use super::triplets::{TripletPlace, decode, decode_non_ascii, each, rewrite};

impl Algorithms {
    /// Whether this is wrong under the name of the scheme of a URI.
    pub(super) fn has_fault_of(self, parts: &Parts, done: SchemeFault) -> bool {
        match (self.fault, &parts.scheme) {
            (Some(AlgorithmFault::Scheme(name, own)), Some(scheme)) => own == done && scheme.eq_ignore_ascii_case(name),
            _ => false,
        }
    }

    /// The normal form of a URI; `None` where it is none.
    pub(super) fn normalize(self, uri: &str, scope: Scope) -> Option<String> {
        let mut parts = Parts::of_uri(uri)?;
        if self.has(Edit::DecodedBeforeSplit) {
            parts = Parts::split(&decode(uri, |octet| octet.is_ascii_graphic()));
        }
        self.normalize_parts(&mut parts, scope)?;
        Some(self.recompose(&parts))
    }

    /// The normal form of the parts of a URI; `None` where an edit refuses them.
    pub(super) fn normalize_parts(self, parts: &mut Parts, scope: Scope) -> Option<()> {
        let scheme = parts.scheme.clone().unwrap_or_default();
        if !(scope == Scope::Scheme && self.has(Edit::SyntaxFirstForgotten)) {
            self.syntax(parts)?;
        }
        if scope == Scope::Scheme {
            let known = if self.has(Edit::SchemeRulesByCase) {
                scheme
            } else {
                scheme.to_ascii_lowercase()
            };
            self.scheme(parts, &known);
        }
        Some(())
    }

    /// §6.2.2
    fn syntax(self, parts: &mut Parts) -> Option<()> {
        if self.has(Edit::DotSegmentsBeforeDecoding) {
            self.path_segments(parts)?;
            self.percent_encoding(parts);
            self.case(parts);
        } else {
            if self.has(Edit::CaseBeforeDecoding) {
                self.case(parts);
                self.percent_encoding(parts);
            } else {
                self.percent_encoding(parts);
                self.case(parts);
            }
            self.path_segments(parts)?;
        }
        self.not_of_the_rfc(parts);
        Some(())
    }

    /// §6.2.2.2
    fn percent_encoding(self, parts: &mut Parts) {
        if self.has(Edit::NothingDecoded) {
            return;
        }
        let scheme = Parts {
            scheme: parts.scheme.clone(),
            ..Parts::default()
        };
        each(parts, |place, text| {
            if self.has_fault_of(&scheme, SchemeFault::KeepsTriplets(place.component())) {
                return;
            }
            let is_left_out = match place {
                TripletPlace::Userinfo => Edit::NotDecodedInUserinfo,
                TripletPlace::Host => Edit::NotDecodedInHost,
                TripletPlace::Path => Edit::NotDecodedInPath,
                TripletPlace::Query => Edit::NotDecodedInQuery,
                TripletPlace::Fragment => Edit::NotDecodedInFragment,
            };
            if self.has(is_left_out) {
                return;
            }
            let turns = if self.has(Edit::DecodedTwice) { 2 } else { 1 };
            for _ in 0..turns {
                *text = self.decode_unreserved(place, text);
            }
            if self.has(Edit::NulDropped) {
                *text = text.replace("%00", "");
            }
            if self.has(Edit::SpaceToPlus) && place == TripletPlace::Query {
                *text = text.replace("%20", "+");
            }
            if self.has(Edit::SubDelimsEncoded) && place == TripletPlace::Path {
                let encode = |octet: char| match u8::try_from(octet) {
                    Ok(octet) if is_sub_delim(octet) => format!("%{octet:02X}"),
                    _ => octet.to_string(),
                };
                *text = text.chars().map(encode).collect();
            }
            if self.has(Edit::NonAsciiDecoded) {
                *text = decode_non_ascii(text);
            }
        });
    }

    fn decode_unreserved(self, place: TripletPlace, text: &str) -> String {
        if self.has(Edit::LowercaseTripletsKept) {
            // Of a triplet with a lower-case digit the "%" wears another name.
            let mut hidden = text.to_owned();
            for at in 0..text.len() {
                let triplet = text.get(at..at + 3).filter(|triplet| leading_triplet(triplet.as_bytes()).is_some());
                if triplet.is_some_and(|triplet| triplet.contains(|digit: char| digit.is_ascii_lowercase())) {
                    hidden.replace_range(at..=at, "\0");
                }
            }
            return decode(&hidden, is_unreserved).replace('\0', "%");
        }
        decode(text, |octet| self.decodes(place, octet))
    }

    /// Whether a triplet of the octet is decoded.
    fn decodes(self, place: TripletPlace, octet: u8) -> bool {
        let more = [
            (Edit::ReservedDecoded, is_reserved(octet)),
            (Edit::GenDelimsDecoded, is_gen_delim(octet)),
            (Edit::SubDelimsDecoded, is_sub_delim(octet)),
            (Edit::MarksDecoded, b"!*'()".contains(&octet)),
            (Edit::SlashDecoded, place == TripletPlace::Path && octet == b'/'),
            (Edit::ColonDecoded, place == TripletPlace::Path && octet == b':'),
            (Edit::PercentDecoded, octet == b'%'),
            (Edit::DecodedTwice, octet == b'%'),
            (Edit::SpaceDecoded, octet == b' '),
        ];
        let less = [
            (Edit::LettersKept, is_alpha(octet)),
            (Edit::LowercaseLettersKept, octet.is_ascii_lowercase()),
            (Edit::DigitsKept, is_digit(octet)),
            (Edit::HyphenKept, octet == b'-'),
            (Edit::DotKept, octet == b'.'),
            (Edit::UnderscoreKept, octet == b'_'),
            (Edit::TildeKept, octet == b'~'),
        ];
        let fits = |edits: &[(Edit, bool)]| edits.iter().any(|&(edit, fits)| fits && self.has(edit));
        let has_fault = |done| self.has_fault(AlgorithmFault::Triplet(place.component(), octet, done));
        (is_unreserved(octet) || fits(&more) || has_fault(TripletFault::Decoded))
            && !(fits(&less) || has_fault(TripletFault::Kept))
    }

    /// §6.2.2.1
    fn case(self, parts: &mut Parts) {
        let keeps_case = self.has_fault_of(parts, SchemeFault::KeepsCase);
        if let Some(scheme) = &mut parts.scheme
            && !self.has(Edit::SchemeKeepsCase)
        {
            scheme.make_ascii_lowercase();
        }
        if let Some(authority) = &mut parts.authority {
            let host = &mut authority.host;
            let kept = match host.strip_prefix('[') {
                Some(literal) if literal.starts_with(['v', 'V']) => Edit::IpvFutureKeepsCase,
                Some(_) => Edit::Ipv6KeepsCase,
                None => Edit::RegNameKeepsCase,
            };
            if !self.has(Edit::HostKeepsCase) && !self.has(kept) && !keeps_case {
                host.make_ascii_lowercase();
            }
        }
        each(parts, |place, text| {
            let (lowered, kept) = match place {
                TripletPlace::Userinfo => (Some(Edit::UserinfoLowered), Edit::TripletsKeepCaseInUserinfo),
                TripletPlace::Host => (None, Edit::HostLoweredWithTriplets),
                TripletPlace::Path => (Some(Edit::PathLoweredInNormalForm), Edit::TripletsKeepCaseInPath),
                TripletPlace::Query => (Some(Edit::QueryLowered), Edit::TripletsKeepCaseInQuery),
                TripletPlace::Fragment => (Some(Edit::FragmentLowered), Edit::TripletsKeepCaseInFragment),
            };
            if lowered.is_some_and(|lowered| self.has(lowered)) {
                text.make_ascii_lowercase();
            }
            if !self.has(Edit::TripletsKeepCase) && !self.has(kept) {
                *text = self.uppercase_triplets(place, text);
            }
        });
    }

    fn uppercase_triplets(self, place: TripletPlace, text: &str) -> String {
        rewrite(text, |triplet, octet| {
            if self.has_fault(AlgorithmFault::Triplet(
                place.component(),
                octet,
                TripletFault::CaseKept,
            )) {
                triplet.to_owned()
            } else if self.has(Edit::TripletsLowered) {
                triplet.to_ascii_lowercase()
            } else if self.has(Edit::FirstDigitOnly) {
                format!("{}{}", triplet[..2].to_ascii_uppercase(), &triplet[2..])
            } else {
                triplet.to_ascii_uppercase()
            }
        })
    }

    /// §6.2.2.3
    fn path_segments(self, parts: &mut Parts) -> Option<()> {
        if self.has(Edit::DotSegmentsKept)
            || self.has(Edit::DotSegmentsKeptWithoutAuthority) && parts.authority.is_none()
        {
            return Some(());
        }
        if self.has_fault_of(parts, SchemeFault::KeepsDots(PathBranch::Normalize)) {
            return Some(());
        }
        let removed = self.removed_in(PathBranch::Normalize, &parts.path)?;
        if parts.authority.is_some() || !removed.starts_with("//") || self.has(Edit::DoubleSlashUncovered) {
            parts.path = removed;
        }
        if let Some(query) = parts.query.as_mut().filter(|_| self.has(Edit::DotSegmentsRemovedFromQuery)) {
            *query = self.remove_dot_segments(query)?;
        }
        if let Some(fragment) = parts.fragment.as_mut().filter(|_| self.has(Edit::DotSegmentsRemovedFromFragment)) {
            *fragment = self.remove_dot_segments(fragment)?;
        }
        Some(())
    }

    /// What is added to §6.2.2 by those who take it further than it goes.
    fn not_of_the_rfc(self, parts: &mut Parts) {
        if self.has(Edit::EmptySegmentsRemoved) {
            while parts.path.contains("//") {
                parts.path = parts.path.replace("//", "/");
            }
        }
        if self.has(Edit::LastSlashRemoved) {
            remove_last_slash(&mut parts.path);
        }
        if self.has(Edit::LastSlashAdded) && !parts.path.is_empty() && !parts.path.ends_with('/') {
            parts.path.push('/');
        }
        if self.has(Edit::RootAdded) && parts.authority.is_some() && parts.path.is_empty() {
            parts.path.push('/');
        }
        if let Some(authority) = &mut parts.authority {
            if self.has(Edit::DefaultPortRemoved) {
                let default = parts.scheme.as_deref().and_then(default_port);
                authority.port.take_if(|port| default.is_some() && port.parse().ok() == default);
            }
            if self.has(Edit::EmptyUserinfoRemoved) {
                authority.userinfo.take_if(|userinfo| userinfo.is_empty());
            }
            if self.has(Edit::UserinfoRemoved) {
                authority.userinfo = None;
            }
            if let Some(userinfo) = authority.userinfo.as_mut().filter(|_| self.has(Edit::PasswordRemoved)) {
                userinfo.truncate(userinfo.strip_suffix(':').unwrap_or(userinfo).len());
            }
            if self.has(Edit::LastDotOfHostRemoved) {
                authority.host.truncate(authority.host.strip_suffix('.').unwrap_or(&authority.host).len());
            }
            let literal = authority.host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
            if let Some(Ok(address)) = literal.map(str::parse::<Ipv6Addr>)
                && self.has(Edit::Ipv6Shortened)
            {
                authority.host = format!("[{address}]");
            }
        }
        if self.has(Edit::EmptyQueryRemoved) {
            parts.query.take_if(|query| query.is_empty());
        }
        if self.has(Edit::EmptyFragmentRemoved) {
            parts.fragment.take_if(|fragment| fragment.is_empty());
        }
        if self.has(Edit::FragmentRemoved) {
            parts.fragment = None;
        }
        if let Some(query) = parts.query.as_mut().filter(|_| self.has(Edit::QuerySorted)) {
            let mut pieces: Vec<_> = query.split('&').collect();
            pieces.sort_unstable();
            *query = pieces.join("&");
        }
    }

    /// §6.2.3, by the rules of the scheme that is known as `scheme`.
    fn scheme(self, parts: &mut Parts, scheme: &str) -> Option<()> {
        let has_root = matches!(scheme, "http" | "https" | "ws" | "wss") && !self.has(Edit::RootForgotten);
        let is_below = parts.authority.is_some() || self.has(Edit::RootWithoutAuthority);
        let is_kept = self.has(Edit::RootNotBeforeQuery) && parts.query.is_some();
        if has_root && is_below && parts.path.is_empty() && !is_kept {
            parts.path.push('/');
        }
        if self.has(Edit::RootRemoved) && parts.path == "/" {
            parts.path.clear();
        }
        if self.has(Edit::LastSlashRemovedByScheme) {
            remove_last_slash(&mut parts.path);
        }

        let is_empty = |port: &str| {
            port.is_empty() && !self.has(Edit::EmptyPortKept)
                || self.has(Edit::PortZeroRemoved) && !port.is_empty() && port.bytes().all(|digit| digit == b'0')
        };
        let mut had_empty_port = false;
        if let Some(authority) = &mut parts.authority {
            had_empty_port = authority.port.as_deref() == Some("");
            authority
                .port
                .take_if(|port| is_empty(port) || self.is_default_port(port, scheme) || self.has(Edit::AnyPortRemoved));
        }

        self.default_host(parts, scheme, had_empty_port)?;

        if scheme == "mailto" && !self.has(Edit::MailboxKeepsCase) || self.has(Edit::MailboxOfAny) {
            parts.path = self.mailboxes(&parts.path);
        }

        if let Some(authority) = parts.authority.as_mut().filter(|_| self.has(Edit::EmptyUserinfoRemovedByScheme)) {
            authority.userinfo.take_if(|userinfo| userinfo.is_empty());
        }
        if self.has(Edit::EmptyQueryRemovedByScheme) {
            parts.query.take_if(|query| query.is_empty());
        }
        if self.has(Edit::EmptyFragmentRemovedByScheme) {
            parts.fragment.take_if(|fragment| fragment.is_empty());
        }
        Some(())
    }

    /// Whether the port's value is that of the scheme's default (§3.2.3).
    fn is_default_port(self, port: &str, scheme: &str) -> bool {
        let unknown = match scheme {
            "https" => self.has(Edit::HttpsPortUnknown),
            "ftp" => self.has(Edit::FtpPortUnknown),
            "ws" => self.has(Edit::WsPortUnknown),
            "wss" => self.has(Edit::WssPortUnknown),
            _ => false,
        };
        if self.has(Edit::DefaultPortKept) || unknown {
            return false;
        }
        let is = |default: u16| {
            if self.has(Edit::PortWraps) {
                return port.parse::<u64>().is_ok_and(|value| value % 65536 == u64::from(default));
            }
            port.parse() == Ok(default) || self.has(Edit::PortByPrefix) && port.starts_with(&default.to_string())
        };
        default_port(scheme).is_some_and(is)
            || self.has(Edit::HttpPortOfAny) && is(80)
            || self.has(Edit::HttpsPortOfHttp) && scheme == "http" && is(443)
    }

    /// "the reference should be normalized to an empty authority", of which a scheme's default host is no part.
    fn default_host(self, parts: &mut Parts, scheme: &str, had_empty_port: bool) -> Option<()> {
        let has_default = scheme == "file" && !self.has(Edit::LocalhostKept) || self.has(Edit::LocalhostOfAny);
        if !has_default {
            return Some(());
        }
        let Some(authority) = &mut parts.authority else {
            let takes_authority = parts.path.is_empty() || parts.path.starts_with('/');
            if scheme == "file" && takes_authority && !self.has(Edit::NoAuthorityKept) {
                parts.authority = Some(Authority::default());
                parts.path = self.remove_dot_segments(&parts.path)?;
            }
            return Some(());
        };
        if self.has(Edit::EmptyHostNamed) && authority.host.is_empty() {
            authority.host.push_str("localhost");
            return Some(());
        }
        let is_default = authority.host.is_empty()
            || authority.host.eq_ignore_ascii_case("localhost")
            || self.has(Edit::LoopbackIsLocalhost) && authority.host == "127.0.0.1";
        if !is_default {
            return Some(());
        }
        let is_beside = match authority.userinfo.as_deref() {
            None | Some("") => false,
            Some(_) => !self.has(Edit::LocalhostDespiteUserinfo),
        };
        let is_before = match authority.port {
            None => had_empty_port && self.has(Edit::LocalhostBesideEmptyPort),
            Some(_) => !self.has(Edit::LocalhostDespitePort),
        };
        if is_beside || is_before {
            "localhost".clone_into(&mut authority.host);
            return Some(());
        }
        authority.host.clear();
        authority.userinfo.take_if(|userinfo| userinfo.is_empty());
        if self.has(Edit::LocalhostTakesAuthority) && authority.is_empty() {
            parts.authority = None;
        }
        Some(())
    }

    /// A list of mailboxes, each with its host in lower case.
    fn mailboxes(self, path: &str) -> String {
        let last = path.split(',').count() - 1;
        let mailbox = |(number, mailbox): (usize, &str)| {
            if self.has(Edit::FirstMailboxOnly) && number > 0 || self.has(Edit::LastMailboxOnly) && number < last {
                return mailbox.to_owned();
            }
            if self.has(Edit::MailboxLowered) {
                return rewrite(&mailbox.to_ascii_lowercase(), |triplet, _| triplet.to_ascii_uppercase());
            }
            match mailbox.rsplit_once('@') {
                Some((local, host)) => {
                    let mut host = host.to_ascii_lowercase();
                    if !self.has(Edit::MailboxTripletsLowered) {
                        host = rewrite(&host, |triplet, _| triplet.to_ascii_uppercase());
                    }
                    format!("{local}@{host}")
                }
                None => mailbox.to_owned(),
            }
        };
        path.split(',').enumerate().map(mailbox).collect::<Vec<_>>().join(",")
    }
}

/// The default port of a scheme, as `vectors/README.md` has it.
fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" | "ws" => Some(80),
        "https" | "wss" => Some(443),
        "ftp" => Some(21),
        _ => None,
    }
}

fn remove_last_slash(path: &mut String) {
    if path.len() > 1 && path.ends_with('/') {
        path.pop();
    }
}
