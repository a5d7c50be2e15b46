//! What a URI costs, and that every function is linear: that a byte of a megabyte costs no more than one of a hundred.
//!
//! `cargo bench -p rfc3986-reference-benches` prints both, and fails if a function is not linear.

use std::borrow::Cow;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use criterion::Criterion;
use rfc3986_reference::base::{Sources, establish};
use rfc3986_reference::components::{self, Components, ReferenceRule, parse};
use rfc3986_reference::equivalence::{self, Comparison, same_document};
use rfc3986_reference::grammar::Rule;
use rfc3986_reference::normalize::{self, Schemes};
use rfc3986_reference::readings::Reading;
use rfc3986_reference::resolve::{self, Strictness, resolve_reference};
use rfc3986_reference::{characters, dot_segments, elements, extract, recompose, security, split};

const PLAIN: Reading = Reading::Rfc3986;
const TYPICAL: &str = "https://user@www.example.com:8080/over/there?name=ferret#nos";

fn main() -> ExitCode {
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    typical(&mut criterion);
    criterion.final_summary();
    if std::env::args().any(|argument| argument == "--bench") && !linearity() {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// One URI of 60 bytes.
fn typical(criterion: &mut Criterion) {
    assert_eq!(TYPICAL.len(), 60);
    criterion.bench_function("split", |bencher| bencher.iter(|| split::split(black_box(TYPICAL))));
    criterion.bench_function("parse", |bencher| bencher.iter(|| parse(black_box(TYPICAL), PLAIN)));
    criterion.bench_function("uri_reference", |bencher| {
        bencher.iter(|| Rule::UriReference.matches(black_box(TYPICAL), PLAIN));
    });
    criterion.bench_function("resolve_reference", |bencher| {
        bencher.iter(|| resolve_reference(black_box(TYPICAL), black_box("../g?y"), Strictness::Strict, PLAIN));
    });
    criterion.bench_function("syntax_based", |bencher| {
        bencher.iter(|| normalize::syntax_based(black_box(TYPICAL), PLAIN));
    });
}

/// What is repeated, behind each of the beginnings.
const REPEATED: [&str; 9] = ["/..", "%", "[", ":", "a", "a/../", "%41", "<", "\""];
const BEGINNINGS: [&str; 5] = ["", "x:", "x:/", "x://", "x:?"];
const LENGTHS: [usize; 3] = [100, 10_000, 1_000_000];

/// How much more a byte of a longer input may cost, in noise and in caches; and the cost per byte below which that is
/// no more than the cost of memory.
const TOLERANCE: f64 = 1.5;
const FLOOR: f64 = 1.5;

/// How often a function that seems not to be linear is measured.
const ATTEMPTS: usize = 8;

fn linearity() -> bool {
    println!(
        "{:<42} {:>9} {:>9} {:>9}  {:>5}  input",
        "ns per byte, on the worst input", "100 B", "10 kB", "1 MB", "ratio"
    );
    let mut is_linear = true;
    let start = Instant::now();
    for (name, run) in cases().0 {
        let mut worst: Option<(f64, [f64; 3], String)> = None;
        for beginning in BEGINNINGS {
            for repeated in REPEATED {
                let inputs = LENGTHS.map(|length| beginning.to_owned() + &repeated.repeat(length / repeated.len()));
                let mut costs = [f64::INFINITY; 3];
                // Anything else that runs can only make a cost seem higher, so it is the least that counts.
                for attempt in 0..ATTEMPTS {
                    if attempt > 0 && ratio(costs) <= TOLERANCE {
                        break;
                    }
                    for (cost, input) in costs.iter_mut().zip(&inputs) {
                        *cost = cost.min(nanoseconds_per_byte(&run, input));
                    }
                }
                let ratio = ratio(costs);
                if worst.as_ref().is_none_or(|(so_far, ..)| ratio > *so_far) {
                    worst = Some((ratio, costs, format!("{beginning}{repeated}…")));
                }
            }
        }
        if let Some((ratio, [short, middle, long], input)) = worst {
            let mark = if ratio > TOLERANCE { "NOT LINEAR" } else { "" };
            println!("{name:<42} {short:>9.2} {middle:>9.2} {long:>9.2}  {ratio:>5.2}  {input} {mark}");
            is_linear &= ratio <= TOLERANCE;
        }
    }
    println!("in {:.0?}", start.elapsed());
    is_linear
}

fn ratio([short, middle, long]: [f64; 3]) -> f64 {
    let of = |longer: f64, shorter: f64| longer / shorter.max(FLOOR);
    of(middle, short).max(of(long, middle)).max(of(long, short))
}

/// The lesser of two runs.
fn nanoseconds_per_byte(run: &dyn Fn(&str), input: &str) -> f64 {
    let runs = (20_000 / input.len()).clamp(1, 100);
    let least = (0..2)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..runs {
                run(black_box(input));
            }
            start.elapsed()
        })
        .min()
        .unwrap_or_default();
    least.as_secs_f64() * 1e9 / (runs * input.len()) as f64
}

/// What a function is given.
type Run = Box<dyn Fn(&str)>;

/// The functions, by their names.
#[derive(Default)]
struct Cases(Vec<(String, Run)>);

impl Cases {
    fn add(&mut self, name: &str, run: impl Fn(&str) + 'static) {
        self.0.push((name.to_owned(), Box::new(run)));
    }
}

fn sink<T>(result: T) {
    drop(black_box(result));
}

/// Every public function that takes a text.
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn cases() -> Cases {
    let mut cases = Cases::default();
    let strict = Strictness::Strict;

    cases.add("characters::leading_triplet", |text| {
        sink(characters::leading_triplet(text.as_bytes()));
    });
    cases.add("characters::percent_decode", |text| {
        sink(characters::percent_decode(text));
    });
    cases.add("characters::percent_encode", |text| {
        sink(characters::percent_encode(text.as_bytes(), characters::is_unreserved));
    });

    let readings = [Reading::Erratum4942, Reading::Erratum5428].map(|reading| (Rule::UriReference, reading));
    for (rule, reading) in Rule::ALL.iter().map(|&rule| (rule, PLAIN)).chain(readings) {
        let name = format!("grammar::{rule} ({reading})");
        cases.add(&name, move |text| sink(rule.matches(text, reading)));
    }
    for reading in [PLAIN, Reading::Erratum5428] {
        cases.add(&format!("components::parse ({reading})"), move |text| {
            sink(parse(text, reading));
        });
    }
    cases.add("components::parse_rule", |text| {
        sink(components::parse_rule(ReferenceRule::AbsoluteUri, text, PLAIN));
    });
    cases.add("components::parse_authority", |text| {
        sink(components::parse_authority(text, PLAIN));
    });
    cases.add("split::groups", |text| sink(split::groups(text)));
    cases.add("split::split", |text| sink(split::split(text)));

    cases.add("dot_segments::remove_dot_segments", |text| {
        sink(dot_segments::remove_dot_segments(text));
    });
    cases.add("dot_segments::steps", |text| {
        sink(dot_segments::steps(text, |step, output, input| {
            sink((step, output, input));
        }));
    });
    cases.add("recompose::recompose", |text| sink(recompose::recompose(&all_of(text))));
    cases.add("recompose::check", |text| {
        sink(recompose::check(&path_of(text), Reading::Erratum5428));
    });
    cases.add("recompose::compose", |text| {
        sink(recompose::compose(&path_of(text), PLAIN));
    });
    cases.add("resolve::resolve (as reference)", move |text| {
        sink(resolve::resolve(&path_of("/a/b"), &path_of(text), strict, PLAIN));
    });
    cases.add("resolve::resolve (as base)", |text| {
        sink(resolve::resolve(
            &path_of(text),
            &path_of("../g"),
            Strictness::NonStrict,
            PLAIN,
        ));
    });
    cases.add("resolve::merge", |text| {
        sink(resolve::merge(&path_of(text), text, Reading::Erratum4789));
    });
    cases.add("resolve::resolve_reference (as reference)", move |text| {
        sink(resolve_reference(TYPICAL, text, strict, PLAIN));
    });
    cases.add("resolve::resolve_reference (as base)", move |text| {
        sink(resolve_reference(text, "../g", strict, PLAIN));
    });
    cases.add("resolve::reparses", |text| {
        sink(resolve::reparses(&path_of(text), PLAIN));
    });
    cases.add("base::establish", |text| {
        let sources = Sources {
            embedded: Some("../a"),
            encapsulating: Some(text),
            retrieval: Some("x:y"),
            default: None,
        };
        sink(establish(&sources, PLAIN));
    });

    cases.add("normalize::case_normalization", |text| {
        sink(normalize::case_normalization(text, PLAIN));
    });
    cases.add("normalize::percent_encoding_normalization", |text| {
        sink(normalize::percent_encoding_normalization(text, PLAIN));
    });
    cases.add("normalize::path_segment_normalization", |text| {
        sink(normalize::path_segment_normalization(text, PLAIN));
    });
    cases.add("normalize::syntax_based", |text| {
        sink(normalize::syntax_based(text, PLAIN));
    });
    cases.add("normalize::scheme_based", |text| {
        sink(normalize::scheme_based(text, &Schemes::empty(), PLAIN));
    });
    let schemes = Schemes::default();
    cases.add("normalize::scheme_based (mailto)", move |text| {
        sink(normalize::scheme_based(&format!("mailto:a@{text},@"), &schemes, PLAIN));
    });
    cases.add("equivalence::simple", |text| {
        sink(equivalence::simple(text, text, PLAIN));
    });
    cases.add("equivalence::syntax_based", |text| {
        sink(equivalence::syntax_based(text, text, PLAIN));
    });
    cases.add("equivalence::scheme_based", |text| {
        sink(equivalence::scheme_based(text, text, &Schemes::empty(), PLAIN));
    });
    cases.add("equivalence::same_document", move |text| {
        let schemes = Schemes::empty();
        sink(same_document(
            text,
            text,
            strict,
            Comparison::Normalized(&schemes),
            PLAIN,
        ));
    });

    cases.add("security::well_known_port", |text| {
        sink(security::well_known_port(text));
    });
    cases.add("security::encoded_delimiters", |text| {
        sink(security::encoded_delimiters(text, b"A", PLAIN));
    });
    cases.add("security::encoded_nul", |text| sink(security::encoded_nul(text, PLAIN)));
    cases.add("security::rare_ipv4", |text| sink(security::rare_ipv4(text)));
    cases.add("security::imitated_host", |text| {
        sink(security::imitated_host(text, PLAIN));
    });
    cases.add("security::mask_password", |text| sink(security::mask_password(text)));
    cases.add("extract::extract", |text| sink(extract::extract(text, PLAIN)));
    cases.add("extract::strip", |text| sink(extract::strip(text)));
    cases.add("elements::through_elements", |text| {
        sink(elements::through_elements(text));
    });
    cases.add("elements::resolve_through_elements", move |text| {
        sink(elements::resolve_through_elements(text, text, strict));
    });
    cases
}

fn path_of(text: &str) -> Components<'_> {
    Components {
        path: Cow::Borrowed(text),
        ..Components::default()
    }
}

fn all_of(text: &str) -> Components<'_> {
    Components {
        scheme: Some(text),
        authority: Some(text),
        path: Cow::Borrowed(text),
        query: Some(text),
        fragment: Some(text),
    }
}
