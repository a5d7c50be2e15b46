//! The test vectors of uriproof for RFC 3986, as a Rust crate: the texts of the JSON files.
//!
//! `uriproof` reads them; a program that wants the JSON alone takes this crate.
//!
//! ```
//! let files = uriproof_vectors::files();
//! assert!(files.iter().any(|(path, text)| path == "clauses.json" && text.contains("§5.2.4")));
//! ```

/// The files, compressed.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/vectors"));

/// Every vector file and the register of clauses: its path, with forward slashes, and its text; sorted by path.
///
/// # Panics
///
/// If what the build script has packed cannot be unpacked, which a test excludes.
pub fn files() -> Vec<(String, String)> {
    let packed = lz4_flex::decompress_size_prepended(PACKED).expect("the build script has packed it");
    let mut rest = &*packed;
    let mut take = || {
        let (length, behind) = rest.split_first_chunk()?;
        let (text, behind) = behind.split_at(usize::try_from(u32::from_le_bytes(*length)).ok()?);
        rest = behind;
        Some(String::from_utf8(text.to_vec()).expect("files are UTF-8"))
    };
    std::iter::from_fn(|| Some((take()?, take()?))).collect()
}

/// The core suite of the grammar, compressed.
const PACKED_CORE_SUITE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/core-suite"));

/// The core suite of the grammar: the text of `syntax/complete/core.jsonl`, whose format the README beside it describes.
///
/// # Panics
///
/// As [`files`].
pub fn core_suite() -> String {
    let text = lz4_flex::decompress_size_prepended(PACKED_CORE_SUITE).expect("the build script has packed it");
    String::from_utf8(text).expect("the file is UTF-8")
}

/// How many bytes of a program the files and the suite take.
pub fn packed_size() -> usize {
    PACKED.len() + PACKED_CORE_SUITE.len()
}
