#![no_main]

uriproof_fuzz::target!("protocol");
