//! Operator mutants: Appendix A with one small edit. No edit is chosen by hand; an operator is applied wherever it can be.

use uriproof_grammar::abnf::{Element, Grammar, LetterCase, NumVal, Position};
use uriproof_grammar::automaton::references;

use super::family::MutantFamily;

/// Where edits have no place in a text.
const NOWHERE: Position = Position { line: 1, column: 1 };

/// An edit of one rule.
pub(super) struct RuleEdit {
    pub(super) family: MutantFamily,
    pub(super) rule: String,
    /// What the rule stands for after the edit.
    pub(super) element: Element,
    /// What was edited, and into what: parts of the rule.
    before: String,
    after: String,
}

impl RuleEdit {
    pub(super) fn description(&self) -> String {
        format!("{}: {} -> {}", self.rule, self.before, self.after)
    }
}

/// Every edit of every rule that `rule` refers to.
pub(super) fn edits(grammar: &Grammar, rule: &str) -> Vec<RuleEdit> {
    let mut edits = Vec::new();
    for name in reachable(grammar, rule) {
        let Some(rule) = grammar.rule(name) else { continue };
        edits.extend(variants(grammar, &rule.element).into_iter().map(|variant| RuleEdit {
            family: variant.family,
            rule: rule.name.clone(),
            before: variant.before,
            after: variant.after,
            element: variant.element,
        }));
    }
    edits
}

/// The grammar's own rules that a rule refers to, itself included, in the grammar's order.
fn reachable<'a>(grammar: &'a Grammar, rule: &'a str) -> Vec<&'a str> {
    let mut known: Vec<&str> = vec![rule];
    let mut done = 0;
    while let Some(name) = known.get(done).copied() {
        done += 1;
        let mut names = Vec::new();
        if let Some(rule) = grammar.rule(name) {
            references(&rule.element, &mut names);
        }
        for name in names {
            if !known.contains(&name) {
                known.push(name);
            }
        }
    }
    grammar.rules().iter().map(|rule| &*rule.name).filter(|name| known.contains(name)).collect()
}

struct EditedElement {
    family: MutantFamily,
    element: Element,
    before: String,
    after: String,
}

/// The element with one edit anywhere in it.
fn variants(grammar: &Grammar, element: &Element) -> Vec<EditedElement> {
    let mut variants = here(grammar, element);
    let within = |inner: &Element, wrap: &dyn Fn(Element) -> Element| -> Vec<EditedElement> {
        let variants = self::variants(grammar, inner).into_iter();
        variants
            .map(|variant| EditedElement {
                element: wrap(variant.element),
                ..variant
            })
            .collect()
    };
    match element {
        Element::Alternation(elements) | Element::Concatenation(elements) => {
            for (at, inner) in elements.iter().enumerate() {
                variants.extend(within(inner, &|edited| {
                    let mut elements = elements.clone();
                    elements[at] = edited;
                    match element {
                        Element::Alternation(_) => Element::Alternation(elements),
                        _ => Element::Concatenation(elements),
                    }
                }));
            }
        }
        Element::Repetition { min, max, element } => {
            variants.extend(within(element, &|edited| Element::Repetition {
                min: *min,
                max: *max,
                element: Box::new(edited),
            }));
        }
        Element::Option(inner) => variants.extend(within(inner, &|edited| Element::Option(Box::new(edited)))),
        Element::Group(inner) => variants.extend(within(inner, &|edited| Element::Group(Box::new(edited)))),
        Element::Reference { .. } | Element::CharVal { .. } | Element::NumVal { .. } | Element::ProseVal { .. } => {}
    }
    variants
}

/// The edits of the node itself.
#[expect(clippy::too_many_lines, reason = "one arm for each kind of element")]
fn here(grammar: &Grammar, element: &Element) -> Vec<EditedElement> {
    let before = element.to_string();
    let variant = |family, element: Element| EditedElement {
        family,
        before: before.clone(),
        after: element.to_string(),
        element,
    };
    let mut variants = Vec::new();
    match element {
        Element::Concatenation(elements) => {
            for at in 0..elements.len() {
                let mut fewer = elements.clone();
                let dropped = fewer.remove(at);
                variants.push(variant(MutantFamily::Drop, Element::Concatenation(fewer)));
                let mut more = elements.clone();
                more.insert(at, dropped);
                variants.push(variant(MutantFamily::Double, Element::Concatenation(more)));
                if at + 1 < elements.len() && elements[at] != elements[at + 1] {
                    let mut swapped = elements.clone();
                    swapped.swap(at, at + 1);
                    variants.push(variant(MutantFamily::Swap, Element::Concatenation(swapped)));
                }
            }
        }
        Element::Alternation(elements) => {
            for at in 0..elements.len() {
                let mut fewer = elements.clone();
                fewer.remove(at);
                variants.push(variant(MutantFamily::DropAlternative, Element::Alternation(fewer)));
            }
        }
        Element::Repetition { min, max, element } => {
            let times = |min: Option<u32>, max: Option<u32>| {
                let min = min.filter(|&min| max.is_none_or(|max| min <= max))?;
                let element = element.clone();
                Some(variant(MutantFamily::Bound, Element::Repetition { min, max, element }))
            };
            variants.extend(times(min.checked_sub(1), *max));
            variants.extend(times(Some(min + 1), *max));
            if let Some(max) = max {
                variants.extend(max.checked_sub(1).and_then(|max| times(Some(*min), Some(max))));
                variants.extend(times(Some(*min), Some(max + 1)));
            }
        }
        Element::Option(element) => {
            for (min, max) in [(0, 0), (1, 1), (0, 2)] {
                variants.push(variant(
                    MutantFamily::Bound,
                    Element::Repetition {
                        min,
                        max: Some(max),
                        element: Box::new(Element::Group(element.clone())),
                    },
                ));
            }
        }
        Element::Reference { name, .. } => {
            for other in kin(name) {
                variants.push(variant(MutantFamily::Reference, reference(other)));
            }
        }
        Element::Group(_) | Element::CharVal { .. } | Element::NumVal { .. } | Element::ProseVal { .. } => {}
    }
    variants.extend(of_class(grammar, element).into_iter().map(|element| variant(MutantFamily::Character, element)));
    variants
}

/// Rules that stand for things of one kind: a reference to one may be written where another is meant.
const KIN: &[&[&str]] = &[
    &["URI", "relative-ref", "absolute-URI", "URI-reference"],
    &["hier-part", "relative-part"],
    &[
        "path-abempty",
        "path-absolute",
        "path-noscheme",
        "path-rootless",
        "path-empty",
        "path",
    ],
    &["segment", "segment-nz", "segment-nz-nc"],
    &["scheme", "userinfo", "reg-name", "port", "query", "fragment", "segment"],
    &[
        "authority",
        "host",
        "reg-name",
        "IP-literal",
        "IPv4address",
        "IPv6address",
        "IPvFuture",
    ],
    &["IPv4address", "IPv6address", "ls32", "h16", "dec-octet"],
    &[
        "pchar",
        "unreserved",
        "sub-delims",
        "gen-delims",
        "reserved",
        "pct-encoded",
    ],
    &["ALPHA", "DIGIT", "HEXDIG", "unreserved"],
];

fn kin(name: &str) -> Vec<&'static str> {
    let mut kin = Vec::new();
    for group in KIN.iter().filter(|group| group.contains(&name)) {
        for &other in *group {
            if other != name && !kin.contains(&other) {
                kin.push(other);
            }
        }
    }
    kin
}

fn reference(name: &str) -> Element {
    Element::Reference {
        name: name.to_owned(),
        position: NOWHERE,
    }
}

/// Characters that a class is given one of: delimiters, the ends of the ranges of letters and digits, and what no URI holds.
const ADDED: &[u8] = b"#%/:?@[]!'+-._~059agvAFZ \\^`|\"";

/// The characters that a class is robbed of one of: those, and all others that are neither letters nor digits.
fn dropped(set: &[bool; 256]) -> Vec<u8> {
    let delimiter = |byte: u8| ADDED.contains(&byte) || !byte.is_ascii_alphanumeric();
    let end = |byte: u8| byte > 0 && byte < 255 && (!set[usize::from(byte) - 1] || !set[usize::from(byte) + 1]);
    (0..=255).filter(|&byte| set[usize::from(byte)] && (delimiter(byte) || end(byte))).collect()
}

/// The element with a character added or dropped, if it is a class: characters, ranges and rules of such, and things that
/// are more than one character beside them. A character alone is a class of one.
fn of_class(grammar: &Grammar, element: &Element) -> Vec<Element> {
    let alternatives: &[Element] = match element {
        Element::Alternation(elements) => elements,
        Element::Reference { .. } | Element::NumVal { .. } | Element::CharVal { .. } => std::slice::from_ref(element),
        _ => return Vec::new(),
    };
    let mut set = [false; 256];
    let mut others = Vec::new();
    for alternative in alternatives {
        match characters(grammar, alternative) {
            Some(characters) => (0..256).for_each(|byte| set[byte] |= characters[byte]),
            None => others.push(alternative.clone()),
        }
    }
    // An alternative of a class is edited as part of it; what is not a class is left to the other operators.
    let mixed = others.iter().any(|other| !matches!(other, Element::Reference { name, .. } if is_unit(name)));
    if mixed || set == [false; 256] && !matches!(element, Element::Reference { name, .. } if is_unit(name)) {
        return Vec::new();
    }
    // pchar is a class, too.
    let mut whole = set;
    for other in &others {
        let mut open = vec![other.clone()];
        while let Some(element) = open.pop() {
            match (characters(grammar, &element), &element) {
                (Some(characters), _) => (0..256).for_each(|byte| whole[byte] |= characters[byte]),
                (None, Element::Alternation(elements)) => open.extend(elements.iter().cloned()),
                (None, Element::Reference { name, .. }) => {
                    open.extend(grammar.rule(name).map(|rule| rule.element.clone()));
                }
                _ => {}
            }
        }
    }
    let mut edited = Vec::new();
    for &byte in ADDED.iter().filter(|&&byte| !whole[usize::from(byte)]) {
        let mut elements = alternatives.to_vec();
        elements.push(character(byte));
        edited.push(Element::Group(Box::new(Element::Alternation(elements))));
    }
    for byte in dropped(&set) {
        let mut rest = set;
        rest[usize::from(byte)] = false;
        let mut elements = ranges(&rest);
        elements.extend(others.iter().cloned());
        if !elements.is_empty() {
            edited.push(Element::Group(Box::new(Element::Alternation(elements))));
        }
    }
    edited
}

/// Rules that stand for one character of a component, however many bytes write it.
fn is_unit(name: &str) -> bool {
    matches!(name, "pchar" | "pct-encoded")
}

/// The bytes that an element stands for, if it stands for one byte.
fn characters(grammar: &Grammar, element: &Element) -> Option<[bool; 256]> {
    let mut set = [false; 256];
    match element {
        Element::Alternation(elements) => {
            for element in elements {
                let characters = characters(grammar, element)?;
                (0..256).for_each(|byte| set[byte] |= characters[byte]);
            }
        }
        Element::Group(element) => return characters(grammar, element),
        Element::Reference { name, .. } => return characters(grammar, &grammar.rule(name)?.element),
        Element::CharVal { text, case } => {
            let &[byte] = text.as_bytes() else { return None };
            set[usize::from(byte)] = true;
            if *case == LetterCase::Insensitive {
                set[usize::from(byte.to_ascii_lowercase())] = true;
                set[usize::from(byte.to_ascii_uppercase())] = true;
            }
        }
        Element::NumVal { value, .. } => {
            let (first, last) = match *value {
                NumVal::Value(value) => (value, value),
                NumVal::Range(first, last) => (first, last),
                NumVal::Concatenation(_) => return None,
            };
            set.iter_mut().take(last as usize + 1).skip(first as usize).for_each(|byte| *byte = true);
        }
        Element::Concatenation(_) | Element::Repetition { .. } | Element::Option(_) | Element::ProseVal { .. } => {
            return None;
        }
    }
    Some(set)
}

fn character(byte: u8) -> Element {
    Element::NumVal {
        value: NumVal::Value(u32::from(byte)),
        position: NOWHERE,
    }
}

/// A set as ranges.
fn ranges(set: &[bool; 256]) -> Vec<Element> {
    let mut ranges = Vec::new();
    let mut byte = 0;
    while byte < 256 {
        let length = set[byte..].iter().take_while(|&&member| member).count();
        if length > 0 {
            let (first, last) = (byte as u32, (byte + length - 1) as u32);
            ranges.push(Element::NumVal {
                value: if length == 1 {
                    NumVal::Value(first)
                } else {
                    NumVal::Range(first, last)
                },
                position: NOWHERE,
            });
        }
        byte += length + 1;
    }
    ranges
}
