//! Reads the colour space from Exif data, of which the decoders report only the orientation.

use super::Transfer;
use crate::decode::DecodeError;
use crate::decode::tiff::{Directory, EXIF, Tiff};
use std::io::{Cursor, Read, Seek};

const COLOUR_SPACE: u16 = 0xa001;

/// Returns the transfer function of a colour space number: 1 is sRGB, other numbers are undefined.
pub(super) fn transfer(colour_space: u64) -> Option<Transfer> {
    (colour_space == 1).then_some(Transfer::Srgb)
}

/// Returns the colour space number in a block of Exif data, which is a TIFF without an image (Exif
/// 2.3, 4.5.2 and 4.6.5).
pub(super) fn colour_space(bytes: &[u8]) -> Option<u64> {
    let (mut block, directories) = Tiff::open(Cursor::new(bytes)).ok()?;
    colour_space_of(&mut block, directories.first()?).ok()?
}

/// Returns the colour space number in the Exif data that a directory refers to; `None` without Exif
/// data.
///
/// # Errors
/// When the reference is not to a directory.
pub(super) fn colour_space_of<R: Read + Seek>(
    tiff: &mut Tiff<R>,
    directory: &Directory,
) -> Result<Option<u64>, DecodeError> {
    let Some(place) = tiff.number(directory, EXIF)? else {
        return Ok(None);
    };
    let within = tiff.directory(place)?;
    tiff.number(&within, COLOUR_SPACE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The first directory has an orientation before the pointer; the second is at 38.
    fn block(colour_space: u16) -> Vec<u8> {
        let mut bytes = b"MM\0*\0\0\0\x08".to_vec();
        bytes.extend([0, 2]);
        bytes.extend([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]);
        bytes.extend([0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38]);
        bytes.extend([0; 4]);
        bytes.extend([0, 1, 0xa0, 0x01, 0, 3, 0, 0, 0, 1]);
        bytes.extend(colour_space.to_be_bytes());
        bytes.extend([0; 6]);
        bytes
    }

    #[test]
    fn finds_the_colour_space() {
        assert_eq!(colour_space(&block(1)), Some(1));
        assert_eq!(colour_space(&block(0xffff)), Some(0xffff));
        let mut little =
            b"II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x1a\0\0\0\0\0\0\0".to_vec();
        little.extend(b"\x01\0\x01\xa0\x03\0\x01\0\0\0\x02\0\0\0");
        assert_eq!(colour_space(&little), Some(2));
        let mut other = block(1);
        other[22] = 0x88;
        assert_eq!(colour_space(&other), None, "no directory within");
        assert_eq!(colour_space(b"Exif"), None);
    }

    proptest! {
        #[test]
        fn takes_any_bytes(tail in prop::collection::vec(any::<u8>(), 0..80), cut in 0usize..60) {
            let mut bytes = block(1);
            bytes.truncate(cut);
            bytes.extend(tail);
            colour_space(&bytes);
        }
    }
}
