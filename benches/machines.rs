//! What machines, suites and sweeps cost, beside what the subject costs alone, measured in one run: `cargo bench --bench
//! machines`. Other work on the machine can only make a time seem longer, so it is the least of several that counts.

mod least;

use std::hint::black_box;
use std::time::{Duration, Instant};

use least::{least, milliseconds};
use uriproof::compare::own_rule;
use uriproof::model::{Rule, Subject};
use uriproof_grammar::complete::{Method, Suites};
use uriproof_grammar::learn::Options;
use uriproof_grammar::{Alphabet, Dfa, rfc3986};
use uriproof_lab::complete::{Prepared, stream};
use uriproof_lab::learn::{acceptance, components};
use uriproof_lab::machines::Machines;
use uriproof_lab::score::Depth;
use uriproof_lab::sweep::{Sweep, SweepPlan};
use uriproof_subjects::SUBJECTS;

const TYPICAL: [&str; 8] = [
    "https://user@www.example.com:8080/over/there?name=ferret#nos",
    "http://[2001:db8::7]/c=GB?objectClass?one",
    "mailto:John.Doe@example.com",
    "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
    "ftp://ftp.is.co.za/rfc/rfc1808.txt",
    "../../assets/images/logo%20large.png?v=3",
    "https://192.168.10.254/search?q=caf%C3%A9&lang=en-GB&page=12#results",
    "//cdn.example.net/a/very/long/path/with/many/segments/index.html",
];

fn main() {
    // Without `--bench` this is a test run: once is enough to see that it works.
    let times = if std::env::args().any(|argument| argument == "--bench") {
        10
    } else {
        1
    };
    println!("{:58} {:>12}  {:>12}", "", "measured", "limit");

    let machines = Machines::of_rfc3986();
    let subject = *SUBJECTS
        .iter()
        .find(|subject| subject.declaration().label().ends_with("UriRef::parse"))
        .expect("fluent-uri is a subject");
    measure_machines(times, &machines, own_rule(subject.declaration()));
    println!("\n{}, all cores", subject.declaration());
    measure_suites(times, &machines, subject);
    println!("\n{}, one core, beside the calls alone", subject.declaration());
    let per_string = measure_overhead(times, &machines, subject);
    if times > 1 {
        measure_learning(&machines, subject);
        measure_sweep(&machines, subject, per_string);
    }
}

fn measure_machines(times: usize, machines: &Machines, rule: Rule) {
    let compiled = least(times, || {
        Dfa::compile(&rfc3986::grammar(), "URI-reference").map(|machine| machine.identity())
    });
    line(
        "machine of URI-reference from the text of the ABNF",
        milliseconds(compiled),
        "300 ms",
    );
    let dfa = machines.of(rule);
    let bytes: usize = TYPICAL.iter().map(|uri| uri.len()).sum();
    let run = least(times, || {
        for _ in 0..10_000 {
            for uri in TYPICAL {
                black_box(dfa.accepts(black_box(uri.as_bytes())));
            }
        }
    });
    let rate = (bytes * 10_000) as f64 / 1e6 / run.as_secs_f64();
    line("DFA on typical URIs", format!("{rate:.0} MB/s"), "150 MB/s");
}

fn measure_suites(times: usize, machines: &Machines, subject: &dyn Subject) {
    let rule = own_rule(subject.declaration());
    let _ = machines.components_of_text();
    let made = least(times, || Prepared::core(machines, rule));
    line("making the core suite, with what is expected", milliseconds(made), "");
    let core = Prepared::core(machines, rule);
    let put = least(times, || core.put(subject, |_| (), &|| false));
    line("core suite, components included", milliseconds(put), "30 ms");
    let standard = Prepared::standard(machines, rule);
    let put = least(times, || standard.put(subject, |_| (), &|| false));
    let name = format!(
        "standard suite, {} strings, components included",
        standard.cases().len()
    );
    line(&name, milliseconds(put), "150 ms");
    let suite = (0, Alphabet::Bytes);
    let put = least(times, || {
        stream(machines, suite, Depth::Components, subject, |_| (), &|| false)
    });
    line(
        "HSI, k = 0, over 256 characters, components included",
        milliseconds(put),
        "",
    );
}

/// What a suite and a sweep cost on one core, and what the subject costs alone for a string, in seconds.
fn measure_overhead(times: usize, machines: &Machines, subject: &dyn Subject) -> f64 {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread is there");
    let machine = machines.text(own_rule(subject.declaration())).machine();
    let strings: Vec<String> = Suites::new(machine)
        .suite(Method::Hsi(1), Alphabet::Representatives)
        .map(|symbols| symbols.into_iter().map(char::from).collect())
        .collect();
    let suite = (1, Alphabet::Representatives);
    let (alone, with) = (
        least(times, || calls(subject, &strings)),
        least(times, || {
            one.install(|| stream(machines, suite, Depth::Acceptance, subject, |_| (), &|| false))
        }),
    );
    ratio("HSI, k = 1", strings.len(), alone, with, "2");

    let characters: Vec<char> = machine.representatives().iter().map(|&b| char::from(b)).collect();
    let mut strings = vec![String::new()];
    let mut from = 0;
    for _ in 0..5 {
        let to = strings.len();
        for at in from..to {
            for character in &characters {
                strings.push(format!("{}{character}", strings[at]));
            }
        }
        from = to;
    }
    let (alone, with) = (
        least(times, || calls(subject, &strings)),
        least(times, || one.install(|| sweep(machines, subject, 5))),
    );
    ratio("sweep to length 5", strings.len(), alone, with, "1.5");
    alone.as_secs_f64() / strings.len() as f64
}

fn measure_learning(machines: &Machines, subject: &dyn Subject) {
    println!("\nlearning, all cores");
    let learned = least(3, || acceptance(machines, subject, &Options::default(), &|| false));
    line("which strings it accepts", milliseconds(learned), "20 s");
    let options = Options {
        extra_states: 0,
        state_limit: 20_000,
        ..Options::default()
    };
    let learned = least(1, || components(machines, subject, &options, &|| false));
    line("which components it tells of them", milliseconds(learned), "20 s");
}

fn measure_sweep(machines: &Machines, subject: &dyn Subject, per_string: f64) {
    println!("\nsweeping, all cores");
    let start = Instant::now();
    let sweep = sweep(machines, subject, 6);
    let time = start.elapsed().as_secs_f64();
    let strings = sweep.score().answers();
    let cores = rayon::current_num_threads() as f64;
    line(
        "sweep to length 6, all cores, beside the calls per core",
        format!("{time:.2} s, {:.2} x", time * cores / (per_string * strings as f64)),
        "1.5 x",
    );
}

fn sweep(machines: &Machines, subject: &dyn Subject, longest: usize) -> Sweep {
    let mut sweep = Sweep::new(SweepPlan::of(subject, machines, (longest, Depth::Acceptance), None));
    while sweep.go_on(machines, (subject, None), |_| (), &|| false) {}
    sweep
}

/// The subject alone, on strings that are there.
fn calls(subject: &dyn Subject, strings: &[String]) {
    let rule = own_rule(subject.declaration());
    for string in strings {
        black_box(subject.accepts(rule, black_box(string)));
    }
}

fn ratio(name: &str, strings: usize, alone: Duration, with: Duration, limit: &str) {
    let of = |time: Duration| time.as_secs_f64() * 1e9 / strings as f64;
    line(
        &format!("{name}, {strings} strings"),
        format!("{:.2} x", of(with) / of(alone)),
        &format!("{limit} x"),
    );
    println!("    {:.0} ns a string, the calls alone {:.0} ns", of(with), of(alone));
}

fn line(name: &str, measured: String, limit: &str) {
    println!("{name:58} {measured:>12}  {limit:>12}");
}
