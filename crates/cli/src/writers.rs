//! Writes each point to all outputs.

use crate::drafts::Output;
use crate::failure::Failure;
use crate::layers::Field;
use crate::outputs::{Content, Outputs};
use export::{CsvWriter, ExportError, Header, PointWriter, Preview, PreviewOptions};
use sampler::Sample;
use std::io;
use std::ops::ControlFlow;

/// The writers of a run.
pub(crate) struct Writers {
    files: Vec<Named>,
    stdout: Option<Box<dyn PointWriter<2>>>,
    summary: Option<Output>,
}

struct Named {
    name: String,
    writer: Box<dyn PointWriter<2>>,
}

impl Writers {
    /// Starts the drafts `files` of the outputs, in their order.
    pub(crate) fn open(
        outputs: &Outputs,
        files: Vec<Output>,
        header: &Header<2>,
        background: &Field<'_>,
    ) -> Result<Self, Failure> {
        let mut writers = Self {
            files: Vec::new(),
            stdout: None,
            summary: None,
        };
        for (target, file) in outputs.files.iter().zip(files) {
            writers.add(target.content, file, header, background)?;
        }
        if outputs.to_stdout {
            let csv = CsvWriter::new(io::stdout(), header);
            writers.stdout = Some(Box::new(csv.map_err(|e| failed(e, "-o -"))?));
        }
        Ok(writers)
    }

    fn add(
        &mut self,
        content: Content,
        Output { name, file }: Output,
        header: &Header<2>,
        background: &Field<'_>,
    ) -> Result<(), Failure> {
        let opened = match content {
            Content::Points(format) => export::open(format, file, header),
            Content::Preview => {
                let options = PreviewOptions {
                    y_axis: header.y_axis,
                    ..PreviewOptions::default()
                };
                Preview::new(background, header.domain, options)
                    .map(|preview| preview.with_layers(&header.colours))
                    .map(|preview| Box::new(preview.into_writer(file)) as Box<dyn PointWriter<2>>)
            }
            Content::Summary => {
                self.summary = Some(Output { name, file });
                return Ok(());
            }
        };
        let writer = opened.map_err(|e| failed(e, &name))?;
        self.files.push(Named { name, writer });
        Ok(())
    }

    /// Passes a point to every writer. Breaks if stdout was the only output and its pipe is closed.
    pub(crate) fn write(&mut self, sample: &Sample<2>) -> Result<ControlFlow<()>, Failure> {
        for Named { name, writer } in &mut self.files {
            writer.write(sample).map_err(|e| failed(e, name))?;
        }
        if let Some(writer) = &mut self.stdout
            && let Err(e) = writer.write(sample)
        {
            return self.gone(e);
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Completes every file except the summary, which is returned to be written last. Breaks as
    /// [`write`](Self::write) does.
    pub(crate) fn finish(mut self) -> Result<ControlFlow<(), Option<Output>>, Failure> {
        for Named { name, writer } in &mut self.files {
            writer.finish().map_err(|e| failed(e, name))?;
        }
        if let Some(writer) = &mut self.stdout
            && let Err(e) = writer.finish()
            && self.gone(e)?.is_break()
        {
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(self.summary))
    }

    /// Drops stdout if its pipe is closed. Breaks if no other output is left.
    fn gone(&mut self, error: ExportError) -> Result<ControlFlow<()>, Failure> {
        if !error.is_broken_pipe() {
            return Err(failed(error, "-o -"));
        }
        self.stdout = None;
        if self.files.is_empty() && self.summary.is_none() {
            Ok(ControlFlow::Break(()))
        } else {
            Ok(ControlFlow::Continue(()))
        }
    }
}

fn failed(error: ExportError, name: &str) -> Failure {
    Failure::Run(anyhow::Error::new(error).context(name.to_owned()))
}
