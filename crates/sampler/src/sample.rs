//! The points that samplers return.

/// A point as the samplers return it.
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant};
/// use sampler::{ScatterOptions, World};
/// use std::collections::HashSet;
///
/// let world = World::new(Constant::new(2.0)?, ScatterOptions::default())?;
/// let nearest = world.nearest([3.0, 4.0], 3.0)?;
/// let felled: HashSet<(u32, u64)> = nearest.iter().map(|tree| tree.key()).collect();
///
/// // A game saves `felled` alone: the point has the same key in every window, and in the next session.
/// let trees = world.window(&Bounds::new([-10.0, -10.0], [20.0, 20.0])?)?.samples;
/// let standing = trees.iter().filter(|tree| !felled.contains(&tree.key())).count();
/// assert_eq!(standing, trees.len() - 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sample<const D: usize> {
    /// The point's name in files. [`Bridson`](crate::Bridson) numbers its points in the order of
    /// acceptance, from 0.
    pub id: u64,
    /// Position, world units.
    #[cfg_attr(feature = "serde", serde(with = "serde_big_array::BigArray"))]
    pub position: [f64; D],
    /// The field's minimum distance at the position, world units.
    pub min_dist: f64,
    /// The field's grey value at the position, in [0, 1].
    pub value: f64,
    /// The `id` of the point around which this one was drawn, `None` for the first point of an island.
    pub parent: Option<u64>,
    /// Level of detail, 0 the coarsest: for every number, the points with a rank up to it are evenly
    /// spread. `None` if ranks are not requested.
    pub rank: Option<u32>,
    /// Index of the point's layer (species), from 0. `None` in a run without layers.
    pub layer: Option<u32>,
}

impl<const D: usize> Sample<D> {
    /// Returns the point's name within a world, for saves: its layer and its id. The key does not
    /// change when layers of a later turn are added.
    pub fn key(&self) -> (u32, u64) {
        (self.layer.unwrap_or(0), self.id)
    }
}
