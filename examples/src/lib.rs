//! What the example programs share: where to put a picture, how to draw and save it, and a
//! check of the points' spacing that shares no code with the sampler.

mod curve;
mod drawn_maps;
mod paint;
mod png_file;
mod run;

pub use curve::{Curve, smoothstep};
pub use drawn_maps::{DrawnMap, Pixels, all as drawn_maps};
pub use paint::{Painting, Strokes};
pub use png_file::write_png;
pub use run::{Run, Scale, load_map};
