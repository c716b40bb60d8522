//! Code shared by the tests of the whole project.

pub mod check;
pub mod fields;
pub mod pinned;
pub mod readback;

use export::{Columns, Format, Header, Ids, Presence, open, write_all};
use sampler::Sample;
use std::io::Cursor;

/// The optional columns of points of several layers with ranks.
pub const RANKS_AND_LAYERS: Columns = Columns {
    ids: Ids::Hashed,
    parent: Presence::Omit,
    rank: Presence::Write,
    layer: Presence::Write,
};

/// Writes a file of points.
///
/// # Panics
/// If the points are refused.
#[track_caller]
pub fn written<const D: usize>(
    format: Format,
    header: &Header<D>,
    samples: &[Sample<D>],
) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    let mut writer = open(format, &mut file, header).expect("a writer");
    let count = write_all(&mut writer, samples.iter().copied()).expect("all written");
    drop(writer);
    assert_eq!(count, samples.len() as u64);
    file.into_inner()
}

/// The README's programs compile, and those that need no file run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// The programs of the library's documentation page.
#[cfg(doctest)]
#[doc = include_str!("../../docs/library.md")]
pub struct Library;

/// The programs of the documentation page about worlds.
#[cfg(doctest)]
#[doc = include_str!("../../docs/worlds.md")]
pub struct Worlds;
