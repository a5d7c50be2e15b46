//! RFC 5234 ABNF, with the case-sensitive strings of RFC 7405: text -> syntax tree.
//!
//! The reader takes what RFC 5234 §4 takes, and is lenient where rules are copied out of a document: lines may end
//! in LF, the last one in nothing; all rules may be indented alike (§2.2); blank lines and comments may stand
//! anywhere between lines, and comments may hold any character. The core rules of appendix B.1 are always there; a
//! grammar's own definition of one of them comes before it.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

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

/// How deep groups and options may stand in one another.
const NESTING_LIMIT: usize = 100;

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

/// What is wrong with a grammar, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Where; `None` if the grammar has no rule of the requested name, or the machine as a whole is too big.
    pub position: Option<Position>,
    /// What.
    pub problem: ErrorKind,
}

/// What is wrong with a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text is not ABNF.
    Syntax {
        /// The character or word that stands there.
        found: String,
        /// What could stand there.
        expected: &'static str,
    },
    /// A name that neither the grammar nor RFC 5234 defines.
    UndefinedRule {
        /// The name.
        name: String,
        /// The defined name that is most like it, if one is.
        nearest: Option<String>,
    },
    /// A second `=` for one name.
    DuplicateRule {
        /// The name.
        name: String,
        /// Where it is first defined.
        first: Position,
    },
    /// `=/` for a name that has no `=` above it.
    NothingToExtend {
        /// The name.
        name: String,
    },
    /// A range that runs downwards, as `%x41-30`.
    BadRange {
        /// Its first value.
        first: u32,
        /// Its last value.
        last: u32,
    },
    /// A repetition whose least number is greater than its greatest, as `3*2`.
    BadRepetition {
        /// The least number.
        min: u32,
        /// The greatest number.
        max: u32,
    },
    /// A character above %xFF, where the machine reads bytes.
    NotAByte {
        /// Its value.
        value: u32,
    },
    /// A rule that stands for itself, which no finite automaton can follow.
    Recursion {
        /// The names from the rule back to itself.
        cycle: Vec<String>,
    },
    /// Prose that names no rule.
    UnknownProse {
        /// The prose.
        text: String,
    },
    /// Groups, options or rules stand in one another too deep.
    TooDeep {
        /// How deep they may.
        limit: usize,
    },
    /// The machine has too many states on the way to the minimal one.
    TooLarge,
    /// More than the 32 views that an output mask holds.
    TooManyViews {
        /// How many there are.
        count: usize,
    },
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Some(position) => write!(f, "{position}: {}", self.problem),
            None => self.problem.fmt(f),
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::Syntax { found, expected } => write!(f, "found {found}, expected {expected}"),
            ErrorKind::UndefinedRule { name, nearest: None } => {
                write!(f, "rule {name} is not defined, expected its `=`")
            }
            ErrorKind::UndefinedRule {
                name,
                nearest: Some(nearest),
            } => {
                write!(f, "rule {name} is not defined, perhaps {nearest} is meant")
            }
            ErrorKind::DuplicateRule { name, first } => {
                write!(
                    f,
                    "rule {name} is already defined ({first}), expected `=/` to add alternatives"
                )
            }
            ErrorKind::NothingToExtend { name } => {
                write!(f, "`=/` adds to rule {name}, which is not defined above, expected `=`")
            }
            ErrorKind::BadRange { first, last } => {
                write!(
                    f,
                    "range %x{first:X}-{last:X} runs downwards, expected %x{last:X}-{first:X}"
                )
            }
            ErrorKind::BadRepetition { min, max } => {
                write!(
                    f,
                    "repetition {min}*{max} is at least {min} and at most {max} times, expected {max}*{min}"
                )
            }
            ErrorKind::NotAByte { value } => {
                write!(
                    f,
                    "%x{value:X} is not a byte, expected %x00 to %xFF (a character beyond ASCII as its UTF-8 bytes)"
                )
            }
            ErrorKind::Recursion { cycle } => {
                write!(
                    f,
                    "rule stands for itself: {}, expected rules that a finite automaton can follow",
                    cycle.join(" -> ")
                )
            }
            ErrorKind::UnknownProse { text } => {
                write!(
                    f,
                    "prose <{text}> names no rule, expected the name of one or ABNF that says it"
                )
            }
            ErrorKind::TooDeep { limit } => write!(f, "nested too deep, expected at most {limit} levels"),
            ErrorKind::TooLarge => f.write_str("machine too large to build, expected fewer or shorter repetitions"),
            ErrorKind::TooManyViews { count } => write!(f, "{count} views, expected at most 32"),
        }
    }
}

impl std::error::Error for Error {}

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

/// What the reader comes to after a line's end.
enum LineStart {
    Rule { indent: usize },
    End,
}

struct AbnfReader<'a> {
    text: &'a str,
    at: usize,
    line_starts: Vec<usize>,
    /// The indentation of all rules: that of the first.
    margin: usize,
    depth: usize,
}

const AN_ELEMENT: &str = r#"an element: a rule name, "text", %x, %d, %b, %s or %i, <prose>, a group or an option"#;

impl<'a> AbnfReader<'a> {
    fn new(text: &'a str) -> AbnfReader<'a> {
        AbnfReader {
            text,
            at: 0,
            line_starts: std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect(),
            margin: 0,
            depth: 0,
        }
    }

    /// `rulelist = 1*( rule / (*c-wsp c-nl) )`
    fn grammar(mut self) -> Result<Grammar, Error> {
        let mut grammar = Grammar {
            rules: Vec::new(),
            index: HashMap::new(),
        };
        while let LineStart::Rule { indent } = self.next_line() {
            if grammar.rules.is_empty() {
                self.margin = indent;
            }
            if indent != self.margin {
                return Err(self.syntax("a rule that begins in the column of the first one"));
            }
            self.rule(&mut grammar)?;
        }
        if grammar.rules.is_empty() {
            return Err(self.syntax("a rule: a name, `=` and what it stands for"));
        }
        Ok(grammar)
    }

    /// `rule = rulename defined-as elements c-nl`
    fn rule(&mut self, grammar: &mut Grammar) -> Result<(), Error> {
        let position = self.position(self.at);
        let Some(name) = self.name() else {
            return Err(self.syntax("a rule: a name, `=` and what it stands for"));
        };
        self.space();
        if !self.take("=") {
            return Err(self.syntax("`=` or `=/`"));
        }
        let incremental = self.take("/");
        let key = name.to_ascii_lowercase();
        let known = grammar.index.get(&key).copied();
        let problem = match known {
            Some(at) if !incremental => {
                let first = grammar.rules[at].position;
                Some(ErrorKind::DuplicateRule {
                    name: name.to_owned(),
                    first,
                })
            }
            None if incremental => Some(ErrorKind::NothingToExtend { name: name.to_owned() }),
            _ => None,
        };
        if let Some(problem) = problem {
            return Err(Error {
                position: Some(position),
                problem,
            });
        }
        self.space();
        let element = self.alternation()?;
        if !self.at_line_end() {
            return Err(self.syntax("`/`, another element or the end of the rule"));
        }
        match known {
            Some(at) => extend(&mut grammar.rules[at].element, element),
            None => {
                grammar.index.insert(key, grammar.rules.len());
                grammar.rules.push(Rule {
                    name: name.to_owned(),
                    element,
                    position,
                });
            }
        }
        Ok(())
    }

    /// `alternation = concatenation *(*c-wsp "/" *c-wsp concatenation)`, and the whitespace after it.
    fn alternation(&mut self) -> Result<Element, Error> {
        let mut alternatives = vec![self.concatenation()?];
        while self.take("/") {
            self.space();
            alternatives.push(self.concatenation()?);
        }
        Ok(one_or(alternatives, Element::Alternation))
    }

    /// `concatenation = repetition *(1*c-wsp repetition)`, and the whitespace after it.
    fn concatenation(&mut self) -> Result<Element, Error> {
        let mut elements = vec![self.repetition()?];
        loop {
            let end = self.at;
            self.space();
            if !self.peek().is_some_and(begins_repetition) {
                return Ok(one_or(elements, Element::Concatenation));
            }
            if self.at == end {
                return Err(self.syntax("whitespace between two elements"));
            }
            elements.push(self.repetition()?);
        }
    }

    /// `repetition = [repeat] element`, `repeat = 1*DIGIT / (*DIGIT "*" *DIGIT)`
    fn repetition(&mut self) -> Result<Element, Error> {
        let start = self.at;
        let first = self.number(10)?;
        let (min, max) = if self.take("*") {
            (first.unwrap_or(0), self.number(10)?)
        } else {
            match first {
                Some(count) => (count, Some(count)),
                None => return self.element(),
            }
        };
        if let Some(max) = max.filter(|&max| max < min) {
            return Err(self.error(start, ErrorKind::BadRepetition { min, max }));
        }
        Ok(Element::Repetition {
            min,
            max,
            element: Box::new(self.element()?),
        })
    }

    /// `element = rulename / group / option / char-val / num-val / prose-val`
    fn element(&mut self) -> Result<Element, Error> {
        let position = self.position(self.at);
        if let Some(name) = self.name() {
            return Ok(Element::Reference {
                name: name.to_owned(),
                position,
            });
        }
        match self.peek() {
            Some('(') => Ok(Element::Group(self.enclosed(")", "`/`, another element or `)`")?)),
            Some('[') => Ok(Element::Option(self.enclosed("]", "`/`, another element or `]`")?)),
            Some('"') => self.char_val(LetterCase::Insensitive),
            Some('%') => self.percent(position),
            Some('<') => {
                self.at += 1;
                let text = self.until('>', "printable ASCII, and `>` on the same line")?;
                Ok(Element::ProseVal { text, position })
            }
            _ => Err(self.syntax(AN_ELEMENT)),
        }
    }

    fn enclosed(&mut self, close: &str, expected: &'static str) -> Result<Box<Element>, Error> {
        if self.depth == NESTING_LIMIT {
            return Err(self.error(self.at, ErrorKind::TooDeep { limit: NESTING_LIMIT }));
        }
        self.depth += 1;
        self.at += 1;
        self.space();
        let element = self.alternation()?;
        if !self.take(close) {
            return Err(self.syntax(expected));
        }
        self.depth -= 1;
        Ok(Box::new(element))
    }

    /// `char-val = DQUOTE *(%x20-21 / %x23-7E) DQUOTE`
    fn char_val(&mut self, case: LetterCase) -> Result<Element, Error> {
        if !self.take("\"") {
            return Err(self.syntax("a quoted string"));
        }
        let text = self.until('"', "printable ASCII, and the closing quote on the same line")?;
        Ok(Element::CharVal { text, case })
    }

    /// What begins with "%": `%s` and `%i` strings of RFC 7405, and `num-val = "%" (bin-val / dec-val / hex-val)`.
    fn percent(&mut self, position: Position) -> Result<Element, Error> {
        self.at += 1;
        let base = match self.peek().map(|character| character.to_ascii_lowercase()) {
            Some('s') => {
                self.at += 1;
                return self.char_val(LetterCase::Sensitive);
            }
            Some('i') => {
                self.at += 1;
                return self.char_val(LetterCase::Insensitive);
            }
            Some('b') => 2,
            Some('d') => 10,
            Some('x') => 16,
            _ => return Err(self.syntax("`b`, `d`, `x`, `s` or `i` after `%`")),
        };
        self.at += 1;
        let first = self.value(base)?;
        let value = if self.take("-") {
            let last = self.value(base)?;
            if last < first {
                return Err(Error {
                    position: Some(position),
                    problem: ErrorKind::BadRange { first, last },
                });
            }
            NumVal::Range(first, last)
        } else {
            let mut values = vec![first];
            while self.take(".") {
                values.push(self.value(base)?);
            }
            match values[..] {
                [value] => NumVal::Value(value),
                _ => NumVal::Concatenation(values),
            }
        };
        Ok(Element::NumVal { value, position })
    }

    fn value(&mut self, base: u32) -> Result<u32, Error> {
        let expected = match base {
            2 => "a binary digit",
            10 => "a decimal digit",
            _ => "a hexadecimal digit",
        };
        self.number(base)?.ok_or_else(|| self.syntax(expected))
    }

    fn number(&mut self, base: u32) -> Result<Option<u32>, Error> {
        let digits = self.while_matching(|character| character.is_digit(base));
        if digits.is_empty() {
            return Ok(None);
        }
        u32::from_str_radix(digits, base).map(Some).map_err(|_| {
            let found = format!("{digits:?}");
            let expected = "a number below 2^32";
            self.error(self.at - digits.len(), ErrorKind::Syntax { found, expected })
        })
    }

    /// `rulename = ALPHA *(ALPHA / DIGIT / "-")`
    fn name(&mut self) -> Option<&'a str> {
        if !self.peek()?.is_ascii_alphabetic() {
            return None;
        }
        Some(self.while_matching(|character| character.is_ascii_alphanumeric() || character == '-'))
    }

    /// Printable ASCII up to `close`, which is taken too.
    fn until(&mut self, close: char, expected: &'static str) -> Result<String, Error> {
        let text = self.while_matching(|character| character != close && matches!(character, ' '..='~'));
        if !self.take(close.encode_utf8(&mut [0; 4])) {
            return Err(self.syntax(expected));
        }
        Ok(text.to_owned())
    }

    /// Takes `*c-wsp`: whitespace, comments, and line ends that are followed by more of the same rule.
    fn space(&mut self) {
        loop {
            self.while_matching(|character| matches!(character, ' ' | '\t'));
            if self.peek() == Some(';') {
                self.while_matching(|character| character != '\n');
            }
            if !self.at_line_end() {
                return;
            }
            let end = self.at;
            match self.next_line() {
                LineStart::Rule { indent } if indent > self.margin => {}
                _ => {
                    self.at = end;
                    return;
                }
            }
        }
    }

    /// Goes on, over blank lines and comments, to the next thing that stands in a line.
    fn next_line(&mut self) -> LineStart {
        loop {
            let start = self.text[..self.at].rfind('\n').map_or(0, |at| at + 1);
            self.while_matching(|character| matches!(character, ' ' | '\t'));
            match self.peek() {
                None => return LineStart::End,
                Some(';') => {
                    self.while_matching(|character| character != '\n');
                }
                Some('\n') => self.at += 1,
                Some('\r') if self.at_line_end() => self.at += 1,
                Some(_) => {
                    return LineStart::Rule {
                        indent: self.at - start,
                    };
                }
            }
        }
    }

    fn at_line_end(&self) -> bool {
        let rest = &self.text[self.at..];
        rest.is_empty() || rest.starts_with('\n') || rest.starts_with("\r\n")
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, expected: &str) -> bool {
        let found = self.text[self.at..].starts_with(expected);
        if found {
            self.at += expected.len();
        }
        found
    }

    fn while_matching(&mut self, matches: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.find(|character| !matches(character)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn position(&self, at: usize) -> Position {
        let line = self.line_starts.partition_point(|&start| start <= at);
        Position {
            line,
            column: self.text[self.line_starts[line - 1]..at].chars().count() + 1,
        }
    }

    fn error(&self, at: usize, problem: ErrorKind) -> Error {
        Error {
            position: Some(self.position(at)),
            problem,
        }
    }

    fn syntax(&self, expected: &'static str) -> Error {
        let found = match self.peek() {
            None => "the end of the text".to_owned(),
            Some(_) if self.at_line_end() => "the end of the rule".to_owned(),
            Some(character) => format!("{character:?}"),
        };
        self.error(self.at, ErrorKind::Syntax { found, expected })
    }
}

fn begins_repetition(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '*' | '(' | '[' | '"' | '%' | '<')
}

fn one_or(mut elements: Vec<Element>, several: fn(Vec<Element>) -> Element) -> Element {
    if elements.len() > 1 {
        return several(elements);
    }
    elements.remove(0)
}

/// Adds an incremental alternative.
fn extend(element: &mut Element, more: Element) {
    let mut alternatives = match std::mem::replace(element, Element::Alternation(Vec::new())) {
        Element::Alternation(alternatives) => alternatives,
        other => vec![other],
    };
    match more {
        Element::Alternation(more) => alternatives.extend(more),
        other => alternatives.push(other),
    }
    *element = Element::Alternation(alternatives);
}
