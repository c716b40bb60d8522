//! Writing PNG files, small.

use anyhow::{Context, Result};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// Writes one PNG image. `pixels` are rows from the top, 16-bit samples high byte first;
/// `palette` is for indexed images and empty otherwise.
///
/// # Errors
/// When the file cannot be written, or the pixels do not fill the image.
pub fn write_png(
    path: &Path,
    [width, height]: [u32; 2],
    color: png::ColorType,
    depth: png::BitDepth,
    palette: &[u8],
    pixels: &[u8],
) -> Result<()> {
    let write = || -> Result<()> {
        let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), width, height);
        encoder.set_color(color);
        encoder.set_depth(depth);
        encoder.set_compression(png::Compression::High);
        if color == png::ColorType::Indexed {
            // Neighbouring indices are not neighbouring colours: filters only do harm.
            encoder.set_palette(palette);
            encoder.set_filter(png::Filter::NoFilter);
        }
        let mut writer = encoder.write_header()?;
        writer.write_image_data(pixels)?;
        writer.finish()?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}
