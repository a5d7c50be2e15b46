//! The machine in the loop and the splitter give what the literal reference gives, and what is shown is compared as what is told.

use rayon::prelude::*;
use rfc3986_reference::components::{parse, parse_authority};
use rfc3986_reference::split as reference;
use uriproof::ask::{self, Crash};
use uriproof::compare::Verdict;
use uriproof::expect::expect;
use uriproof::model::{Components, Declaration, Input, Observed, Operation, Outcome, Reading, Rule, Shown, Subject};
use uriproof::split::{self, UserinfoEnd};
use uriproof::{run, screen};
use uriproof_grammar::{Alphabet, Dfa, rfc3986};
use uriproof_lab::divergence::fingerprint::Mark;
use uriproof_lab::generate::Generator;
use uriproof_subjects::SUBJECTS;

fn assert_same(text: &str) {
    assert_eq!(split::split(text), reference::split(text), "{text:?}");
    let parsed = parse(text, Reading::Rfc3986).ok().map(|reference| Components::from(&reference));
    let parts = split::components(text, UserinfoEnd::FirstAt);
    if let Some(parsed) = parsed.clone() {
        let host_kind = parsed.host_kind;
        let own = parts.map(str::to_owned);
        assert_eq!(Components { host_kind, ..own }, parsed, "{text:?}");
    }
    let told = parsed.map(Observed::from);
    assert_eq!(
        screen::components(text),
        told.as_ref().map(Observed::as_strs),
        "{text:?}"
    );
    assert_divided(text, UserinfoEnd::FirstAt);
    assert_divided(text, UserinfoEnd::LastAt);
}

/// Nothing is lost where a string that no rule matches is split, each part is where it is said to be, and each delimiter is the
/// one that is named.
fn assert_divided(text: &str, end: UserinfoEnd) {
    let parts = split::components(text, end);
    assert_eq!(parts.map(str::to_owned).recompose(), text, "{end:?}");
    parts.map(|part| assert_eq!(&text[split::range(part, text)], part, "{text:?} {end:?}"));
    let Some(authority) = reference::split(text).authority else {
        assert_eq!([parts.userinfo, parts.host, parts.port], [None; 3], "{text:?}");
        return;
    };
    let (userinfo, host) = (parts.userinfo, parts.host.unwrap());
    if let Ok(valid) = parse_authority(authority, Reading::Rfc3986) {
        let valid = (valid.userinfo, valid.host, valid.port);
        assert_eq!((userinfo, host, parts.port), valid, "{text:?} {end:?}");
    }
    match end {
        UserinfoEnd::FirstAt => assert!(userinfo.is_none_or(|userinfo| !userinfo.contains('@')), "{text:?}"),
        UserinfoEnd::LastAt => assert!(
            !host.contains('@') && !parts.port.unwrap_or_default().contains('@'),
            "{text:?}"
        ),
    }
    assert_eq!(userinfo.is_some(), authority.contains('@'), "{text:?} {end:?}");
    match host.strip_prefix('[').map(|literal| literal.split_once(']')) {
        None => assert!(!host.contains(':'), "{text:?} {end:?}"),
        Some(Some((_, behind))) => assert!(!behind.contains(':'), "{text:?} {end:?}"),
        Some(None) => assert_eq!(parts.port, None, "{text:?} {end:?}"),
    }
}

/// Every string of up to `longest` of these symbols that begins with `text`.
fn assert_all(text: &mut String, symbols: &[char], longest: usize) {
    assert_same(text);
    if text.len() < longest {
        for symbol in symbols {
            text.push(*symbol);
            assert_all(text, symbols, longest);
            text.pop();
        }
    }
}

#[test]
fn every_short_string_is_split_as_by_appendix_b() {
    let machine = Dfa::compile(&rfc3986::grammar(), "URI-reference").unwrap();
    let symbols: Vec<char> = machine.machine().symbols(Alphabet::Representatives).into_iter().map(char::from).collect();
    assert_eq!(symbols.len(), 21);
    symbols.par_iter().for_each(|first| assert_all(&mut first.to_string(), &symbols, 4));
    // The delimiters, where they can be told apart from what they delimit at greater length.
    let delimiters = ['a', ':', '/', '?', '#', '@', '[', ']'];
    delimiters.par_iter().for_each(|first| assert_all(&mut first.to_string(), &delimiters, 6));
    assert_same("");
}

#[test]
fn generated_strings_have_the_components_of_the_reference() {
    let mut generator = Generator::of(11, &[Operation::Parse]);
    for _ in 0..20_000 {
        if let Input::Parse { input, .. } = generator.next_input() {
            assert_same(&input);
        }
    }
}

fn placed<'s>(subjects: &[&'s dyn Subject]) -> impl Iterator<Item = (usize, &'s dyn Subject)> {
    subjects.iter().copied().enumerate()
}

/// Why something is refused is not kept in brief.
fn without_reason(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Rejected { offset, .. } => Outcome::Rejected { reason: None, offset },
        other => other,
    }
}

#[test]
fn what_is_known_in_brief_is_what_is_known_in_full() {
    let mut generator = Generator::new(12);
    let mut diverging = 0;
    for _ in 0..5_000 {
        let input = generator.next_input();
        let results = run::all(SUBJECTS, &input, Reading::Rfc3986);
        let not_compared =
            results.iter().filter(|result| matches!(result.verdict, Verdict::NotComparable { .. })).count();
        let brief = run::in_brief(placed(SUBJECTS), &input);
        assert_eq!(brief.counts.not_compared, not_compared as u64, "{input}");
        assert_eq!(brief.counts.answers(), SUBJECTS.len() as u64, "{input}");
        let full: Vec<(usize, run::Brief)> = results
            .iter()
            .enumerate()
            .filter_map(|(place, result)| {
                let Verdict::Diverge(difference) = &result.verdict else {
                    return None;
                };
                let crash = match &result.observed {
                    Outcome::Crashed { reason } => Some(reason.clone()),
                    _ => None,
                };
                let difference = *difference;
                Some((place, run::Brief { difference, crash }))
            })
            .collect();
        assert_eq!(brief.diverging, full, "{input}");
        let observed = run::observed_in_brief(placed(SUBJECTS), &input).diverging;
        let shown = observed.into_iter().map(|(place, (_, observed))| (place, without_reason(observed)));
        let of_full = full.iter().map(|(place, _)| (*place, without_reason(results[*place].observed.clone())));
        assert_eq!(shown.collect::<Vec<_>>(), of_full.collect::<Vec<_>>(), "{input}");
        let kept: Vec<(usize, run::Result)> = results
            .into_iter()
            .enumerate()
            .filter(|(_, result)| matches!(result.verdict, Verdict::Diverge(_)))
            .collect();
        assert_eq!(
            run::all_but_agreeing(placed(SUBJECTS), &input).diverging,
            kept,
            "{input}"
        );
        diverging += full.len();
    }
    assert!(diverging > 1_000, "{diverging}");
}

#[test]
fn what_loops_expect_is_what_the_reference_expects() {
    screen::ready();
    let mut generator = Generator::new(14);
    for _ in 0..20_000 {
        let input = generator.next_input();
        assert_eq!(run::expected(&input), expect(&input, Reading::Rfc3986), "{input}");
    }
}

#[test]
fn what_is_asked_in_brief_differs_as_it_does_in_full() {
    screen::ready();
    let mut generator = Generator::new(15);
    let mut diverging = 0;
    for _ in 0..2_000 {
        let input = generator.next_input();
        for subject in SUBJECTS.iter().filter(|subject| subject.budget().is_none()) {
            let full = run::one(*subject, &input, Reading::Rfc3986);
            let brief = run::one_in_brief(*subject, &input);
            let label = subject.declaration();
            assert_eq!(brief.verdict, full.verdict, "{label} {input}");
            assert_eq!(Mark::all(&brief), Mark::all(&full), "{label} {input}");
            diverging += u32::from(matches!(full.verdict, Verdict::Diverge(_)));
        }
    }
    assert!(diverging > 1_000, "{diverging}");
}

#[test]
fn what_is_shown_is_what_is_told() {
    let mut generator = Generator::of(13, &[Operation::Parse]);
    for _ in 0..2_000 {
        let Input::Parse { input, .. } = generator.next_input() else {
            continue;
        };
        for subject in SUBJECTS.iter().filter(|subject| subject.budget().is_none()) {
            for rule in [subject.declaration().rules[0], Rule::Authority] {
                let told = ask::parse(*subject, rule, &input);
                let shown = ask::guarded(|guard| guard.show(*subject, rule, &input, |shown| Outcome::from(*shown)))
                    .unwrap_or_else(Crash::into_outcome);
                assert_eq!(shown, told, "{} {input:?}", subject.declaration());
            }
        }
    }
}

/// Wherever the machine stands when it reads on.
#[test]
fn a_prefix_has_the_components_of_the_whole() {
    screen::ready();
    let mut generator = Generator::of(17, &[Operation::Parse]);
    let mut strings = 0;
    while strings < 1_000 {
        let Input::Parse { input, .. } = generator.next_input() else {
            continue;
        };
        strings += 1;
        let whole = screen::components(&input);
        for (end, _) in input.char_indices().chain([(input.len(), ' ')]) {
            let prefix = screen::Prefix::of(&input[..end]);
            assert_eq!(prefix.components(&input), whole, "{input:?} behind {end} bytes");
        }
    }
}

/// Panics at what it is asked, or once it has shown something.
struct Panics {
    has_shown: bool,
}

impl Subject for Panics {
    fn declaration(&self) -> &Declaration {
        static DECLARATION: Declaration = Declaration::new("panics", "0.0.0", "parse", &[Operation::Parse]);
        &DECLARATION
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        Outcome::shown(|see| self.show(rule, input, see))
    }

    fn show(&self, _: Rule, _: &str, see: &mut dyn FnMut(Shown<'_>)) {
        if self.has_shown {
            see(Shown::Accepted(Observed::default()));
        }
        panic!("planted");
    }
}

#[test]
fn a_panic_is_of_the_subject_that_was_asked_and_the_others_are_asked_all_the_same() {
    let (early, late) = (Panics { has_shown: false }, Panics { has_shown: true });
    let calm = SUBJECTS[0];
    let subjects: [&dyn Subject; 6] = [calm, &early, calm, &late, &early, calm];
    let input = Input::Parse {
        rule: Rule::UriReference,
        input: "a:b".to_owned(),
    };
    let disagreeing = run::in_brief(placed(&subjects), &input);
    let crashes: Vec<(usize, &str, bool)> = disagreeing
        .diverging
        .iter()
        .map(|(place, brief)| (*place, brief.difference.kind.name(), brief.crash.is_some()))
        .collect();
    assert_eq!(
        crashes,
        [(1, "crashed", true), (3, "crashed", true), (4, "crashed", true)]
    );
    let full = run::all_but_agreeing(placed(&subjects), &input);
    assert!(full.diverging.iter().all(|(_, result)| matches!(
        &result.observed,
        Outcome::Crashed { reason } if reason.starts_with("planted (screen.rs:")
    )));
}

/// What looks at an answer is ours.
#[test]
fn a_panic_of_ours_is_none_of_the_subject() {
    let ours = std::panic::catch_unwind(|| {
        ask::guarded(|guard| {
            let _: () = guard.show(SUBJECTS[0], Rule::UriReference, "a", |_| std::panic::panic_any(1984));
        })
        .is_err()
    });
    assert_eq!(ours.unwrap_err().downcast_ref::<i32>(), Some(&1984));
    let between = std::panic::catch_unwind(|| ask::guarded(|_| std::panic::panic_any(1985)).is_err());
    assert_eq!(between.unwrap_err().downcast_ref::<i32>(), Some(&1985));
}

/// Returns how many calls this thread has in a subject: other tests run in other threads.
#[cfg(target_os = "linux")]
fn own_calls() -> usize {
    let link = std::fs::read_link("/proc/thread-self").unwrap();
    let own: u64 = link.file_name().unwrap().to_str().unwrap().parse().unwrap();
    ask::calls().iter().filter(|call| call.thread() == Some(own)).count()
}

/// Only the time of a subject counts against it: neither ours, nor that of a process that is waited for, nor what follows a panic.
#[cfg(target_os = "linux")]
#[test]
fn a_call_lasts_as_long_as_the_subject_has_control() {
    let counts = ask::guarded(|guard| {
        let before = own_calls();
        let inside = guard.call(|| {
            let ours = guard.look(own_calls);
            let waiting = ask::outside(own_calls);
            let nested = ask::guarded(|_| own_calls()).ok();
            (own_calls(), ours, waiting, nested)
        });
        (before, inside, own_calls())
    });
    assert_eq!(counts.ok(), Some((0, (1, 0, 0, Some(0)), 0)));
    assert!(ask::guarded(|guard| guard.call(|| panic!("planted"))).is_err());
    assert_eq!(own_calls(), 0);
}
