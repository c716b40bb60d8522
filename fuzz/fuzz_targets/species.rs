//! See `spinney_fuzz::species`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| spinney_fuzz::species(data));
