//! What a file says of its colours, which its decoder does not follow.

mod exif;
mod jpeg;
mod png;
mod tiff;

pub(super) use self::tiff::transfer_of;
use super::format::Format;
use crate::diagnostic::Transfer;

/// How the values of a file that could be decoded are meant to be shown, when that is not as they are.
pub(super) fn transfer(format: &Format, bytes: &[u8]) -> Option<Transfer> {
    match format {
        Format::Png => png::transfer(bytes),
        Format::Jpeg => jpeg::transfer(bytes),
        Format::Tiff => tiff::transfer(bytes),
        _ => None,
    }
}
