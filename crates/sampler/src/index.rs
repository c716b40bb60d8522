//! Finding the points near a place: one question, two answers.

use crate::rule::Rule;
use density::{Bounds, DistRange};

/// A spatial index over accepted points, each known by a number and a *key*: the distance
/// that it asks for (under [`Rule::Parent`] the distance it was tested with).
///
/// Two exist, and [`Bridson`](crate::Bridson) gives the same points with either: [`ListGrid`]
/// (crate::ListGrid), the plain one, and [`LevelGrid`](crate::LevelGrid), the fast one.
pub trait NeighbourIndex<const D: usize> {
    /// An empty index for points in `domain` with keys in `range`.
    fn new(domain: &Bounds<D>, range: DistRange) -> Self;

    /// Adds point `id` at `p`.
    fn insert(&mut self, id: u32, p: [f64; D], key: f64);

    /// Whether `hit` is true of any point nearer to `p` than `rule.distance(its key, r)`.
    /// `hit` decides exactly: it is asked about each such point until it says yes, and may be
    /// asked about others as well.
    fn any_near(&self, p: [f64; D], rule: Rule, r: f64, hit: impl FnMut(u32) -> bool) -> bool;

    /// Memory in use, in bytes.
    fn bytes(&self) -> usize;
}
