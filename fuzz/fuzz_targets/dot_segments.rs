#![no_main]

use libfuzzer_sys::fuzz_target;
use uriproof::search::targets::{DotSegmentsCase, dot_segments, fuzz};

fuzz_target!(|case: DotSegmentsCase| fuzz(|recorder| dot_segments(&case, recorder)));
