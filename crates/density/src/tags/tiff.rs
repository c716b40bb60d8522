//! What a TIFF says of its colours.

use super::{FileTags, Transfer, exif};
use crate::decode::{MOST_IMAGES, is_image};
use std::io::{Read, Seek};
use tiff::TiffResult;
use tiff::decoder::Decoder;
use tiff::tags::{PhotometricInterpretation, Tag};

/// Reads the tags of the image of a TIFF file that is the map. A profile outranks Exif's colour
/// space.
pub(super) fn tiff_tags(file: impl Read + Seek) -> TiffResult<FileTags> {
    let mut decoder = Decoder::new(file)?;
    seek_to_map(&mut decoder)?;
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

/// Goes to the image that is decoded: the first that is one; else it is the first.
fn seek_to_map<R: Read + Seek>(decoder: &mut Decoder<R>) -> TiffResult<()> {
    for index in 0..MOST_IMAGES {
        let new = decoder.find_tag_unsigned(Tag::NewSubfileType)?;
        let old = decoder.find_tag_unsigned(Tag::SubfileType)?;
        if is_image(new.unwrap_or_default(), old.unwrap_or_default()) {
            return Ok(());
        }
        if !decoder.more_images() {
            return if index == 0 {
                Ok(())
            } else {
                decoder.seek_to_image(0)
            };
        }
        decoder.next_image()?;
    }
    decoder.seek_to_image(0)
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
