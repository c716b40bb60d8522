//! Lists that are allocated without aborting the program.

/// A list of `len` copies of `value`, or an error where `vec!` would abort the program.
pub(crate) fn filled<T: Copy>(value: T, len: usize) -> Option<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(len).ok()?;
    list.resize(len, value);
    Some(list)
}
