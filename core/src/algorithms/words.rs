//! What the inputs are made of: octets and triplets, segments, names of schemes.

/// The names of schemes that libraries single out.
pub const SCHEMES: [&str; 14] = [
    "http",
    "https",
    "ws",
    "ftp",
    "file",
    "mailto",
    "data",
    "urn",
    "tel",
    "javascript",
    "about",
    "blob",
    "jar",
    "jdbc",
];

/// The classes of segments that an implementation could tell apart, with a segment of each.
pub(super) const SEGMENTS: [&str; 13] = [
    "", ".", "..", "a", "b:c", "...", "....", ".a", "..a", "%2e", "%2E%2e", "a;b=..", "a%2F..",
];

/// The classes that decide which segments are removed.
pub(super) const FEW_SEGMENTS: [&str; 5] = ["", ".", "..", "a", "b:c"];

/// Where a component stands, and what is before and behind it.
pub(super) struct ComponentPlace {
    /// The component's name.
    pub(super) name: &'static str,
    pub(super) before: &'static str,
    pub(super) behind: &'static str,
    /// The octets of US-ASCII that stand there for themselves (Appendix A).
    pub(super) literals: &'static str,
}

const UNRESERVED: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

/// Each component that may have triplets, in a URI in which nothing else is to be normalized.
pub(super) const PLACES: [ComponentPlace; 8] = [
    ComponentPlace {
        name: "userinfo",
        before: "//",
        behind: "@h/p?q#f",
        literals: "!$&'()*+,;=:",
    },
    ComponentPlace {
        name: "host",
        before: "//",
        behind: "/p?q#f",
        literals: "!$&'()*+,;=",
    },
    ComponentPlace {
        name: "host with userinfo and port",
        before: "//u@",
        behind: ":1/p?q#f",
        literals: "!$&'()*+,;=",
    },
    ComponentPlace {
        name: "path behind an authority",
        before: "//h/",
        behind: "?q#f",
        literals: "!$&'()*+,;=:@/",
    },
    ComponentPlace {
        name: "absolute path",
        before: "/a/",
        behind: "?q#f",
        literals: "!$&'()*+,;=:@/",
    },
    ComponentPlace {
        name: "rootless path",
        before: "",
        behind: "?q#f",
        literals: "!$&'()*+,;=:@/",
    },
    ComponentPlace {
        name: "query",
        before: "//h/p?",
        behind: "#f",
        literals: "!$&'()*+,;=:@/?",
    },
    ComponentPlace {
        name: "fragment",
        before: "//h/p?q#",
        behind: "",
        literals: "!$&'()*+,;=:@/?",
    },
];

impl ComponentPlace {
    /// The octets that stand there for themselves, each as a text.
    pub(super) fn literals(&self) -> impl Iterator<Item = char> {
        UNRESERVED.chars().chain(self.literals.chars())
    }

    /// A URI with this text in the component.
    pub(super) fn uri(&self, scheme: &str, text: &str) -> String {
        format!("{scheme}:{}{text}{}", self.before, self.behind)
    }
}

/// Every triplet in each of its spellings: 484.
pub(super) fn triplets() -> Vec<String> {
    let mut triplets = Vec::new();
    for octet in 0..=255_u8 {
        let upper = format!("{octet:02X}");
        let spellings = |digit: char| [digit, digit.to_ascii_lowercase()];
        let mut digits = upper.chars();
        let (high, low) = (digits.next().unwrap_or('0'), digits.next().unwrap_or('0'));
        for high in spellings(high) {
            for low in spellings(low) {
                let triplet = format!("%{high}{low}");
                if !triplets.contains(&triplet) {
                    triplets.push(triplet);
                }
            }
        }
    }
    triplets
}

/// One symbol of each class that an implementation could tell apart: letters and triplets, in each spelling.
pub(super) const SYMBOLS: [&str; 26] = [
    "a", "A", "g", "1", "-", "~", "!", "%41", "%61", "%5A", "%5a", "%7E", "%7e", "%30", "%2D", "%2F", "%2f", "%3A",
    "%40", "%25", "%20", "%00", "%C3", "%c3", "%A9", "%a9",
];

/// Texts of several triplets: characters beyond US-ASCII, such as fold, compose, or map to others; what is no UTF-8; what reads
/// otherwise once it is decoded twice.
pub(super) const SEQUENCES: [&str; 56] = [
    "%C3%A9",
    "%c3%a9",
    "%C3%89",
    "e%CC%81",
    "E%CC%81",
    "%C3%9F",
    "ss",
    "%E1%BA%9E",
    "%C4%B0",
    "%C4%B1",
    "%CF%82",
    "%CF%83",
    "%EF%BC%A1",
    "%EF%BC%8E",
    "%E3%80%82",
    "%E2%84%AA",
    "%EF%AC%81",
    "%F0%9F%98%80",
    "%E2%80%8B",
    "%C2%AD",
    "%EF%BB%BF",
    "%F6",
    "%C0%AE",
    "%ED%A0%80",
    "%C3",
    "%A9%C3",
    "%2541",
    "%252e",
    "%25%34%31",
    "%0D%0A",
    // The first and the last of the ranges of `ucschar` and `iprivate` (RFC 3987), their neighbours, and what is no UTF-8.
    "%C2%80",
    "%C2%9F",
    "%C2%A0",
    "%ED%9F%BF",
    "%EE%80%80",
    "%EF%A3%BF",
    "%EF%A4%80",
    "%EF%B7%8F",
    "%EF%B7%90",
    "%EF%B7%B0",
    "%EF%BF%AF",
    "%EF%BF%B0",
    "%EF%BF%BE",
    "%F0%90%80%80",
    "%F0%9F%BF%BD",
    "%F0%9F%BF%BE",
    "%F0%A0%80%80",
    "%F3%A0%80%81",
    "%F3%A1%80%80",
    "%F3%AF%BF%BD",
    "%F3%B0%80%80",
    "%F4%8F%BE%BF",
    "%F4%8F%BF%BD",
    "%F4%90%80%80",
    "%F8%88%80%80%80",
    "%C0%AF",
];

/// All lists of up to so many of these segments, joined by "/".
pub(super) fn paths(segments: &[&str], most: usize) -> Vec<String> {
    let mut all = Vec::new();
    let mut longest: Vec<String> = segments.iter().map(|&segment| segment.to_owned()).collect();
    for _ in 0..most {
        let longer = longest.iter().flat_map(|path| segments.iter().map(move |segment| format!("{path}/{segment}")));
        let longer = longer.collect();
        all.append(&mut std::mem::replace(&mut longest, longer));
    }
    all
}
