//! The shapes of URI-references and of IPv6 addresses.

use uriproof::model::HostKind;

use super::{Caches, Probe, Reached, Seen, host};

/// Every shape of undefined, empty and other components; a path is empty or not.
pub(super) struct Shapes;

/// How many shapes there are of a scheme, an authority and its parts, a path, a query, a fragment.
const SHAPES: usize = 2 * (1 + 3 * 2 * 3) * 2 * 3 * 3;

impl Probe for Shapes {
    fn name(&self) -> &'static str {
        "empty components"
    }

    fn rows(&self) -> Vec<String> {
        let row = |mut shape: usize| {
            let mut next = |count: usize| {
                let which = shape % count;
                shape /= count;
                which
            };
            let [fragment, query] = [("#", "#f"), ("?", "?q")].map(|(empty, text)| ["", empty, text][next(3)]);
            let path = next(2) == 1;
            let authority = next(19);
            let scheme = ["", "s:"][next(2)];
            let authority_text = match authority.checked_sub(1) {
                None => String::new(),
                Some(parts) => {
                    let userinfo = ["", "@", "u@"][parts / 6];
                    format!("//{userinfo}{}{}", ["h", ""][parts / 3 % 2], ["", ":", ":1"][parts % 3])
                }
            };
            let path = match (path, authority) {
                (false, _) => "",
                (true, 0) => "p",
                (true, _) => "/p",
            };
            format!("{scheme}{authority_text}{path}{query}{fragment}")
        };
        (0..SHAPES).map(row).collect()
    }

    fn ask(&self, seen: &Seen<'_>, _: &mut Caches, reached: &mut Reached) {
        let presence = |text: Option<&str>| match text {
            None => 0,
            Some("") => 1,
            Some(_) => 2,
        };
        for reference in seen.parsed() {
            let components = &reference.components;
            let authority = reference.authority.map_or(0, |authority| {
                1 + presence(authority.userinfo) * 6
                    + usize::from(authority.host.is_empty()) * 3
                    + presence(authority.port)
            });
            let shape = usize::from(components.scheme.is_some());
            let shape = shape * 19 + authority;
            let shape = shape * 2 + usize::from(!components.path.is_empty());
            reached.reach((shape * 3 + presence(components.query)) * 3 + presence(components.fragment));
        }
    }
}

/// Every number of groups that an IPv6address has before and behind its "::", or without one, and both of its ends.
pub(super) struct Addresses(Vec<AddressShape>);

/// Without a "::" and with one: how many units of 16 bits before it, how many behind, and whether the last two are an
/// IPv4address.
type AddressShape = (Option<usize>, usize, bool);

impl Addresses {
    pub(super) fn new() -> Addresses {
        let mut all = vec![(None, 8, false), (None, 8, true)];
        for behind in 0..8 {
            for before in 0..8 - behind {
                all.push((Some(before), behind, false));
                if behind > 1 {
                    all.push((Some(before), behind, true));
                }
            }
        }
        Addresses(all)
    }
}

impl Probe for Addresses {
    fn name(&self) -> &'static str {
        "shapes of IPv6address"
    }

    fn rows(&self) -> Vec<String> {
        let row = |&(before, behind, ipv4): &AddressShape| {
            let groups = |count: usize| vec!["h16"; count].join(":");
            let behind = match (ipv4, behind) {
                (false, count) => groups(count),
                (true, 2) => "IPv4address".to_owned(),
                (true, count) => format!("{}:IPv4address", groups(count - 2)),
            };
            match before {
                None => behind,
                Some(before) => format!("{}::{behind}", groups(before)),
            }
        };
        self.0.iter().map(row).collect()
    }

    fn ask(&self, seen: &Seen<'_>, _: &mut Caches, reached: &mut Reached) {
        for address in seen.parsed().filter_map(|reference| host(reference, HostKind::Ipv6)) {
            let units = |text: &str| match text.split(':').count() {
                1 if text.is_empty() => 0,
                count => count + usize::from(text.contains('.')),
            };
            let address = address.trim_matches(['[', ']']);
            let elided = address.split_once("::");
            let behind = elided.map_or(address, |(_, behind)| behind);
            let shape = (
                elided.map(|(before, _)| units(before)),
                units(behind),
                behind.contains('.'),
            );
            reached.reach_all(self.0.iter().position(|known| *known == shape));
        }
    }
}
