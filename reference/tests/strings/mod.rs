//! Every short string.

/// Calls `check` with every string of at most `length` of `pieces`.
pub(crate) fn each_string(pieces: &[&str], length: usize, check: &mut impl FnMut(&str)) {
    fn extend(pieces: &[&str], length: usize, string: &mut String, check: &mut impl FnMut(&str)) {
        check(string);
        if length > 0 {
            for piece in pieces {
                let end = string.len();
                string.push_str(piece);
                extend(pieces, length - 1, string, check);
                string.truncate(end);
            }
        }
    }
    extend(pieces, length, &mut String::new(), check);
}
