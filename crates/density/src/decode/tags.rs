//! Reads colour space and gamma tags, which are reported but not applied.

mod exif;
mod png;

pub(super) use self::png::transfer as of_png;
use super::tiff::{Directory, ICC_PROFILE};
use crate::diagnostic::Transfer;
use image::ImageDecoder;

/// Reads the tags of a JPEG file. A profile outranks Exif's colour space.
pub(super) fn of_jpeg(decoder: &mut impl ImageDecoder) -> Transfer {
    if matches!(decoder.icc_profile(), Ok(Some(_))) {
        return Transfer::Profile { name: None };
    }
    let block = decoder.exif_metadata().ok().flatten();
    let by_exif = block.and_then(|block| exif::transfer(&block));
    by_exif.unwrap_or(Transfer::Convention)
}

/// Reads the tags of an image of a TIFF file. A profile outranks Exif's colour space.
pub(super) fn of_tiff(directory: &Directory<'_>) -> Option<Transfer> {
    if directory.has(ICC_PROFILE) {
        return Some(Transfer::Profile { name: None });
    }
    exif::transfer_of(directory)
}
