//! What a JPEG says of its colours.

use super::{FileTags, Transfer, exif};
use image::ImageDecoder;
use image::codecs::jpeg::JpegDecoder;
use std::io::Cursor;

pub(super) const START: &[u8] = b"\xff\xd8\xff";

/// Reads the tags before the pixels of a JPEG file, of which `start` is at least the beginning.
/// `None` when it cannot be understood. A profile outranks Exif's colour space.
pub(super) fn jpeg_tags(start: &[u8]) -> Option<FileTags> {
    let mut decoder = JpegDecoder::new(Cursor::new(start)).ok()?;
    let has_profile = matches!(decoder.icc_profile(), Ok(Some(_)));
    let mut by_exif = || {
        let block = decoder.exif_metadata().ok().flatten()?;
        exif::transfer(exif::colour_space(&block)?)
    };
    let transfer = if has_profile {
        Transfer::Profile { name: None }
    } else {
        by_exif().unwrap_or(Transfer::Convention)
    };
    Some(FileTags {
        palette: None,
        transfer: Some(transfer),
    })
}
