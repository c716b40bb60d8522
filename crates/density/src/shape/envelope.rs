//! Computes lower envelopes of parabolas, for the gradient limit and for distances from a mask.

use crate::filled::filled;

/// Columns that go through the second pass together, so that whole cache lines are read.
const COLUMNS: usize = 16;

/// Replaces every value `f(p)` by `min over all q of f(q) + (weights . (p - q)^2)`, pixels; exact,
/// in time proportional to the pixels (Felzenszwalb and Huttenlocher, "Distance Transforms of
/// Sampled Functions", 2012). An infinite value has no parabola.
///
/// Weights are squares of lengths per pixel along x and y and must be positive and finite. Returns
/// `None` without enough memory for a few rows.
pub(crate) fn lower_envelope(values: &mut [f64], width: usize, weights: [f64; 2]) -> Option<()> {
    let height = values.len() / width;
    let longest = width.max(height);
    let mut line = Line {
        sources: filled((0, 0.0), longest)?,
        ends: filled(0.0, longest)?,
    };
    for row in values.chunks_exact_mut(width) {
        line.lower(row, weights[0]);
    }
    let mut columns = filled(0.0, COLUMNS * height)?;
    for first in (0..width).step_by(COLUMNS) {
        let count = COLUMNS.min(width - first);
        for (y, row) in values.chunks_exact(width).enumerate() {
            for (i, &value) in row[first..first + count].iter().enumerate() {
                columns[i * height + y] = value;
            }
        }
        for column in columns.chunks_exact_mut(height).take(count) {
            line.lower(column, weights[1]);
        }
        for (y, row) in values.chunks_exact_mut(width).enumerate() {
            for (i, value) in row[first..first + count].iter_mut().enumerate() {
                *value = columns[i * height + y];
            }
        }
    }
    Some(())
}

/// Buffers for the envelope of one row or column.
struct Line {
    /// The parabolas of the envelope from left to right: position and height of their vertices.
    sources: Vec<(u32, f64)>,
    /// Position where each parabola gives way to the next.
    ends: Vec<f64>,
}

impl Line {
    fn lower(&mut self, row: &mut [f64], weight: f64) {
        let mut count = 0;
        let half = 0.5 / weight;
        for (q, &f) in row.iter().enumerate() {
            if f == f64::INFINITY {
                continue;
            }
            let place = q as f64;
            while count > 0 {
                let (v, g) = self.sources[count - 1];
                let v = f64::from(v);
                // The position where the two parabolas meet.
                let meet = 0.5 * (place + v) + half * (f - g) / (place - v);
                if count > 1 && meet <= self.ends[count - 2] {
                    count -= 1;
                } else {
                    self.ends[count - 1] = meet;
                    break;
                }
            }
            self.sources[count] = (q as u32, f);
            count += 1;
        }
        let Some(last) = count.checked_sub(1) else {
            return;
        };
        self.ends[last] = f64::INFINITY;
        let mut at = 0;
        for (p, value) in row.iter_mut().enumerate() {
            let place = p as f64;
            while self.ends[at] < place {
                at += 1;
            }
            let (v, f) = self.sources[at];
            let away = place - f64::from(v);
            *value = f + weight * away * away;
        }
    }
}
