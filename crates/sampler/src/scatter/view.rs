//! The field as the engine looks at it: cell by cell.

use super::crowd::Crowd;
use super::lattice::{Cell, Lattice, ROOM, clip, encloses};
use super::options::Depth;
use super::slivers::Open;
use super::tile::{Tile, Trust};
use crate::probe::{Searched, probe, search};
use density::{Bounds, Coverage, DistRange, Extent, RadiusField};

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
    /// Whether the bounds are no proof but a look at some places, and far apart.
    probed: bool,
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

    /// What a point in the cell may ask for: of a field that cannot bound itself somewhat more
    /// than was seen.
    #[inline]
    pub(super) fn allowed(&self) -> f64 {
        if self.probed {
            (LEEWAY * self.hi).min(self.bounds.hi())
        } else {
            self.hi
        }
    }
}

/// How much more may be asked for in a tile than was seen at its corners and in its middle.
const LEEWAY: f64 = 1.25;

/// Room for a tile of which some places were looked at, as [`ROOM`] is for one with bounds.
const PROBED: f64 = 0.5;

/// A cell larger than a tile is searched in so many steps along each axis at most: what the tiles
/// cost that it may become.
const fn most_steps(dimensions: usize) -> f64 {
    if dimensions < 3 { 32.0 } else { 10.0 }
}

/// A smaller one in so many in a least distance.
const STEPS_PER_DISTANCE: f64 = 4.0;

/// Distances that differ by no more than this factor are no edge.
const EVEN: f64 = 1.5;

/// A cell with a diagonal below this share of the least distance can only be a sliver.
const SMALL: f64 = 0.2;

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
            probed: false,
        };
        // Who bounds itself, where points may lie everywhere, has said it all.
        if whole && local.extent == Extent::Box {
            Some(sight)
        } else {
            self.look_closer(sight, level, local.extent)
        }
    }

    /// What there is to a cell in parts of which no point may lie, or of a field that cannot bound itself.
    #[inline(never)]
    fn look_closer(&self, sight: Sight<D>, level: u32, extent: Extent) -> Option<Sight<D>> {
        let Sight { lo, hi, whole, .. } = sight;
        // Such a field can still be asked. Where its distances hardly differ its bounds do for tiles, but
        // not for slivers: those would be halved for ever.
        let far_apart = hi > EVEN * lo || (hi > lo && self.lattice.diagonal(level) < SMALL * lo);
        let at_a_loss = extent == Extent::Everywhere && (far_apart || !whole);
        // Not worth looking closer than the mask's own detail.
        let no_smaller = !whole
            && self
                .field
                .mask_detail()
                .is_some_and(|d| self.lattice.side(level) <= 0.5 * d);
        let mut sight = Sight {
            even: sight.even && !at_a_loss,
            ..sight
        };
        if at_a_loss || no_smaller {
            let seen = match probe(self.field, &sight.place) {
                None if no_smaller => return None,
                Some((seen, Coverage::All)) => Some(seen),
                some if no_smaller || !far_apart => some.map(|(seen, _)| seen),
                _ => match self.searched(&sight.place, lo, level) {
                    Searched::Closed => return None,
                    Searched::Open(seen) => Some(seen),
                    Searched::Unsure => None,
                },
            };
            if let Some(seen) = seen.filter(|_| at_a_loss) {
                (sight.lo, sight.hi) = (seen.lo(), seen.hi());
                sight.probed = hi > EVEN * lo;
            }
        }
        Some(sight)
    }

    /// What a closer look at a box finds of which some or all seemed to be closed; `lo` is the least
    /// distance there may be. Were closed ground held for ground where points may ask for anything,
    /// all of it would become tiles to which whatever lies within the greatest distance matters; and
    /// the little that was seen of a small open place says little of the rest of it.
    fn searched(&self, place: &Bounds<D>, lo: f64, level: u32) -> Searched {
        let Some(detail) = self.field.mask_detail() else {
            return Searched::Unsure;
        };
        let most = if self.lattice.diagonal(level) > self.lattice.top() * PROBED * lo {
            most_steps(D)
        } else {
            // As small as a tile, where a mask may have details much finer than points are apart.
            (STEPS_PER_DISTANCE * self.lattice.side(level) / lo)
                .ceil()
                .max(1.0)
        };
        search(self.field, place, 0.5 * detail, most)
    }

    /// Whether what a tile leaves open stays open.
    #[inline]
    pub(super) fn is_done_with(&self, tile: &Tile<D>) -> bool {
        self.depth == Depth::Thrown && tile.is_gentle()
    }

    /// Whether a cell is small enough for a tile.
    #[inline]
    pub(super) fn fits(&self, sight: &Sight<D>, level: u32) -> bool {
        let share = if sight.probed { PROBED } else { ROOM };
        self.lattice.diagonal(level) <= self.lattice.top() * share * sight.lo
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
