//! RFC 3986 §5.2.4: remove_dot_segments, with two buffers.

use std::fmt;

/// A step of the algorithm, named as in the RFC's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// "The input buffer is initialized with the now-appended path components".
    Step1,
    /// A prefix of "../" or "./".
    Step2A,
    /// A prefix of "/./" or "/.".
    Step2B,
    /// A prefix of "/../" or "/..".
    Step2C,
    /// The input buffer consists only of "." or "..".
    Step2D,
    /// The first path segment is moved to the output buffer.
    Step2E,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Step::Step1 => "1",
            Step::Step2A => "2A",
            Step::Step2B => "2B",
            Step::Step2C => "2C",
            Step::Step2D => "2D",
            Step::Step2E => "2E",
        })
    }
}

/// `path` without its dot-segments (RFC 3986 §5.2.4).
pub fn remove_dot_segments(path: &str) -> String {
    steps(path, |_, _, _| ())
}

/// [`remove_dot_segments`], which shows each step to `after` with the output buffer and the input buffer behind it: the
/// rows of the table that §5.2.4 prints for `path`.
pub fn steps(path: &str, mut after: impl FnMut(Step, &str, &str)) -> String {
    // 1. The input buffer is initialized with the now-appended path components and the output buffer is initialized
    //    to the empty string.
    let mut input = path;
    let mut output = String::with_capacity(path.len());
    after(Step::Step1, &output, input);

    // 2. While the input buffer is not empty, loop as follows:
    while !input.is_empty() {
        // A. If the input buffer begins with a prefix of "../" or "./", then remove that prefix from the input
        //    buffer; otherwise,
        if let Some(rest) = input.strip_prefix("../").or_else(|| input.strip_prefix("./")) {
            input = rest;
            after(Step::Step2A, &output, input);
        }
        // B. if the input buffer begins with a prefix of "/./" or "/.", where "." is a complete path segment, then
        //    replace that prefix with "/" in the input buffer; otherwise,
        else if input.starts_with("/./") {
            input = &input[2..];
            after(Step::Step2B, &output, input);
        } else if input == "/." {
            input = "/";
            after(Step::Step2B, &output, input);
        }
        // C. if the input buffer begins with a prefix of "/../" or "/..", where ".." is a complete path segment, then
        //    replace that prefix with "/" in the input buffer and remove the last segment and its preceding "/" (if
        //    any) from the output buffer; otherwise,
        else if input.starts_with("/../") {
            input = &input[3..];
            output.truncate(output.rfind('/').unwrap_or(0));
            after(Step::Step2C, &output, input);
        } else if input == "/.." {
            input = "/";
            output.truncate(output.rfind('/').unwrap_or(0));
            after(Step::Step2C, &output, input);
        }
        // D. if the input buffer consists only of "." or "..", then remove that from the input buffer; otherwise,
        else if input == "." || input == ".." {
            input = "";
            after(Step::Step2D, &output, input);
        }
        // E. move the first path segment in the input buffer to the end of the output buffer, including the initial
        //    "/" character (if any) and any subsequent characters up to, but not including, the next "/" character or
        //    the end of the input buffer.
        else {
            let initial = usize::from(input.starts_with('/'));
            let length = input[initial..].find('/').map_or(input.len(), |next| initial + next);
            let (segment, rest) = input.split_at(length);
            output.push_str(segment);
            input = rest;
            after(Step::Step2E, &output, input);
        }
    }

    // 3. Finally, the output buffer is returned as the result of remove_dot_segments.
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(path: &str) -> String {
        let mut rows = String::new();
        steps(path, |step, output, input| {
            rows += &format!("{step:<2}: {output:<15} {input}\n");
        });
        rows
    }

    #[test]
    fn the_first_table_is_the_printed_one() {
        assert_eq!(
            table("/a/b/c/./../../g"),
            "1 :                 /a/b/c/./../../g\n\
             2E: /a              /b/c/./../../g\n\
             2E: /a/b            /c/./../../g\n\
             2E: /a/b/c          /./../../g\n\
             2B: /a/b/c          /../../g\n\
             2C: /a/b            /../g\n\
             2C: /a              /g\n\
             2E: /a/g            \n"
        );
    }

    #[test]
    fn the_second_table_is_the_printed_one() {
        assert_eq!(
            table("mid/content=5/../6"),
            "1 :                 mid/content=5/../6\n\
             2E: mid             /content=5/../6\n\
             2E: mid/content=5   /../6\n\
             2C: mid             /6\n\
             2E: mid/6           \n"
        );
    }

    #[test]
    fn steps_follow_each_other_by_otherwise() {
        // Five steps in a row, one after the other in each turn, would give "/.", "/./g" and "./".
        assert_eq!(remove_dot_segments("/./."), "/");
        assert_eq!(remove_dot_segments("/././g"), "/g");
        assert_eq!(remove_dot_segments("././"), "");
    }

    #[test]
    fn the_last_segment_goes_even_without_a_slash_before_it() {
        assert_eq!(remove_dot_segments("a/.."), "/");
        assert_eq!(remove_dot_segments("a/../b"), "/b");
    }

    #[test]
    fn dots_are_special_only_as_complete_segments() {
        for path in ["/..a", "/a..", "/...", "/.a", "/a.", "...", ".a/..b", "/%2e%2e/a"] {
            assert_eq!(remove_dot_segments(path), path);
        }
    }
}
