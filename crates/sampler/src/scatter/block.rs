//! Blocks: the parts of an area that threads evaluate one by one.
//!
//! A block is a cell of the lattice, or a cube of cells of level 0 whose side is a power of two. The choice
//! of blocks affects only time and memory.

use super::lattice::{Cell, Lattice};
use super::pass_view::PassView;
use super::tree::page_bits;
use crate::boxes::volume_in_radii;
use crate::packing::{most_points, packing};
use crate::steps::for_each;
use density::Bounds;

/// A cell of the lattice; below level 0 each level doubles the sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<const D: usize> {
    pub(super) level: i32,
    pub(super) at: [i64; D],
}

/// The largest blocks are `2^LARGEST` cells of level 0 a side.
const LARGEST: i32 = 6;

impl<const D: usize> Block<D> {
    /// Returns the block's box; `None` far from the origin, where it is lost in rounding.
    pub(super) fn bounds(&self, lattice: &Lattice<D>) -> Option<Bounds<D>> {
        if self.level < 0 {
            lattice.roots_bounds(self.at, -self.level as u32)
        } else {
            lattice.bounds(Cell {
                level: self.level as u32,
                at: self.at,
            })
        }
    }

    /// Returns the page that the block lies in; the block itself if it is a page.
    pub(super) fn page(&self) -> [i64; D] {
        let up = page_bits(D) as i32 + self.level;
        self.at.map(|x| if up < 0 { x << -up } else { x >> up })
    }

    /// Returns `true` if the block is a page.
    pub(super) fn is_page(&self) -> bool {
        self.level == -(page_bits(D) as i32)
    }

    /// Returns the `2^D` blocks inside.
    pub(super) fn children(self) -> impl Iterator<Item = Self> {
        (0..1_usize << D).map(move |child| Self {
            level: self.level + 1,
            at: std::array::from_fn(|a| 2 * self.at[a] + ((child >> a) & 1) as i64),
        })
    }
}

/// Where distances in a block differ by at most this factor, its points are estimated from both bounds.
const EVEN: f64 = 1.25;

/// A block with at most this share of the points that a block may hold is estimated from the distance at
/// its centre.
const SMALL: f64 = 1.0 / 32.0;

/// Returns the blocks of an area where a pass may have points, in the order of the results. They are cells of the
/// lattice of the first of the passes, which are in the order of their least distances.
pub(super) fn blocks<const D: usize>(
    passes: &[PassView<'_, D>],
    area: &Bounds<D>,
) -> Vec<Block<D>> {
    let (first, last) = passes[0].lattice.roots(area);
    let mut found = Vec::new();
    for_each(
        first.map(|x| x >> LARGEST),
        last.map(|x| x >> LARGEST),
        |at| {
            let level = -LARGEST;
            cut(passes, Block { level, at }, area, &mut found);
        },
    );
    found
}

/// Adds the blocks that a block is cut into. Returns an estimate of the number of its points in the densest pass
/// that is open there.
fn cut<const D: usize>(
    passes: &[PassView<'_, D>],
    block: Block<D>,
    area: &Bounds<D>,
    found: &mut Vec<Block<D>>,
) -> f64 {
    let place = block.bounds(passes[0].lattice);
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
    let is_leaf = block.level >= 0 && passes[0].fits(lo, block.level as u32);
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
