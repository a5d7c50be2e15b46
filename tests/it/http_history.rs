//! The mistakes of parsing and printing that the crate `http` has mended by its change log, each as a library that has it and is right
//! in all else: `check` flags it under the claim that the mistake is about.
//!
//! What the change log has beside these is no mistake that a string can show:
//!
//! - 1.5.0 limits the length of a `PathAndQuery`, and lets `uri::Builder` take an empty path; 1.4.2 lets it take `*`. RFC 3986 has no
//!   limit, and the other two are about the builder.
//! - 1.3.1 checks that octets are UTF-8. A subject takes text.
//! - 1.3.0 and 0.2.4 allow UTF-8, `{`, `"` and `}` in a path, which RFC 3986 does not: what they call a mistake was right.
//! - 0.1.2 mends a mistake that it does not name.
//!
//! `cargo test --test it http_history:: -- --nocapture` prints a table: the version, the claim, the first failing input, the words.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rayon::prelude::*;
use uriproof::algorithms::Size;
use uriproof::expect::expect;
use uriproof::gate::{Claim, Conclusion, Gate, Judgement};
use uriproof::model::{
    Declaration, Input, Observed, Operation, Outcome, Reading, Reported, Rule, Rung, Subject, Value,
};
use uriproof::vectors::Library;
use uriproof_lab::machines::Machines;

/// A library that is right under a claim, but for a mistake.
struct Mended {
    declaration: Declaration,
    claim: Claim,
    mistake: Option<Mistake>,
}

/// A mistake that was mended.
#[derive(Clone, Copy)]
struct Mistake {
    /// The version that mended it.
    version: &'static str,
    /// The words of the change log.
    words: &'static str,
    /// The claim that it is about.
    claim: Claim,
    operation: Operation,
    /// The wrong answer to a text; `None` where the answer is right. Of a comparison the text is the first URI.
    wrong: fn(&Mended, &str) -> Option<Outcome>,
    /// A character that the mistake is about, where the change log names none.
    character: Option<char>,
}

/// A mistake, and the first input that fails, if one does.
struct Failing {
    mistake: Mistake,
    input: Option<String>,
}

static MACHINES: LazyLock<BTreeMap<&str, Machines>> = LazyLock::new(|| {
    let claims = [Claim::Http, Claim::RequestTarget, Claim::ZoneId];
    let machines = |claim: Claim| Machines::under(claim.profile().as_slice()).unwrap();
    claims.map(|claim| (claim.name(), machines(claim))).into()
});

impl Mended {
    fn new(claim: Claim, mistake: Option<Mistake>) -> Mended {
        let operations = &[Operation::Parse, Operation::Equivalent, Operation::RoundTrip];
        Mended {
            declaration: Declaration::new("mended", "1", "parse", operations),
            claim,
            mistake,
        }
    }

    fn is_right(&self, text: &str) -> bool {
        self.parsed(text).is_accepted() == Some(true)
    }

    /// What is right of a text.
    fn parsed(&self, text: &str) -> Outcome {
        MACHINES[self.claim.name()].expected(Rule::UriReference, text).literal()
    }

    /// The components of a text that is right, for one that is not.
    fn as_is(&self, text: &str, other: &str) -> Option<Outcome> {
        (!self.is_right(text)).then(|| self.parsed(other)).filter(|outcome| outcome.is_accepted() == Some(true))
    }

    fn wrong(&self, operation: Operation, text: &str) -> Option<Outcome> {
        let mistake = self.mistake.filter(|mistake| mistake.operation == operation)?;
        (mistake.wrong)(self, text)
    }

    fn character(&self) -> char {
        self.mistake.and_then(|mistake| mistake.character).unwrap_or('\0')
    }

    /// How `check` judges it: by the vectors, and if they do not show it, with the core suites.
    fn judged<'v>(&self, library: &'v Library) -> Judgement<'v> {
        let gate = |size| Gate::of(self).claim(self.claim).suite(size);
        let judgement = gate(None).run(library).unwrap();
        match (judgement.conclusion(), self.mistake) {
            (Conclusion::Pass, Some(mistake)) => {
                let suite = format!("suite/{}", mistake.operation);
                gate(Some(Size::Core)).only(&[&suite]).and_then(|gate| gate.run(library)).unwrap()
            }
            (Conclusion::Pass, None) => gate(Some(Size::Core)).run(library).unwrap(),
            _ => judgement,
        }
    }
}

impl Subject for Mended {
    fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    fn parse(&self, _: Rule, text: &str) -> Outcome {
        self.wrong(Operation::Parse, text).unwrap_or_else(|| self.parsed(text))
    }

    fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
        // A question mark at the end of both is on neither of them.
        let as_compared = |text: &str| match self.wrong(Operation::Equivalent, text) {
            Some(Outcome::Accepted { value: Value::Uri(uri) }) => uri,
            _ => text.to_owned(),
        };
        let (left, right) = (as_compared(left), as_compared(right));
        expect(&Input::Equivalent { left, right, rung }, Reading::Rfc3986).literal()
    }

    fn round_trip(&self, uri: &str) -> Outcome {
        let right = || match self.is_right(uri) {
            true => Outcome::uri(uri),
            false => Outcome::rejected("not valid"),
        };
        self.wrong(Operation::RoundTrip, uri).unwrap_or_else(right)
    }
}

/// The text of an authority: behind "//", up to what ends it.
fn authority(text: &str) -> Option<&str> {
    let rest = text.split_once("//")?.1;
    Some(&rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())])
}

fn refused() -> Option<Outcome> {
    Some(Outcome::rejected("not allowed"))
}

const fn mistake(
    version: &'static str,
    words: &'static str,
    claim: Claim,
    operation: Operation,
    wrong: fn(&Mended, &str) -> Option<Outcome>,
) -> Mistake {
    Mistake {
        version,
        words,
        claim,
        operation,
        wrong,
        character: None,
    }
}

const MISTAKES: [Mistake; 17] = [
    mistake(
        "1.4.2",
        "Fix `Uri` to properly reject `DEL` characters.",
        Claim::Http,
        Operation::Parse,
        |own, text| own.as_is(text, &text.replace('\u{7f}', "a")),
    ),
    mistake(
        "1.4.1",
        "Fix `PathAndQuery::from_static()` and `from_shared()` to reject inputs that do not start with `/`.",
        Claim::RequestTarget,
        Operation::Parse,
        |own, text| own.as_is(text, &format!("/{text}")),
    ),
    mistake(
        "0.2.10",
        "Fix parsing of `Authority` to handle square brackets in incorrect order.",
        Claim::Http,
        Operation::Parse,
        |own, text| {
            let (end, begin) = (authority(text)?.find(']')?, authority(text)?.find('[')?);
            (end < begin).then(|| own.as_is(text, &text.replacen([']', '['], "a", 2)))?
        },
    ),
    mistake(
        "0.2.2",
        "Fix `Authority` (and `Uri`) to error instead of panic on unbalanced brackets",
        Claim::Http,
        Operation::Parse,
        |_, text| {
            let count = |bracket| authority(text).unwrap_or_default().matches(bracket).count();
            assert_eq!(count('['), count(']'), "unbalanced");
            None
        },
    ),
    mistake(
        "0.1.20",
        "Fix parsing long authority-form `Uri`s (#351).",
        Claim::RequestTarget,
        Operation::Parse,
        |_, text| refused().filter(|_| text.find(':').is_some_and(|colon| colon > 64 && !text.contains('/'))),
    ),
    mistake(
        "0.1.19",
        "Allow `%` in IPv6 addresses in `Uri` (#343).",
        Claim::ZoneId,
        Operation::Parse,
        |_, text| {
            let literal = text.split_once('[')?.1.split_once(']')?.0;
            refused().filter(|_| literal.contains('%'))
        },
    ),
    mistake(
        "0.1.16",
        "Fix `Uri` to permit more characters in the `path` (#296)",
        Claim::Http,
        Operation::Parse,
        |own, text| {
            let rest = text.split_once("//")?.1;
            let path = rest[rest.find('/')?..].split('?').next()?;
            refused().filter(|_| path.contains(own.character()))
        },
    ),
    mistake(
        "0.1.15",
        "Fix `Uri::host()` to include brackets of IPv6 literals (#292)",
        Claim::Http,
        Operation::Parse,
        |own, text| without_brackets(own.parsed(text)),
    ),
    mistake(
        "0.1.14",
        "Fix `Uri` equality when terminating question mark is present (#270)",
        Claim::Http,
        Operation::Equivalent,
        |_, text| text.strip_suffix('?').map(Outcome::uri),
    ),
    mistake(
        "0.1.14",
        "Allow % character in userinfo (#269)",
        Claim::RequestTarget,
        Operation::Parse,
        |_, text| {
            let (userinfo, _) = authority(text).filter(|_| text.contains("://"))?.rsplit_once('@')?;
            refused().filter(|_| userinfo.contains('%'))
        },
    ),
    mistake(
        "0.1.13",
        "Fix `uri::Authority` parsing when there is no host after an `@` (#248)",
        Claim::RequestTarget,
        Operation::Parse,
        |own, text| own.as_is(text, &format!("{}:", text.strip_suffix('@')?)),
    ),
    mistake(
        "0.1.13",
        "Fix `Uri` parsing to allow more characters in query strings (#247)",
        Claim::Http,
        Operation::Parse,
        |own, text| {
            refused().filter(|_| text.split_once('?').is_some_and(|(_, query)| query.contains(own.character())))
        },
    ),
    mistake(
        "0.1.9",
        "Fix double percent encoding (#233)",
        Claim::Http,
        Operation::RoundTrip,
        |own, text| own.is_right(text).then(|| Outcome::uri(text.replace('%', "%25"))),
    ),
    mistake(
        "0.1.7",
        "Fix converting `Uri`s in authority-form to `Parts` and then back into `Uri` (#216).",
        Claim::RequestTarget,
        Operation::RoundTrip,
        |own, text| (own.is_right(text) && !text.contains('/')).then(|| Outcome::uri(format!("//{text}"))),
    ),
    mistake(
        "0.1.7",
        "Fix `Authority` parsing to reject multiple port sections (#215).",
        Claim::Http,
        Operation::Parse,
        |own, text| {
            let authority = authority(text)?;
            let (before, port) = authority.rsplit_once(':')?;
            let host = before.trim_end_matches(|digit: char| digit.is_ascii_digit()).strip_suffix(':')?;
            own.as_is(text, &text.replacen(authority, &format!("{host}:{port}"), 1))
        },
    ),
    mistake(
        "0.1.7",
        "Fix parsing 1 character authority-form `Uri`s into illegal forms (#220).",
        Claim::RequestTarget,
        Operation::Parse,
        |own, text| (text.chars().count() == 1).then(|| own.as_is(text, &format!("/{text}")))?,
    ),
    mistake(
        "0.1.5",
        "Parsing `Authority` with an empty string now returns an error (#164).",
        Claim::RequestTarget,
        Operation::Parse,
        |own, text| text.is_empty().then(|| own.parsed(":")),
    ),
];

fn without_brackets(outcome: Outcome) -> Option<Outcome> {
    let Outcome::Accepted {
        value: Value::Components(components),
    } = outcome
    else {
        return None;
    };
    let host = components.host.as_defined()?.strip_prefix('[')?.strip_suffix(']')?.to_owned();
    Some(Outcome::components(Observed {
        host: Reported::Defined(host),
        ..components
    }))
}

/// Each mistake; one about characters that the change log does not name, with each of those that a path or query may have.
fn mistakes() -> impl Iterator<Item = Mistake> {
    MISTAKES.into_iter().flat_map(|mistake| {
        let characters = if mistake.words.contains("more characters") {
            "-._~!$&'()*+,;=:@".chars().map(Some).collect()
        } else {
            vec![None]
        };
        characters.into_iter().map(move |character| Mistake { character, ..mistake })
    })
}

#[test]
fn each_mistake_is_flagged_under_its_claim() {
    let library = Library::embedded();
    let flagged: Vec<Failing> = mistakes()
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(|mistake| {
            let mended = Mended::new(mistake.claim, Some(mistake));
            let judgement = mended.judged(&library);
            let failures = judgement.failures();
            Failing {
                mistake,
                input: failures.first().map(|(vector, _)| format!("{} {}", vector.id, vector.input)),
            }
        })
        .collect();
    let mut missed = Vec::new();
    for Failing { mistake, input } in flagged {
        let character = mistake.character.map(|character| format!(" `{character}`")).unwrap_or_default();
        let line = format!(
            "{:7} {:15} {}{character}",
            mistake.version,
            mistake.claim.name(),
            mistake.words
        );
        match input {
            Some(input) => println!("{line}\n        {input}"),
            None => missed.push(line),
        }
    }
    assert!(missed.is_empty(), "not flagged:\n{}", missed.join("\n"));
}

#[test]
fn what_has_no_mistake_passes() {
    let library = Library::embedded();
    for claim in [Claim::Http, Claim::RequestTarget, Claim::ZoneId] {
        let mended = Mended::new(claim, None);
        let judgement = mended.judged(&library);
        let first = judgement.failures().first().map(|(vector, failure)| format!("{}: {failure:?}", vector.input));
        assert_eq!(judgement.conclusion(), Conclusion::Pass, "{}: {first:?}", claim.name());
    }
}
