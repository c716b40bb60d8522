//! Draws one page with all measures of a set, as a PNG.

mod curves;
mod font;
mod maps;

use crate::domain::Domain;
use crate::report::Judgement;
use crate::set::PointSet;
use density::YAxis;
use plotters::prelude::*;
use std::fmt::Display;
use thiserror::Error;

/// The page's width in pixels.
pub(crate) const WIDTH: u32 = 1600;

/// The page's height in pixels.
pub(crate) const HEIGHT: u32 = 1390;

/// The height of the title.
const TITLE: u32 = 70;

/// The height of the upper row, which shows the points.
const UPPER: u32 = 760;

/// The reason why the page could not be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The built-in font cannot be used.
    #[error("the plot's font cannot be used")]
    Font,
    /// The drawing library failed.
    #[error("the plot could not be drawn: {problem}")]
    Drawing {
        /// Its message.
        problem: String,
    },
}

impl PlotError {
    fn drawing(problem: impl Display) -> Self {
        Self::Drawing {
            problem: problem.to_string(),
        }
    }
}

/// A part of the page.
type Area<'a> = DrawingArea<BitMapBackend<'a>, plotters::coord::Shift>;

/// Draws the points, the density error, the periodogram, the radial spectrum and the pair
/// correlation. Returns the bytes of the PNG. With [`YAxis::Up`] the greatest `y` is at the top. Sets in space are drawn
/// as seen along z.
///
/// ```
/// # use spinney_quality as quality;
/// use density::{Bounds, YAxis};
/// use quality::{Claim, Domain, Edges, Measures, PointSet, Rule, judge, plot};
///
/// let set = PointSet::from_positions(vec![[1.0, 1.0], [3.0, 1.0], [2.0, 3.0]])?;
/// let domain = Domain { bounds: Bounds::from_size([4.0, 4.0])?, edges: Edges::Open };
/// let judgement = judge(&set, &[], &domain, Claim::Uniform(2.0), Rule::Max, Measures::All)?;
/// let png = plot("Three trees", YAxis::Up, &set, &domain, &judgement)?;
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the drawing library fails, which no set should cause.
pub fn plot<const D: usize>(
    title: &str,
    y_axis: YAxis,
    set: &PointSet<D>,
    domain: &Domain<D>,
    judgement: &Judgement,
) -> Result<Vec<u8>, PlotError> {
    font::register()?;
    let mut pixels = vec![255; (WIDTH * HEIGHT * 3) as usize];
    {
        let root = BitMapBackend::with_buffer(&mut pixels, (WIDTH, HEIGHT)).into_drawing_area();
        let (head, rest) = root.split_vertically(TITLE);
        heading(&head, title, judgement)?;
        let (upper, lower) = rest.split_vertically(UPPER);
        let (left, right) = upper.split_horizontally(WIDTH / 2);
        maps::points(&left, y_axis, set, domain, judgement)?;
        maps::density(&right, y_axis, domain, judgement)?;
        let thirds = lower.split_evenly((1, 3));
        for (area, panel) in thirds
            .iter()
            .zip([curves::periodogram, curves::rings, curves::pairs])
        {
            panel(area, judgement)?;
        }
        root.present().map_err(PlotError::drawing)?;
    }
    encode(&pixels).map_err(PlotError::drawing)
}

fn encode(pixels: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, WIDTH, HEIGHT);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

fn heading(area: &Area<'_>, title: &str, judgement: &Judgement) -> Result<(), PlotError> {
    let report = &judgement.report;
    let name: String = title.chars().filter(|c| !c.is_control()).take(90).collect();
    text(area, &name, (24, 10), 26, BLACK)?;
    let show = |name: &str, value: Option<f64>| {
        value.map_or(format!("{name} -"), |value| format!("{name} {value:.4}"))
    };
    let gaps = report
        .gap_fraction
        .map_or("gaps -".to_owned(), |gaps| format!("gaps {gaps:.2e}"));
    let line = [
        format!("{} points", report.points),
        format!("rule {}", report.rule),
        format!("{} violations", report.violations),
        gaps,
        show("c", report.c),
        show("rho", report.rho),
        show("mean rho", report.mean_rho),
        show("density error", report.density_error),
    ];
    text(area, &line.join("    "), (24, 44), 18, BLACK)
}

fn text(
    area: &Area<'_>,
    text: &str,
    at: (i32, i32),
    size: i32,
    color: RGBColor,
) -> Result<(), PlotError> {
    let style = (font::NAME, size).into_font().color(&color);
    area.draw_text(text, &style, at).map_err(PlotError::drawing)
}

/// Draws a panel's caption.
fn caption(area: &Area<'_>, title: &str) -> Result<(), PlotError> {
    text(area, title, (24, 8), 20, BLACK)
}

fn nothing(area: &Area<'_>, why: &str) -> Result<(), PlotError> {
    text(area, why, (24, 44), 17, RGBColor(120, 120, 120))
}
