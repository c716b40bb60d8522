//! What a JPEG says of its colours.

use super::{Transfer, exif};
use image::ImageDecoder;
use image::codecs::jpeg::JpegDecoder;
use std::io::Cursor;

/// Reads the tags of a JPEG file. A profile outranks Exif's colour space.
pub(super) fn transfer(bytes: &[u8]) -> Option<Transfer> {
    let mut decoder = JpegDecoder::new(Cursor::new(bytes)).ok()?;
    if matches!(decoder.icc_profile(), Ok(Some(_))) {
        return Some(Transfer::Profile { name: None });
    }
    let block = decoder.exif_metadata().ok().flatten();
    let by_exif = block.and_then(|block| exif::transfer(exif::colour_space(&block)?));
    Some(by_exif.unwrap_or(Transfer::Convention))
}
