//! `spinney map show`: writes the distances that result from a map and all flags.

use super::output::{Made, Target};
use crate::failure::{Failure, tell};
use crate::field::FieldArgs;
use crate::flags::WORLD;
use crate::map_file::MapInfo;
use crate::numbers::{about, plain, short};
use crate::shaping::affordable;
use crate::{field, numbers, shaping, warnings};
use clap::Args;
use density::shape::DistMap;
use density::{RadiusField, RadiusMap, White};
use std::path::PathBuf;

/// Write the min_dist map that `sample` follows with the same flags: black is --min-dist, white
/// --max-dist
///
/// It is linear and has 16 bits, for either polarity of MAP. `sample` with it in place of MAP, the
/// same world, and only --min-dist and --max-dist gives the same points, but for rounding to 16
/// bits.
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// The map
    map: PathBuf,

    #[command(flatten)]
    field: FieldArgs,

    /// World size, world units [default: from a GeoTIFF, an ESRI ASCII grid or a world file, else
    /// one unit per pixel]
    #[arg(long, value_name = "WxH", value_parser = numbers::size,
          allow_hyphen_values = true, help_heading = WORLD)]
    size: Option<[f64; 2]>,

    /// Write the map to FILE.png (16-bit), or the distances to FILE.tif (float)
    #[arg(
        short,
        long = "output",
        value_name = "FILE",
        allow_hyphen_values = true
    )]
    output: PathBuf,

    /// Print errors only
    #[arg(short, long)]
    quiet: bool,
}

pub(super) fn run(args: &ShowArgs) -> Result<(), Failure> {
    let target = Target::new(&args.output, &[&args.map])?;
    let (field, info) = make(args)?;
    let map = field.map();
    affordable(map)?;
    let pixel = shaping::pixel(map, field.bounds());
    let distances = DistMap::new(map, field.range(), field.white(), pixel)
        .map_err(|e| Failure::Run(anyhow::Error::new(e)))?;
    let said = match distances.extremes() {
        None => "no point is allowed anywhere".to_owned(),
        Some(found) => format!(
            "min_dist {}..{} occurs, about {} points",
            short(found.lo()),
            short(found.hi()),
            about(distances.expected_points())
        ),
    };
    let kind = target.kind();
    target.write(&Made::Distances {
        map: distances,
        range: field.range(),
        white: White::Sparse,
    })?;
    if args.quiet {
        return Ok(());
    }
    let (lo, hi) = (plain(field.range().lo()), plain(field.range().hi()));
    tell(&format!(
        "{}x{} map{}, white = {}{}, world {}: {said}; {}: {}",
        map.width(),
        map.height(),
        info.levels_text(),
        args.field.white().name(),
        args.field.shaping.closing_text(),
        numbers::sides(field.bounds().size()),
        match kind {
            "float" => "distances in world units".to_owned(),
            _ => format!("black is {lo}, white is {hi}"),
        },
        args.output.display()
    ));
    let size = info.size(args.size, args.field.pixels);
    warnings::tell_all(info.cell_warning(size).as_slice());
    warnings::tell_all(&info.warnings);
    Ok(())
}

fn make(args: &ShowArgs) -> Result<(RadiusMap, MapInfo), Failure> {
    let range = field::range(&args.field)?;
    let (map, info) = field::read_map(&args.map, &args.field, None)?;
    let pixels = [map.width(), map.height()].map(f64::from);
    let size = info.size(args.size, args.field.pixels);
    let world = field::world([0.0; 2], size.unwrap_or(pixels))?;
    Ok((
        field::of_map(map, range, world, field::y_axis(&args.field), &args.field)?,
        info,
    ))
}
