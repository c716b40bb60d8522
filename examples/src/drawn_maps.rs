//! The project's own maps in `maps/`, drawn with the same result on every machine.

mod meadow;

use crate::png_file::write_png;
use anyhow::Result;
use density::{DistRange, Perlin, PerlinOptions};
use std::path::Path;

/// A map for the folder `maps/`.
#[derive(Clone, Debug)]
pub struct DrawnMap {
    /// The file's name.
    pub name: &'static str,
    /// Width and height, pixels.
    pub size: [u32; 2],
    /// The pixels, rows from the top.
    pub pixels: Pixels,
}

/// Pixels as PNG files store them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pixels {
    /// 8-bit greys.
    Grey8(Vec<u8>),
    /// 16-bit greys.
    Grey16(Vec<u16>),
    /// 16-bit greys, each followed by its alpha.
    GreyAlpha16(Vec<u16>),
}

impl DrawnMap {
    /// Writes the map as PNG.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        use png::{BitDepth, ColorType};
        let wide = |words: &[u16]| words.iter().flat_map(|w| w.to_be_bytes()).collect();
        let (color, depth, bytes): (_, _, Vec<u8>) = match &self.pixels {
            Pixels::Grey8(bytes) => (ColorType::Grayscale, BitDepth::Eight, bytes.clone()),
            Pixels::Grey16(words) => (ColorType::Grayscale, BitDepth::Sixteen, wide(words)),
            Pixels::GreyAlpha16(words) => {
                (ColorType::GrayscaleAlpha, BitDepth::Sixteen, wide(words))
            }
        };
        write_png(path, self.size, color, depth, &[], &bytes)
    }
}

/// Returns all maps.
///
/// # Errors
/// None in practice, since all parameters are constants.
pub fn all() -> Result<Vec<DrawnMap>> {
    Ok(vec![
        meadow::draw_map()?,
        clusters()?,
        radial(),
        checkerboard(),
        f(),
    ])
}

fn grey16(value: f64) -> u16 {
    (value.clamp(0.0, 1.0) * 65535.0).round() as u16
}

fn draw<T>(size: [u32; 2], mut at: impl FnMut([u32; 2]) -> T) -> Vec<T> {
    (0..size[1])
        .flat_map(|y| (0..size[0]).map(move |x| [x, y]))
        .map(&mut at)
        .collect()
}

/// Returns the centre of a pixel.
fn middle(pixel: [u32; 2]) -> [f64; 2] {
    pixel.map(|i| f64::from(i) + 0.5)
}

/// Draws soft dark clumps on white.
fn clusters() -> Result<DrawnMap> {
    let size = [320, 240];
    let options = PerlinOptions {
        seed: 6,
        frequency: 1.0 / 90.0,
        ..PerlinOptions::default()
    };
    let noise = Perlin::new(DistRange::new(1.0, 2.0)?, options)?;
    Ok(DrawnMap {
        name: "clusters.png",
        size,
        pixels: Pixels::Grey16(draw(size, |pixel| {
            grey16(crate::smoothstep(0.15, 0.75, noise.grey_at(middle(pixel))))
        })),
    })
}

/// Draws black at the centre and white on the circle that touches the edges.
fn radial() -> DrawnMap {
    let size = [256, 256];
    DrawnMap {
        name: "radial.png",
        size,
        pixels: Pixels::Grey16(draw(size, |pixel| {
            let [x, y] = middle(pixel).map(|x| x / 128.0 - 1.0);
            grey16((x * x + y * y).sqrt())
        })),
    }
}

/// Draws eight by eight squares, the top left one black.
fn checkerboard() -> DrawnMap {
    let size = [256, 256];
    DrawnMap {
        name: "checkerboard.png",
        size,
        pixels: Pixels::Grey8(draw(
            size,
            |[x, y]| {
                if (x / 32 + y / 32) % 2 == 0 { 0 } else { 255 }
            },
        )),
    }
}

/// Draws a black F on white, taller than wide: every flip and every turn changes it.
fn f() -> DrawnMap {
    let size = [120, 160];
    DrawnMap {
        name: "f.png",
        size,
        pixels: Pixels::Grey8(draw(size, |[x, y]| {
            let stem = (24..48).contains(&x) && (16..144).contains(&y);
            let top = (24..104).contains(&x) && (16..40).contains(&y);
            let bar = (24..84).contains(&x) && (68..92).contains(&y);
            if stem || top || bar { 0 } else { 255 }
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use density::GreyMap;

    fn drawn(map: &DrawnMap) -> GreyMap {
        let (greys, allowed) = match &map.pixels {
            Pixels::Grey8(bytes) => (bytes.iter().map(|&g| u16::from(g) * 257).collect(), None),
            Pixels::Grey16(words) => (words.clone(), None),
            Pixels::GreyAlpha16(words) => (
                words.iter().step_by(2).copied().collect(),
                Some(words.iter().skip(1).step_by(2).map(|&a| a > 0).collect()),
            ),
        };
        GreyMap::new(map.size[0], map.size[1], greys, allowed).expect("a good map")
    }

    #[test]
    fn the_files_are_what_is_drawn() {
        for map in all().expect("good constants") {
            let file = crate::load_map(map.name).expect("a map of the repository");
            assert!(
                file == drawn(&map),
                "maps/{} is out of date: run the example make_maps",
                map.name
            );
        }
    }
}
