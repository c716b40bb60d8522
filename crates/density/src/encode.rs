//! Writing maps.

use crate::GreyMap;
use std::io::{self, Write};

/// Writes `map` as a 16-bit PNG, grey, with alpha 0 where no point may lie: decoding it gives the
/// same map.
///
/// # Errors
/// When `out` fails.
pub fn write_png(map: &GreyMap, out: impl Write) -> io::Result<()> {
    let mut encoder = png::Encoder::new(out, map.width(), map.height());
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.set_color(if map.has_mask() {
        png::ColorType::GrayscaleAlpha
    } else {
        png::ColorType::Grayscale
    });
    encoder.set_compression(png::Compression::Balanced);
    let mut writer = encoder.write_header()?;
    let mut stream = writer.stream_writer()?;
    let width = map.width() as usize;
    let mut bytes = Vec::with_capacity(4 * width);
    for (y, row) in map.greys().chunks_exact(width).enumerate() {
        bytes.clear();
        for (x, grey) in row.iter().enumerate() {
            bytes.extend(grey.to_be_bytes());
            if let Some(mask) = map.mask() {
                let alpha = if mask[y * width + x] { u16::MAX } else { 0 };
                bytes.extend(alpha.to_be_bytes());
            }
        }
        stream.write_all(&bytes)?;
    }
    stream.finish()?;
    writer.finish()?;
    Ok(())
}
