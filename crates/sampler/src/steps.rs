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
    any(first, last, |at| {
        visit(at);
        false
    });
}

/// Returns `true` if `is` is true of any index vector from `first` to `last`, both included. It is
/// called for one after the other, first axis fastest, until it returns `true`.
#[inline]
pub(crate) fn any<const D: usize, I>(
    first: [I; D],
    last: [I; D],
    mut is: impl FnMut([I; D]) -> bool,
) -> bool
where
    I: Copy + PartialOrd + AddAssign + From<u8>,
{
    if (0..D).any(|a| first[a] > last[a]) {
        return false;
    }
    let mut at = first;
    loop {
        if is(at) {
            return true;
        }
        let Some(axis) = (0..D).find(|&a| at[a] < last[a]) else {
            return false;
        };
        at[axis] += I::from(1);
        at[..axis].copy_from_slice(&first[..axis]);
    }
}
