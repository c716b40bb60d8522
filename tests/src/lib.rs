//! What the tests of the whole share.

pub mod check;
pub mod fields;
pub mod pinned;
pub mod readback;

/// The README's programs compile, and those that need no file run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// The programs of the library's page.
#[cfg(doctest)]
#[doc = include_str!("../../docs/library.md")]
pub struct Library;

/// The programs of the page about worlds.
#[cfg(doctest)]
#[doc = include_str!("../../docs/worlds.md")]
pub struct Worlds;
