//! Writes SVG drawings.

use crate::column::{Cell, Column, Entry, Table};
use crate::sink::Sink;
use crate::{ExportError, Header, PointWriter};
use density::YAxis;
use sampler::Sample;
use std::io::{self, BufWriter, Write};

const OUTPUT: &str = "SVG";

/// The options of an SVG drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SvgOptions {
    /// Millimetres on paper for one world unit; 1 by default.
    pub mm_per_unit: f64,
    /// The circles' radius.
    pub dot_radius: DotRadius,
}

impl Default for SvgOptions {
    fn default() -> Self {
        Self {
            mm_per_unit: 1.0,
            dot_radius: DotRadius::OfMinDist(0.25),
        }
    }
}

/// The radius of a point's circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DotRadius {
    /// This fraction of the point's `min_dist`. Up to 0.5, circles never overlap under the
    /// rules `max` and `mean`.
    OfMinDist(f64),
    /// A fixed radius for all points, world units.
    Fixed(f64),
}

impl DotRadius {
    /// Returns the radius for a point, clamped to finite values.
    fn of(self, min_dist: f64) -> f64 {
        match self {
            Self::OfMinDist(fraction) => (fraction * min_dist).clamp(0.0, f64::MAX),
            Self::Fixed(radius) => radius,
        }
    }
}

/// Writes SVG: one `circle` per point, sizes in millimetres, flat points only.
///
/// The view box is in world units, so that `cx` and `cy` are the exact coordinates. With y upwards
/// a transform around the circles flips the drawing. A circle's `id` is `p` and the point's id. The
/// other columns are in `data-min-dist`, `data-value` and, where the point has them, `data-parent`,
/// `data-rank` and `data-layer`. `desc` has the metadata of the run.
#[derive(Debug)]
pub struct SvgWriter<const D: usize, W: Write> {
    table: Table,
    sink: Sink<BufWriter<W>>,
    dot_radius: DotRadius,
}

impl<const D: usize, W: Write> SvgWriter<D, W> {
    /// Starts a drawing of the run of `header`. Buffers its output.
    ///
    /// # Errors
    /// If `D` is not 2, if an option or the drawing's size in millimetres is not positive and
    /// finite, or if the output fails to take the beginning.
    pub fn new(out: W, header: &Header<D>, options: SvgOptions) -> Result<Self, ExportError> {
        if D != 2 {
            return Err(ExportError::Dimension {
                output: OUTPUT,
                dimension: D,
                supported: "2",
            });
        }
        positive("the scale in millimetres per unit", options.mm_per_unit)?;
        match options.dot_radius {
            DotRadius::OfMinDist(fraction) => positive("the dots' share of min_dist", fraction)?,
            DotRadius::Fixed(radius) => positive("the dots' radius", radius)?,
        }
        let head = head(header, options.mm_per_unit)?;
        let mut sink = Sink::new(OUTPUT, BufWriter::new(out));
        sink.run(|out| out.write_all(head.as_bytes()))?;
        Ok(Self {
            table: Table::new(D, header),
            sink,
            dot_radius: options.dot_radius,
        })
    }
}

fn positive(name: &'static str, value: f64) -> Result<(), ExportError> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(ExportError::NotPositive { name, value })
}

fn head<const D: usize>(header: &Header<D>, mm_per_unit: f64) -> Result<String, ExportError> {
    let (min, max, size) = (
        header.domain.min(),
        header.domain.max(),
        header.domain.size(),
    );
    let mm = size.map(|s| s * mm_per_unit);
    for side in mm {
        positive("the drawing's size in millimetres", side)?;
    }
    // y' = max - (y - min), which keeps the drawing inside its view box.
    let turn = match header.y_axis {
        YAxis::Down => String::new(),
        YAxis::Up => format!(
            " transform=\"translate(0 {:?}) scale(1 -1) translate(0 {:?})\"",
            max[1], -min[1]
        ),
    };
    Ok(format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:?}mm\" height=\"{:?}mm\" \
         viewBox=\"{:?} {:?} {:?} {:?}\">\n<desc>{}</desc>\n<g fill=\"black\"{turn}>\n",
        mm[0],
        mm[1],
        min[0],
        min[1],
        size[0],
        size[1],
        escaped(&header.lines().join("; ")),
    ))
}

/// Returns the text with markup characters escaped.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

impl<const D: usize, W: Write> SvgWriter<D, W> {
    fn circle(&mut self, entry: &Entry<'_, D>) -> Result<(), ExportError> {
        let columns = &self.table.columns;
        let radius = self.dot_radius.of(entry.sample.min_dist);
        self.sink.run(|out| {
            out.write_all(b"<circle")?;
            for column in columns {
                attribute(out, *column, column.cell(entry))?;
            }
            out.write_all(b" r=\"")?;
            number(out, radius)?;
            out.write_all(b"\"/>\n")
        })
    }
}

fn attribute(out: &mut impl Write, column: Column, cell: Cell) -> io::Result<()> {
    match column {
        Column::Id => out.write_all(b" id=\"p")?,
        Column::Axis(0) => out.write_all(b" cx=\"")?,
        Column::Axis(_) => out.write_all(b" cy=\"")?,
        _ if cell.is_empty() => return Ok(()),
        _ => write!(out, " data-{}=\"", column.name().replace('_', "-"))?,
    }
    match cell {
        Cell::Number(value) | Cell::MaybeNumber(Some(value)) => number(out, value)?,
        Cell::Id(id) | Cell::MaybeId(Some(id)) | Cell::Text(Some(id)) => write!(out, "{id}")?,
        Cell::Half(n) | Cell::MaybeSmall(Some(n)) => write!(out, "{n}")?,
        Cell::MaybeId(None)
        | Cell::MaybeSmall(None)
        | Cell::MaybeNumber(None)
        | Cell::Text(None) => {}
    }
    out.write_all(b"\"")
}

/// Writes the shortest form that reads back as the same number.
fn number(out: &mut impl Write, value: f64) -> io::Result<()> {
    Ok(serde_json::to_writer(out, &value)?)
}

impl<const D: usize, W: Write> PointWriter<D> for SvgWriter<D, W> {
    fn write(&mut self, sample: &Sample<D>) -> Result<(), ExportError> {
        let entry = self.table.entry(sample)?;
        self.circle(&entry)
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

    fn drawn(size: [f64; 2], options: SvgOptions) -> Result<String, ExportError> {
        let domain = Bounds::with_origin([-1.0, 2.0], size).expect("a good box");
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
        crate::write_all(&mut SvgWriter::new(&mut file, &header, options)?, [sample])?;
        Ok(String::from_utf8(file).expect("text"))
    }

    #[test]
    fn sizes_are_millimetres_and_coordinates_world_units() {
        let options = SvgOptions {
            mm_per_unit: 0.5,
            dot_radius: DotRadius::Fixed(0.125),
        };
        let text = drawn([4.0, 3.0], options).expect("a drawing");
        let head = r#"width="2.0mm" height="1.5mm" viewBox="-1.0 2.0 4.0 3.0""#;
        assert!(text.contains(head), "{text}");
        assert!(text.contains(r#"cx="0.5" cy="2.5""#), "{text}");
        assert!(text.contains(r#"r="0.125""#), "{text}");
    }

    #[test]
    fn impossible_options_are_refused() {
        let with = |mm_per_unit, dot_radius| SvgOptions {
            mm_per_unit,
            dot_radius,
        };
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            for options in [
                with(bad, DotRadius::Fixed(1.0)),
                with(1.0, DotRadius::Fixed(bad)),
                with(1.0, DotRadius::OfMinDist(bad)),
            ] {
                let refused = drawn([1.0, 1.0], options);
                assert!(matches!(refused, Err(ExportError::NotPositive { .. })));
            }
        }
        let too_large = drawn([1e300, 1.0], with(1e10, DotRadius::Fixed(1.0)));
        assert!(matches!(too_large, Err(ExportError::NotPositive { .. })));
    }
}
