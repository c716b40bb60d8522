//! Streaming writers for scattered points, and a picture of them.
//!
//! Every writer takes one [`Sample`](sampler::Sample) at a time through [`PointWriter`], so
//! that no second copy of the points is ever held in memory, and several files can be written
//! in one pass. This crate opens no files: writers take anything that is
//! [`Write`](std::io::Write), and [`Seek`](std::io::Seek) where the number of points stands at
//! the head of the file (PLY, NPY).
//!
//! Floats are written in the shortest form that reads back as the very same `f64`, or as their
//! eight bytes; never rounded. Columns always come in the order `id, x, y, min_dist, value`
//! (3D: `id, x, y, z, min_dist, value`), with optional [`Columns`] after them.
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
mod header;
mod json;
mod npy;
mod ply;
mod preview;
mod raster;
mod sink;
mod svg;
mod writer;

pub use column::{Columns, Ids, Presence};
pub use csv_writer::CsvWriter;
pub use density::YAxis;
pub use error::ExportError;
pub use format::{Format, open};
pub use header::Header;
pub use json::JsonWriter;
pub use npy::NpyWriter;
pub use ply::PlyWriter;
pub use preview::{Preview, PreviewOptions, PreviewWriter};
pub use sampler;
pub use svg::{DotRadius, SvgOptions, SvgWriter};
pub use writer::{PointWriter, write_all};
