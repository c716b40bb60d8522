//! Writes small PNG files.

use anyhow::{Context, Result};
use color_quant::NeuQuant;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// Writes a PNG image. `pixels` are rows from the top, 16-bit samples high byte first; `palette` is for
/// indexed images and empty otherwise.
///
/// # Errors
/// When the file cannot be written, or the pixels do not fill the image.
pub(crate) fn write_png(
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
            // Neighbouring indices are not similar colours, so filters only increase the size.
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

/// Writes an opaque picture of RGBA bytes. More than 256 colours are reduced to `colors` (64 to 256),
/// selected by a neural network trained on the picture (Dekker, "Kohonen neural networks for optimal
/// colour quantization", 1994).
///
/// # Errors
/// When the file cannot be written, or the pixels do not fill the image.
pub(crate) fn write_picture(path: &Path, size: [u32; 2], rgba: &[u8], colors: usize) -> Result<()> {
    let mut indices: BTreeMap<[u8; 4], u8> = BTreeMap::new();
    let pixels = || rgba.chunks_exact(4).map(|c| [c[0], c[1], c[2], c[3]]);
    for color in pixels() {
        indices.insert(color, 0);
    }
    let palette: Vec<u8> = if indices.len() <= 256 {
        for (index, slot) in (0..).zip(indices.values_mut()) {
            *slot = index;
        }
        indices.keys().flat_map(|&[r, g, b, _]| [r, g, b]).collect()
    } else {
        let chosen = NeuQuant::new(3, colors, rgba);
        for (color, slot) in &mut indices {
            *slot = chosen.index_of(color) as u8;
        }
        chosen.color_map_rgb()
    };
    let pixels: Vec<u8> = pixels().map(|color| indices[&color]).collect();
    let (color, depth) = (png::ColorType::Indexed, png::BitDepth::Eight);
    write_png(path, size, color, depth, &palette, &pixels)
}
