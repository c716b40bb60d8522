//! Properties that must hold for any bytes, one function per target. Each panics if its property
//! fails.

mod bytes;
mod fields;
mod maps;
mod outlines;
mod points;
mod scattered;
mod shapes;
mod species;

pub use fields::sample;
pub use maps::{
    decode_any, decode_exr, decode_jpeg, decode_png, decode_raw, decode_simple, decode_tiff,
};
pub use outlines::{outline_geojson, outline_svg};
pub use points::{read_csv, read_json, read_npy, read_ply};
pub use scattered::scatter;
pub use shapes::shape;
pub use species::species;

/// The name and the function of a target.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 17] = [
    ("decode_any", decode_any),
    ("decode_png", decode_png),
    ("decode_jpeg", decode_jpeg),
    ("decode_tiff", decode_tiff),
    ("decode_exr", decode_exr),
    ("decode_simple", decode_simple),
    ("decode_raw", decode_raw),
    ("outline_geojson", outline_geojson),
    ("outline_svg", outline_svg),
    ("read_csv", read_csv),
    ("read_json", read_json),
    ("read_ply", read_ply),
    ("read_npy", read_npy),
    ("sample", sample),
    ("scatter", scatter),
    ("shape", shape),
    ("species", species),
];
