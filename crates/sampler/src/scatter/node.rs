//! A node of a region's tree.

use super::lattice::{Cell, Parts, Turn};
use super::tile::{Frame, Tile};
use super::tree::NONE;
use super::view::{Sight, View};
use density::RadiusField;

/// A tile in the making, or a cell that was cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<const D: usize> {
    pub(super) tile: Tile<D>,
    /// Whether it is not cut: small enough for the field, or too far away to matter.
    pub(super) fits: bool,
    /// Where its list stands in the pool; where all are tiles, its place in the grid.
    pub(super) list: (u32, u32),
    /// What is known of its guests, in the [`Shade`].
    pub(super) guests: u32,
}

/// What others look at of a node. Apart from the rest of it, as on steep ground each is looked at by
/// hundreds, which stay in the processor's cache that way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline<const D: usize> {
    pub(super) frame: Frame<D>,
    /// The most that a point in it may ask for: of a cell that will be cut, in any of its parts.
    pub(super) most: f32,
    /// The first part and how many there are; (0, 0) of a tile and of what is not cut yet, and
    /// nothing is first where there is nothing in it after all.
    pub(super) parts: (u32, u32),
    /// Its number among the tiles.
    pub(super) number: u32,
}

impl<const D: usize> Node<D> {
    #[inline]
    pub(super) fn new<F: RadiusField<D>>(
        view: &View<'_, D, F>,
        cell: Cell<D>,
        turn: Turn<D>,
        shift: [f64; D],
        sight: &Sight<D>,
        remote: bool,
    ) -> (Self, Outline<D>) {
        // The cell as a whole, also where it hangs over the edge of the domain: its corners
        // are those of the lattice.
        let place = view.whole(cell, &sight.place);
        let (center, size) = (place.center(), place.size());
        let part = view.lattice.sides(cell.level + Parts::<D>::WIDTH.ilog2());
        let fits = remote || view.fits(sight, cell.level);
        // Of what is not looked at any closer only the field's own bounds are known.
        let (least, most) = if remote || !fits {
            (sight.bounds.lo(), sight.bounds.hi())
        } else {
            (sight.lo, sight.hi)
        };
        let node = Self {
            tile: Tile {
                cell,
                turn,
                lo: least,
                hi: most,
                trust: sight.trust(),
                per_part: part.map(|s| 1.0 / s),
                sides: view.lattice.sides(cell.level),
                side: size.into_iter().fold(0.0, f64::max) as f32,
                min: place.min(),
                cut_off: place != sight.place,
                remote,
            },
            fits,
            list: (0, 0),
            guests: NONE,
        };
        let outline = Outline {
            frame: Frame {
                center: std::array::from_fn(|a| (center[a] + shift[a]) as f32),
                half: std::array::from_fn(|a| (0.5 * size[a]) as f32),
            },
            most: most as f32,
            parts: (0, 0),
            number: NONE,
        };
        (node, outline)
    }
}
