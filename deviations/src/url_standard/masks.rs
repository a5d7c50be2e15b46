//! Characters that stand for others which a library does not encode, while the standard's parser acts.

use uriproof::model::{Components, Input};

/// Characters that an input does not have, encoded or not.
pub(super) struct Masks {
    /// In the place of a "^".
    pub caret: char,
    /// In the place of a space.
    pub space: char,
    /// In the place of a "|".
    pub bar: char,
    /// At the start of a dot-segment that is written as it is.
    pub start: char,
}

impl Masks {
    /// Those of an input.
    pub(super) fn apart_from(input: &Input) -> Masks {
        let text = serde_json::to_string(input).unwrap_or_default().to_ascii_uppercase();
        // Private use: no host has them, and a path encodes them, as "%EE" or "%EF" and two more.
        let has_none = text.is_ascii() && !text.contains("%E");
        let is_free = |character: &char| has_none || !text.contains(*character) && !text.contains(&encoded(*character));
        let mut free = ('\u{e000}'..='\u{f8ff}').filter(is_free);
        let mut next = || free.next().unwrap_or('\u{f8ff}');
        Masks {
            caret: next(),
            space: next(),
            bar: next(),
            start: next(),
        }
    }

    /// Components with what they stand for.
    pub(super) fn lifted_from_components(&self, components: Components) -> Components {
        let text = |text: Option<String>, caret: &str| text.map(|text| self.lifted_from(&text, caret));
        Components {
            userinfo: text(components.userinfo, "%5E"),
            path: self.lifted_from(&components.path, "^"),
            query: text(components.query, "^"),
            fragment: text(components.fragment, "^"),
            ..components
        }
    }

    /// A text with what they stand for; `caret` is written for a "^".
    pub(super) fn lifted_from(&self, text: &str, caret: &str) -> String {
        // Each begins with "%EE" or "%EF".
        if !text.contains("%E") {
            return text.to_owned();
        }
        let text = text.replace(&encoded(self.caret), caret).replace(&encoded(self.space), " ");
        text.replace(&encoded(self.bar), "|").replace(&encoded(self.start), "")
    }
}

/// A character as its percent-encoded octets.
fn encoded(character: char) -> String {
    let mut octets = [0; 4];
    character.encode_utf8(&mut octets).bytes().map(|octet| format!("%{octet:02X}")).collect()
}
