//! The sentence of RFC 3986 that licenses each outcome that conforms beside the literal one, by the outcome's name.

/// Every name that [`expect`](super::expect) gives an outcome but `literal`, with its licence. The licence of the literal
/// outcome is the clause that decides it.
const LICENCES: &[(&str, &str)] = &[
    (
        "authority-kept",
        r#"§6.2.3: "Implementations may use scheme-specific rules, at further processing cost"; none has to"#,
    ),
    (
        "base-normalised",
        r#"§5.2.1: "Normalization of the base URI, as described in Sections 6.2.2 and 6.2.3, is optional.""#,
    ),
    (
        "base-refused",
        r#"§5.1: "A base URI must conform to the <absolute-URI> syntax rule""#,
    ),
    (
        "by-address",
        "§3.2.2: an IPv6address is the text of a 128-bit address, and both texts name the same host",
    ),
    (
        "by-text",
        r#"§6.2.3: "Implementations may use scheme-specific rules, at further processing cost"; the text '080' is not the text '80'"#,
    ),
    (
        "by-value",
        r#"§3.2.3: "an optional port number in decimal"; the texts '080' and '80' are of one number"#,
    ),
    (
        "bracketed",
        r#"§3.2.2: an IPv6 address is "distinguished by enclosing the IP literal within square brackets ("[" and "]")""#,
    ),
    (
        "decoded",
        r#"§2.4: percent-encoded unreserved octets "can be decoded at any time""#,
    ),
    (
        "default-omitted",
        r#"§3.2.3: "should omit the port component and its ":" delimiter if port is empty or if its value would be the same as that of the scheme's default""#,
    ),
    (
        "dot-segment",
        r#"§4.2: "Such a segment must be preceded by a dot-segment (e.g., "./this:that") to make a relative-path reference.""#,
    ),
    (
        "empty",
        r#"§3.3: "A path is always defined for a URI, though the defined path may be empty (zero length).""#,
    ),
    (
        "encoded",
        r#"§2.4: "the only time when octets within a URI are percent-encoded is during the process of producing the URI from its component parts""#,
    ),
    (
        "error",
        r#"§5: "the result is a string matching the <URI> syntax rule"; no such string has these components"#,
    ),
    (
        "host-emptied",
        r#"§6.2.3: "Normalization should not remove delimiters when their associated component is empty"; the '@' stays"#,
    ),
    (
        "kept",
        r#"§6.2.3: "Implementations may use scheme-specific rules, at further processing cost"; none has to"#,
    ),
    (
        "literal-upper-case",
        r#"§5.2.1: "A URI reference must be transformed to its target URI before it can be normalized." Then §6.2.2.1: "should be normalized to use uppercase letters for the digits A-F""#,
    ),
    (
        "omitted",
        r#"§3.2.3: "should omit the port component and its ":" delimiter if port is empty or if its value would be the same as that of the scheme's default""#,
    ),
    (
        "refused",
        r#"§6.1: "applications should not directly compare relative references""#,
    ),
    (
        "resolved",
        r#"§5.1 binds the base, and no sentence says that a resolver must refuse a relative one; §5.2.2: "T.scheme = Base.scheme;", which is undefined"#,
    ),
    (
        "root",
        r#"§6.2.3: "In general, a URI that uses the generic syntax for authority with an empty path should be normalized to a path of "/".""#,
    ),
    (
        "rooted",
        r#"§3.3: "If a URI contains an authority component, then the path component must either be empty or begin with a slash ("/") character.""#,
    ),
    (
        "scheme-rule",
        r#"§6.2.3: "Implementations may use scheme-specific rules, at further processing cost""#,
    ),
    (
        "scheme-refused",
        r#"§3.2.2: "the "http" scheme considers a missing authority or empty host invalid""#,
    ),
    (
        "slash-dot",
        r#"§3.3: "If a URI does not contain an authority component, then the path cannot begin with two slash characters ("//")." "/." is removed again by §5.2.4 step 2B"#,
    ),
    (
        "target-normalised",
        r#"§5.2.1: "A URI reference must be transformed to its target URI before it can be normalized.""#,
    ),
    (
        "unchanged",
        r#"§6.2.2.3: "should", and dot-segments "are intended only for use within relative references""#,
    ),
];

/// Returns the sentence, with its section, that licenses the conforming outcome of this name. `None` for `literal`, and for a
/// name that [`expect`](super::expect) does not give.
pub fn licence(name: &str) -> Option<&'static str> {
    LICENCES.iter().find(|(known, _)| *known == name).map(|(_, licence)| *licence)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of the source that look like a name and are none.
    const OTHERS: &[&str] = &["base", "host", "http", "https", "literal", "port", "target", "userinfo"];

    /// The names stand in the source as texts in lower-kebab: each needs a licence, or it is none.
    #[test]
    fn every_name_of_a_conforming_outcome_has_a_licence() {
        let mut met = 0;
        for (file, text) in [
            ("core/src/expect/equivalence.rs", include_str!("equivalence.rs")),
            ("core/src/expect/normalization.rs", include_str!("normalization.rs")),
            ("core/src/expect/producer.rs", include_str!("producer.rs")),
            ("core/src/expect/resolution.rs", include_str!("resolution.rs")),
        ] {
            for line in text.lines().filter(|line| !line.trim_start().starts_with("//") && !line.contains("cfg(")) {
                let texts = line.split('"').skip(1).step_by(2);
                let is_kebab = |text: &&str| {
                    text.len() > 1 && text.bytes().all(|octet| octet.is_ascii_lowercase() || octet == b'-')
                };
                for name in texts.filter(is_kebab).filter(|name| !OTHERS.contains(name)) {
                    assert!(
                        licence(name).is_some(),
                        "{file} names the outcome `{name}`, which has no licence in core/src/expect/licences.rs"
                    );
                    met += 1;
                }
            }
        }
        assert!(met >= LICENCES.len(), "{met} names");
        for (name, licence) in LICENCES {
            assert!(licence.starts_with('§'), "{name}: {licence}");
        }
    }
}
