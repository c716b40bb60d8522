//! Fields of minimum distance for scattering points.
//!
//! A *field* is a function from a place to `min_dist`: how far apart points must be there, in world
//! units. This crate makes fields from greyscale maps ([`RadiusMap`]), Perlin noise ([`Perlin`]),
//! constants, distances from a centre ([`Falloff`]) and closures ([`GridField`], [`FnField`]). It has no
//! notion of points; samplers use it through one trait, [`RadiusField`].
//!
//! The root contains fields, regions and the maps that they are made of. `decode` reads files,
//! [`shape`] makes and shapes maps, [`ground`] and [`polygons`] close places, and [`diagnostic`]
//! describes warnings.
//!
//! Features: `image`, on by default, reads and writes map files (`decode`, `GreyMap::write_png` and the like);
//! `geojson` and `svg` read polygons; `serde` saves bounds and ranges.
//!
//! The formula for every map is `min_dist = min + value * (max - min)`. So by default white
//! (value 1) is sparse and black (value 0) is dense.
//!
//! ```
//! # #[cfg(feature = "image")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use spinney_density::decode::{Channel, DecodeLimits};
//! use spinney_density::{DistRange, GreyMap, MapOptions, RadiusField, RadiusMap};
//!
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
//! let bytes = std::fs::read(format!("{folder}/basn0g16.png"))?;
//! let map = GreyMap::decode(&bytes, Channel::Luma, DecodeLimits::default())?;
//! assert_eq!((map.width(), map.height()), (32, 32));
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
mod coarse;
mod constant;
#[cfg(feature = "image")]
pub mod decode;
pub mod diagnostic;
#[cfg(feature = "image")]
mod encode;
mod falloff;
mod field;
mod field_error;
mod filled;
mod fn_field;
mod fn_region;
mod grey_map;
mod grid;
mod grid_field;
mod grid_region;
pub mod ground;
mod map_error;
mod map_part;
mod mask_region;
pub mod numbers;
mod patch;
mod per_pixel;
mod perlin;
mod pixel_field;
mod pixel_grid;
mod pixel_rect;
pub mod polygons;
mod pyramid;
mod radius_map;
mod region;
mod scaled;
pub mod shape;
#[cfg(test)]
mod test_maps;
mod tiled_map;
mod white;

pub use bounds::{Bounds, BoundsError};
pub use constant::Constant;
pub use falloff::Falloff;
pub use field::{Coverage, DistRange, DistRangeError, DynField, LocalRange, RadiusField};
pub use field_error::{FieldError, OutOfRange};
pub use fn_field::FnField;
pub use fn_region::FnRegion;
pub use grey_map::GreyMap;
pub use grid_field::GridField;
pub use grid_region::GridRegion;
pub use map_error::MapError;
pub use map_part::MapPart;
pub use mask_region::MaskRegion;
pub use perlin::{Perlin, PerlinOptions};
pub use pixel_grid::{PixelGrid, YAxis};
pub use pixel_rect::PixelRect;
pub use radius_map::{MapOptions, RadiusMap};
pub use region::{Region, Share, Within};
pub use scaled::Scaled;
pub use tiled_map::{TileFault, TiledMap};
pub use white::White;
