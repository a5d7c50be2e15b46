#![no_main]

use libfuzzer_sys::fuzz_target;
use uriproof::search::targets::{DotSegmentsCase, fuzz, dot_segments};

fuzz_target!(|case: DotSegmentsCase| fuzz(|recorder| dot_segments(&case, recorder)));
