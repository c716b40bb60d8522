//! Reads colour space and gamma tags, which are reported but not applied.

mod exif;
mod png;

pub(super) use self::png::transfer as of_png;
use super::tiff::{Directory, ICC_PROFILE, Tiff};
use crate::diagnostic::Transfer;
use image::ImageDecoder;
use std::io::{Read, Seek};

/// Reads the tags of a JPEG file. A profile outranks Exif's colour space.
pub(super) fn of_jpeg(decoder: &mut impl ImageDecoder) -> Transfer {
    if matches!(decoder.icc_profile(), Ok(Some(_))) {
        return Transfer::Profile { name: None };
    }
    let block = decoder.exif_metadata().ok().flatten();
    let by_exif = block.and_then(|block| exif::transfer(exif::colour_space(&block)?));
    by_exif.unwrap_or(Transfer::Convention)
}

/// Reads the tags of an image of a TIFF file. A profile outranks Exif's colour space.
pub(super) fn of_tiff<R: Read + Seek>(
    tiff: &mut Tiff<R>,
    directory: &Directory,
) -> Option<Transfer> {
    if directory.count(ICC_PROFILE) > 0 {
        return Some(Transfer::Profile { name: None });
    }
    let colour_space = exif::colour_space_of(tiff, directory).ok().flatten();
    colour_space.and_then(exif::transfer)
}
