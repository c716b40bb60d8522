//! What the tests of the whole share.

pub mod check;
pub mod fields;
pub mod readback;
