//! The trait of all writers.

use crate::ExportError;
use sampler::Sample;

/// A writer of points, one at a time.
///
/// Call [`finish`](Self::finish) after the last point: without it the output is incomplete, even if
/// it looks complete. A writer that was finished, or whose output failed, returns
/// [`ExportError::Closed`] from every further call.
pub trait PointWriter<const D: usize> {
    /// Adds one point. Constant memory.
    ///
    /// # Errors
    /// If the output fails, or the format cannot hold the point exactly. In the latter case nothing
    /// was written and the next point may be tried.
    fn write(&mut self, sample: &Sample<D>) -> Result<(), ExportError>;

    /// Completes and flushes the output.
    ///
    /// # Errors
    /// If the output fails, or the writer is closed already.
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

/// Writes all of `samples` and finishes. Returns the number of samples.
///
/// # Errors
/// The writer's first error.
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
