//! The pass of an evaluator, with the field's bounds cell by cell.

use super::lattice::{Cell, Lattice, Parts, ROOM, top};
use super::pass::Pass;
use super::separation::Separation;
use super::shape::{Fragment, Shape};
use crate::mask::{FINEST, mask_detail, open_place};
use crate::obstacles::Obstacles;
use crate::rule::Rule;
use density::{Bounds, Coverage, LocalRange, RadiusField};

/// Field, domain, rule and seed of a pass, and the passes before it.
#[derive(Clone, Copy)]
pub(super) struct PassView<'f, const D: usize> {
    pub(super) field: &'f dyn RadiusField<D>,
    pub(super) lattice: &'f Lattice<D>,
    pub(super) pass: &'f Pass<'f, D>,
    earlier: &'f [Pass<'f, D>],
    /// The domain; `None` in an endless world.
    pub(super) domain: Option<Bounds<D>>,
    /// The rule; [`Rule::Max`] where all distances are equal, as all rules are one there.
    pub(super) rule: Rule,
    /// The seed, [mixed](super::hash::mixed).
    pub(super) seed: u64,
    /// The greatest amount of memory that an evaluator may take, bytes.
    pub(super) max_bytes: u64,
    /// Obstacles for the points of every pass.
    pub(super) obstacles: Option<&'f Obstacles<D>>,
}

impl<'f, const D: usize> PassView<'f, D> {
    /// Returns the view of pass `number`.
    pub(super) fn new(
        passes: &'f [Pass<'f, D>],
        number: usize,
        domain: Option<Bounds<D>>,
        max_bytes: u64,
        obstacles: Option<&'f Obstacles<D>>,
    ) -> Self {
        let (pass, earlier) = (&passes[number], &passes[..number]);
        let range = pass.field.range();
        let alike = range.lo() == range.hi() && earlier.is_empty() && obstacles.is_none();
        Self {
            field: &*pass.field,
            lattice: &pass.lattice,
            pass,
            earlier,
            domain,
            rule: if alike { Rule::Max } else { pass.rule },
            seed: pass.seed,
            max_bytes,
            obstacles,
        }
    }

    /// Returns the view of the pass before; `None` for the first pass.
    pub(super) fn below(&self) -> Option<Self> {
        let number = self.number().checked_sub(1)?;
        Some(Self::new(
            self.earlier,
            number,
            self.domain,
            self.max_bytes,
            self.obstacles,
        ))
    }

    /// Returns the number of the pass.
    pub(super) fn number(&self) -> usize {
        self.earlier.len()
    }

    /// Returns the part of an area inside the domain.
    #[inline]
    pub(super) fn inside(&self, area: &Bounds<D>) -> Option<Bounds<D>> {
        match &self.domain {
            None => Some(*area),
            // Most areas lie inside, and need no intersection.
            Some(domain) if domain.encloses(area) => Some(*area),
            Some(domain) => area.intersection(domain),
        }
    }

    /// Returns the distance between points of this pass and those of pass `earlier`.
    pub(super) fn separation(&self, earlier: usize) -> Separation {
        let none = Separation::Fixed(0.0);
        self.pass.separations.get(earlier).copied().unwrap_or(none)
    }
}

/// A fragment keeps the bounds of the enclosing fragment if these differ by less than this share of its side. Sharper
/// ones would widen the disks that cover it by less than that, which is not worth an evaluation of the field.
const CLEAR: f64 = 0.25;

/// Distances that differ by more than this factor make an edge.
const EDGE: f64 = 1.5;

/// The resolution across an edge of the field, in place of [`FINEST`]: along the whole edge, uncovered cells may double
/// with each division.
const FINEST_AT_EDGES: f64 = 64.0;

/// A cell across the edge of a mask is divided at least to this share of the mask's detail, and every cell
/// to this share of the domain's width. The last cells that draw are up to four times as long: one of them
/// lies wholly in an island as wide as the detail, and hits it.
const FINEST_OF_ISLANDS: f64 = 0.125;

/// A leaf is not halved more often than this: its coordinates have 32 bits. Cells are small enough for [`FINEST`] long
/// before, as a leaf is a few least distances wide.
pub(super) const MOST_HALVINGS: u32 = 28;

impl<const D: usize> PassView<'_, D> {
    /// Returns the part of a cell inside the domain.
    #[inline]
    pub(super) fn place(&self, cell: Cell<D>) -> Option<Bounds<D>> {
        self.inside(&self.lattice.bounds(cell)?)
    }

    /// Returns the bounds of the field over a box in a cell of this level; `None` if no point may
    /// lie there.
    #[inline]
    pub(super) fn range_in(&self, place: &Bounds<D>, level: i32) -> Option<LocalRange> {
        let local = self.field.range_in(place)?;
        let closed = local.coverage == Coverage::Part && self.is_small_and_closed(place, level);
        (!closed).then_some(local)
    }

    /// Returns `true` if the cell is smaller than half of the mask's detail, and has no [open place](open_place). Finer
    /// bounds are not worth their cost.
    #[inline(never)]
    fn is_small_and_closed(&self, place: &Bounds<D>, level: i32) -> bool {
        let small = |detail| self.lattice.side(level) <= 0.5 * detail;
        mask_detail(self.field).is_some_and(small) && open_place(self.field, place).is_none()
    }

    /// Returns `true` if a cell of this level, with this least distance, is small enough for a leaf.
    #[inline]
    pub(super) fn fits(&self, lo: f64, level: i32) -> bool {
        self.lattice.diagonal(level) <= top(D) * ROOM * lo
    }

    /// Returns `true` if the fragment of a leaf is too small to be divided.
    #[inline]
    pub(super) fn is_finest(&self, fragment: &Fragment<D>, level: i32) -> bool {
        let side = self.lattice.side(level);
        let small = side * FINEST < fragment.lo
            || (fragment.hi > EDGE * fragment.lo && side * FINEST_AT_EDGES < fragment.lo);
        let fine =
            (fragment.whole || self.is_finest_of_mask(side)) && self.is_finest_of_domain(side);
        small && (fine || fragment.halvings >= MOST_HALVINGS)
    }

    /// Returns `true` if no island of the field's mask can be missed in cells with this side.
    fn is_finest_of_mask(&self, side: f64) -> bool {
        let detail = mask_detail(self.field);
        detail.is_none_or(|detail| side <= FINEST_OF_ISLANDS * detail)
    }

    /// Returns `true` if the domain cannot be missed by cells with this side, however thin it is.
    fn is_finest_of_domain(&self, side: f64) -> bool {
        let thin = |size: f64| side > FINEST_OF_ISLANDS * size;
        !self
            .domain
            .is_some_and(|domain| domain.size().into_iter().any(thin))
    }

    /// Returns the fragment with the field's bounds in it, or with those of the enclosing fragment if these
    /// are close enough; `None` if no point may lie in it.
    #[inline]
    pub(super) fn sharpened(&self, leaf: &Shape<D>, fragment: Fragment<D>) -> Option<Fragment<D>> {
        // The common case, in which nothing has to be copied.
        if !leaf.cut_off && fragment.whole && fragment.lo == fragment.hi {
            return Some(fragment);
        }
        self.sharpened_by_field(leaf, fragment)
    }

    #[inline(never)]
    fn sharpened_by_field(&self, leaf: &Shape<D>, fragment: Fragment<D>) -> Option<Fragment<D>> {
        let cell = fragment.cell(leaf.cell);
        let spread = fragment.hi - fragment.lo;
        if !leaf.cut_off && fragment.whole && spread <= CLEAR * self.lattice.side(cell.level) {
            return Some(fragment);
        }
        // In a leaf that is cut off, even a fragment that needs no sharper bounds may lie outside the domain.
        let place = self.place(cell)?;
        if fragment.whole && spread == 0.0 {
            return Some(fragment);
        }
        let local = self.range_in(&place, cell.level)?;
        Some(Fragment {
            lo: local.range.lo(),
            hi: local.range.hi(),
            whole: local.coverage == Coverage::All,
            ..fragment
        })
    }

    /// Returns `true` if no part in slab `index` along `axis` of a leaf lies inside the domain.
    pub(super) fn is_slab_outside(&self, leaf: Cell<D>, axis: usize, index: u32) -> bool {
        let Some(domain) = &self.domain else {
            return false;
        };
        let at = std::array::from_fn(|a| if a == axis { index } else { 0 });
        let slab = self.lattice.bounds(leaf.inside(Parts::<D>::BITS, at));
        slab.is_none_or(|slab| {
            slab.max()[axis] <= domain.min()[axis] || domain.max()[axis] <= slab.min()[axis]
        })
    }
}
