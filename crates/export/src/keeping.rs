//! An output whose first error is not lost on the way through an encoder that wraps errors into
//! its own.

use std::io::{self, ErrorKind, Write};

/// Passes everything on to `out`, and keeps the first error.
#[derive(Debug)]
pub(crate) struct Keeping<W> {
    out: W,
    error: Option<io::Error>,
}

impl<W: Write> Keeping<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, error: None }
    }

    /// The first error of the output, or what the encoder made of something else.
    pub(crate) fn cause(
        self,
        other: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> io::Error {
        self.error.unwrap_or_else(|| io::Error::other(other))
    }

    fn kept<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            if kind != ErrorKind::Interrupted {
                self.error.get_or_insert(error);
            }
            kind.into()
        })
    }
}

impl<W: Write> Write for Keeping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = match self.out.write(bytes) {
            Ok(0) if !bytes.is_empty() => Err(ErrorKind::WriteZero.into()),
            other => other,
        };
        self.kept(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.out.flush();
        self.kept(result)
    }
}
