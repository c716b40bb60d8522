//! Writes each point to all outputs.

use crate::drafts::Output;
use crate::failure::Failure;
use crate::layers::Field;
use crate::outputs::{Content, Outputs};
use export::{CsvWriter, ExportError, Header, PointWriter, Preview, PreviewOptions};
use sampler::Sample;
use std::fs::File;
use std::io;

/// The name of stdout among the outputs.
const STDOUT: &str = "-o -";

/// The writers of a run.
#[derive(Default)]
pub(crate) struct Writers {
    /// The writers of points and of the preview, each with its name in errors.
    all: Vec<(String, Box<dyn PointWriter<2>>)>,
    summary: Option<Output>,
}

impl Writers {
    /// Starts the drafts `files` of the outputs, in their order.
    pub(crate) fn open(
        outputs: &Outputs,
        files: Vec<Output>,
        header: &Header<2>,
        background: &Field<'_>,
    ) -> Result<Self, Failure> {
        let mut writers = Self::default();
        for (target, Output { name, file }) in outputs.files.iter().zip(files) {
            let opened = match target.content {
                Content::Points(format) => export::open(format, file, header),
                Content::Preview => preview(file, header, background),
                Content::Summary => {
                    writers.summary = Some(Output { name, file });
                    continue;
                }
            };
            let writer = opened.map_err(|e| failed(e, &name))?;
            writers.all.push((name, writer));
        }
        if outputs.to_stdout {
            let name = STDOUT.to_owned();
            let csv = CsvWriter::new(io::stdout(), header).map_err(|e| failed(e, &name))?;
            writers.all.push((name, Box::new(csv)));
        }
        Ok(writers)
    }

    /// Passes a point to every writer.
    pub(crate) fn write(&mut self, sample: &Sample<2>) -> Result<(), Failure> {
        self.each(|writer| writer.write(sample))
    }

    /// Completes every file except the summary, which is returned to be written last.
    pub(crate) fn finish(mut self) -> Result<Option<Output>, Failure> {
        self.each(|writer| writer.finish())?;
        Ok(self.summary)
    }

    /// Drops stdout if its pipe is closed, and fails with [`Failure::PipeClosed`] if no other output is left.
    fn each(
        &mut self,
        act: impl Fn(&mut dyn PointWriter<2>) -> Result<(), ExportError>,
    ) -> Result<(), Failure> {
        let mut closed = None;
        for (index, (name, writer)) in self.all.iter_mut().enumerate() {
            match act(&mut **writer) {
                Ok(()) => {}
                Err(error) if name == STDOUT && error.is_broken_pipe() => closed = Some(index),
                Err(error) => return Err(failed(error, name)),
            }
        }
        if let Some(index) = closed {
            self.all.remove(index);
            if self.all.is_empty() && self.summary.is_none() {
                return Err(Failure::PipeClosed);
            }
        }
        Ok(())
    }
}

fn preview(
    file: File,
    header: &Header<2>,
    background: &Field<'_>,
) -> Result<Box<dyn PointWriter<2>>, ExportError> {
    let options = PreviewOptions {
        y_axis: header.y_axis,
        ..PreviewOptions::default()
    };
    let preview = Preview::new(background, header.domain, options)?;
    let preview = preview.with_layers(&header.colours);
    Ok(Box::new(preview.into_writer(file)))
}

fn failed(error: ExportError, name: &str) -> Failure {
    Failure::Run(anyhow::Error::new(error).context(name.to_owned()))
}
