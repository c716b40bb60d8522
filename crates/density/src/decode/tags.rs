//! Reads colour space and gamma tags, which are reported but not applied.

mod exif;
mod png;

pub(super) use self::png::transfer as of_png;
use super::tiff::{Directory, ICC_PROFILE};
use crate::diagnostic::Transfer;

/// Reads the tags of a JPEG file with this block of Exif data. A profile outranks Exif's colour space.
pub(super) fn of_jpeg(has_profile: bool, block: Option<&[u8]>) -> Transfer {
    if has_profile {
        return Transfer::Profile { name: None };
    }
    let by_exif = block.and_then(exif::transfer);
    by_exif.unwrap_or(Transfer::Convention)
}

/// Reads the tags of an image of a TIFF file. A profile outranks Exif's colour space.
pub(super) fn of_tiff(directory: &Directory<'_>) -> Option<Transfer> {
    if directory.has(ICC_PROFILE) {
        return Some(Transfer::Profile { name: None });
    }
    exif::transfer_of(directory)
}
