//! Profiles are languages of their own, which differ from RFC 3986 where they say so and nowhere else.

use uriproof_grammar::difference::differences;
use uriproof_grammar::profile::{self, Profile};
use uriproof_grammar::{Dfa, rfc3986};

fn machine(profiles: &[Profile], rule: &str) -> Dfa {
    Dfa::compile(&profile::grammar(profiles).unwrap(), rule).unwrap()
}

/// Asserts which strings are accepted under a profile.
fn assert_accepts(profile: Profile, accepted: &[&str], rejected: &[&str]) {
    let machine = machine(&[profile], "URI-reference");
    for text in accepted {
        assert!(machine.accepts(text.as_bytes()), "{profile}: {text}");
    }
    for text in rejected {
        assert!(!machine.accepts(text.as_bytes()), "{profile}: {text}");
    }
}

#[test]
fn no_profile_is_rfc_3986() {
    for rule in rfc3986::grammar().rules() {
        let plain = Dfa::compile(&rfc3986::grammar(), &rule.name).unwrap();
        assert_eq!(machine(&[], &rule.name), plain, "{}", rule.name);
    }
}

#[test]
fn ports_have_a_greatest_value() {
    let port = machine(&[Profile::Port65535], "port");
    for value in 0..=70_000_u32 {
        assert_eq!(port.accepts(value.to_string().as_bytes()), value <= 65_535, "{value}");
        assert_eq!(
            port.accepts(format!("000{value}").as_bytes()),
            value <= 65_535,
            "{value}"
        );
    }
    assert_accepts(
        Profile::Port65535,
        &["//a:", "//a:65535", "//a:0065535"],
        &["//a:65536", "//a:100000"],
    );
    let plain = machine(&[], "URI-reference");
    for difference in differences(&machine(&[Profile::Port65535], "URI-reference"), &plain) {
        assert!(plain.accepts(&difference.witness));
    }
}

#[test]
fn iris_have_the_characters_of_rfc_3987() {
    let ucschar = |c: u32| {
        matches!(c, 0xa0..=0xd7ff | 0xf900..=0xfdcf | 0xfdf0..=0xffef)
            || ((0x1_0000..=0xd_ffff).contains(&c) && c & 0xffff <= 0xfffd)
            || (0xe_1000..=0xe_fffd).contains(&c)
    };
    let iprivate = |c: u32| matches!(c, 0xe000..=0xf8ff | 0xf_0000..=0xf_fffd | 0x10_0000..=0x10_fffd);
    let plain = machine(&[], "pchar");
    let (pchar, query) = (machine(&[Profile::Iri], "pchar"), machine(&[Profile::Iri], "query"));
    for character in '\0'..=char::MAX {
        let code = u32::from(character);
        let text = character.to_string();
        let is_pchar = ucschar(code) || plain.accepts(text.as_bytes());
        assert_eq!(pchar.accepts(text.as_bytes()), is_pchar, "{code:x}");
        let is_query = is_pchar || iprivate(code) || matches!(character, '/' | '?');
        assert_eq!(query.accepts(text.as_bytes()), is_query, "{code:x}");
    }
    assert_accepts(
        Profile::Iri,
        &["http://é@é.example/é?é\u{e000}#é", "//[v1.a]"],
        &[
            "é:",
            "//[v1.é]",
            "/\u{e000}",
            "#\u{e000}",
            "/\u{fdd0}",
            "/\u{80}",
            "//a:é",
        ],
    );
    // Nothing else changes: over US-ASCII the languages are the same.
    let (iri, plain) = (machine(&[Profile::Iri], "URI-reference"), machine(&[], "URI-reference"));
    for difference in differences(&iri, &plain) {
        assert!(!difference.witness.is_ascii());
    }
}

#[test]
fn zone_identifiers_stand_after_percent_25() {
    assert_accepts(
        Profile::ZoneId,
        &["//[fe80::1%25en0]", "//[::%25a%20]:8", "//[::]"],
        &["//[fe80::1%en0]", "//[::%25]", "//[v1.a%25a]", "//[%25a]"],
    );
}

#[test]
fn hosts_may_have_to_be_there() {
    assert_accepts(
        Profile::HostNotEmpty,
        &["//a", "//%20", "/a", "", "//[::]:"],
        &["//", "//@", "//:80", "file:///etc/hosts"],
    );
}

#[test]
fn uris_of_http_have_a_host_and_no_userinfo_and_fragment() {
    assert_accepts(
        Profile::Http,
        &["http://a", "HTTPS://[::1]:80/b?c", "http://a:"],
        &[
            "http:a",
            "http://",
            "http://:80",
            "http://u@a",
            "http://a#b",
            "x://a",
            "//a",
            "",
        ],
    );
}

#[test]
fn a_request_target_has_four_forms() {
    assert_accepts(
        Profile::RequestTarget,
        &[
            "/",
            "//a",
            "/a?b",
            "http://a/?b",
            "a:b",
            "a:",
            "[::1]:443",
            ":80",
            "1.2.3.4:80",
            "*",
        ],
        &[
            "",
            "a",
            "[::1]",
            "/a#b",
            "http://a#b",
            "?a",
            "*?",
            "/*\"",
            "1.2.3.4:a",
            "u@a:80",
            "**",
        ],
    );
    for (rule, accepted, rejected) in [
        ("origin-form", "/a//b?c?d", "//a#b"),
        ("absolute-form", "urn:a?b", "urn:a#b"),
        ("authority-form", "a:80", "a"),
        ("asterisk-form", "*", "/*"),
    ] {
        let machine = machine(&[Profile::RequestTarget], rule);
        assert!(machine.accepts(accepted.as_bytes()), "{rule}: {accepted}");
        assert!(!machine.accepts(rejected.as_bytes()), "{rule}: {rejected}");
    }
}

#[test]
fn profiles_go_together_unless_they_change_one_rule() {
    let both = machine(&[Profile::Iri, Profile::Port65535], "URI-reference");
    assert!(both.accepts("//é:65535".as_bytes()) && !both.accepts("//é:65536".as_bytes()));
    let error = profile::grammar(&[Profile::Iri, Profile::HostNotEmpty]).unwrap_err();
    assert!(
        error.to_string().contains("host-not-empty changes the rule reg-name"),
        "{error}"
    );
}
