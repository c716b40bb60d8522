//! The field as the engine looks at it: cell by cell.

use super::crowd::Crowd;
use super::lattice::{Cell, Lattice, ROOM, clip, encloses};
use super::options::Depth;
use super::slivers::Open;
use super::tile::{Tile, Trust};
use density::{Bounds, Coverage, DistRange, RadiusField};

/// What is the same for every region of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'f, const D: usize, F> {
    pub(super) field: &'f F,
    pub(super) lattice: Lattice<D>,
    /// Where points may lie at all.
    pub(super) domain: Option<Bounds<D>>,
    /// The seed, [mixed](super::throw::mixed).
    pub(super) seed: u64,
    /// Points that are there already.
    pub(super) crowd: Option<&'f Crowd<D>>,
    /// How far it goes.
    pub(super) depth: Depth,
}

/// A cell with what the field asks for in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight<const D: usize> {
    /// The part of the cell inside the domain.
    pub(super) place: Bounds<D>,
    /// Bounds of the distance there.
    pub(super) lo: f64,
    pub(super) hi: f64,
    /// Bounds that the field itself gives.
    pub(super) bounds: DistRange,
    /// Whether the distance is the same in all of the cell, and points may lie in all of it.
    pub(super) even: bool,
    /// Whether points may lie in all of it, whatever they ask for.
    pub(super) whole: bool,
}

impl<const D: usize> Sight<D> {
    /// Whether the bounds are the field's own, and not what was seen at some places.
    #[inline]
    pub(super) fn is_proven(&self) -> bool {
        self.lo == self.bounds.lo() && self.hi == self.bounds.hi()
    }

    /// What the bounds are worth.
    pub(super) fn trust(&self) -> Trust {
        if self.even {
            Trust::Even
        } else if self.whole && self.is_proven() {
            Trust::Proven
        } else {
            Trust::Seen
        }
    }
}

/// Distances that differ by no more than this factor are no edge.
const EVEN: f64 = 1.5;

/// A cell this many times smaller than the least distance in it is not halved.
const FINEST: f64 = 1024.0;

/// The same for a cell across an edge of the field: there the open cells may double with each
/// halving, along all of the edge.
const FINEST_AT_EDGES: f64 = 64.0;

/// A cell where the field has a mask is halved to this share of the mask's detail at least, and any
/// to this share of what the domain is wide. The last that throw are up to four times as long: one of
/// them lies wholly in an island as wide as the detail, and hits it.
const FINEST_OF_ISLANDS: f64 = 0.125;

/// More halvings of a tile than this cannot be told apart in its coordinates.
pub(super) const MOST_HALVINGS: u32 = 28;

impl<const D: usize, F: RadiusField<D>> View<'_, D, F> {
    /// The part of a cell inside the domain.
    #[inline]
    pub(super) fn place(&self, cell: Cell<D>) -> Option<Bounds<D>> {
        let place = self.lattice.bounds(cell)?;
        match &self.domain {
            None => Some(place),
            // Most lie inside: nothing has to be made of two boxes.
            Some(domain) if encloses(domain, &place) => Some(place),
            Some(domain) => clip(&place, domain),
        }
    }

    /// The whole of a cell of which this part lies inside the domain.
    #[inline]
    pub(super) fn whole(&self, cell: Cell<D>, inside: &Bounds<D>) -> Bounds<D> {
        let cut_off = |domain: &Bounds<D>| {
            (0..D).any(|a| inside.min()[a] <= domain.min()[a] || inside.max()[a] >= domain.max()[a])
        };
        if self.domain.as_ref().is_some_and(cut_off) {
            self.lattice.bounds(cell).unwrap_or(*inside)
        } else {
            *inside
        }
    }

    /// The part of a box inside the domain; the box itself where they do not meet.
    pub(super) fn inside(&self, area: &Bounds<D>) -> Bounds<D> {
        let inside = self.domain.as_ref().and_then(|domain| clip(area, domain));
        inside.unwrap_or(*area)
    }

    /// Looks at a cell; `None` when no point may lie in it.
    #[inline]
    pub(super) fn look(&self, cell: Cell<D>) -> Option<Sight<D>> {
        let place = self.place(cell)?;
        self.look_at(place, cell.level)
    }

    /// As [`View::look`] for a cell whose place inside the domain is known.
    #[inline]
    pub(super) fn look_at(&self, place: Bounds<D>, level: u32) -> Option<Sight<D>> {
        let local = self.field.range_in(&place)?;
        let (lo, hi) = (local.range.lo(), local.range.hi());
        let whole = local.coverage == Coverage::All;
        let sight = Sight {
            place,
            lo,
            hi,
            bounds: local.range,
            even: whole && lo == hi,
            whole,
        };
        (whole || !self.is_closed(&place, level)).then_some(sight)
    }

    /// Returns `true` if no point may lie at the corners and in the middle of a cell that is no larger
    /// than half the mask's detail.
    #[inline(never)]
    fn is_closed(&self, place: &Bounds<D>, level: u32) -> bool {
        let detail = self.field.mask_detail();
        if detail.is_none_or(|detail| self.lattice.side(level) > 0.5 * detail) {
            return false;
        }
        let (min, max) = (place.min(), place.max().map(f64::next_down));
        let corner = |i: usize| std::array::from_fn(|a| [min[a], max[a]][i >> a & 1]);
        let mut places = (0..1_usize << D).map(corner).chain([place.center()]);
        places.all(|p| self.field.min_dist(p).is_none())
    }

    /// Whether what a tile leaves open stays open.
    #[inline]
    pub(super) fn is_done_with(&self, tile: &Tile<D>) -> bool {
        self.depth == Depth::Thrown && tile.is_gentle()
    }

    /// Whether a cell is small enough for a tile.
    #[inline]
    pub(super) fn fits(&self, sight: &Sight<D>, level: u32) -> bool {
        self.lattice.diagonal(level) <= self.lattice.top() * ROOM * sight.lo
    }

    /// Whether a cell of a tile is too small to be halved.
    #[inline]
    pub(super) fn is_finest(&self, open: &Open<D>, level: u32) -> bool {
        let side = self.lattice.side(level);
        let small = side * FINEST < open.lo
            || (open.hi > EVEN * open.lo && side * FINEST_AT_EDGES < open.lo);
        let fine = (open.whole || self.is_finest_of_mask(side)) && self.is_finest_of_domain(side);
        small && (fine || open.halvings >= MOST_HALVINGS)
    }

    /// Whether no island of the field's mask can be missed in cells with this side.
    fn is_finest_of_mask(&self, side: f64) -> bool {
        let detail = self.field.mask_detail();
        detail.is_none_or(|detail| side <= FINEST_OF_ISLANDS * detail)
    }

    /// Whether a domain cannot be missed by cells with this side, however thin it is.
    fn is_finest_of_domain(&self, side: f64) -> bool {
        let thin = |size: f64| side > FINEST_OF_ISLANDS * size;
        !self
            .domain
            .is_some_and(|domain| domain.size().into_iter().any(thin))
    }

    /// A bound of the distances in a box; of a tiling, everywhere.
    pub(super) fn most_in(&self, place: &Bounds<D>) -> Option<f64> {
        if self.lattice.turn_size().is_some() {
            return Some(self.field.range().hi());
        }
        let place = match &self.domain {
            None => *place,
            Some(domain) => clip(place, domain)?,
        };
        self.field.range_in(&place).map(|local| local.range.hi())
    }
}
