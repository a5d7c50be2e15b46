//! The learner against planted parsers, whose difference from RFC 3986 is known.

mod faults;
mod limits;

use std::sync::LazyLock;

use rfc3986_reference::components::{Reference, parse};
use rfc3986_reference::grammar::Rule;
use rfc3986_reference::readings::Reading;
use uriproof_grammar::complete::{Method, Suites};
use uriproof_grammar::difference::differences;
use uriproof_grammar::draw_difference::{difference_dot, difference_svg};
use uriproof_grammar::learn::{Learned, Options, OutputDifference, Purpose, learn, ranges};
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
            "it treats each character beyond ASCII that no query had as one that a query had and that the grammar treats alike",
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
