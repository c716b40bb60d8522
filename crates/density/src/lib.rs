//! Fields of minimum distance for scattering points.
//!
//! A *field* says, for each place, how far apart points must be there: its `min_dist`, in
//! world units. This crate makes fields out of greyscale maps ([`RadiusMap`]), Perlin noise
//! ([`Perlin`]), constants and closures. It knows no points; samplers ask it through one
//! trait, [`RadiusField`].
//!
//! The mission's formula, for every map: `min_dist = min + value * (max - min)`, so that by
//! default white (value 1) is sparse and black (value 0) is dense.
//!
//! ```
//! # #[cfg(feature = "image")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use spinney_density::{
//!     Channel, DecodeLimits, DistRange, MapOptions, RadiusField, RadiusMap, decode,
//! };
//!
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
//! let bytes = std::fs::read(format!("{folder}/basn0g16.png"))?;
//! let map = decode(&bytes, Channel::Luma, DecodeLimits::default())?;
//! assert_eq!((map.width(), map.height(), map.depth()), (32, 32, 16));
//!
//! // From 4 world units where the map is black to 16 where it is white.
//! let field = RadiusMap::new(map, DistRange::new(4.0, 16.0)?, MapOptions::default())?;
//! assert_eq!(field.min_dist([0.5, 0.5]), Some(4.0));
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "image"))]
//! # fn main() {}
//! ```

mod bounds;
mod closure;
mod constant;
#[cfg(feature = "image")]
mod decode;
mod dilate;
mod falloff;
mod field;
mod grey_map;
mod perlin;
mod pyramid;
mod radius_map;
#[cfg(test)]
mod test_maps;
mod white;

pub use bounds::{Bounds, BoundsError};
pub use closure::{FieldError, FnField, MaskedFnField};
pub use constant::Constant;
#[cfg(feature = "image")]
pub use decode::{Channel, DecodeError, DecodeLimits, decode};
pub use dilate::{Dilate, dilate};
pub use falloff::Falloff;
pub use field::{Coverage, DistRange, DistRangeError, LocalRange, RadiusField};
pub use grey_map::{GreyMap, MapError};
pub use perlin::{Perlin, PerlinOptions};
pub use radius_map::{MapOptions, RadiusMap, YAxis};
pub use white::White;
