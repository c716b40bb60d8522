//! Reads the colour space from Exif data, of which the decoders report only the orientation.

use super::Transfer;
use crate::decode::tiff::{Directory, EXIF};

const COLOUR_SPACE: u16 = 0xa001;

/// Returns the transfer function that a block of Exif data states. The block is a TIFF without an image
/// (Exif 2.3, 4.5.2 and 4.6.5).
pub(super) fn transfer(block: &[u8]) -> Option<Transfer> {
    transfer_of(&Directory::first(&block).ok()?)
}

/// Returns the transfer function in the Exif data that a directory refers to. Colour space 1 is sRGB, other
/// numbers are undefined.
pub(super) fn transfer_of(directory: &Directory<'_>) -> Option<Transfer> {
    let exif = directory.inner(EXIF).ok()??;
    let colour_space = exif.number(COLOUR_SPACE).ok()??;
    (colour_space == 1).then_some(Transfer::Srgb)
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
        assert_eq!(transfer(&block(1)), Some(Transfer::Srgb));
        assert_eq!(transfer(&block(0xffff)), None);
        let mut other = block(1);
        other[22] = 0x88;
        assert_eq!(transfer(&other), None, "no directory within");
        assert_eq!(transfer(b"Exif"), None);
    }

    proptest! {
        #[test]
        fn takes_any_bytes(tail in prop::collection::vec(any::<u8>(), 0..80), cut in 0usize..60) {
            let mut bytes = block(1);
            bytes.truncate(cut);
            bytes.extend(tail);
            transfer(&bytes);
        }
    }
}
