//! Selects code that is compiled in this crate, once for 2D and once for 3D, and not again in each
//! program that uses the crate. Statics refer to such code: their types have no parameter.

use std::any::Any;

/// Returns the one of two values, for 2D and for 3D, that is a `T`.
pub(crate) fn either<T: Copy + 'static>(plane: &dyn Any, space: &dyn Any) -> Option<T> {
    let known = plane.downcast_ref().or_else(|| space.downcast_ref());
    known.copied()
}
