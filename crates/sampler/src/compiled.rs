//! What is compiled in this crate, once for the plane and once for space, and not again in each program
//! that uses it: it stands in statics, whose types have no parameter.

use std::any::Any;

/// Returns that of two things, one for the plane and one for space, which is a `T`.
pub(crate) fn either<T: Copy + 'static>(plane: &dyn Any, space: &dyn Any) -> Option<T> {
    let known = plane.downcast_ref().or_else(|| space.downcast_ref());
    known.copied()
}
