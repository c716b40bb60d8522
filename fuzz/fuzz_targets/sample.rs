//! See `spinney_fuzz::sample`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| spinney_fuzz::sample(data));
