//! Integers that distinguish divergences while fuzzing.

use uriproof::compare::Difference;
use uriproof::model::{Input, Rung, Scope};
use uriproof::run::Brief;
use uriproof_grammar::Fnv;

/// Subject, operation and its arguments (strictly, by which scope, on which rung, which component), kind, the set of components
/// that differ and the place of a crash: as coarse as divergences can be distinguished without a look at the texts. There are a few
/// hundred of them, and soon no new ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature(u64);

impl Signature {
    /// That of a divergence of the subject with this place in the list.
    pub fn of(subject: usize, input: &Input, brief: &Brief) -> Signature {
        let Difference { kind, components } = &brief.difference;
        let set = u64::from(components.bits());
        let place = |reason: &str| hash(reason.bytes().rev().take_while(|octet| *octet != b'(')) >> 40;
        let place = brief.crash.as_deref().map_or(0, place);
        let (operation, way) = (input.operation() as u64, way(input));
        Signature((subject as u64) << 48 | operation << 44 | (*kind as u64) << 40 | way << 32 | set << 24 | place)
    }
}

/// Which of the questions of its operation an input is, whatever its texts.
fn way(input: &Input) -> u64 {
    match input {
        Input::Resolve { strict, .. } => u64::from(*strict),
        Input::Normalize { scope, .. } => match scope {
            Scope::Syntax => 0,
            Scope::Scheme => 1,
        },
        Input::Equivalent { rung, .. } => match rung {
            Rung::Simple => 0,
            Rung::Syntax => 1,
            Rung::Scheme => 2,
        },
        Input::Modify { component, value, .. } => (*component as u64) << 1 | u64::from(value.is_some()),
        Input::Parse { .. }
        | Input::Compose { .. }
        | Input::Relativize { .. }
        | Input::RoundTrip { .. }
        | Input::Contract { .. } => 0,
    }
}

/// Which delimiters, and which kinds of characters that no URI has, stand in the texts of an input. Inputs of one such set with one
/// signature have one class most of the time: the first of each is looked at in full.
///
/// Of 101,711 divergences with 322 signatures in 232 classes, every 16th shows 94 % of the classes, and the first of each set
/// 98 %: that is 8 % of them, 3 % in the second half, and fewer from there. The first of each signature alone shows some 60 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CharacterSignature(u32);

impl CharacterSignature {
    /// That of an input.
    pub fn of(input: &Input) -> CharacterSignature {
        let texts: [Option<&str>; 7] = match input {
            Input::Parse { input: text, .. } | Input::Normalize { uri: text, .. } | Input::RoundTrip { uri: text } => {
                [Some(text), None, None, None, None, None, None]
            }
            Input::Resolve {
                base: one,
                reference: other,
                ..
            }
            | Input::Relativize {
                base: one,
                target: other,
            }
            | Input::Equivalent {
                left: one,
                right: other,
                ..
            }
            | Input::Contract {
                left: one,
                right: other,
            } => [Some(one), Some(other), None, None, None, None, None],
            Input::Compose { components: c } => [
                c.scheme.as_deref(),
                c.userinfo.as_deref(),
                c.host.as_deref(),
                c.port.as_deref(),
                Some(&c.path),
                c.query.as_deref(),
                c.fragment.as_deref(),
            ],
            Input::Modify { uri, value, .. } => [Some(uri), value.as_deref(), None, None, None, None, None],
        };
        let mut set = 0;
        for octet in texts.iter().flatten().flat_map(|text| text.bytes()) {
            set |= SETS[usize::from(octet)];
        }
        CharacterSignature(set)
    }
}

/// The set of each octet alone.
static SETS: [u32; 256] = {
    let mut sets = [0; 256];
    let mut octet = 0;
    while octet < sets.len() {
        if let Some(kind) = kind_of(octet as u8) {
            sets[octet] = 1 << kind;
        }
        octet += 1;
    }
    sets
};

/// What letters, digits, marks and sub-delims stand between the delimiters makes hardly a difference.
const fn kind_of(octet: u8) -> Option<u32> {
    Some(match octet {
        b'%' => 0,
        b':' => 1,
        b'/' => 2,
        b'?' => 3,
        b'#' => 4,
        b'[' => 5,
        b']' => 6,
        b'@' => 7,
        b'\\' => 8,
        b'|' => 9,
        b'\t' | b'\n' | b'\r' => 10,
        0x00..=0x20 | 0x7f => 11,
        0x80.. => 12,
        b'"' | b'<' | b'>' | b'^' | b'`' | b'{' | b'}' => 13,
        _ => return None,
    })
}

/// FNV-1a: the same in every process and build.
pub fn hash(octets: impl IntoIterator<Item = u8>) -> u64 {
    Fnv::of(octets)
}
