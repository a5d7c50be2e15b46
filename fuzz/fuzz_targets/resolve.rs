#![no_main]

uriproof_fuzz::target!("resolve");
