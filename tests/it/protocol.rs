//! The line protocol's server, as a process.

use crate::process::{program, run};
use serde_json::{Value, json};

fn serve(subject: &str, input: impl Into<Vec<u8>>) -> (Vec<Value>, i32, String) {
    let done = run(program().args(["serve", "--subject", subject]).write_stdin(input));
    let answers = done.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (answers, done.status, done.stderr)
}

#[test]
fn the_reference_answers_every_operation() {
    let (answers, status, _) = serve(
        "reference",
        [
            r#"{"uriproof":1,"id":0,"op":"hello"}"#,
            r#"{"id":1,"op":"parse","rule":"URI-reference","input":"http://a?q"}"#,
            r#"{"id":2,"op":"resolve","base":"http://a/b","reference":"../c","strict":true}"#,
            r#"{"id":3,"op":"normalize","uri":"HTTP://a/%7e","scope":"syntax"}"#,
            r#"{"id":4,"op":"compose","components":{"scheme":"a","path":"b"}}"#,
            r#"{"id":5,"op":"equivalent","left":"a:b","right":"A:b","rung":"syntax"}"#,
            r#"{"id":6,"op":"parse","rule":"URI","input":"a?q"}"#,
            r#"{"id":7,"op":"normalize","uri":"a/../b","scope":"syntax"}"#,
            r#"{"id":8,"op":"relativize","base":"a:b","target":"a:c"}"#,
            r#"{"id":9,"op":"modify","uri":"a:b?c","component":"query","value":null}"#,
            r#"{"id":10,"op":"round-trip","uri":"a:?"}"#,
            r#"{"id":11,"op":"contract","left":"a:b","right":"A:b"}"#,
        ]
        .join("\n"),
    );
    assert_eq!(status, 0);
    assert_eq!(answers[0]["name"], "reference");
    assert_eq!(answers[0]["specification"], "RFC 3986");
    assert_eq!(
        answers[0]["operations"],
        json!([
            "parse",
            "resolve",
            "normalize",
            "compose",
            "equivalent",
            "relativize",
            "modify",
            "round-trip",
            "contract"
        ])
    );
    assert_eq!(
        answers[1],
        json!({"id": 1, "outcome": "accepted", "components": {
            "scheme": "http", "userinfo": null, "host": "a", "host_kind": "reg-name", "port": null, "path": "",
            "query": "q", "fragment": null
        }})
    );
    assert_eq!(answers[2], json!({"id": 2, "outcome": "accepted", "uri": "http://a/c"}));
    assert_eq!(answers[3], json!({"id": 3, "outcome": "accepted", "uri": "http://a/~"}));
    assert_eq!(answers[4], json!({"id": 4, "outcome": "accepted", "uri": "a:b"}));
    assert_eq!(answers[5], json!({"id": 5, "outcome": "accepted", "equivalent": true}));
    assert_eq!(answers[6]["outcome"], "rejected");
    assert_eq!(answers[6]["offset"], 1);
    assert_eq!(answers[7]["outcome"], "unsupported");
    assert_eq!(answers[8], json!({"id": 8, "outcome": "accepted", "uri": "a:c"}));
    assert_eq!(answers[9], json!({"id": 9, "outcome": "accepted", "uri": "a:b"}));
    assert_eq!(answers[10], json!({"id": 10, "outcome": "accepted", "uri": "a:?"}));
    assert_eq!(answers[11], json!({"id": 11, "outcome": "accepted", "broken": []}));
}

#[test]
fn what_a_subject_cannot_tell_has_no_key() {
    let request = r#"{"id":1,"op":"parse","rule":"URI-reference","input":"http://u@a/"}"#;
    let (answers, _, _) = serve("sophia_iri * IriRef::new", request);
    assert_eq!(answers[0], json!({"id": 1, "outcome": "accepted", "components": {}}));
}

#[test]
fn an_array_is_answered_by_an_array_in_order() {
    let (answers, status, _) = serve(
        "reference",
        concat!(
            r#"[{"id":9,"op":"equivalent","left":"a:","right":"a:","rung":"simple"},"#,
            r#"{"id":3,"op":"compose","components":{"path":"a"}}]"#
        ),
    );
    assert_eq!(status, 0);
    assert_eq!(
        answers[0],
        json!([{"id": 9, "outcome": "accepted", "equivalent": true}, {"id": 3, "outcome": "accepted", "uri": "a"}])
    );
}

#[test]
fn a_broken_request_is_answered_with_its_error_and_the_next_one_is_read() {
    let broken = [
        (r"no json", Value::Null, "no JSON"),
        (r"7", Value::Null, "a request is a JSON object, not a number"),
        (r#"{"op":"hello"}"#, Value::Null, "`id` is missing"),
        (r#"{"id":"1","op":"hello"}"#, Value::Null, "`id` is a whole number"),
        (r#"{"id":1}"#, json!(1), "`op` is missing"),
        (
            r#"{"id":1,"op":"fetch"}"#,
            json!(1),
            "`op` is `fetch`; it can be hello, parse",
        ),
        (r#"{"id":1,"op":"hello","uriproof":2}"#, json!(1), "speaks protocol 1"),
        (
            r#"{"id":1,"op":"parse","rule":"URL","input":""}"#,
            json!(1),
            "`URL` is no rule of Appendix A",
        ),
        (
            r#"{"id":1,"op":"parse","rule":"URI"}"#,
            json!(1),
            "`parse` lacks `input`",
        ),
        (
            r#"{"id":1,"op":"parse","rule":"URI","input":"","base":""}"#,
            json!(1),
            "`base` does not belong",
        ),
        (
            r#"{"id":1,"op":"parse","rule":"URI","input":7}"#,
            json!(1),
            "`input`: it is integer `7`, and should be a string",
        ),
        (
            r#"{"id":1,"op":"parse","rule":"URI","input":"","more":1}"#,
            json!(1),
            "the key `more` does not belong there",
        ),
    ];
    let input: String = broken.iter().map(|(line, _, _)| format!("{line}\n")).collect();
    let input = format!("{input}{}\n", r#"{"id":2,"op":"compose","components":{"path":"a"}}"#);
    let (answers, status, stderr) = serve("reference", input);
    assert_eq!(answers.len(), broken.len() + 1);
    for ((line, id, message), answer) in broken.iter().zip(&answers) {
        assert_eq!(answer["id"], *id, "{line}");
        assert!(answer["error"].as_str().unwrap().contains(message), "{line}: {answer}");
    }
    assert_eq!(
        answers[broken.len()],
        json!({"id": 2, "outcome": "accepted", "uri": "a"})
    );
    assert_eq!(status, 2);
    assert!(stderr.contains("12 requests broke the protocol"), "{stderr}");
}

#[test]
fn bytes_that_are_no_utf_8_break_the_protocol_and_no_more() {
    let mut input = b"{\"id\":1,\"op\":\"parse\",\"rule\":\"URI\",\"input\":\"\xFF\"}\n".to_vec();
    input.extend(br#"{"id":2,"op":"compose","components":{"path":"a"}}"#);
    let (answers, status, _) = serve("reference", input);
    assert!(answers[0]["error"].as_str().unwrap().contains("no JSON"));
    assert_eq!(answers[1]["uri"], "a");
    assert_eq!(status, 2);
}

#[test]
fn a_megabyte_and_control_characters_come_through() {
    let path = format!("/{}\u{0}\n\u{7f}", "a".repeat(1 << 20));
    let request = json!({"id": 1, "op": "parse", "rule": "URI-reference", "input": path});
    let (answers, status, _) = serve("reference", format!("{request}\n"));
    assert_eq!(status, 0);
    assert_eq!(answers[0]["outcome"], "rejected");
    assert_eq!(answers[0]["offset"], (1 << 20) + 1);
}

#[test]
fn a_panic_of_a_subject_is_an_outcome() {
    let requests = [
        r#"{"id":1,"op":"parse","rule":"URI","input":"1:b"}"#,
        r#"{"id":2,"op":"parse","rule":"URI","input":"a:b"}"#,
    ];
    let (answers, status, stderr) = serve("uriparse*URI::try_from", requests.join("\n"));
    assert_eq!(answers[0]["outcome"], "crashed", "{}", answers[0]);
    assert_eq!(answers[1]["outcome"], "accepted");
    assert_eq!((status, &*stderr), (0, ""));
}
