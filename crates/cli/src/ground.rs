//! The ground: its heights, and where points may lie on it.

// Help texts are printed verbatim: backticks would show.
#![allow(clippy::doc_markdown)]

use crate::failure::Failure;
use crate::map_file::{Cells, MapArgs, channel, no_data, raw_size, read_raster};
use crate::numbers::{ends, grouped, plain, short, slopes, span};
use crate::place::WorldPlacement;
use crate::region::{Regions, add_image};
use crate::warnings::HEIGHT;
use clap::{Args, ValueEnum};
use density::decode::{Channel, LevelType, NoData, Place, Raster, Scaling};
use density::diagnostic::{Diagnostic, HeightsKnown, Role, Subject, Warning};
use density::ground::{Ground, GroundError, GroundLimits, GroundRegion};
use density::{Bounds, MapError, PixelGrid, YAxis};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const GROUND: &str = "Ground";

/// Flags of the ground.
#[derive(Debug, Args)]
pub(crate) struct GroundArgs {
    /// File of heights of the ground over the world, in any map format: gives z, normals and slopes.
    /// It lies where it says, if the world has a place too
    #[arg(long, value_name = "FILE", help_heading = GROUND)]
    pub(crate) height: Option<PathBuf>,

    /// Heights of black and white, world units; in a float file, of levels 0 and 1. Required for
    /// unsigned files without a scale, refused for signed ones [default: levels are heights]
    #[arg(long, value_name = "LO..HI", value_parser = span, requires = "height",
          help_heading = GROUND)]
    pub(crate) height_range: Option<[f64; 2]>,

    /// Channel with the heights: luma, r, g, b, a, index (the stored numbers of a palette image),
    /// an EXR channel's name, NAME.luma (the brightness of an EXR part or layer) or a TIFF band's
    /// number [default: luma]
    #[arg(long, value_name = "NAME", value_parser = channel, requires = "height",
          help_heading = GROUND)]
    pub(crate) height_channel: Option<Channel>,

    /// Stored number that means no data, like -32768: no point lies there
    #[arg(long = "height-nodata", value_name = "VALUE", value_parser = no_data, requires = "height",
          help_heading = GROUND)]
    pub(crate) height_no_data: Option<NoData>,

    /// Position of the heights in the cells of a grid over the world [default: centres]
    #[arg(long, value_name = "WHERE", value_enum, requires = "height", help_heading = GROUND)]
    pub(crate) height_at: Option<HeightAt>,

    /// Width and height of a raw file of heights (.r16, .r32f ..), pixels
    #[arg(long, value_name = "WxH", value_parser = raw_size, requires = "height",
          help_heading = GROUND)]
    pub(crate) height_size: Option<[u32; 2]>,

    /// Range of ground slopes where points may lie, degrees: 0 is level, 90 vertical
    #[arg(long, value_name = "LO..HI", value_parser = slopes, requires = "height",
          help_heading = GROUND)]
    pub(crate) slope: Option<[f64; 2]>,

    /// Range of ground heights where points may lie, world units
    #[arg(long, value_name = "LO..HI", value_parser = span, requires = "height",
          help_heading = GROUND)]
    pub(crate) altitude: Option<[f64; 2]>,
}

/// The position of heights in the cells of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HeightAt {
    /// At the centres of pixels, like the levels of a map
    Centres,
    /// At the corners of cells: n + 1 heights span n cells, and the first and the last lie on the
    /// world's edges, as in terrains of Unity, Unreal and Godot
    Corners,
}

/// Side lengths that Unreal recommends for terrains with heights at corners; 2^n + 1 is common as well.
const TERRAINS: [u32; 8] = [127, 253, 505, 1009, 2017, 4033, 8129, 8161];

/// Returns a hint if the heights may be at cell corners.
fn hint(raster: &Raster) -> Option<Diagnostic> {
    let size = [raster.width(), raster.height()];
    let side = size[0];
    let cells = side.saturating_sub(1);
    let usual = cells.is_power_of_two() && cells >= 16 || TERRAINS.contains(&side);
    let said = raster.about().of_points;
    (said || size[0] == size[1] && usual).then_some(Diagnostic::AtCorners { size, said })
}

/// The ground as read, for the closing line and the summary.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GroundInfo {
    /// The path as given; bytes that are not Unicode are replaced.
    file: String,
    /// The least and the greatest height, world units.
    range: [f64; 2],
    /// The factor that the file states for its numbers.
    scale: Option<f64>,
    /// The offset that the file states, added after scaling.
    offset: Option<f64>,
    /// The pixel size that the file states.
    cells: Option<Cells>,
    slope: Option<[f64; 2]>,
    altitude: Option<[f64; 2]>,
    /// Estimated share of the ground within the limits of slope and altitude.
    allowed: f64,
    #[serde(skip)]
    scaling: Option<Scaling>,
    /// Warnings about possible misreadings.
    #[serde(skip)]
    pub(crate) warnings: Vec<Warning>,
}

impl GroundArgs {
    /// Reads the heights, and adds to `regions` where they allow points; returns `None` without `--height`.
    pub(crate) fn read(
        &self,
        placement: &WorldPlacement,
        max_pixels: Option<u64>,
        regions: &mut Regions,
    ) -> Result<Option<(Arc<Ground>, GroundInfo)>, Failure> {
        let Some(path) = &self.height else {
            return Ok(None);
        };
        let how = MapArgs {
            channel: self.height_channel.clone(),
            no_data: self.height_no_data,
            raw_size: self.height_size,
            max_pixels,
            ..MapArgs::default()
        };
        let subject = Subject::new(Role::Height, path.display().to_string(), &HEIGHT);
        let raster = read_raster(path, &how, &subject)?;
        let are_corners = self.height_at == Some(HeightAt::Corners);
        let own = raster.about().place;
        let own = if are_corners {
            own.and_then(Place::between)
        } else {
            own
        };
        let laid = placement
            .lay(own, None)
            .map_err(|e| Failure::file("--height ", path, e))?;
        let (place, misplaced) = (laid.place, laid.found);
        let ground = self.ground(path, &raster, place, placement.y_axis)?;
        let mut found = raster.diagnostics(&how.channel(), None);
        if self.height_at.is_none() {
            found.extend(hint(&raster));
        }
        let pixels = [raster.width(), raster.height()];
        // There is one cell fewer than heights at its corners, along each axis.
        let pixels = pixels.map(|n| n.saturating_sub(u32::from(are_corners)));
        let cell = raster.about().cell;
        let known = HeightsKnown {
            is_measured: placement.is_measured,
            is_ranged: self.height_range.is_some(),
            is_turned: misplaced == Some(Diagnostic::RowsDown),
        };
        found.extend(cell.and_then(|c| c.on_ground(pixels, place.size(), known)));
        found.extend(misplaced);
        let scaling = raster.about().scaling;
        drop(raster);
        let limits = GroundLimits {
            slope: self.slope,
            altitude: self.altitude,
        };
        let ground = Arc::new(ground);
        let region = GroundRegion::new(Arc::clone(&ground), limits);
        found.extend(region.closed(place, pixels));
        let info = GroundInfo {
            file: path.display().to_string(),
            range: ground.range(),
            scale: scaling.map(Scaling::scale),
            offset: scaling.map(Scaling::offset),
            cells: cell.map(Cells::from),
            slope: self.slope,
            altitude: self.altitude,
            allowed: region.share(),
            scaling,
            warnings: found.into_iter().map(|d| d.about(&subject)).collect(),
        };
        add_image(regions, region, place, &placement.world);
        Ok(Some((ground, info)))
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
        let full = match level_type {
            LevelType::Unsigned(_) => raster.full(),
            LevelType::Signed(_) | LevelType::Float(_) => 1.0,
        };
        let refused = |range, problem| Failure::usage("--height-range", ends(range), problem);
        let [low, step] = match (self.height_range, raster.about().scaling, level_type) {
            (Some(range), Some(scaling), _) => {
                let problem = format!(
                    "{} states the scale of its heights ({scaling}): drop this flag, or remove scale \
                     and offset from the file",
                    path.display()
                );
                return Err(refused(range, problem));
            }
            (None, None, LevelType::Unsigned(_)) => {
                let most = plain(full);
                return Err(failed(&format!(
                    "this {level_type} image does not state its heights: give those of black and white \
                     as --height-range LO..HI, 0..{most} if its levels are heights"
                )));
            }
            (None, ..) => [0.0, 1.0],
            (Some(range), None, LevelType::Signed(_)) => {
                let problem = format!(
                    "the levels of this {level_type} image are heights, none of them black or white: drop this flag, \
                     or state a scale in {} (gdal_translate -a_scale) if they are not in world units",
                    path.display()
                );
                return Err(refused(range, problem));
            }
            (Some([low, high]), None, _) => [low, (high - low) / full],
        };
        let size = [raster.width(), raster.height()];
        let height = |x, y| Some(low + step * raster.level(x, y)?);
        let grid = if self.height_at == Some(HeightAt::Corners) {
            PixelGrid::of_corners(size, world, y_axis)
        } else {
            PixelGrid::new(size, world, y_axis)
        };
        let grid = grid.map_err(|e| match e {
            MapError::NoCells { .. } => failed(&format!(
                "{e}: drop --height-at corners, or give at least 2x2 heights"
            )),
            other => failed(&other),
        })?;
        let ground = Ground::from_fn(grid, height).map_err(|e| match e {
            GroundError::Size { .. } => {
                let pixels = grouped(u64::from(size[0]) * u64::from(size[1]));
                failed(&format!("there is no memory for {pixels} heights"))
            }
            GroundError::Empty => failed(&"no pixel has a height"),
            other => failed(&other),
        })?;
        Ok(match self.height_range {
            Some(ends) => ground.reaching(ends),
            None => ground,
        })
    }
}

impl GroundInfo {
    /// Describes the ground for the closing line.
    pub(crate) fn closing_text(&self) -> String {
        let [low, high] = self.range.map(short);
        let mut text = format!(", heights {low}..{high}");
        // Writing to a String cannot fail.
        if let Some(scaling) = self.scaling {
            let _ = write!(text, " ({scaling})");
        }
        for (name, limits) in [("slope", self.slope), ("altitude", self.altitude)] {
            if let Some(limits) = limits {
                let _ = write!(text, ", {name} {}", ends(limits));
            }
        }
        if self.allowed < 1.0 {
            let _ = write!(text, " ({:.1} % open)", 100.0 * self.allowed);
        }
        text
    }
}
