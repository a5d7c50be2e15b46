//! Texts with long runs of one character, and with phrases that come again and again, told shortly: embedded vectors have
//! components of 65,536 characters, and thousands of them are written alike.

#![allow(dead_code, reason = "the build script tells, the library writes out")]

/// Stands before a run, and behind it: `\u{1}a65536\u{1}`. No JSON and no TOML has it, nor the signs of phrases.
const MARK: char = '\u{1}';

/// From how many characters on a run is told by its length.
const LONG: usize = 6;

/// The sign of the first phrase; that of each other one is the next character.
const FIRST_SIGN: char = '\u{E}';

/// What many vectors have in common, before whatever of it is a phrase by itself.
const PHRASES: [&str; 18] = [
    "\",\n      \"input\": { \"operation\": \"parse\", \"rule\": \"URI-reference\", \"input\": \"",
    "\",\n      \"input\": { \"operation\": \"parse\", \"rule\": \"",
    "\",\n      \"input\": { \"operation\": \"resolve\", \"base\": \"",
    "\" },\n      \"expect\": { \"rfc3986\": { \"outcome\": \"rejected\" } },\n      \"level\": \"must\",\n      \"clauses\": [\"§",
    "\" },\n      \"expect\": { \"rfc3986\": { \"outcome\": \"accepted\" } },\n      \"level\": \"must\",\n      \"clauses\": [\"§",
    "\" },\n      \"expect\": {\n        \"rfc3986\": {\n          \"outcome\": \"accepted\",\n          \"components\": { \"scheme\": ",
    "\", \"strict\": true },\n      \"expect\": { \"rfc3986\": { \"outcome\": \"accepted\", \"uri\": \"",
    "\" } },\n      \"level\": \"must\",\n      \"clauses\": [\"§",
    " }\n        }\n      },\n      \"level\": \"must\",\n      \"clauses\": [\"§",
    "\"] },\n    { \"id\": \"",
    ", \"userinfo\": null, \"host\": null, \"host_kind\": null, \"port\": null, \"path\": \"",
    ", \"userinfo\": ",
    ", \"host_kind\": \"reg-name\", \"port\": ",
    ", \"query\": null, \"fragment\": null",
    "null, ",
    "\", \"§",
    "3.2.2/",
    "syntax/",
];

fn sign(phrase: usize) -> char {
    char::from(FIRST_SIGN as u8 + phrase as u8)
}

fn phrase(sign: char) -> Option<&'static str> {
    PHRASES.get((sign as usize).checked_sub(FIRST_SIGN as usize)?).copied()
}

/// A text whose long runs are told by their lengths, and its phrases by their signs.
pub(crate) fn told(text: &str) -> String {
    let mut told = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let mut phrases = PHRASES.iter().enumerate();
        if let Some((number, behind)) = phrases.find_map(|(number, phrase)| Some((number, rest.strip_prefix(phrase)?)))
        {
            told.push(sign(number));
            rest = behind;
            continue;
        }
        let behind = rest.trim_start_matches(first);
        let run = &rest[..rest.len() - behind.len()];
        let length = run.len() / first.len_utf8();
        if length >= LONG {
            told.push_str(&format!("{MARK}{first}{length}{MARK}"));
            rest = behind;
        } else {
            told.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    told
}

/// The text that was told so.
pub(crate) fn written_out(told: &str) -> String {
    let mut text = String::new();
    // Every other piece is a run.
    for (place, piece) in told.split(MARK).enumerate() {
        let mut characters = piece.chars();
        let run = (place % 2 == 1).then(|| characters.next().zip(characters.as_str().parse().ok())).flatten();
        match run {
            Some((character, length)) => text.extend(std::iter::repeat_n(character, length)),
            None => {
                for character in piece.chars() {
                    match phrase(character) {
                        Some(phrase) => text.push_str(phrase),
                        None => text.push(character),
                    }
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{FIRST_SIGN, LONG, PHRASES, sign, told, written_out};

    #[test]
    fn a_long_run_is_told_by_its_length_and_written_out_again() {
        let long = "é".repeat(LONG);
        let text = format!("a{}b{long}11\n", "a".repeat(LONG - 2));
        let short = told(&text);
        assert_eq!(short, format!("{}b\u{1}é{LONG}\u{1}11\n", "a".repeat(LONG - 1)));
        assert_eq!(written_out(&short), text);
        assert_eq!(written_out(&told("")), "");
        assert_eq!(written_out(&told(&"1".repeat(1000))), "1".repeat(1000));
    }

    #[test]
    fn a_phrase_is_told_by_its_sign_and_written_out_again() {
        for (number, phrase) in PHRASES.iter().enumerate() {
            let text = format!("a{phrase}b{phrase}{phrase}éééééé");
            let (short, sign) = (told(&text), sign(number));
            assert_eq!(short, format!("a{sign}b{sign}{sign}\u{1}é6\u{1}"), "{phrase}");
            assert_eq!(written_out(&short), text);
            assert!(sign.is_control() && (FIRST_SIGN..' ').contains(&sign));
        }
    }
}
