//! The pixels that can matter to others, in cells of 8 by 8.

use crate::cone::{Cone, NEIGHBOURS};
use crate::grey_map::filled;

/// Pixels along a cell's side.
pub(crate) const CELL: u32 = 8;

pub(crate) struct Sources {
    /// Cells per row.
    pub(crate) width: u32,
    /// A cell's sources, row by row from the lowest bit.
    pub(crate) bits: Vec<u64>,
    /// The highest of them; minus infinity where there is none.
    pub(crate) highest: Vec<f64>,
}

impl Sources {
    /// Those of `pixels`, in time proportional to the pixels; NaN is none. `None` without the
    /// memory for a quarter of a byte per pixel and two rows.
    pub(crate) fn new(pixels: &[f64], width: u32, cone: &Cone) -> Option<Self> {
        let row = width as usize;
        let height = pixels.len() / row;
        let wide = width.div_ceil(CELL);
        let cells = wide as usize * height.div_ceil(CELL as usize);
        let mut sources = Self {
            width: wide,
            bits: filled(0, cells)?,
            highest: filled(f64::NEG_INFINITY, cells)?,
        };
        let nothing = filled(f64::NAN, row)?;
        let mut gentle = filled(false, row)?;
        for (y, here) in pixels.chunks_exact(row).enumerate() {
            let at = |y: usize| pixels.get(y.wrapping_mul(row)..)?.get(..row);
            let above = if y == 0 { None } else { at(y - 1) };
            let rows = [
                above.unwrap_or(&nothing),
                here,
                at(y + 1).unwrap_or(&nothing),
            ];
            find_gentle(rows, cone.gentle(), &mut gentle);
            let first = y / CELL as usize * wide as usize;
            for (x, &r) in here.iter().enumerate() {
                if gentle[x] || r.is_nan() {
                    continue;
                }
                let neighbours = NEIGHBOURS.map(|[i, j]| {
                    let x = x.wrapping_add_signed(i as isize);
                    let row = rows[1usize.wrapping_add_signed(j as isize)];
                    row.get(x).copied().unwrap_or(f64::NAN)
                });
                if cone.is_source(r, neighbours) {
                    let cell = first + x / CELL as usize;
                    sources.bits[cell] |= 1 << (y as u32 % CELL * CELL + x as u32 % CELL);
                    sources.highest[cell] = sources.highest[cell].max(r);
                }
            }
        }
        Some(sources)
    }
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
