//! Panels over frequencies and distances.

use super::{Area, PlotError, caption, font, nothing, text};
use crate::report::Judgement;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

const BAND: RGBColor = RGBColor(205, 232, 205);
const GREY: RGBColor = RGBColor(150, 150, 150);

/// The greatest frequency shown, in units of the root of the number of points.
const REACH: f64 = 2.5;

/// Draws P in two dimensions, the frequency 0 in the middle.
pub(super) fn periodogram(area: &Area<'_>, judgement: &Judgement) -> Result<(), PlotError> {
    caption(area, "periodogram P: black 0, white 2 and above")?;
    let Some(spectrum) = &judgement.periodogram else {
        return nothing(area, "computed in the plane only");
    };
    let (width, height) = area.dim_in_pixel();
    let side = (width.saturating_sub(60)).min(height.saturating_sub(84)) as i32;
    let reach = spectrum.reach().min(REACH);
    for row in 0..side {
        for column in 0..side {
            let frequency = [column, row]
                .map(|at| (2.0 * (f64::from(at) + 0.5) / f64::from(side) - 1.0) * reach);
            let power = spectrum.near(frequency).unwrap_or(0.0);
            let grey = (255.0 * (0.5 * power).clamp(0.0, 1.0)).round() as u8;
            area.draw_pixel((24 + column, 40 + row), &RGBColor(grey, grey, grey))
                .map_err(PlotError::drawing)?;
        }
    }
    let report = &judgement.report;
    let anisotropy = report
        .anisotropy
        .map_or(String::new(), |db| format!(", anisotropy {db:.2} dB"));
    let note = format!(
        "up to {reach:.2} sqrt(n), {} set(s){anisotropy}",
        report.spectrum_sets
    );
    text(area, &note, (24, 48 + side), 16, BLACK)
}

/// Draws the radially averaged spectrum, with the values of maximal uniform sets.
pub(super) fn rings(area: &Area<'_>, judgement: &Judgement) -> Result<(), PlotError> {
    caption(area, "radial spectrum; green: maximal uniform sets")?;
    let Some(spectrum) = &judgement.periodogram else {
        return nothing(area, "computed in the plane only");
    };
    let reach = spectrum.reach().clamp(0.5, REACH);
    let rings: Vec<(f64, f64)> = judgement
        .report
        .spectrum
        .iter()
        .filter(|ring| ring.power.is_finite() && ring.frequency <= reach)
        .map(|ring| (ring.frequency, ring.power))
        .collect();
    let peak = rings.iter().fold(2.0_f64, |peak, ring| peak.max(ring.1));
    let height = (1.1 * peak).min(5.0);
    let labels = ["frequency / sqrt(n)", "P"];
    // P(0.05-0.3) is about 0.061; the peak is 1.75 at 1.14; white noise is 1.
    let bands = [([0.05, 0.3], [0.04, 0.1]), ([1.05, 1.25], [1.55, 1.95])];
    curve(area, [reach, height], labels, &bands, &[1.0], &rings)
}

/// Draws the pair correlation.
pub(super) fn pairs(area: &Area<'_>, judgement: &Judgement) -> Result<(), PlotError> {
    caption(area, "pair correlation; green: 1 +- 0.05")?;
    let Some(pairs) = &judgement.report.pair_correlation else {
        return nothing(area, "the domain is too small for it");
    };
    let points: Vec<(f64, f64)> = pairs
        .g
        .iter()
        .enumerate()
        .map(|(bin, &g)| ((bin as f64 + 0.5) * pairs.width, g))
        .filter(|(_, g)| g.is_finite())
        .collect();
    let reach = (pairs.g.len() as f64 * pairs.width).max(0.1);
    let peak = points.iter().fold(2.0_f64, |peak, point| peak.max(point.1));
    let height = (1.1 * peak).min(10.0);
    let labels = ["distance / distance by the rule", "g"];
    let bands = [([0.0, reach], [0.95, 1.05])];
    curve(area, [reach, height], labels, &bands, &[], &points)
}

type Band = ([f64; 2], [f64; 2]);

fn curve(
    area: &Area<'_>,
    [reach, height]: [f64; 2],
    [x_label, y_label]: [&str; 2],
    bands: &[Band],
    lines: &[f64],
    points: &[(f64, f64)],
) -> Result<(), PlotError> {
    let mut chart = ChartBuilder::on(area)
        .margin_top(42)
        .margin_right(24)
        .margin_bottom(12)
        .margin_left(12)
        .x_label_area_size(52)
        .y_label_area_size(58)
        .build_cartesian_2d(0.0..reach, 0.0..height)
        .map_err(PlotError::drawing)?;
    let shades = bands.iter().map(|(x, y)| {
        let high = (x[1].min(reach), y[1].min(height));
        Rectangle::new([(x[0], y[0]), high], BAND.filled())
    });
    chart.draw_series(shades).map_err(PlotError::drawing)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(225, 225, 225))
        .x_desc(x_label)
        .y_desc(y_label)
        .x_labels(6)
        .y_labels(8)
        .x_label_formatter(&|x| format!("{x:.1}"))
        .y_label_formatter(&|y| format!("{y:.1}"))
        .label_style((font::NAME, 16))
        .axis_desc_style((font::NAME, 17))
        .draw()
        .map_err(PlotError::drawing)?;
    for &level in lines {
        line(&mut chart, &[(0.0, level), (reach, level)], GREY)?;
    }
    line(&mut chart, points, RGBColor(20, 60, 140))
}

type Chart<'a, 'b> =
    ChartContext<'a, BitMapBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

fn line(
    chart: &mut Chart<'_, '_>,
    points: &[(f64, f64)],
    color: RGBColor,
) -> Result<(), PlotError> {
    let series = LineSeries::new(points.iter().copied(), color.stroke_width(2));
    chart
        .draw_series(series)
        .map(drop)
        .map_err(PlotError::drawing)
}
