//! What a TIFF says of its colours.

use super::{FileTags, Transfer, exif};
use crate::decode::{COLOUR_MAP, DecodeError, ICC_PROFILE, PALETTE, PHOTOMETRIC, Tiff, map_of};
use std::io::{Read, Seek};

/// Reads the tags of the image of a TIFF file that is the map. A profile outranks Exif's colour
/// space.
pub(super) fn tiff_tags(file: impl Read + Seek) -> Result<FileTags, DecodeError> {
    let (mut tiff, directories) = Tiff::open(file)?;
    let map = map_of(&mut tiff, &directories)?;
    let directory = &directories[map];
    let is_indexed = tiff.number(directory, PHOTOMETRIC)? == Some(PALETTE);
    // Its reds, then its greens, then its blues.
    let colours = directory.count(COLOUR_MAP) / 3;
    let transfer = if directory.count(ICC_PROFILE) > 0 {
        Some(Transfer::Profile { name: None })
    } else {
        let colour_space = exif::colour_space_of(&mut tiff, directory);
        colour_space.ok().flatten().and_then(exif::transfer)
    };
    Ok(FileTags {
        palette: is_indexed.then_some(usize::try_from(colours).unwrap_or(usize::MAX)),
        transfer,
    })
}
