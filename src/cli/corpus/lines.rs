//! Reads a file line by line, whatever the length of a line.

use std::io::{self, BufRead, Read};

use super::LONGEST;

/// What is read of a file at a time.
pub(super) enum ReadLine {
    /// A line, without its end.
    Whole,
    /// A line that is too long, of which nothing is kept.
    TooLong,
    /// The file has ended.
    End,
}

/// Reads the next line into `line`.
pub(super) fn next_line(file: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<ReadLine> {
    line.clear();
    // "\r\n" belongs to no line.
    let most = LONGEST as u64 + 2;
    if file.by_ref().take(most).read_until(b'\n', line)? == 0 {
        return Ok(ReadLine::End);
    }
    let is_ended = line.pop_if(|last| *last == b'\n').is_some();
    line.pop_if(|last| is_ended && *last == b'\r');
    if line.len() <= LONGEST {
        return Ok(ReadLine::Whole);
    }
    line.clear();
    if !is_ended {
        file.skip_until(b'\n')?;
    }
    Ok(ReadLine::TooLong)
}
