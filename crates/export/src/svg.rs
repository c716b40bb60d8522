//! Writes SVG drawings.

use crate::colour;
use crate::column::{Cell, Column, Table};
use crate::text::Text;
use crate::{ExportError, Header};
use density::YAxis;
use std::io::{self, Write};

const OUTPUT: &str = "SVG";

/// The radius of a point's circle, as a share of its `min_dist`, unless points have scales. Up to 0.5, circles never
/// overlap under the rules `max` and `mean`.
const DOT_RADIUS: f64 = 0.25;

/// Returns the text of [`Format::Svg`](crate::Format::Svg).
///
/// # Errors
/// If `D` is not 2.
pub(crate) fn text<const D: usize>(header: &Header<D>) -> Result<Text<D>, ExportError> {
    if D != 2 {
        return Err(ExportError::Dimension {
            output: OUTPUT,
            dimension: D,
            supported: "2",
        });
    }
    let table = Table::new(D, header);
    // Without a colour all circles are black.
    let coloured = header.colours.iter().any(Option::is_some);
    let colours = header.colours.clone();
    let has_scales = header.placing.scale.is_some();
    Ok(Text {
        head: head(header),
        before: ["", ""],
        point: Box::new(move |sample, out| {
            let entry = table.entry(sample)?;
            let layer = sample.layer.filter(|_| coloured);
            let fill = layer.map(|layer| colour::of_layer(&colours, layer as usize));
            let cells = table
                .columns
                .iter()
                .map(|column| (*column, column.cell(&entry)));
            // A circle as modelled has radius 1.
            let radius = if has_scales {
                entry.placed.scale
            } else {
                DOT_RADIUS * sample.min_dist
            };
            circle(out, cells, radius, fill).map_err(|e| ExportError::io(OUTPUT, e))
        }),
        tail: "</g>\n</svg>\n",
    })
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

fn circle(
    out: &mut Vec<u8>,
    cells: impl Iterator<Item = (Column, Cell)>,
    radius: f64,
    fill: Option<[u8; 3]>,
) -> io::Result<()> {
    out.write_all(b"<circle")?;
    for (column, cell) in cells {
        attribute(out, column, cell)?;
    }
    out.write_all(b" r=\"")?;
    serde_json::to_writer(&mut *out, &radius)?;
    if let Some([red, green, blue]) = fill {
        write!(out, "\" fill=\"#{red:02x}{green:02x}{blue:02x}")?;
    }
    out.write_all(b"\"/>\n")
}
