//! One point.

/// A point as the samplers give it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sample<const D: usize> {
    /// What the point is called in files. From [`Bridson`](crate::Bridson) the number of the
    /// point in the order of acceptance, from 0.
    pub id: u64,
    /// Where it is, world units.
    #[cfg_attr(feature = "serde", serde(with = "serde_big_array::BigArray"))]
    pub position: [f64; D],
    /// The field's minimum distance at the position, world units.
    pub min_dist: f64,
    /// The field's grey value at the position, in [0, 1].
    pub value: f64,
    /// The `id` of the point around which this one was thrown, `None` for the first point of
    /// an island.
    pub parent: Option<u64>,
    /// Level of detail, 0 the coarsest: the points with a rank up to any number are themselves
    /// evenly spread. `None` when it was not asked for.
    pub rank: Option<u32>,
    /// Which layer (species) the point belongs to, from 0. `None` when there is only one.
    pub layer: Option<u32>,
}

impl<const D: usize> Sample<D> {
    /// What names the point within a world, for saves: its layer and its id. It stays when layers of a
    /// later turn are added.
    pub fn key(&self) -> (u32, u64) {
        (self.layer.unwrap_or(0), self.id)
    }
}
