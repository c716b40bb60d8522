//! Reads colour space and gamma tags, which are reported but not applied.

mod png;

pub(super) use self::png::transfer as of_png;
use super::tiff::{Directory, EXIF, ICC_PROFILE};
use crate::diagnostic::Transfer;

/// The colour space in Exif data: 1 is sRGB, other numbers are undefined.
const COLOUR_SPACE: u16 = 0xa001;

/// Reads the tags of a JPEG file with this block of Exif data, which is a TIFF without an image (Exif 2.3, 4.5.2 and
/// 4.6.5). A profile outranks Exif's colour space.
pub(super) fn of_jpeg(has_profile: bool, block: Option<&[u8]>) -> Transfer {
    if has_profile {
        return Transfer::Profile { name: None };
    }
    let by_exif = block.and_then(|block| by_exif(&Directory::first(&block).ok()?));
    by_exif.unwrap_or(Transfer::Convention)
}

/// Reads the tags of an image of a TIFF file. A profile outranks Exif's colour space.
pub(super) fn of_tiff(directory: &Directory<'_>) -> Option<Transfer> {
    if directory.has(ICC_PROFILE) {
        return Some(Transfer::Profile { name: None });
    }
    by_exif(directory)
}

/// Returns the transfer function that the Exif data of a directory state.
fn by_exif(directory: &Directory<'_>) -> Option<Transfer> {
    let exif = directory.inner(EXIF).ok()??;
    let colour_space = exif.number(COLOUR_SPACE).ok()??;
    (colour_space == 1).then_some(Transfer::Srgb)
}
