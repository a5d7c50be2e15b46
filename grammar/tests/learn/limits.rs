//! Limits of length or value are reported without being learned.

use std::sync::atomic::{AtomicU64, Ordering};

use uriproof_grammar::learn::{Measure, OutputDifference, Stop};

use super::{acceptance, assert_equal, groups, host, limits, parts, port, valid};

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn limits_are_named_and_not_learned() {
    let label = |input: &str| {
        let host = host(input);
        if host.starts_with('[') {
            0
        } else {
            host.split('.').map(str::len).max().unwrap_or(0)
        }
    };
    let value = |input: &str| port(input).trim_start_matches('0').parse().unwrap_or(0_u128);
    type Exceeds = Box<dyn Fn(&str) -> bool + Sync>;
    let cases: [(Exceeds, &str, Measure, u64, String, String); 8] = [
        (
            Box::new(move |input| value(input) > 65_535),
            "rejects ports over 65,535",
            Measure::PortValue,
            65_535,
            "//h:65535".to_owned(),
            "//h:65536".to_owned(),
        ),
        (
            Box::new(|input| port(input).len() > 5),
            "rejects a port of more than 5 digits",
            Measure::PortDigits,
            5,
            "//h:00000".to_owned(),
            "//h:000000".to_owned(),
        ),
        (
            Box::new(|input| parts(input).components.scheme.is_some_and(|scheme| scheme.len() > 64)),
            "rejects a scheme of more than 64 characters",
            Measure::Scheme,
            64,
            format!("{}:", "a".repeat(64)),
            format!("{}:", "a".repeat(65)),
        ),
        (
            Box::new(move |input| label(input) > 63),
            "rejects a reg-name label of more than 63 characters",
            Measure::Label,
            63,
            format!("//{}", "a".repeat(63)),
            format!("//{}", "a".repeat(64)),
        ),
        (
            Box::new(|input| !host(input).starts_with('[') && host(input).len() > 253),
            "rejects a host of more than 253 characters",
            Measure::Host,
            253,
            format!("//{}", "a".repeat(253)),
            format!("//{}", "a".repeat(254)),
        ),
        (
            Box::new(|input| parts(input).components.path.matches('/').count() > 1_000),
            "rejects a path of more than 1,000 segments",
            Measure::Segments,
            1_000,
            "/a".repeat(1_000),
            "/a".repeat(1_001),
        ),
        (
            Box::new(|input| input.len() > 255),
            "rejects more than 255 bytes in all",
            Measure::Length,
            255,
            format!("{}:", "a".repeat(254)),
            format!("{}:", "a".repeat(255)),
        ),
        (
            Box::new(|input| input.len() > 65_534),
            "rejects more than 65,534 bytes in all",
            Measure::Length,
            65_534,
            String::new(),
            String::new(),
        ),
    ];
    for (exceeds, text, measure, at, inside, outside) in cases {
        let learned = acceptance(|input| valid(input) && !exceeds(input));
        assert_equal(&learned);
        let [limit] = &*learned.limits else {
            panic!("{text}: {:?}", limits(&learned))
        };
        assert_eq!(
            (limit.to_string(), limit.measure, limit.at, limit.outputs),
            (text.to_owned(), measure, at, [1, 0])
        );
        assert!(!exceeds(&limit.witness_in) && exceeds(&limit.witness_out), "{text}");
        if !inside.is_empty() && measure != Measure::Length {
            assert_eq!((&limit.witness_in, &limit.witness_out), (&inside, &outside));
        }
        assert_eq!(
            learned.assumptions()[0],
            "the subject, within its limits, has no more than 183 states"
        );
    }
}

#[test]
fn a_difference_is_found_beside_a_limit() {
    let learned = acceptance(|input| {
        let input = input.replace('\\', "/");
        valid(&input) && port(&input).trim_start_matches('0').parse().unwrap_or(0_u128) <= 65_535
    });
    assert_eq!(learned.stopped, None);
    assert_eq!(
        limits(&learned),
        [("rejects ports over 65,535".to_owned(), "//h:65535", "//h:65536")]
    );
    assert_eq!(groups(&learned), [(OutputDifference::Accepted, "\\".to_owned(), "\\")]);
    assert_eq!(learned.states(), 183);
}

#[test]
fn a_port_with_a_sign_does_not_hide_its_limit() {
    // As `str::parse` does.
    let learned = acceptance(|input| {
        let plain = input.replacen(":+", ":", 1);
        let has_sign = valid(&plain) && !port(&plain).is_empty() && input.contains(&format!(":+{}", port(&plain)));
        let text = if has_sign { &*plain } else { input };
        valid(text) && (port(text).is_empty() || port(text).parse::<u16>().is_ok())
    });
    assert_eq!(learned.stopped, None);
    assert_eq!(
        limits(&learned),
        [("rejects ports over 65,535".to_owned(), "//h:65535", "//h:65536")]
    );
    assert_eq!(learned.differences[0].witness, "//:+0");
    assert!(learned.states() < 190, "{}", learned.states());
}

/// The first answer that is looked at again is that to the smallest string of a limit's family.
#[test]
fn a_limit_that_moves_is_a_contradiction() {
    let asked = AtomicU64::new(0);
    let learned = acceptance(|input| valid(input) && asked.fetch_add(1, Ordering::Relaxed) < 2);
    let Some(Stop::NotDeterministic { witness, answers }) = learned.stopped else {
        panic!("{:?}", learned.stopped);
    };
    assert_eq!((&*witness, answers), ("aa:", [1, 0]));
}
