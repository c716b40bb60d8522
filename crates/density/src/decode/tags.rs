//! What a map's file says of its colours, which the map's reader does not follow.

mod exif;
mod jpeg;
mod png;
mod tiff;

use crate::diagnostic::Transfer;
use std::io::{self, BufReader, Read, Seek};

/// Tags of a file of pixels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileTags {
    /// How many colours its palette has, when its pixels are numbers of colours.
    pub palette: Option<usize>,
    /// How its values are meant to be shown, when that is not as they are.
    pub transfer: Option<Transfer>,
}

/// A profile before the pixels of a PNG or JPEG may be large; nothing else is.
const TAGS_WITHIN: u64 = 4 << 20;

/// Reads the tags of a PNG, TIFF or JPEG file; no more of it than they take. Nothing of other
/// formats, nor of a file that cannot be understood: decoding tells what is wrong with it.
///
/// # Errors
/// When `file` cannot be read.
pub fn file_tags(file: impl Read + Seek) -> io::Result<FileTags> {
    let mut file = BufReader::new(file);
    let mut start = Vec::new();
    (&mut file).take(4).read_to_end(&mut start)?;
    file.rewind()?;
    // The rest of a TIFF's tags may come after its pixels.
    if matches!(
        start[..],
        [b'I', b'I', 42 | 43, 0] | [b'M', b'M', 0, 42 | 43]
    ) {
        return Ok(tiff::tiff_tags(file).unwrap_or_default());
    }
    let is_jpeg = start.starts_with(jpeg::START);
    if !is_jpeg && !png::SIGNATURE.starts_with(&start) {
        return Ok(FileTags::default());
    }
    start.clear();
    file.take(TAGS_WITHIN).read_to_end(&mut start)?;
    Ok(if is_jpeg {
        jpeg::jpeg_tags(&start).unwrap_or_default()
    } else {
        png::png_tags(&start)
    })
}
