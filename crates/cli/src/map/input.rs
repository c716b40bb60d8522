//! Reads the input maps of `spinney map`.

// Help texts are printed verbatim: backticks would show.
#![allow(clippy::doc_markdown)]

use super::output::Made;
use crate::failure::{Failure, tell};
use crate::field::FieldArgs;
use crate::flags::{SPACING, WORLD, whites};
use crate::map_file::{self, MapArgs, MapInfo};
use crate::numbers::{plain, sides};
use crate::place::{INSTEAD, World, WorldArgs, WorldPlacement};
use crate::shaping::affordable;
use crate::warnings::{self, INPUT};
use crate::{field, numbers};
use clap::Args;
use density::decode::Place;
use density::diagnostic::Warning;
use density::shape::DistMap;
use density::{DistRange, GreyMap, MapError, RadiusMap, White};
use std::path::{Path, PathBuf};

/// Messages about the inputs, printed after the output is written.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Notes on files whose black and white levels are not those of their type.
    read: Vec<String>,
    pub(super) warnings: Vec<Warning>,
    /// The first file that states its place in units other than degrees, and that place.
    placed: Option<(String, Place)>,
}

impl Notes {
    /// Adds the messages about a map that was read.
    pub(super) fn add(&mut self, info: &MapInfo) {
        if info.levels.is_some() {
            self.read
                .push(format!("{}: {}", info.file, info.description()));
        }
        self.warnings.extend(info.warnings.iter().cloned());
        let placed = info
            .measured_place()
            .map(|place| (info.file.clone(), place));
        self.placed = self.placed.take().or(placed);
    }

    /// Returns the flags that lay the output over the place of its input, since output files state no
    /// place.
    fn advice(&self) -> Option<String> {
        let (file, place) = self.placed.as_ref()?;
        let (size, [x, y]) = (place.bounds().size(), place.bounds().min().map(plain));
        let size = sides(size);
        Some(format!(
            "the written map states no place: give --size {size} --origin {x},{y} --y-up to lay it \
             over {file}"
        ))
    }

    /// Prints how to lay the output over the place of its input, and the warnings.
    pub(super) fn tell_advice(&self) {
        if let Some(advice) = self.advice() {
            tell(&advice);
        }
        warnings::tell_all(&self.warnings);
    }

    /// Prints how files were read.
    pub(super) fn tell_read(&self) {
        if !self.read.is_empty() {
            tell(&format!("read {}", self.read.join("; ")));
        }
    }
}

/// Reads the map at `path`, and adds its description and warnings to `notes`.
pub(super) fn read(path: &Path, file: &MapArgs, notes: &mut Notes) -> Result<GreyMap, Failure> {
    let (map, info) = map_file::read_input(path, file, &INPUT)?;
    notes.add(&info);
    Ok(map)
}

/// How a map becomes distances over a world, for what shapes distances.
#[derive(Debug, Args)]
pub(super) struct DistArgs {
    /// Minimum distance between points where they are densest, world units
    #[arg(long, value_name = "DIST", value_parser = numbers::distance, help_heading = SPACING)]
    min_dist: Option<f64>,

    /// Minimum distance between points where they are sparsest, world units
    #[arg(long, value_name = "DIST", value_parser = numbers::distance, help_heading = SPACING)]
    max_dist: Option<f64>,

    /// Meaning of white in the map
    #[arg(long, default_value = "sparse", value_parser = whites(), help_heading = SPACING)]
    pub(super) white: White,

    #[command(flatten)]
    pub(super) file: MapArgs,

    /// World size, world units [default: from a GeoTIFF, an ESRI ASCII grid or a world file, else
    /// one unit per pixel]
    #[arg(long, value_name = "WxH", value_parser = numbers::size, help_heading = WORLD)]
    size: Option<[f64; 2]>,
}

impl DistArgs {
    /// Reads the map at `path`, as [`read`] does, and returns what `shape` makes of its distances.
    pub(super) fn shaped(
        &self,
        path: &Path,
        notes: &mut Notes,
        shape: impl FnOnce(&DistMap) -> Result<DistMap, Failure>,
    ) -> Result<Made, Failure> {
        // clap requires both.
        let [least, most] = [self.min_dist, self.max_dist].map(Option::unwrap_or_default);
        let range = field::range_of(least, most)?;
        let (map, mut info) = map_file::read_input(path, &self.file, &INPUT)?;
        let world = World {
            size: self.size,
            ..World::default()
        };
        let placement = place(&mut info, &world, "--size WxH", notes)?;
        let white = self.white;
        let map = shape(&spread(&map, range, white, placement.size)?)?;
        Ok(Made::Distances { map, range, white })
    }
}

/// Returns the world where `sample` places a map, and adds the messages about the map to `notes`. `instead` names what to
/// give for a place that cannot be used. Removes a place that the world does not follow.
fn place(
    info: &mut MapInfo,
    world: &World,
    instead: &str,
    notes: &mut Notes,
) -> Result<WorldPlacement, Failure> {
    let placement = WorldPlacement::of(world, &[info], instead)?;
    notes.warnings.extend(placement.warning.clone());
    let is_followed = |place: &Place| {
        let own = place.bounds();
        own.size() == placement.size && world.origin.is_none_or(|origin| origin == own.min())
    };
    info.place = info.place.filter(is_followed);
    notes.add(info);
    Ok(placement)
}

/// A map as `sample` follows it with the same flags.
#[derive(Debug, Args)]
pub(super) struct FollowedArgs {
    /// The map
    pub(super) map: PathBuf,

    #[command(flatten)]
    pub(super) field: FieldArgs,

    #[command(flatten)]
    world: WorldArgs,
}

impl FollowedArgs {
    /// Reads the map. Returns its field, its distances and its description.
    pub(super) fn read(&self, notes: &mut Notes) -> Result<(RadiusMap, DistMap, MapInfo), Failure> {
        let args = &self.field;
        let range = field::range(args)?;
        let (map, mut info) = field::read_map(&self.map, args, None)?;
        let placement = place(&mut info, &self.world.world(args), INSTEAD, notes)?;
        let field = field::of_map(map, range, placement.world, placement.y_axis, args)?;
        let distances = spread(field.map(), range, field.white(), placement.size)?;
        Ok((field, distances, info))
    }
}

/// Returns the distances of `map` in a world of `size`.
fn spread(
    map: &GreyMap,
    range: DistRange,
    white: White,
    size: [f64; 2],
) -> Result<DistMap, Failure> {
    affordable(map)?;
    let pixels = [map.width(), map.height()].map(f64::from);
    let pixel = [size[0] / pixels[0], size[1] / pixels[1]];
    DistMap::new(map, range, white, pixel).map_err(|e| match e {
        MapError::OutOfMemory { .. } => Failure::Run(anyhow::Error::new(e)),
        _ => Failure::usage("--size", numbers::sides(size), e),
    })
}
