#![no_main]

use libfuzzer_sys::fuzz_target;
use uriproof::search::targets::{NormalizeCase, fuzz, normalize};

fuzz_target!(|case: NormalizeCase| fuzz(|recorder| normalize(&case, recorder)));
