//! The trait all writers share.

use crate::ExportError;
use sampler::Sample;

/// Takes points one at a time and writes them somewhere.
///
/// Call [`finish`](Self::finish) after the last point: without it the output is incomplete,
/// even where it looks whole. A writer that was finished, or whose output refused bytes,
/// answers every further call with [`ExportError::Closed`].
pub trait PointWriter<const D: usize> {
    /// Adds one point. Constant memory.
    ///
    /// # Errors
    /// When the output refuses the bytes, or the format cannot hold the point exactly; in the
    /// latter case nothing was written and the next point may be tried.
    fn write(&mut self, sample: &Sample<D>) -> Result<(), ExportError>;

    /// Completes the output and hands every byte on.
    ///
    /// # Errors
    /// When the output refuses the bytes, or the writer is closed already.
    fn finish(&mut self) -> Result<(), ExportError>;
}

impl<const D: usize, P: PointWriter<D> + ?Sized> PointWriter<D> for Box<P> {
    fn write(&mut self, sample: &Sample<D>) -> Result<(), ExportError> {
        (**self).write(sample)
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        (**self).finish()
    }
}

/// Writes all of `samples` and finishes. Returns how many they were.
///
/// # Errors
/// The writer's first.
pub fn write_all<const D: usize, P: PointWriter<D> + ?Sized>(
    writer: &mut P,
    samples: impl IntoIterator<Item = Sample<D>>,
) -> Result<u64, ExportError> {
    let mut count = 0;
    for sample in samples {
        writer.write(&sample)?;
        count += 1;
    }
    writer.finish()?;
    Ok(count)
}
