//! How many points there are in a maximal set, and in a block that is evaluated at once.

/// Points for each `min_dist^D` of volume in a maximal set.
pub(crate) const fn packing(dimensions: usize) -> f64 {
    match dimensions {
        2 => 0.6966,
        3 => 0.734,
        _ => 0.7,
    }
}

/// A block that may hold more points than this is cut, if it can be.
pub(crate) const fn most_points(dimensions: usize) -> f64 {
    if dimensions < 3 { 60_000.0 } else { 400_000.0 }
}
