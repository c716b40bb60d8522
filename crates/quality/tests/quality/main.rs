//! What is measured of point sets, against independent arithmetic. One program, as linking one for each
//! file takes longer than the tests.

mod gaps;
#[cfg(feature = "plot")]
mod plot;
mod read;
mod scipy;
mod sets;
mod spacing;
mod spectrum;
