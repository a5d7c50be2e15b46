//! Strings that grow in one measure, and where a subject's answer to them changes.

use super::Measure;
use crate::learn::tree::Questions;
use crate::learn::{Purpose, Stop};
use crate::machine::Machine;

/// The sizes at which the answer is looked at first.
const SIZES: [u64; 21] = [
    2, 3, 4, 6, 9, 14, 20, 32, 40, 63, 64, 100, 128, 200, 255, 256, 512, 1_100, 4_200, 33_000, 65_540,
];

/// Ports that are looked at first; 0 is accepted by some that accept no other.
const PORTS: [u64; 16] = [
    1,
    80,
    255,
    256,
    999,
    1_024,
    9_999,
    32_767,
    32_768,
    65_535,
    65_536,
    99_999,
    1 << 31,
    (1 << 32) - 1,
    1 << 32,
    u64::MAX,
];

/// Strings that grow in one measure.
pub(super) struct StringFamily {
    measure: Measure,
    /// What is repeated; for ports by value nothing.
    unit: &'static str,
    /// What stands before and behind it, the first that the target and the subject accept.
    frames: &'static [(&'static str, &'static str)],
}

const HOST_FRAMES: &[(&str, &str)] = &[("//", ""), ("a://", ""), ("a://", "/")];

const PORT_FRAMES: &[(&str, &str)] = &[("//h:", ""), ("a://h:", ""), ("a://h:", "/"), ("h:", "")];

pub(super) const FAMILIES: &[StringFamily] = &[
    StringFamily {
        measure: Measure::Scheme,
        unit: "a",
        frames: &[("", ":"), ("", "://h"), ("", "://h/"), ("", "")],
    },
    StringFamily {
        measure: Measure::Userinfo,
        unit: "a",
        frames: &[("//", "@h"), ("a://", "@h"), ("a://", "@h/"), ("", "@h:1")],
    },
    StringFamily {
        measure: Measure::Literal,
        unit: "a",
        frames: &[("//[v1.", "]"), ("a://[v1.", "]"), ("a://[v1.", "]/"), ("[v1.", "]")],
    },
    StringFamily {
        measure: Measure::Label,
        unit: "a",
        frames: HOST_FRAMES,
    },
    StringFamily {
        measure: Measure::Host,
        unit: "a.",
        frames: HOST_FRAMES,
    },
    StringFamily {
        measure: Measure::PortDigits,
        unit: "0",
        frames: PORT_FRAMES,
    },
    StringFamily {
        measure: Measure::PortValue,
        unit: "",
        frames: PORT_FRAMES,
    },
    StringFamily {
        measure: Measure::Segment,
        unit: "a",
        frames: &[("/", ""), ("a:/", ""), ("a://h/", "")],
    },
    StringFamily {
        measure: Measure::Path,
        unit: "/a",
        frames: &[("", ""), ("a:", ""), ("a://h", "")],
    },
    StringFamily {
        measure: Measure::Query,
        unit: "a",
        frames: &[("?", ""), ("a:?", ""), ("a://h?", ""), ("a://h/?", "")],
    },
    StringFamily {
        measure: Measure::Fragment,
        unit: "a",
        frames: &[("#", ""), ("a:#", ""), ("a://h#", ""), ("a://h/#", "")],
    },
];

/// The strings at which limits are looked for, and ports with leading zeros: for the equivalence queries.
pub(in crate::learn) fn values() -> Vec<String> {
    let mut values = Vec::new();
    for family in FAMILIES {
        for &frame in family.frames {
            let sizes = family.sizes().iter().filter(|&&size| family.measure == Measure::PortValue || size <= 1_100);
            values.extend(sizes.map(|&size| family.string(frame, size)));
        }
    }
    for (before, behind) in PORT_FRAMES {
        for port in [
            "00",
            "01",
            "080",
            "00080",
            "000080",
            "065535",
            "065536",
            "0000065535",
            "0000065536",
        ] {
            values.push([before, port, behind].concat());
        }
    }
    values
}

impl StringFamily {
    fn string(&self, frame: (&str, &str), size: u64) -> String {
        let middle = match self.measure {
            Measure::PortValue => size.to_string(),
            _ => self.unit.repeat(size as usize),
        };
        [frame.0, &middle, frame.1].concat()
    }

    fn sizes(&self) -> &'static [u64] {
        if self.measure == Measure::PortValue {
            &PORTS
        } else {
            &SIZES
        }
    }

    /// The sizes between which the answer changes, for good as far as it was looked at.
    ///
    /// # Errors
    ///
    /// The oracle does not answer, or one string is answered in two ways.
    pub(super) fn find(&self, target: &Machine, questions: &mut Questions) -> Result<Option<LimitChange>, Stop> {
        let expected = |text: &str| target.output(target.run(text.as_bytes()));
        let first = self.sizes()[0];
        let mut accepted = None;
        for &frame in self.frames {
            let text = self.string(frame, first);
            if expected(&text) == 0 {
                continue;
            }
            let output = questions.ask(Purpose::Limits, &questions.characters.encode(&text))?;
            if output != 0 {
                accepted = Some((frame, output));
                break;
            }
        }
        let Some((frame, output)) = accepted else {
            return Ok(None);
        };
        let word = |questions: &Questions, size| questions.characters.encode(&self.string(frame, size));
        let answer = |questions: &mut Questions, size| questions.ask(Purpose::Limits, &word(questions, size));
        let (same, usual) = (expected(&self.string(frame, first)), answer(questions, first)?);
        if usual != output {
            return Err(questions.inconsistent(&word(questions, first), output, usual));
        }
        if self.sizes().iter().any(|&size| expected(&self.string(frame, size)) != same) {
            return Ok(None);
        }
        let mut answers = Vec::new();
        for &size in self.sizes() {
            answers.push(answer(questions, size)?);
        }
        if answers[0] != usual {
            return Err(questions.inconsistent(&word(questions, first), usual, answers[0]));
        }
        let Some(change) = answers.iter().position(|&answer| answer != usual) else {
            return Ok(None);
        };
        let beyond = answers[change];
        if answers[change..].iter().any(|&answer| answer != beyond) {
            return Ok(None);
        }
        let (mut low, mut high) = (self.sizes()[change - 1], self.sizes()[change]);
        while high - low > 1 {
            let middle = u64::midpoint(low, high);
            if answer(questions, middle)? == usual {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(Some(LimitChange {
            measure: self.measure,
            size: low,
            outputs: [usual, beyond],
            inside: self.string(frame, low),
            outside: self.string(frame, high),
        }))
    }
}

/// Where a family changes.
#[derive(Clone)]
pub(super) struct LimitChange {
    pub(super) measure: Measure,
    pub(super) size: u64,
    pub(super) outputs: [u32; 2],
    pub(super) inside: String,
    pub(super) outside: String,
}
