//! See `spinney_fuzz::shape`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| spinney_fuzz::shape(data));
