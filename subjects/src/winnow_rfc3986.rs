//! `winnow-rfc3986`: a parser for each rule of RFC 3986, which recognizes and tells nothing.

use uriproof::model::{Declaration, Observed, Operation, Outcome, Rule, Subject};
use winnow_rfc3986::{
    is_gen_delim, is_reserved, is_sub_delim, is_unreserved, parse_absolute_uri, parse_authority, parse_dec_octet,
    parse_fragment, parse_h16, parse_hier_part, parse_host, parse_ip_literal, parse_ipv4address, parse_ipv6address,
    parse_ipvfuture, parse_ls32, parse_path_abempty, parse_path_absolute, parse_path_empty, parse_path_noscheme,
    parse_path_rootless, parse_pct_encoded, parse_port, parse_query, parse_reg_name, parse_relative_part,
    parse_relative_ref, parse_scheme, parse_segment, parse_segment_nz, parse_segment_nz_nc, parse_uri,
    parse_uri_reference, parse_userinfo,
};

/// A parser a rule, `parse_uri_reference` first.
pub struct Parsers;

static DECLARATION: Declaration =
    Declaration::new("winnow-rfc3986", "0.0.3", "parse_uri_reference", &[Operation::Parse])
        .with_rules(RULES)
        .with_tells(&[]);

impl Subject for Parsers {
    fn declaration(&self) -> &Declaration {
        &DECLARATION
    }

    fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
        Some(recognized(rule, input)? == Some(input.len()))
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        match recognized(rule, input) {
            Some(Some(length)) if length == input.len() => Outcome::components(Observed::default()),
            Some(Some(length)) => Outcome::Rejected {
                reason: Some("input is left over".to_owned()),
                offset: Some(length),
            },
            Some(None) => Outcome::rejected("nothing matches"),
            None => Outcome::unsupported(format!("no parser for {rule}")),
        }
    }
}

/// The rules with a parser or, where they are sets of characters, a predicate; how many bytes a rule's parser takes.
macro_rules! rules {
    ($($rule:ident $parser:ident),+; $($set:ident $predicate:ident),+) => {
        const RULES: &[Rule] = &[$(Rule::$rule,)+ $(Rule::$set,)+];

        fn recognized(rule: Rule, input: &str) -> Option<Option<usize>> {
            let mut rest = input.as_bytes();
            let parsed = match rule {
                $(Rule::$rule => $parser(&mut rest).is_ok(),)+
                $(Rule::$set => return Some(input.chars().next().filter(|&c| $predicate(c)).map(char::len_utf8)),)+
                _ => return None,
            };
            Some(parsed.then_some(input.len() - rest.len()))
        }
    };
}

// There is no parser for `path`, of which `parse_path` takes one alternative, nor for `pchar`: `is_pchar` takes "%".
rules! {
    UriReference parse_uri_reference,
    Uri parse_uri,
    HierPart parse_hier_part,
    AbsoluteUri parse_absolute_uri,
    RelativeRef parse_relative_ref,
    RelativePart parse_relative_part,
    Scheme parse_scheme,
    Authority parse_authority,
    Userinfo parse_userinfo,
    Host parse_host,
    Port parse_port,
    IpLiteral parse_ip_literal,
    IpvFuture parse_ipvfuture,
    Ipv6Address parse_ipv6address,
    H16 parse_h16,
    Ls32 parse_ls32,
    Ipv4Address parse_ipv4address,
    DecOctet parse_dec_octet,
    RegName parse_reg_name,
    PathAbempty parse_path_abempty,
    PathAbsolute parse_path_absolute,
    PathNoscheme parse_path_noscheme,
    PathRootless parse_path_rootless,
    PathEmpty parse_path_empty,
    Segment parse_segment,
    SegmentNz parse_segment_nz,
    SegmentNzNc parse_segment_nz_nc,
    Query parse_query,
    Fragment parse_fragment,
    PctEncoded parse_pct_encoded;
    Unreserved is_unreserved,
    Reserved is_reserved,
    GenDelims is_gen_delim,
    SubDelims is_sub_delim
}
