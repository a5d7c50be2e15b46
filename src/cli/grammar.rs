//! `uriproof grammar`: the machines of RFC 3986.

use std::fmt::Write as _;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use serde::Serialize;
use uriproof::model::Rule;
use uriproof_grammar::{Alphabet, Dfa, Identity, Moore};
use uriproof_lab::machines::Machines;
use uriproof_lab::proof::{self, Extent, ProofClaim};

use crate::cli::select::{ProfileSelection, parse_rule, up_to};
use crate::cli::{Finding, RunError, print, print_json};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

#[derive(Args)]
pub(crate) struct Arguments {
    /// A rule of Appendix A, such as URI-reference [default: a line for each rule]
    #[arg(value_parser = parse_rule)]
    rule: Option<Rule>,
    /// Print the machine that finds the components of a URI-reference, instead of a rule's
    #[arg(long, conflicts_with_all = ["rule", "max_length"])]
    components: bool,
    /// How to print the machine; `dot` is for Graphviz and needs a rule or `--components`
    #[arg(long, value_enum, default_value_t = GrammarFormat::Human)]
    format: GrammarFormat,
    /// Count the matching strings of each length up to this one
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = up_to::<1000>)]
    max_length: usize,
    #[command(flatten)]
    profiles: ProfileSelection,
    /// Prove the reference: compare every rule function, Appendix B and the components with the machines, and the
    /// machines with a regular expression written by hand; print the certificate
    #[arg(long, conflicts_with_all = ["rule", "components", "max_length", "wanted"])]
    prove: bool,
    /// With --prove, check all the evidence: minutes instead of the seconds of continuous integration
    #[arg(long, requires = "prove")]
    full: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GrammarFormat {
    Human,
    Json,
    Dot,
}

/// The name of a machine.
#[derive(Serialize)]
struct NamedMachine {
    machine: String,
    states: usize,
    classes: usize,
    hash: String,
}

impl NamedMachine {
    fn of(machine: impl ToString, identity: Identity) -> NamedMachine {
        NamedMachine {
            machine: machine.to_string(),
            states: identity.states,
            classes: identity.classes,
            hash: format!("{:016x}", identity.hash),
        }
    }
}

/// One machine whole.
#[derive(Serialize)]
struct Whole {
    #[serde(flatten)]
    named: NamedMachine,
    /// The bytes of each class.
    class_members: Vec<String>,
    /// By length from 0, over one byte of each class.
    accepted_over_classes: Vec<String>,
    /// By length from 0, over all 256 bytes.
    accepted_over_bytes: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    if arguments.prove {
        return prove(arguments);
    }
    let machines = arguments.profiles.machines_of_this()?;
    if arguments.components {
        components(machines.components(), arguments.format)?;
        return Ok(Finding::Expected);
    }
    match (arguments.rule, arguments.format) {
        (None, GrammarFormat::Dot) => return Err("`--format dot` needs a rule or `--components`".to_owned()),
        (Some(rule), GrammarFormat::Dot) => print(&machines.of(rule).to_dot())?,
        (Some(rule), format) => {
            let whole = whole(rule, machines.of(rule), arguments.max_length);
            match format {
                GrammarFormat::Json => print_json(&whole)?,
                _ => print(&human(&whole))?,
            }
        }
        (None, format) => {
            let mut all: Vec<NamedMachine> =
                Rule::ALL.iter().map(|&rule| NamedMachine::of(rule, machines.of(rule).identity())).collect();
            all.push(NamedMachine::of(
                "URI-reference, components",
                machines.components().identity(),
            ));
            all.push(NamedMachine::of("and which are empty", machines.extended().identity()));
            match format {
                GrammarFormat::Json => print_json(&all)?,
                _ => print(&list(&all))?,
            }
        }
    }
    Ok(Finding::Expected)
}

/// The component machine whole.
#[derive(Serialize)]
struct ComponentMachine {
    #[serde(flatten)]
    named: NamedMachine,
    class_members: Vec<String>,
    /// What the bits of an output say, from the lowest.
    views: Vec<String>,
    /// The different outputs.
    outputs: Vec<u32>,
}

fn components(moore: &Moore, format: GrammarFormat) -> Result<(), RunError> {
    let machine = moore.machine();
    let whole = ComponentMachine {
        named: NamedMachine::of("URI-reference, components", moore.identity()),
        class_members: (0..machine.classes()).map(|class| machine.class_label(class)).collect(),
        views: moore.views().to_vec(),
        outputs: moore.outputs(),
    };
    match format {
        GrammarFormat::Dot => print(&moore.to_dot()),
        GrammarFormat::Json => print_json(&whole),
        GrammarFormat::Human => {
            let NamedMachine {
                machine,
                states,
                classes,
                hash,
            } = &whole.named;
            print(&format!(
                "{machine}: {states} states (the sink included), {classes} byte classes, {hash}\n\nclasses\n  {}\n\n{} \
                 different outputs of {} bits\n  {}\n",
                whole.class_members.join("\n  "),
                whole.outputs.len(),
                whole.views.len(),
                whole.views.join("\n  ")
            ))
        }
    }
}

fn prove(arguments: &Arguments) -> Result<Finding, RunError> {
    if arguments.format == GrammarFormat::Dot {
        return Err("a proof has no graph".to_owned());
    }
    let extent = if arguments.full { Extent::FULL } else { Extent::FAST };
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(200));
    let claims = proof::prove(&Machines::of_rfc3986(), extent, |claim, count| {
        bar.inc(1);
        bar.set_message(format!("{} of {count}: {}", bar.position(), claim.claim));
    });
    bar.finish_and_clear();
    match arguments.format {
        GrammarFormat::Json => print_json(&claims)?,
        GrammarFormat::Human | GrammarFormat::Dot => print(&certificate(&claims))?,
    }
    Ok(if claims.iter().all(|claim| claim.counterexample.is_none()) {
        Finding::Expected
    } else {
        Finding::Unexpected
    })
}

fn certificate(claims: &[ProofClaim]) -> String {
    let failed = claims.iter().filter(|claim| claim.counterexample.is_some()).count();
    let compared: u64 = claims.iter().map(|claim| claim.compared).sum();
    let mut text = match failed {
        0 => format!(
            "{GOOD}proved{GOOD:#}: {} claims, {} of them exactly, the others as far as their evidence goes; {compared} \
             comparisons\n",
            claims.len(),
            claims.iter().filter(|claim| claim.exact).count()
        ),
        _ => format!("{BAD}{failed} of {} claims do not hold{BAD:#}\n", claims.len()),
    };
    for claim in claims {
        let name = &claim.machine;
        let (style, verdict) = match &claim.counterexample {
            None => (GOOD, "holds"),
            Some(_) => (BAD, "FAILS"),
        };
        writeln!(text, "\n{style}{verdict}{style:#}  {}", claim.claim).expect("writes to a string");
        if let Some(counterexample) = &claim.counterexample {
            writeln!(text, "       shown by   \"{}\"", counterexample.escape_default()).expect("writes to a string");
        }
        writeln!(
            text,
            "       evidence   {}{}\n       machine    {} states, {} byte classes, {}",
            if claim.exact { "exact: " } else { "" },
            claim.evidence,
            name.states,
            name.classes,
            name.hash
        )
        .expect("writes to a string");
    }
    text
}

fn whole(rule: Rule, dfa: &Dfa, longest: usize) -> Whole {
    let counts = |alphabet| {
        let saturated = |count: &u128| match *count {
            u128::MAX => "2^128 or more".to_owned(),
            count => count.to_string(),
        };
        dfa.accepted_per_length(longest, alphabet).iter().map(saturated).collect()
    };
    Whole {
        named: NamedMachine::of(rule, dfa.identity()),
        class_members: (0..dfa.machine().classes()).map(|class| dfa.machine().class_label(class)).collect(),
        accepted_over_classes: counts(Alphabet::Representatives),
        accepted_over_bytes: counts(Alphabet::Bytes),
    }
}

fn list(all: &[NamedMachine]) -> String {
    let mut text = format!("{:25}  states  classes  hash\n", "rule");
    for NamedMachine {
        machine,
        states,
        classes,
        hash,
    } in all
    {
        writeln!(text, "{machine:25}  {states:6}  {classes:7}  {hash}").expect("writes to a string");
    }
    text
}

fn human(whole: &Whole) -> String {
    let NamedMachine {
        machine,
        states,
        classes,
        hash,
    } = &whole.named;
    let mut text =
        format!("{machine}: {states} states (the sink included), {classes} byte classes, {hash}\n\nclasses\n");
    for members in &whole.class_members {
        writeln!(text, "  {members}").expect("writes to a string");
    }
    let width = whole.accepted_over_classes.iter().map(String::len).max().unwrap_or_default().max(14);
    writeln!(
        text,
        "\nmatching strings\n  length  {:>width$}  over all bytes",
        "over classes"
    )
    .expect("writes to a string");
    for (length, (over_classes, over_bytes)) in
        whole.accepted_over_classes.iter().zip(&whole.accepted_over_bytes).enumerate()
    {
        writeln!(text, "  {length:6}  {over_classes:>width$}  {over_bytes:>14}").expect("writes to a string");
    }
    text
}
