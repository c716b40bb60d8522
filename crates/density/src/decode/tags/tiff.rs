//! What a TIFF says of its colours.

use super::{Transfer, exif};
use crate::decode::tiff::{Directory, ICC_PROFILE, Tiff, map_of};
use std::io::{Cursor, Read, Seek};

/// Reads the tags of the image of a TIFF file that is the map.
pub(super) fn transfer(bytes: &[u8]) -> Option<Transfer> {
    let (mut tiff, directories) = Tiff::open(Cursor::new(bytes)).ok()?;
    let map = map_of(&mut tiff, &directories).ok()?;
    transfer_of(&mut tiff, &directories[map])
}

/// Reads the tags of an image of a TIFF file. A profile outranks Exif's colour space.
pub(in crate::decode) fn transfer_of<R: Read + Seek>(
    tiff: &mut Tiff<R>,
    directory: &Directory,
) -> Option<Transfer> {
    if directory.count(ICC_PROFILE) > 0 {
        return Some(Transfer::Profile { name: None });
    }
    let colour_space = exif::colour_space_of(tiff, directory).ok().flatten();
    colour_space.and_then(exif::transfer)
}
