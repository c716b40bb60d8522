//! Maps to work on, and what their greys mean.

use crate::args::{SPACING, WORLD, whites};
use crate::failure::Failure;
use crate::map_file::{self, MapArgs};
use crate::shaping::{self, affordable};
use crate::{field, numbers, report};
use clap::Args;
use density::{DistMap, DistRange, GreyMap, White};
use std::path::Path;

/// Reads the map at `path`.
pub(super) fn read(path: &Path, file: &MapArgs) -> Result<GreyMap, Failure> {
    Ok(map_file::read_map(path, file)?.0)
}

/// What greys mean, where distances matter.
#[derive(Debug, Args)]
pub(super) struct ScaleArgs {
    /// Distance between points where they are densest
    #[arg(long, value_name = "DIST", value_parser = numbers::distance,
          allow_hyphen_values = true, help_heading = SPACING)]
    pub(super) min_dist: f64,

    /// Distance between points where they are sparsest
    #[arg(long, value_name = "DIST", value_parser = numbers::distance,
          allow_hyphen_values = true, help_heading = SPACING)]
    pub(super) max_dist: f64,

    /// What white in the map asks for
    #[arg(long, default_value = "sparse", value_parser = whites(), help_heading = SPACING)]
    pub(super) white: White,

    #[command(flatten)]
    pub(super) file: MapArgs,

    /// World size [default: one unit per pixel]
    #[arg(long, value_name = "WxH", value_parser = numbers::size,
          allow_hyphen_values = true, help_heading = WORLD)]
    pub(super) size: Option<[f64; 2]>,
}

impl ScaleArgs {
    /// The range, and the distances that the map at `path` asks for.
    pub(super) fn distances(&self, path: &Path) -> Result<(DistRange, DistMap), Failure> {
        let range = field::range_of(self.min_dist, self.max_dist)?;
        let map = read(path, &self.file)?;
        Ok((range, spread(&map, range, self.white, self.size)?))
    }
}

/// The distances that `map` asks for in a world of this size.
pub(super) fn spread(
    map: &GreyMap,
    range: DistRange,
    white: White,
    size: Option<[f64; 2]>,
) -> Result<DistMap, Failure> {
    affordable(map)?;
    let pixels = [map.width(), map.height()].map(f64::from);
    let size = size.unwrap_or(pixels);
    let world = field::world([0.0; 2], size)?;
    DistMap::new(map, range, white, shaping::pixel(map, world))
        .map_err(|e| Failure::usage("--size", report::size(size), e))
}
