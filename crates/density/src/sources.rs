//! The pixels that can matter to others, in cells of 8 by 8.

use crate::bits::{Bits, CELL, places};
use crate::cone::{Cone, NEIGHBOURS};
use crate::grey_map::filled;
use crate::tips::take_slopes;

/// Where more than one pixel in so many can be a source, those on others' slopes are looked for;
/// fewer are searched sooner than that.
const MANY: u64 = 16;

pub(crate) struct Sources {
    pub(crate) bits: Bits,
    /// The highest of each cell's sources; minus infinity where there is none.
    pub(crate) highest: Vec<f64>,
}

impl Sources {
    /// Those of `pixels`, in time proportional to the pixels; NaN is none. `None` without the
    /// memory for three eighths of a byte per pixel and a few rows.
    pub(crate) fn new(pixels: &[f64], width: u32, cone: &Cone) -> Option<Self> {
        let width = width as usize;
        let mut bits = Bits::none(width, pixels.len() / width)?;
        for_each_steep(pixels, width, cone, |[x, y], rows| {
            let neighbours = NEIGHBOURS.map(|[i, j]| {
                let x = x.wrapping_add_signed(i as isize);
                let row = rows[1usize.wrapping_add_signed(j as isize)];
                row.get(x).copied().unwrap_or(f64::NAN)
            });
            if cone.is_source(rows[1][x], neighbours) {
                bits.set(x, y);
            }
        })?;
        if bits.count() > pixels.len() as u64 / MANY {
            let mut steep = Bits::none(width, pixels.len() / width)?;
            for_each_steep(pixels, width, cone, |[x, y], _| steep.set(x, y))?;
            take_slopes(pixels, width, cone.step(), &steep, &mut bits)?;
        }
        let mut highest = filled(f64::NEG_INFINITY, bits.cells().len())?;
        for (cell, highest) in highest.iter_mut().enumerate() {
            let corner = [cell % bits.width(), cell / bits.width()].map(|at| at * CELL as usize);
            for [x, y] in places(bits.cells()[cell]) {
                let at = (corner[1] + y as usize) * width + corner[0] + x as usize;
                *highest = pixels[at].max(*highest);
            }
        }
        Some(Self { bits, highest })
    }
}

/// Visits all pixels that have a neighbour missing, or one so low that they can be sources, with
/// the rows above, their own and below; those at the map's rim are all NaN outside.
fn for_each_steep(
    pixels: &[f64],
    width: usize,
    cone: &Cone,
    mut visit: impl FnMut([usize; 2], [&[f64]; 3]),
) -> Option<()> {
    let nothing = filled(f64::NAN, width)?;
    let mut gentle = filled(false, width)?;
    for (y, here) in pixels.chunks_exact(width).enumerate() {
        let at = |y: usize| pixels.get(y.wrapping_mul(width)..)?.get(..width);
        let above = if y == 0 { None } else { at(y - 1) };
        let rows = [
            above.unwrap_or(&nothing),
            here,
            at(y + 1).unwrap_or(&nothing),
        ];
        find_gentle(rows, cone.gentle(), &mut gentle);
        for (x, r) in here.iter().enumerate() {
            if !gentle[x] && !r.is_nan() {
                visit([x, y], rows);
            }
        }
    }
    Some(())
}

/// Which pixels of the middle row have eight neighbours, none of them lower by more than `most`.
fn find_gentle(rows: [&[f64]; 3], most: [f64; 8], gentle: &mut [bool]) {
    gentle.fill(false);
    let inner = gentle.len().saturating_sub(2);
    if inner == 0 {
        return;
    }
    let gentle = &mut gentle[1..=inner];
    gentle.fill(true);
    let here = &rows[1][1..=inner];
    // One neighbour after the other, so that many pixels are compared at a time.
    for ([i, j], most) in NEIGHBOURS.into_iter().zip(most) {
        let [i, j] = [i, j].map(|step| 1usize.wrapping_add_signed(step as isize));
        let neighbours = &rows[j][i..][..inner];
        for ((gentle, r), n) in gentle.iter_mut().zip(here).zip(neighbours) {
            // Never for NaN.
            *gentle &= r - n <= most;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DistMap, DistRange, Side, White, limit};

    /// Of a plateau with bays, each pixel beside it is raised to the cone of one at its edge: only
    /// those of the edge matter, the first time and again.
    #[test]
    fn pixels_on_slopes_of_cones_are_none() {
        let grey = crate::test_maps::random(12, 9, 7, 2);
        let blocks = crate::GreyMap::from_fn(180, 150, |x, y| grey.value(x / 15, y / 17));
        let range = DistRange::new(1.0, 30.0).expect("a good range");
        let blocks = blocks.expect("a good map");
        let map = DistMap::new(&blocks, range, White::Sparse, [1.0, 1.3]).expect("a good pixel");
        let limited = limit(&map, 0.25, Side::Sparse).expect("a good slope");
        let count = |map: &DistMap| {
            let cone = Cone::new([0.25, 0.25 * 1.3], 30.0).expect("enough memory");
            let sources = Sources::new(map.distances(), map.width(), &cone);
            sources.expect("enough memory").bits.count()
        };
        let (first, again) = (count(&map), count(&limited));
        let raised = limited.distances().iter().zip(map.distances());
        let raised = raised.filter(|(h, r)| h > r).count() as u64;
        assert!(raised > 8 * first, "{raised} raised by {first}");
        assert!(4 * again < 5 * first, "{again} for {first}");
    }
}
