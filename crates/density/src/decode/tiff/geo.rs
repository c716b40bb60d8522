//! Reads the position of a `GeoTIFF`'s pixels on a map (OGC 19-008).

use super::directory::{self, Directory, unless_cut};
use crate::decode::DecodeError;
use crate::decode::place::{PixelSteps, StepSource};
use crate::decode::raster::About;
use crate::decode::systems;
use crate::diagnostic::{Cell, CellUnit};

/// Keys of the key directory.
const MODEL_TYPE: u64 = 1024;
const RASTER_TYPE: u64 = 1025;
const LINEAR_UNITS: u64 = 3076;
const VERTICAL_SYSTEM: u64 = 4096;
const VERTICAL_UNITS: u64 = 4099;
const GEOGRAPHIC_SYSTEM: u64 = 2048;
const PROJECTED_SYSTEM: u64 = 3072;

/// Maximum count of numbers in a key directory: four of its head, and four of each key.
const MOST_KEYS: u64 = 4 * (u16::MAX as u64 + 1);

/// Maximum count of tie point numbers that are read; each point has six.
const MOST_TIES: u64 = 6 * 1024;

/// The number of a system that is described, not named.
const USER_DEFINED: u64 = 32767;

/// Reads the position of an image on a map: what is known of it, and the steps of its pixels. Tags that cannot be
/// interpreted are ignored.
///
/// # Errors
/// When the values of a tag are not all in the file.
pub(super) fn read(directory: &Directory<'_>) -> Result<(About, Option<PixelSteps>), DecodeError> {
    let keys = unless_cut(directory.numbers(directory::GEO_KEYS, MOST_KEYS))?;
    let keys = keys.unwrap_or_default();
    let numbers = directory.doubles(directory::PIXEL_SCALE, 2)?;
    let ties = directory.doubles(directory::TIE_POINTS, MOST_TIES)?;
    let matrix = directory.doubles(directory::TRANSFORMATION, 8)?;
    let of_points = key(&keys, RASTER_TYPE) == Some(2);
    // Coordinates of such pixels refer to their middles.
    let shift = if of_points { 0.5 } else { 0.0 };
    let steps = scale(&numbers, &ties, shift);
    let steps = steps.or_else(|| transformation(&matrix, shift));
    let system = match key(&keys, MODEL_TYPE) {
        Some(1) => key(&keys, PROJECTED_SYSTEM),
        Some(2) => key(&keys, GEOGRAPHIC_SYSTEM),
        _ => None,
    };
    let epsg = system.filter(|&number| number > 0 && number < USER_DEFINED);
    let unfollowed = match steps {
        Some(steps) if steps.is_placed() => None,
        Some(_) if directory.has(directory::TIE_POINTS) => {
            Some("tie points that do not fit its scale")
        }
        _ if directory.has(directory::TIE_POINTS) => {
            Some("control points (tie points without a scale)")
        }
        _ if directory.has(directory::RPC) => Some("a camera model (RPC)"),
        _ => None,
    };
    let about = About {
        unfollowed,
        cell: steps.and_then(|steps| {
            let cell = Cell::new(steps.lengths(), unit(&keys))?;
            Some(cell.with_heights(unit_of_heights(&keys)))
        }),
        of_points,
        epsg: epsg.and_then(|number| u16::try_from(number).ok()),
        ..About::default()
    };
    Ok((about, steps))
}

fn scale(numbers: &[f64], ties: &[f64], shift: f64) -> Option<PixelSteps> {
    let (x, y) = (*numbers.first()?, *numbers.get(1)?);
    let steps = PixelSteps::new([x, 0.0], [0.0, -y], StepSource::Scale)?;
    let (ties, _) = ties.as_chunks::<6>();
    let Some(&[column, row, _, east, north, _]) = ties.first() else {
        return Some(steps);
    };
    // As in GDAL, the first tie point counts; the others must lie within a pixel of its prediction.
    let fits = |tie: &[f64; 6]| {
        let off = [
            tie[3] - east - (tie[0] - column) * x,
            tie[4] - north + (tie[1] - row) * y,
        ];
        off[0].abs() <= x.abs() && off[1].abs() <= y.abs()
    };
    Some(if ties.iter().all(fits) {
        steps.through([column + shift, row + shift], [east, north])
    } else {
        steps
    })
}

/// Reads the steps to the next column and row from a matrix from pixels to the world.
fn transformation(matrix: &[f64], shift: f64) -> Option<PixelSteps> {
    let step = |column: usize| Some([*matrix.get(column)?, *matrix.get(4 + column)?]);
    // Programs write the identity for an image without a position on a map.
    if (step(0)?, step(1)?, step(3)?) == ([1.0, 0.0], [0.0, 1.0], [0.0, 0.0]) {
        return None;
    }
    let steps = PixelSteps::new(step(0)?, step(1)?, StepSource::Matrix)?;
    Some(steps.through([shift, shift], step(3)?))
}

/// Returns the value of a key of the key directory: a head of four numbers, then four numbers for
/// each key. These are its number, the location of its value (0: here), the count of values, and
/// the value.
fn key(keys: &[u64], wanted: u64) -> Option<u64> {
    let mut entries = keys.chunks_exact(4).skip(1);
    entries.find_map(|entry| match *entry {
        [key, 0, 1, value] if key == wanted => Some(value),
        _ => None,
    })
}

fn unit(keys: &[u64]) -> CellUnit {
    match key(keys, MODEL_TYPE) {
        Some(2) => CellUnit::Degrees,
        Some(1) if key(keys, LINEAR_UNITS).is_none() => {
            let system = key(keys, PROJECTED_SYSTEM).and_then(|number| u16::try_from(number).ok());
            system.map_or(CellUnit::Unsaid, systems::unit)
        }
        _ => length(key(keys, LINEAR_UNITS)),
    }
}

/// Returns the unit with this EPSG number.
fn length(unit: Option<u64>) -> CellUnit {
    match unit {
        Some(9001) => CellUnit::Metres,
        // International, US survey, and other feet of surveyors.
        Some(9002..=9006) => CellUnit::Feet,
        Some(9036) => CellUnit::Kilometres,
        _ => CellUnit::Unsaid,
    }
}

/// Returns the unit of the file's levels, if they are heights.
fn unit_of_heights(keys: &[u64]) -> CellUnit {
    // GDAL writes only the system: NAVD88, NGVD29, EGM96, EGM2008 and mean sea level are common.
    match key(keys, VERTICAL_SYSTEM) {
        Some(3855 | 5703 | 5714 | 5773) => CellUnit::Metres,
        Some(5702 | 6360 | 8228) => CellUnit::Feet,
        _ => length(key(keys, VERTICAL_UNITS)),
    }
}
