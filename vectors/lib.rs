//! The test vectors of uriproof for RFC 3986 and the WHATWG URL Standard, as a Rust crate: the texts of the JSON files.
//!
//! `uriproof` reads them as types and runs them on a library. A program that needs the JSON alone takes this crate; the README of
//! the vectors has the format.
//!
//! [`files`] returns every file with its path:
//!
//! ```
//! let files = uriproof_vectors::files();
//! assert!(files.iter().any(|(path, text)| path == "clauses.json" && text.contains("§5.2.4")));
//! assert!(files.iter().filter(|(path, _)| path.starts_with("resolution/")).count() > 5);
//! ```
//!
//! A test of a library runs the vectors of an operation, here on a library that takes every reference for a URI:
//!
//! ```
//! use serde_json::Value;
//!
//! let resolve = |_base: &str, reference: &str| reference.to_owned();
//! let files = uriproof_vectors::files();
//! let (_, text) = files.iter().find(|(path, _)| path == "rfc/5.4.1.json").expect("the examples of the RFC");
//! let file: Value = serde_json::from_str(text)?;
//! let vectors = file["vectors"].as_array().expect("a list");
//! let passes = |vector: &Value| {
//!     let [base, reference] = ["base", "reference"].map(|name| vector["input"][name].as_str().expect("a string"));
//!     vector["expect"]["rfc3986"]["uri"] == resolve(base, reference)
//! };
//! let passed: Vec<&str> = vectors.iter().filter(|vector| passes(vector)).filter_map(|vector| vector["id"].as_str()).collect();
//! assert_eq!(passed, ["rfc/5.4.1/with-scheme"]);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! A vector cites clauses, and the register has the words of each:
//!
//! ```
//! use serde_json::Value;
//!
//! let files = uriproof_vectors::files();
//! let (_, text) = files.iter().find(|(path, _)| path == "clauses.json").expect("the register");
//! let register: Value = serde_json::from_str(text)?;
//! let clauses = register["clauses"].as_array().expect("a list");
//! let clause = clauses.iter().find(|clause| clause["id"] == "§5.2.2/empty-path-with-query").expect("a clause");
//! assert_eq!((&clause["section"], &clause["level"]), (&"5.2.2".into(), &"must".into()));
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! [`core_suite`] is a suite that is made from the grammar. Its first line describes it. Each other line is a string: JSON text if
//! it must be rejected, and an object with its components if it must be accepted:
//!
//! ```
//! use serde_json::Value;
//!
//! let suite = uriproof_vectors::core_suite();
//! let mut lines = suite.lines().map(|line| serde_json::from_str::<Value>(line));
//! let header = lines.next().expect("a first line")?;
//! assert_eq!(header["rule"], "URI-reference");
//!
//! let accepted = lines.filter(|line| line.as_ref().is_ok_and(Value::is_object)).count();
//! assert_eq!(header["accepted"], accepted);
//! # Ok::<(), serde_json::Error>(())
//! ```

/// The files: for each the length of its path, the path, the length of its compressed text, and that.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/vectors"));

/// Every vector file and the register of clauses: its path, with forward slashes, and its text; sorted by path.
///
/// # Panics
///
/// If what the build script has packed cannot be unpacked, which a test excludes.
pub fn files() -> Vec<(String, String)> {
    files_of(|_| true)
}

/// As [`files`], but those alone whose path is taken: no other is unpacked.
///
/// ```
/// let files = uriproof_vectors::files_of(|path| path == "clauses.json");
/// assert_eq!(files.len(), 1);
/// ```
///
/// # Panics
///
/// As [`files`].
pub fn files_of(takes: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let mut rest = PACKED;
    let mut take = || {
        let (length, behind) = rest.split_first_chunk()?;
        let (octets, behind) = behind.split_at(usize::try_from(u32::from_le_bytes(*length)).ok()?);
        rest = behind;
        Some(octets)
    };
    let packed = std::iter::from_fn(|| Some((std::str::from_utf8(take()?).expect("paths are UTF-8"), take()?)));
    packed.filter(|(path, _)| takes(path)).map(|(path, text)| (path.to_owned(), unpacked(text))).collect()
}

/// The text that the build script has compressed.
fn unpacked(compressed: &[u8]) -> String {
    let text = lz4_flex::decompress_size_prepended(compressed).expect("the build script has packed it");
    String::from_utf8(text).expect("files are UTF-8")
}

/// The ids of all vectors, a line each.
const IDS: &str = include_str!(concat!(env!("OUT_DIR"), "/ids"));

/// The id of every vector, in the order of the files: its file without `.json`, a slash, and its name. It costs no JSON.
///
/// ```
/// assert!(uriproof_vectors::ids().any(|id| id == "rfc/5.4.1/with-scheme"));
/// ```
pub fn ids() -> impl Iterator<Item = &'static str> {
    IDS.lines()
}

/// The ids of the vectors of the WHATWG URL Standard, a line each.
const WHATWG_IDS: &str = include_str!(concat!(env!("OUT_DIR"), "/whatwg-ids"));

/// The id of every vector of the WHATWG URL Standard, as [`ids`] has those of RFC 3986.
///
/// ```
/// assert!(uriproof_vectors::whatwg_ids().all(|id| id.starts_with("whatwg/")));
/// ```
pub fn whatwg_ids() -> impl Iterator<Item = &'static str> {
    WHATWG_IDS.lines()
}

/// The core suite of the grammar, compressed.
const PACKED_CORE_SUITE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/core-suite"));

/// The core suite of the grammar: the text of `syntax/complete/core.jsonl`, whose format the README beside it describes.
///
/// # Panics
///
/// As [`files`].
pub fn core_suite() -> String {
    unpacked(PACKED_CORE_SUITE)
}

/// How many bytes of a program the files and the suite take.
pub fn packed_size() -> usize {
    PACKED.len() + PACKED_CORE_SUITE.len()
}
