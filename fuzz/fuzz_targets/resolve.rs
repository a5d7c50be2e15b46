#![no_main]

use libfuzzer_sys::fuzz_target;
use uriproof::search::targets::{ResolveCase, fuzz, resolve};

fuzz_target!(|case: ResolveCase| fuzz(|recorder| resolve(&case, recorder)));
