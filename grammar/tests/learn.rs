//! The learner against planted parsers, whose difference from RFC 3986 is known.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};

use rfc3986_reference::components::{Reference, parse};
use rfc3986_reference::grammar::Rule;
use rfc3986_reference::readings::Reading;
use uriproof_grammar::complete::{Method, Suites};
use uriproof_grammar::difference::differences;
use uriproof_grammar::draw_difference::{difference_dot, difference_svg};
use uriproof_grammar::learn::{
    Learned, Measure, Options, Oracle, OutputDifference, Purpose, Stop, TIMED_OUT, learn, ranges,
};
use uriproof_grammar::{Alphabet, Dfa, Grammar, Moore, rfc3986};

static REFERENCE: LazyLock<Dfa> = LazyLock::new(|| Dfa::compile(&rfc3986::grammar(), "URI-reference").unwrap());
static COMPONENTS: LazyLock<Moore> = LazyLock::new(|| rfc3986::component_machine().unwrap());

fn valid(input: &str) -> bool {
    REFERENCE.accepts(input.as_bytes())
}

/// Less than by default: here the other questions find the difference.
fn options() -> Options {
    Options {
        random_edits: 10_000,
        extra_states: 0,
        ..Options::default()
    }
}

fn acceptance(accepts: impl Fn(&str) -> bool + Sync) -> Learned {
    learn(
        REFERENCE.machine(),
        &|input: &str| u32::from(accepts(input)),
        &options(),
    )
}

/// The groups, each as its direction, its characters and its shortest witness.
fn groups(learned: &Learned) -> Vec<(OutputDifference, String, &str)> {
    let groups = learned.groups().into_iter();
    groups
        .map(|group| {
            let witness = &*learned.differences[group.differences[0]].witness;
            (group.kind, ranges(&group.characters), witness)
        })
        .collect()
}

/// The limits, each as it is said, with the strings on both sides.
fn limits(learned: &Learned) -> Vec<(String, &str, &str)> {
    learned.limits.iter().map(|limit| (limit.to_string(), &*limit.witness_in, &*limit.witness_out)).collect()
}

/// Equal to RFC 3986, apart from limits.
fn assert_equal(learned: &Learned) {
    assert_eq!(learned.stopped, None);
    assert_eq!(groups(learned), []);
    assert!(learned.is_equal());
    assert_eq!(learned.machine(), learned.target());
}

/// The components of what is valid.
fn parts(input: &str) -> Reference<'_> {
    parse(input, Reading::Rfc3986).unwrap()
}

fn host(input: &str) -> &str {
    parts(input).authority.map_or("", |authority| authority.host)
}

fn port(input: &str) -> &str {
    parts(input).authority.and_then(|authority| authority.port).unwrap_or_default()
}

#[test]
fn the_machine_itself_is_equal_in_one_round() {
    let learned = acceptance(valid);
    assert_equal(&learned);
    assert_eq!((learned.states(), learned.rounds), (183, 1));
    assert_eq!(learned.machine(), REFERENCE.machine());
    assert_eq!(limits(&learned), []);
    // Every character of every state: V, and V · X · H over 144 characters.
    assert_eq!(learned.questions[&Purpose::Sweep], 273_765);
    assert!(learned.questions() < 500_000);
    assert_eq!(
        learned.assumptions(),
        [
            "the subject has no more than 183 states",
            "it treats each character beyond ASCII that was not asked as one that was, and that the grammar treats alike",
            "it answers every string the same way each time",
        ]
    );
}

#[test]
fn the_reference_function_is_equal() {
    let target = Dfa::compile(&rfc3986::grammar(), "authority").unwrap();
    let oracle = |input: &str| u32::from(Rule::Authority.matches(input, Reading::Rfc3986).is_ok());
    let learned = learn(target.machine(), &oracle, &options());
    assert_equal(&learned);
    assert_eq!(learned.states(), 170);
}

#[test]
fn planted_grammars_are_learned_exactly() {
    const UPPER_HEX: &str = "\"%\" 2( DIGIT / %x41-46 )";
    const FIVE_GROUPS: &str = "              / [ *5( h16 \":\" ) h16 ] \"::\"              h16\n";
    const OPTIONAL: &str = "[ \"#\" fragment ]";
    use OutputDifference::{Accepted, Rejected};
    type Case<'a> = (&'a str, &'a str, &'a [(OutputDifference, &'a str, &'a str)]);
    let cases: [Case; 9] = [
        ("pchar         = ", "pchar         = \"[\" / ", &[(Accepted, "[", "#[")]),
        ("\"%\" HEXDIG HEXDIG", UPPER_HEX, &[(Rejected, "a-f", "%0a")]),
        (FIVE_GROUPS, "", &[(Rejected, "]", "//[::0]")]),
        ("= 1*4HEXDIG", "= 1*5HEXDIG", &[(Accepted, "0", "//[00000::]")]),
        (
            "\"25\" %x30-35",
            "\"25\" %x30-39",
            &[(Accepted, "6-9", "//[::0.0.0.256]")],
        ),
        ("= ALPHA *(", "= ( ALPHA / DIGIT ) *(", &[(Accepted, ":", "0:")]),
        (
            "host [ \":\" port ]",
            "( IP-literal / IPv4address / 1*( unreserved / pct-encoded / sub-delims ) ) [ \":\" port ]",
            &[
                (Rejected, "/", "//"),
                (Rejected, "#", "//#"),
                (Rejected, ":", "//:"),
                (Rejected, "@", "//@"),
            ],
        ),
        // Three states more than the machine, two of them behind a "%".
        (
            OPTIONAL,
            "[ \"#\" [ fragment \"#\" ] fragment ]",
            &[(Accepted, "#", "##")],
        ),
        // The same language.
        ("path-noscheme   ; begins", "path-rootless   ; begins", &[]),
    ];
    for (old, new, expected) in cases {
        assert!(rfc3986::ABNF.contains(old), "{old}");
        let grammar = Grammar::read(&rfc3986::ABNF.replace(old, new)).unwrap();
        let planted = Dfa::compile(&grammar, "URI-reference").unwrap();
        let learned = acceptance(|input| planted.accepts(input.as_bytes()));
        assert_eq!(learned.stopped, None);
        assert!(
            learned.machine() == planted.machine(),
            "{new}: {} states",
            learned.states()
        );
        let found = learned.differences.iter().map(|difference| difference.witness.as_bytes().to_vec());
        let exact = differences(&REFERENCE, &planted).map(|difference| difference.witness);
        assert_eq!(found.collect::<Vec<_>>(), exact.collect::<Vec<_>>(), "{new}");
        let expected: Vec<_> = expected.iter().map(|&(kind, part, witness)| (kind, part.to_owned(), witness)).collect();
        assert_eq!(groups(&learned), expected, "{new}");
    }
}

#[test]
fn characters_that_behave_differently_become_symbols() {
    let expect = |learned: &Learned, characters: &str, witness| {
        assert_eq!(learned.stopped, None);
        assert_eq!(
            groups(learned),
            [(OutputDifference::Accepted, characters.to_owned(), witness)]
        );
    };
    // In a path, the query and the fragment, as a parser of IRIs.
    let learned = acceptance(|input| {
        let at = input.find(['/', '?', '#']).unwrap_or(input.len());
        valid(&format!("{}{}", &input[..at], input[at..].replace('é', "~")))
    });
    expect(&learned, "\\u{e9}", "#é");
    assert_eq!(learned.output("/é?é"), 1);
    let others = learned.symbols().into_iter().find(|symbol| symbol.stands_for_others).unwrap();
    assert_eq!((others.character, &*others.stands_for), ('é', &['é'][..]));
    let learned = acceptance(|input| valid(&input.replace('\u{7f}', "~")));
    expect(&learned, "\\u{7f}", "\u{7f}");
    let learned = acceptance(|input| valid(&input.replace(['|', '^', '`'], "~")));
    expect(&learned, "^ ` |", "^");
    let learned = acceptance(|input| match input.strip_prefix("/|") {
        Some(rest) => valid(&format!("/~{rest}")),
        None => valid(input),
    });
    expect(&learned, "|", "/|");
}

/// The first match wins, without a way back: a host that begins as an IPv4 address must end as one.
fn is_ordered(input: &str) -> bool {
    if !valid(input) {
        return false;
    }
    let mut rest = host(input);
    for octet in 0..4 {
        if octet > 0 {
            let Some(behind) = rest.strip_prefix('.') else {
                return true;
            };
            rest = behind;
        }
        let fits = |&length: &usize| {
            rest.get(..length).is_some_and(|text| Rule::DecOctet.matches(text, Reading::Rfc3986).is_ok())
        };
        let Some(length) = (1..=3).rev().find(fits) else {
            return true;
        };
        rest = &rest[length..];
    }
    rest.is_empty()
}

#[test]
fn ordered_choice_is_found_with_the_components_given() {
    let suites = Suites::new(COMPONENTS.machine());
    let cover = suites.suite(Method::TransitionCover, Alphabet::Representatives);
    let options = Options {
        given: cover.filter_map(|word| String::from_utf8(word).ok()).collect(),
        ..options()
    };
    let learned = learn(
        REFERENCE.machine(),
        &|input: &str| u32::from(is_ordered(input)),
        &options,
    );
    assert_eq!(learned.stopped, None);
    let behind = ["! $ &-* , ; = ...", "#", "/", ":"].map(str::to_owned);
    let witnesses = ["//0.0.0.0!", "//0.0.0.0!#", "//0.0.0.0!/", "//0.0.0.0!:"];
    let expected: Vec<_> =
        behind.into_iter().zip(witnesses).map(|(part, witness)| (OutputDifference::Rejected, part, witness)).collect();
    assert_eq!(groups(&learned), expected);
    assert_eq!(learned.output("//1.2.3.4.5"), 0);
    assert_eq!(learned.output("//1.2.3.400"), 0);
    assert_eq!(learned.output("//1.2.3.a"), 1);
}

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

#[test]
fn components_are_learned_through_masks() {
    let views = ["has-authority", "host-ipv4", "host-reg-name", "has-port"];
    let target = Moore::compile(&rfc3986::grammar_with_views(), &views).unwrap();
    let (ipv4, reg_name, has_port) = (2, 4, 8);
    let learned = learn(
        target.machine(),
        &|input: &str| target.output(input.as_bytes()),
        &options(),
    );
    assert_equal(&learned);

    let mistaken = |mask: u32| mask & !ipv4;
    let oracle = |input: &str| mistaken(target.output(input.as_bytes()));
    let learned = learn(target.machine(), &oracle, &options());
    let first = &learned.differences[0];
    assert_eq!(
        (&*first.witness, first.expected, first.observed),
        ("//0.0.0.0", 1 | ipv4 | reg_name, 1 | reg_name)
    );
    assert!(learned.differences.iter().all(|difference| difference.kind() == OutputDifference::OtherOutput));
    assert!(learned.differences.iter().all(|difference| difference.expected & ipv4 != 0));
    assert_eq!(
        groups(&learned),
        [(OutputDifference::OtherOutput, String::new(), "//0.0.0.0")]
    );
    // As far as the subject tells, it is right.
    let projected = target.machine().map_outputs(mistaken);
    assert!(projected.states() < target.machine().states());
    assert_equal(&learn(&projected, &oracle, &options()));

    let learned = learn(
        target.machine(),
        &|input: &str| {
            let mask = target.output(input.as_bytes());
            if mask & has_port != 0 && port(input).is_empty() {
                mask & !has_port
            } else {
                mask
            }
        },
        &options(),
    );
    let first = &learned.differences[0];
    assert_eq!((&*first.witness, first.expected ^ first.observed), ("//:", has_port));
    assert!(learned.differences.iter().all(|difference| difference.expected ^ difference.observed == has_port));
    assert_eq!(learned.stopped, None);
}

#[test]
fn oracles_that_are_no_machines_are_reported() {
    let asked = AtomicU64::new(0);
    let learned = acceptance(|input| valid(input) != (asked.fetch_add(1, Ordering::Relaxed) % 1_000 == 999));
    assert!(
        matches!(learned.stopped, Some(Stop::NotDeterministic { .. })),
        "{:?}",
        learned.stopped
    );
    assert!(!learned.is_equal());
}

/// Oracles whose answers do not repeat: by chance, from some question on, and by what was asked before.
#[test]
fn answers_that_contradict_each_other_are_reported_and_never_panic() {
    let budget = 30_000;
    let options = |random_edits| Options {
        random_edits,
        extra_states: 0,
        state_limit: 400,
        query_limit: budget,
        threads: 1,
        ..Options::default()
    };
    let check = |name: &str, oracle: &(dyn Fn(&str) -> u32 + Sync)| {
        let learned = learn(REFERENCE.machine(), &|input: &str| oracle(input), &options(1_000));
        assert!(!learned.is_equal() && learned.stopped.is_some(), "{name}");
        assert!(
            learned.questions() <= 2 * budget,
            "{name}: {} questions",
            learned.questions()
        );
        if let Some(Stop::NotDeterministic { answers, .. }) = learned.stopped {
            assert_ne!(answers[0], answers[1], "{name}");
            assert!(learned.differences.is_empty(), "{name}");
            return true;
        }
        false
    };
    for seed in 0..60 {
        let random = Mutex::new(fastrand::Rng::with_seed(seed));
        assert!(check(&format!("random {seed}"), &|_| random.lock().unwrap().u32(..4)));
        let random = Mutex::new(fastrand::Rng::with_seed(seed));
        assert!(check(&format!("half random {seed}"), &|input| match input.len() % 2 {
            0 => u32::from(valid(input)),
            _ => random.lock().unwrap().u32(..2),
        }));
    }
    // What changes before the first state is known is another machine, and what changes later contradicts itself.
    let asked = AtomicU64::new(0);
    let mut contradictions = 0;
    for seed in 0..60 {
        let flip = fastrand::Rng::with_seed(seed).u64(1..4_000);
        asked.store(0, Ordering::Relaxed);
        let oracle = |input: &str| u32::from(valid(input) != (asked.fetch_add(1, Ordering::Relaxed) >= flip));
        contradictions += u32::from(check(&format!("flips after {flip}"), &oracle));
    }
    assert!(contradictions >= 40, "{contradictions}");
    for (secret, leaks) in [("/", 1), ("//", 1), ("a:", 0), ("?", 2), ("", 1)] {
        let before = Mutex::new(String::new());
        let oracle = |input: &str| {
            let before = std::mem::replace(&mut *before.lock().unwrap(), input.to_owned());
            if before == secret {
                leaks
            } else {
                u32::from(valid(input))
            }
        };
        let learned = learn(REFERENCE.machine(), &oracle, &options(1_000));
        assert!(
            learned.questions() <= 2 * budget,
            "{secret:?}: {} questions",
            learned.questions()
        );
        assert!(!learned.is_equal(), "{secret:?}");
    }
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

/// What is unsupported is not rejected.
#[test]
fn what_does_not_answer_is_not_learned() {
    struct Silent(&'static str);
    impl Oracle for Silent {
        fn output(&self, input: &str) -> Result<u32, String> {
            match input.contains(self.0) {
                true => Err("no such thing".to_owned()),
                false => Ok(u32::from(valid(input))),
            }
        }
    }
    for needle in ["", "//", "[", "%", "é"] {
        let learned = learn(REFERENCE.machine(), &Silent(needle), &options());
        assert!(!learned.is_equal(), "{needle:?}");
        let Some(Stop::Unanswered { witness, reason }) = &learned.stopped else {
            panic!("{needle:?}: {:?}", learned.stopped);
        };
        assert!(witness.contains(needle) && reason == "no such thing", "{witness:?}");
    }
}

/// A learner that is stopped asks nothing more, shows no difference, and says no more than it was answered.
#[test]
fn a_learner_that_is_stopped_has_learned_nothing() {
    struct Stopping {
        answered: AtomicU64,
        at: u64,
    }
    impl Oracle for Stopping {
        fn output(&self, _: &str) -> Result<u32, String> {
            self.answered.fetch_add(1, Ordering::Relaxed);
            Ok(0)
        }
        fn is_stopped(&self) -> bool {
            self.answered.load(Ordering::Relaxed) >= self.at
        }
    }
    for at in [0, 1, 300, 3_000] {
        let oracle = Stopping {
            answered: AtomicU64::new(0),
            at,
        };
        let options = Options {
            threads: 1,
            ..options()
        };
        let learned = learn(REFERENCE.machine(), &oracle, &options);
        let Some(Stop::Interrupted { asked }) = learned.stopped else {
            panic!("{at}: {:?}", learned.stopped);
        };
        assert_eq!(oracle.answered.into_inner(), at);
        assert!(
            asked <= at && learned.differences.is_empty() && !learned.is_equal(),
            "{asked}"
        );
    }
}

/// What does not answer in time is no rejection either, but a difference.
#[test]
fn what_times_out_is_a_difference() {
    let hangs = |input: &str| match input.strip_prefix("?%") {
        Some(_) => TIMED_OUT,
        None => u32::from(valid(input)),
    };
    let learned = learn(REFERENCE.machine(), &hangs, &options());
    assert_eq!(learned.stopped, None);
    let mut kinds: Vec<String> = learned.groups().iter().map(|group| group.kind.to_string()).collect();
    kinds.dedup();
    assert_eq!(kinds, ["timed out"]);
    assert_eq!(learned.differences[0].witness, "?%");
}

#[test]
fn a_stopped_learner_does_not_claim_equality() {
    let counts = |input: &str| valid(input) && input.matches('a').count() % 3 != 2;
    let oracle = |input: &str| u32::from(counts(input));
    let learned = learn(
        REFERENCE.machine(),
        &oracle,
        &Options {
            state_limit: 250,
            ..options()
        },
    );
    assert_eq!(learned.stopped, Some(Stop::States { limit: 250 }));
    assert!(!learned.is_equal());
    assert!(learned.differences.iter().all(|difference| counts(&difference.witness) != valid(&difference.witness)));
    let learned = learn(
        REFERENCE.machine(),
        &oracle,
        &Options {
            query_limit: 50_000,
            ..options()
        },
    );
    assert_eq!(learned.stopped, Some(Stop::Queries { limit: 50_000 }));
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let oracle = |input: &str| u32::from(valid(&input.replace(['|', 'é'], "~")) && !input.contains("%aa"));
    let of = |threads| {
        let options = Options { threads, ..options() };
        let learned = learn(REFERENCE.machine(), &oracle, &options);
        assert_eq!(learned.stopped, None);
        (learned.machine().clone(), learned.differences, learned.questions)
    };
    assert_eq!(of(1), of(3));
}

#[test]
fn ranges_are_short_and_printable() {
    assert_eq!(
        ranges(&['b', 'a', 'c', '1', '\u{7f}', ' ', 'é']),
        "\\u{20} 1 a-c \\u{7f} \\u{e9}"
    );
    assert_eq!(ranges(&['a', 'c', 'e', 'g', 'i', 'k', 'm']), "a c e g i k ...");
}

#[test]
fn drawings_show_the_ways_to_the_differences() {
    let learned = acceptance(|input| valid(&input.replace(['<', '\u{7f}'], "~")));
    let dot = difference_dot(&learned);
    assert!(dot.starts_with("digraph {\n  rankdir=LR\n"), "{dot}");
    assert!(
        dot.contains("  1 [label=\"1\\n2\" fillcolor=\"#f4a261\"]\n  0 -> 1 [label=\"< \\\\u{7f}\"]\n"),
        "{dot}"
    );
    let svg = difference_svg(&learned, "a < \"b\" & c");
    assert!(
        svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width="),
        "{svg}"
    );
    assert!(svg.ends_with("</svg>\n"));
    assert!(svg.contains("<title>a &lt; &quot;b&quot; &amp; c</title>"), "{svg}");
    assert!(svg.contains("font-family=\"monospace\">&lt; \\u{7f}</text>"), "{svg}");
    assert!(svg.contains("<title>//&lt;@</title>"), "{svg}");
    assert_eq!(
        svg.matches("<circle").count(),
        dot.matches("[label=").count() - dot.matches("->").count() + 1
    );
    assert_eq!(svg, difference_svg(&learned, "a < \"b\" & c"));
    // There is room for the start and 39 more.
    let learned = acceptance(|_| true);
    assert!(difference_svg(&learned, "").contains(" more pairs of states are not shown</text>"));
    assert!(learned.to_dot().contains("0 -> 0"));
}
