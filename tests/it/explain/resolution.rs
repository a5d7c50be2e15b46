//! What `explain` prints for a resolution.

use rfc3986_reference::components::parse;
use serde_json::{Value, json};
use uriproof::expect::expect;
use uriproof::model::{Input, Outcome, Reading};
use uriproof::split::split;
use uriproof::vectors::Library;
use uriproof_cli::explain::resolution::{Resolved, resolve};

use super::{explained, json_of};

#[test]
fn a_resolution_is_told_step_by_step() {
    assert_eq!(
        explained(&["mid/content=5/../6", "--base", "a:"]),
        r#"resolved: "a:mid/6"

parsed (5.2.1)
  base       "a:"
  reference  "mid/content=5/../6"

branch (5.2.2)
  §5.2.2/relative-path  else T.path = merge(Base.path, R.path); T.path =
      remove_dot_segments(T.path); endif;

merge (5.2.3)
  "mid/content=5/../6"
  §5.2.3/no-slash-in-base  excluding the entire base URI path if it does not
      contain any "/" characters

remove_dot_segments (5.2.4)
  STEP  OUTPUT BUFFER    INPUT BUFFER
  1     ""               "mid/content=5/../6"
  2E    "mid"            "/content=5/../6"
  2E    "mid/content=5"  "/../6"
  2C    "mid"            "/6"
  2E    "mid/6"          ""

recomposed (5.3)
  "a:mid/6"
  parses to the components that it is made from
"#
    );
    assert_eq!(
        explained(&["http:g", "--base", "http://a/b/..", "--non-strict"]),
        r#"resolved: "http://a/b/g"

parsed (5.2.1)
  base       "http://a/b/.."
  reference  "http:g"

scheme ignored (5.2.2)
  §5.2.2/non-strict  if ((not strict) and (R.scheme == Base.scheme)) then
      undefine(R.scheme); endif;

branch (5.2.2)
  §5.2.2/relative-path  else T.path = merge(Base.path, R.path); T.path =
      remove_dot_segments(T.path); endif;

merge (5.2.3)
  "/b/g"
  §5.2.3/all-but-last-segment  the reference's path component appended to all
      but the last segment of the base URI's path

remove_dot_segments (5.2.4)
  STEP  OUTPUT BUFFER  INPUT BUFFER
  1     ""             "/b/g"
  2E    "/b"           "/g"
  2E    "/b/g"         ""

recomposed (5.3)
  "http://a/b/g"
  parses to the components that it is made from

conforms too
  base-normalised  "http://a/g"

readings
  rfc3986       "http://a/b/g"
                the text of 2005, without errata
  erratum-4789  "http://a/g"
                merge appends "/" and the reference to a base path that ends in
                  "/.."
"#
    );
}

#[test]
fn what_does_not_parse_to_its_components_again_says_so() {
    let text = explained(&["..//b", "--base", "a:/"]);
    assert!(
        text.ends_with(
            r#"  "a://b"
  does not parse to them: made from the path "//b" and no authority, it has the
    authority "b" when it is parsed again

conforms too
  slash-dot  "a:/.//b"
  error  rejected: the target's path begins with "//"
"#
        ),
        "{text}"
    );
}

#[test]
fn base_and_reference_are_explained_where_they_do_not_match() {
    let text = explained(&["[", "--base", "//a"]);
    assert!(
        text.starts_with("the base: rejected: does not match URI at byte 0")
            && text.contains("\nthe reference: rejected:"),
        "{text}"
    );
    assert!(text.contains("\n  §5.1/absolute-base  "), "{text}");
    let against = json_of(&["g", "--base", "//a"]);
    assert_eq!(against["base_clause"]["id"], "§5.1/absolute-base");
    assert_eq!(against["verdict"], "accepted");
    assert_eq!(against["base"]["verdict"], "rejected");
    assert_eq!(against["resolution"], Value::Null);
}

#[test]
fn json_of_a_resolution() {
    assert_eq!(
        json_of(&["/./g", "--base", "http://a/b"])["resolution"],
        json!({
            "strict": true,
            "branch": "§5.2.2/absolute-path",
            "quote": "if (R.path starts-with \"/\") then T.path = remove_dot_segments(R.path);",
            "steps": [
                {"step": "1", "output": "", "input": "/./g"},
                {"step": "2B", "output": "", "input": "/g"},
                {"step": "2E", "output": "/g", "input": ""},
            ],
            "uri": "http://a/g",
            "reparses": true,
        })
    );
}

/// The clause of a branch of §5.2.2, or of a case of §5.2.3, that a vector cites first is that which is told.
#[test]
fn every_resolution_vector_is_told_as_the_reference_has_it() {
    let library = Library::embedded();
    let (mut seen, mut cited) = (0, 0);
    for vector in library.vectors() {
        let Input::Resolve {
            base,
            reference,
            strict,
        } = &vector.input
        else {
            continue;
        };
        let resolved = resolve(base, reference, *strict, &library).unwrap();
        let literal = expect(&vector.input, Reading::Rfc3986).literal();
        let Some(resolved) = resolved else {
            let is_relative = split(base).scheme.is_none();
            assert!(
                is_relative || matches!(literal, Outcome::Rejected { .. }),
                "{}",
                vector.id
            );
            continue;
        };
        seen += 1;
        assert_eq!(literal, Outcome::uri(&resolved.uri), "{}", vector.id);
        check_steps(&resolved, &vector.id);
        let decisive = &vector.clauses[0];
        let branches = [
            "§5.2.2/scheme-defined",
            "§5.2.2/authority-defined",
            "§5.2.2/empty-path-with-query",
            "§5.2.2/empty-path-without-query",
            "§5.2.2/absolute-path",
            "§5.2.2/relative-path",
        ];
        if branches.contains(&&**decisive) {
            assert_eq!(*decisive, resolved.branch, "{}", vector.id);
            cited += 1;
        }
        if decisive.starts_with("§5.2.3/authority-and") || decisive.starts_with("§5.2.3/no-slash") {
            assert_eq!(
                Some(decisive),
                resolved.merged.as_ref().map(|merged| &merged.clause),
                "{}",
                vector.id
            );
            cited += 1;
        }
    }
    assert!(seen > 400 && cited > 20, "{seen} {cited}");
}

/// The table begins with all of the path in the input buffer, and ends with nothing there and the target's path in the output.
fn check_steps(resolved: &Resolved, id: &str) {
    let (Some(first), Some(last)) = (resolved.steps.first(), resolved.steps.last()) else {
        return;
    };
    assert_eq!((&*first.step, &*first.output, &*last.input), ("1", "", ""), "{id}");
    if let Some(merged) = &resolved.merged {
        assert_eq!(first.input, merged.path, "{id}");
    }
    let target = parse(&resolved.uri, Reading::Rfc3986).map(|reference| reference.components.path.into_owned());
    match &resolved.reparsed {
        None => assert_eq!(target.as_ref(), Ok(&last.output), "{id}"),
        Some(reparsed) => assert_eq!(reparsed.path, last.output, "{id}"),
    }
}
