//! Prints what the suites kill, and what survives the standard suite:
//! `cargo run --release -p uriproof-grammar --example kill_rates`.

use std::collections::BTreeMap;
use std::time::Instant;

use uriproof_grammar::mutants::{Family, Mutants, SkipReason, Strings, kill_rates};
use uriproof_grammar::standard::Standard;
use uriproof_grammar::{Dfa, rfc3986};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let begin = Instant::now();
    let reference = Dfa::compile(&rfc3986::grammar(), "URI-reference")?;
    let components = rfc3986::component_machine()?;
    let standard = Standard::new(&reference, &components);
    // The best of several times: what else the machine does is not the suite's.
    let times = (0..10).map(|_| {
        let start = Instant::now();
        std::hint::black_box(Standard::new(&reference, &components));
        milliseconds(start)
    });
    println!(
        "standard: {} strings, {} bytes, {:.0} ms",
        standard.len(),
        standard.bytes(),
        times.fold(f64::INFINITY, f64::min)
    );
    for part in standard.parts() {
        let bytes: usize = standard.strings_of(part).map(<[u8]>::len).sum();
        println!("  {:24} {:7} strings {:9} bytes", part.name, part.strings.len(), bytes);
    }

    let start = Instant::now();
    let (operators, realistic) = (Mutants::operators()?, Mutants::realistic()?);
    for (name, set) in [("operators", &operators), ("realistic", &realistic)] {
        let mut skipped: BTreeMap<&str, usize> = BTreeMap::new();
        for skip in &set.skipped {
            let reason = match skip.reason {
                SkipReason::Equivalent => "equivalent",
                SkipReason::Duplicate(_) => "duplicate",
                SkipReason::TooLarge => "too large",
                SkipReason::Recursion => "recursion",
            };
            *skipped.entry(reason).or_default() += 1;
        }
        println!("{name}: {} mutants, skipped {skipped:?}", set.mutants.len());
    }
    println!("mutants compiled: {:.0} ms", milliseconds(start));
    for skip in &realistic.skipped {
        println!("  skipped: {}: {}: {:?}", skip.family, skip.name, skip.reason);
    }

    let start = Instant::now();
    let suites = Strings::built_in(&reference, &components, &standard);
    println!("suites: {:.0} ms", milliseconds(start));
    let start = Instant::now();
    let rates = kill_rates(&[&operators, &realistic], &suites);
    println!("killing: {:.0} ms\n", milliseconds(start));
    print!("{:28}", "");
    for row in &rates.rows {
        print!(" {:>14}", row.suite.split(", seed").next().unwrap_or(&row.suite));
    }
    print!("\n{:28}", "strings");
    for row in &rates.rows {
        print!(" {:>14}", row.strings);
    }
    println!();
    let families = Family::OPERATORS.iter().chain(Family::REALISTIC);
    let single = families.map(|family| (family.to_string(), std::slice::from_ref(family)));
    let all = [
        ("operators".to_owned(), Family::OPERATORS),
        ("realistic".to_owned(), Family::REALISTIC),
    ];
    for (name, families) in single.chain(all) {
        print!("{name:22} {:5}", rates.rows[0].tally(families).total);
        for row in &rates.rows {
            print!(" {:13.1}%", row.tally(families).rate() * 100.0);
        }
        println!();
    }
    let standard = rates.rows.iter().find(|row| row.suite == "standard");
    println!("\nsurvivors of the standard suite:");
    for survivor in standard.map(|row| &row.survivors).into_iter().flatten() {
        println!("  {}: {}\n    {}", survivor.family, survivor.name, survivor.reason);
    }
    println!("\n{:.0} ms in all", milliseconds(begin));
    Ok(())
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1000.0
}
