//! See `spinney_fuzz::decode_tiff`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| spinney_fuzz::decode_tiff(data));
