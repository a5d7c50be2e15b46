//! Every string has an answer, and what is returned holds together.

use whatwg_url_reference::api::UrlObject;
use whatwg_url_reference::host::{UrlHost, UrlHostSyntax, host_parser, host_serializer};
use whatwg_url_reference::parser::{basic_url_parser, parse_traced};
use whatwg_url_reference::record::{UrlPath, UrlRecord, default_port, is_special_scheme};
use whatwg_url_reference::serializer::{UrlFragment, equals, serialize};
use whatwg_url_reference::trace::UrlState;

use crate::comparison::attributes::set;
use crate::comparison::generated;

/// What holds of every URL that a parser or a setter makes.
fn check(url: &UrlRecord) {
    let href = serialize(url, UrlFragment::Included);
    assert!(href.is_ascii(), "{href:?}");
    assert!(url.scheme().starts_with(|c: char| c.is_ascii_lowercase()), "{href:?}");
    assert_eq!(url.is_special(), is_special_scheme(url.scheme()), "{href:?}");
    let is_allowed = match (url.host(), url.scheme()) {
        (None | Some(UrlHost::Opaque(_)), scheme) => !is_special_scheme(scheme),
        (Some(UrlHost::Empty), scheme) => scheme == "file" || !is_special_scheme(scheme),
        (Some(UrlHost::Domain(_) | UrlHost::Ipv4(_)), scheme) => is_special_scheme(scheme),
        (Some(UrlHost::Ipv6(_)), _) => true,
    };
    assert!(is_allowed, "{href:?} has {:?}", url.host());
    assert!(
        url.port().is_none() || url.port() != default_port(url.scheme()),
        "{href:?}"
    );
    if url.cannot_have_a_username_password_port() {
        assert!(!url.includes_credentials() && url.port().is_none(), "{href:?}");
    }
    if let UrlPath::Opaque(_) = url.path() {
        assert!(!url.is_special() && url.host().is_none(), "{href:?}");
    }
    let again = basic_url_parser(&href, None).url.unwrap_or_else(|| panic!("{href:?} is no URL"));
    assert_eq!(&again, url, "{href:?}");
    assert!(equals(&again, url, UrlFragment::Included));
    let without = serialize(url, UrlFragment::Excluded);
    assert_eq!(without, href.split('#').next().unwrap(), "{href:?}");
    if let Some(host) = url.host().filter(|host| **host != UrlHost::Empty) {
        let syntax = if url.is_special() {
            UrlHostSyntax::Special
        } else {
            UrlHostSyntax::Opaque
        };
        assert_eq!(
            host_parser(&host_serializer(host), syntax).host.as_ref(),
            Some(host),
            "{href:?}"
        );
    }
}

#[test]
fn what_is_parsed_and_set_is_whole_and_parses_to_itself() {
    for case in generated(20_000) {
        let base = case.base.as_deref().and_then(|base| basic_url_parser(base, None).url);
        let parse = basic_url_parser(&case.input, base.as_ref());
        for found in &parse.errors {
            assert!(case.input.is_char_boundary(found.offset), "{found} in {:?}", case.input);
        }
        assert!(
            parse.url.is_some() || !parse.errors.is_empty(),
            "{:?} is a failure without an error",
            case.input
        );
        let traced = parse_traced(&case.input, base.as_ref());
        assert_eq!(traced.parse, parse, "{:?}", case.input);
        for run in traced.runs {
            let c = case.input.get(run.offset..).unwrap_or_default().chars().next();
            // The last code points may be removed ones.
            assert!(
                run.code_point.is_none() || run.code_point == c,
                "{run} in {:?}",
                case.input
            );
        }
        let Some(url) = parse.url else { continue };
        check(&url);
        let mut object = UrlObject::from(url);
        set(&mut object, case.setter, &case.value);
        check(object.record());
    }
}

#[test]
fn long_and_nested_inputs_have_an_answer() {
    let count = 20_000;
    for part in [
        "/", "\\", "@", ":", "a", "%", "[", ".", "../", "\t", " ", "%2e/", "é", "a.", "0x", "1.", "::",
    ] {
        for start in [
            "",
            "http://",
            "a:",
            "a://",
            "file:",
            "http://a/",
            "http://a?",
            "http://a#",
            "http://[",
        ] {
            let input = [start, &part.repeat(count / part.len())].concat();
            let parse = basic_url_parser(&input, None);
            if let Some(url) = parse.url {
                check(&url);
            }
        }
    }
    let mut nested = "https://a/".to_owned();
    for _ in 0..200 {
        nested = format!("blob:{nested}");
    }
    let nested = UrlObject::new(&nested, None).unwrap();
    assert_eq!(nested.origin(), "null");
}

#[test]
fn every_state_is_reached() {
    let mut states: Vec<UrlState> = Vec::new();
    for case in generated(2_000) {
        let base = case.base.as_deref().and_then(|base| basic_url_parser(base, None).url);
        states.extend(parse_traced(&case.input, base.as_ref()).runs.iter().map(|run| run.state));
    }
    states.sort_unstable();
    states.dedup();
    // Only a setter begins in the hostname state.
    let all: Vec<UrlState> = UrlState::ALL.iter().copied().filter(|state| *state != UrlState::Hostname).collect();
    assert_eq!(states, all);
}
