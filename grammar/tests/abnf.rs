//! The ABNF reader: what it takes, and what it says about what it does not.

use uriproof_grammar::abnf::{Element, ErrorKind, Grammar, LetterCase, NumVal, Position};
use uriproof_grammar::{Dfa, rfc3986};

fn element(text: &str) -> Element {
    Grammar::read(&format!("r = {text}")).unwrap().rules()[0].element.clone()
}

fn string(text: &str, case: LetterCase) -> Element {
    Element::CharVal {
        text: text.to_owned(),
        case,
    }
}

fn accepts(grammar: &str, input: &str) -> bool {
    let grammar = Grammar::read(grammar).unwrap_or_else(|error| panic!("{grammar}: {error}"));
    Dfa::compile(&grammar, "r").unwrap().accepts(input.as_bytes())
}

#[track_caller]
fn assert_language(grammar: &str, matching: &[&str], others: &[&str]) {
    for input in matching {
        assert!(accepts(grammar, input), "{grammar}: {input:?} should match");
    }
    for input in others {
        assert!(!accepts(grammar, input), "{grammar}: {input:?} should not match");
    }
}

/// The error that reading the grammar, or compiling rule `r` of it, ends in.
fn error(grammar: &str) -> (Option<(usize, usize)>, ErrorKind, String) {
    let error = match Grammar::read(grammar) {
        Ok(grammar) => Dfa::compile(&grammar, "r").unwrap_err(),
        Err(error) => error,
    };
    let position = error.position.map(|Position { line, column }| (line, column));
    let message = error.to_string();
    (position, error.problem, message)
}

#[track_caller]
fn assert_message(grammar: &str, expected: &str) {
    assert_eq!(error(grammar).2, expected);
}

#[test]
fn appendix_a_is_read_whole() {
    let grammar = rfc3986::grammar();
    let names: Vec<&str> = grammar.rules().iter().map(|rule| &*rule.name).collect();
    assert_eq!(names.len(), 36);
    assert_eq!((names[0], names[24], names[35]), ("URI", "path-empty", "sub-delims"));
    grammar.check().unwrap();
    rfc3986::grammar_with_views().check().unwrap();
}

#[test]
fn concatenation_binds_closer_than_alternation() {
    let [a, b, c] = ["a", "b", "c"].map(|text| string(text, LetterCase::Insensitive));
    assert_eq!(
        element(r#""a" "b" / "c""#),
        Element::Alternation(vec![Element::Concatenation(vec![a.clone(), b.clone()]), c.clone()])
    );
    assert_eq!(
        element(r#""a" ("b" / "c")"#),
        Element::Concatenation(vec![a, Element::Group(Box::new(Element::Alternation(vec![b, c])))])
    );
}

#[test]
fn repetitions() {
    let repeated = |min, max| Element::Repetition {
        min,
        max,
        element: Box::new(string("a", LetterCase::Insensitive)),
    };
    for (text, min, max) in [
        ("*", 0, None),
        ("1*", 1, None),
        ("*4", 0, Some(4)),
        ("2*3", 2, Some(3)),
        ("6", 6, Some(6)),
        ("0", 0, Some(0)),
    ] {
        assert_eq!(element(&format!("{text}\"a\"")), repeated(min, max), "{text}");
    }
    assert_language("r = 2*3\"a\"", &["aa", "aAa"], &["", "a", "aaaa"]);
    assert_language(
        "r = *(1*\"a\" [\"b\"]) \"c\"",
        &["c", "ac", "aabac"],
        &["bc", "abbc", ""],
    );
    assert_language("r = *(*\"a\")", &["", "aaa"], &["b"]);
    assert_language("r = [*\"a\" \"b\"]", &["", "b", "aab"], &["a"]);
}

#[test]
fn strings_and_their_case() {
    assert_eq!(element(r#"%s"aB""#), string("aB", LetterCase::Sensitive));
    assert_eq!(element(r#"%i"aB""#), string("aB", LetterCase::Insensitive));
    assert_language(r#"r = "aB1""#, &["ab1", "AB1", "Ab1"], &["ab", "ab11"]);
    assert_language(r#"r = %s"aB""#, &["aB"], &["ab", "AB"]);
    assert_language(r#"r = """#, &[""], &["a"]);
}

#[test]
fn characters_by_value() {
    let position = Position { line: 1, column: 5 };
    let num_val = |value| Element::NumVal { value, position };
    assert_eq!(element("%x61"), num_val(NumVal::Value(0x61)));
    assert_eq!(element("%d48-57"), num_val(NumVal::Range(48, 57)));
    assert_eq!(element("%b1010.1101"), num_val(NumVal::Concatenation(vec![10, 13])));
    assert_eq!(element("%X1F600"), num_val(NumVal::Value(0x1f600)));
    assert_language("r = %x61.62 / %d48-50", &["ab", "0", "2"], &["AB", "a", "3"]);
    assert_language("r = %xC3 %x80-BF", &["\u{e9}"], &["e", "\u{103}"]);
}

#[test]
fn prose_that_names_a_rule_is_the_rule() {
    assert_language("r = 0<pchar>\npchar = \"a\"", &[""], &["a"]);
    assert_language("r = 1*2<pchar>\npchar = \"a\"", &["a", "aa"], &["", "aaa"]);
}

#[test]
fn names_have_no_case_and_may_be_extended() {
    assert_language(
        "R = Other\noTHER = \"a\"\nother =/ \"b\" / \"c\"",
        &["a", "b", "c"],
        &["d"],
    );
    assert_language("r = \"a\" / \"b\"\nr =/ \"c\" \"d\"", &["a", "b", "cd"], &["ad"]);
    assert_eq!(
        Grammar::read("Foo-1 = \"a\"").unwrap().rule("fOO-1").unwrap().name,
        "Foo-1"
    );
}

#[test]
fn core_rules_are_there_and_can_be_replaced() {
    assert_language("r = ALPHA DIGIT HEXDIG SP", &["a1f ", "Z9A "], &["1af ", "a1g "]);
    assert_language(
        "r = CRLF / LWSP \"x\" / DQUOTE",
        &["\r\n", "x", " \t\r\n x", "\""],
        &["\n", "\r\nx"],
    );
    assert_language("r = 1*DIGIT\ndigit = %x30-31", &["0110"], &["2"]);
    for core in "ALPHA BIT CHAR CR CRLF CTL DIGIT DQUOTE HEXDIG HTAB LF LWSP OCTET SP VCHAR WSP".split(' ') {
        assert!(Dfa::compile(&rfc3986::grammar(), core).is_ok(), "{core}");
    }
}

#[test]
fn layout() {
    // Line ends of both kinds, none at the end, blank lines, comments, continued and indented rules.
    assert_language(
        "\r\n; top\r\n\r\nr = a ; one\r\n\r\n  ; between\r\n    / b\r\na = \"a\"\r\n; caf\u{e9}\r\nb = \"b\"",
        &["a", "b"],
        &[],
    );
    assert_language("   r = \"a\"\n     / \"b\"\n   ; end\n   x = r", &["a", "b"], &[]);
    assert_language("r=( \"a\"\n ; inside\n / \"b\" )\n [ \"c\" ]", &["a", "bc"], &["c"]);
}

#[test]
fn any_abnf_without_recursion() {
    // RFC 3339, with the values that it takes from outside its ABNF left as they are.
    let date = r#"
        r               = date-time
        date-fullyear   = 4DIGIT
        date-month      = 2DIGIT  ; 01-12
        date-mday       = 2DIGIT
        time-hour       = 2DIGIT
        time-minute     = 2DIGIT
        time-second     = 2DIGIT
        time-secfrac    = "." 1*DIGIT
        time-numoffset  = ("+" / "-") time-hour ":" time-minute
        time-offset     = "Z" / time-numoffset
        partial-time    = time-hour ":" time-minute ":" time-second
                          [time-secfrac]
        full-date       = date-fullyear "-" date-month "-" date-mday
        full-time       = partial-time time-offset
        date-time       = full-date "T" full-time
    "#;
    assert_language(
        date,
        &["1985-04-12T23:20:50.52Z", "1996-12-19t16:39:57-08:00"],
        &["1985-04-12", "1985-04-12T23:20:50."],
    );
}

#[test]
fn errors_of_syntax() {
    assert_message(
        "r = \"a",
        "line 1, column 7: found the end of the text, expected printable ASCII, and the closing quote on the same line",
    );
    assert_message(
        "r = (\"a\"\nb = \"b\"",
        "line 1, column 9: found the end of the rule, expected `/`, another element or `)`",
    );
    assert_message(
        "r = \"a\" ! \"b\"",
        "line 1, column 9: found '!', expected `/`, another element or the end of the rule",
    );
    assert_message(
        "r = \"a\"\"b\"",
        "line 1, column 8: found '\"', expected whitespace between two elements",
    );
    assert_message("r : \"a\"", "line 1, column 3: found ':', expected `=` or `=/`");
    assert_message(
        "r = \"a\"\n  b = \"b\"",
        "line 2, column 5: found '=', expected `/`, another element or the end of the rule",
    );
    assert_message(
        "  r = \"a\"\nb = \"b\"",
        "line 2, column 1: found 'b', expected a rule that begins in the column of the first one",
    );
    assert_message(
        "r = %q1",
        "line 1, column 6: found 'q', expected `b`, `d`, `x`, `s` or `i` after `%`",
    );
    assert_message("r = %xG", "line 1, column 7: found 'G', expected a hexadecimal digit");
    assert_message("r = %b2", "line 1, column 7: found '2', expected a binary digit");
    assert_message(
        "r = %x1FFFFFFFF",
        "line 1, column 7: found \"1FFFFFFFF\", expected a number below 2^32",
    );
    assert_message(
        "r = \"\u{e9}\"",
        "line 1, column 6: found '\u{e9}', expected printable ASCII, and the closing quote on the same line",
    );
    assert_message(
        "",
        "line 1, column 1: found the end of the text, expected a rule: a name, `=` and what it stands for",
    );
    assert_message(
        "r = \"a\" /",
        "line 1, column 10: found the end of the text, expected an element: a rule name, \"text\", %x, %d, %b, %s or %i, <prose>, a group or an option",
    );
    assert_message(
        "1r = \"a\"",
        "line 1, column 1: found '1', expected a rule: a name, `=` and what it stands for",
    );
}

#[test]
fn errors_of_names() {
    let (position, problem, message) = error("r = \"a\" fragmnet\nfragment = \"b\"");
    assert_eq!(position, Some((1, 9)));
    assert_eq!(
        problem,
        ErrorKind::UndefinedRule {
            name: "fragmnet".to_owned(),
            nearest: Some("fragment".to_owned()),
        }
    );
    assert_eq!(
        message,
        "line 1, column 9: rule fragmnet is not defined, perhaps fragment is meant"
    );
    assert_message(
        "r = quite-something",
        "line 1, column 5: rule quite-something is not defined, expected its `=`",
    );
    assert_message(
        "r = \"a\"\n\nR = \"b\"",
        "line 3, column 1: rule R is already defined (line 1, column 1), expected `=/` to add alternatives",
    );
    assert_message(
        "r =/ \"b\"",
        "line 1, column 1: `=/` adds to rule r, which is not defined above, expected `=`",
    );
    assert_message(
        "r = <any character>",
        "line 1, column 5: prose <any character> names no rule, expected the name of one or ABNF that says it",
    );
    let missing = Dfa::compile(&rfc3986::grammar(), "URI-referense").unwrap_err();
    assert_eq!(
        missing.to_string(),
        "rule URI-referense is not defined, perhaps URI-reference is meant"
    );
}

#[test]
fn errors_of_numbers() {
    assert_message(
        "r = \"a\"\n  / %x41-30",
        "line 2, column 5: range %x41-30 runs downwards, expected %x30-41",
    );
    assert_message(
        "r = 3*2\"a\"",
        "line 1, column 5: repetition 3*2 is at least 3 and at most 2 times, expected 2*3",
    );
    let (position, problem, _) = error("r = %x61 x\nx = %x41-100");
    assert_eq!(
        (position, problem),
        (Some((2, 5)), ErrorKind::NotAByte { value: 0x100 })
    );
    assert_message(
        "r = %d65.8364",
        "line 1, column 5: %x20AC is not a byte, expected %x00 to %xFF (a character beyond ASCII as its UTF-8 bytes)",
    );
}

#[test]
fn errors_of_recursion() {
    let left = error("r = \"x\" a\na = b \"c\"\nb = [ A ]");
    assert_eq!(left.0, Some((3, 7)));
    assert_eq!(
        left.2,
        "line 3, column 7: rule stands for itself: a -> b -> a, expected rules that a finite automaton can follow"
    );
    let centre = error("r = \"(\" r \")\" / \"\"").1;
    let cycle = ["r", "r"].map(str::to_owned).to_vec();
    assert_eq!(centre, ErrorKind::Recursion { cycle });
    // A rule that is used twice is not recursive, and what rule r does not refer to is no matter of rule r.
    assert_language("r = a a\na = \"a\"\nloop = loop", &["aa"], &["a"]);
    let grammar = Grammar::read("r = \"a\"\nloop = loop").unwrap();
    assert!(matches!(
        grammar.check().unwrap_err().problem,
        ErrorKind::Recursion { .. }
    ));
}

#[test]
fn limits_are_errors() {
    let nested = format!("r = {}\"a\"{}", "(".repeat(101), ")".repeat(101));
    assert_eq!(error(&nested).1, ErrorKind::TooDeep { limit: 100 });
    let chain: String = (0..10_000).map(|rule| format!("r{rule} = r{}\n", rule + 1)).collect();
    assert!(matches!(
        error(&format!("r = r0\n{chain}r10000 = \"a\"")).1,
        ErrorKind::TooDeep { .. }
    ));
    assert_eq!(error("r = 4000000000\"a\"").1, ErrorKind::TooLarge);
    assert_eq!(
        error("r = *(\"a\" / \"b\") \"a\" 18(\"a\" / \"b\")").1,
        ErrorKind::TooLarge
    );
    assert_eq!(error("r = 40000[\"a\"]").1, ErrorKind::TooLarge);
}

#[test]
fn no_text_makes_the_reader_panic() {
    let mut random = fastrand::Rng::with_seed(3986);
    let pieces = [
        "r", "=", "/", " ", "\n", "\r\n", "\"", "a", "%x", "4", "1-", "*", "(", ")", "[", "]", "<", ">", ";", "\u{e9}",
        "=/", ".",
    ];
    for _ in 0..20_000 {
        let length = random.usize(0..20);
        let text: String = (0..length).map(|_| pieces[random.usize(0..pieces.len())]).collect();
        if let Ok(grammar) = Grammar::read(&text) {
            let _ = grammar.check();
        }
    }
}
