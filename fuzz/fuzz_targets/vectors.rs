#![no_main]

uriproof_fuzz::target!("vectors");
