//! Numerals that a lenient reader of numbers reads: each numeral of the grammar with each leniency, made by rule.

/// Numerals of any width: a name, the rule with `{}` in the place of a numeral, the numeral, and its digits.
const NUMERALS: [(&str, &str, &str, &str); 4] = [
    ("a group of an IPv6 address", "h16 = {}", "1*4HEXDIG", "HEXDIG"),
    (
        "an octet of an address in an IPv6 address",
        r#"ls32 = h16 ":" h16 / {} "." {} "." {} "." {}"#,
        "dec-octet",
        "DIGIT",
    ),
    (
        "a version of IPvFuture",
        r#"IPvFuture = "v" {} "." 1*( unreserved / sub-delims / ":" )"#,
        "1*HEXDIG",
        "HEXDIG",
    ),
    ("a port", "port = {}", "*DIGIT", "DIGIT"),
];

/// Texts that readers of numbers accept, with names of such readers: `N` is the numeral, `D` a digit.
const LENIENCIES: [(&str, &str); 17] = [
    // Rust's `from_str_radix`, C's `strtol`, Python's `int`.
    ("a plus", r#"[ "+" ] N"#),
    ("a minus", r#"[ "-" ] N"#),
    // `strtol`, `int`, JavaScript's `Number` and `parseInt`.
    ("a space before", "[ SP ] N"),
    ("a tab before", "[ HTAB ] N"),
    ("a line feed before", "[ LF ] N"),
    ("a no-break space before", "[ %xC2.A0 ] N"),
    // `int`, `Number`.
    ("a space behind", "N [ SP ]"),
    ("a line feed behind", "N [ LF ]"),
    // `int`, and the literals of most languages.
    ("an underscore between digits", r#"N / D "_" D"#),
    // `strtol` with the base 16 or 0, `Number`.
    ("0x before", r#"[ "0x" ] N"#),
    // `strtol`, `atoi`, `parseInt`: what follows the digits is not read.
    ("a letter behind", "N [ %x67-7A ]"),
    // `Number`, `strtod`.
    ("a fraction", r#"N [ "." D ]"#),
    ("an exponent", r#"N / D "e" [ "+" ] DIGIT"#),
    // `int`, Java's `Integer.parseInt`: digits of every script.
    ("Arabic-Indic digits", "N / %xD9 %xA0-A9"),
    ("full-width digits", "N / %xEF.BC %x90-99"),
    ("no digit", "[ N ]"),
    ("zeros before", r#"*"0" N"#),
];

/// The same where a numeral has two digits, as that of a triplet has.
const TRIPLETS: [(&str, &str); 12] = [
    ("a plus", r#""+" HEXDIG"#),
    ("a minus", r#""-" HEXDIG"#),
    ("a space before", "SP HEXDIG"),
    ("a tab before", "HTAB HEXDIG"),
    ("a line feed before", "LF HEXDIG"),
    ("a space behind", "HEXDIG SP"),
    ("a line feed behind", "HEXDIG LF"),
    ("0x", r#""0x""#),
    ("a letter behind", "HEXDIG %x67-7A"),
    ("a point behind", r#"HEXDIG ".""#),
    ("Arabic-Indic digits", "2( %xD9 %xA0-A9 )"),
    ("full-width digits", "2( %xEF.BC %x90-99 )"),
];

/// The name and the rules of each mutant.
pub(super) fn numerals() -> Vec<(String, String)> {
    let of_numerals = NUMERALS.iter().flat_map(|&(name, rule, numeral, digit)| {
        LENIENCIES.iter().map(move |&(leniency, written)| {
            // A leniency has `N` and `D` as words of their own.
            let words = written.split(' ').map(|word| match word {
                "N" => numeral,
                "D" => digit,
                other => other,
            });
            let lenient = format!("( {} )", words.collect::<Vec<_>>().join(" "));
            (format!("{name}: {leniency}"), rule.replace("{}", &lenient))
        })
    });
    let of_triplets = TRIPLETS.iter().map(|&(leniency, written)| {
        let rule = format!(r#"pct-encoded = "%" ( 2HEXDIG / {written} )"#);
        (format!("a triplet: {leniency}"), rule)
    });
    of_numerals.chain(of_triplets).collect()
}
