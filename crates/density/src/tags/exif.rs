//! The colour space in Exif data, of which the decoders tell the orientation alone.

use super::Transfer;

/// The directory in the first directory.
const EXIF: u16 = 0x8769;
pub(super) const COLOUR_SPACE: u16 = 0xa001;

/// What the colour space of that number is: 1 is sRGB, other numbers say nothing.
pub(super) fn transfer(colour_space: u16) -> Option<Transfer> {
    (colour_space == 1).then_some(Transfer::Srgb)
}

/// The colour space's number in a block of Exif data, which is a TIFF without an image (Exif 2.3,
/// 4.5.2 and 4.6.5).
pub(super) fn colour_space(bytes: &[u8]) -> Option<u16> {
    let block = Block {
        bytes,
        is_big_endian: match bytes.get(..4)? {
            b"II*\0" => false,
            b"MM\0*" => true,
            _ => return None,
        },
    };
    let first = block.long(4)?;
    let within = block.long(block.value(first, EXIF)?)?;
    block.short(block.value(within, COLOUR_SPACE)?)
}

#[derive(Clone, Copy)]
struct Block<'a> {
    bytes: &'a [u8],
    is_big_endian: bool,
}

impl Block<'_> {
    /// Where the value of a directory's tag is, if it is not longer than four bytes.
    fn value(self, directory: usize, tag: u16) -> Option<usize> {
        let entries = usize::from(self.short(directory)?);
        let entry = (0..entries)
            .map_while(|i| directory.checked_add(2 + 12 * i))
            .find(|&entry| self.short(entry) == Some(tag))?;
        entry.checked_add(8)
    }

    fn short(self, at: usize) -> Option<u16> {
        let two = self.bytes.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if self.is_big_endian {
            u16::from_be_bytes(two)
        } else {
            u16::from_le_bytes(two)
        })
    }

    fn long(self, at: usize) -> Option<usize> {
        let four = self.bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        let long = if self.is_big_endian {
            u32::from_be_bytes(four)
        } else {
            u32::from_le_bytes(four)
        };
        usize::try_from(long).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The first directory with an orientation before the pointer, and the second at 38.
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
