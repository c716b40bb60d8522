//! An output that closes for good when it is finished or fails.

use crate::ExportError;
use std::io;

/// The open output of a writer named `output`, until it is taken or fails.
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

    /// Runs `step` on the output. After a failure the output may end in half a record, so
    /// nothing more may follow it: it is dropped.
    pub(crate) fn run<T>(
        &mut self,
        step: impl FnOnce(&mut W) -> io::Result<T>,
    ) -> Result<T, ExportError> {
        let output = self.output;
        let inner = self.open.as_mut().ok_or(ExportError::Closed { output })?;
        step(inner).map_err(|source| {
            self.open = None;
            ExportError::Io { output, source }
        })
    }

    /// As [`run`](Self::run), and the output is closed whatever happens.
    pub(crate) fn run_last<T>(
        &mut self,
        step: impl FnOnce(&mut W) -> io::Result<T>,
    ) -> Result<T, ExportError> {
        let result = self.run(step);
        self.open = None;
        result
    }
}
