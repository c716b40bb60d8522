//! What a TIFF says of its colours.

use super::{FileTags, Transfer, exif};
use std::io::{Read, Seek};
use tiff::TiffResult;
use tiff::decoder::Decoder;
use tiff::tags::{PhotometricInterpretation, Tag};

/// Reads the tags of a TIFF file's first image, which is the map. A profile outranks Exif's colour
/// space.
pub(super) fn tiff_tags(file: impl Read + Seek) -> TiffResult<FileTags> {
    let mut decoder = Decoder::new(file)?;
    let shown = decoder.find_tag_unsigned::<u16>(Tag::PhotometricInterpretation)?;
    let is_indexed = shown == Some(PhotometricInterpretation::RGBPalette.to_u16());
    let image = decoder.image_ifd();
    let map = image.find_entry(Tag::ColorMap);
    // Its reds, then its greens, then its blues.
    let colours = map.map_or(0, |map| map.count() / 3);
    let transfer = if image.directory().contains(Tag::IccProfile) {
        Some(Transfer::Profile { name: None })
    } else {
        by_exif(&mut decoder).unwrap_or_default()
    };
    Ok(FileTags {
        palette: is_indexed.then_some(usize::try_from(colours).unwrap_or(usize::MAX)),
        transfer,
    })
}

fn by_exif<R: Read + Seek>(decoder: &mut Decoder<R>) -> TiffResult<Option<Transfer>> {
    let Some(place) = decoder.find_tag(Tag::ExifDirectory)? else {
        return Ok(None);
    };
    let directory = decoder.read_directory(place.into_ifd_pointer()?)?;
    let mut tags = decoder.read_directory_tags(&directory);
    let number = tags.find_tag_unsigned(Tag::Unknown(exif::COLOUR_SPACE))?;
    Ok(number.and_then(exif::transfer))
}
