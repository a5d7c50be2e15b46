#![no_main]

use libfuzzer_sys::fuzz_target;
use uriproof::search::targets::{ComposeCase, compose, fuzz};

fuzz_target!(|case: ComposeCase| fuzz(|recorder| compose(&case, recorder)));
