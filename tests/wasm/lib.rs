//! Code of the other tests' package that the golden tests need, under its name.

#[path = "../src/pinned.rs"]
pub mod pinned;
