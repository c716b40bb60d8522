//! Fields of minimum distance for scattering points.
//!
//! A *field* says, for each place, how far apart points must be there: its `min_dist`, in
//! world units. This crate makes fields out of greyscale maps ([`RadiusMap`]), Perlin noise
//! ([`Perlin`]), constants and closures ([`GridField`], [`FnField`]). It knows no points; samplers ask it through one
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

mod asked;
mod blur;
mod bounds;
mod cell;
mod closure;
mod combine;
mod constant;
mod curve;
#[cfg(feature = "image")]
mod decode;
mod diagnostic;
mod dilate;
mod dilate_local;
mod dist_map;
#[cfg(feature = "image")]
mod encode;
mod envelope;
mod falloff;
mod field;
mod fn_region;
mod greatest;
mod grey_map;
mod grid;
mod grid_field;
mod grid_region;
mod ground;
mod ground_region;
mod limit;
mod lint;
mod map_kind;
mod map_part;
mod mask_region;
pub mod numbers;
#[cfg(any(feature = "geojson", feature = "svg"))]
mod outlines;
mod patch;
mod perlin;
mod perlin_map;
mod pixel_field;
mod pixel_grid;
mod polygons;
mod pyramid;
mod radius_map;
mod ramp;
mod region;
mod scaled;
mod shape_error;
mod sweep;
#[cfg(feature = "image")]
mod tags;
#[cfg(test)]
mod test_maps;
mod tiled_map;
mod tone;
mod transfer;
mod white;

pub use blur::blur;
pub use bounds::{Bounds, BoundsError};
pub use cell::{Cell, CellUnit};
pub use closure::{FieldError, FnField};
pub use combine::{Combine, combine};
pub use constant::Constant;
pub use curve::Curve;
#[cfg(feature = "image")]
pub use decode::{
    Alpha, Channel, DecodeError, DecodeLimits, LevelRange, LevelType, Levels, NoData, PixelSteps,
    Place, Raster, RawType, ReadOptions, RowOrder, Scaling, TiffParts, Void, decode,
};
pub use diagnostic::{Diagnostic, DrawingPart, Names, Role, Subject, Syntax, Warning};
pub use dilate::{Dilate, dilate};
pub use dilate_local::dilate_local;
pub use dist_map::{DistMap, Side};
#[cfg(feature = "image")]
pub use encode::{write_grey_tiff, write_png, write_tiff};
pub use falloff::Falloff;
pub use field::{Coverage, DistRange, DistRangeError, DynField, LocalRange, RadiusField};
pub use fn_region::FnRegion;
pub use grey_map::{GreyMap, MapError};
pub use grid_field::GridField;
pub use grid_region::GridRegion;
pub use ground::{Footing, Ground, GroundError};
pub use ground_region::{GroundLimits, GroundRegion};
pub use limit::limit;
pub use lint::{lint, lint_scaled};
pub use map_kind::{MapKind, PACKING, PACKING_IN_SPACE, dist_for_density};
pub use map_part::MapPart;
pub use mask_region::MaskRegion;
#[cfg(any(feature = "geojson", feature = "svg"))]
pub use outlines::{OutlineError, Outlines};
pub use perlin::{Perlin, PerlinOptions};
pub use perlin_map::{PerlinMapOptions, perlin_map};
pub use pixel_grid::{PixelGrid, PixelRect};
pub use polygons::{FillRule, Polygon, PolygonError, Polygons};
pub use radius_map::{MapOptions, RadiusMap, YAxis};
pub use ramp::{Ramp, Shade, ramp_around, ramp_from_edge};
pub use region::{Region, Share, Within};
pub use scaled::Scaled;
pub use shape_error::ShapeError;
#[cfg(feature = "image")]
pub use tags::{FileTags, file_tags};
pub use tiled_map::{FnTiles, TileFault, TileSource, TiledMap};
pub use tone::Tone;
pub use transfer::Transfer;
pub use white::White;
