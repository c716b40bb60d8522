//! Code shared by the example programs: their command line, drawing and saving of pictures, and a
//! check of the points' spacing that shares no code with the sampler.

mod canvas;
mod circles;
mod color;
mod curve;
mod dice;
mod drawn_maps;
mod paint;
mod png_file;
mod run;
mod spacing;

pub use canvas::Canvas;
pub use circles::{Circle, Circles};
pub use color::Color;
pub use curve::smoothstep;
pub use dice::Dice;
pub use drawn_maps::all as drawn_maps;
pub use run::{Run, load_map};
pub use spacing::check_spacing;
