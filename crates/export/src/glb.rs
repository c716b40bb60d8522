//! Writes binary glTF.

mod document;

use crate::held::{Held, HeldFile, y_up};
use crate::{ExportError, Header, PointWriter};
use document::Document;
use sampler::Sample;
use std::io::{self, Write};

const OUTPUT: &str = "GLB";

/// The greatest number of instances. They take 64 bytes each, and the head needs some room; the
/// file's 32-bit length allows 4 GiB.
const MOST: usize = 66_000_000;

/// The writer of [`Format::Glb`](crate::Format::Glb).
#[derive(Debug)]
pub(crate) struct GlbWriter<W: Write> {
    file: HeldFile<W>,
    run: serde_json::Value,
}

impl<W: Write> GlbWriter<W> {
    /// Starts a file about the run of `header`; nothing is written before the end.
    ///
    /// # Errors
    /// If `D` is neither 2 nor 3.
    pub(crate) fn new<const D: usize>(out: W, header: &Header<D>) -> Result<Self, ExportError> {
        let file = HeldFile::new(OUTPUT, out, header, MOST)?;
        let run = header.json().and_then(|json| serde_json::from_str(&json));
        let run = run.map_err(|e| ExportError::Io {
            output: OUTPUT,
            source: e.into(),
        })?;
        Ok(Self { file, run })
    }
}

impl<const D: usize, W: Write> PointWriter<D> for GlbWriter<W> {
    fn write(&mut self, sample: &Sample<D>) -> Result<(), ExportError> {
        self.file.add(sample)
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        let run = &self.run;
        self.file.finish(|out, held| file(out, held, run))
    }
}

fn file(out: &mut impl Write, held: &Held, run: &serde_json::Value) -> io::Result<()> {
    let mut document = Document::new(y_up(held.pivot()));
    for layer in held.layers() {
        document.add(layer);
    }
    let body = document.length();
    let mut json = serde_json::to_vec(&document.json(run))?;
    json.resize(json.len().next_multiple_of(4), b' ');
    let chunk = |length: usize| if length == 0 { 0 } else { 8 + length };
    let whole = 12 + chunk(json.len()) + chunk(body);
    let word = |out: &mut dyn Write, length: usize| {
        let word = u32::try_from(length).map_err(|_| io::ErrorKind::FileTooLarge)?;
        out.write_all(&word.to_le_bytes())
    };
    out.write_all(b"glTF")?;
    word(out, 2)?;
    word(out, whole)?;
    word(out, json.len())?;
    out.write_all(b"JSON")?;
    out.write_all(&json)?;
    if body > 0 {
        word(out, body)?;
        out.write_all(b"BIN\0")?;
    }
    for layer in held.layers() {
        document::body(out, layer)?;
    }
    Ok(())
}
