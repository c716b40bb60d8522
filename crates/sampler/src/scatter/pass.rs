//! A pass: a maximal set of points, with the points of earlier passes as obstacles.

use super::lattice::Lattice;
use super::separation::Separation;
use super::territory::Territory;
use crate::rule::Rule;
use density::{Bounds, DistRange, RadiusField};
use std::sync::Arc;

/// All that determines the points of a pass, besides the domain and the earlier passes.
#[derive(Clone)]
pub(super) struct Pass<'f, const D: usize> {
    pub(super) field: Arc<dyn RadiusField<D> + 'f>,
    pub(super) lattice: Lattice<D>,
    pub(super) rule: Rule,
    /// The seed, [mixed](super::hash::mixed).
    pub(super) seed: u64,
    /// The distance to the points of each earlier pass.
    pub(super) separations: Vec<Separation>,
    /// The territory outside of which points are dropped; `None`: everywhere.
    pub(super) territory: Option<Territory<'f, D>>,
}

impl<const D: usize> std::fmt::Debug for Pass<'_, D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pass")
            .field("range", &self.field.range())
            .field("rule", &self.rule)
            .field("seed", &self.seed)
            .field("separations", &self.separations)
            .finish_non_exhaustive()
    }
}

impl<const D: usize> Pass<'_, D> {
    /// Returns the greatest distance between its points, or between them and those of earlier passes.
    pub(super) fn greatest(&self) -> f64 {
        let fixed = self.separations.iter().map(|separation| match separation {
            Separation::ByRule(_) => 0.0,
            Separation::Fixed(distance) => *distance,
        });
        fixed.fold(self.field.range().hi(), f64::max)
    }
}

/// Returns the lattice of a pass over a domain, or of an endless world.
pub(super) fn lattice<const D: usize>(
    domain: Option<&Bounds<D>>,
    edges: Edges,
    range: DistRange,
) -> Lattice<D> {
    match (domain, edges) {
        (None, _) => Lattice::open([0.0; D], range),
        (Some(domain), Edges::Open) => Lattice::open(domain.min(), range),
        (Some(domain), Edges::Tiled) => Lattice::periodic(domain, range),
    }
}

/// The space beyond the edges of a bounded domain.
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant};
/// use sampler::{Scatter, ScatterOptions};
///
/// // Two copies of a tile side by side: no pair is too close across the seam.
/// let domain = Bounds::from_size([20.0, 20.0])?;
/// let tile = Scatter::tiled(Constant::new(2.0)?, domain, ScatterOptions::default())?.points()?.samples;
/// for ([x, y], [u, v]) in tile.iter().flat_map(|a| tile.iter().map(move |b| (a.position, b.position))) {
///     assert!((u + 20.0 - x).hypot(v - y) > 1.999);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
pub enum Edges {
    /// Nothing.
    #[default]
    Open,
    /// The domain again: it is periodic.
    Tiled,
}
