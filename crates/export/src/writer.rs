//! The trait of all writers.

use crate::ExportError;
use sampler::Sample;

/// A writer of points, one at a time.
///
/// Call [`finish`](Self::finish) after the last point: without it the output is incomplete, even if
/// it looks complete. A writer that was finished, or whose output failed, returns
/// [`ExportError::Closed`] from every further call.
///
/// ```
/// # use spinney_export as export;
/// use density::{Bounds, Constant};
/// use export::{ExportError, Format, Header, PointWriter, Preview, PreviewOptions, open};
/// use sampler::{Rule, Scatter, ScatterOptions};
/// use std::io::Cursor;
///
/// let (field, domain) = (Constant::new(2.0)?, Bounds::from_size([20.0, 20.0])?);
/// let trees = Scatter::new(field, domain, ScatterOptions::default())?;
/// let header = Header::new("scatter", 1, 0, Rule::Max, domain);
/// let (mut csv, mut png) = (Vec::new(), Vec::new());
/// // Several files in one pass, part by part.
/// let picture = Preview::new(&field, domain, PreviewOptions::default())?.into_writer(&mut png);
/// let mut files = [open(Format::Csv, Cursor::new(&mut csv), &header)?, Box::new(picture)];
/// for part in trees.stream()? {
///     for tree in part?.samples {
///         files.iter_mut().try_for_each(|file| file.write(&tree))?;
///     }
/// }
/// files.iter_mut().try_for_each(|file| file.finish())?;
/// assert!(matches!(files[0].finish(), Err(ExportError::Closed { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
