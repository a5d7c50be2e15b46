#![no_main]

use libfuzzer_sys::fuzz_target;
use uriproof::search::targets::{ParseCase, fuzz, parse};

fuzz_target!(|case: ParseCase| fuzz(|recorder| parse(&case, recorder)));
