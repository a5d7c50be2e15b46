//! RFC 5234 ABNF, with the case-sensitive strings of RFC 7405: text -> syntax tree.
//!
//! The reader takes what RFC 5234 §4 takes, and is lenient where rules are copied out of a document: lines may end
//! in LF, the last one in nothing; all rules may be indented alike (§2.2); blank lines and comments may stand
//! anywhere between lines, and comments may hold any character. The core rules of appendix B.1 are always there; a
//! grammar's own definition of one of them comes before it.

mod error;
mod reader;

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

pub use self::error::{Error, ErrorKind};
use self::reader::AbnfReader;

/// RFC 5234, appendix B.1.
const CORE: &str = r#"
ALPHA  = %x41-5A / %x61-7A
BIT    = "0" / "1"
CHAR   = %x01-7F
CR     = %x0D
CRLF   = CR LF
CTL    = %x00-1F / %x7F
DIGIT  = %x30-39
DQUOTE = %x22
HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
HTAB   = %x09
LF     = %x0A
LWSP   = *(WSP / CRLF WSP)
OCTET  = %x00-FF
SP     = %x20
VCHAR  = %x21-7E
WSP    = SP / HTAB
"#;

static CORE_RULES: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::read(CORE).unwrap_or_else(|error| panic!("core rules: {error}")));

/// Rules, in the order of their first definition.
#[derive(Clone, Debug)]
pub struct Grammar {
    rules: Vec<Rule>,
    /// From the name in lower case.
    index: HashMap<String, usize>,
}

/// A rule: its name as first spelled, and what it stands for, incremental alternatives included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name; names that differ in case alone are one name.
    pub name: String,
    /// What the rule stands for.
    pub element: Element,
    /// Where the rule is first defined.
    pub position: Position,
}

/// A node of the syntax tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// `a / b`: a set, the order means nothing.
    Alternation(Vec<Element>),
    /// `a b`
    Concatenation(Vec<Element>),
    /// `min*max a`
    Repetition {
        /// The least number of times.
        min: u32,
        /// The greatest number of times, if there is one.
        max: Option<u32>,
        /// What is repeated.
        element: Box<Element>,
    },
    /// `[ a ]`
    Option(Box<Element>),
    /// `( a )`
    Group(Box<Element>),
    /// A rule's name.
    Reference {
        /// The name as spelled here.
        name: String,
        /// Where it stands.
        position: Position,
    },
    /// `"text"`, `%i"text"` or `%s"text"`
    CharVal {
        /// Printable ASCII.
        text: String,
        /// Whether the case of letters counts.
        case: LetterCase,
    },
    /// `%x41`, `%x41-5A`, `%d13.10`, `%b1010`
    NumVal {
        /// The characters' values.
        value: NumVal,
        /// Where it stands.
        position: Position,
    },
    /// `<text>`: the rule of that name, if there is one; else nothing that a machine can be made of.
    ProseVal {
        /// What stands between the angle brackets.
        text: String,
        /// Where it stands.
        position: Position,
    },
}

/// Whether the case of letters counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LetterCase {
    /// `"a"`, `%i"a"`: "a" or "A".
    Insensitive,
    /// `%s"a"`: "a" alone.
    Sensitive,
}

/// Characters by value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumVal {
    /// One character.
    Value(u32),
    /// One of the characters from the first to the last.
    Range(u32, u32),
    /// Several characters, one after the other.
    Concatenation(Vec<u32>),
}

/// A place in the text, both numbers from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The element as ABNF that reads back as the same language, parentheses added where the tree has no [`Element::Group`]
/// for them.
impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Element::Alternation(elements) => {
                joined(f, elements, " / ", |element| matches!(element, Element::Alternation(_)))
            }
            Element::Concatenation(elements) => joined(f, elements, " ", |element| {
                matches!(element, Element::Alternation(_) | Element::Concatenation(_))
            }),
            Element::Repetition { min, max, element } => {
                match max {
                    Some(max) if max == min => write!(f, "{min}")?,
                    _ => {
                        if *min > 0 {
                            write!(f, "{min}")?;
                        }
                        f.write_str("*")?;
                        if let Some(max) = max {
                            write!(f, "{max}")?;
                        }
                    }
                }
                let several = matches!(
                    **element,
                    Element::Alternation(_) | Element::Concatenation(_) | Element::Repetition { .. }
                );
                if several {
                    write!(f, "( {element} )")
                } else {
                    element.fmt(f)
                }
            }
            Element::Option(element) => write!(f, "[ {element} ]"),
            Element::Group(element) => write!(f, "( {element} )"),
            Element::Reference { name, .. } => f.write_str(name),
            Element::CharVal { text, case } => {
                let case = match case {
                    LetterCase::Sensitive => "%s",
                    LetterCase::Insensitive => "",
                };
                write!(f, "{case}\"{text}\"")
            }
            Element::NumVal { value, .. } => match value {
                NumVal::Value(value) => write!(f, "%x{value:02X}"),
                NumVal::Range(first, last) => write!(f, "%x{first:02X}-{last:02X}"),
                NumVal::Concatenation(values) => values.iter().enumerate().try_for_each(|(at, value)| {
                    let before = if at == 0 { "%x" } else { "." };
                    write!(f, "{before}{value:02X}")
                }),
            },
            Element::ProseVal { text, .. } => write!(f, "<{text}>"),
        }
    }
}

fn joined(
    f: &mut fmt::Formatter<'_>,
    elements: &[Element],
    between: &str,
    in_parentheses: impl Fn(&Element) -> bool,
) -> fmt::Result {
    for (at, element) in elements.iter().enumerate() {
        if at > 0 {
            f.write_str(between)?;
        }
        if in_parentheses(element) {
            write!(f, "( {element} )")?;
        } else {
            write!(f, "{element}")?;
        }
    }
    Ok(())
}

impl Grammar {
    /// Reads ABNF.
    ///
    /// # Errors
    ///
    /// What is not ABNF, rules defined twice, ranges and repetitions that run downwards. That every name is defined, and
    /// that none stands for itself, is a matter of the rule that is compiled: see [`Grammar::check`].
    pub fn read(text: &str) -> Result<Grammar, Error> {
        AbnfReader::new(text).grammar()
    }

    /// The grammar's own rules, in the order of their first definition.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The rule of that name in any case: the grammar's own, else the core rule.
    pub fn rule(&self, name: &str) -> Option<&Rule> {
        let key = name.to_ascii_lowercase();
        let own = self.index.get(&key).map(|&at| &self.rules[at]);
        own.or_else(|| {
            let core = &*CORE_RULES;
            core.index.get(&key).map(|&at| &core.rules[at])
        })
    }

    /// This grammar with the rules of `others` in the place of its own of the same name, and with all their other rules.
    #[must_use]
    pub fn overridden(&self, others: &Grammar) -> Grammar {
        let mut grammar = self.clone();
        for rule in &others.rules {
            grammar.put(rule.clone());
        }
        grammar
    }

    /// The grammar with one rule replaced, or added where there is none of that name.
    #[must_use]
    pub fn with_rule(&self, name: &str, element: Element) -> Grammar {
        let mut grammar = self.clone();
        grammar.put(Rule {
            name: name.to_owned(),
            element,
            position: self.rule(name).map_or(Position { line: 1, column: 1 }, |rule| rule.position),
        });
        grammar
    }

    /// The rules of both.
    ///
    /// # Errors
    ///
    /// A rule that both define; its position is that in `others`.
    pub fn joined(&self, others: &Grammar) -> Result<Grammar, Error> {
        let mut grammar = self.clone();
        for rule in &others.rules {
            if let Some(&known) = self.index.get(&rule.name.to_ascii_lowercase()) {
                return Err(Error {
                    position: Some(rule.position),
                    problem: ErrorKind::DuplicateRule {
                        name: rule.name.clone(),
                        first: self.rules[known].position,
                    },
                });
            }
            grammar.put(rule.clone());
        }
        Ok(grammar)
    }

    fn put(&mut self, rule: Rule) {
        match self.index.get(&rule.name.to_ascii_lowercase()) {
            Some(&at) => self.rules[at] = rule,
            None => {
                self.index.insert(rule.name.to_ascii_lowercase(), self.rules.len());
                self.rules.push(rule);
            }
        }
    }

    /// Whether a name in any case is that of a core rule, which the grammar does not define itself.
    pub(crate) fn is_core(&self, name: &str) -> bool {
        let key = name.to_ascii_lowercase();
        !self.index.contains_key(&key) && CORE_RULES.index.contains_key(&key)
    }

    /// Checks every rule, whether or not it is ever compiled.
    ///
    /// # Errors
    ///
    /// The first undefined name, prose that names no rule, character above %xFF or recursion.
    pub fn check(&self) -> Result<(), Error> {
        self.rules.iter().try_for_each(|rule| crate::automaton::check(self, &rule.name))
    }

    /// That the grammar has no rule of that name.
    pub(crate) fn undefined(&self, name: &str, position: Option<Position>) -> Error {
        let names = self.rules.iter().chain(&CORE_RULES.rules).map(|rule| &rule.name);
        let close = names.map(|other| (edits(name, other), other)).filter(|&(edits, _)| edits <= 2);
        Error {
            position,
            problem: ErrorKind::UndefinedRule {
                name: name.to_owned(),
                nearest: close.min_by_key(|&(edits, _)| edits).map(|(_, other)| other.clone()),
            },
        }
    }
}

/// How many characters must be put in, left out or replaced to make one name the other, case aside.
fn edits(left: &str, right: &str) -> usize {
    let right = right.as_bytes();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, byte) in left.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(!byte.eq_ignore_ascii_case(other));
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[right.len()]
}
