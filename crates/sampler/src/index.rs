//! Finding the points near a place: one question, two answers.

use crate::rule::Rule;
use density::{Bounds, DistRange};

/// A table of `size` cells, all holding `value`; `None` when there is not enough memory.
pub(crate) fn table<T: Clone, const D: usize>(size: [usize; D], value: T) -> Option<Vec<T>> {
    let cells = size
        .iter()
        .try_fold(1_usize, |product, n| product.checked_mul(*n))?;
    let mut table = Vec::new();
    table.try_reserve_exact(cells).ok()?;
    table.resize(cells, value);
    Some(table)
}

/// A point as a survey shows it, good to 1e-5 of the radius asked about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbour<const D: usize> {
    /// Where it is, from the place asked about.
    pub offset: [f32; D],
    /// Its key, in the same unit.
    pub key: f32,
}

/// A spatial index over accepted points, each known by a number and a *key*: the distance
/// that it asks for (under [`Rule::Parent`] the distance it was tested with).
///
/// Two exist, and [`Bridson`](crate::Bridson) gives the same points with either:
/// [`ListGrid`](crate::list_grid::ListGrid), the plain one, and
/// [`LevelGrid`](crate::level_grid::LevelGrid), the fast one.
pub(crate) trait NeighbourIndex<const D: usize> {
    /// An empty index for points in `domain` with keys in `range`; `None` when there is not
    /// enough memory for it.
    fn new(domain: &Bounds<D>, range: DistRange) -> Option<Self>
    where
        Self: Sized;

    /// Adds point `id` at `p`.
    fn insert(&mut self, id: u32, p: [f64; D], key: f64);

    /// Whether `hit` is true of any point nearer to `p` than `rule.distance(its key, r)`.
    /// `hit` decides exactly: it is asked about each such point until it says yes, and may be
    /// asked about others as well.
    fn any_near(&self, p: [f64; D], rule: Rule, r: f64, hit: impl FnMut(u32) -> bool) -> bool;

    /// Whether `hit` is true of any point nearer to `p` than `times` its key less `margin`. It is
    /// asked about each such point until it says yes, and may be asked about others as well.
    fn any_reaching(
        &self,
        p: [f64; D],
        times: f64,
        margin: f64,
        hit: impl FnMut(u32) -> bool,
    ) -> bool;

    /// Shows points within `radius` of `p`, roughly placed and measured in units of
    /// `1 / per_unit`, until `see` says that it has seen enough. May leave out any: it only
    /// serves to reject early what [`any_near`](Self::any_near) would reject.
    fn survey(
        &self,
        _p: [f64; D],
        _radius: f64,
        _per_unit: f64,
        _see: impl FnMut(Neighbour<D>) -> bool,
    ) {
    }

    /// Memory in use, in bytes.
    fn bytes(&self) -> usize;
}
