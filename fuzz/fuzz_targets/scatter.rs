//! See `spinney_fuzz::scatter`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| spinney_fuzz::scatter(data));
