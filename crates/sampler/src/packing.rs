//! Point counts of a maximal set, and of a block that is evaluated at once.

/// Returns the number of points for each `min_dist^D` of volume in a maximal set.
pub(crate) const fn packing(dimensions: usize) -> f64 {
    if dimensions == 2 { 0.6966 } else { 0.734 }
}

/// Returns the number of points above which a block is divided, if possible.
pub(crate) const fn most_points(dimensions: usize) -> f64 {
    if dimensions < 3 { 60_000.0 } else { 400_000.0 }
}
