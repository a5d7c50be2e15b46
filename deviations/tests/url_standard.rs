//! The WHATWG URL Standard as a deviation, and what departs from it.

use fastrand::Rng;
use uriproof::expect::Expected;
use uriproof::expect::whatwg::expect;
use uriproof::model::{Component, Input, Outcome, Reading, Rule, Rung, Scope};
use uriproof_deviations::UrlDeparture::*;
use uriproof_deviations::{Deviation, SubjectProfile, UrlDeparture};

use self::UrlExample::{Modify, Normal, Relativize, Resolve};

fn answer(profile: &SubjectProfile, input: &Input) -> Option<Outcome> {
    profile.outcome(Rule::Uri, input, Reading::Rfc3986)
}

fn following(by: &[UrlDeparture]) -> SubjectProfile {
    let departures = by.iter().map(|&by| Deviation::DepartsFromUrlStandard { by });
    SubjectProfile::new([Deviation::FollowsUrlStandard].into_iter().chain(departures))
}

fn parse(input: &str) -> Input {
    Input::Parse {
        rule: Rule::Uri,
        input: input.to_owned(),
    }
}

fn normal(uri: &str) -> Input {
    Input::Normalize {
        uri: uri.to_owned(),
        scope: Scope::Scheme,
    }
}

fn resolve(base: &str, reference: &str) -> Input {
    Input::Resolve {
        base: base.to_owned(),
        reference: reference.to_owned(),
        strict: true,
    }
}

fn modify(uri: &str, component: Component, value: Option<&str>) -> Input {
    Input::Modify {
        uri: uri.to_owned(),
        component,
        value: value.map(str::to_owned),
    }
}

/// A text of pieces on which the standard branches.
fn text(rng: &mut Rng) -> String {
    const PIECES: &[&str] = &[
        "http:", "file:", "a:", "//", "/", "\\", "C:", "C|", "..", ".", "%2e", "h", "@", ":", "80", "?", "#", "^", " ",
        "\t", "[::1]", "127.1", "xn--",
    ];
    let count = rng.usize(..7);
    (0..count).map(|_| PIECES[rng.usize(..PIECES.len())]).collect()
}

fn input(rng: &mut Rng) -> Input {
    match rng.u8(..6) {
        0 => parse(&text(rng)),
        1 => resolve(&text(rng), &text(rng)),
        2 => normal(&text(rng)),
        3 => Input::Equivalent {
            left: text(rng),
            right: text(rng),
            rung: Rung::Scheme,
        },
        4 => Input::RoundTrip { uri: text(rng) },
        _ => {
            let component = Component::TEXTS[rng.usize(..Component::TEXTS.len())];
            let value = text(rng);
            modify(&text(rng), component, rng.bool().then_some(value.as_str()))
        }
    }
}

#[test]
fn without_a_departure_it_is_the_standard() {
    let (mut rng, profile) = (Rng::with_seed(38), following(&[]));
    let mut compared = 0;
    for _ in 0..20_000 {
        let input = input(&mut rng);
        let Expected::Outcomes(expected) = expect(&input) else {
            continue;
        };
        let predicted = answer(&profile, &input).unwrap_or_else(|| panic!("{input}: no answer"));
        let is_expected = expected.iter().any(|one| match (&one.outcome, &predicted) {
            (Outcome::Rejected { .. }, Outcome::Rejected { .. }) => true,
            (expected, predicted) => expected == predicted,
        });
        assert!(is_expected, "{input}: {predicted}");
        compared += 1;
    }
    assert!(compared > 15_000, "{compared}");
}

#[test]
fn a_departure_alone_does_nothing() {
    let mut rng = Rng::with_seed(39);
    let departures = UrlDeparture::ALL.iter().map(|&by| Deviation::DepartsFromUrlStandard { by });
    let (plain, profile) = (SubjectProfile::default(), SubjectProfile::new(departures));
    for _ in 0..2_000 {
        let input = input(&mut rng);
        assert_eq!(answer(&profile, &input), answer(&plain, &input), "{input}");
    }
}

/// An input on which a departure acts.
enum UrlExample {
    Normal(&'static str),
    Resolve(&'static str, &'static str),
    Relativize(&'static str, &'static str),
    Modify(&'static str, Component, Option<&'static str>),
}

impl UrlExample {
    fn input(&self) -> Input {
        match *self {
            UrlExample::Normal(uri) => normal(uri),
            UrlExample::Resolve(base, reference) => resolve(base, reference),
            UrlExample::Relativize(base, target) => Input::Relativize {
                base: base.to_owned(),
                target: target.to_owned(),
            },
            UrlExample::Modify(uri, component, value) => modify(uri, component, value),
        }
    }
}

/// A departure, an input, and what the standard and a library with the departure make of it; `None` is a refusal, or no answer.
const EXAMPLES: &[(UrlDeparture, UrlExample, Option<&str>, Option<&str>)] = &[
    (
        CaretsInPaths,
        Normal("a:/^%5E?^"),
        Some("a:/%5E%5E?^"),
        Some("a:/^%5E?^"),
    ),
    (SpaceAfterOpaquePath, Normal("a:b #"), Some("a:b%20#"), Some("a:b #")),
    (InvalidPunycode, Normal("ws:xn--"), Some("ws://xn--/"), None),
    (EmptyHostAfterEmptyCredentials, Normal("a://:@/b"), None, Some("a:///b")),
    (BackslashAfterPort, Normal("a://b:1\\c"), None, Some("a://b:1/\\c")),
    (
        BackslashOfRelativeReference,
        Resolve("a:/b/c", "\\d"),
        Some("a:/b/\\d"),
        Some("a:/d"),
    ),
    (
        SlashesOfRelativeReference,
        Resolve("ws:a", "///b"),
        Some("ws://b/"),
        None,
    ),
    (DotDotAfterDriveLetter, Normal("a:/b:/.."), Some("a:/"), Some("a:/b:/")),
    (
        DriveLetterAtEndOfBase,
        Resolve("file:a/b:", "c"),
        Some("file:///a/c"),
        Some("file:///a/b:c"),
    ),
    (
        BarOfDriveLetter,
        Normal("file:///a|"),
        Some("file:///a:"),
        Some("file:///a|"),
    ),
    (
        TabAfterDriveLetter,
        Normal("file:a:\tb"),
        Some("file:///a:b"),
        Some("file:///a:/b"),
    ),
    (
        HostBeforeDriveLetter,
        Normal("file://h/a:"),
        Some("file://h/a:"),
        Some("file:///a:"),
    ),
    (
        SlashesOfFilePaths,
        Normal("file:////a"),
        Some("file:////a"),
        Some("file:///a"),
    ),
    (
        ErrorsOfSetters,
        Modify("a:b", Component::Port, Some("1")),
        Some("a:b"),
        None,
    ),
    (
        SchemeOfFileUrls,
        Modify("ws:a", Component::Scheme, Some("file")),
        Some("file://a/"),
        None,
    ),
    (
        HostUpToColon,
        Modify("a://b", Component::Host, Some("c:d")),
        Some("a://b"),
        Some("a://c"),
    ),
    (
        RemovalOfHost,
        Modify("a://b@c:1/d", Component::Host, None),
        None,
        Some("a:/d"),
    ),
    (
        OpaquePaths,
        Modify("a:b", Component::Path, Some("/c#")),
        Some("a:b"),
        Some("a:%2Fc#"),
    ),
    (
        PathsAsTheyAre,
        Modify("a:/b", Component::Path, Some("//c")),
        Some("a:/.//c"),
        Some("a://c"),
    ),
    (RelativizesByText, Relativize("a:/b/c", "a:/d:"), None, Some("../d:")),
];

#[test]
fn each_departure_changes_its_example() {
    for (departure, example, standard, departed) in EXAMPLES {
        let input = &example.input();
        for (profile, expected) in [(following(&[]), standard), (following(&[*departure]), departed)] {
            let answered = match answer(&profile, input) {
                None | Some(Outcome::Rejected { .. }) => None,
                Some(outcome) => Some(outcome),
            };
            assert_eq!(answered, expected.map(Outcome::uri), "{departure:?}: {input}");
        }
    }
    assert_eq!(EXAMPLES.len(), UrlDeparture::ALL.len());
}
