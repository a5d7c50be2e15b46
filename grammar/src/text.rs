//! Machines over characters, for implementations that take text: a string of bytes that is no UTF-8 cannot be put to them.

use std::collections::HashMap;

use crate::machine::{Classes, Machine, Raw, State};

/// The minimal machine that reads a character where another reads its UTF-8 bytes.
///
/// Its symbols are still bytes, but each stands for a character: 00 to 7F for those of US-ASCII, 80 to FF for U+0080 to
/// U+00FF, except that a few of these stand for characters beyond, where no other character of the same class has a
/// byte. So every class of characters has a symbol, and a suite of strings of symbols is a suite of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextMachine {
    machine: Machine,
    characters: [char; 256],
    /// For each class the number of its characters.
    counts: Vec<usize>,
}

impl TextMachine {
    /// The machine over the characters whose UTF-8 `bytes` reads.
    ///
    /// # Panics
    ///
    /// If there are more classes of characters than symbols for them: 256.
    pub fn of(bytes: &Machine) -> TextMachine {
        let step = |state: State, character: char| {
            character.encode_utf8(&mut [0; 4]).bytes().fold(state, |state, byte| bytes.step(state, byte))
        };
        let (firsts, counts, kind_of_latin) = character_kinds(bytes);

        // The states that texts lead to, over one character of each kind.
        let mut numbers: HashMap<State, State> = HashMap::from([(bytes.start(), 0)]);
        let mut order = vec![bytes.start()];
        let mut rows: Vec<Vec<State>> = Vec::new();
        while let Some(&state) = order.get(rows.len()) {
            let row = firsts.iter().map(|&character| {
                let next = step(state, character);
                *numbers.entry(next).or_insert_with(|| {
                    order.push(next);
                    order.len() as State - 1
                })
            });
            rows.push(row.collect());
        }

        // Kinds that every state treats alike are one class.
        let mut classes: HashMap<Vec<State>, usize> = HashMap::new();
        let class_of_kind: Vec<usize> = (0..firsts.len())
            .map(|kind| {
                let column = rows.iter().map(|row| row[kind]).collect();
                let next = classes.len();
                *classes.entry(column).or_insert(next)
            })
            .collect();
        let (kind_of, characters) = symbols(&firsts, kind_of_latin, &class_of_kind, classes.len());

        let symbols = Classes::by_key(|byte| class_of_kind[kind_of[usize::from(byte)]]);
        let mut kind_of_symbol = vec![0; symbols.count];
        for byte in 0..256 {
            kind_of_symbol[usize::from(symbols.class_of[byte])] = kind_of[byte];
        }
        let raw = Raw {
            table: rows.iter().flat_map(|row| kind_of_symbol.iter().map(|&kind| row[kind])).collect(),
            outputs: order.iter().map(|&state| bytes.output(state)).collect(),
            classes: symbols,
        };
        let machine = Machine::minimal(&raw);
        let mut counts_of_classes = vec![0; machine.classes()];
        for (kind, count) in counts.iter().enumerate() {
            let byte = (0..=255_u8).find(|&byte| class_of_kind[kind_of[usize::from(byte)]] == class_of_kind[kind]);
            counts_of_classes[byte.map_or(0, |byte| machine.class_of(byte))] += count;
        }
        TextMachine {
            machine,
            characters,
            counts: counts_of_classes,
        }
    }

    /// The machine over symbols.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The character that a symbol stands for.
    pub fn character(&self, symbol: u8) -> char {
        self.characters[usize::from(symbol)]
    }

    /// The text that symbols stand for, in `buffer` if need be; each symbol is the character of that number, as
    /// [`Suite::advance`](crate::complete::Suite::advance) lends them.
    #[inline]
    pub fn read<'t>(&self, symbols: &'t str, buffer: &'t mut String) -> &'t str {
        // Symbols of US-ASCII stand for themselves, and most strings have no others.
        if symbols.is_ascii() {
            return symbols;
        }
        buffer.clear();
        buffer.extend(symbols.chars().map(|symbol| self.character(symbol as u8)));
        buffer
    }

    /// The text that symbols stand for.
    pub fn decode(&self, symbols: &[u8]) -> String {
        symbols.iter().map(|&symbol| self.character(symbol)).collect()
    }

    /// For every length from 0 to `longest`, how many strings over one character of each class match, which is to have an
    /// output other than 0; `u128::MAX` stands for that many or more.
    pub fn accepted_per_length(&self, longest: usize) -> Vec<u128> {
        self.machine.matching_per_length(longest, self.machine.representatives())
    }

    /// The characters of US-ASCII of a class as ranges; empty if it has none.
    pub fn ascii_label(&self, class: usize) -> String {
        self.machine.ascii_label(class)
    }

    /// A class: its characters of US-ASCII as ranges, then the first symbol beyond by its number, and how many more
    /// characters are like it.
    pub fn class_label(&self, class: usize) -> String {
        let ascii = self.machine.members(class).filter(u8::is_ascii).count();
        let mut label = self.machine.ascii_label(class);
        if let Some(first) = self.machine.members(class).find(|symbol| !symbol.is_ascii()) {
            let space = if ascii > 0 { " " } else { "" };
            label += &format!("{space}U+{:04X}", u32::from(self.character(first)));
            if self.counts[class] > ascii + 1 {
                label += &format!(" and {} more", self.counts[class] - ascii - 1);
            }
        }
        label
    }
}

/// Characters whose bytes are of the same classes are alike: the first character of each kind, how many characters are of it, and the
/// kinds of the characters that are one byte of Latin-1.
fn character_kinds(bytes: &Machine) -> (Vec<char>, Vec<usize>, [usize; 256]) {
    let mut kinds: HashMap<[u8; 4], usize> = HashMap::new();
    let mut firsts = Vec::new();
    let mut counts: Vec<usize> = Vec::new();
    let mut kind_of_latin = [0; 256];
    for character in '\0'..=char::MAX {
        let mut key = [u8::MAX; 4];
        for (class, byte) in key.iter_mut().zip(character.encode_utf8(&mut [0; 4]).bytes()) {
            // A machine of 256 classes has them all at one byte each, and no key is taken twice.
            *class = bytes.class_of(byte) as u8;
        }
        let kind = *kinds.entry(key).or_insert_with(|| {
            firsts.push(character);
            counts.push(0);
            firsts.len() - 1
        });
        counts[kind] += 1;
        if let Ok(byte) = u8::try_from(character) {
            kind_of_latin[usize::from(byte)] = kind;
        }
    }
    (firsts, counts, kind_of_latin)
}

/// The kind and the character that each of the 256 symbols stands for, so that every class of kinds has a symbol.
fn symbols(
    firsts: &[char],
    kind_of_latin: [usize; 256],
    class_of_kind: &[usize],
    classes: usize,
) -> ([usize; 256], [char; 256]) {
    let mut kind_of = kind_of_latin;
    let mut characters: [char; 256] = std::array::from_fn(|byte| char::from(byte as u8));
    for class in 0..classes {
        let class_at = |kind_of: &[usize; 256], byte: usize| class_of_kind[kind_of[byte]];
        if (0..256).any(|byte| class_at(&kind_of, byte) == class) {
            continue;
        }
        // The last byte that is not the only one of its class gives way.
        let spare = (128..256).rev().find(|&byte| {
            let own = class_at(&kind_of, byte);
            (0..256).any(|other| other != byte && class_at(&kind_of, other) == own)
        });
        let kind = class_of_kind.iter().position(|&of| of == class);
        assert!(spare.is_some(), "more classes of characters than symbols");
        if let (Some(spare), Some(kind)) = (spare, kind) {
            kind_of[spare] = kind;
            characters[spare] = firsts[kind];
        }
    }
    (kind_of, characters)
}
