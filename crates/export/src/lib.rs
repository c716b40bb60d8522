//! Streaming writers for scattered points, and a picture of them.
//!
//! Every writer takes one [`Sample`](sampler::Sample) at a time through [`PointWriter`], so several
//! files can be written in one pass. CSV, JSON, PLY, SVG, NPY, `GeoJSON`, Unity's and Unreal's
//! files are streamed, without a second copy of the points in memory. GLB, USDA and Godot's scenes
//! have one array per property; their writers hold the points until the end. This crate opens no
//! files: writers take anything that is [`Write`](std::io::Write), and [`Seek`](std::io::Seek) if
//! the head of the file contains the number of points (PLY, NPY).
//!
//! In the plain formats (CSV, JSON, PLY, SVG, NPY) floats are written in the shortest form that
//! reads back as the same `f64`, or as their eight bytes; they are never rounded. Columns are in
//! the order `id, x, y, min_dist, value` (3D: `id, x, y, z, min_dist, value`), then the optional
//! [`Columns`]. Coordinates are not converted.
//!
//! The other formats belong to programs with axes and units of their own. They are derived from one
//! frame: x is east, z is up, one unit is a metre. y is north, or south if the header says that y
//! points down as in pictures. Seen from above with north at the top, the points lie on the map as
//! it was painted.
//!
//! ```
//! use spinney_export::{Format, Header, open, write_all};
//! use std::io::Cursor;
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
//! write_all(&mut *open(Format::Csv, Cursor::new(&mut file), &header)?, [point])?;
//! assert_eq!(String::from_utf8(file)?, "id,x,y,min_dist,value\n0,2.5,0.1,4.0,0.25\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod colour;
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
mod text;
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
pub use header::{Columns, Header, Ids, Presence};
pub use placing::{Placed, Placing, Scale, ScaleBy, ScaleError, Stance, Turn};
pub use preview::{Preview, PreviewWriter};
pub use sampler;
pub use writer::{PointWriter, write_all};
