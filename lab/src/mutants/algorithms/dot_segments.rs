//! Remove Dot Segments (RFC 3986 §5.2.4), with an edit.

use super::Algorithms;
use super::edits::Edit;
use super::faults::{PathBranch, misread, name_of_hidden};

/// Whether the turn is over: "otherwise".
enum Then {
    NextTurn,
    GoOn,
}

impl Algorithms {
    /// The path of this branch without its dot-segments; `None` where an edit refuses it.
    pub(super) fn removed_in(self, branch: PathBranch, path: &str) -> Option<String> {
        let (misread, hidden) = misread(self.fault, branch, path);
        let mut removed = self.remove_dot_segments(&misread)?;
        for (number, segment) in hidden.into_iter().enumerate() {
            removed = removed.replace(&name_of_hidden(number), segment);
        }
        Some(removed)
    }

    /// `path` without its dot-segments; `None` where an edit refuses it.
    pub(super) fn remove_dot_segments(self, path: &str) -> Option<String> {
        if self.has(Edit::RelativePathsUntouched) && !path.starts_with('/') {
            return Some(path.to_owned());
        }
        let mut input = path.to_owned();
        if self.has(Edit::EncodedSlashEndsSegment) {
            input = input.replace("%2F", "/").replace("%2f", "/");
        }
        if self.has(Edit::DotSegmentsWithParameters) {
            input = without_parameters_of_dots(&input);
        }
        if self.has(Edit::ThreeDotsAreTwo) {
            input = input
                .split('/')
                .map(|segment| if segment == "..." { ".." } else { segment })
                .collect::<Vec<_>>()
                .join("/");
        }
        if self.has(Edit::DoubleDotsBeforeDots) {
            // The dots wear another name until the others are gone.
            let hidden: Vec<_> = input.split('/').map(|segment| if segment == "." { "\0" } else { segment }).collect();
            let without_double_dots = self.turns(hidden.join("/"))?;
            input = without_double_dots
                .split('/')
                .map(|segment| if segment == "\0" { "." } else { segment })
                .collect::<Vec<_>>()
                .join("/");
        }
        self.turns(input)
    }

    fn turns(self, mut input: String) -> Option<String> {
        let mut output = String::new();
        while !input.is_empty() {
            if self.has(Edit::LoopEndsAtSlash) && input == "/" && !output.is_empty() {
                break;
            }
            self.turn(&mut input, &mut output)?;
            if self.has(Edit::NoLoop) {
                output.push_str(&input);
                break;
            }
        }
        Some(output)
    }

    /// One turn of the loop.
    fn turn(self, input: &mut String, output: &mut String) -> Option<()> {
        if let Then::NextTurn = self.step_2a(input) {
            return Some(());
        }
        if let Then::NextTurn = self.step_2b(input) {
            return Some(());
        }
        if let Then::NextTurn = self.step_2c(input, output)? {
            return Some(());
        }
        if let Then::NextTurn = self.step_2d(input) {
            return Some(());
        }
        self.step_2e(input, output);
        Some(())
    }

    fn otherwise(self, forgotten: Edit) -> Then {
        if self.has(forgotten) {
            Then::GoOn
        } else {
            Then::NextTurn
        }
    }

    fn step_2a(self, input: &mut String) -> Then {
        let removes = |prefix: &str| match prefix {
            _ if self.has(Edit::Step2AForgotten) => false,
            "../" => !self.has(Edit::Step2AWithoutDoubleDot),
            _ => !self.has(Edit::Step2AWithoutDot),
        };
        for prefix in ["../", "./"] {
            if removes(prefix) && input.starts_with(prefix) {
                input.drain(..prefix.len());
                return self.otherwise(Edit::OtherwiseForgottenAfter2A);
            }
        }
        Then::GoOn
    }

    fn step_2b(self, input: &mut String) -> Then {
        if self.has(Edit::Step2BForgotten) {
            return Then::GoOn;
        }
        if input.starts_with("/./") && !self.has(Edit::Step2BAtEndOnly) {
            input.drain(..if self.has(Edit::Step2BLosesSlash) { 3 } else { 2 });
        } else if input == "/." && !self.has(Edit::Step2BNotAtEnd) {
            *input = if self.has(Edit::Step2BLosesLastSlash) { "" } else { "/" }.to_owned();
        } else if input.starts_with("/.") && !input.starts_with("/..") && self.has(Edit::Step2BOfAnyDot) {
            input.replace_range(..2, "/");
        } else {
            return Then::GoOn;
        }
        self.otherwise(Edit::OtherwiseForgottenAfter2B)
    }

    fn step_2c(self, input: &mut String, output: &mut String) -> Option<Then> {
        if self.has(Edit::Step2CForgotten) {
            return Some(Then::GoOn);
        }
        let keeps_level =
            self.has(Edit::Step2CKeepsExtraLevels) && output.split('/').all(|segment| matches!(segment, "" | ".."));
        if input.starts_with("/../") && !self.has(Edit::Step2CAtEndOnly) {
            if !keeps_level {
                input.drain(..if self.has(Edit::Step2CLosesSlash) { 4 } else { 3 });
            }
        } else if input == "/.." && !self.has(Edit::Step2CNotAtEnd) {
            if !keeps_level {
                *input = if self.has(Edit::Step2CLosesLastSlash) { "" } else { "/" }.to_owned();
            }
        } else if input.starts_with("/..")
            && input.len() > 3
            && !input.starts_with("/../")
            && self.has(Edit::Step2COfAnyDots)
        {
            input.replace_range(..3, "/");
        } else {
            return Some(Then::GoOn);
        }
        if keeps_level {
            // To the output, as any other segment.
            let length = input[1..].find('/').map_or(input.len(), |next| next + 1);
            output.extend(input.drain(..length));
            return Some(Then::NextTurn);
        }
        if output.is_empty() && self.has(Edit::Step2CRefusesExtraLevels) {
            return None;
        }
        if output.is_empty() && self.has(Edit::Step2CTakesRoot) {
            input.drain(..usize::from(input.starts_with('/')));
        }
        self.remove_last_segment(output);
        Some(self.otherwise(Edit::OtherwiseForgottenAfter2C))
    }

    /// "remove the last segment and its preceding "/" (if any) from the output buffer"
    fn remove_last_segment(self, output: &mut String) {
        if self.has(Edit::Step2CKeepsSegment) {
            return;
        }
        if self.has(Edit::Step2CTakesAll) {
            output.clear();
        }
        if self.has(Edit::Step2CSkipsEmptySegments) {
            output.truncate(output.trim_end_matches('/').len());
        }
        match output.rfind('/') {
            Some(slash) if self.has(Edit::Step2CKeepsSlash) => output.truncate(slash + 1),
            Some(slash) => output.truncate(slash),
            None if self.has(Edit::Step2CNeedsSlash) => {}
            None => output.clear(),
        }
        if self.has(Edit::Step2CTakesTwo) {
            output.truncate(output.rfind('/').unwrap_or(0));
        }
    }

    fn step_2d(self, input: &mut String) -> Then {
        let removes = match &**input {
            "." => !self.has(Edit::Step2DWithoutDot),
            ".." => !self.has(Edit::Step2DWithoutDoubleDot),
            _ => false,
        };
        if removes && !self.has(Edit::Step2DForgotten) {
            input.clear();
            return Then::NextTurn;
        }
        Then::GoOn
    }

    fn step_2e(self, input: &mut String, output: &mut String) {
        let initial = usize::from(input.starts_with('/'));
        let mut length = input[initial..].find('/').map_or(input.len(), |next| initial + next);
        if self.has(Edit::Step2ETakesNextSlash) && length < input.len() {
            length += 1;
        }
        let segment: String = input.drain(..length).collect();
        if self.has(Edit::Step2EDropsEmptySegments) && segment == "/" && !input.is_empty() {
            return;
        }
        output.push_str(if self.has(Edit::Step2ELosesSlash) {
            &segment[initial..]
        } else {
            &segment
        });
    }
}

/// ".;x" and "..;x" as "." and "..".
fn without_parameters_of_dots(path: &str) -> String {
    let segments = path.split('/').map(|segment| match segment.split_once(';') {
        Some((dots @ ("." | ".."), _)) => dots,
        _ => segment,
    });
    segments.collect::<Vec<_>>().join("/")
}
