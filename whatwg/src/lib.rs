//! The WHATWG URL standard as code: a literal, executable transcription of its parsers, serializers and API.
//!
//! One module for each part of the standard, one function for each algorithm and state, each step above the code that follows it, with
//! its number. A comment with two slashes is the standard's text, word for word, or begins with `Not in the standard`. A
//! step that is a helper function is quoted there, under its number. The source of
//! the standard is that of whatwg/url at commit 6ae8486 (2 July 2026).
//!
//! [`SECTIONS`] is the index: from the standard's sections to the functions.
//!
//! [`basic_url_parser`](parser::basic_url_parser) has an answer for every string:
//!
//! ```
//! use whatwg_url_reference::host::UrlHost;
//! use whatwg_url_reference::parser::basic_url_parser;
//! use whatwg_url_reference::serializer::{UrlFragment, serialize};
//!
//! let parse = basic_url_parser(r"https:\\0x7F.1/a/%2e%2E/b", None);
//! let url = parse.url.expect("it is no failure");
//! assert_eq!(serialize(&url, UrlFragment::Included), "https://127.0.0.1/b");
//! assert_eq!(url.host(), Some(&UrlHost::Ipv4(0x7F00_0001)));
//! ```
//!
//! Validation errors have the standard's names, and the byte offset in the input:
//!
//! ```
//! use whatwg_url_reference::parser::basic_url_parser;
//!
//! let parse = basic_url_parser("http://0x7F.1/%", None);
//! let errors: Vec<String> = parse.errors.iter().map(ToString::to_string).collect();
//! assert_eq!(
//!     errors,
//!     ["IPv4-too-few-parts at byte 7", "IPv4-non-decimal-part at byte 7", "invalid-URL-unit at byte 14"]
//! );
//! ```
//!
//! [`parse_traced`](parser::parse_traced) returns the states too. A library whose answer differs is compared with each of them:
//!
//! ```
//! use whatwg_url_reference::parser::parse_traced;
//!
//! let traced = parse_traced("a:b", None);
//! let runs: Vec<String> = traced.runs.iter().map(ToString::to_string).collect();
//! assert_eq!(
//!     runs,
//!     [
//!         "scheme start state at byte 0: 'a', buffer \"\"",
//!         "scheme state at byte 1: ':', buffer \"a\"",
//!         "opaque path state at byte 2: 'b', buffer \"\"",
//!         "opaque path state at byte 3: EOF, buffer \"\"",
//!     ]
//! );
//! ```
//!
//! [`UrlObject`](api::UrlObject) is the class `URL` of the API:
//!
//! ```
//! use whatwg_url_reference::api::UrlObject;
//!
//! let mut url = UrlObject::new("../c", Some("https://example.org/a/b/"))?;
//! url.set_host("EXAMPLE.com:8080");
//! assert_eq!(url.href(), "https://example.com:8080/a/c");
//! # Ok::<(), whatwg_url_reference::api::UrlTypeError>(())
//! ```
//!
//! What is not here: encodings other than UTF-8, the blob URL store, public suffixes, the rendering of URLs, and the class
//! `URLSearchParams`.

pub mod api;
pub mod code_points;
pub mod domain;
pub mod form;
pub mod host;
pub mod ipv4;
pub mod ipv6;
mod machine;
pub mod origin;
pub mod parser;
pub mod percent;
mod pointer;
pub mod record;
pub mod serializer;
mod states;
pub mod trace;
pub mod validation;

/// A section of the standard, and the functions that transcribe it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UrlSection {
    /// The section's anchor, behind `https://url.spec.whatwg.org/#`.
    pub anchor: &'static str,
    /// The section's title.
    pub title: &'static str,
    /// The functions, as `module::function`, in the standard's order.
    pub functions: &'static [&'static str],
}

/// The section index, in the standard's order.
pub const SECTIONS: &[UrlSection] = &[
    UrlSection {
        anchor: "infrastructure",
        title: "Infrastructure",
        functions: &[
            "code_points::is_ascii_tab_or_newline",
            "code_points::is_c0_control",
            "code_points::is_c0_control_or_space",
            "code_points::is_noncharacter",
            "serializer::serialize_an_integer",
        ],
    },
    UrlSection {
        anchor: "percent-encoded-bytes",
        title: "Percent-encoded bytes",
        functions: &[
            "percent::contains_percent_encoded_byte",
            "percent::percent_encode",
            "percent::percent_decode",
            "percent::string_percent_decode",
            "percent::percent_encode_after_encoding",
            "percent::utf8_percent_encode",
        ],
    },
    UrlSection {
        anchor: "host-miscellaneous",
        title: "Host miscellaneous",
        functions: &[
            "code_points::is_forbidden_host_code_point",
            "code_points::is_forbidden_domain_code_point",
        ],
    },
    UrlSection {
        anchor: "idna",
        title: "IDNA",
        functions: &[
            "domain::domain_parser",
            "domain::domain_parser_to_ascii",
            "domain::domain_to_unicode",
        ],
    },
    UrlSection {
        anchor: "host-writing",
        title: "Host writing",
        functions: &["domain::is_valid_domain"],
    },
    UrlSection {
        anchor: "host-parsing",
        title: "Host parsing",
        functions: &[
            "host::host_parser",
            "host::opaque_host_parser",
            "ipv4::ends_in_a_number",
            "ipv4::ipv4_parser",
            "ipv4::ipv4_number_parser",
            "ipv6::ipv6_parser",
        ],
    },
    UrlSection {
        anchor: "host-serializing",
        title: "Host serializing",
        functions: &[
            "host::host_serializer",
            "ipv4::ipv4_serializer",
            "ipv6::ipv6_serializer",
            "ipv6::compressed_piece_index",
        ],
    },
    UrlSection {
        anchor: "host-equivalence",
        title: "Host equivalence",
        functions: &["host::host_equals"],
    },
    UrlSection {
        anchor: "url-representation",
        title: "URL representation",
        functions: &[
            "code_points::is_single_dot_url_path_segment",
            "code_points::is_double_dot_url_path_segment",
        ],
    },
    UrlSection {
        anchor: "url-miscellaneous",
        title: "URL miscellaneous",
        functions: &[
            "record::is_special_scheme",
            "record::default_port",
            "code_points::is_windows_drive_letter",
            "code_points::is_normalized_windows_drive_letter",
            "code_points::starts_with_a_windows_drive_letter",
            "record::shorten_path",
        ],
    },
    UrlSection {
        anchor: "url-writing",
        title: "URL writing",
        functions: &["code_points::is_url_code_point"],
    },
    UrlSection {
        anchor: "url-parsing",
        title: "URL parsing",
        functions: &[
            "parser::basic_url_parser",
            "parser::parse_traced",
            "states::scheme::scheme_start_state",
            "states::scheme::scheme_state",
            "states::scheme::no_scheme_state",
            "states::relative::special_relative_or_authority_state",
            "states::relative::path_or_authority_state",
            "states::relative::relative_state",
            "states::relative::relative_slash_state",
            "states::authority::special_authority_slashes_state",
            "states::authority::special_authority_ignore_slashes_state",
            "states::authority::authority_state",
            "states::authority::host_state",
            "states::authority::port_state",
            "states::file::file_state",
            "states::file::file_slash_state",
            "states::file::file_host_state",
            "states::path::path_start_state",
            "states::path::path_state",
            "states::path::opaque_path_state",
            "states::query::query_state",
            "states::query::fragment_state",
            "record::set_the_username",
            "record::set_the_password",
        ],
    },
    UrlSection {
        anchor: "url-serializing",
        title: "URL serializing",
        functions: &["serializer::serialize", "serializer::serialize_path"],
    },
    UrlSection {
        anchor: "url-equivalence",
        title: "URL equivalence",
        functions: &["serializer::equals"],
    },
    UrlSection {
        anchor: "origin",
        title: "Origin",
        functions: &["origin::origin"],
    },
    UrlSection {
        anchor: "urlencoded-parsing",
        title: "application/x-www-form-urlencoded parsing",
        functions: &["form::urlencoded_parser"],
    },
    UrlSection {
        anchor: "urlencoded-hooks",
        title: "Hooks",
        functions: &["form::urlencoded_string_parser"],
    },
    UrlSection {
        anchor: "url-class",
        title: "URL class",
        functions: &[
            "api::api_url_parser",
            "api::new",
            "api::parse",
            "api::can_parse",
            "api::href",
            "api::set_href",
            "api::origin",
            "api::protocol",
            "api::set_protocol",
            "api::username",
            "api::set_username",
            "api::password",
            "api::set_password",
            "api::host",
            "api::set_host",
            "api::hostname",
            "api::set_hostname",
            "api::port",
            "api::set_port",
            "api::pathname",
            "api::set_pathname",
            "api::search",
            "api::set_search",
            "api::search_params",
            "api::hash",
            "api::set_hash",
        ],
    },
];
