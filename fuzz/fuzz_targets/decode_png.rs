//! See `spinney_fuzz::decode_png`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| spinney_fuzz::decode_png(data));
