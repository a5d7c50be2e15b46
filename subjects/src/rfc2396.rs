//! `rfc2396`: a recognizer of RFC 2396, without the host of RFC 2732: no IPv6 address.

use std::sync::LazyLock;

use uriproof::model::{Declaration, Observed, Operation, Outcome, Rule, Specification, Subject};

/// `validate`; the other functions give the same answer in another type.
pub struct Validate;

static DECLARATION: LazyLock<Declaration> = LazyLock::new(|| {
    Declaration::new("rfc2396", "1.1.0", "validate", &[Operation::Parse])
        .with_specification(Specification::Other("RFC 2396".to_owned()))
        .with_tells(&[])
});

impl Subject for Validate {
    fn declaration(&self) -> &Declaration {
        &DECLARATION
    }

    fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
        (rule == Rule::UriReference).then(|| rfc2396::validate(input))
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        if rule != Rule::UriReference {
            return Outcome::unsupported(format!("parses {} only", Rule::UriReference));
        }
        if rfc2396::validate(input) {
            Outcome::components(Observed::default())
        } else {
            Outcome::rejected("not valid")
        }
    }
}
