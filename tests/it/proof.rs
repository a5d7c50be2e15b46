//! The reference is proved equal to the machines compiled from Appendix A, and the proof finds what is not equal.

use std::collections::BTreeSet;

use uriproof::model::Rule;
use uriproof_grammar::complete::Method;
use uriproof_grammar::{Alphabet, Profile};
use uriproof_lab::machines::Machines;
use uriproof_lab::proof::{Extent, prove};

#[test]
fn the_reference_equals_the_grammar() {
    let claims = prove(&Machines::of_rfc3986(), Extent::FAST, |_, _| ());
    // A function for each rule, Appendix B, the components, and five expressions written by hand.
    assert_eq!(claims.len(), Rule::ALL.len() + 7);
    for claim in &claims {
        assert_eq!(claim.counterexample, None, "{}", claim.claim);
        assert!(claim.compared > 0, "{}", claim.claim);
    }
    assert_eq!(claims.iter().filter(|claim| claim.exact).count(), 5);
}

/// With another grammar every claim about a rule with a port in it fails, and no other.
#[test]
fn a_difference_is_found() {
    let extent = Extent {
        longest: 0,
        walks: 0,
        components: (Method::TransitionCover, Alphabet::Representatives),
    };
    let claims = prove(&Machines::under(&[Profile::Port65535]).unwrap(), extent, |_, _| ());
    let failed: BTreeSet<&str> =
        claims.iter().filter(|claim| claim.counterexample.is_some()).map(|claim| &*claim.claim).collect();
    let with_a_port = [
        "port",
        "authority",
        "hier-part",
        "relative-part",
        "URI",
        "absolute-URI",
        "relative-ref",
        "URI-reference",
    ];
    for rule in with_a_port {
        let function = format!("the function of {rule} accepts what its machine accepts");
        assert!(failed.iter().any(|claim| claim.starts_with(&function)), "{rule}");
    }
    let by_hand = failed.iter().filter(|claim| claim.contains("written by hand")).count();
    assert_eq!((by_hand, failed.len()), (4, with_a_port.len() + 4 + 2), "{failed:?}");
    for claim in claims.iter().filter(|claim| claim.claim.starts_with("the function of port ")) {
        let value: u64 = claim.counterexample.as_deref().unwrap().parse().unwrap();
        assert!(value > 65_535);
    }
}
