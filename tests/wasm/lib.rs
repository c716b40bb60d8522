//! What the golden tests need of the other tests' package, under its name.

#[path = "../src/pinned.rs"]
pub mod pinned;
