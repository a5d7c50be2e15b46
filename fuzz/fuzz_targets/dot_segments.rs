#![no_main]

uriproof_fuzz::target!("dot_segments");
