//! What a TIFF says of its colours.

use super::{Transfer, exif};
use crate::decode::tiff::{ICC_PROFILE, Tiff, map_of};
use std::io::Cursor;

/// Reads the tags of the image of a TIFF file that is the map. A profile outranks Exif's colour
/// space.
pub(super) fn transfer(bytes: &[u8]) -> Option<Transfer> {
    let (mut tiff, directories) = Tiff::open(Cursor::new(bytes)).ok()?;
    let map = map_of(&mut tiff, &directories).ok()?;
    let directory = &directories[map];
    if directory.count(ICC_PROFILE) > 0 {
        return Some(Transfer::Profile { name: None });
    }
    let colour_space = exif::colour_space_of(&mut tiff, directory).ok().flatten();
    colour_space.and_then(exif::transfer)
}
