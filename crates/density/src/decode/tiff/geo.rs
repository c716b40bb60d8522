//! How large a `GeoTIFF` says that its pixels are (OGC 19-008).

use super::directory::{self, Directory, Tiff};
use crate::decode::cell::{Cell, CellUnit};
use std::io::{Read, Seek};

/// Keys of the key directory.
const MODEL_TYPE: u64 = 1024;
const LINEAR_UNITS: u64 = 3076;

/// The size of a pixel of the decoder's image; `None` when it says none that can be understood:
/// levels do not depend on it.
pub(super) fn cell<R: Read + Seek>(tiff: &mut Tiff<R>, directory: &Directory) -> Option<Cell> {
    let size = scale(tiff, directory).or_else(|| transformation(tiff, directory))?;
    Cell::new(size, unit(tiff, directory))
}

fn scale<R: Read + Seek>(tiff: &mut Tiff<R>, directory: &Directory) -> Option<[f64; 2]> {
    let numbers = tiff.doubles(directory, directory::PIXEL_SCALE)?;
    Some([*numbers.first()?, *numbers.get(1)?])
}

/// Of a matrix from pixels to the world: how far a step to the side and one down lead.
fn transformation<R: Read + Seek>(tiff: &mut Tiff<R>, directory: &Directory) -> Option<[f64; 2]> {
    let matrix = tiff.doubles(directory, directory::TRANSFORMATION)?;
    let step = |column: usize| {
        let (x, y) = (*matrix.get(column)?, *matrix.get(4 + column)?);
        Some((x * x + y * y).sqrt())
    };
    Some([step(0)?, step(1)?])
}

fn unit<R: Read + Seek>(tiff: &mut Tiff<R>, directory: &Directory) -> CellUnit {
    let keys = tiff
        .numbers(directory, directory::GEO_KEYS)
        .unwrap_or_default();
    // A head of four numbers, and then four for each key: its number, where its value is (0:
    // here), how many there are, and the value.
    let value = |wanted: u64| {
        let mut entries = keys.chunks_exact(4).skip(1);
        entries.find_map(|entry| match *entry {
            [key, 0, 1, value] if key == wanted => Some(value),
            _ => None,
        })
    };
    match (value(MODEL_TYPE), value(LINEAR_UNITS)) {
        (Some(2), _) => CellUnit::Degrees,
        (_, Some(9001)) => CellUnit::Metres,
        // International, US survey, and others that surveyors have used.
        (_, Some(9002..=9006)) => CellUnit::Feet,
        _ => CellUnit::Unsaid,
    }
}
