//! RFC 3986 as code: a literal, executable transcription of the generic URI syntax.
//!
//! One module for each part of the RFC, one function for each rule and algorithm, the text that a function follows above
//! the code that follows it. Nothing is traded for speed or brevity; what is not in the RFC wears a label (`Not in RFC
//! 3986: …`), and what a contested clause may also mean is a [`Reading`](readings::Reading). Every function is total and
//! linear in its input.
//!
//! [`SECTIONS`] is the index: from the RFC's sections to the functions, and to the files of vectors that pin them down.
//!
//! [`parse`](components::parse) returns the components of a URI-reference. A component that is absent is `None`, and not empty:
//!
//! ```
//! use rfc3986_reference::components::parse;
//! use rfc3986_reference::grammar::HostKind;
//! use rfc3986_reference::readings::Reading;
//!
//! let reference = parse("//[2001:db8::7]:8042/over/there?#nose", Reading::Rfc3986)?;
//! assert_eq!((reference.components.scheme, reference.components.query), (None, Some("")));
//!
//! let authority = reference.authority.expect("it has an authority");
//! assert_eq!((authority.host, authority.host_kind, authority.port), ("[2001:db8::7]", HostKind::Ipv6, Some("8042")));
//! # Ok::<(), rfc3986_reference::grammar::Error>(())
//! ```
//!
//! A [`Rule`](grammar::Rule) is a rule of Appendix A. What does not match has an error with the rule and the offset at which it fails:
//!
//! ```
//! use rfc3986_reference::grammar::Rule;
//! use rfc3986_reference::readings::Reading;
//!
//! assert!(Rule::DecOctet.matches("255", Reading::Rfc3986).is_ok());
//! let error = Rule::Uri.matches("http://a b/", Reading::Rfc3986).expect_err("a host has no space");
//! assert_eq!(error.offset, 8);
//! ```
//!
//! References are resolved against a base, with the branch of the algorithm if a test needs it ([`resolve`](resolve::resolve)):
//!
//! ```
//! use rfc3986_reference::readings::Reading;
//! use rfc3986_reference::resolve::{Strictness, resolve_reference};
//!
//! let resolve = |reference, strictness| resolve_reference("http://a/b/c/d;p?q", reference, strictness, Reading::Rfc3986);
//! assert_eq!(resolve("../g", Strictness::Strict)?, "http://a/b/g");
//! assert_eq!(resolve("http:g", Strictness::Strict)?, "http:g");
//! assert_eq!(resolve("http:g", Strictness::NonStrict)?, "http://a/b/c/g");
//! # Ok::<(), rfc3986_reference::resolve::ResolveError>(())
//! ```
//!
//! Dot-segments are removed step by step. A library whose result differs is compared with each step:
//!
//! ```
//! use rfc3986_reference::dot_segments::{remove_dot_segments, steps};
//!
//! assert_eq!(remove_dot_segments("/a/b/c/./../../g"), "/a/g");
//!
//! let mut trace = Vec::new();
//! steps("/a/../b", |step, output, input| trace.push(format!("{step} {output} {input}")));
//! assert_eq!(trace, ["1  /a/../b", "2E /a /../b", "2C  /b", "2E /b "]);
//! ```
//!
//! Normalization has a function for each rung of the ladder of comparison:
//!
//! ```
//! use rfc3986_reference::normalize::{Schemes, scheme_based, syntax_based};
//! use rfc3986_reference::readings::Reading;
//!
//! let uri = "HTTP://EXAMPLE.com:80/%7Ea/./b/..";
//! assert_eq!(syntax_based(uri, Reading::Rfc3986)?, "http://example.com:80/~a/");
//! assert_eq!(scheme_based(uri, &Schemes::default(), Reading::Rfc3986)?, "http://example.com/~a/");
//! # Ok::<(), rfc3986_reference::normalize::NormalizeError>(())
//! ```
//!
//! [`recompose`](recompose::recompose) is literal, so that components that do not fit give another reference. [`compose`](recompose::compose)
//! refuses them:
//!
//! ```
//! use rfc3986_reference::components::Components;
//! use rfc3986_reference::readings::Reading;
//! use rfc3986_reference::recompose::{Unfit, compose, recompose};
//!
//! let components = Components { path: "//a/b".into(), ..Components::default() };
//! assert_eq!(recompose(&components), "//a/b");
//! assert_eq!(compose(&components, Reading::Rfc3986), Err(Unfit::DoubleSlashWithoutAuthority));
//! ```

pub mod base;
pub mod characters;
pub mod components;
pub mod dot_segments;
pub mod elements;
pub mod equivalence;
pub mod extract;
pub mod grammar;
pub mod normalize;
pub mod readings;
pub mod recompose;
pub mod resolve;
pub mod security;
pub mod split;

/// A section of RFC 3986, the functions that transcribe it, and the vectors that pin it down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// The section's number, or the letter of an appendix; `Elements` for what is not in the RFC.
    pub section: &'static str,
    /// The section's title.
    pub title: &'static str,
    /// The functions, as `module::function` or `module::Type::function`: all that are no methods, and the methods that
    /// transcribe something.
    pub functions: &'static [&'static str],
    /// The files, relative to the folder `vectors`.
    pub vectors: &'static [&'static str],
    /// Why there are no files of vectors, where there are none.
    pub without_vectors: Option<&'static str>,
}

/// The section index: RFC section, functions, vector files.
pub const SECTIONS: &[Section] = &[
    section(
        "2.1",
        "Percent-Encoding",
        &[
            "characters::leading_triplet",
            "characters::percent_decode",
            "characters::percent_encode",
            "grammar::pct_encoded",
        ],
        &["rfc/2.json", "syntax/percent-encoding.json"],
    ),
    section(
        "2.2",
        "Reserved Characters",
        &[
            "characters::is_reserved",
            "characters::is_gen_delim",
            "characters::is_sub_delim",
            "grammar::reserved",
            "grammar::gen_delims",
            "grammar::sub_delims",
        ],
        &["syntax/characters.json"],
    ),
    section(
        "2.3",
        "Unreserved Characters",
        &[
            "characters::is_unreserved",
            "characters::is_alpha",
            "characters::is_digit",
            "characters::is_hexdig",
            "grammar::unreserved",
        ],
        &["syntax/characters.json"],
    ),
    section(
        "3",
        "Syntax Components",
        &[
            "components::parse",
            "components::parse_rule",
            "grammar::uri",
            "grammar::hier_part",
        ],
        &["rfc/3.json", "rfc/1.1.2.json", "syntax/rules.json"],
    ),
    section("3.1", "Scheme", &["grammar::scheme"], &["syntax/scheme.json"]),
    section(
        "3.2",
        "Authority",
        &["components::parse_authority", "grammar::authority"],
        &["syntax/authority-terminators.json"],
    ),
    section(
        "3.2.1",
        "User Information",
        &["grammar::userinfo", "security::mask_password"],
        &["syntax/userinfo.json", "security/userinfo.json"],
    ),
    section(
        "3.2.2",
        "Host",
        &[
            "grammar::host",
            "grammar::ip_literal",
            "grammar::ipvfuture",
            "grammar::ipv6address",
            "grammar::h16",
            "grammar::ls32",
            "grammar::ipv4address",
            "grammar::dec_octet",
            "grammar::reg_name",
        ],
        &[
            "syntax/ipv6.json",
            "syntax/ipvfuture.json",
            "syntax/ipv4.json",
            "syntax/reg-name.json",
            "syntax/brackets.json",
            "contested/erratum-4942.json",
        ],
    ),
    section("3.2.3", "Port", &["grammar::port"], &["syntax/port.json"]),
    section(
        "3.3",
        "Path",
        &[
            "grammar::path",
            "grammar::path_abempty",
            "grammar::path_absolute",
            "grammar::path_noscheme",
            "grammar::path_rootless",
            "grammar::path_empty",
            "grammar::segment",
            "grammar::segment_nz",
            "grammar::segment_nz_nc",
            "grammar::pchar",
        ],
        &["rfc/3.3.json", "syntax/path.json"],
    ),
    section("3.4", "Query", &["grammar::query"], &["syntax/query-and-fragment.json"]),
    section(
        "3.5",
        "Fragment",
        &["grammar::fragment"],
        &["syntax/query-and-fragment.json"],
    ),
    section(
        "4.1",
        "URI Reference",
        &["grammar::uri_reference", "components::Reference::matches"],
        &["rfc/4.json", "syntax/kinds.json"],
    ),
    section(
        "4.2",
        "Relative Reference",
        &[
            "grammar::relative_ref",
            "grammar::relative_part",
            "components::Reference::relative_form",
        ],
        &["rfc/4.json", "syntax/kinds.json", "contested/erratum-5428.json"],
    ),
    section(
        "4.3",
        "Absolute URI",
        &["grammar::absolute_uri"],
        &["rfc/4.json", "syntax/kinds.json"],
    ),
    Section {
        section: "4.4",
        title: "Same-Document Reference",
        functions: &["equivalence::same_document"],
        vectors: &[],
        without_vectors: Some("no operation of the vectors asks for it; tests/examples.rs does"),
    },
    section(
        "5.1",
        "Establishing a Base URI",
        &["base::establish"],
        &["resolution/base.json"],
    ),
    section(
        "5.2",
        "Relative Resolution",
        &["resolve::resolve_reference", "resolve::reparses"],
        &[
            "rfc/5.4.1.json",
            "rfc/5.4.2.json",
            "resolution/double-slash-without-authority.json",
            "contested/documents.json",
        ],
    ),
    section(
        "5.2.2",
        "Transform References",
        &["resolve::resolve"],
        &[
            "resolution/base-dot-segments.json",
            "resolution/empty-components.json",
            "resolution/opaque-query-and-fragment.json",
            "resolution/reference-with-authority.json",
            "resolution/same-scheme.json",
        ],
    ),
    section(
        "5.2.3",
        "Merge Paths",
        &["resolve::merge"],
        &[
            "resolution/merge.json",
            "resolution/rootless-base.json",
            "contested/erratum-4789.json",
        ],
    ),
    section(
        "5.2.4",
        "Remove Dot Segments",
        &["dot_segments::remove_dot_segments", "dot_segments::steps"],
        &[
            "rfc/5.2.4.json",
            "resolution/dot-segments.json",
            "resolution/percent-encoded-dots.json",
            "contested/erratum-4547.json",
        ],
    ),
    section(
        "5.3",
        "Component Recomposition",
        &["recompose::recompose", "recompose::check", "recompose::compose"],
        &["resolution/recompose.json"],
    ),
    section(
        "6.2.1",
        "Simple String Comparison",
        &["equivalence::simple"],
        &["equivalence/ladder.json"],
    ),
    section(
        "6.2.2",
        "Syntax-Based Normalization",
        &["normalize::syntax_based", "equivalence::syntax_based"],
        &[
            "rfc/6.2.2.json",
            "equivalence/ladder.json",
            "equivalence/near-misses.json",
        ],
    ),
    section(
        "6.2.2.1",
        "Case Normalization",
        &["normalize::case_normalization"],
        &["normalization/case.json"],
    ),
    section(
        "6.2.2.2",
        "Percent-Encoding Normalization",
        &["normalize::percent_encoding_normalization"],
        &["normalization/percent-encoding.json"],
    ),
    section(
        "6.2.2.3",
        "Path Segment Normalization",
        &["normalize::path_segment_normalization"],
        &["normalization/dot-segments.json"],
    ),
    section(
        "6.2.3",
        "Scheme-Based Normalization",
        &["normalize::scheme_based", "equivalence::scheme_based"],
        &[
            "rfc/6.2.3.json",
            "rfc/6.2.4.json",
            "normalization/empty-delimiters.json",
            "normalization/scheme-based.json",
        ],
    ),
    section(
        "7.2",
        "Malicious Construction",
        &["security::well_known_port", "security::encoded_delimiters"],
        &["security/encoded-delimiters.json"],
    ),
    section(
        "7.3",
        "Back-End Transcoding",
        &["security::encoded_nul"],
        &["security/encoded-delimiters.json"],
    ),
    section(
        "7.4",
        "Rare IP Address Formats",
        &["security::rare_ipv4"],
        &["security/rare-ip-formats.json"],
    ),
    section(
        "7.6",
        "Semantic Attacks",
        &["security::imitated_host"],
        &["rfc/7.6.json", "security/userinfo.json"],
    ),
    section(
        "B",
        "Parsing a URI Reference with a Regular Expression",
        &["split::groups", "split::split"],
        &["rfc/appendix-b.json"],
    ),
    section(
        "C",
        "Delimiting a URI in Context",
        &["extract::extract", "extract::strip"],
        &["rfc/appendix-c.json"],
    ),
    section(
        "Elements",
        "The data model in which empty means absent",
        &[
            "elements::Elements::from_reference",
            "elements::Elements::to_reference_string",
            "elements::through_elements",
            "elements::resolve_through_elements",
        ],
        &["contested/elements.json"],
    ),
];

const fn section(
    section: &'static str,
    title: &'static str,
    functions: &'static [&'static str],
    vectors: &'static [&'static str],
) -> Section {
    Section {
        section,
        title,
        functions,
        vectors,
        without_vectors: None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::SECTIONS;

    fn beside(path: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
    }

    fn source(module: &str) -> String {
        let path = beside("src").join(module).with_extension("rs");
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    #[test]
    fn every_file_of_vectors_exists() {
        let vectors = beside("../vectors");
        assert!(vectors.is_dir(), "there is no folder {}", vectors.display());
        for section in SECTIONS {
            for file in section.vectors {
                assert!(
                    vectors.join(file).is_file(),
                    "§{} names vectors/{file}, which does not exist",
                    section.section
                );
            }
        }
    }

    #[test]
    fn a_section_has_files_of_vectors_or_says_why_not() {
        for section in SECTIONS {
            assert_eq!(
                section.vectors.is_empty(),
                section.without_vectors.is_some_and(|reason| !reason.is_empty()),
                "§{}",
                section.section
            );
        }
    }

    #[test]
    fn every_function_exists() {
        for section in SECTIONS {
            for path in section.functions {
                let parts: Vec<_> = path.split("::").collect();
                let (indent, [module, .., name]) = ("    ".repeat(parts.len() - 2), &parts[..]) else {
                    panic!("{path} is no path of a function");
                };
                let source = source(module);
                let declared = |line: &str| {
                    line.strip_prefix(&format!("{indent}pub fn {name}"))
                        .is_some_and(|rest| rest.starts_with(['(', '<']))
                };
                assert!(source.lines().any(declared), "§{}: there is no {path}", section.section);
            }
        }
    }

    #[test]
    fn every_public_function_that_is_no_method_is_in_the_index() {
        let listed: BTreeSet<_> = SECTIONS.iter().flat_map(|section| section.functions).copied().collect();
        for entry in fs::read_dir(beside("src")).unwrap() {
            let path = entry.unwrap().path();
            let module = path.file_stem().unwrap().to_str().unwrap();
            for line in source(module).lines() {
                if let Some(rest) = line.strip_prefix("pub fn ") {
                    let name = rest.split(['(', '<']).next().unwrap();
                    assert!(
                        listed.contains(&*format!("{module}::{name}")),
                        "{module}::{name} stands under no section"
                    );
                }
            }
        }
    }

    #[test]
    fn the_sections_are_in_the_order_of_the_rfc() {
        let sections: Vec<_> = SECTIONS.iter().map(|section| section.section).collect();
        let mut sorted = sections.clone();
        sorted.sort_unstable();
        assert_eq!(sections, sorted);
    }
}
