//! The round brush that paints and erases.

use crate::error::Refused;
use serde::{Deserialize, Serialize};

/// The largest grey, white.
const WHITE: f64 = 65535.0;

/// Largest diameter of a brush, pixels.
const MOST_SIZE: f64 = 4096.0;

/// The effect of a stroke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Tool {
    /// Sets greys and opens pixels for points.
    Paint,
    /// Closes pixels for points (alpha 0).
    Erase,
}

/// A round brush.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Brush {
    /// The effect of its strokes.
    pub(crate) tool: Tool,
    /// The grey that it paints, from 0, black, to 1, white.
    pub(crate) value: f64,
    /// Its diameter, pixels.
    pub(crate) size: f64,
    /// Share of the radius with full coverage, 0 to 1.
    pub(crate) hardness: f64,
    /// The greatest share of its grey that a stroke sets, 0 to 1.
    pub(crate) strength: f64,
}

impl Brush {
    /// Refuses numbers out of their ranges.
    pub(crate) fn check(&self) -> Result<(), Refused> {
        let all = [
            ("value", self.value, 0.0, 1.0),
            ("size", self.size, 1.0, MOST_SIZE),
            ("hardness", self.hardness, 0.0, 1.0),
            ("strength", self.strength, 0.0, 1.0),
        ];
        for (name, value, least, most) in all {
            if !(least..=most).contains(&value) {
                return Err(Refused::Value {
                    name: format!("brush {name}"),
                    value: value.to_string(),
                    problem: format!("must be a number from {least} to {most}"),
                });
            }
        }
        Ok(())
    }

    pub(crate) fn radius(&self) -> f64 {
        0.5 * self.size
    }

    pub(crate) fn grey(&self) -> u16 {
        (self.value * WHITE).round() as u16
    }

    /// Returns a pixel after the brush has covered the share `cover` of it. Closed pixels are
    /// `None`. Pixels are either open or closed, so a brush of any strength closes and opens.
    pub(crate) fn applied(&self, before: Option<u16>, cover: f32) -> Option<u16> {
        let cover = f64::from(cover);
        match (self.tool, before) {
            (Tool::Erase, _) => before.filter(|_| cover < 0.5),
            (Tool::Paint, None) => (cover >= 0.5).then(|| self.grey()),
            (Tool::Paint, Some(grey)) => {
                let grey = f64::from(grey);
                let share = cover * self.strength;
                Some((grey + share * (f64::from(self.grey()) - grey)).round() as u16)
            }
        }
    }
}

/// Returns the share, from 0 to 1, of the pixel with centre `place` that the brush covers on its way
/// from `from` to `to`. A pixel that this way crosses is covered in full, however small the brush is.
pub(crate) fn coverage(brush: &Brush, from: [f64; 2], to: [f64; 2], place: [f64; 2]) -> f32 {
    let way = [to[0] - from[0], to[1] - from[1]];
    let off = [place[0] - from[0], place[1] - from[1]];
    let length = way[0] * way[0] + way[1] * way[1];
    let along = if length > 0.0 {
        ((off[0] * way[0] + off[1] * way[1]) / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let [x, y] = [off[0] - along * way[0], off[1] - along * way[1]];
    let distance = (x * x + y * y).sqrt();
    let radius = brush.radius();
    let full = radius * brush.hardness;
    if distance <= full || (distance < 1.0 && crosses(from, way, place)) {
        1.0
    } else if distance >= radius {
        0.0
    } else {
        let t = (radius - distance) / (radius - full);
        (t * t * (3.0 - 2.0 * t)) as f32
    }
}

/// Returns `true` if the straight way from `from` crosses the pixel with centre `place`.
fn crosses(from: [f64; 2], way: [f64; 2], place: [f64; 2]) -> bool {
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for (axis, step) in way.into_iter().enumerate() {
        let start = from[axis] - place[axis];
        if step == 0.0 {
            if !(-0.5..0.5).contains(&start) {
                return false;
            }
            continue;
        }
        let (a, b) = ((-0.5 - start) / step, (0.5 - start) / step);
        first = first.max(a.min(b));
        last = last.min(a.max(b));
    }
    first <= last
}
