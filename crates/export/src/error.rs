//! What can go wrong while writing.

use density::numbers::plain;
use std::io;
use thiserror::Error;

/// Why points or a picture could not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The output refused bytes. The reason is the error's source.
    #[error("writing {output} failed")]
    Io {
        /// What was being written, such as `CSV`.
        output: &'static str,
        /// The reason.
        source: io::Error,
    },
    /// Nothing more can be written: the writer was finished, or failed before.
    #[error(
        "this {output} writer is closed (finished, or an earlier write failed): open a new one"
    )]
    Closed {
        /// What was being written.
        output: &'static str,
    },
    /// A number of the point is infinite or not a number, which most formats cannot hold.
    #[error(
        "point {id} has {column} = {value}, but files hold finite numbers only: mend the field",
        value = plain(*value)
    )]
    NotFinite {
        /// The point.
        id: u64,
        /// The column.
        column: &'static str,
        /// The number.
        value: f64,
    },
    /// The format's integers are too narrow for the point's.
    #[error(
        "{output} holds {column} up to {limit} exactly here, but a point has {value}: \
         write CSV, or say in the header that ids are hashed"
    )]
    IdTooLarge {
        /// What was being written.
        output: &'static str,
        /// The column.
        column: &'static str,
        /// The number.
        value: u64,
        /// The greatest that the format holds.
        limit: u64,
    },
    /// A number is too great for the format's 32-bit floats.
    #[error(
        "{output} holds 32-bit floats, but point {id} has {value}: choose another format",
        value = plain(*value)
    )]
    BeyondSingle {
        /// What was being written.
        output: &'static str,
        /// The point.
        id: u64,
        /// The number.
        value: f64,
    },
    /// The format's lengths are too narrow.
    #[error("{output} holds at most {limit} points: write several files, or another format")]
    TooManyPoints {
        /// What was being written.
        output: &'static str,
        /// The greatest number of points.
        limit: usize,
    },
    /// The format cannot hold points of so many coordinates.
    #[error(
        "{output} holds points in {supported} dimensions, not {dimension}: choose another format"
    )]
    Dimension {
        /// What was to be written.
        output: &'static str,
        /// The points' dimension.
        dimension: usize,
        /// What the format holds.
        supported: &'static str,
    },
    /// An option that must be positive and finite is not.
    #[error("{name} must be a positive finite number, but is {value}", value = plain(*value))]
    NotPositive {
        /// The option.
        name: &'static str,
        /// The value as given.
        value: f64,
    },
    /// The preview's size in pixels is out of range.
    #[error("the preview's long side must be 1 to {limit} pixels, but is {side}")]
    PreviewSide {
        /// The side as given.
        side: u32,
        /// The longest allowed.
        limit: u32,
    },
}

impl ExportError {
    /// Whether the reader at the other end of a pipe has gone away, which for most programs is
    /// a reason to stop quietly.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}
