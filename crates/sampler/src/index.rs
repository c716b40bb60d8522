//! The interface of the two spatial indexes over points.

use crate::rule::Rule;
use density::{Bounds, DistRange};
use std::collections::TryReserveError;

/// Returns a table of `size` cells, all holding `value`; `None` if there is not enough memory.
pub(crate) fn table<T: Clone, const D: usize>(size: [usize; D], value: T) -> Option<Vec<T>> {
    let cells = size
        .iter()
        .try_fold(1_usize, |product, n| product.checked_mul(*n))?;
    let mut table = Vec::new();
    table.try_reserve_exact(cells).ok()?;
    table.resize(cells, value);
    Some(table)
}

/// Returns the index of a cell in a table of this size, first axis fastest.
#[inline]
pub(crate) fn index_in<const D: usize>(size: [usize; D], cell: [usize; D]) -> usize {
    (0..D).rev().fold(0, |index, a| index * size[a] + cell[a])
}

/// A point as a survey returns it, precise to 1e-5 of the survey's radius.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbour<const D: usize> {
    /// Position relative to the surveyed place.
    pub offset: [f32; D],
    /// The point's key, in the same unit.
    pub key: f32,
}

/// A spatial index over accepted points, each with a number and a *key*: its radius (under
/// [`Rule::Parent`] the radius it was tested with).
///
/// There are two, and [`Bridson`](crate::Bridson) gives the same points with either:
/// [`ListGrid`](crate::list_grid::ListGrid), the plain one, and
/// [`LevelGrid`](crate::level_grid::LevelGrid), the fast one.
pub(crate) trait NeighbourIndex<const D: usize> {
    /// Creates an empty index for some `points` points in `domain` with keys in `range`; `None` if there is
    /// not enough memory for it.
    fn new(domain: &Bounds<D>, range: DistRange, points: f64) -> Option<Self>
    where
        Self: Sized;

    /// Adds point `id` at `p`. After an error, for want of memory, the point is missing.
    fn insert(&mut self, id: u32, p: [f64; D], key: f64) -> Result<(), TryReserveError>;

    /// Returns `true` if `hit` is true of any point nearer to `p` than `rule.distance(its key, r)`.
    /// `hit` decides exactly: it is called for each such point until it returns `true`, and may be
    /// called for others as well.
    fn any_near(&self, p: [f64; D], rule: Rule, r: f64, hit: impl FnMut(u32) -> bool) -> bool;

    /// Returns `true` if `hit` is true of any point nearer to `p` than `times` its key less
    /// `margin`. `hit` is called for each such point until it returns `true`, and may be called for
    /// others as well.
    fn any_reaching(
        &self,
        p: [f64; D],
        times: f64,
        margin: f64,
        hit: impl FnMut(u32) -> bool,
    ) -> bool;

    /// Passes points within `radius` of `p` to `visit`, approximately and in units of
    /// `1 / per_unit`, until it returns `true`. May leave out any point: a survey only serves to
    /// reject early what [`any_near`](Self::any_near) would reject.
    fn survey(
        &self,
        _p: [f64; D],
        _radius: f64,
        _per_unit: f64,
        _visit: impl FnMut(Neighbour<D>) -> bool,
    ) {
    }

    /// Returns the memory in use, in bytes.
    fn bytes(&self) -> usize;
}
