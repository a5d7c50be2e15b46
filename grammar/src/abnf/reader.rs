//! The reader of ABNF: a recursive descent, with a function for each rule of RFC 5234 §4.

use std::collections::HashMap;

use super::{Element, Error, ErrorKind, Grammar, LetterCase, NumVal, Position, Rule};

/// How deep groups and options may stand in one another.
const NESTING_LIMIT: usize = 100;

/// What the reader comes to after a line's end.
enum LineStart {
    Rule { indent: usize },
    End,
}

pub(super) struct AbnfReader<'a> {
    text: &'a str,
    at: usize,
    line_starts: Vec<usize>,
    /// The indentation of all rules: that of the first.
    margin: usize,
    depth: usize,
}

const AN_ELEMENT: &str = r#"an element: a rule name, "text", %x, %d, %b, %s or %i, <prose>, a group or an option"#;

impl<'a> AbnfReader<'a> {
    pub(super) fn new(text: &'a str) -> AbnfReader<'a> {
        AbnfReader {
            text,
            at: 0,
            line_starts: std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect(),
            margin: 0,
            depth: 0,
        }
    }

    /// `rulelist = 1*( rule / (*c-wsp c-nl) )`
    pub(super) fn grammar(mut self) -> Result<Grammar, Error> {
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
