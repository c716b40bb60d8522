//! Tests of files from other programs, hostile files, and fields against their bounds. It is one program, because
//! linking one per file takes longer than the tests. `memory` and `hostile_cost` measure the memory of a whole program,
//! so each has its own.

#[cfg(feature = "image")]
mod by_hand;
mod collection;
mod decode;
mod exr_alpha;
#[cfg(feature = "image")]
mod figures;
mod formats;
mod grid;
mod hostile;
mod map_part;
mod outlines;
mod perlin;
#[cfg(feature = "image")]
mod pngsuite;
mod polygons;
mod radius_map;
mod renderer;
mod shaping;
mod tags;
mod tiff_parts;
mod tiff_said;
mod tiffs;
mod tiled_map;
