//! Writes SVG drawings.

use crate::colour;
use crate::column::{Cell, Column, Table};
use crate::sink::Sink;
use crate::{ExportError, Header, PointWriter};
use density::YAxis;
use sampler::Sample;
use std::io::{self, BufWriter, Write};

const OUTPUT: &str = "SVG";

/// The radius of a point's circle, as a share of its `min_dist`. Up to 0.5, circles never overlap under the
/// rules `max` and `mean`.
const DOT_RADIUS: f64 = 0.25;

/// The writer of [`Format::Svg`](crate::Format::Svg).
#[derive(Debug)]
pub(crate) struct SvgWriter<const D: usize, W: Write> {
    table: Table,
    /// Colours of the layers; empty if all circles are black.
    colours: Vec<Option<[u8; 3]>>,
    sink: Sink<BufWriter<W>>,
}

impl<const D: usize, W: Write> SvgWriter<D, W> {
    /// Starts a drawing of the run of `header`. Buffers its output.
    ///
    /// # Errors
    /// If `D` is not 2, or the output fails to take the beginning.
    pub(crate) fn new(out: W, header: &Header<D>) -> Result<Self, ExportError> {
        if D != 2 {
            return Err(ExportError::Dimension {
                output: OUTPUT,
                dimension: D,
                supported: "2",
            });
        }
        let head = head(header);
        let mut sink = Sink::new(OUTPUT, BufWriter::new(out));
        sink.run(|out| out.write_all(head.as_bytes()))?;
        Ok(Self {
            table: Table::new(D, header),
            colours: if header.colours.iter().any(Option::is_some) {
                header.colours.clone()
            } else {
                Vec::new()
            },
            sink,
        })
    }
}

fn head<const D: usize>(header: &Header<D>) -> String {
    let (min, max, size) = (
        header.domain.min(),
        header.domain.max(),
        header.domain.size(),
    );
    // y' = max - (y - min), which keeps the drawing inside its view box.
    let turn = match header.y_axis {
        YAxis::Down => String::new(),
        YAxis::Up => format!(
            " transform=\"translate(0 {:?}) scale(1 -1) translate(0 {:?})\"",
            max[1], -min[1]
        ),
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:?}mm\" height=\"{:?}mm\" \
         viewBox=\"{:?} {:?} {:?} {:?}\">\n<desc>{}</desc>\n<g fill=\"black\"{turn}>\n",
        size[0],
        size[1],
        min[0],
        min[1],
        size[0],
        size[1],
        escaped(&header.lines().join("; ")),
    )
}

/// Returns the text with markup characters escaped.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn attribute(out: &mut impl Write, column: Column, cell: Cell) -> io::Result<()> {
    if cell.is_empty() {
        return Ok(());
    }
    match column {
        Column::Id => out.write_all(b" id=\"p")?,
        Column::Axis(0) => out.write_all(b" cx=\"")?,
        Column::Axis(_) => out.write_all(b" cy=\"")?,
        _ => write!(out, " data-{}=\"", column.name().replace('_', "-"))?,
    }
    // The shortest form that reads back as the same number.
    serde_json::to_writer(&mut *out, &cell)?;
    out.write_all(b"\"")
}

impl<const D: usize, W: Write> PointWriter<D> for SvgWriter<D, W> {
    fn write(&mut self, sample: &Sample<D>) -> Result<(), ExportError> {
        let entry = self.table.entry(sample)?;
        let columns = &self.table.columns;
        let radius = DOT_RADIUS * sample.min_dist;
        let layer = sample.layer.filter(|_| !self.colours.is_empty());
        let fill = layer.map(|layer| colour::of_layer(&self.colours, layer as usize));
        self.sink.run(|out| {
            out.write_all(b"<circle")?;
            for column in columns {
                attribute(out, *column, column.cell(&entry))?;
            }
            out.write_all(b" r=\"")?;
            serde_json::to_writer(&mut *out, &radius)?;
            if let Some([red, green, blue]) = fill {
                write!(out, "\" fill=\"#{red:02x}{green:02x}{blue:02x}")?;
            }
            out.write_all(b"\"/>\n")
        })
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        self.sink.run_last(|out| {
            out.write_all(b"</g>\n</svg>\n")?;
            out.flush()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use density::Bounds;
    use sampler::Rule;

    #[test]
    fn sizes_are_millimetres_and_coordinates_world_units() {
        let domain = Bounds::with_origin([-1.0, 2.0], [4.0, 3.0]).expect("a good box");
        let header = Header::new("bridson", 1, 0, Rule::Max, domain);
        let sample = Sample {
            id: 3,
            position: [0.5, 2.5],
            min_dist: 2.0,
            value: 0.0,
            parent: None,
            rank: None,
            layer: None,
        };
        let mut file = Vec::new();
        let drawing = SvgWriter::new(&mut file, &header)
            .and_then(|mut drawing| crate::write_all(&mut drawing, [sample]));
        drawing.expect("a drawing");
        let text = String::from_utf8(file).expect("text");
        let head = r#"width="4.0mm" height="3.0mm" viewBox="-1.0 2.0 4.0 3.0""#;
        assert!(text.contains(head), "{text}");
        assert!(text.contains(r#"cx="0.5" cy="2.5""#), "{text}");
        assert!(text.contains(r#"r="0.5""#), "{text}");
    }
}
