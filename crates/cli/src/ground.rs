//! The ground: how high it is, and where points may lie on it.

// Help is printed as it stands here, backticks and all.
#![allow(clippy::doc_markdown)]

use crate::failure::Failure;
use crate::map_file::{FileFlags, Floats, MapArgs, PixelLimit, channel, raw_size, read_raster};
use crate::numbers::{grouped, plain, short, span};
use clap::Args;
use density::{
    Bounds, Channel, Ground, GroundError, GroundLimits, GroundRegion, LevelType, Raster, YAxis,
};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const GROUND: &str = "Ground";

/// What the points stand on.
#[derive(Debug, Args)]
pub(crate) struct GroundArgs {
    /// Heights of the ground over the world, in any map format: gives z, normals and slopes
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, help_heading = GROUND)]
    pub(crate) height: Option<PathBuf>,

    /// Heights of black and white, world units; of 0 and 1 in a float file [default: the levels of
    /// float and signed files are heights; others must be told]
    #[arg(long, value_name = "LO..HI", value_parser = span, allow_hyphen_values = true,
          requires = "height", help_heading = GROUND)]
    pub(crate) height_range: Option<[f64; 2]>,

    /// Channel that is the height: luma, r, g, b or a; an EXR channel by its name; a TIFF band by
    /// its number [default: luma]
    #[arg(long, value_name = "NAME", value_parser = channel, requires = "height",
          help_heading = GROUND)]
    pub(crate) height_channel: Option<Channel>,

    /// Width and height of raw heights (.r16, .r32f ..) in pixels
    #[arg(long, value_name = "WxH", value_parser = raw_size, requires = "height",
          help_heading = GROUND)]
    pub(crate) height_size: Option<[u32; 2]>,

    /// Only where the ground is so steep, degrees: 0 is level, 90 upright
    #[arg(long, value_name = "LO..HI", value_parser = span, allow_hyphen_values = true,
          requires = "height", help_heading = GROUND)]
    pub(crate) slope: Option<[f64; 2]>,

    /// Only where the ground is so high, world units
    #[arg(long, value_name = "LO..HI", value_parser = span, allow_hyphen_values = true,
          requires = "height", help_heading = GROUND)]
    pub(crate) altitude: Option<[f64; 2]>,
}

const HEIGHT_FLAGS: FileFlags = FileFlags {
    role: "--height ",
    channel: Some("--height-channel"),
    range: None,
    raw_size: "--height-size",
    floats: Floats::Values,
    pixels: PixelLimit::Usual,
};

/// For the closing line and the summary.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GroundInfo {
    /// As given; what is not Unicode in it is replaced.
    file: String,
    /// The lowest and the highest, world units.
    range: [f64; 2],
    slope: Option<[f64; 2]>,
    altitude: Option<[f64; 2]>,
    /// About which share of the ground is within slope and altitude.
    allowed: f64,
}

impl GroundArgs {
    /// Reads the heights and finds where they allow points; `None` without them.
    pub(crate) fn read(
        &self,
        world: Bounds<2>,
        y_axis: YAxis,
    ) -> Result<Option<GroundRegion>, Failure> {
        let Some(path) = &self.height else {
            return Ok(None);
        };
        let how = MapArgs {
            channel: self.height_channel.clone(),
            raw_size: self.height_size,
            ..MapArgs::default()
        };
        let raster = read_raster(path, &how, HEIGHT_FLAGS)?;
        let ground = self.ground(path, &raster, world, y_axis)?;
        drop(raster);
        let limits = GroundLimits {
            slope: self.slope,
            altitude: self.altitude,
        };
        Ok(Some(GroundRegion::new(Arc::new(ground), limits)))
    }

    fn ground(
        &self,
        path: &Path,
        raster: &Raster,
        world: Bounds<2>,
        y_axis: YAxis,
    ) -> Result<Ground, Failure> {
        let failed = |problem: &dyn std::fmt::Display| Failure::file("--height ", path, problem);
        let level_type = raster.level_type();
        let [low, step] = match (self.height_range, level_type) {
            (None, LevelType::Unsigned(_)) => {
                let most = plain(full(level_type));
                return Err(failed(&format!(
                    "a {level_type} image does not say how high it is: give the heights of black \
                     and white as --height-range LO..HI, 0..{most} when its levels are the heights"
                )));
            }
            (None, _) => [0.0, 1.0],
            (Some([low, high]), _) => [low, (high - low) / full(level_type)],
        };
        let size = [raster.width(), raster.height()];
        let height = |x, y| Some(low + step * raster.level(x, y)?);
        let ground = Ground::from_fn(size, world, y_axis, height).map_err(|e| match e {
            GroundError::Size { .. } => {
                let pixels = grouped(u64::from(size[0]) * u64::from(size[1]));
                failed(&format!("there is no memory for {pixels} heights"))
            }
            GroundError::Empty => failed(&"no pixel of it has a height"),
            GroundError::NotFinite { .. } => failed(&e),
        })?;
        Ok(match self.height_range {
            Some(ends) => ground.reaching(ends),
            None => ground,
        })
    }

    /// What was understood of it.
    pub(crate) fn info(&self, region: &GroundRegion) -> GroundInfo {
        let path = self.height.as_deref().unwrap_or(Path::new(""));
        GroundInfo {
            file: path.display().to_string(),
            range: region.ground().range(),
            slope: self.slope,
            altitude: self.altitude,
            allowed: region.share(),
        }
    }
}

impl GroundInfo {
    /// For the closing line.
    pub(crate) fn understood(&self) -> String {
        let [low, high] = self.range.map(short);
        let mut text = format!(", heights {low}..{high}");
        // Writing to a String cannot fail.
        for (name, ends) in [("slope", self.slope), ("altitude", self.altitude)] {
            if let Some([lo, hi]) = ends {
                let _ = write!(text, ", {name} {}..{}", plain(lo), plain(hi));
            }
        }
        if self.allowed < 1.0 {
            let _ = write!(text, " ({:.1} % open)", 100.0 * self.allowed);
        }
        text
    }
}

/// The level that is white: the greatest there can be, 1 of floats.
fn full(level_type: LevelType) -> f64 {
    let ones = |bits: u8| (u64::MAX >> (64 - u32::from(bits.clamp(1, 64)))) as f64;
    match level_type {
        LevelType::Unsigned(bits) => ones(bits),
        LevelType::Signed(bits) => ones(bits.saturating_sub(1)),
        LevelType::Float(_) => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_is_the_greatest_level() {
        assert_eq!(full(LevelType::Unsigned(8)), 255.0);
        assert_eq!(full(LevelType::Unsigned(16)), 65535.0);
        assert_eq!(full(LevelType::Signed(16)), 32767.0);
        assert_eq!(full(LevelType::Float(32)), 1.0);
    }
}
