//! What a process that died said on standard error: the line that names the cause, without what comes before and after it.

use std::io::{self, Read};

/// How much of standard error is kept, in bytes.
const KEPT: usize = 1 << 16;

/// The cause that a stream names, read to its end.
pub fn of(mut stderr: impl Read) -> String {
    let mut kept = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        match stderr.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => {
                kept.extend_from_slice(&buffer[..read]);
                kept.drain(..kept.len().saturating_sub(KEPT));
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    cause(&String::from_utf8_lossy(&kept))
}

/// The cause in what a process said last: the message and the place of a panic, the summary of a sanitizer, the last exception
/// of an interpreter; otherwise the last line. Empty if it said nothing.
fn cause(said: &str) -> String {
    let lines: Vec<&str> = said.lines().map(str::trim_end).collect();
    let found = rust_panic(&lines).or_else(|| summary(&lines)).or_else(|| go_panic(&lines));
    found.or_else(|| exception(&lines)).or_else(|| last_line(&lines)).unwrap_or_default()
}

/// `thread 'main' (7) panicked at src/lib.rs:1:2:`, the message on the lines behind it. The place is reported as that of a built-in
/// subject is: file and line in parentheses.
fn rust_panic(lines: &[&str]) -> Option<String> {
    let (at, place) = last_match(lines, |line| {
        let (_, place) = line.strip_prefix("thread '")?.split_once(" panicked at ")?;
        place.strip_suffix(':')
    })?;
    let message = lines[at + 1..].iter().take_while(|line| !line.starts_with("note: ") && **line != "stack backtrace:");
    let message: Vec<&str> = message.map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    let file = place.rsplit(['/', '\\']).next().unwrap_or(place);
    // The column is left out.
    let file = match file.split(':').collect::<Vec<_>>().as_slice() {
        [name, line, ..] => format!("{name}:{line}"),
        _ => file.to_owned(),
    };
    Some(format!("{} ({file})", message.join(" ")))
}

/// `SUMMARY: AddressSanitizer: heap-buffer-overflow uri.c:10 in parse`.
fn summary(lines: &[&str]) -> Option<String> {
    last_match(lines, |line| line.strip_prefix("SUMMARY: ")).map(|(_, summary)| summary.to_owned())
}

/// `panic: runtime error: index out of range [1] with length 1`, and the first place of the goroutine that is not of the runtime.
fn go_panic(lines: &[&str]) -> Option<String> {
    let (at, message) = last_match(lines, |line| {
        line.strip_prefix("panic: ").or_else(|| line.strip_prefix("fatal error: "))
    })?;
    let is_place = |line: &&&str| line.starts_with('\t') && line.contains(".go:") && !line.contains("/runtime/");
    let place = lines[at..].iter().find(is_place).map(|line| {
        let place = line.trim().split(' ').next().unwrap_or_default();
        format!(" ({})", place.rsplit('/').next().unwrap_or(place))
    });
    Some(format!("{message}{}", place.unwrap_or_default()))
}

/// The last line that names an exception, as interpreters print them: `ValueError: port`, `Caused by: java.net.X: port`,
/// `PHP Fatal error:  Uncaught ValueError: port in adapter.php:1`. What stands below it, indented, is the stack.
fn exception(lines: &[&str]) -> Option<String> {
    let (at, line) = last_match(lines, |line| {
        let named = line
            .strip_prefix("Exception in thread ")
            .and_then(|rest| rest.split_once("\" "))
            .map(|(_, named)| named)
            .or_else(|| line.strip_prefix("Caused by: "))
            .or_else(|| line.strip_prefix("PHP Fatal error:  Uncaught "))
            .or_else(|| line.strip_prefix("Uncaught "))
            .unwrap_or(line);
        let name = named.split([':', ' ']).next().unwrap_or_default();
        let is_name = |name: &str| name.chars().all(|one| one.is_ascii_alphanumeric() || "_.$\\".contains(one));
        let is_exception = ["Error", "Exception", "Panic"].iter().any(|end| name.ends_with(end)) && is_name(name);
        is_exception.then_some(named)
    })?;
    // Java and Node.js print the place below.
    let place = lines.get(at + 1).and_then(|line| line.trim().strip_prefix("at ")).and_then(|place| {
        let place = place.rsplit_once('(').map_or(place, |(_, place)| place.trim_end_matches(')'));
        let place = place.rsplit(['/', '\\']).next()?;
        place.contains(':').then(|| format!(" ({place})"))
    });
    // Python prints it above, of the innermost call last.
    let above = || {
        let (_, call) = last_match(&lines[..at], |line| line.trim().strip_prefix("File \""))?;
        let (file, rest) = call.split_once("\", line ")?;
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        Some(format!(" ({}:{number})", file.rsplit(['/', '\\']).next()?))
    };
    Some(format!("{line}{}", place.or_else(above).unwrap_or_default()))
}

/// The last line that is not empty, no advice and no part of a stack.
fn last_line(lines: &[&str]) -> Option<String> {
    let says = |line: &&&str| {
        let trimmed = line.trim();
        let is_stack = line.starts_with([' ', '\t']) && (trimmed.starts_with("from ") || trimmed.starts_with("at "));
        // Perl says the cause on the line above.
        let is_advice = trimmed.starts_with("note: run with ")
            || trimmed.starts_with("BEGIN failed--")
            || trimmed.starts_with("Compilation failed in ");
        !trimmed.is_empty() && !is_advice && !is_stack
    };
    lines.iter().rev().find(says).map(|line| line.trim().to_owned())
}

/// The last line in which `find` finds something, and its place.
fn last_match<'a>(lines: &[&'a str], find: impl Fn(&'a str) -> Option<&'a str>) -> Option<(usize, &'a str)> {
    lines.iter().enumerate().rev().find_map(|(at, line)| Some((at, find(line)?)))
}

#[cfg(test)]
mod tests {
    use super::cause;

    #[test]
    fn the_cause_is_named() {
        for (said, expected) in [
            ("", ""),
            ("working\nno more\n\n", "no more"),
            (
                "warning: x\nthread 'main' panicked at src/parse.rs:12:5:\nindex out of bounds: the len is 3\nnote: run \
                 with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
                "index out of bounds: the len is 3 (parse.rs:12)",
            ),
            (
                "thread 'main' (421) panicked at /a/b/uri.rs:7:1:\nassertion failed\n  left: 1\n right: 2\nstack \
                 backtrace:\n   0: rust_begin_unwind\n",
                "assertion failed left: 1 right: 2 (uri.rs:7)",
            ),
            (
                "Traceback (most recent call last):\n  File \"adapter.py\", line 3, in <module>\nValueError: port 'x'\n",
                "ValueError: port 'x' (adapter.py:3)",
            ),
            (
                "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\nyarl._x.InvalidError: no\n",
                "yarl._x.InvalidError: no (a.py:3)",
            ),
            (
                "Exception in thread \"main\" java.lang.IllegalStateException: x\n\tat Adapter.main(Adapter.java:9)\n",
                "java.lang.IllegalStateException: x (Adapter.java:9)",
            ),
            (
                "/home/a/adapter.js:3\n    throw new TypeError('x');\n    ^\n\nTypeError: x\n    at parse \
                 (/home/a/adapter.js:3:11)\n    at main (b.js:1:1)\n\nNode.js v20.1.0\n",
                "TypeError: x (adapter.js:3:11)",
            ),
            (
                "panic: runtime error: index out of range [1] with length 1\n\ngoroutine 1 [running]:\nmain.parse(...)\n\t\
                 /src/adapter.go:12 +0x1d\nexit status 2\n",
                "runtime error: index out of range [1] with length 1 (adapter.go:12)",
            ),
            (
                "adapter.rb:5:in `parse': port (ArgumentError)\n\tfrom adapter.rb:9:in `<main>'\n",
                "adapter.rb:5:in `parse': port (ArgumentError)",
            ),
            (
                "PHP Fatal error:  Uncaught ValueError: port in /a/adapter.php:3\nStack trace:\n#0 {main}\n  thrown in \
                 /a/adapter.php on line 3\n",
                "ValueError: port in /a/adapter.php:3",
            ),
            (
                "Can't locate object method \"host\" via package \"URI::_generic\" at a.pl line 12, <STDIN> line 23.\n",
                "Can't locate object method \"host\" via package \"URI::_generic\" at a.pl line 12, <STDIN> line 23.",
            ),
            (
                "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60\n    #0 0x1 in parse uri.c:10\n\
                 SUMMARY: AddressSanitizer: heap-buffer-overflow uri.c:10 in parse\n==7==ABORTING\n",
                "AddressSanitizer: heap-buffer-overflow uri.c:10 in parse",
            ),
        ] {
            assert_eq!(cause(said), expected, "{said}");
        }
    }
}
