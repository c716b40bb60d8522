//! Blocks: the parts of an area that threads evaluate one by one.
//!
//! A block is a cell of the lattice, or a cube of cells of level 0 whose side is a power of two. The choice
//! of blocks affects only time and memory.

use super::lattice::Cell;
use super::pages::page_bits;
use super::pass_view::PassView;
use crate::boxes::volume_in_radii;
use crate::packing::{most_points, packing};
use crate::steps::for_each;
use density::Bounds;

/// The largest blocks are `2^LARGEST` cells of level 0 a side.
const LARGEST: i32 = 6;

/// Returns the page that a block lies in; the first page of a larger block.
pub(super) fn page<const D: usize>(block: Cell<D>) -> Cell<D> {
    let level = -(page_bits(D) as i32);
    let up = block.level - level;
    Cell {
        level,
        at: block.at.map(|x| if up < 0 { x << -up } else { x >> up }),
    }
}

/// Where distances in a block differ by at most this factor, its points are estimated from both bounds.
const EVEN: f64 = 1.25;

/// A block with at most this share of the points that a block may hold is estimated from the distance at
/// its centre.
const SMALL: f64 = 1.0 / 32.0;

/// Returns the blocks of an area where a pass may have points, in the order of the results. They are cells of the
/// lattice of the first of the passes, which are in the order of their least distances.
pub(super) fn blocks<const D: usize>(passes: &[PassView<'_, D>], area: &Bounds<D>) -> Vec<Cell<D>> {
    let (first, last) = passes[0].lattice.roots(area);
    let mut found = Vec::new();
    for_each(
        first.map(|x| x >> LARGEST),
        last.map(|x| x >> LARGEST),
        |at| {
            let level = -LARGEST;
            cut(passes, Cell { level, at }, area, &mut found);
        },
    );
    found
}

/// Adds the blocks that a block is cut into. Returns an estimate of the number of its points in the densest pass
/// that is open there.
fn cut<const D: usize>(
    passes: &[PassView<'_, D>],
    block: Cell<D>,
    area: &Bounds<D>,
    found: &mut Vec<Cell<D>>,
) -> f64 {
    let place = passes[0].lattice.bounds(block);
    let Some(place) = place.and_then(|place| place.intersection(area)) else {
        return 0.0;
    };
    let mut fields = passes.iter().map(|pass| pass.field);
    let open = fields.find_map(|field| Some((field, field.range_in(&place)?)));
    let Some((field, local)) = open else {
        return 0.0;
    };
    let (lo, hi) = (local.range.lo(), local.range.hi());
    let points = |r: f64| packing(D) * volume_in_radii(&place, r);
    let (least, most) = (points(hi), points(lo));
    let is_leaf = block.level >= 0 && passes[0].fits(lo, block.level);
    // The field is evaluated at the centre only if needed: it may have to fetch data.
    let expected = if hi <= EVEN * lo {
        Some(0.5 * (least + most))
    } else if most <= SMALL * most_points(D) || is_leaf {
        Some(field.min_dist(place.center()).map_or(0.0, points))
    } else {
        None
    };
    if let Some(expected) = expected
        && (expected <= most_points(D) || is_leaf)
    {
        found.push(block);
        return expected;
    }
    let from = found.len();
    let children = block.children();
    let expected = children.map(|child| cut(passes, child, area, found)).sum();
    if expected <= most_points(D) {
        found.truncate(from);
        found.push(block);
    }
    expected
}
