//! Streaming writers for scattered points, and a picture of them.
//!
//! Every writer takes one [`Sample`](sampler::Sample) at a time through [`PointWriter`], and
//! several files can be written in one pass. CSV, JSON, PLY, SVG, NPY, `GeoJSON`, Unity's and
//! Unreal's files are streamed: no second copy of the points is ever held in memory. GLB, USDA
//! and Godot's scenes have one array per property, and their writers hold the points until the
//! end. This crate opens no files: writers take anything that is [`Write`](std::io::Write), and
//! [`Seek`](std::io::Seek) where the number of points stands at the head of the file (PLY, NPY).
//!
//! In the plain formats (CSV, JSON, PLY, SVG, NPY) floats are written in the shortest form that
//! reads back as the very same `f64`, or as their eight bytes; never rounded. Columns always
//! come in the order `id, x, y, min_dist, value` (3D: `id, x, y, z, min_dist, value`), with
//! optional [`Columns`] after them, and coordinates as they are.
//!
//! The other formats belong to programs with axes and units of their own. They are made from
//! one frame: x is east, y is north, or south where the header says that y runs down the map as
//! in pictures, z is up, one unit is a metre. Seen from above with north at the top of the
//! screen, the points lie on the map as it was painted.
//!
//! ```
//! use spinney_export::{CsvWriter, Header, write_all};
//! use sampler::{Rule, Sample};
//!
//! let domain = density::Bounds::from_size([10.0, 10.0])?;
//! let header = Header::new("bridson", 1, 0, Rule::Max, domain);
//! let point = Sample {
//!     id: 0,
//!     position: [2.5, 0.1],
//!     min_dist: 4.0,
//!     value: 0.25,
//!     parent: None,
//!     rank: None,
//!     layer: None,
//! };
//!
//! let mut file = Vec::new();
//! write_all(&mut CsvWriter::new(&mut file, &header)?, [point])?;
//! assert_eq!(String::from_utf8(file)?, "id,x,y,min_dist,value\n0,2.5,0.1,4.0,0.25\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod column;
mod counted;
mod csv_writer;
mod error;
mod format;
mod frame;
mod geojson;
mod glb;
mod godot;
mod header;
mod held;
mod instance;
mod json;
mod npy;
#[cfg(feature = "parquet")]
mod parquet_writer;
mod placing;
mod ply;
mod preview;
mod raster;
mod sink;
mod svg;
mod unity;
mod unreal;
mod usda;
mod writer;

pub use csv_writer::CsvWriter;
pub use density::YAxis;
pub use density::ground::{Footing, Ground, GroundError};
pub use error::ExportError;
pub use format::{Format, open};
pub use frame::PreviewOptions;
pub use geojson::GeoJsonWriter;
pub use glb::GlbWriter;
pub use godot::GodotWriter;
pub use header::{Columns, Header, Ids, Presence};
pub use json::JsonWriter;
pub use npy::NpyWriter;
#[cfg(feature = "parquet")]
pub use parquet_writer::ParquetWriter;
pub use placing::{Placed, Placing, Scale, ScaleBy, ScaleError, Stance, Turn};
pub use ply::PlyWriter;
pub use preview::{Preview, PreviewWriter};
pub use sampler;
pub use svg::{DotRadius, SvgOptions, SvgWriter};
pub use unity::UnityWriter;
pub use unreal::UnrealWriter;
pub use usda::UsdaWriter;
pub use writer::{PointWriter, write_all};
