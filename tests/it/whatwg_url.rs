//! The crate `url` by the standard that it follows: what it does otherwise is predicted, with the step of the standard.

use std::collections::{BTreeMap, BTreeSet};

use uriproof::compare::Verdict;
use uriproof::gate::{Claim, Claimed};
use uriproof::model::{Input, Reading, Rule, Subject};
use uriproof::run;
use uriproof::vectors::Library;
use uriproof_deviations::{Deviation, UrlDeparture};
use uriproof_lab::predict::{Prediction, Predictor, responsible};
use uriproof_subjects::url::Url;

use self::data::{cases, of_url_package, read_json, shared};
use crate::process::{program, run as run_program};

#[path = "../../whatwg/tests/it/data.rs"]
mod data;

#[test]
fn each_departure_has_a_step_of_the_standard() {
    let library = Library::embedded();
    let ids: BTreeSet<&str> = library.whatwg.clauses.iter().map(|clause| &*clause.id).collect();
    for departure in UrlDeparture::ALL {
        let step = departure.step();
        assert!(ids.contains(step), "{departure:?}: {step}");
    }
}

/// Each case of web-platform-tests that `url` fails, by the deviations that predict its answer.
#[test]
fn what_url_fails_of_web_platform_tests_is_predicted() {
    let text = shared("urltestdata.json").unwrap_or_else(|| of_url_package("urltestdata.json"));
    let url = Claimed::new(&Url as &dyn Subject, Some(Claim::Whatwg));
    let predictor = Predictor::of(&uriproof_cli::known::ledger(), url.declaration()).unwrap();
    let (mut failed, mut compared) = (0, 0);
    let mut of_departures: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for case in cases(&read_json(&text)) {
        let input = case["input"].as_str().unwrap().to_owned();
        let base = case["base"].as_str();
        let input = |strict| match base {
            None => Input::Parse {
                rule: Rule::Uri,
                input: input.clone(),
            },
            Some(base) => Input::Resolve {
                base: base.to_owned(),
                reference: input.clone(),
                strict,
            },
        };
        // The standard is strict for schemes that are not special, and not for the others; each is compared as what it is.
        let results = [false, true].map(|strict| run::one(&url, &input(strict), Reading::Rfc3986));
        let is_compared = |result: &run::Result| !matches!(result.verdict, Verdict::NotComparable { .. });
        let [result] = &results.iter().filter(|one| is_compared(one)).take(1).collect::<Vec<_>>()[..] else {
            panic!("{}", input(false));
        };
        compared += 1;
        if !matches!(result.verdict, Verdict::Diverge(_)) {
            continue;
        }
        failed += 1;
        let prediction = predictor.of_divergence(url.declaration(), result);
        assert_eq!(
            prediction,
            Prediction::Exact,
            "{}: {}",
            result.input,
            result.observed_text()
        );
        let responsible = responsible(url.declaration(), predictor.profile(), &result.input);
        let departures = responsible.into_iter().map(|at| &predictor.profile().deviations[at]);
        let departures = departures.filter(|one| matches!(one, Deviation::DepartsFromUrlStandard { .. }));
        let departures: Vec<String> = departures.map(Deviation::sentence).collect();
        assert!(!departures.is_empty(), "{}: {}", result.input, result.observed_text());
        *of_departures.entry(departures).or_default() += 1;
    }
    println!("{failed} of {compared} parses: {of_departures:#?}");
    // The data of web-platform-tests, or the part of it that the package has.
    assert!(
        [(65, 891), (46, 819)].contains(&(failed, compared)),
        "{failed} of {compared}"
    );
}

/// `check` measures it by the standard, and names what it does otherwise; RFC 3986 is an option away.
#[test]
fn a_library_that_follows_the_standard_is_checked_by_it() {
    let check = |more: &[&str]| {
        let done = run_program(program().args(["check", "--subject", "url", "--suite", "none"]).args(more));
        assert_eq!((done.status, &*done.stderr), (1, ""), "{}", done.stdout);
        done.stdout
    };
    let by_claim = check(&[]);
    assert_eq!(
        by_claim,
        check(&["--specification", "whatwg"]).replace(" --specification whatwg", "")
    );
    assert!(
        by_claim.contains("sets a host up to the first colon of a value"),
        "{by_claim}"
    );
    let by_rfc = check(&["--specification", "URI"]);
    let (_, line) = by_rfc.split_once("as the WHATWG URL Standard says: ").expect(&by_rfc);
    let counts: Vec<u32> = line.split(' ').filter_map(|word| word.parse().ok()).take(2).collect();
    assert!(counts[0] < counts[1] && counts[0] * 10 > counts[1] * 9, "{by_rfc}");
    assert!(!by_claim.contains("as the WHATWG URL Standard says"), "{by_claim}");
}
