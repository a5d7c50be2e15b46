//! Deviations in which part of a text is read, each beside what it leaves alone.

use uriproof::model::{Input, Outcome, Reading, Rule, Value};
use uriproof_deviations::{Deviation, HostForm, StopPoint, SubjectProfile};

/// What a library with these deviations parses, and prints again; `None` if it refuses it.
fn printed(deviations: &[Deviation], uri: &str) -> Option<String> {
    let input = Input::RoundTrip { uri: uri.to_owned() };
    let profile = SubjectProfile::new(deviations.iter().cloned());
    match profile.outcome(Rule::Uri, &input, Reading::Rfc3986)? {
        Outcome::Accepted { value: Value::Uri(uri) } => Some(uri),
        Outcome::Rejected { .. } => None,
        other => panic!("{input}: {other:?}"),
    }
}

#[test]
fn what_is_behind_the_longest_beginning_is_ignored() {
    for (uri, read) in [
        ("a:[", Some("a:")),
        ("a:b c", Some("a:b")),
        ("a://u@h:1x/p", Some("a://u@h:1")),
        ("a://[::1]x/p", Some("a://[::1]")),
        ("a://[::1/p", Some("a://")),
        ("a:?b\"#c", Some("a:?b")),
        ("a:%4", Some("a:")),
        ("a://h:%41", Some("a://h:")),
        ("a://u@h:1/p?q#f", Some("a://u@h:1/p?q#f")),
        ("a%41:b", None),
        ("1:", None),
        ("a[", None),
    ] {
        assert_eq!(printed(&[Deviation::ReadsBeginning], uri).as_deref(), read, "{uri}");
    }
}

#[test]
fn reading_stops_where_a_deviation_says() {
    let stop = |at| Deviation::StopsReading { at };
    let path = |form| Deviation::ReadsAuthorityAsPath { form };
    for (deviation, uri, read) in [
        (stop(StopPoint::BeforeEmptyPort), "a://h:/p?q", "a://h"),
        (stop(StopPoint::BeforeEmptyPort), "a://h:1/p?q", "a://h:1/p?q"),
        (stop(StopPoint::BehindIpv4Address), "a://1.1.1.256/p", "a://1.1.1.25"),
        (stop(StopPoint::BehindIpv4Address), "a://1.1.1.1/p", "a://1.1.1.1/p"),
        (stop(StopPoint::BehindIpv4Address), "a://1.1.1.x/p", "a://1.1.1.x/p"),
        (stop(StopPoint::BeforeSecondEqualsSign), "a:?b=&c=d=e#f", "a:?b=&c=d"),
        (
            Deviation::StopsBeforePortsAbove { limit: 65535 },
            "a://h:65536/p",
            "a://h",
        ),
        (
            Deviation::StopsBeforePortsAbove { limit: 65535 },
            "a://h:065535/p",
            "a://h:065535/p",
        ),
        (Deviation::ReadsPasswordAsHost, "a://b:1:c@d/p", "a://b:1"),
        (Deviation::ReadsPasswordAsHost, "a://b:c@d/p", "a://b:c@d/p"),
        (path(HostForm::Empty), "a://:1/p", "a://:1/p"),
        (path(HostForm::CapitalVersionFlag), "a://[Va.b]/p", "a://"),
        (
            path(HostForm::SevenPiecesBeforeElision),
            "a://[1:2:3:4:5:6:7::]",
            "a://",
        ),
        (
            path(HostForm::SevenPiecesBeforeElision),
            "a://[1:2:3:4:5:6::]",
            "a://[1:2:3:4:5:6::]",
        ),
        (Deviation::ReadsMissingScheme, ":b?c", ":b?c"),
    ] {
        let printed = printed(std::slice::from_ref(&deviation), uri);
        assert_eq!(printed.as_deref(), Some(read), "{}: {uri}", deviation.sentence());
    }
}
