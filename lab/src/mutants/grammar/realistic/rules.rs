//! Faults that are written as rules in place of Appendix A's.

use uriproof_grammar::abnf::{Element, Error, Grammar};

use super::numerals::numerals;
use crate::mutants::grammar::family::MutantFamily::{self, *};

/// Rules by their names.
type Rules = Vec<(String, Element)>;

/// The mutants that are other rules.
pub(crate) fn overrides() -> Result<Vec<(MutantFamily, String, Rules)>, Error> {
    let mut texts = written();
    texts.extend(characters());
    texts.extend(percent_encoding());
    texts.extend(ipv6());
    texts.extend(numerals().into_iter().map(|(name, abnf)| (Numeral, name, abnf)));
    texts
        .into_iter()
        .map(|(family, name, abnf)| {
            let grammar = Grammar::read(&abnf)?;
            let rules = grammar.rules().iter().map(|rule| (rule.name.clone(), rule.element.clone()));
            Ok((family, name, rules.collect()))
        })
        .collect()
}

/// The components that take percent-encoded characters, with their own characters beside unreserved and sub-delims.
const TEXTS: [(&str, &str); 5] = [
    ("userinfo", "\":\""),
    ("host", ""),
    ("path", "\":\" / \"@\""),
    ("query", "\":\" / \"@\" / \"/\" / \"?\""),
    ("fragment", "\":\" / \"@\" / \"/\" / \"?\""),
];

/// The rules of a component where one of its characters is `character`, an alternation.
fn text_of(component: &str, character: &str) -> String {
    match component {
        "host" => format!("reg-name = *( {character} )"),
        "path" => {
            let no_colon = character.replace("\":\" / ", "");
            format!("segment = *( {character} )\nsegment-nz = 1*( {character} )\nsegment-nz-nc = 1*( {no_colon} )")
        }
        _ => format!("{component} = *( {character} )"),
    }
}

fn joined(alternatives: &[&str]) -> String {
    let present: Vec<&str> = alternatives.iter().copied().filter(|alternative| !alternative.is_empty()).collect();
    present.join(" / ")
}

fn characters() -> Vec<(MutantFamily, String, String)> {
    let mut mutants = Vec::new();
    let accepted = [
        ("brackets", r#""[" / "]""#),
        ("a vertical bar", r#""|""#),
        ("a backslash", r#""\""#),
        ("a caret", r#""^""#),
        ("a backtick", r#""`""#),
        ("a space", "SP"),
        ("a quotation mark", "DQUOTE"),
        ("angle brackets", r#""<" / ">""#),
        ("braces", r#""{" / "}""#),
        ("bytes beyond ASCII", "%x80-FF"),
        ("DEL", "%x7F"),
        ("NUL", "%x00"),
        ("a tab", "HTAB"),
        ("control characters", "%x01-1F"),
    ];
    for (component, own) in TEXTS {
        for (what, abnf) in accepted {
            let character = joined(&[own, "unreserved / pct-encoded / sub-delims", abnf]);
            mutants.push((
                Characters,
                format!("{component} accepts {what}"),
                text_of(component, &character),
            ));
        }
        let marks = [
            "~",
            "'",
            "!",
            "*",
            "()",
            "+",
            "$",
            ",",
            ";",
            "=",
            "&",
            "_",
            "!$&'()*+,;=",
        ];
        for refused in marks {
            let kept = "-._~!$&'()*+,;=".chars().filter(|&mark| !refused.contains(mark));
            let kept: Vec<String> = kept.map(|mark| format!("\"{mark}\"")).collect();
            let character = joined(&[own, "ALPHA / DIGIT / pct-encoded", &kept.join(" / ")]);
            mutants.push((
                Characters,
                format!("{component} refuses {refused}"),
                text_of(component, &character),
            ));
        }
    }
    for (what, abnf) in accepted {
        let abnf = format!("unreserved = ALPHA / DIGIT / \"-\" / \".\" / \"_\" / \"~\" / {abnf}");
        mutants.push((Characters, format!("every component accepts {what}"), abnf));
    }
    mutants
}

fn percent_encoding() -> Vec<(MutantFamily, String, String)> {
    let mut mutants = Vec::new();
    let forms = [
        ("accepts % alone", r#"pct-encoded / "%""#),
        ("accepts % and one digit", r#"pct-encoded / "%" HEXDIG"#),
        ("accepts % and any two letters or digits", r#""%" 2( ALPHA / DIGIT )"#),
        ("accepts %%", r#"pct-encoded / "%%""#),
        ("accepts %u and four digits", r#"pct-encoded / "%u" 4HEXDIG"#),
        ("refuses lower-case triplets", r#""%" 2( DIGIT / %x41-46 )"#),
        ("refuses upper-case triplets", r#""%" 2( DIGIT / %x61-66 )"#),
        (
            "refuses triplets of mixed case",
            r#""%" ( 2( DIGIT / %x41-46 ) / 2( DIGIT / %x61-66 ) )"#,
        ),
        ("refuses all triplets", ""),
        (
            "refuses %00",
            r#""%" ( "0" ( %x31-39 / %x41-46 / %x61-66 ) / ( %x31-39 / %x41-46 / %x61-66 ) HEXDIG )"#,
        ),
        (
            "refuses triplets of control characters",
            r#""%" ( %x32-39 / %x41-46 / %x61-66 ) HEXDIG"#,
        ),
        ("refuses triplets beyond ASCII", r#""%" %x30-37 HEXDIG"#),
        ("refuses triplets that begin with a letter", r#""%" DIGIT HEXDIG"#),
        (
            "refuses %2F",
            r#""%" ( "2" ( DIGIT / %x41-45 / %x61-65 ) / ( %x30-31 / %x33-39 / %x41-46 / %x61-66 ) HEXDIG )"#,
        ),
    ];
    for (component, own) in TEXTS {
        for (what, abnf) in forms {
            let character = joined(&[own, "unreserved / sub-delims", abnf]);
            mutants.push((
                PercentEncoding,
                format!("{component} {what}"),
                text_of(component, &character),
            ));
        }
    }
    mutants
}

fn ipv6() -> Vec<(MutantFamily, String, String)> {
    let mut lines = vec![
        r#"6( h16 ":" ) ls32"#.to_owned(),
        r#""::" 5( h16 ":" ) ls32"#.to_owned(),
    ];
    for (left, right) in [(0, 4), (1, 3), (2, 2), (3, 1), (4, 0)] {
        lines.push(format!("{} \"::\" {right}( h16 \":\" ) ls32", left_of(left)));
    }
    lines.push(format!("{} \"::\" h16", left_of(5)));
    lines.push(format!("{} \"::\"", left_of(6)));
    let with = |at: usize, line: Option<String>| {
        let mut lines = lines.clone();
        match line {
            Some(line) => lines[at] = line,
            None => {
                lines.remove(at);
            }
        }
        format!("IPv6address = {}", lines.join("\n / "))
    };
    let mut mutants = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let number = at + 1;
        let mut add =
            |what: &str, line| mutants.push((IpLiteral, format!("IPv6: {what} alternative {number}"), with(at, line)));
        add("no", None);
        if at < 7 {
            add("no IPv4 tail in", Some(line.replace("ls32", "h16 \":\" h16")));
            add("only an IPv4 tail in", Some(line.replace("ls32", "IPv4address")));
            add(
                "the last group is not counted in",
                Some(line.replace("ls32", "( h16 / ls32 )")),
            );
        }
        if at >= 2 {
            let left = at - 2;
            add(
                "one group more before :: in",
                Some(line.replace(&left_of(left), &left_of(left + 1))),
            );
            add(
                "a group is needed before :: in",
                Some(line.replacen('[', "(", 1).replacen(']', ")", 1)),
            );
            if left > 0 {
                add(
                    "one group less before :: in",
                    Some(line.replace(&left_of(left), &left_of(left - 1))),
                );
                add(
                    "the groups before :: are counted exactly in",
                    Some(line.replacen(&format!("*{left}("), &format!("{left}("), 1)),
                );
            }
        }
    }
    mutants
}

/// What stands before "::", of at most `most` groups and one.
fn left_of(most: usize) -> String {
    if most == 0 {
        "[ h16 ]".to_owned()
    } else {
        format!("[ *{most}( h16 \":\" ) h16 ]")
    }
}

/// The faults that are written as rules, family by family.
const RULES: &str = include_str!("../realistic.abnf");

/// The family, the name and the rules of each mutant of [`RULES`].
fn written() -> Vec<(MutantFamily, String, String)> {
    let mut family = Forms;
    let mut mutants = Vec::new();
    for line in RULES.lines() {
        if let Some(name) = line.strip_prefix(";;; ") {
            let named = MutantFamily::REALISTIC.iter().find(|family| family.to_string() == name);
            family = *named.unwrap_or_else(|| panic!("realistic.abnf: no family {name}"));
        } else if let Some(name) = line.strip_prefix(";; ") {
            mutants.push((family, name.to_owned(), String::new()));
        } else if let Some((_, _, rules)) = mutants.last_mut() {
            rules.push_str(line);
            rules.push('\n');
        }
    }
    mutants
}
