//! Errors of writing.

use density::numbers::plain;
use std::io;
use thiserror::Error;

/// The reason why points or a picture could not be written.
///
/// ```
/// # use spinney_export as export;
/// use density::Bounds;
/// use export::{ExportError, Format, Header, Ids, PointWriter, open};
/// use sampler::{Rule, Sample};
/// use std::io::Cursor;
///
/// let mut header = Header::new("scatter", 1, 0, Rule::Max, Bounds::from_size([10.0, 10.0])?);
/// let position = [2.5, 0.1];
/// // The ids of `Scatter` are hashes.
/// let tree = Sample { id: u64::MAX, position, min_dist: 4.0, value: 0.25, parent: None, rank: None, layer: None };
/// let mut file = open(Format::Json, Cursor::new(Vec::new()), &header)?;
/// match file.write(&tree) {
///     Err(ExportError::IdTooLarge { value, limit, .. }) => assert_eq!((value, limit), (tree.id, 1 << 53)),
///     other => panic!("{other:?}"),
/// }
/// header.columns.ids = Ids::Hashed;
/// assert!(open(Format::Json, Cursor::new(Vec::new()), &header)?.write(&tree).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The output failed. The reason is the error's source.
    #[error("writing {output} failed")]
    Io {
        /// Name of the output, such as `CSV`.
        output: &'static str,
        /// The reason.
        source: io::Error,
    },
    /// The writer was finished, or failed before.
    #[error(
        "this {output} writer is closed (finished, or an earlier write failed): open a new one"
    )]
    Closed {
        /// Name of the output.
        output: &'static str,
    },
    /// A number of the point is infinite or not a number, which most formats cannot hold.
    #[error(
        "point {id} has {column} = {value}, but files contain only finite numbers: correct the field",
        value = plain(*value)
    )]
    NotFinite {
        /// Id of the point.
        id: u64,
        /// Name of the column.
        column: &'static str,
        /// The number.
        value: f64,
    },
    /// The format's integers are too narrow for an id or parent.
    #[error(
        "{output} holds {column} exactly only up to {limit} here, but a point has {value}: \
         write CSV, or state in the header that ids are hashed"
    )]
    IdTooLarge {
        /// Name of the output.
        output: &'static str,
        /// Name of the column.
        column: &'static str,
        /// The number.
        value: u64,
        /// The greatest number that the format holds.
        limit: u64,
    },
    /// A number is too large for the format's 32-bit floats.
    #[error(
        "{output} holds 32-bit floats, but point {id} has {value}: choose another format",
        value = plain(*value)
    )]
    BeyondSingle {
        /// Name of the output.
        output: &'static str,
        /// Id of the point.
        id: u64,
        /// The number.
        value: f64,
    },
    /// The format cannot hold so many points.
    #[error("{output} holds at most {limit} points: write several files, or another format")]
    TooManyPoints {
        /// Name of the output.
        output: &'static str,
        /// The greatest number of points.
        limit: usize,
    },
    /// The format cannot hold points of this dimension.
    #[error(
        "{output} holds points in {supported} dimensions, not {dimension}: choose another format"
    )]
    Dimension {
        /// Name of the output.
        output: &'static str,
        /// The points' dimension.
        dimension: usize,
        /// The dimensions that the format supports.
        supported: &'static str,
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
    pub(crate) fn io(output: &'static str, source: impl Into<io::Error>) -> Self {
        Self::Io {
            output,
            source: source.into(),
        }
    }

    /// Returns `true` if the reader at the other end of a pipe has closed it. Most programs then
    /// stop without a message.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}
