//! Properties that the reference must have on every input. Each panics with the input that breaks it.

use std::borrow::Cow;

use rfc3986_reference::components::{Components, ReferenceRule, parse};
use rfc3986_reference::dot_segments::{remove_dot_segments, steps};
use rfc3986_reference::equivalence;
use rfc3986_reference::extract::{Find, extract};
use rfc3986_reference::grammar;
use rfc3986_reference::normalize::{Schemes, scheme_based, syntax_based};
use rfc3986_reference::recompose::{check, recompose};
use rfc3986_reference::resolve::{Strictness, resolve};
use rfc3986_reference::split::split;
use uriproof::model::{self, Reading, Rule, Rung};
use uriproof_deviations::url_rules::{UrlRule, by_rfc3986, by_rules, by_whatwg, parting};
use whatwg_url_reference::api::UrlObject;

/// Of any string: Appendix B is total and loses nothing, the derivations of the syntax agree, the kinds of reference
/// are disjoint.
pub(super) fn of_text(text: &str) {
    assert_eq!(recompose(&split(text)), text, "Appendix B loses something of {text:?}");
    for reading in [Reading::Rfc3986, Reading::Erratum4942, Reading::Erratum5428] {
        let parsed = parse(text, reading);
        let kinds = ReferenceRule::ALL.map(|kind| {
            let rule = Rule::from(kind);
            let by_components = parsed.as_ref().is_ok_and(|reference| reference.matches(kind));
            let by_rule = rule.matches(text, reading).is_ok();
            assert_eq!(
                by_components, by_rule,
                "two derivations of {rule} disagree under {reading} on {text:?}"
            );
            by_rule
        });
        let [reference, uri, absolute, relative] = kinds;
        assert_eq!(
            reference,
            uri || relative,
            "URI-reference = URI / relative-ref under {reading} on {text:?}"
        );
        assert!(
            !(uri && relative),
            "both URI and relative-ref under {reading}: {text:?}"
        );
        assert_eq!(
            absolute,
            uri && !text.contains('#'),
            "absolute-URI under {reading}: {text:?}"
        );
        if let Ok(parsed) = &parsed {
            assert_eq!(
                recompose(&parsed.components),
                text,
                "compose(parse(s)) = s under {reading}"
            );
        }
        if let Err(error) = &parsed {
            assert!(error.offset <= text.len(), "the offset of {error} is not in {text:?}");
        }
    }
    of_normalization(text);
}

/// Of any string: normalization is idempotent and keeps which alternative matches and which components are defined.
pub(super) fn of_normalization(text: &str) {
    let reading = Reading::Rfc3986;
    let Ok(before) = parse(text, reading) else {
        assert!(
            syntax_based(text, reading).is_err(),
            "normalizes what it does not parse: {text:?}"
        );
        return;
    };
    let schemes = Schemes::default();
    for (name, normalize) in [
        (
            "syntax",
            &(|uri: &str| syntax_based(uri, reading)) as &dyn Fn(&str) -> _,
        ),
        ("scheme", &|uri: &str| scheme_based(uri, &schemes, reading)),
    ] {
        let Ok(normal) = normalize(text) else {
            assert!(
                before.components.scheme.is_none(),
                "a URI without a {name}-based normal form: {text:?}"
            );
            continue;
        };
        let after = parse(&normal, reading)
            .unwrap_or_else(|error| panic!("the {name}-based normal form of {text:?}, {normal:?}, {error}"));
        assert_eq!(
            normalize(&normal).as_deref(),
            Ok(&*normal),
            "{name}-based normalization twice: {text:?}"
        );
        // The scheme's default for authority may become an empty authority (§6.2.3).
        let has_default = name == "scheme"
            && before
                .components
                .scheme
                .is_some_and(|scheme| schemes.rules(scheme).is_some_and(|rules| rules.default_host.is_some()));
        let defined = |components: &Components<'_>| {
            let Components {
                scheme,
                authority,
                query,
                fragment,
                ..
            } = components;
            [
                scheme.is_some(),
                has_default || authority.is_some(),
                query.is_some(),
                fragment.is_some(),
            ]
        };
        assert_eq!(
            defined(&before.components),
            defined(&after.components),
            "{name}-based normalization of {text:?} to {normal:?} defines or undefines a component"
        );
    }
}

/// Of any base and reference: properties 3, 4, 6 and 8 of resolution.
pub(super) fn of_resolution(base: &str, reference: &str) {
    let reading = Reading::Rfc3986;
    let (Ok(base), Ok(r)) = (parse(base, reading), parse(reference, reading)) else {
        return;
    };
    if base.components.scheme.is_none() {
        return;
    }
    let base = base.components;
    let strict = resolve(&base, &r.components, Strictness::Strict, reading).target;
    let same_scheme = match (r.components.scheme, base.scheme) {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
        _ => false,
    };
    if !same_scheme {
        let loose = resolve(&base, &r.components, Strictness::NonStrict, reading).target;
        assert_eq!(
            strict, loose,
            "strictness matters though the schemes differ: {base:?} + {r:?}"
        );
    }
    if r.components.scheme.is_none() && r.components.authority.is_none() {
        assert_eq!(strict.authority, base.authority, "another authority: {base:?} + {r:?}");
    }
    assert_eq!(
        strict.fragment, r.components.fragment,
        "another fragment: {base:?} + {r:?}"
    );

    let empty = Components::default();
    let itself = resolve(&base, &empty, Strictness::Strict, reading).target;
    let without_fragment = Components {
        fragment: None,
        ..base.clone()
    };
    assert_eq!(
        itself, without_fragment,
        "the empty reference is not the base without its fragment"
    );

    let text = recompose(&strict);
    let hole = strict.authority.is_none() && strict.path.starts_with("//");
    let again = parse(&text, reading).map(|reference| reference.components);
    assert_eq!(
        again.as_ref() == Ok(&strict),
        !hole,
        "parse(compose(T)) = T fails or holds unexpectedly: {text:?}"
    );
}

/// Of any components: [`check`] accepts just those that a URI-reference has.
pub(super) fn of_components(components: &model::Components) {
    let reading = Reading::Rfc3986;
    let authority = components.authority();
    let five = components.five(authority.as_deref());
    let text = recompose(&five);
    let again = parse(&text, reading).map(|reference| reference.components);
    assert_eq!(
        check(&five, reading).is_ok(),
        again.as_ref() == Ok(&five),
        "check and parse disagree on {components}, which compose to {text:?}"
    );
}

/// Of any pair: a comparison has no side, every URI equals itself, and what is the same on one rung is on the next (§6.2).
pub(super) fn of_pair(left: &str, right: &str) {
    let reading = Reading::Rfc3986;
    let schemes = Schemes::default();
    let same_on = |rung: Rung, one: &str, other: &str| match rung {
        Rung::Simple => equivalence::simple(one, other, reading).ok(),
        Rung::Syntax => equivalence::syntax_based(one, other, reading).ok(),
        Rung::Scheme => equivalence::scheme_based(one, other, &schemes, reading).ok(),
    };
    let mut same_below = false;
    for rung in [Rung::Simple, Rung::Syntax, Rung::Scheme] {
        let same = same_on(rung, left, right);
        let number = rung.name();
        assert_eq!(
            same,
            same_on(rung, right, left),
            "rung {number} has sides: {left:?} and {right:?}"
        );
        for text in [left, right] {
            let itself = same_on(rung, text, text);
            assert!(itself != Some(false), "{text:?} does not equal itself on rung {number}");
        }
        // Relative references have the lowest rung only.
        if let Some(same) = same {
            assert!(
                same || !same_below,
                "rung {number} tells apart what the one below does not: {left:?} and {right:?}"
            );
            same_below = same;
        }
    }
}

/// Of what was found in any text: in order, apart, each a URI without whitespace, and found again when it stands alone
/// between angle brackets (Appendix C).
pub(super) fn of_running_text(text: &str, finds: &[Find<'_>]) {
    let mut end = 0;
    for find in finds {
        let Find {
            uri,
            range,
            ambiguous_hyphens,
            ..
        } = find;
        assert!(
            end <= range.start && range.start <= range.end && text.get(range.clone()).is_some(),
            "{range:?} is no place of its own in {text:?}"
        );
        end = range.end;
        assert!(
            grammar::uri(uri, Reading::Rfc3986).is_ok(),
            "{uri:?} is no URI, in {text:?}"
        );
        assert!(
            !uri.contains(char::is_whitespace),
            "{uri:?} has whitespace, in {text:?}"
        );
        let kept = |text: &str| text.chars().filter(|character| !character.is_whitespace()).collect::<String>();
        assert!(
            kept(&text[range.clone()]).ends_with(&**uri),
            "{uri:?} does not stand at {range:?} in {text:?}"
        );
        for at in ambiguous_hyphens {
            assert_eq!(uri.as_bytes().get(*at), Some(&b'-'), "no hyphen at {at} in {uri:?}");
        }
        let alone = format!("<{uri}>");
        let again: Vec<_> = extract(&alone, Reading::Rfc3986).into_iter().map(|find| find.uri).collect();
        // What begins with the old prefix loses it.
        let has_prefix = uri.get(..4).is_some_and(|prefix| prefix.eq_ignore_ascii_case("url:"));
        assert!(has_prefix || again == [uri.clone()], "{alone:?} has {again:?} in it");
    }
}

/// Of any two strings: what the WHATWG URL Standard makes of them, serialized and parsed again, is the same; a setter gives a URL, or
/// changes nothing; and RFC 3986 with the rules in which the standard differs has the same answer as its state machine.
pub(super) fn of_urls(base: &str, reference: &str) {
    for text in [base, reference] {
        assert_eq!(by_rules(text, &UrlRule::ALL), by_whatwg(text), "{text:?}");
        assert_eq!(by_rules(text, &[]), by_rfc3986(text), "{text:?}");
        let rules = parting(text);
        assert_eq!(by_rules(text, &rules), by_whatwg(text), "{text:?} {rules:?}");
    }
    let Some(url) = UrlObject::parse(base, None) else {
        return;
    };
    let resolved = UrlObject::parse(reference, Some(base));
    for url in [Some(&url), resolved.as_ref()].into_iter().flatten() {
        let again = UrlObject::parse(&url.href(), None).map(|again| again.href());
        assert_eq!(again, Some(url.href()), "of {base:?} and {reference:?}");
    }
    let setters: [fn(&mut UrlObject, &str); 9] = [
        UrlObject::set_protocol,
        UrlObject::set_username,
        UrlObject::set_password,
        UrlObject::set_host,
        UrlObject::set_hostname,
        UrlObject::set_port,
        UrlObject::set_pathname,
        UrlObject::set_search,
        UrlObject::set_hash,
    ];
    for set in setters {
        let mut changed = url.clone();
        set(&mut changed, reference);
        let again = UrlObject::parse(&changed.href(), None);
        assert!(
            again.is_some(),
            "{:?} is no URL, of {base:?} with {reference:?}",
            changed.href()
        );
    }
}

/// Of any path: the removal has its properties, no step lengthens it, and the two segment stacks that §5.2.4
/// mentions give the same as the two buffers.
pub(super) fn of_path(path: &str) {
    let removed = remove_dot_segments(path);
    assert_eq!(
        remove_dot_segments(&removed),
        removed,
        "remove_dot_segments twice: {path:?}"
    );
    assert!(removed.len() <= path.len(), "{path:?} becomes longer: {removed:?}");
    assert!(
        !path.starts_with('/') || removed.starts_with('/'),
        "{path:?} loses its slash: {removed:?}"
    );
    assert!(
        removed.split('/').all(|segment| segment != "." && segment != ".."),
        "a dot-segment is left of {path:?}: {removed:?}"
    );
    let mut left = path.len();
    steps(path, |step, output, input| {
        let length = output.len() + input.len();
        assert!(length <= left, "step {step} lengthens the buffers of {path:?}");
        left = length;
    });
    assert_eq!(
        left,
        removed.len(),
        "the last step on {path:?} does not end in {removed:?}"
    );
    assert_eq!(
        removed,
        with_segment_stacks(path),
        "two derivations of remove_dot_segments disagree on {path:?}"
    );
    if grammar::path(path).is_ok() {
        assert!(
            grammar::path(&removed).is_ok(),
            "{path:?} is a path, {removed:?} is none"
        );
    }
}

/// §5.2.4: "Some applications may find it more efficient to implement the remove_dot_segments algorithm by using two
/// segment stacks rather than strings."
///
/// The input stack holds the segments of `path`, each with the "/" before it; the first has none in a rootless path.
fn with_segment_stacks(path: &str) -> String {
    let mut input: Vec<Cow<'_, str>> = Vec::new();
    let (first, rest) = match path.find('/') {
        Some(slash) => path.split_at(slash),
        None => (path, ""),
    };
    if !first.is_empty() {
        input.push(Cow::Borrowed(first));
    }
    if let Some(rest) = rest.strip_prefix('/') {
        input.extend(rest.split('/').map(|segment| Cow::Owned(format!("/{segment}"))));
    }
    input.reverse();

    let mut output: Vec<Cow<'_, str>> = Vec::new();
    while let Some(segment) = input.pop() {
        let last = input.is_empty();
        match &*segment {
            // A relative dot-segment goes together with the "/" behind it, so the next segment has none.
            "." | ".." => {
                if let Some(next) = input.pop() {
                    let rootless = next.strip_prefix('/').unwrap_or(&next).to_owned();
                    // An empty segment without a "/" before it takes the "/" of the one that follows it.
                    if !rootless.is_empty() {
                        input.push(Cow::Owned(rootless));
                    }
                }
            }
            "/." | "/.." => {
                if *segment == *"/.." {
                    output.pop();
                }
                if last {
                    output.push(Cow::Borrowed("/"));
                }
            }
            _ => output.push(segment),
        }
    }
    output.concat()
}
