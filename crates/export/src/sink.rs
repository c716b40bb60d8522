//! An output that closes permanently when it is finished or fails.

use crate::ExportError;
use std::io;

/// The output of a writer named `output`; `open` is `None` after it was finished or failed.
#[derive(Debug)]
pub(crate) struct Sink<W> {
    output: &'static str,
    open: Option<W>,
}

impl<W> Sink<W> {
    pub(crate) fn new(output: &'static str, inner: W) -> Self {
        Self {
            output,
            open: Some(inner),
        }
    }

    /// Runs `step` on the output. Drops the output if `step` fails: it may end in half a record, so
    /// nothing may follow.
    pub(crate) fn run<T>(
        &mut self,
        step: impl FnOnce(&mut W) -> io::Result<T>,
    ) -> Result<T, ExportError> {
        let output = self.output;
        let inner = self.open.as_mut().ok_or(ExportError::Closed { output })?;
        step(inner).map_err(|source| {
            self.open = None;
            ExportError::io(output, source)
        })
    }

    /// Runs `step` on the output like [`run`](Self::run), and closes the output in any case.
    pub(crate) fn run_last<T>(
        &mut self,
        step: impl FnOnce(&mut W) -> io::Result<T>,
    ) -> Result<T, ExportError> {
        let result = self.run(step);
        self.open = None;
        result
    }
}
