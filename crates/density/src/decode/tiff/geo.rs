//! How large a `GeoTIFF` says that its pixels are (OGC 19-008).

use crate::decode::cell::{Cell, CellUnit};
use ::tiff::decoder::Decoder;
use ::tiff::tags::Tag;
use std::io::{Read, Seek};

/// Keys of the key directory.
const MODEL_TYPE: u64 = 1024;
const LINEAR_UNITS: u64 = 3076;

/// The size of a pixel of the decoder's image; `None` when it says none that can be understood:
/// levels do not depend on it.
pub(super) fn cell<R: Read + Seek>(decoder: &mut Decoder<R>) -> Option<Cell> {
    let size = scale(decoder).or_else(|| transformation(decoder))?;
    Cell::new(size, unit(decoder))
}

fn scale<R: Read + Seek>(decoder: &mut Decoder<R>) -> Option<[f64; 2]> {
    let numbers = doubles(decoder, Tag::ModelPixelScaleTag)?;
    Some([*numbers.first()?, *numbers.get(1)?])
}

/// Of a matrix from pixels to the world: how far a step to the side and one down lead.
fn transformation<R: Read + Seek>(decoder: &mut Decoder<R>) -> Option<[f64; 2]> {
    let matrix = doubles(decoder, Tag::ModelTransformationTag)?;
    let step = |column: usize| {
        let (x, y) = (*matrix.get(column)?, *matrix.get(4 + column)?);
        Some((x * x + y * y).sqrt())
    };
    Some([step(0)?, step(1)?])
}

fn doubles<R: Read + Seek>(decoder: &mut Decoder<R>, tag: Tag) -> Option<Vec<f64>> {
    decoder.find_tag(tag).ok()??.into_f64_vec().ok()
}

fn unit<R: Read + Seek>(decoder: &mut Decoder<R>) -> CellUnit {
    let keys = decoder.find_tag_unsigned_vec::<u64>(Tag::GeoKeyDirectoryTag);
    let keys = keys.ok().flatten().unwrap_or_default();
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
