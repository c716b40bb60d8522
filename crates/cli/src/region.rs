//! The region where points may lie: masks, polygons and points to avoid.

// Help texts are printed verbatim: backticks would show.
#![allow(clippy::doc_markdown)]

pub(crate) mod avoid;
pub(crate) mod mask;
pub(crate) mod polygons;

use crate::failure::Failure;
use crate::map_file::{channel, no_data, raw_size};
use crate::numbers::{self, counted, grouped, plain};
use crate::source::extension;
use clap::{Args, ValueEnum};
use density::decode::{Channel, NoData};
use density::diagnostic::Warning;
use density::{Bounds, Region};
use sampler::Rule;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Upper bound on the memory of the contents of a file of polygons or points, as a multiple of its bytes.
const BYTES_PER_BYTE: u64 = 16;

const REGION: &str = "Region (points lie only where all of these allow them)";

/// Where points may lie.
#[derive(Debug, Args)]
pub(crate) struct RegionArgs {
    /// Image of the places where points may lie: pixels of value --mask-threshold or more. Any map
    /// format and size; it lies over the world like MAP, with the same --y-up, or where its file says,
    /// if the world has a place too
    #[arg(long, value_name = "FILE", help_heading = REGION)]
    pub(crate) mask: Option<PathBuf>,

    /// Least value of the mask where points may lie. In integers black is 0 and white is 1; in signed
    /// or 32-bit ones 0 is the file's least level and 1 its greatest, and a number above 1 is a level,
    /// like 60 metres; 0 closes transparent pixels only. Floats, and numbers with a scale in the file,
    /// are compared as values, scaled: in a map of heights, 0 opens all from sea level up, and -5 is
    /// valid too. With --mask-channel index it is the least open class [default: 0.5, for classes 1]
    #[arg(long, value_name = "VALUE", value_parser = threshold, requires = "mask",
          help_heading = REGION)]
    pub(crate) mask_threshold: Option<f64>,

    /// Channel to use as the mask: luma, r, g, b, a, index (the stored numbers of a palette image),
    /// an EXR channel's name, NAME.luma (the brightness of an EXR part or layer) or a TIFF band's
    /// number [default: luma]
    #[arg(long, value_name = "NAME", value_parser = channel, requires = "mask",
          help_heading = REGION)]
    pub(crate) mask_channel: Option<Channel>,

    /// Stored number of the mask that means no data: no point lies there
    #[arg(long = "mask-nodata", value_name = "VALUE", value_parser = no_data, requires = "mask",
          help_heading = REGION)]
    pub(crate) mask_no_data: Option<NoData>,

    /// Width and height of a raw mask (.r16, .r32f ..), pixels
    #[arg(long, value_name = "WxH", value_parser = raw_size, requires = "mask",
          help_heading = REGION)]
    pub(crate) mask_size: Option<[u32; 2]>,

    /// File of polygons inside which points may lie, .geojson, .json or .svg; repeatable, then
    /// inside any of them. GeoJSON is in world units, like the points. The page of an SVG lies over
    /// the world like MAP, with the same --y-up, and its visible fills are the polygons, to 1/65536
    /// of the world's longer side; for numbers of more than seven digits, use GeoJSON
    #[arg(long, value_name = "FILE", help_heading = REGION)]
    pub(crate) polygon: Vec<PathBuf>,

    /// Units of the numbers in SVG files of --polygon [default: page]
    #[arg(long, value_name = "UNITS", value_enum, requires = "polygon", help_heading = REGION)]
    pub(crate) polygon_units: Option<PolygonUnits>,

    /// File of points to keep clear of, .csv, .json, .geojson, .ply or .npy: obstacles, which count as
    /// earlier points with their own min_dist; repeatable
    #[arg(long, value_name = "FILE", help_heading = REGION)]
    pub(crate) avoid: Vec<PathBuf>,

    /// The min_dist of all points of --avoid, in place of those in their files
    #[arg(long, value_name = "DIST", value_parser = numbers::distance, requires = "avoid",
          help_heading = REGION)]
    pub(crate) avoid_dist: Option<f64>,
}

/// The units of the numbers in a file of polygons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PolygonUnits {
    /// Units of the page (viewBox, or width and height), which is laid over the world
    Page,
    /// World units, as in GeoJSON; with --y-up, y is measured from the world's top
    World,
}

fn threshold(text: &str) -> Result<f64, String> {
    let value = text.trim().parse().ok();
    value
        .filter(|value: &f64| value.is_finite())
        .ok_or_else(|| "must be a number from 0 to 1, or a level".to_owned())
}

impl RegionArgs {
    /// Returns the input files, each with its flag.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        let mask = self.mask.iter().map(|path| ("--mask", path));
        let polygon = self.polygon.iter().map(|path| ("--polygon", path));
        let avoid = self.avoid.iter().map(|path| ("--avoid", path));
        mask.chain(polygon).chain(avoid)
    }

    /// Returns `true` if any region was requested.
    pub(crate) fn any(&self) -> bool {
        self.inputs().next().is_some()
    }

    /// Refuses contradictory flags before any file is read.
    pub(crate) fn check(&self, rule: Rule) -> Result<(), Failure> {
        if rule == Rule::Parent
            && let Some(path) = self.avoid.first()
        {
            let problem = "not supported with --rule parent: give another rule";
            return Err(Failure::usage("--avoid", path.display(), problem));
        }
        let is_drawing = |path: &&PathBuf| extension(path) == "svg";
        let other = self.polygon.iter().find(|path| !is_drawing(path));
        if let (Some(PolygonUnits::Page), Some(path)) = (self.polygon_units, other) {
            let problem = format!(
                "--polygon {} is not an SVG and has no page: drop this flag",
                path.display()
            );
            return Err(Failure::usage("--polygon-units", "page", problem));
        }
        Ok(())
    }
}

/// The regions as read: points lie only where all of these allow them.
pub(crate) type Regions = Vec<Box<dyn Region<2>>>;

/// Adds to `regions` the region of an image at `place`. If it covers only a part of the world, no point may lie beyond its
/// edges.
pub(crate) fn add_image(
    regions: &mut Regions,
    image: impl Region<2> + 'static,
    place: Bounds<2>,
    world: &Bounds<2>,
) {
    regions.push(Box::new(image));
    if !place.encloses(world) {
        regions.push(Box::new(place));
    }
}

/// A description of the regions, for the closing line and the summary.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct RegionInfo {
    /// `null` without a mask.
    pub(crate) mask: Option<MaskInfo>,
    pub(crate) polygons: Vec<PolygonInfo>,
    pub(crate) avoid: Vec<AvoidInfo>,
    /// The coordinate system of the polygons, if they name one only and y runs up.
    #[serde(skip)]
    pub(crate) crs: Option<String>,
    /// Warnings about possible misreadings.
    #[serde(skip)]
    pub(crate) warnings: Vec<Warning>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct MaskInfo {
    pub(crate) file: String,
    /// Pixels across.
    pub(crate) width: u32,
    /// Pixels down.
    pub(crate) height: u32,
    /// The channel used as the mask.
    pub(crate) channel: String,
    pub(crate) threshold: f64,
    /// The share of pixels where points may lie.
    pub(crate) allowed: f64,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct PolygonInfo {
    pub(crate) file: String,
    pub(crate) polygons: usize,
    pub(crate) corners: usize,
    /// The units in which its numbers were read.
    pub(crate) units: PolygonUnits,
    /// Number of other shapes in the file: points, lines, shapes without a fill.
    pub(crate) passed_over: usize,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct AvoidInfo {
    pub(crate) file: String,
    pub(crate) points: usize,
    /// The least and the greatest distance; `null` without points.
    pub(crate) min_dist: Option<[f64; 2]>,
}

impl PolygonInfo {
    fn is_drawing(&self) -> bool {
        extension(Path::new(&self.file)) == "svg"
    }
}

impl RegionInfo {
    /// Describes the regions for the closing line, each after a comma.
    pub(crate) fn closing_text(&self) -> String {
        let mut line = String::new();
        if let Some(mask) = &self.mask {
            let channel = match &*mask.channel {
                "luma" => String::new(),
                other => format!(" (channel {other})"),
            };
            // Writing to a String cannot fail.
            let _ = write!(
                line,
                ", mask {}x{}{channel} >= {} ({:.1} % open)",
                mask.width,
                mask.height,
                plain(mask.threshold),
                100.0 * mask.allowed
            );
        }
        if !self.polygons.is_empty() {
            let sum = |of: fn(&PolygonInfo) -> usize| -> u64 {
                self.polygons.iter().map(|info| of(info) as u64).sum()
            };
            let (polygons, corners) = (sum(|i| i.polygons), sum(|i| i.corners));
            let _ = write!(
                line,
                ", inside {} with {} corners",
                counted(polygons, "polygon"),
                grouped(corners)
            );
            if let Some(crs) = &self.crs {
                let _ = write!(line, " in {crs}");
            }
            for (units, words) in [
                (PolygonUnits::Page, " (page of the drawing = world)"),
                (PolygonUnits::World, " (units of the drawing = world units)"),
            ] {
                let mut drawings = self.polygons.iter().filter(|info| info.is_drawing());
                if drawings.any(|info| info.units == units) {
                    line.push_str(words);
                }
            }
            let others = sum(|i| i.passed_over);
            if others > 0 {
                let _ = write!(line, " ({} ignored)", counted(others, "other shape"));
            }
        }
        if !self.avoid.is_empty() {
            let points: u64 = self.avoid.iter().map(|info| info.points as u64).sum();
            let _ = write!(line, ", clear of {}", counted(points, "point"));
            let ends = self.avoid.iter().filter_map(|info| info.min_dist);
            let ends = ends.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
            if let Some([lo, hi]) = ends {
                let _ = if lo == hi {
                    write!(line, " of min_dist {}", plain(lo))
                } else {
                    write!(line, " of min_dist {}", numbers::ends([lo, hi]))
                };
            }
        }
        line
    }
}
