//! See `spinney_fuzz::read_csv`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| spinney_fuzz::read_csv(data));
