//! The standard's own examples, table by table, and what its notes say.

use whatwg_url_reference::api::UrlObject;
use whatwg_url_reference::code_points::starts_with_a_windows_drive_letter;
use whatwg_url_reference::domain::{domain_to_unicode, is_valid_domain};
use whatwg_url_reference::host::{UrlHost, UrlHostSyntax, host_parser, host_serializer};
use whatwg_url_reference::ipv6::{compressed_piece_index, ipv6_parser, ipv6_serializer};
use whatwg_url_reference::origin::{UrlOrigin, origin};
use whatwg_url_reference::parser::basic_url_parser;
use whatwg_url_reference::percent::{
    C0_CONTROL, COMPONENT, FORM_URLENCODED, FRAGMENT, PATH, PercentEncodeSet, QUERY, SPECIAL_QUERY, USERINFO,
    percent_decode, percent_encode, percent_encode_after_encoding, utf8_percent_encode,
};
use whatwg_url_reference::record::{UrlPath, UrlRecord};
use whatwg_url_reference::serializer::{UrlFragment, equals};

fn url(input: &str) -> UrlRecord {
    basic_url_parser(input, None).url.unwrap_or_else(|| panic!("{input} is no URL"))
}

/// <https://url.spec.whatwg.org/#example-host-parsing>
#[test]
fn hosts_are_parsed_as_in_the_table() {
    for (input, special, opaque) in [
        ("EXAMPLE.COM", Some("example.com"), Some("EXAMPLE.COM")),
        ("example%2Ecom", Some("example.com"), Some("example%2Ecom")),
        ("faß.example", Some("xn--fa-hia.example"), Some("fa%C3%9F.example")),
        ("0", Some("0.0.0.0"), Some("0")),
        ("%30", Some("0.0.0.0"), Some("%30")),
        ("0x", Some("0.0.0.0"), Some("0x")),
        ("0xffffffff", Some("255.255.255.255"), Some("0xffffffff")),
        ("[0:0::1]", Some("[::1]"), Some("[::1]")),
        ("[0:0::1%5D", None, None),
        ("[0:0::%31]", None, None),
        ("09", None, Some("09")),
        ("example.255", None, Some("example.255")),
        ("example^example", None, None),
    ] {
        for (syntax, expected) in [(UrlHostSyntax::Special, special), (UrlHostSyntax::Opaque, opaque)] {
            let host = host_parser(input, syntax).host;
            assert_eq!(
                host.as_ref().map(host_serializer).as_deref(),
                expected,
                "{input} {syntax:?}"
            );
        }
    }
}

/// The rows of <https://url.spec.whatwg.org/#example-url-parsing>: input, base, whether it is valid, output.
const URLS: &[(&str, Option<&str>, bool, Option<&str>)] = &[
    ("https:example.org", None, false, Some("https://example.org/")),
    (
        "https://////example.com///",
        None,
        false,
        Some("https://example.com///"),
    ),
    (
        "https://example.com/././foo",
        None,
        true,
        Some("https://example.com/foo"),
    ),
    ("hello:world", Some("https://example.com/"), true, Some("hello:world")),
    (
        "https:example.org",
        Some("https://example.com/"),
        false,
        Some("https://example.com/example.org"),
    ),
    (
        r"\example\..\demo/.\",
        Some("https://example.com/"),
        false,
        Some("https://example.com/demo/"),
    ),
    (
        "example",
        Some("https://example.com/demo"),
        true,
        Some("https://example.com/example"),
    ),
    ("file:///C|/demo", None, false, Some("file:///C:/demo")),
    ("..", Some("file:///C:/demo"), true, Some("file:///C:/")),
    ("file://localhost/", None, true, Some("file:///")),
    ("file://loc%61lhost/", None, false, Some("file:///")),
    (
        "https://user:password@example.org/",
        None,
        false,
        Some("https://user:password@example.org/"),
    ),
    (
        "https://example.org/foo bar",
        None,
        false,
        Some("https://example.org/foo%20bar"),
    ),
    ("https://EXAMPLE.com/../x", None, true, Some("https://example.com/x")),
    ("https://ex ample.org/", None, false, None),
    ("example", None, false, None),
    ("https://example.com:demo", None, false, None),
    ("http://[www.example.com]/", None, false, None),
    ("https://example.org//", None, true, Some("https://example.org//")),
    (
        "https://example.com/[]?[]#[]",
        None,
        false,
        Some("https://example.com/[]?[]#[]"),
    ),
    ("https://example/%?%#%", None, false, Some("https://example/%?%#%")),
    (
        "https://example/%25?%25#%25",
        None,
        true,
        Some("https://example/%25?%25#%25"),
    ),
];

#[test]
fn urls_are_parsed_as_in_the_table() {
    for &(input, base, is_valid, output) in URLS {
        let base = base.map(url);
        let parse = basic_url_parser(input, base.as_ref());
        let href = parse.url.map(|url| UrlObject::from(url).href());
        assert_eq!(href.as_deref(), output, "{input}");
        assert_eq!(parse.errors.is_empty(), is_valid, "{input}: {:?}", parse.errors);
    }
}

/// <https://url.spec.whatwg.org/#example-url-components>
#[test]
fn components_are_as_in_the_table() {
    let segments = |segments: &[&str]| UrlPath::Segments(segments.iter().map(ToString::to_string).collect());
    let domain = |domain: &str| Some(UrlHost::Domain(domain.to_owned()));
    for (input, scheme, host, port, path, query, fragment) in [
        (
            "https://example.com/",
            "https",
            domain("example.com"),
            None,
            segments(&[""]),
            None,
            None,
        ),
        (
            "https://localhost:8000/search?q=text#hello",
            "https",
            domain("localhost"),
            Some(8000),
            segments(&["search"]),
            Some("q=text"),
            Some("hello"),
        ),
        (
            "urn:isbn:9780307476463",
            "urn",
            None,
            None,
            UrlPath::Opaque("isbn:9780307476463".to_owned()),
            None,
            None,
        ),
        (
            "file:///ada/Analytical%20Engine/README.md",
            "file",
            Some(UrlHost::Empty),
            None,
            segments(&["ada", "Analytical%20Engine", "README.md"]),
            None,
            None,
        ),
    ] {
        let url = url(input);
        assert_eq!(
            (url.scheme(), url.host(), url.port()),
            (scheme, host.as_ref(), port),
            "{input}"
        );
        assert_eq!(
            (url.path(), url.query(), url.fragment()),
            (&path, query, fragment),
            "{input}"
        );
        assert_eq!((url.username(), url.password()), ("", ""), "{input}");
    }
}

/// <https://url.spec.whatwg.org/#example-percent-encode-operations>
#[test]
fn percent_encoding_is_as_in_the_table() {
    assert_eq!(percent_encode(0x23), "%23");
    assert_eq!(percent_encode(0x7F), "%7F");
    assert_eq!(percent_decode(b"%25%s%1G"), b"%%s%1G");
    assert_eq!(percent_decode("‽%25%2E".as_bytes()), [0xE2, 0x80, 0xBD, 0x25, 0x2E]);
    assert_eq!(utf8_percent_encode("≡", USERINFO), "%E2%89%A1");
    assert_eq!(utf8_percent_encode("‽", USERINFO), "%E2%80%BD");
    assert_eq!(utf8_percent_encode("Say what‽", USERINFO), "Say%20what%E2%80%BD");
    assert_eq!(
        percent_encode_after_encoding("1+1 ≡ 2%20‽", FORM_URLENCODED),
        "1%2B1+%E2%89%A1+2%2520%E2%80%BD"
    );
}

/// The ASCII code points in the sets, and the notes about them.
#[test]
fn the_percent_encode_sets_have_their_code_points() {
    let members = |set: PercentEncodeSet| -> String { (' '..='~').filter(|&c| set.contains(c)).collect() };
    assert_eq!(members(C0_CONTROL), "");
    assert_eq!(members(FRAGMENT), " \"<>`");
    assert_eq!(members(QUERY), " \"#<>");
    assert_eq!(members(SPECIAL_QUERY), " \"#'<>");
    assert_eq!(members(PATH), " \"#<>?^`{}");
    assert_eq!(members(USERINFO), " \"#/:;<=>?@[\\]^`{|}");
    // It "gives identical results to JavaScript's encodeURIComponent() [sic]".
    let by_script = |c: &char| !c.is_ascii_alphanumeric() && !"-_.!~*'()".contains(*c);
    assert_eq!(members(COMPONENT), (' '..='~').filter(by_script).collect::<String>());
    // It "contains all code points, except the ASCII alphanumeric, U+002A (*), U+002D (-), U+002E (.), and U+005F (_)".
    let all_but = |c: &char| !c.is_ascii_alphanumeric() && !"*-._".contains(*c);
    assert_eq!(
        members(FORM_URLENCODED),
        (' '..='~').filter(all_but).collect::<String>()
    );
    for set in PercentEncodeSet::ALL {
        assert!(
            ('\0'..' ').all(|c| set.contains(c)) && ('\u{7F}'..='\u{FFFF}').all(|c| set.contains(c)),
            "{}",
            set.name()
        );
    }
}

/// <https://url.spec.whatwg.org/#example-start-with-a-windows-drive-letter>
#[test]
fn strings_start_with_a_windows_drive_letter_as_in_the_table() {
    for (string, expected) in [
        ("c:", true),
        ("c:/", true),
        ("c:a", false),
        ("c|\\", true),
        ("c|?", true),
        ("é:", false),
        ("c", false),
    ] {
        assert_eq!(starts_with_a_windows_drive_letter(string), expected, "{string}");
    }
}

/// <https://url.spec.whatwg.org/#example-e2b3492e>
#[test]
fn the_first_longest_run_of_zeros_is_compressed() {
    assert_eq!(compressed_piece_index(&[0, 0xF, 0, 0, 0xF, 0xF, 0, 0]), Some(2));
    for (input, output) in [
        ("0:f:0:0:f:f:0:0", "0:f::f:f:0:0"),
        ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"),
        ("1::", "1::"),
        ("::", "::"),
    ] {
        assert_eq!(ipv6_serializer(&ipv6_parser(input).unwrap()), output);
    }
}

/// <https://url.spec.whatwg.org/#example-43b5cea5>
#[test]
fn the_origin_of_a_blob_is_that_of_its_path() {
    let blob = url("blob:https://whatwg.org/d0360e2f-caee-469f-9a2f-87d5b0456f6f");
    let UrlOrigin::Tuple { scheme, host, port } = origin(&blob) else {
        panic!("it is opaque")
    };
    assert_eq!(
        (&*scheme, host, port),
        ("https", UrlHost::Domain("whatwg.org".to_owned()), None)
    );
    assert!(origin(&blob).is_same_origin(&origin(&url("https://whatwg.org:443/"))));
    assert!(!origin(&blob).is_same_origin(&origin(&url("http://whatwg.org/"))));
    let opaque = url("urn:a");
    assert!(!origin(&opaque).is_same_origin(&origin(&opaque)));
    assert_eq!(origin(&url("blob:ftp://a/")).to_string(), "null");
    assert_eq!(origin(&url("ws://a:8080/")).to_string(), "ws://a:8080");
    assert_eq!(origin(&url("file:///a")).to_string(), "null");
}

/// The notes of <https://url.spec.whatwg.org/#url-serializing> and the examples of <https://url.spec.whatwg.org/#url-class>.
#[test]
fn notes_and_examples_of_serializing_and_of_the_api_hold() {
    for input in ["web+demo:/.//not-a-host/", "web+demo:/path/..//not-a-host/"] {
        assert_eq!(UrlObject::new(input, None).unwrap().href(), "web+demo:/.//not-a-host/");
    }
    assert_eq!(
        UrlObject::new("https://example.org/💩", None).unwrap().pathname(),
        "/%F0%9F%92%A9"
    );
    assert!(UrlObject::new("/🍣🍺", None).is_err());
    let url = UrlObject::new("/🍣🍺", Some("https://url.spec.whatwg.org/")).unwrap();
    assert_eq!(url.href(), "https://url.spec.whatwg.org/%F0%9F%8D%A3%F0%9F%8D%BA");
    let url = UrlObject::new("🏳️‍🌈", Some("https://pride.example/hello-world")).unwrap();
    assert_eq!(url.pathname(), "/%F0%9F%8F%B3%EF%B8%8F%E2%80%8D%F0%9F%8C%88");
    assert!(UrlObject::can_parse("a", Some("https://b/")) && !UrlObject::can_parse("a", Some("b")));
}

#[test]
fn fragments_are_compared_or_not() {
    let (one, other) = (url("https://a/b#c"), url("https://A:443/x/../b#d"));
    assert!(!equals(&one, &other, UrlFragment::Included));
    assert!(equals(&one, &other, UrlFragment::Excluded));
}

#[test]
fn the_list_of_the_query_object_follows_the_query() {
    let pairs = |url: &UrlObject| -> Vec<String> {
        url.search_params().iter().map(|(name, value)| format!("{name}={value}")).collect()
    };
    let mut url = UrlObject::new("https://a/?b=c%20d&&e+f&=g&h=i=j&%FF", None).unwrap();
    assert_eq!(pairs(&url), ["b=c d", "e f=", "=g", "h=i=j", "\u{FFFD}="]);
    url.set_search("?k=l");
    assert_eq!(pairs(&url), ["k=l"]);
    url.set_search("");
    assert_eq!(pairs(&url), Vec::<String>::new());
    url.set_href("https://a/?m").unwrap();
    assert_eq!(pairs(&url), ["m="]);
    assert!(url.set_href("n").is_err());
    assert_eq!(pairs(&url), ["m="]);
}

/// The notes of <https://url.spec.whatwg.org/#idna>.
#[test]
fn domains_are_valid_or_returned_as_they_are() {
    assert_eq!(domain_to_unicode("xn--8i7caa"), "xn--8i7caa");
    assert_eq!(domain_to_unicode("xn--53h.example"), "☕.example");
    assert!(is_valid_domain("example.com") && is_valid_domain("☕.example"));
    assert!(!is_valid_domain("") && !is_valid_domain("a_b") && !is_valid_domain("1.2.3.4") && !is_valid_domain("a."));
    assert!(host_parser("", UrlHostSyntax::Special).host.is_none());
    assert_eq!(host_parser("", UrlHostSyntax::Opaque).host, Some(UrlHost::Empty));
}
