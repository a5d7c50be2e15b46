//! The standard suite for RFC 3986's URI-reference: what parsers get wrong, systematically.
//!
//! Its first two parts are the core suite. `hsi` is complete in the sense of [`complete`](crate::complete): an
//! implementation that passes it and differs has more states than the machine, or treats two bytes of a class differently.
//! Real faults do both: they forget one character, count, trim, or look ahead. The other parts ask for that, part by part,
//! and **no theorem says that they are enough**; how much they find is counted with mutants of the grammar.
//!
//! The parts were designed while looking at the mutants that earlier versions let pass: as kinds (a delimiter in place of a
//! colon of an IPv6 address, a string in quotation marks), never as single strings; and who wrote the realistic mutants
//! wrote the suite. So the counts flatter it. The sets themselves were not cut to fit: of what the suite let pass nothing
//! was taken out. A check with 2,792 operator mutants that nobody had looked at (other characters, other references) gave
//! 89.7 %, against 97.9 % of those at hand. All 288 that passed it let another character stand for a ":" of IPv6address
//! (275) or for a "/" of path-absolute (13), in one place each: mostly letters, digits and controls, of which the suite has
//! a sample there.
//!
//! Every string is valid UTF-8, because most parsers take text, and is in the suite once, in the first part that has it.
//! The order never changes; nothing is random.

use std::collections::hash_map::Entry;
use std::hash::BuildHasherDefault;
use std::ops::Range;

use crate::abnf::Error;
use crate::automaton::Dfa;
use crate::complete::{Certificate, Method, Suites};
use crate::hash::{FastMap, hash_of};
use crate::machine::{Alphabet, Machine, State};
use crate::moore::Moore;
use crate::rfc3986;

/// How many strings the suite may have: a whole run over every implementation must stay a matter of seconds.
pub const MOST_STRINGS: usize = 400_000;

/// How many bytes the strings may have together.
pub const MOST_BYTES: usize = 12_000_000;

/// The standard suite, in memory.
#[derive(Clone, Debug)]
pub struct Standard {
    text: Vec<u8>,
    /// Where each string ends in `text`.
    ends: Vec<usize>,
    parts: Vec<StandardPart>,
    certificate: Certificate,
}

/// A named part of the suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandardPart {
    /// The name, in lower-kebab case.
    pub name: &'static str,
    /// What the part tests.
    pub description: &'static str,
    /// Its strings, as numbers in [`Standard::strings`].
    pub strings: Range<usize>,
}

impl Standard {
    /// Compiles RFC 3986's machines and makes the suite of them.
    ///
    /// # Errors
    ///
    /// None: the grammar compiles.
    pub fn of_rfc3986() -> Result<Standard, Error> {
        let reference = Dfa::compile(&rfc3986::grammar(), "URI-reference")?;
        Ok(Standard::new(&reference, &rfc3986::component_machine()?))
    }

    /// The suite, made of the machine of URI-reference and of [`rfc3986::component_machine`].
    #[expect(clippy::too_many_lines, reason = "one call for each part of the suite")]
    pub fn new(reference: &Dfa, components: &Moore) -> Standard {
        let mut builder = StandardBuilder {
            text: Vec::with_capacity(MOST_BYTES),
            ends: Vec::with_capacity(MOST_STRINGS),
            parts: Vec::new(),
            known: FastMap::with_capacity_and_hasher(MOST_STRINGS, BuildHasherDefault::default()),
        };
        let suites = Suites::new(reference.machine());
        let hsi = suites.suite(Method::Hsi(0), Alphabet::Representatives);
        let certificate = hsi.certificate();
        builder.part(
            "hsi",
            "complete for implementations of at most as many states as the machine that treat the bytes of a class alike",
            |strings| hsi.for_each(|string| strings.add(&[&string])),
        );
        builder.part(
            "component-transitions",
            "every transition of the machine that tells the components apart, class by class",
            |strings| component_transitions(strings, components.machine()),
        );
        builder.part(
            "byte-confusion",
            "every ASCII character and characters beyond ASCII, put in and in place of each character of sample URIs, and \
             in every state of the machine",
            |strings| {
                byte_confusion(strings);
                every_state(strings, reference, &suites);
            },
        );
        builder.part(
            "sample-edits",
            "the pieces of sample URIs left out, doubled, swapped and cut off",
            sample_edits,
        );
        builder.part(
            "wrappings",
            "sample URIs in spaces, line ends, brackets, quotation marks and other text that a reader may take off",
            wrappings,
        );
        builder.part(
            "schemes",
            "registered schemes, for which an implementation may have rules of its own",
            schemes,
        );
        builder.part(
            "combinations",
            "every choice of forms of the components, side by side",
            combinations,
        );
        builder.part(
            "component-words",
            "short words over the characters that matter, in every component",
            component_words,
        );
        builder.part(
            "ipv6-shapes",
            "numbers of groups on either side of \"::\", digits of a group, IPv4 tails, stray colons, zones",
            ipv6_shapes,
        );
        builder.part(
            "ports",
            "numbers at the ends of integer types, leading zeros, signs, after each kind of host",
            ports,
        );
        builder.part(
            "dec-octets",
            "0 to 300 and leading zeros at each place of an IPv4 address, alone and behind an IPv6 address",
            dec_octets,
        );
        builder.part(
            "triplets",
            "all 256 percent-encoded octets in either case, and broken ones, in each component",
            triplets,
        );
        builder.part(
            "pumped",
            "the loops of the machine that tells the components apart, several times over",
            |strings| pumped(strings, components.machine()),
        );
        builder.part(
            "lengths",
            "components around the sizes of buffers and counters, in bytes and in pieces",
            lengths,
        );
        Standard {
            text: builder.text,
            ends: builder.ends,
            parts: builder.parts,
            certificate,
        }
    }

    /// The parts, in order; together they are all strings.
    pub fn parts(&self) -> &[StandardPart] {
        &self.parts
    }

    /// How many strings there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no strings: never.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many bytes the strings have together.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    /// A string by its number.
    ///
    /// # Panics
    ///
    /// If there are not that many.
    pub fn string(&self, number: usize) -> &[u8] {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.text[start..self.ends[number]]
    }

    /// All strings, each once, in the order of the parts.
    pub fn strings(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.len()).map(|number| self.string(number))
    }

    /// The strings of one part.
    pub fn strings_of(&self, part: &StandardPart) -> impl ExactSizeIterator<Item = &[u8]> {
        part.strings.clone().map(|number| self.string(number))
    }

    /// How many of the strings are the core suite: the parts `hsi` and `component-transitions`.
    pub fn core(&self) -> usize {
        self.parts[1].strings.end
    }

    /// What the part `hsi` proves; the others prove nothing.
    pub fn certificate(&self) -> Certificate {
        self.certificate
    }
}

/// Collects strings, each once.
struct StandardBuilder {
    text: Vec<u8>,
    ends: Vec<usize>,
    parts: Vec<StandardPart>,
    /// The number of the string with a hash; where another string has the hash, the next free hash is taken.
    known: FastMap<u64, u32>,
}

impl StandardBuilder {
    fn part(&mut self, name: &'static str, description: &'static str, make: impl FnOnce(&mut StandardBuilder)) {
        let start = self.ends.len();
        make(self);
        self.parts.push(StandardPart {
            name,
            description,
            strings: start..self.ends.len(),
        });
    }

    /// The string that the pieces make, unless it is there.
    fn add<Piece: AsRef<[u8]>>(&mut self, pieces: &[Piece]) {
        let start = self.text.len();
        for piece in pieces {
            self.text.extend_from_slice(piece.as_ref());
        }
        let mut hash = hash_of(&self.text[start..]);
        loop {
            match self.known.entry(hash) {
                Entry::Vacant(entry) => {
                    entry.insert(self.ends.len() as u32);
                    self.ends.push(self.text.len());
                    return;
                }
                Entry::Occupied(entry) => {
                    let number = *entry.get() as usize;
                    let before = if number == 0 { 0 } else { self.ends[number - 1] };
                    if self.text[before..self.ends[number]] == self.text[start..] {
                        self.text.truncate(start);
                        return;
                    }
                    hash = hash.wrapping_add(1);
                }
            }
        }
    }
}

/// URIs with every rule of the grammar in them, short enough to ask every character at every place.
const SAMPLES: &[&str] = &[
    "http://u:p@ex.am/a/b;c?d=e&/?f#g/?",
    "//h:80/p",
    "//192.0.2.255:1",
    "//[::1]:8/",
    "//[ab::192.0.2.1]x",
    "//[1:22:333:4444:5:6:7:8]",
    "//[1::19.123.234.255]",
    "ab://[::1]:8/",
    "//u@[vF.a:b]",
    "a+b-c.1:x:y@z",
    "a:/b//c/../",
    "a://%4a/%4B?%4c#%4D",
    "//u%20:@?#",
    "file:///e",
    "a/b:c",
    "./a:b",
    "../a",
    "/a",
    "?q",
    "#f",
];

/// Characters beyond ASCII that parsers are known to fold, strip, map to delimiters or take for spaces, and the ends of the
/// ranges of UTF-8's lengths.
const BEYOND_ASCII: &[char] = &[
    '\u{80}',
    '\u{85}',
    '\u{A0}',
    '\u{AD}',
    '\u{E9}',
    '\u{FF}',
    '\u{130}',
    '\u{17F}',
    '\u{660}',
    '\u{7FF}',
    '\u{800}',
    '\u{200B}',
    '\u{200E}',
    '\u{2028}',
    '\u{2029}',
    '\u{202E}',
    '\u{2044}',
    '\u{212A}',
    '\u{3000}',
    '\u{3002}',
    '\u{FEFF}',
    '\u{FF0E}',
    '\u{FF0F}',
    '\u{FF11}',
    '\u{FF1A}',
    '\u{FF20}',
    '\u{FF21}',
    '\u{FFFD}',
    '\u{1F600}',
    '\u{10FFFF}',
];

fn characters() -> Vec<String> {
    (0..0x80_u8).map(char::from).chain(BEYOND_ASCII.iter().copied()).map(String::from).collect()
}

/// The machine's transition cover, made without its identifiers, which cost more than all the rest of the suite.
fn component_transitions(strings: &mut StandardBuilder, machine: &Machine) {
    for access in machine.access_words() {
        strings.add(&[&access]);
        for &byte in machine.representatives() {
            strings.add(&[&access[..], &[byte]]);
        }
    }
}

fn byte_confusion(strings: &mut StandardBuilder) {
    let characters = characters();
    for sample in SAMPLES {
        for at in 0..=sample.len() {
            for character in &characters {
                strings.add(&[&sample[..at], character, &sample[at..]]);
                if at < sample.len() {
                    strings.add(&[&sample[..at], character, &sample[at + 1..]]);
                }
            }
        }
    }
}

/// Every character behind every access word, with nothing behind it, and with what would have made the string match had
/// the character been another.
fn every_state(strings: &mut StandardBuilder, reference: &Dfa, suites: &Suites<'_>) {
    let characters = characters();
    let completions = completions(reference.machine());
    for (state, access) in suites.state_cover().iter().enumerate() {
        let state = state as State;
        let mut endings: Vec<&[u8]> = vec![b""];
        for &byte in reference.machine().representatives() {
            let completion = completions[reference.step(state, byte) as usize].as_deref();
            endings.extend(completion.filter(|ending| !endings.contains(ending)));
        }
        for character in &characters {
            for ending in &endings {
                strings.add(&[&access[..], character.as_bytes(), ending]);
            }
        }
    }
}

/// For each state a shortest word to an accepting state, if there is any; of several the first in class order.
fn completions(machine: &Machine) -> Vec<Option<Vec<u8>>> {
    let states = 0..machine.states() as State;
    let accepts = |state: State| (machine.output(state) != 0).then(Vec::new);
    let mut words: Vec<Option<Vec<u8>>> = states.clone().map(accepts).collect();
    loop {
        let mut longer = Vec::new();
        for state in states.clone().filter(|&state| words[state as usize].is_none()) {
            longer.extend(machine.representatives().iter().find_map(|&byte| {
                let rest = words[machine.step(state, byte) as usize].as_ref()?;
                Some((state, [&[byte], &rest[..]].concat()))
            }));
        }
        if longer.is_empty() {
            return words;
        }
        for (state, word) in longer {
            words[state as usize] = Some(word);
        }
    }
}

/// Delimiters alone, and what stands between them.
fn pieces(sample: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, character) in sample.char_indices() {
        if !character.is_ascii_alphanumeric() {
            if start < at {
                pieces.push(&sample[start..at]);
            }
            pieces.push(&sample[at..=at]);
            start = at + 1;
        }
    }
    if start < sample.len() {
        pieces.push(&sample[start..]);
    }
    pieces
}

fn sample_edits(strings: &mut StandardBuilder) {
    for sample in SAMPLES {
        let pieces = pieces(sample);
        let count = pieces.len();
        for from in 0..count {
            strings.add(&pieces[from..]);
            for to in from + 1..=count {
                strings.add(&pieces[..to]);
                let (before, run, after) = (&pieces[..from], &pieces[from..to], &pieces[to..]);
                strings.add(&[before, after].concat());
                strings.add(&[before, run, run, after].concat());
                strings.add(&[before, run, run, run, after].concat());
                // Two neighbouring runs change places.
                for end in to + 1..=count.min(to + 3) {
                    strings.add(&[before, &pieces[to..end], run, &pieces[end..]].concat());
                }
            }
            // Two pieces are left out, as brackets are.
            for other in from + 1..count {
                strings.add(&[&pieces[..from], &pieces[from + 1..other], &pieces[other + 1..]].concat());
            }
            // One piece stands in for another.
            for to in 0..count {
                strings.add(&[&pieces[..from], &pieces[to..=to], &pieces[from + 1..]].concat());
            }
        }
    }
}

fn wrappings(strings: &mut StandardBuilder) {
    let characters = characters();
    let pairs = [
        ("<", ">"),
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("\u{ab}", "\u{bb}"),
        ("\u{201c}", "\u{201d}"),
        ("<URL:", ">"),
    ];
    let ends = [
        "\r\n", "\n\n", "  ", " \t", "\0\0", "\0a", " a", "\na", "\ra", "\ta", "%00", "%0A", "%20", "\\n",
    ];
    let starts = [
        "URL:",
        "url:",
        "URL: ",
        "URI:",
        "  ",
        "\r\n",
        "\t ",
        "\u{FEFF} ",
        "view-source:",
        "./",
        "//",
        "http:",
    ];
    for sample in SAMPLES {
        for character in &characters {
            strings.add(&[character.as_str(), *sample, character]);
        }
        for (before, after) in pairs {
            strings.add(&[before, sample, after]);
        }
        for end in ends {
            strings.add(&[*sample, end]);
        }
        for start in starts {
            strings.add(&[start, *sample]);
        }
    }
}

fn schemes(strings: &mut StandardBuilder) {
    let schemes = "about blob chrome coap content cvs data dav dict dns file ftp ftps geo git go gopher http \
                   https icap imap info ipp irc jar javascript jdbc ldap ldaps localhost magnet mailto mid cid \
                   mongodb news nfs nntp oid pop postgresql redis resource rsync rtsp sftp sip sips sms snmp ssh \
                   svn tag tel telnet tftp turn urn vbscript view-source ws wss xmpp z39.50 c C";
    // The first of them is empty, here and below.
    let rests = " : :a :/ :/a :// :/// :///a ://h ://h: ://h:1 ://h:1/ ://:1 ://u@ ://u@h/p ://[::1] :?q :#f \
                 ://?q ://h?q ://h#f :a@b :a:b :a:b:c :a,b :a;b=c :%41 :80 :. :: :/: ://h// s: +x: ://1.2.3.4 \
                 ://1.2.3.256 ://%41 ://_ ://a..b";
    for scheme in schemes.split(' ') {
        let upper = scheme.to_ascii_uppercase();
        for scheme in [scheme, &upper] {
            for rest in rests.split(' ') {
                strings.add(&[scheme, rest]);
            }
        }
    }
}

fn combinations(strings: &mut StandardBuilder) {
    let schemes = ["", ":", "a:", "1:", "a+1-.:"];
    let userinfos = ["", "@", "u@", "u:p@", ":@", "u@v@"];
    let hosts = ["", "h", "1.2.3.4", "1.2.3", "[::1]", "[v1.a]", "[]", "::1", "%41"];
    let ports = ["", ":", ":80", ":8a", ":8:0"];
    let paths = ["", "/", "//", "/a", "a", "a/", "a:b", "/a:b", "/a//b/", "//a"];
    let tails = ["", "?", "#", "?#", "?q", "#f", "?q#f", "#f?q", "?q?q", "#f#f"];
    for scheme in schemes {
        for path in paths {
            for tail in tails {
                strings.add(&[scheme, path, tail]);
            }
        }
        for userinfo in userinfos {
            for host in hosts {
                for port in ports {
                    for path in ["", "/", "a", "//", "/a:b/"] {
                        for tail in ["", "?#", "?q", "#f"] {
                            strings.add(&[scheme, "//", userinfo, host, port, path, tail]);
                        }
                    }
                }
            }
        }
    }
}

/// Where a component's text can stand: what is before it and what is behind it.
const PLACES: &[(&str, &str)] = &[
    ("", ":"),
    ("a", ":b"),
    ("//", "@"),
    ("//u", "@h:1/"),
    ("//", ""),
    ("a://h", ":1/p"),
    ("//u@", ""),
    ("//h:", ""),
    ("//[", "]"),
    ("//[v1.", "]"),
    ("//h/", ""),
    ("//h", ""),
    ("/", ""),
    ("", ""),
    ("a", ""),
    ("a:", ""),
    ("a/", ""),
    ("?", ""),
    ("a:b?q", "#"),
    ("#", ""),
    ("a:b#f", ""),
];

fn component_words(strings: &mut StandardBuilder) {
    let symbols = ["a", "0", "%41", ".", "-", "!", ":", "@", "/", "?", "#", "["];
    let words = words(&symbols, 3);
    for (before, after) in PLACES {
        for word in &words {
            strings.add(&[*before, word, after]);
        }
    }
}

/// Every word of at most that many symbols.
fn words(symbols: &[&str], longest: usize) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut start = 0;
    for _ in 0..longest {
        let end = words.len();
        for at in start..end {
            for symbol in symbols {
                words.push(format!("{}{symbol}", words[at]));
            }
        }
        start = end;
    }
    words
}

fn ipv6_shapes(strings: &mut StandardBuilder) {
    let mut addresses = elided_addresses();
    addresses.extend(addresses_with_odd_group());
    other_colons(strings);
    for address in &addresses {
        for stray in ["", ":"] {
            strings.add(&["//[", address, stray, "]"]);
            strings.add(&["//[", stray, address, "]"]);
        }
    }
    let frames = "//X X http://X/ //[X //X] //[[X]] //[X]] //[[X] //[X]a //a[X] //[X][::1] //[X]. //[X]:80 //[X]: \
                  //[X]80 //[X]@h //[X]:80@h //u@[X] //u:p@[X]:80 //[u@X] a://u@[X]:80/p?q#f a://[X]?q a://[X]#f \
                  a://[X]\\ /[X] [X] a:[X] a:/[X] ?[X] #[X] //h/[X] [X]: //%5BX%5D //(X) //{X}";
    for address in ":: ::1 1:: 1:2:3:4:5:6:7:8 1::8 ::1.2.3.4 fe80::a 1:2:3:4:5:6:7::".split(' ') {
        for zone in [
            "%", "%25", "%eth0", "%25eth0", "%251", "%25%41", "%1", "%25/", "/64", "/", "%25e~", "%2", " ", ".", ":80",
            ":",
        ] {
            strings.add(&["//[", address, zone, "]"]);
        }
        for (before, after) in frames.split(' ').filter_map(|frame| frame.split_once('X')) {
            strings.add(&[before, address, after]);
        }
    }
    let others = " : v v1 v1. v. v.a V1.a vg.a v1.a vFf.: v1a v1.. v1.%41 v1.a@b v11111.a v0.::1 1.2.3.4 a \
                  localhost";
    for address in others.split(' ') {
        strings.add(&["//[", address, "]"]);
        strings.add(&["a://u@[", address, "]:80/p"]);
    }
}

/// Numbers of groups before and behind an elision, with tails; and with two elisions.
fn elided_addresses() -> Vec<String> {
    let tails = " 1.2.3.4 255.255.255.255 1.2.3 1.2.3.4.5 256.2.3.4 01.2.3.4 1.2.3.4:1 1.2.3.4::";
    let group = |digits: usize| &"0123456789"[10 - digits..];
    let mut addresses = Vec::new();
    for left in 0..=9 {
        for right in 0..=9 {
            for elision in ["::", ":::", ":"] {
                for digits in [1, 4] {
                    let groups = |count| vec![group(digits); count].join(":");
                    let (before, after) = (groups(left), groups(right));
                    for tail in tails.split(' ') {
                        let colon = if after.is_empty() || tail.is_empty() { "" } else { ":" };
                        addresses.push(format!("{before}{elision}{after}{colon}{tail}"));
                    }
                }
            }
            // "::" twice.
            for middle in 0..=3 {
                let groups = |count| vec!["1"; count].join(":");
                addresses.push(format!("{}::{}::{}", groups(left), groups(middle), groups(right)));
            }
        }
    }
    addresses
}

/// One group that is not like the others, at each place of each shape.
fn addresses_with_odd_group() -> Vec<String> {
    let mut addresses = Vec::new();
    let odd = [
        "", "0", "00", "000", "0000", "00000", "12345", "aBcD", "g", "1g", "%31", "v1", "1.2.3.4", "-1", "+1", "0x1",
        " 1", "x",
    ];
    for left in 0..=8 {
        for right in 0..=8 - left {
            for elided in [false, true] {
                for place in 0..left + right {
                    for odd in odd {
                        let groups = |range: Range<usize>| {
                            let group = |at| if at == place { odd } else { "1" };
                            range.map(group).collect::<Vec<_>>().join(":")
                        };
                        let elision = if elided { "::" } else { ":" };
                        addresses.push(format!("{}{elision}{}", groups(0..left), groups(left..left + right)));
                    }
                }
            }
        }
    }
    addresses
}

/// Another character for one of the colons, and for all of them.
fn other_colons(strings: &mut StandardBuilder) {
    let groups = |count| vec!["1"; count].join(":");
    let mut shapes = vec![groups(8), format!("{}:1.2.3.4", groups(6))];
    for left in 0..=7 {
        shapes.extend((0..=7 - left).map(|right| format!("{}::{}", groups(left), groups(right))));
        shapes.extend((1..6 - left.min(5)).map(|right| format!("{}::{}:1.2.3.4", groups(left), groups(right))));
    }
    for address in &shapes {
        for character in characters().iter().filter(|character| is_mark(character)) {
            for (at, _) in address.match_indices(':') {
                strings.add(&["//[", &address[..at], character, &address[at + 1..], "]"]);
            }
            strings.add(&["//[", &address.replace(':', character), "]"]);
        }
    }
}

/// Whether it is a character of ASCII that may stand for a delimiter.
fn is_mark(character: &str) -> bool {
    character.bytes().all(|byte| byte.is_ascii_punctuation() || matches!(byte, b' ' | b'g' | b'v' | b'0' | b'a'))
}

fn ports(strings: &mut StandardBuilder) {
    let mut values: Vec<String> = (0..=99).map(|value: u64| value.to_string()).collect();
    let edges = (3..=64).map(|bits| 1_u128 << bits).chain((2..=20).map(|digits| 10_u128.pow(digits)));
    for edge in edges {
        values.extend([edge - 1, edge, edge + 1].map(|value| value.to_string()));
    }
    values.extend([443, 8080, 49152, 65534, 65535 + 80, 70000].map(|value: u32| value.to_string()));
    for value in ["0", "80", "65535", "65536"] {
        values.extend([1, 2, 3, 5, 10, 20].map(|zeros| format!("{}{value}", "0".repeat(zeros))));
    }
    for odd in [
        "", "-", "+", "-1", "+1", "+80", "-0", " 80", "80 ", "\t80", "8 0", "8a", "a8", "a", "http", "0x50", "0o7",
        "1e1", "8.0", "80.", ".80", "8_0", "8,0", "%38", "8%30", ":", ":80", "80:", "80:80", "8-0", "8+0", "٣", "８０",
        "80\n", "80\0", "80;", "~", "*", "@", "80@", "@80",
    ] {
        values.push(odd.to_owned());
    }
    for (before, after) in [
        ("//h:", ""),
        ("//:", ""),
        ("//1.2.3.4:", "/"),
        ("//[::1]:", ""),
        ("//[v1.a]:", "?q"),
        ("http://u:p@h:", "/p?q#f"),
        ("//u@:", "#f"),
    ] {
        for value in &values {
            strings.add(&[before, value, after]);
        }
    }
}

fn dec_octets(strings: &mut StandardBuilder) {
    let mut octets: Vec<String> = (0..=300).map(|value| value.to_string()).collect();
    octets.extend((0..=99).map(|value| format!("{value:02}")));
    octets.extend((0..=99).map(|value| format!("{value:03}")));
    octets.extend(
        [
            "",
            "0000",
            "0255",
            "999",
            "1000",
            "0x1",
            "0xff",
            "a",
            "1a",
            "%31",
            "+1",
            "-1",
            "*",
            "4294967296",
        ]
        .map(str::to_owned),
    );
    for octet in &octets {
        for place in 0..4 {
            let mut address = ["1", "2", "3", "4"];
            address[place] = octet;
            let address = address.join(".");
            for (before, after) in [
                ("//", ""),
                ("//[::", "]"),
                ("//[1:2:3:4:5:6:", "]"),
                ("//[1::2:", "]"),
                ("http://u@", ":80/"),
            ] {
                strings.add(&[before, &address, after]);
            }
        }
    }
    // What begins or goes on like an address.
    for count in 1..=6 {
        for octet in ["1", "255", "256", "01"] {
            let address = vec![octet; count].join(".");
            for after in ["", ".", "..", "a", ".a", "-", ":", ":1", "%41", "/", "@h"] {
                for before in ["//", "//a", "//a.", "//.", "//u@", "//[::", "//["] {
                    strings.add(&[before, &address, after]);
                    strings.add(&[before, &address, after, "]"]);
                }
            }
        }
    }
}

fn triplets(strings: &mut StandardBuilder) {
    for octet in 0..=255_u8 {
        for triplet in [format!("%{octet:02x}"), format!("%{octet:02X}")] {
            for (before, after) in PLACES {
                strings.add(&[*before, &triplet, after]);
            }
        }
    }
    for &(before, after) in PLACES {
        for character in characters().iter().map(String::as_str) {
            strings.add(&[before, "%", character, "0", after]);
            strings.add(&[before, "%0", character, after]);
            strings.add(&[before, "%", character, after]);
            strings.add(&[before, "%41", character, after]);
            strings.add(&[before, "%25", character, after]);
        }
        for odd in [
            "%%",
            "%%41",
            "%4%41",
            "%4",
            "%",
            "%u0041",
            "%u{41}",
            "%x41",
            "%C3%A9",
            "%c3%a9",
            "%C3",
            "%A9",
            "%C3%28",
            "%F0%9F%98%80",
            "%ED%A0%80",
            "%C0%AF",
            "%25",
            "%2541",
            "%25%34%31",
            "%aF",
            "%Fa",
            "%4g",
            "%g4",
            "%-1",
            "%+1",
            "% 1",
            "%1 ",
            "%é",
        ] {
            strings.add(&[before, odd, after]);
            strings.add(&[before, "x", odd, "x", after]);
        }
    }
}

fn pumped(strings: &mut StandardBuilder, machine: &Machine) {
    let completions = completions(machine);
    let access = machine.access_words();
    for state in 0..machine.states() as State {
        let Some(ending) = &completions[state as usize] else {
            continue;
        };
        for &byte in machine.representatives() {
            // A triplet is the longest turn that there is.
            let Some(way) = way(machine, machine.step(state, byte), state, 2, &completions) else {
                continue;
            };
            let turn = [&[byte], &way[..]].concat();
            for times in [2, 3, 5, 9, 17] {
                strings.add(&[&access[state as usize][..], &turn.repeat(times), ending]);
            }
        }
    }
}

/// A shortest word of at most `longest` bytes from a state to another, through states that have completions.
fn way(machine: &Machine, from: State, to: State, longest: usize, completions: &[Option<Vec<u8>>]) -> Option<Vec<u8>> {
    let mut open = vec![(from, Vec::new())];
    for _ in 0..=longest {
        if let Some((_, word)) = open.iter().find(|(state, _)| *state == to) {
            return Some(word.clone());
        }
        let mut next: Vec<(State, Vec<u8>)> = Vec::new();
        for (state, word) in &open {
            for &byte in machine.representatives() {
                let step = machine.step(*state, byte);
                if completions[step as usize].is_some() && next.iter().all(|(known, _)| *known != step) {
                    next.push((step, [&word[..], &[byte]].concat()));
                }
            }
        }
        open = next;
    }
    None
}

fn lengths(strings: &mut StandardBuilder) {
    let mut small: Vec<usize> = (1..=72).collect();
    for size in [
        80, 90, 96, 100, 127, 128, 200, 250, 253, 254, 255, 256, 300, 500, 511, 512, 1000, 1023, 1024, 2000,
    ] {
        small.extend([size - 1, size, size + 1]);
    }
    let large = [
        2047, 2048, 2049, 2083, 2084, 4095, 4096, 4097, 8190, 8192, 8193, 16384, 32768, 65535, 65536,
    ];
    let places = [
        ("", "a", ":"),
        ("//", "u", "@"),
        ("//u:", "p", "@h"),
        ("//", "h", ""),
        ("//h:", "1", "/"),
        ("/", "p", ""),
        ("a:", "p", ""),
        ("?", "q", ""),
        ("#", "f", ""),
    ];
    for (before, unit, after) in places {
        for &length in small.iter().chain(&large) {
            strings.add(&[before, &unit.repeat(length), after]);
        }
    }
    // Pieces that a parser may count or put in a list.
    for (before, unit, after) in [
        ("//", "a.", ""),
        ("//", "a.", "a"),
        ("//", "%41", ""),
        ("//", ":", "@h"),
        ("//", "h-", "h"),
        ("/", "a/", ""),
        ("//h", "/", ""),
        ("a:", "../", ""),
        ("", "./", ""),
        ("/", "%41", ""),
        ("/", ";a=b", ""),
        ("?", "a=b&", ""),
        ("?", "%41", ""),
        ("?", "?", ""),
        ("#", "/", ""),
        ("#", "%41", ""),
        ("//[v", "1", ".a]"),
        ("//[v1.", "a", "]"),
        ("a", "+", ":"),
        ("a", "1", ":"),
        ("a", ".", ":"),
        ("//h:", "0", ""),
        ("//h:", "9", ""),
        ("//", "1.", "1"),
        ("//", ".", ""),
        ("/", "!", ""),
        ("a:", ":", ""),
        ("a:", "@", ""),
    ] {
        for &count in small.iter().chain(&large[..2]) {
            strings.add(&[before, &unit.repeat(count), after]);
        }
    }
}
