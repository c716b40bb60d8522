//! Makes and shapes maps: tone, blur, dilation, slopes, fall-offs and noise.
//!
//! Some functions change the greys of a [`GreyMap`](crate::GreyMap), others the distances of a
//! [`DistMap`], since slopes are distances per distance.

mod blur;
mod combine;
mod curve;
mod dilate;
mod dilate_local;
mod dist_map;
mod envelope;
mod error;
mod limit;
mod map_kind;
mod perlin_map;
mod ramp;
mod shaping;
mod sweep;
mod tone;

pub use blur::blur;
pub use combine::{Combine, combine};
pub use curve::Curve;
pub use dilate::dilate;
pub use dilate_local::dilate_local;
pub use dist_map::{DistMap, Side};
pub use error::ShapeError;
pub use limit::limit;
pub use map_kind::{MapKind, PACKING};
pub use perlin_map::{PerlinMapOptions, perlin_map};
pub use ramp::{Ramp, Shade, ramp_around, ramp_from_edge};
pub use shaping::{Shaping, ShapingError};
pub use tone::Tone;
