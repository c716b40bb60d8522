//! The points themselves, pinned. A change here is a change of values and breaks every world that
//! was made from a seed. It needs a new `ALGORITHM_VERSION` and a line in the changelog that says
//! "value-breaking".

mod bridson;
mod scatter;
