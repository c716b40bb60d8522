//! Grows the bright or the dark parts of a map.

use super::{Shade, ShapeError};
use crate::GreyMap;
use crate::field_error::within;
use crate::per_pixel::per_pixel;

/// Returns the map with its bright or dark parts grown by `radius` pixels: each pixel becomes the
/// brightest or the darkest of the pixels whose centres are at most `radius` from its own. Closed
/// pixels do not change, and their greys do not spread.
///
/// At a sharp edge one side bleeds into the other. Dilation makes up for it by moving the edge.
///
/// - Dense into sparse: under the rule `parent`, that of the seed code, the front of Bridson's
///   algorithm carries the parent's small distance over the edge (Tulleken, Dev.Mag 21, 2008,
///   figure 9). The article's remedy is to dilate the grid of radii, so that the sparse side grows:
///   [`Shade::Bright`] if white is sparse, [`Shade::Dark`] if white is dense. A quarter of the
///   greatest distance does most of it. On a checkerboard of squares of 128 with distances 4 and
///   24, the sparse squares hold 5.9 times the points they should without dilation, 1.8 times with
///   it; the dense ones 1.01 and 0.98 times (measured).
/// - Sparse into dense: a point of the sparse side came first and keeps others away beyond the
///   edge. Then the dense side must grow.
///
/// Under the symmetric rules Bridson's algorithm needs neither. The rule `mean` gives both kinds of
/// squares their share (0.99 and 1.01). The rule `max` fills the dense squares (1.03), but leaves
/// only the middle of the sparse ones (0.72). No dilation mends this: `Bright` takes more from the
/// dense squares (0.86) than it gives to the sparse ones (0.83).
///
/// Takes time proportional to pixels * (radius + 1), by van Herk's running maximum (1992) on every
/// row of the disk, and the memory of one more map.
///
/// ```
/// use spinney_density::GreyMap;
/// use spinney_density::shape::{Shade, dilate};
///
/// let dot = GreyMap::from_fn(9, 9, |x, y| if (x, y) == (4, 4) { 1.0 } else { 0.0 })?;
/// let disk = dilate(&dot, 2.0, Shade::Bright)?;
/// assert_eq!((disk.grey(6, 4), disk.grey(6, 6)), (65535, 0));
/// # Ok::<(), spinney_density::shape::ShapeError>(())
/// ```
///
/// # Errors
/// Unless `radius` is finite and at least 0, or without enough memory.
pub fn dilate(map: &GreyMap, radius: f64, which: Shade) -> Result<GreyMap, ShapeError> {
    let radius = within("the radius of a dilation", radius, 0.0, 1e300)?;
    let (width, height) = (map.width() as usize, map.height() as usize);
    // The darkest grey is the brightest of the inverted greys. A closed pixel counts as 0, the
    // least grey, so it is never brighter than another.
    let flip = match which {
        Shade::Bright => 0,
        Shade::Dark => u16::MAX,
    };
    let mut grown = per_pixel(0u16, map.size())?;
    let mut window = Window::new(width);
    let mut source = vec![0; width];
    let reach = (radius as usize).min(height - 1);
    for y in 0..height {
        let row = y * width..(y + 1) * width;
        for (i, (to, from)) in source.iter_mut().zip(&map.greys()[row.clone()]).enumerate() {
            *to = if map.is_open(row.start + i) {
                from ^ flip
            } else {
                0
            };
        }
        for dy in 0..=reach {
            let half = (radius * radius - (dy * dy) as f64).max(0.0).sqrt() as usize;
            let brightest = window.brightest(&source, half);
            for to in [
                y.checked_sub(dy),
                (y + dy < height && dy > 0).then_some(y + dy),
            ] {
                let Some(to) = to else { continue };
                let target = &mut grown[to * width..(to + 1) * width];
                for (grey, &b) in target.iter_mut().zip(brightest) {
                    *grey = b.max(*grey);
                }
            }
        }
    }
    for (i, (grey, &before)) in grown.iter_mut().zip(map.greys()).enumerate() {
        *grey = if map.is_open(i) { *grey ^ flip } else { before };
    }
    Ok(map.with_greys(grown))
}

/// Buffers for running maxima of a row.
struct Window {
    result: Vec<u16>,
    /// Maximum from a block's first entry up to each entry.
    heads: Vec<u16>,
    /// Maximum from each entry up to its block's last.
    tails: Vec<u16>,
}

impl Window {
    fn new(width: usize) -> Self {
        Self {
            result: vec![0; width],
            heads: Vec::with_capacity(2 * width),
            tails: Vec::with_capacity(width),
        }
    }

    /// Returns for each entry the maximum of those at most `half` away. A window is as long as a
    /// block, so it is the tail of one block and the head of the next. The row is continued by
    /// zeros.
    fn brightest(&mut self, row: &[u16], half: usize) -> &[u16] {
        let half = half.min(row.len() - 1);
        let block = 2 * half + 1;
        self.heads.clear();
        self.heads.extend_from_slice(row);
        self.heads.resize(row.len() + half, 0);
        for chunk in self.heads.chunks_mut(block) {
            let mut max = 0;
            for entry in chunk {
                max = max.max(*entry);
                *entry = max;
            }
        }
        self.tails.clear();
        self.tails.extend_from_slice(row);
        for chunk in self.tails.chunks_mut(block) {
            let mut max = 0;
            for entry in chunk.iter_mut().rev() {
                max = max.max(*entry);
                *entry = max;
            }
        }
        // The first `half` windows are cut off at the row's start: they are heads of block 0.
        self.result.copy_from_slice(&self.heads[half..]);
        for (result, &tail) in self.result[half..].iter_mut().zip(&self.tails) {
            *result = tail.max(*result);
        }
        &self.result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn brute_force(map: &GreyMap, radius: f64, which: Shade) -> Vec<u16> {
        let cells = |n: u32| (0..n).map(i64::from);
        let mut greys = Vec::new();
        for y in cells(map.height()) {
            for x in cells(map.width()) {
                let mut best = map.grey(x as u32, y as u32);
                for j in cells(map.height()) {
                    for i in cells(map.width()) {
                        let d2 = ((x - i) * (x - i) + (y - j) * (y - j)) as f64;
                        let has_say =
                            map.allowed(i as u32, j as u32) && map.allowed(x as u32, y as u32);
                        if has_say && d2 <= radius * radius {
                            let grey = map.grey(i as u32, j as u32);
                            best = match which {
                                Shade::Bright => best.max(grey),
                                Shade::Dark => best.min(grey),
                            };
                        }
                    }
                }
                greys.push(best);
            }
        }
        greys
    }

    #[test]
    fn refuses_what_is_no_radius() {
        let map = GreyMap::from_fn(2, 2, |_, _| 0.5).expect("a good map");
        for radius in [-1.0, f64::NAN, f64::INFINITY] {
            let refused = dilate(&map, radius, Shade::Dark);
            assert!(matches!(refused, Err(ShapeError::OutOfRange(_))));
        }
        assert_eq!(dilate(&map, 1e300, Shade::Dark), Ok(map));
    }

    #[test]
    fn dark_grows_into_white() {
        let dot = |x, y| if (x, y) == (3, 3) { 0.0 } else { 1.0 };
        let map = GreyMap::from_fn(7, 7, dot).expect("a good map");
        let grown = dilate(&map, 2.0, Shade::Dark).expect("a good radius");
        let black = grown.greys().iter().filter(|&&g| g == 0).count();
        assert_eq!(black, 13, "a disk of radius 2");
        assert_eq!(dilate(&map, 0.99, Shade::Dark), Ok(map));
    }

    proptest! {
        #[test]
        fn is_the_brightest_or_darkest_in_the_disk(
            width in 1u32..14,
            height in 1u32..14,
            radius in 0.0..18.0,
            salt in any::<u32>(),
            dark in any::<bool>(),
        ) {
            let map = crate::test_maps::random(width, height, salt, 7);
            let which = if dark { Shade::Dark } else { Shade::Bright };
            let grown = dilate(&map, radius, which).expect("a good radius");
            let truth = brute_force(&map, radius, which);
            prop_assert_eq!(grown.greys(), &truth[..]);
            prop_assert_eq!(grown.mask(), map.mask());
        }
    }
}
