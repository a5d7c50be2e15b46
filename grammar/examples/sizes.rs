//! Prints the sizes of machines and suites, and what they cost: `cargo run --release -p uriproof-grammar --example sizes`.

use std::time::Instant;

use uriproof_grammar::complete::{Method, Suites};
use uriproof_grammar::{Alphabet, Dfa, Machine, Profile, profile, rfc3986};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grammar = rfc3986::grammar();
    for rule in grammar.rules() {
        let (machine, milliseconds) = timed(|| Dfa::compile(&grammar, &rule.name));
        println!("{:14} {}, {milliseconds:.1} ms", rule.name, machine?.identity());
    }
    let reference = Dfa::compile(&grammar, "URI-reference")?;
    suites("URI-reference", reference.machine());
    let (components, milliseconds) = timed(rfc3986::component_machine);
    let components = components?;
    println!(
        "\ncomponents: {}, {} outputs, {milliseconds:.0} ms",
        components.identity(),
        components.outputs().len()
    );
    suites("components", components.machine());
    let (extended, milliseconds) = timed(rfc3986::extended_machine);
    let extended = extended?;
    println!(
        "\nextended: {}, {} outputs, {milliseconds:.0} ms",
        extended.identity(),
        extended.outputs().len()
    );
    suites("extended", extended.machine());
    for profile in Profile::ALL {
        let grammar = profile::grammar(&[profile])?;
        let (machine, milliseconds) = timed(|| Dfa::compile(&grammar, "URI-reference"));
        let machine = machine?;
        println!("\n{profile}: {}, {milliseconds:.0} ms", machine.identity());
        suites(profile.name(), machine.machine());
    }
    Ok(())
}

fn suites(name: &str, machine: &Machine) {
    let (suites, milliseconds) = timed(|| Suites::new(machine));
    let words = suites.characterising_set();
    let identifiers: usize = (0..machine.states() as u32).map(|state| suites.identifiers(state).count()).sum();
    println!(
        "\n{name}: |W| = {}, longest {}, mean |H| = {:.1}, {milliseconds:.0} ms",
        words.len(),
        words.iter().map(Vec::len).max().unwrap_or(0),
        identifiers as f64 / machine.states() as f64,
    );
    let longest = suites.state_cover().iter().map(Vec::len).max().unwrap_or(0);
    println!("longest access word {longest}");
    for alphabet in [Alphabet::Representatives, Alphabet::Ascii, Alphabet::Bytes] {
        for method in [
            Method::TransitionCover,
            Method::Hsi(0),
            Method::Wp(0),
            Method::W(0),
            Method::Hsi(1),
        ] {
            let too_many =
                machine.states() > 250 && (method == Method::Hsi(1) || alphabet != Alphabet::Representatives);
            if too_many || method == Method::Hsi(1) && alphabet != Alphabet::Representatives {
                continue;
            }
            let mut accepted = 0;
            let (count, milliseconds) = timed(|| {
                let strings = suites.suite(method, alphabet);
                strings.inspect(|string| accepted += u32::from(machine.output(machine.run(string)) != 0)).count()
            });
            println!("{method}, over {alphabet}: {count} strings, {accepted} accepted, {milliseconds:.0} ms");
        }
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64() * 1000.0)
}
