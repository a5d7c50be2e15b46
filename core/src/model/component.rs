//! Components by name: one, and sets of them.

use std::cmp::Ordering;
use std::fmt;

use rfc3986_reference::grammar::Rule;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The name of a component or subcomponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Component {
    /// `scheme`
    Scheme,
    /// `userinfo`
    Userinfo,
    /// `host`
    Host,
    /// Which alternative of `host` matches.
    HostKind,
    /// `port`
    Port,
    /// `path`
    Path,
    /// `query`
    Query,
    /// `fragment`
    Fragment,
}

impl Component {
    /// Every component, in the order of a URI.
    pub const ALL: [Component; 8] = [
        Component::Scheme,
        Component::Userinfo,
        Component::Host,
        Component::HostKind,
        Component::Port,
        Component::Path,
        Component::Query,
        Component::Fragment,
    ];

    /// Those that are a text of the URI, in its order: all but the kind of host.
    pub const TEXTS: [Component; 7] = [
        Component::Scheme,
        Component::Userinfo,
        Component::Host,
        Component::Port,
        Component::Path,
        Component::Query,
        Component::Fragment,
    ];

    /// The component's name, as vectors and the line protocol spell it.
    pub fn name(self) -> &'static str {
        match self {
            Component::Scheme => "scheme",
            Component::Userinfo => "userinfo",
            Component::Host => "host",
            Component::HostKind => "host_kind",
            Component::Port => "port",
            Component::Path => "path",
            Component::Query => "query",
            Component::Fragment => "fragment",
        }
    }

    /// The rule of Appendix A that its text matches.
    pub fn rule(self) -> Rule {
        match self {
            Component::Scheme => Rule::Scheme,
            Component::Userinfo => Rule::Userinfo,
            Component::Host | Component::HostKind => Rule::Host,
            Component::Port => Rule::Port,
            Component::Path => Rule::Path,
            Component::Query => Rule::Query,
            Component::Fragment => Rule::Fragment,
        }
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A set of components, listed in the order of a URI. In JSON it is a list of their names.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ComponentSet(u8);

impl ComponentSet {
    /// No component.
    pub const NONE: ComponentSet = ComponentSet(0);

    /// Every component.
    pub const ALL: ComponentSet = ComponentSet(u8::MAX);

    /// Those for which this holds.
    #[inline]
    pub fn of(mut holds: impl FnMut(Component) -> bool) -> ComponentSet {
        let mut set = 0;
        for component in Component::ALL {
            if holds(component) {
                set |= bit_of(component);
            }
        }
        ComponentSet(set)
    }

    /// Those of these for which this holds too.
    #[must_use]
    #[inline]
    pub fn filter(self, mut holds: impl FnMut(Component) -> bool) -> ComponentSet {
        ComponentSet::of(|component| self.contains(component) && holds(component))
    }

    /// Whether the component is one of them.
    #[inline]
    pub fn contains(self, component: Component) -> bool {
        self.0 & bit_of(component) != 0
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// A bit for each component, that of the first in the order of a URI the lowest.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Each of them, in the order of a URI.
    pub fn iter(self) -> impl Iterator<Item = Component> {
        Component::ALL.into_iter().filter(move |component| self.contains(*component))
    }
}

fn bit_of(component: Component) -> u8 {
    1 << component as u8
}

impl FromIterator<Component> for ComponentSet {
    fn from_iter<I: IntoIterator<Item = Component>>(components: I) -> ComponentSet {
        ComponentSet(components.into_iter().fold(0, |set, component| set | bit_of(component)))
    }
}

impl From<Component> for ComponentSet {
    /// That one alone.
    fn from(component: Component) -> ComponentSet {
        ComponentSet(bit_of(component))
    }
}

impl Ord for ComponentSet {
    /// As their lists.
    fn cmp(&self, other: &ComponentSet) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl PartialOrd for ComponentSet {
    fn partial_cmp(&self, other: &ComponentSet) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for ComponentSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for ComponentSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for ComponentSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ComponentSet, D::Error> {
        Vec::<Component>::deserialize(deserializer).map(|components| components.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_lists_components_in_the_order_of_a_uri() {
        let set: ComponentSet = [Component::Query, Component::Scheme, Component::Query].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [Component::Scheme, Component::Query]);
        assert_eq!((set.len(), set.is_empty(), set.bits()), (2, false, 0b100_0001));
        assert!(set.contains(Component::Query) && !set.contains(Component::Path));
        assert_eq!(serde_json::to_string(&set).unwrap(), r#"["scheme","query"]"#);
        assert_eq!(
            serde_json::from_str::<ComponentSet>(r#"["query","scheme"]"#).unwrap(),
            set
        );
        assert!(serde_json::from_str::<ComponentSet>(r#"["authority"]"#).is_err());
        assert_eq!(ComponentSet::ALL.iter().collect::<Vec<_>>(), Component::ALL);
        assert_eq!(ComponentSet::of(|component| set.contains(component)), set);
    }

    #[test]
    fn sets_are_ordered_as_their_lists() {
        let list = |set: ComponentSet| set.iter().collect::<Vec<_>>();
        for one in (0..=u8::MAX).map(ComponentSet) {
            for other in (0..=u8::MAX).map(ComponentSet) {
                assert_eq!(one.cmp(&other), list(one).cmp(&list(other)));
            }
        }
    }
}
