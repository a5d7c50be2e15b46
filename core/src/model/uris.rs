//! Which strings of an input are URIs.

use rfc3986_reference::components::ReferenceRule;

use super::operation::Input;

impl Input {
    /// The URIs and URI-references of the input, in the order of its fields. A string that is parsed as another rule is none, nor are
    /// components and their values.
    pub fn uris(&self) -> Vec<&str> {
        match self {
            Input::Parse { rule, input } => {
                ReferenceRule::try_from(*rule).map_or_else(|_| Vec::new(), |_| vec![&**input])
            }
            Input::Resolve { base, reference, .. } => vec![base, reference],
            Input::Normalize { uri, .. } | Input::Modify { uri, .. } | Input::RoundTrip { uri } => vec![uri],
            Input::Equivalent { left, right, .. } | Input::Contract { left, right } => vec![left, right],
            Input::Relativize { base, target } => vec![base, target],
            Input::Compose { .. } => Vec::new(),
        }
    }

    /// The same strings as [`uris`](Input::uris), to be rewritten.
    pub fn uris_mut(&mut self) -> Vec<&mut String> {
        match self {
            Input::Parse { rule, input } => ReferenceRule::try_from(*rule).map_or_else(|_| Vec::new(), |_| vec![input]),
            Input::Resolve { base, reference, .. } => vec![base, reference],
            Input::Normalize { uri, .. } | Input::Modify { uri, .. } | Input::RoundTrip { uri } => vec![uri],
            Input::Equivalent { left, right, .. } | Input::Contract { left, right } => vec![left, right],
            Input::Relativize { base, target } => vec![base, target],
            Input::Compose { .. } => Vec::new(),
        }
    }
}
