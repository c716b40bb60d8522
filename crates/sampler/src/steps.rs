//! Visits the cells of a grid.

use std::ops::AddAssign;

/// Calls `visit` for every index vector from `first` to `last`, both included, first axis
/// fastest.
#[inline]
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
        let mut axis = 0;
        while at[axis] >= last[axis] {
            at[axis] = first[axis];
            axis += 1;
            if axis == D {
                return;
            }
        }
        at[axis] += I::from(1);
    }
}
