//! Through the cells of a grid.

use std::ops::AddAssign;

/// Calls `visit` for every index vector from `first` to `last`, both included, first axis
/// fastest.
pub(crate) fn for_each<const D: usize, I>(
    first: [I; D],
    last: [I; D],
    mut visit: impl FnMut([I; D]),
) where
    I: Copy + PartialOrd + AddAssign + From<u8>,
{
    if (0..D).any(|a| first[a] > last[a]) {
        return;
    }
    let mut at = first;
    loop {
        visit(at);
        let Some(axis) = (0..D).find(|&a| at[a] < last[a]) else {
            return;
        };
        at[axis] += I::from(1);
        at[..axis].copy_from_slice(&first[..axis]);
    }
}
