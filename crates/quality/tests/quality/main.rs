//! Tests the measures of point sets against independent arithmetic. All files form one program, as linking one for each
//! would take longer than the tests.

mod coincident;
mod csv;
mod gaps;
mod layers;
#[cfg(feature = "plot")]
mod plot;
mod read;
mod scipy;
mod sets;
mod spacing;
mod spectrum;
