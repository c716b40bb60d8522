//! What stands at the points: how it is turned and sized, and on what ground.

// Help is printed as it stands here, backticks and all.
#![allow(clippy::doc_markdown)]

use crate::failure::Failure;
use crate::map_file::{FileFlags, PixelLimit, channel, raw_size, read_raster};
use crate::numbers::{grouped, plain, span};
use clap::{Args, ValueEnum};
use density::{Bounds, Channel, DistRange, LevelType, Raster, YAxis};
use export::{Format, Ground, GroundError, Placing, Scale, ScaleBy, Stance, Turn};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const PLACING: &str = "What stands at the points";

/// What is made of a point besides its place.
#[derive(Debug, Args)]
pub(crate) struct PlacingArgs {
    /// Turn each by an angle of its own, which depends on the seed and the point
    #[arg(long, help_heading = PLACING)]
    pub(crate) rotate: bool,

    /// Size each between these, 1 being as modelled
    #[arg(long, value_name = "LO..HI", value_parser = span, allow_hyphen_values = true,
          help_heading = PLACING)]
    pub(crate) scale: Option<[f64; 2]>,

    /// What decides between the ends of --scale
    #[arg(long, value_name = "WHAT", value_enum, default_value = "chance", requires = "scale",
          help_heading = PLACING)]
    pub(crate) scale_by: By,

    /// Tilt each to stand at right angles to the ground of --height
    #[arg(long, requires = "height", help_heading = PLACING)]
    pub(crate) align: bool,

    /// Heights of the ground over the world, in any map format: gives z, normals and slopes
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, help_heading = PLACING)]
    pub(crate) height: Option<PathBuf>,

    /// Heights of black and white, world units; of 0 and 1 in a float file [default: the levels of
    /// float and signed files are heights; others must be told]
    #[arg(long, value_name = "LO..HI", value_parser = span, allow_hyphen_values = true,
          requires = "height", help_heading = PLACING)]
    pub(crate) height_range: Option<[f64; 2]>,

    /// Channel that is the height: luma, r, g, b or a; an EXR channel by its name; a TIFF band by
    /// its number [default: luma]
    #[arg(long, value_name = "NAME", value_parser = channel, requires = "height",
          help_heading = PLACING)]
    pub(crate) height_channel: Option<Channel>,

    /// Width and height of raw heights (.r16, .r32f ..) in pixels
    #[arg(long, value_name = "WxH", value_parser = raw_size, requires = "height",
          help_heading = PLACING)]
    pub(crate) height_size: Option<[u32; 2]>,
}

/// What decides how large a thing is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// Each point's own chance
    #[default]
    Chance,
    /// The map: LO at black, HI at white
    Value,
    /// The point's min_dist: LO at --min-dist, HI at --max-dist
    MinDist,
}

const HEIGHT_FLAGS: FileFlags = FileFlags {
    role: "--height ",
    channel: "--height-channel",
    raw_size: "--height-size",
    pixels: PixelLimit::Usual,
};

/// For the summary.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PlacingInfo {
    rotate: bool,
    scale: Option<[f64; 2]>,
    scale_by: Option<&'static str>,
    align: bool,
    height: Option<HeightInfo>,
}

/// The file of heights.
#[derive(Clone, Debug, Serialize)]
struct HeightInfo {
    /// As given; what is not Unicode in it is replaced.
    file: String,
    /// The lowest and the highest, world units.
    range: [f64; 2],
}

impl By {
    fn name(self) -> &'static str {
        match self {
            Self::Chance => "chance",
            Self::Value => "value",
            Self::MinDist => "min-dist",
        }
    }
}

impl PlacingArgs {
    /// Finds what cannot be, before any file is looked at.
    pub(crate) fn check(&self, count: Option<u64>) -> Result<(), Failure> {
        self.sizes(DistRange::new(1.0, 1.0).ok())?;
        if count.is_some() && self.scale_by == By::MinDist {
            let problem = "with --count the distances are not known beforehand: take value";
            return Err(Failure::usage("--scale-by", "min-dist", problem));
        }
        Ok(())
    }

    /// What will not come out as it was asked for.
    pub(crate) fn warnings(&self, outputs: &[PathBuf]) -> Vec<String> {
        let unity = |path: &&PathBuf| Format::from_path(path) == Some(Format::Unity);
        match outputs.iter().find(unity) {
            Some(path) if self.align => vec![format!(
                "{}: a Unity terrain cannot tilt its trees: place prefabs of your own by \
                 `orientation`",
                path.display()
            )],
            _ => Vec::new(),
        }
    }

    /// Reads the heights, and says what is made of the points.
    pub(crate) fn placing(
        &self,
        seed: u64,
        range: DistRange,
        world: Bounds<2>,
        y_axis: YAxis,
    ) -> Result<Placing, Failure> {
        let ground = self.height.as_deref().map(|path| {
            let raster = read_raster(
                path,
                self.height_channel.as_ref(),
                self.height_size,
                HEIGHT_FLAGS,
            )?;
            self.ground(path, &raster, world, y_axis)
        });
        Ok(Placing {
            seed,
            turn: if self.rotate {
                Turn::Random
            } else {
                Turn::Keep
            },
            scale: self.sizes(Some(range))?,
            ground: ground.transpose()?.map(Arc::new),
            stance: if self.align {
                Stance::Normal
            } else {
                Stance::Upright
            },
        })
    }

    fn sizes(&self, range: Option<DistRange>) -> Result<Option<Scale>, Failure> {
        let Some([lo, hi]) = self.scale else {
            return Ok(None);
        };
        let by = match (self.scale_by, range) {
            (By::Value, _) => ScaleBy::Value,
            (By::MinDist, Some(range)) => ScaleBy::MinDist(range),
            _ => ScaleBy::Random,
        };
        let scale = Scale::new(lo, hi, by).map_err(|_| {
            let value = format!("{}..{}", plain(lo), plain(hi));
            Failure::usage("--scale", value, "both must be above 0 and below 3.4e38")
        })?;
        Ok(Some(scale))
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

    /// What is not the default, for the closing line.
    pub(crate) fn understood(&self, placing: &Placing) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        if let Some(ground) = &placing.ground {
            let [low, high] = ground.range().map(crate::numbers::short);
            let _ = write!(text, ", heights {low}..{high}");
        }
        if self.rotate {
            text.push_str(", rotated");
        }
        if let Some([lo, hi]) = self.scale {
            let by = self.scale_by.name();
            let _ = write!(text, ", scale {}..{} by {by}", plain(lo), plain(hi));
        }
        if self.align {
            text.push_str(", aligned");
        }
        text
    }

    pub(crate) fn info(&self, placing: &Placing) -> PlacingInfo {
        let heights = self.height.as_ref().zip(placing.ground.as_ref());
        PlacingInfo {
            rotate: self.rotate,
            scale: self.scale,
            scale_by: self.scale.map(|_| self.scale_by.name()),
            align: self.align,
            height: heights.map(|(path, ground)| HeightInfo {
                file: path.display().to_string(),
                range: ground.range(),
            }),
        }
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
