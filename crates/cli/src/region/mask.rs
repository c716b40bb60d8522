//! Reads the mask of a region.

use super::{MaskInfo, RegionArgs, RegionInfo, Regions, add_image};
use crate::failure::Failure;
use crate::map_file::{self, MapArgs, MapInfo};
use crate::numbers::{plain, short};
use crate::place::WorldPlacement;
use crate::warnings::MASK;
use density::decode::{LevelRange, LevelType, Levels, Raster};
use density::diagnostic::{Role, Subject};
use density::shape::ShapeError;
use density::{GreyMap, MapOptions, MaskRegion};
use std::path::Path;

/// The default of `--mask-threshold`.
const THRESHOLD: f64 = 0.5;

/// The default of `--mask-threshold` for a mask of classes.
const LEAST_CLASS: f64 = 1.0;

/// The value of open pixels in a black and white map.
const WHITE: f64 = 1.0;

/// Reads the mask, if there is one.
pub(crate) fn read(
    args: &RegionArgs,
    placement: &WorldPlacement,
    max_pixels: Option<u64>,
    regions: &mut Regions,
    info: &mut RegionInfo,
) -> Result<(), Failure> {
    let Some(path) = &args.mask else {
        return Ok(());
    };
    let failed = |problem: &dyn std::fmt::Display| Failure::file("--mask ", path, problem);
    let threshold = args.mask_threshold.unwrap_or(THRESHOLD);
    let impossible =
        |problem: String| Failure::usage("--mask-threshold", plain(threshold), problem);
    // A threshold above 1 is a level: levels from it up count as white.
    let range = (threshold > 1.0).then(|| LevelRange::new(0.0, threshold));
    let range = range.transpose();
    let how = MapArgs {
        channel: args.mask_channel.clone(),
        no_data: args.mask_no_data,
        raw_size: args.mask_size,
        max_pixels,
        range: range
            .map_err(|_| impossible("larger than any level".to_owned()))?
            .map(Levels::Between),
        ..MapArgs::default()
    };
    let subject = Subject::new(Role::Mask, path.display().to_string(), &MASK);
    let (raster, levels, read) = map_file::read_levels(path, &how, subject)?;
    let are_classes = raster.about().are_indices && read.is_grey;
    let threshold = match args.mask_threshold {
        None if are_classes => LEAST_CLASS,
        _ => threshold,
    };
    let (levels, is_level) = if are_classes {
        class_levels(threshold, levels).map_err(impossible)?
    } else {
        check_value(threshold, path, &raster, &read).map_err(impossible)?;
        (levels, threshold > 1.0)
    };
    let size = [read.width, read.height];
    let laid = placement
        .lay(read.place, Some(size))
        .map_err(|e| failed(&e))?;
    let least = if is_level { WHITE } else { threshold };
    let map = raster.at_least(least, levels).map_err(|e| failed(&e))?;
    let in_world = |map: GreyMap| match laid.pixels {
        Some(pixels) => map.cut(pixels).map_err(|e| failed(&e)),
        None => Ok(map),
    };
    let map = in_world(map)?;
    let options = MapOptions {
        bounds: Some(laid.place),
        y_axis: placement.y_axis,
        ..MapOptions::default()
    };
    let mask = MaskRegion::new(&map, WHITE, options).map_err(|e| match e {
        ShapeError::Map(density::MapError::PixelSize { .. }) => {
            failed(&"its pixels would be too small or too large to compute with")
        }
        other => failed(&other),
    })?;
    if mask.share() == 0.0 {
        let greys = raster.into_map(levels).map_err(|e| failed(&e))?;
        let subject = laid.pixels.map_or("no pixel", |_| "no pixel in the world");
        let greys = in_world(greys)?;
        return Err(failed(&closed(subject, &greys, threshold, is_level)));
    }
    info.warnings.extend(read.warnings);
    info.warnings
        .extend(laid.found.map(|found| found.about(&read.subject)));
    info.mask = Some(MaskInfo {
        file: path.display().to_string(),
        width: read.width,
        height: read.height,
        channel: read.channel,
        threshold,
        allowed: mask.share(),
    });
    add_image(regions, mask, laid.place, &placement.world);
    Ok(())
}

/// Returns the levels of the values 0 and 1 of a mask of classes, and whether the least open class is the level of 1.
fn class_levels(least: f64, levels: Levels) -> Result<(Levels, bool), String> {
    if least < 0.0 || least.fract() != 0.0 {
        return Err("must be a whole number from 0, the least class that is open".to_owned());
    }
    if least == 0.0 {
        return Ok((levels, false));
    }
    let range = LevelRange::new(0.0, least).map_err(|e| e.to_string())?;
    Ok((Levels::Between(range), true))
}

/// Refuses thresholds that no mask of this type of numbers has.
fn check_value(threshold: f64, path: &Path, raster: &Raster, read: &MapInfo) -> Result<(), String> {
    let is_float = matches!(raster.level_type(), LevelType::Float(_));
    if threshold < 0.0 && !is_float && raster.about().scaling.is_none() {
        return Err("must not be negative for a mask of integers".to_owned());
    }
    if threshold > 1.0 && read.is_grey {
        return Err(format!(
            "must be from 0 to 1: white is 1 in {}, {}",
            path.display(),
            read.level_type
        ));
    }
    Ok(())
}

/// Describes a mask that closes everything; `subject` names the pixels of `map`.
fn closed(subject: &str, map: &GreyMap, threshold: f64, is_level: bool) -> String {
    let places = (0..map.height()).flat_map(|y| (0..map.width()).map(move |x| (x, y)));
    let open = places.filter(|&(x, y)| map.allowed(x, y));
    let most = open.map(|(x, y)| map.value(x, y)).reduce(f64::max);
    let none = format!("{subject} has a value of {threshold} or more: nothing is open");
    match most {
        None => format!("{none}; all of it is transparent or no-data"),
        // The map's values are not below 0.
        Some(_) if threshold <= 0.0 => none,
        Some(most) if is_level => {
            format!("{none}; the greatest is {}", short(most * threshold))
        }
        Some(0.0) => format!("{none}; all of it is black (is it the right --mask-channel?)"),
        Some(most) => format!(
            "{none}; the greatest is {}: give --mask-threshold {} or less",
            short(most),
            short(0.5 * most)
        ),
    }
}
