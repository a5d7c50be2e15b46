//! Hosts that the ends-in-a-number checker and the IPv4 parser of the WHATWG URL Standard decide.

/// The borders of what a part may be: a part, the last of four to one, and the integers in which a parser may count.
const BORDERS: [u128; 17] = [
    0,
    7,
    8,
    9,
    10,
    255,
    256,
    65_535,
    65_536,
    (1 << 24) - 1,
    1 << 24,
    (1 << 31) - 1,
    (1 << 32) - 1,
    1 << 32,
    (1 << 32) + 1,
    1 << 64,
    (1 << 64) + 1,
];

/// What is a number to some parsers, or nearly one.
const NEARLY: [&str; 33] = [
    "", "00", "000", "0x", "0X", "0x0", "0x00", "08", "09", "018", "0x0g", "0xg", "0x-1", "00x1", "0xx1", "a", "1a",
    "a1", "x", "1x", "+1", "-1", "1_0", "1e1", "0b1", "0o1", "%31", "%30x1", "1%2E1", "\u{ff11}", "\u{661}", "\u{b2}",
    "-",
];

/// Forms beside each other: each kind of number, and its border.
const FEW: [&str; 11] = [
    "", "0", "255", "256", "0xff", "0x100", "0377", "0400", "65536", "a", "09",
];

/// The most parts; the parser takes four.
const MOST_PARTS: usize = 6;

/// Every form of a part.
pub(super) fn forms() -> Vec<String> {
    let notations = |number: u128| {
        [
            format!("{number}"),
            format!("0x{number:x}"),
            format!("0X{number:X}"),
            format!("0x00{number:x}"),
            format!("0{number:o}"),
            format!("000{number:o}"),
        ]
    };
    let borders = BORDERS.into_iter().flat_map(notations);
    NEARLY.map(str::to_owned).into_iter().chain(borders).collect()
}

/// Every host.
pub(super) fn hosts() -> Vec<String> {
    let mut hosts = Vec::new();
    one_form(&mut hosts);
    two_forms(&mut hosts);
    octets(&mut hosts);
    short("018ax.", 5, &mut hosts);
    hosts
}

/// Each form at each place among other parts, before up to two dots.
fn one_form(hosts: &mut Vec<String>) {
    let forms = forms();
    for (count, place) in (1..=MOST_PARTS).flat_map(|count| (0..count).map(move |place| (count, place))) {
        for form in &forms {
            let mut parts = vec!["1"; count];
            parts[place] = form;
            let host = parts.join(".");
            hosts.extend(["", ".", ".."].map(|end| format!("{host}{end}")));
        }
    }
}

/// Each two of a few forms at each two places.
fn two_forms(hosts: &mut Vec<String>) {
    for count in 2..=MOST_PARTS {
        for (first, second) in (0..count).flat_map(|second| (0..second).map(move |first| (first, second))) {
            for (one, other) in FEW.iter().flat_map(|one| FEW.map(|other| (one, other))) {
                let mut parts = vec!["0"; count];
                parts[first] = one;
                parts[second] = other;
                hosts.push(parts.join("."));
            }
        }
    }
}

/// Each octet, and the numbers after, in each notation at each of four places.
fn octets(hosts: &mut Vec<String>) {
    for octet in 0..=260 {
        for form in [format!("{octet}"), format!("0x{octet:x}"), format!("0{octet:o}")] {
            for place in 0..4 {
                let mut parts = ["1"; 4];
                parts[place] = &form;
                hosts.push(parts.join("."));
            }
        }
    }
}

/// Each string of up to `longest` of these characters.
pub(super) fn short(characters: &str, longest: usize, strings: &mut Vec<String>) {
    let mut of_length = vec![String::new()];
    for _ in 0..longest {
        let longer = |string: &String| characters.chars().map(|one| format!("{string}{one}")).collect::<Vec<_>>();
        of_length = of_length.iter().flat_map(longer).collect();
        strings.extend(of_length.iter().cloned());
    }
}
