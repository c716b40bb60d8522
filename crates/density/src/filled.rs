//! Allocates lists without aborting the program.

/// Returns a list of `len` copies of `value`, or `None` where `vec!` would abort the program.
pub(crate) fn filled<T: Copy>(value: T, len: usize) -> Option<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(len).ok()?;
    list.resize(len, value);
    Some(list)
}

/// Returns a copy of `list`, or `None` where `to_vec` would abort the program.
pub(crate) fn copied<T: Copy>(list: &[T]) -> Option<Vec<T>> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(list.len()).ok()?;
    copy.extend_from_slice(list);
    Some(copy)
}
