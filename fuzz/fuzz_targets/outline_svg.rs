//! See `spinney_fuzz::outline_svg`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| spinney_fuzz::outline_svg(data));
