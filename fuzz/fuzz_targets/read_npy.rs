//! See `spinney_fuzz::read_npy`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| spinney_fuzz::read_npy(data));
