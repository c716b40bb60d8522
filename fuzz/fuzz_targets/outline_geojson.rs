//! See `spinney_fuzz::outline_geojson`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| spinney_fuzz::outline_geojson(data));
