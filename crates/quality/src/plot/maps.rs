//! Panels over the domain: the points, and the density error.

use super::{Area, PlotError, caption, nothing, text};
use crate::domain::Domain;
use crate::report::Judgement;
use crate::set::PointSet;
use density::YAxis;
use plotters::prelude::*;

/// Greatest number of points in the panel; of larger sets a window in the middle is shown.
const MOST_POINTS: usize = 12_000;

const GREY: RGBColor = RGBColor(150, 150, 150);

/// Maps a rectangle of the world to a rectangle of the panel, upright as on the map's picture.
struct View {
    min: [f64; 2],
    y_axis: YAxis,
    scale: f64,
    corner: [f64; 2],
    size: [f64; 2],
}

impl View {
    /// Fits the window into the panel below its caption.
    fn new(area: &Area<'_>, y_axis: YAxis, min: [f64; 2], extent: [f64; 2]) -> Self {
        let (width, height) = area.dim_in_pixel();
        let room = [f64::from(width) - 48.0, f64::from(height) - 96.0];
        let scale = (room[0] / extent[0]).min(room[1] / extent[1]);
        Self {
            min,
            y_axis,
            scale,
            corner: [24.0, 40.0],
            size: [extent[0] * scale, extent[1] * scale],
        }
    }

    fn place(&self, p: [f64; 2]) -> (i32, i32) {
        let [x, y] = [0, 1].map(|a| ((p[a] - self.min[a]) * self.scale).clamp(-1e4, 1e4));
        let y = match self.y_axis {
            YAxis::Down => y,
            YAxis::Up => self.size[1] - y,
        };
        let at = |a: usize, shown: f64| (self.corner[a] + shown).round() as i32;
        (at(0, x), at(1, y))
    }

    /// Returns the corners, from the upper left to the lower right, of a rectangle of the world.
    fn rectangle(&self, min: [f64; 2], max: [f64; 2]) -> [(i32, i32); 2] {
        let [low, high] = [min, max].map(|corner| self.place(corner));
        [(low.0, low.1.min(high.1)), (high.0, low.1.max(high.1))]
    }

    fn frame(&self, area: &Area<'_>) -> Result<(), PlotError> {
        let low = self.corner.map(|x| x.round() as i32);
        let size = self.size.map(|x| x.round() as i32);
        let corners = [(low[0], low[1]), (low[0] + size[0], low[1] + size[1])];
        area.draw(&Rectangle::new(corners, GREY))
            .map_err(PlotError::drawing)
    }
}

/// Returns a number with enough digits for a label.
fn short(x: f64) -> String {
    if x == 0.0 || (1e-3..1e7).contains(&x.abs()) {
        let text = format!("{x:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{x:.3e}")
    }
}

fn flat<const D: usize>(p: [f64; D]) -> [f64; 2] {
    std::array::from_fn(|a| p.get(a).copied().unwrap_or(0.0))
}

/// Draws the points; the worst pairs and the largest hole in red.
pub(super) fn points<const D: usize>(
    area: &Area<'_>,
    y_axis: YAxis,
    set: &PointSet<D>,
    domain: &Domain<D>,
    judgement: &Judgement,
) -> Result<(), PlotError> {
    let (mut min, mut extent) = (flat(domain.bounds.min()), flat(domain.bounds.size()));
    let share = (MOST_POINTS as f64 / set.len().max(1) as f64).sqrt();
    let whole = share >= 1.0 || D != 2;
    if !whole {
        for axis in 0..2 {
            min[axis] += 0.5 * extent[axis] * (1.0 - share);
            extent[axis] *= share;
        }
    }
    caption(
        area,
        if whole {
            "points"
        } else {
            "points, a window in the middle"
        },
    )?;
    let view = View::new(area, y_axis, min, extent);
    let inside = |p: [f64; 2]| (0..2).all(|a| min[a] <= p[a] && p[a] <= min[a] + extent[a]);
    let shown: Vec<([f64; 2], Option<f64>)> = set
        .positions()
        .iter()
        .enumerate()
        .map(|(i, &p)| (flat(p), set.min_dist().map(|all| all[i])))
        .filter(|(p, _)| inside(*p))
        .collect();
    let spacing = (view.size[0] * view.size[1] / shown.len().max(1) as f64).sqrt();
    for &(p, min_dist) in &shown {
        // If distances vary, each dot is proportional to its own.
        let room = min_dist.map_or(spacing, |distance| distance * view.scale);
        let radius = (0.22 * room).clamp(1.0, 6.0).round() as i32;
        area.draw(&Circle::new(view.place(p), radius, BLACK.filled()))
            .map_err(PlotError::drawing)?;
    }
    let report = &judgement.report;
    let bad = report
        .worst_pairs
        .iter()
        .flat_map(|pair| [pair.earlier, pair.later]);
    for id in bad {
        if let Some(index) = set.ids().iter().position(|&other| other == id) {
            let p = flat(set.positions()[index]);
            if inside(p) {
                area.draw(&Circle::new(view.place(p), 8, RED.stroke_width(2)))
                    .map_err(PlotError::drawing)?;
            }
        }
    }
    if let Some(hole) = &report.largest_hole
        && let [x, y, ..] = hole.place[..]
        && inside([x, y])
    {
        let reach = (hole.distance * view.scale).clamp(1.0, 2000.0).round() as i32;
        area.draw(&Circle::new(view.place([x, y]), reach, RED.stroke_width(2)))
            .map_err(PlotError::drawing)?;
    }
    view.frame(area)?;
    let ends = |a: usize| format!("{} to {}", short(min[a]), short(min[a] + extent[a]));
    let mut note = format!("x {}, y {}", ends(0), ends(1));
    if !report.worst_pairs.is_empty() {
        note += "; too close: red";
    }
    if report.largest_hole.is_some() {
        note += "; largest hole: red circle";
    }
    let below = view.corner[1] + view.size[1] + 8.0;
    text(area, &note, (24, below as i32), 16, BLACK)
}

/// Draws the density error: blue where points are missing, red where there are too many.
pub(super) fn density<const D: usize>(
    area: &Area<'_>,
    y_axis: YAxis,
    domain: &Domain<D>,
    judgement: &Judgement,
) -> Result<(), PlotError> {
    caption(area, "density error, cells with room for 8 x 8 min_dist")?;
    let cells = judgement.density.as_ref().filter(|_| D == 2);
    let Some(density) = cells else {
        return nothing(
            area,
            if D == 2 {
                "needs a map or one distance for all, and cells large enough"
            } else {
                "drawn in the plane only"
            },
        );
    };
    let (min, extent) = (flat(domain.bounds.min()), flat(domain.bounds.size()));
    let view = View::new(area, y_axis, min, extent);
    let most = density
        .map
        .iter()
        .fold(0.1_f64, |most, cell| most.max(cell.error.abs()))
        .min(1.0);
    let corners = view.rectangle(min, [min[0] + extent[0], min[1] + extent[1]]);
    area.draw(&Rectangle::new(corners, RGBColor(225, 225, 225).filled()))
        .map_err(PlotError::drawing)?;
    for cell in &density.map {
        let [min, max] = [&cell.min, &cell.max].map(|corner| [corner[0], corner[1]]);
        let color = diverging(cell.error / most);
        area.draw(&Rectangle::new(view.rectangle(min, max), color.filled()))
            .map_err(PlotError::drawing)?;
    }
    view.frame(area)?;
    let below = (view.corner[1] + view.size[1]) as i32 + 8;
    for step in -10..=10 {
        let x = 24 + (step + 10) * 14;
        let color = diverging(f64::from(step) / 10.0);
        area.draw(&Rectangle::new(
            [(x, below + 2), (x + 14, below + 18)],
            color.filled(),
        ))
        .map_err(PlotError::drawing)?;
    }
    let note = format!(
        "-{most:.2} (too few) to +{most:.2} (too many), grey: no cell; mean {:.4}",
        density.mean
    );
    text(area, &note, (330, below), 16, BLACK)
}

/// Returns a colour from blue at -1 over white to red at 1.
fn diverging(value: f64) -> RGBColor {
    let value = value.clamp(-1.0, 1.0);
    let faded = |end: f64| (255.0 + (end - 255.0) * value.abs()).round() as u8;
    if value < 0.0 {
        RGBColor(faded(33.0), faded(102.0), faded(172.0))
    } else {
        RGBColor(faded(178.0), faded(24.0), faded(43.0))
    }
}
