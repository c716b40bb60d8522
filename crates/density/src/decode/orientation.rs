//! Turns pictures that are stored turned or mirrored.

use crate::MapError;
use crate::per_pixel::per_pixel;
pub(super) use image::metadata::Orientation;

/// Returns the size and the pixels of the upright picture (Exif 2.3, tag 274; TIFF 6.0 defines the
/// same tag).
///
/// # Errors
/// When memory runs out.
pub(super) fn turned<T: Copy>(
    pixels: &[T],
    [width, height]: [u32; 2],
    orientation: Orientation,
) -> Result<([u32; 2], Vec<T>), MapError> {
    use Orientation::{
        FlipHorizontal, FlipVertical, NoTransforms, Rotate90, Rotate90FlipH, Rotate180, Rotate270,
        Rotate270FlipH,
    };
    let (w, h) = (width as usize, height as usize);
    let (new_w, new_h) = if is_upright(orientation) {
        (w, h)
    } else {
        (h, w)
    };
    let size = [new_w as u32, new_h as u32];
    let Some(&first) = pixels.first() else {
        return Ok((size, Vec::new()));
    };
    let mut out = per_pixel(first, size)?;
    for (y, row) in out.chunks_exact_mut(new_w).enumerate() {
        for (x, pixel) in row.iter_mut().enumerate() {
            let (from_x, from_y) = match orientation {
                NoTransforms => (x, y),
                FlipHorizontal => (w - 1 - x, y),
                Rotate180 => (w - 1 - x, h - 1 - y),
                FlipVertical => (x, h - 1 - y),
                Rotate90FlipH => (y, x),
                Rotate90 => (y, h - 1 - x),
                Rotate270FlipH => (w - 1 - y, h - 1 - x),
                Rotate270 => (w - 1 - y, x),
            };
            *pixel = pixels[from_y * w + from_x];
        }
    }
    Ok((size, out))
}

/// Returns `true` if the rows of the upright picture are rows or reversed rows of the file.
pub(super) fn is_upright(orientation: Orientation) -> bool {
    use Orientation::{FlipHorizontal, FlipVertical, NoTransforms, Rotate180};
    matches!(
        orientation,
        NoTransforms | FlipHorizontal | FlipVertical | Rotate180
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The letter F, stored in the orientations 1 to 8 of Exif. TIFF 6.0, page 36, defines them by the
    /// sides of the picture where row 0 and column 0 lie.
    #[test]
    fn every_orientation_gives_the_upright_picture() {
        let upright = ["##", "#.", "##", "#.", "#."];
        let stored: [&[&str]; 8] = [
            &["##", "#.", "##", "#.", "#."],
            &["##", ".#", "##", ".#", ".#"],
            &[".#", ".#", "##", ".#", "##"],
            &["#.", "#.", "##", "#.", "##"],
            &["#####", "#.#.."],
            &["#.#..", "#####"],
            &["..#.#", "#####"],
            &["#####", "..#.#"],
        ];
        for (exif, stored) in (1..).zip(stored) {
            let orientation = Orientation::from_exif(exif).expect("one of eight");
            let size = [stored[0].len() as u32, stored.len() as u32];
            let pixels: Vec<u8> = stored.iter().flat_map(|row| row.bytes()).collect();
            let (size, pixels) = turned(&pixels, size, orientation).expect("memory");
            assert_eq!(size, [2, 5], "{exif}");
            assert_eq!(pixels, upright.concat().into_bytes(), "{exif}");
        }
    }
}
